#pragma once
#include <array>
#include <cstddef>

#include "collision/depth/depth_energy.hpp"
#include "collision/depth/depth_field.hpp"

namespace tactus::collision {

/// The walked field stands still, and the other one moves.
struct DepthProblem {
  const DepthField* walked;
  const DepthField* other;
  std::array<float, 9> turn;    ///< row by row: from corners of the walked to those of the other
  std::array<float, 3> offset;  ///< where the walked field's first corner is
  std::array<float, 9> back;    ///< row by row: a direction of the other's in the walked frame
  DepthSettings settings;
};

struct DepthSums {
  double energy = 0.0;
  std::array<double, 3> force{}, torque{};  ///< on the other, about the middle of the walked field
  /// Upper triangle, row by row, of the products of gradients at the places where depths are equal.
  std::array<double, 21> products{};
  std::size_t halves = 0;  ///< halves of cubes that were looked at
};

/// What is known of a cube: both depths, value and gradient at its middle, and where that is, in
/// units of the walked field's finest cubes.
enum CubeArray : std::size_t {
  kP,
  kPx,
  kPy,
  kPz,
  kQ,
  kQx,
  kQy,
  kQz,
  kX,
  kY,
  kZ,
  kWeight,  ///< how much of the cube counts
  kCubeArrays
};

/// Cubes of one side that wait to be integrated, as arrays in a scratch.
struct CubeBatch {
  /// Of arrays: sixteen more than are waited for are added at once, and sixteen may be written
  /// behind the last.
  static constexpr std::size_t kStride = DepthScratch::kBatch + 2 * DepthScratch::kBehind;

  float* arrays;
  std::size_t count = 0;
  float width;          ///< of its cubes, in finest ones
  double share;         ///< how much of them counts
  float splits = 0.0F;  ///< how much of a cube in which depths bend is looked at in halves

  [[nodiscard]] float* array(CubeArray which) const noexcept { return arrays + which * kStride; }
  /// The arrays of another batch in the same scratch.
  [[nodiscard]] float* beside() const noexcept { return arrays + kCubeArrays * kStride; }
};

}  // namespace tactus::collision
