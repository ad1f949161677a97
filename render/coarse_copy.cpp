#include "render/coarse_copy.hpp"

#include <meshoptimizer.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "render/nearest_surface.hpp"

namespace tactus::render {

namespace {

using models::Mesh;
using models::Triangle;

// As share of the mesh's extent. The number of triangles decides, not an error that is foreseen:
// what came of it is measured.
constexpr float kAnyError = 1.0F;

// How far the edges of a flat face stay behind its middle when a mesh is blown up, as share of half
// the box. With a third of it some folds are left; with nearly twice as much gears lose teeth.
constexpr float kBulge = 0.03F;

// Cosine between neighbours' normals. No edge of an object is so sharp that it would be drawn well.
constexpr double kTurnedBack = -0.9;

std::vector<unsigned> indicesOf(const std::vector<Triangle>& triangles) {
  std::vector<unsigned> indices;
  indices.reserve(3 * triangles.size());
  for (const Triangle& triangle : triangles)
    indices.insert(indices.end(), triangle.begin(), triangle.end());
  return indices;
}

std::vector<Triangle> trianglesOf(const std::vector<unsigned>& indices) {
  std::vector<Triangle> triangles;
  triangles.reserve(indices.size() / 3);
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3)
    triangles.push_back({indices[i], indices[i + 1], indices[i + 2]});
  return triangles;
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

/// The corners as they would be if the mesh were blown up a little, like a cushion. To fold an edge
/// within a flat face costs nothing, in whatever direction, and on the edge of a face triangles
/// without area come of it: then some lie over others, and are seen through them as dashes. On a
/// cushion no four corners lie in a plane.
std::vector<Eigen::Vector3f> cushion(const Mesh& mesh) {
  const models::Bounds box = mesh.bounds();
  const Eigen::Vector3f middle = (box.centre() - mesh.origin).cast<float>();
  const Eigen::Array3f half =
      (0.5 * (box.upper - box.lower)).cast<float>().array().max(std::numeric_limits<float>::min());
  std::vector<Eigen::Vector3f> blown;
  blown.reserve(mesh.positions.size());
  for (const Eigen::Vector3f& position : mesh.positions) {
    const Eigen::Array3f place = (position - middle).array() / half;  // -1 to 1 in the box
    const Eigen::Array3f square = place.square();
    blown.emplace_back(middle.array() +
                       half * place * (1.0F + kBulge * (2.0F - (square.sum() - square))));
  }
  return blown;
}

/// Of a mesh whose corners count as lying at `positions`.
std::vector<Triangle> simplified(const Mesh& mesh, const std::vector<Eigen::Vector3f>& positions,
                                 std::size_t triangles) {
  const std::vector<unsigned> indices = indicesOf(mesh.triangles);
  std::vector<unsigned> kept(indices.size());
  kept.resize(meshopt_simplify(kept.data(), indices.data(), indices.size(), positions[0].data(),
                               positions.size(), sizeof(Eigen::Vector3f), 3 * triangles,
                               kAnyError));
  return trianglesOf(kept);
}

/// Edges at which these triangles of a mesh turn back on each other.
std::size_t foldsIn(const Mesh& mesh, const std::vector<Triangle>& triangles) {
  std::map<std::array<std::uint32_t, 2>, Eigen::Vector3d> normals;
  for (const Triangle& triangle : triangles) {
    const Eigen::Vector3d a = mesh.positions[triangle[0]].cast<double>();
    const Eigen::Vector3d b = mesh.positions[triangle[1]].cast<double>();
    const Eigen::Vector3d c = mesh.positions[triangle[2]].cast<double>();
    const Eigen::Vector3d normal = (b - a).cross(c - a).normalized();
    for (unsigned k = 0; k < 3; ++k)
      normals[{triangle[k], triangle[(k + 1) % 3]}] = normal;
  }
  return static_cast<std::size_t>(std::ranges::count_if(normals, [&](const auto& side) {
    const auto& [edge, normal] = side;
    if (edge[0] > edge[1]) return false;
    const auto other = normals.find({edge[1], edge[0]});
    return other != normals.end() && normal.dot(other->second) < kTurnedBack;
  }));
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
  CoarseCopy copy;
  copy.mesh.origin = mesh.origin;
  if (joined.triangles.empty()) return copy;
  copy.mesh.triangles = simplified(joined, joined.positions, triangles);
  if (const std::size_t folds = foldsIn(joined, copy.mesh.triangles); folds > 0) {
    std::vector<Triangle> other = simplified(joined, cushion(joined), triangles);
    if (foldsIn(joined, other) < folds) copy.mesh.triangles = std::move(other);
  }
  std::vector<unsigned> kept = indicesOf(copy.mesh.triangles);
  copy.mesh.positions.resize(joined.positions.size());
  copy.mesh.positions.resize(meshopt_optimizeVertexFetch(
      copy.mesh.positions.data(), kept.data(), kept.size(), joined.positions.data(),
      joined.positions.size(), sizeof(Eigen::Vector3f)));
  copy.mesh.triangles = trianglesOf(kept);
  if (!copy.mesh.triangles.empty()) copy.farthest = farthestOf(joined, copy.mesh);
  return copy;
}

}  // namespace tactus::render
