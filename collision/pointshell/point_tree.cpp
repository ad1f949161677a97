#include "collision/pointshell/point_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tactus::collision {
namespace {

using Eigen::Vector3f;

// Boxes are left out only when they are further away by more than the rounding of floats, of
// apartness() and of the normals' lengths in it.
constexpr float kRounding = 1e-5F;

// 2^32 points are halved 32 times, and each halving leaves one box waiting.
constexpr std::size_t kMostWaiting = 34;

float squaredDistance(const Vector3f& lower, const Vector3f& upper, const Vector3f& place) {
  return (lower - place).cwiseMax(place - upper).cwiseMax(0.0F).squaredNorm();
}

}  // namespace

PointTree::PointTree(std::span<const SurfaceSpot> points) : points_(points), order_(points.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  nodes_.reserve(4 * points.size() / kFew + 2);
  if (!points.empty()) grow(0, static_cast<std::uint32_t>(points.size()));
}

std::uint32_t PointTree::grow(std::uint32_t begin, std::uint32_t end) {
  Node node;
  node.begin = begin;
  node.end = end;
  node.lower = node.upper = points_[order_[begin]].place;
  for (std::uint32_t i = begin; i < end; ++i) {
    node.lower = node.lower.cwiseMin(points_[order_[i]].place);
    node.upper = node.upper.cwiseMax(points_[order_[i]].place);
  }
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(node);
  if (end - begin <= kFew) return number;
  Eigen::Index axis = 0;
  (node.upper - node.lower).maxCoeff(&axis);
  const std::uint32_t middle = begin + (end - begin) / 2;
  const auto at = [this](std::uint32_t i) {
    return order_.begin() + static_cast<std::ptrdiff_t>(i);
  };
  std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
    const float xa = points_[a].place[axis];
    const float xb = points_[b].place[axis];
    return xa != xb ? xa < xb : a < b;
  });
  const std::uint32_t lower = grow(begin, middle);
  const std::uint32_t upper = grow(middle, end);
  nodes_[number].children = {lower, upper};
  return number;
}

PointTree::Nearest PointTree::nearest(const SurfaceSpot& spot, float squaredBend) const {
  Nearest best{0, std::numeric_limits<float>::max()};
  struct Waiting {
    std::uint32_t node;
    float squared;
  };
  std::array<Waiting, kMostWaiting> stack;
  std::size_t waiting = 0;
  stack[waiting++] = {0, 0.0F};
  while (waiting > 0) {
    const Waiting now = stack[--waiting];
    if (now.squared * (1.0F - kRounding) > best.apart + kRounding * squaredBend) continue;
    const Node& node = nodes_[now.node];
    if (node.children[0] == kLeaf) {
      for (std::uint32_t i = node.begin; i < node.end; ++i) {
        const std::uint32_t point = order_[i];
        const float apart = apartness(spot, points_[point], squaredBend);
        if (apart < best.apart || (apart == best.apart && point < best.point))
          best = {point, apart};
      }
      continue;
    }
    std::array<Waiting, 2> both;
    for (std::size_t k = 0; k < 2; ++k) {
      const Node& child = nodes_[node.children[k]];
      both[k] = {node.children[k], squaredDistance(child.lower, child.upper, spot.place)};
    }
    // the nearer one on top
    if (both[0].squared < both[1].squared) std::swap(both[0], both[1]);
    stack[waiting++] = both[0];
    stack[waiting++] = both[1];
  }
  return best;
}

}  // namespace tactus::collision
