#include "response/wrench.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>
#include <random>

namespace tactus::response {
namespace {

using Eigen::Vector3d;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Wrench, LeverOfAForceBecomesTorque) {
  // 2 N upward, 0.5 m to the right of where the torque is wanted: 1 N m counter-clockwise about z.
  const Wrench moved =
      aboutPoint({Vector3d(0, 2, 0), Vector3d::Zero()}, Vector3d(0.5, 0, 0), Vector3d::Zero());
  EXPECT_EQ(moved.force, Vector3d(0, 2, 0));
  EXPECT_EQ(moved.torque, Vector3d(0, 0, 1));
}

TEST(Wrench, PowerDoesNotDependOnThePoint) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto anyVector = [&] {
    return Vector3d{uniform(random), uniform(random), uniform(random)};
  };
  for (int i = 0; i < 1000; ++i) {
    const Wrench wrench{anyVector(), anyVector()};
    const Vector3d from = anyVector();
    const Vector3d to = anyVector();
    const Vector3d velocityAtFrom = anyVector();
    const Vector3d spin = anyVector();
    const Wrench moved = aboutPoint(wrench, from, to);
    const Vector3d velocityAtTo = velocityAtFrom + spin.cross(to - from);
    EXPECT_NEAR(wrench.force.dot(velocityAtFrom) + wrench.torque.dot(spin),
                moved.force.dot(velocityAtTo) + moved.torque.dot(spin), 1e-14);
  }
}

TEST(Wrench, ClampShortensWithoutTurning) {
  const Wrench clamped = clampedTo({3.0, 0.1}, {Vector3d(6, 0, 8), Vector3d(0, -2, 0)});
  EXPECT_LT((clamped.force - Vector3d(1.8, 0, 2.4)).norm(), 1e-15);
  EXPECT_LT((clamped.torque - Vector3d(0, -0.1, 0)).norm(), 1e-17);
}

TEST(Wrench, WithinTheLimitsNothingChangesToTheBit) {
  const Wrench wrench{Vector3d(0.1, 0.2, 0.3), Vector3d(-0.01, 0.02, 0.03)};
  const Wrench clamped = clampedTo({1.0, 0.1}, wrench);
  EXPECT_EQ(clamped.force, wrench.force);
  EXPECT_EQ(clamped.torque, wrench.torque);
}

TEST(Wrench, ForceThatWouldOverflowWhenSquaredKeepsItsDirection) {
  const Wrench clamped = clampedTo({5.0, 1.0}, {Vector3d(3e200, 4e200, 0), Vector3d::Zero()});
  EXPECT_LT((clamped.force - Vector3d(3, 4, 0)).norm(), 1e-14);
}

TEST(Wrench, AnythingNotFiniteGivesZero) {
  const Vector3d fine(1, 2, 3);
  const WrenchLimits limits{10.0, 10.0};
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    for (int axis = 0; axis < 3; ++axis) {
      Vector3d broken = fine;
      broken[axis] = bad;
      for (const Wrench& wrench : {Wrench{broken, fine}, Wrench{fine, broken}}) {
        const Wrench clamped = clampedTo(limits, wrench);
        EXPECT_EQ(clamped.force, Vector3d::Zero());
        EXPECT_EQ(clamped.torque, Vector3d::Zero());
      }
    }
    for (const WrenchLimits& broken : {WrenchLimits{bad, 1.0}, WrenchLimits{1.0, bad}}) {
      EXPECT_EQ(clampedTo(broken, {fine, fine}).force, Vector3d::Zero());
      EXPECT_EQ(clampedTo(broken, {fine, fine}).torque, Vector3d::Zero());
    }
  }
}

TEST(Wrench, ADeviceWithoutDrivenRotationGetsNoTorque) {
  const Wrench clamped = clampedTo({10.0, 0.0}, {Vector3d(1, 0, 0), Vector3d(1, 0, 0)});
  EXPECT_EQ(clamped.force, Vector3d(1, 0, 0));
  EXPECT_EQ(clamped.torque, Vector3d::Zero());
  EXPECT_EQ(clampedTo({-1.0, 1.0}, {Vector3d(1, 0, 0), Vector3d::Zero()}).force, Vector3d::Zero());
}

}  // namespace
}  // namespace tactus::response
