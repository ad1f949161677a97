#pragma once
#include <Eigen/Core>
#include <array>

namespace tactus::collision {

using Corners = std::array<Eigen::Vector3d, 3>;

/// Two points, one on each object, and the square of their distance [m^2].
struct NearestPoints {
  double squaredDistance = 0.0;
  Eigen::Vector3d onA = Eigen::Vector3d::Zero();
  Eigen::Vector3d onB = Eigen::Vector3d::Zero();
};

/// The nearest points of two triangles; the same point twice where they meet.
///
/// Source: the cases of Ericson, "Real-Time Collision Detection", 2005, section 5.1.10: corner
/// against face, edge against edge, edge through face. How ours differs: edges are compared by the
/// common perpendicular u x v rather than by the normal equations, whose determinant loses half the
/// digits between nearly parallel edges; where the perpendicular's feet are not inside both edges a
/// corner is nearest, and those are compared anyway. So each case is a pair of points on the
/// triangles, and the least of them is never too small.
///
/// Triangles without area are the segment or point that their corners span.
[[nodiscard]] NearestPoints nearestPoints(const Corners& a, const Corners& b) noexcept;

}  // namespace tactus::collision
