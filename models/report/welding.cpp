#include "models/report/welding.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "models/report/topology.hpp"

namespace tactus::models {
namespace {

bool isCollapsed(const Triangle& t) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

/// Renames the corners by `target`, drops triangles that lost a corner by it and returns how many.
std::size_t rename(Mesh& mesh, const std::vector<std::uint32_t>& target) {
  std::size_t kept = 0;
  for (const Triangle& t : mesh.triangles) {
    const Triangle renamed = {target[t[0]], target[t[1]], target[t[2]]};
    if (isCollapsed(renamed) && !isCollapsed(t)) continue;
    mesh.triangles[kept++] = renamed;
  }
  const std::size_t dropped = mesh.triangles.size() - kept;
  mesh.triangles.resize(kept);
  return dropped;
}

void weldEqual(Mesh& mesh, Welded& welded) {
  const MergedPositions merged = mergeEqualPositions(mesh);
  if (merged.count() == mesh.positions.size()) return;
  // among the vertices of one position the first that a triangle names stands for all
  std::vector<std::uint32_t> standIn(merged.count(), kNone);
  std::vector<std::uint8_t> isUsed(mesh.positions.size(), 0);
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t v : t)
      isUsed[v] = 1;
  }
  std::vector<std::uint32_t> target(mesh.positions.size());
  for (std::uint32_t v = 0; v < target.size(); ++v) {
    target[v] = v;
    if (isUsed[v] == 0) continue;
    std::uint32_t& first = standIn[merged.ofVertex[v]];
    if (first == kNone) first = v;
    target[v] = first;
    if (first == v) continue;
    ++welded.equal;
    welded.joined.push_back({v, first});
  }
  if (welded.equal > 0) welded.collapsed += rename(mesh, target);
}

/// Corner of the use's triangle that is not on the edge.
std::uint32_t apexOf(const Topology& topology, std::uint32_t side) {
  return topology.triangles[side / 3][(side + 2) % 3];
}

/// Whether an odd number of different triangles is on the edge; duplicates count once.
bool isOpen(const Topology& topology, const Edge& edge) {
  if (edge.useCount == 1) return true;
  if (edge.useCount == 2) {
    return apexOf(topology, topology.uses[edge.firstUse]) ==
           apexOf(topology, topology.uses[edge.firstUse + 1]);
  }
  std::vector<std::uint32_t> apexes;
  apexes.reserve(edge.useCount);
  for (std::uint32_t u = 0; u < edge.useCount; ++u) {
    apexes.push_back(apexOf(topology, topology.uses[edge.firstUse + u]));
  }
  std::sort(apexes.begin(), apexes.end());
  const auto end = std::unique(apexes.begin(), apexes.end());
  return (end - apexes.begin()) % 2 != 0;
}

