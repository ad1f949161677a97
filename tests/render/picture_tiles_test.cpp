// Which tiles of a picture are drawn anew, as numbers: outlines, tiles, and where a shadow can be
// seen. Held against brute force over points; that the pixels are right is shown by window_test.
#include "render/picture_tiles.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "render/camera.hpp"
#include "render/scene_view.hpp"
#include "render/shadow_receivers.hpp"

namespace tactus::render {
namespace {

constexpr int kSide = PictureTiles::kSide;

bool isCovered(const std::vector<PixelRect>& rects, double x, double y) {
  return std::any_of(rects.begin(), rects.end(), [&](const PixelRect& rect) {
    return x >= rect.left && x < rect.right && y >= rect.bottom && y < rect.top;
  });
}

std::int64_t areaOf(const std::vector<PixelRect>& rects) {
  std::int64_t area = 0;
  for (const PixelRect& rect : rects)
    area += rect.area();
  return area;
}

TEST(ConvexOutline, HoldsWhatIsBetweenItsPointsAndPartsWhatIsBeside) {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> place(-1.0, 1.0);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (int trial = 0; trial < 200; ++trial) {
    std::array<Eigen::Vector2d, 8> points;
    for (Eigen::Vector2d& point : points)
      point = {place(random), place(random)};
    const ConvexOutline outline(points, 0.01);
    for (int k = 0; k < 20; ++k) {
      const double a = share(random);
      const double b = share(random);
      const Eigen::Vector2d within =
          b * (a * points[0] + (1.0 - a) * points[3]) + (1.0 - b) * points[6];
      const std::array<Eigen::Vector2f, 1> one = {within.cast<float>()};
      EXPECT_FALSE(outline.isApartFrom(one)) << "trial " << trial;
    }
  }
  // The corner of a triangle's box is not in the triangle.
  const std::array<Eigen::Vector2d, 3> triangle = {{{0, 0}, {1, 0}, {0, 1}}};
  const ConvexOutline outline(triangle, 0.1);
  const auto isApart = [&](float x, float y) {
    const std::array<Eigen::Vector2f, 2> square = {{{x, y}, {x + 0.05F, y + 0.05F}}};
    return outline.isApartFrom(square);
  };
  EXPECT_TRUE(isApart(0.9F, 0.9F));
  EXPECT_TRUE(isApart(0.6F, 0.6F));
  EXPECT_FALSE(isApart(0.55F, 0.55F)) << "it is widened by a tenth";
  EXPECT_FALSE(isApart(-0.09F, 0.5F));
  EXPECT_TRUE(isApart(-0.2F, 0.5F));
}

TEST(PictureTiles, RectsAreTheTilesAndNothingElse) {
  std::mt19937 random(22);
  for (int trial = 0; trial < 50; ++trial) {
    PictureTiles tiles(100, 70);  // tiles at the right and at the top are cut
    std::vector<std::uint8_t> isIn(tiles.count());
    for (std::size_t tile = 0; tile < isIn.size(); ++tile) {
      if (random() % 3 != 0) continue;
      isIn[tile] = 1;
      tiles.add(tile);
    }
    std::vector<int> cover(100 * 70);
    for (const PixelRect& rect : tiles.rects()) {
      ASSERT_GE(rect.left, 0);
      ASSERT_LE(rect.right, 100);
      ASSERT_LE(rect.top, 70);
      for (int y = rect.bottom; y < rect.top; ++y) {
        for (int x = rect.left; x < rect.right; ++x)
          ++cover[static_cast<std::size_t>(y) * 100 + static_cast<std::size_t>(x)];
      }
    }
    for (int y = 0; y < 70; ++y) {
      for (int x = 0; x < 100; ++x) {
        ASSERT_EQ(cover[static_cast<std::size_t>(y) * 100 + static_cast<std::size_t>(x)],
                  static_cast<int>(isIn[tiles.tileAt(x / kSide, y / kSide)]));
      }
    }
  }
  PictureTiles one(100, 70);
  one.add(PixelRect{20, 20, 30, 30});
  EXPECT_EQ(one.rects(), (std::vector<PixelRect>{{16, 16, 32, 32}}));
  EXPECT_EQ(one.around({97, 65, 400, 400}), (PixelRect{96, 64, 100, 70}));
  EXPECT_TRUE(one.around({200, 0, 300, 10}).isEmpty());
}

TEST(PictureTiles, OfASlantedOutlineAreFewerThanOfItsBox) {
  PictureTiles tiles(320, 320);
  const std::array<Eigen::Vector2d, 4> slant = {{{0, 0}, {20, 0}, {320, 300}, {300, 320}}};
  tiles.add(ConvexOutline(slant, 1.0));
  const std::vector<PixelRect> rects = tiles.rects();
  for (int k = 0; k < 300; ++k)
    EXPECT_TRUE(isCovered(rects, k + 5, k + 5)) << k;
  EXPECT_LT(areaOf(rects), 320 * 320 / 4);
  PictureTiles outside(320, 320);
  const std::array<Eigen::Vector2d, 3> far = {{{1e9, 0}, {1e9, 10}, {2e9, 0}}};
  outside.add(ConvexOutline(far, 1.0));
  EXPECT_TRUE(outside.rects().empty());
}

/// A camera that looks down at a floor, and a lamp above it to the side.
class ShadowOnAFloor : public testing::Test {
 protected:
  static constexpr int kWidth = 320;
  static constexpr int kHeight = 240;

