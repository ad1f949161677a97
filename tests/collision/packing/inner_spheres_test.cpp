// What the two balls of each cell promise, checked over all pairs and against the surface, by
// other means than they were made with.
#include "collision/packing/inner_spheres.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/models/test_meshes.hpp"

namespace {

using Eigen::Vector3d;
using namespace tactus::collision;
using tactus::models::Mesh;
namespace test = tactus::models::test;

struct Made {
  SpherePacking packing;
  PowerCells cells;
  std::vector<InnerSphere> spheres;
};

Made make(const Mesh& mesh, const SurfaceDistance& surface, std::size_t count, unsigned threads) {
  PackingSettings settings;
  settings.target.spheres = count;
  Made made;
  made.packing = packSpheres(mesh, surface, settings);
  made.cells = powerCells(made.packing, surface);
  made.spheres = innerSpheres(made.packing, made.cells, surface, threads);
  return made;
}

/// Sweep along x.
double deepestOverlap(const std::vector<InnerSphere>& spheres) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    if (spheres[i].lowerRadius > 0.0) order.push_back(i);
  }
  const auto left = [&](std::size_t i) { return spheres[i].centre.x() - spheres[i].lowerRadius; };
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return left(i) < left(j); });
  double deepest = -1e300;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const InnerSphere& a = spheres[order[n]];
    for (std::size_t m = n + 1; m < order.size(); ++m) {
      const InnerSphere& b = spheres[order[m]];
      if (left(order[m]) > a.centre.x() + a.lowerRadius) break;
      deepest = std::max(deepest, a.lowerRadius + b.lowerRadius - (a.centre - b.centre).norm());
    }
  }
  return deepest;
}

TEST(InnerSpheres, LowerBallsAreApartAndInside) {
  Mesh shell = test::sphere(1.0, 32, 48);
  test::append(shell, test::flipped(test::sphere(0.9, 32, 48)));
  Mesh crossing = test::box();
  test::append(crossing, test::box({0.5, 2.0, 0.5}, {0.1, 0.2, 0.05}));
  for (const Mesh& mesh :
       {test::torus(), test::tetrahedron(1e-3), shell, crossing, test::box({1.0, 0.02, 0.7})}) {
    const SurfaceDistance surface(mesh, {.signRule = signRuleFor(mesh)});
    const Made made = make(mesh, surface, 3000, 0);
    const double tolerance = 1e-9 * mesh.bounds().diagonal();
    EXPECT_LE(deepestOverlap(made.spheres), tolerance);
    double volume = 0.0;
    double lower = 0.0;
    for (const InnerSphere& s : made.spheres) {
      ASSERT_GE(s.lowerRadius, 0.0);
      ASSERT_LE(s.lowerRadius, s.cellRadius);
      if (s.lowerRadius > 0.0) {
        ASSERT_LE(surface.at(s.centre).distance + s.lowerRadius, tolerance);
      }
      volume += 4.0 / 3.0 * std::numbers::pi * s.cellRadius * s.cellRadius * s.cellRadius;
      lower += 4.0 / 3.0 * std::numbers::pi * s.lowerRadius * s.lowerRadius * s.lowerRadius;
    }
    EXPECT_NEAR(volume, made.packing.objectVolume, 1e-9 * made.packing.objectVolume);
    // about what the packed spheres have
    EXPECT_GT(lower, 0.8 * made.packing.sphereVolume);
  }
}

TEST(InnerSpheres, SameForAnyNumberOfThreads) {
  const Mesh mesh = test::torus();
  const SurfaceDistance surface(mesh);
  const Made alone = make(mesh, surface, 1000, 1);
  for (const unsigned threads : {2U, 5U}) {
    const auto spheres = innerSpheres(alone.packing, alone.cells, surface, threads);
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      ASSERT_EQ(spheres[i].centre, alone.spheres[i].centre);
      ASSERT_EQ(spheres[i].lowerRadius, alone.spheres[i].lowerRadius);
    }
  }
}

TEST(InnerSpheres, OneBallOfABall) {
  const Mesh mesh = test::sphere(1.0, 32, 48);
  const SurfaceDistance surface(mesh);
  const Made made = make(mesh, surface, 1, 1);
  ASSERT_EQ(made.spheres.size(), 1U);
  // the faces are 0.7 % inside at most
  EXPECT_NEAR(made.spheres[0].lowerRadius, 1.0, 0.01);
  EXPECT_NEAR(made.spheres[0].cellRadius, 1.0, 0.01);
  EXPECT_LT(made.spheres[0].centre.norm(), 0.01);
}

}  // namespace
