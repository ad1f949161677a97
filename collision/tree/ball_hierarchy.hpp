#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "collision/balls/enclosing_ball.hpp"

namespace tactus::collision {

/// A tree of balls around balls, of arity four.
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection", 2012, chapter 5.2:
/// from the top down, clusters by batch neural gas, *wrapped*: a node's ball is the smallest around
/// all balls below it, not around its children. How ours differs: a cluster that would make the
/// tree deeper than kMaxDepth is cut into four equal parts along its longest side, so that the
/// depth has a bound whatever the balls.
struct BallHierarchy {
  /// A node with leafCount 1 is a leaf: one of the balls, and its bounds are that ball.
  struct Node {
    Ball bounds;
    std::uint32_t firstChild = 0, childCount = 0;  ///< children stand together; 0 for a leaf
    std::uint32_t firstLeaf = 0, leafCount = 0;    ///< the balls below it, in leafOrder
  };

  /// Root first, then level by level.
  std::vector<Node> nodes;
  /// Which ball stands at which leaf: those below a node stand together.
  std::vector<std::uint32_t> leafOrder;
  int depth = 0;  ///< steps from the root to the furthest leaf

  /// A balanced tree of 2^32 balls has 16 levels; neural gas needs up to twice as many.
  static constexpr int kMaxDepth = 32;
};

/// Builds the tree of balls that are neither NaN nor infinite, at most 2^32 - 1; none gives no
/// nodes. The same bytes for every thread count (0: one a core).
[[nodiscard]] BallHierarchy buildBallHierarchy(std::span<const Ball> balls, unsigned threads = 0);

}  // namespace tactus::collision
