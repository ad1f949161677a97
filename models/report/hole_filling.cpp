#include "models/report/hole_filling.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "models/report/self_intersection.hpp"
#include "models/report/topology.hpp"
#include "models/report/triangle_bvh.hpp"

namespace tactus::models {
namespace {

// Edges up to which a rim is filled by dynamic programming: 200^3 / 6 triangles are weighed in 0.1
// s.
constexpr std::size_t kLargestPiece = 200;

// 1 - cos of the angle between two normals goes from 0 (flat) to 2 (folded back), in 16 steps.
constexpr double kStepsOfFold = 8.0;

// A triangle without area has no normal: worse than any fold, but better than a hole.
constexpr int kWorstFold = 17;

// A shell encloses nothing if its volume is below this part of its area times its extent: float
// positions bring a flat sheet to 1e-8, a sheet of steel of 1 m by 1 mm has 1e-3.
constexpr double kFlat = 1e-6;

// See fillHoles(). The edges around three missing neighbours; and what a saw or a scanner leaves of
// a plane.
constexpr std::size_t kFewestEdges = 5;
constexpr double kFlatRim = 0.05;

// Rims of which a second lid is sought if the best one cuts something: 16 * 15 * 14 / 6 triangles.
constexpr std::size_t kFewEdges = 16;

// Lids that are sought again because the best one cut something, in a call: 560 triangles of each
// are looked at, which takes a millisecond. Those left are a later round's of the repair.
constexpr std::size_t kMostSecondTries = 256;

// See HoleLimits::keepsFolded.
constexpr std::size_t kFoldedEdges = 5;

/// How bad a lid is: by its sharpest fold, among equals by its squared sides.
struct Cost {
  int fold = 0;
  double size = 0.0;

  [[nodiscard]] friend bool operator<(const Cost& a, const Cost& b) {
    return a.fold != b.fold ? a.fold < b.fold : a.size < b.size;
  }
};
constexpr Cost kImpossible = {std::numeric_limits<int>::max(),
                              std::numeric_limits<double>::infinity()};

using Edges = std::set<std::pair<std::uint32_t, std::uint32_t>>;

std::pair<std::uint32_t, std::uint32_t> edgeOf(std::uint32_t a, std::uint32_t b) {
  return {std::min(a, b), std::max(a, b)};
}

/// A ring of positions in the order in which lid triangles run. `outer[i]` is the unit normal of
/// the surface at the edge from positions[i] to the next; zero where that is not known.
struct HoleRim {
  std::vector<std::uint32_t> positions;
  std::vector<Eigen::Vector3d> outer;
};

/// Whether a lid must do without this triangle of topology's positions.
using Forbids = std::function<bool(const Triangle&)>;

/// Fills rims, one after the other, and remembers the edges that it has made.
class LidMaker {
 public:
  LidMaker(const Mesh& mesh, const Topology& topology) : mesh_(mesh), topology_(topology) {}

  /// Gives back the edges of a lid that is not used.
  void forget(const std::vector<Triangle>& lid) {
    for (const Triangle& t : lid) {
      for (std::size_t k = 0; k < 3; ++k)
        added_.erase(edgeOf(t[k], t[(k + 1) % 3]));
    }
  }

  /// The best lid's triangles, as topology's positions; empty if there is none. `forbids` may be
  /// empty.
  [[nodiscard]] std::vector<Triangle> close(const HoleRim& rim, const Forbids& forbids = {}) {
    forbids_ = forbids;
    std::vector<Triangle> triangles;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> cuts;
    std::vector<HoleRim> pieces{rim};
    while (!pieces.empty()) {
      HoleRim piece = std::move(pieces.back());
      pieces.pop_back();
      if (piece.positions.size() > kLargestPiece && cut(piece, pieces)) {
        cuts.push_back(edgeOf(pieces.back().positions.front(), pieces.back().positions.back()));
        added_.insert(cuts.back());
        continue;
      }
      const std::vector<Triangle> lid = triangulate(std::move(piece));
      if (lid.empty()) {
        for (const auto& edge : cuts)
          added_.erase(edge);
        return {};
      }
      triangles.insert(triangles.end(), lid.begin(), lid.end());
    }
    for (const Triangle& t : triangles) {
      for (std::size_t k = 0; k < 3; ++k)
        added_.insert(edgeOf(t[k], t[(k + 1) % 3]));
    }
    return triangles;
  }

