#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// A node of TriangleBvh: 32 bytes, two to a cache line, children side by side.
struct BvhNode {
  Eigen::Vector3f lower = Eigen::Vector3f::Zero();  ///< of all triangles below, exact
  std::uint32_t first = 0;  ///< leaf: index into `order`; else the first child, the other follows
  Eigen::Vector3f upper = Eigen::Vector3f::Zero();
  std::uint32_t count = 0;  ///< triangles of a leaf; 0: not a leaf

  [[nodiscard]] bool isLeaf() const noexcept { return count != 0; }
  [[nodiscard]] bool overlaps(const BvhNode& other) const noexcept {
    return (lower.array() <= other.upper.array()).all() &&
           (other.lower.array() <= upper.array()).all();
  }
};

/// Bounding volume hierarchy over a mesh's triangles, in the mesh's float coordinates (relative to
/// its origin).
///
/// Source: Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007 (binned
/// surface area heuristic). How ours differs: a node that is too deep is halved by count, which
/// bounds the depth and so the stacks of all who walk it.
///
/// Deterministic: depends on the mesh only, not on the number of threads.
struct TriangleBvh {
  /// Levels below the root at most. The heuristic may use 32; from there on nodes are halved,
  /// which ends after 32 more, because triangles have 32-bit numbers.
  static constexpr std::size_t kMaxDepth = 64;

  /// Triangles of a leaf at most: a test of a triangle costs about as much as a test of two boxes.
  static constexpr std::uint32_t kLeafTriangles = 4;

  std::vector<BvhNode> nodes;        ///< root first, children after parents; empty: no triangles
  std::vector<std::uint32_t> order;  ///< triangles, leaf by leaf
};

/// Positions must be finite. `threads` 0: one a core.
[[nodiscard]] TriangleBvh buildTriangleBvh(const Mesh& mesh, unsigned threads = 0);

/// Calls visit(triangle) for the triangles of all leaves that the ray's first `reach` lengths of
/// `direction` may touch, near boxes mostly before far ones. The visitor may shorten `reach` (it is
/// passed by reference and read again), which prunes; boxes are tested conservatively.
template <typename Visit>
void alongRay(const TriangleBvh& bvh, const Eigen::Vector3d& from, const Eigen::Vector3d& direction,
              double& reach, Visit&& visit) {
  if (bvh.nodes.empty()) return;
  // a huge number instead of infinity keeps 0 * inf = NaN out of the slab test
  constexpr double kHuge = 1e300;
  Eigen::Vector3d inverse;
  for (int axis = 0; axis < 3; ++axis) {
    inverse[axis] = direction[axis] == 0.0 ? kHuge : 1.0 / direction[axis];
  }
  // Slab test; the exit is moved out by more than the rounding of the three operations before it
  // (Ize, "Robust BVH Ray Traversal", 2013). Returns the entry, or a negative number for a miss.
  const auto entry = [&](const BvhNode& node) {
    double near = 0.0;
    double far = reach;
    for (int axis = 0; axis < 3; ++axis) {
      const double a = (double{node.lower[axis]} - from[axis]) * inverse[axis];
      const double b = (double{node.upper[axis]} - from[axis]) * inverse[axis];
      near = std::max(near, std::min(a, b));
      far = std::min(far, std::max(a, b) * (1.0 + 1e-15));
    }
    return near <= far ? near : -1.0;
  };

  struct Waiting {
    std::uint32_t node;
    double entry;
  };
  std::array<Waiting, TriangleBvh::kMaxDepth + 1> stack;  // one sibling a level, and the root
  std::size_t waiting = 0;
  if (const double e = entry(bvh.nodes.front()); e >= 0.0) stack[waiting++] = {0, e};
  while (waiting != 0) {
    const Waiting next = stack[--waiting];
    if (next.entry > reach) continue;
    const BvhNode& node = bvh.nodes[next.node];
    if (node.isLeaf()) {
      for (std::uint32_t i = 0; i < node.count; ++i)
        visit(bvh.order[node.first + i]);
      continue;
    }
    Waiting nearer{node.first, entry(bvh.nodes[node.first])};
    Waiting further{node.first + 1, entry(bvh.nodes[node.first + 1])};
    if (further.entry >= 0.0 && further.entry < nearer.entry) std::swap(nearer, further);
    if (further.entry >= 0.0) stack[waiting++] = further;
    if (nearer.entry >= 0.0) stack[waiting++] = nearer;
  }
}

}  // namespace tactus::models
