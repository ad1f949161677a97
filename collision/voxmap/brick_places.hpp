#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "collision/surface/surface_distance.hpp"

namespace tactus::collision {

/// Places along a side, at most: their numbers and voxels are exact as floats.
constexpr std::int32_t kMostPlacesAlong = 1 << 20;

/// Where bricks of a voxmap may stand, and which of them are needed.
struct BrickPlaces {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< first point of the lattice
  std::array<std::int32_t, 3> size{};                ///< places along each side
  double voxel = 0.0;                                ///< step of the lattice [m]; a float
  std::vector<float> corners;                        ///< distances at the places' corners [m]
  std::vector<std::uint8_t> isNeeded;                ///< of each place: a brick
  std::size_t bricks = 0;                            ///< that are needed

  /// Of the finished voxmap.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

  [[nodiscard]] Eigen::Vector3d position(const Eigen::Vector3d& voxels) const {
    return origin + voxel * voxels;
  }
};

/// What decides whether a brick is needed; see VoxmapSettings.
struct BrickNeeds {
  double band = 1.0;
  double coarseError = 0.25;
  unsigned threads = 0;
};

/// Of voxels of this size; nothing if their number of places alone needs more than `mostBytes`, or
/// there are more than kMostPlacesAlong along a side.
[[nodiscard]] std::optional<BrickPlaces> brickPlaces(const SurfaceDistance& surface, double voxel,
                                                     std::uint64_t mostBytes,
                                                     const BrickNeeds& needs);

}  // namespace tactus::collision
