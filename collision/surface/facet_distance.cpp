#include "collision/surface/facet_distance.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "collision/surface/far_distance.hpp"
#include "collision/surface/leaf_distances.hpp"
#include "collision/surface/posed_facets.hpp"

#define TACTUS_LANES_FILE "collision/surface/facet_distance.cpp"
#include "models/lanes/lanes.hpp"
// The next one is read once a target as well.
#include "collision/surface/capped_ball_lanes.hpp"

#ifndef TACTUS_COLLISION_SURFACE_FACET_DISTANCE_ONCE
#define TACTUS_COLLISION_SURFACE_FACET_DISTANCE_ONCE
namespace tactus::collision {

/// The closest pair of leaves so far; of equally close ones that of the lowest numbers.
struct ClosestFacets {
  float distance = std::numeric_limits<float>::infinity();
  std::int32_t a = -1, b = -1;
  /// What was not looked at is not closer than this, if the search was cut.
  float waiting = std::numeric_limits<float>::infinity();
  bool isCut = false;
  FacetDistanceCounters counters;
};

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

class Search {
 public:
  LANES_INLINE Search(const PosedFacets& posed, FacetDistanceScratch& scratch,
                      const FacetSearchLimits& limits, ClosestFacets& closest)
      : p_(posed),
        s_(scratch),
        closest_(closest),
        most_(limits.nodePairs),
        share_(static_cast<float>(limits.share)) {
    const FacetHierarchy::Levels& a = *p_.levelsOfA;
    const FacetHierarchy::Levels& b = *p_.levelsOfB;
    if (a.count > b.count) waitOfB_ = a.first[a.count - b.count];
    if (b.count > a.count) waitOfA_ = b.first[b.count - a.count];
  }

  LANES_INLINE void run() {
    if (s_.lastA >= 0) {
      addCandidate(s_.lastA, s_.lastB);
      measure();
    } else {
      dive();
    }
    std::size_t waiting = waitAtRoots();
    while (waiting != 0) {
      const std::size_t most = most_ - std::min(most_, closest_.counters.nodePairs);
      if (most == 0) {
        measure();
        endWith(waiting);
        return;
      }
      const std::size_t first = waiting - std::min({waiting, kChunk, most});
      const std::size_t count = takeNear(first, waiting);
      waiting = open<false>(count, first);
      if (waiting + kChunk * kLanes > FacetDistanceScratch::kStackEntries) {
        closest_.counters.stackWasFull = true;
        break;
      }
      if (candidates_ >= kEnough) measure();
    }
    measure();
  }

 private:
  static constexpr std::size_t kChunk = FacetDistanceScratch::kChunk;
  static_assert(kChunk == PairsOfNodes::kMost);
  static constexpr std::size_t kEnough = FacetDistanceScratch::kEnough;
  // Pairs that a dive goes on with. With 8 the bound was hardly better, and choosing them dearer.
  static constexpr std::size_t kBeam = 4;
  // From 1 to 10 a dive finds bounds equally good; without centres a third more pairs are opened.
  static constexpr float kWeightOfCentres = 3.0F;

  /// What is closer than this is looked at.
  [[nodiscard]] LANES_INLINE float near() const { return share_ * closest_.distance; }

  LANES_INLINE std::size_t waitAtRoots() {
    s_.a[0] = 0;
    s_.b[0] = 0;
    s_.least[0] = -std::numeric_limits<float>::infinity();
    return 1;
  }

  /// Leaves what waits as it is.
  LANES_INLINE void endWith(std::size_t waiting) {
    for (std::size_t i = 0; i < waiting; ++i)
      closest_.waiting = std::min(closest_.waiting, s_.least[i]);
    closest_.isCut = closest_.waiting < near();
  }

  /// Goes straight down by the few pairs of each level that seem nearest, for a first bound.
  LANES_INLINE void dive() {
    std::size_t waiting = waitAtRoots();
    while (waiting != 0 && candidates_ == 0)
      waiting = open<true>(keepNearest(waiting), 0);
    measure();
  }

