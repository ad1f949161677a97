// The vector code that reads a batch of cubes, and gives a cube both depths.
//
// For .cpp files that are read once a target; include it behind models/lanes/lanes.hpp.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "collision/depth/cube_batch.hpp"
#include "collision/depth/depth_lanes.hpp"
#include "models/lanes/lanes.hpp"

// Once a target, like lanes.hpp.
#if defined(TACTUS_CUBE_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef TACTUS_CUBE_LANES
#undef TACTUS_CUBE_LANES
#else
#define TACTUS_CUBE_LANES
#endif

TACTUS_LANES_BEGIN(tactus::collision);

// Gauss's two points, from the middle of a side 1.
constexpr float kGauss = 0.2886751F;

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
[[gnu::noinline]] inline void otherIn(const DepthProblem& problem, const Arrow& middle, float width,
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

TACTUS_LANES_END(tactus::collision);

#endif  // TACTUS_CUBE_LANES
