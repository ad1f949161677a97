#include "collision/packing/power_planes.hpp"

#include <algorithm>
#include <cmath>

#define TACTUS_LANES_FILE "collision/packing/power_planes.cpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_PACKING_POWER_PLANES_ONCE
#define TACTUS_COLLISION_PACKING_POWER_PLANES_ONCE
namespace tactus::collision {

/// Planes as plain pointers, for the kernels.
struct PlaneArrays {
  std::array<const float*, 4> plane;
  std::size_t count;
};

inline constexpr std::array<float, 4> kPointsAt = {-0.75F, -0.25F, 0.25F, 0.75F};

}  // namespace tactus::collision
#endif

TACTUS_LANES_BEGIN(tactus::collision);

void findOwners(const PlaneArrays& planes, std::int32_t* owner) noexcept {
  const F32x16 x = tile4(kPointsAt.data());
  const F32x16 y = repeat4(kPointsAt.data());
  std::array<F32x16, 4> least;
  std::array<I32x16, 4> best;
  for (std::size_t z = 0; z < 4; ++z) {
    least[z] = 1e30F;
    best[z] = 0;
  }
  for (std::size_t i = 0; i < planes.count; ++i) {
    const F32x16 base = x * planes.plane[0][i] + y * planes.plane[1][i] + planes.plane[3][i];
    for (std::size_t z = 0; z < 4; ++z) {
      const F32x16 power = base + planes.plane[2][i] * kPointsAt[z];
      const auto lower = power < least[z];
      least[z] = select(lower, power, least[z]);
      best[z] = select(maskOf<std::int32_t>(lower), static_cast<std::int32_t>(i), best[z]);
    }
  }
  for (std::size_t z = 0; z < 4; ++z)
    store(best[z], owner + 16 * z);
}

void findReached(const PlaneArrays& planes, float rounding, std::uint64_t* cubes) noexcept {
  const F32x16 x = tile4(kPointsAt.data());
  const F32x16 y = repeat4(kPointsAt.data());
  for (std::size_t i = 0; i < planes.count; ++i)
    cubes[i] = 0;
  for (std::size_t z = 0; z < 4; ++z) {
    F32x16 least = 1e30F;
    F32x16 slopeX = 0.0F;
    F32x16 slopeY = 0.0F;
    F32x16 slopeZ = 0.0F;
    for (std::size_t i = 0; i < planes.count; ++i) {
      const F32x16 power = x * planes.plane[0][i] + y * planes.plane[1][i] +
                           (planes.plane[3][i] + planes.plane[2][i] * kPointsAt[z]);
      const auto lower = power < least;
      least = select(lower, power, least);
      slopeX = select(lower, planes.plane[0][i], slopeX);
      slopeY = select(lower, planes.plane[1][i], slopeY);
      slopeZ = select(lower, planes.plane[2][i], slopeZ);
    }
    least += rounding;
    for (std::size_t i = 0; i < planes.count; ++i) {
      const F32x16 power = x * planes.plane[0][i] + y * planes.plane[1][i] +
                           (planes.plane[3][i] + planes.plane[2][i] * kPointsAt[z]);
      const F32x16 fall = abs(slopeX - planes.plane[0][i]) + abs(slopeY - planes.plane[1][i]) +
                          abs(slopeZ - planes.plane[2][i]);
      cubes[i] |= static_cast<std::uint64_t>(bitsOf(power - 0.25F * fall <= least)) << (16 * z);
    }
  }
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::collision {

void PowerPlanes::clear() {
  for (auto& numbers : plane_)
    numbers.clear();
  count_ = 0;
}

void PowerPlanes::add(double power, const Eigen::Vector3d& centre) {
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    plane_[static_cast<std::size_t>(axis)].push_back(static_cast<float>(-2.0 * centre[axis]));
  }
  plane_[3].push_back(static_cast<float>(power));
  ++count_;
}

void PowerPlanes::setToPart(const PowerPlanes& whole, std::size_t cube) {
  const Eigen::Vector3f middle = middleOf(cube).cast<float>();
  count_ = whole.count_;
  for (auto& numbers : plane_)
    numbers.resize(count_);
  for (std::size_t i = 0; i < count_; ++i) {
    // in units of the small cube's half side, whose square is 1/16
    const float atMiddle = whole.plane_[3][i] + whole.plane_[0][i] * middle.x() +
                           whole.plane_[1][i] * middle.y() + whole.plane_[2][i] * middle.z();
    plane_[3][i] = 16.0F * atMiddle;
    for (std::size_t axis = 0; axis < 3; ++axis)
      plane_[axis][i] = 4.0F * whole.plane_[axis][i];
  }
}

float PowerPlanes::rounding() const {
  // constant, slopes and sums are each off by 6e-8 of the largest of them at most, and so was a
  // frame that this one has come from: sixteen of that and some more
  float largest = 0.0F;
  for (std::size_t i = 0; i < count_; ++i) {
    largest = std::max(largest, std::fabs(plane_[0][i]) + std::fabs(plane_[1][i]) +
                                    std::fabs(plane_[2][i]) + std::fabs(plane_[3][i]));
  }
  return 4e-6F * largest;
}

void PowerPlanes::owners(std::array<std::int32_t, kPoints>& owner) const {
  TACTUS_LANES_CALL(findOwners)
  ({{plane_[0].data(), plane_[1].data(), plane_[2].data(), plane_[3].data()}, count_},
   owner.data());
}

void PowerPlanes::reached(std::vector<Bits>& cubes) const {
  cubes.resize(count_);
  TACTUS_LANES_CALL(findReached)
  ({{plane_[0].data(), plane_[1].data(), plane_[2].data(), plane_[3].data()}, count_}, rounding(),
   cubes.data());
}

}  // namespace tactus::collision
#endif
