#include "response/wrench.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace tactus::response {
namespace {

Eigen::Vector3d shortenedTo(double limit, const Eigen::Vector3d& vector) noexcept {
  if (!(limit > 0.0)) return Eigen::Vector3d::Zero();
  // Divided by its largest part first: the square of a huge force would overflow to infinity.
  const double largest = vector.cwiseAbs().maxCoeff();
  if (largest == 0.0) return vector;
  const double length = largest * (vector / largest).norm();
  return length > limit ? Eigen::Vector3d(vector / length * limit) : vector;
}

}  // namespace

Wrench aboutPoint(const Wrench& wrench, const Eigen::Vector3d& from,
                  const Eigen::Vector3d& to) noexcept {
  return {wrench.force, wrench.torque + (from - to).cross(wrench.force)};
}

Wrench clampedTo(const WrenchLimits& limits, const Wrench& wrench) noexcept {
  const bool finite = wrench.force.allFinite() && wrench.torque.allFinite() &&
                      std::isfinite(limits.force) && std::isfinite(limits.torque);
  if (!finite) return {};
  return {shortenedTo(limits.force, wrench.force), shortenedTo(limits.torque, wrench.torque)};
}

}  // namespace tactus::response
