#include "response/rotation_vector.hpp"

#include <Eigen/Geometry>

#include "models/lanes/elementary.hpp"

namespace tactus::response {
namespace {

namespace elementary = models::elementary;

constexpr double kPi = 3.14159265358979323846;

// Below, the angle of a quaternion is twice its vector to the last bit, and its direction would be
// a quotient of numbers that underflow.
constexpr double kTiny = 1e-150;

}  // namespace

Eigen::Matrix3d turnBy(const Eigen::Vector3d& angles) noexcept {
  const double angle = angles.norm();
  if (!(angle > 0.0)) return Eigen::Matrix3d::Identity();
  const auto [sin, cos] = elementary::sinCos(0.5 * angle);
  Eigen::Quaterniond turn;
  turn.w() = cos;
  turn.vec() = sin / angle * angles;
  return turn.toRotationMatrix();
}

Eigen::Vector3d rotationVector(const Eigen::Matrix3d& turn) noexcept {
  Eigen::Quaterniond q(turn);
  // a quaternion and its negative are one rotation; the one with w >= 0 is below half a turn
  if (q.w() < 0.0) q.coeffs() = -q.coeffs();
  const double sine = q.vec().norm();
  if (sine < kTiny) return 2.0 * q.vec();
  return 2.0 * elementary::atan2(sine, q.w()) / sine * q.vec();
}

Eigen::Vector3d continued(const Eigen::Vector3d& shortest,
                          const Eigen::Vector3d& previous) noexcept {
  const double angle = shortest.norm();
  if (!(angle > 0.0)) return shortest;
  const Eigen::Vector3d theOtherWay = (1.0 - 2.0 * kPi / angle) * shortest;
  const bool isNearer =
      (theOtherWay - previous).squaredNorm() < (shortest - previous).squaredNorm();
  return isNearer ? theOtherWay : shortest;
}

Eigen::Matrix3d rectified(const Eigen::Matrix3d& turn) noexcept {
  return Eigen::Quaterniond(turn).normalized().toRotationMatrix();
}

}  // namespace tactus::response
