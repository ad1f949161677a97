// Between a vendor's thread and the tick: what is counted, and that nothing tears. The thread test
// is for ThreadSanitizer; without it the pattern in every value shows a torn copy.
#include "haptics/devices/device_mailbox.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace tactus::haptics {
namespace {

DeviceCapabilities strong() {
  DeviceCapabilities device;
  device.actuatesPosition = device.actuatesRotation = true;
  device.peakForce = device.peakTorque = 1e9;
  return device;
}

TEST(DeviceMailbox, ATotalThatGrewIsAFlagOnce) {
  DeviceMailbox mailbox;
  const DeviceCapabilities device = strong();
  ServoSide servo(mailbox, device);
  DeviceSample sample;
  sample.stage = DeviceStage::Ready;
  servo.measured(sample, {DeviceFlag::Saturated}, 10);
  servo.measured(sample, {}, 20);  // the newest report is without, the total tells
  DeviceSample seen;
  EXPECT_EQ(mailbox.read(30, seen), DeviceStatus{DeviceFlag::Saturated});
  EXPECT_EQ(seen.number, 2U);
  EXPECT_EQ(seen.ageNs, 10);
  EXPECT_EQ(mailbox.read(40, seen), DeviceStatus{DeviceFlag::Stale});
}

TEST(DeviceMailbox, ManyExchangesNeitherTearNorGoBack) {
  constexpr int kPosts = 300'000;
  DeviceMailbox mailbox;
  const DeviceCapabilities device = strong();
  std::atomic<bool> done{false};
  std::atomic<int> torn{0};
  std::jthread servo([&] {
    ServoSide side(mailbox, device);
    DeviceSample sample;
    sample.stage = DeviceStage::Ready;
    for (int n = 1; n <= kPosts; ++n) {
      sample.position = Eigen::Vector3d::Constant(n);
      sample.velocity = Eigen::Vector3d::Constant(-n);
      sample.buttons = static_cast<std::uint32_t>(n);
      side.measured(sample, {}, n);
      const DeviceCommand command = side.commandAt(n);
      const Eigen::Vector3d& force = command.wrench.force;
      if (force.x() != force.z() || force.x() != -command.wrench.torque.y()) ++torn;
    }
    done = true;
  });
  std::uint64_t last = 0;
  int backwards = 0;
  for (int round = 0; !done.load(); ++round) {
    DeviceSample sample;
    (void)mailbox.read(kPosts, sample);
    const bool whole = sample.position.x() == sample.position.z() &&
                       sample.velocity.x() == -sample.position.y() &&
                       static_cast<double>(sample.buttons) == sample.position.x();
    torn += whole ? 0 : 1;
    backwards += sample.number < last ? 1 : 0;
    last = sample.number;
    const double n = round;
    mailbox.send({{n, n, n}, {-n, -n, -n}, n});
  }
  servo.join();
  DeviceSample sample;
  (void)mailbox.read(kPosts, sample);
  EXPECT_EQ(sample.number, static_cast<std::uint64_t>(kPosts)) << "the newest is had in the end";
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(backwards, 0);
}

}  // namespace
}  // namespace tactus::haptics
