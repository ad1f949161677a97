// Whether solids touch, against the exact distance (0 when they touch, overlap, or one contains the
// other), which is decided in doubles like the query: there is no tolerance between them.
#include "collision/tree/solids_touch.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>
#include <set>

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

TouchBody bodyOf(const Solid& solid) {
  return {solid.object.tree, solid.object.facets};
}

TouchScratch scratchOf(const Solid& a, const Solid& b) {
  return {a.object.facets, b.object.facets};
}

Isometry3d shifted(double x, double y, double z) {
  return Isometry3d(Eigen::Translation3d(x, y, z));
}

TEST(SolidsTouch, IsWhatTheExactDistanceSays) {
  SeededBits random(41);
  int yes = 0;
  int no = 0;
  std::set<TouchReason> reasons;
  for (const Solid& a : test::smallSolids()) {
    for (const Solid& b : test::smallSolids()) {
      SCOPED_TRACE(a.name + " and " + b.name);
      TouchScratch scratch = scratchOf(a, b);
      for (int k = 0; k < 40; ++k) {
        const Isometry3d pose =
            tests::randomPose(random, a.middle(), b.middle(), random.between(0.0, 1.1));
        const bool truth = exactDistance(a.exact, b.exact, pose).distance == 0.0;
        scratch.forget();
        const SolidsTouch found = solidsTouch(bodyOf(a), bodyOf(b), pose, scratch);
        EXPECT_EQ(found.touch, truth) << k;
        EXPECT_LE(found.ballPairs, TouchScratch::kMostBallPairs);
        reasons.insert(found.reason);
        (truth ? yes : no)++;
      }
    }
  }
  EXPECT_GT(yes, 150);
  EXPECT_GT(no, 100);
  EXPECT_TRUE(reasons.contains(TouchReason::BallsMeet));
  EXPECT_TRUE(reasons.contains(TouchReason::SurfacesMeet));
  EXPECT_TRUE(reasons.contains(TouchReason::Apart));
}

TEST(SolidsTouch, IsUndecidedUntilACutSearchHasGoneOn) {
  SeededBits random(43);
  int undecided = 0;
  for (const Solid& a : test::smallSolids()) {
    for (const Solid& b : test::smallSolids()) {
      SCOPED_TRACE(a.name + " and " + b.name);
      TouchScratch scratch = scratchOf(a, b);
      for (int k = 0; k < 4; ++k) {
        const Isometry3d pose =
            tests::randomPose(random, a.middle(), b.middle(), random.between(0.3, 1.1));
        const bool truth = exactDistance(a.exact, b.exact, pose).distance == 0.0;
        scratch.forget();
        SolidsTouch found;
        int rounds = 0;
        do {
          found = solidsTouch(bodyOf(a), bodyOf(b), pose, scratch, 10);
          EXPECT_LE(found.facets.nodePairs, 10U) << k;
          if (found.reason == TouchReason::Undecided) {
            EXPECT_FALSE(found.touch) << k;
          }
        } while (found.reason == TouchReason::Undecided && ++rounds < 1000);
        EXPECT_EQ(found.touch, truth) << k;
        undecided += rounds;
      }
    }
  }
  EXPECT_GT(undecided, 20);
}

// Along a path that brings the solids together and apart, with jumps: what is remembered may help
// and must not change an answer.
TEST(SolidsTouch, FollowsAMotion) {
  SeededBits random(43);
  int sure = 0;
  for (const Solid& a : test::smallSolids()) {
    const Solid& b = test::smallSolids()[1];
    SCOPED_TRACE(a.name);
    TouchScratch scratch = scratchOf(a, b);
    for (int k = 0; k < 150; ++k) {
      // from within to apart in fifty steps; then it jumps back
      Isometry3d pose = shifted(0.3 + 0.025 * (k % 50), 0.1, 0.05);
      pose.linear() = Eigen::AngleAxisd(0.01 * k, Vector3d(0.6, 0.8, 0.0)).toRotationMatrix();
      pose.translation() += a.middle();
      const SolidsTouch found = solidsTouch(bodyOf(a), bodyOf(b), pose, scratch);
      EXPECT_EQ(found.touch, exactDistance(a.exact, b.exact, pose).distance == 0.0) << k;
      if (found.reason == TouchReason::CannotHaveMetSince) ++sure;
    }
  }
  EXPECT_GT(sure, 5);
}

