// Against closed forms of a sphere and a box, and against the exact distance to the same mesh.
// Units: errors are compared in voxels.
#include "collision/voxmap/voxmap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "collision/voxmap/large_pages.hpp"
#include "collision/voxmap/voxmap_builder.hpp"
#include "models/lanes/vector_target.hpp"
#include "tests/collision/on_vector_target.hpp"
#include "tests/collision/voxmap/voxmap_kernels.hpp"
#include "tests/models/test_meshes.hpp"

namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;
using namespace tactus::collision;
using tactus::models::Mesh;
using tactus::models::VectorTarget;
using tactus::tests::SampledPoint;
namespace test = tactus::models::test;

Voxmap mapOf(const Mesh& mesh, double voxel, SignRule rule = SignRule::Pseudonormal,
             double coarseError = VoxmapSettings{}.coarseError) {
  VoxmapSettings settings;
  settings.voxelSize = voxel;
  settings.coarseError = coarseError;
  VoxmapOutcome outcome = buildVoxmap(SurfaceDistance(mesh, {.signRule = rule}), settings);
  EXPECT_EQ(outcome.end, VoxmapEnd::Built);
  return outcome.map;
}

/// Signed distance to the box about the origin of these half sides.
double distanceToBox(const Vector3d& point, const Vector3d& half) {
  const Vector3d beyond = point.cwiseAbs() - half;
  return beyond.cwiseMax(0.0).norm() + std::min(0.0, beyond.maxCoeff());
}

Vector3d gridSize(const Voxmap& map) {
  const Voxmap::Arrays& all = map.arrays();
  return Voxmap::kCells * static_cast<double>(all.voxel) *
         Vector3d(all.size[0], all.size[1], all.size[2]);
}

Vector3d anyPoint(const Voxmap& map, test::Random& random) {
  const Vector3d share{random.unit(), random.unit(), random.unit()};
  return map.arrays().origin + gridSize(map).cwiseProduct(share);
}

std::size_t coarsePlaces(const Voxmap& map) {
  return map.arrays().places.size() / 2 - map.arrays().bricks();
}

