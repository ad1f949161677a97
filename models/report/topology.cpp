#include "models/report/topology.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "models/mesh/parallel_for.hpp"
#include "models/mesh/position_hash.hpp"

namespace tactus::models {
namespace {

// Vertices a block when edges are sorted: some 100 us of work, so that threads share evenly.
constexpr std::size_t kVerticesPerBlock = 16'384;

/// Disjoint sets whose name is their smallest member, so that numbering follows the input.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  [[nodiscard]] std::uint32_t find(std::uint32_t member) noexcept {
    while (parent_[member] != member) {
      parent_[member] = parent_[parent_[member]];
      member = parent_[member];
    }
    return member;
  }
  void join(std::uint32_t a, std::uint32_t b) noexcept {
    a = find(a);
    b = find(b);
    if (a < b) parent_[b] = a;
    if (b < a) parent_[a] = b;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Sides with their far end, grouped by their lower end: bucket v is [start[v], start[v + 1]).
struct SidesByLowEnd {
  std::vector<std::uint32_t> start;
  std::vector<std::uint64_t> highAndSide;  ///< high end in the upper half, side in the lower
};

SidesByLowEnd sidesByLowEnd(const Topology& topology) {
  SidesByLowEnd sides;
  sides.start.assign(topology.merged.count() + 1, 0);
  const auto forEachSide = [&](auto&& visit) {
    for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
      if (topology.isCollapsed(t)) continue;
      for (std::size_t corner = 0; corner < 3; ++corner) {
        const auto side = static_cast<std::uint32_t>(3 * t + corner);
        visit(side, topology.startOf(side), topology.endOf(side));
      }
    }
  };
  forEachSide([&](std::uint32_t, std::uint32_t from, std::uint32_t to) {
    ++sides.start[std::min(from, to) + 1];
  });
  std::partial_sum(sides.start.begin(), sides.start.end(), sides.start.begin());

  sides.highAndSide.resize(sides.start.back());
  std::vector<std::uint32_t> next(sides.start.begin(), sides.start.end() - 1);
  forEachSide([&](std::uint32_t side, std::uint32_t from, std::uint32_t to) {
    sides.highAndSide[next[std::min(from, to)]++] = std::uint64_t{std::max(from, to)} << 32U | side;
  });
  return sides;
}

/// Edges at each position with a cursor, so that those already walked are passed over once only.
class EdgesAtPositions {
 public:
  explicit EdgesAtPositions(std::size_t positions) : next_(positions, kNone) {}
  /// To be called in descending order of edges; they are then taken in ascending order.
  void add(std::uint32_t position, std::uint32_t edge) {
    links_.push_back({edge, next_[position]});
    next_[position] = static_cast<std::uint32_t>(links_.size() - 1);
  }
  /// The first unwalked edge at the position, or kNone.
  [[nodiscard]] std::uint32_t first(std::uint32_t position,
                                    const std::vector<std::uint8_t>& isWalked) noexcept {
    std::uint32_t& link = next_[position];
    while (link != kNone && isWalked[links_[link].edge] != 0)
      link = links_[link].next;
    return link == kNone ? kNone : links_[link].edge;
  }
  /// The first unwalked edge at the position but `avoided`, or kNone.
  [[nodiscard]] std::uint32_t firstBut(std::uint32_t avoided, std::uint32_t position,
                                       const std::vector<std::uint8_t>& isWalked) const noexcept {
    std::uint32_t link = next_[position];
    while (link != kNone && (isWalked[links_[link].edge] != 0 || links_[link].edge == avoided))
      link = links_[link].next;
    return link == kNone ? kNone : links_[link].edge;
  }

 private:
  struct Link {
    std::uint32_t edge, next;
  };
  std::vector<Link> links_;
  std::vector<std::uint32_t> next_;
};

/// Boundary edges by the positions at their ends, and which of them are still to be walked.
class BoundaryGraph {
 public:
  explicit BoundaryGraph(const Topology& topology)
      : topology_(topology),
        outgoing_(topology.merged.count()),
        incoming_(topology.merged.count()),
        hasOddDegree_(topology.merged.count(), 0),
        isWalked_(topology.edges.size(), 0) {
    for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
      if (topology.edges[e].useCount == 1) boundary_.push_back(e);
    }
    for (auto edge = boundary_.rbegin(); edge != boundary_.rend(); ++edge) {
      const std::uint32_t start = startOf(*edge);
      const std::uint32_t end = otherEnd(*edge, start);
      outgoing_.add(start, *edge);
      incoming_.add(end, *edge);
      hasOddDegree_[start] ^= 1U;
      hasOddDegree_[end] ^= 1U;
    }
  }

