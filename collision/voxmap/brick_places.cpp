#include "collision/voxmap/brick_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "collision/voxmap/lattice_signs.hpp"
#include "collision/voxmap/voxmap.hpp"
#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

// Voxels around the object, besides the band: what lies out of the grid is certainly outside.
constexpr double kMargin = 1.0;

// A hint is lengthened by more than the rounding of a distance, as a share of the mesh's size.
constexpr double kHintRoundUp = 1e-9;

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

/// work(x, y, z, number, near) for all of a grid, rows in parallel. `near` is a triangle that the
/// work keeps for the next place of the row.
template <typename Work>
void forAll(const std::array<std::int32_t, 3>& size, unsigned threads, const Work& work) {
  const auto rows = static_cast<std::size_t>(size[1]) * static_cast<std::size_t>(size[2]);
  models::parallelFor(rows, kRowsPerBlock, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const auto y = static_cast<std::int32_t>(row % static_cast<std::size_t>(size[1]));
      const auto z = static_cast<std::int32_t>(row / static_cast<std::size_t>(size[1]));
      std::uint32_t near = kNoTriangle;
      for (std::int32_t x = 0; x < size[0]; ++x)
        work(x, y, z, row * static_cast<std::size_t>(size[0]) + static_cast<std::size_t>(x), near);
    }
  });
}

/// How far the surface is. A triangle that is close to it bounds how far the search must look, and
/// becomes the closest one.
double distanceOf(const SurfaceDistance& surface, const Vector3d& point, std::uint32_t& near) {
  const double reach = near == kNoTriangle ? std::numeric_limits<double>::infinity()
                                           : surface.distanceTo(point, near);
  const double size = surface.bounds().diagonal() + (near == kNoTriangle ? 0.0 : reach);
  const SurfacePoint found = surface.unsignedAt(point, reach + kHintRoundUp * size);
  near = found.triangle;
  return found.distance;
}

/// Whether a coarse cell would be good enough.
class CoarseCells {
 public:
  CoarseCells(const SurfaceDistance& surface, const BrickPlaces& places, const BrickNeeds& needs)
      : surface_(surface), places_(places), needs_(needs) {}

  [[nodiscard]] bool isGoodAt(std::int32_t x, std::int32_t y, std::int32_t z,
                              std::uint32_t& near) const {
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
    const Vector3d first = kCells * Vector3d(x, y, z);
    // far from the surface all corners have one sign, so that it can be left out
    const Vector3d half = Vector3d::Constant(0.5 * kCells);
    const double middle = distanceOf(surface_, places_.position(first + half), near);
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
      std::uint32_t nearFace = near;
      const double distance = distanceOf(surface_, places_.position(at), nearFace);
      if (std::fabs(ofFace - distance) > most) return false;
    }
    return true;
  }

 private:
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
  if (!(along.maxCoeff() <= kMostPlacesAlong)) return std::nullopt;
  for (std::size_t k = 0; k < 3; ++k)
    places.size[k] = static_cast<std::int32_t>(along[static_cast<Eigen::Index>(k)]);
  places.origin = bounds.centre() - 0.5 * kCells * places.voxel * along;

  const std::array<std::int32_t, 3> corners = cornersOf(places.size);
  places.corners.resize(countOf(corners));
  const double step = kCells * places.voxel;
  forAll(corners, needs.threads,
         [&](std::int32_t x, std::int32_t y, std::int32_t z, std::size_t at, std::uint32_t& near) {
           const Vector3d point = places.position(kCells * Vector3d(x, y, z));
           places.corners[at] = static_cast<float>(distanceOf(surface, point, near));
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
         [&](std::int32_t x, std::int32_t y, std::int32_t z, std::size_t at, std::uint32_t& near) {
           places.isNeeded[at] = cells.isGoodAt(x, y, z, near) ? 0 : 1;
         });
  places.bricks = static_cast<std::size_t>(std::ranges::count(places.isNeeded, 1));
  return places;
}

}  // namespace tactus::collision
