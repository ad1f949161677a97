#include "studies/fcl_peer.hpp"

#ifdef TACTUS_HAS_FCL

#include <fcl/narrowphase/distance.h>

#include "studies/fcl_tree.hpp"

namespace tactus::studies {

struct FclPeer::Model {
  FclTree tree;
};

bool FclPeer::isThere() noexcept {
  return true;
}

FclPeer::FclPeer(const models::Mesh& mesh) : model_(std::make_unique<Model>()) {
  buildFclTree(model_->tree, mesh);
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
