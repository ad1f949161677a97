#include "models/parametric/planar_fill.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "mesh_measures.hpp"

namespace tactus::models {
namespace {

using Polygon = std::vector<Eigen::Vector2d>;

double areaOf(const Polygon& polygon) {
  double area = 0.0;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Eigen::Vector2d& a = polygon[k];
    const Eigen::Vector2d& b = polygon[(k + 1) % polygon.size()];
    area += 0.5 * (a.x() * b.y() - a.y() * b.x());
  }
  return area;
}

/// The fill as a mesh in the plane z = 0, and checks that hold for every polygon: the sides are the
/// border, each triangle is counter-clockwise, and their areas add up to the polygon's.
Mesh checkedFill(const Polygon& polygon, double edge) {
  const PlanarFill fill = fillPolygon(polygon, edge);
  Mesh mesh;
  for (const Polygon* points : {&polygon, static_cast<const Polygon*>(&fill.inside)}) {
    for (const Eigen::Vector2d& p : *points) {
      mesh.positions.emplace_back(static_cast<float>(p.x()), static_cast<float>(p.y()), 0.0F);
    }
  }
  mesh.triangles = fill.triangles;
  double area = 0.0;
  const auto at = [&](std::uint32_t v) {
    return v < polygon.size() ? polygon[v] : fill.inside[v - polygon.size()];
  };
  for (const Triangle& t : fill.triangles) {
    const double own = areaOf({at(t[0]), at(t[1]), at(t[2])});
    EXPECT_GT(own, 0.0);
    area += own;
  }
  EXPECT_NEAR(area / areaOf(polygon), 1.0, 1e-6);
  // Euler: 2 inside + border - 2.
  EXPECT_EQ(fill.triangles.size(), 2 * fill.inside.size() + polygon.size() - 2);
  // Only sides have one neighbour.
  EXPECT_EQ(test::badEdges(mesh), polygon.size());
  return mesh;
}

Polygon regular(int corners, double radius) {
  Polygon polygon;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / corners;
    polygon.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  return polygon;
}

TEST(PlanarFill, FillsADiscWithNearlyEquilateralTriangles) {
  const Mesh mesh = checkedFill(regular(200, 1.0), 2.0 * std::numbers::pi / 200);
  const auto angles = test::smallestAngles(mesh);
  EXPECT_GT(angles.front(), 25.0);
  EXPECT_GT(angles[angles.size() / 2], 55.0);
}

TEST(PlanarFill, LeavesATriangleAlone) {
  const Mesh mesh = checkedFill({{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}}, 10.0);
  EXPECT_EQ(mesh.triangles.size(), 1U);
}

TEST(PlanarFill, KeepsCollinearCorners) {
  Polygon square;
  for (int k = 0; k < 10; ++k)
    square.emplace_back(0.1 * k, 0.0);
  for (int k = 0; k < 10; ++k)
    square.emplace_back(1.0, 0.1 * k);
  for (int k = 0; k < 10; ++k)
    square.emplace_back(1.0 - 0.1 * k, 1.0);
  for (int k = 0; k < 10; ++k)
    square.emplace_back(0.0, 1.0 - 0.1 * k);
  const auto angles = test::smallestAngles(checkedFill(square, 0.1));
  EXPECT_GT(angles.front(), 25.0);
}

// A comb of thin teeth: most sides are not edges of the Delaunay triangulation and must be won
// back.
TEST(PlanarFill, WinsBackSidesOfAComb) {
  Polygon comb{{0.0, 0.0}, {40.0, 0.0}};
  for (int k = 39; k >= 0; k -= 2) {
    comb.emplace_back(k + 1.0, 10.0);
    comb.emplace_back(k + 0.9, 0.1);
    comb.emplace_back(k - 0.9, 0.1);
    comb.emplace_back(k - 1.0 + 0.05, 10.0);
  }
  comb.pop_back();
  comb.pop_back();
  checkedFill(comb, 100.0);
  checkedFill(comb, 0.05);
}

// Stars with random spikes: any simple polygon is filled.
TEST(PlanarFill, FillsRandomStars) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    Polygon star = regular(5 + 7 * (round % 9), 1.0);
    for (Eigen::Vector2d& p : star)
      p *= 0.02 + 0.98 * static_cast<double>(random()) / 4294967296.0;
    checkedFill(star, 0.02 + 0.05 * (round % 7));
  }
}

}  // namespace
}  // namespace tactus::models
