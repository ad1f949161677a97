#pragma once
#include <Eigen/Core>

namespace tactus::response {

/// Force and torque about a stated point, in a stated frame.
struct Wrench {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  ///< [N m]
};

/// What a device can bear.
struct WrenchLimits {
  double force = 0.0;   ///< length of the force [N]
  double torque = 0.0;  ///< length of the torque [N m]; 0 for a device without driven rotation
};

/// The same push, its torque taken about `to` instead of `from` (both in the wrench's frame).
[[nodiscard]] Wrench aboutPoint(const Wrench& wrench, const Eigen::Vector3d& from,
                                const Eigen::Vector3d& to) noexcept;

/// The wrench that a device may be given: shortened to the limits without turning it, force and
/// torque each by its own factor, because a hand notices a force that points elsewhere sooner than
/// one that is too weak. Anything not finite, in the wrench or in a limit, gives zero.
[[nodiscard]] Wrench clampedTo(const WrenchLimits& limits, const Wrench& wrench) noexcept;

}  // namespace tactus::response
