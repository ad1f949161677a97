#include "app/model_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/output.hpp"
#include "app/recording_info.hpp"
#include "collision/cache/object_cache.hpp"
#include "models/builtin.hpp"
#include "models/files/byte_source.hpp"
#include "models/files/file_label.hpp"
#include "models/mesh/nearest_name.hpp"
#include "studies/process_memory.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::Error;
using models::nearestName;
using models::Reason;
using models::Result;

constexpr std::string_view kBuiltinPrefix = "builtin:";

/// "builtin:rhino@5000" for "rino@5000"; empty if no name is near.
std::string nearestBuiltin(std::string_view nameAndCount) {
  std::vector<std::string> names;
  for (const models::Builtin& builtin : models::builtins())
    names.emplace_back(builtin.name);
  const std::size_t at = std::min(nameAndCount.find('@'), nameAndCount.size());
  const std::string nearest = nearestName(nameAndCount.substr(0, at), names);
  if (nearest.empty()) return {};
  return std::string(kBuiltinPrefix).append(nearest).append(nameAndCount.substr(at));
}

Error unknownBuiltin(std::string_view nameAndCount) {
  std::string all;
  for (const models::Builtin& builtin : models::builtins())
    all.append(all.empty() ? "" : ", ").append(builtin.name);
  if (nameAndCount.empty()) {
    return {Reason::UnknownName, -1,
            fmt::format("A built-in model is builtin:NAME, and the name is missing; there are {}.",
                        all)};
  }
  const std::string nearest = nearestBuiltin(nameAndCount);
  const std::string hint = nearest.empty() ? fmt::format("there are {}.", all)
                                           : fmt::format("did you mean {}?", nearest);
  return {
      Reason::UnknownName, -1,
      fmt::format("builtin:{}: there is no built-in model of this name; {}", nameAndCount, hint)};
}

/// A built-in whose prefix was forgotten or mistyped, if that is likely: there is no such file, and
/// the name has neither a folder nor an ending.
std::string builtinMeantBy(const std::string& name) {
  std::error_code ignored;
  if (name.find_first_of("/.") != std::string::npos) return {};
  if (std::filesystem::exists(std::filesystem::symlink_status(name, ignored))) return {};
  return nearestBuiltin(std::string_view(name).substr(name.find(':') + 1));
}

/// "rhino" and 5000 of "rhino@5000".
struct NamedBuiltin {
  std::string_view name;
  std::size_t triangles = models::kDefaultTriangles;
};

Result<NamedBuiltin> parseBuiltin(std::string_view nameAndCount) {
  const std::size_t at = nameAndCount.find('@');
  NamedBuiltin named{.name = nameAndCount.substr(0, at)};
  bool known = false;
  for (const models::Builtin& builtin : models::builtins())
    known = known || builtin.name == named.name;
  if (!known) return unknownBuiltin(nameAndCount);
  if (at == std::string_view::npos) return named;
  const std::string_view digits = nameAndCount.substr(at + 1);
  const auto [end, code] =
      std::from_chars(digits.data(), digits.data() + digits.size(), named.triangles);
  if (code != std::errc() || end != digits.data() + digits.size()) {
    return Error{Reason::BadValue, -1,
                 fmt::format("builtin:{}: '{}' is not a number of triangles; write for example "
                             "builtin:{}@{}.",
                             nameAndCount, digits, named.name, models::kDefaultTriangles)};
  }
  return named;
}

Result<models::Mesh> makeNamed(std::string_view nameAndCount) {
  const Result<NamedBuiltin> named = parseBuiltin(nameAndCount);
  if (!named) return named.error();
  return models::makeBuiltin(named.value().name, named.value().triangles);
}

// What hands move in a scene is within these, so a file beyond them is most likely in other units.
constexpr double kLargeDiagonal = 10.0, kSmallDiagonal = 1e-3;  // [m]

