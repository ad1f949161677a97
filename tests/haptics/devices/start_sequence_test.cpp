// From plugged in to felt: no force without a calibrated device, a grip near the middle and a free
// tool, 0.3 s long; no step of the factor; nothing from numbers that are none.
#include "haptics/devices/start_sequence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tactus::haptics {
namespace {

DeviceCapabilities capabilities() {
  DeviceCapabilities device;
  device.workspaceExtent = Eigen::Vector3d::Constant(0.2);
  return device;
}

DeviceSample sampleAt(DeviceStage stage, double x = 0.0) {
  DeviceSample sample;
  sample.stage = stage;
  sample.position.x() = x;
  return sample;
}

response::Wrench pushing(double force) {
  response::Wrench wrench;
  wrench.force.x() = force;
  return wrench;
}

/// Ticks until the stage is left; at most 100 000.
int ticksIn(StartSequence& start, StartStage stage, const DeviceSample& sample) {
  int ticks = 0;
  while (start.stage() == stage && ticks < 100'000) {
    start.advance({}, sample, {});
    ++ticks;
  }
  return ticks;
}

StartSequence running() {
  StartSequence start(capabilities(), StartSettings{});
  for (int i = 0; i < 5000; ++i)
    start.advance({}, sampleAt(DeviceStage::Ready), {});
  EXPECT_EQ(start.stage(), StartStage::Running);
  return start;
}

TEST(StartSequence, TakesEveryStageForItsTime) {
  StartSequence start(capabilities(), StartSettings{});
  const DeviceSample ready = sampleAt(DeviceStage::Ready);
  EXPECT_EQ(start.factor(), 0.0);
  EXPECT_EQ(ticksIn(start, StartStage::Identify, ready), 1);
  EXPECT_EQ(ticksIn(start, StartStage::Calibrate, ready), 1);
  EXPECT_EQ(ticksIn(start, StartStage::Gravity, ready), 100);
  EXPECT_EQ(ticksIn(start, StartStage::Neutral, ready), 300);
  EXPECT_EQ(start.factor(), 0.0);
  EXPECT_EQ(ticksIn(start, StartStage::Ramp, ready), 500);
  EXPECT_EQ(start.stage(), StartStage::Running);
  EXPECT_EQ(start.factor(), 1.0);
}

TEST(StartSequence, WaitsForWhoeverHasToDoSomething) {
  StartSequence start(capabilities(), StartSettings{});
  for (int i = 0; i < 1000; ++i) {
    start.advance({DeviceFlag::Lost}, sampleAt(DeviceStage::Searching), {});
    ASSERT_EQ(start.waitingFor(), WaitingFor::Device);
  }
  for (int i = 0; i < 1000; ++i)
    start.advance({}, sampleAt(DeviceStage::Calibrating), {});
  EXPECT_EQ(start.waitingFor(), WaitingFor::Calibration);
  for (int i = 0; i < 1000; ++i)
    start.advance({}, sampleAt(DeviceStage::NeedsHand), {});
  EXPECT_EQ(start.waitingFor(), WaitingFor::Hand);
  EXPECT_EQ(start.factor(), 0.0);
  for (int i = 0; i < 1000; ++i)
    start.advance({}, sampleAt(DeviceStage::Ready, 0.06), {});
  EXPECT_EQ(start.waitingFor(), WaitingFor::NeutralPose);
  for (int i = 0; i < 1000; ++i)
    start.advance({}, sampleAt(DeviceStage::Ready), pushing(0.21));
  EXPECT_EQ(start.waitingFor(), WaitingFor::SmallForce);
  for (int i = 0; i < 1000; ++i)
    start.advance({}, sampleAt(DeviceStage::Ready), pushing(std::nan("")));
  EXPECT_EQ(start.waitingFor(), WaitingFor::SmallForce) << "a force that is no number is not small";
  EXPECT_EQ(start.factor(), 0.0);
}

TEST(StartSequence, NeutralIsWithoutABreak) {
  StartSequence start(capabilities(), StartSettings{});
  const DeviceSample ready = sampleAt(DeviceStage::Ready);
  for (int i = 0; i < 102; ++i)
    start.advance({}, ready, {});
  ASSERT_EQ(start.stage(), StartStage::Neutral);
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 299; ++i)
      start.advance({}, ready, {});
    start.advance({}, ready, pushing(1.0));
    ASSERT_EQ(start.stage(), StartStage::Neutral);
  }
}

