#include "collision/tree/budgeted_volume.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numbers>

#include "collision/tree/ball_hierarchy.hpp"
#include "collision/tree/lens_stream.hpp"
#include "collision/tree/lens_sums.hpp"
#include "collision/tree/posed_trees.hpp"

#define TACTUS_LANES_FILE "collision/tree/budgeted_volume.cpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_TREE_BUDGETED_VOLUME_ONCE
#define TACTUS_COLLISION_TREE_BUDGETED_VOLUME_ONCE
namespace tactus::collision {

/// Levels that a walk opens: the roots', and one a step below them.
inline constexpr std::size_t kMostLevels = std::size_t{BallHierarchy::kMaxDepth} + 2;

/// How much each level counts in the blend.
struct LevelWeights {
  LevelWeights() {
    exact.fill(1.0F);
    expected.fill(0.0F);
  }
  /// Of what E_L counts for at each level. A pair that is found exactly is part of that level's sum
  /// and all later ones.
  explicit LevelWeights(const std::array<double, kMostLevels>& parts, std::size_t levels)
      : LevelWeights() {
    double later = 0.0;  // what all later levels leave of the earlier ones is 1 - this
    for (std::size_t level = levels; level-- > 0;) {
      const double own = (1.0 - later) * parts[level];
      later += own;
      exact[level] = static_cast<float>(later);
      expected[level] = static_cast<float>(own);
    }
  }
  std::array<float, kMostLevels> exact, expected;
};

/// What the kernel finds.
struct BudgetedTotals {
  LensSums sums;
  bool isCut = false, wasCapped = false, queueWasFull = false;
  PenetrationCounters counters;
  std::array<double, kMostLevels> parts{};  ///< of the levels that were opened
  std::size_t levels = 0;
};

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

using Bounds = InnerSphereTree::Bounds;
using Contents = InnerSphereTree::Contents;
using Sums = InnerSphereTree::Sums;

constexpr auto kPi = std::numbers::pi_v<float>;
constexpr std::size_t kStride = PenetrationScratch::kLensesHeld + kLanes;
constexpr double kTestsOfPair = 16.0;
// A pair that overlaps by this share of the smaller ball's radius counts as a whole test.
constexpr float kFull = 0.1F;
// The ball around a node may stick out of the one around its parent, so that a pair can be deep in
// each other when their parents just touch. So expectations grow with how far all pairs above are
// in each other, from nothing to all within a quarter of kFull.
constexpr float kCounted = 4.0F;
// Shares of the budget between which a level fades.
constexpr double kWhole = 0.4;
constexpr double kGone = 0.65;

struct Arrow {
  F32x16 x, y, z;
};

class LevelWalk {
 public:
  LANES_INLINE LevelWalk(const PosedTrees& posed, const LensTask& task, std::uint32_t budget,
                         PenetrationScratch& scratch, ContactCells* contacts,
                         const LevelWeights& weights, BudgetedTotals& totals)
      : p_(posed),
        task_(task),
        budget_(budget),
        s_(scratch),
        contacts_(contacts),
        given_(contacts != nullptr ? contacts->weights() : ContactCells::Weights{}),
        weights_(weights),
        totals_(totals) {}

  LANES_INLINE void run() {
    // the roots stand alone in their blocks: opening these gives the first expectation
    std::size_t now = 0;
    s_.nodes[now].count = 0;
    next_ = 0;
    open(0, 0, 1.0F);
    LensSums expected = finishLevel();
    totals_.sums = expected;
    totals_.parts[totals_.levels++] = 1.0;
    double softTests = 0.0;
    while (s_.nodes[now].count != 0) {
      const std::size_t count = s_.nodes[now].count;
      softTests += softOfNext_;
      const double part = partAt(softTests);
      if (part < 1.0) totals_.isCut = true;
      if (part == 0.0) return;
      if (totals_.counters.pairTests + 16 * count > budget_) {
        totals_.isCut = totals_.wasCapped = true;
        return;
      }
      next_ = 1 - now;
      s_.nodes[next_].count = 0;
      softOfNext_ = 0.0;
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t soon = std::min(i + 4, count - 1);
        fetch(s_.nodes[now].a[soon], s_.nodes[now].b[soon]);
        open(s_.nodes[now].a[i], s_.nodes[now].b[i], s_.reached[now][i]);
      }
      totals_.counters.pairTests += static_cast<std::uint32_t>(16 * count);
      expected = finishLevel();
      totals_.sums.blend(part, expected);
      totals_.parts[totals_.levels++] = part;
      if (totals_.queueWasFull) return;  // what is expected of the pairs that did not fit stays
      now = next_;
    }
  }

