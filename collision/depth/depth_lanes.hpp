// The vector code that samples a depth field, sixteen places at a time.
//
// For .cpp files that are read once a target; include it behind models/lanes/lanes.hpp.

#include <array>
#include <cstddef>
#include <cstdint>

#include "collision/depth/cube_batch.hpp"
#include "collision/depth/depth_field.hpp"
#include "models/lanes/lanes.hpp"
#include "models/lanes/scattered_rows.hpp"

// Once a target, like lanes.hpp.
#if defined(TACTUS_DEPTH_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef TACTUS_DEPTH_LANES
#undef TACTUS_DEPTH_LANES
#else
#define TACTUS_DEPTH_LANES
#endif

TACTUS_LANES_BEGIN(tactus::collision);

// Two planes through the same depths, one by value and gradient at the middle, the other through
// points around it, are hardly further from each other in a cube than this share of its side, also
// where the depths bend the other way than at an edge.
constexpr float kDiffers = 0.5F;

struct Arrow {
  F32x16 x, y, z;
};

LANES_INLINE Arrow turned(const std::array<float, 9>& r, const Arrow& v) {
  return {r[0] * v.x + r[1] * v.y + r[2] * v.z, r[3] * v.x + r[4] * v.y + r[5] * v.z,
          r[6] * v.x + r[7] * v.y + r[8] * v.z};
}

LANES_INLINE Arrow plus(const Arrow& a, const Arrow& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

struct Depth {
  F32x16 value;    ///< [m]
  Arrow gradient;  ///< [m/m]
};

/// By how much a linear depth is more than at the middle, at its deepest corner of a cube.
LANES_INLINE F32x16 rise(const Arrow& gradient, float halfSide) {
  return halfSide * (abs(gradient.x) + abs(gradient.y) + abs(gradient.z));
}

/// Where cubes with sides of `width` finest ones have their middles, in units of the finest.
LANES_INLINE Arrow middleOf(I32x16 x, I32x16 y, I32x16 z, float width) {
  return {(toFloat(x) + 0.5F) * width, (toFloat(y) + 0.5F) * width, (toFloat(z) + 0.5F) * width};
}

/// In units of the other field's cubes, from its first corner.
LANES_INLINE Arrow thereOf(const DepthProblem& problem, const Arrow& middle) {
  const Arrow there = turned(problem.turn, middle);
  return {there.x + problem.offset[0], there.y + problem.offset[1], there.z + problem.offset[2]};
}

LANES_INLINE F32x16 between(F32x16 from, F32x16 to, F32x16 share) {
  return from + (to - from) * share;
}

/// Of a cube.
constexpr auto kCorners = static_cast<std::int32_t>(DepthField::CubeCorners{}.size());

/// Values at the corners of cubes, by the numbers of their first ones: the edges along x.
LANES_INLINE FourShortPairs edgesOf(const DepthField& field, I32x16 first) {
  alignas(64) std::int32_t at[kLanes];
  store(first * kCorners, at);
  return loadEights(field.cubeCorners().data()->data(), at);
}

/// At places in units of cubes, from the first corner.
template <bool wantsGradient>
[[gnu::noinline]] void depthAt(const DepthField& of, const Arrow& at, Depth& depth) {
  const DepthField::Arrays& field = of.arrays();
  const auto& size = field.size;
  const auto held = [&](const F32x16& x, std::size_t k) {
    return min(max(x, 0.0F), static_cast<float>(size[k] - 1));
  };
  const F32x16 x = held(at.x, 0);
  const F32x16 y = held(at.y, 1);
  const F32x16 z = held(at.z, 2);
  const F32x16 ix = floor(min(x, static_cast<float>(size[0]) - 1.5F));
  const F32x16 iy = floor(min(y, static_cast<float>(size[1]) - 1.5F));
  const F32x16 iz = floor(min(z, static_cast<float>(size[2]) - 1.5F));
  const F32x16 fx = x - ix;
  const F32x16 fy = y - iy;
  const F32x16 fz = z - iz;
  const auto [low, lowNext, high, highNext] =
      edgesOf(of, (wholeToInt(iz) * size[1] + wholeToInt(iy)) * size[0] + wholeToInt(ix)).row;
  const F32x16 a = toFloat(low.first);
  const F32x16 b = toFloat(lowNext.first);
  const F32x16 c = toFloat(high.first);
  const F32x16 d = toFloat(highNext.first);
  const F32x16 ax = toFloat(low.second) - a;
  const F32x16 bx = toFloat(lowNext.second) - b;
  const F32x16 cx = toFloat(high.second) - c;
  const F32x16 dx = toFloat(highNext.second) - d;
  const F32x16 onA = a + ax * fx;
  const F32x16 onB = b + bx * fx;
  const F32x16 onC = c + cx * fx;
  const F32x16 onD = d + dx * fx;
  const F32x16 below = between(onA, onB, fy);
  const F32x16 above = between(onC, onD, fy);
  if constexpr (wantsGradient) {
    const float slope = field.unit / field.side;
    depth.gradient = {slope * between(between(ax, bx, fy), between(cx, dx, fy), fz),
                      slope * between(onB - onA, onD - onC, fz), slope * (above - below)};
  }
  const F32x16 value = field.unit * between(below, above, fz);
  // what is outside of the grid is at least as far from the object as from the grid
  const F32x16 ox = at.x - x;
  const F32x16 oy = at.y - y;
  const F32x16 oz = at.z - z;
  const F32x16 squared = ox * ox + oy * oy + oz * oz;
  depth.value = value;
  if (any(squared > 0.0F)) {
    const F32x16 beyond = field.side * sqrt(squared);
    depth.value = select(beyond > 0.0F, min(value + beyond, -beyond), value);
  }
}

TACTUS_LANES_END(tactus::collision);

#endif  // TACTUS_DEPTH_LANES
