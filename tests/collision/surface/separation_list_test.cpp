// Queries that follow a motion against the same ones from scratch, which must agree to the bit, and
// both against the exact distance. The paths slide, jump, stand still, meet and part again.
#include "collision/surface/separation_list.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "collision/exact/exact_distance.hpp"
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

struct Pair {
  std::string name;
  Mesh a, b;
  double near;  ///< middles further apart than this are mostly of surfaces that are apart
};

std::vector<Pair> pairs() {
  const Mesh torus = test::torus(1.0, 0.4, 48, 24);
  const Mesh plate = test::box({1.0, 0.002, 0.8});
  const Mesh needle = test::transformed(test::sphere(1.0, 24, 16), Eigen::Scaling(0.01, 0.01, 1.0));
  return {{"tori", torus, torus, 2.6},
          {"plates", plate, plate, 0.8},
          {"ball and needle", test::sphere(0.5, 24, 48), needle, 1.0},
          {"far from its origin", torus, test::moved(torus, {40.0, -20.0, 30.0}), 2.6}};
}

/// A small step in all six directions.
Isometry3d stepped(SeededBits& random, const Isometry3d& pose, double step) {
  const auto vector = [&] {
    return Vector3d{random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                    random.between(-1.0, 1.0)};
  };
  Isometry3d next = pose;
  next.translation() += step * vector();
  const Vector3d turn = step * vector();
  next.linear() = Eigen::AngleAxisd(turn.norm(), turn.normalized()) * pose.linear();
  return next;
}

TEST(FarthestMove, IsNotExceededByAnyPointOnTheWay) {
  SeededBits random(3);
  for (int k = 0; k < 200; ++k) {
    const Isometry3d from = randomPose(random, {0, 0, 0}, {0, 0, 0}, 1.0);
    const Isometry3d to =
        k % 2 == 0 ? randomPose(random, {0, 0, 0}, {0, 0, 0}, 1.0) : stepped(random, from, 1e-3);
    const Vector3d centre(0.3, -0.2, 0.1);
    const double bound = farthestMove(from, to, centre, 0.5);
    const Eigen::AngleAxisd turn(Eigen::Matrix3d(to.linear() * from.linear().transpose()));
    double farthest = 0.0;
    for (int i = 0; i < 50; ++i) {
      const Vector3d p =
          centre + 0.5 * Vector3d{random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                                  random.between(-1.0, 1.0)}
                             .normalized();
      const double t = i % 3 == 0 ? 1.0 : random.between(0.0, 1.0);
      const Vector3d there =
          (1.0 - t) * (from * centre) + t * (to * centre) +
          Eigen::AngleAxisd(t * turn.angle(), turn.axis()) * (from.linear() * (p - centre));
      farthest = std::max(farthest, (there - from * p).norm());
    }
    EXPECT_LE(farthest, bound * (1.0 + 1e-9)) << k;
    EXPECT_GE(farthest, 0.2 * bound) << "far from what can be: " << k;
  }
}

TEST(SeparationList, GivesTheDistanceFromScratch) {
  SeededBits random(17);
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.name);
    const ExactBody exactA(pair.a);
    const ExactBody exactB(pair.b);
    const FacetHierarchy a(pair.a);
    const FacetHierarchy b(pair.b);
    const double tolerance = 1e-6 * (a.radius() + b.radius() + (a.radius() + b.radius() + 3.0));
    SeparationList list;
    SeparationList fresh;
    Isometry3d pose = Isometry3d::Identity();
    int apart = 0;
    for (int k = 0; k < 240; ++k) {
      if (k % 60 == 0) {  // a jump
        pose = randomPose(random, pair.a.bounds().centre(), pair.b.bounds().centre(),
                          pair.near + random.between(0.0, 1.0));
      } else if (k % 7 != 0) {  // every now and then it rests
        pose = stepped(random, pose, k % 60 < 30 ? 1e-3 : 2e-2);
      }
      fresh.forget();
      const FacetDistance followed = coherentDistance(a, b, pose, list);
      const FacetDistance scratch = coherentDistance(a, b, pose, fresh);
      ASSERT_EQ(followed.distance, scratch.distance) << k;
      if (scratch.distance > 0.0) {
        ++apart;
        EXPECT_EQ(followed.onA, scratch.onA) << k;
        EXPECT_EQ(followed.onB, scratch.onB) << k;
        EXPECT_EQ(followed.facetA, scratch.facetA) << k;
        EXPECT_EQ(followed.facetB, scratch.facetB) << k;
      }
      if (k % 8 == 0 && scratch.distance > 0.0) {
        EXPECT_NEAR(followed.distance, exactDistance(exactA, exactB, pose).distance, tolerance);
      }
    }
    EXPECT_GT(apart, 120);
  }
}

