// Time of impact against motions whose impact is known, and against dense samples of the motion
// with the exact distance. What must hold at all times: at the returned time and before, surfaces
// are apart by more than half the tolerance (or by what they started with), and a hit is within the
// tolerance there.
#include "collision/tree/time_of_impact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "collision/exact/exact_distance.hpp"
#include "tests/collision/on_vector_target.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/collision/tree/small_solids.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using test::Solid;
using tests::SeededBits;

constexpr double kPi = std::numbers::pi;

TouchBody bodyOf(const Solid& solid) {
  return {solid.object.tree, solid.object.facets};
}

TimeOfImpact ask(const Solid& a, const Solid& b, const RigidMotion& motion,
                 const ImpactSettings& settings = {}) {
  TouchScratch touch(a.object.facets, b.object.facets);
  ImpactScratch scratch;
  return timeOfImpact(bodyOf(a), bodyOf(b), motion, settings, touch, scratch);
}

/// B's centre goes straight, from one point of A's frame to another, without a turn.
RigidMotion straight(const Vector3d& from, const Vector3d& to, double duration = 1.0) {
  RigidMotion motion;
  motion.start.translation() = from;
  motion.centre = from;
  motion.velocity = (to - from) / duration;
  motion.duration = duration;
  return motion;
}

const Solid& ball() {
  return test::smallSolids()[0];
}
const Solid& plate() {
  return test::smallSolids()[3];
}
const Solid& cube() {
  static const Solid made("cube", models::test::box(), 300);
  return made;
}

TEST(RigidMotion, KeepsItsCentreStraightAndItsEnds) {
  SeededBits random(3);
  for (int k = 0; k < 50; ++k) {
    const Isometry3d from = tests::randomPose(random, {1, 2, 3}, {0, 0, 0}, 1.0);
    const Isometry3d to = tests::randomPose(random, {0, 0, 0}, {1, 0, 0}, 2.0);
    const Vector3d centre(0.5, -1.0, 0.25);
    const RigidMotion motion = motionBetween(from, to, centre, 0.25);
    EXPECT_LE(motion.angularVelocity.norm() * 0.25, kPi + 1e-9);
    EXPECT_TRUE(motion.at(0.0).isApprox(from, 1e-12));
    EXPECT_TRUE(motion.at(0.25).isApprox(to, 1e-9)) << k;
    const Isometry3d half = motion.at(0.125);
    EXPECT_TRUE((half * centre).isApprox(0.5 * (from * centre + to * centre), 1e-12));
    EXPECT_TRUE(
        (half.linear() * from.linear().transpose() * half.linear()).isApprox(to.linear(), 1e-9));
  }
  // half a turn has two ways, and either is right
  Isometry3d turned = Isometry3d::Identity();
  turned.linear() = Eigen::AngleAxisd(kPi, Vector3d::UnitY()).toRotationMatrix();
  const RigidMotion half = motionBetween(Isometry3d::Identity(), turned, Vector3d::Zero());
  EXPECT_TRUE(half.at(1.0).isApprox(turned, 1e-9));
}

TEST(TimeOfImpact, OfBoxesThatMoveStraight) {
  const double tolerance = 1e-5;
  // faces meet at x = 1, after two thirds of the way
  const TimeOfImpact faces = ask(cube(), cube(), straight({3.0, 0.1, 0.2}, {0.0, 0.1, 0.2}, 6.0));
  EXPECT_EQ(faces.status, ImpactStatus::Hit);
  EXPECT_LE(faces.time, 4.0);
  EXPECT_GE(faces.time, 4.0 - 6.0 / 3.0 * tolerance);
  EXPECT_NEAR(faces.onA.x(), 0.5, 1e-9);
  EXPECT_NEAR((faces.onB - faces.onA).norm(), faces.distance, 1e-12);
  EXPECT_GT(faces.distance, 0.5 * tolerance * (1.0 - 1e-9));
  EXPECT_LE(faces.distance, tolerance);
  EXPECT_LE(faces.counters.steps, 4U) << "without a turn the first step should be the last one";
  // an edge against an edge
  RigidMotion edge = straight({0.0, 0.0, 3.0}, {0.0, 0.0, 0.0});
  edge.start.linear() = (Eigen::AngleAxisd(0.25 * kPi, Vector3d::UnitZ()) *
                         Eigen::AngleAxisd(0.25 * kPi, Vector3d::UnitX()))
                            .toRotationMatrix();
  const TimeOfImpact edges = ask(cube(), cube(), edge);
  EXPECT_EQ(edges.status, ImpactStatus::Hit);
  EXPECT_LE(edges.time, (3.0 - 0.5 - std::sqrt(0.5)) / 3.0);
  EXPECT_NEAR(edges.time, (3.0 - 0.5 - std::sqrt(0.5)) / 3.0, tolerance);
}

