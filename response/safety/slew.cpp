#include "response/safety/slew.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace tactus::response {

Eigen::Vector3d slewed(const Eigen::Vector3d& wanted, const Eigen::Vector3d& before,
                       double mostRise) noexcept {
  const double length = wanted.norm();
  if (length == 0.0) return wanted;
  const Eigen::Vector3d direction = wanted / length;
  const double along = before.dot(direction);            // |before| cos a
  const double across = direction.cross(before).norm();  // |before| sin a
  double most = mostRise;
  if (along > 0.0) {
    // r < |before| tan a, without the quotient. Not "<=": of two products that are too small for
    // anything but zero, `across` may be zero, too.
    most = mostRise * along < across * before.norm()
               ? mostRise * before.norm() / across
               : along + std::sqrt(std::max(0.0, mostRise * mostRise - across * across));
  }
  if (length <= most) return wanted;  // to the bit
  return most * direction;            // a limit that is not a number gives what is none
}

}  // namespace tactus::response
