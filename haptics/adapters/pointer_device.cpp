#include "haptics/adapters/pointer_device.hpp"

#include <algorithm>

namespace tactus::haptics {
namespace {

constexpr double kReach = 0.5;  // whole workspace; the window may map it as it likes [m]
constexpr double kFramesASecond = 60.0;
constexpr double kWholeTurn = 6.283185307179586;  // [rad]
constexpr int kButtons = 3;
// A way takes as long as the one before it took to come, within these: a window that draws slowly
// must not make the hand lag by more than anybody would bear, one that draws fast needs no way.
constexpr std::int64_t kShortestWayNs = 4'000'000;
constexpr std::int64_t kLongestWayNs = 50'000'000;

// The window says where the mouse is with every picture, also where it rests; so nothing new within
// one is no news. One that draws less than so often has lost touch.
constexpr std::int64_t kLongestPictureNs = 250'000'000;

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
  DeviceStatus status = mailbox_.read(nowNs, sample);
  if (status.has(DeviceFlag::Lost) || !isFinite(sample)) {
    hasPose_ = false;
    return status;
  }
  if (sample.ageNs < kLongestPictureNs) status.set(DeviceFlag::Stale, false);
  if (!hasPose_) {
    from_ = shown_ = sample;
    hasPose_ = true;
    beganNs_ = nowNs;
    lastsNs_ = kShortestWayNs;
  } else if (sample.ageTicks == 0) {
    from_ = shown_;
    lastsNs_ = std::clamp(nowNs - beganNs_, kShortestWayNs, kLongestWayNs);
    beganNs_ = nowNs;
  }
  const double share =
      std::clamp(static_cast<double>(nowNs - beganNs_) / static_cast<double>(lastsNs_), 0.0, 1.0);
  sample.position = from_.position + share * (sample.position - from_.position);
  sample.orientation = from_.orientation.slerp(share, sample.orientation);
  sample.gripperAngle = from_.gripperAngle + share * (sample.gripperAngle - from_.gripperAngle);
  shown_ = sample;
  return status;
}

DeviceStatus PointerDevice::write(const DeviceCommand& command) noexcept {
  // Nobody feels it; but what would have been given is still looked at.
  DeviceStatus status;
  (void)bearable(capabilities_, command, status);
  return status;
}

}  // namespace tactus::haptics
