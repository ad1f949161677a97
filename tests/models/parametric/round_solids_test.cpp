#include "models/parametric/round_solids.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mesh_measures.hpp"
#include "models/parametric/well.hpp"

namespace tactus::models {
namespace {

constexpr double kPi = std::numbers::pi;

struct Shape {
  Mesh (*make)(std::size_t);
  double volume;
  Eigen::Vector3d extents;
};

const double kR = 0.030;
const Shape kShapes[]{
    {makeSphere, 4.0 / 3.0 * kPi* kR* kR* kR, {0.060, 0.060, 0.060}},
    {makeCylinder, kPi* kR* kR * 0.080, {0.060, 0.080, 0.060}},
    {makeCone, kPi / 3.0 * kR* kR * 0.060, {0.060, 0.060, 0.060}},
    {makeTorus, 2.0 * kPi* kPi * 0.032 * 0.013 * 0.013, {0.090, 0.026, 0.090}},
};

TEST(RoundSolids, VolumeConvergesToTheClosedForm) {
  for (const Shape& shape : kShapes) {
    // Chords lie inside round surfaces: the error falls as 1 / triangles, here by 33 at least.
    const double coarse = 1.0 - test::volumeOf(shape.make(3'000)) / shape.volume;
    const double fine = 1.0 - test::volumeOf(shape.make(99'999)) / shape.volume;
    EXPECT_LT(std::abs(coarse), 1.2e-2);
    EXPECT_LT(std::abs(fine), 4e-4);
    EXPECT_LT(std::abs(fine), std::abs(coarse) / 20.0);
  }
}

TEST(RoundSolids, ExtentsAreExactAtEveryResolution) {
  for (const Shape& shape : kShapes) {
    for (const std::size_t triangles : {1'000U, 1'500U, 3'000U, 20'000U}) {
      const Bounds box = shape.make(triangles).bounds();
      EXPECT_LT((box.upper - 0.5 * shape.extents).cwiseAbs().maxCoeff(), 2e-9);
      EXPECT_LT((box.lower + 0.5 * shape.extents).cwiseAbs().maxCoeff(), 2e-9);
    }
  }
}

TEST(RoundSolids, AreMirroredWhereTheShapeIs) {
  for (const std::size_t triangles : {1'000U, 20'000U}) {
    for (const Shape& shape : kShapes) {
      const Mesh mesh = shape.make(triangles);
      EXPECT_TRUE(test::isMirrored(mesh, 0));
      EXPECT_TRUE(test::isMirrored(mesh, 2));
      EXPECT_EQ(test::isMirrored(mesh, 1), shape.make != makeCone);
    }
    EXPECT_TRUE(test::isMirrored(makeWell(triangles), 0));
    EXPECT_TRUE(test::isMirrored(makeWell(triangles), 2));
  }
}

TEST(RoundSolids, VerticesLieOnTheSurface) {
  for (const Eigen::Vector3f& p : makeSphere(3'000).positions) {
    EXPECT_NEAR(p.cast<double>().norm(), kR, 5e-9);
  }
  for (const Eigen::Vector3f& p : makeTorus(3'000).positions) {
    const Eigen::Vector3d q = p.cast<double>();
    EXPECT_NEAR(std::hypot(std::hypot(q.x(), q.z()) - 0.032, q.y()), 0.013, 5e-9);
  }
  for (const Eigen::Vector3f& p : makeCone(3'000).positions) {
    const Eigen::Vector3d q = p.cast<double>();
    const double inside = 0.5 * (0.030 - q.y()) - std::hypot(q.x(), q.z());
    EXPECT_TRUE(q.y() == -0.030F || std::abs(inside) < 5e-9) << q.transpose();
  }
}

TEST(RoundSolids, EdgesOfTheCylinderAreCircles) {
  double length = 0.0;
  for (const test::SharpEdge& edge : test::sharpEdges(makeCylinder(3'000), 45.0)) {
    EXPECT_NEAR(std::abs(edge.from.y()), 0.040, 2e-9);
    EXPECT_EQ(edge.from.y(), edge.to.y());
    length += (edge.to - edge.from).norm();
  }
  EXPECT_NEAR(length, 2.0 * 2.0 * kPi * kR, 0.003);
}

TEST(Well, IsABowlWithThickWallsAndBottom) {
  for (const std::size_t triangles : {1'000U, 20'000U}) {
    const Mesh mesh = makeWell(triangles);
    const Bounds box = mesh.bounds();
    EXPECT_EQ(box.lower.y(), 0.0);
    EXPECT_NEAR(box.upper.y(), 0.080, 4e-9);
    EXPECT_NEAR(box.upper.x(), 0.080 + 0.007, 2e-4);  // the wall leans: a little inside the lip
    EXPECT_EQ(box.upper.x(), -box.lower.x());

    // On the axis: ground and floor only.
    std::vector<double> onAxis;
    for (const Eigen::Vector3f& p : mesh.positions) {
      if (p.x() == 0.0F && p.z() == 0.0F) onAxis.push_back(static_cast<double>(p.y()));
    }
    ASSERT_EQ(onAxis.size(), 2U);
    EXPECT_NEAR(std::abs(onAxis[0] - onAxis[1]), kWellBottom, 2e-9);
  }
}

TEST(Well, WallHasItsThicknessEverywhere) {
  // Distance of each vertex inside the bowl, above the fillet and below the lip, from the line of
  // the outer face, which leans outward by 10 degrees.
  const double lean = kPi / 18.0;
  const double rim = 0.5 * kWellWall;
  int seen = 0;
  for (const Eigen::Vector3f& p : makeWell(20'000).positions) {
    const double radius = std::hypot(static_cast<double>(p.x()), static_cast<double>(p.z()));
    const double height = static_cast<double>(p.y());
    if (height < 0.035 || height > 0.074) continue;
    const double across = (radius - kWellInnerRadius - rim) * std::cos(lean) -
                          (height - kWellHeight + rim) * std::sin(lean);
    EXPECT_NEAR(std::abs(across), rim, 1e-8);
    ++seen;
  }
  EXPECT_GT(seen, 1'000);
}

TEST(Well, VolumeConvergesToTheSolidOfRevolution) {
  // Height by height: rings between the outer and the inner profile, by the midpoint rule.
  const double lean = kPi / 18.0;
  const double t = std::tan(lean);
  const double c = std::cos(lean);
  const double s = std::sin(lean);
  const double rim = 0.5 * kWellWall;
  const double rimR = kWellInnerRadius + rim;
  const double rimY = kWellHeight - rim;
  const double footRounding = 0.010;
  // Faces as lines radius = at0 + t * height, and the circles that touch them.
  const double outerAt0 = rimR + rim / c - t * rimY;
  const double innerAt0 = rimR - rim / c - t * rimY;
  const double footR = outerAt0 + t * footRounding - footRounding / c;
  const double filletY = kWellBottom + kWellFillet;
  const double filletR = innerAt0 + t * filletY - kWellFillet / c;
  const auto circle = [](double radius, double dy) { return std::sqrt(radius * radius - dy * dy); };
  const int steps = 200'000;
  double volume = 0.0;
  for (int k = 0; k < steps; ++k) {
    const double y = kWellHeight * (k + 0.5) / steps;
    double outer = outerAt0 + t * y;
    if (y < footRounding - footRounding * s) outer = footR + circle(footRounding, y - footRounding);
    double inner = innerAt0 + t * y;
    if (y < filletY - kWellFillet * s)
      inner = y < kWellBottom ? 0.0 : filletR + circle(kWellFillet, y - filletY);
    if (y > rimY - rim * s) outer = rimR + circle(rim, y - rimY);
    if (y > rimY + rim * s) inner = rimR - circle(rim, y - rimY);
    volume += kPi * (outer * outer - inner * inner) * kWellHeight / steps;
  }
  EXPECT_NEAR(test::volumeOf(makeWell(99'999)) / volume, 1.0, 1e-3);
  EXPECT_NEAR(test::volumeOf(makeWell(3'000)) / volume, 1.0, 2e-2);
  EXPECT_NEAR(sweptVolume(wellProfile()) / volume, 1.0, 1e-4);
}

}  // namespace
}  // namespace tactus::models