template <typename T>
bool areSame(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

bool areSame(const Voxmap& a, const Voxmap& b) {
  return areSame(a.arrays().places, b.arrays().places) &&
         areSame(a.arrays().values, b.arrays().values) && a.arrays().voxel == b.arrays().voxel &&
         a.arrays().error.nearMost == b.arrays().error.nearMost &&
         a.arrays().error.nearRms == b.arrays().error.nearRms &&
         a.arrays().error.anywhereRms == b.arrays().error.anywhereRms;
}

/// Flat faces are exact but for the unit, beside creases of the field; gradients, too.
TEST(Voxmap, IsExactOnABoxesFaces) {
  const Vector3d half(0.5, 0.35, 0.4);
  const double voxel = 0.02;
  const Voxmap map = mapOf(test::box(2.0 * half), voxel);
  const double unit = static_cast<double>(map.arrays().unit);
  test::Random random(1);
  for (int n = 0; n < 5000; ++n) {
    // within three voxels of a face, and more than three from all others and from the creases
    Vector3d point = (half.array() - 8.0 * voxel).matrix().cwiseProduct(random.inCube(1.0));
    const auto axis = static_cast<Eigen::Index>(n % 3);
    const double side = n % 2 == 0 ? 1.0 : -1.0;
    const double distance = random.between(-3.0, 3.0) * voxel;
    point[axis] = side * (half[axis] + distance);
    const Voxmap::Sample sample = map.sample(point);
    ASSERT_NEAR(sample.distance, distance, 1.1 * unit) << point.transpose();
    ASSERT_NEAR((sample.gradient - side * Vector3d::Unit(axis)).norm(), 0.0, 3.0 * unit / voxel);
  }
}

/// Everywhere in the grid: as good as is promised, and certainly within 1.4 and 6.1 voxels.
TEST(Voxmap, KeepsItsPromiseOnABox) {
  const Vector3d half(0.5, 0.35, 0.4);
  const double voxel = 0.02;
  const Voxmap map = mapOf(test::box(2.0 * half), voxel);
  test::Random random(2);
  double most = 0.0;
  for (int n = 0; n < 20'000; ++n) {
    const Vector3d point = anyPoint(map, random);
    const double error = std::fabs(map.sample(point).distance - distanceToBox(point, half));
    most = std::max(most, error);
  }
  EXPECT_LT(most, 1.5 * map.arrays().error.anywhereMost);
  EXPECT_LT(map.arrays().error.anywhereMost, 0.6 * voxel);
  EXPECT_LT(map.arrays().error.nearMost, 0.5 * voxel);
  EXPECT_GT(map.arrays().error.nearMost, 0.1 * voxel) << "edges cannot be so good";
}

/// What is seen at random may be exceeded by other points; what is certain is not, in bricks and
/// out of them, where surfaces bend, end, and come near each other.
TEST(Voxmap, IsCertainlyNoFurtherOffThanItsBound) {
  const double voxel = 0.02;
  double worst = 0.0;
  for (const Mesh& mesh :
       {test::box({1.0, 0.7, 0.8}), test::box({1.0, 0.7, 0.013}), test::sphere(0.4, 12, 24)}) {
    const SurfaceDistance surface(mesh);
    VoxmapSettings settings;
    settings.voxelSize = voxel;
    const VoxmapOutcome outcome = buildVoxmap(surface, settings);
    ASSERT_EQ(outcome.end, VoxmapEnd::Built);
    const Voxmap& map = outcome.map;
    EXPECT_GE(outcome.bound.inBricks, 0.866 * voxel);
    EXPECT_LT(outcome.bound.inBricks, 2.0 * voxel);
    EXPECT_GE(outcome.bound.elsewhere, 7.0 * 0.866 * voxel);
    EXPECT_GE(outcome.bound.inBricks, map.arrays().error.nearMost);
    test::Random random(6);
    double near = 0.0;
    double anywhere = 0.0;
    for (int n = 0; n < 20'000; ++n) {
      const Vector3d point = anyPoint(map, random);
      const double exact = surface.at(point).distance;
      const double error = std::fabs(map.sample(point).distance - exact);
      double& most = std::fabs(exact) < voxel ? near : anywhere;
      most = std::max(most, error);
    }
    EXPECT_LE(near, outcome.bound.inBricks);
    EXPECT_LE(anywhere, std::max(outcome.bound.inBricks, outcome.bound.elsewhere));
    worst = std::max(worst, near / outcome.bound.inBricks);
  }
  EXPECT_GT(worst, 0.2) << "a bound that is far from what is met tells nothing";
}

/// Halving the voxels makes a quarter of the error: second order. The sphere's facets are much
/// smaller than that.
TEST(Voxmap, ErrorOnASphereFallsWithTheSquareOfTheVoxel) {
  const Mesh mesh = test::sphere(1.0, 100, 200);
  const double facets = 1.3e-4;  // how far they are within the sphere
  double before = 0.0;
  for (const double voxel : {0.24, 0.12, 0.06}) {
    const Voxmap map = mapOf(mesh, voxel);
    test::Random random(3);
    double squared = 0.0;
    double sum = 0.0;
    double slope = 0.0;
    constexpr int kPoints = 4000;
    for (int n = 0; n < kPoints; ++n) {
      const Vector3d direction = (random.rotation() * Vector3d::UnitX()).normalized();
      const double distance = random.between(-0.1, 0.1);
      const Voxmap::Sample sample = map.sample((1.0 + distance) * direction);
      const double error = sample.distance - distance;
      squared += error * error;
      sum += error;
      slope = std::max(slope, (sample.gradient - direction).norm());
    }
    const double rms = std::sqrt(squared / kPoints);
    // curvatures of 1 and 1: second differences of voxel^2 each
    EXPECT_LT(rms, 0.1 * voxel * voxel);
    EXPECT_LT(std::fabs(sum / kPoints), 0.02 * voxel * voxel + facets)
        << "sharpened: right on the mean";
    EXPECT_LT(slope, 1.2 * voxel) << "gradients are of first order";
    if (before > 0.0) {
      EXPECT_NEAR(before / rms, 4.0, 1.2) << voxel;
    }
    before = rms;
  }
}

/// Coarse cells that are off by two voxels border on bricks: there the field is steep, but
/// continuous.
TEST(Voxmap, IsContinuous) {
  for (const Mesh& mesh : {test::torus(), test::box({1.0, 0.8, 0.7}), test::sphere(0.6)}) {
    const Voxmap map = mapOf(mesh, 0.02, SignRule::Pseudonormal, 2.0);
    EXPECT_GT(coarsePlaces(map), 0U);
    EXPECT_GT(map.arrays().bricks(), 0U);
    const double voxel = static_cast<double>(map.arrays().voxel);
    test::Random random(4);
    for (int n = 0; n < 400; ++n) {
      // on the common face of two places (and its edges, and corners), a hair to both sides
      Vector3d voxels;
      for (Eigen::Index k = 0; k < 3; ++k) {
        const std::int32_t size = map.arrays().size[static_cast<std::size_t>(k)];
        voxels[k] = random.between(0.0, Voxmap::kCells * size);
        if (k == n % 3 || random.index(4) == 0)
          voxels[k] = Voxmap::kCells * random.index(static_cast<std::size_t>(size) + 1);
      }
      const Vector3d hair = 1e-9 * random.inCube(1.0);
      const double here = map.sample(map.arrays().origin + voxel * (voxels + hair)).distance;
      const double there = map.sample(map.arrays().origin + voxel * (voxels - hair)).distance;
      ASSERT_NEAR(here, there, 1e-7 * voxel) << voxels.transpose();
    }
    for (int n = 0; n < 20; ++n) {
      const Vector3d from = map.arrays().origin + gridSize(map).cwiseProduct(
                                                      Vector3d::Constant(0.5) + random.inCube(0.8));
      const Vector3d to = anyPoint(map, random);
      constexpr int kSteps = 2000;
      const double step = (to - from).norm() / kSteps;
      double before = map.sample(from).distance;
      for (int i = 1; i <= kSteps; ++i) {
        const double now = map.sample(from + (to - from) * (i / double{kSteps})).distance;
        ASSERT_LE(std::fabs(now - before), 4.0 * step + 1e-7 * voxel);
        before = now;
      }
    }
  }
}

TEST(Voxmap, GradientIsThatOfTheValue) {
  const Voxmap map = mapOf(test::torus(), 0.05);
  test::Random random(5);
  const double hair = 1e-6;
  int compared = 0;
  for (int n = 0; n < 3000; ++n) {
    const Vector3d point = anyPoint(map, random) + random.inCube(0.2);
    const Vector3d gradient = map.sample(point).gradient;
    for (Eigen::Index k = 0; k < 3; ++k) {
      const Vector3d moved = hair * Vector3d::Unit(k);
      // in another cell the gradient is another one
      if ((map.sample(point + moved).gradient - map.sample(point - moved).gradient).norm() > 1e-4)
        continue;
      const double slope =
          (map.sample(point + moved).distance - map.sample(point - moved).distance) / (2.0 * hair);
      ASSERT_NEAR(slope, gradient[k], 2e-4) << point.transpose();
      ++compared;
    }
  }
  EXPECT_GT(compared, 8000);
}

/// Out of the grid the distance to the grid is added.
TEST(Voxmap, GoesOnBehindTheGrid) {
  const Voxmap map = mapOf(test::sphere(1.0, 32, 64), 0.1);
  const Voxmap::Sample far = map.sample({10.0, 0.0, 0.0});
  EXPECT_NEAR(far.distance, 9.0, 0.1);
  EXPECT_NEAR((far.gradient - Vector3d::UnitX()).norm(), 0.0, 0.1);
  EXPECT_GT(map.sample({3.0, -4.0, 5.0}).distance, 5.0);
}

/// Voxels count from the surface: 0, 1, 2, ... inward, -1, -2, ... outward.
TEST(Voxmap, LayersOfASphere) {
  const double voxel = 0.05;
  const Voxmap map = mapOf(test::sphere(1.0, 60, 120), voxel);
  EXPECT_NEAR(map.layerAt({0.0, 0.0, 0.0}), 20, 1) << "the field's tip is sharpened";
  test::Random random(6);
  std::vector<int> seen(30);
  for (int n = 0; n < 5000; ++n) {
    const Vector3d point = random.inCube(1.15);
    const std::int32_t layer = map.layerAt(point);
    // the voxel's centre is less than a half diagonal away
    const double depth = (1.0 - point.norm()) / voxel;
    ASSERT_NEAR(layer, depth, 0.5 + 0.5 * std::sqrt(3.0) + 0.15) << point.transpose();
    if (layer >= 0) ++seen[static_cast<std::size_t>(layer)];
  }
  for (std::size_t layer = 0; layer < 17; ++layer)
    EXPECT_GT(seen[layer], 0) << layer;
}

/// Who goes from voxel to voxel through faces, from outside to inside, comes through layer 0.
TEST(Voxmap, SurfaceLayerHasNoGap) {
  const double voxel = 0.04;
  for (const Mesh& mesh : {test::torus(), test::sphere(0.7), test::tetrahedron()}) {
    const Voxmap map = mapOf(mesh, voxel);
    test::Random random(8);
    int crossed = 0;
    for (int n = 0; n < 300; ++n) {
      Vector3d at = anyPoint(map, random);
      const auto axis = static_cast<Eigen::Index>(n % 3);
      at[axis] = map.arrays().origin[axis];
      std::int32_t before = map.layerAt(at);
      for (double way = 0.0; way < gridSize(map)[axis]; way += voxel) {
        at[axis] += voxel;
        const std::int32_t layer = map.layerAt(at);
        ASSERT_FALSE(before < 0 && layer > 0) << at.transpose();
        ASSERT_FALSE(before > 0 && layer < 0) << at.transpose();
        ASSERT_LE(std::abs(layer - before), 2);
        if (layer == 0 && before != 0) ++crossed;
        before = layer;
      }
    }
    EXPECT_GT(crossed, 50);
  }
}

TEST(Voxmap, FitsIntoTheBytesAskedFor) {
  const SurfaceDistance surface(test::torus());
  double voxel = 1e9;
  for (const std::uint64_t bytes : {20'000U, 100'000U, 500'000U, 2'000'000U}) {
    VoxmapSettings settings;
    settings.bytes = bytes;
    const VoxmapOutcome outcome = buildVoxmap(surface, settings);
    ASSERT_EQ(outcome.end, VoxmapEnd::Built);
    EXPECT_LE(outcome.map.bytes(), bytes);
    EXPECT_GT(outcome.map.bytes(), 2 * bytes / 3) << bytes;
    EXPECT_LT(static_cast<double>(outcome.map.arrays().voxel), voxel) << "more bytes, finer voxels";
    voxel = static_cast<double>(outcome.map.arrays().voxel);
  }
}

TEST(Voxmap, SaysWhyItIsNotBuilt) {
  const SurfaceDistance surface(test::torus());
  VoxmapSettings settings;
  settings.bytes = 100;
  EXPECT_EQ(buildVoxmap(surface, settings).end, VoxmapEnd::TooLarge);
  settings.voxelSize = 1e-7;
  EXPECT_EQ(buildVoxmap(surface, settings).end, VoxmapEnd::TooLarge);
  EXPECT_TRUE(Voxmap(surface, settings).empty());
  settings.voxelSize = 0.1;
  const SurfaceDistance nothing(Mesh{}, {.signRule = SignRule::WindingNumber});
  EXPECT_EQ(buildVoxmap(nothing, settings).end, VoxmapEnd::Empty);
  // a bowl has no inside: its winding number is a half somewhere in the air
  const SurfaceDistance bowl(test::bowl(), {.signRule = SignRule::WindingNumber});
  EXPECT_EQ(buildVoxmap(bowl, settings).end, VoxmapEnd::NoInside);
}

TEST(Voxmap, TellsItsProgressAndStopsWhenTold) {
  const SurfaceDistance surface(test::torus());
  VoxmapSettings settings;
  settings.voxelSize = 0.05;
  int calls = 0;
  double share = 0.0;
  settings.progress = [&](const VoxmapProgress& progress) {
    ++calls;
    if (progress.stage == VoxmapStage::Measuring) {
      EXPECT_GE(progress.share, share);
      share = progress.share;
    }
    return true;
  };
  EXPECT_EQ(buildVoxmap(surface, settings).end, VoxmapEnd::Built);
  EXPECT_DOUBLE_EQ(share, 1.0);
  EXPECT_GT(calls, 20);
  const int all = calls;
  for (int last = 1; last <= all; last += 7) {
    int left = last;
    settings.progress = [&](const VoxmapProgress&) { return --left > 0; };
    EXPECT_EQ(buildVoxmap(surface, settings).end, VoxmapEnd::Cancelled) << last;
    EXPECT_EQ(left, 0) << "asked again after it was told to stop";
  }
}

/// Two solids that share room: inside is what is in either of them, and the sheets within count as
/// surface.
TEST(Voxmap, OfAMessyMeshByWindingNumber) {
  Mesh mesh = test::box();
  test::append(mesh, test::box(Vector3d::Constant(0.8), {0.6, 0.1, 0.0}));
  const Voxmap map = mapOf(mesh, 0.03, SignRule::WindingNumber);
  EXPECT_LT(map.sample({0.35, 0.0, 0.0}).distance, -0.1);
  EXPECT_LT(map.sample({0.8, 0.1, 0.0}).distance, -0.1);
  EXPECT_GT(map.sample({0.8, 0.6, 0.0}).distance, 0.05);
  EXPECT_LT(map.arrays().error.nearMost, 0.7 * 0.03);
}

TEST(Voxmap, IsTheSameAtAnyScaleAndPlace) {
  const Mesh mesh = test::torus();
  const Voxmap map = mapOf(mesh, 0.05);
  for (const double scale : {1e-3, 1e3}) {
    const Voxmap other = mapOf(test::transformed(mesh, Eigen::UniformScaling(scale)), 0.05 * scale);
    EXPECT_EQ(other.arrays().bricks(), map.arrays().bricks());
    test::Random random(9);
    for (int n = 0; n < 500; ++n) {
      const Vector3d point = anyPoint(map, random);
      ASSERT_NEAR(other.sample(scale * point).distance / scale, map.sample(point).distance, 1e-3);
    }
  }
}

TEST(Voxmap, IsTheSameInLargePagesWithBricksOnCacheLines) {
  const Voxmap built = mapOf(test::torus(), 0.05);
  // as it may stand in a file, at any two bytes
  const std::span<const std::int16_t> values = built.arrays().values;
  std::vector<std::int16_t> shifted(values.size() + 1);
  std::copy(values.begin(), values.end(), shifted.begin() + 1);
  Voxmap::Arrays arrays = built.arrays();
  arrays.values = std::span(shifted).subspan(1);
  const Voxmap map = inLargePages(Voxmap(arrays, nullptr));
  EXPECT_TRUE(areSame(map, built));
  std::ranges::fill(shifted, std::int16_t{0});
  EXPECT_TRUE(areSame(map, built)) << "must have arrays of its own";
  for (const Voxmap& each : {map, built}) {
    const std::int16_t* const brick = each.arrays().values.data() + each.arrays().corners();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(brick) % 64, 0U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(each.arrays().places.data()) % 64, 0U);
  }
  EXPECT_TRUE(inLargePages(Voxmap()).empty());
}

TEST(Voxmap, SameBytesForAnyNumberOfThreads) {
  const SurfaceDistance surface(test::torus());
  VoxmapSettings settings;
  settings.bytes = 300'000;
  settings.threads = 1;
  const Voxmap one = buildVoxmap(surface, settings).map;
  settings.threads = 5;
  EXPECT_TRUE(areSame(one, buildVoxmap(surface, settings).map));
}

using VoxmapOn = tactus::tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, VoxmapOn, tactus::tests::eachTarget(), tactus::tests::targetName);

