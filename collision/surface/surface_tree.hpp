#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::collision {

/// "No such triangle".
constexpr std::uint32_t kNoTriangle = std::numeric_limits<std::uint32_t>::max();

/// Below this share of the two sides' squared lengths, a triangle's squared area is mostly rounding
/// (about 1e-16 of them each), and the place on its face with it: its sides are as good. With the
/// face of such a one any point beside it may seem near, and what is nearer would be hidden.
constexpr double kSliver = 1e-12;

/// Triangles of a mesh in a tree of sixteen children a node, for the closest one to a point and for
/// all within a distance.
///
/// Source: Wald, Benthin and Boulos, "Getting Rid of Packets: Efficient SIMD Single-Ray Traversal
/// Using Multi-Branching BVHs", 2008 (a binary tree opened into a wide one); distance to a triangle
/// as the least of its face's and its three sides'.
/// How ours differs: boxes are tested in floats, with a margin larger than their rounding, and
/// triangles in doubles, so that no closest triangle is lost; among equally close ones the lowest
/// number wins, which makes the answer independent of the order and of the hint.
///
/// Method:
/// - collapse models::TriangleBvh: the largest box is opened until there are sixteen children;
///   what holds at most sixteen triangles becomes a leaf
/// - depth first, nearest child first; drop what is further than the best so far
///
/// Coordinates are the mesh's, relative to its origin, in metres. The tree is const after
/// construction, a query allocates nothing and gives the same bytes on every vector target.
class SurfaceTree {
 public:
  /// The closest triangle, and the square of its distance to about 1e-15 of the mesh's size
  /// squared.
  struct Hit {
    double squaredDistance = std::numeric_limits<double>::infinity();
    std::uint32_t triangle = kNoTriangle;
  };

  /// Precondition: finite positions, indices in range. `threads` 0: one a core.
  explicit SurfaceTree(const models::Mesh& mesh, unsigned threads = 0);

  /// Of the triangles within `reach` of the point; none if there are none.
  [[nodiscard]] Hit closest(const Eigen::Vector3d& local, double reach) const noexcept;

  /// Appends all triangles within `reach` of the point, in an order that depends on the mesh only.
  void within(const Eigen::Vector3d& local, double reach,
              std::vector<std::uint32_t>& triangles) const;

  /// Memory of the arrays in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return nodes_.size() * sizeof(Node) + leaves_.size() * sizeof(Leaf);
  }

  static constexpr std::size_t kWidth = 16;

  /// Boxes of up to sixteen children; those that are missing are infinitely far away.
  struct Node {
    std::array<std::array<float, kWidth>, 3> lower, upper;
    std::array<std::uint32_t, kWidth> child;  ///< node, or leaf with kLeafBit set
    std::uint32_t count = 0;
  };

  /// Up to sixteen triangles; the last one is repeated to fill up.
  struct Leaf {
    std::array<std::array<float, kWidth>, 9> corner;             ///< a.x a.y a.z b.x ... c.z
    std::array<double, kWidth> inverseAb, inverseAc, inverseBc;  ///< 1 / squared length, 0 if 0
    std::array<double, kWidth> inverseFace;  ///< 1 / squared length of ab x ac, 0 if 0
    std::array<std::uint32_t, kWidth> triangle;
    std::uint32_t count = 0;
  };

  static constexpr std::uint32_t kLeafBit = 0x80000000U;

 private:
  class Builder;

  std::vector<Node> nodes_;  ///< root first
  std::vector<Leaf> leaves_;
  double extent_ = 0.0;  ///< largest absolute coordinate [m]
};

}  // namespace tactus::collision
