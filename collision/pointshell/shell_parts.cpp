#include "collision/pointshell/shell_parts.hpp"

namespace tactus::collision {

using Eigen::Vector3f;

ShellPoint pointInOrder(const Pointshell& shell, std::size_t n) noexcept {
  const std::uint32_t number = shell.arrays().order[n];
  const Pointshell::Level& level = shell.arrays().levels.front();
  const Pointshell::Block& block =
      shell.arrays().blocks[level.firstBlock + number / Pointshell::kWidth];
  const std::size_t k = number % Pointshell::kWidth;
  ShellPoint point;
  point.place = shell.origin() + Vector3f(block.x[k], block.y[k], block.z[k]).cast<double>();
  point.normal = Vector3f(block.nx[k], block.ny[k], block.nz[k]).cast<double>().stableNormalized();
  point.area = static_cast<double>(block.area[k]);
  return point;
}

ShellNode nodeOf(const Pointshell& shell, std::size_t group, std::size_t child) noexcept {
  const Pointshell::Balls& balls = shell.arrays().balls[group];
  const Pointshell::Cones& cones = shell.arrays().cones[group];
  ShellNode node;
  node.radius = static_cast<double>(balls.radius[child]);
  if (node.radius < 0.0) return node;
  node.centre =
      shell.origin() + Vector3f(balls.x[child], balls.y[child], balls.z[child]).cast<double>();
  node.axis = Vector3f(cones.x[child], cones.y[child], cones.z[child]).cast<double>();
  node.cosine = static_cast<double>(cones.cosine[child]);
  return node;
}

}  // namespace tactus::collision
