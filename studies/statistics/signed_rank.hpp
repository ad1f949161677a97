#pragma once
#include <cstddef>
#include <span>

namespace tactus::studies {

struct SignedRankTest {
  std::size_t n = 0;  ///< values, zeros included
  std::size_t zeros = 0;
  double rankSum = 0.0;   ///< of the positive values
  double p = 1.0;         ///< two-sided
  bool isExact = true;    ///< counted over all signs; else by the normal distribution
  double estimate = 0.0;  ///< pseudo-median after Hodges and Lehmann
  double low = 0.0, high = 0.0;
  double confidence = 0.0;    ///< what the interval really has; less than asked of few values
  double rankBiserial = 0.0;  ///< share of ranks that are positive minus the negative share
};

/// Up to so many values the distribution is counted.
constexpr std::size_t kMostExactRanks = 200;

/// Are differences symmetric about zero? Only order and symmetry are used.
///
/// Source: F. Wilcoxon, "Individual comparisons by ranking methods", 1945. Zeros keep their ranks
/// and count for neither side: J. Pratt, "Remarks on zeros and ties in the Wilcoxon signed rank
/// procedures", 1959. Ties share their mean rank, and the distribution is that of these very ranks,
/// by convolution. Estimate: median of the means of all pairs (Walsh averages); J. Hodges and
/// E. Lehmann, "Estimates of location based on rank tests", 1963. Interval: their order statistics,
/// ends included, which with ties covers no less; G. Noether, "Wilcoxon confidence intervals for
/// location parameters in the discrete case", 1967. Rank-biserial correlation: D. Kerby, "The
/// simple difference formula", 2014.
[[nodiscard]] SignedRankTest signedRank(std::span<const double> differences,
                                        double confidence = 0.95);

}  // namespace tactus::studies
