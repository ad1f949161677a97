#include "collision/packing/fitting_radius.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::collision {

namespace {

using Eigen::Vector3d;

// Radii are rounded down by more than the rounding of their measure in doubles.
constexpr double kShrink = 1.0 - 1e-9;

float roundedDown(double x) {
  const auto nearest = static_cast<float>(x);
  return static_cast<double>(nearest) <= x ? nearest : std::nextafter(nearest, 0.0F);
}

}  // namespace

float fittingRadius(const SurfaceDistance& surface, const SphereGrid& grid, const Vector3d& origin,
                    const Eigen::Vector3f& centre, double most, double least) {
  const Vector3d local = centre.cast<double>();
  double radius = most;
  grid.near(local, most, [&](std::uint32_t, const PackedSphere& other) {
    const double clear =
        (other.centre.cast<double>() - local).norm() - static_cast<double>(other.radius);
    radius = std::min(radius, clear);
  });
  if (radius < least) return 0.0F;
  const Vector3d position = origin + local;
  const SurfacePoint closest = surface.at(position, most * 1.000001);
  if (closest.found()) {
    if (closest.distance >= 0.0) return 0.0F;
    radius = std::min(radius, -closest.distance);
  } else if (!surface.contains(position)) {
    return 0.0F;
  }
  const double left = radius * kShrink - 1e-12 * surface.bounds().diagonal();
  return left >= least && left > 0.0 ? roundedDown(left) : 0.0F;
}

}  // namespace tactus::collision
