#include "collision/pointshell/point_sums.hpp"

#include <algorithm>
#include <array>

#define TACTUS_LANES_FILE "collision/pointshell/point_sums.cpp"
#include "models/lanes/lanes.hpp"

#include "collision/pointshell/posed_points_lanes.hpp"

TACTUS_LANES_BEGIN(tactus::collision);

using Level = Pointshell::Level;
using Block = Pointshell::Block;

// Blocks whose sums stay floats: a hundred numbers of one size lose a digit of seven.
constexpr std::size_t kRun = 64;

// A block has seven cache lines: so many blocks on the way hide the way.
constexpr std::size_t kAhead = 4;

// Blocks of the next finer level reach so many of this level's spacings.
constexpr float kSoftEdge = 1.5F;

/// Sums that stay in registers for a run.
struct RunningSums {
  F32x16 fx, fy, fz, mx, my, mz, area;

  LANES_INLINE void clear() { fx = fy = fz = mx = my = mz = area = F32x16(0.0F); }
  LANES_INLINE void addTo(PointSums& sums) const {
    sums.force[0] += sum(toDouble(fx));
    sums.force[1] += sum(toDouble(fy));
    sums.force[2] += sum(toDouble(fz));
    sums.moment[0] += sum(toDouble(mx));
    sums.moment[1] += sum(toDouble(my));
    sums.moment[2] += sum(toDouble(mz));
    sums.area += sum(toDouble(area));
  }
};

template <PointLaw law>
class SumWalk {
 public:
  LANES_INLINE SumWalk(const PosedPoints& posed, const PointSumTask& task, PointScratch& scratch,
                       PointSums& sums)
      : p_(posed), task_(task), s_(scratch), sums_(sums), level_(posed.shell.levels[task.level]) {}

  LANES_INLINE void run() {
    const Pointshell::TreeShape shape = Pointshell::treeShapeOf(Pointshell::blocksOf(level_));
    s_.contactCount = 0;
    s_.lists[0][0] = 0;
    std::size_t count = 1;
    std::size_t firstGroup = level_.firstGroup;
    std::size_t now = 0;
    for (std::size_t t = 0; t < shape.levels; ++t) {
      if (!mayTest(count)) return;
      sums_.nodeTests += static_cast<std::uint32_t>(16 * count);
      count = openGroups(firstGroup, s_.lists[now].data(), count, s_.lists[1 - now].data());
      firstGroup += shape.groups[t];
      now = 1 - now;
    }
    if (!mayTest(count)) return;
    sums_.pointTests += static_cast<std::uint32_t>(16 * count);
    addBlocks(s_.lists[now].data(), count);
  }

 private:
  [[nodiscard]] bool mayTest(std::size_t sixteens) {
    sums_.wasCapped = sums_.nodeTests + sums_.pointTests + 16 * sixteens > task_.most;
    return !sums_.wasCapped;
  }

  /// How far outside points still matter [m].
  [[nodiscard]] float margin() const {
    // a voxel reaches half its diagonal around its centre, whose distance is half a voxel at most
    const float edge = law == PointLaw::Volume   ? task_.edge
                       : law == PointLaw::Layers ? 1.5F * p_.map.voxel
                                                 : 0.0F;
    return task_.countsSoftly ? std::max(edge, kSoftEdge * level_.spacing) : edge;
  }

  /// Returns how many children are in `next`: those that the map's surface may cut.
  [[gnu::noinline]] std::size_t openGroups(std::size_t firstGroup, const std::int32_t* list,
                                           std::size_t count, std::int32_t* next) {
    const bool countsWhole = law == PointLaw::Volume && !task_.countsSoftly && !task_.wantsContacts;
    const float reach = margin() + p_.slack;
    std::size_t found = 0;
    RunningSums whole;
    whole.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const auto group = static_cast<std::size_t>(list[i]);
      const std::size_t soon =
          firstGroup + static_cast<std::size_t>(list[std::min(i + kAhead, count - 1)]);
      const auto* const ahead = reinterpret_cast<const char*>(p_.shell.balls.data() + soon);
      for (std::size_t line = 0; line < sizeof(Pointshell::Balls); line += 64)
        __builtin_prefetch(ahead + line);
      const Pointshell::Balls& balls = p_.shell.balls[firstGroup + group];
      const Spots16 at =
          placed(p_, load(balls.x.data()), load(balls.y.data()), load(balls.z.data()));
      const F32x16 radius = load(balls.radius.data());
      const F32x16 distance = reachOf(p_.map, at).least;
      auto touches = distance < radius + reach;
      if (countsWhole) {
        const auto isWhole = touches & (distance + radius < -reach);
        touches = touches & !isWhole;
        if (any(isWhole)) addWhole(firstGroup + group, isWhole, whole);
      }
      const I32x16 children = laneNumbers() + static_cast<std::int32_t>(16 * group);
      found += append(children, maskOf<std::int32_t>(touches), next + found);
    }
    if (countsWhole) whole.addTo(sums_);
    return found;
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