 private:
  /// Cuts along the shortest free diagonal that leaves a quarter of the edges on either side.
  bool cut(const HoleRim& rim, std::vector<HoleRim>& pieces) {
    const std::size_t n = rim.positions.size();
    rim_ = rim.positions;
    place();
    std::pair<std::size_t, std::size_t> best{0, 0};
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = i + n / 4; k < n && k - i <= n - n / 4; ++k) {
        const double squared = (points_[k] - points_[i]).squaredNorm();
        if (squared < shortest && isFree(i, k)) {
          shortest = squared;
          best = {i, k};
        }
      }
    }
    const auto [i, k] = best;
    if (i == k) return false;
    HoleRim inner;
    for (std::size_t v = i; v <= k; ++v) {
      inner.positions.push_back(rim.positions[v]);
      inner.outer.push_back(v < k ? rim.outer[v] : Eigen::Vector3d(Eigen::Vector3d::Zero()));
    }
    HoleRim outer;
    for (std::size_t v = k; v <= i + n; ++v) {
      outer.positions.push_back(rim.positions[v % n]);
      outer.outer.push_back(v < i + n ? rim.outer[v % n]
                                      : Eigen::Vector3d(Eigen::Vector3d::Zero()));
    }
    pieces.push_back(std::move(inner));
    pieces.push_back(std::move(outer));
    return true;
  }

  void place() {
    points_.clear();
    points_.reserve(rim_.size());
    for (const std::uint32_t p : rim_) {
      points_.push_back(mesh_.positions[topology_.merged.firstVertex[p]].cast<double>());
    }
  }

