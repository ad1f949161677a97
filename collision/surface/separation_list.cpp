#include "collision/surface/separation_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "collision/surface/far_distance.hpp"
#include "collision/surface/leaf_distances.hpp"
#include "collision/surface/posed_facets.hpp"

#define TACTUS_LANES_FILE "collision/surface/separation_list.cpp"
#include "collision/surface/capped_ball_lanes.hpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_SURFACE_SEPARATION_LIST_ONCE
#define TACTUS_COLLISION_SURFACE_SEPARATION_LIST_ONCE
namespace tactus::collision {

/// What the kernels are asked.
struct SeparationTask {
  PosedFacets facets;
  float moved;          ///< M [m]
  float reach;          ///< the least distance in floats is not above this [m]
  bool stopsAtMeeting;  ///< asks only whether the surfaces meet
  std::uint32_t mostNodePairs;
};

struct SeparationFound {
  float distance = std::numeric_limits<float>::infinity();  ///< of the closest pair [m]
  std::int32_t a = -1, b = -1;                              ///< its leaves
  bool meets = false;  ///< a pair that was decided in doubles; with stopsAtMeeting
  bool startedAnew = false;
  bool listIsFull = false;
  bool isCut = false;
  FacetDistanceCounters counters;
};

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

constexpr float kInfinite = std::numeric_limits<float>::infinity();

class FrontWalk {
 public:
  LANES_INLINE FrontWalk(const SeparationTask& task, SeparationList& list, SeparationFound& found)
      : t_(task),
        p_(task.facets),
        l_(list),
        found_(found),
        // keys are sums with M: half a slack for their roundings
        keyOffset_(task.moved - 0.5F * task.facets.slack),
        bound_(task.stopsAtMeeting ? task.facets.slack : kInfinite) {}

  LANES_INLINE void run() {
    std::size_t due = 0;
    if (l_.nodes.count != 0) {
      measureAgain();
      if (isDone()) return;
      due = collect(l_.nodes.key.data(), l_.nodes.count, bound_ + t_.moved);
    }
    if (l_.nodes.count == 0 || (2 * due > l_.pairsFromScratch && !l_.isUnfinished)) {
      startAnew();
      due = 1;
    }
    for (std::size_t i = 0; i < due && !isDone() && !found_.isCut; ++i) {
      const std::int32_t place = l_.due[i];
      const auto at = static_cast<std::size_t>(place);
      if (l_.nodes.key[at] - t_.moved < bound_) walkFrom(l_.nodes.a[at], l_.nodes.b[at], place);
    }
  }

 private:
  [[nodiscard]] LANES_INLINE bool isDone() const {
    return t_.stopsAtMeeting ? found_.meets : !(found_.distance > 0.0F);
  }

