// Closed forms where symmetry gives them, and brute force: many random points of the object, each
// given to the sphere of least power among all. With m points in a cell its volume is known to
// 1 / sqrt(m) of itself, its centroid to its size / sqrt(m).
#include "collision/packing/power_cells.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/report/mass_properties.hpp"
#include "tests/models/test_meshes.hpp"

namespace {

using Eigen::Vector3d;
using namespace tactus::collision;
using tactus::models::Mesh;
namespace test = tactus::models::test;

/// A packing by hand, of a clean mesh.
SpherePacking packed(const Mesh& mesh, const std::vector<PackedSphere>& spheres) {
  SpherePacking packing;
  packing.origin = mesh.bounds().centre();
  packing.spheres = spheres;
  packing.objectVolume = test::signedVolume(mesh);
  return packing;
}

TEST(PowerCells, TwoEqualBallsHalveABox) {
  const Mesh mesh = test::box({4.0, 2.0, 2.0}, {7.0, 0.0, 0.0});
  const SurfaceDistance surface(mesh);
  const PowerCells cells =
      powerCells(packed(mesh, {{{-1.0F, 0.0F, 0.0F}, 1.0F}, {{1.0F, 0.0F, 0.0F}, 1.0F}}), surface);
  ASSERT_EQ(cells.cells.size(), 2U);
  EXPECT_NEAR(cells.sampledVolume, 16.0, 0.016);
  for (const PowerCell& cell : cells.cells) {
    EXPECT_NEAR(cell.volume, 8.0, 0.01);
    // depth min(1 - |y|, 1 - |z|, distance to the end): over the half box, which is a cube but for
    // one open side: 1 - E max(|y|, |z|, x') with x' = 2 - u below 1 only; the integral is 7/24
    EXPECT_NEAR(cell.depth, 7.0 / 24.0, 0.004);
  }
  EXPECT_LT((cells.cells[0].centroid - Vector3d(-1.0, 0.0, 0.0)).norm(), 0.01);
  EXPECT_LT((cells.cells[1].centroid - Vector3d(1.0, 0.0, 0.0)).norm(), 0.01);
}

// The plane of equal power of balls of radii a and b, distance d apart, is
// (d^2 + a^2 - b^2) / (2 d) from the first centre.
TEST(PowerCells, UnequalBallsAreDividedAtEqualPower) {
  const Mesh mesh = test::box({4.0, 2.0, 2.0});
  const SurfaceDistance surface(mesh);
  const double d = 1.75;
  const PowerCells cells =
      powerCells(packed(mesh, {{{-1.0F, 0.0F, 0.0F}, 1.0F}, {{0.75F, 0.0F, 0.0F}, 0.5F}}), surface);
  const double plane = -1.0 + (d * d + 1.0 - 0.25) / (2.0 * d);
  EXPECT_NEAR(cells.cells[0].volume, 4.0 * (plane + 2.0), 0.02);
  EXPECT_NEAR(cells.cells[1].volume, 4.0 * (2.0 - plane), 0.02);
}

TEST(PowerCells, SumUpToTheObject) {
  for (const Mesh& mesh : {test::torus(), test::tetrahedron(), test::sphere(0.01, 24, 32)}) {
    PackingSettings settings;
    settings.target.spheres = 2000;
    const SurfaceDistance surface(mesh);
    const SpherePacking packing = packSpheres(mesh, surface, settings);
    const PowerCells cells = powerCells(packing, surface);
    const auto mass = tactus::models::massProperties(mesh);
    double volume = 0.0;
    Vector3d moment = Vector3d::Zero();
    for (std::size_t i = 0; i < cells.cells.size(); ++i) {
      const PowerCell& cell = cells.cells[i];
      const double r = packing.spheres[i].radius;
      EXPECT_GE(cell.volume, 4.18 * r * r * r);
      EXPECT_GT(cell.depth, 0.0);
      volume += cell.volume;
      moment += cell.volume * cell.centroid;
    }
    EXPECT_NEAR(volume, mass.volume, 1e-9 * mass.volume);
    EXPECT_NEAR(cells.sampledVolume, mass.volume, 1e-3 * mass.volume);
    EXPECT_LT((packing.origin + moment / volume - mass.centre).norm(),
              1e-3 * mesh.bounds().diagonal());
  }
}

TEST(PowerCells, AgreeWithBruteForce) {
  const Mesh mesh = test::torus();
  PackingSettings settings;
  settings.target.spheres = 60;
  const SurfaceDistance surface(mesh);
  const SpherePacking packing = packSpheres(mesh, surface, settings);
  const PowerCells cells = powerCells(packing, surface);
  std::vector<double> volume(60), depth(60);
  std::vector<Vector3d> moment(60, Vector3d::Zero());
  test::Random random(3);
  const auto bounds = mesh.bounds();
  const Vector3d size = bounds.upper - bounds.lower;
  constexpr int kPoints = 400'000;
  const double each = size.prod() / kPoints;
  for (int n = 0; n < kPoints; ++n) {
    const double x = random.unit();
    const double y = random.unit();
    const Vector3d p = bounds.lower + size.cwiseProduct(Vector3d(x, y, random.unit()));
    const double distance = surface.at(p).distance;
    if (distance > 0.0) continue;
    std::size_t best = 0;
    double least = 1e300;
    for (std::size_t i = 0; i < 60; ++i) {
      const double r = packing.spheres[i].radius;
      const double power = (p - packing.centre(i)).squaredNorm() - r * r;
      if (power < least) {
        least = power;
        best = i;
      }
    }
    volume[best] += each;
    depth[best] -= each * distance;
    moment[best] += each * (p - packing.origin);
  }
  for (std::size_t i = 0; i < 60; ++i) {
    const double tolerance = 6.0 * std::sqrt(volume[i] * each) + 0.01 * volume[i];
    EXPECT_NEAR(cells.cells[i].volume, volume[i], tolerance) << i;
    EXPECT_NEAR(cells.cells[i].depth, depth[i] / volume[i], 0.04 * depth[i] / volume[i]) << i;
    EXPECT_LT((cells.cells[i].centroid - moment[i] / volume[i]).norm(), 0.03) << i;
  }
}

TEST(PowerCells, SameForAnyNumberOfThreads) {
  const Mesh mesh = test::torus();
  PackingSettings settings;
  settings.target.spheres = 500;
  const SurfaceDistance surface(mesh);
  const SpherePacking packing = packSpheres(mesh, surface, settings);
  const PowerCells alone = powerCells(packing, surface, {.threads = 1});
  for (const unsigned threads : {2U, 5U}) {
    const PowerCells cells = powerCells(packing, surface, {.threads = threads});
    for (std::size_t i = 0; i < 500; ++i) {
      ASSERT_EQ(cells.cells[i].volume, alone.cells[i].volume);
      ASSERT_EQ(cells.cells[i].centroid, alone.cells[i].centroid);
      ASSERT_EQ(cells.cells[i].depth, alone.cells[i].depth);
    }
  }
}

TEST(PowerCells, NoSpheresNoCells) {
  const Mesh mesh = test::box();
  EXPECT_TRUE(powerCells(packed(mesh, {}), SurfaceDistance(mesh)).cells.empty());
}

}  // namespace