  [[nodiscard]] const std::vector<std::uint32_t>& edges() const noexcept { return boundary_; }
  [[nodiscard]] bool hasOddDegree(std::uint32_t position) const noexcept {
    return hasOddDegree_[position] != 0;
  }
  [[nodiscard]] bool isWalked(std::uint32_t edge) const noexcept { return isWalked_[edge] != 0; }
  void markWalked(std::uint32_t edge) noexcept { isWalked_[edge] = 1; }

  /// Where a filling triangle would start on this edge: where the surface's own use ends.
  [[nodiscard]] std::uint32_t startOf(std::uint32_t edge) const noexcept {
    return topology_.endOf(topology_.uses[topology_.edges[edge].firstUse]);
  }
  [[nodiscard]] std::uint32_t otherEnd(std::uint32_t edge, std::uint32_t end) const noexcept {
    const Edge& e = topology_.edges[edge];
    return e.low == end ? e.high : e.low;
  }
  /// An unwalked edge at this position, if possible one that starts here and does not belong to the
  /// fan by which `arrived` came (kNone: none did). Where fans meet in a point the gaps between
  /// them are the holes; to follow the fan itself would go around its own surface. kNone: all are
  /// walked.
  [[nodiscard]] std::uint32_t nextFrom(std::uint32_t position, std::uint32_t arrived) noexcept {
    const std::uint32_t edge = outgoing_.first(position, isWalked_);
    if (edge == kNone) return incoming_.first(position, isWalked_);
    if (arrived == kNone || edge != otherRimOfFan(arrived, position)) return edge;
    const std::uint32_t other = outgoing_.firstBut(edge, position, isWalked_);
    return other != kNone ? other : edge;
  }

 private:
  /// The boundary edge on the far side of the fan at `position` to which this one belongs; kNone if
  /// a non-manifold edge comes before.
  [[nodiscard]] std::uint32_t otherRimOfFan(std::uint32_t edge,
                                            std::uint32_t position) const noexcept {
    std::uint32_t side = topology_.uses[topology_.edges[edge].firstUse];
    for (;;) {
      // the triangle's other side at the position
      const std::uint32_t triangle = side / 3;
      const std::uint32_t step = topology_.startOf(side) == position ? 2 : 1;
      const std::uint32_t across = 3 * triangle + (side % 3 + step) % 3;
      const Edge& next = topology_.edges[topology_.edgeOfSide[across]];
      if (next.useCount == 1) return topology_.edgeOfSide[across];
      if (next.useCount > 2) return kNone;
      side = topology_.uses[next.firstUse] == across ? topology_.uses[next.firstUse + 1]
                                                     : topology_.uses[next.firstUse];
    }
  }

  const Topology& topology_;
  std::vector<std::uint32_t> boundary_;
  EdgesAtPositions outgoing_, incoming_;
  std::vector<std::uint8_t> hasOddDegree_;
  std::vector<std::uint8_t> isWalked_;
};

/// Walks from `start` until no edge is left there, cutting off a loop whenever the path comes back
/// to a position that it holds. `onPath` is 0 everywhere before and after.
void walkFrom(std::uint32_t start, BoundaryGraph& graph, std::vector<std::uint8_t>& onPath,
              std::vector<BoundaryLoop>& loops) {
  std::vector<std::uint32_t> path{start};
  onPath[start] = 1;
  for (std::uint32_t edge = graph.nextFrom(start, kNone); edge != kNone;
       edge = graph.nextFrom(path.back(), edge)) {
    graph.markWalked(edge);
    const std::uint32_t position = graph.otherEnd(edge, path.back());
    if (onPath[position] == 0) {
      onPath[position] = 1;
      path.push_back(position);
      continue;
    }
    // from the back, so that the search costs no more than the loop that it finds
    const auto again = std::find(path.rbegin(), path.rend(), position).base() - 1;
    for (auto p = again + 1; p != path.end(); ++p)
      onPath[*p] = 0;
    loops.push_back({{again, path.end()}, true});
    path.erase(again + 1, path.end());
  }
  for (const std::uint32_t position : path)
    onPath[position] = 0;
  if (path.size() > 1) loops.push_back({std::move(path), false});
}

}  // namespace

MergedPositions mergeEqualPositions(const Mesh& mesh) {
  MergedPositions merged;
  merged.ofVertex.resize(mesh.positions.size());
  merged.firstVertex.reserve(mesh.positions.size());
  // open addressing, at most half full
  std::vector<std::uint32_t> slots(std::bit_ceil(2 * mesh.positions.size() + 1), kNone);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Eigen::Vector3f& p = mesh.positions[v];
    std::size_t slot = hashOf(p) & mask;
    while (slots[slot] != kNone && mesh.positions[merged.firstVertex[slots[slot]]] != p) {
      slot = (slot + 1) & mask;
    }
    if (slots[slot] == kNone) {
      slots[slot] = static_cast<std::uint32_t>(merged.count());
      merged.firstVertex.push_back(static_cast<std::uint32_t>(v));
    }
    merged.ofVertex[v] = slots[slot];
  }
  merged.firstVertex.shrink_to_fit();
  return merged;
}

