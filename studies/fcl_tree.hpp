#pragma once
#include <fcl/geometry/bvh/BVH_model.h>

#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::studies {

/// FCL's best structure for a mesh: a tree of oriented boxes and swept spheres, in doubles.
using FclTree = fcl::BVHModel<fcl::OBBRSSd>;

inline void buildFclTree(FclTree& tree, const models::Mesh& mesh) {
  std::vector<fcl::Vector3d> positions;
  positions.reserve(mesh.positions.size());
  for (const Eigen::Vector3f& position : mesh.positions)
    positions.emplace_back(mesh.origin + position.cast<double>());
  std::vector<fcl::Triangle> triangles;
  triangles.reserve(mesh.triangles.size());
  for (const models::Triangle& triangle : mesh.triangles)
    triangles.emplace_back(triangle[0], triangle[1], triangle[2]);
  tree.beginModel(static_cast<int>(triangles.size()), static_cast<int>(positions.size()));
  tree.addSubModel(positions, triangles);
  tree.endModel();
}

}  // namespace tactus::studies
