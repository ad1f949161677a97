#include "studies/timing_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tactus::studies {
namespace {

/// The least value that is not exceeded by this share of all; `sorted` is not empty.
double percentile(const std::vector<double>& sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace

TimingFigures figuresOf(std::vector<double> times) {
  if (times.empty()) return {};
  std::ranges::sort(times);
  const double sum = std::accumulate(times.begin(), times.end(), 0.0);
  return {times.size(),
          sum / static_cast<double>(times.size()),
          percentile(times, 0.5),
          percentile(times, 0.99),
          percentile(times, 0.999),
          times.back()};
}

double medianOf(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

}  // namespace tactus::studies
