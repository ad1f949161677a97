#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/surface/surface_distance.hpp"

namespace tactus::collision {

/// Depth in a cube that a thin wall passes through: the least of up to four planes. Of each the
/// gradient in units of kWallSlope, and the depth at the cube's middle in kWallDepth sides.
///
/// Source: the project's own. Depths at the corners of a cube cannot tell a wall that is thinner
/// than the cube: all eight may be outside. Planes can, whatever the thickness.
using WallPlanes = std::array<std::int16_t, 16>;

inline constexpr std::size_t kWallPlanes = 4;
inline constexpr float kWallSlope = 1.0F / 32'000.0F;
inline constexpr float kWallDepth = 4.0F / 32'000.0F;

/// Walls are looked for where opposite faces are nearer to each other than so many sides of a cube.
/// Of a wall of that many, as it may lie in the cubes, interpolation loses a twentieth of the
/// force.
inline constexpr double kThickestWall = 3.0;

/// Depths at the corners of a grid of cubes, and where the surface is nearest.
struct DepthSamples {
  std::array<std::size_t, 3> along{};  ///< corners; x runs fastest
  double side = 0.0;
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  std::vector<float> depths;
  std::vector<Eigen::Vector3f> slopes;  ///< unit, from where it gets deeper
};

/// The gradient of the depth at a point whose nearest one is known.
[[nodiscard]] Eigen::Vector3d depthSlope(const SurfaceDistance& surface, const Eigen::Vector3d& at,
                                         const SurfacePoint& nearest, double side);

struct ThinWalls {
  std::vector<std::int32_t> cubes;  ///< by the numbers of their first corners, ascending
  std::vector<WallPlanes> planes;
  /// Cubes that the middle of a wall passes, whether or not they have planes; ascending, too. The
  /// depth has a ridge there, and second differences tell nothing of how the surface bends.
  std::vector<std::int32_t> ridges;
};

/// The cubes in which planes are nearer to the depth than what is between the corners.
///
/// Method: a corner's nearest point gives a plane that bounds the solid there. Those that lean
/// alike are made one. A cube has a wall if two of its planes face each other with solid between
/// them, no thicker than kThickestWall; that is where the middle of a wall passes, for on either
/// side of it depths are linear and their corners know them. Depths at eight points inside decide.
///
/// Deviation: four planes make a convex piece. Where walls join, or two walls are in one cube, that
/// is too little of them. Faces that bend are flat in a cube.
[[nodiscard]] ThinWalls thinWalls(const SurfaceDistance& surface, const DepthSamples& samples,
                                  unsigned threads);

}  // namespace tactus::collision
