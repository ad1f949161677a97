#pragma once
#include "studies/quality/ideal_law.hpp"

namespace tactus::studies {

/// A cylinder, and a ball beside it, halfway up. The cylinder's ends are out of the ball's reach.
struct BallOnCylinder {
  double cylinderRadius = 0.0;  ///< [m]
  double ballRadius = 0.0;      ///< [m]
  double distance = 0.0;        ///< of the ball's centre from the axis [m]
};

/// How hard the ball is pushed away from the axis, exactly: minus the derivative of the law's
/// energy by `distance`. There is nothing else: the ball's centre takes no torque.
///
/// The area that two discs share changes by the length of their common chord; the chords are
/// integrated over height and depth, to 1e-6 and better.
[[nodiscard]] double idealPush(const BallOnCylinder& scene, IdealLaw law);

}  // namespace tactus::studies
