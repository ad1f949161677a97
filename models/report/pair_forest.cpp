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

// Triangles of a group that are boxed either way before it is decided which. Of 128 by 128 pairs
// some 100 overlap where one in 160 does; what overlaps less is no trouble.
constexpr std::size_t kSample = 128;

// A corner nearer to the axis than this part of the largest coordinate has no direction: it would
// be rounded by more than a part in 2^24, half of what boxes grow by.
constexpr double kOnAxis = 0x1p-26;

// The largest fans, of which the axis is.
constexpr std::size_t kAxialFans = 2;

struct Fan {
  std::uint32_t hub = 0;
  std::vector<std::uint32_t> triangles;
};

/// Of a triangle, in space or in what it is seen as.
struct Extent {
  Eigen::Vector3d lower = Eigen::Vector3d::Zero();
  Eigen::Vector3d upper = Eigen::Vector3d::Zero();

  void grow(double margin) {
    const double grown = margin + double{std::numeric_limits<float>::denorm_min()};
    lower.array() -= grown;
    upper.array() += grown;
  }
  [[nodiscard]] bool overlaps(const Extent& other) const {
    return (lower.array() <= other.upper.array()).all() &&
           (other.lower.array() <= upper.array()).all();
  }
};

/// Boxes of triangles on their way into a hierarchy: as triangles from one corner to the other.
class Boxes {
 public:
  void add(std::uint32_t triangle, const Extent& extent) {
    const auto low = static_cast<std::uint32_t>(boxes_.positions.size());
    boxes_.positions.emplace_back(extent.lower.cast<float>());
    boxes_.positions.emplace_back(extent.upper.cast<float>());
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

/// Boxes triangles in one way or another.
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

  /// From the largest fan's hub along the edge that most of its triangles share, if those are a fan
  /// themselves, or else to the next fan's hub. False if there is neither.
  [[nodiscard]] bool layAxis(const std::vector<Fan>& fans) {
    if (fans.empty()) return false;
    hub_ = fans.front().hub;
    std::vector<std::uint32_t> uses(topology_.merged.count(), 0);
    for (const std::uint32_t t : fans.front().triangles) {
      for (const std::uint32_t p : topology_.triangles[t])
        uses[p] += p != hub_ ? 1U : 0U;
    }
    const auto most = std::max_element(uses.begin(), uses.end());
    if (*most >= kHubTriangles) {
      end_ = static_cast<std::uint32_t>(most - uses.begin());
    } else if (fans.size() > 1) {
      end_ = fans[1].hub;
    } else {
      return false;
    }
    const Eigen::Vector3d along = (atPosition(end_) - atPosition(hub_)) / largest_;
    if (!(along.norm() > 0.0)) return false;
    const Eigen::Vector3d axis = along.normalized();
    const Eigen::Vector3d across = axis.unitOrthogonal();
    axes_ << across.transpose(), axis.cross(across).transpose(), axis.transpose();
    return true;
  }

  [[nodiscard]] Extent inSpace(std::uint32_t t) const {
    const Eigen::Vector3d a = turn_ * at(t, 0);
    const Eigen::Vector3d b = turn_ * at(t, 1);
    const Eigen::Vector3d c = turn_ * at(t, 2);
    Extent extent{a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c)};
    extent.grow(kMargin * largest_);
    return extent;
  }

  /// By the directions in which it is seen from the hub.
  [[nodiscard]] Extent aroundHub(std::uint32_t t, std::uint32_t hub) const {
    std::array<Eigen::Vector3d, 2> ends{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      if (topology_.triangles[t][i] != hub)
        ends[count++] = (at(t, i) - atPosition(hub)).normalized();
    }
    if (count == 1) ends[1] = ends[0];
    Extent extent{ends[0].cwiseMin(ends[1]), ends[0].cwiseMax(ends[1])};
    extent.grow(heightOfArc((ends[1] - ends[0]).squaredNorm()) + kMargin);
    return extent;
  }

