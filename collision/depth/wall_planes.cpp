#include "collision/depth/wall_planes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

// Planes that lean by less than eighteen degrees from each other are one.
constexpr double kAlike = 0.95;
// Of faces that make a wall: two sides of an edge of sixty degrees.
constexpr double kOpposed = -0.5;
// Interpolation that is off by less, in sides, is left as it is.
constexpr double kRightAlready = 0.02;
// Planes have to be so much better than it.
constexpr double kBetter = 0.5;
// Gauss's two points, from the middle of a side 1.
constexpr double kGauss = 0.28867513459481287;
// No plane of a cube matters that is further inside, in sides.
constexpr double kFarInside = 4.0;

constexpr std::size_t kCubesPerBlock = 64;

struct Plane {
  Vector3d slope = Vector3d::Zero();
  double depth = 0.0;  ///< at the middle of the cube
  int corners = 0;     ///< that have it

  [[nodiscard]] Vector3d lean() const { return slope.normalized(); }
  [[nodiscard]] double middle() const { return depth / corners; }
};

Vector3d cornerOf(std::size_t k) {
  return {(k & 1U) != 0 ? 0.5 : -0.5, (k & 2U) != 0 ? 0.5 : -0.5, (k & 4U) != 0 ? 0.5 : -0.5};
}

/// The planes of eight corners, those that most corners have first. Lengths in sides.
std::vector<Plane> planesOf(const std::array<double, 8>& depths,
                            const std::array<Vector3d, 8>& slopes) {
  std::vector<Plane> planes;
  planes.reserve(depths.size());
  for (std::size_t k = 0; k < depths.size(); ++k) {
    auto same = std::ranges::find_if(
        planes, [&](const Plane& plane) { return plane.lean().dot(slopes[k]) > kAlike; });
    if (same == planes.end()) same = planes.insert(planes.end(), Plane{});
    same->slope += slopes[k];
    same->depth += depths[k] - slopes[k].dot(cornerOf(k));
    ++same->corners;
  }
  std::ranges::stable_sort(planes, std::ranges::greater{}, &Plane::corners);
  return planes;
}

/// Brings the two that face each other with the least between them to the front; false if there are
/// none.
bool bringWallToFront(std::vector<Plane>& planes) {
  double least = kThickestWall;
  std::size_t first = 0;
  std::size_t second = 0;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    for (std::size_t j = i + 1; j < planes.size(); ++j) {
      const double thickness = planes[i].middle() + planes[j].middle();
      if (planes[i].lean().dot(planes[j].lean()) > kOpposed) continue;
      if (!(thickness > 0.0) || thickness >= least) continue;
      least = thickness;
      first = i;
      second = j;
    }
  }
  if (second == 0) return false;
  std::rotate(planes.begin() + static_cast<std::ptrdiff_t>(first) + 1,
              planes.begin() + static_cast<std::ptrdiff_t>(second),
              planes.begin() + static_cast<std::ptrdiff_t>(second) + 1);
  std::rotate(planes.begin(), planes.begin() + static_cast<std::ptrdiff_t>(first),
              planes.begin() + static_cast<std::ptrdiff_t>(first) + 2);
  return true;
}

std::int16_t toShort(double units) {
  return static_cast<std::int16_t>(std::floor(std::clamp(units, -32'767.0, 32'767.0) + 0.5));
}

WallPlanes packed(std::span<const Plane> planes) {
  WallPlanes all{};
  for (std::size_t k = 0; k < kWallPlanes; ++k) {
    if (k >= planes.size()) {  // of no slope, and deeper than anything
      all[4 * k + 3] = toShort(kFarInside / static_cast<double>(kWallDepth));
      continue;
    }
    const Vector3d slope = planes[k].lean() / static_cast<double>(kWallSlope);
    for (std::size_t axis = 0; axis < 3; ++axis)
      all[4 * k + axis] = toShort(slope[static_cast<Eigen::Index>(axis)]);
    all[4 * k + 3] = toShort(planes[k].middle() / static_cast<double>(kWallDepth));
  }
  return all;
}

double leastOf(const WallPlanes& planes, const Vector3d& at) {
  double least = kFarInside;
  for (std::size_t k = 0; k < kWallPlanes; ++k) {
    const Vector3d slope = static_cast<double>(kWallSlope) *
                           Vector3d(planes[4 * k], planes[4 * k + 1], planes[4 * k + 2]);
    least = std::min(least, static_cast<double>(kWallDepth) * planes[4 * k + 3] + slope.dot(at));
  }
  return least;
}

