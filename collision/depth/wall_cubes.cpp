#include "collision/depth/wall_cubes.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "collision/depth/cube_integrals.hpp"

#define TACTUS_LANES_FILE "collision/depth/wall_cubes.cpp"
#include "collision/depth/cube_lanes.hpp"
#include "models/lanes/lanes.hpp"

TACTUS_LANES_BEGIN(tactus::collision);

// Deeper than any plane of a wall, in sides of a cube: where there is none.
constexpr float kNoPlane = 8.0F;

/// One number a cube of sixteen: of its planes among a field's walls, plus one, or 0.
using WallNumbers = std::array<std::int32_t, kLanes>;

/// Of the cubes of `field` at places in units of its cubes, as far as they have none yet.
LANES_INLINE void findWalls(const DepthField& field, const Arrow& at, std::size_t count,
                            WallNumbers& numbers) {
  const auto& size = field.arrays().size;
  const auto held = [&](const F32x16& x, std::size_t k) {
    return wholeToInt(floor(min(max(x, 0.0F), static_cast<float>(size[k]) - 1.5F)));
  };
  alignas(64) std::array<std::int32_t, kLanes> cubes;
  store((held(at.z, 2) * size[1] + held(at.y, 1)) * size[0] + held(at.x, 0), cubes.data());
  const std::span<const std::int32_t> walls = field.wallNumbers();
  for (std::size_t i = 0; i < count; ++i) {
    if (numbers[i] == 0) numbers[i] = walls[static_cast<std::size_t>(cubes[i])];
  }
}

/// Of the other field, for walked cubes: at the middle, or else at a corner.
[[gnu::noinline]] void findOtherWalls(const DepthProblem& problem, const Arrow& there, float width,
                                      std::size_t count, WallNumbers& numbers) {
  const std::array<float, 9>& turn = problem.turn;
  findWalls(*problem.other, there, count, numbers);
  const float half = 0.5F * width;
  for (std::size_t k = 0; k < 8; ++k) {
    const float x = (k & 1U) != 0 ? half : -half;
    const float y = (k & 2U) != 0 ? half : -half;
    const float z = (k & 4U) != 0 ? half : -half;
    const Arrow corner = {there.x + (turn[0] * x + turn[1] * y + turn[2] * z),
                          there.y + (turn[3] * x + turn[4] * y + turn[5] * z),
                          there.z + (turn[6] * x + turn[7] * y + turn[8] * z)};
    findWalls(*problem.other, corner, count, numbers);
  }
}

/// Where places are from the middles of the cubes that have these walls, in sides.
LANES_INLINE Arrow fromWalls(const DepthField& field, const WallNumbers& numbers, const Arrow& at) {
  const DepthField::Arrays& all = field.arrays();
  alignas(64) std::array<std::int32_t, kLanes> x;
  alignas(64) std::array<std::int32_t, kLanes> y;
  alignas(64) std::array<std::int32_t, kLanes> z;
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::int32_t first = all.wallCubes[static_cast<std::size_t>(std::max(numbers[i] - 1, 0))];
    const std::int32_t row = first / all.size[0];
    x[i] = first % all.size[0];
    y[i] = row % all.size[1];
    z[i] = row / all.size[1];
  }
  return {at.x - (toFloat(load(x.data())) + 0.5F), at.y - (toFloat(load(y.data())) + 0.5F),
          at.z - (toFloat(load(z.data())) + 0.5F)};
}

/// Planes of sixteen cubes, at their middles.
using Planes = std::array<Depth, kWallPlanes>;

