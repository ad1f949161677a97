#pragma once
#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collision/packing/sphere_packing.hpp"
#include "collision/surface/surface_distance.hpp"

namespace tactus::collision {

/// Balls inside the object that touch its surface in at least two places, largest first: points of
/// the medial axis, one for each of about `count` prototypes spread evenly over the surface.
///
/// Source: Ma, Bae and Choi, "3D Medial Axis Point Approximation Using Nearest Neighbors and the
/// Normal Field", 2012: a large ball that touches the surface shrinks until it is empty; each time
/// it is made to pass through the surface point that is closest to its centre.
/// How ours differs: exact distances to triangles instead of sample points. On a messy surface,
/// whose normals may point anywhere, both sides are tried and the winding number decides.
///
/// Centres are relative to `origin`. The same for any `threads`.
[[nodiscard]] std::vector<PackedSphere> medialPrototypes(const SurfaceDistance& surface,
                                                         const Eigen::Vector3d& origin,
                                                         std::size_t count, std::uint64_t seed,
                                                         unsigned threads);

}  // namespace tactus::collision
