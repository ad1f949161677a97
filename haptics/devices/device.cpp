#include "haptics/devices/device.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tactus::haptics {
namespace {

// A quaternion that short has no direction any more; vendors return unit ones.
constexpr double kLeastNorm = 1e-3;

double gripperLimit(const DeviceCapabilities& device) noexcept {
  return device.actuatesGripper ? device.peakGripperForce : 0.0;
}

}  // namespace

DeviceCommand bearable(const DeviceCapabilities& device, const DeviceCommand& command,
                       DeviceStatus& changed) noexcept {
  const bool finite = command.wrench.force.allFinite() && command.wrench.torque.allFinite() &&
                      std::isfinite(command.gripperForce);
  if (!finite) {
    changed.set(DeviceFlag::NotFinite);
    return {};
  }
  DeviceCommand given;
  given.wrench = response::clampedTo(device.peakLimits(), command.wrench);
  const double grip = gripperLimit(device);
  given.gripperForce = std::clamp(command.gripperForce, -grip, grip);
  // What a device has no motors for is no saturation: nobody can feel that it is missing less.
  const bool shortened =
      (device.actuatesPosition && given.wrench.force != command.wrench.force) ||
      (device.actuatesRotation && given.wrench.torque != command.wrench.torque) ||
      (device.actuatesGripper && given.gripperForce != command.gripperForce);
  if (shortened) changed.set(DeviceFlag::Saturated);
  return given;
}

bool isFinite(const DeviceSample& sample) noexcept {
  const Eigen::Vector4d& turn = sample.orientation.coeffs();
  return sample.position.allFinite() && turn.allFinite() && turn.norm() > kLeastNorm &&
         sample.velocity.allFinite() && sample.angularVelocity.allFinite() &&
         std::isfinite(sample.gripperAngle);
}

std::string describe(DeviceStatus status) {
  constexpr std::array kNames = {
      std::pair{DeviceFlag::Lost, "lost"},
      std::pair{DeviceFlag::Rejoined, "rejoined"},
      std::pair{DeviceFlag::Stale, "stale"},
      std::pair{DeviceFlag::CalledTooFast, "called too fast"},
      std::pair{DeviceFlag::Saturated, "saturated"},
      std::pair{DeviceFlag::Warm, "motors warm"},
      std::pair{DeviceFlag::ForcesOff, "forces off"},
      std::pair{DeviceFlag::NotFinite, "not finite"},
      std::pair{DeviceFlag::NotReady, "not ready"},
      std::pair{DeviceFlag::CommandLate, "command late"},
  };
  std::string text;
  for (const auto& [flag, name] : kNames) {
    if (!status.has(flag)) continue;
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text.empty() ? "good" : text;
}

const char* nameOf(DeviceStage stage) noexcept {
  switch (stage) {
    case DeviceStage::Searching:
      return "searching";
    case DeviceStage::Identified:
      return "identified";
    case DeviceStage::Calibrating:
      return "calibrating";
    case DeviceStage::NeedsHand:
      return "needs a hand";
    case DeviceStage::Ready:
      break;
  }
  return "ready";
}

const char* nameOf(Side side) noexcept {
  switch (side) {
    case Side::Left:
      return "left";
    case Side::Right:
      return "right";
    case Side::Either:
      break;
  }
  return "either";
}

}  // namespace tactus::haptics
