// OpenHaptics end to end, against a library with the same entry points and devices that are not
// there. The test is the servo: it says when the callback runs, and what time it is.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/haptics/adapters/loaded_stand_in.hpp"
#include "tests/haptics/adapters/stand_in.hpp"

namespace tactus::haptics {
namespace {

using Eigen::Vector3d;
using tests::HdStandIn;
using tests::testClockNs;

class OpenHaptics : public testing::Test {
 protected:
  void SetUp() override {
    hd_.arms[0].name = "Right Touch";
    hd_.arms[0].serial = "A1";
    hd_.arms[0].isDefault = hd_.arms[0].isPlugged = true;
    hd_.arms[1].name = "Left Touch";
    hd_.arms[1].serial = "B2";
    hd_.arms[1].isPlugged = true;
  }
  void TearDown() override { EXPECT_EQ(hd_.wrongCalls, 0) << "the vendor forbids what was done"; }

  models::Result<VendorDevices> open(const std::vector<std::string>& names) {
    return openOpenHaptics(names, tests::byHand(TACTUS_HD_STAND_IN));
  }
  void tick(int count = 1) {
    for (int i = 0; i < count; ++i) {
      testClockNs += 1'000'000;
      hd_.tick(1);
    }
  }

  HdStandIn& hd_ = tests::standIn<HdStandIn>(TACTUS_HD_STAND_IN);
};

DeviceSample sampleOf(HapticDevice& device, DeviceStatus* status = nullptr) {
  DeviceSample sample;
  const DeviceStatus read = device.read(testClockNs, sample);
  if (status != nullptr) *status = read;
  return sample;
}

DeviceCommand pushing(const Vector3d& force, const Vector3d& torque = Vector3d::Zero()) {
  DeviceCommand command;
  command.wrench = {force, torque};
  return command;
}

TEST_F(OpenHaptics, WithoutTheLibraryItSaysSo) {
  VendorSettings settings;
  settings.libraries = {"libNoSuchThing.so"};
  const auto opened = openOpenHaptics({""}, settings);
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().sentence.find("not installed"), std::string::npos);
  settings.libraries = {TACTUS_HALF_STAND_IN};
  const auto old = openOpenHaptics({""}, settings);
  ASSERT_FALSE(old.ok());
  EXPECT_NE(old.error().sentence.find("hdScheduleAsynchronous"), std::string::npos)
      << old.error().sentence;
  settings.libraries = {TACTUS_NO_LIBRARY};
  const auto broken = openOpenHaptics({""}, settings);
  ASSERT_FALSE(broken.ok());
  EXPECT_NE(broken.error().sentence.find("cannot be loaded"), std::string::npos)
      << broken.error().sentence;
}

TEST_F(OpenHaptics, WithoutADeviceItSaysWhatItTried) {
  hd_.arms[0].isPlugged = hd_.arms[1].isPlugged = false;
  const auto opened = open({"My Touch"});
  ASSERT_FALSE(opened.ok());
  for (const char* word : {"My Touch", "the default device", "Device fault", "switched on"})
    EXPECT_NE(opened.error().sentence.find(word), std::string::npos) << opened.error().sentence;
  EXPECT_EQ(hd_.callbacks, 0);
  EXPECT_FALSE(hd_.isRunning);
}

TEST_F(OpenHaptics, NamesFallBackAndTheNoteSaysToWhich) {
  struct Case {
    const char* asked;
    const char* configured;
    bool isDefault;
    const char* note;
  };
  const Case cases[] = {{"Right Touch", "Right Touch", false, "\"Right Touch\""},
                        {"", "x", true, "the default device"},
                        {"Misspelt", "x", true, "the default device"},
                        {"", "Default PHANToM", false, "\"Default PHANToM\""}};
  for (const Case& c : cases) {
    hd_.arms[0].name = c.configured;
    hd_.arms[0].isDefault = c.isDefault;
    const auto opened = open({c.asked});
    ASSERT_TRUE(opened.ok()) << opened.error().sentence;
    EXPECT_NE(opened.value().notes[0].find(c.note), std::string::npos) << opened.value().notes[0];
  }
  // with two hands the default device could be the other hand's
  EXPECT_FALSE(open({"Right Touch", "Misspelt"}).ok());
}

TEST_F(OpenHaptics, KnowsWhatTheDeviceCanDoInMetresAndNewtons) {
  hd_.arms[0].actuatesRotation = true;
  const auto opened = open({""});
  ASSERT_TRUE(opened.ok());
  const DeviceCapabilities& device = opened.value().devices[0]->capabilities();
  EXPECT_EQ(device.model, "Touch");
  EXPECT_EQ(device.serial, "A1");
  EXPECT_EQ(device.sensedFreedoms(), 6);
  EXPECT_EQ(device.actuatedFreedoms(), 6);
  EXPECT_TRUE(device.workspaceExtent.isApprox(Vector3d(0.16, 0.12, 0.07)));
  EXPECT_DOUBLE_EQ(device.peakForce, 3.3);
  EXPECT_DOUBLE_EQ(device.continuousForce, 0.88);
  EXPECT_DOUBLE_EQ(device.peakTorque, 0.188);
  EXPECT_DOUBLE_EQ(device.mostStiffness, 500.0);
}

TEST_F(OpenHaptics, PoseAndWrenchAreConvertedOnce) {
  hd_.arms[0].actuatesRotation = true;
  const auto opened = open({""});
  HapticDevice& device = *opened.value().devices[0];
  // a quarter turn about z, column after column, then millimetres
  const double transform[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 10, -20, 30, 1};
  std::copy(std::begin(transform), std::end(transform), hd_.arms[0].transform);
  hd_.arms[0].velocity[1] = 500.0;
  hd_.arms[0].angularVelocity[2] = 2.0;
  hd_.arms[0].buttons = 2;
  (void)device.write(pushing(Vector3d(1.0, -2.0, 0.5), Vector3d(0.01, 0.02, -0.03)));
  tick(2);
  DeviceStatus status;
  const DeviceSample sample = sampleOf(device, &status);
  EXPECT_TRUE(status.good()) << describe(status);
  EXPECT_EQ(sample.stage, DeviceStage::Ready);
  EXPECT_TRUE(sample.position.isApprox(Vector3d(0.01, -0.02, 0.03)));
  EXPECT_TRUE((sample.orientation * Vector3d::UnitX()).isApprox(Vector3d::UnitY()));
  EXPECT_TRUE(sample.velocity.isApprox(Vector3d(0.0, 0.5, 0.0)));
  EXPECT_TRUE(sample.angularVelocity.isApprox(Vector3d(0.0, 0.0, 2.0)));
  EXPECT_EQ(sample.buttons, 2U);
  EXPECT_EQ(Vector3d(hd_.arms[0].force), Vector3d(1.0, -2.0, 0.5));
  EXPECT_TRUE(Vector3d(hd_.arms[0].torque).isApprox(Vector3d(10.0, 20.0, -30.0))) << "mN m";
}

TEST_F(OpenHaptics, TwoDevicesShareOneCallbackAndStayApart) {
  const auto opened = open({"Left Touch", "Right Touch"});
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  EXPECT_EQ(hd_.callbacks, 1);
  HapticDevice& left = *opened.value().devices[0];
  HapticDevice& right = *opened.value().devices[1];
  EXPECT_EQ(left.capabilities().serial, "B2");
  EXPECT_EQ(right.capabilities().serial, "A1");
  hd_.arms[0].transform[12] = 50.0;
  hd_.arms[1].transform[12] = -50.0;
  (void)left.write(pushing(Vector3d(-1.0, 0.0, 0.0)));
  (void)right.write(pushing(Vector3d(2.0, 0.0, 0.0)));
  tick(2);
  EXPECT_DOUBLE_EQ(sampleOf(left).position.x(), -0.05);
  EXPECT_DOUBLE_EQ(sampleOf(right).position.x(), 0.05);
  EXPECT_EQ(hd_.arms[1].force[0], -1.0);
  EXPECT_EQ(hd_.arms[0].force[0], 2.0);
}

TEST_F(OpenHaptics, TheAgeOfASampleIsTold) {
  const auto opened = open({""});
  HapticDevice& device = *opened.value().devices[0];
  tick();
  testClockNs += 300'000;
  EXPECT_EQ(sampleOf(device).ageNs, 300'000);
  EXPECT_EQ(sampleOf(device).ageTicks, 1U);
  testClockNs += 5'000'000;  // the servo stands still, as when a read blocks
  DeviceStatus status;
  const DeviceSample old = sampleOf(device, &status);
  EXPECT_TRUE(status.has(DeviceFlag::Stale));
  EXPECT_EQ(old.ageNs, 5'300'000);
  EXPECT_EQ(old.ageTicks, 2U);
  EXPECT_EQ(device.counters().oldestAgeTicks, 2U);
  EXPECT_EQ(device.counters().stale, 2U);
}

TEST_F(OpenHaptics, UnpluggedItIsLostAndTheOtherGoesOnThenItIsBackBySerial) {
  const auto opened = open({"Right Touch", "Left Touch"});
  HapticDevice& right = *opened.value().devices[0];
  HapticDevice& left = *opened.value().devices[1];
  tick(5);
  (void)sampleOf(right);
  (void)right.write(pushing(Vector3d(3.0, 0.0, 0.0)));
  hd_.arms[0].isPlugged = false;
  tick(3);
  DeviceStatus status;
  const DeviceSample lost = sampleOf(right, &status);
  EXPECT_TRUE(status.has(DeviceFlag::Lost)) << describe(status);
  EXPECT_EQ(lost.stage, DeviceStage::Searching);
  EXPECT_EQ(right.counters().losses, 1U);
  (void)sampleOf(left, &status);
  EXPECT_TRUE(status.good()) << "the left one: " << describe(status);

  VendorServo& servo = *opened.value().servo;
  EXPECT_EQ(servo.rejoinLost(), 0) << "still unplugged";
  EXPECT_TRUE(hd_.isRunning) << "and the left one is served";
  // another device under the same name is not taken
  hd_.arms[0].isPlugged = true;
  hd_.arms[0].serial = "C3";
  EXPECT_EQ(servo.rejoinLost(), 0);
  EXPECT_FALSE(hd_.arms[0].isInitialised);

  hd_.arms[0].serial = "A1";
  hd_.arms[0].force[0] = 0.0;
  EXPECT_EQ(servo.rejoinLost(), 1);
  tick(200);
  (void)sampleOf(right, &status);
  EXPECT_TRUE(status.has(DeviceFlag::Rejoined)) << describe(status);
  EXPECT_FALSE(status.has(DeviceFlag::Lost));
  EXPECT_EQ(sampleOf(right).stage, DeviceStage::Ready);
  EXPECT_EQ(right.counters().rejoins, 1U);
  EXPECT_EQ(hd_.arms[0].force[0], 0.0) << "what was commanded before the loss is forgotten";
}

TEST_F(OpenHaptics, SaturatedAndWarmIsToldAndIsNoLoss) {
  const auto opened = open({""});
  HapticDevice& device = *opened.value().devices[0];
  tick(2);
  (void)sampleOf(device);
  DeviceStatus status;
  for (const unsigned code : {0x0201U, 0x0202U, 0x0203U, 0x0204U}) {
    hd_.arms[0].raised = code;
    tick(3);  // the error is two reports ago, and told all the same
    (void)sampleOf(device, &status);
    EXPECT_TRUE(status.has(DeviceFlag::Saturated)) << code;
    EXPECT_FALSE(status.has(DeviceFlag::Lost)) << code;
  }
  hd_.arms[0].raised = 0x0200;
  tick();
  (void)sampleOf(device, &status);
  EXPECT_TRUE(status.has(DeviceFlag::Warm));
  EXPECT_EQ(device.counters().saturated, 4U);
}

TEST_F(OpenHaptics, NothingBeyondTheLimitsAndNoNumberlessForceReachesTheDevice) {
  const auto opened = open({""});
  HapticDevice& device = *opened.value().devices[0];
  tick(2);
  EXPECT_TRUE(device.write(pushing(Vector3d(0.0, 33.0, 0.0))).has(DeviceFlag::Saturated));
  tick();
  EXPECT_DOUBLE_EQ(hd_.arms[0].force[1], 3.3);
  EXPECT_TRUE(device.write(pushing(Vector3d(0.0, std::nan(""), 0.0))).has(DeviceFlag::NotFinite));
  tick();
  EXPECT_EQ(hd_.arms[0].force[1], 0.0);
}

TEST_F(OpenHaptics, AMeasurementThatIsNoNumberIsNotHandedOn) {
  const auto opened = open({""});
  HapticDevice& device = *opened.value().devices[0];
  hd_.arms[0].transform[12] = 5.0;
  tick(2);
  (void)sampleOf(device);
  hd_.arms[0].transform[12] = std::numeric_limits<double>::quiet_NaN();
  tick();
  DeviceStatus status;
  const DeviceSample sample = sampleOf(device, &status);
  EXPECT_TRUE(status.has(DeviceFlag::NotFinite));
  EXPECT_TRUE(isFinite(sample));
  EXPECT_DOUBLE_EQ(sample.position.x(), 0.005);
}

TEST_F(OpenHaptics, CalibratesOrAsksForAHandAndGivesNoForceBefore) {
  hd_.arms[0].calibration = 0x5002;  // the stylus has to go into the inkwell
  const auto opened = open({""});
  HapticDevice& device = *opened.value().devices[0];
  (void)device.write(pushing(Vector3d(1.0, 0.0, 0.0)));
  tick(5);
  EXPECT_EQ(sampleOf(device).stage, DeviceStage::NeedsHand);
  EXPECT_EQ(hd_.arms[0].force[0], 0.0);
  hd_.arms[0].calibration = 0x5001;
  tick(100);
  EXPECT_EQ(hd_.arms[0].calibrationUpdates, 1);
  tick(100);
  EXPECT_EQ(sampleOf(device).stage, DeviceStage::Ready);
}

TEST_F(OpenHaptics, ALoopThatHasDiedStopsPushing) {
  const auto opened = open({""});
  HapticDevice& device = *opened.value().devices[0];
  tick(2);
  (void)device.write(pushing(Vector3d(2.0, 0.0, 0.0)));
  tick(40);
  EXPECT_EQ(hd_.arms[0].force[0], 2.0) << "35 ms without us is a stall that the loop rides out";
  double last = 2.0;
  for (int i = 0; i < 60; ++i) {
    tick();
    ASSERT_LE(hd_.arms[0].force[0], last);
    ASSERT_GE(hd_.arms[0].force[0], last - 0.041);
    last = hd_.arms[0].force[0];
  }
  EXPECT_EQ(last, 0.0);
  DeviceStatus status;
  (void)sampleOf(device, &status);
  EXPECT_TRUE(status.has(DeviceFlag::CommandLate));
  (void)device.write(pushing(Vector3d(2.0, 0.0, 0.0)));
  tick();
  EXPECT_EQ(hd_.arms[0].force[0], 2.0) << "and it is there again";
}

TEST_F(OpenHaptics, LettingGoSwitchesForcesOff) {
  {
    const auto opened = open({"Left Touch", "Right Touch"});
    tick(3);
    EXPECT_TRUE(hd_.arms[0].forcesOn);
  }
  EXPECT_FALSE(hd_.isRunning);
  EXPECT_EQ(hd_.callbacks, 0);
  for (const tests::HdArm& arm : hd_.arms) {
    EXPECT_FALSE(arm.forcesOn);
    EXPECT_FALSE(arm.isInitialised);
  }
}

// With a servo thread of the stand-in, for ThreadSanitizer.
TEST(OpenHapticsThread, SamplesAndCommandsCrossWhileTheServoRuns) {
  auto& hd = tests::standIn<HdStandIn>(TACTUS_HD_THREADED_STAND_IN);
  hd.arms[0].name = "Right Touch";
  hd.arms[0].serial = "A1";
  hd.arms[0].isDefault = hd.arms[0].isPlugged = true;
  hd.startThread();
  VendorSettings settings;
  settings.libraries = {TACTUS_HD_THREADED_STAND_IN};
  auto opened = openOpenHaptics({""}, settings);
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  HapticDevice& device = *opened.value().devices[0];
  std::uint64_t last = 0;
  int news = 0;
  while (news < 300) {
    DeviceSample sample;
    (void)device.read(monotonicNs(), sample);
    ASSERT_GE(sample.number, last);
    ASSERT_GE(sample.ageNs, 0);
    news += sample.number > last ? 1 : 0;
    last = sample.number;
    (void)device.write(pushing(Vector3d(1.0, 2.0, 3.0) * (news % 2)));
  }
  opened.value().devices.clear();
}

}  // namespace
}  // namespace tactus::haptics