  /// By the directions in which it is seen from the axis, and its place along that.
  [[nodiscard]] Extent aboutAxis(std::uint32_t t) const {
    Extent extent{{-1.0, -1.0, 0.0}, {1.0, 1.0, 0.0}};
    std::array<Eigen::Vector2d, 3> seen;
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Eigen::Vector3d p = axes_ * ((at(t, i) - atPosition(hub_)) / largest_);
      extent.lower.z() = i == 0 ? p.z() : std::min(extent.lower.z(), p.z());
      extent.upper.z() = i == 0 ? p.z() : std::max(extent.upper.z(), p.z());
      const std::uint32_t corner = topology_.triangles[t][i];
      if (corner != hub_ && corner != end_) seen[count++] = p.head<2>();
    }
    // all that is seen lies beyond a line before the axis, or it may be anywhere around that
    Eigen::Vector2d middle = Eigen::Vector2d::Zero();
    for (std::size_t i = 0; i < count; ++i)
      middle += seen[i].normalized();
    const double length = middle.norm();
    bool isAhead = count > 0 && length > 0.0;
    for (std::size_t i = 0; i < count; ++i)
      isAhead = isAhead && seen[i].dot(middle) > kOnAxis * length;
    if (isAhead) {
      double chord = 0.0;  // squared
      extent.lower.head<2>() = extent.upper.head<2>() = seen[0].normalized();
      for (std::size_t i = 1; i < count; ++i) {
        const Eigen::Vector2d direction = seen[i].normalized();
        extent.lower.head<2>() = extent.lower.head<2>().cwiseMin(direction);
        extent.upper.head<2>() = extent.upper.head<2>().cwiseMax(direction);
        for (std::size_t k = 0; k < i; ++k)
          chord = std::max(chord, (direction - seen[k].normalized()).squaredNorm());
      }
      const double height = heightOfArc(chord);
      extent.lower.head<2>().array() -= height;
      extent.upper.head<2>().array() += height;
    }
    extent.grow(kMargin);
    return extent;
  }

  /// Appends the hierarchy of the triangles' boxes; returns the root.
  template <typename ExtentOf>
  std::uint32_t plant(std::span<const std::uint32_t> triangles, const ExtentOf& extentOf,
                      TriangleBvh& trees) const {
    Boxes boxes;
    for (const std::uint32_t t : triangles)
      boxes.add(t, extentOf(t));
    return boxes.appendTo(trees, threads_);
  }

 private:
  /// How far an arc of the unit circle, below half of it, stands out over its chord.
  static double heightOfArc(double squaredChord) {
    const double sine2 = std::min(1.0, 0.25 * squaredChord);
    return sine2 / (1.0 + std::sqrt(1.0 - sine2));
  }
  [[nodiscard]] Eigen::Vector3d at(std::uint32_t triangle, std::size_t corner) const {
    return mesh_.positions[mesh_.triangles[triangle][corner]].cast<double>();
  }
  [[nodiscard]] Eigen::Vector3d atPosition(std::uint32_t position) const {
    return mesh_.positions[topology_.merged.firstVertex[position]].cast<double>();
  }

  const Mesh& mesh_;
  const Topology& topology_;
  unsigned threads_;
  double largest_ = 0.0;
  Eigen::Matrix3d turn_ = kScale * Eigen::Matrix3d::Identity();
  std::uint32_t hub_ = kNone, end_ = kNone;  ///< the axis' ends
  Eigen::Matrix3d axes_ = Eigen::Matrix3d::Identity();
};

/// Triangles that are looked at together, with their hierarchies once those are planted.
struct Group {
  std::span<const std::uint32_t> triangles;
  std::uint32_t hub = kNone;  ///< of a fan
  bool isAxial = false;       ///< may be boxed about the axis
  std::uint32_t inSpace = kNone, aboutAxis = kNone;
};

