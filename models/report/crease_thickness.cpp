#include "models/report/crease_thickness.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "models/mesh/parallel_for.hpp"

namespace tactus::models {
namespace {

// 15 degrees: how far the line across the material may lean from the directions that the crease
// looks in. A groove that deepens towards the end of its plate has no local minimum of distance and
// is thinnest there.
constexpr double kLeanSine = 0.25881904510252074;
constexpr double kLeanCosine = 0.96592582628906831;

// 1 degree: how far it may be from the normals at its far end. That is the nearest point of its
// surroundings, so only rounding is to be forgiven. With 15 degrees here as well, chords of a round
// neck would pass for its diameter (3 % less). A convex edge is no such point, except at the end of
// a plate whose groove deepens; there the line may lean.
constexpr double kArrivalSine = 0.017452406437283512;

// A crease is sharp from 20 degrees between its faces' normals: their centres then look elsewhere
// than the crease does. A tip is sharp if its edges all rise by more than 6 degrees.
constexpr double kSharpCosine = 0.93969262078590843;
constexpr double kSharpRise = 0.1;

// A gentle crease counts if it stands out by this part of the thickness known so far.
constexpr double kLeastRelief = 0.05;

// Triangles that the creases of a block may be tested against, as an average a crease. Ordinary
// ones meet some ten; the rest of a block that needs more (a crumpled ball of a million triangles)
// is left out, as in leastThickness.
constexpr std::size_t kTestsPerCrease = 2000;
constexpr std::size_t kCreasesPerBlock = 256;

// Elements a block while creases are looked for: some 100 us of work.
constexpr std::size_t kElementsPerBlock = 4096;

// Two segments are parallel up to 1e-5 radians. They then have the middles of their common stretch
// as nearest points, which are more likely to be true ends than the corners are.
constexpr double kParallelSine2 = 1e-10;

// Of the line's length: walls that close to its far end are the far end.
constexpr double kFarEnd = 1e-6;

// Sweeps of the projection onto a cone; 2 normals need some 10 unless they are nearly opposite.
constexpr int kConeSweeps = 64;

/// An edge (two positions) or a tip (twice the same one).
struct Crease {
  std::uint32_t low = 0, high = 0;
  std::uint32_t edge = kNone;  ///< kNone: a tip

  [[nodiscard]] bool isTip() const noexcept { return edge == kNone; }
};

/// Sine of the angle between a unit direction and the cone that some unit normals span; 1 if it is
/// 90 degrees or more. Projection by coordinate descent (Hildreth, "A Quadratic Programming
/// Procedure", 1957), ended as soon as the sine is `enough`.
double sineToCone(const Eigen::Vector3d& direction, std::span<const Eigen::Vector3d> normals,
                  double enough, std::vector<double>& shares) {
  shares.assign(normals.size(), 0.0);
  Eigen::Vector3d rest = direction;
  for (int sweep = 0; sweep < kConeSweeps; ++sweep) {
    double moved = 0.0;
    for (std::size_t i = 0; i < normals.size(); ++i) {
      const double share = std::max(0.0, shares[i] + normals[i].dot(rest));
      const double change = share - shares[i];
      rest -= change * normals[i];
      shares[i] = share;
      moved = std::max(moved, std::fabs(change));
    }
    if (moved < 1e-9 || rest.norm() <= enough) break;
  }
  return rest.norm();
}

/// Parameters in [0, 1] of the nearest points of two segments of positive length (Ericson,
/// "Real-Time Collision Detection", 2005, section 5.1.9; parallel ones: see kParallelSine2).
std::pair<double, double> nearestOfSegments(const Eigen::Vector3d& p, const Eigen::Vector3d& d1,
                                            const Eigen::Vector3d& q, const Eigen::Vector3d& d2) {
  const Eigen::Vector3d r = p - q;
  const double a = d1.squaredNorm();
  const double e = d2.squaredNorm();
  const double b = d1.dot(d2);
  const double c = d1.dot(r);
  const double f = d2.dot(r);
  const double denominator = a * e - b * b;
  double s = 0.0;
  if (denominator > kParallelSine2 * a * e) {
    s = std::clamp((b * f - c * e) / denominator, 0.0, 1.0);
  } else {
    const double start = -c / a;  // of the other segment's ends, along the first one
    const double end = (b - c) / a;
    const double low = std::clamp(std::min(start, end), 0.0, 1.0);
    const double high = std::clamp(std::max(start, end), 0.0, 1.0);
    s = 0.5 * (low + high);
  }
  double t = (b * s + f) / e;
  if (t < 0.0 || t > 1.0) {
    t = std::clamp(t, 0.0, 1.0);
    s = std::clamp((b * t - c) / a, 0.0, 1.0);
  }
  return {s, t};
}

/// Triangles at each distinct position, ascending.
class Fans {
 public:
  explicit Fans(const Topology& topology) : start_(topology.merged.count() + 1, 0) {
    for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
      if (topology.isCollapsed(t)) continue;
      for (const std::uint32_t p : topology.triangles[t])
        ++start_[p + 1];
    }
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    triangles_.resize(start_.back());
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
      if (topology.isCollapsed(t)) continue;
      for (const std::uint32_t p : topology.triangles[t])
        triangles_[next[p]++] = static_cast<std::uint32_t>(t);
    }
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t position) const {
    return std::span(triangles_).subspan(start_[position], start_[position + 1] - start_[position]);
  }

