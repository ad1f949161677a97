#include "collision/depth/solid_cubes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Size = std::array<std::int32_t, 3>;

std::size_t placeOf(const Size& size, std::int32_t x, std::int32_t y, std::int32_t z) {
  const auto at = [](std::int32_t number) { return static_cast<std::size_t>(number); };
  return (at(z) * at(size[1]) + at(y)) * at(size[0]) + at(x);
}

/// Noise with whole regions of one sign, and values at the ends of what fits.
std::vector<std::int16_t> depths(const Size& corners, std::uint64_t seed) {
  tests::SeededBits random(seed);
  std::vector<std::int16_t> values(placeOf(corners, 0, 0, corners[2]));
  for (std::int32_t z = 0; z < corners[2]; ++z) {
    for (std::int32_t y = 0; y < corners[1]; ++y) {
      for (std::int32_t x = 0; x < corners[0]; ++x) {
        const double wave = std::sin(0.7 * x) + std::sin(0.5 * y + 1.0) + std::sin(0.9 * z) - 0.8;
        const double value = 10'000.0 * wave + random.between(-2'000.0, 2'000.0);
        values[placeOf(corners, x, y, z)] =
            static_cast<std::int16_t>(std::clamp(value, -32'768.0, 32'767.0));
      }
    }
  }
  return values;
}

/// The deepest corner of a finest cube, or of its linear depth.
double deepest(const std::vector<std::int16_t>& values, const Size& corners, std::int32_t x,
               std::int32_t y, std::int32_t z) {
  double middle = 0.0;
  double corner = -1e9;
  std::array<double, 3> slope{};
  for (std::int32_t k = 0; k < 8; ++k) {
    const Size up = {k & 1, k >> 1 & 1, k >> 2};
    const auto value =
        static_cast<double>(values[placeOf(corners, x + up[0], y + up[1], z + up[2])]);
    middle += value / 8.0;
    corner = std::max(corner, value);
    for (std::size_t axis = 0; axis < 3; ++axis)
      slope[axis] += (up[axis] == 0 ? -value : value) / 4.0;
  }
  return std::max(corner,
                  middle + 0.5 * (std::fabs(slope[0]) + std::fabs(slope[1]) + std::fabs(slope[2])));
}

TEST(SolidCubes, TellEachFinestCubeAndAllThatHoldIt) {
  for (const Size& corners : {Size{2, 3, 2}, Size{9, 9, 9}, Size{20, 7, 34}, Size{3, 40, 5}}) {
    const std::vector<std::int16_t> values = depths(corners, 5);
    const SolidCubes cubes(values, corners);
    std::size_t held = 0;
    for (std::int32_t z = 0; z + 1 < corners[2]; ++z) {
      for (std::int32_t y = 0; y + 1 < corners[1]; ++y) {
        for (std::int32_t x = 0; x + 1 < corners[0]; ++x) {
          const bool holds = deepest(values, corners, x, y, z) > 0.0;
          if (holds) ++held;
          for (std::int32_t level = 1; level <= cubes.top(); ++level) {
            const SolidCubes::Level& of = cubes.level(level);
            const std::int32_t child =
                (x >> (level - 1) & 1) | (y >> (level - 1) & 1) << 1 | (z >> (level - 1) & 1) << 2;
            const std::uint8_t bits =
                of.children[placeOf(of.size, x >> level, y >> level, z >> level)];
            const bool isTold = (bits >> child & 1) != 0;
            if (level == 1) {
              ASSERT_EQ(isTold, holds) << x << " " << y << " " << z;
            } else if (holds) {
              ASSERT_TRUE(isTold) << x << " " << y << " " << z << " at " << level;
            }
          }
        }
      }
    }
    EXPECT_GT(held, 0U);
  }
}

TEST(SolidCubes, EndWithOneCube) {
  const Size corners = {20, 7, 34};
  const SolidCubes cubes(depths(corners, 6), corners);
  ASSERT_EQ(cubes.top(), 6);  // 33 cubes along z
  EXPECT_EQ(cubes.level(6).size, (Size{1, 1, 1}));
  for (std::int32_t level = 2; level <= cubes.top(); ++level) {
    const SolidCubes::Level& of = cubes.level(level);
    const SolidCubes::Level& below = cubes.level(level - 1);
    for (std::size_t k = 0; k < of.children.size(); ++k) {
      for (std::int32_t child = 0; child < 8; ++child) {
        const auto at = static_cast<std::int32_t>(k);
        const std::int32_t x = 2 * (at % of.size[0]) + (child & 1);
        const std::int32_t y = 2 * (at / of.size[0] % of.size[1]) + (child >> 1 & 1);
        const std::int32_t z = 2 * (at / of.size[0] / of.size[1]) + (child >> 2);
        const bool isThere = x < below.size[0] && y < below.size[1] && z < below.size[2];
        const bool holds = isThere && below.children[placeOf(below.size, x, y, z)] != 0;
        EXPECT_EQ((of.children[k] >> child & 1) != 0, holds);
      }
    }
  }
}

TEST(SolidCubes, OfNothingInsideHoldNothing) {
  const Size corners = {4, 4, 4};
  const SolidCubes cubes(std::vector<std::int16_t>(64, std::int16_t{-32'768}), corners);
  for (std::int32_t level = 1; level <= cubes.top(); ++level) {
    for (const std::uint8_t bits : cubes.level(level).children)
      EXPECT_EQ(bits, 0);
  }
}

}  // namespace
}  // namespace tactus::collision
