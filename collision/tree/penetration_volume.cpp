#include "collision/tree/penetration_volume.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#define TACTUS_LANES_FILE "collision/tree/penetration_volume.cpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_TREE_PENETRATION_VOLUME_ONCE
#define TACTUS_COLLISION_TREE_PENETRATION_VOLUME_ONCE
namespace tactus::collision {

using Bounds = InnerSphereTree::Bounds;
using Contents = InnerSphereTree::Contents;

/// The two trees and B's pose in A's coordinates, as plain pointers and floats for the kernels.
struct PenetrationProblem {
  const Bounds* boundsA;
  const Bounds* boundsB;
  const Contents* contentsA;
  const Contents* contentsB;
  const InnerSphereTree::Sums* sumsB;
  const InnerSphereTree::Sums* sumsA;
  std::array<float, 9> rotation;  ///< row by row
  std::array<float, 3> offset;
  float slack;  ///< what floats may be off [m]
  std::int32_t emptyA, emptyB;
  bool ofLower;  ///< lower balls in place of the cells'
};

/// What the kernels sum up.
struct PenetrationTotals {
  double volume = 0.0, lower = 0.0;
  std::array<double, 3> force{}, torque{};
  bool queueWasFull = false;
  PenetrationCounters counters;
};

enum LensArray : std::size_t { kDx, kDy, kDz, kBx, kBy, kBz, kRa, kRb, kLa, kLb, kLensArrays };

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

constexpr auto kPi = std::numbers::pi_v<float>;
constexpr std::size_t kAhead = 8;
constexpr std::size_t kSweep = PenetrationScratch::kSweep;
constexpr std::size_t kStride = PenetrationScratch::kLensesHeld + kLanes;

struct Place {
  F32x16 x, y, z, radius;
};

class Walk {
 public:
  LANES_INLINE Walk(const PenetrationProblem& problem, PenetrationScratch& scratch,
                    PenetrationTotals& totals)
      : p_(problem), s_(scratch), totals_(totals) {}

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
      openLeafOfA(s_.leafOfA[now]);
      openLeafOfB(s_.leafOfB[now]);
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

  /// Keeps pairs of leaves whose cell balls meet.
  LANES_INLINE void addLenses(LaneMask<float> which, const Meeting& m, const Place& b, F32x16 ra,
                              F32x16 rb, F32x16 la, F32x16 lb) {
    float* const to = s_.lenses.data() + lenses_;
    append(m.dx, which, to + kDx * kStride);
    append(m.dy, which, to + kDy * kStride);
    append(m.dz, which, to + kDz * kStride);
    append(b.x, which, to + kBx * kStride);
    append(b.y, which, to + kBy * kStride);
    append(b.z, which, to + kBz * kStride);
    append(ra, which, to + kRa * kStride);
    append(rb, which, to + kRb * kStride);
    append(la, which, to + kLa * kStride);
    lenses_ += append(lb, which, to + kLb * kStride);
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
    for (std::size_t n = 0; n < meeting; ++n) {
      const std::size_t soon = s_.meetings[std::min(n + kAhead, meeting - 1)];
      __builtin_prefetch(p_.contentsA + queue.a[soon]);
      __builtin_prefetch(p_.contentsB + queue.b[soon]);
      const std::size_t i = s_.meetings[n];
      const I32x16 linkA = repeat4(p_.contentsA[queue.a[i]].link.data());
      const I32x16 linkB = tile4(p_.contentsB[queue.b[i]].link.data());
      const auto met = maskOfBits(s_.meetingBits[n]);
      const auto leafA = linkA < 0;
      const auto leafB = linkB < 0;
      push(s_.nodes[next_], met & !(leafA | leafB), linkA, linkB);
      push(s_.leafOfA[next_], met & leafA & !leafB, linkA, linkB);
      push(s_.leafOfB[next_], met & leafB & !leafA, linkA, linkB);
      const std::uint32_t bits = bitsOf(met & leafA & leafB);
      s_.meetings[leaves] = static_cast<std::uint32_t>(i);
      s_.meetingBits[leaves] = bits;
      leaves += bits != 0 ? 1 : 0;
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
    const Meeting m = meet(a, b);
    const F32x16 ra = repeat4(contentsA.cellRadius.data());
    const F32x16 rb = tile4(contentsB.cellRadius.data());
    addLenses(maskOf<float>(maskOfBits(s_.meetingBits[n])) & (m.squared < (ra + rb) * (ra + rb)), m,
              b, ra, rb, repeat4(contentsA.lowerRadius.data()),
              tile4(contentsB.lowerRadius.data()));
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
    std::array<float, 4> x, y, z, radius, cell, lower;
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
    }
  };

