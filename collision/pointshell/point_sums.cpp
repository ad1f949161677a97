#include "collision/pointshell/point_sums.hpp"

#include <algorithm>
#include <array>
#include <limits>

#define TACTUS_LANES_FILE "collision/pointshell/point_sums.cpp"
#include "models/lanes/lanes.hpp"

#include "collision/pointshell/posed_points_lanes.hpp"

TACTUS_LANES_BEGIN(tactus::collision);

using Level = Pointshell::Level;
using Block = Pointshell::Block;

// Blocks whose sums stay floats: a hundred numbers of one size lose a digit of seven.
constexpr std::size_t kRun = 64;

// Sixteen points or balls are looked up in the map so many rounds before its values are read, and
// are fetched themselves as many rounds before that. At 1 % overlap of 100,000 points a query
// touches some 3500 cache lines: from memory it takes 36 us, from the caches 15 us. Twice as many
// rounds are no faster, nor is it to fetch the places of bricks ahead.
constexpr std::size_t kAhead = 8;

// Keys below this are none: nothing is known.
constexpr float kUnknownBelow = -1e30F;

// The way over which a node begins to count as work, in spacings of the level: a quarter of a
// block's radius. Half of it makes limits no tighter by a hundredth, and fades twice as steep.
constexpr float kBand = 0.5F;

/// Sums that stay in registers for a run.
struct RunningSums {
  F32x16 fx, fy, fz, mx, my, mz, area, energy;

  LANES_INLINE void clear() { fx = fy = fz = mx = my = mz = area = energy = F32x16(0.0F); }
  LANES_INLINE void addTo(PointSums& sums) const {
    sums.force[0] += sum(toDouble(fx));
    sums.force[1] += sum(toDouble(fy));
    sums.force[2] += sum(toDouble(fz));
    sums.moment[0] += sum(toDouble(mx));
    sums.moment[1] += sum(toDouble(my));
    sums.moment[2] += sum(toDouble(mz));
    sums.area += sum(toDouble(area));
    sums.energy += sum(toDouble(energy));
  }
};

using StiffnessSums = std::array<std::array<float, kLanes>, 21>;

LANES_INLINE void addTo(std::array<float, kLanes>& sums, F32x16 what) {
  store(load(static_cast<const float*>(sums.data())) + what, sums.data());
}

/// Adds what a block has of PointSums::stiffness; `growth` of a point's weight on the way into the
/// map.
[[gnu::noinline]] void keepStiffness(const PosedPoints& posed, const Block& block,
                                     const FieldSample16& field, F32x16 growth,
                                     StiffnessSums& sums) {
  const std::array<float, 9>& r = posed.rotation;
  const F32x16 x = load(block.x.data());
  const F32x16 y = load(block.y.data());
  const F32x16 z = load(block.z.data());
  const F32x16 n[3] = {growth * load(block.nx.data()), growth * load(block.ny.data()),
                       growth * load(block.nz.data())};
  F32x16 g[3];  // in the shell's axes
  for (std::size_t k = 0; k < 3; ++k)
    g[k] = r[k] * field.gradientX + r[3 + k] * field.gradientY + r[6 + k] * field.gradientZ;
  const F32x16 pn[3] = {y * n[2] - z * n[1], z * n[0] - x * n[2], x * n[1] - y * n[0]};
  const F32x16 pg[3] = {y * g[2] - z * g[1], z * g[0] - x * g[2], x * g[1] - y * g[0]};
  std::size_t shifts = 0;
  std::size_t mixed = 6;
  std::size_t turns = 15;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      addTo(sums[mixed++], 0.5F * (n[i] * pg[j] + g[i] * pn[j]));
      if (j < i) continue;
      addTo(sums[shifts++], 0.5F * (n[i] * g[j] + n[j] * g[i]));
      addTo(sums[turns++], 0.5F * (pn[i] * pg[j] + pn[j] * pg[i]));
    }
  }
}

/// Ends a run of them.
[[gnu::noinline]] void addStiffness(StiffnessSums& run, PointSums& sums) {
  for (std::size_t k = 0; k < run.size(); ++k)
    sums.stiffness[k] += sum(toDouble(load(static_cast<const float*>(run[k].data()))));
  run = {};
}