  [[nodiscard]] std::vector<Triangle> triangulate(HoleRim&& rim) {
    rim_ = std::move(rim.positions);
    outer_ = std::move(rim.outer);
    place();
    const std::size_t n = rim_.size();
    cells_.assign(n * n, {});
    for (std::size_t gap = 2; gap < n; ++gap) {
      for (std::size_t i = 0; i + gap < n; ++i)
        choose(i, i + gap);
    }
    std::vector<Triangle> triangles;
    if (cell(0, n - 1).cost.fold == kImpossible.fold) return triangles;
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, n - 1}};
    while (!open.empty()) {
      const auto [i, k] = open.back();
      open.pop_back();
      if (k - i < 2) continue;
      const std::size_t m = cell(i, k).apex;
      triangles.push_back({rim_[i], rim_[m], rim_[k]});
      open.emplace_back(i, m);
      open.emplace_back(m, k);
    }
    return triangles;
  }

  /// The best lid of the piece of rim from i to k, closed by the side from k to i.
  struct Cell {
    Cost cost;
    std::size_t apex = 0;
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< unit, of the triangle on that side
  };
  [[nodiscard]] Cell& cell(std::size_t i, std::size_t k) { return cells_[i * rim_.size() + k]; }

  [[nodiscard]] bool isFree(std::size_t i, std::size_t k) const {
    return !added_.contains(edgeOf(rim_[i], rim_[k])) &&
           topology_.edgeBetween(rim_[i], rim_[k]) == kNone;
  }

  /// Between a triangle of the lid and its neighbour, which counts as flat if it has no normal.
  static int foldBetween(const Eigen::Vector3d& triangle, const Eigen::Vector3d& neighbour) {
    if (triangle.isZero(0.0)) return kWorstFold;
    return neighbour.isZero(0.0)
               ? 0
               : static_cast<int>(kStepsOfFold * std::max(0.0, 1.0 - triangle.dot(neighbour)));
  }

  /// Normal of what is beyond the side from i to k: the piece's lid, or the surface.
  [[nodiscard]] const Eigen::Vector3d& beyond(std::size_t i, std::size_t k) {
    return k == i + 1 ? outer_[i] : cell(i, k).normal;
  }

  void choose(std::size_t i, std::size_t k) {
    Cell& best = cell(i, k);
    best.cost = kImpossible;
    const bool isWhole = i == 0 && k + 1 == rim_.size();
    if (!isWhole && !isFree(i, k)) return;
    for (std::size_t m = i + 1; m < k; ++m) {
      const Cost& left = cell(i, m).cost;
      const Cost& right = cell(m, k).cost;
      if (std::max(left.fold, right.fold) == kImpossible.fold) continue;
      const Eigen::Vector3d im = points_[m] - points_[i];
      const Eigen::Vector3d mk = points_[k] - points_[m];
      const Eigen::Vector3d ik = points_[k] - points_[i];
      Eigen::Vector3d normal = im.cross(ik);
      const double length = normal.norm();
      // a part in 2^20 of the longest side high: no normal worth comparing
      const double longest = std::max({im.squaredNorm(), mk.squaredNorm(), ik.squaredNorm()});
      normal = length > 0x1p-20 * longest ? Eigen::Vector3d(normal / length)
                                          : Eigen::Vector3d(Eigen::Vector3d::Zero());
      Cost cost;
      cost.fold = std::max({left.fold, right.fold, foldBetween(normal, beyond(i, m)),
                            foldBetween(normal, beyond(m, k))});
      if (isWhole) cost.fold = std::max(cost.fold, foldBetween(normal, outer_.back()));
      cost.size = left.size + right.size + im.squaredNorm() + mk.squaredNorm() + ik.squaredNorm();
      if (!(cost < best.cost)) continue;
      if (forbids_ && forbids_({rim_[i], rim_[m], rim_[k]})) continue;
      best = {cost, m, normal};
    }
  }

  const Mesh& mesh_;
  const Topology& topology_;
  Forbids forbids_;
  Edges added_;
  // of the rim at hand
  std::vector<std::uint32_t> rim_;
  std::vector<Eigen::Vector3d> outer_, points_;
  std::vector<Cell> cells_;
};

/// A rim with its lid.
struct Hole {
  HoleRim rim;                ///< of small ones only, which are tried twice
  std::vector<Triangle> lid;  ///< as topology's positions
  std::size_t edges = 0;
  double perimeter = 0.0;
  std::uint32_t shell = kNone;
};

Eigen::Vector3d positionOf(const Mesh& mesh, const Topology& topology, std::uint32_t position) {
  return mesh.positions[topology.merged.firstVertex[position]].cast<double>();
}

/// The loop with the surface's normals along it. Empty if the loop does not close, or if not all
/// its edges run the same way round.
HoleRim rimOf(const Mesh& mesh, const Topology& topology, const BoundaryLoop& loop) {
  HoleRim rim;
  if (!loop.isClosed || loop.positions.size() < 3) return rim;
  for (std::size_t i = 0; i < loop.positions.size(); ++i) {
    const std::uint32_t from = loop.positions[i];
    const std::uint32_t to = loop.positions[(i + 1) % loop.positions.size()];
    const std::uint32_t side =
        topology.uses[topology.edges[topology.edgeBetween(from, to)].firstUse];
    if (topology.endOf(side) != from) return {};
    const Triangle& t = topology.triangles[side / 3];
    const Eigen::Vector3d a = positionOf(mesh, topology, t[0]);
    Eigen::Vector3d normal =
        (positionOf(mesh, topology, t[1]) - a).cross(positionOf(mesh, topology, t[2]) - a);
    const double length = normal.norm();
    if (length > 0.0) normal /= length;
    rim.positions.push_back(from);
    rim.outer.push_back(normal);
  }
  return rim;
}

double perimeterOf(const Mesh& mesh, const Topology& topology, const BoundaryLoop& loop) {
  double sum = 0.0;
  for (std::size_t i = 0; i < loop.positions.size(); ++i) {
    const std::uint32_t next = loop.positions[(i + 1) % loop.positions.size()];
    sum +=
        (positionOf(mesh, topology, next) - positionOf(mesh, topology, loop.positions[i])).norm();
  }
  return sum;
}

