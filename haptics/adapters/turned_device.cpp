#include "haptics/adapters/turned_device.hpp"

#include <utility>

namespace tactus::haptics {
namespace {

// Half a turn about y is its own inverse, and exact.
Eigen::Vector3d turned(const Eigen::Vector3d& v) noexcept {
  return {-v.x(), v.y(), -v.z()};
}

// Of a turn the axis turns; its angle stays.
Eigen::Quaterniond turned(const Eigen::Quaterniond& q) noexcept {
  return {q.w(), -q.x(), q.y(), -q.z()};
}

}  // namespace

TurnedDevice::TurnedDevice(std::unique_ptr<HapticDevice> device)
    : device_(std::move(device)), capabilities_(device_->capabilities()) {
  capabilities_.workspaceCentre = turned(capabilities_.workspaceCentre);
}

DeviceStatus TurnedDevice::read(std::int64_t nowNs, DeviceSample& sample) noexcept {
  const DeviceStatus status = device_->read(nowNs, own_);
  sample = own_;
  sample.position = turned(own_.position);
  sample.orientation = turned(own_.orientation);
  sample.velocity = turned(own_.velocity);
  sample.angularVelocity = turned(own_.angularVelocity);
  return status;
}

DeviceStatus TurnedDevice::write(const DeviceCommand& command) noexcept {
  DeviceCommand back = command;
  back.wrench.force = turned(command.wrench.force);
  back.wrench.torque = turned(command.wrench.torque);
  return device_->write(back);
}

}  // namespace tactus::haptics
