// The tree against the sum over all pairs, the lens of two balls, central differences, and itself
// in other frames and on other machines. Floats: a lens is off by 2e-6 of itself and of its disc
// times the radii (lens_sums.cpp), and so are sums of them.
#include "collision/tree/penetration_volume.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "collision/balls/ball_lens.hpp"
#include "tests/collision/on_vector_target.hpp"
#include "tests/collision/tree/ball_clouds.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using tests::ball;
using tests::cloud;
using tests::overAllPairs;
using tests::randomPoseWithin;
using tests::SeededBits;
using tests::SumOfPairs;

PenetrationVolume ask(const std::vector<InnerSphere>& a, const std::vector<InnerSphere>& b,
                      const Isometry3d& pose) {
  const InnerSphereTree treeA(a);
  const InnerSphereTree treeB(b);
  PenetrationScratch scratch;
  return penetrationVolume(treeA, treeB, pose, scratch);
}

Isometry3d shifted(double x, double y, double z) {
  return Isometry3d(Eigen::Translation3d(x, y, z));
}

TEST(PenetrationVolume, OfTwoBallsIsTheirLens) {
  const std::vector<InnerSphere> one{ball({3.0, 0.0, 0.0}, 1.0)};
  for (const double distance : {0.3, 1.0, 1.7, 1.99}) {
    const PenetrationVolume found = ask(one, one, shifted(0.0, distance, 0.0));
    const BallLens lens = ballLens(1.0, 1.0, distance);
    EXPECT_NEAR(found.volume, lens.volume, 1e-5) << distance;
    EXPECT_NEAR(found.lowerVolume, lens.volume, 1e-5) << distance;
    EXPECT_NEAR((found.force - Vector3d(0.0, lens.discArea, 0.0)).norm(), 0.0, 1e-5) << distance;
    // the force acts through the ball's centre, three to the right of B's origin
    EXPECT_NEAR((found.torque - Vector3d(0.0, 0.0, 3.0 * lens.discArea)).norm(), 0.0, 3e-5);
  }
  for (const double distance : {2.001, 5.0}) {
    const PenetrationVolume found = ask(one, one, shifted(0.0, 0.0, distance));
    EXPECT_EQ(found.volume, 0.0);
    EXPECT_EQ(found.force.norm(), 0.0);
  }
}

TEST(PenetrationVolume, ABallInsideAnotherGivesItsWholeAndNoForce) {
  const PenetrationVolume found =
      ask({ball({0.0, 0.0, 0.0}, 1.0)}, {ball({0.0, 0.0, 0.0}, 0.1)}, shifted(0.3, 0.2, 0.1));
  EXPECT_NEAR(found.volume, 4.0 / 3.0 * std::numbers::pi * 1e-3, 1e-8);
  EXPECT_EQ(found.force.norm(), 0.0);
}

TEST(PenetrationVolume, IsTheSumOverAllPairs) {
  SeededBits random(3);
  for (const int count : {1, 2, 3, 5, 17, 300, 3000}) {
    const std::vector<InnerSphere> a = cloud(1, count, {1.0, 0.5, 0.2});
    const std::vector<InnerSphere> b = cloud(2, 2 + count / 3, {0.5, 0.5, 0.5});
    const InnerSphereTree treeA(a);
    const InnerSphereTree treeB(b);
    PenetrationScratch scratch;
    for (int k = 0; k < 8; ++k) {
      const Isometry3d pose = randomPoseWithin(random, 0.7);
      const SumOfPairs sum = overAllPairs(a, b, pose);
      const PenetrationVolume found = penetrationVolume(treeA, treeB, pose, scratch);
      SCOPED_TRACE(std::to_string(count) + " pose " + std::to_string(k));
      EXPECT_NEAR(found.volume, sum.volume, 1e-4 * sum.volume + 1e-9);
      EXPECT_NEAR(found.lowerVolume, sum.lower, 1e-4 * sum.lower + 1e-9);
      EXPECT_NEAR((found.force - sum.force).norm(), 0.0, 1e-4 * sum.force.norm() + 1e-7);
      EXPECT_NEAR((found.torque - sum.torque).norm(), 0.0, 1e-4 * sum.force.norm() + 1e-7);
    }
  }
}

