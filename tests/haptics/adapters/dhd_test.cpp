// Force Dimension end to end, against a library with the same entry points and devices that are not
// there. The test is the servo: it says when a round runs, and what time it is.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "tests/haptics/adapters/loaded_stand_in.hpp"
#include "tests/haptics/adapters/stand_in.hpp"

namespace tactus::haptics {
namespace {

using Eigen::Vector3d;
using tests::DhdStandIn;
using tests::testClockNs;

class Dhd : public testing::Test {
 protected:
  void SetUp() override {
    dhd_.arms[0].serial = 1001;
    dhd_.arms[1].serial = 2002;
    dhd_.arms[1].isLeft = true;
    dhd_.arms[0].isPlugged = dhd_.arms[1].isPlugged = true;
  }
  void TearDown() override { EXPECT_EQ(dhd_.wrongCalls, 0) << "calls to a device that is closed"; }

  models::Result<VendorDevices> open(const std::vector<std::string>& serials) {
    models::Result<VendorDevices> opened = openDhd(serials, tests::byHand(TACTUS_DHD_STAND_IN));
    if (opened.ok()) servo_ = opened.value().servo.get();
    return opened;
  }
  void tick(int count = 1) {
    for (int i = 0; i < count; ++i) {
      testClockNs += 1'000'000;
      servo_->serveOnce();
    }
  }
  DeviceSample sampleOf(HapticDevice& device, DeviceStatus* status = nullptr) {
    DeviceSample sample;
    const DeviceStatus read = device.read(testClockNs, sample);
    if (status != nullptr) *status = read;
    return sample;
  }

  DhdStandIn& dhd_ = tests::standIn<DhdStandIn>(TACTUS_DHD_STAND_IN);
  VendorServo* servo_ = nullptr;
};

DeviceCommand pushing(const Vector3d& force, const Vector3d& torque = Vector3d::Zero()) {
  DeviceCommand command;
  command.wrench = {force, torque};
  return command;
}

TEST_F(Dhd, WithoutADeviceOrWithAnotherSerialItSaysSo) {
  const auto other = open({"4711"});
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().sentence.find("4711"), std::string::npos) << other.error().sentence;
  dhd_.arms[0].isPlugged = dhd_.arms[1].isPlugged = false;
  const auto none = open({""});
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().sentence.find("no device found"), std::string::npos)
      << none.error().sentence;
  VendorSettings settings;
  settings.libraries = {TACTUS_HALF_STAND_IN};
  EXPECT_NE(openDhd({""}, settings).error().sentence.find("dhdOpenID"), std::string::npos);
}

TEST_F(Dhd, LeftAndRightAreToldBySerialNumberInAnyOrder) {
  for (const bool swapped : {false, true}) {
    const std::vector<std::string> serials = swapped ? std::vector<std::string>{"1001", "2002"}
                                                     : std::vector<std::string>{"2002", "1001"};
    const auto opened = open(serials);
    ASSERT_TRUE(opened.ok()) << opened.error().sentence;
    HapticDevice& left = *opened.value().devices[swapped ? 1 : 0];
    HapticDevice& right = *opened.value().devices[swapped ? 0 : 1];
    EXPECT_EQ(left.capabilities().side, Side::Left);
    EXPECT_EQ(left.capabilities().serial, "2002");
    EXPECT_EQ(right.capabilities().side, Side::Right);
    dhd_.arms[1].position[1] = -0.05;
    dhd_.arms[0].position[1] = 0.05;
    (void)left.write(pushing(Vector3d(-1.0, 0.0, 0.0)));
    (void)right.write(pushing(Vector3d(2.0, 0.0, 0.0)));
    tick();
    EXPECT_EQ(sampleOf(left).position.x(), -0.05);
    EXPECT_EQ(sampleOf(right).position.x(), 0.05);
    EXPECT_EQ(dhd_.arms[1].wrench[1], -1.0);
    EXPECT_EQ(dhd_.arms[0].wrench[1], 2.0);
  }
  // without serials: the first free, then the next
  const auto both = open({"", ""});
  ASSERT_TRUE(both.ok());
  EXPECT_NE(both.value().devices[0]->capabilities().serial,
            both.value().devices[1]->capabilities().serial);
}

