#include "collision/voxmap/brick_distances.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#define TACTUS_LANES_FILE "collision/voxmap/brick_distances.cpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_VOXMAP_BRICK_DISTANCES_ONCE
#define TACTUS_COLLISION_VOXMAP_BRICK_DISTANCES_ONCE
namespace tactus::collision {

// A triangle as the kernels take it, in voxels and about a middle: normal x y z and the middle's
// height above the plane; then for each side its outward normal x y z and how far the middle is
// beyond it, its direction x y z, how far the middle is past its start, and past its end.
inline constexpr std::size_t kNumbers = 4 + 3 * 9;
// What is left of it for an eighth of the brick: distance of the middle, and its gradient x y z.
inline constexpr std::size_t kTangent = 4;

// Triangles of less area than this share of their longest side's square are left to others.
inline constexpr double kLeastArea = 1e-9;

// A triangle that is further by less than this may be the closest one by rounding [voxels].
inline constexpr float kSlack = 1e-4F;

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

struct Doubles {
  F64x16 x, y, z;
};
LANES_INLINE Doubles operator-(const Doubles& a, const Doubles& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
LANES_INLINE Doubles operator*(F64x16 s, const Doubles& a) {
  return {s * a.x, s * a.y, s * a.z};
}
LANES_INLINE F64x16 dot(const Doubles& a, const Doubles& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
LANES_INLINE Doubles cross(const Doubles& a, const Doubles& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct Floats {
  F32x16 x, y, z;
};
LANES_INLINE F32x16 dot(const Floats& a, float x, float y, float z) {
  return a.x * x + a.y * y + a.z * z;
}

/// Sixteen triangles: distance of a place and its gradient.
struct Tangent {
  F32x16 distance, x, y, z;
};

/// `rows`: kNumbers rows of triangles; `from` the first of them. The place is (x, y, z) from the
/// middle.
LANES_INLINE Tangent tangentAt(const float* rows, std::size_t stride, std::size_t from, float x,
                               float y, float z) {
  const auto row = [&](std::size_t n) { return rows + n * stride + from; };
  const Floats normal = {load(row(0)), load(row(1)), load(row(2))};
  const F32x16 height = load(row(3)) + dot(normal, x, y, z);
  F32x16 furthest = -1e30F;
  F32x16 least = 1e30F;
  Floats beside = {0.0F, 0.0F, 0.0F};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t n = 4 + 9 * k;
    const Floats outward = {load(row(n)), load(row(n + 1)), load(row(n + 2))};
    const F32x16 beyond = load(row(n + 3)) + dot(outward, x, y, z);
    const Floats along = {load(row(n + 4)), load(row(n + 5)), load(row(n + 6))};
    const F32x16 moved = dot(along, x, y, z);
    const F32x16 past = min(load(row(n + 7)) + moved, 0.0F) + max(load(row(n + 8)) + moved, 0.0F);
    const F32x16 squared = beyond * beyond + past * past;
    const auto isCloser = squared < least;
    least = select(isCloser, squared, least);
    beside = {select(isCloser, outward.x * beyond + along.x * past, beside.x),
              select(isCloser, outward.y * beyond + along.y * past, beside.y),
              select(isCloser, outward.z * beyond + along.z * past, beside.z)};
    furthest = max(furthest, beyond);
  }
  const auto isAbove = furthest < 0.0F;
  const F32x16 distance = sqrt(height * height + select(isAbove, 0.0F, least));
  const F32x16 inverse = 1.0F / max(distance, 1e-20F);
  return {distance, (normal.x * height + select(isAbove, 0.0F, beside.x)) * inverse,
          (normal.y * height + select(isAbove, 0.0F, beside.y)) * inverse,
          (normal.z * height + select(isAbove, 0.0F, beside.z)) * inverse};
}

/// Which may be closer than the bounds somewhere in the cube of this half side.
LANES_INLINE LaneMask<float> mayBeClosest(const Tangent& t, const float* bounds, float half) {
  LaneMask<float> may = F32x16(0.0F) > 0.0F;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const F32x16 there = t.distance + t.x * ((corner & 1U) != 0 ? half : -half) +
                         t.y * ((corner & 2U) != 0 ? half : -half) +
                         t.z * ((corner & 4U) != 0 ? half : -half);
    may = may | (there <= bounds[corner] + kSlack);
  }
  return may;
}

/// Frames of triangles whose corners are nine rows of `stride` doubles. False if one of them has no
/// area.
bool makeFrames(const double* corners, std::size_t stride, float* rows) noexcept {
  for (std::size_t i = 0; i < stride; i += kLanes) {
    const auto corner = [&](std::size_t k) {
      const double* from = corners + 3 * k * stride + i;
      return Doubles{load(from), load(from + stride), load(from + 2 * stride)};
    };
    const Doubles p[3] = {corner(0), corner(1), corner(2)};
    const Doubles areaNormal = cross(p[1] - p[0], p[2] - p[0]);
    const F64x16 area = sqrt(dot(areaNormal, areaNormal));
    F64x16 longest = 0.0;
    F64x16 length[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const Doubles side = p[(k + 1) % 3] - p[k];
      const F64x16 squared = dot(side, side);
      longest = max(longest, squared);
      length[k] = sqrt(squared);
    }
    if (!all(area > longest * kLeastArea)) return false;
    const Doubles normal = (1.0 / area) * areaNormal;
    float* row = rows + i;
    const auto put = [&](const F64x16& numbers) {
      store(toFloat(numbers), row);
      row += stride;
    };
    put(normal.x);
    put(normal.y);
    put(normal.z);
    put(-dot(normal, p[0]));
    for (std::size_t k = 0; k < 3; ++k) {
      const Doubles along = (1.0 / length[k]) * (p[(k + 1) % 3] - p[k]);
      const Doubles outward = cross(along, normal);
      put(outward.x);
      put(outward.y);
      put(outward.z);
      put(-dot(outward, p[k]));
      put(along.x);
      put(along.y);
      put(along.z);
      const F64x16 fromStart = -dot(along, p[k]);
      put(fromStart);
      put(fromStart - length[k]);
    }
  }
  return true;
}

/// Tangents at a place, as kTangent rows. Returns the closest triangle.
std::size_t makeTangents(const float* rows, std::size_t count, std::size_t stride, float x, float y,
                         float z, float* tangents) noexcept {
  for (std::size_t i = 0; i < count; i += kLanes) {
    const Tangent t = tangentAt(rows, stride, i, x, y, z);
    store(t.distance, tangents + i);
    store(t.x, tangents + stride + i);
    store(t.y, tangents + 2 * stride + i);
    store(t.z, tangents + 3 * stride + i);
  }
  return static_cast<std::size_t>(std::min_element(tangents, tangents + count) - tangents);
}

std::size_t chooseTriangles(const float* tangents, std::size_t count, std::size_t stride,
                            const float* bounds, float half, std::int32_t* chosen) noexcept {
  std::size_t chosenCount = 0;
  for (std::size_t i = 0; i < count; i += kLanes) {
    const Tangent t = {load(tangents + i), load(tangents + stride + i),
                       load(tangents + 2 * stride + i), load(tangents + 3 * stride + i)};
    const auto may = maskOf<std::int32_t>(mayBeClosest(t, bounds, half)) &
                     firstLanes<std::int32_t>(std::min(kLanes, count - i));
    chosenCount += append(laneNumbers() + static_cast<std::int32_t>(i), may, chosen + chosenCount);
  }
  return chosenCount;
}

/// 4 x 4 x 4 points around a place: distances to the nearest of the chosen triangles, whose numbers
/// stand together in `frames`.
void measurePoints(const float* frames, const std::int32_t* chosen, std::size_t count, float atX,
                   float atY, float atZ, float* distances) noexcept {
  static constexpr std::array<float, 4> kAt = {-1.5F, -0.5F, 0.5F, 1.5F};
  const F32x16 x = tile4(kAt.data());
  const F32x16 y = repeat4(kAt.data());
  std::array<F32x16, 4> least;
  for (F32x16& squared : least)
    squared = 1e30F;
  for (std::size_t i = 0; i < count; ++i) {
    const float* t = frames + static_cast<std::size_t>(chosen[i]) * kNumbers;
    const F32x16 height0 = x * t[0] + y * t[1] + (t[3] + (t[0] * atX + t[1] * atY + t[2] * atZ));
    std::array<F32x16, 3> beyond0;
    std::array<F32x16, 3> along0;
    for (std::size_t k = 0; k < 3; ++k) {
      const float* side = t + 4 + 9 * k;
      beyond0[k] =
          x * side[0] + y * side[1] + (side[3] + (side[0] * atX + side[1] * atY + side[2] * atZ));
      along0[k] = x * side[4] + y * side[5] + (side[4] * atX + side[5] * atY + side[6] * atZ);
    }
    for (std::size_t z = 0; z < 4; ++z) {
      const float at = kAt[z];
      const F32x16 height = height0 + t[2] * at;
      F32x16 beside = 1e30F;
      F32x16 furthest = -1e30F;
      for (std::size_t k = 0; k < 3; ++k) {
        const float* side = t + 4 + 9 * k;
        const F32x16 beyond = beyond0[k] + side[2] * at;
        const F32x16 along = along0[k] + side[6] * at;
        const F32x16 past = max(max(-(along + side[7]), along + side[8]), 0.0F);
        beside = min(beside, beyond * beyond + past * past);
        furthest = max(furthest, beyond);
      }
      least[z] = min(least[z], height * height + select(furthest < 0.0F, 0.0F, beside));
    }
  }
  for (std::size_t z = 0; z < 4; ++z)
    store(sqrt(least[z]), distances + 16 * z);
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

namespace {

using Eigen::Vector3d;
using models::lanes::kLanes;

// Half sides of the cubes of lattice points, in voxels: of the brick, and of an eighth of it.
constexpr double kHalf = 3.5;
constexpr double kHalfOfPart = 1.5;
constexpr double kMiddleOfPart = 2.0;  // from the brick's middle

// What is gathered reaches further than needed by more than the rounding of the query.
constexpr double kRoundUp = 1.0 + 1e-9;

// With more triangles that may be closest than this, as around the centre of a ball, the tree is
// faster.
constexpr std::size_t kMost = 6000;

// Gathered ones, of which most are left out at once.
constexpr std::size_t kMostGathered = 40'000;

}  // namespace

/// How far a triangle is from the corners of a cube, in voxels, whose half side is `half` metres.
void BrickDistances::chooseNear(const SurfaceDistance& surface, std::uint32_t closest,
                                const Vector3d& middle, double half,
                                std::array<float, 8>& bounds) const {
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const Vector3d sign((corner & 1U) != 0 ? 1.0 : -1.0, (corner & 2U) != 0 ? 1.0 : -1.0,
                        (corner & 4U) != 0 ? 1.0 : -1.0);
    bounds[corner] = static_cast<float>(surface.distanceTo(middle + half * sign, closest));
  }
}

bool BrickDistances::measure(const SurfaceDistance& surface, const Vector3d& first, double voxel,
                             std::array<float, kPoints>& distances) {
  const Vector3d middle = first + Vector3d::Constant(kHalf * voxel);
  const SurfacePoint closest = surface.unsignedAt(middle);
  // a point of the brick is at most a half diagonal away, and so is the surface further from it
  triangles_.clear();
  surface.trianglesWithin(middle,
                          (closest.distance + 2.0 * std::numbers::sqrt3 * kHalf * voxel) * kRoundUp,
                          triangles_);
  const std::size_t count = triangles_.size();
  if (count == 0 || count > kMostGathered) return false;

  // in voxels about the middle; the last triangle fills up the lanes
  std::size_t stride = (count + kLanes - 1) / kLanes * kLanes;
  const Vector3d local = middle - surface.origin();
  const double perVoxel = 1.0 / voxel;
  corners_.resize(9 * stride);
  for (std::size_t i = 0; i < stride; ++i) {
    const auto corners = surface.corners(triangles_[std::min(i, count - 1)]);
    for (std::size_t k = 0; k < 9; ++k) {
      const auto axis = static_cast<Eigen::Index>(k % 3);
      corners_[k * stride + i] =
          (static_cast<double>(corners[k / 3][axis]) - local[axis]) * perVoxel;
    }
  }
  std::array<float, 8> bounds{};
  const auto inVoxels = [&](std::array<float, 8>& lengths) {
    for (float& length : lengths)
      length *= static_cast<float>(perVoxel);
  };
  chooseNear(surface, closest.triangle, middle, kHalf * voxel, bounds);
  inVoxels(bounds);
  rows_.resize(kNumbers * stride);
  if (!TACTUS_LANES_CALL(makeFrames)(corners_.data(), stride, rows_.data())) return false;
  tangents_.resize(kTangent * stride);
  kept_.resize(count + kLanes);
  TACTUS_LANES_CALL(makeTangents)(rows_.data(), count, stride, 0.0F, 0.0F, 0.0F, tangents_.data());
  const std::size_t left = TACTUS_LANES_CALL(chooseTriangles)(
      tangents_.data(), count, stride, bounds.data(), static_cast<float>(kHalf), kept_.data());
  if (left == 0 || left > kMost) return false;

  // those that are left, once each triangle's numbers together and once in rows
  const std::size_t leftStride = (left + kLanes - 1) / kLanes * kLanes;
  frames_.resize(kNumbers * left);
  for (std::size_t n = 0; n < kNumbers; ++n) {
    for (std::size_t i = 0; i < left; ++i)
      frames_[i * kNumbers + n] = rows_[n * stride + static_cast<std::size_t>(kept_[i])];
  }
  for (std::size_t n = 0; n < kNumbers; ++n) {
    for (std::size_t i = 0; i < leftStride; ++i)
      rows_[n * leftStride + i] = frames_[std::min(i, left - 1) * kNumbers + n];
  }
  stride = leftStride;

  chosen_.resize(left + kLanes);
  std::array<float, 64> part{};
  for (std::size_t k = 0; k < 8; ++k) {
    const std::array<std::size_t, 3> from = {4 * (k & 1U), 4 * (k >> 1U & 1U), 4 * (k >> 2U)};
    Vector3d at;
    for (std::size_t axis = 0; axis < 3; ++axis)
      at[static_cast<Eigen::Index>(axis)] = from[axis] == 0 ? -kMiddleOfPart : kMiddleOfPart;
    const Eigen::Vector3f place = at.cast<float>();
    const std::size_t nearest = TACTUS_LANES_CALL(makeTangents)(
        rows_.data(), left, stride, place.x(), place.y(), place.z(), tangents_.data());
    chooseNear(surface, triangles_[static_cast<std::size_t>(kept_[nearest])], middle + voxel * at,
               kHalfOfPart * voxel, bounds);
    inVoxels(bounds);
    const std::size_t chosen =
        TACTUS_LANES_CALL(chooseTriangles)(tangents_.data(), left, stride, bounds.data(),
                                           static_cast<float>(kHalfOfPart), chosen_.data());
    TACTUS_LANES_CALL(measurePoints)
    (frames_.data(), chosen_.data(), chosen, place.x(), place.y(), place.z(), part.data());
    for (std::size_t n = 0; n < part.size(); ++n) {
      const std::size_t x = from[0] + n % 4;
      const std::size_t y = from[1] + n / 4 % 4;
      const std::size_t z = from[2] + n / 16;
      distances[(z * 8 + y) * 8 + x] = part[n] * static_cast<float>(voxel);
    }
  }
  return true;
}

}  // namespace tactus::collision
#endif
