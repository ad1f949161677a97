#include "models/report/self_intersection.hpp"

#include <algorithm>

#include "models/mesh/parallel_for.hpp"
#include "models/report/exact_predicates.hpp"
#include "models/report/pair_forest.hpp"

namespace tactus::models {
namespace {

// Work is counted in units of roughly 10 ns on one core (measured on an EPYC of 2023): opening a
// pair of nodes; a pair of triangles that the first signs tell apart, that lies in one plane, and
// that needs all tests.
constexpr std::uint32_t kNodePairWork = 1;
constexpr std::uint32_t kQuickPairWork = 4;
constexpr std::uint32_t kFlatPairWork = 10;
constexpr std::uint32_t kFullPairWork = 25;

// Work is handed out in waves of so many pieces, each with a quota of some 3 ms after which the
// rest of it goes back into the queue. Neither depends on the number of threads, so the place where
// the budget ends does not either.
constexpr std::size_t kPiecesPerWave = 64;
constexpr std::uint64_t kQuota = 300'000;

/// A triangle ready for testing: corners in double, and which corners are the same position.
struct Corners {
  std::array<Eigen::Vector3d, 3> at;
  Triangle position;
};

using Signs = std::array<int, 3>;

/// Sides of the triangle's plane on which the points lie; all 0 if the triangle has no area. The
/// corner `shared` is one of the plane's and on neither side (3: there is none).
Signs sidesOf(const Corners& plane, const Corners& points, std::size_t shared) {
  Signs signs{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (i != shared) signs[i] = orient3d(plane.at[0], plane.at[1], plane.at[2], points.at[i]);
  }
  return signs;
}

/// All corners but the shared one strictly on the same side.
bool allOnOneSide(const Signs& signs, std::size_t shared) {
  const int side = signs[shared == 0 ? 1 : 0];
  if (side == 0) return false;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i != shared && signs[i] != side) return false;
  }
  return true;
}

int projectionAxisOf(const Corners& t) {
  return projectionAxis(t.at[0], t.at[1], t.at[2]);
}

/// Whether x, known to be on the line through a and b, is between them or one of them.
bool isBetween(const Eigen::Vector2d& x, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return (x.array() >= a.cwiseMin(b).array()).all() && (x.array() <= a.cwiseMax(b).array()).all();
}

/// Closed segments in the plane; either may be a point. They meet if each one's ends are on
/// different sides of the other, or an end of one is on the other.
bool segmentsMeet(const Eigen::Vector2d& p, const Eigen::Vector2d& q, const Eigen::Vector2d& a,
                  const Eigen::Vector2d& b) {
  const int sideA = orient2d(p, q, a);
  const int sideB = orient2d(p, q, b);
  if (sideA * sideB > 0) return false;
  const int sideP = orient2d(a, b, p);
  const int sideQ = orient2d(a, b, q);
  if (sideA * sideB < 0 && sideP * sideQ < 0) return true;
  return (sideA == 0 && isBetween(a, p, q)) || (sideB == 0 && isBetween(b, p, q)) ||
         (sideP == 0 && isBetween(p, a, b)) || (sideQ == 0 && isBetween(q, a, b));
}

/// Closed segments in space; either may be a point.
bool segmentsMeet(const Eigen::Vector3d& p, const Eigen::Vector3d& q, const Eigen::Vector3d& a,
                  const Eigen::Vector3d& b) {
  if (orient3d(p, q, a, b) != 0) return false;
  // all in a plane: any three of them that are not in a line give a projection that keeps it apart
  int axis = projectionAxis(p, q, a);
  if (axis < 0) axis = projectionAxis(p, q, b);
  if (axis < 0) axis = projectionAxis(a, b, p);
  if (axis < 0) axis = projectionAxis(a, b, q);
  if (axis >= 0) {
    return segmentsMeet(dropAxis(p, axis), dropAxis(q, axis), dropAxis(a, axis), dropAxis(b, axis));
  }
  // all on a line: two intervals of it meet exactly when their boxes do
  return (p.cwiseMin(q).array() <= a.cwiseMax(b).array()).all() &&
         (a.cwiseMin(b).array() <= p.cwiseMax(q).array()).all();
}

