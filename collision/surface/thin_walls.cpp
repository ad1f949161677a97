#include "collision/surface/thin_walls.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

// A part with a thousandth of the area has eight.
constexpr std::size_t kPlaces = 8000;
constexpr std::size_t kDepths = 4;

// Cosine of the angle between the inward normal and that of the face behind.
constexpr double kBehind = 0.9;

// Places in a triangle, after M. Roberts, "The Unreasonable Effectiveness of Quasirandom
// Sequences", 2018: powers of the inverse of the plastic number.
constexpr double kAcross = 0.7548776662466927;
constexpr double kBeside = 0.5698402909980532;

struct Look {
  Vector3d from, inward;
};

/// The outward normal, as long as twice the area.
Vector3d normalOf(const SurfaceDistance& surface, std::uint32_t triangle) {
  const auto corners = surface.corners(triangle);
  const Vector3d first = corners[0].cast<double>();
  return (corners[1].cast<double>() - first).cross(corners[2].cast<double>() - first);
}

std::vector<Look> looksOf(const SurfaceDistance& surface) {
  const auto count = static_cast<std::uint32_t>(surface.triangleCount());
  double area = 0.0;
  for (std::uint32_t t = 0; t < count; ++t)
    area += normalOf(surface, t).norm();
  std::vector<Look> looks;
  looks.reserve(kPlaces);
  const auto fraction = [](double x) { return x - std::floor(x); };
  double until = 0.0;
  std::uint32_t triangle = 0;
  for (std::size_t k = 0; k < kPlaces && area > 0.0; ++k) {
    const double at = area * (static_cast<double>(k) + 0.5) / static_cast<double>(kPlaces);
    for (; triangle < count; ++triangle) {
      const double next = until + normalOf(surface, triangle).norm();
      if (next > at) break;
      until = next;
    }
    if (triangle == count) break;
    const auto corners = surface.corners(triangle);
    const Vector3d first = corners[0].cast<double>();
    const double u = std::sqrt(fraction(kAcross * static_cast<double>(k)));
    const double v = fraction(kBeside * static_cast<double>(k));
    const Vector3d place = surface.origin() + first +
                           u * (1.0 - v) * (corners[1].cast<double>() - first) +
                           u * v * (corners[2].cast<double>() - first);
    looks.push_back({place, -normalOf(surface, triangle).normalized()});
  }
  return looks;
}

}  // namespace

double thinWallShare(const SurfaceDistance& surface, double thickness, unsigned threads) {
  const std::vector<Look> looks = looksOf(surface);
  if (looks.empty()) return 0.0;
  std::vector<Vector3d> places;
  places.reserve(kDepths * looks.size());
  for (const Look& look : looks) {
    for (std::size_t k = 1; k <= kDepths; ++k) {
      const double depth = thickness * static_cast<double>(k) / static_cast<double>(kDepths);
      places.emplace_back(look.from + depth * look.inward);
    }
  }
  std::vector<SurfacePoint> points(places.size());
  surface.at(places, points, threads);
  std::size_t thin = 0;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const auto* const first = points.data() + kDepths * i;
    const auto* const out = std::find_if(
        first, first + kDepths, [](const SurfacePoint& point) { return point.distance > 0.0; });
    if (out == first + kDepths || !out->found()) continue;
    if (normalOf(surface, out->triangle).normalized().dot(looks[i].inward) > kBehind) ++thin;
  }
  return static_cast<double>(thin) / static_cast<double>(looks.size());
}

}  // namespace tactus::collision
