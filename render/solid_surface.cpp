#include "render/solid_surface.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace tactus::render {

namespace {

/// For each vertex the first one at its place.
std::vector<std::uint32_t> firstAtPlace(const models::Mesh& mesh) {
  const auto place = [&](std::uint32_t vertex) {
    const Eigen::Vector3f& at = mesh.positions[vertex];
    return std::array<float, 3>{at.x(), at.y(), at.z()};
  };
  std::vector<std::uint32_t> order(mesh.positions.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
  std::vector<std::uint32_t> first(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool isNew = k == 0 || place(order[k - 1]) != place(order[k]);
    first[order[k]] = isNew ? order[k] : first[order[k - 1]];
  }
  return first;
}

/// The part that a vertex belongs to, told by one of its vertices.
std::uint32_t partOf(std::vector<std::uint32_t>& parent, std::uint32_t vertex) {
  while (parent[vertex] != vertex) {
    parent[vertex] = parent[parent[vertex]];
    vertex = parent[vertex];
  }
  return vertex;
}

}  // namespace

bool boundsSolid(const models::Mesh& mesh) {
  if (mesh.triangles.empty()) return false;
  const std::vector<std::uint32_t> first = firstAtPlace(mesh);
  std::vector<std::uint32_t> parent(mesh.positions.size());
  std::iota(parent.begin(), parent.end(), 0U);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const models::Triangle& triangle : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t from = first[triangle[k]];
      const std::uint32_t to = first[triangle[(k + 1) % 3]];
      if (from == to) return false;
      edges.emplace_back(from, to);
      parent[partOf(parent, from)] = partOf(parent, to);
    }
  }
  std::sort(edges.begin(), edges.end());
  if (std::adjacent_find(edges.begin(), edges.end()) != edges.end()) return false;
  const bool isClosed = std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
    return std::binary_search(edges.begin(), edges.end(), std::pair(edge.second, edge.first));
  });
  if (!isClosed) return false;

  std::vector<double> volumes(mesh.positions.size(), 0.0);
  for (const models::Triangle& triangle : mesh.triangles) {
    const Eigen::Vector3d a = mesh.positions[triangle[0]].cast<double>();
    const Eigen::Vector3d b = mesh.positions[triangle[1]].cast<double>();
    const Eigen::Vector3d c = mesh.positions[triangle[2]].cast<double>();
    volumes[partOf(parent, first[triangle[0]])] += a.dot(b.cross(c));
  }
  for (const models::Triangle& triangle : mesh.triangles) {
    if (!(volumes[partOf(parent, first[triangle[0]])] > 0.0)) return false;
  }
  return true;
}

}  // namespace tactus::render
