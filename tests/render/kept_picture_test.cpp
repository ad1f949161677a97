// What of a picture is drawn anew, as numbers: parts of pictures, what has changed in a scene,
// boxes that stay, and surfaces whose far side is never seen. That the pixels are right is shown by
// window_test.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "render/picture_regions.hpp"
#include "render/scene_memory.hpp"
#include "render/solid_surface.hpp"
#include "tests/render/shapes.hpp"

namespace tactus::render {
namespace {

constexpr int kSide = 24;

/// How many of the parts have each pixel of a small picture.
std::vector<int> cover(const std::vector<PixelRect>& regions) {
  std::vector<int> count(static_cast<std::size_t>(kSide) * kSide, 0);
  for (const PixelRect& region : regions) {
    for (int y = region.bottom; y < region.top; ++y) {
      for (int x = region.left; x < region.right; ++x)
        ++count[static_cast<std::size_t>(y) * kSide + static_cast<std::size_t>(x)];
    }
  }
  return count;
}

PixelRect anyRect(std::mt19937& random) {
  std::uniform_int_distribution<int> place(0, kSide);
  const int x = place(random);
  const int y = place(random);
  const int x2 = place(random);
  const int y2 = place(random);
  return {std::min(x, x2), std::min(y, y2), std::max(x, x2), std::max(y, y2)};
}

TEST(PictureRegions, WhatIsAddedIsInTheListAndTheListStaysShort) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<PixelRect> regions;
    std::vector<PixelRect> added;
    for (int k = 0; k < 12; ++k) {
      added.push_back(anyRect(random));
      addRegion(regions, added.back());
    }
    EXPECT_LE(regions.size(), 6U);
    const std::vector<int> wanted = cover(added);
    const std::vector<int> found = cover(regions);
    for (std::size_t pixel = 0; pixel < wanted.size(); ++pixel) {
      if (wanted[pixel] > 0) {
        ASSERT_GT(found[pixel], 0) << "trial " << trial;
      }
    }
  }
}

TEST(PictureRegions, FarPartsStayApart) {
  std::vector<PixelRect> regions;
  addRegion(regions, {0, 0, 4, 4});
  addRegion(regions, {18, 18, 22, 22});
  EXPECT_EQ(regions.size(), 2U);
  addRegion(regions, {3, 0, 8, 4});
  EXPECT_EQ(regions.size(), 2U) << "neighbours are one";
}

TEST(PictureRegions, AHoleIsTakenOutToThePixel) {
  std::mt19937 random(12);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<PixelRect> one = {anyRect(random)};
    const PixelRect hole = anyRect(random);
    const std::vector<int> before = cover(one);
    const std::vector<int> inHole = cover({hole});
    const std::vector<int> after = cover(without(one, hole));
    for (std::size_t pixel = 0; pixel < before.size(); ++pixel)
      ASSERT_EQ(after[pixel], inHole[pixel] > 0 ? 0 : before[pixel]) << "trial " << trial;
  }
}

TEST(PictureRegions, HoldAllThatLiesBetweenPoints) {
  constexpr int kWidth = 300;
  constexpr int kHeight = 200;
  OrbitCamera camera;
  const Eigen::Matrix4d clip =
      camera.clipFromView(1.5, 0.01, 10.0) * camera.viewFromWorld().matrix();
  std::mt19937 random(13);
  std::uniform_real_distribution<double> place(-0.1, 0.1);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Eigen::Vector3d> points(4);
    for (Eigen::Vector3d& point : points)
      point = {place(random), place(random), place(random)};
    const PixelRect region = regionOf(points, clip, kWidth, kHeight, 0);
    EXPECT_LT(region.area(), kWidth * kHeight);
    for (int k = 0; k < 20; ++k) {
      const double a = share(random);
      const double b = share(random);
      const Eigen::Vector3d within = b * (a * points[0] + (1.0 - a) * points[1]) +
                                     (1.0 - b) * (a * points[2] + (1.0 - a) * points[3]);
      const Eigen::Vector3d pixel = camera.pixelOf(within, kWidth, kHeight);
      EXPECT_GE(pixel.x(), region.left);
      EXPECT_LE(pixel.x(), region.right);
      EXPECT_GE(kHeight - pixel.y(), region.bottom);
      EXPECT_LE(kHeight - pixel.y(), region.top);
    }
  }
  // What reaches behind the eye may be anywhere.
  const std::vector<Eigen::Vector3d> behind = {Eigen::Vector3d::Zero(), 2.0 * camera.eye()};
  EXPECT_EQ(regionOf(behind, clip, kWidth, kHeight, 0), (PixelRect{0, 0, kWidth, kHeight}));
  // And what lies beside the picture is nowhere in it.
  const Eigen::Vector3d aside =
      camera.eye() - camera.worldFromViewAxes() * Eigen::Vector3d(-3, 0, 1);
  EXPECT_TRUE(regionOf(std::array{aside}, clip, kWidth, kHeight, 2).isEmpty());
}

ShownBody bodyAt(double x, const void* mesh) {
  ShownBody body;
  body.mesh = mesh;
  body.pose.translation().x() = x;
  body.corners = cornersOf({Eigen::Vector3d(x, 0, 0), Eigen::Vector3d(x + 1, 1, 1)});
  return body;
}

