#include "collision/surface/thin_walls.hpp"

#include <gtest/gtest.h>

#include "models/builtin.hpp"
#include "tests/models/test_meshes.hpp"

namespace {

using namespace tactus;
using collision::SurfaceDistance;
using collision::thinWallShare;
using Eigen::Vector3d;
namespace test = models::test;

// Faces of a hollow cube look across its walls, but for the outer ones along its edges, which look
// along the walls beside.
TEST(ThinWalls, AHollowBoxIsOfThem) {
  constexpr double kThickness = 0.05;
  constexpr double kInner = 1.0 - 2.0 * kThickness;
  models::Mesh mesh = test::box(Vector3d::Ones(), {3.0, -2.0, 1.0});
  test::append(mesh, test::flipped(test::box(Vector3d::Constant(kInner), {3.0, -2.0, 1.0})));
  const SurfaceDistance surface(mesh);
  const double share = 2.0 * kInner * kInner / (1.0 + kInner * kInner);
  // behind the wall, along the inner edges, the wall beside is nearer
  EXPECT_NEAR(thinWallShare(surface, 1.5 * kThickness), share, 0.02);
  EXPECT_NEAR(thinWallShare(surface, 1.01 * kThickness), share, 0.01);
  EXPECT_EQ(thinWallShare(surface, 0.99 * kThickness), 0.0);
}

TEST(ThinWalls, APlateIsOne) {
  const SurfaceDistance plate(test::box({1.0, 0.5, 0.01}));
  const double faces = 2.0 * 0.5 / (2.0 * (0.5 + 0.01 + 0.005));
  EXPECT_NEAR(thinWallShare(plate, 0.02), faces, 0.01);
  EXPECT_EQ(thinWallShare(plate, 0.009), 0.0);
}

// Rims of cones, edges of boxes and threads are wedges.
TEST(ThinWalls, WhatIsThickIsNone) {
  for (const char* name : {"sphere", "box", "cone", "bolt", "gear"}) {
    SCOPED_TRACE(name);
    const auto mesh = models::makeBuiltin(name, 5000);
    ASSERT_TRUE(mesh);
    const SurfaceDistance surface(mesh.value());
    EXPECT_LT(thinWallShare(surface, 0.02 * surface.bounds().diagonal()), 0.001);
  }
  EXPECT_EQ(thinWallShare(SurfaceDistance(models::Mesh{}), 1.0), 0.0);
}

// A fin beside a block.
TEST(ThinWalls, AFinIsToldFromTheBlockBesideIt) {
  models::Mesh mesh = test::box(Vector3d::Ones());
  test::append(mesh, test::box({0.01, 0.4, 0.4}, {0.0, 0.0, 1.0}));
  const SurfaceDistance surface(mesh);
  const double all = 6.0 + 2.0 * 0.16 + 4.0 * 0.004;
  EXPECT_NEAR(thinWallShare(surface, 0.02), 2.0 * 0.16 / all, 0.004);
}

TEST(ThinWalls, SameForAnyNumberOfThreads) {
  const auto mesh = models::makeBuiltin("well", 5000);
  ASSERT_TRUE(mesh);
  const SurfaceDistance surface(mesh.value());
  const double one = thinWallShare(surface, 0.009, 1);
  EXPECT_GT(one, 0.1);
  EXPECT_LT(one, 1.0);
  EXPECT_EQ(thinWallShare(surface, 0.009, 3), one);
}

}  // namespace
