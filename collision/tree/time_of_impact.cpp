#include "collision/tree/time_of_impact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/surface/posed_facets.hpp"
#include "collision/tree/posed_balls.hpp"

#define TACTUS_LANES_FILE "collision/tree/time_of_impact.cpp"
#include "collision/surface/capped_ball_lanes.hpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_TREE_TIME_OF_IMPACT_ONCE
#define TACTUS_COLLISION_TREE_TIME_OF_IMPACT_ONCE
namespace tactus::collision {

/// B's motion from now on, in A's coordinates (relative to A's origin).
struct MotionNow {
  Eigen::Vector3d centre, velocity, spin;
  double spinSpeed = 0.0;   ///< length of `spin` [rad/s]
  double speedSlack = 0.0;  ///< what a speed in floats may be off [m/s]
  double reserve = 0.0;     ///< no gap may become smaller [m]
};

/// Two leaves in doubles.
struct MeasuredPair {
  double time = std::numeric_limits<double>::infinity();  ///< until which they cannot meet [s]
  double gap = 0.0;                                       ///< 0 if they meet [m]
  Eigen::Vector3d onA = Eigen::Vector3d::Zero(), onB = Eigen::Vector3d::Zero();
  Eigen::Vector3d line = Eigen::Vector3d::Zero();  ///< unit, from A to B; zero if they meet
};

/// One pose of the motion: of surfaces or of balls.
struct ImpactTask {
  MotionNow motion;
  const PosedFacets* facets = nullptr;
  const PosedBalls* balls = nullptr;
  double inset = 0.0;  ///< that balls are smaller by [m]
  std::uint32_t mostNodePairs = kAllNodePairs;

