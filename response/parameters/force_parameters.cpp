#include "response/parameters/force_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "models/lanes/elementary.hpp"

namespace tactus::response {
namespace {

using P = ForceParameters;

// What is felt as stiffness or scale takes a second from end to end: at a press of 5 mm that is
// 20 N/s, which a hand follows. What only bounds or filters takes less.
constexpr double kFelt = 1.0;
constexpr double kUnfelt = 0.2;
// Scales move by factors: force follows them in proportion, less than doubling in half a second.
constexpr double kScale = 7.0;

/// The furthest that a value may go in a tick, up or down.
double nextTo(double goal, double value, const ParameterRange& range, double dt) {
  if (range.fallsAtOnce && goal < value) return goal;
  if (range.isScale) {
    const double factor = 1.0 + std::clamp(dt / range.seconds, 0.0, 1.0) *
                                    models::elementary::log(range.high / range.low);
    return std::clamp(goal, value / factor, value * factor);
  }
  const double most = std::clamp(dt / range.seconds, 0.0, 1.0) * (range.high - range.low);
  return std::clamp(goal, value - most, value + most);
}

}  // namespace

const std::array<ParameterRange, 32> kForceParameterRanges = {{
    {"stiffness", "N/m", &P::stiffness, 0.0, 5000.0, kFelt},
    {"turnStiffness", "N m/rad", &P::turnStiffness, 0.0, 5.0, kFelt},
    {"damping", "N s/m", &P::damping, 0.0, 30.0, kFelt},
    {"turnDamping", "N m s/rad", &P::turnDamping, 0.0, 0.1, kFelt},
    {"contactRatioLow", "1", &P::contactRatioLow, 1.0, 20.0, kFelt},
    {"contactRatioHigh", "1", &P::contactRatioHigh, 2.0, 40.0, kFelt},
    {"toolMass", "kg", &P::toolMass, 0.001, 5.0, kFelt},
    {"toolDrag", "N s/m", &P::toolDrag, 0.0, 20.0, kFelt},
    {"toolTurnDrag", "N m s/rad", &P::toolTurnDrag, 0.0, 0.1, kFelt},
    {"lengthScale", "1", &P::lengthScale, 0.01, 100.0, kScale, false, true},
    {"forceScale", "1", &P::forceScale, 0.01, 10.0, kScale, false, true},
    {"mostForce", "N", &P::mostForce, 0.0, 40.0, kFelt, true},
    {"mostTorque", "N m", &P::mostTorque, 0.0, 4.0, kFelt, true},
    {"mostSpeed", "m/s", &P::mostSpeed, 0.1, 5.0, kUnfelt, true},
    {"mostSpin", "rad/s", &P::mostSpin, 1.0, 100.0, kUnfelt, true},
    {"forceSlew", "N/s", &P::forceSlew, 50.0, 20'000.0, kUnfelt, true},
    {"torqueSlew", "N m/s", &P::torqueSlew, 1.0, 400.0, kUnfelt, true},
    {"rampSeconds", "s", &P::rampSeconds, 0.1, 5.0, kUnfelt},
    {"smallForce", "N", &P::smallForce, 0.01, 1.0, kUnfelt, true},
    {"smallTorque", "N m", &P::smallTorque, 0.001, 0.1, kUnfelt, true},
    {"smallSeconds", "s", &P::smallSeconds, 0.01, 2.0, kUnfelt},
    {"calmEnergy", "J", &P::calmEnergy, 1e-4, 0.1, kUnfelt, true},
    {"safeDamping", "N s/m", &P::safeDamping, 0.0, 20.0, kFelt},
    {"safeTurnDamping", "N m s/rad", &P::safeTurnDamping, 0.0, 0.05, kFelt},
    {"allowance", "J", &P::allowance, 1e-5, 0.01, kUnfelt, true},
    {"credit", "J", &P::credit, 0.0, 0.05, kUnfelt, true},
    {"forgivenPower", "W", &P::forgivenPower, 0.0, 0.01, kUnfelt, true},
    {"mostDamping", "N s/m", &P::mostDamping, 0.0, 30.0, kUnfelt, true},
    {"cutoffHertz", "Hz", &P::cutoffHertz, 1.0, 400.0, kUnfelt},
    {"buttonSpin", "rad/s", &P::buttonSpin, 0.05, 3.0, kUnfelt},
    {"edgeStiffness", "N/m", &P::edgeStiffness, 0.0, 500.0, kFelt},
    {"mostRate", "m/s", &P::mostRate, 0.0, 1.0, kFelt},
}};

ForceParameters withinRanges(const ForceParameters& wanted,
                             const ForceParameters& otherwise) noexcept {
  ForceParameters result = wanted;
  for (const ParameterRange& range : kForceParameterRanges) {
    const double value = wanted.*range.value;
    result.*range.value =
        std::clamp(std::isnan(value) ? otherwise.*range.value : value, range.low, range.high);
  }
  return result;
}

bool slewParameters(ForceParameters& now, const ForceParameters& wanted, bool isFree,
                    double dt) noexcept {
  const ForceParameters target = withinRanges(wanted, now);
  bool hasMoved = false;
  for (const ParameterRange& range : kForceParameterRanges) {
    double& value = now.*range.value;
    const double goal = target.*range.value;
    if (value == goal) continue;
    hasMoved = true;
    value = nextTo(goal, value, range, dt);
  }
  if (isFree) {
    now.tool = target.tool;
    now.level = target.level;
    now.velocity = target.velocity;
    now.isRateControlled = target.isRateControlled;
    now.isTurnClutched = target.isTurnClutched;
  }
  now.isPassivityOn = target.isPassivityOn;
  return hasMoved;
}

DeviceScale deviceScale(const ForceParameters& parameters) noexcept {
  return {parameters.lengthScale, parameters.forceScale};
}

CouplingGains couplingGains(const ForceParameters& parameters,
                            const WrenchLimits& devicePeak) noexcept {
  const DeviceScale scale = deviceScale(parameters);
  // A device that cannot push or turn the hand sets no limit to what moves the tool: its coupling
  // is seen, not felt.
  const auto within = [](double most, double device) {
    return device > 0.0 ? std::min(most, device) : most;
  };
  return {.stiffness = parameters.stiffness / scale.ofStiffness(),
          .turnStiffness = parameters.turnStiffness / scale.ofTurnStiffness(),
          .damping = parameters.damping / scale.ofStiffness(),
          .turnDamping = parameters.turnDamping / scale.ofTurnStiffness(),
          .mostForce = within(parameters.mostForce, devicePeak.force) / scale.force,
          .mostTorque = within(parameters.mostTorque, devicePeak.torque) / scale.ofEnergy()};
}

SafetySettings safetySettings(const ForceParameters& parameters,
                              const SafetySettings& device) noexcept {
  SafetySettings settings = device;
  settings.peak.force = std::min(parameters.mostForce, device.peak.force);
  settings.peak.torque = std::min(parameters.mostTorque, device.peak.torque);
  settings.continuous.force = std::min(parameters.mostForce, device.continuous.force);
  settings.continuous.torque = std::min(parameters.mostTorque, device.continuous.torque);
  settings.mostSpeed = parameters.mostSpeed;
  settings.mostSpin = parameters.mostSpin;
  settings.forceSlew = parameters.forceSlew;
  settings.torqueSlew = parameters.torqueSlew;
  settings.rampSeconds = parameters.rampSeconds;
  settings.smallForce = parameters.smallForce;
  settings.smallTorque = parameters.smallTorque;
  settings.smallSeconds = parameters.smallSeconds;
  settings.calmEnergy = parameters.calmEnergy;
  settings.safeDamping = parameters.safeDamping;
  settings.safeTurnDamping = parameters.safeTurnDamping;
  settings.passivity.isOn = parameters.isPassivityOn;
  settings.passivity.allowance = parameters.allowance;
  settings.passivity.credit = parameters.credit;
  settings.passivity.forgivenPower = parameters.forgivenPower;
  settings.passivity.mostDamping = parameters.mostDamping;
  return settings;
}

ContactRatio::Band contactRatioBand(const ForceParameters& parameters) noexcept {
  ContactRatio::Band band;
  band.low = parameters.contactRatioLow;
  band.high = std::max(parameters.contactRatioLow, parameters.contactRatioHigh);
  return band;
}

}  // namespace tactus::response
