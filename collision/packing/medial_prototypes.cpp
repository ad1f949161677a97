#include "collision/packing/medial_prototypes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "models/mesh/parallel_for.hpp"
#include "models/mesh/split_mix.hpp"

namespace tactus::collision {

namespace {

using Eigen::Vector3d;

constexpr std::size_t kPrototypesPerBlock = 64;

// Each step of the shrinking ball removes most of what sticks out; what is left after twelve is
// found by the climb.
constexpr int kMostSteps = 12;

// A ball counts as empty when the closest surface is this near to its rim.
constexpr double kEmpty = 1.0 - 1e-6;

// Smaller balls are the roundings of corners, as a share of the box's diagonal.
constexpr double kSmallest = 1e-6;

struct Foot {
  Vector3d point, normal;
};

/// Points on the surface, one in each of `count` pieces of equal area.
std::vector<Foot> spreadFeet(const SurfaceDistance& surface, std::size_t count,
                             std::uint64_t seed) {
  std::vector<double> areaUpTo(surface.triangleCount());
  double area = 0.0;
  for (std::size_t t = 0; t < areaUpTo.size(); ++t) {
    const auto [a, b, c] = surface.corners(static_cast<std::uint32_t>(t));
    area += (b - a).cast<double>().cross((c - a).cast<double>()).norm();
    areaUpTo[t] = area;
  }
  std::vector<Foot> feet;
  if (!(area > 0.0)) return feet;
  feet.reserve(count);
  models::SplitMix random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const double at = area * (static_cast<double>(i) + random.share()) / static_cast<double>(count);
    const auto place = std::lower_bound(areaUpTo.begin(), areaUpTo.end(), at);
    const auto t = static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(
        place - areaUpTo.begin(), static_cast<std::ptrdiff_t>(areaUpTo.size()) - 1));
    double v = random.share();
    double w = random.share();
    if (v + w > 1.0) {
      v = 1.0 - v;
      w = 1.0 - w;
    }
    const auto [a, b, c] = surface.corners(t);
    const Vector3d ab = (b - a).cast<double>();
    const Vector3d ac = (c - a).cast<double>();
    const Vector3d normal = ab.cross(ac);
    if (normal.norm() > 0.0) {
      feet.push_back({surface.origin() + a.cast<double>() + v * ab + w * ac, normal.normalized()});
    }
  }
  return feet;
}

/// The ball that touches the foot from the side of `inward`; radius 0 if none is left.
PackedSphere shrinkingBall(const SurfaceDistance& surface, const Vector3d& origin,
                           const Vector3d& foot, const Vector3d& inward) {
  const double diagonal = surface.bounds().diagonal();
  double radius = 0.5 * diagonal;
  Vector3d centre = foot + radius * inward;
  for (int step = 0; step < kMostSteps; ++step) {
    const SurfacePoint closest = surface.unsignedAt(centre, radius * (1.0 + 1e-9));
    if (!closest.found() || closest.distance >= radius * kEmpty) break;
    const Vector3d chord = closest.point - foot;
    const double rise = chord.dot(inward);
    // the foot's own plane, within rounding
    if (rise <= 1e-12 * diagonal) {
      radius = closest.distance;
      break;
    }
    const double smaller = 0.5 * chord.squaredNorm() / rise;
    if (!(smaller < radius)) break;
    radius = smaller;
    centre = foot + radius * inward;
    if (radius < kSmallest * diagonal) return {};
  }
  const SurfacePoint end = surface.at(centre);
  if (!(end.distance < -kSmallest * diagonal)) return {};
  return {(centre - origin).cast<float>(), static_cast<float>(-end.distance)};
}

}  // namespace

std::vector<PackedSphere> medialPrototypes(const SurfaceDistance& surface, const Vector3d& origin,
                                           std::size_t count, std::uint64_t seed,
                                           unsigned threads) {
  const std::vector<Foot> feet = spreadFeet(surface, count, seed);
  const std::size_t sides = surface.signRule() == SignRule::Pseudonormal ? 1 : 2;
  std::vector<PackedSphere> balls(sides * feet.size());
  models::parallelFor(
      feet.size(), kPrototypesPerBlock, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          for (std::size_t side = 0; side < sides; ++side) {
            const Vector3d inward = side == 0 ? Vector3d(-feet[i].normal) : feet[i].normal;
            balls[sides * i + side] = shrinkingBall(surface, origin, feet[i].point, inward);
          }
        }
      });
  std::erase_if(balls, [](const PackedSphere& ball) { return !(ball.radius > 0.0F); });
  std::stable_sort(balls.begin(), balls.end(), [](const PackedSphere& a, const PackedSphere& b) {
    return a.radius > b.radius;
  });
  return balls;
}

}  // namespace tactus::collision
