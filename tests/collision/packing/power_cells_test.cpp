// Closed forms where symmetry gives them, and brute force: many random points of the object, each
// given to the sphere of least power among all. With m points in a cell its volume is known to
// 1 / sqrt(m) of itself, its centroid to its size / sqrt(m).
#include "collision/packing/power_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "models/lanes/vector_target.hpp"
#include "models/report/mass_properties.hpp"
#include "tests/collision/on_vector_target.hpp"
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

/// Volume of a ball below a plane at height h above its centre.
double below(double radius, double h) {
  if (h <= -radius) return 0.0;
  const double height = std::min(radius + h, 2.0 * radius);
  return std::numbers::pi * height * height * (radius - height / 3.0);
}

/// Volume of a cube of side 2 around 0 below the plane n.x = h, for n with positive components: a
/// corner's tetrahedron, less those beyond the other three corners of its sides, and so on.
double cubeBelow(const Vector3d& n, double h) {
  double sum = 0.0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    double left = h + n.sum();
    double sign = 1.0;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if ((corner >> axis & 1U) == 0) continue;
      left -= 2.0 * n[axis];
      sign = -sign;
    }
    sum += sign * std::pow(std::max(left, 0.0), 3.0);
  }
  return sum / (6.0 * n.prod());
}

/// Root of the mean square error of the balls' volume below planes through a cube of side 2, in
/// its volume: what an overlap with something large and flat is off.
double errorBelowPlanes(const PowerCells& cells) {
  constexpr int kPlanes = 400;
  double squares = 0.0;
  for (int k = 0; k < kPlanes; ++k) {
    const Vector3d n = Vector3d(1.0, 1.0 + k % 7, 2.0 + k % 5).normalized();
    const double h = n.sum() * (-1.0 + 2.0 * (k + 0.5) / kPlanes);
    double volume = 0.0;
    for (const PowerCell& cell : cells.cells) {
      const double radius = std::cbrt(cell.volume * (0.75 / std::numbers::pi));
      volume += below(radius, h - n.dot(cell.centroid));
    }
    const double error = (volume - cubeBelow(n, h)) / 8.0;
    squares += error * error;
  }
  return std::sqrt(squares / kPlanes);
}

TEST(PowerCells, RelaxedCellsAreMoreLikeTheirBalls) {
  const Mesh mesh = test::box({2.0, 2.0, 2.0});
  PackingSettings settings;
  settings.target.spheres = 1500;
  const SurfaceDistance surface(mesh);
  const SpherePacking packing = packSpheres(mesh, surface, settings);
  const double before = errorBelowPlanes(powerCells(packing, surface));
  const PowerCells cells = powerCells(packing, surface, {.relaxation = 1.7});
  EXPECT_LT(errorBelowPlanes(cells), 0.75 * before);
  double volume = 0.0;
  Vector3d moment = Vector3d::Zero();
  for (const PowerCell& cell : cells.cells) {
    EXPECT_GE(cell.volume, 0.0);
    volume += cell.volume;
    moment += cell.volume * cell.centroid;
  }
  EXPECT_NEAR(volume, 8.0, 8e-9);
  EXPECT_LT((moment / volume).norm(), 1e-3);
}

TEST(PowerCells, RelaxedCellsAreTheSameForAnyNumberOfThreads) {
  const Mesh mesh = test::torus();
  PackingSettings settings;
  settings.target.spheres = 300;
  const SurfaceDistance surface(mesh);
  const SpherePacking packing = packSpheres(mesh, surface, settings);
  const PowerCells one = powerCells(packing, surface, {.relaxation = 1.7, .threads = 1});
  const PowerCells three = powerCells(packing, surface, {.relaxation = 1.7, .threads = 3});
  for (std::size_t i = 0; i < one.cells.size(); ++i) {
    EXPECT_EQ(one.cells[i].volume, three.cells[i].volume) << i;
    EXPECT_EQ(one.cells[i].centroid, three.cells[i].centroid) << i;
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

using PowerCellsOn = tactus::tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, PowerCellsOn, tactus::tests::eachTarget(),
                         tactus::tests::targetName);

TEST_P(PowerCellsOn, SameBytesEverywhere) {
  ASSERT_TRUE(tactus::models::useTarget(GetParam()));
  const Mesh mesh = test::torus(1.0, 0.4, 24, 12);
  PackingSettings settings;
  settings.target.spheres = 200;
  const SurfaceDistance surface(mesh);
  const SpherePacking packing = packSpheres(mesh, surface, settings);
  const PowerCells here = powerCells(packing, surface);
  ASSERT_TRUE(tactus::models::useTarget(VectorTarget::Scalar));
  const PowerCells there = powerCells(packing, surface);
  for (std::size_t i = 0; i < here.cells.size(); ++i) {
    ASSERT_EQ(here.cells[i].volume, there.cells[i].volume);
    ASSERT_EQ(here.cells[i].centroid, there.cells[i].centroid);
    ASSERT_EQ(here.cells[i].depth, there.cells[i].depth);
  }
}

TEST(PowerCells, NoSpheresNoCells) {
  const Mesh mesh = test::box();
  EXPECT_TRUE(powerCells(packed(mesh, {}), SurfaceDistance(mesh)).cells.empty());
}

}  // namespace
