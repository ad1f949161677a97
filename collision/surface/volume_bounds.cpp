#include "collision/surface/volume_bounds.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#define TACTUS_LANES_FILE "collision/surface/volume_bounds.cpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_SURFACE_VOLUME_BOUNDS_ONCE
#define TACTUS_COLLISION_SURFACE_VOLUME_BOUNDS_ONCE
namespace tactus::collision {

struct BoundsProblem {
  const DistanceField::Arrays* field;
  const DistanceField::Arrays* other;
  std::array<float, 9> rotation;  ///< row by row
  std::array<float, 3> offset;
  float slack;  ///< what floats may be off [m]
};

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

constexpr float kHalfDiagonal = 0.8660254F;  // of a cube of side 1, rounded up

// Shares of a cube are summed as whole numbers of these parts: exact, in any order, and 2^31 of
// them are far more cubes than a grid has.
constexpr float kParts = 1024.0F;

// Beyond this radius, in sides of the cube around its centre, a ball covers all but the corners.
constexpr float kCornersLeft = 0.70710678F;
// The share that it covers rises to 0.965 there from pi / 6 for the ball that touches the faces,
// and ever more slowly, so not below the straight line between the two.
constexpr float kSharePerRadius = 2.131F;

/// Parts of a cube that the ball of this radius around its centre covers, and not too many.
LANES_INLINE I32x16 partsCovered(F32x16 radius) {
  constexpr float kPartsInBall = kParts * std::numbers::pi_v<float> * 4.0F / 3.0F;
  const F32x16 within = min(radius, 0.5F);
  const F32x16 beyond = max(min(radius, kCornersLeft) - 0.5F, 0.0F);
  return toInt(kPartsInBall * within * within * within + (kParts * kSharePerRadius) * beyond);
}

/// Distance to the other surface: not nearer than `least`, not deeper inside than `most`.
struct Range {
  F32x16 least, most;
};

LANES_INLINE Range rangeAt(const DistanceField::Arrays& field, F32x16 x, F32x16 y, F32x16 z,
                           float slack) {
  const DistanceField::Level& level = field.levels[field.levelCount - 1];
  const float perSide = 1.0F / level.side;
  const std::array<float, 3> size = {static_cast<float>(level.size[0]),
                                     static_cast<float>(level.size[1]),
                                     static_cast<float>(level.size[2])};
  // within the grid; what is outside of it is at least as far from the object as from the grid
  const F32x16 hx = min(max(x, 0.0F), size[0] * level.side);
  const F32x16 hy = min(max(y, 0.0F), size[1] * level.side);
  const F32x16 hz = min(max(z, 0.0F), size[2] * level.side);
  const F32x16 beyond = max(max(abs(x - hx), abs(y - hy)), abs(z - hz));
  const I32x16 ix = toInt(min(hx * perSide, size[0] - 1.0F));
  const I32x16 iy = toInt(min(hy * perSide, size[1] - 1.0F));
  const I32x16 iz = toInt(min(hz * perSide, size[2] - 1.0F));
  const F32x16 cx = (toFloat(ix) + 0.5F) * level.side - x;
  const F32x16 cy = (toFloat(iy) + 0.5F) * level.side - y;
  const F32x16 cz = (toFloat(iz) + 0.5F) * level.side - z;
  const F32x16 value = toFloat(gather(field.values.data() + level.first,
                                      (iz * level.size[1] + iy) * level.size[0] + ix)) *
                       level.unit;
  const F32x16 off = sqrt(cx * cx + cy * cy + cz * cz) + slack;
  return {max(value - off, beyond - slack), value + off};
}

void walkCubes(const BoundsProblem& p, VolumeBoundsScratch& scratch, std::uint32_t most,
               VolumeBounds& result) noexcept {
  const DistanceField::Arrays& field = *p.field;
  double lower = 0.0;
  double upper = 0.0;
  std::size_t now = 0;
  scratch.cubes[0].x[0] = scratch.cubes[0].y[0] = scratch.cubes[0].z[0] = 0;
  std::size_t count = 1;
  alignas(64) static constexpr std::int32_t kOfX[kLanes] = {0, 1, 0, 1, 0, 1, 0, 1,
                                                            0, 1, 0, 1, 0, 1, 0, 1};
  alignas(64) static constexpr std::int32_t kOfY[kLanes] = {0, 0, 1, 1, 0, 0, 1, 1,
                                                            0, 0, 1, 1, 0, 0, 1, 1};
  alignas(64) static constexpr std::int32_t kOfZ[kLanes] = {0, 0, 0, 0, 1, 1, 1, 1,
                                                            0, 0, 0, 0, 1, 1, 1, 1};
  const I32x16 ofX = load(kOfX);
  const I32x16 ofY = load(kOfY);
  const I32x16 ofZ = load(kOfZ);
  for (std::uint32_t l = 1; l < field.levelCount && count != 0; ++l) {
    const DistanceField::Level& level = field.levels[l];
    const bool isFinest = l + 1 == field.levelCount;
    const float half = kHalfDiagonal * level.side + p.slack;
    const VolumeBoundsScratch::Cubes& from = scratch.cubes[now];
    VolumeBoundsScratch::Cubes& to = scratch.cubes[1 - now];
    if (result.cubes + 8 * count > most) {
      const auto doubted = static_cast<double>(field.levels[l - 1].side);
      upper += doubted * doubted * doubted * static_cast<double>(count);
      result.isCut = true;
      break;
    }
    std::size_t next = 0;
    std::uint32_t inside = 0;
    std::uint32_t doubtful = 0;
    const float perSide = 1.0F / level.side;
    I32x16 covered = 0;   // of the doubtful cubes, by balls that are inside both solids
    I32x16 excluded = 0;  // and by balls that are outside of one
    result.cubes += static_cast<std::uint32_t>(8 * count);
    for (std::size_t i = 0; i < count; i += 2) {
      // two parents with eight children each
      const bool hasSecond = i + 1 < count;
      const std::size_t second = hasSecond ? i + 1 : i;
      const auto pair = [](const std::vector<std::int32_t>& v, std::size_t a, std::size_t b) {
        return std::array<std::int32_t, 4>{2 * v[a], 2 * v[a], 2 * v[b], 2 * v[b]};
      };
      const std::array<std::int32_t, 4> px = pair(from.x, i, second);
      const std::array<std::int32_t, 4> py = pair(from.y, i, second);
      const std::array<std::int32_t, 4> pz = pair(from.z, i, second);
      const I32x16 ix = repeat4(px.data()) + ofX;
      const I32x16 iy = repeat4(py.data()) + ofY;
      const I32x16 iz = repeat4(pz.data()) + ofZ;
      // at the rim a cube may have fewer than eight children
      const auto exists =
          maskOf<float>((laneNumbers() < (hasSecond ? 16 : 8)) & (ix < level.size[0]) &
                        (iy < level.size[1]) & (iz < level.size[2]));
      const I32x16 heldX = min(ix, level.size[0] - 1);
      const I32x16 heldY = min(iy, level.size[1] - 1);
      const I32x16 heldZ = min(iz, level.size[2] - 1);
      const F32x16 own = toFloat(gather(field.values.data() + level.first,
                                        (heldZ * level.size[1] + heldY) * level.size[0] + heldX)) *
                         level.unit;
      const F32x16 x = (toFloat(ix) + 0.5F) * level.side;
      const F32x16 y = (toFloat(iy) + 0.5F) * level.side;
      const F32x16 z = (toFloat(iz) + 0.5F) * level.side;
      const auto& r = p.rotation;
      const Range range = rangeAt(*p.other, r[0] * x + r[1] * y + r[2] * z + p.offset[0],
                                  r[3] * x + r[4] * y + r[5] * z + p.offset[1],
                                  r[6] * x + r[7] * y + r[8] * z + p.offset[2], p.slack);
      const auto outside = (own > half) | (range.least > half);
      const auto within = exists & (own < -half) & (range.most < -half);
      const auto open = maskOf<std::int32_t>(exists & !outside & !within);
      inside += static_cast<std::uint32_t>(countOf(within));
      append(ix, open, to.x.data() + next);
      append(iy, open, to.y.data() + next);
      const std::size_t opened = append(iz, open, to.z.data() + next);
      doubtful += static_cast<std::uint32_t>(opened);
      if (isFinest) {
        // a cube's middle may be inside both solids or outside of one
        const F32x16 depth = -max(own, range.most);
        const F32x16 clearance = max(own, range.least);
        const I32x16 parts = partsCovered(max(max(depth, clearance) - p.slack, 0.0F) * perSide);
        const auto isInside = maskOf<std::int32_t>(depth > 0.0F);
        covered += select(open & isInside, parts, 0);
        excluded += select(open & !isInside, parts, 0);
      } else {
        next += opened;
      }
    }
    const double cube = static_cast<double>(level.side);
    const double volume = cube * cube * cube;
    lower += volume * inside;
    upper += volume * inside;
    if (isFinest) {
      constexpr auto kPart = 1.0 / static_cast<double>(kParts);
      lower += volume * (kPart * sum(toDouble(covered)));
      upper += volume * (doubtful - kPart * sum(toDouble(excluded)));
    }
    count = next;
    now = 1 - now;
  }
  result.lower = lower;
  result.upper = upper;
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

VolumeBoundsScratch::VolumeBoundsScratch(const DistanceField& field) {
  // of the finest grid only what one step appends is written; of the one above all cubes may be
  std::size_t most = 1;
  const DistanceField::Arrays& arrays = field.arrays();
  for (std::uint32_t l = 0; l + 1 < arrays.levelCount; ++l) {
    const auto& size = arrays.levels[l].size;
    most = std::max(most, static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
                              static_cast<std::size_t>(size[2]));
  }
  for (Cubes& some : cubes) {
    some.x.resize(most + models::lanes::kLanes);
    some.y.resize(most + models::lanes::kLanes);
    some.z.resize(most + models::lanes::kLanes);
  }
}

VolumeBounds volumeBounds(const DistanceField& field, const DistanceField& other,
                          const Eigen::Isometry3d& otherFromField, VolumeBoundsScratch& scratch,
                          std::uint32_t most) noexcept {
  VolumeBounds result;
  if (field.empty() || other.empty()) return result;
  BoundsProblem problem{&field.arrays(), &other.arrays(), {}, {}, 0.0F};
  const Eigen::Matrix3d rotation = otherFromField.linear();
  const Eigen::Vector3d offset = otherFromField * field.arrays().origin - other.arrays().origin;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    for (std::size_t j = 0; j < 3; ++j)
      problem.rotation[3 * i + j] = static_cast<float>(rotation(row, static_cast<Eigen::Index>(j)));
    problem.offset[i] = static_cast<float>(offset[row]);
  }
  // a place in the other's frame takes ten roundings
  const double size = static_cast<double>(field.arrays().levels[0].side) +
                      static_cast<double>(other.arrays().levels[0].side) + offset.norm();
  problem.slack = static_cast<float>(1e-6 * size);
  TACTUS_LANES_CALL(walkCubes)(problem, scratch, most, result);
  return result;
}

}  // namespace tactus::collision
#endif
