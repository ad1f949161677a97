#include "collision/balls/ball_lens.hpp"

#include <algorithm>
#include <numbers>

namespace tactus::collision {

// V = pi (ra + rb - d)^2 (d^2 + 2 d (ra + rb) - 3 (ra - rb)^2) / (12 d)
// x = (d^2 + ra^2 - rb^2) / (2 d), the disc's distance from A;  S = pi (ra^2 - x^2) = -dV/dd
BallLens ballLens(double ra, double rb, double distance) noexcept {
  const double sum = ra + rb;
  const double difference = ra - rb;
  if (!(distance < sum)) return {};
  const double smaller = std::min(ra, rb);
  if (distance <= std::max(difference, -difference)) {
    return {4.0 / 3.0 * std::numbers::pi * smaller * smaller * smaller, 0.0, 0.0};
  }
  const double depth = sum - distance;
  const double d = distance;
  const double volume = std::numbers::pi * depth * depth *
                        (d * d + 2.0 * d * sum - 3.0 * difference * difference) / (12.0 * d);
  const double x = (d * d + difference * sum) / (2.0 * d);
  const double squaredRadius = std::max(0.0, (ra - x) * (ra + x));
  return {volume, std::numbers::pi * squaredRadius, x};
}

}  // namespace tactus::collision
