#include "studies/growth/power_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "models/lanes/elementary.hpp"

namespace tactus::studies {
namespace {

using models::elementary::exp;
using models::elementary::log;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// What is left of the sums where all is the same but for rounding, against the squares of the
// logarithms themselves.
constexpr double kNoScatter = 1e-24;

// Built-ins have a number of triangles within 3 % of what was asked for: a size that was to be two
// decades below the largest still is.
constexpr double kSlack = 1.05;

bool isUsable(double value) {
  return std::isfinite(value) && value > 0.0;
}

}  // namespace

double PowerLaw::at(double x) const {
  return factor * exp(exponent * log(x));
}

std::optional<PowerLaw> fitPowerLaw(std::span<const double> x, std::span<const double> y) {
  std::vector<double> u;
  std::vector<double> v;
  PowerLaw law;
  law.from = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (!isUsable(x[i]) || !isUsable(y[i])) continue;
    u.push_back(log(x[i]));
    v.push_back(log(y[i]));
    law.from = std::min(law.from, x[i]);
    law.to = std::max(law.to, x[i]);
  }
  if (!(law.from < law.to)) return std::nullopt;
  const auto count = static_cast<double>(u.size());
  double meanU = 0.0;
  double meanV = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    meanU += u[i] / count;
    meanV += v[i] / count;
  }
  double uu = 0.0;
  double uv = 0.0;
  double vv = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double du = u[i] - meanU;
    const double dv = v[i] - meanV;
    uu += du * du;
    uv += du * dv;
    vv += dv * dv;
  }
  law.points = u.size();
  law.exponent = uv / uu;
  law.factor = exp(meanV - law.exponent * meanU);
  double left = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double off = v[i] - meanV - law.exponent * (u[i] - meanU);
    left += off * off;
  }
  law.standardError = u.size() > 2 ? std::sqrt(left / (count - 2.0) / uu) : kUnknown;
  law.rSquared = vv > kNoScatter * count * (1.0 + meanV * meanV) ? 1.0 - left / vv : kUnknown;
  return law;
}

std::optional<PowerLaw> fitUpperDecades(std::span<const double> x, std::span<const double> y,
                                        double decades) {
  double largest = 0.0;
  for (const double value : x) {
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  const double least = largest * exp(-decades * std::numbers::ln10) / kSlack;
  std::vector<double> upperX;
  std::vector<double> upperY;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (x[i] < least) continue;
    upperX.push_back(x[i]);
    upperY.push_back(y[i]);
  }
  return fitPowerLaw(upperX, upperY);
}

}  // namespace tactus::studies
