#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "models/report/mesh_report.hpp"

namespace tactus::models {

/// What a repair may do; each step is skipped when switched off. Lengths are parts of the diagonal
/// of the triangles' bounding box.
struct RepairSettings {
  /// Vertices on open edges that are nearer than this become one; 0: only equal ones, anywhere.
  double weldDistance = 1e-6;
  /// Of several triangles on the same corners keep what the surface around them needs: more than
  /// one where bodies have a face in common.
  bool dropsDuplicates = true;
  /// Triangles lower than this are collapsed, closing over, but never the walls of a part that is
  /// hardly thicker itself, see removeSlivers(); 0: only those that have two equal corners are
  /// dropped.
  double sliverHeight = 1e-7;
  /// Fins with a free rim that stand on the edges of a larger surface go.
  bool dropsDanglingSheets = true;
  /// Neighbours agree, parts outward, cavities inward; open ones only where that is clear.
  bool orients = true;
  /// Rims of at most this many edges are filled; 0: none.
  std::size_t largestHole = 64;
  /// Of a rim's box over its component's, diagonals. Wider rims of more than 5 edges are filled
  /// only if they are flat, see fillHoles().
  double widestHole = 0.5;
  /// Afterwards look for what no step mends, and name it.
  bool namesWhatIsLeft = true;
};

/// One line of what was done, ready to print, with the number that it is about.
struct RepairStep {
  std::string what;  ///< e.g. "welded 12 vertices that were up to 3.1e-07 m apart"
  std::size_t count = 0;
  bool changesMesh = true;  ///< false: what had to be left, and why
};

/// The mended mesh and the list of what was changed: nothing is ever changed without a line.
struct Repaired {
  Mesh mesh;
  std::vector<RepairStep>
      steps;  ///< none that changes the mesh: it was left as it was, to the byte
};

/// Weld, drop duplicates, slivers and fins, orient, fill small holes, in this order and again until
/// nothing changes, then drop unused vertices. A second repair therefore finds nothing to do.
///
/// A lid that would cut the surface is not made, or only where later steps mend that again: the
/// whole is tried with such lids and without, and the former is taken if it leaves no more
/// self-intersections than the latter. Self-intersections, edges of three triangles and
/// points where the surface touches itself are named, not mended: packing handles them by winding
/// number.
///
/// What bounded a solid still does: steps after which it would be open are left out, with a line.
///
/// The order matters: a duplicate is seen only when its corners are one vertex, a flat triangle can
/// be collapsed only into a neighbour, and a lid can be oriented only after its rim. And again,
/// because a lid over a T-junction is itself a flat triangle, and a part can only be turned outward
/// once it is closed.
///
/// Triangles that name missing vertices, or positions that are not finite, are dropped first. Kept
/// vertices and triangles keep their order and their positions; lids come last.
[[nodiscard]] Repaired repair(const Mesh& mesh, const RepairSettings& settings = {});

/// Of an open mesh that repair() would leave as it is, the reason, as of MeshReport::leftByRepair;
/// else empty. `report` is the mesh's own: what shows there that repair has not been at it yet
/// saves trying.
[[nodiscard]] std::string whatRepairLeaves(const Mesh& mesh, const MeshReport& report);

}  // namespace tactus::models
