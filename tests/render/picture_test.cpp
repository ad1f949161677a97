// Pictures are judged by colours at places that the camera's mathematics predicts, never by a
// stored picture: drivers may differ in every pixel by a little.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "render/offscreen.hpp"
#include "tests/render/pictures.hpp"
#include "tests/render/shapes.hpp"

namespace tactus::render {
namespace {

using namespace pictures;

/// sRGB byte of a linear value, IEC 61966-2-1.
int byteOf(float linear) {
  const double value = static_cast<double>(linear);
  const double srgb =
      value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1.0 / 2.4) - 0.055;
  return static_cast<int>(std::lround(255.0 * srgb));
}

/// An orange ball of 10 cm diameter that floats 5 cm above the floor.
SceneView ballOverFloor() {
  SceneView view;
  DrawMesh ball;
  ball.mesh = shapes::shared(shapes::sphere(0.05, 24));
  ball.worldFromMesh.translation() = Eigen::Vector3d(0.0, 0.10, 0.0);
  ball.colour = paletteColour(Paint::Orange);
  view.meshes.push_back(ball);
  view.camera.target = Eigen::Vector3d(0.0, 0.06, 0.0);
  view.camera.distance = 0.6;
  view.camera.yaw = 0.3;
  view.camera.pitch = 0.25;
  view.camera.verticalFieldOfView = 0.6;
  view.background.horizon = colourFromHex(0x406080);
  view.background.zenith = colourFromHex(0x203040);
  return view;
}

/// Where the lamp throws the shadow of a point onto the floor.
Eigen::Vector3d shadowOf(const SceneView& view, const Eigen::Vector3d& point) {
  const Eigen::Vector3d towardLamp = view.light.towardLamp;
  return point - point.y() / towardLamp.y() * towardLamp;
}

/// Each way of drawing must show the same things.
class EachWay : public Picture, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Passes, EachWay, testing::Values(1, 6));

TEST_P(EachWay, ObjectFloorAndBackgroundAreWhereTheyBelong) {
  const SceneView view = ballOverFloor();
  const Image image = draw(view, GetParam());
  ASSERT_EQ(image.width, kWidth);
  ASSERT_EQ(image.height, kHeight);
  ASSERT_EQ(image.rgb.size(), 3U * kWidth * kHeight);

  const Rgb ball = at(image, view, {0.0, 0.10, 0.0});
  EXPECT_GT(ball[0], ball[1]);
  EXPECT_GT(ball[1], ball[2] + 30) << "the ball is not orange";
  const Rgb floor = at(image, view, {-0.10, 0.0, 0.06});
  EXPECT_LT(colourfulness(floor), 30) << "the floor is not grey";
  EXPECT_GT(brightness(floor), 3 * 150) << "the floor is dark";
}

TEST_P(EachWay, BackgroundIsTheColourThatWasAskedFor) {
  SceneView view = ballOverFloor();
  view.camera.pitch = -0.2;  // looks up, so that much of the way to the zenith is seen
  const Image image = draw(view, GetParam());
  const double x = 10.5;
  const double y = 1.5;
  const Eigen::Vector3d ray = view.camera.rayThrough(x, y, kWidth, kHeight);
  ASSERT_GT(ray.y(), 0.3) << "the test looks at the horizon";
  const double t = ray.y() / 0.8;
  const auto share = static_cast<float>(t * t * (3.0 - 2.0 * t));
  const Colour expected = (1.0F - share) * view.background.horizon + share * view.background.zenith;
  const auto pixel = image.pixel(static_cast<int>(x), static_cast<int>(y));
  for (int channel = 0; channel < 3; ++channel) {
    EXPECT_NEAR(pixel[static_cast<std::size_t>(channel)], byteOf(expected[channel]), 2) << channel;
  }
}

TEST_P(EachWay, AnObjectDarkensTheFloorWhereItsShadowFalls) {
  SceneView view = ballOverFloor();
  const Eigen::Vector3d dark = shadowOf(view, {0.0, 0.10, 0.0});
  const Eigen::Vector3d lit(-dark.x(), 0.0, dark.z());
  const Image shaded = draw(view, GetParam());
  view.light.shadows = false;
  const Image unshaded = draw(view, GetParam());
  // The lamp brings about three quarters of the floor's light.
  EXPECT_LT(brightness(at(shaded, view, dark)), 0.75 * brightness(at(unshaded, view, dark)));
  EXPECT_NEAR(brightness(at(shaded, view, lit)), brightness(at(unshaded, view, lit)), 3 * 12);
  EXPECT_NEAR(brightness(at(unshaded, view, dark)), brightness(at(unshaded, view, lit)), 3 * 12);
}