TEST(SolidsTouch, OneInsideTheOtherWithoutMeetingBalls) {
  const Solid& ball = test::smallSolids()[0];
  const Solid tiny("tiny", models::test::tetrahedron(0.004), 4);
  TouchScratch scratch = scratchOf(ball, tiny);
  const InnerSphereTree none;
  SeededBits random(5);
  for (int k = 0; k < 100; ++k) {
    const Isometry3d pose = tests::randomPose(random, {0, 0, 0}, {0, 0, 0}, 0.4);
    EXPECT_TRUE(solidsTouch(bodyOf(ball), bodyOf(tiny), pose, scratch).touch) << k;
    scratch.forget();
    // without its spheres
    const SolidsTouch found = solidsTouch(bodyOf(ball), {none, tiny.object.facets}, pose, scratch);
    EXPECT_EQ(found.reason, TouchReason::OneInsideTheOther) << k;
    TouchScratch other = scratchOf(tiny, ball);
    EXPECT_TRUE(solidsTouch(bodyOf(tiny), bodyOf(ball), pose.inverse(), other).touch) << k;
  }
}

// Two balls of one mesh: one far outside, the other one inside without touching the surface.
TEST(SolidsTouch, APartInsideIsEnough) {
  models::Mesh two = models::test::sphere(0.01, 6, 12);
  models::test::append(two,
                       models::test::moved(models::test::sphere(0.01, 6, 12), {3.0, 0.0, 0.0}));
  const Solid parts("parts", two, 20);
  const Solid& ball = test::smallSolids()[0];
  TouchScratch scratch = scratchOf(ball, parts);
  EXPECT_TRUE(solidsTouch(bodyOf(ball), bodyOf(parts), shifted(0.3, 0.1, 0.05), scratch).touch);
  EXPECT_TRUE(solidsTouch(bodyOf(ball), bodyOf(parts), shifted(-2.9, 0.1, 0.05), scratch).touch);
  EXPECT_FALSE(solidsTouch(bodyOf(ball), bodyOf(parts), shifted(-1.5, 0.1, 0.05), scratch).touch);
}

// Both sides of the touch of two faces, a millionth of the objects' size apart.
TEST(SolidsTouch, BoxesFaceToFace) {
  const Solid& box = test::smallSolids()[2];
  TouchScratch scratch = scratchOf(box, box);
  const auto at = [&](double gap) {
    scratch.forget();
    return solidsTouch(bodyOf(box), bodyOf(box), shifted(0.0, 0.4 + gap, 0.0), scratch).touch;
  };
  EXPECT_FALSE(at(1e-6));
  EXPECT_TRUE(at(-1e-6));
  EXPECT_TRUE(at(-0.4)) << "an object and itself";
}

TEST(SolidsTouch, OfNothingOrNowhereIsNo) {
  const Solid& box = test::smallSolids()[2];
  const InnerSphereTree noSpheres;
  const FacetHierarchy noFacets{models::Mesh{}};
  TouchScratch scratch(box.object.facets, noFacets);
  EXPECT_FALSE(
      solidsTouch(bodyOf(box), {noSpheres, noFacets}, Isometry3d::Identity(), scratch).touch);
  TouchScratch whole = scratchOf(box, box);
  Isometry3d nowhere = Isometry3d::Identity();
  nowhere.translation().x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(solidsTouch(bodyOf(box), bodyOf(box), nowhere, whole).touch);
  EXPECT_TRUE(solidsTouch(bodyOf(box), bodyOf(box), Isometry3d::Identity(), whole).touch);
}

using SolidsTouchOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, SolidsTouchOn, tests::eachTarget(), tests::targetName);

TEST_P(SolidsTouchOn, SameBytesEverywhere) {
  const Solid& a = test::smallSolids()[1];
  const Solid& b = test::smallSolids()[2];
  const auto hash = [&] {
    SeededBits random(7);
    tests::BytesHash bytes;
    TouchScratch scratch = scratchOf(a, b);
    for (int k = 0; k < 60; ++k) {
      const SolidsTouch found = solidsTouch(
          bodyOf(a), bodyOf(b),
          tests::randomPose(random, a.middle(), b.middle(), random.between(0.0, 1.0)), scratch);
      bytes.add(static_cast<double>(found.reason));
      bytes.add(static_cast<double>(found.ballPairs));
      bytes.add(static_cast<double>(found.facets.nodePairs));
    }
    return bytes.value();
  };
  expectScalarBytes(hash);
}

}  // namespace
}  // namespace tactus::collision