TEST(SceneMemory, FindsWhatMovesBothWhereItWasAndWhereItIs) {
  SceneMemory memory;
  const SceneView view;
  const int mesh = 0;
  EXPECT_TRUE(memory.compare(view, {bodyAt(0, &mesh), bodyAt(5, &mesh)}).isWhole);
  const SceneDifference none = memory.compare(view, {bodyAt(0, &mesh), bodyAt(5, &mesh)});
  EXPECT_FALSE(none.isWhole);
  EXPECT_TRUE(none.parts.empty());
  EXPECT_FALSE(none.movesShadows);
  const SceneDifference moved = memory.compare(view, {bodyAt(0, &mesh), bodyAt(6, &mesh)});
  EXPECT_FALSE(moved.isWhole);
  ASSERT_EQ(moved.parts.size(), 2U);
  EXPECT_EQ(moved.parts[0].points.front().x(), 5.0);
  EXPECT_EQ(moved.parts[1].points.front().x(), 6.0);
  EXPECT_TRUE(moved.movesShadows);
  EXPECT_EQ(memory.stillFor(0), 2U);
  EXPECT_EQ(memory.stillFor(1), 0U);
  // One that comes, one that looks otherwise, one that goes.
  EXPECT_EQ(
      memory.compare(view, {bodyAt(0, &mesh), bodyAt(6, &mesh), bodyAt(9, &mesh)}).parts.size(),
      1U);
  ShownBody other = bodyAt(0, &mesh);
  other.wireframe = true;
  EXPECT_EQ(memory.compare(view, {other, bodyAt(6, &mesh), bodyAt(9, &mesh)}).parts.size(), 2U);
  EXPECT_EQ(memory.compare(view, {other}).parts.size(), 2U);
}

TEST(SceneMemory, SignsAreComparedOneByOneAndAnotherCameraChangesAll) {
  SceneMemory memory;
  SceneView view;
  view.arrows.push_back({.from = Eigen::Vector3d::Zero(), .to = Eigen::Vector3d::UnitX()});
  view.lines.push_back({.from = Eigen::Vector3d::Zero(), .to = Eigen::Vector3d::UnitX()});
  view.turns.push_back({.centre = Eigen::Vector3d::UnitZ()});
  static_cast<void>(memory.compare(view, {}));
  EXPECT_TRUE(memory.compare(view, {}).parts.empty());
  view.arrows[0].to.y() = 0.1;
  EXPECT_EQ(memory.compare(view, {}).parts.size(), 2U);
  view.turns.clear();
  EXPECT_EQ(memory.compare(view, {}).parts.size(), 1U);
  view.lines[0].width = 7.0F;
  const SceneDifference wider = memory.compare(view, {});
  ASSERT_EQ(wider.parts.size(), 2U);
  EXPECT_GT(wider.parts[1].pixels, 3);
  view.camera.yaw += 0.1;
  EXPECT_TRUE(memory.compare(view, {}).isWhole);
  EXPECT_FALSE(memory.compare(view, {}).isWhole);
  // Clouds and images are not compared.
  view.points.emplace_back();
  EXPECT_TRUE(memory.compare(view, {}).isWhole);
  view.points.clear();
  EXPECT_TRUE(memory.compare(view, {}).isWhole) << "they were there in the picture before";
}

TEST(SteadyBox, StaysUntilItIsTooSmallOrMuchTooLarge) {
  SteadyBox box;
  const auto cube = [](double at, double side) {
    const Eigen::Vector3d lower = Eigen::Vector3d::Constant(at);
    return models::Bounds{lower, lower + Eigen::Vector3d::Constant(side)};
  };
  const models::Bounds first = box.around(cube(0, 1));
  EXPECT_LT(first.lower.x(), 0.0);
  EXPECT_EQ(box.around(cube(0.05, 1)).lower, first.lower) << "there is room for that";
  EXPECT_EQ(box.around({}).lower, first.lower);
  const models::Bounds second = box.around(cube(0.5, 1));
  EXPECT_GT(second.upper.x(), 1.5);
  EXPECT_EQ(box.around(cube(0, 1)).upper, second.upper) << "what left has come back";
  EXPECT_LT(box.around(cube(0, 0.1)).diagonal(), first.diagonal());
}

TEST(SolidSurface, OnlyWhatEnclosesItsInsideAndFacesOutward) {
  models::Mesh ball = shapes::sphere(0.05, 8);
  EXPECT_TRUE(boundsSolid(ball));
  EXPECT_TRUE(boundsSolid(shapes::box({1, 1, 1})));
  models::Mesh two = ball;
  const auto count = static_cast<std::uint32_t>(ball.positions.size());
  const auto addBall = [&](models::Mesh& mesh, float scale, float shift, bool isTurned) {
    for (const Eigen::Vector3f& at : ball.positions)
      mesh.positions.emplace_back(scale * at + Eigen::Vector3f(shift, 0, 0));
    for (models::Triangle triangle : ball.triangles) {
      if (isTurned) std::swap(triangle[0], triangle[1]);
      mesh.triangles.push_back({triangle[0] + count, triangle[1] + count, triangle[2] + count});
    }
  };
  addBall(two, 0.5F, 0.2F, false);
  EXPECT_TRUE(boundsSolid(two));
  models::Mesh turned = ball;
  addBall(turned, 0.5F, 0.2F, true);
  EXPECT_FALSE(boundsSolid(turned)) << "one part is inside out, and the other larger";
  models::Mesh soup;  // the same surface, no two triangles of which share a vertex
  for (const models::Triangle& triangle : ball.triangles) {
    const auto next = static_cast<std::uint32_t>(soup.positions.size());
    for (const std::uint32_t vertex : triangle)
      soup.positions.push_back(ball.positions[vertex]);
    soup.triangles.push_back({next, next + 1, next + 2});
  }
  EXPECT_TRUE(boundsSolid(soup));
  soup.triangles.pop_back();
  EXPECT_FALSE(boundsSolid(soup)) << "it has a hole";
  EXPECT_FALSE(boundsSolid(models::Mesh{}));
}

}  // namespace
}  // namespace tactus::render