TEST(StartSequence, TheFactorNeverJumpsUpAndFadesWhenTheDeviceIsLost) {
  StartSequence start = running();
  double last = start.factor();
  for (int i = 0; i < 60; ++i) {
    const double factor = start.advance({DeviceFlag::Lost}, sampleAt(DeviceStage::Searching), {});
    ASSERT_LE(factor, last);
    ASSERT_GE(factor, last - 1.0 / 50.0 - 1e-12);
    last = factor;
  }
  EXPECT_EQ(last, 0.0);
  EXPECT_EQ(start.stage(), StartStage::Lost);
  for (int i = 0; i < 2000; ++i) {
    const double factor = start.advance({}, sampleAt(DeviceStage::Ready), {});
    ASSERT_LE(factor, last + 1.0 / 500.0 + 1e-12);
    if (i < 400) {
      ASSERT_EQ(factor, 0.0) << i;
    }
    last = factor;
  }
  EXPECT_EQ(last, 1.0);
}

TEST(StartSequence, LostForOneTickStillBeginsAnew) {
  StartSequence start = running();
  start.advance({DeviceFlag::Lost}, sampleAt(DeviceStage::Searching), {});
  for (int i = 0; i < 49; ++i)
    start.advance({}, sampleAt(DeviceStage::Ready), {});
  EXPECT_EQ(start.factor(), 0.0);
}

TEST(StartSequence, NoNumberNoForceInTheSameTick) {
  StartSequence start = running();
  EXPECT_EQ(start.advance({DeviceFlag::NotFinite}, sampleAt(DeviceStage::Ready), {}), 0.0);
  EXPECT_EQ(start.advance({}, sampleAt(DeviceStage::Ready), {}), 0.0);
}

TEST(StartSequence, AnEmergencyStopFadesAndWaitsForThePerson) {
  StartSequence start = running();
  for (int i = 0; i < 1000; ++i)
    start.advance({DeviceFlag::ForcesOff}, sampleAt(DeviceStage::Ready), {});
  EXPECT_EQ(start.factor(), 0.0);
  EXPECT_EQ(start.waitingFor(), WaitingFor::Hand);
}

TEST(StartSequence, CountsByTheTickItIsGiven) {
  StartSettings settings;
  settings.tickSeconds = 1.0 / 4000.0;
  StartSequence start(capabilities(), settings);
  const DeviceSample ready = sampleAt(DeviceStage::Ready);
  ticksIn(start, StartStage::Identify, ready);
  ticksIn(start, StartStage::Calibrate, ready);
  ticksIn(start, StartStage::Gravity, ready);
  EXPECT_EQ(ticksIn(start, StartStage::Neutral, ready), 1200);
}

TEST(BearableCommand, IsShortenedWithoutBeingTurnedAndNeverNoNumber) {
  DeviceCapabilities device;
  device.actuatesPosition = true;
  device.peakForce = 3.0;
  DeviceCommand command;
  command.wrench.force = Eigen::Vector3d(0.0, -30.0, 40.0);
  command.wrench.torque = Eigen::Vector3d(1.0, 0.0, 0.0);
  DeviceStatus status;
  const DeviceCommand given = bearable(device, command, status);
  EXPECT_TRUE(given.wrench.force.isApprox(Eigen::Vector3d(0.0, -1.8, 2.4)));
  EXPECT_EQ(given.wrench.torque, Eigen::Vector3d::Zero()) << "no motors for it";
  EXPECT_TRUE(status.has(DeviceFlag::Saturated));

  DeviceStatus small;
  command.wrench.force = Eigen::Vector3d(1.0, 0.0, 0.0);
  EXPECT_EQ(bearable(device, command, small).wrench.force, command.wrench.force);
  EXPECT_TRUE(small.good()) << describe(small);

  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    DeviceStatus noNumber;
    command.gripperForce = bad;
    EXPECT_EQ(bearable(device, command, noNumber).wrench.force, Eigen::Vector3d::Zero());
    EXPECT_EQ(describe(noNumber), "not finite");
  }
}

}  // namespace
}  // namespace tactus::haptics