  [[gnu::noinline]] void addBlocks(const std::int32_t* list, std::size_t count) {
    const Block* const blocks = p_.shell.blocks.data() + level_.firstBlock;
    const float perEdge = law == PointLaw::Volume ? 0.5F / task_.edge : 0.0F;
    const float perSpacing = 1.0F / level_.spacing;
    F32x16 least = std::numeric_limits<float>::max();
    I32x16 leastBlock = 0;
    F32x16 soft = 0.0F;
    for (std::size_t begin = 0; begin < count; begin += kRun) {
      const std::size_t end = std::min(begin + kRun, count);
      RunningSums run;
      run.clear();
      F32x16 energy = 0.0F;
      for (std::size_t i = begin; i < end; ++i) {
        const auto* const ahead =
            reinterpret_cast<const char*>(blocks + list[std::min(i + kAhead, count - 1)]);
        for (std::size_t line = 0; line < sizeof(Block); line += 64)
          __builtin_prefetch(ahead + line);
        const Block& block = blocks[list[i]];
        const F32x16 x = load(block.x.data());
        const F32x16 y = load(block.y.data());
        const F32x16 z = load(block.z.data());
        const Spots16 at = placed(p_, x, y, z);
        const FieldSample16 field = sampleField(p_.map, at.x, at.y, at.z);
        const F32x16 nx = load(block.nx.data());
        const F32x16 ny = load(block.ny.data());
        const F32x16 nz = load(block.nz.data());
        const F32x16 area = load(block.area.data());
        const auto isLess = field.value < least;
        least = select(isLess, field.value, least);
        leastBlock = select(maskOf<std::int32_t>(isLess), I32x16(list[i]), leastBlock);

        F32x16 weight;
        F32x16 inside;
        const std::array<float, 9>& r = p_.rotation;
        if constexpr (law == PointLaw::Volume) {
          const F32x16 t = min(max(0.5F - field.value * perEdge, 0.0F), 1.0F);
          weight = t * t * (3.0F - 2.0F * t);
          inside = weight;
        } else if constexpr (law == PointLaw::Layers) {
          const FieldLayer16 voxel = sampleLayer(p_.map, at.x, at.y, at.z);
          const F32x16 perLength = 1.0F / max(sqrt(nx * nx + ny * ny + nz * nz), 1e-30F);
          const F32x16 local = ((voxel.centreX - at.x) * (r[0] * nx + r[1] * ny + r[2] * nz) +
                                (voxel.centreY - at.y) * (r[3] * nx + r[4] * ny + r[5] * nz) +
                                (voxel.centreZ - at.z) * (r[6] * nx + r[7] * ny + r[8] * nz)) *
                               perLength;
          const F32x16 push = max(local + voxel.layer * p_.map.voxel, 0.0F);
          weight = select(voxel.layer >= 0.0F, push * perLength, 0.0F);
          inside = select(voxel.layer >= 0.0F, 1.0F, 0.0F);
        } else {
          weight = max(-field.value, 0.0F);
          inside = select(field.value < 0.0F, 1.0F, 0.0F);
          // the flux of depth^2 / 2 times its gradient through the shares
          const F32x16 across = field.gradientX * (r[0] * nx + r[1] * ny + r[2] * nz) +
                                field.gradientY * (r[3] * nx + r[4] * ny + r[5] * nz) +
                                field.gradientZ * (r[6] * nx + r[7] * ny + r[8] * nz);
          energy += (0.5F * weight) * weight * across;
        }
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
        if (task_.countsSoftly) {
          soft +=
              select(area > 0.0F, min(max(kSoftEdge - field.value * perSpacing, 0.0F), 1.0F), 0.0F);
        }
        if (task_.wantsContacts) keepContact(list[i], block, weight, inside, field.value);
      }
      run.addTo(sums_);
      if constexpr (law == PointLaw::Depth) sums_.energy += sum(toDouble(energy));
    }
    if (count == 0) return;
    sums_.soft += sum(toDouble(soft));
    const float smallest = minimum(least);
    sums_.least = smallest;
    const I32x16 numbers = leastBlock * 16 + laneNumbers();
    sums_.leastPoint =
        static_cast<std::uint32_t>(minimum(select(maskOf<std::int32_t>(least == smallest), numbers,
                                                  std::numeric_limits<std::int32_t>::max())));
  }

  [[gnu::noinline]] void keepContact(std::int32_t number, const Block& block, F32x16 weight,
                                     F32x16 inside, F32x16 distance) {
    if (none(inside > 0.0F)) return;
    BlockContact& contact = s_.contacts[s_.contactCount++];
    const F32x16 area = load(block.area.data());
    const F32x16 share = weight * area;
    contact.block = static_cast<std::uint32_t>(number);
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

PointScratch::PointScratch(const Pointshell& shell) {
  // a list may be written sixteen at a time
  std::size_t blocks = 0;
  for (const Pointshell::Level& level : shell.arrays().levels)
    blocks = std::max<std::size_t>(blocks, Pointshell::blocksOf(level));
  for (std::size_t k = 0; k < 2; ++k) {
    lists[k].resize(blocks + 32);
    bounds[k].resize(blocks + 32);
  }
  contacts.resize(blocks);
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
