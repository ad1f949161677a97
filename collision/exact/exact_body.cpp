#include "collision/exact/exact_body.hpp"

#include <cstddef>
#include <utility>

#include "models/mesh/parallel_for.hpp"
#include "models/report/mass_properties.hpp"
#include "models/report/topology.hpp"

namespace tactus::collision {
namespace {

using models::Mesh;
using models::Topology;

// Triangles of a parallel block: some 10 us of work.
constexpr std::size_t kBlock = 4096;

std::vector<std::uint32_t> oneVertexOfEachPart(const Mesh& mesh, const Topology& topology) {
  const models::Parts parts = models::partsOf(topology, models::Joint::TwoUsesOnly);
  std::vector<std::uint32_t> vertices;
  vertices.reserve(parts.count);
  // parts are numbered by their first triangle
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (parts.ofTriangle[t] == vertices.size()) vertices.push_back(mesh.triangles[t][0]);
  }
  return vertices;
}

models::Bounds boundsOf(const Mesh& mesh, const models::TriangleBvh& hierarchy) {
  if (hierarchy.nodes.empty()) return {};
  const models::BvhNode& root = hierarchy.nodes.front();
  return {mesh.origin + root.lower.cast<double>(), mesh.origin + root.upper.cast<double>()};
}

}  // namespace

ExactBody::ExactBody(Mesh solid, std::vector<Eigen::Vector3f> lostByFloats, unsigned threads)
    : mesh(std::move(solid)),
      remainders(std::move(lostByFloats)),
      hierarchy(models::buildTriangleBvh(mesh, threads)),
      winding(mesh, {}, threads),
      bounds(boundsOf(mesh, hierarchy)) {
  const Topology topology = models::topologyOf(mesh, threads);
  solidity = solidityOf(mesh, topology, models::massProperties(mesh, threads));
  shellVertices = oneVertexOfEachPart(mesh, topology);
}

PosedTriangles posedTriangles(const ExactBody& body, const Eigen::Matrix3d& turn,
                              const Eigen::Vector3d& centre, unsigned threads) {
  const Mesh& mesh = body.mesh;
  const Eigen::Vector3d shift = mesh.origin - centre;
  PosedTriangles posed;
  posed.corners.resize(body.hierarchy.order.size());
  models::parallelFor(
      posed.corners.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
          const models::Triangle& triangle = mesh.triangles[body.hierarchy.order[t]];
          for (std::size_t c = 0; c < 3; ++c) {
            const Eigen::Vector3d local = body.localPosition(triangle[c]) + shift;
            posed.corners[t][c] = turn * local;
          }
        }
      });

  const std::vector<models::BvhNode>& nodes = body.hierarchy.nodes;
  posed.boxes.resize(nodes.size());
  for (std::size_t n = nodes.size(); n-- > 0;) {  // children stand after their parents
    PosedBox& box = posed.boxes[n];
    if (!nodes[n].isLeaf()) {
      const PosedBox& left = posed.boxes[nodes[n].first];
      const PosedBox& right = posed.boxes[nodes[n].first + 1];
      box = {left.lower.cwiseMin(right.lower), left.upper.cwiseMax(right.upper)};
      continue;
    }
    box.lower = box.upper = posed.corners[nodes[n].first][0];
    for (std::uint32_t i = 0; i < nodes[n].count; ++i) {
      for (const Eigen::Vector3d& corner : posed.corners[nodes[n].first + i]) {
        box.lower = box.lower.cwiseMin(corner);
        box.upper = box.upper.cwiseMax(corner);
      }
    }
  }
  return posed;
}

}  // namespace tactus::collision