  /// Of the first pairs, those of the smallest numbers, in their order; returns how many.
  LANES_INLINE std::size_t keepNearest(std::size_t waiting) {
    // numbers and places as one integer each: no branch depends on what is nearer
    constexpr std::uint32_t kSign = 0x80000000U;
    std::array<std::uint64_t, kBeam> nearest;
    nearest.fill(~std::uint64_t{0});
    for (std::size_t i = 0; i < waiting; ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(s_.least[i]);
      const std::uint32_t ordered = (bits & kSign) != 0 ? ~bits : bits | kSign;
      std::uint64_t next = static_cast<std::uint64_t>(ordered) << 32U | i;
      for (std::uint64_t& kept : nearest) {
        const std::uint64_t further = std::max(kept, next);
        kept = std::min(kept, next);
        next = further;
      }
    }
    const std::size_t count = std::min(waiting, kBeam);
    for (std::size_t n = 0; n < count; ++n) {
      const auto from = static_cast<std::uint32_t>(nearest[n]);
      s_.chunkA[n] = s_.a[from];
      s_.chunkB[n] = s_.b[from];
    }
    return count;
  }

  /// Moves what of [first, last) is near enough from the stack to the chunk; returns how many.
  LANES_INLINE std::size_t takeNear(std::size_t first, std::size_t last) {
    std::size_t count = 0;
    for (std::size_t i = first; i < last; i += kLanes) {
      const auto isNear = maskOf<std::int32_t>(load(s_.least.data() + i) < near()) &
                          (laneNumbers() < static_cast<std::int32_t>(last - i));
      append(load(s_.a.data() + i), isNear, s_.chunkA.data() + count);
      count += append(load(s_.b.data() + i), isNear, s_.chunkB.data() + count);
    }
    return count;
  }

  /// Opens the pairs of the chunk; returns how many wait then. In a dive a pair's number is no
  /// bound but how near it seems: most pairs near the roots might be at no distance at all, so that
  /// their centres tell more.
  template <bool isDive>
  [[gnu::noinline]] std::size_t open(std::size_t count, std::size_t waiting) {
    closest_.counters.nodePairs += static_cast<std::uint32_t>(count);
    // copies: what is stored might be any of these, as far as the compiler knows
    const FacetHierarchy::Caps* const capsA = p_.a->caps.data();
    const FacetHierarchy::Caps* const capsB = p_.b->caps.data();
    const std::int32_t* const linksA = p_.a->links.data();
    const std::int32_t* const linksB = p_.b->links.data();
    std::int32_t* const toA = s_.a.data();
    std::int32_t* const toB = s_.b.data();
    float* const toLeast = s_.least.data();
    const std::size_t before = waiting;
    const F32x16 slack = p_.slack;
    const F32x16 best = near();
    const std::int32_t waitOfA = waitOfA_;
    const std::int32_t waitOfB = waitOfB_;
    PairsOfNodes pairs;
    pairs.set(p_, s_.chunkA.data(), s_.chunkB.data(), count);
    alignas(64) std::array<float, kLanes * kChunk> leasts;
    std::array<float, isDive ? kLanes * kChunk : kLanes> centres;
    std::array<std::uint32_t, kChunk> bits;
    std::array<std::uint32_t, kChunk + 1> withAny;
    std::size_t any = 0;
    alignas(64) std::array<std::array<float, kLanes * kChunk>, 4> stands;
    for (std::size_t k = 0; k < count; ++k) {
      const CapsApart apart = pairs.apart(capsA, k);
      store(apart.squared, stands[0].data() + kLanes * k);
      store(apart.alongA, stands[1].data() + kLanes * k);
      store(apart.againstB, stands[2].data() + kLanes * k);
      store(apart.facing, stands[3].data() + kLanes * k);
    }
    for (std::size_t k = 0; k < count; ++k) {
      const auto stand = [&](std::size_t i) { return stands[i].data() + kLanes * k; };
      const Gaps gaps = pairs.gaps({load(stand(0)), load(stand(1)), load(stand(2)), load(stand(3))},
                                   capsA, capsB, k);
      const F32x16 least = gaps.least() - slack;
      store(least, leasts.data() + kLanes * k);
      if constexpr (isDive) store(gaps.centres, centres.data() + kLanes * k);
      bits[k] = bitsOf(least < best) & pairs.there(k);
      withAny[any] = static_cast<std::uint32_t>(k);
      any += bits[k] != 0 ? 1 : 0;
    }
    for (std::size_t n = 0; n < any; ++n) {
      const std::size_t k = withAny[n];
      const auto near = maskOfBits(bits[k]);
      const std::int32_t blockA = pairs.a[k].block;
      const std::int32_t blockB = pairs.b[k].block;
      I32x16 linkA = repeat4(linksA + 4 * blockA);
      I32x16 linkB = tile4(linksB + 4 * blockB);
      if (blockA == 0 && blockB < waitOfA) linkA = select(linkB < 0, linkA, 0);
      if (blockB == 0 && blockA < waitOfB) linkB = select(linkA < 0, linkB, 0);
      F32x16 rank = load(leasts.data() + kLanes * k);
      if constexpr (isDive) {
        const auto leaves = maskOf<float>((linkA < 0) & (linkB < 0));
        rank = select(leaves, rank, rank + kWeightOfCentres * load(centres.data() + kLanes * k));
      }
      append(linkA, near, toA + waiting);
      append(linkB, near, toB + waiting);
      waiting += append(rank, maskOf<float>(near), toLeast + waiting);
    }
    return moveLeaves(before, waiting);
  }

