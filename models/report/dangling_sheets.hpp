#pragma once
#include <cstddef>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// What hung on a surface and was dropped.
struct DroppedSheets {
  std::size_t sheets = 0;
  std::size_t triangles = 0;
  std::size_t undecided = 0;  ///< sheets left because all that share an edge with them are alike

  [[nodiscard]] bool any() const noexcept { return triangles > 0; }
};

/// Drops fins: pieces of surface with a free rim that stand on another surface's edges.
///
/// A fin is a shell (joined by edges of two triangles) with at least one open edge, which uses each
/// edge that it shares with others an odd number of times while an odd number of triangles is
/// there: without it that edge is even again and the free rim is gone. It must have less area than
/// every other shell on these edges: a body with a hole and a wall inside looks the same but for
/// that. And on each of them there must be a shell that is no such sheet itself: of three pages on
/// one edge none is the body on which the others hang.
[[nodiscard]] DroppedSheets dropDanglingSheets(Mesh& mesh);

}  // namespace tactus::models
