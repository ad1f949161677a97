// Closed forms where symmetry gives them, and brute force: many random points of the object, each
// given to the sphere of least power among all. With m points in a cell its volume is known to
// 1 / sqrt(m) of itself, its centroid to its size / sqrt(m).
#include "collision/packing/power_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "models/lanes/vector_target.hpp"
#include "models/report/mass_properties.hpp"
#include "tests/models/test_meshes.hpp"

namespace {

using Eigen::Vector3d;
using namespace tactus::collision;
using tactus::models::Mesh;
using tactus::models::VectorTarget;
namespace test = tactus::models::test;

/// A packing by hand, of a clean mesh.
SpherePacking packed(const Mesh& mesh, const std::vector<PackedSphere>& spheres) {
  SpherePacking packing;
  packing.origin = mesh.bounds().centre();
  packing.spheres = spheres;
  packing.objectVolume = test::signedVolume(mesh);
  return packing;
}

std::size_t ownerOf(const SpherePacking& packing, const Vector3d& p) {
  std::size_t best = 0;
  double least = 1e300;
  for (std::size_t i = 0; i < packing.spheres.size(); ++i) {
    const double r = packing.spheres[i].radius;
    const double power = (p - packing.centre(i)).squaredNorm() - r * r;
    if (power < least) {
      least = power;
      best = i;
    }
  }
  return best;
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
  // a plane along the grid is the worst case: up to half of the samples' spacing, here 0.015
  EXPECT_NEAR(cells.cells[0].volume, 4.0 * (plane + 2.0), 4.0 * 0.015);
  EXPECT_NEAR(cells.cells[1].volume, 4.0 * (2.0 - plane), 4.0 * 0.015);
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
  constexpr int kPoints = 1'000'000;
  const double each = size.prod() / kPoints;
  for (int n = 0; n < kPoints; ++n) {
    const double x = random.unit();
    const double y = random.unit();
    const Vector3d p = bounds.lower + size.cwiseProduct(Vector3d(x, y, random.unit()));
    const double distance = surface.at(p).distance;
    if (distance > 0.0) continue;
    const std::size_t best = ownerOf(packing, p);
    volume[best] += each;
    depth[best] -= each * distance;
    moment[best] += each * (p - packing.origin);
  }
  for (std::size_t i = 0; i < 60; ++i) {
    const double tolerance = 6.0 * std::sqrt(volume[i] * each) + 0.01 * volume[i];
    EXPECT_NEAR(cells.cells[i].volume, volume[i], tolerance) << i;
    // depths in a cell are spread by 0.6 of their mean
    EXPECT_NEAR(cells.cells[i].depth, depth[i] / volume[i],
                (0.01 + 4.0 * 0.6 * std::sqrt(each / volume[i])) * depth[i] / volume[i])
        << i;
    EXPECT_LT((cells.cells[i].centroid - moment[i] / volume[i]).norm(), 0.03) << i;
  }
}

// Points all over the box, and many just below the surface, where cells end in corners.
TEST(PowerCells, ReachHoldsTheWholeCell) {
  const Mesh shell = [] {
    Mesh mesh = test::sphere(1.0, 16, 24);
    test::append(mesh, test::flipped(test::sphere(0.8, 16, 24)));
    return mesh;
  }();
  for (const Mesh& mesh : {test::torus(), test::tetrahedron(), test::box({4.0, 1.0, 0.1}), shell,
                           test::sphere(1e-3, 24, 32)}) {
    PackingSettings settings;
    settings.target.spheres = 400;
    const SurfaceDistance surface(mesh);
    const SpherePacking packing = packSpheres(mesh, surface, settings);
    const PowerCells cells = powerCells(packing, surface, {.findsReach = true});
    std::vector<double> furthest(packing.spheres.size());
    std::vector<int> points(packing.spheres.size());
    test::Random random(4);
    const auto bounds = mesh.bounds();
    const Vector3d size = bounds.upper - bounds.lower;
    for (int n = 0; n < 100'000; ++n) {
      const double x = random.unit();
      const double y = random.unit();
      Vector3d p = bounds.lower + size.cwiseProduct(Vector3d(x, y, random.unit()));
      SurfacePoint closest = surface.at(p);
      if (n % 2 == 0) {
        p = closest.point + (closest.distance > 0.0 ? -1e-4 : 1e-4) * (p - closest.point);
        closest = surface.at(p);
      }
      if (closest.distance > 0.0) continue;
      const std::size_t owner = ownerOf(packing, p);
      const double far = (p - packing.origin - cells.cells[owner].centroid).norm();
      furthest[owner] = std::max(furthest[owner], far);
      ++points[owner];
      ASSERT_LE(far, cells.cells[owner].reach) << n;
    }
    // and it is no larger than it need be
    double ratio = 0.0;
    int met = 0;
    for (std::size_t i = 0; i < furthest.size(); ++i) {
      if (points[i] < 100) continue;
      ratio += cells.cells[i].reach / furthest[i];
      ++met;
    }
    ASSERT_GT(met, 0);
    EXPECT_LT(ratio / met, 1.25);
  }
}

TEST(PowerCells, SameForAnyNumberOfThreads) {
  const Mesh mesh = test::torus();
  PackingSettings settings;
  settings.target.spheres = 500;
  const SurfaceDistance surface(mesh);
  const SpherePacking packing = packSpheres(mesh, surface, settings);
  const PowerCells alone = powerCells(packing, surface, {.findsReach = true, .threads = 1});
  for (const unsigned threads : {2U, 5U}) {
    const PowerCells cells = powerCells(packing, surface, {.findsReach = true, .threads = threads});
    for (std::size_t i = 0; i < 500; ++i) {
      ASSERT_EQ(cells.cells[i].volume, alone.cells[i].volume);
      ASSERT_EQ(cells.cells[i].centroid, alone.cells[i].centroid);
      ASSERT_EQ(cells.cells[i].depth, alone.cells[i].depth);
      ASSERT_EQ(cells.cells[i].reach, alone.cells[i].reach);
    }
  }
}

class PowerCellsOn : public testing::TestWithParam<VectorTarget> {
 protected:
  void SetUp() override { ASSERT_TRUE(tactus::models::useTarget(GetParam())); }
  void TearDown() override { ASSERT_TRUE(tactus::models::useTarget(tactus::models::bestTarget())); }
};

INSTANTIATE_TEST_SUITE_P(Targets, PowerCellsOn,
                         testing::ValuesIn(tactus::models::supportedTargets()),
                         [](const auto& target) { return std::string(nameOf(target.param)); });

TEST_P(PowerCellsOn, SameBytesEverywhere) {
  const Mesh mesh = test::torus(1.0, 0.4, 24, 12);
  PackingSettings settings;
  settings.target.spheres = 200;
  const SurfaceDistance surface(mesh);
  const SpherePacking packing = packSpheres(mesh, surface, settings);
  const PowerCells here = powerCells(packing, surface, {.findsReach = true});
  ASSERT_TRUE(tactus::models::useTarget(VectorTarget::Scalar));
  const PowerCells there = powerCells(packing, surface, {.findsReach = true});
  for (std::size_t i = 0; i < here.cells.size(); ++i) {
    ASSERT_EQ(here.cells[i].volume, there.cells[i].volume);
    ASSERT_EQ(here.cells[i].centroid, there.cells[i].centroid);
    ASSERT_EQ(here.cells[i].depth, there.cells[i].depth);
    ASSERT_EQ(here.cells[i].reach, there.cells[i].reach);
  }
}

TEST(PowerCells, NoSpheresNoCells) {
  const Mesh mesh = test::box();
  EXPECT_TRUE(powerCells(packed(mesh, {}), SurfaceDistance(mesh)).cells.empty());
}

}  // namespace