/// Vertices at the ends of open edges, ascending.
std::vector<std::uint32_t> verticesOnOpenEdges(const Mesh& mesh) {
  const Topology topology = topologyOf(mesh);
  std::vector<std::uint32_t> vertices;
  for (const Edge& edge : topology.edges) {
    if (!isOpen(topology, edge)) continue;
    vertices.push_back(topology.merged.firstVertex[edge.low]);
    vertices.push_back(topology.merged.firstVertex[edge.high]);
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

/// Chains of open edges that are all within the distance of one of their vertices, as the ring of
/// vertices by which a file names a pole: each becomes that vertex. Only where the surface widens
/// from there, so that neither a fine mesh nor the end of a thin wire shrinks: the triangles on the
/// chain have their third corners beyond the distance, of it and of each other.
void contractChains(Mesh& mesh, double distance, Welded& welded) {
  const Topology topology = topologyOf(mesh);
  const auto at = [&](std::uint32_t position) -> Eigen::Vector3d {
    return mesh.positions[topology.merged.firstVertex[position]].cast<double>();
  };
  // sets of positions, each named by its smallest one
  std::vector<std::uint32_t> parent(topology.merged.count());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto find = [&parent](std::uint32_t p) {
    while (parent[p] != p)
      p = parent[p] = parent[parent[p]];
    return p;
  };
  std::vector<std::uint32_t> shortEdges;
  for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
    const Edge& edge = topology.edges[e];
    if (!isOpen(topology, edge) || !((at(edge.low) - at(edge.high)).norm() <= distance)) continue;
    shortEdges.push_back(e);
    const auto [first, second] = std::minmax({find(edge.low), find(edge.high)});
    parent[second] = first;
  }
  if (shortEdges.size() < 2) return;

  struct Chain {
    Bounds outer;  ///< of the third corners
    bool isInReach = true, widens = true;
  };
  std::vector<Chain> chains(parent.size());
  for (const std::uint32_t e : shortEdges) {
    const Edge& edge = topology.edges[e];
    const std::uint32_t first = find(edge.low);
    Chain& chain = chains[first];
    chain.isInReach = chain.isInReach && (at(edge.low) - at(first)).norm() <= distance &&
                      (at(edge.high) - at(first)).norm() <= distance;
    for (std::uint32_t u = 0; u < edge.useCount; ++u) {
      const std::uint32_t apex = apexOf(topology, topology.uses[edge.firstUse + u]);
      const Eigen::Vector3d p = at(apex);
      chain.widens = chain.widens && find(apex) != first && (p - at(first)).norm() > 2.0 * distance;
      chain.outer.lower = chain.outer.isEmpty() ? p : p.cwiseMin(chain.outer.lower);
      chain.outer.upper = chain.outer.isEmpty() ? p : p.cwiseMax(chain.outer.upper);
    }
  }

  std::vector<std::uint32_t> target(mesh.positions.size());
  std::iota(target.begin(), target.end(), 0U);
  const std::size_t before = welded.near;
  for (std::uint32_t p = 0; p < parent.size(); ++p) {
    const std::uint32_t first = find(p);
    const Chain& chain = chains[first];
    if (first == p || !chain.isInReach || !chain.widens) continue;
    if (!(chain.outer.diagonal() > 2.0 * distance)) continue;
    const std::uint32_t lost = topology.merged.firstVertex[p];
    target[lost] = topology.merged.firstVertex[first];
    welded.joined.push_back({lost, target[lost]});
    ++welded.near;
    welded.furthest = std::max(welded.furthest, (at(p) - at(first)).norm());
  }
  if (welded.near > before) welded.collapsed += rename(mesh, target);
}

/// Points in cells of a hash table, for all within a distance of another one.
class PointCells {
 public:
  PointCells(const Mesh& mesh, double distance, std::size_t capacity)
      : mesh_(mesh),
        cell_(2.0 * distance),
        heads_(std::bit_ceil(2 * capacity + 1), kNone),
        next_(capacity, kNone) {
    vertices_.reserve(capacity);
  }

  void add(std::uint32_t vertex) {
    std::uint32_t& head = heads_[slotOf(cellOf(mesh_.positions[vertex].cast<double>()))];
    next_[vertices_.size()] = head;
    head = static_cast<std::uint32_t>(vertices_.size());
    vertices_.push_back(vertex);
  }

  /// Calls visit(vertex) for all that may be within the distance of p; some come twice when two
  /// cells share a slot.
  template <typename Visit>
  void near(const Eigen::Vector3d& p, Visit&& visit) const {
    const Eigen::Array3d quarter = Eigen::Array3d::Constant(0.5 * cell_);
    const Eigen::Array3d lower = cellOf(p.array() - quarter);
    const Eigen::Array3d upper = cellOf(p.array() + quarter);
    for (int corner = 0; corner < 8; ++corner) {
      bool isRepeat = false;
      Eigen::Array3d cell = lower;
      for (int axis = 0; axis < 3; ++axis) {
        if (((corner >> axis) & 1) == 0) continue;
        cell[axis] = upper[axis];
        isRepeat = isRepeat || lower[axis] == upper[axis];
      }
      if (isRepeat) continue;
      for (std::uint32_t i = heads_[slotOf(cell)]; i != kNone; i = next_[i])
        visit(vertices_[i]);
    }
  }

 private:
  [[nodiscard]] Eigen::Array3d cellOf(const Eigen::Array3d& p) const { return (p / cell_).floor(); }

  /// Cells are hashed as doubles: an integer could overflow for a distance next to nothing.
  [[nodiscard]] std::size_t slotOf(const Eigen::Array3d& cell) const {
    std::uint64_t hash = 0;
    for (int axis = 0; axis < 3; ++axis) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(cell[axis] + 0.0)) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 32U;
    }
    return hash & (heads_.size() - 1);
  }

  const Mesh& mesh_;
  double cell_;
  std::vector<std::uint32_t> heads_, next_, vertices_;
};

/// Triangles at each of the candidates: bucket c is [start[c], start[c + 1]).
struct TrianglesAtCandidates {
  std::vector<std::uint32_t> start, triangles;

