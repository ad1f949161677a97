#pragma once
#include <cstddef>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// What was turned round, and what cannot be oriented.
struct Oriented {
  std::size_t triangles = 0;  ///< that were turned round
  std::size_t shells = 0;     ///< in which they lie
  std::size_t oneSided = 0;   ///< shells like a Moebius strip, left as they are

  [[nodiscard]] bool any() const noexcept { return triangles > 0; }
};

/// Turns triangles round until neighbours agree and shells with an inside have their material
/// inside.
///
/// Method: shells are joined by edges of exactly two triangles; in each the agreement spreads from
/// its first triangle. Open shells that take turns along one rim agree across it, and each such
/// group takes the side that most of its triangles had. A shell is judged by shellSides(), as
/// in the report: positive volume, or negative where it is a cavity in another one. An open one of
/// which the inside is not clear stays on that side.
[[nodiscard]] Oriented orientShells(Mesh& mesh, unsigned threads = 0);

}  // namespace tactus::models
