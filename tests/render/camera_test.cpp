#include "render/camera.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tactus::render {
namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 400;

OrbitCamera tilted() {
  OrbitCamera camera;
  camera.target = {0.3, -0.2, 0.1};
  camera.distance = 2.0;
  camera.yaw = 0.7;
  camera.pitch = 0.4;
  camera.verticalFieldOfView = 0.6;
  return camera;
}

TEST(Camera, LooksAlongMinusZWithoutTurning) {
  OrbitCamera camera;
  camera.distance = 3.0;
  camera.yaw = camera.pitch = 0.0;
  EXPECT_TRUE(camera.eye().isApprox(Eigen::Vector3d(0, 0, 3)));
  EXPECT_TRUE(camera.worldFromViewAxes().isApprox(Eigen::Matrix3d::Identity()));
}

TEST(Camera, PositiveAnglesStandRightOfTheTargetAndAbove) {
  const OrbitCamera camera = tilted();
  const Eigen::Vector3d toEye = camera.eye() - camera.target;
  EXPECT_NEAR(toEye.norm(), 2.0, 1e-12);
  EXPECT_NEAR(toEye.y(), 2.0 * std::sin(0.4), 1e-12);
  EXPECT_NEAR(std::atan2(toEye.x(), toEye.z()), 0.7, 1e-12);
  EXPECT_GT(camera.worldFromViewAxes()(1, 1), 0.0) << "the picture is upside down";
}

TEST(Camera, TargetIsInTheMiddleAndTheEdgeOfTheFieldOfViewAtTheEdge) {
  const OrbitCamera camera = tilted();
  const Eigen::Vector3d middle = camera.pixelOf(camera.target, kWidth, kHeight);
  EXPECT_NEAR(middle.x(), 0.5 * kWidth, 1e-9);
  EXPECT_NEAR(middle.y(), 0.5 * kHeight, 1e-9);
  EXPECT_NEAR(middle.z(), 2.0, 1e-12);
  const double half = 2.0 * std::tan(0.3);
  const Eigen::Matrix3d axes = camera.worldFromViewAxes();
  const Eigen::Vector3d top = camera.pixelOf(camera.target + half * axes.col(1), kWidth, kHeight);
  EXPECT_NEAR(top.y(), 0.0, 1e-9);
  const Eigen::Vector3d right =
      camera.pixelOf(camera.target + half * axes.col(0) * kWidth / kHeight, kWidth, kHeight);
  EXPECT_NEAR(right.x(), kWidth, 1e-9);
}

TEST(Camera, RayThroughAPixelMeetsThePointThatIsSeenThere) {
  const OrbitCamera camera = tilted();
  for (const Eigen::Vector3d& point : {Eigen::Vector3d(0.5, 0.1, -0.3), Eigen::Vector3d(0, 0, 0),
                                       Eigen::Vector3d(0.2, -0.6, 0.4)}) {
    const Eigen::Vector3d pixel = camera.pixelOf(point, kWidth, kHeight);
    const Eigen::Vector3d ray = camera.rayThrough(pixel.x(), pixel.y(), kWidth, kHeight);
    EXPECT_LT(ray.cross((point - camera.eye()).normalized()).norm(), 1e-12);
  }
}

// The matrices that OpenGL gets must say the same as pixelOf.
TEST(Camera, ClipSpaceAgreesWithPixels) {
  const OrbitCamera camera = tilted();
  const double aspect = static_cast<double>(kWidth) / kHeight;
  const Eigen::Matrix4d clipFromWorld =
      camera.clipFromView(aspect, 0.5, 10.0) * camera.viewFromWorld().matrix();
  const Eigen::Vector3d point(0.5, 0.1, -0.3);
  const Eigen::Vector4d clip = clipFromWorld * point.homogeneous();
  const Eigen::Vector3d pixel = camera.pixelOf(point, kWidth, kHeight);
  EXPECT_NEAR(0.5 * kWidth * (1.0 + clip.x() / clip.w()), pixel.x(), 1e-9);
  EXPECT_NEAR(0.5 * kHeight * (1.0 - clip.y() / clip.w()), pixel.y(), 1e-9);
  EXPECT_NEAR(clip.w(), pixel.z(), 1e-12);
  const Eigen::Vector4d nearest =
      camera.clipFromView(aspect, 0.5, 10.0) * Eigen::Vector4d(0, 0, -0.5, 1);
  const Eigen::Vector4d farthest =
      camera.clipFromView(aspect, 0.5, 10.0) * Eigen::Vector4d(0, 0, -10.0, 1);
  EXPECT_NEAR(nearest.z() / nearest.w(), -1.0, 1e-12);
  EXPECT_NEAR(farthest.z() / farthest.w(), 1.0, 1e-12);
}

