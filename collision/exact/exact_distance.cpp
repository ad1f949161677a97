#include "collision/exact/exact_distance.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "collision/surface/triangle_distance.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

/// A pair of nodes, and how far apart their boxes are.
struct NodePair {
  std::uint32_t a, b;
  double squaredDistance;
};

/// A body with its triangles in the frame in which both are compared.
struct Side {
  const std::vector<models::BvhNode>& nodes;
  PosedTriangles posed;
};

void measureLeaves(const Side& a, const Side& b, const NodePair& pair, NearestPoints& best,
                   std::uint64_t& tests) {
  const models::BvhNode& leafA = a.nodes[pair.a];
  const models::BvhNode& leafB = b.nodes[pair.b];
  for (std::uint32_t i = leafA.first; i < leafA.first + leafA.count; ++i) {
    for (std::uint32_t j = leafB.first; j < leafB.first + leafB.count; ++j) {
      ++tests;
      const NearestPoints found = nearestPoints(a.posed.corners[i], b.posed.corners[j]);
      if (found.squaredDistance < best.squaredDistance) best = found;
    }
  }
}

NearestPoints nearestOf(const Side& a, const Side& b, std::uint64_t& tests) {
  NearestPoints best;
  best.squaredDistance = std::numeric_limits<double>::infinity();
  const auto pairOf = [&](std::uint32_t nodeA, std::uint32_t nodeB) {
    return NodePair{nodeA, nodeB, a.posed.boxes[nodeA].squaredDistance(b.posed.boxes[nodeB])};
  };
  std::vector<NodePair> waiting{pairOf(0, 0)};
  while (!waiting.empty() && best.squaredDistance > 0.0) {
    const NodePair pair = waiting.back();
    waiting.pop_back();
    if (pair.squaredDistance >= best.squaredDistance) continue;
    const models::BvhNode& nodeA = a.nodes[pair.a];
    const models::BvhNode& nodeB = b.nodes[pair.b];
    if (nodeA.isLeaf() && nodeB.isLeaf()) {
      measureLeaves(a, b, pair, best, tests);
      continue;
    }
    const PosedBox& boxA = a.posed.boxes[pair.a];
    const PosedBox& boxB = b.posed.boxes[pair.b];
    const bool opensA =
        nodeB.isLeaf() || (!nodeA.isLeaf() && (boxA.upper - boxA.lower).squaredNorm() >=
                                                  (boxB.upper - boxB.lower).squaredNorm());
    NodePair near = opensA ? pairOf(nodeA.first, pair.b) : pairOf(pair.a, nodeB.first);
    NodePair far = opensA ? pairOf(nodeA.first + 1, pair.b) : pairOf(pair.a, nodeB.first + 1);
    if (far.squaredDistance < near.squaredDistance) std::swap(near, far);
    waiting.push_back(far);
    waiting.push_back(near);
  }
  return best;
}

/// A vertex of `inner` that lies inside `outer`, if there is one among one of each part. Surfaces
/// that do not meet are inside or outside as a whole, part by part.
bool holdsPart(const ExactBody& outer, const ExactBody& inner, const Isometry3d& outerFromInner,
               Vector3d& where) {
  for (const std::uint32_t vertex : inner.shellVertices) {
    where = outerFromInner * inner.mesh.position(vertex);
    if (outer.winding.contains(where)) return true;
  }
  return false;
}

}  // namespace

ExactDistance exactDistance(const ExactBody& a, const ExactBody& b, const Isometry3d& aFromB,
                            unsigned threads) {
  ExactDistance result;
  if (a.hierarchy.nodes.empty() || b.hierarchy.nodes.empty()) {
    result.distance = std::numeric_limits<double>::infinity();
    return result;
  }
  const Eigen::Matrix3d turn = aFromB.linear();
  const Vector3d centre = a.bounds.centre();
  const Side sideA{a.hierarchy.nodes,
                   posedTriangles(a, Eigen::Matrix3d::Identity(), centre, threads)};
  const Side sideB{
      b.hierarchy.nodes,
      posedTriangles(b, turn, turn.transpose() * (centre - aFromB.translation()), threads)};
  const NearestPoints nearest = nearestOf(sideA, sideB, result.pairTests);
  result.onA = centre + nearest.onA;
  result.onB = centre + nearest.onB;
  if (nearest.squaredDistance == 0.0) return result;

  Vector3d where;
  if (holdsPart(a, b, aFromB, where)) {
    result.onA = result.onB = where;
  } else if (holdsPart(b, a, aFromB.inverse(), where)) {
    result.onA = result.onB = aFromB * where;
  } else {
    result.distance = std::sqrt(nearest.squaredDistance);
  }
  return result;
}

}  // namespace tactus::collision
