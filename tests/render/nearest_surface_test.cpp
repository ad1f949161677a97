#include "render/nearest_surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/render/shapes.hpp"

namespace tactus::render {
namespace {

TEST(NearestSurface, DistancesFromABoxAreThoseOfItsFacesEdgesAndCorners) {
  const models::Mesh box = shapes::box({2.0, 2.0, 2.0});
  const NearestSurface surface(box);
  EXPECT_NEAR(surface.distance({3.0, 0.2, -0.4}), 2.0, 1e-12);
  EXPECT_NEAR(surface.distance({0.3, 0.2, -0.4}), 0.6, 1e-12) << "from inside";
  EXPECT_NEAR(surface.distance({4.0, 5.0, 0.5}), 5.0, 1e-12) << "an edge";
  EXPECT_NEAR(surface.distance({3.0, -4.0, 7.0}), 7.0, 1e-12) << "a corner";
  EXPECT_EQ(surface.distance({1.0, 0.5, 0.5}), 0.0);
}

// The reference looks at all triangles through dense points of each: the nearest of them is never
// nearer than the surface, and not farther than the points' spacing allows.
TEST(NearestSurface, AgreesWithAllTriangles) {
  const models::Mesh mesh = shapes::sphere(1.0, 10);
  const NearestSurface surface(mesh);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> coordinate(-1.5, 1.5);
  constexpr int kParts = 24;
  for (int i = 0; i < 60; ++i) {
    const Eigen::Vector3d place(coordinate(random), coordinate(random), coordinate(random));
    double nearest = std::numeric_limits<double>::infinity();
    for (const models::Triangle& triangle : mesh.triangles) {
      const Eigen::Vector3d a = mesh.positions[triangle[0]].cast<double>();
      const Eigen::Vector3d b = mesh.positions[triangle[1]].cast<double>();
      const Eigen::Vector3d c = mesh.positions[triangle[2]].cast<double>();
      for (int u = 0; u <= kParts; ++u) {
        for (int v = 0; u + v <= kParts; ++v) {
          const Eigen::Vector3d point = a + (b - a) * u / kParts + (c - a) * v / kParts;
          nearest = std::min(nearest, (point - place).norm());
        }
      }
    }
    const double found = surface.distance(place);
    EXPECT_LE(found, nearest + 1e-12);
    // Triangles have sides of 0.32 at most; their points lie 0.32 / 24 apart.
    EXPECT_GE(found, nearest - 0.32 / kParts);
    const double soon = surface.distance(place, 0.5);
    EXPECT_GE(soon, found - 1e-12);
    if (found > 0.5) {
      EXPECT_EQ(soon, found);
    }
    if (found <= 0.5) {
      EXPECT_LE(soon, 0.5);
    }
  }
}

TEST(NearestSurface, NeedlesCountAsTheirEdgesAndNothingIsFarAway) {
  models::Mesh needle;
  needle.positions = {{0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, {0.5F, 0.0F, 0.0F}};
  needle.triangles = {{0, 1, 2}};
  EXPECT_NEAR(NearestSurface(needle).distance({0.25, 2.0, 0.0}), 2.0, 1e-12);
  EXPECT_TRUE(std::isinf(NearestSurface(models::Mesh{}).distance({0.0, 0.0, 0.0})));
}

}  // namespace
}  // namespace tactus::render
