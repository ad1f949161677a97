#include "collision/surface/surface_patch.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#define TACTUS_LANES_FILE "collision/surface/surface_patch.cpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_SURFACE_SURFACE_PATCH_ONCE
#define TACTUS_COLLISION_SURFACE_SURFACE_PATCH_ONCE
namespace tactus::collision {

// A triangle as the kernel takes it: the height as x y z offset, then for each side what is beyond
// it as x y z offset, and along it as x y z, offset from the start, offset from the end.
inline constexpr std::size_t kNumbersPerTriangle = 4 + 3 * 9;

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

void measurePoints(const float* triangles, std::size_t count, float* distance,
                   std::int32_t* which) noexcept {
  static constexpr std::array<float, 4> kAt = {-0.75F, -0.25F, 0.25F, 0.75F};
  const F32x16 x = tile4(kAt.data());
  const F32x16 y = repeat4(kAt.data());
  std::array<F32x16, 4> least;
  std::array<I32x16, 4> closest;
  for (std::size_t z = 0; z < 4; ++z) {
    least[z] = 1e30F;
    closest[z] = 0;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const float* t = triangles + i * kNumbersPerTriangle;
    const F32x16 height0 = x * t[0] + y * t[1] + t[3];
    std::array<F32x16, 3> beyond0;
    std::array<F32x16, 3> along0;
    for (std::size_t k = 0; k < 3; ++k) {
      const float* side = t + 4 + 9 * k;
      beyond0[k] = x * side[0] + y * side[1] + side[3];
      along0[k] = x * side[4] + y * side[5];
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
      // strictly: the sides of a triangle without area lie on both sides of each other
      const F32x16 squared = height * height + select(furthest < 0.0F, 0.0F, beside);
      const auto closer = squared < least[z];
      least[z] = select(closer, squared, least[z]);
      closest[z] = select(maskOf<std::int32_t>(closer), static_cast<std::int32_t>(i), closest[z]);
    }
  }
  for (std::size_t z = 0; z < 4; ++z) {
    store(sqrt(least[z]), distance + 16 * z);
    store(closest[z], which + 16 * z);
  }
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

namespace {

using Eigen::Vector3d;

// What is gathered reaches further than needed by more than the rounding of the query.
constexpr double kRoundUp = 1.0 + 1e-9;

Vector3d anyPerpendicular(const Vector3d& v) {
  Eigen::Index least = 0;
  v.cwiseAbs().minCoeff(&least);
  return v.cross(Vector3d::Unit(least)).normalized();
}

}  // namespace

bool SurfacePatch::gather(const SurfaceDistance& surface, const Vector3d& middle, double half,
                          double distance, std::size_t most) {
  middle_ = middle;
  triangles_.clear();
  // a point of the cube is at most a half diagonal away, and so is the surface further from it
  surface.trianglesWithin(middle, (distance + 2.0 * std::numbers::sqrt3 * half) * kRoundUp,
                          triangles_);
  if (triangles_.size() > most) triangles_.clear();
  frames_.resize(triangles_.size());
  const Vector3d local = middle - surface.origin();
  for (std::size_t i = 0; i < triangles_.size(); ++i) {
    Triangle& t = frames_[i];
    std::array<Vector3d, 3> p;
    const std::array<Eigen::Vector3f, 3> corners = surface.corners(triangles_[i]);
    for (std::size_t k = 0; k < 3; ++k)
      p[k] = corners[k].cast<double>() - local;
    std::array<double, 3> length;
    std::size_t longest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3d side = p[(k + 1) % 3] - p[k];
      length[k] = side.norm();
      t.along[k] = length[k] > 0.0 ? Vector3d(side / length[k]) : Vector3d::Zero();
      if (length[k] > length[longest]) longest = k;
    }
    const bool isPoint = !(length[longest] > 0.0);
    if (isPoint) t.along[longest] = Vector3d::UnitX();
    const Vector3d areaNormal = (p[1] - p[0]).cross(p[2] - p[0]);
    const double area = areaNormal.norm();
    // without area any normal of the line does
    t.normal = area > 0.0 ? Vector3d(areaNormal / area) : anyPerpendicular(t.along[longest]);
    t.height = -t.normal.dot(p[longest]);
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(length[k] > 0.0)) t.along[k] = t.along[longest];
      // one of three equal sides turned round, or all points on one side of them were within
      if (isPoint && k == 1) t.along[k] = -t.along[k];
      t.outward[k] = t.along[k].cross(t.normal);
      t.beyond[k] = -t.outward[k].dot(p[k]);
      t.fromStart[k] = -t.along[k].dot(p[k]);
      t.fromEnd[k] = t.fromStart[k] - length[k];
    }
  }
  return !triangles_.empty();
}

double SurfacePatch::squaredDistance(const Triangle& t, const Vector3d& moved) {
  double beside = std::numeric_limits<double>::infinity();
  bool isAbove = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const double beyond = t.beyond[k] + t.outward[k].dot(moved);
    const double along = t.along[k].dot(moved);
    const double past = std::max({-(t.fromStart[k] + along), t.fromEnd[k] + along, 0.0});
    isAbove = isAbove && beyond < 0.0;
    beside = std::min(beside, beyond * beyond + past * past);
  }
  const double height = t.height + t.normal.dot(moved);
  return height * height + (isAbove ? 0.0 : beside);
}

void SurfacePatch::measure(const Vector3d& middle, double half, Distances& result) {
  const Vector3d moved = middle - middle_;
  double least = std::numeric_limits<double>::infinity();
  squared_.resize(frames_.size());
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    squared_[i] = squaredDistance(frames_[i], moved);
    least = std::min(least, squared_[i]);
  }
  const double enough = (std::sqrt(least) + 2.0 * std::numbers::sqrt3 * half) * kRoundUp;
  const double perHalf = 1.0 / half;
  numbers_.resize(frames_.size() * kNumbersPerTriangle);
  chosen_.clear();
  float* to = numbers_.data();
  const auto put = [&](double x) { *to++ = static_cast<float>(x); };
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    if (squared_[i] > enough * enough) continue;
    chosen_.push_back(triangles_[i]);
    const Triangle& t = frames_[i];
    for (const double x : t.normal)
      put(x);
    put((t.height + t.normal.dot(moved)) * perHalf);
    for (std::size_t k = 0; k < 3; ++k) {
      for (const double x : t.outward[k])
        put(x);
      put((t.beyond[k] + t.outward[k].dot(moved)) * perHalf);
      for (const double x : t.along[k])
        put(x);
      const double along = t.along[k].dot(moved);
      put((t.fromStart[k] + along) * perHalf);
      put((t.fromEnd[k] + along) * perHalf);
    }
  }
  std::array<std::int32_t, kPoints> which;
  TACTUS_LANES_CALL(measurePoints)
  (numbers_.data(), chosen_.size(), result.distance.data(), which.data());
  for (std::size_t i = 0; i < kPoints; ++i)
    result.triangle[i] = chosen_[static_cast<std::size_t>(which[i])];
}

}  // namespace tactus::collision
#endif
