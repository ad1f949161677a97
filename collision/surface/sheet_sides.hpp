#pragma once
#include <cstdint>
#include <vector>

#include "collision/surface/surface_tree.hpp"
#include "models/mesh/mesh.hpp"
#include "models/report/topology.hpp"
#include "models/report/winding_number.hpp"

namespace tactus::collision {

/// What is on the two sides of a triangle, near it.
enum class SheetSides : std::uint8_t {
  Unknown,       ///< ask the winding number
  InsideBehind,  ///< where its normal points is outside, behind it inside
  Inside,        ///< both are inside: it lies within another part of the body
  Outside,       ///< both are outside
};

/// For each triangle of a closed mesh what is on its sides, so that a point's side follows from
/// where its closest point is and needs no winding number.
struct SheetSidesOfMesh {
  std::vector<SheetSides> ofTriangle;         ///< for closest points on the face
  std::vector<std::uint8_t> isEdgeOfSheet;    ///< 1: for those on an edge of the topology, too
  std::vector<std::uint8_t> isCornerOfSheet;  ///< likewise on a distinct position
};

/// Finds them.
///
/// Source: ours. Between a point and the closest one on the surface there is no surface, so a
/// winding number is the same all the way; on the two sides of a closed sheet it differs by one,
/// and along a sheet that meets nothing it stays what it is.
///
/// Method:
/// - a sheet is what paired edges join of triangles that no other one meets; on an edge between two
///   of them, and on a corner around which all are of it, pseudonormals tell the sides apart, see
///   SurfaceDistance
/// - one winding number a sheet, close above its largest triangle
///
/// Unknown are the triangles along the lines where parts cross; all of them if the mesh is not
/// closed (its winding numbers are no integers then), or if there are more meetings than
/// kMostMeetings a triangle.
///
/// Deterministic for any `threads` (0: one a core).
[[nodiscard]] SheetSidesOfMesh sheetSides(const models::Mesh& mesh,
                                          const models::Topology& topology, const SurfaceTree& tree,
                                          const models::WindingNumber& winding,
                                          unsigned threads = 0);

}  // namespace tactus::collision
