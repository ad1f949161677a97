#pragma once
#include <cstddef>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// The rims that were filled and those that were not, by their number of edges.
struct FilledHoles {
  std::vector<std::size_t> filled;    ///< ascending
  std::vector<std::size_t> tooLarge;  ///< more edges than asked for
  std::vector<std::size_t> tooWide;   ///< wider than asked for, of more than 5 edges and not flat
  std::vector<std::size_t> cutting;   ///< the lid would meet the surface or another lid
  std::vector<std::size_t> flat;      ///< rims of flat sheets: a lid would enclose nothing
  double widest = 0.0;                ///< of those filled, from corner to corner [m]
  std::size_t folded = 0;             ///< of those filled: lids that meet something and were kept
  std::vector<std::size_t> crossing;  ///< the rim runs on from one sheet to another at an edge that
                                      ///< more than two share, see arbitraryLoops()
  std::vector<std::size_t> tangled;   ///< no lid without an edge of three triangles, or a rim that
                                      ///< ends at one or changes its direction

  [[nodiscard]] bool any() const noexcept { return !filled.empty(); }
};

struct HoleLimits {
  std::size_t edges = 0;  ///< of a rim, at most
  double width = 0.0;     ///< of the rim's box over its component's, diagonals; see fillHoles()
  double height = 0.0;    ///< triangles lower than this may meet others: slivers, gone later [m]
  /// Keeps a lid of up to five edges that meets something. Where a triangle hangs by its corners in
  /// a hole, such a lid folds onto it, and dropping duplicates then mends what no lid alone could.
  bool keepsFolded = false;
};

/// Closes each small rim by triangles between its vertices.
///
/// Small is a rim of at most `limits.edges` edges that is no wider than `limits.width` of its part
/// (component). The width does not count for rims of up to 5 edges, which in the coarsest models
/// are wide with a triangle or two missing, nor for those within a twentieth of their width of a
/// plane: their lid is evident.
///
/// A lid stays only if none of its triangles meets the surface, the lid itself or a lid before it
/// beyond shared corners and edges. Where that of a rim of up to 16 edges does, the best lid of
/// those triangles that meet nothing takes its place, if there is one.
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
[[nodiscard]] FilledHoles fillHoles(Mesh& mesh, const HoleLimits& limits);

}  // namespace tactus::models
