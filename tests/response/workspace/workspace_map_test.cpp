#include "response/workspace/workspace_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "response/rotation_vector.hpp"
#include "tests/response/random_turn.hpp"

namespace tactus::response {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using tests::anyDirection;
using tests::anyVector;
using tests::SeededBits;

constexpr double kTick = 0.001;

Isometry3d anyPose(SeededBits& random) {
  Isometry3d pose = Isometry3d::Identity();
  pose.linear() = turnBy(2.0 * anyDirection(random));
  pose.translation() = anyVector(random);
  return pose;
}

TEST(WorkspaceMap, BeginsWhereTheSceneSaysWhereverTheDeviceIs) {
  SeededBits random(1);
  for (int i = 0; i < 50; ++i) {
    const Isometry3d start = anyPose(random);
    WorkspaceMap map(start);
    WorkspaceInputs inputs;
    inputs.position = 0.04 * anyVector(random);
    inputs.orientation = turnBy(anyDirection(random));
    WorkspaceSettings settings;
    settings.sceneFromDevice = turnBy(anyDirection(random));
    settings.scale.length = 3.0;
    EXPECT_LT((map.tick(inputs, settings, kTick).sceneFromGrip.matrix() - start.matrix()).norm(),
              1e-14);
  }
}

TEST(WorkspaceMap, MotionIsScaledTurnsAreNotAndVelocitiesFit) {
  SeededBits random(2);
  for (int i = 0; i < 50; ++i) {
    WorkspaceMap map(anyPose(random));
    WorkspaceSettings settings;
    settings.sceneFromDevice = turnBy(3.0 * anyDirection(random));
    settings.scale.length = random.between(0.2, 5.0);
    settings.edgeRadius = 1.0;
    WorkspaceInputs inputs;
    inputs.orientation = turnBy(anyDirection(random));
    inputs.velocity = {0.1 * anyVector(random), anyVector(random)};
    const WorkspacePose before = map.tick(inputs, settings, kTick);
    inputs.position += 1e-5 * inputs.velocity.shift;
    inputs.orientation = turnBy(1e-5 * inputs.velocity.turn) * inputs.orientation;
    const WorkspacePose after = map.tick(inputs, settings, kTick);
    const Vector3d shift = after.sceneFromGrip.translation() - before.sceneFromGrip.translation();
    EXPECT_LT((shift - 1e-5 * after.velocity.shift).norm(), 1e-14);
    EXPECT_NEAR(shift.norm(), settings.scale.length * 1e-5 * inputs.velocity.shift.norm(), 1e-14);
    const Vector3d turn =
        rotationVector(after.sceneFromGrip.linear() * before.sceneFromGrip.linear().transpose());
    EXPECT_LT((turn - 1e-5 * after.velocity.turn).norm(), 1e-13);
    EXPECT_FALSE(after.isMoved);
  }
}

TEST(WorkspaceMap, NewScaleMovesNothing) {
  WorkspaceMap map(Isometry3d::Identity());
  WorkspaceInputs inputs;
  inputs.position = Vector3d(0.03, -0.02, 0.01);
  WorkspaceSettings settings;
  const Isometry3d before = map.tick(inputs, settings, kTick).sceneFromGrip;
  for (const double length : {2.0, 0.1, 30.0}) {
    settings.scale.length = length;
    const WorkspacePose now = map.tick(inputs, settings, kTick);
    EXPECT_LT((now.sceneFromGrip.matrix() - before.matrix()).norm(), 1e-14);
    EXPECT_TRUE(now.isMoved);
  }
}

// While clutched the hand is where the tool is; let go, it goes on from there.
TEST(WorkspaceMap, ClutchIsContinuous) {
  SeededBits random(3);
  for (const bool isTurnClutched : {true, false}) {
    WorkspaceSettings settings;
    settings.isTurnClutched = isTurnClutched;
    settings.scale.length = 2.0;
    WorkspaceMap map(anyPose(random));
    WorkspaceInputs inputs;
    Isometry3d tool = map.tick(inputs, settings, kTick).sceneFromGrip;
    Isometry3d before = tool;
    for (int tick = 0; tick < 3000; ++tick) {
      inputs.position = 0.03 * Vector3d(std::sin(0.003 * tick), std::sin(0.002 * tick), 0);
      inputs.orientation = turnBy(Vector3d(0, 0.5 * std::sin(0.004 * tick), 0));
      inputs.isClutched = tick % 1000 > 600;
      inputs.sceneFromToolGrip = tool;
      const WorkspacePose now = map.tick(inputs, settings, kTick);
      if (inputs.isClutched) {
        EXPECT_LT((now.sceneFromGrip.translation() - tool.translation()).norm(), 1e-14);
        EXPECT_EQ(now.velocity.shift, Vector3d::Zero());
        if (isTurnClutched) {
          EXPECT_LT((now.sceneFromGrip.linear() - tool.linear()).norm(), 1e-14);
        }
      }
      // 2 x 0.03 x 3 rad/s: 0.2 mm a tick
      EXPECT_LT((now.sceneFromGrip.translation() - before.translation()).norm(), 3e-4) << tick;
      EXPECT_LT((now.sceneFromGrip.linear() - before.linear()).norm(), 4e-3) << tick;
      before = tool = now.sceneFromGrip;
    }
  }
}

TEST(WorkspaceMap, BeyondTheEdgeTheHandDriftsUnlessSomethingPushesBack) {
  WorkspaceSettings settings;
  settings.isRateControlled = true;
  settings.scale.length = 2.0;
  WorkspaceMap map(Isometry3d::Identity());
  WorkspaceInputs inputs;
  static_cast<void>(map.tick(inputs, settings, kTick));
  inputs.position = Vector3d(0.065, 0, 0);  // 5 mm beyond: 0.05 m/s
  const WorkspacePose first = map.tick(inputs, settings, kTick);
  EXPECT_NEAR(first.edge.force.x(), -0.5, 1e-12);
  EXPECT_NEAR(first.edgeEnergy, 0.5 * 100 * 25e-6, 1e-12);
  WorkspacePose now = first;
  for (int tick = 0; tick < 1000; ++tick)
    now = map.tick(inputs, settings, kTick);
  EXPECT_NEAR(now.sceneFromGrip.translation().x() - first.sceneFromGrip.translation().x(), 0.05,
              1e-9);
  EXPECT_TRUE(now.isMoved);
  EXPECT_NEAR(now.velocity.shift.x(), 0.05, 1e-12);
  inputs.contactForce = Vector3d(-0.75, 0, 0);  // half of what stops it
  EXPECT_NEAR(map.tick(inputs, settings, kTick).velocity.shift.x(), 0.025, 1e-12);
  inputs.contactForce = Vector3d(-2, 0, 0);
  now = map.tick(inputs, settings, kTick);
  EXPECT_EQ(now.velocity.shift.x(), 0.0);
  EXPECT_FALSE(now.isMoved);
  // a push that helps does not hurry it; the most is the most
  inputs.contactForce = Vector3d(5, 0, 0);
  inputs.position = Vector3d(0.2, 0, 0);
  EXPECT_NEAR(map.tick(inputs, settings, kTick).velocity.shift.x(), 0.1, 1e-12);
}

TEST(WorkspaceMap, LevelsDecideWhoTurnsTheObject) {
  for (const InteractionLevel level :
       {InteractionLevel::SixInSixOut, InteractionLevel::SixInThreeOut,
        InteractionLevel::ThreeInThreeOut, InteractionLevel::ThreeInAndButtons}) {
    WorkspaceSettings settings;
    settings.level = level;
    WorkspaceMap map(Isometry3d::Identity());
    WorkspaceInputs inputs;
    static_cast<void>(map.tick(inputs, settings, kTick));
    inputs.orientation = turnBy(Vector3d(0, 0.3, 0));
    const Matrix3d turned = map.tick(inputs, settings, kTick).sceneFromGrip.linear();
    EXPECT_NEAR(rotationVector(turned).y(), sensesRotation(level) ? 0.3 : 0.0, 1e-14);
    inputs.buttons = Vector3d(0, 0, 1);
    WorkspacePose now;
    for (int tick = 0; tick < 1000; ++tick)
      now = map.tick(inputs, settings, kTick);
    const Vector3d by = rotationVector(now.sceneFromGrip.linear() * turned.transpose());
    EXPECT_NEAR(by.norm(), turnsByButtons(level) ? 0.7 : 0.0, 1e-9);
    EXPECT_EQ(now.isMoved, turnsByButtons(level));
  }
}

TEST(WorkspaceMap, WhatIsNoNumberLeavesTheHandWhereItWas) {
  const double bad = std::numeric_limits<double>::quiet_NaN();
  WorkspaceSettings settings;
  WorkspaceMap map(Isometry3d::Identity());
  WorkspaceInputs inputs;
  inputs.position = Vector3d(0.01, 0, 0);
  static_cast<void>(map.tick(inputs, settings, kTick));
  WorkspaceInputs broken = inputs;
  broken.position.y() = bad;
  EXPECT_FALSE(map.tick(broken, settings, kTick).isFinite);
  broken = inputs;
  broken.velocity.turn.x() = bad;
  EXPECT_FALSE(map.tick(broken, settings, kTick).isFinite);
  WorkspaceSettings brokenSettings = settings;
  brokenSettings.scale.length = bad;
  EXPECT_FALSE(map.tick(inputs, brokenSettings, kTick).isFinite);
  brokenSettings = settings;
  brokenSettings.sceneFromDevice(1, 1) = bad;
  EXPECT_FALSE(map.tick(inputs, brokenSettings, kTick).isFinite);
  const WorkspacePose now = map.tick(inputs, settings, kTick);
  EXPECT_TRUE(now.isFinite);
  EXPECT_LT((now.sceneFromGrip.matrix() - Isometry3d::Identity().matrix()).norm(), 1e-14);
}

// Power at the device is s_f/s_p times power at the tool, whatever the handle's place, the axes and
// the motion.
TEST(WorkspaceMap, WrenchOnTheDeviceDoesTheWorkOfTheWrenchInTheScene) {
  SeededBits random(5);
  for (int i = 0; i < 200; ++i) {
    WorkspaceSettings settings;
    settings.sceneFromDevice = turnBy(3.0 * anyDirection(random));
    settings.scale = {random.between(0.2, 5.0), random.between(0.2, 5.0)};
    settings.edgeRadius = 10.0;
    WorkspaceMap map(anyPose(random));
    WorkspaceInputs inputs;
    inputs.position = anyVector(random);
    inputs.orientation = turnBy(anyDirection(random));
    inputs.velocity = {anyVector(random), anyVector(random)};
    const WorkspacePose hand = map.tick(inputs, settings, kTick);
    const Isometry3d toolFromGrip = anyPose(random);
    const Vector3d pivot = anyVector(random);
    const HandMotion motion = handMotion(hand, toolFromGrip, pivot);
    EXPECT_LT((motion.sceneFromHand * toolFromGrip.matrix().col(3).head<3>() -
               hand.sceneFromGrip.translation())
                  .norm(),
              1e-14);
    const Wrench onHand{anyVector(random), anyVector(random)};
    const Wrench given = onDevice(onHand, motion, pivot, hand, settings);
    const double scene = onHand.force.dot(motion.velocity) + onHand.torque.dot(motion.spin);
    EXPECT_NEAR(work(given, inputs.velocity), settings.scale.ofEnergy() * scene,
                1e-11 * settings.scale.ofEnergy());
  }
}

}  // namespace
}  // namespace tactus::response
