#include "collision/depth/cube_planes.hpp"

#include <algorithm>
#include <array>

#include "collision/depth/cube_integrals.hpp"

#define TACTUS_LANES_FILE "collision/depth/cube_planes.cpp"
#include "collision/depth/depth_lanes.hpp"
#include "models/lanes/lanes.hpp"

TACTUS_LANES_BEGIN(tactus::collision);

// Gauss's two points, from the middle of a side 1.
constexpr float kGauss = 0.2886751F;
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

/// The walked field in finest cubes: all numbers up to the last product are whole, so nothing is
/// lost. `at`: see placesOf().
LANES_INLINE Depth depthIn(const DepthField& of, const std::int32_t* at) {
  const DepthField::Arrays& field = of.arrays();
  const auto [a, b, c, d] = loadEights(of.cubeCorners().data()->data(), at).row;
  const I32x16 low = a.first + b.first + c.first + d.first;
  const I32x16 high = a.second + b.second + c.second + d.second;
  const I32x16 onA = a.first + a.second;
  const I32x16 onB = b.first + b.second;
  const I32x16 onC = c.first + c.second;
  const I32x16 onD = d.first + d.second;
  const float slope = 0.25F * field.unit / field.side;
  return {(0.125F * field.unit) * toFloat(low + high),
          {slope * toFloat(high - low), slope * toFloat((onB + onD) - (onA + onC)),
           slope * toFloat((onC + onD) - (onA + onB))}};
}

/// The other field's depth in cubes, as the plane through four corners of the smaller cube that
/// Gauss's points make: a mean over the cube, and slopes that do not jump where cells of that field
/// meet. Neighbouring cubes have the corners that the other one leaves out, so that depths that are
/// bent do not make them lean.
[[gnu::noinline]] void otherIn(const DepthProblem& problem, const Arrow& middle, float width,
                               Depth& q) {
  const F32x16 number = (middle.x + middle.y + middle.z) * (1.0F / width) - 1.5F;
  const F32x16 isOdd = number - 2.0F * floor(0.5F * number);
  const F32x16 reach = (kGauss * width) * (1.0F - 2.0F * isOdd);
  const Arrow there = thereOf(problem, middle);
  const std::array<float, 9>& turn = problem.turn;
  const Arrow x = {reach * turn[0], reach * turn[3], reach * turn[6]};
  const Arrow y = {reach * turn[1], reach * turn[4], reach * turn[7]};
  const Arrow z = {reach * turn[2], reach * turn[5], reach * turn[8]};
  Depth a;
  Depth b;
  Depth c;
  Depth d;
  depthAt<false>(
      *problem.other,
      {there.x - (x.x + y.x + z.x), there.y - (x.y + y.y + z.y), there.z - (x.z + y.z + z.z)}, a);
  depthAt<false>(
      *problem.other,
      {there.x - (x.x - y.x - z.x), there.y - (x.y - y.y - z.y), there.z - (x.z - y.z - z.z)}, b);
  depthAt<false>(
      *problem.other,
      {there.x + (x.x - y.x + z.x), there.y + (x.y - y.y + z.y), there.z + (x.z - y.z + z.z)}, c);
  depthAt<false>(
      *problem.other,
      {there.x + (x.x + y.x - z.x), there.y + (x.y + y.y - z.y), there.z + (x.z + y.z - z.z)}, d);
  q.value = 0.25F * ((a.value + b.value) + (c.value + d.value));
  const F32x16 perReach = (0.25F / problem.walked->arrays().side) / reach;
  q.gradient = {perReach * ((c.value + d.value) - (a.value + b.value)),
                perReach * ((b.value + d.value) - (a.value + c.value)),
                perReach * ((b.value + c.value) - (a.value + d.value))};
}

/// Sixteen cubes of a batch.
struct Waits {
  Depth p, q;
  Arrow middle;  ///< in units of the finest cubes
};

/// Lanes beyond the batch are at its first corner.
LANES_INLINE Arrow readMiddle(const CubeBatch& batch, std::size_t i, LaneMask<float> valid) {
  const auto read = [&](CubeArray array) {
    return select(valid, load(batch.array(array) + i), 0.0F);
  };
  return {read(kX), read(kY), read(kZ)};
}

LANES_INLINE Depth readDepth(const CubeBatch& batch, CubeArray value, std::size_t i) {
  const auto read = [&](std::size_t k) {
    return load(batch.arrays + (value + k) * CubeBatch::kStride + i);
  };
  return {read(0), {read(1), read(2), read(3)}};
}

LANES_INLINE void appendMiddle(const Arrow& middle, LaneMask<float> which, std::size_t count,
                               CubeBatch& batch) {
  append(middle.x, which, batch.array(kX) + count);
  append(middle.y, which, batch.array(kY) + count);
  append(middle.z, which, batch.array(kZ) + count);
}

LANES_INLINE void appendDepth(const Depth& depth, CubeArray value, LaneMask<float> which,
                              std::size_t count, CubeBatch& batch) {
  float* const to = batch.array(value) + count;
  append(depth.value, which, to);
  append(depth.gradient.x, which, to + CubeBatch::kStride);
  append(depth.gradient.y, which, to + 2 * CubeBatch::kStride);
  append(depth.gradient.z, which, to + 3 * CubeBatch::kStride);
}

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

LANES_INLINE LaneMask<float> validOf(const CubeBatch& batch, std::size_t i) {
  return maskOf<float>(laneNumbers() <
                       static_cast<std::int32_t>(std::min(batch.count - i, kLanes)));
}

/// Where the corners of a batch's cubes stand, of finest ones. All of them before the first is
/// used: sixteen that were just stored are not there to be read at once.
LANES_INLINE void placesOf(const CubeBatch& batch, const DepthField& field, std::int32_t* at) {
  const std::array<std::int32_t, 3>& size = field.arrays().size;
  for (std::size_t i = 0; i < batch.count; i += kLanes) {
    const Arrow middle = readMiddle(batch, i, validOf(batch, i));
    const I32x16 x = wholeToInt(floor(middle.x));
    const I32x16 y = wholeToInt(floor(middle.y));
    const I32x16 z = wholeToInt(floor(middle.z));
    store(((z * size[1] + y) * size[0] + x) * kCorners, at + i);
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