/// `from`: where the middles are, from those of the walls' cubes, in sides.
LANES_INLINE void planesOf(const DepthField& field, const WallNumbers& numbers, const Arrow& from,
                           Planes& planes) {
  const std::int16_t* const walls = field.arrays().walls.data()->data();
  const float side = field.arrays().side;
  for (std::size_t half = 0; half < 2; ++half) {
    alignas(64) std::array<std::int32_t, kLanes> at;
    for (std::size_t i = 0; i < kLanes; ++i) {
      at[i] = std::max(numbers[i] - 1, 0) * static_cast<std::int32_t>(WallPlanes{}.size()) +
              static_cast<std::int32_t>(8 * half);
    }
    const FourShortPairs eights = loadEights(walls, at.data());
    for (std::size_t k = 0; k < 2; ++k) {
      const ShortPairs& xy = eights.row[2 * k];
      const ShortPairs& zd = eights.row[2 * k + 1];
      Depth& plane = planes[2 * half + k];
      plane.gradient = {kWallSlope * toFloat(xy.first), kWallSlope * toFloat(xy.second),
                        kWallSlope * toFloat(zd.first)};
      plane.value =
          side *
          (kWallDepth * toFloat(zd.second) +
           (plane.gradient.x * from.x + plane.gradient.y * from.y + plane.gradient.z * from.z));
    }
  }
}

/// One plane where there is no wall, and others that do not count.
LANES_INLINE void orElse(const Depth& whole, LaneMask<float> hasWall, float side, Planes& planes) {
  for (std::size_t k = 0; k < kWallPlanes; ++k) {
    Depth& plane = planes[k];
    const auto instead = [&](const F32x16& own, const F32x16& first) {
      return select(hasWall, own, k == 0 ? first : F32x16(0.0F));
    };
    plane.value = select(hasWall, plane.value, k == 0 ? whole.value : F32x16(kNoPlane * side));
    plane.gradient = {instead(plane.gradient.x, whole.gradient.x),
                      instead(plane.gradient.y, whole.gradient.y),
                      instead(plane.gradient.z, whole.gradient.z)};
  }
}

LANES_INLINE LaneMask<float> maskOfWalls(const WallNumbers& numbers) {
  return maskOf<float>(load(numbers.data()) > 0);
}

/// The part of sixteen cubes in which planes `i` and `j` are the least ones.
LANES_INLINE void appendPart(const Planes& p, const Planes& q, std::size_t i, std::size_t j,
                             const Arrow& middle, LaneMask<float> ownWalls, LaneMask<float> valid,
                             float side, CubeBatch& parts) {
  const auto reaches = [&](const Depth& depth) {
    return depth.value + rise(depth.gradient, 0.5F * side) > 0.0F;
  };
  std::array<Depth, kClips> clips;
  auto counts = valid & reaches(p[i]) & reaches(q[j]);
  std::size_t c = 0;
  const auto clip = [&](const Planes& planes, std::size_t least) {
    for (std::size_t k = 0; k < kWallPlanes; ++k) {
      if (k == least) continue;
      const Depth& of = planes[least];
      clips[c] = {planes[k].value - of.value,
                  {planes[k].gradient.x - of.gradient.x, planes[k].gradient.y - of.gradient.y,
                   planes[k].gradient.z - of.gradient.z}};
      counts = counts & reaches(clips[c]);
      ++c;
    }
  };
  clip(p, i);
  clip(q, j);
  if (!any(counts)) return;
  for (c = 0; c < kClips; ++c) {
    append(clips[c].value, counts, parts.clip(4 * c) + parts.count);
    append(clips[c].gradient.x, counts, parts.clip(4 * c + 1) + parts.count);
    append(clips[c].gradient.y, counts, parts.clip(4 * c + 2) + parts.count);
    append(clips[c].gradient.z, counts, parts.clip(4 * c + 3) + parts.count);
  }
  const auto across = [&](std::size_t axis, const F32x16& own, const F32x16& others) {
    append(select(ownWalls, own, others), counts, parts.clip(4 * kClips + axis) + parts.count);
  };
  across(0, p[i].gradient.x, q[j].gradient.x);
  across(1, p[i].gradient.y, q[j].gradient.y);
  across(2, p[i].gradient.z, q[j].gradient.z);
  appendDepth(p[i], kP, counts, parts.count, parts);
  appendDepth(q[j], kQ, counts, parts.count, parts);
  appendMiddle(middle, counts, parts.count, parts);
  parts.count += append(F32x16(1.0F), counts, parts.array(kWeight) + parts.count);
}

