#pragma once
#include "models/sculpt/sculpture.hpp"

namespace tactus::models {

/// Six animals in the manner of good wooden toys: a big head, few clear features, and limbs, ears
/// and tails of 8 to 15 mm that two fingers can clamp.
///
/// Each stands on its feet at y = 0 with y up and faces +z, centred in x and z; soles are flat
/// enough to rest on a floor, with the centre of mass over them. Each is one piece without voids,
/// nowhere thinner than 2.5 mm. Surfaces are mirror images in x, except the monkey's tail, which
/// curls to its left (+x).
[[nodiscard]] Sculpture rhino();
[[nodiscard]] Sculpture bear();
[[nodiscard]] Sculpture rabbit();
[[nodiscard]] Sculpture duck();
[[nodiscard]] Sculpture turtle();
[[nodiscard]] Sculpture monkey();

}  // namespace tactus::models
