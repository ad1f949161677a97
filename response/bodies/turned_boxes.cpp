#include "response/bodies/turned_boxes.hpp"

#include <algorithm>

namespace tactus::response {

double gapOfFaces(const BodyBox& a, const BodyBox& b, const Eigen::Isometry3d& aFromB) noexcept {
  if (!a.isKnown() || !b.isKnown()) return 0.0;
  const Eigen::Matrix3d turn = aFromB.linear();
  const Eigen::Matrix3d reach = turn.cwiseAbs();
  const Eigen::Vector3d between = aFromB * b.middle - a.middle;
  const Eigen::Vector3d fromB = turn.transpose() * between;
  return std::max((between.cwiseAbs() - a.half - reach * b.half).maxCoeff(),
                  (fromB.cwiseAbs() - b.half - reach.transpose() * a.half).maxCoeff());
}

}  // namespace tactus::response
