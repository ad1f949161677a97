#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <memory>
#include <optional>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "render/camera.hpp"
#include "render/palette.hpp"

namespace tactus::render {

/// One object in the picture.
///
/// The renderer keeps its own copy of a mesh for as long as some list holds the pointer, so the
/// same mesh may appear many times and in every frame at no cost. A mesh must not change while it
/// is shared; a new shape is a new mesh.
struct DrawMesh {
  std::shared_ptr<const models::Mesh> mesh;
  Eigen::Isometry3d worldFromMesh = Eigen::Isometry3d::Identity();
  Colour colour = paletteColour(Paint::Clay);
  float roughness = 0.55F;  ///< 0.1 polished, 1 chalk
  bool wireframe = false;   ///< draws the triangles' edges over the surface
  bool castsShadow = true;
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
  OrbitCamera camera;
  Light light;
  std::optional<Floor> floor = Floor{};
  Background background;
};

/// Box around all meshes of the list, in the world; empty when there are none.
[[nodiscard]] models::Bounds boundsOf(const std::vector<DrawMesh>& meshes);

/// Axis-aligned box around a box that was moved.
[[nodiscard]] models::Bounds transformed(const models::Bounds& bounds, const Eigen::Isometry3d& to);

}  // namespace tactus::render
