#pragma once
#include <string>
#include <string_view>

#include "app/output.hpp"
#include "collision/cache/collision_object.hpp"

namespace tactus::app {

/// "protosphere", "voxel": as on the command line.
[[nodiscard]] std::string_view nameOf(collision::PackingMethod method) noexcept;

/// A body without thin parts is filled by more than this with a dozen spheres, a cube with one:
/// what is filled less has parts that feel like nothing. Of a plate fifty times as wide as thick,
/// 20,000 spheres fill a fifth, and the force is a fifth too small; of one that is half as thick
/// there is hardly any force left.
inline constexpr double kWellFilled = 0.3;

/// The keys that `build` and `info` of a cache share: what came out, and what it cost.
[[nodiscard]] Json figuresJson(const collision::BuildFigures& figures);

/// What was asked for.
[[nodiscard]] Json parametersJson(const collision::BuildParameters& parameters);

/// Both for a person, in lines.
[[nodiscard]] std::string figuresText(const collision::BuildParameters& parameters,
                                      const collision::BuildFigures& figures);

/// Corners and side of an object's depth field, in metres, and the share of walls too thin for it.
[[nodiscard]] Json depthsJson(const collision::CollisionObject& object);

/// Both for a person, a line; and another one if walls are too thin for it.
[[nodiscard]] std::string depthsText(const collision::CollisionObject& object);

/// What is to be said of walls that the depth field is too coarse for; empty: there are none.
[[nodiscard]] std::string aboutThinWalls(const collision::CollisionObject& object);

/// Size and errors of an object's voxmap, in metres: those that were seen and those that are
/// certain. Null if there is none.
[[nodiscard]] Json voxmapJson(const collision::CollisionObject& object);

/// Both for a person, a line; and another one if it is too coarse for thin parts.
[[nodiscard]] std::string voxmapText(const collision::CollisionObject& object);

/// What is to be said of parts that a voxmap's voxels are too coarse for; empty: there are none.
/// The shell lies `offset` outside of the surface.
[[nodiscard]] std::string aboutThinParts(const collision::Pointshell& shell,
                                         const collision::Voxmap& map, double offset);

/// Number and spacing of the points, in metres; null if there are none.
[[nodiscard]] Json pointshellJson(const collision::Pointshell& shell);
[[nodiscard]] std::string pointshellText(const collision::Pointshell& shell);

}  // namespace tactus::app
