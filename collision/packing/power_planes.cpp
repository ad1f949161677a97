#include "collision/packing/power_planes.hpp"

#define TACTUS_LANES_FILE "collision/packing/power_planes.cpp"
#include "models/lanes/lanes.hpp"

#ifndef TACTUS_COLLISION_PACKING_POWER_PLANES_ONCE
#define TACTUS_COLLISION_PACKING_POWER_PLANES_ONCE
namespace tactus::collision {

inline constexpr std::array<float, 4> kPointsAt = {-0.75F, -0.25F, 0.25F, 0.75F};

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

}  // namespace tactus::collision
#endif
