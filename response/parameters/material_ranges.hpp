#pragma once
#include <array>
#include <string_view>

#include "response/contact/material.hpp"

namespace tactus::response {

/// What a slider needs to know of a number of Material.
struct MaterialRange {
  std::string_view name, unit;
  double Material::* value;
  double low, high;
  double seconds;  ///< to cross the whole range
};

/// Every number of Material, in its order.
extern const std::array<MaterialRange, 10> kMaterialRanges;

/// Moves towards what the panel wants, no number faster than its range in its `seconds`; what is
/// no number stays as it was, what is out of its range goes to the range's end. True if anything
/// moved.
bool slewMaterial(Material& now, const Material& wanted, double dt) noexcept;

}  // namespace tactus::response
