// Against the tree's query, point by point. Distances are floats in half sides of the cube: good to
// about 1e-6 of it, however large the triangles are.
#include "collision/surface/surface_patch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/collision/on_vector_target.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace {

using Eigen::Vector3d;
using namespace tactus::collision;
using tactus::models::Mesh;
using tactus::tests::BytesHash;
namespace test = tactus::models::test;

/// Slivers, lines and points instead of triangles.
Mesh soup() {
  test::Random random(1);
  Mesh mesh;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const Vector3d a = random.inCube(1.0);
    const Vector3d b = i % 7 == 0 ? a : random.inCube(1.0);
    Vector3d c = random.inCube(1.0);
    if (i % 5 == 0) c = b;
    if (i % 3 == 0) c = 0.5 * (a + b) + 1e-6 * c;
    for (const Vector3d& p : {a, b, c})
      mesh.positions.emplace_back(p.cast<float>());
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

Vector3d pointOf(const Vector3d& middle, double half, std::size_t n) {
  const auto at = [](std::size_t step) { return -0.75 + 0.5 * static_cast<double>(step); };
  return middle + half * Vector3d(at(n % 4), at(n / 4 % 4), at(n / 16));
}

TEST(SurfacePatch, AgreesWithTheQueryPointByPoint) {
  for (const Mesh& mesh : {soup(), test::torus(), test::box({1e3, 1.0, 1e3})}) {
    const SurfaceDistance surface(mesh, {.signRule = SignRule::WindingNumber});
    SurfacePatch patch;
    SurfacePatch::Distances found;
    test::Random random(2);
    for (int i = 0; i < 300; ++i) {
      const double half = std::exp(random.between(-7.0, -1.0));
      const Vector3d middle = surface.unsignedAt(random.inCube(1.0)).point + random.inCube(half);
      ASSERT_TRUE(patch.gather(surface, middle, half, surface.unsignedAt(middle).distance));
      // the whole cube, then a part of it
      for (const double size : {half, 0.25 * half}) {
        const Vector3d at = size == half ? middle : pointOf(middle, half, 17);
        patch.measure(at, size, found);
        for (std::size_t n = 0; n < SurfacePatch::kPoints; ++n) {
          const Vector3d p = pointOf(at, size, n);
          const double truth = surface.unsignedAt(p).distance;
          // and what doubles lose in the size of the mesh
          const double tolerance = 5e-6 * size + 1e-12 * mesh.bounds().diagonal();
          ASSERT_NEAR(size * static_cast<double>(found.distance[n]), truth, tolerance);
          ASSERT_NEAR(surface.distanceTo(p, found.triangle[n]), truth, tolerance);
        }
      }
    }
  }
}

TEST(SurfacePatch, IsEmptyBeyondTheMost) {
  const SurfaceDistance surface(test::torus());
  SurfacePatch patch;
  EXPECT_FALSE(patch.gather(surface, {1.0, 0.0, 0.4}, 0.5, 0.1, 3));
  EXPECT_TRUE(patch.isEmpty());
  EXPECT_FALSE(patch.gather(SurfaceDistance(Mesh{}, {.signRule = SignRule::WindingNumber}),
                            Vector3d::Zero(), 1.0, 1.0));
}

using SurfacePatchOn = tactus::tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, SurfacePatchOn, tactus::tests::eachTarget(),
                         tactus::tests::targetName);

TEST_P(SurfacePatchOn, SameBytesEverywhere) {
  const SurfaceDistance surface(soup(), {.signRule = SignRule::WindingNumber});
  const auto hashNow = [&] {
    BytesHash hash;
    SurfacePatch patch;
    SurfacePatch::Distances found;
    test::Random random(3);
    for (int i = 0; i < 100; ++i) {
      const Vector3d middle = random.inCube(0.5);
      patch.gather(surface, middle, 0.2, surface.unsignedAt(middle).distance);
      patch.measure(middle, 0.2, found);
      for (std::size_t n = 0; n < SurfacePatch::kPoints; ++n) {
        hash.add(found.distance[n]);
        hash.add(static_cast<float>(found.triangle[n]));
      }
    }
    return hash.value();
  };
  expectScalarBytes(hashNow);
}

}  // namespace