std::uint32_t Topology::edgeBetween(std::uint32_t a, std::uint32_t b) const noexcept {
  const std::pair ends(std::min(a, b), std::max(a, b));
  const auto edge = std::lower_bound(
      edges.begin(), edges.end(), ends,
      [](const Edge& e, const auto& sought) { return std::pair(e.low, e.high) < sought; });
  const bool isThere = edge != edges.end() && std::pair(edge->low, edge->high) == ends;
  return isThere ? static_cast<std::uint32_t>(edge - edges.begin()) : kNone;
}

std::uint32_t Topology::upwardUses(const Edge& edge) const noexcept {
  std::uint32_t upward = 0;
  for (std::uint32_t u = 0; u < edge.useCount; ++u) {
    if (runsUp(uses[edge.firstUse + u])) ++upward;
  }
  return upward;
}

Topology topologyOf(const Mesh& mesh, unsigned threads) {
  Topology topology;
  topology.merged = mergeEqualPositions(mesh);
  topology.triangles.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    topology.triangles.push_back({topology.merged.ofVertex[t[0]], topology.merged.ofVertex[t[1]],
                                  topology.merged.ofVertex[t[2]]});
  }

  // the sides of an edge become neighbours when each bucket is sorted by (high end, side)
  SidesByLowEnd sides = sidesByLowEnd(topology);
  std::uint64_t* const highAndSide = sides.highAndSide.data();
  parallelFor(topology.merged.count(), kVerticesPerBlock, threads,
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t v = begin; v < end; ++v) {
                  std::sort(highAndSide + sides.start[v], highAndSide + sides.start[v + 1]);
                }
              });

  topology.uses.reserve(sides.highAndSide.size());
  topology.edges.reserve(sides.highAndSide.size() / 2 + 1);
  topology.edgeOfSide.assign(3 * mesh.triangles.size(), kNone);
  for (std::uint32_t low = 0; low < topology.merged.count(); ++low) {
    for (std::uint32_t i = sides.start[low]; i < sides.start[low + 1]; ++i) {
      const auto high = static_cast<std::uint32_t>(sides.highAndSide[i] >> 32U);
      const auto side = static_cast<std::uint32_t>(sides.highAndSide[i]);
      if (i == sides.start[low] || topology.edges.back().high != high) {
        topology.edges.push_back({low, high, i, 0});
      }
      ++topology.edges.back().useCount;
      topology.edgeOfSide[side] = static_cast<std::uint32_t>(topology.edges.size() - 1);
      topology.uses.push_back(side);
    }
  }
  return topology;
}

Parts partsOf(const Topology& topology, Joint joint) {
  DisjointSets sets(topology.triangles.size());
  for (const Edge& edge : topology.edges) {
    if (joint == Joint::TwoUsesOnly && edge.useCount != 2) continue;
    for (std::uint32_t u = 1; u < edge.useCount; ++u) {
      sets.join(topology.uses[edge.firstUse] / 3, topology.uses[edge.firstUse + u] / 3);
    }
  }
  Parts parts;
  parts.ofTriangle.assign(topology.triangles.size(), kNone);
  for (std::uint32_t t = 0; t < topology.triangles.size(); ++t) {
    if (topology.isCollapsed(t)) continue;
    // a set is named by its first triangle, which therefore has its number by now
    const std::uint32_t first = sets.find(t);
    parts.ofTriangle[t] =
        first == t ? static_cast<std::uint32_t>(parts.count++) : parts.ofTriangle[first];
  }
  return parts;
}

/// Triangles with the same corners share an edge, so it is enough to look at edges with several
/// uses: those of the edge between the two smallest corners, which all of them have.
std::vector<Duplicate> duplicatesIn(const Topology& topology) {
  struct Use {
    std::uint32_t third, triangle;
  };
  std::vector<Use> uses;
  std::vector<Duplicate> duplicates;
  for (const Edge& edge : topology.edges) {
    if (edge.useCount < 2) continue;
    uses.clear();
    for (std::uint32_t u = 0; u < edge.useCount; ++u) {
      const std::uint32_t side = topology.uses[edge.firstUse + u];
      const std::uint32_t third = topology.triangles[side / 3][(side + 2) % 3];
      if (third > edge.high) uses.push_back({third, side / 3});
    }
    std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
      return a.third != b.third ? a.third < b.third : a.triangle < b.triangle;
    });
    for (std::size_t i = 1, first = 0; i < uses.size(); ++i) {
      if (uses[i].third == uses[first].third) {
        duplicates.push_back({uses[i].triangle, uses[first].triangle});
      } else {
        first = i;
      }
    }
  }
  std::sort(duplicates.begin(), duplicates.end(),
            [](const Duplicate& a, const Duplicate& b) { return a.triangle < b.triangle; });
  return duplicates;
}

