#pragma once
#include <Eigen/Core>

namespace tactus::response {

/// Rotations as vectors along their axis, as long as their angle [rad].
///
/// Source: O. Rodrigues, 1840; the exponential and logarithm of SO(3).
/// How ours differs: by quaternions and models::elementary, so that small angles keep all their
/// digits (acos of a trace near 3 loses half of them) and every machine gets the same bytes.

/// The rotation by a vector of any length.
[[nodiscard]] Eigen::Matrix3d turnBy(const Eigen::Vector3d& angles) noexcept;

/// The shortest vector of a rotation, at most pi long. At pi exactly it is one of two.
[[nodiscard]] Eigen::Vector3d rotationVector(const Eigen::Matrix3d& turn) noexcept;

/// Of the vectors that turn as `shortest` does, the one nearest to `previous`, at most 2 pi long:
/// a hand that turns on past half a turn from a jammed tool is not suddenly pulled on from behind.
[[nodiscard]] Eigen::Vector3d continued(const Eigen::Vector3d& shortest,
                                        const Eigen::Vector3d& previous) noexcept;

/// The rotation nearest to a product of many, which rounding has led astray a little.
[[nodiscard]] Eigen::Matrix3d rectified(const Eigen::Matrix3d& turn) noexcept;

}  // namespace tactus::response
