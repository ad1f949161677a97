#pragma once
#include <Eigen/Core>
#include <cstddef>

namespace tactus::collision {

/// Balls as a structure of arrays; positions relative to an object's origin, so that floats do.
struct BallArrays {
  const float* x = nullptr;       ///< [m]
  const float* y = nullptr;       ///< [m]
  const float* z = nullptr;       ///< [m]
  const float* radius = nullptr;  ///< [m], not negative
};

/// What the lenses of many pairs of balls sum up to.
struct BallLensSum {
  double volume = 0.0;                               ///< [m^3]
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< minus the gradient of `volume`, on B [m^2]
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  ///< on B, about the frame's origin [m^3]
};

/// Sums over pairs i of ball a[i] with ball b[i], both in the same frame: ballLens() sixteen at a
/// time. Times a pressure in Pa, `force` and `torque` are the wrench of water displacement.
///
/// How it differs from ballLens(): floats, and forms of volume and disc without differences of
/// nearly equal numbers, so that what is lost is mainly the rounding of the distance. Errors seen,
/// a pair: volume 1.3e-6 (volume + disc area (ra + rb)), force 1.4e-6 ra rb. The sums give the same
/// bytes on every vector target. All numbers must be finite, radii 0 or from 1e-9 to 1e9 m.
[[nodiscard]] BallLensSum ballLensSum(const BallArrays& a, const BallArrays& b,
                                      std::size_t pairs) noexcept;

}  // namespace tactus::collision
