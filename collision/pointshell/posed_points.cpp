#include "collision/pointshell/posed_points.hpp"

namespace tactus::collision {

PosedPoints::PosedPoints(const Pointshell& points, const Voxmap& voxels,
                         const Eigen::Isometry3d& pose) noexcept
    : FloatPose(pose.linear(), pose * points.origin() - voxels.arrays().origin),
      shell(points.arrays()),
      map(voxels.arrays()),
      mapFromShell(pose) {
  const Eigen::Vector3d apart = mapFromShell * shell.origin - map.origin;
  constexpr double kRounding = 4e-7;
  slack = static_cast<float>(map.error.nearMost + map.error.anywhereMost +
                             kRounding * (apart.norm() + shell.radius));
}

}  // namespace tactus::collision
