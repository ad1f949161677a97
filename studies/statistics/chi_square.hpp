#pragma once
#include <optional>
#include <span>
#include <vector>

namespace tactus::studies {

struct ChiSquareTest {
  double chiSquare = 0.0;
  double degrees = 0.0;
  double p = 1.0;
  double leastExpected = 0.0;  ///< below 5 the distribution is a poor guide
  double cramerV = 0.0;        ///< of a table; of one row its effect size w
};

/// K. Pearson, "On the criterion that a given system of deviations ...", 1900: all kinds equally
/// often? Takes every count for an observation of its own. Nothing of fewer than two kinds, or
/// without a count.
[[nodiscard]] std::optional<ChiSquareTest> chiSquareUniform(std::span<const double> counts);

/// Rows against columns: are the shares the same in every row? Rows and columns without a count are
/// left out; no correction for continuity. V after H. Cramer, "Mathematical Methods of Statistics",
/// 1946.
[[nodiscard]] std::optional<ChiSquareTest> chiSquareTable(
    std::span<const std::vector<double>> rows);

}  // namespace tactus::studies
