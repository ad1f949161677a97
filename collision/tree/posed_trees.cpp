#include "collision/tree/posed_trees.hpp"

namespace tactus::collision {

PosedTrees::PosedTrees(const InnerSphereTree& a, const InnerSphereTree& b,
                       const Eigen::Isometry3d& aFromB) noexcept
    : FloatPose(aFromB.linear(), aFromB.linear() * b.origin() + aFromB.translation() - a.origin()),
      boundsA(a.bounds().data()),
      boundsB(b.bounds().data()),
      contentsA(a.contents().data()),
      contentsB(b.contents().data()),
      sumsA(a.sums().data()),
      sumsB(b.sums().data()),
      emptyA(static_cast<std::int32_t>(a.bounds().size()) - 1),
      emptyB(static_cast<std::int32_t>(b.bounds().size()) - 1),
      arm(aFromB.linear() * b.origin()) {
  const Eigen::Vector3d apart = arm + aFromB.translation() - a.origin();
  const double size = static_cast<double>(boundsA->radius[0]) +
                      static_cast<double>(boundsB->radius[0]) + apart.norm();
  slack = static_cast<float>(4e-7 * size);
}

}  // namespace tactus::collision
