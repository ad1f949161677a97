#include "response/stability/stability_advisor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::response {

StabilityAdvice adviceFor(const SampledDevice& device, double stiffness, double damping) noexcept {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  StabilityAdvice advice;
  const double lag = 0.5 * device.period + device.delay;
  advice.neededDamping = stiffness * lag + std::abs(damping);
  advice.passiveRatio =
      advice.neededDamping > 0.0 ? device.damping / advice.neededDamping : kInfinity;
  advice.passiveStiffness = std::max(0.0, device.damping - std::abs(damping)) / lag;
  advice.quantisedStiffness =
      device.encoderStep > 0.0 ? 2.0 * device.friction / device.encoderStep : kInfinity;
  advice.isWithinFriction = device.encoderStep > 0.0 && stiffness <= advice.quantisedStiffness;
  return advice;
}

}  // namespace tactus::response