  [[gnu::noinline]] void openLeafOfA(PenetrationScratch::Queue& queue) {
    totals_.counters.mixedPairs += static_cast<std::uint32_t>(queue.count);
    const std::size_t count = padded(queue);
    for (std::size_t i = 0; i < count; i += 4) {
      const std::size_t soon = std::min(i + 4, count - 4);
      for (std::size_t k = 0; k < 4; ++k) {
        __builtin_prefetch(p_.boundsA + (~queue.a[soon + k] >> 2));
        __builtin_prefetch(p_.contentsA + (~queue.a[soon + k] >> 2));
        __builtin_prefetch(p_.boundsB + queue.b[soon + k]);
        __builtin_prefetch(p_.contentsB + queue.b[soon + k]);
      }
      FourLeaves four;
      std::array<const Bounds*, 4> bounds;
      std::array<const Contents*, 4> contents;
      for (std::size_t k = 0; k < 4; ++k) {
        four.set(k, ~queue.a[i + k], p_.boundsA, p_.contentsA);
        bounds[k] = p_.boundsB + queue.b[i + k];
        contents[k] = p_.contentsB + queue.b[i + k];
      }
      const Place a = {repeat4(four.x.data()), repeat4(four.y.data()), repeat4(four.z.data()),
                       repeat4(four.radius.data())};
      const Place b = turned(
          join4(bounds[0]->x.data(), bounds[1]->x.data(), bounds[2]->x.data(), bounds[3]->x.data()),
          join4(bounds[0]->y.data(), bounds[1]->y.data(), bounds[2]->y.data(), bounds[3]->y.data()),
          join4(bounds[0]->z.data(), bounds[1]->z.data(), bounds[2]->z.data(), bounds[3]->z.data()),
          join4(bounds[0]->radius.data(), bounds[1]->radius.data(), bounds[2]->radius.data(),
                bounds[3]->radius.data()));
      const Meeting m = meet(a, b);
      const F32x16 reach = a.radius + b.radius + p_.slack;
      const auto meets = m.squared < reach * reach;
      if (none(meets)) continue;
      const I32x16 linkA = repeat4(queue.a.data() + i);
      const I32x16 linkB = join4(contents[0]->link.data(), contents[1]->link.data(),
                                 contents[2]->link.data(), contents[3]->link.data());
      const auto met = maskOf<std::int32_t>(meets);
      const auto leafB = linkB < 0;
      const F32x16 la = repeat4(four.lower.data());
      // children of B within the lower ball of a leaf of A are there as a whole
      const F32x16 room = la - b.radius - p_.slack;
      const auto within =
          maskOf<std::int32_t>((room > 0.0F) & (m.squared < room * room)) & met & !leafB;
      push(s_.leafOfA[next_], met & !leafB & !within, linkA, linkB);
      if (any(within)) {
        const std::uint32_t bits = bitsOf(within);
        for (std::size_t k = 0; k < kLanes; ++k) {
          if ((bits >> k & 1U) != 0) addWhole(p_.sumsB[queue.b[i + k / 4]], k % 4);
        }
      }
      const auto leaves = met & leafB;
      if (none(leaves)) continue;
      const F32x16 ra = repeat4(four.cell.data());
      const F32x16 rb = join4(contents[0]->cellRadius.data(), contents[1]->cellRadius.data(),
                              contents[2]->cellRadius.data(), contents[3]->cellRadius.data());
      addLenses(maskOf<float>(leaves) & (m.squared < (ra + rb) * (ra + rb)), m, b, ra, rb, la,
                join4(contents[0]->lowerRadius.data(), contents[1]->lowerRadius.data(),
                      contents[2]->lowerRadius.data(), contents[3]->lowerRadius.data()));
    }
  }

