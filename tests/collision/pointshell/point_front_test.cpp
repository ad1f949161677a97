// Queries that follow a motion against queries from scratch: the same bytes on any way, and fewer
// tests on one of small steps.
#include "collision/pointshell/point_front.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstdint>

#include "collision/pointshell/voxmap_pointshell.hpp"
#include "tests/collision/on_vector_target.hpp"
#include "tests/collision/pointshell/point_solids.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using tests::pointsOfB;
using tests::randomPose;
using tests::SeededBits;
using tests::shifted;
using tests::Solid;
using tests::solids;

void add(const PointForce& found, tests::BytesHash& bytes) {
  for (Eigen::Index k = 0; k < 3; ++k) {
    bytes.add(found.force[k]);
    bytes.add(found.torque[k]);
    bytes.add(found.nearest[k]);
  }
  bytes.add(found.area);
  bytes.add(found.distance);
  bytes.add(std::isnan(found.energy) ? 0.0 : found.energy);
  for (const double x : found.stiffness.reshaped())
    bytes.add(x);
}

std::uint64_t hashOf(const PointForce& found) {
  tests::BytesHash bytes;
  add(found, bytes);
  return bytes.value();
}

/// A little further: a shift and a turn about B's middle.
Isometry3d nudged(const Isometry3d& pose, const Vector3d& middle, double step, SeededBits& random) {
  const Vector3d axis{random.between(-1.0, 1.0), random.between(-1.0, 1.0), 1.1};
  Isometry3d there = pose;
  there.linear() =
      Eigen::AngleAxisd(step * random.between(-1.0, 1.0), axis.normalized()).toRotationMatrix() *
      pose.linear();
  there.translation() = pose * middle - there.linear() * middle +
                        step * Vector3d{random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                                        random.between(-1.0, 1.0)};
  return there;
}

std::uint32_t testsOf(const PointForce& found) {
  return found.nodeTests + found.pointTests;
}

constexpr std::array kLaws = {PointLaw::Depth, PointLaw::Volume, PointLaw::Layers};

TEST(PointFront, FollowingAMotionGivesTheSameBytes) {
  SeededBits random(31);
  for (const Solid& a : solids()) {
    for (const Solid& b : solids()) {
      if (&a == &b) continue;
      SCOPED_TRACE(a.name + " " + b.name);
      VoxmapPointshell scratch(a.body(), b.body());
      VoxmapPointshell coherent(a.body(), b.body(), Coherence::SmallSteps);
      Isometry3d pose = randomPose(random, a.middle(), b.middle(), 0.7);
      for (int k = 0; k < 80; ++k) {
        // small steps, longer ones, and every 20 of them somewhere else
        const double step = k % 40 < 20 ? 3e-4 : 3e-2;
        pose = k % 20 == 0 ? randomPose(random, a.middle(), b.middle(), random.between(0.3, 1.3))
                           : nudged(pose, b.middle(), step, random);
        const PointForceSettings settings{.law = kLaws[static_cast<std::size_t>(k / 5) % 3],
                                          .pointsOf = k % 4 < 2 ? PointsOf::A : PointsOf::B,
                                          .wantsContacts = k % 7 == 0,
                                          .wantsStiffness = k % 3 == 0};
        ASSERT_EQ(hashOf(coherent.query(pose, settings)), hashOf(scratch.query(pose, settings)))
            << k;
      }
    }
  }
}

// Two shells in one map: what was learnt of the one says nothing of the other.
TEST(PointFront, ForgetsWhenBoundToOthers) {
  const Solid& ball = solids()[0];
  const Pointshell large(models::test::sphere(0.5, 24, 48), {.points = 5000});
  const Pointshell small(models::test::box({0.1, 0.1, 0.1}, {0.45, 0.0, 0.0}), {.points = 5000});
  const Isometry3d pose = shifted({1.2, 0.0, 0.0});
  const Isometry3d near = shifted({0.02, 0.0, 0.0});
  for (const PointLaw law : kLaws) {
    VoxmapPointshell query(ball.body(), {&large, nullptr}, Coherence::SmallSteps);
    VoxmapPointshell fresh(ball.body(), {&small, nullptr});
    for (int n = 0; n < 2; ++n) {
      for (const Isometry3d& at : {pose, near, pose})
        EXPECT_TRUE(query.query(at, pointsOfB(law)).force.allFinite());
    }
    query.rebind(ball.body(), {&small, nullptr});
    for (const Isometry3d& at : {pose, near}) {
      const PointForce one = query.query(at, pointsOfB(law));
      const PointForce other = fresh.query(at, pointsOfB(law));
      EXPECT_EQ(one.force, other.force);
      EXPECT_EQ(one.area, other.area);
      EXPECT_EQ(one.distance, other.distance);
    }
  }
}

