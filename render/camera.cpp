#include "render/camera.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::render {

namespace {

// Rolling half a picture height of mouse travel turns the view by 90 degrees.
constexpr double kOrbitPerHeight = 3.14159265358979;  // [rad]

// A tenth nearer a notch: seven notches halve the distance, and no number of them reaches zero.
constexpr double kZoomPerNotch = 0.9;

// The camera neither enters a grain of sand nor leaves the solar system; both would end in
// numbers that a float matrix cannot hold.
constexpr double kNearestDistance = 1e-6;  // [m]
constexpr double kFarthestDistance = 1e9;  // [m]

// Air around an object that has just been brought into the picture.
constexpr double kFrameMargin = 1.12;

}  // namespace

Eigen::Matrix3d OrbitCamera::worldFromViewAxes() const {
  const double sinYaw = std::sin(yaw);
  const double cosYaw = std::cos(yaw);
  const double sinPitch = std::sin(pitch);
  const double cosPitch = std::cos(pitch);
  Eigen::Matrix3d axes;
  axes.col(0) = Eigen::Vector3d(cosYaw, 0.0, -sinYaw);
  axes.col(2) = Eigen::Vector3d(sinYaw * cosPitch, sinPitch, cosYaw * cosPitch);
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

Eigen::Vector3d OrbitCamera::eye() const {
  return target + distance * worldFromViewAxes().col(2);
}

Eigen::Isometry3d OrbitCamera::viewFromWorld() const {
  Eigen::Isometry3d worldFromView = Eigen::Isometry3d::Identity();
  worldFromView.linear() = worldFromViewAxes();
  worldFromView.translation() = eye();
  return worldFromView.inverse();
}

Eigen::Matrix4d OrbitCamera::clipFromView(double aspect, double nearest, double farthest) const {
  const double magnification = 1.0 / std::tan(0.5 * verticalFieldOfView);
  Eigen::Matrix4d clip = Eigen::Matrix4d::Zero();
  clip(0, 0) = magnification / aspect;
  clip(1, 1) = magnification;
  clip(2, 2) = (farthest + nearest) / (nearest - farthest);
  clip(2, 3) = 2.0 * farthest * nearest / (nearest - farthest);
  clip(3, 2) = -1.0;
  return clip;
}

Eigen::Vector3d OrbitCamera::pixelOf(const Eigen::Vector3d& world, int width, int height) const {
  const Eigen::Vector3d view = viewFromWorld() * world;
  const double depth = -view.z();
  const double pixelsPerSlope = 0.5 * height / std::tan(0.5 * verticalFieldOfView);
  return {0.5 * width + pixelsPerSlope * view.x() / depth,
          0.5 * height - pixelsPerSlope * view.y() / depth, depth};
}

Eigen::Vector3d OrbitCamera::rayThrough(double x, double y, int width, int height) const {
  const double slopePerPixel = std::tan(0.5 * verticalFieldOfView) / (0.5 * height);
  const Eigen::Vector3d view((x - 0.5 * width) * slopePerPixel, (0.5 * height - y) * slopePerPixel,
                             -1.0);
  return (worldFromViewAxes() * view).normalized();
}

void OrbitCamera::orbit(double pixelsRight, double pixelsDown, int pictureHeight) {
  const double turn = kOrbitPerHeight / std::max(pictureHeight, 1);
  yaw = std::remainder(yaw - pixelsRight * turn, 2.0 * kOrbitPerHeight);
  pitch = std::clamp(pitch + pixelsDown * turn, -kSteepestPitch, kSteepestPitch);
}

void OrbitCamera::pan(double pixelsRight, double pixelsDown, int pictureHeight) {
  const double metresPerPixel =
      2.0 * distance * std::tan(0.5 * verticalFieldOfView) / std::max(pictureHeight, 1);
  const Eigen::Matrix3d axes = worldFromViewAxes();
  target += metresPerPixel * (pixelsDown * axes.col(1) - pixelsRight * axes.col(0));
}

void OrbitCamera::zoom(double notches) {
  distance =
      std::clamp(distance * std::pow(kZoomPerNotch, notches), kNearestDistance, kFarthestDistance);
}

double OrbitCamera::fieldOfViewIn(double aspect, double vertical, double framedAspect) {
  if (!(aspect > 0.0) || aspect >= framedAspect) return vertical;
  return 2.0 * std::atan(std::tan(0.5 * vertical) * framedAspect / aspect);
}

void OrbitCamera::frame(const models::Bounds& bounds, double aspect) {
  if (bounds.isEmpty()) return;
  target = bounds.centre();
  if (bounds.diagonal() <= 0.0) return;
  // A corner at (x, y, z) of the picture's axes is seen by an eye at (ex, ey, ez) if
  // |x - ex| <= slope * (ez - z), and the same for y. Each side of the picture thus has one corner
  // that keeps the eye farthest off: -ex + slope * ez >= max(slope * z - x) and so on. Both sides
  // of a direction are just met by the smallest ez and the ex between them.
  const Eigen::Matrix3d axes = worldFromViewAxes();
  const double slopeY = std::tan(0.5 * verticalFieldOfView) / kFrameMargin;
  const double slopeX = slopeY * aspect;
  Eigen::Array2d least = Eigen::Array2d::Constant(-std::numeric_limits<double>::infinity());
  Eigen::Array2d greatest = least;
  for (unsigned i = 0; i < 8; ++i) {
    const Eigen::Vector3d corner((i & 1U) != 0 ? bounds.upper.x() : bounds.lower.x(),
                                 (i & 2U) != 0 ? bounds.upper.y() : bounds.lower.y(),
                                 (i & 4U) != 0 ? bounds.upper.z() : bounds.lower.z());
    const Eigen::Vector3d at = axes.transpose() * (corner - target);
    const Eigen::Array2d depth = at.z() * Eigen::Array2d(slopeX, slopeY);
    least = least.max(depth - at.head<2>().array());
    greatest = greatest.max(depth + at.head<2>().array());
  }
  const Eigen::Array2d needed = 0.5 * (least + greatest) / Eigen::Array2d(slopeX, slopeY);
  const Eigen::Array2d aside = 0.5 * (greatest - least);
  distance = std::clamp(needed.maxCoeff(), kNearestDistance, kFarthestDistance);
  target += axes.leftCols<2>() * aside.matrix();
}

}  // namespace tactus::render