TEST(TimeOfImpact, OfAMissIsTheWholeMotion) {
  const RigidMotion past = straight({3.0, 1.01, 0.0}, {-3.0, 1.01, 0.0}, 2.0);
  const TimeOfImpact found = ask(cube(), cube(), past);
  EXPECT_EQ(found.status, ImpactStatus::NothingHit);
  EXPECT_EQ(found.time, 2.0);
  const TimeOfImpact away = ask(cube(), cube(), straight({1.1, 0.0, 0.0}, {9.0, 0.0, 0.0}));
  EXPECT_EQ(away.status, ImpactStatus::NothingHit);
  EXPECT_EQ(away.counters.steps, 1U);
  RigidMotion still = straight({1.1, 0.0, 0.0}, {1.1, 0.0, 0.0});
  EXPECT_EQ(ask(cube(), cube(), still).status, ImpactStatus::NothingHit);
  still.duration = 0.0;
  EXPECT_EQ(ask(cube(), cube(), still).status, ImpactStatus::NothingHit);
}

// A box turns in place beside another one: its corner at sqrt(1/2) from the axis reaches the plane
// x = 0.6 of the other when 45 degrees - angle = acos(0.6 / sqrt(1/2)).
TEST(TimeOfImpact, OfABoxThatTurnsInPlace) {
  RigidMotion turn = straight({-1.1, 0.0, 0.0}, {-1.1, 0.0, 0.0}, 2.0);
  turn.angularVelocity = Vector3d(0.0, 0.0, 0.5);
  const double angle = 0.25 * kPi - std::acos(0.6 / std::sqrt(0.5));
  const TimeOfImpact found = ask(cube(), cube(), turn);
  EXPECT_EQ(found.status, ImpactStatus::Hit);
  EXPECT_LE(found.time, angle / 0.5);
  EXPECT_NEAR(found.time, angle / 0.5, 1e-4);
  EXPECT_NEAR(found.onA.x(), -0.5, 1e-9);
  EXPECT_LE(found.counters.steps, 8U);
  // about an axis that the same box turns around without ever coming nearer
  turn.angularVelocity = Vector3d(5.0, 0.0, 0.0);
  EXPECT_EQ(ask(cube(), cube(), turn).status, ImpactStatus::NothingHit);
}

// A plate on an arm sweeps in a circle about a point outside of it and hits a ball with its face.
TEST(TimeOfImpact, OfAPlateOnAnArm) {
  RigidMotion swing;
  swing.start.linear() = Eigen::AngleAxisd(0.5 * kPi, Vector3d::UnitX()).toRotationMatrix();
  swing.start.translation() = Vector3d(2.0, 0.0, 0.0);
  swing.centre = Vector3d::Zero();
  swing.angularVelocity = Vector3d(0.0, 0.0, 1.0);
  swing.duration = 3.0;
  // a ball at 90 degrees, around the point (0, 2, 0): put into A's frame by moving all the rest
  RigidMotion moved = swing;
  moved.start.translation() -= Vector3d(0.0, 2.0, 0.0);
  moved.centre = Vector3d(0.0, -2.0, 0.0);
  const TimeOfImpact found = ask(ball(), plate(), moved);
  ASSERT_EQ(found.status, ImpactStatus::Hit);
  EXPECT_GT(found.time, 0.5);
  EXPECT_LT(found.time, 0.5 * kPi);
  EXPECT_NEAR(exactDistance(ball().exact, plate().exact, moved.at(found.time)).distance,
              found.distance, 1e-8);
}

TEST(TimeOfImpact, SaysThatItStartsInContact) {
  const TimeOfImpact in = ask(cube(), cube(), straight({0.9, 0.0, 0.0}, {3.0, 0.0, 0.0}));
  EXPECT_EQ(in.status, ImpactStatus::StartsInContact);
  EXPECT_EQ(in.time, 0.0);
  const Solid tiny("tiny", models::test::tetrahedron(0.01), 10);
  EXPECT_EQ(ask(cube(), tiny, straight({0.1, 0.1, 0.1}, {3.0, 0.0, 0.0})).status,
            ImpactStatus::StartsInContact)
      << "inside, far from the surface";
}

