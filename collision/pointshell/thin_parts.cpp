#include "collision/pointshell/thin_parts.hpp"

#include <Eigen/Core>
#include <algorithm>

namespace tactus::collision {
namespace {

// Looked at in quarters of a voxel: half way into a plate of one voxel is the second one.
constexpr int kSteps = 4;

// In voxels. What interpolation makes of a concave edge may be deeper than it is by a tenth of one.
constexpr double kDeepEnough = 0.2;

}  // namespace

double unresolvedShare(const Pointshell& shell, const Voxmap& map, double offset) {
  if (shell.empty() || map.empty()) return 0.0;
  const Pointshell::Level& level = shell.arrays().levels.front();
  const auto voxel = static_cast<double>(map.arrays().voxel);
  double all = 0.0;
  double unresolved = 0.0;
  for (std::size_t i = 0; i < level.points; ++i) {
    const Pointshell::Block& block = shell.arrays().blocks[i / Pointshell::kWidth];
    const std::size_t k = i % Pointshell::kWidth;
    const Eigen::Vector3d inward =
        Eigen::Vector3f(block.nx[k], block.ny[k], block.nz[k]).cast<double>();
    const double length = inward.norm();
    const double area = std::max(0.0, static_cast<double>(block.area[k]));
    if (!(length > 0.0)) continue;
    all += area;
    const Eigen::Vector3d place =
        shell.origin() + Eigen::Vector3f(block.x[k], block.y[k], block.z[k]).cast<double>();
    bool isSeen = false;
    for (int step = 1; step <= kSteps && !isSeen; ++step) {
      const double way = offset + voxel * step / kSteps;
      isSeen = map.sample(place + way / length * inward).distance < -kDeepEnough * voxel;
    }
    if (!isSeen) unresolved += area;
  }
  return all > 0.0 ? unresolved / all : 0.0;
}

}  // namespace tactus::collision
