#include "collision/voxmap/voxmap.hpp"

#include <algorithm>
#include <cmath>

#include "collision/voxmap/voxmap_builder.hpp"

namespace tactus::collision {

using Eigen::Vector3d;

Voxmap::Voxmap(const SurfaceDistance& surface, const VoxmapSettings& settings)
    : Voxmap(buildVoxmap(surface, settings).map) {}

Voxmap::Sample Voxmap::sample(const Vector3d& point) const noexcept {
  const auto voxel = static_cast<double>(all_.voxel);
  const Vector3d voxels = (point - all_.origin) / voxel;
  Vector3d beyond;
  Vector3d within;
  std::array<std::size_t, 3> place{};
  for (Eigen::Index k = 0; k < 3; ++k) {
    const std::int32_t bricks = all_.size[static_cast<std::size_t>(k)];
    // in this order a place that is not a number is held at 0, and what follows from it is none
    const double held = std::min(std::max(0.0, voxels[k]), static_cast<double>(kCells * bricks));
    const double brick = std::min(std::floor(held / kCells), static_cast<double>(bricks - 1));
    beyond[k] = voxels[k] - held;
    within[k] = std::clamp(held - brick * kCells, 0.0, static_cast<double>(kCells));
    place[static_cast<std::size_t>(k)] = static_cast<std::size_t>(brick);
  }
  const auto sizeX = static_cast<std::size_t>(all_.size[0]);
  const auto sizeY = static_cast<std::size_t>(all_.size[1]);
  const std::size_t at = 2 * ((place[2] * sizeY + place[1]) * sizeX + place[0]);
  const std::int32_t brick = all_.places[at];

  // the lower corner of the cell, its strides, and its side in voxels
  std::size_t first = (place[2] * (sizeY + 1) + place[1]) * (sizeX + 1) + place[0];
  std::array<std::size_t, 3> stride = {1, sizeX + 1, (sizeX + 1) * (sizeY + 1)};
  double side = kCells;
  auto units = static_cast<double>(all_.coarseUnits);
  const auto unit = static_cast<double>(all_.unit);
  if (brick != kNoBrick) {
    stride = {1, kPoints, std::size_t{kPoints} * kPoints};
    side = 1.0;
    units = 1.0;
    first = all_.corners() + static_cast<std::size_t>(brick) * kValues;
    for (std::size_t k = 0; k < 3; ++k) {
      double& x = within[static_cast<Eigen::Index>(k)];
      const double cell = std::min(std::floor(x), static_cast<double>(kCells - 1));
      first += static_cast<std::size_t>(cell) * stride[k];
      x -= cell;
    }
  }
  const Vector3d t = within / side;

  const double outside = beyond.norm();
  Sample result;
  result.distance = static_cast<double>(all_.places[at + 1]) * unit + outside * voxel;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    std::array<double, 3> weight{};
    std::size_t index = first;
    for (std::size_t k = 0; k < 3; ++k) {
      const bool isUpper = (corner >> k & 1U) != 0;
      const double share = t[static_cast<Eigen::Index>(k)];
      weight[k] = isUpper ? share : 1.0 - share;
      if (isUpper) index += stride[k];
    }
    const double value = static_cast<double>(all_.values[index]) * units * unit;
    result.distance += weight[0] * weight[1] * weight[2] * value;
    for (std::size_t k = 0; k < 3; ++k) {
      const double slope = (corner >> k & 1U) != 0 ? value : -value;
      result.gradient[static_cast<Eigen::Index>(k)] +=
          slope * weight[(k + 1) % 3] * weight[(k + 2) % 3] / (side * voxel);
    }
  }
  for (Eigen::Index k = 0; k < 3; ++k) {
    if (beyond[k] != 0.0) result.gradient[k] = beyond[k] / outside;
  }
  return result;
}

std::int32_t Voxmap::layerAt(const Vector3d& point) const noexcept {
  const auto voxel = static_cast<double>(all_.voxel);
  const Vector3d centre =
      ((point - all_.origin) / voxel + Vector3d::Constant(0.5)).array().floor() * voxel;
  return static_cast<std::int32_t>(std::floor(0.5 - sample(all_.origin + centre).distance / voxel));
}

}  // namespace tactus::collision
