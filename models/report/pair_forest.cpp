#include "models/report/pair_forest.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tactus::models {
namespace {

// Boxes grow by this part of the largest coordinate, eight times what floats round off.
constexpr double kMargin = 0x1p-21;

// Turned coordinates are halved, so that the largest floats stay finite.
constexpr double kScale = 0.5;

struct Fan {
  std::uint32_t hub = 0;
  std::vector<std::uint32_t> triangles;
};

/// Boxes of triangles on their way into a hierarchy: as triangles from one corner to the other.
class Boxes {
 public:
  void add(std::uint32_t triangle, const Eigen::Vector3d& lower, const Eigen::Vector3d& upper,
           double margin) {
    const double grown = margin + double{std::numeric_limits<float>::denorm_min()};
    const auto low = static_cast<std::uint32_t>(boxes_.positions.size());
    boxes_.positions.emplace_back((lower.array() - grown).matrix().cast<float>());
    boxes_.positions.emplace_back((upper.array() + grown).matrix().cast<float>());
    boxes_.triangles.push_back({low, low + 1, low + 1});
    triangles_.push_back(triangle);
  }

  /// Appends the hierarchy and returns its root.
  std::uint32_t appendTo(TriangleBvh& trees, unsigned threads) const {
    const TriangleBvh tree = buildTriangleBvh(boxes_, threads);
    const auto nodeShift = static_cast<std::uint32_t>(trees.nodes.size());
    const auto orderShift = static_cast<std::uint32_t>(trees.order.size());
    for (BvhNode node : tree.nodes) {
      node.first += node.isLeaf() ? orderShift : nodeShift;
      trees.nodes.push_back(node);
    }
    for (const std::uint32_t box : tree.order)
      trees.order.push_back(triangles_[box]);
    return nodeShift;
  }

 private:
  Mesh boxes_;
  std::vector<std::uint32_t> triangles_;
};

/// The largest fans; each triangle is in the fan of its fullest corner, or in none.
std::vector<Fan> fansAroundHubs(const Topology& topology, std::span<const std::uint8_t> isLeftOut) {
  std::vector<std::uint32_t> corners(topology.merged.count(), 0);
  for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
    if (isLeftOut[t] != 0) continue;
    for (const std::uint32_t p : topology.triangles[t])
      ++corners[p];
  }
  std::vector<std::uint32_t> fanOf(topology.merged.count(), kNone);
  std::vector<Fan> fans;
  for (std::uint32_t p = 0; p < corners.size(); ++p) {
    if (corners[p] < kHubTriangles) continue;
    fanOf[p] = static_cast<std::uint32_t>(fans.size());
    fans.push_back({p, {}});
  }
  if (fans.empty()) return fans;
  for (std::uint32_t t = 0; t < topology.triangles.size(); ++t) {
    if (isLeftOut[t] != 0) continue;
    const Triangle& v = topology.triangles[t];
    const std::uint32_t fullest =
        *std::max_element(v.begin(), v.end(), [&](std::uint32_t a, std::uint32_t b) {
          return corners[a] != corners[b] ? corners[a] < corners[b] : a > b;
        });
    if (fanOf[fullest] != kNone) fans[fanOf[fullest]].triangles.push_back(t);
  }
  std::stable_sort(fans.begin(), fans.end(), [](const Fan& a, const Fan& b) {
    return a.triangles.size() > b.triangles.size();
  });
  const auto end = std::find_if(fans.begin(), fans.end(), [](const Fan& fan) {
    return fan.triangles.size() < kHubTriangles;
  });
  fans.erase(end, fans.end());
  fans.resize(std::min(fans.size(), kMostFans));
  return fans;
}

class Forester {
 public:
  Forester(const Mesh& mesh, const Topology& topology, unsigned threads)
      : mesh_(mesh), topology_(topology), threads_(threads) {
    for (const Eigen::Vector3f& p : mesh.positions)
      largest_ = std::max(largest_, double{p.cwiseAbs().maxCoeff()});
  }

