#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "collision/surface/surface_distance.hpp"

namespace tactus::collision {

enum class VoxmapStage : std::uint8_t { Choosing, Measuring, Checking };

struct VoxmapProgress {
  VoxmapStage stage = VoxmapStage::Choosing;
  double share = 0.0;  ///< of the stage, from 0 to 1
};

/// How fine a voxmap is.
struct VoxmapSettings {
  double voxelSize = 0.0;            ///< [m]; 0: the smallest that fits into `bytes`
  std::uint64_t bytes = 32'000'000;  ///< of the arrays; only if no size is given
  double band = 1.0;                 ///< voxels: so near to the surface all bricks are there
  double coarseError = 0.25;         ///< voxels: further away a brick is there if it is needed
                                     ///< for interpolated distances to be that good
  unsigned threads = 0;              ///< 0: one a core; the same bytes for any number
  /// Called from the calling thread some fifty times; false cancels. May be empty.
  std::function<bool(const VoxmapProgress&)> progress;
};

/// |interpolated - exact distance| at random points.
struct VoxmapError {
  double nearMost = 0.0, nearRms = 0.0;          ///< within two voxels of the surface [m]
  double anywhereMost = 0.0, anywhereRms = 0.0;  ///< in the grid, points spread evenly [m]
  std::uint64_t nearPoints = 0, anywherePoints = 0;
};

/// Signed distance to a surface, negative inside, with its gradient, and the layers of a voxmap:
/// bricks of voxels near the surface and where else they are needed, one coarse cell elsewhere.
///
/// Source: W. McNeely, K. Puterbaugh and J. Troy, "Six Degree-of-Freedom Haptic Rendering Using
/// Voxel Sampling", 1999 (layers of voxels); S. Frisken, R. Perry, A. Rockwood and T. Jones,
/// "Adaptively Sampled Distance Fields", 2000 (cells where interpolation is good enough).
/// How ours differs: two levels only, so that a sample is two look-ups and one interpolation; 16
/// bits a value; continuous across the levels.
///
/// Distances stand at the points of a lattice. A brick has 8^3 of them, the outer ones shared with
/// its neighbours, and so 7^3 cells, and is one KB. Where there is no brick, the brick's cube is
/// one coarse cell between eight corners. Between points the field is trilinear. A lattice point on
/// the border of a coarse cell has what is interpolated in that cell, and values of the coarse
/// corners are multiples of 49 units, so that all of it is a whole number of units in any brick:
/// the field is continuous everywhere. Behind the grid's border, the distance to the border is
/// added.
///
/// A value is a multiple of a 2048th of a voxel, relative to an offset of its brick: within 16
/// voxels of each other lie all distances of a brick, also what sharpening and the coarse cells
/// make of them. So the gradient is good to 0.05 % however deep a point is.
///
/// Values are sharpened where the neighbours are known: a twelfth of the second differences is
/// taken off them, so that interpolated distances to a curved surface are right on the mean.
///
/// The voxmap's voxel is the cube around a lattice point, and its layer is the distance in whole
/// voxels: surface 0, inner layers 1, 2, ..., outer ones negative. Layer 0 has no gap of faces.
///
/// Deviation: VoxmapError tells what was measured at random points. Certain is, since a distance
/// changes by no more than the way, that it is off by no more than 1.4 voxels in a brick, and 6.1
/// voxels in a coarse cell.
///
/// Const after construction. Coordinates of sampleField() (voxmap_lanes.hpp) are relative to
/// origin.
class Voxmap {
 public:
  static constexpr std::int32_t kCells = 7;    ///< of a brick, along a side
  static constexpr std::int32_t kPoints = 8;   ///< likewise of the lattice
  static constexpr std::size_t kValues = 512;  ///< of a brick; x runs fastest
  static constexpr std::int32_t kNoBrick = -1;

  static constexpr std::int32_t kMostOffset = 1 << 30;  ///< of a brick, of either sign
  /// More could not be addressed by 32 bits with a sign.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

  struct Arrays {
    /// Two numbers for each place of a brick, x fastest: the brick's number or kNoBrick, and what
    /// is to be added to its values (0 of a coarse cell).
    std::span<const std::int32_t> places;
    std::span<const std::int16_t> values;  ///< of all coarse corners, x fastest; then of the bricks
    std::array<std::int32_t, 3> size{};    ///< places along each side
    float voxel = 0.0F;                    ///< step of the lattice [m]
    float unit = 0.0F;                     ///< of the bricks' values and offsets [m]
    std::int32_t coarseUnits = 0;          ///< units in one of a coarse corner's value
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< first point of the lattice
    VoxmapError error;

    /// Number of coarse corners; the first brick begins behind them.
    [[nodiscard]] std::size_t corners() const noexcept {
      return (static_cast<std::size_t>(size[0]) + 1) * (static_cast<std::size_t>(size[1]) + 1) *
             (static_cast<std::size_t>(size[2]) + 1);
    }
    [[nodiscard]] std::size_t bricks() const noexcept {
      return (values.size() - corners()) / kValues;
    }
  };

  struct Sample {
    double distance = 0.0;  ///< negative inside [m]
    Eigen::Vector3d gradient = Eigen::Vector3d::Zero();
  };

  Voxmap() = default;

  /// Empty if buildVoxmap() (voxmap_builder.hpp), which can say why, does not build one.
  explicit Voxmap(const SurfaceDistance& surface, const VoxmapSettings& settings = {});

  /// Of arrays that a map gave away, which stay alive as long as `keeper`.
  Voxmap(const Arrays& arrays, std::shared_ptr<const void> keeper)
      : all_(arrays), keeper_(std::move(keeper)) {}

  [[nodiscard]] const Arrays& arrays() const noexcept { return all_; }
  [[nodiscard]] bool empty() const noexcept { return all_.places.empty(); }

  /// Interpolated, at a point in the mesh's coordinates. Precondition: not empty().
  [[nodiscard]] Sample sample(const Eigen::Vector3d& point) const noexcept;

  /// Of the voxel that the point lies in. Precondition: not empty().
  [[nodiscard]] std::int32_t layerAt(const Eigen::Vector3d& point) const noexcept;

  /// Memory of the arrays in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return all_.places.size_bytes() + all_.values.size_bytes();
  }

 private:
  Arrays all_;
  std::shared_ptr<const void> keeper_;  ///< of what the spans show; copies of a map share it
};

}  // namespace tactus::collision
