#include "collision/packing/sphere_graph.hpp"

#include <algorithm>

#include "collision/packing/sphere_grid.hpp"
#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {

namespace {

using Eigen::Vector3d;

constexpr std::size_t kSpheresPerBlock = 256;

}  // namespace

SphereGraph sphereGraph(const SpherePacking& packing, double gap, unsigned threads) {
  const std::size_t count = packing.spheres.size();
  SphereGraph graph;
  graph.first.assign(count + 1, 0);
  Vector3d half = Vector3d::Constant(1e-30);
  for (const PackedSphere& sphere : packing.spheres)
    half = half.cwiseMax(sphere.centre.cast<double>().cwiseAbs());
  SphereGrid grid(half);
  for (const PackedSphere& sphere : packing.spheres)
    grid.insert(sphere);

  std::vector<std::vector<std::uint32_t>> lists((count + kSpheresPerBlock - 1) / kSpheresPerBlock);
  models::parallelFor(count, kSpheresPerBlock, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t>& list = lists[begin / kSpheresPerBlock];
    for (std::size_t i = begin; i < end; ++i) {
      const PackedSphere& sphere = packing.spheres[i];
      const Vector3d centre = sphere.centre.cast<double>();
      const double radius = sphere.radius;
      const auto before = static_cast<std::ptrdiff_t>(list.size());
      grid.near(centre, radius * (1.0 + gap), [&](std::uint32_t j, const PackedSphere& other) {
        if (j == i) return;
        const double otherRadius = other.radius;
        const double apart = (other.centre.cast<double>() - centre).norm();
        if (apart - (radius + otherRadius) <= gap * std::min(radius, otherRadius)) {
          list.push_back(j);
        }
      });
      std::sort(list.begin() + before, list.end());
      graph.first[i + 1] = list.size() - static_cast<std::size_t>(before);
    }
  });
  for (std::size_t i = 0; i < count; ++i)
    graph.first[i + 1] += graph.first[i];
  graph.neighbour.reserve(graph.first[count]);
  for (const std::vector<std::uint32_t>& list : lists)
    graph.neighbour.insert(graph.neighbour.end(), list.begin(), list.end());
  return graph;
}

}  // namespace tactus::collision
