#include "collision/depth/mutual_depth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tactus::collision {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

// Cubes are halved twice below the finest ones.
constexpr int kLastLevel = -2;
constexpr int kMostCubes = 1024;
// Depths change by their distance, between values at corners by a little more; half a diagonal.
constexpr double kReach = 1.2 * 0.8660254037844387;
// Eight children at each of eleven levels of a grid, and two more.
constexpr std::size_t kRoom = 8 * 13;

/// Of a solid without thin walls; at a place in sides of its cubes, from the first corner.
double depthAt(const DepthField::Arrays& field, const Vector3d& at) {
  Vector3d held = at;
  std::array<std::size_t, 3> low{};
  Vector3d share;
  for (std::size_t k = 0; k < low.size(); ++k) {
    const auto axis = static_cast<Eigen::Index>(k);
    held[axis] = std::clamp(at[axis], 0.0, static_cast<double>(field.size[k] - 1));
    low[k] = static_cast<std::size_t>(
        std::min(std::floor(held[axis]), static_cast<double>(field.size[k] - 2)));
    share[axis] = held[axis] - static_cast<double>(low[k]);
  }
  const auto alongX = static_cast<std::size_t>(field.size[0]);
  const std::size_t layer = alongX * static_cast<std::size_t>(field.size[1]);
  const std::size_t first = low[2] * layer + low[1] * alongX + low[0];
  double sum = 0.0;
  for (std::size_t k = 0; k < 8; ++k) {
    const double weight = ((k & 1U) != 0 ? share.x() : 1.0 - share.x()) *
                          ((k & 2U) != 0 ? share.y() : 1.0 - share.y()) *
                          ((k & 4U) != 0 ? share.z() : 1.0 - share.z());
    sum += weight * field.values[first + (k & 1U) + ((k >> 1U) & 1U) * alongX + (k >> 2U) * layer];
  }
  const double value = sum * static_cast<double>(field.unit);
  const double beyond = static_cast<double>(field.side) * (at - held).norm();
  return beyond > 0.0 ? std::min(value + beyond, -beyond) : value;
}

/// A cube of one level, by its place among those of that level.
struct Cube {
  int level = 0;
  Vector3i place = Vector3i::Zero();
  double depth = 0.0;  ///< the lesser one at its middle
};

std::uint32_t childrenOf(const SolidCubes& solid, const Cube& cube) {
  if (cube.level <= 0) return 0xFFU;
  const SolidCubes::Level& level = solid.level(cube.level);
  const auto at = [](int number) { return static_cast<std::size_t>(number); };
  return level
      .children[(at(cube.place.z()) * at(level.size[1]) + at(cube.place.y())) * at(level.size[0]) +
                at(cube.place.x())];
}

double deepest(const DepthField& walked, const DepthField& other,
               const Eigen::Isometry3d& otherFromWalked, double enough) noexcept {
  const DepthField::Arrays& own = walked.arrays();
  const DepthField::Arrays& others = other.arrays();
  const auto side = static_cast<double>(own.side);
  const auto lesserAt = [&](const Vector3d& at) {
    const Vector3d there = otherFromWalked * (own.origin + side * at) - others.origin;
    return std::min(depthAt(own, at), depthAt(others, there / static_cast<double>(others.side)));
  };
  std::array<Cube, kRoom> waiting;
  waiting[0].level = walked.cubes().top();
  waiting[0].depth = enough;  // not known, and of no use
  std::size_t count = 1;
  double most = 0.0;
  for (int looked = 0; count > 0 && looked < kMostCubes && most < enough;) {
    const Cube cube = waiting[--count];
    if (cube.depth + kReach * std::ldexp(side, cube.level) <= most) continue;
    const std::size_t first = count;
    const std::uint32_t children = childrenOf(walked.cubes(), cube);
    const double width = std::ldexp(1.0, cube.level - 1);
    for (std::uint32_t k = 0; k < 8; ++k) {
      if ((children >> k & 1U) == 0) continue;
      Cube child;
      child.level = cube.level - 1;
      child.place =
          2 * cube.place + Vector3i(static_cast<int>(k & 1U), static_cast<int>(k >> 1U & 1U),
                                    static_cast<int>(k >> 2U));
      child.depth = lesserAt(width * (child.place.cast<double>() + Vector3d::Constant(0.5)));
      ++looked;
      if (child.level == kLastLevel) {
        most = std::max(most, child.depth);
      } else if (child.depth + kReach * std::ldexp(side, child.level) > most) {
        waiting[count++] = child;
      }
    }
    // the deepest one is taken next
    std::sort(waiting.begin() + static_cast<std::ptrdiff_t>(first),
              waiting.begin() + static_cast<std::ptrdiff_t>(count),
              [](const Cube& one, const Cube& two) { return one.depth < two.depth; });
  }
  return std::min(most, enough);
}

}  // namespace

double mutualDepth(const DepthField& a, const DepthField& b, const Eigen::Isometry3d& aFromB,
                   double enough) noexcept {
  if (a.empty() || b.empty()) return enough;
  if (a.arrays().side <= b.arrays().side)
    return deepest(a, b, aFromB.inverse(Eigen::Isometry), enough);
  return deepest(b, a, aFromB, enough);
}

}  // namespace tactus::collision