  ShadowOnAFloor() {
    OrbitCamera camera;
    camera.distance = 1.0;
    camera.pitch = 0.8;
    clip_ = camera.clipFromView(static_cast<double>(kWidth) / kHeight, 0.1, 10.0) *
            camera.viewFromWorld().matrix();
    // From 0 to 1 over two metres across, and over four along the lamp.
    const Eigen::Vector3d z = -towardLamp_;
    const Eigen::Vector3d x = Eigen::Vector3d::UnitX().cross(z).normalized();
    const Eigen::Vector3d y = z.cross(x);
    map_.row(0) << 0.5 * x.transpose(), 0.5;
    map_.row(1) << 0.5 * y.transpose(), 0.5;
    map_.row(2) << 0.25 * z.transpose(), 0.5;
    map_.row(3) << 0.0, 0.0, 0.0, 1.0;
    receivers_.look(clip_, map_, kWidth, kHeight);
  }
  /// What a pixel sees of the floor; none above the horizon.
  [[nodiscard]] std::optional<Eigen::Vector3d> floorAt(double x, double y) const {
    const Eigen::Matrix4d back = clip_.inverse();
    const auto at = [&](double depth) -> Eigen::Vector3d {
      const Eigen::Vector4d clip(2.0 * x / kWidth - 1.0, 2.0 * y / kHeight - 1.0, depth, 1.0);
      return (back * clip).hnormalized();
    };
    const Eigen::Vector3d from = at(-1.0);
    const Eigen::Vector3d to = at(1.0);
    const double share = from.y() / (from.y() - to.y());
    if (!(share > 0.0 && share < 1.0)) return std::nullopt;
    return from + share * (to - from);
  }
  [[nodiscard]] float depthOf(const Eigen::Vector3d& point) const {
    const Eigen::Vector4d clip = clip_ * point.homogeneous();
    return static_cast<float>(0.5 + 0.5 * clip.z() / clip.w());
  }
  /// All of the picture shows the floor.
  void learnFloor() {
    std::vector<float> depths;
    depths.reserve(static_cast<std::size_t>(kWidth) * kHeight);
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const std::optional<Eigen::Vector3d> seen = floorAt(x + 0.5, y + 0.5);
        depths.push_back(seen ? depthOf(*seen) : 1.0F);
      }
    }
    receivers_.learn({0, 0, kWidth, kHeight}, depths);
  }
  [[nodiscard]] std::vector<PixelRect> reached(const models::Bounds& caster, double blur) const {
    const std::array<Eigen::Vector3d, 8> corners = cornersOf(caster);
    PictureTiles tiles(kWidth, kHeight);
    receivers_.addReached(corners, blur, tiles);
    return tiles.rects();
  }

