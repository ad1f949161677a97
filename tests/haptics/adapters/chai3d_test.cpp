// CHAI3D end to end: adapter, table and module, against classes by the names of CHAI3D's and
// devices that are not there. The test is the servo: it says when a round runs, and what time it
// is.
#include <gtest/gtest.h>

#include <limits>

#include "haptics/adapters/chai3d_table.hpp"
#include "tests/haptics/adapters/loaded_stand_in.hpp"
#include "tests/haptics/adapters/stand_in.hpp"

namespace tactus::haptics {
namespace {

using Eigen::Vector3d;
using tests::Chai3dArm;
using tests::Chai3dStandIn;
using tests::testClockNs;

class Chai3d : public testing::Test {
 protected:
  void SetUp() override {
    chai3d_.arms[1].model = "sigma.7L";
    chai3d_.arms[1].fitsLeft = true;
    chai3d_.arms[1].fitsRight = false;
    chai3d_.arms[0].isPlugged = chai3d_.arms[1].isPlugged = true;
  }
  void TearDown() override {
    EXPECT_EQ(chai3d_.wrongCalls, 0) << "calls to a device that is closed";
  }

  models::Result<VendorDevices> open(const std::vector<std::string>& indices) {
    models::Result<VendorDevices> opened = openChai3d(indices, tests::byHand(TACTUS_CHAI3D_MODULE));
    if (opened.ok()) servo_ = opened.value().servo.get();
    return opened;
  }
  std::string refusal(const std::vector<std::string>& indices) {
    const auto opened = open(indices);
    return opened.ok() ? std::string("it was opened") : opened.error().sentence;
  }
  void tick(int count = 1) {
    for (int i = 0; i < count; ++i) {
      testClockNs += 1'000'000;
      servo_->serveOnce();
    }
  }
  static DeviceSample sampleOf(HapticDevice& device, DeviceStatus* status = nullptr) {
    DeviceSample sample;
    const DeviceStatus read = device.read(testClockNs, sample);
    if (status != nullptr) *status = read;
    return sample;
  }
  static DeviceStatus statusOf(HapticDevice& device) {
    DeviceStatus status;
    (void)sampleOf(device, &status);
    return status;
  }

