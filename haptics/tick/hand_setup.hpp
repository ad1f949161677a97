#pragma once
#include "haptics/devices/device.hpp"
#include "haptics/profiles/device_profile.hpp"
#include "response/bodies/rigid_body.hpp"
#include "response/hand/hand_response.hpp"

namespace tactus::haptics {

/// A profile of what is known of a device of which nobody has measured more than it says itself:
/// its limits and freedoms; no damping and no friction that could be relied on.
[[nodiscard]] DeviceProfile profileFrom(const DeviceCapabilities& capabilities);

/// The tool that a hand is to hold.
struct HeldTool {
  response::BodyMass mass;
  Eigen::Isometry3d toolFromGrip = Eigen::Isometry3d::Identity();
  /// Twice the radius of the largest ball inside the thinnest of all bodies it may meet [m].
  double thinnestPart = 0.01;
};

/// What the response has to know of a device and a tool. `capabilities` are those of the device as
/// it was opened; they count where they and the profile say something of the same.
[[nodiscard]] response::HandSetup handSetupOf(const DeviceProfile& profile,
                                              const DeviceCapabilities& capabilities,
                                              const HeldTool& tool, double tickSeconds);

}  // namespace tactus::haptics
