// The distance of surfaces in floats against the exact one in doubles, over random poses of shapes
// with flat, curved, thin and sharp places. Tolerance: the 1e-6 of the objects' size that the
// header promises.
#include "collision/surface/facet_distance.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "collision/exact/exact_distance.hpp"
#include "collision/surface/separation_list.hpp"
#include "tests/collision/on_vector_target.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using models::Mesh;
using tests::randomPose;
using tests::SeededBits;
namespace test = models::test;

struct Shape {
  std::string name;
  Mesh mesh;
};

std::vector<Shape> shapes() {
  return {
      {"box", test::box({1.0, 0.4, 0.7}, {5.0, -2.0, 1.0})},
      {"sphere", test::sphere(0.5, 24, 48)},
      {"torus", test::torus()},
      {"tetrahedron", test::tetrahedron()},
      {"plate", test::box({1.0, 0.002, 0.8})},
      {"needle", test::transformed(test::sphere(1.0, 24, 16), Eigen::Scaling(0.01, 0.01, 1.0))}};
}

double sizeOf(const Mesh& mesh) {
  return mesh.bounds().diagonal();
}

// A scratch that remembers leaves of others: of surfaces with more of them, at their place in
// memory too, and of the same two the other way round.
TEST(FacetDistance, OneScratchServesAnyPair) {
  const FacetHierarchy ball(test::sphere(0.5, 48, 96));
  const FacetHierarchy box(test::box());
  const FacetHierarchy bar(test::box({2.0, 0.3, 0.4}));
  SeededBits random(12);
  FacetDistanceScratch used;
  const auto expectSame = [&](const FacetHierarchy& a, const FacetHierarchy& b) {
    FacetDistanceScratch fresh;
    const Isometry3d pose = randomPose(random, a.origin(), b.origin(), 3.0);
    const FacetDistance one = facetDistance(a, b, pose, used);
    const FacetDistance other = facetDistance(a, b, pose, fresh);
    EXPECT_EQ(one.distance, other.distance);
    EXPECT_EQ(one.facetA, other.facetA);
    EXPECT_EQ(one.facetB, other.facetB);
    EXPECT_EQ(one.counters.nodePairs, other.counters.nodePairs);
    EXPECT_EQ(one.counters.facetPairs, other.counters.facetPairs);
  };
  for (int n = 0; n < 10; ++n) {
    expectSame(ball, ball);
    expectSame(box, ball);
    expectSame(ball, box);
    expectSame(box, bar);
    expectSame(bar, box);
  }
  // leaves that there are none of
  const Isometry3d beside(Eigen::Translation3d(3.0, 0.0, 0.0));
  EXPECT_NEAR(facetDistance(box, box, beside, used).distance, 2.0, 1e-6);
  used.lastA = used.lastB = 1'000'000;
  EXPECT_NEAR(facetDistance(box, box, beside, used).distance, 2.0, 1e-6);
}

TEST(FacetDistance, IsFiniteHoweverFar) {
  const FacetHierarchy ball(test::sphere(0.5, 24, 48));
  const FacetHierarchy box(test::box({1.0, 0.4, 0.7}, {5.0, -2.0, 1.0}));
  const Vector3d way = Vector3d(1.0, -2.0, 2.0) / 3.0;
  FacetDistanceScratch scratch;
  SeparationList list;
  for (const double far : {1e3, 1e9, 1e16, 0.9e17, 1.1e17, 1e18, 1e20, 1e40, 1e160, 1e300, 1e2}) {
    SCOPED_TRACE(far);
    const Isometry3d pose(Eigen::Translation3d(far * way));
    for (const FacetDistance& found :
         {facetDistance(ball, box, pose, scratch), coherentDistance(ball, box, pose, list)}) {
      EXPECT_NEAR(found.distance, far, 10.0 + 1e-6 * far);
      EXPECT_NEAR((found.onB - found.onA).stableNorm(), found.distance, 1e-9 * far);
    }
    EXPECT_FALSE(surfacesMeet(ball, box, pose, list).meets);
    list.forget();
    EXPECT_FALSE(surfacesMeet(ball, box, pose, list).meets);
  }
}

