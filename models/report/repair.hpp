#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// What a repair may do; each step is skipped when switched off.
struct RepairSettings {
  double weldDistance = 1e-6;       ///< vertices nearer than this part of the diagonal become one; 0: only equal ones
  bool dropsDuplicates = true;      ///< of several triangles on the same corners keep what orientation demands
  double sliverHeight = 1e-7;       ///< triangles lower than this part of the diagonal are collapsed, closing over
  bool orients = true;              ///< neighbours agree, closed parts outward, cavities inward
  std::size_t largestHole = 64;     ///< boundary loops of at most this many edges are filled; 0: none
};

/// One line of what was done, ready to print, with the number that it is about.
struct RepairStep {
  std::string what;  ///< e.g. "welded 12 vertices that were within 3.1e-07 m"
  std::size_t count = 0;
};

/// The mended mesh and the list of what was changed: nothing is ever changed without a line.
struct Repaired {
  Mesh mesh;
  std::vector<RepairStep> steps;  ///< empty: the mesh was left as it was
};

/// Weld, drop duplicates and slivers, orient, fill small holes, drop unused vertices, in this order.
/// Self-intersections are reported, not mended: packing handles them by winding number.
[[nodiscard]] Repaired repair(const Mesh& mesh, const RepairSettings& settings = {});

}  // namespace tactus::models
