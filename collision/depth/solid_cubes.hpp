#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tactus::collision {

/// Which cubes of a grid of depths hold a part of the solid, from the finest ones to the cube that
/// holds them all: eight bits for the eight children of each cube.
///
/// Source: the octree of D. Meagher, "Geometric Modeling Using Octree Encoding", 1982. How ours
/// differs: all cubes of a level are there, a byte each, because a walk that goes down by many
/// branches side by side is then arithmetic; and it is a twentieth of the depths all the same.
///
/// A finest cube holds a part if its depth is positive anywhere in it, taken to be linear, by value
/// and gradient at its middle, or at a corner: the very rules of depthEnergy() for cubes and for
/// halves of them, in whole numbers, so that leaving out what has no bit here changes no sum.
class SolidCubes {
 public:
  SolidCubes() = default;

  /// Of depths at the corners, x runs fastest; two corners at least along each side. They are not
  /// kept.
  SolidCubes(std::span<const std::int16_t> values, const std::array<std::int32_t, 3>& corners);

  /// Of the one cube that holds all others; its side is 2 to the power of it. 0: there is no walk.
  [[nodiscard]] std::int32_t top() const noexcept {
    return static_cast<std::int32_t>(levels_.size());
  }

  /// Cubes of one level, from 1 on, of twice the side of those one below.
  struct Level {
    std::array<std::int32_t, 3> size{};  ///< cubes along each side
    std::vector<std::uint8_t> children;  ///< x runs fastest; bit x + 2 y + 4 z of the eight
  };
  [[nodiscard]] const Level& level(std::int32_t number) const noexcept {
    return levels_[static_cast<std::size_t>(number) - 1];
  }

 private:
  std::vector<Level> levels_;
};

}  // namespace tactus::collision