TEST(FacetDistance, IsTheExactOne) {
  SeededBits random(11);
  const std::vector<Shape> all = shapes();
  int apartOnes = 0;
  constexpr double kShare = 0.6;
  std::uint64_t opened = 0;
  std::uint64_t openedRoughly = 0;
  for (const Shape& a : all) {
    const ExactBody exactA(a.mesh);
    const FacetHierarchy facetsA(a.mesh);
    for (const Shape& b : all) {
      SCOPED_TRACE(a.name + " and " + b.name);
      const ExactBody exactB(b.mesh);
      const FacetHierarchy facetsB(b.mesh);
      FacetDistanceScratch scratch;
      for (int k = 0; k < 12; ++k) {
        const Isometry3d pose = randomPose(random, a.mesh.bounds().centre(),
                                           b.mesh.bounds().centre(), random.between(0.5, 3.0));
        const double tolerance = 1e-6 * (sizeOf(a.mesh) + sizeOf(b.mesh) + 3.0 + 6.0);
        const ExactDistance exact = exactDistance(exactA, exactB, pose);
        scratch.forget();
        const FacetDistance found = facetDistance(facetsA, facetsB, pose, scratch);
        EXPECT_FALSE(found.counters.stackWasFull);
        scratch.forget();
        const FacetDistance rough =
            facetDistance(facetsA, facetsB, pose, scratch, {.share = kShare});
        EXPECT_FALSE(rough.isCut);
        opened += found.counters.nodePairs;
        openedRoughly += rough.counters.nodePairs;
        if (exact.distance > 0.0) {
          ++apartOnes;
          EXPECT_NEAR(found.distance, exact.distance, tolerance) << k;
          EXPECT_NEAR((found.onA - found.onB).norm(), found.distance, tolerance) << k;
          EXPECT_LE(rough.least, exact.distance + tolerance) << k;
          EXPECT_GE(rough.least, kShare * found.least - tolerance) << k;
          EXPECT_GE(rough.distance, exact.distance - tolerance) << k;
          EXPECT_LE(kShare * rough.distance, exact.distance + tolerance) << k;
        }
      }
    }
  }
  EXPECT_GT(apartOnes, 200);
  EXPECT_LT(openedRoughly, opened);
}

// A side of the torus passes the plate's rim, triangles of 1 m by 2 mm, at less than a millimetre.
TEST(FacetDistance, NextToSliversToo) {
  const FacetHierarchy torus(test::torus());
  const FacetHierarchy plate(test::box({1.0, 0.002, 0.8}));
  Isometry3d pose = Isometry3d::Identity();
  pose.linear() = Eigen::Quaterniond(0.72354429535765941, 0.23803883677019227, -0.26624112053029098,
                                     -0.59070875275659895)
                      .toRotationMatrix();
  pose.translation() = Vector3d(0.49452002235429909, -0.084925369649365326, -0.55879239825953386);
  FacetDistanceScratch scratch;
  const double exact =
      exactDistance(ExactBody(test::torus()), ExactBody(test::box({1.0, 0.002, 0.8})), pose)
          .distance;
  EXPECT_NEAR(facetDistance(torus, plate, pose, scratch).distance, exact, 2e-6);
}

