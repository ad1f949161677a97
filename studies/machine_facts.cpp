#include "studies/machine_facts.hpp"

#include <fstream>
#include <string_view>

#include "models/lanes/vector_target.hpp"
#include "models/mesh/parallel_for.hpp"

namespace tactus::studies {
namespace {

/// The first "model name : ..." of /proc/cpuinfo, proc(5).
std::string cpuName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t at = line.find(": ");
    return at == std::string::npos ? std::string() : line.substr(at + 2);
  }
  return {};
}

#if defined(__clang__)
constexpr std::string_view kCompiler = "clang " __clang_version__;
#else
constexpr std::string_view kCompiler = "g++ " __VERSION__;
#endif

}  // namespace

MachineFacts machineFacts() {
  return {cpuName(), models::coreCount(), std::string(models::nameOf(models::activeTarget())),
          std::string(kCompiler), TACTUS_BUILD_FLAGS};
}

}  // namespace tactus::studies