TEST_P(EachWay, WhatCastsNoShadowCastsNone) {
  SceneView view = ballOverFloor();
  const Eigen::Vector3d dark = shadowOf(view, {0.0, 0.10, 0.0});
  const int withShadow = brightness(at(draw(view, GetParam()), view, dark));
  view.meshes[0].castsShadow = false;
  const int without = brightness(at(draw(view, GetParam()), view, dark));
  EXPECT_LT(withShadow, 0.75 * without);
}

TEST_P(EachWay, OneObjectShadesAnother) {
  SceneView view = ballOverFloor();
  DrawMesh roof;
  roof.mesh = shapes::shared(shapes::box({0.2, 0.005, 0.2}));
  const Eigen::Vector3d towardLamp = view.light.towardLamp.normalized();
  roof.worldFromMesh.translation() = Eigen::Vector3d(0.0, 0.10, 0.0) + 0.2 * towardLamp;
  const Eigen::Vector3d sunny =
      Eigen::Vector3d(0.0, 0.10, 0.0) +
      0.05 * (towardLamp + (view.camera.eye() - view.camera.target).normalized()).normalized();
  const int before = brightness(at(draw(view, GetParam()), view, sunny));
  view.meshes.push_back(roof);
  const int after = brightness(at(draw(view, GetParam()), view, sunny));
  EXPECT_LT(after, 0.8 * before);
}

// The centre of what is drawn must be where pixelOf says, to a fraction of a pixel.
TEST_P(EachWay, PixelsAgreeWithTheCamera) {
  SceneView view = ballOverFloor();
  view.floor.reset();
  view.light.shadows = false;
  const Eigen::Vector3d place(0.06, 0.09, -0.05);
  view.meshes[0].mesh = shapes::shared(shapes::sphere(0.006, 12));
  view.meshes[0].worldFromMesh.translation() = place;
  const Image image = draw(view, GetParam());
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  int count = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const auto pixel = image.pixel(x, y);
      if (pixel[0] <= pixel[2] + 20) continue;  // the background is blue
      sum += Eigen::Vector2d(x + 0.5, y + 0.5);
      ++count;
    }
  }
  ASSERT_GT(count, 10);
  const Eigen::Vector3d expected = view.camera.pixelOf(place, kWidth, kHeight);
  EXPECT_NEAR(sum.x() / count, expected.x(), 0.6);
  EXPECT_NEAR(sum.y() / count, expected.y(), 0.6);
}

TEST_P(EachWay, WireframeDarkensEdgesAndLeavesFacesAlone) {
  SceneView view = ballOverFloor();
  view.meshes[0].mesh = shapes::shared(shapes::box({0.1, 0.1, 0.1}));
  const Image plain = draw(view, GetParam());
  view.meshes[0].wireframe = true;
  const Image wired = draw(view, GetParam());
  // The front face is cut by its diagonal through the face's middle.
  const Eigen::Vector3d onEdge(0.0, 0.10, 0.05);
  const Eigen::Vector3d onFace(-0.02, 0.12, 0.05);
  EXPECT_LT(brightness(at(wired, view, onEdge)), 0.75 * brightness(at(plain, view, onEdge)));
  EXPECT_NEAR(brightness(at(wired, view, onFace)), brightness(at(plain, view, onFace)), 3);
}

TEST_P(EachWay, InsidesAreDarkerThanOutsides) {
  SceneView view = ballOverFloor();
  view.light.shadows = false;
  const int outside = brightness(at(draw(view, GetParam()), view, {0.0, 0.10, 0.0}));
  models::Mesh inverted = shapes::sphere(0.05, 24);
  for (models::Triangle& triangle : inverted.triangles)
    std::swap(triangle[1], triangle[2]);
  view.meshes[0].mesh = shapes::shared(std::move(inverted));
  const int inside = brightness(at(draw(view, GetParam()), view, {0.0, 0.10, 0.0}));
  EXPECT_LT(inside, 0.8 * outside);
}

