#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <vector>

#include "collision/tree/inner_sphere_tree.hpp"

namespace tactus::studies {

/// A sphere tree as the textbook has it, and its recursive volume query: the yardstick of
/// penetrationVolume().
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection", 2012, Algorithm 5.3
/// with equation 5.13, as printed: recursion from the roots, one pair of spheres at a time, and the
/// volume of the lens at pairs of leaves; no force, no bounds, no vector instructions, no node that
/// counts as a whole. How ours differs: not at all, but it is written to be fast: nodes are 24
/// bytes and siblings stand together, spheres are compared by squares, and B's children are turned
/// into A's frame once for all of A's children.
///
/// The spheres are the cell balls of the tree that it copies, the hierarchy is the same. Floats,
/// summed in a double. Deviation: 1e-5 of the sum over all pairs.
class TextbookTree {
 public:
  explicit TextbookTree(const collision::InnerSphereTree& tree);

  struct Node {
    float x, y, z, radius;
    std::int32_t firstChild;  ///< siblings stand together
    std::int32_t children;    ///< 0: a leaf
  };

  [[nodiscard]] const std::vector<Node>& nodes() const noexcept { return nodes_; }
  [[nodiscard]] const Eigen::Vector3d& origin() const noexcept { return origin_; }

 private:
  std::vector<Node> nodes_;  ///< root first
  Eigen::Vector3d origin_;   ///< what places are relative to
};

struct TextbookVolume {
  double volume = 0.0;          ///< of all pairs of leaves [m^3]
  std::uint64_t pairTests = 0;  ///< of spheres
  std::uint64_t leafPairs = 0;  ///< whose lens was computed
};

[[nodiscard]] TextbookVolume textbookVolume(const TextbookTree& a, const TextbookTree& b,
                                            const Eigen::Isometry3d& aFromB) noexcept;

}  // namespace tactus::studies
