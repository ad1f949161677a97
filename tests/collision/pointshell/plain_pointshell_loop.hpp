#pragma once
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "collision/pointshell/pointshell.hpp"
#include "collision/voxmap/voxmap.hpp"

namespace tactus::collision::test {

/// The yardstick: Voxmap-Pointshell as it is usually written, a loop over all points in floats,
/// each looked up in a dense grid of float distances and pushed by the law of depth along its
/// normal. No tree, no vectors; one pass, points and grid as arrays.
class PlainPointshell {
 public:
  /// The map's distances on a grid of `along` cells along its longest side.
  PlainPointshell(const Pointshell& shell, const Voxmap& map, int along) : map_(map) {
    const Voxmap::Arrays& all = map.arrays();
    Eigen::Vector3d size;
    for (Eigen::Index k = 0; k < 3; ++k) {
      size[k] =
          static_cast<double>(all.voxel) * Voxmap::kCells * all.size[static_cast<std::size_t>(k)];
    }
    step_ = static_cast<float>(size.maxCoeff() / along);
    for (std::size_t k = 0; k < 3; ++k) {
      cells_[k] = std::max(
          1, static_cast<int>(size[static_cast<Eigen::Index>(k)] / static_cast<double>(step_)));
    }
    for (int z = 0; z <= cells_[2]; ++z) {
      for (int y = 0; y <= cells_[1]; ++y) {
        for (int x = 0; x <= cells_[0]; ++x) {
          const Eigen::Vector3d at =
              all.origin + static_cast<double>(step_) * Eigen::Vector3d(x, y, z);
          values_.push_back(static_cast<float>(map.sample(at).distance));
        }
      }
    }
    origin_ = shell.origin();
    const Pointshell::Level& level = shell.arrays().levels[0];
    for (std::size_t i = 0; i < level.points; ++i) {
      const Pointshell::Block& b = shell.arrays().blocks[i / Pointshell::kWidth];
      const std::size_t k = i % Pointshell::kWidth;
      points_.push_back({b.x[k], b.y[k], b.z[k], b.nx[k], b.ny[k], b.nz[k]});
    }
  }

  /// On the points' body, about its origin, in its frame.
  struct Wrench {
    Eigen::Vector3d force = Eigen::Vector3d::Zero(), torque = Eigen::Vector3d::Zero();
  };
  [[nodiscard]] Wrench query(const Eigen::Isometry3d& mapFromShell) const {
    const Eigen::Matrix3f r = mapFromShell.linear().cast<float>();
    const Eigen::Vector3f offset = (mapFromShell * origin_ - map_.arrays().origin).cast<float>();
    const float perStep = 1.0F / step_;
    const auto strideY = static_cast<std::size_t>(cells_[0]) + 1;
    const std::size_t strideZ = strideY * (static_cast<std::size_t>(cells_[1]) + 1);
    std::array<double, 6> sums{};
    for (const Point& p : points_) {
      const float x = (r(0, 0) * p.x + r(0, 1) * p.y + r(0, 2) * p.z + offset[0]) * perStep;
      const float y = (r(1, 0) * p.x + r(1, 1) * p.y + r(1, 2) * p.z + offset[1]) * perStep;
      const float z = (r(2, 0) * p.x + r(2, 1) * p.y + r(2, 2) * p.z + offset[2]) * perStep;
      if (!(x >= 0.0F && y >= 0.0F && z >= 0.0F && x < static_cast<float>(cells_[0]) &&
            y < static_cast<float>(cells_[1]) && z < static_cast<float>(cells_[2]))) {
        continue;
      }
      const auto i = static_cast<std::size_t>(x);
      const auto j = static_cast<std::size_t>(y);
      const auto k = static_cast<std::size_t>(z);
      const float tx = x - static_cast<float>(i);
      const float ty = y - static_cast<float>(j);
      const float tz = z - static_cast<float>(k);
      const float* v = values_.data() + k * strideZ + j * strideY + i;
      const auto mix = [](float a, float b, float t) { return a + (b - a) * t; };
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
    }
    Wrench wrench;
    wrench.force = {sums[0], sums[1], sums[2]};
    wrench.torque = Eigen::Vector3d(sums[3], sums[4], sums[5]) + origin_.cross(wrench.force);
    return wrench;
  }

 private:
  struct Point {
    float x, y, z, nx, ny, nz;
  };
  Voxmap map_;
  float step_ = 0.0F;
  std::array<int, 3> cells_{};
  std::vector<float> values_;
  Eigen::Vector3d origin_;
  std::vector<Point> points_;
};

}  // namespace tactus::collision::test