TEST_P(VoxmapOn, LanesAgreeWithTheDoublesAndAreTheSameEverywhere) {
  ASSERT_TRUE(tactus::models::useTarget(GetParam()));
  const Voxmap map = mapOf(test::torus(), 0.05);
  const double voxel = static_cast<double>(map.arrays().voxel);
  test::Random random(10);
  std::vector<Vector3f> points;
  for (int n = 0; n < 5003; ++n) {
    const Vector3d reach = n % 5 == 0 ? random.inCube(1.0) : Vector3d::Zero();
    Vector3d point = anyPoint(map, random) + reach;
    // on the surface the cells of sixteen points are all of bricks, which are read in another way
    if (n < 1600) {
      for (int step = 0; step < 20; ++step) {
        const Voxmap::Sample sample = map.sample(point);
        point -= sample.distance * sample.gradient.normalized();
      }
    }
    points.emplace_back((point - map.arrays().origin).cast<float>());
  }
  std::vector<SampledPoint> found(points.size());
  sampleByLanes(map, points, found);
  int layersOff = 0;
  for (std::size_t n = 0; n < points.size(); ++n) {
    const Vector3d point = map.arrays().origin + points[n].cast<double>();
    const Voxmap::Sample exact = map.sample(point);
    ASSERT_NEAR(static_cast<double>(found[n].distance), exact.distance, 1e-4 * voxel) << n;
    const double turned = (found[n].gradient.cast<double>() - exact.gradient).norm();
    if (turned > 1e-4) {  // beside the border of a cell
      const Vector3d hair = 1e-5 * voxel * Vector3d::Ones();
      const double jump =
          (map.sample(point + hair).gradient - map.sample(point - hair).gradient).norm();
      ASSERT_GT(jump, 1e-4) << n;
    }
    const Vector3d away = found[n].centre.cast<double>() - points[n].cast<double>();
    ASSERT_LT(away.cwiseAbs().maxCoeff(), 0.501 * voxel);
    if (static_cast<std::int32_t>(found[n].layer) != map.layerAt(point)) ++layersOff;
  }
  EXPECT_LE(layersOff, 3) << "only where a distance is half a voxel but for rounding";

  ASSERT_TRUE(tactus::models::useTarget(VectorTarget::Scalar));
  std::vector<SampledPoint> scalar(points.size());
  sampleByLanes(map, points, scalar);
  EXPECT_EQ(std::memcmp(scalar.data(), found.data(), found.size() * sizeof(SampledPoint)), 0);
}

TEST_P(VoxmapOn, BuildsTheSameBytes) {
  ASSERT_TRUE(tactus::models::useTarget(GetParam()));
  const SurfaceDistance surface(test::torus());
  VoxmapSettings settings;
  settings.bytes = 200'000;
  const Voxmap here = buildVoxmap(surface, settings).map;
  ASSERT_TRUE(tactus::models::useTarget(VectorTarget::Scalar));
  EXPECT_TRUE(areSame(here, buildVoxmap(surface, settings).map));
}

}  // namespace