 private:
  std::vector<std::uint32_t> start_;
  std::vector<std::uint32_t> triangles_;
};

/// The two triangles of a paired edge.
std::array<std::uint32_t, 2> sidesOf(const Topology& topology, const Edge& edge) {
  return {topology.uses[edge.firstUse] / 3, topology.uses[edge.firstUse + 1] / 3};
}

/// How the surface bends at a paired edge.
struct Bend {
  Eigen::Vector3d along;    ///< from the low end to the high one
  double areas = 0.0;       ///< product of the lengths of the two normals
  double largerArea = 0.0;  ///< length of the larger one
  double cosine = 0.0;      ///< of the angle between the normals, times `areas`
  double sine = 0.0;        ///< times `areas` and the edge's length; below zero: a convex edge
};

Bend bendAt(const Walls& walls, const Edge& edge) {
  const Topology& topology = walls.topology();
  std::uint32_t up = topology.uses[edge.firstUse];
  std::uint32_t down = topology.uses[edge.firstUse + 1];
  if (!topology.runsUp(up)) std::swap(up, down);
  if (walls.isTurned(up / 3)) std::swap(up, down);
  const Eigen::Vector3d n1 = walls.wall(up / 3).normal;
  const Eigen::Vector3d n2 = walls.wall(down / 3).normal;
  Bend bend;
  bend.along = walls.at(edge.high) - walls.at(edge.low);
  bend.areas = n1.norm() * n2.norm();
  bend.largerArea = std::max(n1.norm(), n2.norm());
  bend.cosine = n1.dot(n2);
  bend.sine = -n1.cross(n2).dot(bend.along);
  return bend;
}

bool isCrease(const Walls& walls, const Edge& edge, double bound) {
  if (!walls.topology().isPaired(edge)) return false;
  const Bend bend = bendAt(walls, edge);
  if (!(bend.sine > 0.0)) return false;
  if (bend.cosine < kSharpCosine * bend.areas) return true;
  const double length = bend.along.norm();
  const double altitude = bend.largerArea / length;
  return altitude * bend.sine / (bend.areas * length) >= kLeastRelief * bound;
}

/// Whether all edges at the position rise from it along `up`, and enough to matter.
bool allRise(const Walls& walls, std::uint32_t position, std::span<const std::uint32_t> fan,
             const Eigen::Vector3d& up, double bound) {
  const Eigen::Vector3d foot = walls.at(position);
  double leastRise = 1.0;
  double relief = 0.0;
  for (const std::uint32_t t : fan) {
    for (const std::uint32_t corner : walls.topology().triangles[t]) {
      if (corner == position) continue;
      const Eigen::Vector3d edge = walls.at(corner) - foot;
      const double height = edge.dot(up);
      leastRise = std::min(leastRise, height / edge.norm());
      relief = std::max(relief, height);
    }
    if (!(leastRise > 0.0)) return false;
  }
  return leastRise > kSharpRise || relief >= kLeastRelief * bound;
}

