// Devices without forces: the SpaceMouse through a library that is not libspnav, mouse and keyboard
// through their mailbox, a recording through its source.
#include <gtest/gtest.h>

#include <cmath>

#include "haptics/adapters/pointer_device.hpp"
#include "haptics/adapters/recorded_device.hpp"
#include "tests/haptics/adapters/loaded_stand_in.hpp"
#include "tests/haptics/adapters/stand_in.hpp"

namespace tactus::haptics {
namespace {

using Eigen::Vector3d;
using tests::SpnavStandIn;
using tests::testClockNs;

class SpaceMouse : public testing::Test {
 protected:
  void tick(int count) {
    for (int i = 0; i < count; ++i) {
      testClockNs += 4'000'000;
      servo_->serveOnce();
    }
  }
  void push(int x, int y, int z, int rx, int ry, int rz) {
    const int motion[6] = {x, y, z, rx, ry, rz};
    std::copy(std::begin(motion), std::end(motion), spnav_.motion);
    spnav_.hasMotion = true;
  }
  SpnavStandIn& spnav_ = tests::standIn<SpnavStandIn>(TACTUS_SPNAV_STAND_IN);
  VendorServo* servo_ = nullptr;
};

TEST_F(SpaceMouse, WithoutTheDaemonItSaysSo) {
  spnav_.daemonRuns = false;
  const auto opened = openSpaceMouse(tests::byHand(TACTUS_SPNAV_STAND_IN));
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().sentence.find("spacenavd"), std::string::npos);
}

TEST_F(SpaceMouse, APushIsASpeedInOurFrame) {
  const auto opened = openSpaceMouse(tests::byHand(TACTUS_SPNAV_STAND_IN));
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  servo_ = opened.value().servo.get();
  HapticDevice& device = *opened.value().devices[0];
  EXPECT_EQ(device.capabilities().sensedFreedoms(), 6);
  EXPECT_EQ(device.capabilities().actuatedFreedoms(), 0);
  tick(1);
  push(350, 0, 175, 0, 0, 350);  // theirs: z away from the user
  spnav_.button = 1;
  spnav_.press = 1;
  tick(250);
  DeviceSample sample;
  (void)device.read(testClockNs, sample);
  EXPECT_TRUE(sample.position.isApprox(Vector3d(0.1, 0.0, -0.05), 1e-9)) << "a second long";
  EXPECT_NEAR(Eigen::AngleAxisd(sample.orientation).angle(), 1.0, 1e-5);
  EXPECT_LT(Eigen::AngleAxisd(sample.orientation).axis().z(), -0.999);
  EXPECT_EQ(sample.buttons, 2U);
  EXPECT_TRUE(sample.velocity.isApprox(Vector3d(0.1, 0.0, -0.05)));
  push(0, 0, 0, 0, 0, 0);
  tick(1);
  (void)device.read(testClockNs, sample);
  const Vector3d rest = sample.position;
  testClockNs += 10'000'000'000;
  push(350, 0, 0, 0, 0, 0);
  tick(1);
  (void)device.read(testClockNs, sample);
  EXPECT_LE((sample.position - rest).norm(), 0.005 + 1e-12) << "no leap after a stall";
  tick(5000);
  (void)device.read(testClockNs, sample);
  EXPECT_EQ(sample.position.x(), 0.25) << "the end of its box";
}

TEST_F(SpaceMouse, TheDaemonGoesAndComesBack) {
  const auto opened = openSpaceMouse(tests::byHand(TACTUS_SPNAV_STAND_IN));
  servo_ = opened.value().servo.get();
  HapticDevice& device = *opened.value().devices[0];
  push(350, 0, 0, 0, 0, 0);
  tick(10);
  spnav_.daemonRuns = false;
  tick(2);
  DeviceSample sample;
  EXPECT_TRUE(device.read(testClockNs, sample).has(DeviceFlag::Lost));
  EXPECT_EQ(servo_->rejoinLost(), 0);
  spnav_.daemonRuns = true;
  EXPECT_EQ(servo_->rejoinLost(), 1);
  tick(2);
  EXPECT_TRUE(device.read(testClockNs, sample).has(DeviceFlag::Rejoined));
  EXPECT_EQ(sample.velocity, Vector3d::Zero()) << "the cap may have been let go";
}

TEST(Pointer, IsWhereTheWindowHasPutIt) {
  PointerDevice device;
  DeviceSample sample;
  EXPECT_TRUE(device.read(0, sample).has(DeviceFlag::Lost)) << "no window yet";
  PointerPose pose;
  pose.position = Vector3d(0.1, 0.2, 0.3);
  pose.buttons = 1;
  device.move(pose, 1'000);
  const DeviceStatus status = device.read(5'000, sample);
  EXPECT_TRUE(status.good()) << describe(status);
  EXPECT_EQ(sample.position, pose.position);
  EXPECT_EQ(sample.buttons, 1U);
  EXPECT_EQ(sample.ageNs, 4'000);
  EXPECT_TRUE(device.read(6'000, sample).good()) << "a mouse that rests between two pictures";
  EXPECT_EQ(sample.ageTicks, 1U);
  EXPECT_TRUE(device.read(400'000'000, sample).has(DeviceFlag::Stale)) << "the window hangs";
  pose.position.x() = std::nan("");
  device.move(pose, 7'000);
  EXPECT_TRUE(device.read(7'000, sample).has(DeviceFlag::NotFinite));
  EXPECT_EQ(sample.position.x(), 0.1);
  device.leave();
  EXPECT_TRUE(device.read(8'000, sample).has(DeviceFlag::Lost));
  EXPECT_TRUE(device.write({}).good());
}

TEST(Pointer, GoesEvenlyFromPoseToPose) {
  constexpr std::int64_t kTick = 1'000'000;
  constexpr std::int64_t kPicture = 16 * kTick;
  PointerDevice device;
  DeviceSample sample;
  PointerPose pose;
  device.move(pose, 0);
  static_cast<void>(device.read(0, sample));
  double before = 0.0;
  double longest = 0.0;
  std::int64_t now = 0;
  for (int picture = 1; picture <= 20; ++picture) {
    pose.position.x() = 0.004 * picture;
    device.move(pose, now);
    for (int tick = 0; tick < 16; ++tick, now += kTick) {
      static_cast<void>(device.read(now, sample));
      longest = std::max(longest, sample.position.x() - before);
      EXPECT_GE(sample.position.x(), before) << "back at " << now;
      before = sample.position.x();
    }
  }
  // 4 mm in sixteen ticks; the first way is not known to take that long.
  EXPECT_LE(longest, 1.1e-3);
  static_cast<void>(device.read(now + kPicture, sample));
  EXPECT_DOUBLE_EQ(sample.position.x(), pose.position.x()) << "it arrives";
  // a pose that is never followed by another is reached, not passed
  static_cast<void>(device.read(now + 100 * kPicture, sample));
  EXPECT_DOUBLE_EQ(sample.position.x(), pose.position.x());
}

/// Three ticks of a recording.
class ThreeTicks final : public SampleSource {
 public:
  [[nodiscard]] const DeviceCapabilities& capabilities() const noexcept override { return device_; }
  [[nodiscard]] bool next(DeviceSample& sample, DeviceStatus& read,
                          DeviceStatus& write) noexcept override {
    if (tick_ == 3) return false;
    sample.number = static_cast<std::uint64_t>(++tick_);
    sample.stage = DeviceStage::Ready;
    read = tick_ == 2 ? DeviceStatus{DeviceFlag::Stale} : DeviceStatus{};
    write = tick_ == 3 ? DeviceStatus{DeviceFlag::Saturated} : DeviceStatus{};
    return true;
  }

 private:
  DeviceCapabilities device_;
  int tick_ = 0;
};

TEST(Recorded, ShowsAgainWhatWasShownThenIsLost) {
  RecordedDevice device(std::make_unique<ThreeTicks>());
  DeviceSample sample;
  EXPECT_TRUE(device.read(0, sample).good());
  EXPECT_EQ(sample.number, 1U);
  EXPECT_TRUE(device.write({}).good());
  EXPECT_TRUE(device.read(0, sample).has(DeviceFlag::Stale));
  EXPECT_TRUE(device.read(0, sample).good());
  EXPECT_TRUE(device.write({}).has(DeviceFlag::Saturated));
  EXPECT_TRUE(device.read(0, sample).has(DeviceFlag::Lost));
  EXPECT_EQ(sample.number, 3U);
  EXPECT_EQ(sample.stage, DeviceStage::Searching);
}

}  // namespace
}  // namespace tactus::haptics
