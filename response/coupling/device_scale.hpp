#pragma once
#include "response/coupling/interaction_level.hpp"
#include "response/wrench.hpp"

namespace tactus::response {

/// Between the scene's lengths and forces and the device's.
///
/// A hand that moves the device by dp moves the scene's hand by s_p dp; it turns both by the same
/// angle, because turning does not scale. Power on the device is to be one fixed multiple of power
/// in the scene, c (F.s_p dp + T.dtheta), or one could gain energy by pushing along one and
/// giving way along the other. Force scales by s_f, hence c = s_f / s_p, and torque by that same c.
/// So on the device energies are s_f/s_p, stiffness s_f s_p, and turning stiffness s_f/s_p times
/// those of the scene. Limits are the device's and are checked there.
struct DeviceScale {
  double length = 1.0;  ///< s_p: metres in the scene of one at the device
  double force = 1.0;   ///< s_f: newtons at the device of one in the scene

  [[nodiscard]] double ofEnergy() const noexcept { return force / length; }
  [[nodiscard]] double ofStiffness() const noexcept { return force * length; }
  [[nodiscard]] double ofTurnStiffness() const noexcept { return force / length; }
  /// The same axes on both sides.
  [[nodiscard]] Wrench toDevice(const Wrench& inScene) const noexcept {
    return {force * inScene.force, ofEnergy() * inScene.torque};
  }
};

/// Where the coupling has to hold the tool, in the tool's frame. A device that cannot turn the hand
/// must have it at the handle: held elsewhere, turning the handle would pull on the hand by a lever
/// whose torque it does not feel.
[[nodiscard]] inline Eigen::Vector3d pivotOf(InteractionLevel level,
                                             const Eigen::Vector3d& centreInTool,
                                             const Eigen::Vector3d& handleInTool) noexcept {
  return drivesRotation(level) ? centreInTool : handleInTool;
}

/// A wrench on the hand, split into what its device can give and what it cannot.
struct PortedWrench {
  Wrench driven;
  Wrench unactuated;  ///< its work is done by nobody's hand, and booked as such
};

[[nodiscard]] inline PortedWrench ported(InteractionLevel level, const Wrench& wrench) noexcept {
  if (drivesRotation(level)) return {wrench, {}};
  return {{wrench.force, Eigen::Vector3d::Zero()}, {Eigen::Vector3d::Zero(), wrench.torque}};
}

}  // namespace tactus::response