template <PointLaw law>
class SumWalk {
 public:
  LANES_INLINE SumWalk(const PosedPoints& posed, const PointSumTask& task, PointScratch& scratch,
                       PointSums& sums)
      : p_(posed), task_(task), s_(scratch), sums_(sums), level_(posed.shell.levels[task.level]) {}

  LANES_INLINE void run() {
    const Pointshell::TreeShape shape = Pointshell::treeShapeOf(Pointshell::blocksOf(level_));
    s_.lists[0][0] = 0;
    std::size_t count = 1;
    std::size_t firstGroup = level_.firstGroup;
    std::size_t now = 0;
    const bool isCoherent = s_.front.isUsed() && !task_.isLimited();
    if (isCoherent) beginFront();
    const float step = task_.isLimited() ? band() + p_.slack : 0.0F;
    reach_ = margin() + p_.slack + step * static_cast<float>(shape.levels);
    std::int32_t blocksBelow = 1;  // a node of this tree level
    for (std::size_t t = 1; t < shape.levels; ++t)
      blocksBelow *= static_cast<std::int32_t>(Pointshell::kWidth);
    for (std::size_t t = 0; t < shape.levels; ++t) {
      firstGroup_ = firstGroup;
      blocksBelow_ = blocksBelow;
      blocksBelow /= static_cast<std::int32_t>(Pointshell::kWidth);
      reach_ -= step;
      if (!isCoherent) {
        sums_.nodeTests += static_cast<std::uint32_t>(16 * count);
        count = openGroups(firstGroup, s_.lists[now].data(), count, s_.lists[1 - now].data());
      } else {
        count = openByFront(firstGroup, s_.lists[now].data(), count, s_.lists[1 - now].data());
      }
      if (task_.isLimited() && isTooMuch()) return;
      groupsAbove_ = firstGroup;
      firstGroup += shape.groups[t];
      now = 1 - now;
    }
    sums_.pointTests += static_cast<std::uint32_t>(16 * count);
    addBlocks(s_.lists[now].data(), count);
    if (deepestBlock_ >= 0 && !(sums_.least < std::numeric_limits<float>::max())) measureDeepest();
  }

 private:
  /// Adds up what has been met, before any of it is opened.
  [[nodiscard]] bool isTooMuch() {
    // the root, and what measureDeepest() may need
    constexpr double kAlways = 2.0;
    sums_.work = 16.0 * (kAlways + sum(toDouble(work_)));
    sums_.wasGivenUp = sums_.work > task_.mostWork;
    return sums_.wasGivenUp;
  }

  [[nodiscard]] float band() const { return kBand * level_.spacing; }

  /// How far outside points still matter [m].
  [[nodiscard]] float margin() const {
    // a voxel reaches half its diagonal around its centre, whose distance is half a voxel at most
    return law == PointLaw::Volume   ? task_.edge
           : law == PointLaw::Layers ? 1.5F * p_.map.voxel
                                     : 0.0F;
  }

  /// Returns how many children are in `next`: those that the map's surface may cut.
  [[gnu::noinline]] std::size_t openGroups(std::size_t firstGroup, const std::int32_t* list,
                                           std::size_t count, std::int32_t* next) {
    std::size_t found = 0;
    whole_.clear();
    const Pointshell::Balls* const balls = p_.shell.balls.data() + firstGroup;
    for (std::size_t i = 0; i < std::min(kAhead, count); ++i)
      fetch(balls + list[i], 4);
    std::array<FieldCells16, kAhead> ahead;
    for (std::size_t i = 0; i < count + kAhead; ++i) {
      FieldCells16& cells = ahead[i % kAhead];
      if (i >= kAhead) {
        const auto group = static_cast<std::size_t>(list[i - kAhead]);
        F32x16 nearest;
        const auto touches = measure(firstGroup + group, cells, nearest);
        const I32x16 children = laneNumbers() + static_cast<std::int32_t>(16 * group);
        found += append(children, maskOf<std::int32_t>(touches), next + found);
      }
      if (i < count) {
        fetch(balls + list[std::min(i + kAhead, count - 1)], 4);
        lookUp(balls[list[i]], cells);
      }
    }
    if (countsWhole()) whole_.addTo(sums_);
    return found;
  }

