#pragma once
#include <cstddef>
#include <optional>
#include <span>

namespace tactus::studies {

/// y = factor x^exponent.
struct PowerLaw {
  double exponent = 0.0;
  double factor = 0.0;
  /// Of the exponent, by the scatter about the line; NaN of two points.
  double standardError = 0.0;
  /// Share of the scatter of log y that the line explains; NaN if all y are the same.
  double rSquared = 0.0;
  std::size_t points = 0;
  double from = 0.0, to = 0.0;  ///< the least and the largest x among them

  [[nodiscard]] double at(double x) const;
};

/// The least-squares line of log y over log x. Points with a coordinate that is not positive and
/// finite are left out; none if fewer than two different x are left.
[[nodiscard]] std::optional<PowerLaw> fitPowerLaw(std::span<const double> x,
                                                  std::span<const double> y);

/// The same of the points whose x is at least the largest one over ten to the power of `decades`:
/// for small x costs are those of what does not grow.
[[nodiscard]] std::optional<PowerLaw> fitUpperDecades(std::span<const double> x,
                                                      std::span<const double> y, double decades);

}  // namespace tactus::studies
