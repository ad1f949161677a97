#include "response/bodies/turned_boxes.hpp"

namespace tactus::response {

bool arePartedByFace(const BodyBox& a, const BodyBox& b, const Eigen::Isometry3d& aFromB) noexcept {
  if (!a.isKnown() || !b.isKnown()) return false;
  const Eigen::Matrix3d turn = aFromB.linear();
  const Eigen::Matrix3d reach = turn.cwiseAbs();
  const Eigen::Vector3d between = aFromB * b.middle - a.middle;
  if ((between.cwiseAbs() - a.half - reach * b.half).maxCoeff() > 0.0) return true;
  const Eigen::Vector3d fromB = turn.transpose() * between;
  return (fromB.cwiseAbs() - b.half - reach.transpose() * a.half).maxCoeff() > 0.0;
}

}  // namespace tactus::response
