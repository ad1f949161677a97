#include "collision/surface/facet_distance.hpp"

#include <algorithm>
#include <array>
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
                      std::uint32_t mostNodePairs, ClosestFacets& closest)
      : p_(posed), s_(scratch), closest_(closest), most_(mostNodePairs) {
    const Levels a = levelsOf(*p_.a);
    const Levels b = levelsOf(*p_.b);
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
      if (closest_.counters.nodePairs >= most_) {
        measure();
        endWith(waiting);
        return;
      }
      waiting = openSome<false>(waiting);
      if (waiting > FacetDistanceScratch::kStackEntries) {
        closest_.counters.stackWasFull = true;
        break;
      }
      if (candidates_ >= kEnough) measure();
    }
    measure();
  }

 private:
  static constexpr std::size_t kAtOnce = 4;  // as FourPairs
  // Candidates that are worth measuring: the nearest of so many makes most others superfluous. With
  // 16 the searches between five pairs of meshes took a fifth longer.
  static constexpr std::size_t kEnough = 64;
  static_assert(kEnough + kAtOnce * kLanes + kLanes <= FacetDistanceScratch::kCandidates);
  // From 1 to 10 a dive finds bounds equally good; without centres a third more pairs are opened.
  static constexpr float kWeightOfCentres = 3.0F;

  // 4^17 triangles
  static constexpr std::size_t kMostLevels = 18;

  /// First blocks of a tree's levels, which are numbered breadth first.
  struct Levels {
    std::array<std::int32_t, kMostLevels> first{};
    std::size_t count = 0;
  };
  static Levels levelsOf(const FacetHierarchy::Arrays& tree) {
    Levels levels;
    for (std::int32_t link = 0; link >= 0 && levels.count < kMostLevels;
         link = tree.links[4 * static_cast<std::size_t>(link)])
      levels.first[levels.count++] = link;
    return levels;
  }

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
    closest_.isCut = closest_.waiting < closest_.distance;
  }

  /// Goes straight down by the four pairs of each level that seem nearest, for a first bound.
  LANES_INLINE void dive() {
    std::size_t waiting = waitAtRoots();
    while (waiting != 0 && candidates_ == 0) {
      waiting = openSome<true>(waiting);
      for (std::size_t i = 0; i < std::min(waiting, kAtOnce); ++i)
        bringSmallest(i, waiting, i);
      waiting = std::min(waiting, kAtOnce);
    }
    measure();
  }

  /// Puts the pair of the smallest number among [first, last) at a place within.
  LANES_INLINE void bringSmallest(std::size_t first, std::size_t last, std::size_t to) {
    std::size_t best = first;
    for (std::size_t i = first + 1; i < last; ++i) {
      if (s_.least[i] < s_.least[best]) best = i;
    }
    std::swap(s_.a[best], s_.a[to]);
    std::swap(s_.b[best], s_.b[to]);
    std::swap(s_.least[best], s_.least[to]);
  }

  /// Opens the last few of the waiting pairs; returns how many wait then. In a dive a pair's number
  /// is no bound but how near it seems: most pairs near the roots might be at no distance at all,
  /// so that their centres tell more.
  template <bool isDive>
  [[gnu::noinline]] std::size_t openSome(std::size_t waiting) {
    std::array<std::int32_t, kAtOnce> a;
    std::array<std::int32_t, kAtOnce> b;
    std::size_t count = 0;
    while (waiting != 0 && count != kAtOnce) {
      --waiting;
      if (!isDive && s_.least[waiting] >= closest_.distance) continue;
      a[count] = s_.a[waiting];
      b[count++] = s_.b[waiting];
    }
    if (count == 0) return 0;
    closest_.counters.nodePairs += static_cast<std::uint32_t>(count);
    const FourPairs four(p_, a.data(), b.data(), count);
    const std::size_t before = waiting;
    for (std::size_t k = 0; k < count; ++k) {
      const Gaps gaps = four.gaps(p_, k);
      const F32x16 least = gaps.least() - p_.slack;
      const auto near = maskOf<std::int32_t>(least < closest_.distance) & four.there(k);
      I32x16 linkA = repeat4(p_.a->links.data() + 4 * four.a[k].block);
      I32x16 linkB = tile4(p_.b->links.data() + 4 * four.b[k].block);
      if (four.a[k].block == 0 && four.b[k].block < waitOfA_) linkA = select(linkB < 0, linkA, 0);
      if (four.b[k].block == 0 && four.a[k].block < waitOfB_) linkB = select(linkA < 0, linkB, 0);
      const auto leaves = near & (linkA < 0) & (linkB < 0);
      const auto nodes = near & !leaves;
      append(linkA, nodes, s_.a.data() + waiting);
      append(linkB, nodes, s_.b.data() + waiting);
      const F32x16 rank = isDive ? least + kWeightOfCentres * gaps.centres : least;
      waiting += append(rank, maskOf<float>(nodes), s_.least.data() + waiting);
      if (none(leaves)) continue;
      append(linkA, leaves, s_.candidatesA.data() + candidates_);
      append(linkB, leaves, s_.candidatesB.data() + candidates_);
      candidates_ += append(least, maskOf<float>(leaves), s_.candidatesLeast.data() + candidates_);
    }
    for (std::size_t i = before; i < waiting; ++i) {
      fetch(*p_.a, s_.a[i]);
      fetch(*p_.b, s_.b[i]);
    }
    // the most promising one is opened next
    if (!isDive && waiting != before) bringSmallest(before, waiting, waiting - 1);
    return waiting;
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
      const auto near = (least < closest_.distance) & firstLanes<float>(candidates_ - i);
      append(a, maskOf<std::int32_t>(near), s_.candidatesA.data() + kept);
      append(b, maskOf<std::int32_t>(near), s_.candidatesB.data() + kept);
      kept += append(least, near, s_.candidatesLeast.data() + kept);
    }
    candidates_ = kept;
  }

  [[gnu::noinline]] void measure() {
    sift(0);
    for (std::size_t i = 0; i < candidates_; ++i) {
      const std::int32_t leafA = ~s_.candidatesA[i];
      const std::int32_t leafB = ~s_.candidatesB[i];
      __builtin_prefetch(&p_.a->corners[static_cast<std::size_t>(leafA)]);
      __builtin_prefetch(&p_.b->corners[static_cast<std::size_t>(leafB)]);
    }
    for (std::size_t i = 0; i < candidates_; i += kLanes) {
      const std::size_t n = std::min(kLanes, candidates_ - i);
      closest_.counters.facetPairs += static_cast<std::uint32_t>(n);
      std::array<std::int32_t, kLanes> a;
      std::array<std::int32_t, kLanes> b;
      for (std::size_t k = 0; k < n; ++k) {
        a[k] = ~s_.candidatesA[i + k];
        b[k] = ~s_.candidatesB[i + k];
      }
      const LeafDistances distances = leafDistances(p_, a.data(), b.data(), n);
      for (std::size_t k = 0; k < n; ++k) {
        if (distances[k] > closest_.distance) continue;
        if (distances[k] == closest_.distance &&
            std::pair(a[k], b[k]) >= std::pair(closest_.a, closest_.b))
          continue;
        closest_.distance = distances[k];
        closest_.a = a[k];
        closest_.b = b[k];
      }
      sift(i + n);
    }
    candidates_ = 0;
  }

  const PosedFacets& p_;
  FacetDistanceScratch& s_;
  ClosestFacets& closest_;
  const std::uint32_t most_;
  std::size_t candidates_ = 0;
  // The root of the lower tree waits until the other one's nodes are as high as its own, which are
  // from this block on: so leaves meet leaves, and no vector is half empty.
  std::int32_t waitOfA_ = 0, waitOfB_ = 0;
};