TEST(SeparationList, ASmallStepIsLittleWork) {
  const FacetHierarchy torus(test::torus(1.0, 0.4, 96, 48));
  SeparationList list;
  Isometry3d pose = Isometry3d::Identity();
  pose.translation() = Vector3d(2.9, 0.3, 0.4);
  const std::uint32_t first = coherentDistance(torus, torus, pose, list).counters.nodePairs;
  std::uint32_t later = 0;
  for (int k = 0; k < 50; ++k) {
    pose.translation().y() += 1e-4;
    later += coherentDistance(torus, torus, pose, list).counters.nodePairs;
  }
  EXPECT_LT(later, 50 * first / 5);
  const FacetDistance again = coherentDistance(torus, torus, pose, list);
  EXPECT_LT(again.counters.nodePairs, first / 10) << "it did not move at all";
}

TEST(SeparationList, ACutSearchGoesOn) {
  SeededBits random(31);
  const FacetHierarchy torus(test::torus(1.0, 0.4, 48, 24));
  constexpr std::uint32_t kMost = 40;
  constexpr double kTolerance = 4e-6;  // of two that are as good as equally close, either
  for (int k = 0; k < 20; ++k) {
    Isometry3d pose = randomPose(random, {0, 0, 0}, {0, 0, 0}, 3.2);
    SeparationList list;
    int cuts = 0;
    for (bool isCut = true; isCut && cuts < 200; cuts += isCut ? 1 : 0) {
      SeparationList fresh;
      const double truth = coherentDistance(torus, torus, pose, fresh).distance;
      const FacetDistance found = coherentDistance(torus, torus, pose, list, kMost);
      EXPECT_LE(found.counters.nodePairs, kMost) << k;
      EXPECT_LE(found.least, truth) << k;
      EXPECT_GE(found.distance, truth - kTolerance) << k;
      isCut = found.isCut;
      if (!isCut) {
        EXPECT_EQ(found.distance, truth) << k;
      }
      if (cuts % 2 == 0) pose = stepped(random, pose, 1e-4);
    }
    EXPECT_GT(cuts, 1) << k;
    EXPECT_LT(cuts, 100) << k;
  }
}

// More pairs than there is room for: two flat grids that lie upon each other.
TEST(SeparationList, AFullListOnlyForgets) {
  const Mesh flat = test::transformed(test::torus(1.0, 0.4, 96, 48), Eigen::Scaling(1.0, 1.0, 0.0));
  const FacetHierarchy grid(flat);
  SeparationList list;
  Isometry3d pose = Isometry3d::Identity();
  int forgotten = 0;
  for (int k = 0; k < 6; ++k) {
    pose.translation() = Vector3d(1e-4 * k, 2e-4 * k, 0.01 + 1e-5 * k);
    const FacetDistance found = coherentDistance(grid, grid, pose, list);
    EXPECT_NEAR(found.distance, pose.translation().z(), 1e-5) << k;
    EXPECT_FALSE(found.counters.stackWasFull);
    if (!list.isUsable) ++forgotten;
  }
  EXPECT_GT(forgotten, 0) << "the list was never full: this tests nothing";
}

TEST(SeparationList, SurfacesMeetWhereTheExactDistanceIsNone) {
  SeededBits random(29);
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.name);
    const ExactBody exactA(pair.a);
    const ExactBody exactB(pair.b);
    const FacetHierarchy a(pair.a);
    const FacetHierarchy b(pair.b);
    SeparationList list;
    SeparationList fresh;
    Isometry3d pose = Isometry3d::Identity();
    int sure = 0;
    for (int k = 0; k < 90; ++k) {
      if (k % 30 == 0) {
        pose = randomPose(random, pair.a.bounds().centre(), pair.b.bounds().centre(),
                          pair.near * random.between(0.5, 1.2));
      }
      pose = stepped(random, pose, k % 30 < 20 ? 0.02 : 1e-3);
      const SurfaceMeeting meeting = surfacesMeet(a, b, pose, list);
      const ExactDistance exact = exactDistance(exactA, exactB, pose);
      if (meeting.wereApartSince) ++sure;
      fresh.forget();
      const double surfaces = coherentDistance(a, b, pose, fresh).distance;
      EXPECT_LE(list.gap, surfaces) << "the gap is no bound";
      if (exact.distance > 0.0) {
        EXPECT_FALSE(meeting.meets) << k;
      } else if (!meeting.meets) {
        // no triangles meet, and so one is inside the other: the reference says 0 for that
        EXPECT_GT(surfaces, 0.0) << k;
      }
    }
    EXPECT_GT(sure, 0) << "no step was short enough to tell without looking";
  }
}