// Pushed against a wall again and again, a box stays in front of it, may slide along and leave.
TEST(TimeOfImpact, AWallCanBeFollowedAndLeft) {
  Vector3d at(1.3, 0.0, 0.0);
  for (int k = 0; k < 20; ++k) {
    const RigidMotion push = straight(at, at + Vector3d(-0.1, 0.01, 0.0));
    const TimeOfImpact found = ask(cube(), cube(), push);
    ASSERT_NE(found.status, ImpactStatus::StartsInContact) << k;
    at = push.at(found.time).translation();
    EXPECT_GT(at.x(), 1.0) << k;
    // never back to where edges lie upon edges: that passes within the tolerance of them
    const RigidMotion slide = straight(at, at + Vector3d(0.0, 0.0, k % 2 == 0 ? 0.02 : -0.013));
    const TimeOfImpact along = ask(cube(), cube(), slide);
    EXPECT_EQ(along.status, ImpactStatus::NothingHit) << k;
    at = slide.at(along.time).translation();
  }
  EXPECT_LT(at.x(), 1.0 + 0.6e-5);
  EXPECT_GT(at.x(), 1.0 + 0.499e-5) << "it crept nearer";
  EXPECT_EQ(ask(cube(), cube(), straight(at, {2.0, 0.0, 0.0})).status, ImpactStatus::NothingHit);
  // started closer than half the tolerance: no closer, but away
  const Vector3d close(1.0 + 2e-6, 0.0, 0.0);
  EXPECT_EQ(ask(cube(), cube(), straight(close, {0.9, 0.0, 0.0})).status, ImpactStatus::Hit);
  EXPECT_EQ(ask(cube(), cube(), straight(close, {1.2, 0.0, 0.0})).status, ImpactStatus::NothingHit);
}

// The brute force: samples of the motion with the exact distance.
TEST(TimeOfImpact, IsNeverLate) {
  SeededBits random(11);
  const ImpactSettings settings{.tolerance = 1e-4};
  int hits = 0;
  int misses = 0;
  for (const Solid& a : test::smallSolids()) {
    for (const Solid& b : test::smallSolids()) {
      SCOPED_TRACE(a.name + " and " + b.name);
      TouchScratch touch(a.object.facets, b.object.facets);
      ImpactScratch scratch;
      for (int k = 0; k < 6; ++k) {
        const Isometry3d from =
            tests::randomPose(random, a.middle(), b.middle(), random.between(0.8, 1.6));
        const Isometry3d to =
            tests::randomPose(random, a.middle(), b.middle(), random.between(0.3, 1.6));
        const RigidMotion motion = motionBetween(from, to, b.middle(), 2.0);
        const TimeOfImpact found =
            timeOfImpact(bodyOf(a), bodyOf(b), motion, settings, touch, scratch);
        const double start = exactDistance(a.exact, b.exact, from).distance;
        if (start == 0.0) {
          EXPECT_EQ(found.status, ImpactStatus::StartsInContact) << k;
          continue;
        }
        ASSERT_NE(found.status, ImpactStatus::StartsInContact) << k;
        ASSERT_NE(found.status, ImpactStatus::Unfinished) << k;
        constexpr int kSamples = 40;
        for (int i = 0; i <= kSamples; ++i) {
          const Isometry3d pose = motion.at(found.time * i / kSamples);
          EXPECT_GE(exactDistance(a.exact, b.exact, pose).distance,
                    std::min(start, 0.5 * settings.tolerance) * (1.0 - 1e-9))
              << k << " sample " << i;
        }
        if (found.status == ImpactStatus::Hit) {
          ++hits;
          EXPECT_NEAR(exactDistance(a.exact, b.exact, motion.at(found.time)).distance,
                      found.distance, 1e-7);
          EXPECT_LE(found.distance, settings.tolerance);
        } else {
          ++misses;
          EXPECT_EQ(found.time, motion.duration);
        }
      }
    }
  }
  EXPECT_GT(hits, 40);
  EXPECT_GT(misses, 5);
}

