// The words of sculpting, one by one.
#include "models/sculpt/clay.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace tactus::models::clay {
namespace {

using Eigen::Vector3d;

TEST(Clay, AxesFollowUpAndLeanToFront) {
  const Eigen::Matrix3d axes = axesAlong({1.0, 2.0, -0.5}, {0.3, -0.2, 1.0});
  EXPECT_LT((axes.transpose() * axes - Eigen::Matrix3d::Identity()).norm(), 1e-15);
  EXPECT_GT(axes.determinant(), 0.0);
  EXPECT_LT((axes.col(1) - Vector3d(1.0, 2.0, -0.5).normalized()).norm(), 1e-15);
  EXPECT_GT(axes.col(2).dot(Vector3d(0.3, -0.2, 1.0)), 0.0);
  EXPECT_NEAR(axes.col(0).dot(Vector3d(0.3, -0.2, 1.0)), 0.0, 1e-15);
}

TEST(Clay, AnEggKnowsItsSurface) {
  const Egg shape{{1, 2, 3}, {4, 5, 6}, axesAlong({1, 1, 0}, {0, 0.5, 1})};
  const Sculpture solid = inMetres({Lump(0.0).add(egg(shape, 0.0))});
  for (const Vector3d& direction : {Vector3d(1, 0, 0), Vector3d(-2, 3, 1), Vector3d(0, 0.1, -5)}) {
    EXPECT_NEAR(distanceTo(solid, 1e-3 * shape.towards(direction)), 0.0, 1e-15);
    EXPECT_GT((shape.towards(direction) - shape.centre).dot(direction), 0.0);
  }
}

TEST(Clay, MirroringIsExact) {
  const Stroke tilted = egg({{3, 1, 2}, {2, 5, 1}, axesAlong({1, 2, 3}, {0.3, -0.2, 1})}, 0.0);
  const Stroke branch = cone({1, 2, 3}, 2.0, {4, -1, 5}, 1.0, 0.0);
  for (const Stroke& stroke : {tilted, branch}) {
    const Sculpture original = inMetres({Lump(0.0).add(stroke)});
    const Sculpture image = inMetres({Lump(0.0).add(mirrored(stroke))});
    EXPECT_GT(mirrored(stroke).axes.determinant(), 0.0);
    for (const Vector3d& at : {Vector3d(3, 1, 4), Vector3d(-1, 5, 9), Vector3d(2, -6, 5)}) {
      const Vector3d across(-at.x(), at.y(), at.z());
      EXPECT_EQ(distanceTo(original, 1e-3 * at), distanceTo(image, 1e-3 * across));
    }
  }
}

// Along a straight rope the surface must neither swell nor pinch at an inner bead. The shortfall
// cancels the swelling to first order; at these proportions a tenth of it may be left.
TEST(Clay, ARopeIsSmoothAtItsBeads) {
  constexpr double kRadius = 4.0;
  constexpr double kBlend = 2.0;
  const std::vector<Bead> line{{{0, 0, -12}, kRadius}, {{0, 0, 0}, kRadius}, {{0, 0, 12}, kRadius}};
  const Sculpture rope = inMetres({Lump(0.0).rope(line, kBlend)});
  for (int step = -100; step <= 100; ++step) {
    const Vector3d at(0, kRadius, 0.1 * step);
    EXPECT_NEAR(distanceTo(rope, 1e-3 * at), 0.0, 1e-3 * 0.1 * 0.25 * kBlend) << at.z();
  }
}

TEST(Clay, StandsOnTheFloor) {
  const Sculpture foot =
      inMetres({Lump(0.0).add(ball({0, 2, 0}, 5.0, 0.0)).standOnFloor(0.0, 0.0)});
  EXPECT_NEAR(distanceTo(foot, Vector3d::Zero()), 0.0, 1e-15);
  EXPECT_GT(distanceTo(foot, {0.0, -0.5e-3, 0.0}), 0.4e-3);
  EXPECT_LT(distanceTo(foot, {0.0, 0.5e-3, 0.0}), -0.4e-3);
}

}  // namespace
}  // namespace tactus::models::clay
