#include "collision/pointshell/posed_points.hpp"

namespace tactus::collision {

PosedPoints::PosedPoints(const Pointshell& points, const Voxmap& voxels,
                         const Eigen::Isometry3d& pose) noexcept
    : shell(points.arrays()), map(voxels.arrays()), mapFromShell(pose), rotation{}, offset{} {
  const Eigen::Vector3d apart = mapFromShell * shell.origin - map.origin;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    for (std::size_t j = 0; j < 3; ++j) {
      rotation[3 * i + j] =
          static_cast<float>(mapFromShell.linear()(row, static_cast<Eigen::Index>(j)));
    }
    offset[i] = static_cast<float>(apart[row]);
  }
  constexpr double kRounding = 4e-7;
  slack = static_cast<float>(map.error.nearMost + map.error.anywhereMost +
                             kRounding * (apart.norm() + shell.radius));
}

}  // namespace tactus::collision