/// How many pairs of some triangles of two groups overlap.
template <typename ExtentOf>
std::size_t crowdOf(const Group& a, const Group& b, const ExtentOf& extentOf) {
  // spread by the golden ratio, which falls in step with no pattern
  const auto sampleOf = [&extentOf](const Group& group) {
    const std::size_t size = group.triangles.size();
    const std::size_t count = std::min(kSample, size);
    std::vector<Extent> sample;
    sample.reserve(count);
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t i = count == size ? n : (n * 0x9e3779b9U & 0xffffffffU) * size >> 32U;
      sample.push_back(extentOf(group.triangles[i]));
    }
    return sample;
  };
  const std::vector<Extent> first = sampleOf(a);
  const std::vector<Extent> second = sampleOf(b);
  std::size_t pairs = 0;
  for (const Extent& extent : first) {
    pairs += static_cast<std::size_t>(
        std::count_if(second.begin(), second.end(),
                      [&extent](const Extent& other) { return extent.overlaps(other); }));
  }
  return pairs;
}

/// Plants what is needed to find all pairs between two groups, or within one.
class Pairing {
 public:
  Pairing(const Forester& forester, PairForest& forest) : forester_(forester), forest_(forest) {}

  void within(Group& group) {
    if (group.hub == kNone) {
      const std::uint32_t root = rootInSpace(group);
      forest_.starts.push_back({root, root});
      return;
    }
    const auto around = [&](std::uint32_t t) { return forester_.aroundHub(t, group.hub); };
    const bool isAxial =
        group.isAxial && crowdOf(group, group, axial_) < crowdOf(group, group, around);
    const std::uint32_t root =
        isAxial ? rootAboutAxis(group) : forester_.plant(group.triangles, around, forest_.trees);
    forest_.starts.push_back({root, root});
  }

  void between(Group& a, Group& b) {
    const bool isAxial = a.isAxial && b.isAxial && crowdOf(a, b, axial_) < crowdOf(a, b, spatial_);
    const std::uint32_t rootA = isAxial ? rootAboutAxis(a) : rootInSpace(a);
    const std::uint32_t rootB = isAxial ? rootAboutAxis(b) : rootInSpace(b);
    if (forest_.trees.nodes[rootA].overlaps(forest_.trees.nodes[rootB]))
      forest_.starts.push_back({rootA, rootB});
  }

 private:
  std::uint32_t rootInSpace(Group& group) {
    if (group.inSpace == kNone)
      group.inSpace = forester_.plant(group.triangles, spatial_, forest_.trees);
    return group.inSpace;
  }
  std::uint32_t rootAboutAxis(Group& group) {
    if (group.aboutAxis == kNone)
      group.aboutAxis = forester_.plant(group.triangles, axial_, forest_.trees);
    return group.aboutAxis;
  }

  struct Spatial {
    const Forester& forester;
    Extent operator()(std::uint32_t t) const { return forester.inSpace(t); }
  };
  struct Axial {
    const Forester& forester;
    Extent operator()(std::uint32_t t) const { return forester.aboutAxis(t); }
  };

  const Forester& forester_;
  PairForest& forest_;
  Spatial spatial_{forester_};
  Axial axial_{forester_};
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

  Forester forester(mesh, topology, threads);
  if (!fans.empty()) forester.turnTowards(fans.front());
  const bool hasAxis = forester.layAxis(fans);
  std::vector<Group> groups;
  groups.reserve(fans.size() + 1);
  if (!others.empty()) groups.push_back({others, kNone, hasAxis});
  for (std::size_t f = 0; f < fans.size(); ++f)
    groups.push_back({fans[f].triangles, fans[f].hub, hasAxis && f < kAxialFans});

  PairForest forest;
  Pairing pairing(forester, forest);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    pairing.within(groups[g]);
    for (std::size_t other = 0; other < g; ++other)
      pairing.between(groups[g], groups[other]);
  }
  return forest;
}

}  // namespace tactus::models