/// Says in which unit a mesh file is taken, if its size makes that doubtful.
void tellUnit(const std::string& name, double diagonal) {
  if (!(diagonal > 0.0) || (diagonal >= kSmallDiagonal && diagonal <= kLargeDiagonal)) return;
  const bool isLarge = diagonal > kLargeDiagonal;
  complain(fmt::format(
      "{}: its box has a diagonal of {:.4g} m, because positions are taken as metres; if they are "
      "{}, --scale {} of info, build, convert and show makes metres of them.",
      models::printable(name), diagonal, isLarge ? "millimetres" : "kilometres",
      isLarge ? "0.001" : "1000"));
}

}  // namespace

bool isCacheName(const std::string& name) {
  if (name.starts_with(kBuiltinPrefix)) return false;
  return name.ends_with(".tactus") || collision::isSectionFile(name);
}

Result<Done> checkModelName(const std::string& name) {
  if (name.empty()) {
    return Error{Reason::FileMissing, -1,
                 "the model's name is empty; give a mesh file or a built-in."};
  }
  if (name.starts_with(kBuiltinPrefix)) {
    const Result<NamedBuiltin> named =
        parseBuiltin(std::string_view(name).substr(kBuiltinPrefix.size()));
    return named ? Result<Done>(Done{}) : named.error();
  }
  if (isRecording(name)) {
    return Error{Reason::Unsupported, -1,
                 fmt::format("{}: this is a recording, which 'tactus info' and 'tactus replay' "
                             "read; give a mesh file, a cache or a built-in.",
                             models::printable(name))};
  }
  if (const std::string meant = builtinMeantBy(name); !meant.empty()) {
    return Error{
        Reason::FileMissing, -1,
        fmt::format("{}: there is no such file; did you mean {}?", models::printable(name), meant)};
  }
  if (isCacheName(name)) {
    const auto cache = collision::SectionFile::open(name);
    return cache ? Result<Done>(Done{}) : cache.error();
  }
  const auto file = models::FileBytes::open(name, models::FileLabel(name));
  return file ? Result<Done>(Done{}) : file.error();
}

Result<SourcedModel> openModel(const std::string& name, const SizeOptions& size) {
  SourcedModel source;
  source.name = name;
  const std::size_t peakBefore = studies::peakMemory();
  const auto start = std::chrono::steady_clock::now();
  if (const Result<Done> good = checkModelName(name); !good) return good.error();
  if (name.starts_with(kBuiltinPrefix)) {
    Result<models::Mesh> made = makeNamed(std::string_view(name).substr(kBuiltinPrefix.size()));
    if (!made) return made.error();
    source.mesh = std::move(made).value();
  } else if (isCacheName(name)) {
    const Result<collision::CollisionObject> object = collision::readObject(name);
    if (!object) return object.error();
    Result<collision::SolidMesh> solid = object.value().cold->solid();
    if (!solid) return solid.error();
    source.mesh = std::move(solid.value().mesh);
    source.remainders = std::move(solid.value().remainders);
  } else {
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
  const double diagonal = source.mesh.bounds().diagonal();
  if (size.fit && !(diagonal > 0.0)) {
    return Error{Reason::BadValue, -1,
                 fmt::format("{}: all its corners are in one place, so no scale makes it fit.",
                             models::printable(name))};
  }
  if (source.format && !size.scale && !size.fit) tellUnit(name, diagonal);
  if (size.scale || size.fit) source.remainders.clear();
  if (size.scale) models::scale(source.mesh, *size.scale);
  if (size.fit) models::fitToDiagonal(source.mesh, *size.fit);
  if (!std::isfinite(source.mesh.bounds().diagonal())) {
    return Error{
        Reason::BadValue, -1,
        fmt::format("{}: this size is beyond what positions can hold; choose a smaller one.",
                    name)};
  }
  if (diagonal > 0.0 && !(source.mesh.bounds().diagonal() > 0.0)) {
    return Error{Reason::BadValue, -1,
                 fmt::format("{}: at this size nothing would be left of it; choose a larger one.",
                             models::printable(name))};
  }
  return source;
}

}  // namespace tactus::app