// Floats alone would lose a ball of 10 cm a thousand kilometres away.
TEST_P(EachWay, FarFromTheOriginLooksTheSame) {
  SceneView view = ballOverFloor();
  const Image here = draw(view, GetParam());
  const Eigen::Vector3d away(1.0e6, 0.0, -2.0e6);  // whole multiples of the grid
  auto moved = std::make_shared<models::Mesh>(*view.meshes[0].mesh);
  moved->origin = away;
  view.meshes[0].mesh = moved;
  view.camera.target += away;
  const Image there = draw(view, GetParam());
  int worst = 0;
  for (std::size_t i = 0; i < here.rgb.size(); ++i) {
    worst = std::max(worst, std::abs(here.rgb[i] - there.rgb[i]));
  }
  EXPECT_LE(worst, 12);
}

TEST_P(EachWay, TheSamePictureTwice) {
  const SceneView view = ballOverFloor();
  EXPECT_EQ(draw(view, GetParam()).rgb, draw(view, GetParam()).rgb);
}

TEST_P(EachWay, ANewMeshIsShownAndAnEmptyListIsNoError) {
  SceneView view = ballOverFloor();
  const Image ball = draw(view, GetParam());
  view.meshes[0].mesh = shapes::shared(shapes::box({0.02, 0.02, 0.02}));
  const Image box = draw(view, GetParam());
  EXPECT_NE(ball.rgb, box.rgb);
  view.meshes.clear();
  const Image empty = draw(view, GetParam());
  EXPECT_LT(colourfulness(at(empty, view, {0.0, 0.08, 0.0})), 30);
  view.meshes.emplace_back();  // a mesh that is not there
  view.meshes.emplace_back().mesh = shapes::shared(models::Mesh{});
  EXPECT_EQ(draw(view, GetParam()).rgb, empty.rgb);
}

TEST_F(Picture, ManyPassesSmoothEdges) {
  SceneView view = ballOverFloor();
  view.floor.reset();
  view.light.shadows = false;
  // Along a row, an edge without smoothing has no value between ball and background.
  const auto betweens = [&](const Image& image) {
    const Eigen::Vector3d middle = view.camera.pixelOf({0.0, 0.10, 0.0}, kWidth, kHeight);
    int count = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 1; x + 1 < kWidth; ++x) {
        const int left = image.pixel(x - 1, y)[0];
        const int here = image.pixel(x, y)[0];
        const int right = image.pixel(x + 1, y)[0];
        const bool jump = std::abs(left - right) > 60;
        if (jump && std::min(std::abs(here - left), std::abs(here - right)) > 15) ++count;
      }
    }
    EXPECT_GT(middle.z(), 0.0);
    return count;
  };
  EXPECT_GT(betweens(draw(view, 16)), betweens(draw(view, 1)) + 20);
}

TEST_F(Picture, ImpossibleSizesAreRefusedInOneSentence) {
  const SceneView view = ballOverFloor();
  for (const auto& [width, height, passes] :
       {std::array<int, 3>{0, 100, 1}, {100, -1, 1}, {1'000'000, 10, 1}, {10, 10, 0}}) {
    const models::Result<Image> refused = renderer_->render(view, width, height, passes);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, models::Reason::BadValue);
    EXPECT_EQ(refused.error().sentence.find('\n'), std::string::npos);
    EXPECT_EQ(refused.error().sentence.back(), '.');
  }
  EXPECT_TRUE(renderer_->render(view, 1, 1, 1));
}

TEST_F(Picture, TwoRenderersDoNotDisturbEachOther) {
  const SceneView view = ballOverFloor();
  const Image first = draw(view, 1);
  {
    models::Result<OffscreenRenderer> second = OffscreenRenderer::create();
    ASSERT_TRUE(second) << second.error().sentence;
    EXPECT_EQ(second.value().render(view, kWidth, kHeight, 1).value().rgb, first.rgb);
  }
  EXPECT_EQ(draw(view, 1).rgb, first.rgb);
}

TEST(OffscreenPicture, NeedsNoDisplay) {
  ::unsetenv("DISPLAY");
  ::unsetenv("WAYLAND_DISPLAY");
  const models::Result<Image> image = renderOffscreen(ballOverFloor(), 32, 24, 2);
  ASSERT_TRUE(image) << image.error().sentence;
  EXPECT_EQ(image.value().rgb.size(), 3U * 32U * 24U);
}

}  // namespace
}  // namespace tactus::render
