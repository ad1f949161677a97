#pragma once
#include <Eigen/Geometry>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "collision/pointshell/voxmap_pointshell.hpp"
#include "collision/surface/surface_distance.hpp"
#include "tests/models/test_meshes.hpp"

/// Solids with points and a voxmap, for the tests of their queries.
namespace tactus::tests {

inline collision::Voxmap mapOf(const collision::SurfaceDistance& surface, double voxel) {
  collision::VoxmapSettings settings;
  settings.voxelSize = voxel;
  return collision::Voxmap(surface, settings);
}

struct Solid {
  Solid(std::string called, const models::Mesh& mesh, std::size_t points, double voxel)
      : name(std::move(called)),
        surface(mesh),
        shell(mesh, {.points = points}),
        map(mapOf(surface, voxel)) {}
  [[nodiscard]] Eigen::Vector3d middle() const { return surface.bounds().centre(); }
  [[nodiscard]] collision::VoxmapPointshell::Body body() const { return {&shell, &map}; }

  std::string name;
  collision::SurfaceDistance surface;
  collision::Pointshell shell;
  collision::Voxmap map;
};

/// Round, with a hole, flat and far from its origin, and thin.
inline const std::vector<Solid>& solids() {
  static const std::vector<Solid> all = [] {
    std::vector<Solid> made;
    made.reserve(4);
    made.emplace_back("ball", models::test::sphere(0.5, 24, 48), 20'000, 0.01);
    made.emplace_back("torus", models::test::torus(0.5, 0.2), 20'000, 0.01);
    made.emplace_back("box", models::test::box({0.8, 0.4, 0.6}, {2.0, -1.0, 3.0}), 20'000, 0.01);
    made.emplace_back("plate", models::test::box({0.8, 0.05, 0.6}), 20'000, 0.01);
    return made;
  }();
  return all;
}

/// A block with its upper face at y = 0, wide enough to be a half space.
inline const Solid& block() {
  static const Solid kBlock("block", models::test::box({2.0, 0.6, 2.0}, {0.0, -0.3, 0.0}), 100,
                            0.01);
  return kBlock;
}

inline Eigen::Isometry3d shifted(const Eigen::Vector3d& by) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = by;
  return pose;
}

inline collision::PointForceSettings pointsOfB(collision::PointLaw law) {
  return {.law = law, .pointsOf = collision::PointsOf::B};
}

}  // namespace tactus::tests
