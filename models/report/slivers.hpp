#pragma once
#include <cstddef>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "models/report/joined_vertices.hpp"

namespace tactus::models {

/// What was done about triangles next to a line, and what could not be done.
struct RemovedSlivers {
  std::size_t collapsedEdges = 0;      ///< short edges whose ends became one vertex
  std::size_t collapsedTriangles = 0;  ///< that were on these edges and went with them
  std::size_t turnedEdges =
      0;                    ///< long edges replaced by the other diagonal of their two triangles
  std::size_t dropped = 0;  ///< triangles that nothing on their long side, or no area, let go
  std::size_t left = 0;     ///< slivers that would have torn or folded the surface
  std::size_t walls = 0;    ///< as low as slivers, but of a part that is hardly thicker
  std::vector<JoinedVertices> joined;  ///< the ends of collapsed edges, in their order

  [[nodiscard]] std::size_t changes() const noexcept {
    return collapsedEdges + turnedEdges + dropped;
  }
  [[nodiscard]] bool any() const noexcept { return changes() > 0; }
};

/// Removes triangles that are lower than `height` [m] without opening the surface.
///
/// - two corners equal: dropped, its other two sides are one edge
/// - needle (a side shorter than twice the height): that side becomes a point
/// - cap (the third corner next to the long side): the long side is turned, so that its neighbour
///   takes in that corner. So a T-junction that a flat triangle had closed becomes a proper one.
/// - cap on an open edge: dropped, the other two sides are as good a rim
///
/// A triangle that is low because its whole part is thin is a wall and stays: in each shell the
/// height is at most a thousandth of the mean thickness, 2 volume / area. So removing slivers takes
/// no part's volume, however thin it is. An open shell's volume is that of the cone from one of its
/// corners; a sheet without any, which has no thickness to lose, keeps the full height.
///
/// Nothing moves by more than twice the height. A step is not taken if it would make an edge of
/// three triangles, a second triangle on the same corners, or turn a neighbour over.
///
/// Source of the test when an edge may collapse: Dey, Edelsbrunner, Guha and Nekhayev, "Topology
/// preserving edge contraction", 1999 (link condition).
/// Precondition: equal positions are one vertex.
[[nodiscard]] RemovedSlivers removeSlivers(Mesh& mesh, double height);

}  // namespace tactus::models
