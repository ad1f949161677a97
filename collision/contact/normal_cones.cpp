#include "collision/contact/normal_cones.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "collision/balls/enclosing_ball.hpp"
#include "models/lanes/elementary.hpp"
#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

constexpr std::size_t kArity = InnerSphereTree::kArity;

// Leaves look from here: of their radius, so that all points are well within the ball.
constexpr double kLooksFrom = 0.8;

// What is closer to the surface than this share of the object does not know in which direction it
// is, and takes the normal of the closest triangle.
constexpr double kOnSurface = 1e-9;

// Steps towards the widest child; the n-th one goes 1/(n + 1) of the way.
constexpr int kSteps = 16;

constexpr std::size_t kBlocksAtOnce = 256;

/// Angle of two unit vectors.
double angleBetween(const Vector3d& a, const Vector3d& b) noexcept {
  return models::elementary::acos(std::clamp(a.dot(b), -1.0, 1.0));
}

double halfAngleOf(const NormalCone& cone) noexcept {
  return models::elementary::acos(std::clamp(cone.cosine, -1.0, 1.0));
}

/// The smallest one of directions that fit into a half space; else one that holds them.
NormalCone coneOf(std::span<const Vector3d> directions) noexcept {
  std::array<Ball, 16> points;
  const std::size_t count = std::min(directions.size(), points.size());
  for (std::size_t i = 0; i < count; ++i)
    points[i] = {directions[i], 0.0};
  // the smallest ball around a circle on the unit sphere has the circle's middle
  const Vector3d middle = enclosingBall(std::span(points).first(count)).centre;
  NormalCone cone;
  const double length = middle.norm();
  cone.axis = length > 1e-6 ? Vector3d(middle / length) : directions.front();
  cone.cosine = 1.0;
  for (const Vector3d& direction : directions)
    cone.cosine = std::min(cone.cosine, cone.axis.dot(direction));
  return cone;
}

/// The way out of the object at a point near its surface.
Vector3d wayOut(const SurfaceDistance& surface, const Vector3d& from, const SurfacePoint& nearest,
                double onSurface) noexcept {
  if (std::abs(nearest.distance) > onSurface)
    return ((from - nearest.point) / nearest.distance).normalized();
  const std::array<Eigen::Vector3f, 3> corners = surface.corners(nearest.triangle);
  const Vector3d first = corners[0].cast<double>();
  const Vector3d normal =
      (corners[1].cast<double>() - first).cross(corners[2].cast<double>() - first);
  const double length = normal.norm();
  return length > 0.0 ? Vector3d(normal / length) : Vector3d(Vector3d::UnitY());
}

NormalCone coneOfLeaf(const SurfaceDistance& surface, const Vector3d& centre, double radius,
                      double onSurface) noexcept {
  const double off = kLooksFrom * radius / std::numbers::sqrt3;
  const SurfacePoint nearest = surface.at(centre);
  const double reach = std::abs(nearest.distance) * (1.0 + 1e-9) + radius;
  std::array<Vector3d, 5> directions;
  directions[0] = wayOut(surface, centre, nearest, onSurface);
  for (std::size_t k = 1; k < directions.size(); ++k) {
    // every other corner of a cube
    const Vector3d from =
        centre + Vector3d(k == 1 || k == 4 ? off : -off, k == 2 || k == 4 ? off : -off,
                          k == 3 || k == 4 ? off : -off);
    directions[k] = wayOut(surface, from, surface.at(from, reach), onSurface);
  }
  return coneOf(directions);
}

constexpr double kHalf = 0.5 * NormalCones::kLast;
constexpr double kMostSine = 255.0;

double signOf(double x) noexcept {
  return x < 0.0 ? -1.0 : 1.0;
}

/// Source: Q. Meyer et al., "On Floating-Point Normal Vectors", 2010.
std::uint32_t packedOf(const NormalCone& cone) noexcept {
  const Vector3d& n = cone.axis;
  const double size = n.cwiseAbs().sum();
  double u = n.x() / size;
  double v = n.y() / size;
  if (n.z() < 0.0) {
    const double unfolded = u;
    u = (1.0 - std::abs(v)) * signOf(unfolded);
    v = (1.0 - std::abs(unfolded)) * signOf(v);
  }
  const auto stored = [](double x) {
    return static_cast<std::uint32_t>(
        std::clamp(std::floor((x + 1.0) * kHalf + 0.5), 0.0, 2.0 * kHalf));
  };
  // cos(a + kSlack) is not less than cos(a) - kSlack; 1 - cos(a) is twice the square of sin(a / 2)
  const double cosine = std::clamp(cone.cosine - NormalCones::kSlack, -1.0, 1.0);
  const double sine = std::ceil(kMostSine * std::sqrt(0.5 * (1.0 - cosine)));
  return stored(u) | stored(v) << 12U |
         static_cast<std::uint32_t>(std::min(sine, kMostSine)) << 24U;
}

