#include "studies/statistics/effect_sizes.hpp"

#include <cmath>

#include "studies/statistics/distributions.hpp"
#include "studies/statistics/sample_moments.hpp"
#include "studies/statistics/student_t.hpp"

namespace tactus::studies {
namespace {

/// The shift with which a larger t has this chance; the chance grows with the shift.
double shiftOf(double t, double degrees, double chance) {
  // no chance of interest is further from t: the spread of t is about 1, and |t| sqrt(1/2m) more
  const double reach = 10.0 + 10.0 * std::abs(t) / std::sqrt(degrees);
  double low = t - reach, high = t + reach;
  constexpr int kHalvings = 200;  // ends sooner, when nothing is between
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (shiftedStudentUpper(t, degrees, middle) < chance ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

std::optional<StandardizedDifference> standardizedDifference(std::span<const double> differences,
                                                             double confidence) {
  const std::optional<TTest> test = oneSampleT(differences);
  if (!test || differences.size() < 3) return std::nullopt;
  const double root = std::sqrt(static_cast<double>(differences.size()));
  const double m = test->degrees;
  const double tail = 0.5 * (1.0 - confidence);
  StandardizedDifference d{.ofDifferences = test->t / root};
  d.corrected = d.ofDifferences * gammaRatio(0.5 * m, 0.5 * (m - 1.0)) / std::sqrt(0.5 * m);
  d.low = shiftOf(test->t, m, tail) / root;
  d.high = shiftOf(test->t, m, 1.0 - tail) / root;
  return d;
}

double differenceInAverageSd(std::span<const double> under, std::span<const double> over) {
  const SampleMoments a = momentsOf(under), b = momentsOf(over);
  const double sd = 0.5 * (a.sd + b.sd);
  return sd > 0.0 ? (b.mean - a.mean) / sd : 0.0;
}

}  // namespace tactus::studies
