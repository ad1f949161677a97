#include "collision/packing/power_planes.hpp"

#include <algorithm>
#include <cmath>

#define TACTUS_LANES_FILE "collision/packing/power_planes.cpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_PACKING_POWER_PLANES_ONCE
#define TACTUS_COLLISION_PACKING_POWER_PLANES_ONCE
namespace tactus::collision {

inline constexpr std::array<float, 4> kPointsAt = {-0.75F, -0.25F, 0.25F, 0.75F};

// Value, slope and their sum are each off by 6e-8 of the largest of them at most.
inline constexpr float kPlaneError = 1e-6F;

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

void findLeast(const std::array<float, 4>* planes, std::size_t count,
               std::int32_t* which) noexcept {
  const F32x16 x = tile4(kPointsAt.data());
  const F32x16 y = repeat4(kPointsAt.data());
  std::array<F32x16, 4> least;
  std::array<I32x16, 4> best;
  for (std::size_t z = 0; z < 4; ++z) {
    least[z] = 1e30F;
    best[z] = 0;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const F32x16 base = x * planes[i][0] + y * planes[i][1] + planes[i][3];
    for (std::size_t z = 0; z < 4; ++z) {
      const F32x16 value = base + planes[i][2] * kPointsAt[z];
      const auto lower = value < least[z];
      least[z] = select(lower, value, least[z]);
      best[z] = select(maskOf<std::int32_t>(lower), static_cast<std::int32_t>(i), best[z]);
    }
  }
  for (std::size_t z = 0; z < 4; ++z)
    store(best[z], which + 16 * z);
}

LANES_INLINE F32x16 squaredFarCorner(F32x16 x, F32x16 y, float z, const PowerPlanes::Reach& reach) {
  const F32x16 farX = abs(x - reach.from[0]) + 0.25F;
  const F32x16 farY = abs(y - reach.from[1]) + 0.25F;
  const float farZ = std::fabs(z - reach.from[2]) + 0.25F;
  return farX * farX + farY * farY + farZ * farZ;
}

void findAllThatMayBeLeast(const std::array<float, 4>* planes, const PowerPlanes::Reach* reaches,
                           std::size_t count, std::uint64_t* cubes) noexcept {
  const F32x16 x = tile4(kPointsAt.data());
  const F32x16 y = repeat4(kPointsAt.data());
  float largest = 0.0F;
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<float, 4>& p = planes[i];
    largest =
        std::max(largest, std::fabs(p[0]) + std::fabs(p[1]) + std::fabs(p[2]) + std::fabs(p[3]));
    cubes[i] = 0;
  }
  for (std::size_t z = 0; z < 4; ++z) {
    F32x16 least = 1e30F;
    F32x16 slopeX = 0.0F;
    F32x16 slopeY = 0.0F;
    F32x16 slopeZ = 0.0F;
    for (std::size_t i = 0; i < count; ++i) {
      const std::array<float, 4>& p = planes[i];
      const F32x16 value = x * p[0] + y * p[1] + (p[2] * kPointsAt[z] + p[3]);
      const auto lower = value < least;
      least = select(lower, value, least);
      slopeX = select(lower, p[0], slopeX);
      slopeY = select(lower, p[1], slopeY);
      slopeZ = select(lower, p[2], slopeZ);
    }
    least += 2.0F * kPlaneError * largest;
    for (std::size_t i = 0; i < count; ++i) {
      const std::array<float, 4>& p = planes[i];
      const F32x16 value = x * p[0] + y * p[1] + (p[2] * kPointsAt[z] + p[3]);
      const F32x16 fall = abs(slopeX - p[0]) + abs(slopeY - p[1]) + abs(slopeZ - p[2]);
      const auto mask = (value - 0.25F * fall <= least) &
                        (squaredFarCorner(x, y, kPointsAt[z], reaches[i]) > reaches[i].squared);
      cubes[i] |= static_cast<std::uint64_t>(bitsOf(mask)) << (16 * z);
    }
  }
}

std::uint64_t findReached(const std::array<float, 4>* planes, std::size_t count,
                          const PowerPlanes::Reach& reach) noexcept {
  const F32x16 x = tile4(kPointsAt.data());
  const F32x16 y = repeat4(kPointsAt.data());
  std::uint64_t bits = 0;
  for (std::size_t z = 0; z < 4; ++z) {
    F32x16 excess = -1e30F;
    for (std::size_t i = 0; i < count; ++i) {
      const std::array<float, 4>& p = planes[i];
      const float slopes = std::fabs(p[0]) + std::fabs(p[1]) + std::fabs(p[2]);
      const float below = 0.25F * slopes + kPlaneError * (slopes + std::fabs(p[3]));
      excess = max(excess, x * p[0] + y * p[1] + (p[2] * kPointsAt[z] + p[3] - below));
    }
    const auto mask =
        (excess <= 0.0F) & (squaredFarCorner(x, y, kPointsAt[z], reach) > reach.squared);
    bits |= static_cast<std::uint64_t>(bitsOf(mask)) << (16 * z);
  }
  return bits;
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

void PowerPlanes::clear() {
  planes_.clear();
}

void PowerPlanes::add(double value, const Eigen::Vector3d& slope) {
  planes_.push_back({static_cast<float>(slope.x()), static_cast<float>(slope.y()),
                     static_cast<float>(slope.z()), static_cast<float>(value)});
}

void PowerPlanes::least(std::array<std::int32_t, kPoints>& which) const {
  TACTUS_LANES_CALL(findLeast)(planes_.data(), planes_.size(), which.data());
}

PowerPlanes::Reach PowerPlanes::reachFrom(const Eigen::Vector3d& from, double reach) {
  // a little less, so that rounding drops no cube
  return {
      {static_cast<float>(from.x()), static_cast<float>(from.y()), static_cast<float>(from.z())},
      static_cast<float>(reach * reach * (1.0 - 1e-5))};
}

void PowerPlanes::mayBeLeast(const std::vector<Reach>& reaches, std::vector<Bits>& cubes) const {
  cubes.resize(planes_.size());
  TACTUS_LANES_CALL(findAllThatMayBeLeast)
  (planes_.data(), reaches.data(), planes_.size(), cubes.data());
}

PowerPlanes::Bits PowerPlanes::reached(const Reach& reach) const {
  return TACTUS_LANES_CALL(findReached)(planes_.data(), planes_.size(), reach);
}

}  // namespace tactus::collision
#endif
