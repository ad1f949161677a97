#pragma once
#include <cstddef>

#include "collision/depth/depth_field.hpp"
#include "collision/pointshell/pointshell.hpp"
#include "collision/surface/facet_hierarchy.hpp"
#include "collision/surface/surface_distance.hpp"
#include "collision/voxmap/voxmap.hpp"
#include "response/contact/contact_law.hpp"

namespace tactus::response::test {

/// A mesh as both laws of depth know it; without spheres, so that it is made at once.
inline ContactSolid solidOfBoth(const models::Mesh& mesh, double corners, double voxel,
                                std::size_t points) {
  const collision::SurfaceDistance surface(mesh);
  collision::VoxmapSettings voxels;
  voxels.voxelSize = voxel;
  ContactSolid solid;
  solid.body.depths = collision::DepthField(surface, corners, 1);
  solid.body.facets = collision::FacetHierarchy(mesh, 1);
  solid.body.voxmap = collision::Voxmap(surface, voxels);
  solid.pointshell = collision::Pointshell(mesh, {.points = points, .threads = 1});
  return solid;
}

}  // namespace tactus::response::test
