#include "response/stability/stability_advisor.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactus::response {
namespace {

TEST(StabilityAdvisor, SaysWhatTheFormulaSays) {
  // b > K (T/2 + delay) + |B|
  const SampledDevice device{.damping = 2.0, .period = 0.001, .delay = 0.0005};
  const StabilityAdvice advice = adviceFor(device, 1000.0, -0.5);
  EXPECT_NEAR(advice.neededDamping, 1.5, 1e-12);
  EXPECT_NEAR(advice.passiveRatio, 2.0 / 1.5, 1e-12);
  EXPECT_TRUE(advice.isPassive());
  EXPECT_NEAR(advice.passiveStiffness, 1500.0, 1e-9);
  EXPECT_FALSE(adviceFor(device, 1500.1, 0.5).isPassive());
  EXPECT_TRUE(adviceFor(device, 1499.9, 0.5).isPassive());
  EXPECT_EQ(adviceFor(device, 100.0, 2.5).passiveStiffness, 0.0);
}

// hapticore's decision record, checked against the same formula: 0.1 N s/m at 4 kHz allow 800 N/m.
TEST(StabilityAdvisor, FasterLoopsAllowStifferWalls) {
  EXPECT_NEAR(adviceFor({.damping = 0.1, .period = 1.0 / 4000}, 0, 0).passiveStiffness, 800, 1e-9);
  EXPECT_NEAR(adviceFor({.damping = 0.1, .period = 1.0 / 1000}, 0, 0).passiveStiffness, 200, 1e-9);
}

TEST(StabilityAdvisor, FrictionHoldsWhatTheEncoderCannotSee) {
  const SampledDevice device{.damping = 0.05, .friction = 0.1, .encoderStep = 1e-4};
  EXPECT_NEAR(adviceFor(device, 1000, 0).quantisedStiffness, 2000, 1e-9);
  EXPECT_TRUE(adviceFor(device, 1999, 0).isWithinFriction);
  EXPECT_FALSE(adviceFor(device, 2001, 0).isWithinFriction);
  EXPECT_FALSE(adviceFor({.damping = 0.05}, 1, 0).isWithinFriction);
  EXPECT_TRUE(std::isinf(adviceFor({.damping = 0.05}, 0, 0).passiveRatio));
}

/// A mass between a sampled wall and an ideal velocity source at the frequency of the worst case:
/// net energy per period of a sinusoid, from the hold's describing integral.
double lossPerCycle(double b, double stiffness, double period, int ticksPerCycle) {
  // position sin(w t): the device loses b w pi A^2; the held spring gives, summed exactly
  const double w = 2 * 3.14159265358979 / (ticksPerCycle * period);
  double given = 0.0;
  for (int tick = 0; tick < ticksPerCycle; ++tick) {
    const double from = std::sin(w * period * tick);
    const double to = std::sin(w * period * (tick + 1));
    given += -stiffness * from * (to - from);
  }
  return b * w * 3.14159265358979 - given;
}

// The bound is the true one: at its stiffness the held spring gives less than the device loses at
// every frequency, and 5 % above there is one at which it gives more (towards slow motion, where
// the hold's energy per cycle is K T / 2 times that of damping).
TEST(StabilityAdvisor, TheBoundIsTheFirstWhereEnergyIsMadeAtSomeFrequency) {
  const SampledDevice device{.damping = 0.7, .period = 0.001};
  const double limit = adviceFor(device, 0, 0).passiveStiffness;
  bool isMade = false;
  for (int ticks = 2; ticks <= 2000; ++ticks) {
    EXPECT_GT(lossPerCycle(0.7, 0.999 * limit, 0.001, ticks), 0.0) << ticks;
    isMade |= lossPerCycle(0.7, 1.05 * limit, 0.001, ticks) < 0.0;
  }
  EXPECT_TRUE(isMade);
}

}  // namespace
}  // namespace tactus::response
