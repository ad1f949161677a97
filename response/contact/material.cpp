#include "response/contact/material.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::response {
namespace {

/// Twice two springs in series.
double inSeries(double a, double b) noexcept {
  if (!(a > 0.0) || !(b > 0.0)) return 0.0;
  return 2.0 / (1.0 / a + 1.0 / b);
}

double geometricMean(double a, double b) noexcept {
  return std::sqrt(std::max(a, 0.0)) * std::sqrt(std::max(b, 0.0));
}

}  // namespace

Material pairedWith(const Material& a, const Material& b) noexcept {
  Material pair;
  pair.stiffness = inSeries(a.stiffness, b.stiffness);
  pair.pressure = inSeries(a.pressure, b.pressure);
  pair.layerStiffness = inSeries(a.layerStiffness, b.layerStiffness);
  pair.damping = std::max(0.5 * (a.damping + b.damping), 0.0);
  pair.relaxation = std::max(0.5 * (a.relaxation + b.relaxation), 0.0);
  pair.staticFriction = geometricMean(a.staticFriction, b.staticFriction);
  pair.kineticFriction =
      std::min(geometricMean(a.kineticFriction, b.kineticFriction), pair.staticFriction);
  pair.slipSpeed = 0.5 * (a.slipSpeed + b.slipSpeed);
  pair.bristleStiffness = inSeries(a.bristleStiffness, b.bristleStiffness);
  pair.bristleDamping = std::max(0.5 * (a.bristleDamping + b.bristleDamping), 0.0);
  return pair;
}

}  // namespace tactus::response