  /// Of the pairs from `first` on, those of two leaves become candidates. Whether there are any is
  /// as good as random, so that to ask for each pair of nodes took 6 % longer.
  LANES_INLINE std::size_t moveLeaves(std::size_t first, std::size_t last) {
    std::int32_t* const allA = s_.a.data();
    std::int32_t* const allB = s_.b.data();
    float* const allLeast = s_.least.data();
    std::int32_t* const toA = s_.candidatesA.data();
    std::int32_t* const toB = s_.candidatesB.data();
    float* const toLeast = s_.candidatesLeast.data();
    std::size_t kept = first;
    std::size_t candidates = candidates_;
    for (std::size_t i = first; i < last; i += kLanes) {
      const I32x16 a = load(allA + i);
      const I32x16 b = load(allB + i);
      const F32x16 least = load(allLeast + i);
      const auto there = laneNumbers() < static_cast<std::int32_t>(last - i);
      const auto leaves = there & (a < 0) & (b < 0);
      const auto nodes = there & !leaves;
      append(a, leaves, toA + candidates);
      append(b, leaves, toB + candidates);
      candidates += append(least, maskOf<float>(leaves), toLeast + candidates);
      append(a, nodes, allA + kept);
      append(b, nodes, allB + kept);
      kept += append(least, maskOf<float>(nodes), allLeast + kept);
    }
    for (std::size_t i = first; i < kept; ++i) {
      fetch(*p_.a, allA[i]);
      fetch(*p_.b, allB[i]);
    }
    for (std::size_t i = candidates_; i < candidates; ++i) {
      fetchCorners(*p_.a, toA[i]);
      fetchCorners(*p_.b, toB[i]);
    }
    candidates_ = candidates;
    return kept;
  }

  /// It is opened soon: by then its children should be at hand.
  LANES_INLINE static void fetch(const FacetHierarchy::Arrays& tree, std::int32_t link) {
    if (link < 0) return;
    const auto block = static_cast<std::size_t>(link);
    const auto* const caps = reinterpret_cast<const char*>(tree.caps.data() + block);
    __builtin_prefetch(caps);
    __builtin_prefetch(caps + 64);
    __builtin_prefetch(tree.links.data() + 4 * block);
  }

  LANES_INLINE static void fetchCorners(const FacetHierarchy::Arrays& tree, std::int32_t link) {
    const auto* const corners =
        reinterpret_cast<const char*>(tree.corners.data() + static_cast<std::size_t>(~link));
    __builtin_prefetch(corners);
    __builtin_prefetch(corners + sizeof tree.corners[0] - 1);
  }

  /// By the numbers of two leaves.
  LANES_INLINE void addCandidate(std::int32_t leafA, std::int32_t leafB) {
    s_.candidatesA[candidates_] = ~leafA;
    s_.candidatesB[candidates_] = ~leafB;
    s_.candidatesLeast[candidates_++] = 0.0F;
  }

  /// Drops the candidates from `first` on that are too far by now.
  LANES_INLINE void sift(std::size_t first) {
    std::size_t kept = first;
    for (std::size_t i = first; i < candidates_; i += kLanes) {
      const F32x16 least = load(s_.candidatesLeast.data() + i);
      const I32x16 a = load(s_.candidatesA.data() + i);
      const I32x16 b = load(s_.candidatesB.data() + i);
      const auto isNear = (least < near()) & firstLanes<float>(candidates_ - i);
      append(a, maskOf<std::int32_t>(isNear), s_.candidatesA.data() + kept);
      append(b, maskOf<std::int32_t>(isNear), s_.candidatesB.data() + kept);
      kept += append(least, isNear, s_.candidatesLeast.data() + kept);
    }
    candidates_ = kept;
  }

