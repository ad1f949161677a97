#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "render/camera.hpp"
#include "render/palette.hpp"

namespace tactus::render {

// What a list shares by pointer (meshes, clouds, textures) is copied to the graphics card once and
// kept there for as long as somebody holds the pointer, so that it may appear many times and in
// every frame at no cost. It must not change while it is shared; something new is a new pointer.

/// One object in the picture.
struct DrawMesh {
  std::shared_ptr<const models::Mesh> mesh;
  Eigen::Isometry3d worldFromMesh = Eigen::Isometry3d::Identity();
  Colour colour = paletteColour(Paint::Clay);
  float roughness = 0.55F;  ///< 0.1 polished, 1 chalk
  /// Below 1 a ghost: only the side toward the eye is seen, over all that is solid and over the
  /// images, and it throws no shadow. A ghost just where a solid mesh is leaves that mesh as it is.
  float opacity = 1.0F;
  bool wireframe = false;  ///< draws the triangles' edges over the surface
  bool castsShadow = true;
};

struct Sphere {
  Eigen::Vector3f centre = Eigen::Vector3f::Zero();  ///< in the cloud's frame [m]
  float radius = 0.0F;                               ///< [m]
  Colour colour = paletteColour(Paint::Clay);
};
struct SphereCloud {
  std::vector<Sphere> spheres;
};
/// Solid spheres, lit like meshes. One that the eye is in is not seen.
struct DrawSpheres {
  std::shared_ptr<const SphereCloud> cloud;
  Eigen::Isometry3d worldFromCloud = Eigen::Isometry3d::Identity();
  float roughness = 0.55F;
  bool castsShadow = true;
};

struct Point {
  Eigen::Vector3f position = Eigen::Vector3f::Zero();  ///< in the cloud's frame [m]
  Colour colour = paletteColour(Paint::Blue);
};
struct PointCloud {
  std::vector<Point> points;
};
/// Round dots that are equally large near and far. They stand a little out of the surface they lie
/// on, and are not lit.
struct DrawPoints {
  std::shared_ptr<const PointCloud> cloud;
  Eigen::Isometry3d worldFromCloud = Eigen::Isometry3d::Identity();
  float diameter = 5.0F;  ///< [pixels]
};

/// A straight line, equally wide near and far; faint where something solid hides it.
struct DrawLine {
  Eigen::Vector3d from = Eigen::Vector3d::Zero(), to = Eigen::Vector3d::Zero();  ///< world [m]
  Colour colour = colourFromHex(0x20252B);
  float width = 2.0F;  ///< [pixels]; at least one is drawn

  friend bool operator==(const DrawLine&, const DrawLine&) = default;
};

/// A solid arrow whose tip is exactly at `to`; faint where something solid hides it. Forces.
struct DrawArrow {
  Eigen::Vector3d from = Eigen::Vector3d::Zero(), to = Eigen::Vector3d::Zero();  ///< world [m]
  double shaftRadius = 0.002;                                                    ///< [m]
  Colour colour = paletteColour(Paint::Vermilion);
  bool bothEnds = false;  ///< a second head, whose tip is at `from`

  friend bool operator==(const DrawArrow&, const DrawArrow&) = default;
};

/// A solid arrow bent around an axis, right-handed for a positive angle. Torques.
struct DrawTurn {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< world [m]
  Eigen::Vector3d axis = Eigen::Vector3d::UnitY();   ///< any length; zero: nothing is drawn
  double radius = 0.02;                              ///< of the circle [m]
  double angle = 4.5;          ///< from end to tip [rad]; less than a whole turn is drawn
  double shaftRadius = 0.002;  ///< [m]
  Colour colour = paletteColour(Paint::Purple);
  /// World direction from the centre about which the arrow is even. Zero: toward the picture's
  /// upper right, and the eye.
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();

  friend bool operator==(const DrawTurn&, const DrawTurn&) = default;
};

/// Pixels in sRGB with alpha (not multiplied), four bytes each, rows from top to bottom.
struct Texture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};
/// A rectangle in space, seen from both sides in its own colours: a slice of a voxmap, a chart.
/// Lies in its frame's x-y plane about the origin, with the first row at the greatest y. Pixels
/// stay sharp-edged near the eye.
struct DrawImage {
  std::shared_ptr<const Texture> texture;
  Eigen::Isometry3d worldFromImage = Eigen::Isometry3d::Identity();
  double width = 0.0, height = 0.0;  ///< [m]
  float opacity = 0.9F;
};

/// The lamp (a bright disc far away) and the sky around everything.
struct Light {
  Eigen::Vector3d towardLamp = Eigen::Vector3d(-0.45, 1.0, 0.55);  ///< any length
  double lampAngle = 0.10;  ///< half angle of the disc; larger is a softer shadow [rad]
  Colour lamp = Colour(0.86F, 0.83F, 0.77F);
  Colour sky = Colour(0.36F, 0.40F, 0.46F);     ///< from above
  Colour bounce = Colour(0.16F, 0.15F, 0.13F);  ///< from the ground
  bool shadows = true;
};

/// A plane y = height with a grid; fades into the background far from what is drawn.
struct Floor {
  double height = 0.0;       ///< [m]
  double gridSpacing = 0.0;  ///< between fine lines, every tenth is strong [m]; 0: a power of ten
                             ///< that suits the objects
  Colour colour = colourFromHex(0xD5D7DA);
  Colour line = colourFromHex(0x8C9299);
};

struct Background {
  Colour horizon = colourFromHex(0xDDE1E6);
  Colour zenith = colourFromHex(0xA9B7C6);
};

/// Everything one picture shows: plain data that `app` fills.
struct SceneView {
  std::vector<DrawMesh> meshes;
  std::vector<DrawSpheres> spheres;
  std::vector<DrawPoints> points;
  std::vector<DrawLine> lines;
  std::vector<DrawArrow> arrows;
  std::vector<DrawTurn> turns;
  std::vector<DrawImage> images;
  OrbitCamera camera;
  Light light;
  std::optional<Floor> floor = Floor{};
  Background background;
};

/// Box around all meshes of the list, in the world; empty when there are none.
[[nodiscard]] models::Bounds boundsOf(const std::vector<DrawMesh>& meshes);

/// Of a cloud, in its own frame; empty when it has nothing in it.
[[nodiscard]] models::Bounds boundsOf(const SphereCloud& cloud);
[[nodiscard]] models::Bounds boundsOf(const PointCloud& cloud);

[[nodiscard]] std::array<Eigen::Vector3d, 8> cornersOf(const models::Bounds& bounds);

/// The smallest box around two; an empty one adds nothing.
[[nodiscard]] models::Bounds joined(const models::Bounds& a, const models::Bounds& b);

/// Axis-aligned box around a box that was moved.
[[nodiscard]] models::Bounds transformed(const models::Bounds& bounds, const Eigen::Isometry3d& to);

}  // namespace tactus::render