bool isTip(const Walls& walls, std::uint32_t position, std::span<const std::uint32_t> fan,
           double bound) {
  if (fan.empty()) return false;
  const Eigen::Vector3d foot = walls.at(position);
  Eigen::Vector3d outward = Eigen::Vector3d::Zero();  // of wide tips
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();     // of slender ones, whose normals say little
  for (const std::uint32_t t : fan) {
    Eigen::Vector3d opening[2];
    std::size_t count = 0;
    for (const std::uint32_t corner : walls.topology().triangles[t]) {
      if (corner != position) opening[count++] = (walls.at(corner) - foot).normalized();
    }
    // weight by the sine of the corner's angle: it needs no arc cosine, and cuts change it little
    outward += opening[0].cross(opening[1]).norm() * walls.normal(t);
    axis += opening[0] + opening[1];
  }
  const double length = outward.norm();
  if (length > 0.0 && allRise(walls, position, fan, outward / length, bound)) return true;
  const double axisLength = axis.norm();
  return axisLength > 0.0 && outward.dot(axis) > 0.0 &&
         allRise(walls, position, fan, axis / axisLength, bound);
}

/// Those of [0, count) that `isOne` picks, ascending.
template <typename IsOne>
std::vector<std::uint32_t> picked(std::size_t count, unsigned threads, const IsOne& isOne) {
  std::vector<std::vector<std::uint32_t>> blocks(count / kElementsPerBlock + 1);
  parallelFor(count, kElementsPerBlock, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (isOne(static_cast<std::uint32_t>(i))) {
        blocks[begin / kElementsPerBlock].push_back(static_cast<std::uint32_t>(i));
      }
    }
  });
  std::vector<std::uint32_t> all;
  for (const std::vector<std::uint32_t>& block : blocks)
    all.insert(all.end(), block.begin(), block.end());
  return all;
}

/// Looks across the material from one crease after the other; one object a block.
class Search {
 public:
  Search(const Walls& walls, const TriangleBvh& bvh, const Fans& fans, double bound)
      : walls_(walls), topology_(walls.topology()), bvh_(bvh), fans_(fans) {
    best_.length = bound;
  }

  [[nodiscard]] const CreaseThickness& best() const noexcept { return best_; }
  [[nodiscard]] std::size_t tests() const noexcept { return tests_; }

  void lookFrom(const Crease& crease) {
    crease_ = crease;
    a_ = walls_.at(crease.low);
    b_ = walls_.at(crease.high);
    inward_.clear();
    opening_.clear();
    if (crease.isTip()) {
      for (const std::uint32_t t : fans_.of(crease.low)) {
        for (const std::uint32_t corner : topology_.triangles[t]) {
          if (corner != crease.low) opening_.push_back((walls_.at(corner) - a_).normalized());
        }
      }
      aim_.setZero();
    } else {
      for (const std::uint32_t t : sidesOf(topology_, topology_.edges[crease.edge]))
        inward_.push_back(-walls_.normal(t));
      setAim();
    }
    visitNear();
  }

 private:
  struct Gap {
    double length = 0.0;  ///< lower bound of the distance
    bool isAhead = true;  ///< false: nothing there is within the directions looked in
  };

  /// The middle of the directions, and how far they spread, for pruning.
  void setAim() {
    const Eigen::Vector3d sum = inward_[0] + inward_[1];
    const double cosine = std::min(1.0, 0.5 * sum.norm());
    const double sine = std::sqrt(1.0 - cosine * cosine);
    aimCosine_ = cosine * kLeanCosine - sine * kLeanSine;
    if (cosine > 1e-6) {
      aim_ = sum.normalized();
    } else {
      aim_.setZero();
    }
    aimStart_ = std::min(a_.dot(aim_), b_.dot(aim_));
  }

  [[nodiscard]] Gap gapTo(const BvhNode& node) const {
    const Eigen::Vector3d lower = node.lower.cast<double>();
    const Eigen::Vector3d upper = node.upper.cast<double>();
    const Eigen::Vector3d gap =
        (lower - a_.cwiseMax(b_)).cwiseMax(a_.cwiseMin(b_) - upper).cwiseMax(0.0);
    Gap result;
    result.length = gap.norm();
    if (!aim_.isZero(0.0) && aimCosine_ > 0.0) {
      const double farthest = aim_.cwiseProduct(lower).cwiseMax(aim_.cwiseProduct(upper)).sum();
      // the slack is for rounding only; too little pruning does no harm
      result.isAhead = farthest - aimStart_ >= (aimCosine_ - 1e-9) * result.length;
    }
    return result;
  }

