#include "models/report/triangle_bvh.hpp"

#include <limits>

#include "models/mesh/parallel_for.hpp"

namespace tactus::models {
namespace {

// 16 bins come within 2 % of the full heuristic's cost (Wald 2007, section 3.3 and figure 1).
constexpr std::size_t kBins = 16;

// Below this level nodes are halved by count, see TriangleBvh::kMaxDepth.
constexpr std::uint32_t kHeuristicDepth = 32;

// Subtrees of about this size are built as one task; larger nodes are split one after another.
constexpr std::uint32_t kTaskTriangles = 16'384;

/// A triangle's box on its way to a leaf.
struct Item {
  Eigen::Vector3f lower;
  std::uint32_t triangle;
  Eigen::Vector3f upper;

  /// Of the box. Halves are summed so that large coordinates do not overflow.
  [[nodiscard]] float centre(int axis) const noexcept {
    return 0.5F * lower[axis] + 0.5F * upper[axis];
  }
};

struct Box {
  Eigen::Vector3f lower = Eigen::Vector3f::Constant(std::numeric_limits<float>::infinity());
  Eigen::Vector3f upper = Eigen::Vector3f::Constant(-std::numeric_limits<float>::infinity());

  void include(const Eigen::Vector3f& low, const Eigen::Vector3f& high) noexcept {
    lower = lower.cwiseMin(low);
    upper = upper.cwiseMax(high);
  }
  void include(const Box& other) noexcept { include(other.lower, other.upper); }
  /// In double: a float could overflow, and with it the comparison of costs.
  [[nodiscard]] double halfArea() const noexcept {
    const Eigen::Vector3d size = upper.cast<double>() - lower.cast<double>();
    return size.x() * size.y() + size.y() * size.z() + size.z() * size.x();
  }
};

/// A node that is still to be filled: items [begin, end), to be stored at `node`.
struct Open {
  std::uint32_t begin, end, node, depth;
};

Box boxOf(const std::vector<Item>& items, const Open& open) {
  Box box;
  for (std::uint32_t i = open.begin; i < open.end; ++i)
    box.include(items[i].lower, items[i].upper);
  return box;
}

/// Bins of equal width over the centres along one axis.
struct Binning {
  int axis = 0;
  double first = 0.0, binsPerLength = 0.0;

  [[nodiscard]] std::size_t binOf(const Item& item) const noexcept {
    const double bin = (double{item.centre(axis)} - first) * binsPerLength;
    return std::min(kBins - 1, static_cast<std::size_t>(std::max(0.0, bin)));
  }
};

/// Orders items [begin, end) so that two children emerge, and returns where the second one starts.
std::uint32_t split(std::vector<Item>& items, const Open& open) {
  Box centres;
  for (std::uint32_t i = open.begin; i < open.end; ++i) {
    const Eigen::Vector3f c(items[i].centre(0), items[i].centre(1), items[i].centre(2));
    centres.include(c, c);
  }
  Binning binning;
  const Eigen::Vector3d extent = centres.upper.cast<double>() - centres.lower.cast<double>();
  const double longest = extent.maxCoeff(&binning.axis);
  const std::uint32_t half = open.begin + (open.end - open.begin) / 2;
  const auto first = items.begin() + open.begin;
  const auto last = items.begin() + open.end;
  if (!(longest > 0.0) || open.depth >= kHeuristicDepth) {
    std::nth_element(first, items.begin() + half, last, [&](const Item& a, const Item& b) {
      const float ca = a.centre(binning.axis);
      const float cb = b.centre(binning.axis);
      return ca != cb ? ca < cb : a.triangle < b.triangle;
    });
    return half;
  }
  binning.first = double{centres.lower[binning.axis]};
  binning.binsPerLength = static_cast<double>(kBins) / longest;

  std::array<Box, kBins> boxes;
  std::array<std::uint32_t, kBins> counts{};
  for (auto item = first; item != last; ++item) {
    const std::size_t bin = binning.binOf(*item);
    boxes[bin].include(item->lower, item->upper);
    ++counts[bin];
  }
  // cost of a cut behind bin b: area times count on either side
  std::array<double, kBins> costAbove{};
  Box above;
  std::uint32_t countAbove = 0;
  for (std::size_t b = kBins - 1; b > 0; --b) {
    above.include(boxes[b]);
    countAbove += counts[b];
    costAbove[b] = countAbove == 0 ? 0.0 : above.halfArea() * countAbove;
  }
  Box below;
  std::uint32_t countBelow = 0;
  std::size_t bestBin = 0;
  double bestCost = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b + 1 < kBins; ++b) {
    below.include(boxes[b]);
    countBelow += counts[b];
    if (countBelow == 0 || countBelow == open.end - open.begin) continue;
    const double cost = below.halfArea() * countBelow + costAbove[b + 1];
    if (cost < bestCost) {
      bestCost = cost;
      bestBin = b;
    }
  }
  // the first and the last bin hold the extreme centres, so neither side is empty
  const auto middle =
      std::partition(first, last, [&](const Item& item) { return binning.binOf(item) <= bestBin; });
  return static_cast<std::uint32_t>(middle - items.begin());
}

/// Fills open.node; appends two more nodes and returns true when it has children.
bool fill(std::vector<Item>& items, const Open& open, std::vector<BvhNode>& nodes,
          std::array<Open, 2>& children) {
  const Box box = boxOf(items, open);
  BvhNode& node = nodes[open.node];
  node.lower = box.lower;
  node.upper = box.upper;
  if (open.end - open.begin <= TriangleBvh::kLeafTriangles) {
    node.first = open.begin;
    node.count = open.end - open.begin;
    // which triangles share a leaf is given; in which order they come out of the partitions is
    // left to the standard library, and is settled here
    std::sort(items.begin() + open.begin, items.begin() + open.end,
              [](const Item& a, const Item& b) { return a.triangle < b.triangle; });
    return false;
  }
  const std::uint32_t middle = split(items, open);
  const auto child = static_cast<std::uint32_t>(nodes.size());
  node.first = child;
  node.count = 0;
  nodes.resize(nodes.size() + 2);
  children[0] = {open.begin, middle, child, open.depth + 1};
  children[1] = {middle, open.end, child + 1, open.depth + 1};
  return true;
}

/// Fills open.node and all below it.
void fillAll(std::vector<Item>& items, const Open& open, std::vector<BvhNode>& nodes) {
  std::array<Open, TriangleBvh::kMaxDepth + 1> stack;
  std::size_t waiting = 0;
  stack[waiting++] = open;
  std::array<Open, 2> children;
  while (waiting != 0) {
    if (!fill(items, stack[--waiting], nodes, children)) continue;
    stack[waiting++] = children[1];
    stack[waiting++] = children[0];
  }
}

}  // namespace

