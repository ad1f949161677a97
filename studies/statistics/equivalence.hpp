#pragma once
#include <optional>
#include <span>

namespace tactus::studies {

struct EquivalenceTest {
  double p = 1.0;  ///< the larger of both one-sided tests
  double pAboveLow = 1.0, pBelowHigh = 1.0;
  double low = 0.0,
         high = 0.0;  ///< interval of confidence 1 - 2 alpha; within the bounds: p < alpha
};

/// Is a mean within two bounds? Two one-sided t tests.
///
/// Source: D. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach
/// for assessing the equivalence of average bioavailability", 1987. Nothing as of oneSampleT().
[[nodiscard]] std::optional<EquivalenceTest> twoOneSidedT(std::span<const double> values,
                                                          double lowBound, double highBound,
                                                          double alpha = 0.05);

}  // namespace tactus::studies
