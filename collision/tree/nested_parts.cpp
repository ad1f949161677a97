#include "collision/tree/nested_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

enum class Side : std::uint8_t { Inside, Outside, Unsure };

/// By the value of the nearest of the field's finest centres: the surface is at least so far from
/// there, so a point that is closer to the centre is on the same side.
Side sideOf(const DistanceField& field, const Vector3d& point) noexcept {
  if (field.empty()) return Side::Unsure;
  const DistanceField::Arrays& all = field.arrays();
  const DistanceField::Level& level = field.finest();
  const auto side = static_cast<double>(level.side);
  const Vector3d at = point - all.origin;
  std::array<std::int32_t, 3> cube{};
  double squared = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double along = at[static_cast<Eigen::Index>(k)];
    // the grid holds all of the object; written so that what is not a number is outside, too
    if (!(along >= 0.0 && along <= side * level.size[k])) return Side::Outside;
    cube[k] = std::min(static_cast<std::int32_t>(along / side), level.size[k] - 1);
    const double off = (cube[k] + 0.5) * side - along;
    squared += off * off;
  }
  const auto index = [](std::int32_t number) { return static_cast<std::size_t>(number); };
  const std::size_t place =
      (index(cube[2]) * index(level.size[1]) + index(cube[1])) * index(level.size[0]) +
      index(cube[0]);
  const double value =
      static_cast<double>(all.values[level.first + place]) * static_cast<double>(level.unit);
  if (value * value <= squared) return Side::Unsure;
  return value < 0.0 ? Side::Inside : Side::Outside;
}

bool isInside(const NestingBody& body, const Vector3d& point) noexcept {
  const Side side = sideOf(body.field, point);
  if (side != Side::Unsure) return side == Side::Inside;
  return windingAt(body.facets, point - body.facets.origin()) > 0;
}

void addParts(const NestingBody& outer, const NestingBody& inner,
              const Eigen::Isometry3d& outerFromInner, NestedParts& result) noexcept {
  for (const SurfacePart& part : inner.parts) {
    if (!isInside(outer, outerFromInner * (inner.facets.origin() + part.point))) continue;
    result.any = true;
    result.volume += part.volume;
  }
}

}  // namespace

NestedParts nestedParts(const NestingBody& a, const NestingBody& b,
                        const Eigen::Isometry3d& aFromB) noexcept {
  NestedParts result;
  const double reach = a.facets.radius() + b.facets.radius();
  if ((aFromB * b.facets.origin() - a.facets.origin()).squaredNorm() > reach * reach) return result;
  addParts(a, b, aFromB, result);
  addParts(b, a, aFromB.inverse(Eigen::Isometry), result);
  return result;
}

}  // namespace tactus::collision
