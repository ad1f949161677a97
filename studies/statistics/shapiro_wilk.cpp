#include "studies/statistics/shapiro_wilk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "studies/statistics/distributions.hpp"
#include "studies/statistics/sample_moments.hpp"

namespace tactus::studies {
namespace {

constexpr std::size_t kFewest = 3, kMost = 5000;

// Royston's fits, lowest power first.
constexpr std::array kFirstWeight = {0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056};
constexpr std::array kSecondWeight = {0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633};
// Up to eleven values, by their number; beyond, by its logarithm.
constexpr std::array kShift = {-2.273, 0.459};
constexpr std::array kMeanOfFew = {0.544, -0.39978, 0.025054, -6.714e-4};
constexpr std::array kSpreadOfFew = {1.3822, -0.77857, 0.062767, -0.0020322};
constexpr std::array kMeanOfMany = {-1.5861, -0.31082, -0.083751, 0.0038915};
constexpr std::array kSpreadOfMany = {-0.4803, -0.082676, 0.0030302};
constexpr std::size_t kFew = 11;

template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double value = 0.0;
  for (std::size_t i = N; i-- > 0;)
    value = value * x + coefficients[i];
  return value;
}

/// Weights of the largest, the second largest, ... half of the values; the others mirror them.
std::vector<double> weightsOf(std::size_t count) {
  if (count == kFewest) return {std::numbers::sqrt2 / 2.0};
  const auto n = static_cast<double>(count);
  std::vector<double> m(count / 2);
  double squares = 0.0;
  for (std::size_t i = 0; i < m.size(); ++i) {
    m[i] = -normalQuantile((static_cast<double>(i) + 1.0 - 0.375) / (n + 0.25));
    squares += 2.0 * m[i] * m[i];
  }
  const double root = std::sqrt(squares);
  const double first = polynomial(kFirstWeight, 1.0 / std::sqrt(n)) + m[0] / root;
  double fixedSquares = 2.0 * m[0] * m[0], fixedWeights = 2.0 * first * first;
  std::vector<double> weights = {first};
  if (count > 5) {
    const double second = polynomial(kSecondWeight, 1.0 / std::sqrt(n)) + m[1] / root;
    fixedSquares += 2.0 * m[1] * m[1];
    fixedWeights += 2.0 * second * second;
    weights.push_back(second);
  }
  const double scale = std::sqrt((squares - fixedSquares) / (1.0 - fixedWeights));
  for (std::size_t i = weights.size(); i < m.size(); ++i)
    weights.push_back(m[i] / scale);
  return weights;
}

double pOf(double shortfall, std::size_t count) {
  const auto n = static_cast<double>(count);
  if (count == kFewest) {
    const double p = 6.0 / std::numbers::pi *
                     (std::asin(std::sqrt(1.0 - shortfall)) - std::asin(std::sqrt(0.75)));
    return std::max(0.0, p);
  }
  double y = std::log(shortfall);
  double mean = 0.0, spread = 0.0;
  if (count <= kFew) {
    const double shift = polynomial(kShift, n);
    if (y >= shift) return 0.0;
    y = -std::log(shift - y);
    mean = polynomial(kMeanOfFew, n);
    spread = std::exp(polynomial(kSpreadOfFew, n));
  } else {
    mean = polynomial(kMeanOfMany, std::log(n));
    spread = std::exp(polynomial(kSpreadOfMany, std::log(n)));
  }
  return normalUpper((y - mean) / spread);
}

}  // namespace

std::optional<ShapiroWilkTest> shapiroWilk(std::span<const double> values) {
  if (values.size() < kFewest || values.size() > kMost) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const double range = sorted.back() - sorted.front();
  if (!(range > 0.0)) return std::nullopt;
  const double mean = meanOf(sorted);
  // by their range, so that squares of very small or large values stay numbers
  double squares = 0.0;
  for (double& value : sorted) {
    value = (value - mean) / range;
    squares += value * value;
  }
  const std::vector<double> weights = weightsOf(sorted.size());
  double sum = 0.0, weightSquares = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i] * (sorted[sorted.size() - 1 - i] - sorted[i]);
    weightSquares += 2.0 * weights[i] * weights[i];
  }
  const double root = std::sqrt(squares * weightSquares);
  // 1 - W without the difference of near numbers
  const double shortfall = std::max(0.0, (root - sum) * (root + sum) / (squares * weightSquares));
  return ShapiroWilkTest{.w = 1.0 - shortfall, .p = pOf(shortfall, sorted.size())};
}

}  // namespace tactus::studies
