#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>

#include "models/mesh/mesh.hpp"

namespace tactus::render {

/// A camera on a sphere around the point it looks at. World: x right, y up, z toward the viewer.
///
/// Pixels count from the picture's upper left corner, x right and y down; the middle of the first
/// pixel is (0.5, 0.5).
struct OrbitCamera {
  Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< the point looked at [m]
  double distance = 1.0;                             ///< from eye to target [m]
  double yaw = 0.5;     ///< about y; 0 looks along -z, positive sees more of the right side [rad]
  double pitch = 0.35;  ///< above the horizon; within +-kSteepestPitch [rad]
  double verticalFieldOfView = 0.5;  ///< whole angle from lower to upper edge [rad]

  /// Just short of straight down, where "up" would be undefined.
  static constexpr double kSteepestPitch = 1.55;

  [[nodiscard]] Eigen::Vector3d eye() const;
  /// Unit vectors of the picture, in the world: right, up and from the target back to the eye.
  [[nodiscard]] Eigen::Matrix3d worldFromViewAxes() const;
  /// Maps world coordinates to view coordinates: x right, y up, eye at zero, looking along -z.
  [[nodiscard]] Eigen::Isometry3d viewFromWorld() const;
  /// Perspective of OpenGL: clip volume -w..w in all three axes, near plane at -w.
  [[nodiscard]] Eigen::Matrix4d clipFromView(double aspect, double nearest, double farthest) const;

  /// Where a world point appears in a picture of that size; z is the distance along the viewing
  /// direction [m], negative behind the eye (x and y are then without meaning).
  [[nodiscard]] Eigen::Vector3d pixelOf(const Eigen::Vector3d& world, int width, int height) const;
  /// Unit direction in the world of the ray through a pixel position.
  [[nodiscard]] Eigen::Vector3d rayThrough(double x, double y, int width, int height) const;

  /// Turns about the target as if a ball as large as the picture is high were rolled by the mouse.
  void orbit(double pixelsRight, double pixelsDown, int pictureHeight);
  /// Moves the target in the picture plane, so that the point under the mouse stays there.
  void pan(double pixelsRight, double pixelsDown, int pictureHeight);
  /// One wheel notch nearer (positive) or farther is a tenth of the distance.
  void zoom(double notches);
  /// The vertical angle that shows as much to the sides in a picture of this aspect (width over
  /// height) as `vertical` does in one of `framedAspect`; `vertical` itself in a wider one.
  [[nodiscard]] static double fieldOfViewIn(double aspect, double vertical, double framedAspect);
  /// Keeps the direction, and looks at the box's centre from where all of the box is in the
  /// picture.
  void frame(const models::Bounds& bounds, double aspect);

  friend bool operator==(const OrbitCamera&, const OrbitCamera&) = default;
};

}  // namespace tactus::render
