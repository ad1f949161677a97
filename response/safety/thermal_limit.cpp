#include "response/safety/thermal_limit.hpp"

#include <algorithm>

namespace tactus::response {
namespace {

// The limit comes down from here on. At 0.7 a device of twice its continuous force gives its peak
// for a fifth of its time constant when it starts cold.
constexpr double kWarm = 0.7;

}  // namespace

double ThermalLimit::most(double peak, double continuous) const noexcept {
  if (!(continuous < peak)) return peak;
  const double cool = std::clamp((1.0 - warmth) / (1.0 - kWarm), 0.0, 1.0);
  return continuous + cool * (peak - continuous);
}

void ThermalLimit::tick(double given, double continuous, double timeConstantSeconds,
                        double dt) noexcept {
  if (!(continuous > 0.0) || !(timeConstantSeconds > 0.0)) return;  // the device has no such limit
  const double load = given / continuous;
  const double share = std::min(1.0, dt / timeConstantSeconds);
  warmth += share * (load * load - warmth);
}

}  // namespace tactus::response