 private:
  [[nodiscard]] double partAt(double softTests) const {
    const double share = softTests / static_cast<double>(budget_);
    const double t = std::clamp((kGone - share) / (kGone - kWhole), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
  }

  /// Where a node's children stand: a block of four, of which a leaf is only one.
  struct Children {
    std::size_t block;
    std::uint32_t which;  ///< bits
  };
  static Children childrenOf(std::int32_t link) {
    if (link >= 0) return {static_cast<std::size_t>(link), 0xFU};
    const std::int32_t slot = ~link;
    return {static_cast<std::size_t>(slot) / 4, 1U << (static_cast<std::uint32_t>(slot) % 4)};
  }

  LANES_INLINE void fetch(std::int32_t a, std::int32_t b) const {
    const std::size_t blockA = childrenOf(a).block;
    const std::size_t blockB = childrenOf(b).block;
    __builtin_prefetch(p_.boundsA + blockA);
    __builtin_prefetch(p_.contentsA + blockA);
    __builtin_prefetch(p_.sumsA + blockA);
    __builtin_prefetch(p_.boundsB + blockB);
    __builtin_prefetch(p_.contentsB + blockB);
    __builtin_prefetch(p_.sumsB + blockB);
  }

  /// What a ball of a tree is filled with, as shares of its volume.
  struct Filling {
    F32x16 cells, lower;
  };
  LANES_INLINE static Filling fillingOf(F32x16 radius, F32x16 volume, F32x16 lower) {
    const F32x16 perBall = 1.0F / max((kPi * 4.0F / 3.0F) * (radius * radius * radius), 1e-30F);
    return {volume * perBall, lower * perBall};
  }

  /// Lenses that wait, and where they go.
  struct Held {
    float* arrays;
    std::size_t count = 0;
    LensSums sums;
  };

  LANES_INLINE void flush(Held& held, bool hasShares) {
    if (held.count == 0) return;
    LensTask task = task_;
    task.hasShares = hasShares;
    totals_.counters.leafPairs += hasShares ? 0U : static_cast<std::uint32_t>(held.count);
    held.sums.add(held.arrays, kStride, held.count, task);
    const float weight =
        hasShares ? weights_.expected[totals_.levels] : weights_.exact[totals_.levels];
    if (contacts_ != nullptr && weight > 0.0F) {
      contacts_->weigh({given_.force * weight, given_.energy * weight, given_.volume * weight});
      contacts_->add(held.count);
    }
    held.count = 0;
  }

  /// Opens a pair of nodes, or of a leaf and a node, with all their children. `reached` says how
  /// far the pair is in each other, and all above it, from 0 to 1.
  [[gnu::noinline]] void open(std::int32_t linkA, std::int32_t linkB, float reached) {
    ++totals_.counters.nodePairs;
    const Children ofA = childrenOf(linkA);
    const Children ofB = childrenOf(linkB);
    const Bounds& boundsA = p_.boundsA[ofA.block];
    const Bounds& boundsB = p_.boundsB[ofB.block];
    const Contents& contentsA = p_.contentsA[ofA.block];
    const Contents& contentsB = p_.contentsB[ofB.block];
    const auto& r = p_.rotation;
    const F32x16 x = tile4(boundsB.x.data());
    const F32x16 y = tile4(boundsB.y.data());
    const F32x16 z = tile4(boundsB.z.data());
    const Arrow b = {r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z,
                     r[6] * x + r[7] * y + r[8] * z};
    const Arrow apart = {(b.x + p_.offset[0]) - repeat4(boundsA.x.data()),
                         (b.y + p_.offset[1]) - repeat4(boundsA.y.data()),
                         (b.z + p_.offset[2]) - repeat4(boundsA.z.data())};
    const F32x16 radiusA = repeat4(boundsA.radius.data());
    const F32x16 radiusB = tile4(boundsB.radius.data());
    const F32x16 squared = apart.x * apart.x + apart.y * apart.y + apart.z * apart.z;
    const F32x16 reach = radiusA + radiusB;
    // bit i of A's children stands for lanes 4 i to 4 i + 3, of B's for i, i + 4, i + 8 and i + 12
    std::uint32_t rows = 0;
    for (std::uint32_t i = 0; i < 4; ++i)
      rows |= (ofA.which >> i & 1U) * (0xFU << (4 * i));
    const auto met =
        maskOfBits(rows & (0x1111U * ofB.which)) & maskOf<std::int32_t>(squared < reach * reach);
    if (none(met)) return;
    const I32x16 childA = repeat4(contentsA.link.data());
    const I32x16 childB = tile4(contentsB.link.data());
    const auto leaves = met & (childA < 0) & (childB < 0);
    const auto nodes = met & !leaves;
    const F32x16 depthA = repeat4(contentsA.depth.data());
    const F32x16 depthB = tile4(contentsB.depth.data());
    if (any(leaves)) {
      keep(exact_, maskOf<float>(leaves), apart, b, repeat4(contentsA.cellRadius.data()),
           tile4(contentsB.cellRadius.data()), repeat4(contentsA.lowerRadius.data()),
           tile4(contentsB.lowerRadius.data()), depthA, depthB, {1.0F, 1.0F});
      if (exact_.count > PenetrationScratch::kLensesHeld - kLanes) flush(exact_, false);
    }
    if (none(nodes)) return;
    const Sums& sumsA = p_.sumsA[ofA.block];
    const Sums& sumsB = p_.sumsB[ofB.block];
    const Filling fillA =
        fillingOf(radiusA, repeat4(sumsA.volume.data()), repeat4(sumsA.lowerVolume.data()));
    const Filling fillB =
        fillingOf(radiusB, tile4(sumsB.volume.data()), tile4(sumsB.lowerVolume.data()));
    const float counted = std::min(1.0F, kCounted * reached);
    keep(expected_, maskOf<float>(nodes), apart, b, radiusA, radiusB, radiusA, radiusB, depthA,
         depthB, {counted * (fillA.cells * fillB.cells), counted * (fillA.lower * fillB.lower)});
    if (expected_.count > PenetrationScratch::kLensesHeld - kLanes) flush(expected_, true);

    const F32x16 overlap = reach - sqrt(squared);
    const F32x16 soft = min(overlap / max(kFull * min(radiusA, radiusB), 1e-30F), reached);
    softOfNext_ +=
        kTestsOfPair * static_cast<double>(sum(select(maskOf<float>(nodes), soft, 0.0F)));
    PenetrationScratch::Queue& queue = s_.nodes[next_];
    append(soft, maskOf<float>(nodes), s_.reached[next_].data() + queue.count);
    append(childA, nodes, queue.a.data() + queue.count);
    queue.count += append(childB, nodes, queue.b.data() + queue.count);
    // a budget of more tests than there is room for pairs ends with this level
    const std::size_t room = queue.a.size() - kLanes;
    if (queue.count > room) {
      queue.count = room;
      totals_.isCut = totals_.wasCapped = totals_.queueWasFull = true;
    }
  }

  LANES_INLINE void keep(Held& held, LaneMask<float> which, const Arrow& apart, const Arrow& b,
                         F32x16 ra, F32x16 rb, F32x16 la, F32x16 lb, F32x16 depthA, F32x16 depthB,
                         const Filling& share) {
    float* const to = held.arrays + held.count;
    append(apart.x, which, to + kDx * kStride);
    append(apart.y, which, to + kDy * kStride);
    append(apart.z, which, to + kDz * kStride);
    append(b.x, which, to + kBx * kStride);
    append(b.y, which, to + kBy * kStride);
    append(b.z, which, to + kBz * kStride);
    append(ra, which, to + kRa * kStride);
    append(rb, which, to + kRb * kStride);
    append(la, which, to + kLa * kStride);
    append(lb, which, to + kLb * kStride);
    append(depthA, which, to + kDepthA * kStride);
    append(depthB, which, to + kDepthB * kStride);
    append(share.cells, which, to + kShare * kStride);
    held.count += append(share.lower, which, to + kLowerShare * kStride);
  }

  /// What is expected with all pairs so far: exact lenses of all levels, expectations of this one.
  LANES_INLINE LensSums finishLevel() {
    flush(exact_, false);
    flush(expected_, true);
    LensSums all = exact_.sums;
    all += expected_.sums;
    expected_.sums = LensSums{};
    return all;
  }

  const PosedTrees& p_;
  const LensTask& task_;
  const std::uint32_t budget_;
  PenetrationScratch& s_;
  ContactCells* const contacts_;
  const ContactCells::Weights given_;
  const LevelWeights& weights_;
  BudgetedTotals& totals_;
  Held exact_{s_.lenses.data(), 0, {}};
  Held expected_{s_.expected.data(), 0, {}};
  std::size_t next_ = 0;
  double softOfNext_ = 0.0;
};

void walkLevels(const PosedTrees& posed, const LensTask& task, std::uint32_t budget,
                PenetrationScratch& scratch, ContactCells* contacts, const LevelWeights& weights,
                BudgetedTotals& totals) noexcept {
  LevelWalk(posed, task, budget, scratch, contacts, weights, totals).run();
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

BudgetedVolume budgetedVolume(const InnerSphereTree& a, const InnerSphereTree& b,
                              const Eigen::Isometry3d& aFromB, std::uint32_t pairTests,
                              PenetrationScratch& scratch,
                              const PenetrationSettings& settings) noexcept {
  BudgetedVolume result;
  ContactCells* const contacts = settings.contacts;
  if (contacts != nullptr && !settings.addsContacts) contacts->clear();
  if (a.leafCount() == 0 || b.leafCount() == 0) return result;
  const PosedTrees posed(a, b, aFromB);
  LensTask task{.ofLower = settings.balls == LeafBalls::Lower,
                .law = settings.law,
                .hasStiffness = settings.wantsStiffness,
                .hasMoments = settings.wantsCentroid};
  const std::uint32_t budget = std::max(1U, pairTests);
  if (contacts != nullptr) task.elements = contacts->elements(kElementX);
  const bool isFirstStream = contacts != nullptr && !settings.addsContacts;
  if (isFirstStream) contacts->begin(lensStream(a, b, aFromB));
  BudgetedTotals totals;
  TACTUS_LANES_CALL(walkLevels)(posed, task, budget, scratch, isFirstStream ? contacts : nullptr,
                                LevelWeights(), totals);
  // what was streamed for the whole may count for less, or be missing
  if (contacts != nullptr && (totals.isCut || !isFirstStream)) {
    if (isFirstStream) contacts->begin(lensStream(a, b, aFromB));
    BudgetedTotals again;
    TACTUS_LANES_CALL(walkLevels)(posed, task, budget, scratch, contacts,
                                  LevelWeights(totals.parts, totals.levels), again);
  }
  const LensSums& sums = totals.sums;
  result.isCut = totals.isCut;
  result.wasCapped = totals.wasCapped;
  PenetrationVolume& found = result.found;
  found.lowerVolume = sums.lower;
  found.volume = task.ofLower ? sums.lower : sums.volume;
  found.energy = settings.law == EnergyLaw::Volume ? found.volume : sums.energy;
  if (settings.wantsCentroid && sums.volume > 0.0)
    found.centroid = aFromB.translation() + posed.arm + sums.middle();
  found.force = sums.totalForce();
  found.torque = sums.torqueAbout(posed.arm);
  if (settings.wantsStiffness) found.stiffness = sums.stiffnessAbout(posed.arm);
  found.queueWasFull = totals.queueWasFull;
  found.counters = totals.counters;
  return result;
}

}  // namespace tactus::collision
#endif
