#include "collision/tree/penetration_volume.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "collision/tree/lens_stream.hpp"
#include "collision/tree/lens_sums.hpp"
#include "collision/tree/posed_trees.hpp"

#define TACTUS_LANES_FILE "collision/tree/penetration_volume.cpp"
#include "models/lanes/lanes.hpp"
// The next one is read once a target as well.
#include "models/lanes/short_append.hpp"

#ifndef TACTUS_COLLISION_TREE_PENETRATION_VOLUME_ONCE
#define TACTUS_COLLISION_TREE_PENETRATION_VOLUME_ONCE
namespace tactus::collision {

using Bounds = InnerSphereTree::Bounds;
using Contents = InnerSphereTree::Contents;

/// What the kernel sums up.
struct PenetrationTotals {
  LensSums lenses;
  double wholeVolume = 0.0, wholeLower = 0.0;  ///< of nodes within a leaf of the other tree
  bool queueWasFull = false;
  PenetrationCounters counters;
};

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

constexpr std::size_t kAhead = 8;
constexpr std::size_t kSweep = PenetrationScratch::kSweep;
constexpr std::size_t kStride = PenetrationScratch::kLensesHeld + kLanes;

struct Place {
  F32x16 x, y, z, radius;
};

class Walk {
 public:
  LANES_INLINE Walk(const PosedTrees& posed, const LensTask& task, PenetrationScratch& scratch,
                    ContactCells* contacts, PenetrationTotals& totals)
      : p_(posed),
        task_(task),
        s_(scratch),
        contacts_(contacts),
        wantsLinks_(contacts != nullptr && contacts->wantsLinks()),
        totals_(totals) {}

  LANES_INLINE void run() {
    s_.nodes[0].a[0] = 0;
    s_.nodes[0].b[0] = 0;
    s_.nodes[0].count = 1;
    s_.leafOfA[0].count = s_.leafOfB[0].count = 0;
    std::size_t now = 0;
    while (s_.nodes[now].count + s_.leafOfA[now].count + s_.leafOfB[now].count != 0) {
      next_ = 1 - now;
      s_.nodes[next_].count = s_.leafOfA[next_].count = s_.leafOfB[next_].count = 0;
      openNodes(s_.nodes[now]);
      openLeaves<true>(s_.leafOfA[now]);
      openLeaves<false>(s_.leafOfB[now]);
      now = next_;
    }
    sumLenses();
    finish();
  }

 private:
  /// B's balls turned into A's axes; `x y z` about B's origin.
  LANES_INLINE Place turned(F32x16 x, F32x16 y, F32x16 z, F32x16 radius) const {
    const auto& r = p_.rotation;
    return {r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z,
            r[6] * x + r[7] * y + r[8] * z, radius};
  }

  struct Meeting {
    F32x16 dx, dy, dz, squared;
  };
  LANES_INLINE Meeting meet(const Place& a, const Place& b) const {
    const F32x16 dx = (b.x + p_.offset[0]) - a.x;
    const F32x16 dy = (b.y + p_.offset[1]) - a.y;
    const F32x16 dz = (b.z + p_.offset[2]) - a.z;
    return {dx, dy, dz, dx * dx + dy * dy + dz * dz};
  }

  LANES_INLINE void push(PenetrationScratch::Queue& queue, LaneMask<std::int32_t> which, I32x16 a,
                         I32x16 b) {
    append(a, which, queue.a.data() + queue.count);
    queue.count += append(b, which, queue.b.data() + queue.count);
    if (queue.count > PenetrationScratch::kQueueEntries) {
      queue.count = PenetrationScratch::kQueueEntries;
      totals_.queueWasFull = true;
    }
  }

  /// What lenses need of one tree's leaves.
  struct Leaves {
    F32x16 cell, lower, depth;
  };