  void beginFront() {
    const auto level = task_.level;
    dueBelow_ = s_.front.moved() + margin();
    openedBelow_ = s_.front.openedBelow(PointFront::Walk::Sum, level);
    s_.front.setOpenedBelow(PointFront::Walk::Sum, level, dueBelow_);
    groupsAbove_ = level_.firstGroup;
  }

  /// The same by what is known; measures only where that may have changed.
  [[gnu::noinline]] std::size_t openByFront(std::size_t firstGroup, const std::int32_t* list,
                                            std::size_t count, std::int32_t* next) {
    std::size_t found = 0;
    whole_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const auto group = static_cast<std::size_t>(list[i]);
      float* const keys = s_.front.keysOf(firstGroup + group);
      const F32x16 key = load(static_cast<const float*>(keys));
      auto isDue = key < dueBelow_;
      if (none(isDue)) {
        // the group is shut by what was found below it
        if (firstGroup != level_.firstGroup) {
          float& own = s_.front.keyOf(groupsAbove_, group);
          own = std::max(own, minimum(key));
        }
        continue;
      }
      const auto isDueAgain = isDue & ((key >= openedBelow_) | (key < kUnknownBelow));
      if (law == PointLaw::Volume || s_.front.wantsLook(countOf(isDueAgain))) {
        sums_.nodeTests += 16;
        F32x16 nearest;
        FieldCells16 cells;
        lookUp(p_.shell.balls[firstGroup + group], cells);
        isDue = isDue & measure(firstGroup + group, cells, nearest);
        store(max(key, nearest + s_.front.keyOffset()), keys);
      }
      const I32x16 children = laneNumbers() + static_cast<std::int32_t>(16 * group);
      found += append(children, maskOf<std::int32_t>(isDue), next + found);
    }
    if (countsWhole()) whole_.addTo(sums_);
    return found;
  }

  [[nodiscard]] bool countsWhole() const { return law == PointLaw::Volume && !task_.wantsContacts; }

  [[nodiscard]] LANES_INLINE Spots16 middlesOf(const Pointshell::Balls& balls) const {
    return placed(p_, load(balls.x.data()), load(balls.y.data()), load(balls.z.data()));
  }

  /// The cells of sixteen children's middles, for measure(); has their values fetched.
  [[gnu::noinline]] void lookUp(const Pointshell::Balls& balls, FieldCells16& cells) const {
    const Spots16 held = heldInGrid(p_.map, middlesOf(balls));
    cells = fieldCells(p_.map, held.x, held.y, held.z);
    prefetchValues(p_.map, cells);
  }

  [[nodiscard]] LANES_INLINE Spots16 spotsOf(const Block& block) const {
    return placed(p_, load(block.x.data()), load(block.y.data()), load(block.z.data()));
  }

  /// Of sixteen children: which may be cut by the map's surface, and how near its points may be.
  [[gnu::noinline]] LaneMask<float> measure(std::size_t group, const FieldCells16& cells,
                                            F32x16& nearest) {
    const float reach = reach_;
    const Pointshell::Balls& balls = p_.shell.balls[group];
    const F32x16 radius = load(balls.radius.data());
    const F32x16 distance = reachIn(p_.map, middlesOf(balls), cells).least;
    nearest = distance - radius;
    // a damaged map may have an error of any size, but a child that is missing is never near
    auto touches = (radius >= 0.0F) & (distance < radius + reach);
    if (task_.isLimited()) countWork(radius, distance);
    if (countsWhole()) {
      const auto isWhole = touches & (distance + radius < -reach);
      touches = touches & !isWhole;
      if (any(isWhole)) {
        addWhole(group, isWhole, whole_);
        keepDeepest(group, select(isWhole, distance, std::numeric_limits<float>::max()));
      }
    }
    return touches;
  }

  /// Of sixteen children, what opening them takes, or will take a little further on.
  [[gnu::noinline]] void countWork(F32x16 radius, F32x16 distance) {
    const float perBand = 1.0F / band();
    F32x16 share = min(max((radius - distance + reach_) * perBand + 1.0F, 0.0F), 1.0F);
    if (countsWhole()) share = min(share, max((radius + distance + reach_) * perBand + 1.0F, 0.0F));
    work_ += share;
  }

  /// So many cache lines from here on.
  static LANES_INLINE void fetch(const void* from, std::size_t lines) {
    constexpr std::size_t kLine = 64;
    for (std::size_t line = 0; line < lines; ++line)
      __builtin_prefetch(static_cast<const char*>(from) + line * kLine);
  }

  [[gnu::noinline]] void addWhole(std::size_t group, LaneMask<float> which, RunningSums& to) const {
    const Pointshell::Sums& sums = p_.shell.sums[group];
    to.fx += select(which, load(sums.nx.data()), 0.0F);
    to.fy += select(which, load(sums.ny.data()), 0.0F);
    to.fz += select(which, load(sums.nz.data()), 0.0F);
    to.mx += select(which, load(sums.mx.data()), 0.0F);
    to.my += select(which, load(sums.my.data()), 0.0F);
    to.mz += select(which, load(sums.mz.data()), 0.0F);
    to.area += select(which, load(sums.area.data()), 0.0F);
  }

  /// Of nodes that count as a whole, the first block of that whose middle is deepest.
  [[gnu::noinline]] void keepDeepest(std::size_t group, F32x16 distance) {
    const float least = minimum(distance);
    if (!(least < deepest_)) return;
    deepest_ = least;
    const I32x16 lanes = select(maskOf<std::int32_t>(distance == least), laneNumbers(),
                                std::numeric_limits<std::int32_t>::max());
    deepestBlock_ =
        (static_cast<std::int32_t>(16 * (group - firstGroup_)) + minimum(lanes)) * blocksBelow_;
  }

  /// When all that is inside counted as a whole: one block of it, so that there is a distance.
  [[gnu::noinline]] void measureDeepest() {
    sums_.least = deepest_;
    sums_.leastPoint = static_cast<std::uint32_t>(16 * deepestBlock_);
    sums_.pointTests += 16;
    const Block& block =
        p_.shell.blocks[level_.firstBlock + static_cast<std::size_t>(deepestBlock_)];
    const Spots16 at = spotsOf(block);
    const F32x16 distance = sampleField(p_.map, at.x, at.y, at.z).value;
    sums_.least = minimum(distance);
    const I32x16 lanes = select(maskOf<std::int32_t>(distance == sums_.least), laneNumbers(),
                                std::numeric_limits<std::int32_t>::max());
    sums_.leastPoint = static_cast<std::uint32_t>(16 * deepestBlock_ + minimum(lanes));
  }

  /// The cells of a block's points; has their values and what else there is to the points fetched.
  [[gnu::noinline]] void lookUp(const Block& block, FieldCells16& cells) const {
    // not with the places, though nearly all blocks count: what is needed first comes first
    fetch(block.nx.data(), 4);
    const Spots16 at = spotsOf(block);
    cells = fieldCells(p_.map, at.x, at.y, at.z);
    prefetchValues(p_.map, cells);
  }

  [[gnu::noinline]] void addBlocks(const std::int32_t* list, std::size_t count) {
    const Block* const blocks = p_.shell.blocks.data() + level_.firstBlock;
    const auto pointsPerArea =
        static_cast<float>(static_cast<double>(p_.shell.levels.front().points) / p_.shell.area);
    const float perEdge = law == PointLaw::Volume ? 0.5F / task_.edge : 0.0F;
    F32x16 least = std::numeric_limits<float>::max();
    I32x16 leastBlock = 0;
    std::size_t inRun = 0;
    RunningSums run;
    run.clear();
    if (task_.wantsStiffness) s_.stiffness = {};
    for (std::size_t i = 0; i < std::min(kAhead, count); ++i)
      fetch(blocks + list[i], 3);
    std::array<FieldCells16, kAhead> ahead;
    const auto lookUpAt = [&](std::size_t i) {
      fetch(blocks + list[std::min(i + kAhead, count - 1)], 3);
      lookUp(blocks[list[i]], ahead[i % kAhead]);
    };
    for (std::size_t i = 0; i < std::min(kAhead, count); ++i)
      lookUpAt(i);
    for (std::size_t i = 0; i < count; ++i) {
      const FieldSample16 field = fieldIn(p_.map, ahead[i % kAhead]);
      if (i + kAhead < count) lookUpAt(i + kAhead);
      const Block& block = blocks[list[i]];
      const F32x16 x = load(block.x.data());
      const F32x16 y = load(block.y.data());
      const F32x16 z = load(block.z.data());
      const F32x16 nx = load(block.nx.data());
      const F32x16 ny = load(block.ny.data());
      const F32x16 nz = load(block.nz.data());
      const F32x16 area = load(block.area.data());

      F32x16 weight;
      F32x16 inside;
      F32x16 growth;  // of the weight, by the way into the map
      F32x16 across = 0.0F;
      const std::array<float, 9>& r = p_.rotation;
      if constexpr (law == PointLaw::Volume) {
        const F32x16 t = min(max(0.5F - field.value * perEdge, 0.0F), 1.0F);
        weight = t * t * (3.0F - 2.0F * t);
        inside = weight;
        growth = 6.0F * t * (1.0F - t) * perEdge;
      } else if constexpr (law == PointLaw::Layers) {
        const Spots16 at = spotsOf(block);
        const FieldLayer16 voxel = sampleLayer(p_.map, at.x, at.y, at.z);
        const F32x16 perLength = 1.0F / max(sqrt(nx * nx + ny * ny + nz * nz), 1e-30F);
        const F32x16 local = ((voxel.centreX - at.x) * (r[0] * nx + r[1] * ny + r[2] * nz) +
                              (voxel.centreY - at.y) * (r[3] * nx + r[4] * ny + r[5] * nz) +
                              (voxel.centreZ - at.z) * (r[6] * nx + r[7] * ny + r[8] * nz)) *
                             perLength;
        F32x16 push = max(local + voxel.layer * p_.map.voxel, 0.0F);
        // a point of a coarser level stands for as many as share its area
        if (task_.level > 0) push *= area * pointsPerArea;
        weight = select(voxel.layer >= 0.0F, push * perLength, 0.0F);
        inside = select(voxel.layer >= 0.0F, 1.0F, 0.0F);
        growth = 0.0F;
      } else {
        weight = max(-field.value, 0.0F);
        inside = select(field.value < 0.0F, 1.0F, 0.0F);
        growth = inside;
        across = field.gradientX * (r[0] * nx + r[1] * ny + r[2] * nz) +
                 field.gradientY * (r[3] * nx + r[4] * ny + r[5] * nz) +
                 field.gradientZ * (r[6] * nx + r[7] * ny + r[8] * nz);
      }
      if (none((inside > 0.0F) | (field.value < 0.0F))) {
        if (s_.front.isUsed()) learn(list[i], minimum(field.value));
        continue;
      }
      const auto isLess = field.value < least;
      least = select(isLess, field.value, least);
      leastBlock = select(maskOf<std::int32_t>(isLess), I32x16(list[i]), leastBlock);
      const F32x16 fx = weight * nx;
      const F32x16 fy = weight * ny;
      const F32x16 fz = weight * nz;
      run.fx += fx;
      run.fy += fy;
      run.fz += fz;
      run.mx += y * fz - z * fy;
      run.my += z * fx - x * fz;
      run.mz += x * fy - y * fx;
      run.area += inside * area;
      // the flux of depth^2 / 2 times its gradient through the shares
      if constexpr (law == PointLaw::Depth) run.energy += (0.5F * weight) * weight * across;
      if (task_.wantsContacts) keepContact(list[i], block, weight, inside, field.value);
      if (task_.wantsStiffness && law != PointLaw::Layers)
        keepStiffness(p_, block, field, growth, s_.stiffness);
      if (++inRun == kRun) {
        endRun(run);
        inRun = 0;
      }
    }
    if (inRun != 0) endRun(run);
    const float smallest = minimum(least);
    sums_.least = smallest;
    const I32x16 numbers = leastBlock * 16 + laneNumbers();
    sums_.leastPoint =
        static_cast<std::uint32_t>(minimum(select(maskOf<std::int32_t>(least == smallest), numbers,
                                                  std::numeric_limits<std::int32_t>::max())));
  }

  LANES_INLINE void endRun(RunningSums& run) {
    run.addTo(sums_);
    run.clear();
    if (task_.wantsStiffness) addStiffness(s_.stiffness, sums_);
  }

  /// What is known now of a block that does not count.
  void learn(std::int32_t block, float nearest) {
    // Out of its grid the map adds the way to the border to the distance there. The surface is no
    // nearer than the root of both squares, which is the sum over the root of two at least.
    constexpr float kOutOfGrid = 0.7F;
    float& key = s_.front.keyOf(groupsAbove_, static_cast<std::size_t>(block));
    key = std::max(key, kOutOfGrid * nearest + s_.front.keyOffset());
  }

  [[gnu::noinline]] void keepContact(std::int32_t number, const Block& block, F32x16 weight,
                                     F32x16 inside, F32x16 distance) {
    if (none(inside > 0.0F)) return;
    BlockContact& contact = s_.contacts[s_.contactCount++];
    const F32x16 area = load(block.area.data());
    const F32x16 share = weight * area;
    contact.block = level_.firstBlock + static_cast<std::uint32_t>(number);
    contact.weight = sum(share);
    contact.place = {sum(share * load(block.x.data())), sum(share * load(block.y.data())),
                     sum(share * load(block.z.data()))};
    contact.force = {sum(weight * load(block.nx.data())), sum(weight * load(block.ny.data())),
                     sum(weight * load(block.nz.data()))};
    contact.area = sum(inside * area);
    contact.depth = maximum(max(-distance, 0.0F));
  }

  const PosedPoints& p_;
  const PointSumTask& task_;
  PointScratch& s_;
  PointSums& sums_;
  const Level& level_;
  RunningSums whole_;            ///< of nodes that count as a whole, of a tree level
  F32x16 work_ = 0.0F;           ///< nodes opened, and shares of those that soon are
  float reach_ = 0.0F;           ///< how far outside children are opened [m]
  std::size_t groupsAbove_ = 0;  ///< first of the tree level above that which is opened
  float dueBelow_ = 0.0F, openedBelow_ = 0.0F;
  std::size_t firstGroup_ = 0;    ///< of the tree level that is opened
  std::int32_t blocksBelow_ = 1;  ///< a child of it
  std::int32_t deepestBlock_ = -1;
  float deepest_ = std::numeric_limits<float>::max();
};

