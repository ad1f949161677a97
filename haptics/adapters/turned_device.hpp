#pragma once
#include <memory>

#include "haptics/devices/device.hpp"

namespace tactus::haptics {

/// A device of somebody who sits opposite: all of it half a turn about the vertical, so that what
/// is right for that person is left in the scene.
class TurnedDevice final : public HapticDevice {
 public:
  explicit TurnedDevice(std::unique_ptr<HapticDevice> device);

  [[nodiscard]] const DeviceCapabilities& capabilities() const noexcept override {
    return capabilities_;
  }
  [[nodiscard]] DeviceStatus read(std::int64_t nowNs, DeviceSample& sample) noexcept override;
  [[nodiscard]] DeviceStatus write(const DeviceCommand& command) noexcept override;
  [[nodiscard]] DeviceCounters counters() const noexcept override { return device_->counters(); }

 private:
  std::unique_ptr<HapticDevice> device_;
  DeviceCapabilities capabilities_;
  DeviceSample own_;  ///< as the device measured it
};

}  // namespace tactus::haptics