  TrianglesAtCandidates(const Mesh& mesh, const std::vector<std::uint32_t>& candidateOf,
                        std::size_t count)
      : start(count + 1, 0) {
    const auto forEach = [&](auto&& visit) {
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        for (const std::uint32_t v : mesh.triangles[t]) {
          if (candidateOf[v] != kNone) visit(t, candidateOf[v]);
        }
      }
    };
    forEach([this](std::uint32_t, std::uint32_t c) { ++start[c + 1]; });
    for (std::size_t c = 0; c < count; ++c)
      start[c + 1] += start[c];
    triangles.resize(start.back());
    std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
    forEach([&](std::uint32_t t, std::uint32_t c) { triangles[next[c]++] = t; });
  }
};

void weldNear(Mesh& mesh, double distance, Welded& welded) {
  const std::vector<std::uint32_t> candidates = verticesOnOpenEdges(mesh);
  if (candidates.empty()) return;
  std::vector<std::uint32_t> candidateOf(mesh.positions.size(), kNone);
  for (std::uint32_t c = 0; c < candidates.size(); ++c)
    candidateOf[candidates[c]] = c;
  const TrianglesAtCandidates around(mesh, candidateOf, candidates.size());

  std::vector<std::uint32_t> target(mesh.positions.size());
  for (std::uint32_t v = 0; v < target.size(); ++v)
    target[v] = v;
  // Whether a triangle of the candidate has a corner that is, or has become, this vertex.
  const auto sharesTriangle = [&](std::uint32_t c, std::uint32_t vertex) {
    return std::any_of(around.triangles.begin() + around.start[c],
                       around.triangles.begin() + around.start[c + 1], [&](std::uint32_t t) {
                         const Triangle& corners = mesh.triangles[t];
                         return std::any_of(corners.begin(), corners.end(),
                                            [&](std::uint32_t v) { return target[v] == vertex; });
                       });
  };

  PointCells cells(mesh, distance, candidates.size());
  for (std::uint32_t c = 0; c < candidates.size(); ++c) {
    const std::uint32_t self = candidates[c];
    const Eigen::Vector3d p = mesh.positions[self].cast<double>();
    std::pair<double, std::uint32_t> nearest{distance * distance, kNone};
    cells.near(p, [&](std::uint32_t other) {
      const double squared = (mesh.positions[other].cast<double>() - p).squaredNorm();
      if (std::pair(squared, other) < nearest && !sharesTriangle(c, other)) {
        nearest = {squared, other};
      }
    });
    if (nearest.second == kNone) {
      cells.add(self);
      continue;
    }
    target[self] = nearest.second;
    welded.joined.push_back({self, nearest.second});
    ++welded.near;
    welded.furthest = std::max(welded.furthest, std::sqrt(nearest.first));
  }
  if (welded.near > 0) welded.collapsed += rename(mesh, target);
}

std::size_t dropSpecks(Mesh& mesh, double distance) {
  const auto sideOf = [&mesh](const Triangle& t, std::size_t k) {
    return (mesh.positions[t[k]] - mesh.positions[t[(k + 1) % 3]]).cast<double>().norm();
  };
  const auto isSmall = [&](const Triangle& t) {
    return sideOf(t, 0) <= distance && sideOf(t, 1) <= distance && sideOf(t, 2) <= distance;
  };
  if (std::none_of(mesh.triangles.begin(), mesh.triangles.end(), isSmall)) return 0;
  const Topology topology = topologyOf(mesh);
  std::size_t kept = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    bool isSpeck = !topology.isCollapsed(t) && isSmall(mesh.triangles[t]);
    for (std::size_t side = 3 * t; isSpeck && side < 3 * t + 3; ++side) {
      isSpeck = topology.edges[topology.edgeOfSide[side]].useCount == 1;
    }
    if (!isSpeck) mesh.triangles[kept++] = mesh.triangles[t];
  }
  const std::size_t dropped = mesh.triangles.size() - kept;
  mesh.triangles.resize(kept);
  return dropped;
}

}  // namespace

Welded weld(Mesh& mesh, double distance) {
  Welded welded;
  weldEqual(mesh, welded);
  if (distance > 0.0) {
    contractChains(mesh, distance, welded);
    weldNear(mesh, distance, welded);
    welded.specks = dropSpecks(mesh, distance);
  }
  return welded;
}

}  // namespace tactus::models