  /// The places of keys below a threshold, into `due`.
  LANES_INLINE std::size_t collect(const float* keys, std::size_t count, float threshold) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; i += kLanes) {
      const auto below = load(keys + i) < threshold;
      if (none(below)) continue;
      const auto inside =
          maskOf<std::int32_t>(below) & (laneNumbers() < static_cast<std::int32_t>(count - i));
      found += append(laneNumbers() + static_cast<std::int32_t>(i), inside, l_.due.data() + found);
    }
    return found;
  }

  LANES_INLINE void startAnew() {
    found_.startedAnew = true;
    l_.facets.count = 0;
    l_.nodes.count = 1;
    l_.nodes.a[0] = l_.nodes.b[0] = 0;
    l_.nodes.opened[0] = 0;
    l_.nodes.key[0] = -kInfinite;
    l_.due[0] = 0;
  }

  /// Triangles that may be as close as the closest ones are now.
  LANES_INLINE void measureAgain() {
    const float threshold = (t_.stopsAtMeeting ? bound_ : t_.reach) + t_.moved;
    const std::size_t due = collect(l_.facets.key.data(), l_.facets.count, threshold);
    for (std::size_t i = 0; i < due && !isDone(); ++i) {
      const auto place = static_cast<std::size_t>(l_.due[i]);
      l_.candidates.a[candidates_] = l_.facets.a[place];
      l_.candidates.b[candidates_] = l_.facets.b[place];
      l_.candidatePlaces[candidates_++] = l_.due[i];
      if (candidates_ == kLanes || i + 1 == due) measure();
    }
  }

  /// Depth first from one pair, most promising child first.
  [[gnu::noinline]] void walkFrom(std::int32_t a, std::int32_t b, std::int32_t place) {
    std::size_t waiting = 0;
    push(waiting, a, b, place);
    while (waiting != 0) {
      --waiting;
      if (l_.stack.least[waiting] < bound_) {
        if (found_.counters.nodePairs >= t_.mostNodePairs) {
          // what waits is in the list, or the list is full
          found_.isCut = true;
          measure();
          return;
        }
        if (waiting + kLanes > SeparationList::kStackEntries) {
          found_.counters.stackWasFull = true;
          return;
        }
        waiting = open(l_.stack.a[waiting], l_.stack.b[waiting], l_.stack.place[waiting], waiting);
      }
      // before anything is known, the first triangles are worth more than a full round
      const bool isFirst = found_.a < 0 && candidates_ != 0;
      if (isFirst || candidates_ >= kLanes || waiting == 0) measure();
      if (isDone()) return;
    }
  }

  LANES_INLINE void push(std::size_t& waiting, std::int32_t a, std::int32_t b, std::int32_t place) {
    l_.stack.a[waiting] = a;
    l_.stack.b[waiting] = b;
    l_.stack.place[waiting] = place;
    l_.stack.least[waiting++] = -kInfinite;
  }

  /// Pushes the children that are near and have not been opened before; what is left decides the
  /// key of the pair. Returns the new height of the stack.
  [[gnu::noinline]] std::size_t open(std::int32_t a, std::int32_t b, std::int32_t place,
                                     std::size_t waiting) {
    ++found_.counters.nodePairs;
    const CappedPairs pairs = childrenOf(p_, a, b);
    const F32x16 least = gapsOf(pairs.a, pairs.b).least() - p_.slack;
    auto closed = least == least;
    if (place >= 0) {
      closed =
          closed & !maskOf<float>(maskOfBits(l_.nodes.opened[static_cast<std::size_t>(place)]));
    }
    const auto near = closed & (least < bound_);
    if (place >= 0) {
      const auto at = static_cast<std::size_t>(place);
      l_.nodes.opened[at] |= bitsOf(near);
      l_.nodes.key[at] = minimum(select(closed & !near, least, kInfinite)) + keyOffset_;
    }
    if (none(near)) return waiting;
    const auto leaves = maskOf<std::int32_t>(near) & (pairs.linkA < 0) & (pairs.linkB < 0);
    const auto nodes = maskOf<std::int32_t>(near) & !leaves;
    if (any(leaves)) addLeaves(pairs, leaves);
    return addNodes(pairs, nodes, least, waiting);
  }

  LANES_INLINE void addLeaves(const CappedPairs& pairs, LaneMask<std::int32_t> which) {
    const I32x16 leafA = -pairs.linkA - 1;
    const I32x16 leafB = -pairs.linkB - 1;
    append(leafA, which, l_.candidates.a.data() + candidates_);
    const std::size_t count = append(leafB, which, l_.candidates.b.data() + candidates_);
    const std::size_t first = l_.facets.count;
    if (first + count <= SeparationList::kFacetPairs) {
      append(leafA, which, l_.facets.a.data() + first);
      append(leafB, which, l_.facets.b.data() + first);
      store(F32x16(-kInfinite), l_.facets.key.data() + first);
      store(laneNumbers() + static_cast<std::int32_t>(first),
            l_.candidatePlaces.data() + candidates_);
      l_.facets.count += count;
    } else {
      store(I32x16(SeparationList::kUnlisted), l_.candidatePlaces.data() + candidates_);
      found_.listIsFull = true;
    }
    candidates_ += count;
  }

  LANES_INLINE std::size_t addNodes(const CappedPairs& pairs, LaneMask<std::int32_t> which,
                                    F32x16 least, std::size_t waiting) {
    append(pairs.linkA, which, l_.stack.a.data() + waiting);
    append(pairs.linkB, which, l_.stack.b.data() + waiting);
    const std::size_t count = append(least, maskOf<float>(which), l_.stack.least.data() + waiting);
    if (count == 0) return waiting;
    const std::size_t first = l_.nodes.count;
    if (first + count <= SeparationList::kNodePairs) {
      append(pairs.linkA, which, l_.nodes.a.data() + first);
      append(pairs.linkB, which, l_.nodes.b.data() + first);
      append(least + keyOffset_, maskOf<float>(which), l_.nodes.key.data() + first);
      std::fill_n(l_.nodes.opened.data() + first, count, 0U);
      store(laneNumbers() + static_cast<std::int32_t>(first), l_.stack.place.data() + waiting);
      l_.nodes.count += count;
    } else {
      store(I32x16(SeparationList::kUnlisted), l_.stack.place.data() + waiting);
      found_.listIsFull = true;
    }
    const std::size_t end = waiting + count;
    const auto* const from = l_.stack.least.data();
    const auto best = static_cast<std::size_t>(std::min_element(from + waiting, from + end) - from);
    std::swap(l_.stack.a[best], l_.stack.a[end - 1]);
    std::swap(l_.stack.b[best], l_.stack.b[end - 1]);
    std::swap(l_.stack.place[best], l_.stack.place[end - 1]);
    std::swap(l_.stack.least[best], l_.stack.least[end - 1]);
    return end;
  }

  [[gnu::noinline]] void measure() {
    found_.counters.facetPairs += static_cast<std::uint32_t>(candidates_);
    for (std::size_t i = 0; i < candidates_ && !isDone(); i += kLanes) {
      const std::size_t count = std::min(kLanes, candidates_ - i);
      const LeafDistances distances =
          leafDistances(p_, l_.candidates.a.data() + i, l_.candidates.b.data() + i, count);
      for (std::size_t k = 0; k < count; ++k) {
        take(distances[k], l_.candidates.a[i + k], l_.candidates.b[i + k],
             l_.candidatePlaces[i + k]);
      }
    }
    candidates_ = 0;
  }

  LANES_INLINE void take(float distance, std::int32_t a, std::int32_t b, std::int32_t place) {
    if (place >= 0)
      l_.facets.key[static_cast<std::size_t>(place)] = (distance - p_.slack) + keyOffset_;
    if (t_.stopsAtMeeting) {
      if (found_.meets || distance > p_.slack) return;
      found_.meets = p_.nearest(a, b).squaredDistance == 0.0;
    } else if (distance > found_.distance || (distance == found_.distance &&
                                              (a > found_.a || (a == found_.a && b >= found_.b)))) {
      return;
    } else {
      bound_ = distance;
    }
    found_.distance = distance;
    found_.a = a;
    found_.b = b;
  }

  const SeparationTask& t_;
  const PosedFacets& p_;
  SeparationList& l_;
  SeparationFound& found_;
  float keyOffset_;
  float bound_;  ///< what is not closer does not matter [m]
  std::size_t candidates_ = 0;
};

