#pragma once
#include <cstddef>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// The rims that were filled and those that were not, by their number of edges.
struct FilledHoles {
  std::vector<std::size_t> filled;    ///< ascending
  std::vector<std::size_t> tooLarge;  ///< more edges than asked for
  std::vector<std::size_t> flat;      ///< rims of flat sheets: a lid would enclose nothing
  std::vector<std::size_t> tangled;   ///< no lid without an edge of three triangles, or a rim that
                                      ///< ends at one, runs on from one sheet of such an edge to
                                      ///< another, or changes its direction

  [[nodiscard]] bool any() const noexcept { return !filled.empty(); }
};

/// Closes each rim of at most `largest` edges by triangles between its vertices.
///
/// Source: Barequet and Sharir, "Filling Gaps in the Boundary of a Polyhedron", 1995 (dynamic
/// programming over the pieces of the rim); Liepa, "Filling Holes in Meshes", 2003 (the sharpest
/// fold counts before the area).
/// How ours differs: folds are compared in 16 steps, so that rounding does not decide between flat
/// lids; and where Liepa takes the area, which is the same for all flat lids, we take the sum of
/// the squared sides, which also asks for well-shaped triangles. No side may be an edge that there
/// is already. A rim of more than 200 edges is first cut by short diagonals.
///
/// Lids run against the triangles at the rim, so a consistently oriented surface stays one.
/// Precondition: equal positions are one vertex.
[[nodiscard]] FilledHoles fillHoles(Mesh& mesh, std::size_t largest);

}  // namespace tactus::models
