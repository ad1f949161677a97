#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "collision/surface/surface_distance.hpp"

namespace tactus::collision {

/// Signed distance to a surface on a grid of cubes, and on the coarser grids of cubes twice as
/// large and so on: what tells of a box at once that it is inside or outside.
///
/// Values stand for the centres of cubes, negative inside, and never promise more than is true: the
/// surface is at least as far from the centre as the value says, and the sign is right. Far from
/// the surface, where only that matters, they follow from the coarser grid's values by the triangle
/// inequality, so that the surface is asked near it only.
///
/// A value is a byte, in units of its grid (an eighth of a cube's side), so that the field of an
/// object stays in the second cache: what is read of it is scattered.
///
/// Const after construction; coordinates are relative to origin().
class DistanceField {
 public:
  /// One grid: x runs fastest.
  struct Level {
    std::array<std::int32_t, 3> size{};  ///< cubes along each side
    std::uint32_t first = 0;             ///< of its values
    float side = 0.0F;                   ///< of a cube [m]
    float unit = 0.0F;                   ///< of its values [m]
  };
  /// Bytes behind the last value that may be read.
  static constexpr std::size_t kBehind = 4;
  static constexpr std::size_t kMaxLevels = 12;

  struct Arrays {
    std::span<const std::int8_t> values;     ///< coarsest grid first, and kBehind zeros
    std::array<Level, kMaxLevels> levels{};  ///< coarsest first: a single cube
    std::uint32_t levelCount = 0;
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< lower corner of all grids
  };

  DistanceField() = default;

  /// With about `cells` cubes in the finest grid. `threads` 0: one a core; the same for any number.
  DistanceField(const SurfaceDistance& surface, double cells, unsigned threads = 0);

  /// Of arrays that a field gave away, which stay alive as long as `keeper`.
  DistanceField(const Arrays& arrays, std::shared_ptr<const void> keeper)
      : all_(arrays), keeper_(std::move(keeper)) {}

  [[nodiscard]] const Arrays& arrays() const noexcept { return all_; }
  [[nodiscard]] bool empty() const noexcept { return all_.levelCount == 0; }
  [[nodiscard]] const Level& finest() const noexcept { return all_.levels[all_.levelCount - 1]; }

 private:
  Arrays all_;
  std::shared_ptr<const void> keeper_;  ///< of what the span shows; copies of a field share it
};

}  // namespace tactus::collision
