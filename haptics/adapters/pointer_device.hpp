#pragma once
#include <memory>

#include "haptics/devices/device_mailbox.hpp"

namespace tactus::haptics {

/// Where mouse and keyboard have put the hand. The window knows them, and the view that makes a
/// pose of them; this room knows no window.
struct PointerPose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  double gripperAngle = 0.0;  ///< [rad]
  std::uint32_t buttons = 0;
};

/// Mouse and keyboard as a device with six freedoms and no forces. The window fills it, sixty times
/// a second, from its own thread.
///
/// From one pose to the next the hand moves evenly, in about the time that lies between two: a tool
/// that stood still for sixteen ticks and then went all the way in one would hit what it touches
/// sixteen times as fast as the mouse moves. That puts the hand one picture behind the mouse.
class PointerDevice final : public HapticDevice {
 public:
  PointerDevice();

  // the window's side, one thread
  void move(const PointerPose& pose, std::int64_t nowNs) noexcept;
  /// The window is gone or has lost the pointer.
  void leave() noexcept;

  [[nodiscard]] const DeviceCapabilities& capabilities() const noexcept override {
    return capabilities_;
  }
  [[nodiscard]] DeviceStatus read(std::int64_t nowNs, DeviceSample& sample) noexcept override;
  [[nodiscard]] DeviceStatus write(const DeviceCommand& command) noexcept override;
  [[nodiscard]] DeviceCounters counters() const noexcept override { return mailbox_.counters(); }

 private:
  DeviceCapabilities capabilities_;
  DeviceMailbox mailbox_;
  ServoSide side_;
  // the tick's side: on the way from one pose to the next
  DeviceSample from_, shown_;
  std::int64_t beganNs_ = 0, lastsNs_ = 0;
  bool hasPose_ = false;
};

}  // namespace tactus::haptics
