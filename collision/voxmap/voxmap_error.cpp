#include "collision/voxmap/voxmap_error.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/mesh/parallel_for.hpp"
#include "models/mesh/split_mix.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

// Points that are tried in bricks, of which a third or so is near the surface: some for each of
// them, within limits. In the grid there are a quarter as many.
constexpr std::size_t kInBrick = 8;
constexpr std::size_t kFewest = 4'096;
constexpr std::size_t kMost = 24'576;
constexpr std::size_t kPointsPerBlock = 512;

// Voxels; see VoxmapError.
constexpr double kNear = 2.0;

/// The n-th of a point's random numbers, from 0 to 1.
double randomOf(std::size_t point, std::size_t n) {
  using models::SplitMix;
  return SplitMix::shareOf(
      SplitMix::scrambled((4 * std::uint64_t{point} + n + 1) * SplitMix::kStep));
}

Vector3d randomPoint(std::size_t point) {
  return {randomOf(point, 0), randomOf(point, 1), randomOf(point, 2)};
}

struct Sum {
  double most = 0.0, squared = 0.0;
  std::uint64_t points = 0;

  void add(double error) {
    most = std::max(most, std::fabs(error));
    squared += error * error;
    ++points;
  }
  void add(const Sum& other) {
    most = std::max(most, other.most);
    squared += other.squared;
    points += other.points;
  }
  [[nodiscard]] double rms() const {
    return points > 0 ? std::sqrt(squared / static_cast<double>(points)) : 0.0;
  }
};

/// Calls work(point's number, sum) in parallel; the sums of blocks are added in their order.
template <typename Work>
Sum sumOver(std::size_t points, unsigned threads, const Work& work) {
  std::vector<Sum> sums((points + kPointsPerBlock - 1) / kPointsPerBlock);
  models::parallelFor(points, kPointsPerBlock, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t point = begin; point < end; ++point)
      work(point, sums[begin / kPointsPerBlock]);
  });
  Sum all;
  for (const Sum& sum : sums)
    all.add(sum);
  return all;
}

}  // namespace

VoxmapError measuredError(const Voxmap& map, const SurfaceDistance& surface, unsigned threads) {
  const Voxmap::Arrays& all = map.arrays();
  const auto voxel = static_cast<double>(all.voxel);
  const double brickSide = Voxmap::kCells * voxel;
  std::vector<std::size_t> placeOf;
  for (std::size_t place = 0; place < all.places.size() / 2; ++place)
    if (all.places[2 * place] != Voxmap::kNoBrick) placeOf.push_back(place);
  const auto sizeX = static_cast<std::size_t>(all.size[0]);
  const auto sizeY = static_cast<std::size_t>(all.size[1]);

  const std::size_t points = std::clamp(kInBrick * placeOf.size(), kFewest, kMost);
  const Sum near = sumOver(placeOf.empty() ? 0 : points, threads, [&](std::size_t n, Sum& sum) {
    // bricks in turn, so that each has as many points as the others
    const std::size_t place = placeOf[n * placeOf.size() / points];
    const std::size_t x = place % sizeX;
    const std::size_t y = place / sizeX % sizeY;
    const std::size_t z = place / sizeX / sizeY;
    const Vector3d brick(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
    const Vector3d point = all.origin + brickSide * (brick + randomPoint(n));
    // the tree is not searched further than points count
    if (!surface.unsignedAt(point, kNear * voxel).found()) return;
    sum.add(map.sample(point).distance - surface.at(point).distance);
  });
  const Vector3d size(all.size[0], all.size[1], all.size[2]);
  const Sum anywhere = sumOver(points / 4, threads, [&](std::size_t n, Sum& sum) {
    const Vector3d point = all.origin + brickSide * size.cwiseProduct(randomPoint(points + n));
    sum.add(map.sample(point).distance - surface.at(point).distance);
  });
  return {near.most, near.rms(), anywhere.most, anywhere.rms(), near.points, anywhere.points};
}

}  // namespace tactus::collision