// Two boxes, one of them turned: a side against a face, a corner against a face.
TEST(FacetDistance, OfBoxesByHand) {
  const FacetHierarchy box(test::box());
  FacetDistanceScratch scratch;
  Isometry3d pose = Isometry3d::Identity();
  pose.translation() = Vector3d(2.0, 0.0, 0.0);
  EXPECT_NEAR(facetDistance(box, box, pose, scratch).distance, 1.0, 1e-6);
  pose.linear() = Eigen::AngleAxisd(0.25 * M_PI, Vector3d::UnitZ()).toRotationMatrix();
  scratch.forget();
  const FacetDistance side = facetDistance(box, box, pose, scratch);
  EXPECT_NEAR(side.distance, 1.5 - std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(side.onA.x(), 0.5, 1e-6);
  EXPECT_NEAR(side.onB.x(), 2.0 - std::sqrt(0.5), 1e-6);
}

TEST(FacetDistance, SurfacesThatMeetAreAtNone) {
  const FacetHierarchy torus(test::torus());
  FacetDistanceScratch scratch;
  Isometry3d pose = Isometry3d::Identity();
  pose.translation() = Vector3d(1.0, 0.0, 0.1);
  EXPECT_EQ(facetDistance(torus, torus, pose, scratch).distance, 0.0);
  // a ring through the other: linked, and apart
  pose.linear() = Eigen::AngleAxisd(0.5 * M_PI, Vector3d::UnitX()).toRotationMatrix();
  pose.translation() = Vector3d(1.0, 0.0, 0.0);
  scratch.forget();
  EXPECT_NEAR(facetDistance(torus, torus, pose, scratch).distance, 0.2, 0.01);
}

TEST(FacetDistance, SwapsWithItsObjects) {
  SeededBits random(5);
  const Mesh torus = test::torus();
  const Mesh box = test::box({0.4, 0.2, 0.9});
  const FacetHierarchy a(torus);
  const FacetHierarchy b(box);
  FacetDistanceScratch scratch;
  for (int k = 0; k < 50; ++k) {
    const Isometry3d pose = randomPose(random, {0, 0, 0}, {0, 0, 0}, random.between(0.0, 4.0));
    scratch.forget();
    const FacetDistance there = facetDistance(a, b, pose, scratch);
    scratch.forget();
    const FacetDistance back = facetDistance(b, a, pose.inverse(), scratch);
    EXPECT_NEAR(there.distance, back.distance, 1e-5) << k;
  }
}

// What the scratch remembers may help, and must not change the answer: also after a jump.
TEST(FacetDistance, MemoryOnlyHelps) {
  SeededBits random(23);
  const FacetHierarchy torus(test::torus(1.0, 0.4, 48, 24));
  FacetDistanceScratch warm;
  FacetDistanceScratch cold;
  std::uint64_t warmPairs = 0;
  std::uint64_t coldPairs = 0;
  Isometry3d pose = Isometry3d::Identity();
  for (int k = 0; k < 200; ++k) {
    if (k % 50 == 0) pose = randomPose(random, {0, 0, 0}, {0, 0, 0}, 3.2);
    pose.translation() += 1e-3 * Vector3d{random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                                          random.between(-1.0, 1.0)};
    cold.forget();
    const FacetDistance one = facetDistance(torus, torus, pose, warm);
    const FacetDistance other = facetDistance(torus, torus, pose, cold);
    EXPECT_NEAR(one.distance, other.distance, 1e-6) << k;
    warmPairs += one.counters.nodePairs;
    coldPairs += other.counters.nodePairs;
  }
  EXPECT_LT(warmPairs, coldPairs);
}

// What is found of a search that was cut is not closer than the truth, and what is certain of the
// rest not further.
TEST(FacetDistance, OfACutSearchIsNotFarWrong) {
  SeededBits random(29);
  const FacetHierarchy torus(test::torus(1.0, 0.4, 48, 24));
  FacetDistanceScratch scratch;
  int cuts = 0;
  int certain = 0;
  for (int k = 0; k < 40; ++k) {
    const Isometry3d pose = randomPose(random, {0, 0, 0}, {0, 0, 0}, 3.2);
    scratch.forget();
    const FacetDistance whole = facetDistance(torus, torus, pose, scratch);
    EXPECT_FALSE(whole.isCut);
    EXPECT_LE(whole.least, whole.distance);
    EXPECT_NEAR(whole.least, whole.distance, 1e-4);
    for (const std::uint32_t most : {0U, 80U, 160U, 320U, 2000U}) {
      scratch.forget();
      const FacetDistance cut = facetDistance(torus, torus, pose, scratch, {.nodePairs = most});
      EXPECT_LE(cut.counters.nodePairs, std::max(most, 72U)) << k << " with " << most;
      EXPECT_GE(cut.distance, whole.distance - 4e-6) << k << " with " << most;
      EXPECT_LE(cut.least, whole.distance) << k << " with " << most;
      if (!cut.isCut) {
        EXPECT_EQ(cut.distance, whole.distance) << k << " with " << most;
        EXPECT_EQ(cut.least, whole.least) << k << " with " << most;
        continue;
      }
      ++cuts;
      certain += cut.least > 0.0 ? 1 : 0;
    }
  }
  EXPECT_GT(cuts, 60);
  EXPECT_GT(certain, 10);
}

TEST(FacetDistance, OfNothingIsInfinite) {
  const FacetHierarchy nothing{Mesh{}};
  const FacetHierarchy box(test::box());
  FacetDistanceScratch scratch;
  EXPECT_EQ(facetDistance(nothing, box, Isometry3d::Identity(), scratch).distance,
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(facetDistance(box, nothing, Isometry3d::Identity(), scratch).distance,
            std::numeric_limits<double>::infinity());
}

using FacetDistanceOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, FacetDistanceOn, tests::eachTarget(), tests::targetName);

TEST_P(FacetDistanceOn, SameBytesEverywhere) {
  const auto hash = [] {
    SeededBits random(7);
    tests::BytesHash bytes;
    const FacetHierarchy torus(test::torus());
    const FacetHierarchy box(test::box({0.4, 0.2, 0.9}));
    FacetDistanceScratch scratch;
    for (int k = 0; k < 40; ++k) {
      const FacetDistance found = facetDistance(
          torus, box, randomPose(random, {0, 0, 0}, {0, 0, 0}, random.between(0.0, 4.0)), scratch);
      bytes.add(found.distance);
      bytes.add(found.onA.x());
      bytes.add(static_cast<double>(found.counters.nodePairs));
    }
    return bytes.value();
  };
  expectScalarBytes(hash);
}

}  // namespace
}  // namespace tactus::collision