  [[gnu::noinline]] void openLeafOfB(PenetrationScratch::Queue& queue) {
    totals_.counters.mixedPairs += static_cast<std::uint32_t>(queue.count);
    const std::size_t count = padded(queue);
    for (std::size_t i = 0; i < count; i += 4) {
      const std::size_t soon = std::min(i + 4, count - 4);
      for (std::size_t k = 0; k < 4; ++k) {
        __builtin_prefetch(p_.boundsB + (~queue.b[soon + k] >> 2));
        __builtin_prefetch(p_.contentsB + (~queue.b[soon + k] >> 2));
        __builtin_prefetch(p_.boundsA + queue.a[soon + k]);
        __builtin_prefetch(p_.contentsA + queue.a[soon + k]);
      }
      FourLeaves four;
      std::array<const Bounds*, 4> bounds;
      std::array<const Contents*, 4> contents;
      for (std::size_t k = 0; k < 4; ++k) {
        four.set(k, ~queue.b[i + k], p_.boundsB, p_.contentsB);
        bounds[k] = p_.boundsA + queue.a[i + k];
        contents[k] = p_.contentsA + queue.a[i + k];
      }
      const Place b = turned(repeat4(four.x.data()), repeat4(four.y.data()), repeat4(four.z.data()),
                             repeat4(four.radius.data()));
      const Place a = {
          join4(bounds[0]->x.data(), bounds[1]->x.data(), bounds[2]->x.data(), bounds[3]->x.data()),
          join4(bounds[0]->y.data(), bounds[1]->y.data(), bounds[2]->y.data(), bounds[3]->y.data()),
          join4(bounds[0]->z.data(), bounds[1]->z.data(), bounds[2]->z.data(), bounds[3]->z.data()),
          join4(bounds[0]->radius.data(), bounds[1]->radius.data(), bounds[2]->radius.data(),
                bounds[3]->radius.data())};
      const Meeting m = meet(a, b);
      const F32x16 reach = a.radius + b.radius + p_.slack;
      const auto meets = m.squared < reach * reach;
      if (none(meets)) continue;
      const I32x16 linkB = repeat4(queue.b.data() + i);
      const I32x16 linkA = join4(contents[0]->link.data(), contents[1]->link.data(),
                                 contents[2]->link.data(), contents[3]->link.data());
      const auto met = maskOf<std::int32_t>(meets);
      const auto leafA = linkA < 0;
      const F32x16 lb = repeat4(four.lower.data());
      const F32x16 room = lb - a.radius - p_.slack;
      const auto within =
          maskOf<std::int32_t>((room > 0.0F) & (m.squared < room * room)) & met & !leafA;
      push(s_.leafOfB[next_], met & !leafA & !within, linkA, linkB);
      if (any(within)) {
        const std::uint32_t bits = bitsOf(within);
        for (std::size_t k = 0; k < kLanes; ++k) {
          if ((bits >> k & 1U) != 0) addWhole(p_.sumsA[queue.a[i + k / 4]], k % 4);
        }
      }
      const auto leaves = met & leafA;
      if (none(leaves)) continue;
      const F32x16 rb = repeat4(four.cell.data());
      const F32x16 ra = join4(contents[0]->cellRadius.data(), contents[1]->cellRadius.data(),
                              contents[2]->cellRadius.data(), contents[3]->cellRadius.data());
      addLenses(maskOf<float>(leaves) & (m.squared < (ra + rb) * (ra + rb)), m, b, ra, rb,
                join4(contents[0]->lowerRadius.data(), contents[1]->lowerRadius.data(),
                      contents[2]->lowerRadius.data(), contents[3]->lowerRadius.data()),
                lb);
    }
  }

