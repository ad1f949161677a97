// A device of somebody who sits opposite: what it measures is turned, what it is told is turned
// back, so that work stays work.
#include "haptics/adapters/turned_device.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numbers>
#include <utility>

namespace tactus::haptics {
namespace {

/// Measures what it is told to, and keeps its last command.
class StillDevice final : public HapticDevice {
 public:
  StillDevice() { capabilities_.workspaceCentre = {0.1, 0.2, 0.3}; }
  const DeviceCapabilities& capabilities() const noexcept override { return capabilities_; }
  DeviceStatus read(std::int64_t, DeviceSample& sample) noexcept override {
    // one that is lost may leave what it was given
    if (isLost) return {DeviceFlag::Lost};
    sample = now;
    return {};
  }
  DeviceStatus write(const DeviceCommand& given) noexcept override {
    command = given;
    return {};
  }
  DeviceCounters counters() const noexcept override { return {}; }

  DeviceSample now;
  DeviceCommand command;
  bool isLost = false;

 private:
  DeviceCapabilities capabilities_;
};

class TurnedDeviceTest : public testing::Test {
 protected:
  TurnedDeviceTest() {
    auto made = std::make_unique<StillDevice>();
    still_ = made.get();
    turned_ = std::make_unique<TurnedDevice>(std::move(made));
    still_->now.position = {0.01, 0.02, 0.03};
    still_->now.velocity = {0.4, -0.5, 0.6};
    still_->now.angularVelocity = {1.0, 2.0, -3.0};
    still_->now.orientation = Eigen::Quaterniond(0.5, 0.1, -0.7, 0.4).normalized();
  }
  StillDevice* still_ = nullptr;
  std::unique_ptr<TurnedDevice> turned_;
};

TEST_F(TurnedDeviceTest, ItIsHalfATurnAboutTheVertical) {
  const Eigen::Matrix3d half =
      Eigen::AngleAxisd(std::numbers::pi, Eigen::Vector3d::UnitY()).toRotationMatrix();
  DeviceSample sample;
  ASSERT_TRUE(turned_->read(0, sample).good());
  EXPECT_TRUE(sample.position.isApprox(half * still_->now.position, 1e-15));
  EXPECT_TRUE(sample.velocity.isApprox(half * still_->now.velocity, 1e-15));
  EXPECT_TRUE(sample.angularVelocity.isApprox(half * still_->now.angularVelocity, 1e-15));
  const Eigen::Matrix3d turn = half * still_->now.orientation.toRotationMatrix() * half.transpose();
  EXPECT_TRUE(sample.orientation.toRotationMatrix().isApprox(turn, 1e-14));
  EXPECT_TRUE(turned_->capabilities().workspaceCentre.isApprox(Eigen::Vector3d(-0.1, 0.2, -0.3)));
}

TEST_F(TurnedDeviceTest, PowerIsTheSameOnBothSides) {
  DeviceSample sample;
  static_cast<void>(turned_->read(0, sample));
  DeviceCommand command;
  command.wrench.force = {1.0, -2.0, 3.0};
  command.wrench.torque = {0.1, 0.2, -0.4};
  static_cast<void>(turned_->write(command));
  const double inScene =
      command.wrench.force.dot(sample.velocity) + command.wrench.torque.dot(sample.angularVelocity);
  const double atDevice = still_->command.wrench.force.dot(still_->now.velocity) +
                          still_->command.wrench.torque.dot(still_->now.angularVelocity);
  EXPECT_NEAR(inScene, atDevice, 1e-15);
}

TEST_F(TurnedDeviceTest, ALostOneStaysWhereItWas) {
  DeviceSample before, after;
  static_cast<void>(turned_->read(0, before));
  still_->isLost = true;
  after = before;
  EXPECT_TRUE(turned_->read(1, after).has(DeviceFlag::Lost));
  EXPECT_EQ(after.position, before.position) << "not turned twice";
}

}  // namespace
}  // namespace tactus::haptics
