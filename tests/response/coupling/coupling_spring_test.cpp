#include "response/coupling/coupling_spring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "response/coupling/device_scale.hpp"
#include "response/coupling/felt_stiffness.hpp"
#include "response/rotation_vector.hpp"
#include "tests/response/random_turn.hpp"

namespace tactus::response {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using tests::anyDirection;
using tests::anyVector;
using tests::SeededBits;

Isometry3d anyPose(SeededBits& random, double size, double angle) {
  Isometry3d pose = Isometry3d::Identity();
  pose.linear() = turnBy(angle * anyDirection(random));
  pose.translation() = size * anyVector(random);
  return pose;
}

TEST(CouplingSpring, IsLinearBelowSaturation) {
  CouplingGains gains{.stiffness = 800.0, .turnStiffness = 0.5};
  Isometry3d hand = Isometry3d::Identity();
  hand.translation() = Vector3d(0.003, 0, 0.004);
  hand.linear() = turnBy(Vector3d(0, 0.3, 0));
  const CouplingState at =
      couplingAt(gains, hand, Isometry3d::Identity(), Vector3d::Zero(), Vector3d::Zero());
  EXPECT_LT((at.onTool.force - Vector3d(2.4, 0, 3.2)).norm(), 1e-14);
  EXPECT_LT((at.onTool.torque - Vector3d(0, 0.15, 0)).norm(), 1e-15);
  EXPECT_NEAR(at.energy, 0.5 * 800 * 25e-6 + 0.5 * 0.5 * 0.09, 1e-15);
}

TEST(CouplingSpring, TorqueGrowsNoMoreBeyondSixtyDegrees) {
  const CouplingGains gains{.turnStiffness = 0.5};
  double previous = 0.0;
  Vector3d turn = Vector3d::Zero();
  for (int degrees = 1; degrees <= 300; ++degrees) {
    Isometry3d hand = Isometry3d::Identity();
    hand.linear() = turnBy(Vector3d(0, 0, degrees * kSaturationAngle / 60.0));
    const CouplingState at =
        couplingAt(gains, hand, Isometry3d::Identity(), Vector3d::Zero(), turn);
    turn = at.turn;
    const double expected = 0.5 * kSaturationAngle * std::min(degrees, 60) / 60.0;
    EXPECT_NEAR(at.onTool.torque.z(), expected, 1e-14) << degrees;
    EXPECT_GT(at.energy, previous);
    previous = at.energy;
  }
}

TEST(CouplingSpring, SaturatesAtTheDevicesLimits) {
  const CouplingGains gains{
      .stiffness = 1000.0, .turnStiffness = 1.0, .mostForce = 5.0, .mostTorque = 0.1};
  Isometry3d hand = Isometry3d::Identity();
  hand.translation() = Vector3d(0.1, 0, 0);
  hand.linear() = turnBy(Vector3d(0, 0.5, 0));
  const CouplingState at =
      couplingAt(gains, hand, Isometry3d::Identity(), Vector3d::Zero(), Vector3d::Zero());
  EXPECT_NEAR(at.onTool.force.x(), 5.0, 1e-14);
  EXPECT_NEAR(at.onTool.torque.y(), 0.1, 1e-15);
  EXPECT_NEAR(at.energy, 5.0 * (0.1 - 0.0025) + 0.1 * (0.5 - 0.05), 1e-14);
}

// Force and torque, saturated or not, are what the energy's differences say. Central differences of
// 1e-6 of energies near 1 J: rounding 1e-10, curvature below that.
TEST(CouplingSpring, WrenchIsTheGradientOfTheEnergy) {
  SeededBits random(7);
  constexpr double kStep = 1e-6;
  for (int i = 0; i < 200; ++i) {
    const CouplingGains gains{.stiffness = 500.0, .turnStiffness = 2.0, .mostForce = 8.0};
    const Isometry3d tool = anyPose(random, 0.03, random.between(0, 3));
    const Isometry3d hand = anyPose(random, 0.03, random.between(0, 3));
    const Vector3d pivot = 0.1 * anyVector(random);
    const CouplingState at = couplingAt(gains, hand, tool, pivot, Vector3d::Zero());
    if (at.turn.norm() > 3.1) continue;  // at half a turn the shortest way jumps
    for (int axis = 0; axis < 6; ++axis) {
      double energies[2];
      for (const int side : {0, 1}) {
        const Vector3d by = (side == 0 ? kStep : -kStep) * Vector3d::Unit(axis % 3);
        Isometry3d there = tool;
        if (axis < 3) {
          there.translation() += by;
        } else {
          there.linear() = turnBy(by) * tool.linear();
          there.translation() = tool * pivot - there.linear() * pivot;
        }
        energies[side] = couplingAt(gains, hand, there, pivot, at.turn).energy;
      }
      const double slope = (energies[0] - energies[1]) / (2 * kStep);
      const double push = axis < 3 ? at.onTool.force[axis] : at.onTool.torque[axis - 3];
      EXPECT_NEAR(push, -slope, 1e-7) << axis;
    }
  }
}

TEST(FeltStiffness, OfSpringsInARow) {
  collision::Stiffness contact = collision::Stiffness::Zero();
  contact(1, 1) = 9000.0;
  contact(3, 3) = 1.0;
  const StiffnessInSeries series(1000.0, 0.5, contact);
  EXPECT_NEAR(series.ratio(), 9.0, 1e-12);
  const collision::Stiffness felt = series.felt();
  EXPECT_NEAR(felt(1, 1), 1.0 / (1.0 / 1000 + 1.0 / 9000), 1e-10);
  EXPECT_NEAR(felt(3, 3), 1.0 / (1.0 / 0.5 + 1.0 / 1.0), 1e-13);
  EXPECT_NEAR(felt(0, 0), 0.0, 1e-12);
}

TEST(FeltStiffness, IsTheInverseOfSummedCompliancesAndBoundedByTheCoupling) {
  SeededBits random(11);
  for (int i = 0; i < 200; ++i) {
    collision::Stiffness root;
    for (double& entry : root.reshaped())
      entry = random.between(-1.0, 1.0);
    Eigen::Matrix<double, 6, 1> unit;
    unit << 60, 60, 60, 2, 2, 2;
    const collision::Stiffness contact =
        unit.asDiagonal() * root * root.transpose() * unit.asDiagonal();
    Eigen::Matrix<double, 6, 1> coupling;
    coupling << 900, 900, 900, 1.5, 1.5, 1.5;
    const collision::Stiffness vc = coupling.asDiagonal();
    const StiffnessInSeries series(900.0, 1.5, contact);
    const collision::Stiffness expected = vc - vc * (vc + contact).inverse() * vc;
    EXPECT_LT((series.felt() - expected).norm(), 1e-8);
    EXPECT_LT((series.sum() - vc - contact).norm(), 1e-8);
    Eigen::Matrix<double, 6, 1> b;
    for (double& entry : b)
      entry = random.between(-1.0, 1.0);
    EXPECT_LT(((vc + contact) * series.solve(b) - b).norm(), 1e-10);
    // along any direction the hand feels less than the coupling
    const double felt = b.dot(series.felt() * b);
    EXPECT_GE(felt, -1e-10);
    EXPECT_LE(felt, b.dot(vc * b));
  }
}

// Against sixty thousand other steps of at most the same length.
TEST(FeltStiffness, NoStepWithinARadiusIsBetter) {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  SeededBits random(12);
  const auto anySix = [&random] {
    Vector6 some;
    for (double& entry : some)
      entry = random.between(-1.0, 1.0);
    return some;
  };
  Vector6 unit;
  unit << 60, 60, 60, 2, 2, 2;
  for (int i = 0; i < 200; ++i) {
    collision::Stiffness root;
    for (double& entry : root.reshaped())
      entry = random.between(-1.0, 1.0);
    const StiffnessInSeries series(900.0, 1.5,
                                   unit.asDiagonal() * root * root.transpose() * unit.asDiagonal());
    const Vector6 push = anySix();
    const Vector6 whole = series.solve(push);
    const double length = series.lengthOf(whole);
    EXPECT_NEAR(series.gainOf(push, whole), 0.5 * push.dot(whole), 1e-12);
    EXPECT_LT((series.solveWithin(push, 1.001 * length) - whole).norm(), 1e-12);
    EXPECT_NEAR(whole.dot(series.along(whole, 3.0) * whole), 3.0 * length * length, 1e-12);
    for (const double share : {0.9, 0.3, 1e-2, 1e-5}) {
      const Vector6 step = series.solveWithin(push, share * length);
      EXPECT_NEAR(series.lengthOf(step), share * length, 1e-9 * share * length) << share;
      const double gain = series.gainOf(push, step);
      EXPECT_NEAR(gain, push.dot(step) - 0.5 * step.dot(series.sum() * step), 1e-12);
      for (int k = 0; k < 75; ++k) {
        Vector6 other = step + random.between(0.0, 1.0) * step.norm() * anySix();
        other *= std::min(1.0, share * length / series.lengthOf(other));
        EXPECT_LE(series.gainOf(push, other), gain * (1 + 1e-9)) << share;
      }
    }
  }
}

TEST(FeltStiffness, WhatIsNegativeIsLeftOut) {
  collision::Stiffness contact = collision::Stiffness::Zero();
  contact(0, 0) = -5000.0;
  contact(1, 1) = 5000.0;
  const StiffnessInSeries series(1000.0, 1.0, contact);
  EXPECT_NEAR(series.sum()(0, 0), 1000.0, 1e-9);
  EXPECT_NEAR(series.sum()(1, 1), 6000.0, 1e-9);
  EXPECT_NEAR(series.felt()(0, 0), 0.0, 1e-9);
}

// Work at the device is s_f/s_p times work in the scene, whatever the motion.
TEST(DeviceScale, WorkOnBothSidesIsInOneProportion) {
  SeededBits random(13);
  for (int i = 0; i < 200; ++i) {
    const DeviceScale scale{random.between(0.1, 10.0), random.between(0.1, 10.0)};
    const Wrench inScene{anyVector(random), anyVector(random)};
    const Vector3d shift = anyVector(random);  // of the device
    const Vector3d turn = anyVector(random);
    const double scene = inScene.force.dot(scale.length * shift) + inScene.torque.dot(turn);
    const Wrench atDevice = scale.toDevice(inScene);
    EXPECT_NEAR(atDevice.force.dot(shift) + atDevice.torque.dot(turn), scale.ofEnergy() * scene,
                1e-12 * scale.ofEnergy() * (1 + scale.length));
  }
}

TEST(InteractionLevel, AreFourDifferentThings) {
  using enum InteractionLevel;
  EXPECT_TRUE(sensesRotation(SixInSixOut) && drivesRotation(SixInSixOut));
  EXPECT_TRUE(sensesRotation(SixInThreeOut) && !drivesRotation(SixInThreeOut));
  EXPECT_FALSE(sensesRotation(ThreeInThreeOut) || drivesRotation(ThreeInThreeOut));
  EXPECT_FALSE(turnsByButtons(ThreeInThreeOut));
  EXPECT_TRUE(turnsByButtons(ThreeInAndButtons));
  EXPECT_STREQ(nameOf(SixInThreeOut), "6in3out");
  EXPECT_STREQ(nameOf(ThreeInAndButtons), "3in+buttons");
  const Vector3d centre(1, 0, 0);
  const Vector3d handle(0, 1, 0);
  EXPECT_EQ(pivotOf(SixInSixOut, centre, handle), centre);
  for (const InteractionLevel level : {SixInThreeOut, ThreeInThreeOut, ThreeInAndButtons}) {
    EXPECT_EQ(pivotOf(level, centre, handle), handle);
    const PortedWrench split = ported(level, {Vector3d(1, 2, 3), Vector3d(4, 5, 6)});
    EXPECT_EQ(split.driven.torque, Vector3d::Zero());
    EXPECT_EQ(split.unactuated.torque, Vector3d(4, 5, 6));
    EXPECT_EQ(split.driven.force, Vector3d(1, 2, 3));
  }
}

}  // namespace
}  // namespace tactus::response
