#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// "No such element" in the tables below.
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Which distinct position each stored vertex has. Equal means equal as numbers: -0 is 0, and
/// nothing is equal that differs in the last bit (a weld with a distance is repair's business).
struct MergedPositions {
  std::vector<std::uint32_t> ofVertex;     ///< stored vertex -> distinct position
  std::vector<std::uint32_t> firstVertex;  ///< distinct position -> the first vertex that has it

  [[nodiscard]] std::size_t count() const noexcept { return firstVertex.size(); }
};

/// Distinct positions are numbered in the order in which the vertices first show them.
[[nodiscard]] MergedPositions mergeEqualPositions(const Mesh& mesh);

/// An edge between two distinct positions, with all its uses.
struct Edge {
  std::uint32_t low = 0, high = 0;  ///< distinct positions, low < high
  std::uint32_t firstUse = 0;       ///< index into Topology::uses
  std::uint32_t useCount = 0;
};

/// How triangles hang together once equal positions are one.
///
/// A triangle is *collapsed* if two of its corners are equal: after merging it is an edge or a
/// point and no triangle any more. It has no sides here and is on no edge, so that the zero-width
/// triangles at the pole of a sphere or the seam of a cylinder do not open the surface. A triangle
/// with three different corners in a line is none of that: it has area zero, but it joins its
/// neighbours (and closes a T-junction) as any other does.
///
/// A *side* is numbered 3 * triangle + corner and runs from that corner to the next one.
/// Preconditions: indices in range, fewer than 2^32 / 3 triangles.
struct Topology {
  MergedPositions merged;
  std::vector<Triangle> triangles;        ///< corners as distinct positions, order as in the mesh
  std::vector<Edge> edges;                ///< sorted by (low, high)
  std::vector<std::uint32_t> uses;        ///< sides, grouped by edge, ascending within an edge
  std::vector<std::uint32_t> edgeOfSide;  ///< kNone for the sides of collapsed triangles

  [[nodiscard]] bool isCollapsed(std::size_t triangle) const noexcept {
    const Triangle& t = triangles[triangle];
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
  }
  /// Position at which the side starts.
  [[nodiscard]] std::uint32_t startOf(std::uint32_t side) const noexcept {
    return triangles[side / 3][side % 3];
  }
  /// Position at which the side ends.
  [[nodiscard]] std::uint32_t endOf(std::uint32_t side) const noexcept {
    return triangles[side / 3][(side + 1) % 3];
  }
  /// Whether the side runs from the edge's low end to its high end.
  [[nodiscard]] bool runsUp(std::uint32_t side) const noexcept {
    return startOf(side) < endOf(side);
  }
  /// Index of the edge between two distinct positions, in either order; kNone if there is none.
  [[nodiscard]] std::uint32_t edgeBetween(std::uint32_t a, std::uint32_t b) const noexcept;
  /// Uses of the edge from low to high; the others run from high to low.
  [[nodiscard]] std::uint32_t upwardUses(const Edge& edge) const noexcept;
  /// Used exactly once in each direction: what `closed` asks of every edge.
  [[nodiscard]] bool isPaired(const Edge& edge) const noexcept {
    return edge.useCount == 2 && upwardUses(edge) == 1;
  }
};

/// Deterministic for any `threads` (0: one a core).
[[nodiscard]] Topology topologyOf(const Mesh& mesh, unsigned threads = 0);

/// Which edges join two triangles into one part.
enum class Joint : std::uint8_t {
  AnyEdge,      ///< every edge, with however many triangles: the *components* of the report
  TwoUsesOnly,  ///< edges with exactly two uses: *shells*; two boxes that share an edge are two
};

/// Triangles in connected parts, numbered by their first triangle.
struct Parts {
  std::vector<std::uint32_t> ofTriangle;  ///< kNone for collapsed triangles
  std::size_t count = 0;
};

[[nodiscard]] Parts partsOf(const Topology& topology, Joint joint);

/// A triangle on the same three positions as an earlier one, whatever their order.
struct Duplicate {
  std::uint32_t triangle = 0;
  std::uint32_t first = 0;  ///< the first triangle there
};

/// All of them, ascending. Collapsed triangles are none.
[[nodiscard]] std::vector<Duplicate> duplicatesIn(const Topology& topology);

/// Number of fans at each distinct position: groups of the triangles there, two of them being in
/// one group when they share an edge that ends there. 0: no triangle; 1: manifold (a disc or half a
/// disc, as far as edges go); more: the surface touches itself in this point (bow-tie).
[[nodiscard]] std::vector<std::uint32_t> fansOf(const Topology& topology);

/// A hole's rim.
struct BoundaryLoop {
  /// Distinct positions in the order in which filling triangles would run: against the direction
  /// in which the surface uses the edges (as far as its neighbours agree on one).
  std::vector<std::uint32_t> positions;
  bool isClosed = false;  ///< the last position joins the first; else a chain that ends at a
                          ///< non-manifold edge
};

/// The boundary edges (one use), each in one loop. A loop that would touch itself in a point is cut
/// there into simple ones, so two holes that meet in a corner are two.
[[nodiscard]] std::vector<BoundaryLoop> boundaryLoops(const Topology& topology);

/// Loops whose course is arbitrary, marked by 1: they pass from one shell to another where both
/// have an edge of more than two triangles, or at a position with an odd number of boundary edges,
/// where such an edge ends, too. Any two rims of the sheets that cross there could be called the
/// hole. `shells`: partsOf with Joint::TwoUsesOnly.
[[nodiscard]] std::vector<std::uint8_t> arbitraryLoops(const Topology& topology,
                                                       const Parts& shells,
                                                       const std::vector<BoundaryLoop>& loops);

}  // namespace tactus::models
