#include "tests/collision/voxmap/voxmap_kernels.hpp"

#include <algorithm>
#include <array>

#define TACTUS_LANES_FILE "tests/collision/voxmap/voxmap_kernels.cpp"
#include "collision/voxmap/voxmap_lanes.hpp"

TACTUS_LANES_BEGIN(tactus::collision);

/// Sixteen points; rows of x y z, and of the results.
void samplePoints(const Voxmap::Arrays& map, const float* points, float* row) noexcept {
  const F32x16 x = load(points);
  const F32x16 y = load(points + kLanes);
  const F32x16 z = load(points + 2 * kLanes);
  const FieldSample16 field = sampleField(map, x, y, z);
  const FieldLayer16 voxel = sampleLayer(map, x, y, z);
  store(field.value, row);
  store(field.gradientX, row + kLanes);
  store(field.gradientY, row + 2 * kLanes);
  store(field.gradientZ, row + 3 * kLanes);
  store(voxel.layer, row + 4 * kLanes);
  store(voxel.centreX, row + 5 * kLanes);
  store(voxel.centreY, row + 6 * kLanes);
  store(voxel.centreZ, row + 7 * kLanes);
}

TACTUS_LANES_END(tactus::collision);

#if TACTUS_LANES_ONCE
namespace tactus::tests {

void sampleByLanes(const collision::Voxmap& map, std::span<const Eigen::Vector3f> points,
                   std::span<SampledPoint> results) {
  using namespace tactus::collision;
  constexpr std::size_t kLanes = 16;
  std::array<float, 3 * kLanes> places{};
  std::array<float, 8 * kLanes> rows{};
  for (std::size_t first = 0; first < points.size(); first += kLanes) {
    const std::size_t count = std::min(kLanes, points.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < 3; ++k)
        places[k * kLanes + i] = points[first + i][static_cast<Eigen::Index>(k)];
    }
    TACTUS_LANES_CALL(samplePoints)(map.arrays(), places.data(), rows.data());
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = [&](std::size_t row) { return rows[row * kLanes + i]; };
      results[first + i] = {at(0), {at(1), at(2), at(3)}, at(4), {at(5), at(6), at(7)}};
    }
  }
}

}  // namespace tactus::tests
#endif
