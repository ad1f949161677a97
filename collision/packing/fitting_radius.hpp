#pragma once
#include <Eigen/Core>

#include "collision/packing/sphere_grid.hpp"
#include "collision/surface/surface_distance.hpp"

namespace tactus::collision {

/// The radius of the largest ball around `centre` (relative to `origin`) that meets no sphere of
/// the grid and does not leave the object, at most `most`; 0 if it would be less than `least` or if
/// the centre is outside.
///
/// Measured in doubles from the rounded centre, and rounded down by more than its own rounding:
/// what keeps a packing feasible, whatever found the place.
[[nodiscard]] float fittingRadius(const SurfaceDistance& surface, const SphereGrid& grid,
                                  const Eigen::Vector3d& origin, const Eigen::Vector3f& centre,
                                  double most, double least);

}  // namespace tactus::collision