/// The triangle at the loop's first edge.
std::uint32_t triangleAt(const Topology& topology, const BoundaryLoop& loop) {
  const std::uint32_t edge = topology.edgeBetween(loop.positions[0], loop.positions[1]);
  return topology.uses[topology.edges[edge].firstUse] / 3;
}

/// Takes the lid of the longest rim away from each shell that would be closed around nothing.
void openFlatShells(const Mesh& mesh, const Topology& topology, const Parts& shells,
                    const std::vector<std::uint8_t>& staysOpen, std::vector<Hole>& holes,
                    FilledHoles& counts) {
  struct Inside {
    double sum = 0.0;  // six times the volume
    double doubledArea = 0.0;
    double reach = 0.0;  // furthest corner from the reference
    Eigen::Vector3d reference = Eigen::Vector3d::Zero();
    std::size_t longest = 0;
    bool isAsked = false, isPlaced = false;
  };
  std::vector<Inside> insides(shells.count);
  for (std::size_t h = 0; h < holes.size(); ++h) {
    Inside& inside = insides[holes[h].shell];
    if (!inside.isAsked || holes[h].perimeter > holes[inside.longest].perimeter) inside.longest = h;
    inside.isAsked = true;
  }
  const auto add = [&](std::uint32_t shell, const Triangle& t) {
    Inside& inside = insides[shell];
    if (!inside.isAsked) return;
    if (!inside.isPlaced) inside.reference = positionOf(mesh, topology, t[0]);
    inside.isPlaced = true;
    const Eigen::Vector3d a = positionOf(mesh, topology, t[0]) - inside.reference;
    const Eigen::Vector3d b = positionOf(mesh, topology, t[1]) - inside.reference;
    const Eigen::Vector3d c = positionOf(mesh, topology, t[2]) - inside.reference;
    inside.sum += a.dot(b.cross(c));
    inside.doubledArea += (b - a).cross(c - a).norm();
    inside.reach = std::max({inside.reach, a.norm(), b.norm(), c.norm()});
  };
  for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
    if (shells.ofTriangle[t] != kNone) add(shells.ofTriangle[t], topology.triangles[t]);
  }
  for (const Hole& hole : holes) {
    for (const Triangle& t : hole.lid)
      add(hole.shell, t);
  }
  for (std::size_t shell = 0; shell < insides.size(); ++shell) {
    const Inside& inside = insides[shell];
    if (!inside.isAsked || staysOpen[shell] != 0) continue;
    if (std::fabs(inside.sum) > kFlat * inside.doubledArea * inside.reach) continue;
    Hole& outline = holes[inside.longest];
    outline.lid.clear();
    counts.flat.push_back(outline.edges);
  }
}

/// Of each triangle: the diagonal of its component's box.
std::vector<double> diagonalsOf(const Mesh& mesh, const Topology& topology) {
  const Parts parts = partsOf(topology, Joint::AnyEdge);
  std::vector<Eigen::AlignedBox3d> boxes(parts.count);
  for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
    if (parts.ofTriangle[t] == kNone) continue;
    for (const std::uint32_t corner : topology.triangles[t])
      boxes[parts.ofTriangle[t]].extend(positionOf(mesh, topology, corner));
  }
  std::vector<double> diagonals(topology.triangles.size(), 0.0);
  for (std::size_t t = 0; t < diagonals.size(); ++t) {
    if (parts.ofTriangle[t] != kNone) diagonals[t] = boxes[parts.ofTriangle[t]].diagonal().norm();
  }
  return diagonals;
}

