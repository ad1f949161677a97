#include "collision/surface/facet_hierarchy.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "collision/balls/enclosing_ball.hpp"
#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

// Where missing children are: every comparison with them is false.
constexpr float kNowhere = std::numeric_limits<float>::quiet_NaN();

// Rounding of a cap's numbers to floats, as a share of the largest coordinate.
constexpr double kRoundUp = 4e-7;

struct Cap {
  Vector3d centre = Vector3d::Zero();
  double radius = 0.0;
  Vector3d normal = Vector3d::UnitZ();
  double height = 0.0;
};

/// A node while it is built: its triangles are order[first ... first + count), all of them this
/// many levels below it.
struct Node {
  std::uint32_t first = 0, count = 0, height = 0;
  std::uint32_t firstChild = 0, childCount = 0;
};

class Builder {
 public:
  Builder(const std::vector<Vector3f>& positions, const std::vector<models::Triangle>& triangles)
      : positions_(positions), triangles_(triangles), order_(triangles.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    middles_.reserve(triangles.size());
    for (const models::Triangle& t : triangles)
      middles_.push_back(positions[t[0]] + positions[t[1]] + positions[t[2]]);
  }

  void build(unsigned threads) {
    const auto all = static_cast<std::uint32_t>(order_.size());
    std::uint32_t height = 1;
    while (mostAtHeight(height) < all)
      ++height;
    nodes_.push_back({0, all, height});
    for (std::size_t level = 0; level < nodes_.size();) {
      const std::size_t end = nodes_.size();
      std::vector<std::array<std::uint32_t, 5>> cuts(end - level);
      const std::size_t block = std::max<std::size_t>(1, cuts.size() / 256);
      models::parallelFor(cuts.size(), block, threads, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
          if (nodes_[level + i].height != 0) cuts[i] = quartered(nodes_[level + i]);
      });
      for (std::size_t i = level; i < end; ++i) {
        if (nodes_[i].height == 0) continue;
        nodes_[i].firstChild = static_cast<std::uint32_t>(nodes_.size());
        const auto& cut = cuts[i - level];
        for (std::size_t k = 0; k < 4; ++k) {
          if (cut[k + 1] == cut[k]) continue;
          nodes_.push_back({cut[k], cut[k + 1] - cut[k], nodes_[i].height - 1});
          ++nodes_[i].childCount;
        }
      }
      level = end;
    }
    caps_.resize(nodes_.size());
    models::parallelFor(nodes_.size(), 64, threads, [&](std::size_t from, std::size_t to) {
      std::vector<Ball> corners;
      for (std::size_t i = from; i < to; ++i)
        caps_[i] = capOf(nodes_[i], corners);
    });
  }

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Cap>& caps() const { return caps_; }
  [[nodiscard]] std::uint32_t facetOf(const Node& leaf) const { return order_[leaf.first]; }

 private:
  static std::uint64_t mostAtHeight(std::uint32_t height) {
    return std::uint64_t{1} << (2 * height);
  }

  /// Cuts a range near the median along its longest side, so that each part but the last is of
  /// `most` triangles as often as can be; returns where the second part begins.
  std::uint32_t halved(std::uint32_t first, std::uint32_t last, std::uint32_t most) {
    const std::uint32_t parts = (last - first + most - 1) / most;
    if (parts < 2) return last;
    Vector3f lower = middles_[order_[first]];
    Vector3f upper = lower;
    for (std::uint32_t i = first; i < last; ++i) {
      lower = lower.cwiseMin(middles_[order_[i]]);
      upper = upper.cwiseMax(middles_[order_[i]]);
    }
    Eigen::Index axis = 0;
    (upper - lower).maxCoeff(&axis);
    const std::uint32_t cut = first + (parts + 1) / 2 * most;
    std::nth_element(order_.begin() + first, order_.begin() + cut, order_.begin() + last,
                     [&](std::uint32_t i, std::uint32_t j) {
                       const float a = middles_[i][axis];
                       const float b = middles_[j][axis];
                       return a != b ? a < b : i < j;
                     });
    return cut;
  }

  std::array<std::uint32_t, 5> quartered(const Node& node) {
    const auto most = static_cast<std::uint32_t>(mostAtHeight(node.height - 1));
    const std::uint32_t end = node.first + node.count;
    const std::uint32_t middle = halved(node.first, end, most);
    return {node.first, halved(node.first, middle, most), middle, halved(middle, end, most), end};
  }

  [[nodiscard]] Cap capOf(const Node& node, std::vector<Ball>& corners) const {
    corners.clear();
    Vector3d normal = Vector3d::Zero();
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      const models::Triangle& t = triangles_[order_[i]];
      std::array<Vector3d, 3> p;
      for (std::size_t k = 0; k < 3; ++k) {
        p[k] = positions_[t[k]].cast<double>();
        corners.push_back({p[k], 0.0});
      }
      normal += (p[1] - p[0]).cross(p[2] - p[0]);
    }
    const Ball ball = enclosingBall(corners);
    Cap cap;
    cap.centre = ball.centre;
    cap.radius = ball.radius;
    const double length = normal.norm();
    if (length > 0.0) cap.normal = normal / length;
    for (const Ball& corner : corners)
      cap.height = std::max(cap.height, cap.normal.dot(corner.centre - cap.centre));
    return cap;
  }

  const std::vector<Vector3f>& positions_;
  const std::vector<models::Triangle>& triangles_;
  std::vector<Vector3f> middles_;  ///< three times the centroids
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
  std::vector<Cap> caps_;
};

