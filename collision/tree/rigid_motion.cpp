#include "collision/tree/rigid_motion.hpp"

#include <cmath>

#include "models/lanes/elementary.hpp"

namespace tactus::collision {
namespace {

namespace elementary = models::elementary;

/// Rodrigues' formula.
Eigen::Matrix3d turnBy(const Eigen::Vector3d& angles) {
  const double angle = angles.norm();
  if (!(angle > 0.0)) return Eigen::Matrix3d::Identity();
  const Eigen::Vector3d n = angles / angle;
  const auto [sin, cos] = elementary::sinCos(angle);
  Eigen::Matrix3d turn = (1.0 - cos) * n * n.transpose();
  turn.diagonal().array() += cos;
  turn(0, 1) -= sin * n.z();
  turn(1, 0) += sin * n.z();
  turn(0, 2) += sin * n.y();
  turn(2, 0) -= sin * n.y();
  turn(1, 2) -= sin * n.x();
  turn(2, 1) += sin * n.x();
  return turn;
}

}  // namespace

Eigen::Isometry3d RigidMotion::at(double time) const noexcept {
  const Eigen::Matrix3d turn = turnBy(time * angularVelocity);
  Eigen::Isometry3d pose = start;
  pose.linear() = turn * start.linear();
  pose.translation() = centre + time * velocity + turn * (start.translation() - centre);
  return pose;
}

RigidMotion motionBetween(const Eigen::Isometry3d& from, const Eigen::Isometry3d& to,
                          const Eigen::Vector3d& centreInB, double duration) noexcept {
  RigidMotion motion;
  motion.start = from;
  motion.centre = from * centreInB;
  motion.duration = duration;
  motion.velocity = (to * centreInB - motion.centre) / duration;
  // a quaternion and its negative are one turn; the one with w >= 0 is below half a turn
  Eigen::Quaterniond turn(Eigen::Matrix3d(to.linear() * from.linear().transpose()));
  if (turn.w() < 0.0) turn.coeffs() = -turn.coeffs();
  const double sine = turn.vec().norm();
  if (sine > 0.0) {
    const double angle = 2.0 * elementary::atan2(sine, turn.w());
    motion.angularVelocity = angle / (sine * duration) * turn.vec();
  }
  return motion;
}

}  // namespace tactus::collision
