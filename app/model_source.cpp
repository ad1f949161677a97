#include "app/model_source.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "app/nearest_name.hpp"
#include "models/builtin.hpp"
#include "studies/process_memory.hpp"

namespace tactus::app {
namespace {

using models::Error;
using models::Reason;
using models::Result;

constexpr std::string_view kBuiltinPrefix = "builtin:";

Error unknownBuiltin(std::string_view name) {
  std::vector<std::string> names;
  std::string all;
  for (const models::Builtin& builtin : models::builtins()) {
    names.emplace_back(builtin.name);
    all += (all.empty() ? "" : ", ") + names.back();
  }
  const std::string nearest = nearestName(name, names);
  const std::string hint = nearest.empty() ? fmt::format("there are {}", all)
                                           : fmt::format("did you mean builtin:{}?", nearest);
  return {Reason::UnknownName, -1,
          fmt::format("builtin:{}: there is no built-in model of this name; {}{}", name, hint,
                      nearest.empty() ? "." : "")};
}

Result<models::Mesh> makeNamed(std::string_view nameAndCount) {
  const std::size_t at = nameAndCount.find('@');
  const std::string_view name = nameAndCount.substr(0, at);
  bool known = false;
  for (const models::Builtin& builtin : models::builtins())
    known = known || builtin.name == name;
  if (!known) return unknownBuiltin(name);
  std::size_t triangles = models::kDefaultTriangles;
  if (at != std::string_view::npos) {
    const std::string_view digits = nameAndCount.substr(at + 1);
    const auto [end, code] =
        std::from_chars(digits.data(), digits.data() + digits.size(), triangles);
    if (code != std::errc() || end != digits.data() + digits.size()) {
      return Error{Reason::BadValue, -1,
                   fmt::format("builtin:{}: '{}' is not a number of triangles; write for example "
                               "builtin:{}@{}.",
                               nameAndCount, digits, name, models::kDefaultTriangles)};
    }
  }
  return models::makeBuiltin(name, triangles);
}

}  // namespace

Result<SourcedModel> openModel(const std::string& name, const SizeOptions& size) {
  SourcedModel source;
  source.name = name;
  const std::size_t peakBefore = studies::peakMemory();
  const auto start = std::chrono::steady_clock::now();
  if (name.starts_with(kBuiltinPrefix)) {
    Result<models::Mesh> made = makeNamed(std::string_view(name).substr(kBuiltinPrefix.size()));
    if (!made) return made.error();
    source.mesh = std::move(made).value();
  } else {
    if (name.ends_with(".tactus") || name.ends_with(".sqlite")) {
      return Error{Reason::Unsupported, -1,
                   fmt::format("{}: caches and recordings are not built yet; give a mesh file or a "
                               "built-in.",
                               name)};
    }
    Result<models::LoadedMesh> loaded = models::readMesh(name);
    if (!loaded) return loaded.error();
    source.mesh = std::move(loaded.value().mesh);
    source.remainders = std::move(loaded.value().remainders);
    source.format = loaded.value().format;
    source.fileBytes = loaded.value().fileBytes;
    source.polygons = loaded.value().polygons;
  }
  source.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  source.peakBytes = studies::peakMemory() - peakBefore;
  if (size.scale || size.fit) source.remainders.clear();
  if (size.scale) models::scale(source.mesh, *size.scale);
  if (size.fit) models::fitToDiagonal(source.mesh, *size.fit);
  if (!std::isfinite(source.mesh.bounds().diagonal())) {
    return Error{
        Reason::BadValue, -1,
        fmt::format("{}: this size is beyond what positions can hold; choose a smaller one.",
                    name)};
  }
  return source;
}

}  // namespace tactus::app