  Eigen::Vector3d towardLamp_ = Eigen::Vector3d(0.4, 1.0, 0.3).normalized();
  Eigen::Matrix4d clip_, map_;
  ShadowReceivers receivers_;
  const models::Bounds box_{{-0.05, 0.1, -0.05}, {0.05, 0.2, 0.05}};
};

TEST_F(ShadowOnAFloor, EveryPixelWhoseWayToTheLampIsBlockedIsInAndMostAreNot) {
  learnFloor();
  EXPECT_TRUE(receivers_.knowsAll());
  const std::vector<PixelRect> rects = reached(box_, 0.0);
  int shadowed = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const std::optional<Eigen::Vector3d> seen = floorAt(x + 0.5, y + 0.5);
      if (!seen) continue;
      // Slabs of the box along the way to the lamp.
      const Eigen::Array3d a = (box_.lower - *seen).array() / towardLamp_.array();
      const Eigen::Array3d b = (box_.upper - *seen).array() / towardLamp_.array();
      if (!(a.min(b).maxCoeff() <= a.max(b).minCoeff())) continue;
      ++shadowed;
      ASSERT_TRUE(isCovered(rects, x + 0.5, y + 0.5)) << x << ' ' << y;
    }
  }
  EXPECT_GT(shadowed, 1000);
  EXPECT_LT(areaOf(rects), 3 * shadowed);
  EXPECT_GT(areaOf(reached(box_, 0.05)), areaOf(rects)) << "a blur reaches further";
}

TEST_F(ShadowOnAFloor, WhatIsNearerToTheLampThanACasterIsNotReached) {
  learnFloor();
  const models::Bounds below{{-0.05, -0.4, -0.05}, {0.05, -0.3, 0.05}};
  EXPECT_TRUE(reached(below, 0.0).empty());
}

TEST_F(ShadowOnAFloor, NothingIsLeftOutBeforeItIsKnown) {
  EXPECT_FALSE(receivers_.knowsAll());
  EXPECT_EQ(areaOf(reached(box_, 0.0)), kWidth * kHeight);
  learnFloor();
  EXPECT_LT(areaOf(reached(box_, 0.0)), kWidth * kHeight / 2);
  receivers_.look(clip_, map_, kWidth, kHeight);
  EXPECT_TRUE(receivers_.knowsAll()) << "the same view";
  map_(0, 3) += 0.01;
  receivers_.look(clip_, map_, kWidth, kHeight);
  EXPECT_EQ(areaOf(reached(box_, 0.0)), kWidth * kHeight) << "another light";
}

TEST_F(ShadowOnAFloor, BackgroundReceivesNothingAndWhatShinesThroughReceivesAllAlongItsWay) {
  learnFloor();
  const PixelRect whole{0, 0, kWidth, kHeight};
  const std::int64_t before = areaOf(reached(box_, 0.0));
  // Something near the eye, before the floor, that a ghost or a sign has left its depth of.
  const std::vector<float> near(static_cast<std::size_t>(kWidth) * kHeight, 0.01F);
  receivers_.learn(whole, near);
  EXPECT_EQ(areaOf(reached(box_, 0.0)), 0);
  receivers_.open(whole);
  EXPECT_GE(areaOf(reached(box_, 0.0)), before);
  const std::vector<float> nothing(near.size(), 1.0F);
  receivers_.learn(whole, nothing);
  EXPECT_EQ(areaOf(reached(box_, 0.0)), 0);
}

}  // namespace
}  // namespace tactus::render
