#pragma once
#include <Eigen/Geometry>
#include <cstdint>

#include "collision/exact/exact_body.hpp"

namespace tactus::collision {

/// How far two solids are apart.
struct ExactDistance {
  double distance = 0.0;  ///< 0 when they overlap, touch, or one contains the other [m]
  /// Nearest points, in A's frame. Where surfaces meet, a point of both; where one solid contains
  /// the other without that, twice the contained point.
  Eigen::Vector3d onA = Eigen::Vector3d::Zero();
  Eigen::Vector3d onB = Eigen::Vector3d::Zero();
  std::uint64_t pairTests = 0;  ///< pairs of triangles that were measured
};

/// Exact distance of two solids: the least over all pairs of triangles, in doubles.
///
/// Source: Larsen, Gottschalk, Lin and Manocha, "Fast Proximity Queries with Swept Sphere Volumes",
/// 2000 (descent of two hierarchies, nearer pair first). How ours differs: the hierarchies' boxes
/// are fitted anew to the axes of A's frame for every pose, which costs a pass over the triangles
/// and makes each box test exact; the hull tests that a servo loop would need are left out.
///
/// Good to the rounding of positions, about 1e-16 of the objects' extent: this is a reference, not
/// for the servo loop. Then, if no triangles meet, one vertex of each connected part of one surface
/// is asked whether the other solid contains it. Of open surfaces only the distance of the
/// surfaces is right. Infinite when a mesh has no triangles.
///
/// `aFromB` maps B into A's frame; its linear part must be a rotation. Depends on nothing but the
/// arguments; `threads` 0: one a core.
[[nodiscard]] ExactDistance exactDistance(const ExactBody& a, const ExactBody& b,
                                          const Eigen::Isometry3d& aFromB, unsigned threads = 0);

}  // namespace tactus::collision
