#pragma once
#include <cstddef>

#include "models/mesh/mesh.hpp"
#include "models/parametric/revolution.hpp"

namespace tactus::models {

/// The bowl into which the animals go: a round container with slightly flared walls, a flat thick
/// bottom, a fillet between both inside, and a rounded rim. Stands on y = 0, opening upward.
constexpr double kWellInnerRadius = 0.080;  // at the rim [m]
constexpr double kWellHeight = 0.080;       // [m]
constexpr double kWellWall = 0.007;         // thickness [m]
constexpr double kWellBottom = 0.009;       // thickness [m]
constexpr double kWellFillet = 0.022;       // inside, between bottom and wall [m]

[[nodiscard]] Profile wellProfile();
[[nodiscard]] Mesh makeWell(std::size_t triangles);

}  // namespace tactus::models
