#pragma once
#include <Eigen/Core>
#include <bit>
#include <cstdint>

namespace tactus::models {

/// A number that looks random and depends on the position alone; -0 is 0.
///
/// Finaliser of splitmix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014): every input bit reaches every output bit, so regular grids do not crowd a
/// table.
[[nodiscard]] inline std::uint64_t hashOf(const Eigen::Vector3f& p) noexcept {
  const auto scramble = [](std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
  };
  // adding zero turns -0 into 0 and leaves the rest alone
  const std::uint64_t x = std::bit_cast<std::uint32_t>(p.x() + 0.0F);
  const std::uint64_t y = std::bit_cast<std::uint32_t>(p.y() + 0.0F);
  const std::uint64_t z = std::bit_cast<std::uint32_t>(p.z() + 0.0F);
  return scramble(scramble(x << 32U | y) + z);
}

}  // namespace tactus::models
