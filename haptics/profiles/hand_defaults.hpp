#pragma once
#include "haptics/profiles/device_profile.hpp"
#include "response/hand/hand_response.hpp"
#include "response/parameters/force_parameters.hpp"

namespace tactus::haptics {

/// What `response/` has to know of a device, from its profile and the loop's period [s]. Of the
/// tool nothing is known here: handle, centre, reach, thinnest part and inertia are as HandSetup
/// begins.
[[nodiscard]] response::HandSetup handSetupFor(const DeviceProfile& profile, double period = 1e-3);

/// The parameters that a hand with this device begins with: those of ForceParameters, with level,
/// velocity estimate and limits as the profile says, and not stiffer than its maker names, damping
/// in proportion. docs/stability.md says how far from trouble that is.
[[nodiscard]] response::ForceParameters defaultParametersFor(const DeviceProfile& profile);

}  // namespace tactus::haptics
