#pragma once
#include <memory>

#include "collision/pointshell/pointshell.hpp"
#include "collision/tree/inner_sphere_tree.hpp"
#include "collision/voxmap/voxmap.hpp"
#include "models/mesh/mesh.hpp"
#include "render/scene_view.hpp"

namespace tactus::app {

// What collision queries know of a body, as lists that can be drawn, in the mesh's frame.

/// `level` -1: the inner spheres; else the balls around the nodes of that level of the tree (0 is
/// the root), and leaves that end above it. Coloured by place, so that neighbours can be told
/// apart.
[[nodiscard]] std::shared_ptr<const render::SphereCloud> sphereCloudOf(
    const collision::InnerSphereTree& tree, int level);

[[nodiscard]] std::shared_ptr<const render::PointCloud> pointCloudOf(
    const collision::Pointshell& shell);

/// Signed distance on a level plane through the body at `height` (0 to 1) of its box: blue inside,
/// orange outside, a line at each tenth of the box's shortest side, dark at the surface.
struct VoxmapSlice {
  std::shared_ptr<const render::Texture> texture;
  Eigen::Isometry3d meshFromImage = Eigen::Isometry3d::Identity();
  double width = 0.0, height = 0.0;  ///< [m]
};
/// Precondition: the map is not empty.
[[nodiscard]] VoxmapSlice sliceOf(const collision::Voxmap& voxmap, const models::Bounds& box,
                                  double height);

}  // namespace tactus::app