NormalCone coneOfPacked(std::uint32_t packed) noexcept {
  const double u = static_cast<double>(packed & 0xFFFU) / kHalf - 1.0;
  const double v = static_cast<double>(packed >> 12U & 0xFFFU) / kHalf - 1.0;
  Vector3d axis(u, v, 1.0 - std::abs(u) - std::abs(v));
  if (axis.z() < 0.0) {
    axis.x() = (1.0 - std::abs(v)) * signOf(u);
    axis.y() = (1.0 - std::abs(u)) * signOf(v);
  }
  const double sine = static_cast<double>(packed >> 24U) / kMostSine;
  return {axis.normalized(), 1.0 - 2.0 * sine * sine};
}

}  // namespace

NormalCone coneAround(std::span<const NormalCone> cones) noexcept {
  if (cones.empty()) return {Vector3d::UnitY(), -1.0};
  if (cones.size() == 1) return cones.front();
  Vector3d axis = Vector3d::Zero();
  for (const NormalCone& cone : cones)
    axis += cone.axis;
  axis = axis.norm() > 1e-6 ? Vector3d(axis.normalized()) : cones.front().axis;
  struct Reach {
    double angle = 0.0;
    const NormalCone* furthest = nullptr;
  };
  const auto reachFrom = [&cones](const Vector3d& from) {
    Reach reach;
    for (const NormalCone& cone : cones) {
      const double angle = angleBetween(from, cone.axis) + halfAngleOf(cone);
      if (reach.furthest == nullptr || angle > reach.angle) reach = {angle, &cone};
    }
    return reach;
  };
  Reach reach = reachFrom(axis);
  Reach best = reach;
  Vector3d bestAxis = axis;
  for (int step = 1; step <= kSteps; ++step) {
    const Vector3d moved = axis + (reach.furthest->axis - axis) / (step + 1.0);
    if (!(moved.norm() > 1e-6)) break;
    axis = moved.normalized();
    reach = reachFrom(axis);
    if (reach.angle < best.angle) {
      best = reach;
      bestAxis = axis;
    }
  }
  if (best.angle >= std::numbers::pi) return {bestAxis, -1.0};
  return {bestAxis, models::elementary::cos(best.angle)};
}

NormalCones::NormalCones(const InnerSphereTree& tree, const SurfaceDistance& surface,
                         unsigned threads) {
  const std::span<const InnerSphereTree::Bounds> bounds = tree.bounds();
  const std::span<const InnerSphereTree::Contents> contents = tree.contents();
  if (tree.leafCount() == 0) return;
  const auto memory = std::make_shared<std::vector<Four>>(bounds.size(), Four{});
  const double onSurface = kOnSurface * static_cast<double>(bounds[0].radius[0]);
  const auto isThere = [&](std::size_t block, std::size_t k) {
    return std::isfinite(bounds[block].x[k]);
  };
  models::parallelFor(
      bounds.size(), kBlocksAtOnce, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t block = begin; block < end; ++block) {
          for (std::size_t k = 0; k < kArity; ++k) {
            if (!isThere(block, k) || contents[block].link[k] >= 0) continue;
            const Vector3d place(static_cast<double>(bounds[block].x[k]),
                                 static_cast<double>(bounds[block].y[k]),
                                 static_cast<double>(bounds[block].z[k]));
            (*memory)[block].packed[k] =
                packedOf(coneOfLeaf(surface, tree.origin() + place,
                                    static_cast<double>(contents[block].cellRadius[k]), onSurface));
          }
        }
      });
  // children stand behind their parents
  for (std::size_t block = bounds.size(); block-- > 0;) {
    for (std::size_t k = 0; k < kArity; ++k) {
      if (!isThere(block, k) || contents[block].link[k] < 0) continue;
      const auto below = static_cast<std::size_t>(contents[block].link[k]);
      std::array<NormalCone, kArity> children;
      std::size_t count = 0;
      for (std::size_t c = 0; c < kArity; ++c) {
        if (isThere(below, c)) children[count++] = coneOfPacked((*memory)[below].packed[c]);
      }
      (*memory)[block].packed[k] = packedOf(coneAround(std::span(children).first(count)));
    }
  }
  all_.cones = *memory;
  keeper_ = memory;
}

NormalCone NormalCones::at(std::size_t slot) const noexcept {
  return coneOfPacked(all_.cones[slot / kArity].packed[slot % kArity]);
}

}  // namespace tactus::collision
