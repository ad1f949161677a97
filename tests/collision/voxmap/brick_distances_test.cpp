// Against the tree's query, point by point: bricks near the surface, across it, and far from it.
#include "collision/voxmap/brick_distances.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "models/lanes/vector_target.hpp"
#include "tests/collision/on_vector_target.hpp"
#include "tests/models/test_meshes.hpp"

namespace {

using Eigen::Vector3d;
using namespace tactus::collision;
using tactus::models::Mesh;
using tactus::models::VectorTarget;
namespace test = tactus::models::test;

using Distances = std::array<float, BrickDistances::kPoints>;

Vector3d pointOf(const Vector3d& first, double voxel, std::size_t at) {
  const std::size_t row = at / 8;
  const std::size_t slice = at / 64;
  return first + voxel * Vector3d(static_cast<double>(at % 8), static_cast<double>(row % 8),
                                  static_cast<double>(slice));
}

TEST(BrickDistances, AgreeWithTheQueryPointByPoint) {
  // triangles much smaller than a voxel, about as large, and much larger, also thin ones
  const Mesh thin = test::transformed(test::torus(), Eigen::Scaling(1.0, 0.01, 1.0));
  for (const Mesh& mesh : {test::torus(), test::box({1e3, 1.0, 1e3}), thin, test::tetrahedron()}) {
    const SurfaceDistance surface(mesh);
    BrickDistances batch;
    test::Random random(21);
    int measured = 0;
    for (int n = 0; n < 150; ++n) {
      const double voxel = std::exp(random.between(-6.0, -1.5));
      const Vector3d near = surface.unsignedAt(random.inCube(1.0)).point;
      const Vector3d first = near + (n % 3 == 0 ? 40.0 : 8.0) * voxel * random.inCube(1.0);
      Distances found;
      if (!batch.measure(surface, first, voxel, found)) continue;
      ++measured;
      for (std::size_t at = 0; at < found.size(); at += 3) {
        const double truth = surface.unsignedAt(pointOf(first, voxel, at)).distance;
        const double tolerance = 2e-5 * voxel + 1e-6 * truth + 1e-12 * mesh.bounds().diagonal();
        ASSERT_NEAR(static_cast<double>(found[at]), truth, tolerance) << n << " " << at;
      }
    }
    EXPECT_GT(measured, 140);
  }
}

TEST(BrickDistances, LeaveTrianglesWithoutAreaToOthers) {
  Mesh mesh = test::box();
  mesh.triangles.push_back({0, 1, 1});
  const SurfaceDistance surface(mesh, {.signRule = SignRule::WindingNumber});
  Distances found;
  EXPECT_FALSE(BrickDistances().measure(surface, {-0.5, -0.5, -0.5}, 0.05, found));
  const SurfaceDistance nothing(Mesh{}, {.signRule = SignRule::WindingNumber});
  EXPECT_FALSE(BrickDistances().measure(nothing, Vector3d::Zero(), 0.05, found));
}

using BrickDistancesOn = tactus::tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, BrickDistancesOn, tactus::tests::eachTarget(),
                         tactus::tests::targetName);

TEST_P(BrickDistancesOn, SameBytesEverywhere) {
  ASSERT_TRUE(tactus::models::useTarget(GetParam()));
  const SurfaceDistance surface(test::torus());
  BrickDistances batch;
  Distances here;
  Distances scalar;
  ASSERT_TRUE(batch.measure(surface, {0.9, 0.1, 0.2}, 0.02, here));
  ASSERT_TRUE(tactus::models::useTarget(VectorTarget::Scalar));
  ASSERT_TRUE(batch.measure(surface, {0.9, 0.1, 0.2}, 0.02, scalar));
  for (std::size_t i = 0; i < here.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint32_t>(here[i]), std::bit_cast<std::uint32_t>(scalar[i])) << i;
}

}  // namespace
