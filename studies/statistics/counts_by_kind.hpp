#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "studies/statistics/sign_flip.hpp"

namespace tactus::studies {

/// Counts of one unit of analysis (two who played together, or one alone): by kind, under either
/// level.
struct CountsOfUnit {
  std::vector<std::int64_t> under, over;  ///< as many kinds in all units
};

/// Up to so many units every swap is counted.
constexpr std::size_t kMostExactSwaps = 18;
/// Drawn beyond that, and of kinds always.
constexpr std::uint32_t kSwapsDrawn = 19'999;

/// Are kinds taken alike under both levels? If so, a unit's two lists could have been swapped.
/// Statistic: sum over kinds of (difference)^2 / total. Unlike the chi-square test it knows that
/// counts of one unit belong together.
///
/// Source: R. Fisher, "The Design of Experiments", 1935, section 21, with a statistic of several
/// parts; draws after M. Dwass, 1957.
[[nodiscard]] PermutationTest levelsAlikeByKind(std::span<const CountsOfUnit> units,
                                                std::uint64_t seed = 1);

/// Are kinds taken equally often? If so, the counts of a unit could have belonged to the kinds in
/// any other order. Statistic: chi-square of the totals. `units`: counts by kind, of one level or
/// of the sum of both.
[[nodiscard]] PermutationTest kindsAlike(std::span<const std::vector<std::int64_t>> units,
                                         std::uint64_t seed = 1);

}  // namespace tactus::studies