TriangleBvh buildTriangleBvh(const Mesh& mesh, unsigned threads) {
  TriangleBvh bvh;
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  if (count == 0) return bvh;
  std::vector<Item> items(count);
  parallelFor(count, kTaskTriangles, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      Box box;
      for (const std::uint32_t v : mesh.triangles[t]) {
        box.include(mesh.positions[v], mesh.positions[v]);
      }
      items[t] = {box.lower, static_cast<std::uint32_t>(t), box.upper};
    }
  });

  // the top of the tree in this thread, then the subtrees below it in all threads
  bvh.nodes.resize(1);
  std::vector<Open> subtrees;
  std::vector<Open> open{{0, count, 0, 0}};
  std::array<Open, 2> children;
  while (!open.empty()) {
    const Open next = open.back();
    open.pop_back();
    if (next.end - next.begin <= kTaskTriangles) {
      subtrees.push_back(next);
    } else if (fill(items, next, bvh.nodes, children)) {
      open.push_back(children[1]);
      open.push_back(children[0]);
    }
  }
  std::vector<std::vector<BvhNode>> grown(subtrees.size());
  parallelFor(subtrees.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      grown[s].resize(1);
      Open root = subtrees[s];
      root.node = 0;
      fillAll(items, root, grown[s]);
      grown[s].shrink_to_fit();
    }
  });
  bvh.order.reserve(count);
  for (const Item& item : items)
    bvh.order.push_back(item.triangle);
  items = {};  // twice the mesh, gone before the nodes are there a second time

  // a subtree's root goes to its place in the top, the rest is appended
  std::size_t nodes = bvh.nodes.size();
  for (const std::vector<BvhNode>& subtree : grown)
    nodes += subtree.size() - 1;
  bvh.nodes.reserve(nodes);
  for (std::size_t s = 0; s < subtrees.size(); ++s) {
    const auto shift = static_cast<std::uint32_t>(bvh.nodes.size() - 1);
    for (BvhNode& node : grown[s]) {
      if (!node.isLeaf()) node.first += shift;
    }
    bvh.nodes[subtrees[s].node] = grown[s].front();
    bvh.nodes.insert(bvh.nodes.end(), grown[s].begin() + 1, grown[s].end());
    grown[s] = {};
  }
  return bvh;
}

}  // namespace tactus::models
