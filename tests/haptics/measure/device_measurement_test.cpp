// Measuring simulated devices gives back what was put into them, within tolerances that the header
// promises; devices that cannot be measured are refused in a sentence and left without force.
#include "haptics/measure/device_measurement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "haptics/adapters/pointer_device.hpp"
#include "haptics/simulated/simulated_device.hpp"

namespace tactus::haptics {
namespace {

MeasurementSettings atOnce() {
  MeasurementSettings settings;
  settings.pace = [](std::uint64_t tick, bool& /*stop*/) {
    return static_cast<std::int64_t>(tick) * 1'000'000;
  };
  return settings;
}

/// A device that remembers its last command.
class Spy final : public HapticDevice {
 public:
  explicit Spy(HapticDevice& device) : device_(device) {}
  [[nodiscard]] const DeviceCapabilities& capabilities() const noexcept override {
    return device_.capabilities();
  }
  [[nodiscard]] DeviceStatus read(std::int64_t nowNs, DeviceSample& sample) noexcept override {
    return device_.read(nowNs, sample);
  }
  [[nodiscard]] DeviceStatus write(const DeviceCommand& command) noexcept override {
    force = command.wrench.force;
    most = std::max(most, force.norm());
    return device_.write(command);
  }
  [[nodiscard]] DeviceCounters counters() const noexcept override { return device_.counters(); }

  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  double most = 0.0;

 private:
  HapticDevice& device_;
};

void expectRecovered(const DeviceProfile& profile, const std::string& what,
                     std::uint32_t extraTicks = 0) {
  SimulatedSettings simulated;
  simulated.extraDelayTicks = extraTicks;
  SimulatedDevice device(profile, noHand(), simulated);
  Spy spy(device);
  const auto measured = measureDevice(spy, atOnce());
  ASSERT_TRUE(measured.ok()) << what << ": " << measured.error().sentence;
  const DeviceMeasurement& m = measured.value();
  EXPECT_NEAR(m.mass, profile.mass, 0.02 * profile.mass) << what;
  EXPECT_NEAR(m.damping, profile.damping, 0.03 + 0.02 * (profile.damping + profile.mass)) << what;
  EXPECT_NEAR(m.friction, profile.friction, 0.05 * profile.friction + 0.002) << what;
  EXPECT_NEAR(m.latency, profile.delay + 1e-3 * extraTicks, 0.25e-3) << what;
  EXPECT_NEAR(m.rate, 1000.0, 1e-6) << what;
  EXPECT_NEAR(m.jitter, 0.0, 1e-9) << what;
  EXPECT_NEAR(m.positionStep, profile.positionStep, 1e-3 * profile.positionStep + 1e-9) << what;
  EXPECT_LT(m.unexplained, 0.01) << what;
  EXPECT_EQ(spy.force, Eigen::Vector3d::Zero()) << what << ": left pushing";
  EXPECT_LE(spy.most, profile.capabilities.continuousForce) << what;
}

class ShippedProfiles : public testing::TestWithParam<const char*> {};

TEST_P(ShippedProfiles, ComeOutAsTheyWentIn) {
  expectRecovered(findProfile(GetParam()).value(), GetParam());
}
INSTANTIATE_TEST_SUITE_P(DeviceMeasurement, ShippedProfiles,
                         testing::Values("touch", "touch-x", "premium-6dof", "omega6", "sigma7",
                                         "lambda7", "falcon", "virtuose-6d-desktop", "inverse3"));

TEST(DeviceMeasurement, HeavyAndLightOnes) {
  DeviceProfile profile = findProfile("sigma7").value();
  profile.mass = 1.5;
  expectRecovered(profile, "heavy");
  profile = findProfile("touch").value();
  profile.mass = 0.03;
  profile.friction = 0.02;
  expectRecovered(profile, "light");
}

TEST(DeviceMeasurement, RubbingDampedAndLateOnes) {
  DeviceProfile profile = findProfile("sigma7").value();
  profile.friction = 1.2;
  expectRecovered(profile, "rubbing");
  profile = findProfile("sigma7").value();
  profile.damping = 2.0;
  expectRecovered(profile, "damped");
  profile = findProfile("omega6").value();
  profile.delay = 3.3e-3;
  expectRecovered(profile, "late", 1);
}

TEST(DeviceMeasurement, NoiseIsTheNoiseAndTheRestStillComesOut) {
  DeviceProfile profile = findProfile("sigma7").value();
  profile.positionNoise = 1e-5;
  SimulatedDevice device(profile, noHand(), {});
  const auto measured = measureDevice(device, atOnce());
  ASSERT_TRUE(measured.ok()) << measured.error().sentence;
  EXPECT_NEAR(measured.value().noise, 1e-5, 1e-6);
  EXPECT_NEAR(measured.value().mass, profile.mass, 0.03 * profile.mass);
  EXPECT_NEAR(measured.value().friction, profile.friction, 0.1 * profile.friction);
}

TEST(DeviceMeasurement, TheProfileOfItIsAProfileAndReadsBack) {
  const DeviceProfile profile = findProfile("premium-6dof").value();
  SimulatedDevice device(profile, noHand(), {});
  const auto measured = measureDevice(device, atOnce());
  ASSERT_TRUE(measured.ok()) << measured.error().sentence;
  const DeviceProfile made = profileOf(measured.value(), device.capabilities(), profile);
  const auto again = parseProfile(profileText(made, {}), "made.toml");
  ASSERT_TRUE(again.ok()) << again.error().sentence;
  EXPECT_EQ(again.value().mass, measured.value().mass);
  EXPECT_EQ(again.value().inertia, profile.inertia);
  expectRecovered(again.value(), "the measured one, measured");
}

TEST(DeviceMeasurement, WhatCannotBeMeasuredIsToldAndLeftAlone) {
  PointerDevice mouse;
  EXPECT_NE(measureDevice(mouse, atOnce()).error().sentence.find("no motors"), std::string::npos);

  const DeviceProfile profile = findProfile("sigma7").value();
  HandPath firm = noHand();
  firm.grasp = Grasp::Firm;
  SimulatedDevice held(profile, firm, {});
  const auto refused = measureDevice(held, atOnce());
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().sentence.find("hand"), std::string::npos) << refused.error().sentence;