  /// Fills the last four up with pairs that never meet.
  LANES_INLINE std::size_t padded(PenetrationScratch::Queue& queue) const {
    std::size_t count = queue.count;
    for (; count % 4 != 0; ++count) {
      const bool isLeafA = queue.a[0] < 0;
      queue.a[count] = isLeafA ? ~(4 * p_.emptyA) : p_.emptyA;
      queue.b[count] = isLeafA ? p_.emptyB : ~(4 * p_.emptyB);
    }
    return count;
  }

  LANES_INLINE void addWhole(const InnerSphereTree::Sums& sums, std::size_t child) {
    totals_.volume += static_cast<double>(sums.volume[child]);
    totals_.lower += static_cast<double>(sums.lowerVolume[child]);
  }

  [[gnu::noinline]] void sumLenses() {
    const std::size_t count = lenses_;
    if (count == 0) return;
    totals_.counters.leafPairs += static_cast<std::uint32_t>(count);
    const float* const from = s_.lenses.data();
    const std::size_t radiusA = p_.ofLower ? kLa : kRa;
    const std::size_t radiusB = p_.ofLower ? kLb : kRb;
    F32x16 volume = 0.0F;
    F32x16 lower = 0.0F;
    F32x16 fx = 0.0F;
    F32x16 fy = 0.0F;
    F32x16 fz = 0.0F;
    F32x16 tx = 0.0F;
    F32x16 ty = 0.0F;
    F32x16 tz = 0.0F;
    for (std::size_t i = 0; i < count; i += kLanes) {
      const F32x16 dx = load(from + kDx * kStride + i);
      const F32x16 dy = load(from + kDy * kStride + i);
      const F32x16 dz = load(from + kDz * kStride + i);
      const auto valid = firstLanesOf(count - i);
      const F32x16 ra = select(valid, load(from + radiusA * kStride + i), 0.0F);
      const F32x16 rb = select(valid, load(from + radiusB * kStride + i), 0.0F);
      const F32x16 d = sqrt(dx * dx + dy * dy + dz * dz);
      const F32x16 depth = ra + rb - d;
      const auto overlapping = depth > 0.0F;
      const F32x16 smaller = min(ra, rb);
      const F32x16 e = abs(ra - rb);
      const auto cut = overlapping & (d > e);
      const F32x16 perDistance = 1.0F / max(d, 1e-30F);
      const F32x16 relativeDepth = depth * perDistance;
      const F32x16 lens =
          (kPi / 12.0F) * depth * relativeDepth * ((d - e) * (d + 3.0F * e) + 4.0F * d * smaller);
      const F32x16 ball = (kPi * 4.0F / 3.0F) * smaller * smaller * smaller;
      volume += select(cut, lens, select(overlapping, ball, 0.0F));
      const F32x16 areaPerDistance = (kPi / 4.0F) * relativeDepth * ((d + ra + rb) * perDistance) *
                                     ((d - e) * perDistance) * (d + e);
      const F32x16 pull = select(cut, areaPerDistance, 0.0F);
      const F32x16 bx = select(valid, load(from + kBx * kStride + i), 0.0F);
      const F32x16 by = select(valid, load(from + kBy * kStride + i), 0.0F);
      const F32x16 bz = select(valid, load(from + kBz * kStride + i), 0.0F);
      const F32x16 px = select(cut, pull * dx, 0.0F);
      const F32x16 py = select(cut, pull * dy, 0.0F);
      const F32x16 pz = select(cut, pull * dz, 0.0F);
      fx += px;
      fy += py;
      fz += pz;
      tx += by * pz - bz * py;
      ty += bz * px - bx * pz;
      tz += bx * py - by * px;

      const F32x16 la = select(valid, load(from + kLa * kStride + i), 0.0F);
      const F32x16 lb = select(valid, load(from + kLb * kStride + i), 0.0F);
      const F32x16 lowerDepth = la + lb - d;
      const auto lowerOverlapping = lowerDepth > 0.0F;
      const F32x16 lowerSmaller = min(la, lb);
      const F32x16 lowerE = abs(la - lb);
      const F32x16 lowerLens = (kPi / 12.0F) * lowerDepth * (lowerDepth * perDistance) *
                               ((d - lowerE) * (d + 3.0F * lowerE) + 4.0F * d * lowerSmaller);
      const F32x16 lowerBall = (kPi * 4.0F / 3.0F) * lowerSmaller * lowerSmaller * lowerSmaller;
      lower += select(lowerOverlapping & (d > lowerE), lowerLens,
                      select(lowerOverlapping, lowerBall, 0.0F));
    }
    totals_.volume += sum(toDouble(volume));
    totals_.lower += sum(toDouble(lower));
    totals_.force[0] += sum(toDouble(fx));
    totals_.force[1] += sum(toDouble(fy));
    totals_.force[2] += sum(toDouble(fz));
    totals_.torque[0] += sum(toDouble(tx));
    totals_.torque[1] += sum(toDouble(ty));
    totals_.torque[2] += sum(toDouble(tz));
    lenses_ = 0;
  }