  template <bool isShort>
  LANES_INLINE std::size_t putLenses(LaneMask<float> which, const Meeting& m, const Place& placeB,
                                     const Leaves& a, const Leaves& b) {
    float* const to = s_.lenses.data() + lenses_;
    put<isShort>(m.dx, which, to + kDx * kStride);
    put<isShort>(m.dy, which, to + kDy * kStride);
    put<isShort>(m.dz, which, to + kDz * kStride);
    put<isShort>(placeB.x, which, to + kBx * kStride);
    put<isShort>(placeB.y, which, to + kBy * kStride);
    put<isShort>(placeB.z, which, to + kBz * kStride);
    put<isShort>(a.cell, which, to + kRa * kStride);
    put<isShort>(b.cell, which, to + kRb * kStride);
    put<isShort>(a.lower, which, to + kLa * kStride);
    if (task_.law != EnergyLaw::Volume) {
      put<isShort>(a.depth, which, to + kDepthA * kStride);
      put<isShort>(b.depth, which, to + kDepthB * kStride);
    }
    return put<isShort>(b.lower, which, to + kLb * kStride);
  }

  template <bool isShort>
  LANES_INLINE static std::size_t put(F32x16 v, LaneMask<float> which, float* to) {
    if constexpr (isShort) return shortAppend(v, which, to);
    return append(v, which, to);
  }

  /// Keeps pairs of leaves whose cell balls meet.
  LANES_INLINE void keepLenses(LaneMask<std::int32_t> leaves, const Meeting& m, const Place& placeB,
                               const Leaves& a, const Leaves& b, I32x16 linkA, I32x16 linkB) {
    const F32x16 reach = a.cell + b.cell;
    const auto which = maskOf<float>(leaves) & (m.squared < reach * reach);
    if (wantsLinks_) {
      append(linkA, maskOf<std::int32_t>(which), contacts_->linksOfA() + lenses_);
      append(linkB, maskOf<std::int32_t>(which), contacts_->linksOfB() + lenses_);
    }
    // most are two or three, of up to sixteen
    lenses_ += countOf(which) <= kShortAppend ? putLenses<true>(which, m, placeB, a, b)
                                              : putLenses<false>(which, m, placeB, a, b);
    if (lenses_ > PenetrationScratch::kLensesHeld - kLanes) sumLenses();
  }

  /// Pairs of nodes in three sweeps. Whether children meet is as good as random, and so would be
  /// the branches: each sweep keeps a list of what the next one has to do instead.
  [[gnu::noinline]] void openNodes(PenetrationScratch::Queue& queue) {
    totals_.counters.nodePairs += static_cast<std::uint32_t>(queue.count);
    const std::size_t count = paddedNodes(queue);
    for (std::size_t begin = 0; begin < count; begin += kSweep) {
      const std::size_t end = std::min(begin + kSweep, count);
      const std::size_t meeting = findMeetings(queue, begin, end);
      const std::size_t leaves = sortChildren(queue, meeting);
      for (std::size_t n = 0; n < leaves; ++n)
        addLeaves(queue, n);
    }
  }

