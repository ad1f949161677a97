#include "collision/surface/facet_winding.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

// A path is at most 17 nodes long (4^17 triangles), and each of them leaves three behind.
constexpr std::size_t kStackEntries = 64;

using Place = std::array<float, 3>;

Place cornerOf(const std::array<float, 9>& corners, std::size_t k) noexcept {
  // zeros of both signs are one place
  return {corners[3 * k] + 0.0F, corners[3 * k + 1] + 0.0F, corners[3 * k + 2] + 0.0F};
}

Vector3d inDoubles(const Place& place) {
  return {place[0], place[1], place[2]};
}

int signOf(double x) noexcept {
  return x > 0.0 ? 1 : (x < 0.0 ? -1 : 0);
}

/// 1 if the point is to the left of the edge as seen from above, -1 to the right; 0 only of an edge
/// that is seen as a point.
int sideOf(const Place& from, const Place& to, const Vector3d& point) noexcept {
  if (to < from) return -sideOf(to, from, point);
  const double x = static_cast<double>(to[0]) - from[0];
  const double y = static_cast<double>(to[1]) - from[1];
  const double side = x * (point.y() - from[1]) - y * (point.x() - from[0]);
  if (side != 0.0) return signOf(side);
  return y != 0.0 ? signOf(-y) : signOf(x);
}

/// What the triangle adds to the winding number.
int crossing(const std::array<float, 9>& corners, const Vector3d& point) noexcept {
  const Place a = cornerOf(corners, 0);
  const Place b = cornerOf(corners, 1);
  const Place c = cornerOf(corners, 2);
  const int looksUp = sideOf(a, b, point);
  if (looksUp == 0 || sideOf(b, c, point) != looksUp || sideOf(c, a, point) != looksUp) return 0;
  const Vector3d p = inDoubles(a);
  const Vector3d normal = (inDoubles(b) - p).cross(inDoubles(c) - p);
  return looksUp * normal.dot(p - point) > 0.0 ? looksUp : 0;
}

}  // namespace

int windingAt(const FacetHierarchy& surface, const Vector3d& point) noexcept {
  if (surface.empty()) return 0;
  const FacetHierarchy::Arrays& tree = surface.arrays();
  std::array<std::int32_t, kStackEntries> stack;
  std::size_t waiting = 0;
  stack[waiting++] = 0;
  int winding = 0;
  while (waiting != 0) {
    const auto block = static_cast<std::size_t>(stack[--waiting]);
    const FacetHierarchy::Caps& caps = tree.caps[block];
    for (std::size_t k = 0; k < FacetHierarchy::kArity; ++k) {
      const double x = point.x() - caps.x[k];
      const double y = point.y() - caps.y[k];
      const double radius = caps.radius[k];
      // false of a missing child, whose place is not a number
      if (!(x * x + y * y <= radius * radius && caps.z[k] + radius >= point.z())) continue;
      const std::int32_t link = tree.links[FacetHierarchy::kArity * block + k];
      if (link < 0) {
        const std::int32_t leaf = ~link;
        winding += crossing(tree.corners[static_cast<std::size_t>(leaf)], point);
      } else if (waiting < kStackEntries) {
        stack[waiting++] = link;
      }
    }
  }
  return winding;
}

std::vector<SurfacePart> partsOf(const FacetHierarchy& surface) {
  const auto corners = surface.arrays().corners;
  // equal places stand together once they are sorted
  std::vector<std::pair<Place, std::uint32_t>> places;
  places.reserve(3 * corners.size());
  for (std::uint32_t leaf = 0; leaf < corners.size(); ++leaf) {
    for (std::size_t k = 0; k < 3; ++k)
      places.emplace_back(cornerOf(corners[leaf], k), leaf);
  }
  std::sort(places.begin(), places.end());

  std::vector<std::uint32_t> parent(corners.size());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto rootOf = [&parent](std::uint32_t leaf) {
    while (parent[leaf] != leaf)
      leaf = parent[leaf] = parent[parent[leaf]];
    return leaf;
  };
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i].first != places[i - 1].first) continue;
    const std::uint32_t one = rootOf(places[i].second);
    const std::uint32_t other = rootOf(places[i - 1].second);
    parent[std::max(one, other)] = std::min(one, other);
  }
  // parents come before their children, so the root's part is there when a leaf asks for it
  std::vector<SurfacePart> parts;
  std::vector<std::uint32_t> partOf(corners.size());
  for (std::uint32_t leaf = 0; leaf < corners.size(); ++leaf) {
    const std::uint32_t root = rootOf(leaf);
    if (root == leaf) {
      partOf[leaf] = static_cast<std::uint32_t>(parts.size());
      parts.push_back({inDoubles(cornerOf(corners[leaf], 0)), 0.0});
    }
    // a cone from the part's own point: less is lost than from an origin far away
    SurfacePart& part = parts[partOf[root]];
    const auto arm = [&](std::size_t k) -> Vector3d {
      return inDoubles(cornerOf(corners[leaf], k)) - part.point;
    };
    part.volume += arm(0).dot(arm(1).cross(arm(2))) / 6.0;
  }
  return parts;
}

std::vector<Vector3d> pointOfEachPart(const FacetHierarchy& surface) {
  std::vector<Vector3d> points;
  for (const SurfacePart& part : partsOf(surface))
    points.push_back(part.point);
  return points;
}

}  // namespace tactus::collision
