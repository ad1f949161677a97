#include "collision/exact/exact_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "collision/surface/triangle_distance.hpp"
#include "tests/models/test_meshes.hpp"

// Tolerances: coordinates below 4, a dozen operations: 1e-14 is generous, 1e-12 asked for.
namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using models::Mesh;
using models::test::Random;

constexpr double kPrecision = 1e-12;

Isometry3d shifted(double x, double y, double z) {
  return Isometry3d(Eigen::Translation3d(x, y, z));
}

Corners randomTriangle(Random& random, double reach) {
  return {random.inCube(reach), random.inCube(reach), random.inCube(reach)};
}

/// Least distance of the points of two triangles on a grid of barycentric coordinates.
double sampledDistance(const Corners& a, const Corners& b, int steps) {
  std::vector<Vector3d> onB;
  const auto pointsOf = [steps](const Corners& t) {
    std::vector<Vector3d> points;
    for (int i = 0; i <= steps; ++i) {
      for (int j = 0; i + j <= steps; ++j) {
        const double u = static_cast<double>(i) / steps;
        const double v = static_cast<double>(j) / steps;
        points.emplace_back(t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]));
      }
    }
    return points;
  };
  double least = std::numeric_limits<double>::infinity();
  const std::vector<Vector3d> others = pointsOf(b);
  for (const Vector3d& p : pointsOf(a)) {
    for (const Vector3d& q : others)
      least = std::min(least, (p - q).norm());
  }
  return least;
}

/// How far a point is from a triangle, up and aside.
double distanceFrom(const Corners& t, const Vector3d& p) {
  return std::sqrt(nearestPoints(t, {p, p, p}).squaredDistance);
}

// The least over a grid is at most one grid width above the true one, and never below it.
TEST(TriangleDistance, IsTheLeastOfAllPoints) {
  constexpr int kSteps = 16;
  Random random(3);
  int apart = 0;
  for (int k = 0; k < 200; ++k) {
    const Corners a = randomTriangle(random, 1.0);
    Corners b = randomTriangle(random, 1.0);
    for (Vector3d& corner : b)
      corner.x() += random.between(0.0, 2.0);
    const NearestPoints nearest = nearestPoints(a, b);
    const double distance = std::sqrt(nearest.squaredDistance);
    const double sampled = sampledDistance(a, b, kSteps);
    EXPECT_LE(distance, sampled + kPrecision) << k;
    EXPECT_GE(distance, sampled - 8.0 / kSteps) << k;
    if (distance > 0.5) {
      // far apart the grid is nearly right: off by the square of its width
      ++apart;
      EXPECT_GE(distance, sampled - 0.1) << k;
    }
    EXPECT_NEAR((nearest.onA - nearest.onB).norm(), distance, kPrecision);
    EXPECT_LT(distanceFrom(a, nearest.onA), kPrecision);
    EXPECT_LT(distanceFrom(b, nearest.onB), kPrecision);
  }
  EXPECT_GT(apart, 20);
}

