#include "response/parameters/material_ranges.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::response {
namespace {

using M = Material;

// A second from end to end, as the parameters of a hand that are felt (force_parameters.cpp).
constexpr double kFelt = 1.0;

}  // namespace

// The upper ends are where a contact of the workspace's bodies is still calm in a step of a
// millisecond (tests/response/bodies); the lower ends where something can still be felt.
const std::array<MaterialRange, 10> kMaterialRanges = {{
    {"stiffness", "N/m^3", &M::stiffness, 1e5, 1e8, kFelt},
    {"pressure", "Pa", &M::pressure, 1e3, 5e5, kFelt},
    {"layerStiffness", "N/m", &M::layerStiffness, 1.0, 2000.0, kFelt},
    {"damping", "1/W", &M::damping, 0.0, 5.0, kFelt},
    {"relaxation", "s", &M::relaxation, 0.0, 0.02, kFelt},
    {"staticFriction", "1", &M::staticFriction, 0.0, 2.0, kFelt},
    {"kineticFriction", "1", &M::kineticFriction, 0.0, 2.0, kFelt},
    {"slipSpeed", "m/s", &M::slipSpeed, 1e-4, 0.1, kFelt},
    {"bristleStiffness", "N/m", &M::bristleStiffness, 0.0, 5e4, kFelt},
    {"bristleDamping", "s", &M::bristleDamping, 0.0, 0.05, kFelt},
}};

bool slewMaterial(Material& now, const Material& wanted, double dt) noexcept {
  bool hasMoved = false;
  for (const MaterialRange& range : kMaterialRanges) {
    double& value = now.*range.value;
    const double wish = wanted.*range.value;
    if (!std::isfinite(wish) || value == wish) continue;
    // a scene's file may say what no slider would: from there it comes into the range
    const double goal = std::clamp(wish, range.low, range.high);
    const double most = std::clamp(dt / range.seconds, 0.0, 1.0) * (range.high - range.low);
    const double next = std::clamp(goal, value - most, value + most);
    hasMoved = hasMoved || next != value;
    value = next;
  }
  return hasMoved;
}

}  // namespace tactus::response