/// Whether all of the loop is this near to the line from its first corner to the furthest.
bool isOnLine(const Mesh& mesh, const Topology& topology, const BoundaryLoop& loop, double near) {
  const Eigen::Vector3d first = positionOf(mesh, topology, loop.positions.front());
  Eigen::Vector3d along = Eigen::Vector3d::Zero();
  for (const std::uint32_t position : loop.positions) {
    const Eigen::Vector3d there = positionOf(mesh, topology, position) - first;
    if (there.squaredNorm() > along.squaredNorm()) along = there;
  }
  const double length = along.norm();
  return std::all_of(loop.positions.begin(), loop.positions.end(), [&](std::uint32_t position) {
    const Eigen::Vector3d there = positionOf(mesh, topology, position) - first;
    return along.cross(there).norm() <= near * length;
  });
}

/// From the corner furthest from the first one to the one furthest from that: a disc's diameter, a
/// rectangle's diagonal.
double widthOf(const Mesh& mesh, const Topology& topology, const std::vector<Triangle>& lid) {
  Eigen::Vector3d from = positionOf(mesh, topology, lid.front().front());
  double width = 0.0;
  for (int sweep = 0; sweep < 2; ++sweep) {
    Eigen::Vector3d furthest = from;
    for (const Triangle& t : lid) {
      for (const std::uint32_t corner : t) {
        const Eigen::Vector3d p = positionOf(mesh, topology, corner);
        if ((p - from).squaredNorm() > (furthest - from).squaredNorm()) furthest = p;
      }
    }
    width = (furthest - from).norm();
    from = furthest;
  }
  return width;
}

/// Whether a rim is no wider than this, or may be wide; see fillHoles().
bool isNarrow(const Mesh& mesh, const Topology& topology, const BoundaryLoop& loop, double width) {
  const std::size_t n = loop.positions.size();
  if (n <= kFewestEdges) return true;
  const Eigen::Vector3d first = positionOf(mesh, topology, loop.positions.front());
  Eigen::Vector3d lower = first;
  Eigen::Vector3d upper = first;
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const Eigen::Vector3d p = positionOf(mesh, topology, loop.positions[i]);
    const Eigen::Vector3d next = positionOf(mesh, topology, loop.positions[(i + 1) % n]);
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
    normal += (p - first).cross(next - first);
  }
  const double ownWidth = (upper - lower).norm();
  if (ownWidth <= width) return true;
  // an open T-junction's rim goes up and down along a line, and so has no normal
  if (!(normal.norm() > kFlat * ownWidth * ownWidth)) {
    return isOnLine(mesh, topology, loop, kFlatRim * ownWidth);
  }
  normal.normalize();
  double lowest = 0.0;
  double highest = 0.0;
  for (const std::uint32_t position : loop.positions) {
    const double rise = normal.dot(positionOf(mesh, topology, position) - first);
    lowest = std::min(lowest, rise);
    highest = std::max(highest, rise);
  }
  return highest - lowest <= 2.0 * kFlatRim * ownWidth;
}

using Corners = std::array<Eigen::Vector3f, 3>;

Corners cornersOf(const Mesh& mesh, const Triangle& t) {
  return {mesh.positions[t[0]], mesh.positions[t[1]], mesh.positions[t[2]]};
}

bool isLower(const Corners& t, double height) {
  const Eigen::Vector3d ab = (t[1].cast<double>() - t[0].cast<double>());
  const Eigen::Vector3d ac = (t[2].cast<double>() - t[0].cast<double>());
  const double longest = std::max({ab.norm(), ac.norm(), (ac - ab).norm()});
  return ab.cross(ac).norm() <= height * longest;
}

/// Calls visit(triangle) for all whose leaves the box of the corners touches.
template <typename Visit>
void inBox(const TriangleBvh& bvh, const Corners& corners, const Visit& visit) {
  BvhNode box;
  box.lower = corners[0].cwiseMin(corners[1]).cwiseMin(corners[2]);
  box.upper = corners[0].cwiseMax(corners[1]).cwiseMax(corners[2]);
  std::vector<std::uint32_t> waiting{0};
  while (!waiting.empty()) {
    const BvhNode& node = bvh.nodes[waiting.back()];
    waiting.pop_back();
    if (!node.overlaps(box)) continue;
    if (!node.isLeaf()) {
      waiting.push_back(node.first);
      waiting.push_back(node.first + 1);
      continue;
    }
    for (std::uint32_t i = 0; i < node.count; ++i)
      visit(bvh.order[node.first + i]);
  }
}

