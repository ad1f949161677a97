#include "app/vector_code.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <vector>

#include "models/lanes/vector_target.hpp"
#include "models/mesh/nearest_name.hpp"

namespace tactus::app {

std::string chooseVectorCode() {
  const char* wanted = std::getenv("TACTUS_SIMD");
  if (wanted == nullptr || *wanted == '\0') return {};
  const std::optional<models::VectorTarget> target = models::targetFromName(wanted);
  if (!target) {
    const std::string nearest = models::nearestName(wanted, {"scalar", "sse4", "avx2", "avx512"});
    return fmt::format("TACTUS_SIMD={}: there is no such vector code; {}", wanted,
                       nearest.empty() ? "take scalar, sse4, avx2 or avx512."
                                       : fmt::format("did you mean {}?", nearest));
  }
  if (!models::useTarget(*target)) {
    return fmt::format("TACTUS_SIMD={}: this machine cannot run it; its best is {}.", wanted,
                       models::nameOf(models::bestTarget()));
  }
  return {};
}

}  // namespace tactus::app