/// Closed segment and closed triangle, given the sides of the triangle's plane on which p and q
/// are.
bool segmentMeets(const Eigen::Vector3d& p, const Eigen::Vector3d& q, int sideP, int sideQ,
                  const Corners& t) {
  if (sideP * sideQ > 0) return false;
  const auto& [a, b, c] = t.at;
  if (sideP != 0 || sideQ != 0) {
    // the line pq crosses the plane in one point, which is on the segment; it is in the triangle if
    // the line passes all three sides on the same hand
    const int ab = orient3d(p, q, a, b);
    const int bc = orient3d(p, q, b, c);
    if (ab * bc < 0) return false;
    const int ca = orient3d(p, q, c, a);
    return ab * ca >= 0 && bc * ca >= 0;
  }
  const int axis = projectionAxisOf(t);
  if (axis < 0) {
    return segmentsMeet(p, q, a, b) || segmentsMeet(p, q, b, c) || segmentsMeet(p, q, c, a);
  }
  const Eigen::Vector2d p2 = dropAxis(p, axis);
  const Eigen::Vector2d q2 = dropAxis(q, axis);
  const std::array<Eigen::Vector2d, 3> t2{dropAxis(a, axis), dropAxis(b, axis), dropAxis(c, axis)};
  bool left = true;
  bool right = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const int side = orient2d(t2[i], t2[(i + 1) % 3], p2);
    left = left && side >= 0;
    right = right && side <= 0;
  }
  if (left || right) return true;  // p is inside
  return segmentsMeet(p2, q2, t2[0], t2[1]) || segmentsMeet(p2, q2, t2[1], t2[2]) ||
         segmentsMeet(p2, q2, t2[2], t2[0]);
}

/// No corner shared. The common part, if any, is a convex polygon, segment or point; each of its
/// corners is on an edge of one triangle and in the other. So it is enough to test edges.
bool meetAtAll(const Corners& a, const Corners& b, const Signs& bOverA, const Signs& aOverB) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    if (segmentMeets(b.at[i], b.at[j], bOverA[i], bOverA[j], a)) return true;
    if (segmentMeets(a.at[i], a.at[j], aOverB[i], aOverB[j], b)) return true;
  }
  return false;
}

/// The triangle's corner that has this position; 3 if none.
std::size_t cornerIn(const Corners& t, std::uint32_t position) {
  return static_cast<std::size_t>(std::find(t.position.begin(), t.position.end(), position) -
                                  t.position.begin());
}

/// Whether the segments from v to p and from v to q, both not points, overlap beyond v.
bool raysCoincide(const Eigen::Vector3d& v, const Eigen::Vector3d& p, const Eigen::Vector3d& q) {
  if (projectionAxis(v, p, q) >= 0) return false;
  for (int axis = 0; axis < 3; ++axis) {
    if (p[axis] != v[axis]) return (p[axis] > v[axis]) == (q[axis] > v[axis]);
  }
  return false;
}

/// Whether the segment from v to p meets the triangle v, c, d beyond v. `axis` shows its area.
bool rayEntersWedge(const Eigen::Vector3d& v, const Eigen::Vector3d& p, const Eigen::Vector3d& c,
                    const Eigen::Vector3d& d, int axis) {
  if (orient3d(v, c, d, p) != 0) return false;
  const Eigen::Vector2d v2 = dropAxis(v, axis);
  const Eigen::Vector2d p2 = dropAxis(p, axis);
  const Eigen::Vector2d c2 = dropAxis(c, axis);
  const Eigen::Vector2d d2 = dropAxis(d, axis);
  const int turn = orient2d(v2, c2, d2);
  return orient2d(v2, c2, p2) * turn >= 0 && orient2d(v2, p2, d2) * turn >= 0;
}

/// One corner shared (which is other's `corner`), and `thin` has no area: it is the union of the
/// segments from the shared corner to its other corners. A corner equal to it adds nothing.
bool thinMeetsBeyondCorner(const Corners& thin, const Corners& other, std::size_t corner) {
  const int axis = projectionAxisOf(other);
  const std::uint32_t shared = other.position[corner];
  const Eigen::Vector3d& v = other.at[corner];
  for (std::size_t i = 0; i < 3; ++i) {
    if (thin.position[i] == shared) continue;
    if (axis >= 0) {
      if (rayEntersWedge(v, thin.at[i], other.at[(corner + 1) % 3], other.at[(corner + 2) % 3],
                         axis)) {
        return true;
      }
      continue;
    }
    for (std::size_t j = 0; j < 3; ++j) {
      if (other.position[j] != shared && raysCoincide(v, thin.at[i], other.at[j])) return true;
    }
  }
  return false;
}

