// The same promises as Protosphere's, and what is its own: centres on a grid, greedy order.
#include "collision/packing/voxel_packing.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/collision/packing/feasible.hpp"
#include "tests/models/test_meshes.hpp"

namespace {

using Eigen::Vector3d;
using namespace tactus::collision;
using tactus::collision::test::expectFeasible;
using tactus::collision::test::hashOf;
using tactus::models::Mesh;
namespace test = tactus::models::test;

VoxelPackingSettings upTo(std::size_t spheres) {
  VoxelPackingSettings settings;
  settings.target.spheres = spheres;
  return settings;
}

SpherePacking packed(const Mesh& mesh, const VoxelPackingSettings& settings) {
  return packVoxels(mesh, SurfaceDistance(mesh, {.signRule = signRuleFor(mesh)}), settings);
}

TEST(VoxelPacking, IsFeasibleOnNastyShapes) {
  Mesh shell = test::sphere(1.0, 32, 48);
  test::append(shell, test::flipped(test::sphere(0.9, 32, 48)));
  Mesh crossing = test::box();
  test::append(crossing, test::box({0.5, 2.0, 0.5}, {0.1, 0.2, 0.05}));
  for (const Mesh& mesh :
       {test::torus(), shell, crossing, test::tetrahedron(1e-3), test::exploded(test::torus()),
        test::transformed(test::sphere(1.0, 48, 24), Eigen::Scaling(0.01, 0.01, 1.0))}) {
    const SpherePacking packing = packed(mesh, upTo(2000));
    EXPECT_GT(packing.spheres.size(), 1000U);
    EXPECT_GT(packing.filled(), 0.3);
    EXPECT_LT(packing.filled(), 1.01);
    expectFeasible(mesh, packing);
  }
}

TEST(VoxelPacking, FillsLessThanProtosphere) {
  const Mesh mesh = test::torus();
  PackingSettings settings;
  settings.target.spheres = 5000;
  const SpherePacking packing = packed(mesh, upTo(5000));
  EXPECT_EQ(packing.end, PackingEnd::SphereCount);
  EXPECT_GT(packing.filled(), 0.7);
  EXPECT_LT(packing.filled(), packSpheres(mesh, settings).filled());
}

TEST(VoxelPacking, IsGreedyWithCentresOnAGrid) {
  VoxelPackingSettings settings = upTo(500);
  settings.voxel = 0.05;
  const SpherePacking packing = packed(test::torus(), settings);
  float least = packing.spheres.front().radius;
  for (const PackedSphere& s : packing.spheres) {
    EXPECT_LE(s.radius, least * 1.0001F);
    least = std::min(least, s.radius);
    const Vector3d steps = (s.centre - packing.spheres.front().centre).cast<double>() / 0.05;
    EXPECT_LT((steps - steps.array().round().matrix()).norm(), 1e-4);
  }
}

TEST(VoxelPacking, EndsAtEachCriterion) {
  const Mesh mesh = test::torus();
  EXPECT_EQ(packed(mesh, upTo(100)).spheres.size(), 100U);
  EXPECT_TRUE(packed(mesh, upTo(0)).spheres.empty());
  VoxelPackingSettings settings = upTo(10'000);
  settings.target.filled = 0.7;
  const SpherePacking filled = packed(mesh, settings);
  EXPECT_EQ(filled.end, PackingEnd::Filled);
  EXPECT_GE(filled.filled(), 0.7);
  EXPECT_LT(filled.filled(), 0.71);
  settings.target.filled = 1.0;
  settings.target.smallestRadius = 0.06;
  const SpherePacking coarse = packed(mesh, settings);
  EXPECT_EQ(coarse.end, PackingEnd::SmallestRadius);
  for (const PackedSphere& s : coarse.spheres)
    EXPECT_GE(s.radius, 0.06F);
  settings = upTo(10'000);
  settings.voxel = 0.2;
  EXPECT_EQ(packed(mesh, settings).end, PackingEnd::NothingFits);
  EXPECT_EQ(packed(Mesh{}, upTo(10)).end, PackingEnd::NothingFits);
}

TEST(VoxelPacking, SameForAnyNumberOfThreadsAndCancels) {
  const Mesh mesh = test::torus();
  VoxelPackingSettings settings = upTo(1000);
  settings.threads = 1;
  const std::uint64_t alone = hashOf(packed(mesh, settings));
  for (const unsigned threads : {2U, 5U}) {
    settings.threads = threads;
    EXPECT_EQ(alone, hashOf(packed(mesh, settings)));
  }
  settings.progress = [](const PackingProgress& progress) { return progress.spheres < 300; };
  const SpherePacking cut = packed(mesh, settings);
  EXPECT_EQ(cut.end, PackingEnd::Cancelled);
  EXPECT_GE(cut.spheres.size(), 300U);
  EXPECT_LT(cut.spheres.size(), 400U);
}

}  // namespace
