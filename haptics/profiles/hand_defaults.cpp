#include "haptics/profiles/hand_defaults.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::haptics {
namespace {

using response::ForceParameters;
using response::HandSetup;
using response::InteractionLevel;
using response::VelocityMethod;

// Encoders that round each axis to a step err by half of one in each; twice the largest error of a
// point in space is sqrt(3) steps.
constexpr double kStepsInSpace = 1.7320508075688772;
// Of a normal error: two samples are further apart than that once in some hundred.
constexpr double kDeviations = 4.0;

// The edge of the workspace begins before the mechanical stops.
constexpr double kEdgeShare = 0.9;

VelocityMethod methodOf(VelocityEstimator estimator) noexcept {
  switch (estimator) {
    case VelocityEstimator::Vendor:
      return VelocityMethod::Vendor;
    case VelocityEstimator::LowPass:
      return VelocityMethod::LowPass;
    case VelocityEstimator::Window:
      break;
  }
  return VelocityMethod::AdaptiveWindow;
}

InteractionLevel levelOf(const DeviceCapabilities& device) noexcept {
  if (!device.sensesRotation) return InteractionLevel::ThreeInThreeOut;
  return device.actuatesRotation ? InteractionLevel::SixInSixOut : InteractionLevel::SixInThreeOut;
}

}  // namespace

HandSetup handSetupFor(const DeviceProfile& profile, double period) {
  const DeviceCapabilities& device = profile.capabilities;
  HandSetup setup;
  setup.device.peak = device.peakLimits();
  setup.device.continuous = {device.actuatesPosition ? device.continuousForce : 0.0,
                             device.actuatesRotation ? device.continuousTorque : 0.0};
  setup.device.deviceMass = profile.mass;
  setup.device.deviceInertia = profile.inertia;
  setup.device.delayTicks = static_cast<std::uint32_t>(std::ceil(profile.delay / period - 1e-9));
  setup.device.passivity.deviceDamping = profile.damping;
  setup.device.passivity.deviceTurnDamping = profile.rotationalDamping;
  const double error = kStepsInSpace * profile.positionStep + kDeviations * profile.positionNoise;
  if (error > 0.0) setup.velocity.positionNoise = error;
  if (profile.rotationStep > 0.0)
    setup.velocity.rotationNoise = kStepsInSpace * profile.rotationStep;
  setup.shifts = {.damping = profile.damping,
                  .friction = profile.friction,
                  .encoderStep = profile.positionStep,
                  .period = period,
                  .delay = profile.delay};
  setup.turns = {.damping = profile.rotationalDamping,
                 .friction = profile.rotationalFriction,
                 .encoderStep = profile.rotationStep,
                 .period = period,
                 .delay = profile.delay};
  setup.workspace.centre = device.workspaceCentre;
  setup.workspace.edgeRadius = 0.5 * kEdgeShare * device.workspaceExtent.minCoeff();
  return setup;
}

ForceParameters defaultParametersFor(const DeviceProfile& profile) {
  ForceParameters parameters;
  const DeviceCapabilities& device = profile.capabilities;
  parameters.level = levelOf(device);
  parameters.velocity = methodOf(profile.velocity);
  if (profile.velocityCutoff > 0.0) parameters.cutoffHertz = profile.velocityCutoff;
  // Never stiffer than its maker says it can be; damping keeps its share.
  if (device.mostStiffness > 0.0 && device.mostStiffness < parameters.stiffness) {
    const double share = device.mostStiffness / parameters.stiffness;
    parameters.stiffness *= share;
    parameters.damping *= share;
  }
  if (device.peakForce > 0.0) parameters.mostForce = device.peakForce;
  if (device.peakTorque > 0.0) parameters.mostTorque = device.peakTorque;
  return response::withinRanges(parameters, ForceParameters{});
}

}  // namespace tactus::haptics