TEST(TriangleDistance, TellsEveryCase) {
  const Corners floor{Vector3d(0, 0, 0), Vector3d(4, 0, 0), Vector3d(0, 4, 0)};
  const auto distance = [&](const Corners& other) {
    return std::sqrt(nearestPoints(floor, other).squaredDistance);
  };
  // corner above the face; corner beside an edge; edge across an edge; parallel planes
  EXPECT_NEAR(distance({Vector3d(1, 1, 2), Vector3d(1, 2, 5), Vector3d(2, 1, 5)}), 2.0, kPrecision);
  EXPECT_NEAR(distance({Vector3d(1, -3, 0), Vector3d(1, -5, 1), Vector3d(2, -5, 1)}), 3.0,
              kPrecision);
  EXPECT_NEAR(distance({Vector3d(2, -1, -2), Vector3d(2, -1, 2), Vector3d(2, -9, 0)}), 1.0,
              kPrecision);
  EXPECT_NEAR(distance({Vector3d(1, 1, 0.5), Vector3d(9, 1, 0.5), Vector3d(1, 9, 0.5)}), 0.5,
              kPrecision);
  // through the face, in the plane, sharing a corner
  EXPECT_EQ(distance({Vector3d(1, 1, -1), Vector3d(1, 1, 1), Vector3d(1.5, 1, 1)}), 0.0);
  EXPECT_EQ(distance({Vector3d(1, 1, 0), Vector3d(9, 9, 0), Vector3d(9, 1, 0)}), 0.0);
  EXPECT_EQ(distance({Vector3d(0, 0, 0), Vector3d(-1, 0, 1), Vector3d(-1, -1, 0)}), 0.0);
  // without area: a point, a segment
  EXPECT_NEAR(distance({Vector3d(1, 1, 3), Vector3d(1, 1, 3), Vector3d(1, 1, 3)}), 3.0, kPrecision);
  EXPECT_NEAR(distance({Vector3d(1, -1, 1), Vector3d(1, -1, -1), Vector3d(1, -1, 0)}), 1.0,
              kPrecision);
}

// Edges that cross at a small angle: the normal equations lose half of the digits here.
TEST(TriangleDistance, IsRightForNearlyParallelEdges) {
  for (const double slope : {1e-3, 1e-6, 1e-9}) {
    const Corners a{Vector3d(-1, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 0, -1)};
    const Corners b{Vector3d(-1, -slope, 1e-3), Vector3d(1, slope, 1e-3), Vector3d(0, 0, 1)};
    EXPECT_NEAR(std::sqrt(nearestPoints(a, b).squaredDistance), 1e-3, 1e-15) << slope;
  }
}

TEST(ExactDistance, OfTwoBoxes) {
  const ExactBody box(models::test::box());
  const auto distance = [&](const Isometry3d& pose) {
    return exactDistance(box, box, pose).distance;
  };
  EXPECT_NEAR(distance(shifted(1.25, 0.5, 0)), 0.25, kPrecision);                     // faces
  EXPECT_NEAR(distance(shifted(1.5, 0.25, -2.0)), std::hypot(0.5, 1.0), kPrecision);  // edges
  EXPECT_NEAR(distance(shifted(2, 3, 4)), std::sqrt(1.0 + 4.0 + 9.0), kPrecision);    // corners
  const Isometry3d onEdge =
      Eigen::Translation3d(2, 0, 0) * Eigen::AngleAxisd(std::numbers::pi / 4, Vector3d::UnitZ());
  EXPECT_NEAR(distance(onEdge), 1.5 - std::numbers::sqrt2 / 2, kPrecision);
}

TEST(ExactDistance, IsZeroWhereSolidsMeet) {
  const ExactBody large(models::test::box(Vector3d::Constant(4.0)));
  const ExactBody small(models::test::sphere(0.5, 6, 8));
  const ExactBody box(models::test::box());
  EXPECT_EQ(exactDistance(large, small, shifted(2, 0, 0)).distance, 0.0);  // through the face
  EXPECT_EQ(exactDistance(box, box, Isometry3d::Identity()).distance, 0.0);
  EXPECT_EQ(exactDistance(box, box, shifted(1, 0, 0)).distance, 0.0);  // touching
  EXPECT_EQ(exactDistance(box, box, shifted(1, 1, 1)).distance, 0.0);
  const ExactDistance inside = exactDistance(large, small, shifted(0.5, 0, 0));
  EXPECT_EQ(inside.distance, 0.0);
  EXPECT_EQ(inside.onA, inside.onB);
  EXPECT_LT((inside.onA - Vector3d(0.5, 0, 0)).norm(), 0.51);
  EXPECT_EQ(exactDistance(small, large, shifted(-0.5, 0, 0)).distance, 0.0);
}