/// Gives cubes with walls their planes, and integrates the parts.
[[gnu::noinline]] void integrateParts(const DepthProblem& problem, const CubeBatch& cubes,
                                      CubeBatch& parts, DepthSums& sums) {
  const DepthField& field = *problem.walked;
  const float side = cubes.width * field.arrays().side;
  alignas(64) std::array<std::int32_t, CubeBatch::kStride> places;
  placesOf(cubes, field, places.data());
  for (std::size_t i = 0; i < cubes.count; i += kLanes) {
    const auto valid = validOf(cubes, i);
    const std::size_t count = std::min(kLanes, cubes.count - i);
    const Arrow middle = readMiddle(cubes, i, valid);
    alignas(64) WallNumbers numbers{};
    Planes p;
    if (field.hasWalls()) {
      findWalls(field, middle, count, numbers);
      planesOf(field, numbers, {0.0F, 0.0F, 0.0F}, p);
    }
    const auto ownWalls = maskOfWalls(numbers);
    orElse(depthIn(field, places.data() + i), ownWalls, side, p);

    const Arrow there = thereOf(problem, middle);
    numbers.fill(0);
    Planes q;
    if (problem.other->hasWalls()) {
      findOtherWalls(problem, there, cubes.width, count, numbers);
      const Arrow from = fromWalls(*problem.other, numbers, there);
      planesOf(*problem.other, numbers, from, q);
      for (Depth& plane : q)
        plane.gradient = turned(problem.back, plane.gradient);
    }
    Depth whole;
    otherIn(problem, middle, cubes.width, whole);
    orElse(whole, maskOfWalls(numbers), problem.other->arrays().side, q);

    for (std::size_t k = 0; k < kWallPlanes; ++k) {
      for (std::size_t j = 0; j < kWallPlanes; ++j) {
        appendPart(p, q, k, j, middle, ownWalls, valid, side, parts);
        if (parts.count + kLanes <= DepthScratch::kBatch) continue;
        addIntegrals(problem, parts, parts.count, sums);
        parts.count = 0;
      }
    }
  }
  addIntegrals(problem, parts, parts.count, sums);
  parts.count = 0;
}

void takeWalls(const DepthProblem& problem, CubeBatch& batch, DepthSums& sums) noexcept {
  CubeBatch walls{batch.beside(), 0, batch.width, batch.share};
  std::size_t kept = 0;
  for (std::size_t i = 0; i < batch.count; i += kLanes) {
    const auto valid = validOf(batch, i);
    const std::size_t count = std::min(kLanes, batch.count - i);
    const Arrow middle = readMiddle(batch, i, valid);
    alignas(64) WallNumbers numbers{};
    if (problem.walked->hasWalls()) findWalls(*problem.walked, middle, count, numbers);
    if (problem.other->hasWalls())
      findOtherWalls(problem, thereOf(problem, middle), batch.width, count, numbers);
    const auto have = valid & maskOfWalls(numbers);
    appendMiddle(middle, have, walls.count, walls);
    walls.count += append(F32x16(1.0F), have, walls.array(kWeight) + walls.count);
    const auto rest = valid & !have;
    const Depth q = readDepth(batch, kQ, i);
    appendMiddle(middle, rest, kept, batch);
    appendDepth(q, kQ, rest, kept, batch);
    kept += countOf(rest);
  }
  batch.count = kept;
  if (walls.count == 0) return;
  CubeBatch parts{walls.beside(), 0, batch.width, batch.share, 0.0F, true};
  integrateParts(problem, walls, parts, sums);
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

void integrateWalls(const DepthProblem& problem, CubeBatch& batch, DepthSums& sums) noexcept {
  TACTUS_LANES_CALL(takeWalls)(problem, batch, sums);
}

}  // namespace tactus::collision
#endif