// The two queries and a third one share what is known; each must stay right.
TEST(SeparationList, QueriesMayAlternate) {
  SeededBits random(31);
  const FacetHierarchy torus(test::torus());
  const FacetHierarchy box(test::box({0.4, 0.2, 0.9}));
  SeparationList list;
  SeparationList fresh;
  Isometry3d pose = randomPose(random, {0, 0, 0}, {0, 0, 0}, 1.9);
  for (int k = 0; k < 300; ++k) {
    pose = stepped(random, pose, k % 40 == 0 ? 0.5 : 5e-3);
    const bool asksForDistance = random.between(0.0, 1.0) < 0.5;
    fresh.forget();
    if (cannotHaveMet(torus, box, pose, list)) {
      EXPECT_GT(coherentDistance(torus, box, pose, fresh).distance, 0.0) << k;
      fresh.forget();
    }
    if (asksForDistance) {
      EXPECT_EQ(coherentDistance(torus, box, pose, list).distance,
                coherentDistance(torus, box, pose, fresh).distance)
          << k;
    } else {
      EXPECT_EQ(surfacesMeet(torus, box, pose, list).meets,
                surfacesMeet(torus, box, pose, fresh).meets)
          << k;
    }
  }
}

TEST(SeparationList, KnowsWhoseItIs) {
  const FacetHierarchy torus(test::torus());
  const FacetHierarchy box(test::box());
  SeparationList list;
  Isometry3d pose = Isometry3d::Identity();
  pose.translation() = Vector3d(3.0, 0.0, 0.0);
  (void)coherentDistance(torus, torus, pose, list);
  EXPECT_FALSE(cannotHaveMet(box, box, pose, list));
  EXPECT_NEAR(coherentDistance(box, box, pose, list).distance, 2.0, 1e-5);
}

TEST(SeparationList, OfNothingOrNowhereIsInfinite) {
  const FacetHierarchy nothing{Mesh{}};
  const FacetHierarchy box(test::box());
  SeparationList list;
  EXPECT_EQ(coherentDistance(nothing, box, Isometry3d::Identity(), list).distance,
            std::numeric_limits<double>::infinity());
  EXPECT_FALSE(surfacesMeet(box, nothing, Isometry3d::Identity(), list).meets);
  Isometry3d nowhere = Isometry3d::Identity();
  nowhere.translation().x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(coherentDistance(box, box, nowhere, list).distance,
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(coherentDistance(box, box, Isometry3d::Identity(), list).distance, 0.0);
}

using SeparationListOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, SeparationListOn, tests::eachTarget(), tests::targetName);

TEST_P(SeparationListOn, SameBytesEverywhere) {
  const auto hash = [] {
    SeededBits random(7);
    tests::BytesHash bytes;
    const FacetHierarchy torus(test::torus());
    const FacetHierarchy box(test::box({0.4, 0.2, 0.9}));
    SeparationList list;
    Isometry3d pose = randomPose(random, {0, 0, 0}, {0, 0, 0}, 2.0);
    for (int k = 0; k < 60; ++k) {
      pose = stepped(random, pose, k % 20 == 0 ? 0.3 : 3e-3);
      const FacetDistance found = coherentDistance(torus, box, pose, list);
      bytes.add(found.distance);
      bytes.add(found.onA.x());
      bytes.add(static_cast<double>(found.counters.nodePairs));
      bytes.add(surfacesMeet(torus, box, pose, list).meets ? 1.0 : 0.0);
    }
    return bytes.value();
  };
  expectScalarBytes(hash);
}

}  // namespace
}  // namespace tactus::collision