/// One corner v shared, `inA` and `inB`. If both have area: from a common point x beyond v, follow
/// the ray v x until it leaves the first of the two triangles. It leaves through the edge opposite
/// to v, in a point that is in the other triangle too. So it is enough to test these two edges.
bool meetBeyondCorner(const Corners& a, const Corners& b, std::size_t inA, std::size_t inB,
                      const Signs& bOverA, const Signs& aOverB) {
  const std::size_t a1 = (inA + 1) % 3;
  const std::size_t a2 = (inA + 2) % 3;
  const std::size_t b1 = (inB + 1) % 3;
  const std::size_t b2 = (inB + 2) % 3;
  const bool bMayBeThin = aOverB[a1] == 0 && aOverB[a2] == 0;
  if (bMayBeThin && projectionAxisOf(b) < 0) return thinMeetsBeyondCorner(b, a, inA);
  return segmentMeets(b.at[b1], b.at[b2], bOverA[b1], bOverA[b2], a) ||
         segmentMeets(a.at[a1], a.at[a2], aOverB[a1], aOverB[a2], b);
}

/// A triangle with area in its own plane, turning counter-clockwise from the corner `first`.
struct Flat {
  std::array<Eigen::Vector2d, 3> at;

  Flat(const Corners& t, std::size_t first, int axis)
      : at{dropAxis(t.at[first], axis), dropAxis(t.at[(first + 1) % 3], axis),
           dropAxis(t.at[(first + 2) % 3], axis)} {
    if (orient2d(at[0], at[1], at[2]) < 0) std::swap(at[1], at[2]);
  }
};

/// In one plane, the first corner v shared. The common part is a cone around v, so the triangles
/// overlap beyond v exactly if an edge from v of one runs into (or along) the other.
bool wedgesMeet(const Flat& s, const Flat& t) {
  const Eigen::Vector2d& v = s.at[0];
  const int ac = orient2d(v, s.at[1], t.at[1]);
  const int ad = orient2d(v, s.at[1], t.at[2]);
  const int bc = orient2d(v, s.at[2], t.at[1]);
  const int bd = orient2d(v, s.at[2], t.at[2]);
  return (ac >= 0 && bc <= 0) || (ad >= 0 && bd <= 0) ||  // c or d between a and b
         (ac <= 0 && ad >= 0) || (bc <= 0 && bd >= 0);    // a or b between c and d
}

/// Whether all of t is beyond one of the edges of s.
bool isSeparatedByEdgeOf(const Flat& s, const Flat& t) {
  for (std::size_t i = 0; i < 3; ++i) {
    const Eigen::Vector2d& p = s.at[i];
    const Eigen::Vector2d& q = s.at[(i + 1) % 3];
    if (orient2d(p, q, t.at[0]) < 0 && orient2d(p, q, t.at[1]) < 0 && orient2d(p, q, t.at[2]) < 0) {
      return true;
    }
  }
  return false;
}

/// b lies in the plane of a, which has area as seen along `axis`; no corner is shared, or one is.
bool meetInPlane(const Corners& a, const Corners& b, std::size_t inA, std::size_t inB, int axis) {
  const bool sharesCorner = inA < 3;
  if (projectionAxisOf(b) < 0) {
    return sharesCorner ? thinMeetsBeyondCorner(b, a, inA) : meetAtAll(a, b, {}, {});
  }
  const Flat s(a, sharesCorner ? inA : 0, axis);
  const Flat t(b, sharesCorner ? inB : 0, axis);
  if (sharesCorner) return wedgesMeet(s, t);
  // convex polygons that are apart are separated by the line of an edge of one of them
  return !isSeparatedByEdgeOf(s, t) && !isSeparatedByEdgeOf(t, s);
}

/// Corner of t that is none of the two; 3 if there is none (t is the edge itself).
std::size_t thirdCorner(const Corners& t, std::uint32_t u, std::uint32_t v) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (t.position[i] != u && t.position[i] != v) return i;
  }
  return 3;
}

