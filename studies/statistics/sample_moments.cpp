#include "studies/statistics/sample_moments.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tactus::studies {
namespace {

double quantileOf(const std::vector<double>& sorted, double probability) {
  const double place = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double share = place - static_cast<double>(below);
  return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

}  // namespace

double meanOf(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values)
    sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

double squaresAboutMean(std::span<const double> values, double mean) {
  double squares = 0.0, rest = 0.0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
    rest += value - mean;
  }
  return values.empty() ? 0.0 : squares - rest * rest / static_cast<double>(values.size());
}

SampleMoments momentsOf(std::span<const double> values) {
  SampleMoments moments;
  moments.n = values.size();
  if (values.empty()) return moments;
  moments.mean = meanOf(values);
  if (values.size() > 1) {
    moments.sd = std::sqrt(std::max(0.0, squaresAboutMean(values, moments.mean)) /
                           static_cast<double>(values.size() - 1));
  }
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  moments.least = sorted.front();
  moments.lowerQuartile = quantileOf(sorted, 0.25);
  moments.median = quantileOf(sorted, 0.5);
  moments.upperQuartile = quantileOf(sorted, 0.75);
  moments.most = sorted.back();
  return moments;
}

}  // namespace tactus::studies