/// What the spans of a hierarchy that was built here show.
struct Memory {
  std::vector<FacetHierarchy::Caps> caps;
  std::vector<std::int32_t> links, slots;
  std::vector<std::uint32_t> facets;
  std::vector<std::array<float, 9>> corners;
};

}  // namespace

FacetHierarchy::FacetHierarchy(const models::Mesh& mesh, unsigned threads) {
  all_.origin = mesh.origin;
  if (mesh.triangles.empty()) return;
  Builder builder(mesh.positions, mesh.triangles);
  builder.build(threads);
  const std::vector<Node>& nodes = builder.nodes();

  std::vector<std::int32_t> blockOf(nodes.size(), -1);
  std::int32_t blocks = 1;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].childCount != 0) blockOf[n] = blocks++;
  }
  const auto count = static_cast<std::size_t>(blocks) + 1;
  Caps empty{};
  empty.x.fill(kNowhere);
  empty.y.fill(kNowhere);
  empty.z.fill(kNowhere);
  empty.nz.fill(1.0F);
  const auto memory = std::make_shared<Memory>();
  memory->caps.assign(count, empty);
  memory->links.assign(kArity * count, blocks);

  const double error = kRoundUp * (builder.caps().front().radius +
                                   builder.caps().front().centre.cwiseAbs().maxCoeff());
  const auto setChild = [&](std::size_t block, std::size_t k, std::size_t n) {
    const Cap& cap = builder.caps()[n];
    Caps& caps = memory->caps[block];
    caps.x[k] = static_cast<float>(cap.centre.x());
    caps.y[k] = static_cast<float>(cap.centre.y());
    caps.z[k] = static_cast<float>(cap.centre.z());
    caps.radius[k] = static_cast<float>(cap.radius + error);
    caps.nx[k] = static_cast<float>(cap.normal.x());
    caps.ny[k] = static_cast<float>(cap.normal.y());
    caps.nz[k] = static_cast<float>(cap.normal.z());
    caps.height[k] = static_cast<float>(cap.height + error);
    const std::size_t slot = kArity * block + k;
    if (nodes[n].childCount != 0) {
      memory->links[slot] = blockOf[n];
    } else {
      memory->links[slot] = ~static_cast<std::int32_t>(memory->facets.size());
      memory->slots.push_back(static_cast<std::int32_t>(slot));
      memory->facets.push_back(builder.facetOf(nodes[n]));
      std::array<float, 9>& corners = memory->corners.emplace_back();
      for (std::size_t c = 0; c < 3; ++c) {
        const Vector3f& p = mesh.positions[mesh.triangles[memory->facets.back()][c]];
        for (std::size_t axis = 0; axis < 3; ++axis)
          corners[3 * c + axis] = p[static_cast<Eigen::Index>(axis)];
      }
    }
  };
  setChild(0, 0, 0);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    for (std::uint32_t k = 0; k < nodes[n].childCount; ++k)
      setChild(static_cast<std::size_t>(blockOf[n]), k, nodes[n].firstChild + k);
  }
  all_.caps = memory->caps;
  all_.links = memory->links;
  all_.slots = memory->slots;
  all_.facets = memory->facets;
  all_.corners = memory->corners;
  const Cap& root = builder.caps().front();
  all_.radius = root.radius + root.centre.norm();
  levels_ = levelsOf(all_);
  keeper_ = memory;
}

FacetHierarchy::Levels FacetHierarchy::levelsOf(const Arrays& arrays) noexcept {
  Levels levels;
  if (arrays.corners.empty()) return levels;
  for (std::int32_t link = 0; link >= 0 && levels.count < Levels::kMost;
       link = arrays.links[kArity * static_cast<std::size_t>(link)])
    levels.first[levels.count++] = link;
  return levels;
}

}  // namespace tactus::collision