  /// First sweep: which of the 4 x 4 children meet. Returns the number of pairs in meetings_.
  [[gnu::noinline]] std::size_t findMeetings(const PenetrationScratch::Queue& queue,
                                             std::size_t begin, std::size_t end) {
    std::size_t meeting = 0;
    alignas(64) std::array<float, 3 * kLanes> turnedB;
    for (std::size_t i = begin; i < end; i += 4) {
      const std::size_t soon = std::min(i + kAhead, end - 4);
      for (std::size_t k = 0; k < 4; ++k) {
        __builtin_prefetch(p_.boundsA + queue.a[soon + k]);
        __builtin_prefetch(p_.boundsB + queue.b[soon + k]);
      }
      const Bounds& b0 = p_.boundsB[queue.b[i]];
      const Bounds& b1 = p_.boundsB[queue.b[i + 1]];
      const Bounds& b2 = p_.boundsB[queue.b[i + 2]];
      const Bounds& b3 = p_.boundsB[queue.b[i + 3]];
      const Place b = turned(join4(b0.x.data(), b1.x.data(), b2.x.data(), b3.x.data()),
                             join4(b0.y.data(), b1.y.data(), b2.y.data(), b3.y.data()),
                             join4(b0.z.data(), b1.z.data(), b2.z.data(), b3.z.data()), 0.0F);
      store(b.x + p_.offset[0], turnedB.data());
      store(b.y + p_.offset[1], turnedB.data() + kLanes);
      store(b.z + p_.offset[2], turnedB.data() + 2 * kLanes);
      for (std::size_t k = 0; k < 4; ++k) {
        const Bounds& boundsA = p_.boundsA[queue.a[i + k]];
        const Bounds& boundsB = p_.boundsB[queue.b[i + k]];
        const F32x16 dx = tile4(turnedB.data() + 4 * k) - repeat4(boundsA.x.data());
        const F32x16 dy = tile4(turnedB.data() + kLanes + 4 * k) - repeat4(boundsA.y.data());
        const F32x16 dz = tile4(turnedB.data() + 2 * kLanes + 4 * k) - repeat4(boundsA.z.data());
        const F32x16 reach =
            repeat4(boundsA.radius.data()) + (tile4(boundsB.radius.data()) + p_.slack);
        const std::uint32_t bits = bitsOf(dx * dx + dy * dy + dz * dz < reach * reach);
        s_.meetings[meeting] = static_cast<std::uint32_t>(i + k);
        s_.meetingBits[meeting] = bits;
        meeting += bits != 0 ? 1 : 0;
      }
    }
    return meeting;
  }

  /// Second sweep: sends pairs of children to the queues they belong to. Returns the number of
  /// pairs of nodes with leaves that meet.
  [[gnu::noinline]] std::size_t sortChildren(const PenetrationScratch::Queue& queue,
                                             std::size_t meeting) {
    std::size_t leaves = 0;
    std::size_t found = 0;
    // copies: what is stored might be any of these, as far as the compiler knows
    const std::int32_t* const queuedA = queue.a.data();
    const std::int32_t* const queuedB = queue.b.data();
    std::uint32_t* const meetings = s_.meetings.data();
    std::uint32_t* const meetingBits = s_.meetingBits.data();
    std::int32_t* const foundA = s_.foundA.data();
    std::int32_t* const foundB = s_.foundB.data();
    const Contents* const contentsA = p_.contentsA;
    const Contents* const contentsB = p_.contentsB;
    for (std::size_t n = 0; n < meeting; ++n) {
      const std::size_t soon = meetings[std::min(n + kAhead, meeting - 1)];
      __builtin_prefetch(contentsA + queuedA[soon]);
      __builtin_prefetch(contentsB + queuedB[soon]);
      const std::size_t i = meetings[n];
      const I32x16 linkA = repeat4(contentsA[queuedA[i]].link.data());
      const I32x16 linkB = tile4(contentsB[queuedB[i]].link.data());
      const auto met = maskOfBits(meetingBits[n]);
      const auto areLeaves = (linkA < 0) & (linkB < 0);
      const auto others = met & !areLeaves;
      append(linkA, others, foundA + found);
      found += append(linkB, others, foundB + found);
      const std::uint32_t bits = bitsOf(met & areLeaves);
      meetings[leaves] = static_cast<std::uint32_t>(i);
      meetingBits[leaves] = bits;
      leaves += bits != 0 ? 1 : 0;
    }
    // by their kinds only now, when they stand close: writing takes most of the time
    for (std::size_t n = 0; n < found; n += kLanes) {
      const I32x16 linkA = load(foundA + n);
      const I32x16 linkB = load(foundB + n);
      const auto there = laneNumbers() < static_cast<std::int32_t>(found - n);
      const auto leafA = there & (linkA < 0);
      const auto leafB = there & (linkB < 0);
      push(s_.nodes[next_], there & !(leafA | leafB), linkA, linkB);
      push(s_.leafOfA[next_], leafA, linkA, linkB);
      push(s_.leafOfB[next_], leafB, linkA, linkB);
    }
    return leaves;
  }