TEST(TimeOfImpact, IsTheSameInAnotherFrameAndTheOtherWayRound) {
  SeededBits random(19);
  const Solid& a = test::smallSolids()[1];
  const Solid& b = test::smallSolids()[2];
  for (int k = 0; k < 15; ++k) {
    // A alone is turned by `common`: then so are B's start, its centre and both velocities
    const Isometry3d from = tests::randomPose(random, a.middle(), b.middle(), 1.2);
    RigidMotion motion;
    motion.start = from;
    motion.centre = from * b.middle();
    motion.velocity = 0.8 * (a.middle() - motion.centre);
    motion.angularVelocity = Vector3d(0.3, -0.2, 0.4);
    const TimeOfImpact there = ask(a, b, motion);
    ASSERT_EQ(there.status, ImpactStatus::Hit) << k;
    // seen from B without a turn, A moves the other way
    motion.angularVelocity = Vector3d::Zero();
    const TimeOfImpact forth = ask(a, b, motion);
    RigidMotion back;
    back.start = from.inverse();
    back.centre = back.start * a.middle();
    back.velocity = -(back.start.linear() * motion.velocity);
    const TimeOfImpact seenFromB = ask(b, a, back);
    EXPECT_EQ(forth.status, seenFromB.status) << k;
    // both stop within the tolerance of the same impact, which is fast
    EXPECT_NEAR(forth.time, seenFromB.time, 1e-4) << k;
    // scaled time
    RigidMotion slow = motion;
    slow.velocity /= 8.0;
    slow.duration = 8.0;
    EXPECT_NEAR(ask(a, b, slow).time, 8.0 * forth.time, 1e-8) << k;
  }
}

TEST(TimeOfImpact, WhatTheStepsLeaveOpenIsStillFree) {
  RigidMotion turn = straight({-1.1, 0.0, 0.0}, {-1.05, 0.0, 0.0}, 2.0);
  turn.angularVelocity = Vector3d(0.1, 0.3, 0.5);
  const TimeOfImpact whole = ask(cube(), cube(), turn);
  ASSERT_EQ(whole.status, ImpactStatus::Hit);
  double before = 0.0;
  for (std::uint32_t steps = 1; steps < whole.counters.steps; ++steps) {
    const TimeOfImpact cut = ask(cube(), cube(), turn, {.mostSteps = steps});
    EXPECT_EQ(cut.status, ImpactStatus::Unfinished) << steps;
    EXPECT_EQ(cut.counters.steps, steps);
    EXPECT_GT(cut.time, before) << steps;
    EXPECT_LE(cut.time, whole.time) << steps;
    EXPECT_GT(exactDistance(cube().exact, cube().exact, turn.at(cut.time)).distance, 0.0);
    before = cut.time;
  }
  EXPECT_EQ(ask(cube(), cube(), turn, {.mostSteps = 0}).time, 0.0);
}

