#include "haptics/adapters/pointer_device.hpp"

namespace tactus::haptics {
namespace {

constexpr double kReach = 0.5;  // whole workspace; the window may map it as it likes [m]
constexpr double kFramesASecond = 60.0;
constexpr double kWholeTurn = 6.283185307179586;  // [rad]
constexpr int kButtons = 3;

DeviceCapabilities pointer() {
  DeviceCapabilities device;
  device.model = "mouse and keyboard";
  device.sensesRotation = device.sensesGripper = true;
  device.buttons = kButtons;
  device.workspaceExtent = Eigen::Vector3d::Constant(kReach);
  device.rotationRange = kWholeTurn;
  device.rate = kFramesASecond;
  return device;
}

}  // namespace

PointerDevice::PointerDevice() : capabilities_(pointer()), side_(mailbox_, capabilities_) {}

void PointerDevice::move(const PointerPose& pose, std::int64_t nowNs) noexcept {
  if (side_.isLost()) side_.rejoined(DeviceStage::Ready);
  DeviceSample sample;
  sample.stage = DeviceStage::Ready;
  sample.position = pose.position;
  sample.orientation = pose.orientation;
  sample.gripperAngle = pose.gripperAngle;
  sample.buttons = pose.buttons;
  side_.measured(sample, {}, nowNs);
}

void PointerDevice::leave() noexcept {
  side_.lost();
}

DeviceStatus PointerDevice::read(std::int64_t nowNs, DeviceSample& sample) noexcept {
  return mailbox_.read(nowNs, sample);
}

DeviceStatus PointerDevice::write(const DeviceCommand& command) noexcept {
  // Nobody feels it; but what would have been given is still looked at.
  DeviceStatus status;
  (void)bearable(capabilities_, command, status);
  return status;
}

}  // namespace tactus::haptics
