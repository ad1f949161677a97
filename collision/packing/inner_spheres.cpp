#include "collision/packing/inner_spheres.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "collision/packing/sphere_grid.hpp"
#include "models/lanes/elementary.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

constexpr std::size_t kSpheresPerBlock = 256;

// Radii of lower balls are this much smaller than what was measured, against rounding.
constexpr double kShrink = 1.0 - 1e-9;

/// How far the surface is from the centroid, at most `most`; 0 outside.
double clearance(const SurfaceDistance& surface, const Vector3d& point, bool isInside,
                 double most) {
  if (isInside) {
    const SurfacePoint closest = surface.unsignedAt(point, most);
    return closest.found() ? std::min(closest.distance, most) : most;
  }
  return std::clamp(-surface.at(point).distance, 0.0, most);
}

}  // namespace

std::vector<InnerSphere> innerSpheres(const SpherePacking& packing, const PowerCells& cells,
                                      const SurfaceDistance& surface, unsigned threads,
                                      const models::GoesOn& goesOn) {
  const std::size_t count = packing.spheres.size();
  std::vector<InnerSphere> spheres(count);
  std::vector<double> most(count);  // what the surface leaves of the cell's ball
  const auto measure = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const PowerCell& cell = cells.cells[i];
      InnerSphere& sphere = spheres[i];
      sphere.centre = packing.origin + cell.centroid;
      sphere.cellRadius = models::elementary::cbrt(cell.volume * (3.0 / 4.0 / std::numbers::pi));
      sphere.depth = cell.depth;
      const auto radius = static_cast<double>(packing.spheres[i].radius);
      const double left =
          radius - (cell.centroid - packing.spheres[i].centre.cast<double>()).norm();
      sphere.lowerRadius = std::clamp(left, 0.0, sphere.cellRadius);
      most[i] = clearance(surface, sphere.centre, left > 0.0, sphere.cellRadius) * kShrink;
    }
  };
  if (!models::parallelWhile(count, kSpheresPerBlock, threads, goesOn, measure)) return {};
  if (count == 0) return spheres;

  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    return spheres[i].cellRadius != spheres[j].cellRadius
               ? spheres[i].cellRadius > spheres[j].cellRadius
               : i < j;
  });
  const models::Bounds& bounds = surface.bounds();
  SphereGrid grid((0.5 * (bounds.upper - bounds.lower)).array() + 1e-6 * bounds.diagonal() + 1e-30);
  // the grid rounds centres to floats, so it is asked for a little more than needed
  const double slack = 1e-6 * bounds.diagonal();
  for (std::size_t i = 0; i < count; ++i) {
    grid.insert({cells.cells[i].centroid.cast<float>(), static_cast<float>(spheres[i].cellRadius)});
  }
  for (const std::uint32_t i : order) {
    double radius = most[i];
    if (radius <= spheres[i].lowerRadius) continue;
    grid.near(cells.cells[i].centroid, radius + slack, [&](std::uint32_t j, const PackedSphere&) {
      if (j == i) return;
      const double apart = (spheres[j].centre - spheres[i].centre).norm();
      radius = std::min(radius, apart * kShrink - spheres[j].lowerRadius);
    });
    spheres[i].lowerRadius = std::max(spheres[i].lowerRadius, radius);
  }
  return spheres;
}

}  // namespace tactus::collision
