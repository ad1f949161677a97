#pragma once

namespace tactus::collision {

/// What two overlapping balls share.
struct BallLens {
  double volume = 0.0;        ///< [m^3]
  double discArea = 0.0;      ///< area of the disc in which the two spheres cut each other [m^2]
  double discDistance = 0.0;  ///< of the disc from the first centre, along the line of centres [m]
};

/// Volume and disc of the lens of two balls with radii `ra`, `rb` whose centres are `distance`
/// apart.
///
/// The disc's area is minus the derivative of the volume with respect to the distance, so it is the
/// force of a volume penalty along the line of centres. A ball inside the other gives its whole
/// volume and no disc; balls apart, or touching in a point, give zero.
[[nodiscard]] BallLens ballLens(double ra, double rb, double distance) noexcept;

}  // namespace tactus::collision