  LANES_INLINE static LaneMask<float> firstLanesOf(std::size_t count) {
    return maskOf<float>(laneNumbers() < static_cast<std::int32_t>(std::min(count, kLanes)));
  }

  LANES_INLINE void finish() {
    totals_.counters.pairTests = 16 * totals_.counters.nodePairs + 4 * totals_.counters.mixedPairs;
  }

  const PenetrationProblem& p_;
  PenetrationScratch& s_;
  PenetrationTotals& totals_;
  std::size_t next_ = 1;
  std::size_t lenses_ = 0;
};

void walk(const PenetrationProblem& problem, PenetrationScratch& scratch,
          PenetrationTotals& totals) noexcept {
  Walk(problem, scratch, totals).run();
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {
PenetrationScratch::PenetrationScratch()
    : lenses(kLensArrays * (kLensesHeld + 16)), meetings(kSweep + 1), meetingBits(kSweep + 1) {
  for (Queue* queue : {nodes, leafOfA, leafOfB}) {
    for (std::size_t k = 0; k < 2; ++k) {
      queue[k].a.resize(kQueueEntries + 16);
      queue[k].b.resize(kQueueEntries + 16);
    }
  }
}

PenetrationVolume penetrationVolume(const InnerSphereTree& a, const InnerSphereTree& b,
                                    const Eigen::Isometry3d& aFromB, PenetrationScratch& scratch,
                                    LeafBalls balls) noexcept {
  PenetrationVolume result;
  if (a.leafCount() == 0 || b.leafCount() == 0) return result;
  PenetrationProblem problem{};
  problem.boundsA = a.bounds().data();
  problem.boundsB = b.bounds().data();
  problem.contentsA = a.contents().data();
  problem.contentsB = b.contents().data();
  problem.ofLower = balls == LeafBalls::Lower;
  problem.sumsA = a.sums().data();
  problem.sumsB = b.sums().data();
  problem.emptyA = static_cast<std::int32_t>(a.bounds().size()) - 1;
  problem.emptyB = static_cast<std::int32_t>(b.bounds().size()) - 1;
  const Eigen::Matrix3d rotation = aFromB.linear();
  const Eigen::Vector3d arm = rotation * b.origin();
  const Eigen::Vector3d offset = arm + aFromB.translation() - a.origin();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    for (std::size_t j = 0; j < 3; ++j)
      problem.rotation[3 * i + j] = static_cast<float>(rotation(row, static_cast<Eigen::Index>(j)));
    problem.offset[i] = static_cast<float>(offset[row]);
  }
  const double size = static_cast<double>(a.bounds()[0].radius[0]) +
                      static_cast<double>(b.bounds()[0].radius[0]) + offset.norm();
  problem.slack = static_cast<float>(4e-7 * size);

  PenetrationTotals totals;
  TACTUS_LANES_CALL(walk)(problem, scratch, totals);
  result.volume = problem.ofLower ? totals.lower : totals.volume;
  result.lowerVolume = totals.lower;
  result.queueWasFull = totals.queueWasFull;
  result.force = {totals.force[0], totals.force[1], totals.force[2]};
  result.torque = Eigen::Vector3d(totals.torque[0], totals.torque[1], totals.torque[2]) +
                  arm.cross(result.force);
  result.counters = totals.counters;
  return result;
}

}  // namespace tactus::collision
#endif
