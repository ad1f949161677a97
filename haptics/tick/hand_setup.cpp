#include "haptics/tick/hand_setup.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::haptics {
namespace {

// Of a device of which we know nothing: a light stylus. It only decides how calm a hand must be
// before force comes, and errs on the side of waiting. Estimated.
constexpr double kUnknownMass = 0.2;      // [kg]
constexpr double kUnknownInertia = 2e-4;  // [kg m^2]
// A hundredth of a millimetre, as the finest encoders of desktop devices have it.
constexpr double kUnknownStep = 1e-5;      // [m]
constexpr double kUnknownTurnStep = 1e-3;  // [rad]

// Encoders round each axis to a step, so a sample may lie this many steps beside the line between
// two others in space.
constexpr double kStepsBeside = 1.7320508075688772;

// The edge begins at this share of the shortest way from the middle of the workspace to its end.
constexpr double kEdgeShare = 0.9;

}  // namespace

DeviceProfile profileFrom(const DeviceCapabilities& capabilities) {
  DeviceProfile profile;
  profile.name = "unknown";
  profile.model = capabilities.model;
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
  response::HandSetup setup;
  response::SafetySettings& device = setup.device;
  device.peak = capabilities.peakLimits();
  device.continuous = {
      capabilities.continuousForce > 0.0 ? capabilities.continuousForce : capabilities.peakForce,
      capabilities.continuousTorque > 0.0 ? capabilities.continuousTorque
                                          : capabilities.peakTorque};
  device.deviceMass = profile.mass > 0.0 ? profile.mass : kUnknownMass;
  device.deviceInertia = profile.inertia > 0.0 ? profile.inertia : kUnknownInertia;
  device.passivity.deviceDamping = profile.damping;
  device.passivity.deviceTurnDamping = profile.rotationalDamping;
  device.needsDeadMan = true;  // of a device without one it is always held
  device.delayTicks =
      static_cast<std::uint32_t>(std::clamp(std::ceil(profile.delay / tickSeconds - 1e-9), 0.0,
                                            static_cast<double>(response::kMostDelayTicks)));

  setup.velocity.positionNoise = std::max(
      2.0 * (kStepsBeside * profile.positionStep / 2.0 + 3.0 * profile.positionNoise), 1e-7);
  setup.velocity.rotationNoise = std::max(kStepsBeside * profile.rotationStep, 1e-6);
  setup.shifts = {.damping = profile.damping,
                  .friction = profile.friction,
                  .encoderStep = profile.positionStep,
                  .period = tickSeconds,
                  .delay = profile.delay};
  setup.turns = {.damping = profile.rotationalDamping,
                 .friction = profile.rotationalFriction,
                 .encoderStep = profile.rotationStep,
                 .period = tickSeconds,
                 .delay = profile.delay};

  setup.workspace.centre = capabilities.workspaceCentre;
  const double shortest = 0.5 * capabilities.workspaceExtent.minCoeff();
  if (shortest > 0.0) setup.workspace.edgeRadius = kEdgeShare * shortest;

  setup.toolFromGrip = tool.toolFromGrip;
  setup.centreInTool = tool.mass.centre;
  // the pivot is the centre of mass or the grip, and the grip may be beside the tool
  setup.reach = tool.mass.radius + (tool.toolFromGrip.translation() - tool.mass.centre).norm();
  setup.thinnestPart = tool.thinnestPart;
  setup.inertiaPerMass = tool.mass.inertia / tool.mass.mass;
  return setup;
}

}  // namespace tactus::haptics