  void visitNear() {
    struct Waiting {
      std::uint32_t node;
      double gap;
    };
    std::array<Waiting, TriangleBvh::kMaxDepth + 1> stack;  // one sibling a level, and the root
    std::size_t waiting = 0;
    if (!bvh_.nodes.empty()) stack[waiting++] = {0, 0.0};
    while (waiting != 0) {
      const Waiting next = stack[--waiting];
      if (!(next.gap < best_.length)) continue;
      const BvhNode& node = bvh_.nodes[next.node];
      if (node.isLeaf()) {
        for (std::uint32_t i = 0; i < node.count; ++i)
          visit(bvh_.order[node.first + i]);
        continue;
      }
      std::uint32_t nearer = node.first;
      std::uint32_t further = node.first + 1;
      Gap nearGap = gapTo(bvh_.nodes[nearer]);
      Gap farGap = gapTo(bvh_.nodes[further]);
      if (farGap.length < nearGap.length) {
        std::swap(nearer, further);
        std::swap(nearGap, farGap);
      }
      if (farGap.isAhead && farGap.length < best_.length)
        stack[waiting++] = {further, farGap.length};
      if (nearGap.isAhead && nearGap.length < best_.length)
        stack[waiting++] = {nearer, nearGap.length};
    }
  }

  void visit(std::uint32_t t) {
    ++tests_;
    if (topology_.isCollapsed(t)) return;
    std::size_t shared = 0;
    std::uint32_t sharedCorner = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
      if (!isOwn(topology_.triangles[t][i])) continue;
      ++shared;
      sharedCorner = i;
    }
    if (shared > 1) return;
    if (shared == 1) {
      if (!crease_.isTip()) lookAtSide(3 * t + (sharedCorner + 1) % 3);
      return;
    }
    lookAtFace(t, a_);
    if (!crease_.isTip()) lookAtFace(t, b_);
    for (std::uint32_t i = 0; i < 3; ++i)
      lookAtSide(3 * t + i);
  }

  /// From a point of the crease to its foot inside the triangle, if it has one.
  void lookAtFace(std::uint32_t t, const Eigen::Vector3d& from) {
    const Walls::Wall wall = walls_.wall(t);
    const double squared = wall.normal.squaredNorm();
    if (!(squared > 0.0)) return;
    const double height = (wall.at[0] - from).dot(wall.normal);  // times the normal's length
    if (!(height > 0.0) || height * height >= best_.length * best_.length * squared) return;
    const Eigen::Vector3d foot = from + height / squared * wall.normal;
    const double turn = walls_.isTurned(t) ? -1.0 : 1.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Eigen::Vector3d side = wall.at[(i + 1) % 3] - wall.at[i];
      if (turn * side.cross(foot - wall.at[i]).dot(wall.normal) < 0.0) return;
    }
    outward_.assign(1, wall.normal / std::sqrt(squared));
    consider(from, foot, kArrivalSine);
  }

  /// From the crease to the nearest point of a triangle's side.
  void lookAtSide(std::uint32_t side) {
    const std::uint32_t start = topology_.startOf(side);
    const std::uint32_t end = topology_.endOf(side);
    const Eigen::Vector3d q = walls_.at(start);
    const Eigen::Vector3d along = walls_.at(end) - q;
    double s = 0.0;
    double t = 0.0;
    if (crease_.isTip()) {
      t = std::clamp((a_ - q).dot(along) / along.squaredNorm(), 0.0, 1.0);
    } else {
      std::tie(s, t) = nearestOfSegments(a_, b_ - a_, q, along);
    }
    const Eigen::Vector3d from = a_ + s * (b_ - a_);
    const Eigen::Vector3d to = q + t * along;
    if (!((to - from).squaredNorm() < best_.length * best_.length)) return;
    // the normals that the surface has there
    outward_.clear();
    double slack = kArrivalSine;
    if (t > 0.0 && t < 1.0) {
      const Edge& edge = topology_.edges[topology_.edgeOfSide[side]];
      if (topology_.isPaired(edge) && bendAt(walls_, edge).sine <= 0.0) slack = kLeanSine;
      for (std::uint32_t u = 0; u < edge.useCount; ++u)
        outward_.push_back(walls_.normal(topology_.uses[edge.firstUse + u] / 3));
    } else {
      for (const std::uint32_t triangle : fans_.of(t <= 0.0 ? start : end))
        outward_.push_back(walls_.normal(triangle));
    }
    consider(from, to, slack);
  }

  /// Takes the line between a point of the crease and one of the surface if it is a thickness and
  /// the least; `outward_` holds the normals at its far end.
  void consider(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double slack) {
    const double length = (to - from).norm();
    if (!(length > 0.0) || !(length < best_.length)) return;
    const Eigen::Vector3d direction = (to - from) / length;
    if (!leavesHere(direction)) return;
    if (sineToCone(direction, outward_, slack, shares_) > slack) return;
    if (!isClear(from, direction, length)) return;
    best_ = {length, 0.5 * (from + to)};
  }

  [[nodiscard]] bool leavesHere(const Eigen::Vector3d& direction) {
    if (crease_.isTip()) {
      return std::none_of(opening_.begin(), opening_.end(), [&](const Eigen::Vector3d& edge) {
        return edge.dot(direction) > kLeanSine;
      });
    }
    return sineToCone(direction, inward_, kLeanSine, shares_) <= kLeanSine;
  }

  /// Whether the line stays in the material up to its end.
  [[nodiscard]] bool isClear(const Eigen::Vector3d& from, const Eigen::Vector3d& direction,
                             double length) {
    double reach = length * (1.0 - kFarEnd);
    bool isClear = true;
    alongRay(bvh_, from, direction, reach, [&](std::uint32_t t) {
      ++tests_;
      if (!isClear || !(walls_.exitAt(t, from, direction) < reach)) return;
      for (const std::uint32_t corner : topology_.triangles[t]) {
        if (isOwn(corner)) return;
      }
      isClear = false;
      reach = 0.0;
    });
    return isClear;
  }

  [[nodiscard]] bool isOwn(std::uint32_t position) const noexcept {
    return position == crease_.low || position == crease_.high;
  }

  const Walls& walls_;
  const Topology& topology_;
  const TriangleBvh& bvh_;
  const Fans& fans_;
  CreaseThickness best_;
  std::size_t tests_ = 0;

  // of the crease at hand
  Crease crease_;
  Eigen::Vector3d a_ = Eigen::Vector3d::Zero(), b_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d aim_ = Eigen::Vector3d::Zero();
  double aimCosine_ = -1.0, aimStart_ = 0.0;
  std::vector<Eigen::Vector3d> inward_;   ///< an edge: minus its faces' normals
  std::vector<Eigen::Vector3d> opening_;  ///< a tip: unit directions of its edges
  std::vector<Eigen::Vector3d> outward_;  ///< normals at the far end
  std::vector<double> shares_;
};

}  // namespace

