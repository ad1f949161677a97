#include "collision/tree/ball_hierarchy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include "collision/tree/neural_gas.hpp"
#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {
namespace {

using Node = BallHierarchy::Node;

// Balls that so many further levels can hold at least, cut into equal parts.
std::uint64_t capacityOf(int levels) noexcept {
  return levels >= 16 ? ~std::uint64_t{0} : std::uint64_t{1} << (2 * levels);
}

// Where the clusters of a node begin and end in its range of the leaf order.
struct Partition {
  std::array<std::uint32_t, kClusters + 1> begin{};
};

// Room that one thread needs for one node.
struct Room {
  std::vector<Ball> balls;
  std::vector<std::uint8_t> cluster;
  std::vector<std::uint32_t> sorted;
};

class Builder {
 public:
  Builder(std::span<const Ball> balls, BallHierarchy& tree) : balls_(balls), tree_(&tree) {
    places_.reserve(balls.size());
    weights_.reserve(balls.size());
    for (const Ball& ball : balls) {
      places_.push_back(ball.centre);
      weights_.push_back(ball.radius * ball.radius * ball.radius);
    }
  }

  // Bounds of a node and, if it is none of the last, the order and the parts of its balls.
  Partition split(Node& node, int depth, Room& room) const {
    const std::span<std::uint32_t> range(tree_->leafOrder.data() + node.firstLeaf, node.leafCount);
    room.balls.clear();
    for (const std::uint32_t i : range)
      room.balls.push_back(balls_[i]);
    node.bounds = node.leafCount == 1 ? room.balls.front() : enclosingBall(room.balls);
    Partition parts;
    if (node.leafCount <= kClusters) {
      for (std::uint32_t k = 1; k <= kClusters; ++k)
        parts.begin[k] = std::min(k, node.leafCount);
      return parts;
    }
    room.cluster.resize(range.size());
    neuralGas({places_, weights_}, range, room.cluster);
    sortByCluster(range, room, parts);
    const std::uint64_t capacity = capacityOf(BallHierarchy::kMaxDepth - depth - 1);
    for (std::size_t k = 0; k < kClusters; ++k) {
      const std::uint32_t count = parts.begin[k + 1] - parts.begin[k];
      if (count > capacity || count == node.leafCount) {
        cutEvenly(range, parts);
        break;
      }
    }
    return parts;
  }

 private:
  // Stable, so that the order depends on nothing else.
  static void sortByCluster(std::span<std::uint32_t> range, Room& room, Partition& parts) {
    room.sorted.clear();
    for (std::size_t k = 0; k < kClusters; ++k) {
      parts.begin[k] = static_cast<std::uint32_t>(room.sorted.size());
      for (std::size_t i = 0; i < range.size(); ++i) {
        if (room.cluster[i] == k) room.sorted.push_back(range[i]);
      }
    }
    parts.begin[kClusters] = static_cast<std::uint32_t>(room.sorted.size());
    std::copy(room.sorted.begin(), room.sorted.end(), range.begin());
  }

  void cutEvenly(std::span<std::uint32_t> range, Partition& parts) const {
    Eigen::Vector3d lower = places_[range.front()];
    Eigen::Vector3d upper = lower;
    for (const std::uint32_t i : range) {
      lower = lower.cwiseMin(places_[i]);
      upper = upper.cwiseMax(places_[i]);
    }
    Eigen::Index axis = 0;
    (upper - lower).maxCoeff(&axis);
    std::sort(range.begin(), range.end(), [&](std::uint32_t i, std::uint32_t j) {
      return places_[i][axis] != places_[j][axis] ? places_[i][axis] < places_[j][axis] : i < j;
    });
    for (std::size_t k = 0; k <= kClusters; ++k)
      parts.begin[k] = static_cast<std::uint32_t>(k * range.size() / kClusters);
  }

  std::span<const Ball> balls_;
  BallHierarchy* tree_;
  std::vector<Eigen::Vector3d> places_;
  std::vector<double> weights_;
};

}  // namespace

BallHierarchy buildBallHierarchy(std::span<const Ball> balls, unsigned threads) {
  BallHierarchy tree;
  if (balls.empty()) return tree;
  tree.leafOrder.resize(balls.size());
  std::iota(tree.leafOrder.begin(), tree.leafOrder.end(), 0U);
  tree.nodes.push_back({{}, 0, 0, 0, static_cast<std::uint32_t>(balls.size())});

  const Builder builder(balls, tree);
  std::vector<Partition> parts;
  std::size_t levelBegin = 0;
  for (int depth = 0; levelBegin < tree.nodes.size(); ++depth) {
    const std::size_t levelEnd = tree.nodes.size();
    // Large nodes one by one; the many small ones of the lower levels in handfuls.
    const std::size_t block = std::max<std::size_t>(1, (levelEnd - levelBegin) / 256);
    parts.assign(levelEnd - levelBegin, {});
    models::parallelFor(parts.size(), block, threads, [&](std::size_t begin, std::size_t end) {
      Room room;
      for (std::size_t i = begin; i < end; ++i)
        parts[i] = builder.split(tree.nodes[levelBegin + i], depth, room);
    });
    for (std::size_t i = levelBegin; i < levelEnd; ++i) {
      if (tree.nodes[i].leafCount == 1) continue;
      const Partition& part = parts[i - levelBegin];
      tree.nodes[i].firstChild = static_cast<std::uint32_t>(tree.nodes.size());
      for (std::size_t k = 0; k < kClusters; ++k) {
        const std::uint32_t count = part.begin[k + 1] - part.begin[k];
        if (count == 0) continue;
        ++tree.nodes[i].childCount;
        tree.nodes.push_back({{}, 0, 0, tree.nodes[i].firstLeaf + part.begin[k], count});
      }
      tree.depth = depth + 1;
    }
    levelBegin = levelEnd;
  }
  return tree;
}

}  // namespace tactus::collision
