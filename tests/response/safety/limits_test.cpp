#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "response/safety/slew.hpp"
#include "response/safety/thermal_limit.hpp"
#include "tests/response/random_turn.hpp"

namespace tactus::response {
namespace {

using Eigen::Vector3d;
using tests::anyDirection;
using tests::SeededBits;

/// From the segment between nothing and `before`.
double distanceFromSegment(const Vector3d& point, const Vector3d& before) {
  const double squared = before.squaredNorm();
  const double along = squared > 0 ? std::clamp(point.dot(before) / squared, 0.0, 1.0) : 0.0;
  return (point - along * before).norm();
}

TEST(Slew, FallingForcePassesToTheBit) {
  SeededBits random(1);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d before = random.between(0.1, 10) * anyDirection(random);
    // shorter by a rounding at least, or it would be no falling force
    const Vector3d wanted = random.between(0.0, 0.999) * before;
    EXPECT_EQ(slewed(wanted, before, 1e-6), wanted);
    EXPECT_EQ(slewed(wanted, before, 0.01), wanted);
  }
  EXPECT_EQ(slewed(Vector3d::Zero(), Vector3d(1, 2, 3), 0.0), Vector3d::Zero());
}

TEST(Slew, RisesByTheLimitAlongOneDirection) {
  const Vector3d up(0, 1, 0);
  EXPECT_LT((slewed(9.0 * up, 2.0 * up, 0.5) - 2.5 * up).norm(), 1e-15);
  EXPECT_LT((slewed(9.0 * up, Vector3d::Zero(), 0.5) - 0.5 * up).norm(), 1e-15);
  EXPECT_LT((slewed(-9.0 * up, 2.0 * up, 0.5) + 0.5 * up).norm(), 1e-15);
  EXPECT_EQ(slewed(2.4 * up, 2.0 * up, 0.5), 2.4 * up);
}

// A force that fades goes through numbers whose products are zero; all of these are legal forces.
TEST(Slew, FollowsForcesTooSmallToMultiply) {
  const Vector3d way = Vector3d(1.0, -2.0, 0.5).normalized();
  for (const double before : {1e-100, 1e-160, 1e-200, 1e-300, 1e-310, 5e-324}) {
    for (const double wanted : {1e-3, 1e-150, 1e-200, 1e-310}) {
      for (const double rise : {0.0, 1e-300, 1e-12, 0.01}) {
        const Vector3d result = slewed(wanted * way, before * way, rise);
        EXPECT_TRUE(result.allFinite()) << before << " " << wanted << " " << rise;
        EXPECT_LE(result.norm(), std::max(wanted, before) * (1.0 + 1e-12));
      }
    }
  }
}

// Nothing of it is new by more than the limit, it points where it was wanted, and it is as long as
// that allows: a thousandth longer would be too much.
TEST(Slew, IsTheLongestWhoseNewPartIsWithinTheLimit) {
  SeededBits random(2);
  for (int i = 0; i < 20000; ++i) {
    const Vector3d before = random.between(0.0, 5.0) * anyDirection(random);
    const Vector3d direction =
        (before.normalized() * random.between(0.0, 2.0) + anyDirection(random)).normalized();
    const Vector3d wanted = random.between(0.0, 10.0) * direction;
    const double rise = random.between(0.0, 2.0);
    const Vector3d result = slewed(wanted, before, rise);
    EXPECT_LE(result.norm(), wanted.norm());
    EXPECT_LT((result - result.norm() * direction).norm(), 1e-14);
    EXPECT_LE(distanceFromSegment(result, before), rise + 1e-12);
    if (result != wanted) {
      EXPECT_GT(distanceFromSegment(1.001 * result + 1e-9 * direction, before), rise);
    }
  }
}

TEST(Slew, ArrivesInTheEnd) {
  SeededBits random(3);
  for (int i = 0; i < 100; ++i) {
    Vector3d now = 5.0 * anyDirection(random);
    const Vector3d wanted = 5.0 * anyDirection(random);
    for (int tick = 0; tick < 1000; ++tick)
      now = slewed(wanted, now, 0.05);
    EXPECT_EQ(now, wanted);
  }
}

TEST(ThermalLimit, GivesItsPeakWhenColdAndItsContinuousForceForEver) {
  ThermalLimit motor;
  EXPECT_EQ(motor.most(10.0, 4.0), 10.0);
  double hottest = 0.0;
  double given = 0.0;
  for (int tick = 0; tick < 200'000; ++tick) {
    given = motor.most(10.0, 4.0);
    motor.tick(given, 4.0, 10.0, 0.001);
    hottest = std::max(hottest, motor.warmth);
  }
  EXPECT_LE(hottest, 1.0);
  EXPECT_NEAR(given, 4.0, 0.01);
  // cools again
  for (int tick = 0; tick < 50'000; ++tick)
    motor.tick(0.0, 4.0, 10.0, 0.001);
  EXPECT_GT(motor.most(10.0, 4.0), 9.9);
}

TEST(ThermalLimit, WarmsAsAFirstOrderLagOfTheSquare) {
  ThermalLimit motor;
  for (int tick = 0; tick < 10'000; ++tick)
    motor.tick(3.0, 6.0, 10.0, 0.001);
  EXPECT_NEAR(motor.warmth, 0.25 * (1.0 - std::exp(-1.0)), 1e-4);
}

TEST(ThermalLimit, ADeviceWithoutOneHasNone) {
  ThermalLimit motor;
  for (int tick = 0; tick < 1000; ++tick)
    motor.tick(100.0, 3.0, 0.0, 0.001);
  EXPECT_EQ(motor.most(5.0, 3.0), 5.0);
  EXPECT_EQ(motor.most(5.0, 5.0), 5.0);
  EXPECT_EQ(motor.most(0.0, 0.0), 0.0);
}

}  // namespace
}  // namespace tactus::response
