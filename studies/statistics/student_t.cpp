#include "studies/statistics/student_t.hpp"

#include <algorithm>
#include <cmath>

#include "studies/statistics/distributions.hpp"
#include "studies/statistics/sample_moments.hpp"

namespace tactus::studies {
namespace {

// A spread of this share of the values is that of their rounding.
constexpr double kRounding = 1e-14;

double largest(std::span<const double> values) {
  double most = 0.0;
  for (const double value : values)
    most = std::max(most, std::abs(value));
  return most;
}

TTest testOf(double estimate, double standardError, double degrees, double confidence) {
  const double t = estimate / standardError;
  const double reach = studentQuantile(0.5 + 0.5 * confidence, degrees) * standardError;
  return {.estimate = estimate,
          .standardError = standardError,
          .t = t,
          .degrees = degrees,
          .p = 2.0 * studentUpper(std::abs(t), degrees),
          .low = estimate - reach,
          .high = estimate + reach};
}

}  // namespace

std::optional<TTest> oneSampleT(std::span<const double> values, double confidence) {
  if (values.size() < 2) return std::nullopt;
  const SampleMoments moments = momentsOf(values);
  if (moments.sd <= kRounding * largest(values)) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  return testOf(moments.mean, moments.sd / std::sqrt(n), n - 1.0, confidence);
}

std::optional<TTest> twoSampleT(std::span<const double> a, std::span<const double> b,
                                double confidence) {
  if (a.empty() || b.empty() || a.size() + b.size() < 3) return std::nullopt;
  const double meanA = meanOf(a), meanB = meanOf(b);
  const auto nA = static_cast<double>(a.size()), nB = static_cast<double>(b.size());
  const double variance =
      (squaresAboutMean(a, meanA) + squaresAboutMean(b, meanB)) / (nA + nB - 2.0);
  if (std::sqrt(variance) <= kRounding * std::max(largest(a), largest(b))) return std::nullopt;
  return testOf(meanB - meanA, std::sqrt(variance * (1.0 / nA + 1.0 / nB)), nA + nB - 2.0,
                confidence);
}

std::optional<TTest> welchT(std::span<const double> a, std::span<const double> b,
                            double confidence) {
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  const double meanA = meanOf(a), meanB = meanOf(b);
  const auto nA = static_cast<double>(a.size()), nB = static_cast<double>(b.size());
  const double ofA = squaresAboutMean(a, meanA) / (nA * (nA - 1.0));
  const double ofB = squaresAboutMean(b, meanB) / (nB * (nB - 1.0));
  const double error = std::sqrt(ofA + ofB);
  if (error <= kRounding * std::max(largest(a), largest(b))) return std::nullopt;
  const double degrees =
      (ofA + ofB) * (ofA + ofB) / (ofA * ofA / (nA - 1.0) + ofB * ofB / (nB - 1.0));
  return testOf(meanB - meanA, error, degrees, confidence);
}

}  // namespace tactus::studies
