// Brute force: points of one box are as far from the other as a face parts them. And bodies: what
// loadOn() leaves out for their boxes would not have pushed.
#include "response/bodies/turned_boxes.hpp"

#include <gtest/gtest.h>

#include "models/mesh/split_mix.hpp"
#include "response/bodies/world.hpp"
#include "tests/response/bodies/test_bodies.hpp"

namespace tactus::response {
namespace {

using Eigen::Isometry3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

class Chance {
 public:
  double aroundZero() { return bits_.aroundZero(); }
  Vector3d vector(double size) {
    const double x = aroundZero(), y = aroundZero(), z = aroundZero();
    return size * Vector3d(x, y, z);
  }
  Isometry3d pose(double size) {
    const Vector3d v = vector(1.0);
    const Quaterniond turn = Quaterniond(aroundZero(), v.x(), v.y(), v.z()).normalized();
    return Isometry3d(Eigen::Translation3d(vector(size)) * turn);
  }

 private:
  models::SplitMix bits_{7};
};

TEST(TurnedBoxes, AreAtLeastAsFarApartAsAFacePartsThem) {
  Chance chance;
  std::size_t parted = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const BodyBox a{chance.vector(0.2), chance.vector(1.0).cwiseAbs()};
    const BodyBox b{chance.vector(0.2), chance.vector(1.0).cwiseAbs()};
    const Isometry3d aFromB = chance.pose(1.5);
    const double gap = gapOfFaces(a, b, aFromB);
    EXPECT_NEAR(gap, gapOfFaces(b, a, aFromB.inverse()), 1e-12);
    if (!(gap > 0.0)) continue;
    ++parted;
    for (int k = 0; k < 200; ++k) {
      const Vector3d inB = b.middle + chance.vector(1.0).cwiseProduct(b.half);
      const Vector3d fromA = aFromB * inB - a.middle;
      ASSERT_GE((fromA.cwiseAbs() - a.half).cwiseMax(0.0).norm(), gap);
    }
  }
  EXPECT_GT(parted, 300U);
  EXPECT_LT(parted, 1700U);
  const BodyBox large{Vector3d::Zero(), Vector3d::Constant(0.5)};
  const auto gapAt = [&](double x) {
    return gapOfFaces(large, large, Isometry3d(Eigen::Translation3d(x, 0.0, 0.0)));
  };
  EXPECT_NEAR(gapAt(0.99), -0.01, 1e-12);
  EXPECT_NEAR(gapAt(1.01), 0.01, 1e-12);
  EXPECT_EQ(gapOfFaces(large, {}, Isometry3d(Eigen::Translation3d(9.0, 0.0, 0.0))), 0.0);
}

TEST(TurnedBoxes, LeaveOutOnlyWhatDoesNotPush) {
  // coarse fields, whose depths between the corners are least like the bodies'
  const Material material = test::elastic(1e7);
  BodyDescription ball =
      test::bodyOf(models::test::sphere(0.03, 12, 24), 1000.0, material, BodyKind::Kinematic, 200);
  BodyDescription box =
      test::bodyOf(models::test::box({0.1, 0.02, 0.06}), 1000.0, material, BodyKind::Fixed, 200);
  const std::vector<BodyDescription> bodies = {box, ball};
  World world(bodies, {});
  const std::vector<ContactSolid> solids = {box.solid, ball.solid};
  ContactScratch scratch(solids);
  collision::ContactPatches patches;
  Chance chance;
  const double length = 0.5 * (box.mass.radius + ball.mass.radius);
  std::size_t pushed = 0, apart = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    const Isometry3d pose = chance.pose(0.09);
    const ContactForce force = contactForce(
        box.solid, ball.solid, pose, pairedWith(material, material),
        {.law = ContactLaw::Depth, .budget = WorldSettings{}.budgetOfPair, .length = length},
        scratch, &patches);
    const ContactLoad load = world.loadOn(1, pose);
    ASSERT_EQ(load.energy, force.energy) << pose.translation().transpose();
    ++(force.touches ? pushed : apart);
  }
  EXPECT_GT(pushed, 1000U);
  EXPECT_GT(apart, 1000U);
}

// Few places of a tool and of what it is beside, again and again in any order: what was found apart
// before is no answer to another question.
TEST(TurnedBoxes, WhatWasApartPushesWhereItIsNot) {
  const Material material = test::elastic(1e7);
  BodyDescription ball =
      test::bodyOf(models::test::sphere(0.03, 12, 24), 1000.0, material, BodyKind::Kinematic, 200);
  BodyDescription box = test::bodyOf(models::test::box({0.1, 0.02, 0.06}), 1000.0, material,
                                     BodyKind::Kinematic, 200);
  const std::vector<BodyDescription> bodies = {box, ball};
  World world(bodies, {});
  const std::vector<ContactSolid> solids = {box.solid, ball.solid};
  ContactScratch scratch(solids);
  collision::ContactPatches patches;
  const double length = 0.5 * (box.mass.radius + ball.mass.radius);
  models::SplitMix random(11);
  const auto oneOf = [&random](std::uint64_t count) { return random.next() % count; };
  std::size_t pushed = 0, apart = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    if (oneOf(3) == 0) {
      BodyMotion motion;
      motion.centre = Vector3d(0.0, 0.005 * static_cast<double>(oneOf(3)), 0.0);
      world.place(0, motion);
    }
    const Isometry3d pose(
        Eigen::Translation3d(0.01, 0.03 + 0.005 * static_cast<double>(oneOf(5)), 0.0));
    const ContactForce force = contactForce(
        box.solid, ball.solid, world.pose(0).inverse(Eigen::Isometry) * pose,
        pairedWith(material, material),
        {.law = ContactLaw::Depth, .budget = WorldSettings{}.budgetOfPair, .length = length},
        scratch, &patches);
    ASSERT_EQ(world.loadOn(1, pose).energy, force.energy) << trial;
    ++(force.touches ? pushed : apart);
  }
  EXPECT_GT(pushed, 1000U);
  EXPECT_GT(apart, 1000U);
}

}  // namespace
}  // namespace tactus::response