  /// Leaves of up to sixteen candidates, by their numbers.
  struct Leaves {
    std::array<std::int32_t, kLanes> a, b;
    std::size_t count;
  };
  LANES_INLINE Leaves leavesFrom(std::size_t first) const {
    Leaves leaves;
    leaves.count = std::min(kLanes, candidates_ - first);
    for (std::size_t k = 0; k < leaves.count; ++k) {
      leaves.a[k] = ~s_.candidatesA[first + k];
      leaves.b[k] = ~s_.candidatesB[first + k];
    }
    return leaves;
  }

  [[gnu::noinline]] void measure() {
    sift(0);
    // three directions from the triangles themselves take a third of the time of a distance, and
    // three of four pairs need nothing else
    if (candidates_ > kLanes) {
      for (std::size_t i = 0; i < candidates_; i += kLanes) {
        const Leaves of = leavesFrom(i);
        const LeafDistances gaps = leafGaps(p_, of.a.data(), of.b.data(), of.count);
        float* const least = s_.candidatesLeast.data() + i;
        store(max(load(least), load(gaps.data()) - p_.slack), least);
      }
      sift(0);
    }
    for (std::size_t i = 0; i < candidates_; i += kLanes) {
      const Leaves of = leavesFrom(i);
      closest_.counters.facetPairs += static_cast<std::uint32_t>(of.count);
      const LeafDistances distances = leafDistances(p_, of.a.data(), of.b.data(), of.count);
      for (std::size_t k = 0; k < of.count; ++k) {
        if (distances[k] > closest_.distance) continue;
        if (distances[k] == closest_.distance &&
            std::pair(of.a[k], of.b[k]) >= std::pair(closest_.a, closest_.b))
          continue;
        closest_.distance = distances[k];
        closest_.a = of.a[k];
        closest_.b = of.b[k];
      }
      sift(i + of.count);
    }
    candidates_ = 0;
  }

  const PosedFacets& p_;
  FacetDistanceScratch& s_;
  ClosestFacets& closest_;
  const std::uint32_t most_;
  const float share_;
  std::size_t candidates_ = 0;
  // The root of the lower tree waits until the other one's nodes are as high as its own, which are
  // from this block on: so leaves meet leaves, and no vector is half empty.
  std::int32_t waitOfA_ = 0, waitOfB_ = 0;
};

void search(const PosedFacets& posed, FacetDistanceScratch& scratch,
            const FacetSearchLimits& limits, ClosestFacets& closest) noexcept {
  Search(posed, scratch, limits, closest).run();
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

FacetDistanceScratch::FacetDistanceScratch()
    : a(kStackEntries + 64),
      b(kStackEntries + 64),
      least(kStackEntries + 64),
      chunkA(kChunk + 64),
      chunkB(kChunk + 64),
      candidatesA(kCandidates),
      candidatesB(kCandidates),
      candidatesLeast(kCandidates) {}

FacetDistance facetDistance(const FacetHierarchy& a, const FacetHierarchy& b,
                            const Eigen::Isometry3d& aFromB, FacetDistanceScratch& scratch,
                            const FacetSearchLimits& limits) noexcept {
  FacetDistance result;
  if (a.empty() || b.empty()) return result;
  const PosedFacets posed(a, b, aFromB);
  if (areFarApart(posed)) {
    scratch.forget();
    return farDistance(a, b, posed);
  }
  // a leaf's number says nothing of other surfaces, which may not even have as many
  const auto isLeafOf = [](std::int32_t leaf, const FacetHierarchy& of, const void* known) {
    return known == of.arrays().corners.data() &&
           leaf < static_cast<std::int64_t>(of.arrays().corners.size());
  };
  if (!isLeafOf(scratch.lastA, a, scratch.ofA) || !isLeafOf(scratch.lastB, b, scratch.ofB))
    scratch.forget();
  ClosestFacets closest;
  TACTUS_LANES_CALL(search)(posed, scratch, limits, closest);
  scratch.remember(a, b, closest.a, closest.b);
  result.counters = closest.counters;
  result.isCut = closest.isCut;
  if (closest.a < 0) return result;
  result.facetA = a.arrays().facets[static_cast<std::size_t>(closest.a)];
  result.facetB = b.arrays().facets[static_cast<std::size_t>(closest.b)];
  const NearestPoints nearest = posed.nearest(closest.a, closest.b);
  result.distance = std::sqrt(nearest.squaredDistance);
  result.least = std::min(limits.share * posed.certainOf(result.distance),
                          std::max(0.0, static_cast<double>(closest.waiting)));
  result.onA = nearest.onA + a.origin();
  result.onB = nearest.onB + a.origin();
  return result;
}

}  // namespace tactus::collision
#endif