double between(const std::array<double, 8>& depths, const Vector3d& at) {
  double sum = 0.0;
  for (std::size_t k = 0; k < depths.size(); ++k)
    sum += depths[k] * (Vector3d::Constant(0.5) + 2.0 * at.cwiseProduct(cornerOf(k))).prod();
  return sum;
}

/// What is found in a cube.
struct Found {
  bool isRidge = false;
  std::optional<WallPlanes> wall;
};

/// Of the cube whose first corner has this number.
Found wallIn(const SurfaceDistance& surface, const DepthSamples& samples, std::size_t first) {
  const std::size_t layer = samples.along[0] * samples.along[1];
  std::array<double, 8> depths;
  std::array<Vector3d, 8> slopes;
  double deepest = -kFarInside;
  for (std::size_t k = 0; k < depths.size(); ++k) {
    const std::size_t at =
        first + (k & 1U) + ((k >> 1U) & 1U) * samples.along[0] + (k >> 2U) * layer;
    depths[k] = static_cast<double>(samples.depths[at]) / samples.side;
    slopes[k] = samples.slopes[at].cast<double>();
    deepest = std::max(deepest, depths[k]);
  }
  // no solid in it, or no surface near it
  if (deepest < -0.5 * std::sqrt(3.0) || deepest > 0.5 * kThickestWall + 1.0) return {};
  std::vector<Plane> planes = planesOf(depths, slopes);
  if (!bringWallToFront(planes)) return {};
  const WallPlanes wall = packed(std::span(planes).first(std::min(planes.size(), kWallPlanes)));

  const std::array<std::size_t, 3> place = {
      first % samples.along[0], first / samples.along[0] % samples.along[1], first / layer};
  const Vector3d middle(static_cast<double>(place[0]) + 0.5, static_cast<double>(place[1]) + 0.5,
                        static_cast<double>(place[2]) + 0.5);
  double ofPlanes = 0.0;
  double ofCorners = 0.0;
  for (std::size_t k = 0; k < 8; ++k) {
    const Vector3d at = 2.0 * kGauss * cornerOf(k);
    const double depth =
        -surface.at(samples.origin + samples.side * (middle + at)).distance / samples.side;
    ofPlanes = std::max(ofPlanes, std::fabs(leastOf(wall, at) - depth));
    ofCorners = std::max(ofCorners, std::fabs(between(depths, at) - depth));
  }
  if (ofCorners < kRightAlready || ofPlanes > kBetter * ofCorners) return {true, {}};
  return {true, wall};
}

}  // namespace

Vector3d depthSlope(const SurfaceDistance& surface, const Vector3d& at, const SurfacePoint& nearest,
                    double side) {
  if (std::fabs(nearest.distance) > 1e-6 * side)
    return ((nearest.point - at) / nearest.distance).normalized();
  const auto corners = surface.corners(nearest.triangle);
  return -(corners[1] - corners[0]).cross(corners[2] - corners[0]).cast<double>().normalized();
}

ThinWalls thinWalls(const SurfaceDistance& surface, const DepthSamples& samples, unsigned threads) {
  const std::size_t cubesX = samples.along[0] - 1;
  const std::size_t cubesY = samples.along[1] - 1;
  const std::size_t count = cubesX * cubesY * (samples.along[2] - 1);
  const auto firstOf = [&](std::size_t cube) {
    const std::size_t row = cube / cubesX;
    return cube % cubesX + samples.along[0] * (row % cubesY + samples.along[1] * (row / cubesY));
  };
  // one list a block, so that their order is that of the cubes
  std::vector<ThinWalls> blocks((count + kCubesPerBlock - 1) / kCubesPerBlock);
  models::parallelFor(count, kCubesPerBlock, threads, [&](std::size_t begin, std::size_t end) {
    ThinWalls& found = blocks[begin / kCubesPerBlock];
    for (std::size_t cube = begin; cube < end; ++cube) {
      const std::size_t first = firstOf(cube);
      const Found here = wallIn(surface, samples, first);
      if (here.isRidge) found.ridges.push_back(static_cast<std::int32_t>(first));
      if (!here.wall) continue;
      found.cubes.push_back(static_cast<std::int32_t>(first));
      found.planes.push_back(*here.wall);
    }
  });
  ThinWalls all;
  for (const ThinWalls& block : blocks) {
    all.cubes.insert(all.cubes.end(), block.cubes.begin(), block.cubes.end());
    all.planes.insert(all.planes.end(), block.planes.begin(), block.planes.end());
    all.ridges.insert(all.ridges.end(), block.ridges.begin(), block.ridges.end());
  }
  return all;
}

}  // namespace tactus::collision
