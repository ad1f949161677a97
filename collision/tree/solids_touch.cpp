#include "collision/tree/solids_touch.hpp"

#include <algorithm>

#include "collision/surface/facet_winding.hpp"
#include "collision/tree/posed_balls.hpp"

#define TACTUS_LANES_FILE "collision/tree/solids_touch.cpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_TREE_SOLIDS_TOUCH_ONCE
#define TACTUS_COLLISION_TREE_SOLIDS_TOUCH_ONCE
namespace tactus::collision {

struct BallsFound {
  bool meet = false;
  std::uint32_t pairs = 0;
};

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

class DeepestFirst {
 public:
  LANES_INLINE DeepestFirst(const PosedBalls& task, TouchScratch::BallPairs& waiting,
                            BallsFound& found)
      : t_(task), w_(waiting), found_(found) {}

  LANES_INLINE void run() {
    w_.a[0] = w_.b[0] = 0;
    std::size_t waiting = 1;
    while (waiting != 0 && found_.pairs < TouchScratch::kMostBallPairs && !found_.meet) {
      --waiting;
      waiting = open(w_.a[waiting], w_.b[waiting], waiting);
    }
  }

 private:
  /// Looks for two leaves whose lower balls meet among the children, and pushes pairs that meet,
  /// the deepest one last. Returns the new height of the stack.
  LANES_INLINE std::size_t open(std::int32_t linkOfA, std::int32_t linkOfB, std::size_t waiting) {
    ++found_.pairs;
    const FourBalls a = childrenOf(*t_.a, linkOfA);
    const FourBalls b = childrenOf(*t_.b, linkOfB);
    const auto& r = t_.rotation;
    const F32x16 x = tile4(b.bounds.x.data());
    const F32x16 y = tile4(b.bounds.y.data());
    const F32x16 z = tile4(b.bounds.z.data());
    const F32x16 dx = (r[0] * x + r[1] * y + r[2] * z) + t_.offset[0] - repeat4(a.bounds.x.data());
    const F32x16 dy = (r[3] * x + r[4] * y + r[5] * z) + t_.offset[1] - repeat4(a.bounds.y.data());
    const F32x16 dz = (r[6] * x + r[7] * y + r[8] * z) + t_.offset[2] - repeat4(a.bounds.z.data());
    const F32x16 distance = sqrt(dx * dx + dy * dy + dz * dz) + t_.slack;
    const I32x16 linkA = repeat4(a.link.data());
    const I32x16 linkB = tile4(b.link.data());
    const F32x16 lower = repeat4(a.lowerRadius.data()) + tile4(b.lowerRadius.data());
    const auto leaves = (linkA < 0) & (linkB < 0);
    found_.meet = any(maskOf<float>(leaves) & (lower > distance));
    const F32x16 depth = repeat4(a.bounds.radius.data()) + tile4(b.bounds.radius.data()) - distance;
    const auto nodes = maskOf<std::int32_t>(depth > 0.0F) & !leaves;
    append(linkA, nodes, w_.a.data() + waiting);
    append(linkB, nodes, w_.b.data() + waiting);
    const std::size_t end =
        waiting + append(depth, maskOf<float>(nodes), w_.depth.data() + waiting);
    if (end == waiting) return end;
    const auto* const from = w_.depth.data();
    const auto best = static_cast<std::size_t>(std::max_element(from + waiting, from + end) - from);
    std::swap(w_.a[best], w_.a[end - 1]);
    std::swap(w_.b[best], w_.b[end - 1]);
    std::swap(w_.depth[best], w_.depth[end - 1]);
    return end;
  }

  const PosedBalls& t_;
  TouchScratch::BallPairs& w_;
  BallsFound& found_;
};

void findMeetingBalls(const PosedBalls& task, TouchScratch::BallPairs& waiting,
                      BallsFound& found) noexcept {
  DeepestFirst(task, waiting, found).run();
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {
namespace {

/// Of points relative to their own surface's origin.
bool isAnyInside(const FacetHierarchy& surface, const std::vector<Eigen::Vector3d>& points,
                 const Eigen::Vector3d& originOfPoints,
                 const Eigen::Isometry3d& surfaceFromPoints) noexcept {
  return std::any_of(points.begin(), points.end(), [&](const Eigen::Vector3d& point) {
    return windingAt(surface, surfaceFromPoints * (originOfPoints + point) - surface.origin()) > 0;
  });
}

}  // namespace

TouchScratch::TouchScratch(const FacetHierarchy& a, const FacetHierarchy& b)
    : partsOfA(pointOfEachPart(a)), partsOfB(pointOfEachPart(b)) {
  // each pair leaves fifteen behind, and appending writes whole registers
  constexpr std::size_t kEntries = 16 * (kMostBallPairs + 2);
  balls.a.resize(kEntries);
  balls.b.resize(kEntries);
  balls.depth.resize(kEntries);
}

SolidsTouch solidsTouch(const TouchBody& a, const TouchBody& b, const Eigen::Isometry3d& aFromB,
                        TouchScratch& scratch, std::uint32_t mostNodePairs) noexcept {
  const auto because = [&scratch](SolidsTouch result, bool touch, TouchReason reason) {
    scratch.wereApart = !touch && reason != TouchReason::Undecided;
    result.touch = touch;
    result.reason = reason;
    return result;
  };
  SolidsTouch result;
  const bool wereApart = scratch.wereApart;
  if (!wereApart && a.spheres.leafCount() != 0 && b.spheres.leafCount() != 0) {
    BallsFound balls;
    TACTUS_LANES_CALL(findMeetingBalls)(PosedBalls(a.spheres, b.spheres, aFromB), scratch.balls,
                                        balls);
    result.ballPairs = balls.pairs;
    if (balls.meet) return because(result, true, TouchReason::BallsMeet);
  }
  const SurfaceMeeting meeting =
      surfacesMeet(a.facets, b.facets, aFromB, scratch.surfaces, mostNodePairs);
  result.facets = meeting.counters;
  if (meeting.meets) return because(result, true, TouchReason::SurfacesMeet);
  if (meeting.isCut) return because(result, false, TouchReason::Undecided);
  if (meeting.wereApartSince && wereApart)
    return because(result, false, TouchReason::CannotHaveMetSince);
  const bool isInside =
      isAnyInside(a.facets, scratch.partsOfB, b.facets.origin(), aFromB) ||
      isAnyInside(b.facets, scratch.partsOfA, a.facets.origin(), aFromB.inverse(Eigen::Isometry));
  return because(result, isInside, isInside ? TouchReason::OneInsideTheOther : TouchReason::Apart);
}

}  // namespace tactus::collision
#endif
