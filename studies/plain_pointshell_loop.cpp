#include "studies/plain_pointshell_loop.hpp"

#include <algorithm>

namespace tactus::studies {

using collision::Pointshell;
using collision::Voxmap;

PlainPointshell::PlainPointshell(const Pointshell& shell, const Voxmap& map)
    : mapOrigin_(map.arrays().origin), shellOrigin_(shell.origin()) {
  const Voxmap::Arrays& all = map.arrays();
  std::array<float, 3> size{};
  for (std::size_t k = 0; k < 3; ++k)
    size[k] = all.voxel * static_cast<float>(Voxmap::kCells * all.size[k]);
  step_ = *std::ranges::max_element(size) / static_cast<float>(kAlong);
  for (std::size_t k = 0; k < 3; ++k)
    cells_[k] = std::max(1, static_cast<int>(size[k] / step_));
  for (int z = 0; z <= cells_[2]; ++z) {
    for (int y = 0; y <= cells_[1]; ++y) {
      for (int x = 0; x <= cells_[0]; ++x) {
        const Eigen::Vector3d at =
            mapOrigin_ + static_cast<double>(step_) * Eigen::Vector3d(x, y, z);
        values_.push_back(static_cast<float>(map.sample(at).distance));
      }
    }
  }
  if (shell.empty()) return;
  const Pointshell::Level& finest = shell.arrays().levels[0];
  points_.reserve(finest.points);
  for (std::size_t i = 0; i < finest.points; ++i) {
    const Pointshell::Block& b = shell.arrays().blocks[i / Pointshell::kWidth];
    const std::size_t k = i % Pointshell::kWidth;
    points_.push_back({b.x[k], b.y[k], b.z[k], b.nx[k], b.ny[k], b.nz[k]});
  }
}

PlainPointForce PlainPointshell::query(const PlainPointshell& a, const PlainPointshell& b,
                                       const Eigen::Isometry3d& aFromB) noexcept {
  const Eigen::Isometry3d bFromA = aFromB.inverse(Eigen::Isometry);
  const Eigen::Matrix3f r = bFromA.linear().cast<float>();
  const Eigen::Vector3f offset = (bFromA * a.shellOrigin_ - b.mapOrigin_).cast<float>();
  const float perStep = 1.0F / b.step_;
  const auto strideY = static_cast<std::size_t>(b.cells_[0]) + 1;
  const std::size_t strideZ = strideY * (static_cast<std::size_t>(b.cells_[1]) + 1);
  const auto mix = [](float from, float to, float t) { return from + (to - from) * t; };
  std::array<double, 6> sums{};
  PlainPointForce result;
  for (const Point& p : a.points_) {
    const float x = (r(0, 0) * p.x + r(0, 1) * p.y + r(0, 2) * p.z + offset[0]) * perStep;
    const float y = (r(1, 0) * p.x + r(1, 1) * p.y + r(1, 2) * p.z + offset[1]) * perStep;
    const float z = (r(2, 0) * p.x + r(2, 1) * p.y + r(2, 2) * p.z + offset[2]) * perStep;
    if (!(x >= 0.0F && y >= 0.0F && z >= 0.0F && x < static_cast<float>(b.cells_[0]) &&
          y < static_cast<float>(b.cells_[1]) && z < static_cast<float>(b.cells_[2]))) {
      continue;
    }
    const auto i = static_cast<std::size_t>(x);
    const auto j = static_cast<std::size_t>(y);
    const auto k = static_cast<std::size_t>(z);
    const float tx = x - static_cast<float>(i);
    const float ty = y - static_cast<float>(j);
    const float tz = z - static_cast<float>(k);
    const float* v = b.values_.data() + k * strideZ + j * strideY + i;
    const float lower = mix(mix(v[0], v[1], tx), mix(v[strideY], v[strideY + 1], tx), ty);
    v += strideZ;
    const float upper = mix(mix(v[0], v[1], tx), mix(v[strideY], v[strideY + 1], tx), ty);
    const float distance = mix(lower, upper, tz);
    if (distance >= 0.0F) continue;
    const float fx = -distance * p.nx;
    const float fy = -distance * p.ny;
    const float fz = -distance * p.nz;
    sums[0] += static_cast<double>(fx);
    sums[1] += static_cast<double>(fy);
    sums[2] += static_cast<double>(fz);
    sums[3] += static_cast<double>(p.y * fz - p.z * fy);
    sums[4] += static_cast<double>(p.z * fx - p.x * fz);
    sums[5] += static_cast<double>(p.x * fy - p.y * fx);
    ++result.inside;
  }
  // on A about its shell's origin, in A's frame; B gets the opposite, about its own origin
  const Eigen::Vector3d force(sums[0], sums[1], sums[2]);
  const Eigen::Vector3d torque = Eigen::Vector3d(sums[3], sums[4], sums[5]) +
                                 (a.shellOrigin_ - aFromB.translation()).cross(force);
  result.force = -force;
  result.torque = -torque;
  return result;
}

}  // namespace tactus::studies
