#pragma once
#include <Eigen/Core>
#include <span>

namespace tactus::collision {

struct Ball {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< [m]
  double radius = 0.0;                               ///< [m]
};

/// Smallest ball around balls.
///
/// Source: K. Fischer and B. Gaertner, "The Smallest Enclosing Ball of Balls: Combinatorial
/// Structure and Algorithms", 2003. How ours differs: with at most four balls that hold the answer
/// and one that sticks out, the next answer is found by looking at all fifteen sets that the one
/// can make with the others; no basis has to be walked, so none can go round in circles.
///
/// Method:
/// - start with the first ball; take the one that sticks out furthest into the set
/// - smallest ball around these up to five: that of the tangent balls of their subsets which
///   encloses them all
/// - keep the balls that it touches, repeat until nothing sticks out by more than rounding
///
/// The result encloses all of them also as computed: its radius is the largest reach from its
/// centre. Without balls it is a point at the origin.
[[nodiscard]] Ball enclosingBall(std::span<const Ball> balls) noexcept;

}  // namespace tactus::collision
