#include "collision/depth/solid_cubes.hpp"

#include <algorithm>
#include <cstdlib>

namespace tactus::collision {
namespace {

std::array<std::int32_t, 3> halved(const std::array<std::int32_t, 3>& size) {
  return {(size[0] + 1) / 2, (size[1] + 1) / 2, (size[2] + 1) / 2};
}

std::size_t placeOf(const std::array<std::int32_t, 3>& size, std::int32_t x, std::int32_t y,
                    std::int32_t z) {
  return (static_cast<std::size_t>(z) * static_cast<std::size_t>(size[1]) +
          static_cast<std::size_t>(y)) *
             static_cast<std::size_t>(size[0]) +
         static_cast<std::size_t>(x);
}

/// Value at the middle and half of the gradient's sizes, both eight times: at its deepest corner a
/// linear depth is their sum. The planes of its halves are nowhere deeper than the deepest corner:
/// at a corner of a half, one is the mean of three depths in the cube, each three times as far from
/// the half's middle along one axis.
bool holdsAPart(std::span<const std::int16_t> values, std::size_t first, std::size_t alongY,
                std::size_t alongZ) {
  std::array<std::int32_t, 8> at;
  for (std::size_t k = 0; k < at.size(); ++k)
    at[k] = values[first + (k & 1U) + ((k >> 1U) & 1U) * alongY + (k >> 2U) * alongZ];
  const std::int32_t sum = at[0] + at[1] + at[2] + at[3] + at[4] + at[5] + at[6] + at[7];
  const std::int32_t x = sum - 2 * (at[0] + at[2] + at[4] + at[6]);
  const std::int32_t y = sum - 2 * (at[0] + at[1] + at[4] + at[5]);
  const std::int32_t z = sum - 2 * (at[0] + at[1] + at[2] + at[3]);
  return sum + std::abs(x) + std::abs(y) + std::abs(z) > 0 || std::ranges::max(at) > 0;
}

}  // namespace

SolidCubes::SolidCubes(std::span<const std::int16_t> values,
                       const std::array<std::int32_t, 3>& corners) {
  std::array<std::int32_t, 3> size = {corners[0] - 1, corners[1] - 1, corners[2] - 1};
  const auto alongY = static_cast<std::size_t>(corners[0]);
  const std::size_t alongZ = alongY * static_cast<std::size_t>(corners[1]);
  while (std::max({size[0], size[1], size[2]}) > 1) {
    const bool areFinest = levels_.empty();
    Level level;
    level.size = halved(size);
    level.children.resize(placeOf(level.size, 0, 0, level.size[2]));
    for (std::int32_t z = 0; z < size[2]; ++z) {
      for (std::int32_t y = 0; y < size[1]; ++y) {
        for (std::int32_t x = 0; x < size[0]; ++x) {
          const bool holds = areFinest
                                 ? holdsAPart(values, placeOf(corners, x, y, z), alongY, alongZ)
                                 : levels_.back().children[placeOf(size, x, y, z)] != 0;
          if (!holds) continue;
          const auto child = static_cast<unsigned>((x & 1) | (y & 1) << 1 | (z & 1) << 2);
          level.children[placeOf(level.size, x / 2, y / 2, z / 2)] |=
              static_cast<std::uint8_t>(1U << child);
        }
      }
    }
    size = level.size;
    levels_.push_back(std::move(level));
  }
}

}  // namespace tactus::collision
