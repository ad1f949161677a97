#include "response/parameters/force_parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>

namespace tactus::response {
namespace {

constexpr double kTick = 0.001;

TEST(ForceParameters, EachNumberHasItsRangeOnce) {
  std::set<std::string> names;
  const ForceParameters defaults;
  std::set<const double*> seen;
  for (const ParameterRange& range : kForceParameterRanges) {
    EXPECT_FALSE(range.name.empty() || range.unit.empty());
    EXPECT_TRUE(names.insert(std::string(range.name)).second) << range.name;
    EXPECT_TRUE(seen.insert(&(defaults.*range.value)).second) << range.name;
    EXPECT_LT(range.low, range.high) << range.name;
    EXPECT_GE(defaults.*range.value, range.low) << range.name;
    EXPECT_LE(defaults.*range.value, range.high) << range.name;
    EXPECT_GT(range.seconds, 0.0) << range.name;
  }
  // doubles stand before the choices, without a gap: all of them are in the table
  const auto bytes = reinterpret_cast<const char*>(&defaults.tool) -
                     reinterpret_cast<const char*>(&defaults.stiffness);
  EXPECT_EQ(static_cast<std::size_t>(bytes) / sizeof(double), kForceParameterRanges.size());
}

TEST(ForceParameters, SlammedTheyTakeTheirTime) {
  for (const ParameterRange& range : kForceParameterRanges) {
    for (const bool isUp : {true, false}) {
      ForceParameters now;
      ForceParameters wanted;
      now.*range.value = isUp ? range.low : range.high;
      wanted.*range.value = isUp ? range.high : range.low;
      int ticks = 0;
      double largest = 0.0;
      while (now.*range.value != wanted.*range.value && ticks < 100'000) {
        const double before = now.*range.value;
        EXPECT_TRUE(slewParameters(now, wanted, false, kTick));
        largest = std::max(largest, std::abs(now.*range.value - before));
        ++ticks;
      }
      if (range.fallsAtOnce && !isUp) {
        EXPECT_EQ(ticks, 1) << range.name;
        continue;
      }
      EXPECT_NEAR(ticks * kTick, range.seconds, 0.02 * range.seconds + kTick) << range.name;
      if (!range.isScale) {
        EXPECT_LE(largest, (range.high - range.low) / range.seconds * kTick * (1 + 1e-9));
      }
      EXPECT_FALSE(slewParameters(now, wanted, false, kTick));
    }
  }
}

TEST(ForceParameters, NothingOutsideItsRangeOrNoNumberGetsIn) {
  for (const ParameterRange& range : kForceParameterRanges) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity(), -1e300, 1e300}) {
      ForceParameters now;
      ForceParameters wanted;
      wanted.*range.value = bad;
      for (int tick = 0; tick < 100; ++tick)
        slewParameters(now, wanted, true, kTick);
      EXPECT_GE(now.*range.value, range.low) << range.name;
      EXPECT_LE(now.*range.value, range.high) << range.name;
      if (std::isnan(bad)) {
        EXPECT_EQ(now.*range.value, ForceParameters().*range.value);
      }
    }
  }
}

TEST(ForceParameters, ChoicesWaitForFreeSpace) {
  ForceParameters now;
  ForceParameters wanted;
  wanted.tool = ToolKind::Dynamic;
  wanted.level = InteractionLevel::ThreeInThreeOut;
  wanted.velocity = VelocityMethod::LowPass;
  wanted.isPassivityOn = false;
  slewParameters(now, wanted, false, kTick);
  EXPECT_EQ(now.tool, ToolKind::QuasiStatic);
  EXPECT_EQ(now.level, InteractionLevel::SixInSixOut);
  EXPECT_EQ(now.velocity, VelocityMethod::AdaptiveWindow);
  EXPECT_FALSE(now.isPassivityOn);
  slewParameters(now, wanted, true, kTick);
  EXPECT_EQ(now.tool, ToolKind::Dynamic);
  EXPECT_EQ(now.level, InteractionLevel::ThreeInThreeOut);
  EXPECT_EQ(now.velocity, VelocityMethod::LowPass);
}

TEST(ForceParameters, StiffnessIsWhatTheHandFeelsAtAnyScale) {
  for (const double length : {0.1, 1.0, 20.0}) {
    for (const double force : {0.2, 1.0, 5.0}) {
      ForceParameters parameters;
      parameters.lengthScale = length;
      parameters.forceScale = force;
      const CouplingGains gains = couplingGains(parameters, {10.0, 0.2});
      const DeviceScale scale = deviceScale(parameters);
      // a millimetre at the device is `length` of them in the scene
      const Wrench felt = scale.toDevice({Eigen::Vector3d(gains.stiffness * length * 1e-3, 0, 0),
                                          Eigen::Vector3d(gains.turnStiffness * 0.1, 0, 0)});
      EXPECT_NEAR(felt.force.x(), 1.0, 1e-12);
      EXPECT_NEAR(felt.torque.x(), 0.05, 1e-12);
      // and saturates where the device does
      const Wrench most = scale.toDevice(
          {Eigen::Vector3d(gains.mostForce, 0, 0), Eigen::Vector3d(gains.mostTorque, 0, 0)});
      EXPECT_NEAR(most.force.x(), 10.0, 1e-12);
      EXPECT_NEAR(most.torque.x(), 0.2, 1e-12);
    }
  }
}

TEST(ForceParameters, LimitsNeverExceedTheDevices) {
  ForceParameters parameters;
  SafetySettings device;
  device.peak = {8.0, 0.1};
  device.continuous = {2.0, 0.05};
  device.deviceMass = 0.37;
  SafetySettings settings = safetySettings(parameters, device);
  EXPECT_EQ(settings.peak.force, 8.0);
  EXPECT_EQ(settings.continuous.torque, 0.05);
  EXPECT_EQ(settings.deviceMass, 0.37);
  parameters.mostForce = 1.0;
  settings = safetySettings(parameters, device);
  EXPECT_EQ(settings.peak.force, 1.0);
  EXPECT_EQ(settings.continuous.force, 1.0);
}

}  // namespace
}  // namespace tactus::response