/// Whether u is strictly between v and x, all three known to be in a line and u != v.
bool isBeyond(const Eigen::Vector3d& v, const Eigen::Vector3d& u, const Eigen::Vector3d& x) {
  for (int axis = 0; axis < 3; ++axis) {
    if (u[axis] > v[axis]) return x[axis] > u[axis];
    if (u[axis] < v[axis]) return x[axis] < u[axis];
  }
  return false;
}

/// The edge from a's corner u to its corner v shared. Planes that differ have only the edge's line
/// in common, and both triangles meet that line in the edge alone. In one plane they overlap if
/// their third corners are on the same side of the edge.
bool meetBeyondEdge(const Corners& a, const Corners& b, std::size_t u, std::size_t v) {
  const std::size_t i = thirdCorner(a, a.position[u], a.position[v]);
  const std::size_t j = thirdCorner(b, a.position[u], a.position[v]);
  if (i == 3 || j == 3) return false;
  if (orient3d(a.at[u], a.at[v], a.at[i], b.at[j]) != 0) return false;
  const int axis = projectionAxisOf(a);
  const bool bIsThin = projectionAxisOf(b) < 0;
  if (axis < 0 && bIsThin) {  // two segments of one line that contain the edge
    return (isBeyond(a.at[v], a.at[u], a.at[i]) && isBeyond(a.at[v], a.at[u], b.at[j])) ||
           (isBeyond(a.at[u], a.at[v], a.at[i]) && isBeyond(a.at[u], a.at[v], b.at[j]));
  }
  if (axis < 0 || bIsThin) return false;  // what a segment adds to the edge is outside the triangle
  const Eigen::Vector2d u2 = dropAxis(a.at[u], axis);
  const Eigen::Vector2d v2 = dropAxis(a.at[v], axis);
  return orient2d(u2, v2, dropAxis(a.at[i], axis)) == orient2d(u2, v2, dropAxis(b.at[j], axis));
}

struct Verdict {
  bool meets = false;
  std::uint32_t work = 0;
};

Verdict judge(const Corners& a, const Corners& b) {
  // distinct corners of a that are corners of b
  std::array<std::size_t, 3> shared{};
  std::size_t sharedCount = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool isRepeated =
        (i > 0 && a.position[i] == a.position[0]) || (i > 1 && a.position[i] == a.position[1]);
    if (!isRepeated && cornerIn(b, a.position[i]) < 3) shared[sharedCount++] = i;
  }
  if (sharedCount == 3) return {projectionAxisOf(a) >= 0, kQuickPairWork};
  if (sharedCount == 2) {
    return {meetBeyondEdge(a, b, shared[0], shared[1]), kQuickPairWork};
  }
  // Corners all on one side of the other's plane: no point in common. A shared corner is in the
  // plane itself; with the other two on one side it is the only common point.
  const std::size_t inA = sharedCount == 1 ? shared[0] : 3;
  const std::size_t inB = sharedCount == 1 ? cornerIn(b, a.position[inA]) : 3;
  const Signs bOverA = sidesOf(a, b, inB);
  if (allOnOneSide(bOverA, inB)) return {false, kQuickPairWork};
  if (bOverA == Signs{}) {
    const int axis = projectionAxisOf(a);
    if (axis >= 0) return {meetInPlane(a, b, inA, inB, axis), kFlatPairWork};
    if (sharedCount == 1) return {thinMeetsBeyondCorner(a, b, inB), kFullPairWork};
  }
  const Signs aOverB = sidesOf(b, a, inA);
  if (allOnOneSide(aOverB, inA)) return {false, kQuickPairWork};
  const bool meets = sharedCount == 1 ? meetBeyondCorner(a, b, inA, inB, bOverA, aOverB)
                                      : meetAtAll(a, b, bOverA, aOverB);
  return {meets, kFullPairWork};
}

/// A triangle as it lies in a leaf, so that a leaf is read in one go.
struct Packed {
  std::array<Eigen::Vector3f, 3> at;
  Triangle position;

  [[nodiscard]] Corners corners() const {
    return {{at[0].cast<double>(), at[1].cast<double>(), at[2].cast<double>()}, position};
  }
};