/// The surface with all lids, to ask what a lid's triangle meets.
class Covered {
 public:
  Covered(const Mesh& mesh, const Topology& topology, double height, const std::vector<Hole>& holes)
      : topology_(topology), height_(height), mesh_(mesh), isGone_(holes.size() + 1, 0) {
    lidOf_.assign(mesh.triangles.size(), holes.size());
    for (std::size_t h = 0; h < holes.size(); ++h) {
      for (const Triangle& t : holes[h].lid) {
        mesh_.triangles.push_back(verticesOf(t));
        lidOf_.push_back(h);
      }
    }
    bvh_ = buildTriangleBvh(mesh_);
  }

  /// From now on nothing meets the lid any more.
  void takeAway(std::size_t lid) { isGone_[lid] = 1; }
  /// Puts another lid in the place of one that was taken away.
  void put(const std::vector<Triangle>& lid) {
    for (const Triangle& t : lid)
      later_.push_back(cornersOf(mesh_, verticesOf(t)));
  }

  /// Whether a triangle of the hole meets the surface, a lid before or a lid that was put.
  [[nodiscard]] bool isMet(const Triangle& t, std::size_t hole) const {
    const Corners corners = cornersOf(mesh_, verticesOf(t));
    if (isLower(corners, height_)) return false;
    bool meets = false;
    inBox(bvh_, corners, [&](std::uint32_t other) {
      const std::size_t lid = lidOf_[other];
      const bool isLid = lid + 1 != isGone_.size();
      if (meets || isGone_[lid] != 0 || (isLid && lid >= hole)) return;
      meets = !areApart(corners, cornersOf(mesh_, mesh_.triangles[other]));
    });
    return meets || std::any_of(later_.begin(), later_.end(),
                                [&](const Corners& other) { return !areApart(corners, other); });
  }

  /// Whether two triangles of the lid meet, or one meets what isMet() asks for.
  [[nodiscard]] bool cuts(const std::vector<Triangle>& lid, std::size_t hole) const {
    for (std::size_t i = 0; i < lid.size(); ++i) {
      if (isMet(lid[i], hole)) return true;
      const Triangle own = verticesOf(lid[i]);
      const Corners corners = cornersOf(mesh_, own);
      if (isLower(corners, height_)) continue;
      bool meets = false;
      const auto ask = [&](const Triangle& other) {
        meets = meets || (other != own && !areApart(corners, cornersOf(mesh_, other)));
      };
      if (isGone_[hole] == 0) {
        inBox(bvh_, corners, [&](std::uint32_t other) {
          if (lidOf_[other] == hole) ask(mesh_.triangles[other]);
        });
      } else {  // a second one, of few triangles, which are not in the hierarchy
        for (std::size_t k = 0; k < i; ++k)
          ask(verticesOf(lid[k]));
      }
      if (meets) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] Triangle verticesOf(const Triangle& t) const {
    const auto& vertex = topology_.merged.firstVertex;
    return {vertex[t[0]], vertex[t[1]], vertex[t[2]]};
  }
  /// Slivers may meet whatever they meet: they go in the next round. `a` is none.
  [[nodiscard]] bool areApart(const Corners& a, const Corners& b) const {
    return isLower(b, height_) || !meetBeyondSharedSide(a, b);
  }

  const Topology& topology_;
  double height_ = 0.0;
  Mesh mesh_;
  std::vector<std::size_t> lidOf_;    ///< of each triangle; as many as there are holes: none
  std::vector<std::uint8_t> isGone_;  ///< by lid, and a last one for the surface, which stays
  TriangleBvh bvh_;
  std::vector<Corners> later_;
};

/// Takes away the lids that meet the surface, themselves or a lid that stays. Small ones are made
/// again, of triangles that meet nothing, if there are such.
void dropCuttingLids(const Mesh& mesh, const Topology& topology, const HoleLimits& limits,
                     LidMaker& maker, std::vector<Hole>& holes, FilledHoles& counts) {
  if (std::all_of(holes.begin(), holes.end(), [](const Hole& h) { return h.lid.empty(); })) return;
  Covered covered(mesh, topology, limits.height, holes);
  std::size_t secondTries = 0;
  for (std::size_t h = 0; h < holes.size(); ++h) {
    Hole& hole = holes[h];
    if (hole.lid.empty() || !covered.cuts(hole.lid, h)) continue;
    if (limits.keepsFolded && hole.edges <= kFoldedEdges) {
      ++counts.folded;
      continue;
    }
    covered.takeAway(h);
    maker.forget(hole.lid);
    hole.lid.clear();
    if (!hole.rim.positions.empty() && secondTries++ < kMostSecondTries) {
      hole.lid = maker.close(hole.rim, [&](const Triangle& t) { return covered.isMet(t, h); });
      if (covered.cuts(hole.lid, h)) {
        maker.forget(hole.lid);
        hole.lid.clear();
      }
    }
    covered.put(hole.lid);
    if (hole.lid.empty()) counts.cutting.push_back(hole.edges);
  }
}

}  // namespace

