#include "collision/depth/cube_planes.hpp"

#include <algorithm>
#include <array>

#include "collision/depth/cube_integrals.hpp"
#include "collision/depth/wall_cubes.hpp"

#define TACTUS_LANES_FILE "collision/depth/cube_planes.cpp"
#include "collision/depth/cube_lanes.hpp"
#include "models/lanes/lanes.hpp"

TACTUS_LANES_BEGIN(tactus::collision);

// A cube is looked at in eight halves where the other's depth bends, as it does at an edge. That
// fades in while its middle is off the plane around it by the first to the second of these shares
// of a side. Surfaces whose radius is ten sides are off by 0.008.
constexpr float kBendsFrom = 0.015F;
constexpr float kBendsAt = 0.04F;
// Which matters where the other solid ends, or the lesser depth changes: at planes that are nearer
// to the middle than the second of these numbers of sides, and less up to the first.
constexpr float kFarOff = 1.1F;
constexpr float kNearBy = 0.75F;
// Nowhere in a cube is a depth less than at its middle by more sides than this, whatever it is
// between: half a diagonal, and a little for sharpened values.
constexpr float kFallsBy = 1.05F;

/// Sixteen cubes of a batch.
struct Waits {
  Depth p, q;
  Arrow middle;  ///< in units of the finest cubes
};

/// At place `count` of a batch; returns how many.
LANES_INLINE std::size_t appendWaits(const Waits& waits, F32x16 weight, LaneMask<float> which,
                                     std::size_t count, CubeBatch& batch) {
  appendDepth(waits.p, kP, which, count, batch);
  appendDepth(waits.q, kQ, which, count, batch);
  appendMiddle(waits.middle, which, count, batch);
  return append(weight, which, batch.array(kWeight) + count);
}

/// What the two depths add up to in a cube, where that is most.
LANES_INLINE F32x16 mostOfBoth(const Waits& waits, float side) {
  return (waits.p.value + waits.q.value) +
         rise(plus(waits.p.gradient, waits.q.gradient), 0.5F * side);
}

/// How much of a cube is to be looked at in halves, in which the other's depth is `off` a plane.
LANES_INLINE F32x16 halvedOf(const Waits& waits, F32x16 off, float side) {
  // where they are equal is half as far as they differ, if they run towards each other
  const F32x16 toEqual = 0.5F * abs(waits.p.value - waits.q.value);
  const F32x16 distance = min(abs(waits.q.value), toEqual);
  const F32x16 matters =
      min(max((kFarOff * side - distance) * (1.0F / ((kFarOff - kNearBy) * side)), 0.0F), 1.0F);
  return min(
      max((off * matters - kBendsFrom * side) * (1.0F / ((kBendsAt - kBendsFrom) * side)), 0.0F),
      1.0F);
}

/// Adds those of the eight halves of cubes that may hold anything.
LANES_INLINE void halve(const Waits& waits, const F32x16& weight, LaneMask<float> which, float side,
                        CubeBatch& halves) {
  const Depth& q = waits.q;
  const F32x16 both = waits.p.value + q.value;
  const Arrow slope = plus(waits.p.gradient, q.gradient);
  const float least = -kDiffers * side;
  const float quarter = 0.25F * side;
  const F32x16 riseOfQ = rise(q.gradient, quarter);
  const F32x16 riseOfBoth = rise(slope, quarter);
  for (const float x : {-1.0F, 1.0F}) {
    for (const float y : {-1.0F, 1.0F}) {
      for (const float z : {-1.0F, 1.0F}) {
        const F32x16 ofQ =
            q.value + quarter * (x * q.gradient.x + y * q.gradient.y + z * q.gradient.z) + riseOfQ;
        const F32x16 ofBoth =
            both + quarter * (x * slope.x + y * slope.y + z * slope.z) + riseOfBoth;
        const auto some = which & (ofQ > least) & (ofBoth > least);
        appendMiddle(
            {waits.middle.x + 0.25F * x, waits.middle.y + 0.25F * y, waits.middle.z + 0.25F * z},
            some, halves.count, halves);
        halves.count += append(weight, some, halves.array(kWeight) + halves.count);
      }
    }
  }
}