  void turnTowards(const Fan& fan) {
    Eigen::Vector3d axis = Eigen::Vector3d::Zero();
    const double scale = largest_ > 0.0 ? 1.0 / largest_ : 1.0;
    for (const std::uint32_t t : fan.triangles) {
      const Eigen::Vector3d a = at(t, 0) * scale;
      const Eigen::Vector3d normal = (at(t, 1) * scale - a).cross(at(t, 2) * scale - a);
      axis += normal.dot(axis) < 0.0 ? -normal : normal;  // neighbours may disagree
    }
    if (!(axis.norm() > 0.0)) return;
    axis.normalize();
    const Eigen::Vector3d across = axis.unitOrthogonal();
    turn_ << across.transpose(), axis.cross(across).transpose(), axis.transpose();
    turn_ *= kScale;
  }

  /// Boxes in space; returns the root.
  std::uint32_t plantInSpace(std::span<const std::uint32_t> triangles, TriangleBvh& trees) const {
    Boxes boxes;
    for (const std::uint32_t t : triangles) {
      const Eigen::Vector3d a = turn_ * at(t, 0);
      const Eigen::Vector3d b = turn_ * at(t, 1);
      const Eigen::Vector3d c = turn_ * at(t, 2);
      boxes.add(t, a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c), kMargin * largest_);
    }
    return boxes.appendTo(trees, threads_);
  }

  /// Boxes of directions from the hub; returns the root.
  std::uint32_t plantAround(const Fan& fan, TriangleBvh& trees) const {
    Boxes boxes;
    const Eigen::Vector3d hub =
        mesh_.positions[topology_.merged.firstVertex[fan.hub]].cast<double>();
    for (const std::uint32_t t : fan.triangles) {
      std::array<Eigen::Vector3d, 2> ends{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
      std::size_t count = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        if (topology_.triangles[t][i] != fan.hub) ends[count++] = (at(t, i) - hub).normalized();
      }
      if (count == 1) ends[1] = ends[0];
      const double sine2 = std::min(1.0, 0.25 * (ends[1] - ends[0]).squaredNorm());
      const double height = sine2 / (1.0 + std::sqrt(1.0 - sine2));
      boxes.add(t, ends[0].cwiseMin(ends[1]), ends[0].cwiseMax(ends[1]), height + kMargin);
    }
    return boxes.appendTo(trees, threads_);
  }

 private:
  [[nodiscard]] Eigen::Vector3d at(std::uint32_t triangle, std::size_t corner) const {
    return mesh_.positions[mesh_.triangles[triangle][corner]].cast<double>();
  }

  const Mesh& mesh_;
  const Topology& topology_;
  unsigned threads_;
  double largest_ = 0.0;
  Eigen::Matrix3d turn_ = kScale * Eigen::Matrix3d::Identity();
};

}  // namespace

PairForest pairForest(const Mesh& mesh, const Topology& topology,
                      std::span<const std::uint8_t> isLeftOut, unsigned threads) {
  const std::vector<Fan> fans = fansAroundHubs(topology, isLeftOut);
  std::vector<std::uint8_t> isElsewhere(isLeftOut.begin(), isLeftOut.end());
  for (const Fan& fan : fans) {
    for (const std::uint32_t t : fan.triangles)
      isElsewhere[t] = 1;
  }
  std::vector<std::uint32_t> others;
  for (std::uint32_t t = 0; t < isElsewhere.size(); ++t) {
    if (isElsewhere[t] == 0) others.push_back(t);
  }
  if (others.size() == mesh.triangles.size()) return {{}, {{0, 0}}};

  PairForest forest;
  TriangleBvh& trees = forest.trees;
  Forester forester(mesh, topology, threads);
  if (!fans.empty()) forester.turnTowards(fans.front());
  std::vector<std::uint32_t> roots;
  if (!others.empty()) {
    roots.push_back(forester.plantInSpace(others, trees));
    forest.starts.push_back({roots.front(), roots.front()});
  }
  for (const Fan& fan : fans) {
    const std::uint32_t around = forester.plantAround(fan, trees);
    forest.starts.push_back({around, around});
    const std::uint32_t root = forester.plantInSpace(fan.triangles, trees);
    for (const std::uint32_t other : roots) {
      if (trees.nodes[root].overlaps(trees.nodes[other])) forest.starts.push_back({root, other});
    }
    roots.push_back(root);
  }
  return forest;
}

}  // namespace tactus::models