void walkFront(const SeparationTask& task, SeparationList& list, SeparationFound& found) noexcept {
  FrontWalk(task, list, found).run();
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {
namespace {

// Of both radii. Keys are sums with M in floats, and a list that old has many entries that a walk
// from the roots would not have opened.
constexpr double kFarthest = 0.25;

struct RootBall {
  Eigen::Vector3d centre;  ///< in the mesh's frame [m]
  double radius;
};

RootBall rootOf(const FacetHierarchy& tree) {
  const FacetHierarchy::Caps& root = tree.arrays().caps.front();
  return {tree.origin() + Eigen::Vector3d(root.x[0], root.y[0], root.z[0]), root.radius[0]};
}

double moveSince(const FacetHierarchy& a, const FacetHierarchy& b, const Eigen::Isometry3d& pose,
                 const SeparationList& list) noexcept {
  const bool isItsList = list.isUsable && list.ofA == a.arrays().corners.data() &&
                         list.ofB == b.arrays().corners.data();
  if (!isItsList) return std::numeric_limits<double>::infinity();
  const RootBall ball = rootOf(b);
  return farthestMove(list.pose, pose, ball.centre, ball.radius);
}

/// Neither surface is empty.
SeparationFound walk(const PosedFacets& posed, const Eigen::Isometry3d& pose, double move,
                     double size, bool stopsAtMeeting, std::uint32_t mostNodePairs,
                     SeparationList& list) noexcept {
  // also what is not a number starts anew
  if (!(list.moved + move < kFarthest * size)) {
    list.forget();
    move = 0.0;
  }
  list.moved += move;
  list.reach += move;
  list.pose = pose;
  const SeparationTask task{posed, static_cast<float>(list.moved),
                            static_cast<float>(list.reach) + posed.slack, stopsAtMeeting,
                            mostNodePairs};
  SeparationFound found;
  TACTUS_LANES_CALL(walkFront)(task, list, found);
  if (found.startedAnew) {
    list.pairsFromScratch = found.counters.nodePairs;
  } else if (list.isUnfinished) {
    list.pairsFromScratch += found.counters.nodePairs;
  }
  list.isUnfinished = found.isCut;
  list.isUsable = !found.listIsFull && !found.counters.stackWasFull;
  return found;
}

/// What no two points of the surfaces are closer than, by all entries [m].
double leastByList(const SeparationList& list, const PosedFacets& posed) noexcept {
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < list.nodes.count; ++i)
    least = std::min(least, list.nodes.key[i]);
  for (std::size_t i = 0; i < list.facets.count; ++i)
    least = std::min(least, list.facets.key[i]);
  return std::max(0.0, static_cast<double>(least) - list.moved - static_cast<double>(posed.slack));
}

}  // namespace

double farthestMove(const Eigen::Isometry3d& from, const Eigen::Isometry3d& to,
                    const Eigen::Vector3d& centre, double radius) noexcept {
  const Eigen::Matrix3d turn = to.linear() - from.linear();
  return (to * centre - from * centre).norm() + std::sqrt(0.5) * turn.norm() * radius;
}

SeparationList::SeparationList() {
  constexpr std::size_t kBehind = 16;  // appending writes whole registers
  nodes.a.resize(kNodePairs + kBehind);
  nodes.b.resize(kNodePairs + kBehind);
  nodes.opened.resize(kNodePairs + kBehind);
  nodes.key.resize(kNodePairs + kBehind);
  facets.a.resize(kFacetPairs + kBehind);
  facets.b.resize(kFacetPairs + kBehind);
  facets.key.resize(kFacetPairs + kBehind);
  stack.a.resize(kStackEntries + kBehind);
  stack.b.resize(kStackEntries + kBehind);
  stack.place.resize(kStackEntries + kBehind);
  stack.least.resize(kStackEntries + kBehind);
  candidates.a.resize(kCandidates);
  candidates.b.resize(kCandidates);
  candidatePlaces.resize(kCandidates);
  due.resize(std::max(kNodePairs, kFacetPairs) + kBehind);
}

void SeparationList::forget() noexcept {
  nodes.count = facets.count = 0;
  moved = gap = 0.0;
  reach = std::numeric_limits<double>::infinity();
  isUsable = false;
  isUnfinished = false;
}

bool cannotHaveMet(const FacetHierarchy& a, const FacetHierarchy& b,
                   const Eigen::Isometry3d& aFromB, const SeparationList& list) noexcept {
  return moveSince(a, b, aFromB, list) < list.gap;
}

FacetDistance coherentDistance(const FacetHierarchy& a, const FacetHierarchy& b,
                               const Eigen::Isometry3d& aFromB, SeparationList& list,
                               std::uint32_t mostNodePairs) noexcept {
  FacetDistance result;
  if (a.empty() || b.empty()) return result;
  const PosedFacets posed(a, b, aFromB);
  if (areFarApart(posed)) {
    list.forget();
    return farDistance(a, b, posed);
  }
  const double move = moveSince(a, b, aFromB, list);
  // entries are in no good order for a search that knows of no distance at all
  if (!(list.reach < std::numeric_limits<double>::infinity())) list.forget();
  list.ofA = a.arrays().corners.data();
  list.ofB = b.arrays().corners.data();
  const SeparationFound found =
      walk(posed, aFromB, move, rootOf(a).radius + rootOf(b).radius, false, mostNodePairs, list);
  result.counters = found.counters;
  result.isCut = found.isCut;
  if (found.a < 0) {  // the pose is not a number, or hardly anything was allowed
    list.forget();
    return result;
  }
  const NearestPoints nearest = posed.nearest(found.a, found.b);
  result.facetA = a.arrays().facets[static_cast<std::size_t>(found.a)];
  result.facetB = b.arrays().facets[static_cast<std::size_t>(found.b)];
  result.distance = std::sqrt(nearest.squaredDistance);
  result.onA = nearest.onA + a.origin();
  result.onB = nearest.onB + a.origin();
  list.reach = result.distance + posed.slack;
  list.gap = posed.certainOf(result.distance);
  if (found.isCut) list.gap = list.isUsable ? std::min(list.gap, leastByList(list, posed)) : 0.0;
  result.least = list.gap;
  if (!list.isUsable) list.forget();
  return result;
}

SurfaceMeeting surfacesMeet(const FacetHierarchy& a, const FacetHierarchy& b,
                            const Eigen::Isometry3d& aFromB, SeparationList& list,
                            std::uint32_t mostNodePairs) noexcept {
  SurfaceMeeting result;
  if (a.empty() || b.empty()) return result;
  const double move = moveSince(a, b, aFromB, list);
  result.wereApartSince = move < list.gap;
  if (result.wereApartSince) {
    list.moved += move;
    list.reach += move;
    list.gap -= move;
    list.pose = aFromB;
    return result;
  }
  const PosedFacets posed(a, b, aFromB);
  if (areFarApart(posed)) {
    list.forget();
    return result;
  }
  list.ofA = a.arrays().corners.data();
  list.ofB = b.arrays().corners.data();
  const SeparationFound found =
      walk(posed, aFromB, move, rootOf(a).radius + rootOf(b).radius, true, mostNodePairs, list);
  result.counters = found.counters;
  result.meets = found.meets;
  result.isCut = found.isCut && !found.meets;
  list.gap = 0.0;
  if (found.meets) {
    result.where = posed.nearest(found.a, found.b).onA + a.origin();
    list.reach = posed.slack;
  } else {
    list.gap = leastByList(list, posed);
  }
  if (!list.isUsable) list.forget();
  return result;
}

}  // namespace tactus::collision
#endif