TEST(ExactDistance, IsThatOfTheWallInACavity) {
  Mesh hollow = models::test::box(Vector3d::Constant(4.0));
  models::test::append(hollow, models::test::flipped(models::test::box(Vector3d::Constant(2.0))));
  const ExactBody shell(hollow);
  const ExactBody box(models::test::box());
  EXPECT_NEAR(exactDistance(shell, box, shifted(0.25, 0, 0)).distance, 0.25, kPrecision);
  EXPECT_NEAR(exactDistance(box, shell, shifted(-0.25, 0, 0)).distance, 0.25, kPrecision);
}

// One of two parts is swallowed whole while the other one stays outside.
TEST(ExactDistance, AsksEveryPart) {
  Mesh two = models::test::box(Vector3d::Constant(0.25), Vector3d(5, 0, 0));
  models::test::append(two, models::test::box(Vector3d::Constant(0.25)));
  const ExactBody parts(two);
  const ExactBody box(models::test::box());
  EXPECT_EQ(exactDistance(box, parts, Isometry3d::Identity()).distance, 0.0);
  EXPECT_EQ(exactDistance(parts, box, Isometry3d::Identity()).distance, 0.0);
}

TEST(ExactDistance, IsTheLeastOfAllPairs) {
  Random random(5);
  const Mesh ring = models::test::torus(1.0, 0.4, 12, 8);
  const Mesh ball = models::test::sphere(0.5, 8, 12);
  const ExactBody a(ring);
  const ExactBody b(ball);
  int apart = 0;
  for (int k = 0; k < 12; ++k) {
    const Isometry3d pose = random.pose(2.0);
    double squared = std::numeric_limits<double>::infinity();
    for (const models::Triangle& s : ring.triangles) {
      for (const models::Triangle& t : ball.triangles) {
        const NearestPoints nearest = nearestPoints(
            {ring.position(s[0]), ring.position(s[1]), ring.position(s[2])},
            {pose * ball.position(t[0]), pose * ball.position(t[1]), pose * ball.position(t[2])});
        squared = std::min(squared, nearest.squaredDistance);
      }
    }
    const ExactDistance got = exactDistance(a, b, pose);
    EXPECT_NEAR(got.distance, std::sqrt(squared), kPrecision);
    EXPECT_NEAR((got.onA - got.onB).norm(), got.distance, kPrecision);
    EXPECT_NEAR(exactDistance(b, a, pose.inverse()).distance, got.distance, kPrecision);
    if (got.distance > 0.0) {
      ++apart;
      EXPECT_LT(got.pairTests, ring.triangles.size() * ball.triangles.size() / 10);
    }
  }
  EXPECT_GT(apart, 6);
}

TEST(ExactDistance, IsInfiniteFromNothing) {
  const ExactBody box(models::test::box());
  const ExactBody nothing{Mesh{}};
  EXPECT_EQ(exactDistance(box, nothing, Isometry3d::Identity()).distance,
            std::numeric_limits<double>::infinity());
}

TEST(ExactDistance, BytesDoNotDependOnThreads) {
  const ExactBody a(models::test::torus(1.0, 0.4, 40, 30));
  const ExactBody b(models::test::sphere(0.5, 30, 40));
  const Isometry3d pose = Random(9).pose(0.1) * Eigen::Translation3d(2.5, 0.5, 0.25);
  const ExactDistance one = exactDistance(a, b, pose, 1);
  EXPECT_GT(one.distance, 0.0);
  for (const unsigned threads : {2U, 3U, 7U}) {
    const ExactDistance many = exactDistance(a, b, pose, threads);
    EXPECT_EQ(many.distance, one.distance);
    EXPECT_EQ(many.onA, one.onA);
    EXPECT_EQ(many.onB, one.onB);
    EXPECT_EQ(many.pairTests, one.pairTests);
  }
}

}  // namespace
}  // namespace tactus::collision