/// A triangle's box, so that leaves are compared box by box before any triangle.
struct Box {
  Eigen::Vector3f lower, upper;

  explicit Box(const Packed& t)
      : lower(t.at[0].cwiseMin(t.at[1]).cwiseMin(t.at[2])),
        upper(t.at[0].cwiseMax(t.at[1]).cwiseMax(t.at[2])) {}
  Box() = default;

  [[nodiscard]] bool overlaps(const Box& other) const {
    return lower.x() <= other.upper.x() && other.lower.x() <= upper.x() &&
           lower.y() <= other.upper.y() && other.lower.y() <= upper.y() &&
           lower.z() <= other.upper.z() && other.lower.z() <= upper.z();
  }
};

/// What one piece of work found, and what it left undone.
struct Piece {
  std::size_t pairs = 0;
  std::vector<TrianglePair> first;
  std::vector<std::uint32_t> meetingShells;  ///< each once
  std::vector<NodePair> open;
  std::uint64_t work = 0;
};

void keepSmallest(std::vector<TrianglePair>& pairs, TrianglePair pair, std::size_t most) {
  if (most == 0 || (pairs.size() == most && pairs.back() < pair)) return;
  pairs.insert(std::upper_bound(pairs.begin(), pairs.end(), pair), pair);
  if (pairs.size() > most) pairs.pop_back();
}

void sortOnce(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

class Search {
 public:
  Search(const Mesh& mesh, const Topology& topology, const TriangleBvh& trees,
         std::span<const std::uint32_t> shellOfTriangle, std::size_t firstPairs)
      : mesh_(mesh),
        topology_(topology),
        trees_(trees),
        shellOfTriangle_(shellOfTriangle),
        firstPairs_(firstPairs) {}

  /// Works on piece.open until it is empty or the quota is used up.
  void work(Piece& piece) const {
    while (!piece.open.empty() && piece.work < kQuota) {
      const NodePair next = piece.open.back();
      piece.open.pop_back();
      piece.work += kNodePairWork;
      const BvhNode& a = trees_.nodes[next.a];
      const BvhNode& b = trees_.nodes[next.b];
      if (a.isLeaf() && b.isLeaf()) {
        testLeaves(a, b, next.a == next.b, piece);
      } else if (next.a == next.b) {
        piece.open.push_back({a.first, a.first});
        piece.open.push_back({a.first + 1, a.first + 1});
        openIfNear(a.first, a.first + 1, piece);
      } else if (b.isLeaf() || (!a.isLeaf() && isLarger(a, b))) {
        openIfNear(a.first, next.b, piece);
        openIfNear(a.first + 1, next.b, piece);
      } else {
        openIfNear(next.a, b.first, piece);
        openIfNear(next.a, b.first + 1, piece);
      }
    }
    sortOnce(piece.meetingShells);  // each shell may be there for each of its pairs
  }

 private:
  /// Gathered anew each time: in a row they would be three times the mesh.
  [[nodiscard]] Packed packed(std::uint32_t place) const {
    const std::uint32_t t = trees_.order[place];
    const Triangle& v = mesh_.triangles[t];
    return {{mesh_.positions[v[0]], mesh_.positions[v[1]], mesh_.positions[v[2]]},
            topology_.triangles[t]};
  }
  static bool isLarger(const BvhNode& a, const BvhNode& b) {
    return (a.upper - a.lower).squaredNorm() >= (b.upper - b.lower).squaredNorm();
  }
  void openIfNear(std::uint32_t a, std::uint32_t b, Piece& piece) const {
    if (trees_.nodes[a].overlaps(trees_.nodes[b])) piece.open.push_back({a, b});
  }
  void testLeaves(const BvhNode& a, const BvhNode& b, bool isSame, Piece& piece) const {
    std::array<Box, TriangleBvh::kLeafTriangles> boxes;
    for (std::uint32_t j = 0; j < b.count; ++j)
      boxes[j] = Box(packed(b.first + j));
    for (std::uint32_t i = 0; i < a.count; ++i) {
      const Packed s = packed(a.first + i);
      const Box box = isSame ? boxes[i] : Box(s);
      for (std::uint32_t j = isSame ? i + 1 : 0; j < b.count; ++j) {
        if (!box.overlaps(boxes[j])) continue;
        const Verdict verdict = judge(s.corners(), packed(b.first + j).corners());
        piece.work += verdict.work;
        if (verdict.meets) note(trees_.order[a.first + i], trees_.order[b.first + j], piece);
      }
    }
  }
  void note(std::uint32_t s, std::uint32_t t, Piece& piece) const {
    ++piece.pairs;
    keepSmallest(piece.first, std::minmax(s, t), firstPairs_);
    if (shellOfTriangle_.empty()) return;
    const std::uint32_t shellS = shellOfTriangle_[s];
    const std::uint32_t shellT = shellOfTriangle_[t];
    if (shellS == shellT || shellS == kNone || shellT == kNone) return;
    piece.meetingShells.insert(piece.meetingShells.end(), {shellS, shellT});
  }

  const Mesh& mesh_;
  const Topology& topology_;
  const TriangleBvh& trees_;
  std::span<const std::uint32_t> shellOfTriangle_;
  std::size_t firstPairs_;
};

}  // namespace

