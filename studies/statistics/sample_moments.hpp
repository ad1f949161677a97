#pragma once
#include <cstddef>
#include <span>

namespace tactus::studies {

/// What describes a sample without assuming anything of it.
struct SampleMoments {
  std::size_t n = 0;
  double mean = 0.0;
  double sd = 0.0;  ///< with n - 1; 0 of one value
  double least = 0.0, lowerQuartile = 0.0, median = 0.0, upperQuartile = 0.0, most = 0.0;
};

/// Quartiles between order statistics, the seventh kind of R. Hyndman and Y. Fan, "Sample quantiles
/// in statistical packages", 1996. All zero of nothing.
[[nodiscard]] SampleMoments momentsOf(std::span<const double> values);

/// Sum of squares about the mean, with the second pass that keeps its digits; T. Chan, G. Golub and
/// R. LeVeque, "Algorithms for computing the sample variance", 1983.
[[nodiscard]] double squaresAboutMean(std::span<const double> values, double mean);
[[nodiscard]] double meanOf(std::span<const double> values);

}  // namespace tactus::studies
