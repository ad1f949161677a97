#include "render/arrow_shape.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace tactus::render {
namespace {

/// Volume inside a closed surface, positive when its triangles turn outward.
double volume(const ArrowSurface& surface) {
  double sum = 0.0;
  for (const models::Triangle& triangle : surface.triangles) {
    const Eigen::Vector3d a = surface.vertices[triangle[0]].position.cast<double>();
    const Eigen::Vector3d b = surface.vertices[triangle[1]].position.cast<double>();
    const Eigen::Vector3d c = surface.vertices[triangle[2]].position.cast<double>();
    sum += a.dot(b.cross(c)) / 6.0;
  }
  return sum;
}

/// Area of a regular polygon of twelve sides as share of its circle's.
const double kTwelve = 6.0 * std::sin(std::numbers::pi / 6.0) / std::numbers::pi;

double coneAndShaft(double length, double shaft) {
  const double head = ArrowSurface::kHeadLength * shaft;
  const double foot = ArrowSurface::kHeadRadius * shaft;
  return kTwelve * std::numbers::pi * (shaft * shaft * (length - head) + foot * foot * head / 3.0);
}

TEST(ArrowShape, IsACylinderAndACone) {
  ArrowSurface surface;
  DrawArrow arrow;
  arrow.from = Eigen::Vector3d(0.3, -0.2, 0.1);
  arrow.to = arrow.from + Eigen::Vector3d(0.02, 0.05, -0.06);
  arrow.shaftRadius = 0.002;
  surface.add(arrow, Eigen::Vector3d(0.3, -0.2, 0.0));
  const double expected = coneAndShaft((arrow.to - arrow.from).norm(), arrow.shaftRadius);
  // Positions are floats of 0.1 m: 6e-9 m of 2e-3 m.
  EXPECT_NEAR(volume(surface), expected, 1e-4 * expected);
}

TEST(ArrowShape, TipAndEndAreWhereTheyShould) {
  ArrowSurface surface;
  DrawArrow arrow;
  arrow.from = Eigen::Vector3d(1.0, 2.0, 3.0);
  arrow.to = Eigen::Vector3d(1.1, 2.0, 3.0);
  surface.add(arrow, arrow.from);
  double least = 1.0;
  double greatest = -1.0;
  for (const ArrowVertex& vertex : surface.vertices) {
    const auto x = static_cast<double>(vertex.position.x());
    least = std::min(least, x);
    greatest = std::max(greatest, x);
    EXPECT_NEAR(vertex.normal.norm(), 1.0F, 1e-5F);
  }
  EXPECT_NEAR(least, 0.0, 1e-7);
  EXPECT_NEAR(greatest, 0.1, 1e-7);
  // The tip is a point on the axis.
  for (const ArrowVertex& vertex : surface.vertices) {
    if (vertex.position.x() > 0.0999999F) {
      EXPECT_LT(vertex.position.tail<2>().norm(), 1e-7F);
    }
  }
}

TEST(ArrowShape, ShortOnesKeepTheirLength) {
  for (const bool bothEnds : {false, true}) {
    ArrowSurface surface;
    DrawArrow arrow;
    arrow.to = Eigen::Vector3d(0.0, 0.001, 0.0);
    arrow.shaftRadius = 0.002;
    arrow.bothEnds = bothEnds;
    surface.add(arrow, Eigen::Vector3d::Zero());
    for (const ArrowVertex& vertex : surface.vertices) {
      EXPECT_GE(vertex.position.y(), -1e-9F);
      EXPECT_LE(vertex.position.y(), 0.001F + 1e-9F);
    }
    EXPECT_GT(volume(surface), 0.0);
  }
}

TEST(ArrowShape, ATurnIsABentArrow) {
  ArrowSurface surface;
  DrawTurn turn;
  turn.centre = Eigen::Vector3d(0.1, 0.2, 0.3);
  turn.axis = Eigen::Vector3d(0.0, 0.0, 3.0);
  turn.radius = 0.05;
  turn.angle = 3.0;
  turn.shaftRadius = 0.002;
  turn.middle = Eigen::Vector3d::UnitX();
  surface.add(turn, turn.centre, Eigen::Vector3d::UnitY());
  // Pappus: bending about an axis through no part of a section changes no volume, but the rings of
  // ten degrees cut corners.
  const double straight = coneAndShaft(turn.radius * turn.angle, turn.shaftRadius);
  EXPECT_NEAR(volume(surface), straight, 0.01 * straight);
  // The tip is the last vertex, three half radians on from the middle; the end as far before it.
  const Eigen::Vector3d tip = surface.vertices.back().position.cast<double>();
  EXPECT_NEAR((tip - Eigen::Vector3d(0.05 * std::cos(1.5), 0.05 * std::sin(1.5), 0.0)).norm(), 0.0,
              1e-7);
  const Eigen::Vector3d end = surface.vertices.front().position.cast<double>();
  EXPECT_NEAR((end - Eigen::Vector3d(0.05 * std::cos(1.5), -0.05 * std::sin(1.5), 0.0)).norm(), 0.0,
              1e-7);
}

TEST(ArrowShape, ANegativeTurnGoesTheOtherWay) {
  ArrowSurface surface;
  DrawTurn turn;
  turn.axis = Eigen::Vector3d::UnitZ();
  turn.radius = 0.05;
  turn.angle = -3.0;
  turn.middle = Eigen::Vector3d::UnitX();
  surface.add(turn, Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitY());
  EXPECT_LT(surface.vertices.back().position.y(), -0.04F);
  EXPECT_GT(volume(surface), 0.0);
}

TEST(ArrowShape, NothingComesOfNothing) {
  ArrowSurface surface;
  surface.add(DrawArrow{}, Eigen::Vector3d::Zero());
  DrawTurn turn;
  turn.angle = 0.0;
  surface.add(turn, Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX());
  turn.angle = 1.0;
  turn.axis.setZero();
  surface.add(turn, Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX());
  EXPECT_TRUE(surface.vertices.empty());
  EXPECT_TRUE(surface.triangles.empty());
}

TEST(ArrowShape, AMiddleAlongTheAxisIsNoTrouble) {
  ArrowSurface surface;
  DrawTurn turn;
  turn.middle = turn.axis;
  surface.add(turn, Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX());
  ASSERT_FALSE(surface.vertices.empty());
  for (const ArrowVertex& vertex : surface.vertices)
    EXPECT_TRUE(vertex.position.allFinite() && vertex.normal.allFinite());
}

}  // namespace
}  // namespace tactus::render
