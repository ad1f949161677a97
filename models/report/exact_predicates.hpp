#pragma once
#include <Eigen/Core>

namespace tactus::models {

/// Exact signs of determinants of float coordinates, handed over as doubles.
///
/// Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
/// Predicates", 1997. How ours differs: the determinant in doubles decides when it is larger than
/// Shewchuk's bound on its error (stage A); otherwise it is computed exactly at once, in whole
/// numbers of 128 bits if the differences fit, else as an expansion without zero terms.
///
/// Precondition: every coordinate is the value of a finite float. Then products of three
/// differences are below 2^387 and multiples of 2^-447: nothing overflows or underflows in doubles,
/// and the sign is right without exception. No fused operations: the same everywhere.

/// Sign of (b - a) x (c - a): 1 if a, b, c turn counter-clockwise, -1 clockwise, 0 in a line.
[[nodiscard]] int orient2d(const Eigen::Vector2d& a, const Eigen::Vector2d& b,
                           const Eigen::Vector2d& c) noexcept;

/// Sign of (b - a) x (c - a) . (d - a): 1 if d is on the side from which a, b, c turn
/// counter-clockwise, -1 on the other side, 0 in their plane.
[[nodiscard]] int orient3d(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                           const Eigen::Vector3d& c, const Eigen::Vector3d& d) noexcept;

/// The point without its coordinate `axis`, the other two in cyclic order: looking against the axis
/// they turn as the points do.
[[nodiscard]] inline Eigen::Vector2d dropAxis(const Eigen::Vector3d& p, int axis) noexcept {
  return {p[(axis + 1) % 3], p[(axis + 2) % 3]};
}

/// An axis along which the triangle can be projected without losing its area; -1 if it has none,
/// because its corners are in a line or equal.
[[nodiscard]] int projectionAxis(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                                 const Eigen::Vector3d& c) noexcept;

}  // namespace tactus::models