  /// Third sweep: the lenses of pairs of leaves.
  [[gnu::noinline]] void addLeaves(const PenetrationScratch::Queue& queue, std::size_t n) {
    const std::size_t i = s_.meetings[n];
    const Bounds& boundsA = p_.boundsA[queue.a[i]];
    const Bounds& boundsB = p_.boundsB[queue.b[i]];
    const Contents& contentsA = p_.contentsA[queue.a[i]];
    const Contents& contentsB = p_.contentsB[queue.b[i]];
    const Place a = {repeat4(boundsA.x.data()), repeat4(boundsA.y.data()),
                     repeat4(boundsA.z.data()), 0.0F};
    const Place b =
        turned(tile4(boundsB.x.data()), tile4(boundsB.y.data()), tile4(boundsB.z.data()), 0.0F);
    keepLenses(maskOfBits(s_.meetingBits[n]), meet(a, b), b,
               {repeat4(contentsA.cellRadius.data()), repeat4(contentsA.lowerRadius.data()),
                repeat4(contentsA.depth.data())},
               {tile4(contentsB.cellRadius.data()), tile4(contentsB.lowerRadius.data()),
                tile4(contentsB.depth.data())},
               repeat4(contentsA.link.data()), tile4(contentsB.link.data()));
  }

  LANES_INLINE std::size_t paddedNodes(PenetrationScratch::Queue& queue) const {
    std::size_t count = queue.count;
    for (; count % 4 != 0; ++count) {
      queue.a[count] = p_.emptyA;
      queue.b[count] = p_.emptyB;
    }
    return count;
  }

  /// Four leaves at once, given by their slots.
  struct FourLeaves {
    std::array<float, 4> x, y, z, radius, cell, lower, depth;
    LANES_INLINE void set(std::size_t k, std::int32_t slot, const Bounds* bounds,
                          const Contents* contents) {
      const auto block = static_cast<std::size_t>(slot) / 4;
      const auto child = static_cast<std::size_t>(slot) % 4;
      x[k] = bounds[block].x[child];
      y[k] = bounds[block].y[child];
      z[k] = bounds[block].z[child];
      radius[k] = bounds[block].radius[child];
      cell[k] = contents[block].cellRadius[child];
      lower[k] = contents[block].lowerRadius[child];
      depth[k] = contents[block].depth[child];
    }
  };