TEST(Camera, PanKeepsTheTargetsPlaceUnderTheMouse) {
  OrbitCamera camera = tilted();
  const Eigen::Vector3d point = camera.target;
  camera.pan(37.0, -21.0, kHeight);
  const Eigen::Vector3d pixel = camera.pixelOf(point, kWidth, kHeight);
  EXPECT_NEAR(pixel.x(), 0.5 * kWidth + 37.0, 1e-9);
  EXPECT_NEAR(pixel.y(), 0.5 * kHeight - 21.0, 1e-9);
}

TEST(Camera, OrbitRollsTheSceneWithTheMouseAndStopsShortOfThePole) {
  OrbitCamera camera = tilted();
  // A point in front of the target follows the mouse to the right.
  const Eigen::Vector3d front = camera.target + 0.3 * camera.worldFromViewAxes().col(2);
  camera.orbit(40.0, 0.0, kHeight);
  EXPECT_GT(camera.pixelOf(front, kWidth, kHeight).x(), 0.5 * kWidth + 1.0);
  camera.orbit(0.0, 1e6, kHeight);
  EXPECT_EQ(camera.pitch, OrbitCamera::kSteepestPitch);
  EXPECT_TRUE(camera.worldFromViewAxes().allFinite());
}

TEST(Camera, ZoomGoesInAndComesBack) {
  OrbitCamera camera = tilted();
  camera.zoom(3.0);
  EXPECT_NEAR(camera.distance, 2.0 * 0.9 * 0.9 * 0.9, 1e-12);
  camera.zoom(-3.0);
  EXPECT_NEAR(camera.distance, 2.0, 1e-12);
  camera.zoom(1e9);
  EXPECT_GT(camera.distance, 0.0);
}

TEST(Camera, FramingShowsAllOfABoxAndNotMuchElse) {
  for (const double aspect : {0.5, 1.0, 2.5}) {
    const int width = static_cast<int>(aspect * kHeight);
    OrbitCamera camera = tilted();
    const models::Bounds bounds{{1.0, 2.0, 3.0}, {1.4, 2.9, 3.1}};
    camera.frame(bounds, aspect);
    Eigen::Array2d least(1e9, 1e9);
    Eigen::Array2d greatest(-1e9, -1e9);
    for (unsigned i = 0; i < 8; ++i) {
      const Eigen::Vector3d corner((i & 1U) != 0 ? 1.4 : 1.0, (i & 2U) != 0 ? 2.9 : 2.0,
                                   (i & 4U) != 0 ? 3.1 : 3.0);
      const Eigen::Vector3d pixel = camera.pixelOf(corner, width, kHeight);
      const Eigen::Array2d place(2.0 * pixel.x() / width - 1.0, 2.0 * pixel.y() / kHeight - 1.0);
      least = least.min(place);
      greatest = greatest.max(place);
    }
    // Inside on all sides, close to two of them, and as far from one side as from its opposite.
    EXPECT_GT(least.minCoeff(), -1.0) << aspect;
    EXPECT_LT(greatest.maxCoeff(), 1.0) << aspect;
    EXPECT_GT(greatest.maxCoeff(), 0.85) << aspect;
    EXPECT_NEAR((greatest - least).maxCoeff(), 2.0 * greatest.maxCoeff(), 1e-9) << aspect;
  }
}

TEST(Camera, ANarrowerPictureShowsAsMuchToTheSides) {
  constexpr double kWide = 1.6;
  const double vertical = tilted().verticalFieldOfView;
  EXPECT_EQ(OrbitCamera::fieldOfViewIn(kWide, vertical, kWide), vertical);
  EXPECT_EQ(OrbitCamera::fieldOfViewIn(2.4, vertical, kWide), vertical);
  const auto widthOf = [](double aspect, double angle) { return aspect * std::tan(0.5 * angle); };
  for (const double aspect : {1.2, 0.5}) {
    const double angle = OrbitCamera::fieldOfViewIn(aspect, vertical, kWide);
    EXPECT_NEAR(widthOf(aspect, angle), widthOf(kWide, vertical), 1e-12) << aspect;
  }
}

TEST(Camera, FramingNothingChangesNothing) {
  OrbitCamera camera = tilted();
  camera.frame(models::Bounds{}, 1.5);
  EXPECT_EQ(camera.distance, tilted().distance);
  EXPECT_EQ(camera.target, tilted().target);
}

}  // namespace
}  // namespace tactus::render
