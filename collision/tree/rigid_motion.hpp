#pragma once
#include <Eigen/Geometry>

namespace tactus::collision {

/// B's way in A's frame: one of its points goes straight at a constant velocity, and B turns about
/// that point at a constant angular velocity.
struct RigidMotion {
  Eigen::Isometry3d start = Eigen::Isometry3d::Identity();  ///< B into A's frame at time 0
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();    ///< the point at time 0, in A's frame [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< of the point, in A's frame [m/s]
  Eigen::Vector3d angularVelocity = Eigen::Vector3d::Zero();  ///< in A's frame [rad/s]
  double duration = 1.0;                                      ///< [s]

  /// B into A's frame at a time.
  [[nodiscard]] Eigen::Isometry3d at(double time) const noexcept;
};

/// The motion from one pose to another by less than half a turn, about a point given in B's frame.
[[nodiscard]] RigidMotion motionBetween(const Eigen::Isometry3d& from, const Eigen::Isometry3d& to,
                                        const Eigen::Vector3d& centreInB,
                                        double duration = 1.0) noexcept;

}  // namespace tactus::collision
