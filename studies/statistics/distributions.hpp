#pragma once

/// Probabilities and quantiles that the tests need; of Boost.Math, met here alone.
///
/// None throws: outside its domain each gives NaN. `upper` is one minus the distribution function,
/// computed without the difference, so that small p values keep their digits.
namespace tactus::studies {

[[nodiscard]] double normalUpper(double z) noexcept;
[[nodiscard]] double normalQuantile(double probability) noexcept;
[[nodiscard]] double studentUpper(double t, double degrees) noexcept;
[[nodiscard]] double studentQuantile(double probability, double degrees) noexcept;
/// P(T > t) where the mean is off by `shift` standard errors.
[[nodiscard]] double shiftedStudentUpper(double t, double degrees, double shift) noexcept;
[[nodiscard]] double fisherUpper(double f, double degreesAbove, double degreesBelow) noexcept;
[[nodiscard]] double chiSquareUpper(double x, double degrees) noexcept;
/// Gamma(a) / Gamma(b).
[[nodiscard]] double gammaRatio(double a, double b) noexcept;

}  // namespace tactus::studies