CreaseThickness thinnestAtCreases(const Walls& walls, const TriangleBvh& bvh, double bound,
                                  unsigned threads) {
  const Topology& topology = walls.topology();
  const Fans fans(topology);
  std::vector<Crease> creases;
  for (const std::uint32_t e : picked(topology.edges.size(), threads, [&](std::uint32_t edge) {
         return isCrease(walls, topology.edges[edge], bound);
       })) {
    creases.push_back({topology.edges[e].low, topology.edges[e].high, e});
  }
  for (const std::uint32_t p :
       picked(topology.merged.count(), threads, [&](std::uint32_t position) {
         return isTip(walls, position, fans.of(position), bound);
       })) {
    creases.push_back({p, p, kNone});
  }

  // each block keeps to the given bound, so that none depends on which came first
  std::vector<CreaseThickness> blocks(creases.size() / kCreasesPerBlock + 1);
  parallelFor(creases.size(), kCreasesPerBlock, threads, [&](std::size_t begin, std::size_t end) {
    Search search(walls, bvh, fans, bound);
    for (std::size_t i = begin; i < end && search.tests() < kTestsPerCrease * (end - begin); ++i)
      search.lookFrom(creases[i]);
    if (search.best().length < bound) blocks[begin / kCreasesPerBlock] = search.best();
  });
  CreaseThickness best;
  for (const CreaseThickness& block : blocks) {
    if (block.length < best.length) best = block;
  }
  return best;
}

}  // namespace tactus::models