std::vector<std::uint32_t> fansOf(const Topology& topology) {
  // corners are numbered as the sides that start there
  DisjointSets corners(3 * topology.triangles.size());
  const auto cornerAt = [&](std::uint32_t side, std::uint32_t position) {
    return topology.startOf(side) == position ? side : side / 3 * 3 + (side + 1) % 3;
  };
  for (const Edge& edge : topology.edges) {
    const std::uint32_t first = topology.uses[edge.firstUse];
    for (std::uint32_t u = 1; u < edge.useCount; ++u) {
      const std::uint32_t side = topology.uses[edge.firstUse + u];
      corners.join(cornerAt(first, edge.low), cornerAt(side, edge.low));
      corners.join(cornerAt(first, edge.high), cornerAt(side, edge.high));
    }
  }
  std::vector<std::uint32_t> fans(topology.merged.count(), 0);
  for (std::uint32_t corner = 0; corner < 3 * topology.triangles.size(); ++corner) {
    if (topology.edgeOfSide[corner] == kNone || corners.find(corner) != corner) continue;
    ++fans[topology.startOf(corner)];
  }
  return fans;
}

std::vector<BoundaryLoop> boundaryLoops(const Topology& topology) {
  BoundaryGraph graph(topology);
  std::vector<BoundaryLoop> loops;
  std::vector<std::uint8_t> onPath(topology.merged.count(), 0);
  // chains start at an odd position; what is left after them closes
  for (const bool onlyOdd : {true, false}) {
    for (const std::uint32_t edge : graph.edges()) {
      if (graph.isWalked(edge)) continue;
      const Edge& e = topology.edges[edge];
      if (!onlyOdd) {
        walkFrom(graph.startOf(edge), graph, onPath, loops);
        continue;
      }
      for (const std::uint32_t end : {e.low, e.high}) {
        if (graph.hasOddDegree(end)) walkFrom(end, graph, onPath, loops);
      }
    }
  }
  return loops;
}

std::vector<std::uint8_t> arbitraryLoops(const Topology& topology, const Parts& shells,
                                         const std::vector<BoundaryLoop>& loops) {
  std::vector<std::uint8_t> isOdd(topology.merged.count(), 0);
  for (const Edge& edge : topology.edges) {
    if (edge.useCount != 1) continue;
    isOdd[edge.low] ^= 1U;
    isOdd[edge.high] ^= 1U;
  }
  const auto shellAt = [&](std::uint32_t from, std::uint32_t to) {
    const Edge& edge = topology.edges[topology.edgeBetween(from, to)];
    return shells.ofTriangle[topology.uses[edge.firstUse] / 3];
  };
  // pairs of a position and a shell of which an edge of more than two triangles ends there
  std::vector<std::pair<std::uint32_t, std::uint32_t>> crossings;
  for (const Edge& edge : topology.edges) {
    if (edge.useCount < 3) continue;
    for (std::uint32_t u = 0; u < edge.useCount; ++u) {
      const std::uint32_t shell = shells.ofTriangle[topology.uses[edge.firstUse + u] / 3];
      crossings.emplace_back(edge.low, shell);
      crossings.emplace_back(edge.high, shell);
    }
  }
  std::sort(crossings.begin(), crossings.end());
  const auto crosses = [&](std::uint32_t position, std::uint32_t shell) {
    return std::binary_search(crossings.begin(), crossings.end(), std::pair(position, shell));
  };
  std::vector<std::uint8_t> isArbitrary(loops.size(), 0);
  for (std::size_t l = 0; l < loops.size(); ++l) {
    const std::vector<std::uint32_t>& rim = loops[l].positions;
    const std::size_t n = rim.size();
    for (std::size_t i = loops[l].isClosed ? 0 : 1; i + (loops[l].isClosed ? 0 : 1) < n; ++i) {
      const std::uint32_t before = shellAt(rim[(i + n - 1) % n], rim[i]);
      const std::uint32_t after = shellAt(rim[i], rim[(i + 1) % n]);
      if (before == after) continue;
      if (isOdd[rim[i]] != 0 || (crosses(rim[i], before) && crosses(rim[i], after)))
        isArbitrary[l] = 1;
    }
  }
  return isArbitrary;
}

}  // namespace tactus::models