void search(const PosedFacets& posed, FacetDistanceScratch& scratch, std::uint32_t mostNodePairs,
            ClosestFacets& closest) noexcept {
  Search(posed, scratch, mostNodePairs, closest).run();
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

FacetDistanceScratch::FacetDistanceScratch()
    : a(kStackEntries + 64),
      b(kStackEntries + 64),
      least(kStackEntries + 64),
      candidatesA(kCandidates),
      candidatesB(kCandidates),
      candidatesLeast(kCandidates) {}

FacetDistance facetDistance(const FacetHierarchy& a, const FacetHierarchy& b,
                            const Eigen::Isometry3d& aFromB, FacetDistanceScratch& scratch,
                            std::uint32_t mostNodePairs) noexcept {
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
  TACTUS_LANES_CALL(search)(posed, scratch, mostNodePairs, closest);
  scratch.remember(a, b, closest.a, closest.b);
  result.counters = closest.counters;
  result.isCut = closest.isCut;
  if (closest.a < 0) return result;
  result.facetA = a.arrays().facets[static_cast<std::size_t>(closest.a)];
  result.facetB = b.arrays().facets[static_cast<std::size_t>(closest.b)];
  const NearestPoints nearest = posed.nearest(closest.a, closest.b);
  result.distance = std::sqrt(nearest.squaredDistance);
  result.least = std::min(posed.certainOf(result.distance),
                          std::max(0.0, static_cast<double>(closest.waiting)));
  result.onA = nearest.onA + a.origin();
  result.onB = nearest.onB + a.origin();
  return result;
}

}  // namespace tactus::collision
#endif
