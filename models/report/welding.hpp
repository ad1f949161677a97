#pragma once
#include <cstddef>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "models/report/joined_vertices.hpp"

namespace tactus::models {

/// What welding made one.
struct Welded {
  std::size_t equal = 0;      ///< vertices whose position another one has, too
  std::size_t near = 0;       ///< vertices on open edges that moved onto another one
  double furthest = 0.0;      ///< that one of them moved [m]
  std::size_t collapsed = 0;  ///< triangles dropped because two of their corners became one
  std::size_t specks = 0;     ///< single triangles smaller than the distance that joined nothing
  std::vector<JoinedVertices> joined;  ///< all that became one, in the order in which they did

  [[nodiscard]] bool any() const noexcept { return equal + near + specks > 0; }
};

/// Makes vertices one: those at equal positions, and those within `distance` [m] of each other
/// where the surface is open. Triangles that lose a corner thereby are dropped; the vertices that
/// nobody names any more stay in the list.
///
/// Only ends of open edges (an odd number of different triangles on them) are moved, because a weld
/// can close nothing else: the two walls of a plate that is thinner than the distance stay apart.
/// Two corners of one triangle are made one only where a chain of open edges is all within the
/// distance and the surface widens from there (a pole that is named by a ring of vertices), so a
/// fine mesh does not shrink; other short edges are slivers' business. What is left then as a
/// single triangle with three open sides, all shorter than the distance, is the speck that a point
/// becomes when a file's corners are jittered; it is dropped.
///
/// Method: in the order of their numbers each vertex joins the nearest one before it that has
/// joined none, or stands for itself. So no position is invented, no chain of near vertices
/// wanders off, and those left are all further apart than `distance`. Cells of twice the distance
/// in a hash table, of which a ball meets eight at most.
[[nodiscard]] Welded weld(Mesh& mesh, double distance);

}  // namespace tactus::models
