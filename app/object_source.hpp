#pragma once
#include <functional>
#include <optional>
#include <string>

#include "app/model_source.hpp"
#include "app/output.hpp"
#include "collision/cache/object_builder.hpp"
#include "models/mesh/result.hpp"

namespace tactus::app {

/// Is told how far a build is; false cancels it. May be empty.
using BuildWatcher = std::function<bool(const collision::BuildProgress&)>;

/// An object as named on the command line, read but not built: what a name or a file can be wrong
/// in is known before the first of several is built.
struct NamedObject {
  std::string name;
  std::optional<collision::CollisionObject> cache;  ///< one of today's builder that was named
  collision::SolidMesh solid;                       ///< else: what it is to be built of
  collision::BuildParameters parameters;            ///< and how
};

/// Reads a cache, or a mesh file, or makes a built-in. A cache that an older builder made, or one
/// that is to have another size, is to be built anew from the mesh in it.
[[nodiscard]] models::Result<NamedObject> findObject(
    const std::string& name, const collision::BuildParameters& parameters = {},
    const SizeOptions& size = {});

/// What is no cache is built once and found again in the user's cache folder. Builds as
/// buildShown() does. A folder that cannot be written to is no error: then it is built every time.
[[nodiscard]] models::Result<collision::CollisionObject> openObject(
    NamedObject found, const BuildWatcher& watcher = {});
[[nodiscard]] models::Result<collision::CollisionObject> openObject(
    const std::string& name, const collision::BuildParameters& parameters = {},
    const SizeOptions& size = {}, const BuildWatcher& watcher = {});

/// Builds, with progress on standard error unless somebody watches. Ctrl-C
/// ends it with Reason::Cancelled. `name` is for sentences, one of which tells of a surface that is
/// not clean.
[[nodiscard]] models::Result<collision::CollisionObject> buildShown(
    collision::SolidMesh solid, const std::string& name,
    const collision::BuildParameters& parameters, const BuildWatcher& watcher = {});

/// The sentences about surfaces that have no inside.
[[nodiscard]] models::Error aboutOpenSurface(const std::string& name);
[[nodiscard]] models::Error aboutInsideOut(const std::string& name);

/// Bad input, unless the mistake was not the command line's.
[[nodiscard]] ExitCode exitCodeOf(const models::Error& error) noexcept;

}  // namespace tactus::app