  Chai3dStandIn& chai3d_ = tests::standIn<Chai3dStandIn>(TACTUS_CHAI3D_STAND_IN);
  VendorServo* servo_ = nullptr;
};

DeviceCommand pushedBy(const Vector3d& force, const Vector3d& torque = Vector3d::Zero()) {
  DeviceCommand command;
  command.wrench = {force, torque};
  return command;
}

bool says(const std::string& sentence, const char* words) {
  return sentence.find(words) != std::string::npos;
}

TEST_F(Chai3d, WithoutTheModuleItSaysHowToGetOne) {
  VendorSettings settings;
  settings.libraries = {"libNoSuchThing.so"};
  const auto absent = openChai3d({""}, settings);
  ASSERT_FALSE(absent.ok());
  EXPECT_TRUE(says(absent.error().sentence, "-DTACTUS_CHAI3D=ON")) << absent.error().sentence;
  EXPECT_FALSE(checkChai3d(settings).ok());
  settings.libraries = {TACTUS_HALF_STAND_IN};
  EXPECT_TRUE(says(checkChai3d(settings).error().sentence, "another version"))
      << checkChai3d(settings).error().sentence;
  settings.libraries = {TACTUS_NO_LIBRARY};
  EXPECT_TRUE(says(checkChai3d(settings).error().sentence, "cannot be loaded"))
      << checkChai3d(settings).error().sentence;
  settings.libraries = {TACTUS_CHAI3D_MODULE};
  EXPECT_TRUE(checkChai3d(settings).ok());
  EXPECT_EQ(chai3d_.arms[0].openings, 0) << "a check looks for no devices";
}

TEST_F(Chai3d, TheModuleIsLookedForBesideTheProgramFirst) {
  const std::vector<std::string> names = chai3dLibraries();
  ASSERT_EQ(names.size(), 2U);
  EXPECT_EQ(names[0].front(), '/');
  EXPECT_TRUE(names[0].ends_with("/" + names[1])) << names[0];
  EXPECT_EQ(names[1].find('/'), std::string::npos) << "where the loader looks";
}

TEST_F(Chai3d, WithoutADeviceOrWithAnotherNumberItSaysSo) {
  EXPECT_TRUE(says(refusal({"2"}), "it counts 2, from 0 on")) << refusal({"2"});
  EXPECT_TRUE(says(refusal({"", "", ""}), "all are in use"));
  EXPECT_FALSE(chai3d_.arms[0].isOpen) << "what had been opened is closed again";
  chai3d_.arms[0].isPlugged = chai3d_.arms[1].isPlugged = false;
  EXPECT_TRUE(says(refusal({""}), "it counts no devices")) << refusal({""});
  EXPECT_TRUE(says(refusal({"0"}), "CHAI3D 3.3.0")) << refusal({"0"});
}

TEST_F(Chai3d, TwoDevicesByNumberInAnyOrder) {
  for (const bool swapped : {false, true}) {
    const auto opened = swapped ? open({"1", "0"}) : open({"0", "1"});
    ASSERT_TRUE(opened.ok()) << opened.error().sentence;
    HapticDevice& right = *opened.value().devices[swapped ? 1 : 0];
    HapticDevice& left = *opened.value().devices[swapped ? 0 : 1];
    EXPECT_EQ(left.capabilities().side, Side::Left);
    EXPECT_EQ(left.capabilities().model, "sigma.7L");
    EXPECT_EQ(right.capabilities().side, Side::Right);
    chai3d_.arms[1].position[1] = -0.05;
    chai3d_.arms[0].position[1] = 0.05;
    (void)left.write(pushedBy(Vector3d(-1.0, 0.0, 0.0)));
    (void)right.write(pushedBy(Vector3d(2.0, 0.0, 0.0)));
    tick();
    EXPECT_EQ(sampleOf(left).position.x(), -0.05);
    EXPECT_EQ(sampleOf(right).position.x(), 0.05);
    EXPECT_EQ(chai3d_.arms[1].wrench[1], -1.0);
    EXPECT_EQ(chai3d_.arms[0].wrench[1], 2.0);
  }
  for (const Chai3dArm& arm : chai3d_.arms) {
    EXPECT_FALSE(arm.isOpen);
    EXPECT_FALSE(arm.forcesOn) << "forces go off before it is closed";
  }
  // without numbers: the first free, then the next
  const auto both = open({"", ""});
  ASSERT_TRUE(both.ok()) << both.error().sentence;
  EXPECT_EQ(both.value().devices[0]->capabilities().model, "sigma.7R");
  EXPECT_EQ(both.value().devices[1]->capabilities().model, "sigma.7L");
}

TEST_F(Chai3d, AxesAreTurnedOnceBothWays) {
  const auto opened = open({"0"});
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  HapticDevice& device = *opened.value().devices[0];
  Chai3dArm& arm = chai3d_.arms[0];
  // theirs: x toward the user, y right, z up
  arm.position[0] = 0.01;
  arm.position[1] = 0.02;
  arm.position[2] = 0.03;
  arm.velocity[2] = 0.4;
  arm.angularVelocity[0] = 2.0;
  // a quarter turn about up: toward the user becomes right
  const double rotation[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
  for (int row = 0; row < 3; ++row)
    std::copy(std::begin(rotation[row]), std::end(rotation[row]), arm.rotation[row]);
  arm.gripperAngle = 0.3;
  arm.switches = 5;
  DeviceCommand command = pushedBy(Vector3d(1.0, 2.0, 3.0), Vector3d(0.01, 0.02, 0.03));
  command.gripperForce = 4.0;
  tick(64);
  EXPECT_FALSE(sampleOf(device).hasVelocity || sampleOf(device).hasAngularVelocity)
      << "CHAI3D's first estimates begin with zeros";
  (void)device.write(command);
  tick();
  DeviceStatus status;
  const DeviceSample sample = sampleOf(device, &status);
  EXPECT_TRUE(status.good()) << describe(status);
  EXPECT_EQ(sample.stage, DeviceStage::Ready);
  EXPECT_EQ(sample.position, Vector3d(0.02, 0.03, 0.01));
  EXPECT_TRUE(sample.hasVelocity && sample.hasAngularVelocity);
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

TEST_F(Chai3d, OneOfThreeFreedomsHasNoGripperAndDoesNotTurn) {
  chai3d_.arms[0].model = "Nobody's";
  chai3d_.arms[0].hasWrist = chai3d_.arms[0].hasGripper = false;
  chai3d_.arms[0].fitsLeft = true;
  const auto opened = open({"0"});
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  HapticDevice& device = *opened.value().devices[0];
  const DeviceCapabilities& can = device.capabilities();
  EXPECT_EQ(can.side, Side::Either);
  EXPECT_EQ(can.sensedFreedoms(), 3);
  EXPECT_EQ(can.actuatedFreedoms(), 3);
  EXPECT_EQ(can.peakForce, 12.0);
  EXPECT_EQ(can.workspaceExtent, Vector3d::Constant(0.15)) << "no profile bears its name";
  tick();
  const DeviceSample sample = sampleOf(device);
  EXPECT_EQ(sample.orientation.coeffs(), Eigen::Quaterniond::Identity().coeffs());
  EXPECT_EQ(sample.gripperAngle, 0.0) << "CHAI3D makes one up from the switch";
}

TEST_F(Chai3d, ForcesAreShortenedForItLimitsNothing) {
  const auto opened = open({"0"});
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  HapticDevice& device = *opened.value().devices[0];
  EXPECT_EQ(device.capabilities().mostStiffness, 4000.0);
  const DeviceStatus status = device.write(pushedBy(Vector3d(30.0, 40.0, 0.0)));
  EXPECT_TRUE(status.has(DeviceFlag::Saturated)) << describe(status);
  tick();
  EXPECT_NEAR(chai3d_.arms[0].wrench[1], 0.6 * 12.0, 1e-12);
  EXPECT_NEAR(chai3d_.arms[0].wrench[2], 0.8 * 12.0, 1e-12);
  // a loop that has died does not push for ever
  tick(100);
  EXPECT_EQ(chai3d_.arms[0].wrench[1], 0.0);
  EXPECT_TRUE(statusOf(device).has(DeviceFlag::CommandLate));
}

TEST_F(Chai3d, TwoFailedReadsAreAHiccupThreeALossAndItIsBackByNumber) {
  const auto opened = open({"0", "1"});
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  HapticDevice& right = *opened.value().devices[0];
  HapticDevice& left = *opened.value().devices[1];
  tick(2);
  chai3d_.arms[0].failures = 2;
  tick(3);
  EXPECT_EQ(right.counters().losses, 0U);
  EXPECT_FALSE(statusOf(right).has(DeviceFlag::Lost));

  (void)right.write(pushedBy(Vector3d(5.0, 0.0, 0.0)));
  tick();
  chai3d_.arms[0].isPlugged = false;
  tick(3);
  EXPECT_TRUE(statusOf(right).has(DeviceFlag::Lost)) << describe(statusOf(right));
  EXPECT_FALSE(chai3d_.arms[0].isOpen) << "or it could not be opened again";
  EXPECT_TRUE(statusOf(left).good()) << describe(statusOf(left));
  EXPECT_EQ(servo_->rejoinLost(), 0);

  // another one at its number is for nobody's hand here
  chai3d_.arms[0].isPlugged = true;
  chai3d_.arms[0].model = "omega.7R";
  EXPECT_EQ(servo_->rejoinLost(), 0);
  EXPECT_FALSE(chai3d_.arms[0].isOpen);

  chai3d_.arms[0].model = "sigma.7R";
  chai3d_.arms[0].wrench[1] = 0.0;
  chai3d_.arms[0].position[1] = 0.07;
  EXPECT_EQ(servo_->rejoinLost(), 1);
  EXPECT_EQ(chai3d_.arms[0].calibrations, 3) << "at the start, and each time that it was back";
  tick();
  DeviceStatus status;
  EXPECT_EQ(sampleOf(right, &status).position.x(), 0.07);
  EXPECT_TRUE(status.has(DeviceFlag::Rejoined)) << describe(status);
  EXPECT_EQ(chai3d_.arms[0].wrench[1], 0.0) << "what was commanded before the loss is forgotten";
  EXPECT_EQ(servo_->rejoinLost(), 0) << "nothing is lost any more";
}

TEST_F(Chai3d, OfTwoThatCannotBeToldApartALostOneStaysLost) {
  chai3d_.arms[1].model = chai3d_.arms[0].model;
  const auto opened = open({"0", "1"});
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  tick();
  chai3d_.arms[0].isPlugged = false;
  tick(3);
  chai3d_.arms[0].isPlugged = true;
  EXPECT_EQ(servo_->rejoinLost(), 0) << "it may be the other hand's, with its number moved up";
  EXPECT_TRUE(statusOf(*opened.value().devices[0]).has(DeviceFlag::Lost));
}

TEST_F(Chai3d, OneThatCannotCalibrateItselfIsNotUsed) {
  chai3d_.arms[0].calibrates = false;
  EXPECT_TRUE(says(refusal({"0"}), "it cannot calibrate itself")) << refusal({"0"});
  EXPECT_FALSE(chai3d_.arms[0].isOpen);
  // and the first free is then the other
  const auto opened = open({""});
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  EXPECT_EQ(opened.value().devices[0]->capabilities().model, "sigma.7L");
}

TEST_F(Chai3d, WhatIsThrownStaysInTheModule) {
  chai3d_.arms[0].throws = true;
  EXPECT_TRUE(says(refusal({"0"}), "a broken wire")) << refusal({"0"});
  EXPECT_FALSE(chai3d_.arms[0].isOpen);
}

TEST_F(Chai3d, WhatIsPrintedStaysOutOfStandardOutput) {
  chai3d_.prints = true;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  std::printf("before, ");
  const bool isThere = open({"0"}).ok();
  std::printf("after");
  const std::string out = testing::internal::GetCapturedStdout();
  const std::string err = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(isThere);
  EXPECT_EQ(out, "before, after");
  EXPECT_TRUE(says(err, "CPhantomDevices")) << err;
}

TEST_F(Chai3d, LookingOpensNothingForLongAndMovesNothing) {
  VendorSettings settings = tests::byHand(TACTUS_CHAI3D_MODULE);
  settings.onlyLooks = true;
  const auto opened = openChai3d({"", "", ""}, settings);
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  EXPECT_EQ(opened.value().devices.size(), 2U);
  EXPECT_EQ(opened.value().notes.at(1), "sigma.7L, number 1 of CHAI3D 3.3.0, for the left hand");
  for (const Chai3dArm& arm : chai3d_.arms) {
    EXPECT_FALSE(arm.isOpen);
    EXPECT_EQ(arm.calibrations, 0);
  }
}

TEST_F(Chai3d, WhatTakesNoForcesIsTold) {
  const auto opened = open({"0"});
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  HapticDevice& device = *opened.value().devices[0];
  chai3d_.arms[0].takesForces = false;
  tick();
  EXPECT_TRUE(statusOf(device).has(DeviceFlag::ForcesOff)) << describe(statusOf(device));
  chai3d_.arms[0].takesForces = true;
  tick();
  EXPECT_TRUE(statusOf(device).good()) << describe(statusOf(device));
}

TEST_F(Chai3d, NumbersThatAreNoneStopAtTheAdapter) {
  const auto opened = open({"0"});
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  HapticDevice& device = *opened.value().devices[0];
  tick();
  (void)sampleOf(device);
  chai3d_.arms[0].position[2] = std::numeric_limits<double>::quiet_NaN();
  tick();
  DeviceStatus status;
  EXPECT_TRUE(isFinite(sampleOf(device, &status)));
  EXPECT_TRUE(status.has(DeviceFlag::NotFinite)) << describe(status);
  (void)device.write(pushedBy(Vector3d(std::numeric_limits<double>::infinity(), 0.0, 0.0)));
  tick();
  EXPECT_EQ(chai3d_.arms[0].wrench[1], 0.0);
}

// Threads of the adapter's own, through the module that was found by the other spelling; also for
// ThreadSanitizer. A read that blocks must block nobody here.
TEST(Chai3dThread, AReadThatBlocksMakesSamplesOldAndTheTickNotWait) {
  auto& chai3d = tests::standIn<Chai3dStandIn>(TACTUS_CHAI3D_THREADED_STAND_IN);
  chai3d.arms[0].isPlugged = true;
  VendorSettings settings;
  settings.libraries = {TACTUS_CHAI3D_THREADED_MODULE};
  auto opened = openChai3d({"0"}, settings);
  ASSERT_TRUE(opened.ok()) << opened.error().sentence;
  EXPECT_TRUE(says(opened.value().notes[0], "CHAI3D 3.2.0")) << opened.value().notes[0];
  HapticDevice& device = *opened.value().devices[0];
  DeviceSample sample;
  while (sample.number < 20)
    (void)device.read(monotonicNs(), sample);

  chai3d.arms[0].blocksReads = true;
  const std::uint64_t reads = chai3d.arms[0].reads;
  // a read that had begun may still end; after that there is nothing new
  while (sample.ageTicks < 100'000) {
    (void)device.read(monotonicNs(), sample);
    (void)device.write(pushedBy(Vector3d(1.0, 0.0, 0.0)));
  }
  EXPECT_LE(chai3d.arms[0].reads, reads + 1);
  const std::uint64_t before = sample.number;
  chai3d.arms[0].blocksReads = false;
  while (sample.number < before + 20)
    (void)device.read(monotonicNs(), sample);
  EXPECT_GE(device.counters().oldestAgeTicks, 100'000U);
}

}  // namespace
}  // namespace tactus::haptics