  /// Measures two leaves, unless their time along the line of `first` is longer than its time.
  [[nodiscard]] MeasuredPair measured(std::int32_t linkA, std::int32_t linkB,
                                      const MeasuredPair& first) const noexcept;
};

/// The pair that may meet first.
struct FirstToMeet {
  MeasuredPair pair;
  std::int32_t a = 0, b = 0;  ///< links of its leaves, 0 if none may meet in time
  bool isCut = false;         ///< others may meet earlier
  /// Until which what was not looked at cannot meet [s].
  double waiting = std::numeric_limits<double>::infinity();
  ImpactCounters counters;
};

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

// Times in floats are shortened by this: they come from a dozen roundings of 6e-8 each.
constexpr float kShorter = 0.99999F;

/// The motion in floats.
struct Motion {
  Vector centre, velocity, spin;
  F32x16 spinSpeed, speedSlack, reserve;
};

LANES_INLINE Vector everywhere(const Eigen::Vector3d& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

/// What of B's balls does not depend on the direction: u of their middles, and k.
struct Moving {
  Vector velocity;
  F32x16 spread;   ///< |w| r
  F32x16 turning;  ///< |w x s|, at most
};

LANES_INLINE Moving movingOf(const Motion& m, const Vector& middle, F32x16 radius) {
  const Vector turning = cross(m.spin, middle - m.centre);
  const F32x16 spread = m.spinSpeed * radius;
  return {m.velocity + turning, spread + m.speedSlack, sqrt(dot(turning, turning)) + spread};
}

/// How long a gap along n lasts: the root of k t^2 + w t = gap - reserve; no time at all if there
/// is no gap.
LANES_INLINE F32x16 safeTime(const Motion& m, const Moving& moving, F32x16 gap, const Vector& n) {
  const F32x16 rate = moving.spread - dot(n, moving.velocity);
  const F32x16 free = positive(gap - m.reserve);
  const Vector across = cross(n, m.spin);
  const F32x16 bend = 0.5F * sqrt(dot(across, across)) * moving.turning;
  const F32x16 root = sqrt(rate * rate + 4.0F * bend * free);
  const F32x16 whileNearing = 2.0F * free / max(rate + root, kTiny);
  const F32x16 afterParting = select(bend > kTiny, (root - rate) / max(2.0F * bend, kTiny),
                                     std::numeric_limits<float>::infinity());
  return select(gap > 0.0F, select(rate > 0.0F, whileNearing, afterParting), 0.0F) * kShorter;
}

/// Pairs of children: how long each is safe, and where it leads.
struct SafePairs {
  F32x16 time;
  I32x16 linkA, linkB;
};

// The best of all three directions: the one of the largest gap alone took twice the pairs, and the
// line of the first pair as a fourth saved 2 % of them and cost 15 % each (2026-11).
LANES_INLINE SafePairs safePairs(const Motion& m, const PosedFacets& p, std::int32_t a,
                                 std::int32_t b) {
  const CappedPairs pairs = childrenOf(p, a, b);
  const Gaps gaps = gapsOf(pairs.a, pairs.b);
  const Moving moving = movingOf(m, pairs.b.centre, pairs.b.radius);
  const F32x16 byA = safeTime(m, moving, gaps.byA - p.slack, pairs.a.normal);
  const F32x16 byB = safeTime(m, moving, gaps.byB - p.slack, F32x16(-1.0F) * pairs.b.normal);
  const F32x16 byCentres = safeTime(m, moving, gaps.byCentres - p.slack,
                                    gaps.perCentres * (pairs.b.centre - pairs.a.centre));
  // the place of a missing child is not a number, and then neither is the gap: it is never near
  const auto isThere = gaps.byCentres == gaps.byCentres;
  return {select(isThere, max(max(byA, byB), byCentres), std::numeric_limits<float>::infinity()),
          pairs.linkA, pairs.linkB};
}

LANES_INLINE SafePairs safePairs(const Motion& m, const PosedBalls& p, float inset, std::int32_t a,
                                 std::int32_t b) {
  const FourBalls ofA = childrenOf(*p.a, a);
  const FourBalls ofB = childrenOf(*p.b, b);
  const auto& r = p.rotation;
  const F32x16 x = tile4(ofB.bounds.x.data());
  const F32x16 y = tile4(ofB.bounds.y.data());
  const F32x16 z = tile4(ofB.bounds.z.data());
  const Vector middleA = {repeat4(ofA.bounds.x.data()), repeat4(ofA.bounds.y.data()),
                          repeat4(ofA.bounds.z.data())};
  const Vector middleB = {(r[0] * x + r[1] * y + r[2] * z) + p.offset[0],
                          (r[3] * x + r[4] * y + r[5] * z) + p.offset[1],
                          (r[6] * x + r[7] * y + r[8] * z) + p.offset[2]};
  const I32x16 linkA = repeat4(ofA.link.data());
  const I32x16 linkB = tile4(ofB.link.data());
  const F32x16 radiusA = select(maskOf<float>(linkA < 0), repeat4(ofA.lowerRadius.data()),
                                repeat4(ofA.bounds.radius.data())) -
                         inset;
  const F32x16 radiusB = select(maskOf<float>(linkB < 0), tile4(ofB.lowerRadius.data()),
                                tile4(ofB.bounds.radius.data())) -
                         inset;
  const Vector apart = middleB - middleA;
  const F32x16 distance = sqrt(dot(apart, apart));
  const Vector line = (1.0F / max(distance, kTiny)) * apart;
  const Moving moving = movingOf(m, middleB, positive(radiusB));
  const F32x16 time = safeTime(m, moving, distance - radiusA - radiusB - p.slack, line);
  const auto isThere = (distance == distance) & (radiusA > 0.0F) & (radiusB > 0.0F);
  return {select(isThere, time, std::numeric_limits<float>::infinity()), linkA, linkB};
}

class SoonestFirst {
 public:
  LANES_INLINE SoonestFirst(const ImpactTask& task, ImpactScratch& scratch, FirstToMeet& first)
      : t_(task),
        m_{everywhere(task.motion.centre),
           everywhere(task.motion.velocity),
           everywhere(task.motion.spin),
           static_cast<float>(task.motion.spinSpeed),
           static_cast<float>(task.motion.speedSlack),
           static_cast<float>(task.motion.reserve)},
        s_(scratch),
        first_(first) {}

  LANES_INLINE void run() {
    s_.a[0] = s_.b[0] = 0;
    s_.time[0] = 0.0F;
    std::size_t waiting = 1;
    while (waiting != 0) {
      --waiting;
      if (!isSooner(s_.time[waiting])) continue;
      if (first_.counters.nodePairs >= t_.mostNodePairs) {
        first_.isCut = true;
        for (std::size_t i = 0; i <= waiting; ++i)
          first_.waiting = std::min(first_.waiting, static_cast<double>(s_.time[i]));
        return;
      }
      waiting = open(s_.a[waiting], s_.b[waiting], waiting);
    }
  }

 private:
  [[nodiscard]] LANES_INLINE bool isSooner(float time) const {
    return static_cast<double>(time) < first_.pair.time;
  }

  [[gnu::noinline]] std::size_t open(std::int32_t a, std::int32_t b, std::size_t waiting) {
    ++first_.counters.nodePairs;
    const SafePairs pairs = t_.facets != nullptr
                                ? safePairs(m_, *t_.facets, a, b)
                                : safePairs(m_, *t_.balls, static_cast<float>(t_.inset), a, b);
    // rounded up, so that what is sooner in doubles is sooner in floats
    const auto limit = static_cast<float>(first_.pair.time * (1.0 + 1e-6));
    const auto sooner = maskOf<std::int32_t>(pairs.time < limit);
    if (none(sooner)) return waiting;
    const auto leaves = sooner & (pairs.linkA < 0) & (pairs.linkB < 0);
    const auto nodes = sooner & !leaves;
    if (any(leaves)) measure(pairs, leaves);
    append(pairs.linkA, nodes, s_.a.data() + waiting);
    append(pairs.linkB, nodes, s_.b.data() + waiting);
    const std::size_t end =
        waiting + append(pairs.time, maskOf<float>(nodes), s_.time.data() + waiting);
    // the soonest is opened next; few are left of sixteen, and so they are all put in order
    for (std::size_t i = waiting + 1; i < end; ++i) {
      for (std::size_t k = i; k > waiting && s_.time[k - 1] < s_.time[k]; --k) {
        std::swap(s_.a[k], s_.a[k - 1]);
        std::swap(s_.b[k], s_.b[k - 1]);
        std::swap(s_.time[k], s_.time[k - 1]);
      }
    }
    return end;
  }

  [[gnu::noinline]] void measure(const SafePairs& pairs, LaneMask<std::int32_t> which) {
    std::array<std::int32_t, kLanes> a;
    std::array<std::int32_t, kLanes> b;
    std::array<float, kLanes> time;
    append(pairs.linkA, which, a.data());
    append(pairs.linkB, which, b.data());
    const std::size_t count = append(pairs.time, maskOf<float>(which), time.data());
    for (std::size_t k = 0; k < count; ++k) {
      if (!isSooner(time[k])) continue;
      ++first_.counters.leafPairs;
      const MeasuredPair pair = t_.measured(a[k], b[k], first_.pair);
      if (pair.time >= first_.pair.time) continue;
      first_.pair = pair;
      first_.a = a[k];
      first_.b = b[k];
    }
  }

  const ImpactTask& t_;
  Motion m_;
  ImpactScratch& s_;
  FirstToMeet& first_;
};

void findFirstToMeet(const ImpactTask& task, ImpactScratch& scratch, FirstToMeet& first) noexcept {
  SoonestFirst(task, scratch, first).run();
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {
namespace {

using Eigen::Vector3d;

// Shares of the tolerance: gaps are kept above the first one, and it is a hit below the second.
constexpr double kReserve = 0.5;
constexpr double kHit = 0.6;

// Of the duration. A pair that is nearly in reach may still slide along for long; it stops the
// motion when it leaves less time than this.
constexpr double kInstant = 1e-3;

// A speed in floats is off by a few roundings of 6e-8 of the largest speed there is.
constexpr double kSpeedRounding = 2e-6;

// Of a speed or an acceleration: what a surface that slides along another one seems to come nearer
// by, because normals are rounded. What is below this counts as sliding; it lets a gap shrink by
// 1e-9 of the way.
constexpr double kSliding = 1e-9;

/// How long a point of B that is in front of a plane of this normal stays there, but for the
/// reserve; see safeTime().
double timeUntil(const MotionNow& motion, const Vector3d& normal, double gap,
                 const Vector3d& point) noexcept {
  const Vector3d turning = motion.spin.cross(point - motion.centre);
  const Vector3d velocity = motion.velocity + turning;
  const double nearing = -normal.dot(velocity);
  const double rate = nearing > kSliding * velocity.norm() ? nearing : std::min(0.0, nearing);
  const double across = normal.cross(motion.spin).norm();
  const double bend = across > kSliding * motion.spinSpeed ? 0.5 * across * turning.norm() : 0.0;
  const double free = std::max(0.0, gap - motion.reserve);
  const double root = std::sqrt(rate * rate + 4.0 * bend * free);
  if (rate > 0.0) return 2.0 * free / (rate + root);
  return bend > 0.0 ? (root - rate) / (2.0 * bend) : std::numeric_limits<double>::infinity();
}

/// How long the triangles stay apart along a line. Each corner of B has its own way to the plane in
/// front of A; as long as all three are there, so is what is between them.
double timeAlong(const MotionNow& motion, const Vector3d& line, const Corners& a,
                 const Corners& b) noexcept {
  const double plane = std::max({line.dot(a[0]), line.dot(a[1]), line.dot(a[2])});
  double time = std::numeric_limits<double>::infinity();
  for (const Vector3d& corner : b) {
    const double gap = line.dot(corner) - plane;
    if (!(gap > 0.0)) return 0.0;
    time = std::min(time, timeUntil(motion, line, gap, corner));
  }
  return time;
}

MeasuredPair measuredFacets(const MotionNow& motion, const Corners& a, const Corners& b,
                            const MeasuredPair& first) noexcept {
  // most pairs around the first one are apart along its line, which is told in a tenth of the time
  if (first.gap > 0.0) {
    const double time = timeAlong(motion, first.line, a, b);
    if (time >= first.time) return {.time = time};
  }
  const NearestPoints nearest = nearestPoints(a, b);
  const double gap = std::sqrt(nearest.squaredDistance);
  if (!(gap > 0.0)) return {0.0, 0.0, nearest.onA, nearest.onB};
  const Vector3d line = (nearest.onB - nearest.onA) / gap;
  MeasuredPair pair{timeAlong(motion, line, a, b), gap, nearest.onA, nearest.onB, line};
  if (gap <= 2.0 * motion.reserve) {
    // Nearest points may be off by 1e-8 of the triangles, the root of what doubles are off by, as
    // their distance hardly depends on it. To faces upon each other, that is a slope: ask normals.
    const Vector3d normalA = (a[1] - a[0]).cross(a[2] - a[0]).normalized();
    const Vector3d normalB = (b[1] - b[0]).cross(b[2] - b[0]).normalized();
    pair.time =
        std::max({pair.time, timeAlong(motion, normalA, a, b), timeAlong(motion, -normalB, a, b)});
  }
  return pair;
}

struct LowerBall {
  Vector3d centre;
  double radius;
};

LowerBall lowerBall(const InnerSphereTree::Arrays& tree, std::int32_t link, double inset) {
  const std::int32_t leaf = ~link;
  const auto slot = static_cast<std::size_t>(leaf);
  const InnerSphereTree::Bounds& bounds = tree.bounds[slot / 4];
  const std::size_t k = slot % 4;
  return {{bounds.x[k], bounds.y[k], bounds.z[k]}, tree.contents[slot / 4].lowerRadius[k] - inset};
}

bool isFinite(const RigidMotion& motion) noexcept {
  return motion.start.matrix().allFinite() && motion.centre.allFinite() &&
         motion.velocity.allFinite() && motion.angularVelocity.allFinite() &&
         std::isfinite(motion.duration);
}

/// Conservative advancement; `taskAt` makes a task of a pose and gives it to its last argument.
template <typename TaskAt>
TimeOfImpact advance(const RigidMotion& motion, const ImpactSettings& settings,
                     const Vector3d& originA, double size, const TaskAt& taskAt,
                     ImpactScratch& scratch) noexcept {
  TimeOfImpact result;
  MotionNow now;
  now.velocity = motion.velocity;
  now.spin = motion.angularVelocity;
  now.spinSpeed = motion.angularVelocity.norm();
  now.reserve = kReserve * settings.tolerance;
  std::int32_t lastA = 0;
  std::int32_t lastB = 0;
  result.status = ImpactStatus::Unfinished;
  while (isFinite(motion) && result.counters.steps < settings.mostSteps) {
    ++result.counters.steps;
    now.centre = motion.centre + result.time * motion.velocity - originA;
    now.speedSlack =
        kSpeedRounding * (now.velocity.norm() + now.spinSpeed * (size + now.centre.norm()));
    FirstToMeet first;
    first.counters = result.counters;
    first.pair.time = motion.duration - result.time;
    taskAt(motion.at(result.time), now, [&](const ImpactTask& task) {
      // what was first at the last pose is early at this one, and cuts off the rest
      if (lastA != 0) {
        const MeasuredPair pair = task.measured(lastA, lastB, first.pair);
        if (pair.time < first.pair.time) {
          first.pair = pair;
          first.a = lastA;
          first.b = lastB;
        }
      }
      TACTUS_LANES_CALL(findFirstToMeet)(task, scratch, first);
    });
    result.counters = first.counters;
    if (first.isCut) {
      result.time += std::min(first.pair.time, first.waiting);
      break;
    }
    if (first.a == 0) {
      result.status = ImpactStatus::NothingHit;
      result.time = motion.duration;
      break;
    }
    lastA = first.a;
    lastB = first.b;
    result.distance = first.pair.gap;
    result.onA = originA + first.pair.onA;
    result.onB = originA + first.pair.onB;
    if (first.pair.gap <= kHit * settings.tolerance &&
        first.pair.time <= kInstant * motion.duration) {
      result.status = ImpactStatus::Hit;
      break;
    }
    result.time += first.pair.time;
  }
  if (result.status != ImpactStatus::Hit) {
    result.distance = 0.0;
    result.onA = result.onB = Vector3d::Zero();
  }
  return result;
}

}  // namespace

MeasuredPair ImpactTask::measured(std::int32_t linkA, std::int32_t linkB,
                                  const MeasuredPair& first) const noexcept {
  if (facets != nullptr)
    return measuredFacets(motion, facets->cornersOfA(~linkA), facets->cornersOfB(~linkB), first);
  const LowerBall a = lowerBall(*balls->a, linkA, inset);
  LowerBall b = lowerBall(*balls->b, linkB, inset);
  b.centre = balls->exactRotation * b.centre + balls->exactOffset;
  const Vector3d apart = b.centre - a.centre;
  const double distance = apart.norm();
  const Vector3d n = distance > 0.0 ? Vector3d(apart / distance) : Vector3d::UnitX();
  // a ball turning about itself goes nowhere: its centre's motion is all of it
  const double gap = distance - a.radius - b.radius;
  const double time = gap > 0.0 ? timeUntil(motion, n, gap, b.centre) : 0.0;
  return {time, std::max(0.0, gap), a.centre + a.radius * n, b.centre - b.radius * n, n};
}

ImpactScratch::ImpactScratch() {
  constexpr std::size_t kBehind = 16;  // appending writes whole registers
  a.resize(kStackEntries + kBehind);
  b.resize(kStackEntries + kBehind);
  time.resize(kStackEntries + kBehind);
}

TimeOfImpact timeOfImpact(const TouchBody& a, const TouchBody& b, const RigidMotion& motion,
                          const ImpactSettings& settings, TouchScratch& touch,
                          ImpactScratch& scratch) noexcept {
  TimeOfImpact result;
  result.time = motion.duration;
  if (a.facets.empty() || b.facets.empty()) return result;
  const SolidsTouch atStart = solidsTouch(a, b, motion.start, touch, settings.mostNodePairs);
  if (atStart.touch || atStart.reason == TouchReason::Undecided) {
    result.status = atStart.touch ? ImpactStatus::StartsInContact : ImpactStatus::Unfinished;
    result.time = 0.0;
    return result;
  }
  const auto taskAt = [&](const Eigen::Isometry3d& pose, const MotionNow& now, const auto& ask) {
    const PosedFacets posed(a.facets, b.facets, pose);
    ImpactTask task;
    task.motion = now;
    task.facets = &posed;
    task.mostNodePairs = settings.mostNodePairs;
    ask(task);
  };
  return advance(motion, settings, a.facets.origin(), a.facets.radius() + b.facets.radius(), taskAt,
                 scratch);
}

TimeOfImpact timeOfImpactOfCores(const InnerSphereTree& a, const InnerSphereTree& b, double inset,
                                 const RigidMotion& motion, const ImpactSettings& settings,
                                 ImpactScratch& scratch) noexcept {
  TimeOfImpact result;
  result.time = motion.duration;
  if (a.leafCount() == 0 || b.leafCount() == 0) return result;
  const auto taskAt = [&](const Eigen::Isometry3d& pose, const MotionNow& now, const auto& ask) {
    const PosedBalls posed(a, b, pose);
    ImpactTask task;
    task.motion = now;
    task.balls = &posed;
    task.inset = inset;
    task.mostNodePairs = settings.mostNodePairs;
    ask(task);
  };
  result = advance(
      motion, settings, a.origin(),
      static_cast<double>(a.bounds()[0].radius[0]) + static_cast<double>(b.bounds()[0].radius[0]),
      taskAt, scratch);
  if (result.status == ImpactStatus::Hit && !(result.distance > 0.0)) {
    result.status = ImpactStatus::StartsInContact;
    result.time = 0.0;
  }
  return result;
}

}  // namespace tactus::collision
#endif
