#include "collision/voxmap/brick_places.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/voxmap/lattice_signs.hpp"
#include "collision/voxmap/voxmap.hpp"
#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

// Voxels around the object, besides the band: what lies out of the grid is certainly outside.
constexpr double kMargin = 1.0;

// A hint is lengthened by more than the rounding of a distance, as a share of it.
constexpr double kHintRoundUp = 1.0 + 1e-6;

constexpr std::size_t kRowsPerBlock = 4;

constexpr double kCells = Voxmap::kCells;
constexpr double kHalfDiagonal = 0.5 * kCells * std::numbers::sqrt3;

std::size_t countOf(const std::array<std::int32_t, 3>& size) {
  return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
         static_cast<std::size_t>(size[2]);
}

std::array<std::int32_t, 3> cornersOf(const std::array<std::int32_t, 3>& size) {
  return {size[0] + 1, size[1] + 1, size[2] + 1};
}

/// work(x, y, z, number) for all of a grid, rows in parallel.
template <typename Work>
void forAll(const std::array<std::int32_t, 3>& size, unsigned threads, const Work& work) {
  const auto rows = static_cast<std::size_t>(size[1]) * static_cast<std::size_t>(size[2]);
  models::parallelFor(rows, kRowsPerBlock, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const auto y = static_cast<std::int32_t>(row % static_cast<std::size_t>(size[1]));
      const auto z = static_cast<std::int32_t>(row / static_cast<std::size_t>(size[1]));
      for (std::int32_t x = 0; x < size[0]; ++x)
        work(x, y, z, row * static_cast<std::size_t>(size[0]) + static_cast<std::size_t>(x));
    }
  });
}

/// Whether a coarse cell would be good enough.
class CoarseCells {
 public:
  CoarseCells(const SurfaceDistance& surface, const BrickPlaces& places, const BrickNeeds& needs)
      : surface_(surface), places_(places), needs_(needs) {}

  [[nodiscard]] bool isGoodAt(std::int32_t x, std::int32_t y, std::int32_t z) const {
    std::array<double, 8> corner{};
    const auto cornersX = static_cast<std::size_t>(places_.size[0]) + 1;
    const auto cornersXY = cornersX * (static_cast<std::size_t>(places_.size[1]) + 1);
    for (std::size_t k = 0; k < corner.size(); ++k) {
      const std::size_t at = (static_cast<std::size_t>(z) + (k >> 2U)) * cornersXY +
                             (static_cast<std::size_t>(y) + (k >> 1U & 1U)) * cornersX +
                             static_cast<std::size_t>(x) + (k & 1U);
      corner[k] = std::fabs(static_cast<double>(places_.corners[at]));
    }
    const double voxel = places_.voxel;
    const double least = *std::ranges::min_element(corner);
    const Vector3d first = kCells * Vector3d(x, y, z);
    // far from the surface all corners have one sign, so that it can be left out
    const Vector3d half = Vector3d::Constant(0.5 * kCells);
    const double middle = unsignedAt(first + half, least + kHalfDiagonal * voxel);
    if (middle <= (needs_.band + kHalfDiagonal) * voxel) return false;
    const double most = needs_.coarseError * voxel;
    double mean = 0.0;
    for (const double distance : corner)
      mean += 0.125 * distance;
    if (std::fabs(mean - middle) > most) return false;
    for (std::size_t face = 0; face < 6; ++face) {
      const std::size_t axis = face / 2;
      Vector3d at = first + half;
      at[static_cast<Eigen::Index>(axis)] += (face % 2 == 0 ? -0.5 : 0.5) * kCells;
      double ofFace = 0.0;
      for (std::size_t k = 0; k < corner.size(); ++k)
        if ((k >> axis & 1U) == face % 2) ofFace += 0.25 * corner[k];
      const double distance = unsignedAt(at, middle + 0.5 * kCells * voxel);
      if (std::fabs(ofFace - distance) > most) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] double unsignedAt(const Vector3d& voxels, double reach) const {
    return surface_.unsignedAt(places_.position(voxels), reach * kHintRoundUp).distance;
  }

  const SurfaceDistance& surface_;
  const BrickPlaces& places_;
  const BrickNeeds& needs_;
};

}  // namespace

std::uint64_t BrickPlaces::bytes() const noexcept {
  return 2 * sizeof(std::int32_t) * isNeeded.size() +
         sizeof(std::int16_t) * (corners.size() + Voxmap::kValues * bricks);
}

std::optional<BrickPlaces> brickPlaces(const SurfaceDistance& surface, double voxel,
                                       std::uint64_t mostBytes, const BrickNeeds& needs) {
  BrickPlaces places;
  places.voxel = static_cast<double>(static_cast<float>(voxel));
  const models::Bounds& bounds = surface.bounds();
  const Vector3d size = bounds.upper - bounds.lower;
  double count = 1.0;
  Vector3d along;
  for (Eigen::Index k = 0; k < 3; ++k) {
    along[k] = std::ceil((size[k] / places.voxel + 2.0 * (needs.band + kMargin)) / kCells);
    count *= along[k];
  }
  // of a place: its two numbers and about one corner
  const double least = count * (2 * sizeof(std::int32_t) + sizeof(std::int16_t));
  if (!(least <= static_cast<double>(mostBytes))) return std::nullopt;
  for (std::size_t k = 0; k < 3; ++k)
    places.size[k] = static_cast<std::int32_t>(along[static_cast<Eigen::Index>(k)]);
  places.origin = bounds.centre() - 0.5 * kCells * places.voxel * along;

  const std::array<std::int32_t, 3> corners = cornersOf(places.size);
  places.corners.resize(countOf(corners));
  const double step = kCells * places.voxel;
  forAll(corners, needs.threads,
         [&](std::int32_t x, std::int32_t y, std::int32_t z, std::size_t at) {
           // the surface is no further than from the corner before, by the triangle inequality
           const double reach = x == 0 ? std::numeric_limits<double>::infinity()
                                       : static_cast<double>(places.corners[at - 1]) + step;
           const Vector3d point = places.position(kCells * Vector3d(x, y, z));
           places.corners[at] =
               static_cast<float>(surface.unsignedAt(point, reach * kHintRoundUp).distance);
         });
  LatticeSigns().apply(places.corners, corners, step, [&](std::size_t at) {
    const auto x = at % static_cast<std::size_t>(corners[0]);
    const auto y = at / static_cast<std::size_t>(corners[0]) % static_cast<std::size_t>(corners[1]);
    const auto z = at / static_cast<std::size_t>(corners[0]) / static_cast<std::size_t>(corners[1]);
    return surface.contains(places.position(
        kCells * Vector3d(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z))));
  });

  places.isNeeded.resize(countOf(places.size));
  const CoarseCells cells(surface, places, needs);
  forAll(places.size, needs.threads,
         [&](std::int32_t x, std::int32_t y, std::int32_t z, std::size_t at) {
           places.isNeeded[at] = cells.isGoodAt(x, y, z) ? 0 : 1;
         });
  places.bricks = static_cast<std::size_t>(std::ranges::count(places.isNeeded, 1));
  return places;
}

}  // namespace tactus::collision