  /// Pairs of a leaf of one tree with a node of the other, four at a time.
  template <bool leafIsA>
  [[gnu::noinline]] void openLeaves(PenetrationScratch::Queue& queue) {
    PenetrationScratch::Queue& next = leafIsA ? s_.leafOfA[next_] : s_.leafOfB[next_];
    const std::vector<std::int32_t>& leaves = leafIsA ? queue.a : queue.b;
    const std::vector<std::int32_t>& nodes = leafIsA ? queue.b : queue.a;
    const Bounds* const leafBounds = leafIsA ? p_.boundsA : p_.boundsB;
    const Contents* const leafContents = leafIsA ? p_.contentsA : p_.contentsB;
    const Bounds* const nodeBounds = leafIsA ? p_.boundsB : p_.boundsA;
    const Contents* const nodeContents = leafIsA ? p_.contentsB : p_.contentsA;
    const InnerSphereTree::Sums* const sums = leafIsA ? p_.sumsB : p_.sumsA;
    totals_.counters.mixedPairs += static_cast<std::uint32_t>(queue.count);
    const std::size_t count = padded<leafIsA>(queue);
    for (std::size_t i = 0; i < count; i += 4) {
      const std::size_t soon = std::min(i + 4, count - 4);
      for (std::size_t k = 0; k < 4; ++k) {
        __builtin_prefetch(leafBounds + (~leaves[soon + k] >> 2));
        __builtin_prefetch(leafContents + (~leaves[soon + k] >> 2));
        __builtin_prefetch(nodeBounds + nodes[soon + k]);
        __builtin_prefetch(nodeContents + nodes[soon + k]);
      }
      FourLeaves four;
      std::array<const Bounds*, 4> n;
      std::array<const Contents*, 4> in;
      for (std::size_t k = 0; k < 4; ++k) {
        four.set(k, ~leaves[i + k], leafBounds, leafContents);
        n[k] = nodeBounds + nodes[i + k];
        in[k] = nodeContents + nodes[i + k];
      }
      const Place leafPlace = {repeat4(four.x.data()), repeat4(four.y.data()),
                               repeat4(four.z.data()), repeat4(four.radius.data())};
      const Place childPlace = {
          join4(n[0]->x.data(), n[1]->x.data(), n[2]->x.data(), n[3]->x.data()),
          join4(n[0]->y.data(), n[1]->y.data(), n[2]->y.data(), n[3]->y.data()),
          join4(n[0]->z.data(), n[1]->z.data(), n[2]->z.data(), n[3]->z.data()),
          join4(n[0]->radius.data(), n[1]->radius.data(), n[2]->radius.data(),
                n[3]->radius.data())};
      const Place& inB = leafIsA ? childPlace : leafPlace;
      const Place a = leafIsA ? leafPlace : childPlace;
      const Place b = turned(inB.x, inB.y, inB.z, inB.radius);
      const Meeting m = meet(a, b);
      const F32x16 reach = a.radius + b.radius + p_.slack;
      const auto meets = m.squared < reach * reach;
      if (none(meets)) continue;
      const I32x16 linkOfLeaf = repeat4(leaves.data() + i);
      const I32x16 link =
          join4(in[0]->link.data(), in[1]->link.data(), in[2]->link.data(), in[3]->link.data());
      const auto met = maskOf<std::int32_t>(meets);
      const auto isLeaf = link < 0;
      const F32x16 lower = repeat4(four.lower.data());
      auto toOpen = met & !isLeaf;
      if (task_.law == EnergyLaw::Volume && !wantsLinks_ && !task_.hasMoments) {
        // children within the lower ball of a leaf are there as a whole
        const F32x16 room = lower - childPlace.radius - p_.slack;
        const auto within =
            maskOf<std::int32_t>((room > 0.0F) & (m.squared < room * room)) & toOpen;
        toOpen = toOpen & !within;
        if (any(within)) {
          const std::uint32_t bits = bitsOf(within);
          const Place childInB =
              leafIsA ? b : Place{a.x - p_.offset[0], a.y - p_.offset[1], a.z - p_.offset[2], 0.0F};
          for (std::size_t k = 0; k < kLanes; ++k) {
            if ((bits >> k & 1U) == 0) continue;
            const InnerSphereTree::Sums& all = sums[nodes[i + k / 4]];
            addWhole(all, k % 4);
            if (contacts_ == nullptr) continue;
            const std::array<float, 3> at = {childInB.x.lane(k), childInB.y.lane(k),
                                             childInB.z.lane(k)};
            addVolume(*contacts_, at, childPlace.radius.lane(k), all.volume[k % 4]);
          }
        }
      }
      push(next, toOpen, leafIsA ? linkOfLeaf : link, leafIsA ? link : linkOfLeaf);
      const auto bothLeaves = met & isLeaf;
      if (none(bothLeaves)) continue;
      const Leaves leaf = {repeat4(four.cell.data()), lower, repeat4(four.depth.data())};
      const Leaves child = {join4(in[0]->cellRadius.data(), in[1]->cellRadius.data(),
                                  in[2]->cellRadius.data(), in[3]->cellRadius.data()),
                            join4(in[0]->lowerRadius.data(), in[1]->lowerRadius.data(),
                                  in[2]->lowerRadius.data(), in[3]->lowerRadius.data()),
                            join4(in[0]->depth.data(), in[1]->depth.data(), in[2]->depth.data(),
                                  in[3]->depth.data())};
      keepLenses(bothLeaves, m, b, leafIsA ? leaf : child, leafIsA ? child : leaf,
                 leafIsA ? linkOfLeaf : link, leafIsA ? link : linkOfLeaf);
    }
  }

  /// Fills the last four up with pairs that never meet.
  template <bool leafIsA>
  LANES_INLINE std::size_t padded(PenetrationScratch::Queue& queue) const {
    std::size_t count = queue.count;
    for (; count % 4 != 0; ++count) {
      queue.a[count] = leafIsA ? ~(4 * p_.emptyA) : p_.emptyA;
      queue.b[count] = leafIsA ? p_.emptyB : ~(4 * p_.emptyB);
    }
    return count;
  }

