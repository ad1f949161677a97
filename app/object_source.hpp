#pragma once
#include <functional>
#include <string>

#include "app/model_source.hpp"
#include "app/output.hpp"
#include "collision/cache/object_builder.hpp"
#include "models/mesh/result.hpp"

namespace tactus::app {

/// Is told how far a build is; false cancels it. May be empty.
using BuildWatcher = std::function<bool(const collision::BuildProgress&)>;

/// An object as named on the command line: a cache that is read, or a mesh file or built-in, which
/// is built once and found again in the user's cache folder. Builds as buildShown() does.
///
/// A cache that an older builder made, or one that is to have another size, is built anew from the
/// mesh in it. A folder that cannot be
/// written to is no error: then it is built every time.
[[nodiscard]] models::Result<collision::CollisionObject> openObject(
    const std::string& name, const collision::BuildParameters& parameters = {},
    const SizeOptions& size = {}, const BuildWatcher& watcher = {});

/// Builds, with progress on standard error if that is a terminal, unless somebody watches. Ctrl-C
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
