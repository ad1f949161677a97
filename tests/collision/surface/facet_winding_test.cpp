// Winding numbers by counting triangles above a point, against shapes whose inside is known.
#include "collision/surface/facet_winding.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;
using models::Mesh;
using tests::SeededBits;
namespace test = models::test;

TEST(FacetWinding, OfABox) {
  const FacetHierarchy box(test::box());
  SeededBits random(3);
  for (int k = 0; k < 2000; ++k) {
    const Vector3d p{random.between(-0.8, 0.8), random.between(-0.8, 0.8),
                     random.between(-0.8, 0.8)};
    EXPECT_EQ(windingAt(box, p), p.cwiseAbs().maxCoeff() < 0.5 ? 1 : 0) << p.transpose();
  }
}

// Points of a grid are below corners, along edges and in the planes of upright faces.
TEST(FacetWinding, BelowCornersAndEdgesToo) {
  Mesh boxes = test::box();
  test::append(boxes, test::box(Vector3d::Ones(), {0.5, 0.5, 0.5}));
  const FacetHierarchy surface(boxes);
  for (int x = -9; x <= 17; ++x) {
    for (int y = -9; y <= 17; ++y) {
      for (int z = -9; z <= 17; ++z) {
        const Vector3d p(0.125 * x, 0.125 * y, 0.125 * z + 1e-3);
        const auto inside = [&](double at) { return (p.array() - at).abs().maxCoeff() < 0.5; };
        const auto onFace = [&](double at) {
          return ((p.array() - at).abs().head<2>() == 0.5).any();
        };
        if (onFace(0.0) || onFace(0.5)) continue;  // on it, or straight above or below it
        EXPECT_EQ(windingAt(surface, p), (inside(0.0) ? 1 : 0) + (inside(0.5) ? 1 : 0))
            << p.transpose();
      }
    }
  }
}

// Straight below a ball's corners and edges: the sum over both triangles of an edge is one.
TEST(FacetWinding, BelowEveryCornerOfABall) {
  const Mesh ball = test::sphere(0.5, 12, 24);
  const FacetHierarchy surface(ball);
  for (const Eigen::Vector3f& corner : ball.positions) {
    const Vector3d p = corner.cast<double>();
    // pulled in, a corner of the rim stays below others
    const Vector3d under(p.x(), p.y(), -2.0);
    EXPECT_EQ(windingAt(surface, under), 0) << p.transpose();
    EXPECT_EQ(windingAt(surface, Vector3d(0.9 * p.x(), 0.9 * p.y(), 0.0)), 1) << p.transpose();
  }
}

TEST(FacetWinding, ABallWithAVoidHasAnOutsideWithin) {
  Mesh shell = test::sphere(0.5, 12, 24);
  Mesh inner = test::sphere(0.2, 12, 24);
  for (models::Triangle& t : inner.triangles)
    std::swap(t[0], t[1]);
  test::append(shell, inner);
  const FacetHierarchy surface(shell);
  EXPECT_EQ(windingAt(surface, {0.01, 0.02, 0.03}), 0);
  EXPECT_EQ(windingAt(surface, {0.3, 0.02, 0.03}), 1);
  EXPECT_EQ(windingAt(surface, {0.6, 0.02, 0.03}), 0);
  EXPECT_EQ(windingAt(FacetHierarchy(Mesh{}), {0.0, 0.0, 0.0}), 0);
}

TEST(FacetWinding, PartsAreWhatHangsTogether) {
  EXPECT_TRUE(pointOfEachPart(FacetHierarchy(Mesh{})).empty());
  EXPECT_EQ(pointOfEachPart(FacetHierarchy(test::torus(1.0, 0.4, 48, 24))).size(), 1U);
  Mesh three = test::sphere(0.5);
  test::append(three, test::box(Vector3d::Ones(), {3.0, 0.0, 0.0}));
  test::append(three, test::torus());
  const std::vector<Vector3d> points = pointOfEachPart(FacetHierarchy(three));
  ASSERT_EQ(points.size(), 3U);
  int ofBox = 0;
  int ofBall = 0;
  for (const Vector3d& point : points) {
    if (point.x() > 2.0) ++ofBox;
    if (std::fabs(point.norm() - 0.5) < 1e-5) ++ofBall;
  }
  EXPECT_EQ(ofBox, 1);
  EXPECT_EQ(ofBall, 1);
}

}  // namespace
}  // namespace tactus::collision
