#include "render/nearest_surface.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace tactus::render {

namespace {

using models::BvhNode;
using models::TriangleBvh;

double squaredDistance(const BvhNode& box, const Eigen::Vector3d& place) {
  const Eigen::Vector3d below = box.lower.cast<double>() - place;
  const Eigen::Vector3d above = place - box.upper.cast<double>();
  return below.cwiseMax(above).cwiseMax(0.0).squaredNorm();
}

/// Of a segment's points the one nearest to a place, as squared distance.
double squaredDistance(const Eigen::Vector3d& from, const Eigen::Vector3d& to,
                       const Eigen::Vector3d& place) {
  const Eigen::Vector3d way = to - from;
  const double length = way.squaredNorm();
  const double share = length > 0.0 ? std::clamp((place - from).dot(way) / length, 0.0, 1.0) : 0.0;
  return (from + share * way - place).squaredNorm();
}

double squaredDistance(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                       const Eigen::Vector3d& place) {
  const Eigen::Vector3d normal = (b - a).cross(c - a);
  const double size = normal.squaredNorm();
  // Over the inside the plane is nearest, elsewhere (and for a needle) one of the edges.
  const bool isOver = size > 0.0 && (b - a).cross(place - a).dot(normal) >= 0.0 &&
                      (c - b).cross(place - b).dot(normal) >= 0.0 &&
                      (a - c).cross(place - c).dot(normal) >= 0.0;
  if (isOver) {
    const double height = (place - a).dot(normal);
    return height * height / size;
  }
  return std::min(
      {squaredDistance(a, b, place), squaredDistance(b, c, place), squaredDistance(c, a, place)});
}

}  // namespace

NearestSurface::NearestSurface(const models::Mesh& mesh)
    : mesh_(mesh), bvh_(models::buildTriangleBvh(mesh)) {}

double NearestSurface::distance(const Eigen::Vector3d& place, double enough) const {
  double best = std::numeric_limits<double>::infinity();
  if (bvh_.nodes.empty()) return best;
  struct Waiting {
    std::uint32_t node;
    double squared;
  };
  std::array<Waiting, TriangleBvh::kMaxDepth + 1> stack;  // one sibling a level, and the root
  std::size_t waiting = 0;
  stack[waiting++] = {0, squaredDistance(bvh_.nodes.front(), place)};
  while (waiting != 0) {
    const Waiting next = stack[--waiting];
    if (next.squared >= best) continue;
    const BvhNode& node = bvh_.nodes[next.node];
    if (node.isLeaf()) {
      for (std::uint32_t i = 0; i < node.count; ++i) {
        const models::Triangle& triangle = mesh_.triangles[bvh_.order[node.first + i]];
        best = std::min(best, squaredDistance(mesh_.positions[triangle[0]].cast<double>(),
                                              mesh_.positions[triangle[1]].cast<double>(),
                                              mesh_.positions[triangle[2]].cast<double>(), place));
      }
      if (best <= enough * enough) break;
      continue;
    }
    Waiting nearer{node.first, squaredDistance(bvh_.nodes[node.first], place)};
    Waiting further{node.first + 1, squaredDistance(bvh_.nodes[node.first + 1], place)};
    if (further.squared < nearer.squared) std::swap(nearer, further);
    stack[waiting++] = further;
    stack[waiting++] = nearer;
  }
  return std::sqrt(best);
}

}  // namespace tactus::render