  SimulatedSettings settings;
  settings.calibrationSeconds = 100.0;
  SimulatedDevice never(profile, noHand(), settings);
  EXPECT_NE(measureDevice(never, atOnce()).error().sentence.find("not ready (calibrating)"),
            std::string::npos);

  settings = {};
  settings.faults.lostFrom = 3000;
  SimulatedDevice lost(profile, noHand(), settings);
  EXPECT_NE(measureDevice(lost, atOnce()).error().sentence.find("lost"), std::string::npos);
  settings = {};
  settings.faults.notFiniteAt = 3000;
  SimulatedDevice broken(profile, noHand(), settings);
  Spy spy(broken);
  EXPECT_FALSE(measureDevice(spy, atOnce()).ok());
  EXPECT_GT(spy.most, 0.0);
  EXPECT_EQ(spy.force, Eigen::Vector3d::Zero());

  DeviceProfile stuck = profile;
  stuck.friction = 9.0;
  SimulatedDevice rusty(stuck, noHand(), {});
  EXPECT_NE(measureDevice(rusty, atOnce()).error().sentence.find("does not move"),
            std::string::npos);

  SimulatedDevice stopped(profile, noHand(), {});
  MeasurementSettings stops = atOnce();
  stops.pace = [](std::uint64_t tick, bool& stop) {
    stop = tick == 4000;
    return static_cast<std::int64_t>(tick) * 1'000'000;
  };
  Spy watched(stopped);
  const auto ended = measureDevice(watched, stops);
  EXPECT_EQ(ended.error().reason, models::Reason::Cancelled);
  EXPECT_EQ(watched.force, Eigen::Vector3d::Zero());
}

}  // namespace
}  // namespace tactus::haptics
