#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace tactus::studies {

/// How many of the arrangements that could have been are at least as extreme as the one seen.
struct PermutationTest {
  double statistic = 0.0;
  double p = 1.0;             ///< two-sided
  bool isExact = true;        ///< all arrangements were counted; else some were drawn
  double arrangements = 1.0;  ///< counted or drawn
};

/// Up to so many values every flip is counted.
constexpr std::size_t kMostExactFlips = 36;
/// Drawn beyond that; the p value is then off by less than 0.0007 (one standard error, at 0.05).
constexpr std::uint32_t kFlipsDrawn = 99'999;

/// Are differences centred at zero? If so, each could have had the other sign. Statistic: the mean.
///
/// Source: R. Fisher, "The Design of Experiments", 1935, section 21; draws after M. Dwass,
/// "Modified randomization tests for nonparametric hypotheses", 1957: p = (1 + extreme) / (1 +
/// drawn).
///
/// Method: the sums of all flips of each half of the values, sorted; for each of the one half the
/// number of the other that lift it to what was seen is found while both are walked once (after
/// E. Horowitz and S. Sahni, "Computing partitions with applications to the knapsack problem",
/// 1974): 2^18 sums in place of 2^36. Sums that differ by rounding count as equal.
[[nodiscard]] PermutationTest signFlip(std::span<const double> differences, std::uint64_t seed = 1);

}  // namespace tactus::studies
