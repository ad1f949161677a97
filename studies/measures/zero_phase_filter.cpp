#include "studies/measures/zero_phase_filter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactus::studies {
namespace {

// H(s) = 1 / (s^2 + sqrt(2) s + 1), with s = (1 - z^-1) / (w (1 + z^-1)) and w = tan(pi f dt)
void runForward(std::vector<double>& values, double w) {
  const double scale = 1.0 / (1.0 + std::numbers::sqrt2 * w + w * w);
  const double b = w * w * scale;
  const double a1 = 2.0 * (w * w - 1.0) * scale;
  const double a2 = (1.0 - std::numbers::sqrt2 * w + w * w) * scale;
  double x1 = values.front(), x2 = x1, y1 = x1, y2 = x1;
  for (double& value : values) {
    const double x = value;
    const double y = b * (x + 2.0 * x1 + x2) - a1 * y1 - a2 * y2;
    x2 = x1;
    x1 = x;
    y2 = y1;
    y1 = y;
    value = y;
  }
}

}  // namespace

std::vector<double> zeroPhaseLowPass(const std::vector<double>& values, double cutoffHertz,
                                     double sampleSeconds) {
  std::vector<double> filtered = values;
  if (filtered.empty()) return filtered;
  const double w = std::tan(std::numbers::pi * cutoffHertz * sampleSeconds);
  runForward(filtered, w);
  std::ranges::reverse(filtered);
  runForward(filtered, w);
  std::ranges::reverse(filtered);
  return filtered;
}

}  // namespace tactus::studies
