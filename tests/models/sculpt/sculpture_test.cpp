// The plain reference: each shape against a search, the joints against their definition.
#include "models/sculpt/sculpture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/models/sculpt/test_sculptures.hpp"

namespace tactus::models {
namespace {

using Eigen::Vector3d;

Vector3d pointIn(std::mt19937& random, double halfEdge) {
  const auto coordinate = [&] {
    return halfEdge * (static_cast<double>(random() >> 8U) / 8388608.0 - 1.0);
  };
  const double x = coordinate();
  const double y = coordinate();
  return {x, y, coordinate()};
}

Sculpture one(const Stroke& stroke) {
  return {{{{stroke}, 0.0}}};
}

TEST(Sculpture, RoundConeIsTheUnionOfItsBalls) {
  const Stroke tapered = test::cone({0.1, -0.2, 0.3}, 0.3, {0.6, 0.1, 0.2}, 0.1);
  const Stroke growing = test::cone({0.1, -0.2, 0.3}, 0.05, {-0.3, 0.4, 0.2}, 0.2);
  const Stroke swallowed = test::cone({0, 0, 0}, 0.4, {0.1, 0.1, 0.1}, 0.1);
  std::mt19937 random(1);
  for (const Stroke& stroke : {tapered, growing, swallowed}) {
    for (int i = 0; i < 200; ++i) {
      const Vector3d point = pointIn(random, 1.0);
      // The minimum over 2000 balls; between two of them it changes by less than the square of
      // their distance over the radius.
      double nearest = 1e9;
      for (int step = 0; step <= 2000; ++step) {
        const double t = step / 2000.0;
        const double radius = (1.0 - t) * stroke.fromRadius + t * stroke.toRadius;
        nearest =
            std::min(nearest, (point - (1.0 - t) * stroke.from - t * stroke.to).norm() - radius);
      }
      EXPECT_NEAR(distanceTo(one(stroke), point), nearest, 1e-6);
    }
  }
}

TEST(Sculpture, EllipsoidIsZeroOnItsSurfaceAndABoundOutside) {
  Stroke stroke = test::ellipsoid({0.1, 0.2, -0.1}, {0.4, 0.2, 0.1});
  stroke.axes = Eigen::Quaterniond(1.0, 0.3, -0.2, 0.5).normalized().toRotationMatrix();
  std::mt19937 random(2);
  for (int i = 0; i < 300; ++i) {
    const Vector3d unit = pointIn(random, 1.0).normalized();
    const Vector3d inAxes = stroke.halfAxes.cwiseProduct(unit);
    const Vector3d surface = stroke.from + stroke.axes * inAxes;
    EXPECT_NEAR(distanceTo(one(stroke), surface), 0.0, 1e-12);
    const Vector3d normal = stroke.axes * unit.cwiseQuotient(stroke.halfAxes).normalized();
    // Along the normal the true distance is the way gone, as an ellipsoid is convex.
    const double outside = distanceTo(one(stroke), surface + 0.05 * normal);
    EXPECT_GT(outside, 0.0);
    EXPECT_LE(outside, 0.05 + 1e-12);
    EXPECT_NEAR(distanceTo(one(stroke), surface + 1e-5 * normal), 1e-5, 1e-8);
    EXPECT_NEAR(distanceTo(one(stroke), surface - 1e-5 * normal), -1e-5, 1e-8);
  }
  EXPECT_DOUBLE_EQ(distanceTo(one(stroke), stroke.from), -0.1);
}

TEST(Sculpture, BlendFillsTheCreaseAndNothingElse) {
  const Sculpture smooth = test::dumbbell(0.1);
  const Sculpture sharp = test::dumbbell(0.0);
  std::mt19937 random(3);
  int filled = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vector3d point = pointIn(random, 0.6);
    const double a = distanceTo(one(smooth.groups[0].strokes[0]), point);
    const double b = distanceTo(one(smooth.groups[0].strokes[1]), point);
    const double joined = distanceTo(smooth, point);
    EXPECT_DOUBLE_EQ(distanceTo(sharp, point), std::min(a, b));
    if (std::abs(a - b) >= 0.1) {
      EXPECT_EQ(joined, std::min(a, b)) << "further apart than the blend";
    } else {
      EXPECT_LT(joined, std::min(a, b));
      EXPECT_GE(joined, std::min(a, b) - 0.1 / 4.0);
      ++filled;
    }
  }
  EXPECT_GT(filled, 100);
}

TEST(Sculpture, CarvingTakesAwayAndGroupsStayApart) {
  const Stroke body = test::ballStroke({0, 0, 0}, 0.5);
  const Stroke hole = test::carved(test::ballStroke({0.5, 0, 0}, 0.2));
  const Sculpture bitten{{{{body, hole}, 0.0}}};
  EXPECT_GT(distanceTo(bitten, {0.45, 0, 0}), 0.0);
  EXPECT_DOUBLE_EQ(distanceTo(bitten, {-0.3, 0, 0}), -0.2);
  // A hole in a group of its own takes nothing away from the groups before.
  const Sculpture apart{{{{body}, 0.0}, {{hole}, 0.0}}};
  EXPECT_DOUBLE_EQ(distanceTo(apart, {0.45, 0, 0}), -0.05);
}

TEST(Sculpture, BoxHoldsTheSolid) {
  std::mt19937 random(4);
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    const Sculpture sculpture = test::muddle(seed);
    const Bounds box = boundsOf(sculpture);
    ASSERT_FALSE(box.isEmpty());
    for (int i = 0; i < 4000; ++i) {
      const Vector3d point = pointIn(random, 0.8);
      if (distanceTo(sculpture, point) > 0.0) continue;
      EXPECT_TRUE((point.array() >= box.lower.array()).all() &&
                  (point.array() <= box.upper.array()).all())
          << point.transpose();
    }
  }
  EXPECT_TRUE(boundsOf({}).isEmpty());
  const Bounds exact = boundsOf(test::ball(0.5));
  EXPECT_EQ(exact.lower, Vector3d::Constant(-0.5));
  EXPECT_EQ(exact.upper, Vector3d::Constant(0.5));
}

}  // namespace
}  // namespace tactus::models
