#include "render/coarse_copy.hpp"

#include <meshoptimizer.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "render/nearest_surface.hpp"

namespace tactus::render {

namespace {

using models::Mesh;
using models::Triangle;

// As share of the mesh's extent. The number of triangles decides, not an error that is foreseen:
// what came of it is measured.
constexpr float kAnyError = 1.0F;

std::vector<unsigned> indicesOf(const std::vector<Triangle>& triangles) {
  std::vector<unsigned> indices;
  indices.reserve(3 * triangles.size());
  for (const Triangle& triangle : triangles)
    indices.insert(indices.end(), triangle.begin(), triangle.end());
  return indices;
}

/// The same surface with one vertex for each position, or triangle soup would not hang together.
Mesh welded(const Mesh& mesh) {
  Mesh joined;
  joined.origin = mesh.origin;
  // Adding zero makes +0 of -0: meshoptimizer compares bytes.
  std::vector<Eigen::Vector3f> positions = mesh.positions;
  for (Eigen::Vector3f& position : positions)
    position.array() += 0.0F;
  const std::vector<unsigned> indices = indicesOf(mesh.triangles);
  std::vector<unsigned> newOf(positions.size());
  const std::size_t count =
      meshopt_generateVertexRemap(newOf.data(), indices.data(), indices.size(), positions.data(),
                                  positions.size(), sizeof(Eigen::Vector3f));
  joined.positions.resize(count);
  meshopt_remapVertexBuffer(joined.positions.data(), positions.data(), positions.size(),
                            sizeof(Eigen::Vector3f), newOf.data());
  joined.triangles.reserve(mesh.triangles.size());
  for (const Triangle& triangle : mesh.triangles) {
    const Triangle moved = {newOf[triangle[0]], newOf[triangle[1]], newOf[triangle[2]]};
    const bool isLine = moved[0] == moved[1] || moved[1] == moved[2] || moved[2] == moved[0];
    if (!isLine) joined.triangles.push_back(moved);
  }
  return joined;
}

double farthestOf(const Mesh& mesh, const Mesh& copy) {
  double farthest = 0.0;
  const auto include = [&](const NearestSurface& surface, const Eigen::Vector3d& place) {
    farthest = std::max(farthest, surface.distance(place, farthest));
  };
  const NearestSurface onCopy(copy);
  for (const Eigen::Vector3f& position : mesh.positions)
    include(onCopy, position.cast<double>());
  const NearestSurface onMesh(mesh);
  for (const Triangle& triangle : copy.triangles) {
    // Corners of the copy are corners of the mesh.
    const Eigen::Vector3d a = copy.positions[triangle[0]].cast<double>();
    const Eigen::Vector3d b = copy.positions[triangle[1]].cast<double>();
    const Eigen::Vector3d c = copy.positions[triangle[2]].cast<double>();
    include(onMesh, (a + b + c) / 3.0);
    include(onMesh, 0.5 * (a + b));
    include(onMesh, 0.5 * (b + c));
    include(onMesh, 0.5 * (c + a));
  }
  return farthest;
}

}  // namespace

CoarseCopy coarseCopy(const Mesh& mesh, std::size_t triangles) {
  if (mesh.triangles.size() <= triangles) return {mesh, 0.0};
  const Mesh joined = welded(mesh);
  const std::vector<unsigned> indices = indicesOf(joined.triangles);
  std::vector<unsigned> kept(indices.size());
  if (!indices.empty()) {
    kept.resize(meshopt_simplify(kept.data(), indices.data(), indices.size(),
                                 joined.positions[0].data(), joined.positions.size(),
                                 sizeof(Eigen::Vector3f), 3 * triangles, kAnyError));
  }
  CoarseCopy copy;
  copy.mesh.origin = mesh.origin;
  copy.mesh.positions.resize(joined.positions.size());
  copy.mesh.positions.resize(meshopt_optimizeVertexFetch(
      copy.mesh.positions.data(), kept.data(), kept.size(), joined.positions.data(),
      joined.positions.size(), sizeof(Eigen::Vector3f)));
  for (std::size_t i = 0; i + 2 < kept.size(); i += 3)
    copy.mesh.triangles.push_back({kept[i], kept[i + 1], kept[i + 2]});
  if (!copy.mesh.triangles.empty()) copy.farthest = farthestOf(joined, copy.mesh);
  return copy;
}

}  // namespace tactus::render