TEST(PointFront, AlsoWithinABudget) {
  SeededBits random(32);
  const Solid& a = solids()[1];
  const Solid& b = solids()[0];
  VoxmapPointshell scratch(a.body(), b.body());
  VoxmapPointshell coherent(a.body(), b.body(), Coherence::SmallSteps);
  Isometry3d pose = randomPose(random, a.middle(), b.middle(), 0.7);
  int cut = 0;
  for (int k = 0; k < 300; ++k) {
    pose = k % 50 == 0 ? randomPose(random, a.middle(), b.middle(), random.between(0.4, 0.8))
                       : nudged(pose, b.middle(), 1e-3, random);
    const std::array<std::uint32_t, 3> budgets = {2000, 5000, 10'000};
    const PointForceSettings settings{.pointTests = budgets[static_cast<std::size_t>(k) % 3]};
    PointForce found = coherent.query(pose, settings);
    PointForce expected = scratch.query(pose, settings);
    cut += found.isCut ? 1 : 0;
    if (expected.isDistanceCut) {
      // what it knows leads it further
      ASSERT_LE(found.distance, expected.distance);
      found.distance = expected.distance = 0.0;
      found.nearest = expected.nearest = Vector3d::Zero();
    }
    ASSERT_EQ(hashOf(found), hashOf(expected)) << k;
    ASSERT_EQ(found.isCut, expected.isCut);
  }
  EXPECT_GT(cut, 30);
}

// On a way of many radii keys would lose their digits: it starts anew now and then.
TEST(PointFront, ALongWayEndsWhereItBegan) {
  SeededBits random(33);
  const Solid& a = solids()[0];
  const Solid& b = solids()[2];
  VoxmapPointshell scratch(a.body(), b.body());
  VoxmapPointshell coherent(a.body(), b.body(), Coherence::SmallSteps);
  const Isometry3d home = randomPose(random, a.middle(), b.middle(), 0.6);
  const std::uint64_t expected = hashOf(scratch.query(home));
  std::uint32_t fewest = ~0U;
  for (int k = 0; k < 200; ++k) {
    Isometry3d away = home;
    away.translation() += Vector3d(0.0, 0.3, 0.0);
    static_cast<void>(coherent.query(away));
    const PointForce back = coherent.query(home);
    ASSERT_EQ(hashOf(back), expected) << k;
    fewest = std::min(fewest, testsOf(back));
  }
  coherent.forget();
  EXPECT_EQ(testsOf(coherent.query(home)), testsOf(scratch.query(home)));
  EXPECT_LE(fewest, testsOf(scratch.query(home)));
}

// What a hand does in a tick of 1 kHz: a tenth of a millimetre, at objects of a metre.
TEST(PointFront, SmallStepsTakeFewerTests) {
  SeededBits random(34);
  struct Share {
    double apart, atMost;
  };
  for (const Share& share : {Share{1.25, 0.6}, Share{0.7, 0.85}}) {
    SCOPED_TRACE(share.apart);
    double known = 0.0;
    double all = 0.0;
    double nodes = 0.0;
    for (const Solid& b : solids()) {
      const Solid& a = solids()[1];
      VoxmapPointshell scratch(a.body(), b.body());
      VoxmapPointshell coherent(a.body(), b.body(), Coherence::SmallSteps);
      Isometry3d pose = randomPose(random, a.middle(), b.middle(), share.apart);
      static_cast<void>(coherent.query(pose));
      for (int k = 0; k < 100; ++k) {
        pose = nudged(pose, b.middle(), 1e-4, random);
        const PointForce found = coherent.query(pose);
        known += testsOf(found);
        nodes += found.nodeTests;
        all += testsOf(scratch.query(pose));
      }
    }
    EXPECT_LT(known, share.atMost * all);
    EXPECT_LT(nodes, 0.05 * all) << "nodes are looked at that were open before";
  }
}

// A body that rests costs no look at what it does not touch.
TEST(PointFront, RestIsFree) {
  const Solid& a = solids()[0];
  const Solid& b = solids()[2];
  VoxmapPointshell coherent(a.body(), b.body(), Coherence::SmallSteps);
  SeededBits random(35);
  const Isometry3d pose = randomPose(random, a.middle(), b.middle(), 1.3);
  const PointForceSettings forceOnly{.wantsDistance = false};
  // a level of the tree is shut at each query, from the blocks up
  for (int k = 0; k < 5; ++k)
    static_cast<void>(coherent.query(pose, forceOnly));
  EXPECT_EQ(testsOf(coherent.query(pose, forceOnly)), 0U);
}

// A pose that is no pose has no answer, and leaves nothing behind.
TEST(PointFront, GoesOnAfterAPoseThatIsNone) {
  const Solid& a = solids()[0];
  const Solid& b = solids()[1];
  VoxmapPointshell scratch(a.body(), b.body());
  VoxmapPointshell coherent(a.body(), b.body(), Coherence::SmallSteps);
  SeededBits random(36);
  const Isometry3d pose = randomPose(random, a.middle(), b.middle(), 0.7);
  static_cast<void>(coherent.query(pose));
  Isometry3d nowhere = pose;
  nowhere.translation().x() = std::nan("");
  static_cast<void>(coherent.query(nowhere));
  EXPECT_EQ(hashOf(coherent.query(pose)), hashOf(scratch.query(pose)));
}

using PointFrontOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, PointFrontOn, tests::eachTarget(), tests::targetName);

TEST_P(PointFrontOn, SameBytesEverywhere) {
  const Solid& a = solids()[1];
  const Solid& b = solids()[2];
  expectScalarBytes([&] {
    SeededBits random(37);
    tests::BytesHash bytes;
    VoxmapPointshell query(a.body(), b.body(), Coherence::SmallSteps);
    Isometry3d pose = randomPose(random, a.middle(), b.middle(), 0.7);
    for (int k = 0; k < 40; ++k) {
      pose = k % 20 == 0 ? randomPose(random, a.middle(), b.middle(), random.between(0.5, 1.3))
                         : nudged(pose, b.middle(), 1e-3, random);
      const PointForce found = query.query(
          pose, {.law = kLaws[static_cast<std::size_t>(k) % 3], .wantsStiffness = true});
      add(found, bytes);
      bytes.add(static_cast<double>(testsOf(found)));
    }
    return bytes.value();
  });
}

}  // namespace
}  // namespace tactus::collision