void sumVolume(const PosedPoints& posed, const PointSumTask& task, PointScratch& scratch,
               PointSums& sums) noexcept {
  SumWalk<PointLaw::Volume>(posed, task, scratch, sums).run();
}

void sumDepth(const PosedPoints& posed, const PointSumTask& task, PointScratch& scratch,
              PointSums& sums) noexcept {
  SumWalk<PointLaw::Depth>(posed, task, scratch, sums).run();
}

void sumLayers(const PosedPoints& posed, const PointSumTask& task, PointScratch& scratch,
               PointSums& sums) noexcept {
  SumWalk<PointLaw::Layers>(posed, task, scratch, sums).run();
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

PointScratch::PointScratch(const Pointshell& shell, Coherence coherent) {
  if (coherent == Coherence::SmallSteps) front = PointFront(shell);
  // a list may be written sixteen at a time
  std::size_t blocks = 0;
  for (const Pointshell::Level& level : shell.arrays().levels)
    blocks = std::max<std::size_t>(blocks, Pointshell::blocksOf(level));
  for (std::size_t k = 0; k < 2; ++k) {
    lists[k].resize(blocks + 32);
    bounds[k].resize(blocks + 32);
  }
  contacts.resize(shell.arrays().blocks.size());
}

PointSums pointSums(const PosedPoints& posed, const PointSumTask& task,
                    PointScratch& scratch) noexcept {
  PointSums sums;
  switch (task.law) {
    case PointLaw::Volume:
      TACTUS_LANES_CALL(sumVolume)(posed, task, scratch, sums);
      break;
    case PointLaw::Depth:
      TACTUS_LANES_CALL(sumDepth)(posed, task, scratch, sums);
      break;
    case PointLaw::Layers:
      TACTUS_LANES_CALL(sumLayers)(posed, task, scratch, sums);
      break;
  }
  return sums;
}

}  // namespace tactus::collision
#endif