TEST(TimeOfImpact, WhatThePairsLeaveOpenIsStillFree) {
  RigidMotion turn = straight({-1.1, 0.0, 0.0}, {-1.05, 0.0, 0.0}, 2.0);
  turn.angularVelocity = Vector3d(0.1, 0.3, 0.5);
  const TimeOfImpact whole = ask(cube(), cube(), turn);
  ASSERT_EQ(whole.status, ImpactStatus::Hit);
  int free = 0;
  for (std::uint32_t pairs = 0; pairs < whole.counters.nodePairs; ++pairs) {
    const TimeOfImpact cut = ask(cube(), cube(), turn, {.mostNodePairs = pairs});
    EXPECT_EQ(cut.status, ImpactStatus::Unfinished) << pairs;
    EXPECT_LE(cut.counters.nodePairs, pairs);
    EXPECT_LE(cut.time, whole.time) << pairs;
    EXPECT_GT(exactDistance(cube().exact, cube().exact, turn.at(cut.time)).distance, 0.0);
    free += cut.time > 0.5 * whole.time ? 1 : 0;
  }
  EXPECT_GT(free, 0);
  EXPECT_EQ(ask(cube(), cube(), turn, {.mostNodePairs = 100'000}).time, whole.time);
}

TEST(TimeOfImpact, OfNothingOrNowhere) {
  const InnerSphereTree noSpheres;
  const FacetHierarchy noFacets{models::Mesh{}};
  TouchScratch touch(noFacets, cube().object.facets);
  ImpactScratch scratch;
  EXPECT_EQ(timeOfImpact({noSpheres, noFacets}, bodyOf(cube()), straight({2, 0, 0}, {0, 0, 0}), {},
                         touch, scratch)
                .status,
            ImpactStatus::NothingHit);
  EXPECT_EQ(timeOfImpactOfCores(noSpheres, cube().object.tree, 0.0, straight({2, 0, 0}, {0, 0, 0}),
                                {}, scratch)
                .status,
            ImpactStatus::NothingHit);
  RigidMotion nowhere = straight({2.0, 0.0, 0.0}, {0.0, 0.0, 0.0});
  nowhere.angularVelocity.x() = std::numeric_limits<double>::quiet_NaN();
  const TimeOfImpact found = ask(cube(), cube(), nowhere);
  EXPECT_EQ(found.status, ImpactStatus::Unfinished);
  EXPECT_EQ(found.time, 0.0);
}

// ---- cores --------------------------------------------------------------------------------------

InnerSphere sphere(const Vector3d& centre, double radius) {
  return {centre, 1.1 * radius, radius, 0.25 * radius};
}

std::vector<InnerSphere> cloud(std::uint64_t seed, int count) {
  SeededBits random(seed);
  std::vector<InnerSphere> spheres;
  spheres.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    spheres.push_back(
        sphere({random.between(-0.5, 0.5), random.between(-0.5, 0.5), random.between(-0.2, 0.2)},
               random.between(0.01, 0.06)));
  }
  return spheres;
}

TEST(TimeOfImpactOfCores, OfTwoBallsIsTheRootOfAQuadraticEquation) {
  const InnerSphereTree one(std::vector<InnerSphere>{sphere({1.0, 0.0, 0.0}, 0.5)});
  const InnerSphereTree other(std::vector<InnerSphere>{sphere({0.0, 0.0, 0.0}, 0.25)});
  ImpactScratch scratch;
  for (const double inset : {0.0, 0.1, -0.05}) {
    for (const double offset : {0.0, 0.3, 0.45}) {
      const RigidMotion motion = straight({3.0, offset, 0.0}, {-1.0, offset, 0.0}, 2.0);
      const TimeOfImpact found = timeOfImpactOfCores(one, other, inset, motion, {}, scratch);
      const double reach = 0.75 - 2.0 * inset;
      // |P + t M|^2 = reach^2 with P = (2, offset), M = (-2, 0)
      const double time = (2.0 - std::sqrt(reach * reach - offset * offset)) / 2.0;
      ASSERT_EQ(found.status, ImpactStatus::Hit) << inset << " " << offset;
      EXPECT_LE(found.time, time);
      EXPECT_NEAR(found.time, time, 2e-5);
    }
  }
  // smaller balls pass each other, and nothing is left of balls that are shrunk away
  const RigidMotion past = straight({3.0, 0.6, 0.0}, {-1.0, 0.6, 0.0});
  EXPECT_EQ(timeOfImpactOfCores(one, other, 0.0, past, {}, scratch).status, ImpactStatus::Hit);
  EXPECT_EQ(timeOfImpactOfCores(one, other, 0.1, past, {}, scratch).status,
            ImpactStatus::NothingHit);
  const RigidMotion through = straight({3.0, 0.0, 0.0}, {-1.0, 0.0, 0.0});
  EXPECT_EQ(timeOfImpactOfCores(one, other, 0.3, through, {}, scratch).status,
            ImpactStatus::NothingHit);
  EXPECT_EQ(
      timeOfImpactOfCores(one, other, 0.0, straight({1.2, 0.0, 0.0}, {5.0, 0.0, 0.0}), {}, scratch)
          .status,
      ImpactStatus::StartsInContact);
}

// A ball on an arm: it turns about the origin, and meets a ball of the same orbit.
TEST(TimeOfImpactOfCores, OfABallOnAnArm) {
  const InnerSphereTree fixed(std::vector<InnerSphere>{sphere({0.0, 2.0, 0.0}, 0.1)});
  const InnerSphereTree swinging(std::vector<InnerSphere>{sphere({2.0, 0.0, 0.0}, 0.2)});
  RigidMotion swing;
  swing.angularVelocity = Vector3d(0.0, 0.0, 1.0);
  swing.duration = 3.0;
  ImpactScratch scratch;
  const TimeOfImpact found = timeOfImpactOfCores(fixed, swinging, 0.0, swing, {}, scratch);
  const double angle = 0.5 * kPi - 2.0 * std::asin(0.15 / 2.0);
  ASSERT_EQ(found.status, ImpactStatus::Hit);
  EXPECT_LE(found.time, angle);
  EXPECT_NEAR(found.time, angle, 1e-5);
  EXPECT_LE(found.counters.steps, 12U);
}

TEST(TimeOfImpactOfCores, IsNeverLate) {
  SeededBits random(23);
  const std::vector<InnerSphere> a = cloud(1, 300);
  const std::vector<InnerSphere> b = cloud(2, 200);
  const InnerSphereTree treeA(a);
  const InnerSphereTree treeB(b);
  ImpactScratch scratch;
  int hits = 0;
  for (int k = 0; k < 40; ++k) {
    const double inset = k % 2 == 0 ? 0.0 : 0.02;
    const RigidMotion motion =
        motionBetween(tests::randomPose(random, {0, 0, 0}, {0, 0, 0}, 1.5),
                      tests::randomPose(random, {0, 0, 0}, {0, 0, 0}, 0.6), {0.1, 0.2, 0.0});
    const auto gapAt = [&](double time) {
      double gap = std::numeric_limits<double>::infinity();
      const Isometry3d pose = motion.at(time);
      for (const InnerSphere& j : b) {
        const Vector3d centre = pose * j.centre;
        for (const InnerSphere& i : a) {
          if (i.lowerRadius <= inset || j.lowerRadius <= inset) continue;
          gap = std::min(gap,
                         (centre - i.centre).norm() - i.lowerRadius - j.lowerRadius + 2.0 * inset);
        }
      }
      return gap;
    };
    const TimeOfImpact found = timeOfImpactOfCores(treeA, treeB, inset, motion, {}, scratch);
    if (found.status == ImpactStatus::StartsInContact) {
      EXPECT_LT(gapAt(0.0), 1e-6);
      continue;
    }
    for (const std::uint32_t most : {3U, 10U, 30U, 100U}) {
      const TimeOfImpact cut =
          timeOfImpactOfCores(treeA, treeB, inset, motion, {.mostNodePairs = most}, scratch);
      EXPECT_LE(cut.counters.nodePairs, most) << k;
      EXPECT_LE(cut.time, found.time) << k;
      if (cut.status != ImpactStatus::Unfinished) {
        EXPECT_EQ(cut.time, found.time) << k;
      }
    }
    ASSERT_NE(found.status, ImpactStatus::Unfinished);
    // floats of the tree hold the balls to 1e-7
    for (int i = 0; i <= 30; ++i)
      EXPECT_GT(gapAt(found.time * i / 30), 4e-6) << k << " sample " << i;
    if (found.status == ImpactStatus::Hit) {
      ++hits;
      EXPECT_NEAR(gapAt(found.time), found.distance, 1e-6) << k;
    }
  }
  EXPECT_GT(hits, 20);
}

using TimeOfImpactOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, TimeOfImpactOn, tests::eachTarget(), tests::targetName);

TEST_P(TimeOfImpactOn, SameBytesEverywhere) {
  const Solid& a = test::smallSolids()[1];
  const Solid& b = test::smallSolids()[2];
  const auto hash = [&] {
    SeededBits random(7);
    tests::BytesHash bytes;
    TouchScratch touch(a.object.facets, b.object.facets);
    ImpactScratch scratch;
    for (int k = 0; k < 12; ++k) {
      const RigidMotion motion =
          motionBetween(tests::randomPose(random, a.middle(), b.middle(), 1.2),
                        tests::randomPose(random, a.middle(), b.middle(), 0.4), b.middle());
      for (const TimeOfImpact& found :
           {timeOfImpact(bodyOf(a), bodyOf(b), motion, {}, touch, scratch),
            timeOfImpactOfCores(a.object.tree, b.object.tree, 0.01, motion, {}, scratch)}) {
        bytes.add(found.time);
        bytes.add(found.onA.x());
        bytes.add(static_cast<double>(found.counters.nodePairs));
        bytes.add(static_cast<double>(found.counters.leafPairs));
      }
    }
    return bytes.value();
  };
  expectScalarBytes(hash);
}

}  // namespace
}  // namespace tactus::collision