bool meetBeyondSharedSide(const std::array<Eigen::Vector3f, 3>& a,
                          const std::array<Eigen::Vector3f, 3>& b) {
  // corners are named by the first of the six that is equal
  const std::array<Eigen::Vector3f, 6> all{a[0], a[1], a[2], b[0], b[1], b[2]};
  std::array<std::uint32_t, 6> name{};
  for (std::size_t i = 0; i < 6; ++i) {
    name[i] = static_cast<std::uint32_t>(std::find(all.begin(), all.end(), all[i]) - all.begin());
  }
  const Packed packedA{a, {name[0], name[1], name[2]}};
  const Packed packedB{b, {name[3], name[4], name[5]}};
  return Box(packedA).overlaps(Box(packedB)) && judge(packedA.corners(), packedB.corners()).meets;
}

SelfIntersections selfIntersections(const Mesh& mesh, const Topology& topology,
                                    const TriangleBvh& bvh,
                                    std::span<const std::uint32_t> shellOfTriangle,
                                    const SelfIntersectionSettings& settings, unsigned threads) {
  SelfIntersections result;
  if (bvh.nodes.empty()) return result;
  std::vector<std::uint8_t> isDuplicate(mesh.triangles.size(), 0);
  for (const Duplicate& duplicate : duplicatesIn(topology)) {
    isDuplicate[duplicate.triangle] = 1;
    if (shellOfTriangle.empty()) continue;
    const std::uint32_t shell = shellOfTriangle[duplicate.triangle];
    const std::uint32_t firstShell = shellOfTriangle[duplicate.first];
    if (shell == firstShell || shell == kNone || firstShell == kNone) continue;
    result.meetingShells.insert(result.meetingShells.end(), {shell, firstShell});
  }
  sortOnce(result.meetingShells);
  const PairForest forest = pairForest(mesh, topology, isDuplicate, threads);
  const TriangleBvh& trees = forest.trees.nodes.empty() ? bvh : forest.trees;
  const Search search(mesh, topology, trees, shellOfTriangle, settings.firstPairs);
  const std::uint64_t budget = settings.budget + settings.budgetPerTriangle * mesh.triangles.size();
  std::vector<NodePair> queue = forest.starts;
  while (!queue.empty()) {
    if (result.work >= budget) {
      result.isComplete = false;
      break;
    }
    // the last in the queue are the smallest: taking them first keeps the queue short
    std::vector<Piece> wave(std::min(kPiecesPerWave, queue.size()));
    for (Piece& piece : wave) {
      piece.open.push_back(queue.back());
      queue.pop_back();
    }
    parallelFor(wave.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t p = begin; p < end; ++p)
        search.work(wave[p]);
    });
    for (Piece& piece : wave) {
      result.work += piece.work;
      result.pairs += piece.pairs;
      queue.insert(queue.end(), piece.open.begin(), piece.open.end());
      for (const TrianglePair& pair : piece.first)
        keepSmallest(result.first, pair, settings.firstPairs);
      result.meetingShells.insert(result.meetingShells.end(), piece.meetingShells.begin(),
                                  piece.meetingShells.end());
    }
    sortOnce(result.meetingShells);
  }
  return result;
}

}  // namespace tactus::models
