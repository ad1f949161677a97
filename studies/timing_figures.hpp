#pragma once
#include <cstddef>
#include <vector>

namespace tactus::studies {

/// Of many times, each the median of some repetitions at one pose [us]. With fewer than a thousand
/// of them, the last percentile is the largest.
struct TimingFigures {
  std::size_t count = 0;
  double mean = 0.0, p50 = 0.0, p99 = 0.0, p999 = 0.0, max = 0.0;
};

[[nodiscard]] TimingFigures figuresOf(std::vector<double> times);

/// The middle one; of an even number the mean of the two in the middle. NaN of none.
[[nodiscard]] double medianOf(std::vector<double> values);

}  // namespace tactus::studies