TEST_F(Dhd, AxesAreTurnedOnceBothWays) {
  const auto opened = open({"1001"});
  HapticDevice& device = *opened.value().devices[0];
  tests::DhdArm& arm = dhd_.arms[0];
  // theirs: x toward the user, y right, z up
  const double position[3] = {0.01, 0.02, 0.03};
  std::copy(std::begin(position), std::end(position), arm.position);
  arm.velocity[2] = 0.4;
  arm.angularVelocity[0] = 2.0;
  // a quarter turn about up: toward the user becomes right
  const double frame[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
  for (int row = 0; row < 3; ++row)
    std::copy(std::begin(frame[row]), std::end(frame[row]), arm.frame[row]);
  arm.gripperAngle = 0.3;
  arm.buttons = 5;
  DeviceCommand command = pushing(Vector3d(1.0, 2.0, 3.0), Vector3d(0.01, 0.02, 0.03));
  command.gripperForce = 4.0;
  (void)device.write(command);
  tick();
  DeviceStatus status;
  const DeviceSample sample = sampleOf(device, &status);
  EXPECT_TRUE(status.good()) << describe(status);
  EXPECT_EQ(sample.position, Vector3d(0.02, 0.03, 0.01));
  EXPECT_EQ(sample.velocity, Vector3d(0.0, 0.4, 0.0));
  EXPECT_EQ(sample.angularVelocity, Vector3d(0.0, 0.0, 2.0));
  // ours: z becomes x, x becomes -z, y stays
  EXPECT_TRUE((sample.orientation * Vector3d::UnitZ()).isApprox(Vector3d::UnitX()));
  EXPECT_TRUE((sample.orientation * Vector3d::UnitX()).isApprox(-Vector3d::UnitZ()));
  EXPECT_EQ(sample.gripperAngle, 0.3);
  EXPECT_EQ(sample.buttons, 5U);
  const double wrench[7] = {3.0, 1.0, 2.0, 0.03, 0.01, 0.02, 4.0};
  for (int i = 0; i < 7; ++i)
    EXPECT_EQ(arm.wrench[i], wrench[i]) << i;
}

TEST_F(Dhd, TheGripperOfALeftHandedOneOpensTheSameWay) {
  const auto opened = open({"2002"});
  dhd_.arms[1].gripperAngle = 0.3;
  DeviceCommand command;
  command.gripperForce = 4.0;
  (void)opened.value().devices[0]->write(command);
  tick();
  EXPECT_EQ(sampleOf(*opened.value().devices[0]).gripperAngle, 0.3);
  EXPECT_EQ(dhd_.arms[1].wrench[6], -4.0) << "its angle is negative, and so is what opens it";
}

TEST_F(Dhd, LimitsAreTheVendorsWhereItKnowsThem) {
  const auto opened = open({"1001"});
  const DeviceCapabilities& device = opened.value().devices[0]->capabilities();
  EXPECT_EQ(device.peakForce, 20.0);
  EXPECT_EQ(device.peakTorque, 0.2) << "DHD answers -1: as in the profile of a sigma.7";
  EXPECT_GT(device.workspaceExtent.x(), 0.1);
  EXPECT_TRUE(dhd_.arms[0].gravity);
  EXPECT_TRUE(dhd_.arms[0].forcesOn);
}

TEST_F(Dhd, PositiveAnswersAreNoErrors) {
  const auto opened = open({"1001"});
  HapticDevice& device = *opened.value().devices[0];
  tick();
  const std::uint64_t first = sampleOf(device).number;
  dhd_.arms[0].answerOfRead = 1;
  dhd_.arms[0].position[0] = 0.5;
  tick(10);
  DeviceStatus status;
  const DeviceSample sample = sampleOf(device, &status);
  EXPECT_TRUE(status.has(DeviceFlag::CalledTooFast)) << describe(status);
  EXPECT_FALSE(status.has(DeviceFlag::Lost));
  EXPECT_EQ(sample.number, first) << "the old sample is no new one";
  EXPECT_EQ(device.counters().calledTooFast, 10U);

  dhd_.arms[0].answerOfRead = 0;
  dhd_.arms[0].answerOfWrite = 2;
  tick(10);
  (void)sampleOf(device, &status);
  EXPECT_TRUE(status.has(DeviceFlag::Saturated)) << describe(status);
  EXPECT_FALSE(status.has(DeviceFlag::Lost));
  EXPECT_EQ(device.counters().saturated, 10U);
}

TEST_F(Dhd, TwoFailedReadsAreAHiccupThreeALossAndItIsBackBySerial) {
  const auto opened = open({"1001", "2002"});
  HapticDevice& right = *opened.value().devices[0];
  HapticDevice& left = *opened.value().devices[1];
  tick(2);
  dhd_.arms[0].failures = 2;
  tick(3);
  EXPECT_EQ(right.counters().losses, 0U);
  DeviceStatus status;
  (void)sampleOf(right, &status);
  EXPECT_FALSE(status.has(DeviceFlag::Lost));

  (void)right.write(pushing(Vector3d(5.0, 0.0, 0.0)));
  tick();
  dhd_.arms[0].isPlugged = false;
  tick(3);
  (void)sampleOf(right, &status);
  EXPECT_TRUE(status.has(DeviceFlag::Lost)) << describe(status);
  EXPECT_FALSE(dhd_.arms[0].isOpen) << "or it could not be opened again";
  (void)sampleOf(left, &status);
  EXPECT_TRUE(status.good()) << describe(status);
  EXPECT_EQ(servo_->rejoinLost(), 0);

  // plugged in again as another index, which is why it is known by its serial number
  std::swap(dhd_.arms[0].serial, dhd_.arms[1].serial);
  dhd_.arms[1].isOpen = dhd_.arms[1].isPlugged = false;
  tick(3);  // the left one is now lost as well: its slot has gone
  dhd_.wrongCalls = 0;
  dhd_.arms[1].isPlugged = true;
  dhd_.arms[1].wrench[1] = 0.0;
  EXPECT_EQ(servo_->rejoinLost(), 1);
  dhd_.arms[1].position[1] = 0.07;
  tick();
  EXPECT_EQ(sampleOf(right, &status).position.x(), 0.07);
  EXPECT_TRUE(status.has(DeviceFlag::Rejoined));
  EXPECT_EQ(dhd_.arms[1].wrench[1], 0.0) << "what was commanded before the loss is forgotten";
  (void)sampleOf(left, &status);
  EXPECT_TRUE(status.has(DeviceFlag::Lost));
}

TEST_F(Dhd, AnUncalibratedOneCalibratesItselfOrAsksForAHand) {
  dhd_.arms[0].isReset = false;
  const auto opened = open({"1001"});
  tick();
  EXPECT_EQ(sampleOf(*opened.value().devices[0]).stage, DeviceStage::Ready);
  // and one that forgets where it is gets no force
  dhd_.arms[0].isReset = false;
  (void)opened.value().devices[0]->write(pushing(Vector3d(1.0, 0.0, 0.0)));
  tick(70);
  EXPECT_EQ(sampleOf(*opened.value().devices[0]).stage, DeviceStage::NeedsHand);
  EXPECT_EQ(dhd_.arms[0].wrench[1], 0.0);
}

TEST_F(Dhd, TheEmergencyStopIsTold) {
  const auto opened = open({"1001"});
  HapticDevice& device = *opened.value().devices[0];
  tick(2);
  dhd_.arms[0].emergencyStop = true;
  tick(70);
  DeviceStatus status;
  (void)sampleOf(device, &status);
  EXPECT_TRUE(status.has(DeviceFlag::ForcesOff)) << describe(status);
  dhd_.arms[0].emergencyStop = false;
  tick(70);
  (void)sampleOf(device, &status);
  EXPECT_FALSE(status.has(DeviceFlag::ForcesOff));
}

TEST_F(Dhd, NumbersThatAreNoneStopAtTheAdapter) {
  const auto opened = open({"1001"});
  HapticDevice& device = *opened.value().devices[0];
  tick();
  (void)sampleOf(device);
  dhd_.arms[0].position[2] = std::numeric_limits<double>::quiet_NaN();
  tick();
  DeviceStatus status;
  EXPECT_TRUE(isFinite(sampleOf(device, &status)));
  EXPECT_TRUE(status.has(DeviceFlag::NotFinite));
  (void)device.write(pushing(Vector3d(100.0, 0.0, 0.0)));
  tick();
  EXPECT_DOUBLE_EQ(dhd_.arms[0].wrench[1], 20.0);
}

// Threads of the adapter's own; also for ThreadSanitizer. A read that blocks must block nobody
// here.
TEST(DhdThread, AReadThatBlocksMakesSamplesOldAndTheTickNotWait) {
  auto& dhd = tests::standIn<DhdStandIn>(TACTUS_DHD_THREADED_STAND_IN);
  dhd.arms[0].serial = 1001;
  dhd.arms[0].isPlugged = true;
  VendorSettings settings;
  settings.libraries = {TACTUS_DHD_THREADED_STAND_IN};
  auto opened = openDhd({"1001"}, settings);
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  HapticDevice& device = *opened.value().devices[0];
  DeviceSample sample;
  while (sample.number < 20)
    (void)device.read(monotonicNs(), sample);

  dhd.arms[0].blocksReads = true;
  const std::uint64_t reads = dhd.arms[0].reads;
  // a read that had begun may still end; after that there is nothing new
  while (sample.ageTicks < 100'000) {
    (void)device.read(monotonicNs(), sample);
    (void)device.write(pushing(Vector3d(1.0, 0.0, 0.0)));
  }
  EXPECT_LE(dhd.arms[0].reads, reads + 1);
  const std::uint64_t before = sample.number;
  dhd.arms[0].blocksReads = false;
  while (sample.number < before + 20)
    (void)device.read(monotonicNs(), sample);
  EXPECT_GE(device.counters().oldestAgeTicks, 100'000U);
}

}  // namespace
}  // namespace tactus::haptics
