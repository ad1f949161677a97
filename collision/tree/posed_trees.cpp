#include "collision/tree/posed_trees.hpp"

namespace tactus::collision {

PosedTrees::PosedTrees(const InnerSphereTree& a, const InnerSphereTree& b,
                       const Eigen::Isometry3d& aFromB) noexcept
    : boundsA(a.bounds().data()),
      boundsB(b.bounds().data()),
      contentsA(a.contents().data()),
      contentsB(b.contents().data()),
      sumsA(a.sums().data()),
      sumsB(b.sums().data()),
      emptyA(static_cast<std::int32_t>(a.bounds().size()) - 1),
      emptyB(static_cast<std::int32_t>(b.bounds().size()) - 1),
      rotation{},
      offset{},
      arm(aFromB.linear() * b.origin()) {
  const Eigen::Matrix3d turn = aFromB.linear();
  const Eigen::Vector3d apart = arm + aFromB.translation() - a.origin();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    for (std::size_t j = 0; j < 3; ++j)
      rotation[3 * i + j] = static_cast<float>(turn(row, static_cast<Eigen::Index>(j)));
    offset[i] = static_cast<float>(apart[row]);
  }
  const double size = static_cast<double>(boundsA->radius[0]) +
                      static_cast<double>(boundsB->radius[0]) + apart.norm();
  slack = static_cast<float>(4e-7 * size);
}

}  // namespace tactus::collision
