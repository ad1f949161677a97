#include "haptics/tick/hand_setup.hpp"

#include <algorithm>

#include "haptics/profiles/hand_defaults.hpp"

namespace tactus::haptics {
namespace {

// Of a device of which we know nothing: a light stylus. It only decides how calm a hand must be
// before force comes, and errs on the side of waiting. Estimated.
constexpr double kUnknownMass = 0.2;      // [kg]
constexpr double kUnknownInertia = 2e-4;  // [kg m^2]
// A hundredth of a millimetre, as the finest encoders of desktop devices have it.
constexpr double kUnknownStep = 1e-5;      // [m]
constexpr double kUnknownTurnStep = 1e-3;  // [rad]

}  // namespace

DeviceProfile profileFrom(const DeviceCapabilities& capabilities) {
  DeviceProfile profile;
  profile.name = "unknown";
  // A profile's text has to read back: recordings keep it.
  profile.model = capabilities.model.empty() ? "unknown" : capabilities.model;
  profile.maker = "unknown";
  profile.capabilities = capabilities;
  profile.mass = kUnknownMass;
  profile.inertia = kUnknownInertia;
  profile.positionStep = kUnknownStep;
  profile.rotationStep = capabilities.sensesRotation ? kUnknownTurnStep : 0.0;
  profile.velocity = VelocityEstimator::Window;
  profile.velocityCutoff = 30.0;
  return profile;
}

response::HandSetup handSetupOf(const DeviceProfile& profile,
                                const DeviceCapabilities& capabilities, const HeldTool& tool,
                                double tickSeconds) {
  DeviceProfile opened = profile;
  opened.capabilities = capabilities;
  if (!(opened.mass > 0.0)) opened.mass = kUnknownMass;
  if (!(opened.inertia > 0.0)) opened.inertia = kUnknownInertia;
  response::HandSetup setup = handSetupFor(opened, tickSeconds);
  // Who does not say what it can give for long is believed for what it can give at all.
  if (!(setup.device.continuous.force > 0.0))
    setup.device.continuous.force = setup.device.peak.force;
  if (!(setup.device.continuous.torque > 0.0))
    setup.device.continuous.torque = setup.device.peak.torque;
  setup.device.needsDeadMan = true;  // of a device without one it is always held
  setup.device.delayTicks =
      std::min(setup.device.delayTicks, static_cast<std::uint32_t>(response::kMostDelayTicks));

  setup.toolFromGrip = tool.toolFromGrip;
  setup.centreInTool = tool.mass.centre;
  // the pivot is the centre of mass or the grip, and the grip may be beside the tool
  setup.reach = tool.mass.radius + (tool.toolFromGrip.translation() - tool.mass.centre).norm();
  setup.thinnestPart = tool.thinnestPart;
  setup.inertiaPerMass = tool.mass.inertia / tool.mass.mass;
  return setup;
}

}  // namespace tactus::haptics