/// Adds the walked field's depths. Leaves out cubes in which the two nowhere add up to something,
/// as they would if both were positive; moves those in which the walked field's is the lesser one
/// all over to `own`, as nothing else has to be known of the other's.
[[gnu::noinline]] void sift(const DepthProblem& problem, CubeBatch& batch, CubeBatch& own) {
  const DepthField& field = *problem.walked;
  const float side = batch.width * field.arrays().side;
  const auto bothCount =
      maskOf<float>(laneNumbers() < (problem.settings.law == EnergyLaw::Depth ? 16 : 0));
  const bool areFinest = batch.width == 1.0F;
  alignas(64) std::array<std::int32_t, CubeBatch::kStride> places;
  if (areFinest) placesOf(batch, field, places.data());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < batch.count; i += kLanes) {
    const auto valid = validOf(batch, i);
    Waits waits;
    waits.middle = readMiddle(batch, i, valid);
    waits.q = readDepth(batch, kQ, i);
    if (areFinest) {
      waits.p = depthIn(field, places.data() + i);
    } else {
      depthAt<true>(field, waits.middle, waits.p);
    }
    const Depth& p = waits.p;
    const Depth& q = waits.q;
    const F32x16 most = mostOfBoth(waits, side);
    // not by the other's gradient, which is that of one side where an edge of it passes
    const F32x16 least = (q.value - kFallsBy * side) - (p.value + rise(p.gradient, 0.5F * side));
    const auto counts = valid & (most > -kDiffers * side);
    const auto areOwn = counts & bothCount & (least > 0.0F);
    if (any(areOwn)) own.count += appendWaits(waits, 1.0F, areOwn, own.count, own);
    const auto rest = counts & !areOwn;
    appendDepth(p, kP, rest, kept, batch);
    appendMiddle(waits.middle, rest, kept, batch);
    kept += append(q.value, rest, batch.array(kQ) + kept);
  }
  batch.count = kept;
}

/// Gives cubes from `from` on the other field's depths. Halves of those in which depths bend are
/// added to `halves` while there is room; returns where it ended.
[[gnu::noinline]] std::size_t complete(const DepthProblem& problem, CubeBatch& batch,
                                       std::size_t from, std::size_t& kept, CubeBatch& halves) {
  const float side = batch.width * problem.walked->arrays().side;
  std::size_t i = from;
  for (; i < batch.count && halves.count + 8 * kLanes <= CubeBatch::kStride; i += kLanes) {
    const auto valid = validOf(batch, i);
    Waits waits;
    waits.middle = readMiddle(batch, i, valid);
    waits.p = readDepth(batch, kP, i);
    const F32x16 atMiddle = load(batch.array(kQ) + i);
    otherIn(problem, waits.middle, batch.width, waits.q);
    F32x16 weight = 1.0F;
    if (batch.splits > 0.0F) {
      const F32x16 halved = batch.splits * halvedOf(waits, abs(waits.q.value - atMiddle), side);
      const auto bends = valid & (halved > 0.0F);
      if (any(bends)) {
        halve(waits, halved, bends, side, halves);
        weight = weight - halved;
      }
    }
    const auto counts = valid & (mostOfBoth(waits, side) > 0.0F) & (weight > 0.0F);
    kept += appendWaits(waits, weight, counts, kept, batch);
  }
  return i;
}

/// Gives halves of cubes both depths; returns how many are left.
[[gnu::noinline]] std::size_t completeHalves(const DepthProblem& problem, CubeBatch& halves) {
  const float side = halves.width * problem.walked->arrays().side;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < halves.count; i += kLanes) {
    const auto valid = validOf(halves, i);
    Waits waits;
    waits.middle = readMiddle(halves, i, valid);
    const F32x16 weight = load(halves.array(kWeight) + i);
    otherIn(problem, waits.middle, halves.width, waits.q);
    depthAt<true>(*problem.walked, waits.middle, waits.p);
    const auto counts = valid & (mostOfBoth(waits, side) > 0.0F) & (weight > 0.0F);
    kept += appendWaits(waits, weight, counts, kept, halves);
  }
  return kept;
}

void integrateAll(const DepthProblem& problem, CubeBatch& batch, DepthSums& sums) noexcept {
  if (problem.hasWalls && batch.width == 1.0F) integrateWalls(problem, batch, sums);
  CubeBatch own{batch.beside(), 0, batch.width, batch.share};
  sift(problem, batch, own);
  addIntegrals(problem, own, own.count, sums);
  CubeBatch halves{batch.beside(), 0, 0.5F * batch.width, batch.share};
  std::size_t kept = 0;
  for (std::size_t i = 0; i < batch.count;) {
    i = complete(problem, batch, i, kept, halves);
    sums.halves += halves.count;
    addIntegrals(problem, halves, completeHalves(problem, halves), sums);
    halves.count = 0;
  }
  addIntegrals(problem, batch, kept, sums);
  batch.count = 0;
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

void integrateCubes(const DepthProblem& problem, CubeBatch& batch, DepthSums& sums) noexcept {
  TACTUS_LANES_CALL(integrateAll)(problem, batch, sums);
}

}  // namespace tactus::collision
#endif