TEST(PenetrationVolume, SwapsWithItsObjects) {
  SeededBits random(5);
  const std::vector<InnerSphere> a = cloud(11, 800, {0.5, 0.5, 0.2});
  const std::vector<InnerSphere> b = cloud(12, 500, {0.5, 0.1, 0.5});
  for (int k = 0; k < 20; ++k) {
    const Isometry3d pose = randomPoseWithin(random, 0.4);
    const PenetrationVolume there = ask(a, b, pose);
    const PenetrationVolume back = ask(b, a, pose.inverse());
    EXPECT_NEAR(there.volume, back.volume, 1e-5 * there.volume);
    EXPECT_NEAR(there.lowerVolume, back.lowerVolume, 1e-5 * there.lowerVolume + 1e-12);
    EXPECT_NEAR((there.force + pose.linear() * back.force).norm(), 0.0,
                1e-4 * there.force.norm() + 1e-8);
  }
}

TEST(PenetrationVolume, ForceAndTorqueAreItsGradient) {
  SeededBits random(9);
  const std::vector<InnerSphere> a = cloud(21, 300, {0.4, 0.4, 0.2});
  const std::vector<InnerSphere> b = cloud(22, 300, {0.4, 0.4, 0.2});
  const double step = 2e-3;
  for (int k = 0; k < 5; ++k) {
    const Isometry3d pose = randomPoseWithin(random, 0.2);
    const PenetrationVolume here = ask(a, b, pose);
    for (int axis = 0; axis < 3; ++axis) {
      // the brute-force sum in doubles is smooth enough for differences; the tree equals it
      Isometry3d forth = pose;
      Isometry3d back = pose;
      forth.translation()[axis] += step;
      back.translation()[axis] -= step;
      const double slope =
          (overAllPairs(a, b, forth).volume - overAllPairs(a, b, back).volume) / (2.0 * step);
      EXPECT_NEAR(here.force[axis], -slope, 0.02 * here.force.norm() + 1e-4) << k;
      const Eigen::Matrix3d turn = Eigen::AngleAxisd(step, Vector3d::Unit(axis)).matrix();
      forth = back = pose;
      forth.linear() = turn * pose.linear();
      back.linear() = turn.transpose() * pose.linear();
      const double twist =
          (overAllPairs(a, b, forth).volume - overAllPairs(a, b, back).volume) / (2.0 * step);
      EXPECT_NEAR(here.torque[axis], -twist, 0.02 * here.force.norm() + 1e-4) << k;
    }
  }
}

TEST(PenetrationVolume, OfNothingIsNothing) {
  const std::vector<InnerSphere> nothing;
  const std::vector<InnerSphere> one{ball({0.0, 0.0, 0.0}, 1.0)};
  EXPECT_EQ(ask(nothing, one, Isometry3d::Identity()).volume, 0.0);
  EXPECT_EQ(ask(one, nothing, Isometry3d::Identity()).volume, 0.0);
}

using PenetrationVolumeOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, PenetrationVolumeOn, tests::eachTarget(), tests::targetName);

TEST_P(PenetrationVolumeOn, SameBytesEverywhere) {
  const auto hash = [] {
    SeededBits random(7);
    tests::BytesHash bytes;
    const std::vector<InnerSphere> a = cloud(31, 2000, {0.5, 0.5, 0.2});
    const std::vector<InnerSphere> b = cloud(32, 1500, {0.5, 0.1, 0.5});
    const InnerSphereTree treeA(a);
    const InnerSphereTree treeB(b);
    PenetrationScratch scratch;
    for (int k = 0; k < 10; ++k) {
      const Isometry3d pose = randomPoseWithin(random, 0.5);
      for (const EnergyLaw law : {EnergyLaw::Volume, EnergyLaw::Depth, EnergyLaw::DepthOfB}) {
        const PenetrationVolume found = penetrationVolume(
            treeA, treeB, pose, scratch, {.law = law, .wantsStiffness = k % 2 == 0});
        bytes.add(found.volume);
        bytes.add(found.lowerVolume);
        bytes.add(found.energy);
        bytes.add(found.force.x());
        bytes.add(found.torque.y());
        for (const double number : found.stiffness.reshaped())
          bytes.add(number);
      }
    }
    return bytes.value();
  };
  expectScalarBytes(hash);
}

}  // namespace
}  // namespace tactus::collision