  LANES_INLINE void addWhole(const InnerSphereTree::Sums& sums, std::size_t child) {
    totals_.wholeVolume += static_cast<double>(sums.volume[child]);
    totals_.wholeLower += static_cast<double>(sums.lowerVolume[child]);
  }

  [[gnu::noinline]] void sumLenses() {
    if (lenses_ == 0) return;
    totals_.counters.leafPairs += static_cast<std::uint32_t>(lenses_);
    totals_.lenses.add(s_.lenses.data(), kStride, lenses_, task_);
    if (contacts_ != nullptr) contacts_->add(lenses_);
    lenses_ = 0;
  }

  LANES_INLINE void finish() {
    totals_.counters.pairTests = 16 * totals_.counters.nodePairs + 4 * totals_.counters.mixedPairs;
  }

  const PosedTrees& p_;
  const LensTask& task_;
  PenetrationScratch& s_;
  ContactCells* const contacts_;
  const bool wantsLinks_;
  PenetrationTotals& totals_;
  std::size_t next_ = 1;
  std::size_t lenses_ = 0;
};

void walk(const PosedTrees& posed, const LensTask& task, PenetrationScratch& scratch,
          ContactCells* contacts, PenetrationTotals& totals) noexcept {
  Walk(posed, task, scratch, contacts, totals).run();
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {
PenetrationScratch::PenetrationScratch()
    : lenses(kLensArrays * (kLensesHeld + 16)),
      expected(kLensArrays * (kLensesHeld + 16)),
      meetings(kSweep + 1),
      meetingBits(kSweep + 1),
      foundA(16 * kSweep + 16),
      foundB(16 * kSweep + 16) {
  for (std::vector<float>& level : reached)
    level.resize(kQueueEntries + 16);
  for (Queue* queue : {nodes, leafOfA, leafOfB}) {
    for (std::size_t k = 0; k < 2; ++k) {
      queue[k].a.resize(kQueueEntries + 16);
      queue[k].b.resize(kQueueEntries + 16);
    }
  }
}

PenetrationVolume penetrationVolume(const InnerSphereTree& a, const InnerSphereTree& b,
                                    const Eigen::Isometry3d& aFromB, PenetrationScratch& scratch,
                                    const PenetrationSettings& settings) noexcept {
  PenetrationVolume result;
  if (settings.contacts != nullptr && !settings.addsContacts) settings.contacts->clear();
  if (a.leafCount() == 0 || b.leafCount() == 0) return result;
  const PosedTrees posed(a, b, aFromB);
  LensTask task{.ofLower = settings.balls == LeafBalls::Lower,
                .law = settings.law,
                .hasStiffness = settings.wantsStiffness,
                .hasMoments = settings.wantsCentroid};
  if (settings.contacts != nullptr) {
    if (!settings.addsContacts) {
      settings.contacts->begin(lensStream(a, b, aFromB), settings.cones, aFromB.linear());
    }
    task.elements = settings.contacts->elements(kElementX);
  }
  PenetrationTotals totals;
  TACTUS_LANES_CALL(walk)(posed, task, scratch, settings.contacts, totals);
  const LensSums& sums = totals.lenses;
  result.lowerVolume = sums.lower + totals.wholeLower;
  result.volume = task.ofLower ? result.lowerVolume : sums.volume + totals.wholeVolume;
  result.energy = settings.law == EnergyLaw::Volume ? result.volume : sums.energy;
  if (settings.wantsCentroid && sums.volume > 0.0)
    result.centroid = aFromB.translation() + posed.arm + sums.middle();
  result.queueWasFull = totals.queueWasFull;
  result.force = sums.totalForce();
  result.torque = sums.torqueAbout(posed.arm);
  if (settings.wantsStiffness) result.stiffness = sums.stiffnessAbout(posed.arm);
  result.counters = totals.counters;
  return result;
}

}  // namespace tactus::collision
#endif