FilledHoles fillHoles(Mesh& mesh, const HoleLimits& limits) {
  FilledHoles counts;
  const Topology topology = topologyOf(mesh);
  const std::vector<BoundaryLoop> loops = boundaryLoops(topology);
  if (loops.empty()) return counts;
  const Parts shells = partsOf(topology, Joint::TwoUsesOnly);

  LidMaker maker(mesh, topology);
  std::vector<Hole> holes;
  std::vector<std::uint8_t> staysOpen(shells.count, 0);
  const std::vector<std::uint8_t> isArbitrary = arbitraryLoops(topology, shells, loops);
  const std::vector<double> diagonals = diagonalsOf(mesh, topology);
  for (std::size_t l = 0; l < loops.size(); ++l) {
    const BoundaryLoop& loop = loops[l];
    const std::size_t edges = loop.positions.size() - (loop.isClosed ? 0 : 1);
    const std::uint32_t triangle = triangleAt(topology, loop);
    Hole hole;
    hole.edges = edges;
    hole.shell = shells.ofTriangle[triangle];
    if (isArbitrary[l] != 0) {
      counts.crossing.push_back(edges);
      staysOpen[hole.shell] = 1;
      continue;
    }
    const bool hasTooMany = edges > limits.edges;
    if (hasTooMany || !isNarrow(mesh, topology, loop, limits.width * diagonals[triangle])) {
      (hasTooMany ? counts.tooLarge : counts.tooWide).push_back(edges);
      staysOpen[hole.shell] = 1;
      continue;
    }
    const HoleRim rim = rimOf(mesh, topology, loop);
    if (!rim.positions.empty()) hole.lid = maker.close(rim);
    if (hole.lid.empty()) {
      counts.tangled.push_back(edges);
      staysOpen[hole.shell] = 1;
      continue;
    }
    hole.perimeter = perimeterOf(mesh, topology, loop);
    if (edges <= kFewEdges) hole.rim = rim;
    holes.push_back(std::move(hole));
  }
  openFlatShells(mesh, topology, shells, staysOpen, holes, counts);
  dropCuttingLids(mesh, topology, limits, maker, holes, counts);

  for (const Hole& hole : holes) {
    if (hole.lid.empty()) continue;
    counts.filled.push_back(hole.edges);
    counts.widest = std::max(counts.widest, widthOf(mesh, topology, hole.lid));
    for (const Triangle& t : hole.lid) {
      const auto& vertex = topology.merged.firstVertex;
      mesh.triangles.push_back({vertex[t[0]], vertex[t[1]], vertex[t[2]]});
    }
  }
  for (auto* sizes : {&counts.filled, &counts.tooLarge, &counts.tooWide, &counts.cutting,
                      &counts.flat, &counts.crossing, &counts.tangled}) {
    std::sort(sizes->begin(), sizes->end());
  }
  return counts;
}

}  // namespace tactus::models
