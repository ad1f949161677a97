#pragma once
#include <Eigen/Geometry>

#include "collision/depth/depth_field.hpp"

namespace tactus::collision {

/// How deep two solids are in each other: the most that the lesser of the two depths is anywhere,
/// up to `enough`; 0 if they are nowhere in each other, or less than about a quarter of a cube.
///
/// Source: the project's own; branch and bound over SolidCubes, as in depthEnergy().
///
/// Method: of all places a quarter of a cube apart in the finer field's cubes the one with the
/// largest lesser depth, the deepest children first. The places stand still in that solid, so the
/// result is continuous in the pose. It takes a thousand cubes at most, and then tells what was
/// found by then: of faces that lie in each other any place is nearly as good as another.
[[nodiscard]] double mutualDepth(const DepthField& a, const DepthField& b,
                                 const Eigen::Isometry3d& aFromB, double enough) noexcept;

}  // namespace tactus::collision
