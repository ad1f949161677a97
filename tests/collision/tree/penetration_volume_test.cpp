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

const Vector3d kNowhere = Vector3d::Constant(1e9);

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

/// Volume times place of what two balls share, disc by disc across their line of centres.
Vector3d momentOf(const InnerSphere& a, const InnerSphere& b, const Vector3d& inA) {
  const double distance = (inA - a.centre).norm();
  const double from = std::max(-a.cellRadius, distance - b.cellRadius);
  const double to = std::min(a.cellRadius, distance + b.cellRadius);
  if (!(to > from)) return Vector3d::Zero();
  constexpr int kDiscs = 2000;
  const double thickness = (to - from) / kDiscs;
  double volume = 0.0;
  double moment = 0.0;
  for (int k = 0; k < kDiscs; ++k) {
    const double x = from + (k + 0.5) * thickness;
    const double y = x - distance;
    const double square =
        std::min(a.cellRadius * a.cellRadius - x * x, b.cellRadius * b.cellRadius - y * y);
    const double disc = std::numbers::pi * std::max(square, 0.0) * thickness;
    volume += disc;
    moment += disc * x;
  }
  return volume * a.centre + moment * (inA - a.centre) / distance;
}

// The lens has a closed form, here it is made of discs.
TEST(PenetrationVolume, CentroidIsThatOfAllLenses) {
  SeededBits random(13);
  int overlapping = 0;
  for (const int count : {1, 2, 5, 60, 300}) {
    const std::vector<InnerSphere> a = cloud(1, count, {1.0, 0.5, 0.2});
    const std::vector<InnerSphere> b = cloud(2, 2 + count / 3, {0.5, 0.5, 0.5});
    const InnerSphereTree treeA(a);
    const InnerSphereTree treeB(b);
    PenetrationScratch scratch;
    for (int k = 0; k < 8; ++k) {
      SCOPED_TRACE(std::to_string(count) + " pose " + std::to_string(k));
      const Isometry3d pose = randomPoseWithin(random, 0.3);
      Vector3d moment = Vector3d::Zero();
      for (const InnerSphere& first : a) {
        for (const InnerSphere& second : b)
          moment += momentOf(first, second, pose * second.centre);
      }
      const double volume = overAllPairs(a, b, pose).volume;
      const PenetrationVolume found =
          penetrationVolume(treeA, treeB, pose, scratch, {.wantsCentroid = true});
      ASSERT_EQ(found.centroid.has_value(), found.volume > 0.0);
      EXPECT_FALSE(penetrationVolume(treeA, treeB, pose, scratch).centroid.has_value());
      if (!(volume > 1e-9)) continue;
      ++overlapping;
      EXPECT_LT((found.centroid.value_or(kNowhere) - moment / volume).norm(), 2e-5);
      EXPECT_NEAR(found.volume, volume, 1e-4 * volume);
    }
  }
  EXPECT_GT(overlapping, 15);
}

// A ball within a ball is where it is, also the other way round and upon each other.
TEST(PenetrationVolume, CentroidOfABallInsideAnotherIsItsOwn) {
  const InnerSphereTree large(std::vector<InnerSphere>{ball({3.0, 0.0, 0.0}, 1.0)});
  const InnerSphereTree small(std::vector<InnerSphere>{ball({0.1, 0.0, 0.0}, 0.1)});
  PenetrationScratch scratch;
  for (const double off : {0.0, 0.3}) {
    const Isometry3d pose = shifted(2.9 + off, off, 0.0);
    const Vector3d middle(3.0 + off, off, 0.0);
    const PenetrationVolume there =
        penetrationVolume(large, small, pose, scratch, {.wantsCentroid = true});
    const PenetrationVolume back =
        penetrationVolume(small, large, pose.inverse(), scratch, {.wantsCentroid = true});
    EXPECT_LT((there.centroid.value_or(kNowhere) - middle).norm(), 1e-6) << off;
    EXPECT_LT((pose * back.centroid.value_or(kNowhere) - middle).norm(), 1e-6) << off;
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
