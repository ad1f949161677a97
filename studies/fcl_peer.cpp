#include "studies/fcl_peer.hpp"

#ifdef TACTUS_HAS_FCL

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/distance.h>

#include <vector>

namespace tactus::studies {

struct FclPeer::Model {
  fcl::BVHModel<fcl::OBBRSSd> tree;
};

bool FclPeer::isThere() noexcept {
  return true;
}

FclPeer::FclPeer(const models::Mesh& mesh) : model_(std::make_unique<Model>()) {
  std::vector<fcl::Vector3d> positions;
  positions.reserve(mesh.positions.size());
  for (const Eigen::Vector3f& position : mesh.positions)
    positions.emplace_back(mesh.origin + position.cast<double>());
  std::vector<fcl::Triangle> triangles;
  triangles.reserve(mesh.triangles.size());
  for (const models::Triangle& triangle : mesh.triangles)
    triangles.emplace_back(triangle[0], triangle[1], triangle[2]);
  model_->tree.beginModel(static_cast<int>(triangles.size()), static_cast<int>(positions.size()));
  model_->tree.addSubModel(positions, triangles);
  model_->tree.endModel();
}

FclPeer::Nearest FclPeer::distance(const FclPeer& b, const Eigen::Isometry3d& aFromB) const {
  const fcl::DistanceRequestd request(true);
  fcl::DistanceResultd result;
  fcl::distance(&model_->tree, fcl::Transform3d::Identity(), &b.model_->tree, aFromB, request,
                result);
  return {result.min_distance, result.nearest_points[0], result.nearest_points[1]};
}

}  // namespace tactus::studies

#else

namespace tactus::studies {

struct FclPeer::Model {};
bool FclPeer::isThere() noexcept {
  return false;
}
FclPeer::FclPeer(const models::Mesh& /*mesh*/) {}
FclPeer::Nearest FclPeer::distance(const FclPeer& /*b*/,
                                   const Eigen::Isometry3d& /*aFromB*/) const {
  return {};
}

}  // namespace tactus::studies

#endif

namespace tactus::studies {

FclPeer::FclPeer(FclPeer&&) noexcept = default;
FclPeer& FclPeer::operator=(FclPeer&&) noexcept = default;
FclPeer::~FclPeer() = default;

}  // namespace tactus::studies
