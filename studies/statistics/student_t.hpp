#pragma once
#include <cstddef>
#include <optional>
#include <span>

namespace tactus::studies {

/// A mean, or a difference of means, against zero.
struct TTest {
  double estimate = 0.0;
  double standardError = 0.0;
  double t = 0.0;
  double degrees = 0.0;
  double p = 1.0;                ///< two-sided
  double low = 0.0, high = 0.0;  ///< confidence interval of the estimate
};

/// Student, "The probable error of a mean", 1908: t = mean / (sd / sqrt(n)), n - 1 degrees of
/// freedom. Of differences this is the paired test. Nothing of fewer than two values or of values
/// that are all the same (up to rounding).
[[nodiscard]] std::optional<TTest> oneSampleT(std::span<const double> values,
                                              double confidence = 0.95);

/// Mean of `b` minus mean of `a`, of independent samples with one variance. Nothing as above.
[[nodiscard]] std::optional<TTest> twoSampleT(std::span<const double> a, std::span<const double> b,
                                              double confidence = 0.95);

/// The same where the variances differ: B. Welch, "The generalization of 'Student's' problem when
/// several different population variances are involved", 1947.
[[nodiscard]] std::optional<TTest> welchT(std::span<const double> a, std::span<const double> b,
                                          double confidence = 0.95);

}  // namespace tactus::studies
