#pragma once
#include <Eigen/Core>
#include <bit>
#include <cstdint>

#include "models/mesh/split_mix.hpp"

namespace tactus::models {

/// A number that looks random and depends on the position alone; -0 is 0.
///
/// By SplitMix, so that regular grids do not crowd a table.
[[nodiscard]] inline std::uint64_t hashOf(const Eigen::Vector3f& p) noexcept {
  // adding zero turns -0 into 0 and leaves the rest alone
  const std::uint64_t x = std::bit_cast<std::uint32_t>(p.x() + 0.0F);
  const std::uint64_t y = std::bit_cast<std::uint32_t>(p.y() + 0.0F);
  const std::uint64_t z = std::bit_cast<std::uint32_t>(p.z() + 0.0F);
  return SplitMix::scrambled(SplitMix::scrambled(x << 32U | y) + z);
}

}  // namespace tactus::models
