#include "models/report/slivers.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/report/shell_orientation.hpp"
#include "models/report/topology.hpp"

namespace tactus::models {
namespace {

bool isCollapsed(const Triangle& t) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

/// A triangle's shape, its sides numbered by the corner at which they start.
struct Shape {
  std::size_t longest = 0, shortest = 0;
  double shortestLength = 0.0;
  double height = 0.0;                               ///< above the longest side
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< twice the area long
};

Shape shapeOf(const Mesh& mesh, const Triangle& t) {
  const Eigen::Vector3d a = mesh.positions[t[0]].cast<double>();
  const Eigen::Vector3d b = mesh.positions[t[1]].cast<double>();
  const Eigen::Vector3d c = mesh.positions[t[2]].cast<double>();
  const std::array<double, 3> squared = {(b - a).squaredNorm(), (c - b).squaredNorm(),
                                         (a - c).squaredNorm()};
  Shape shape;
  for (std::size_t side = 1; side < 3; ++side) {
    if (squared[side] > squared[shape.longest]) shape.longest = side;
    if (squared[side] < squared[shape.shortest]) shape.shortest = side;
  }
  shape.shortestLength = std::sqrt(squared[shape.shortest]);
  shape.normal = (b - a).cross(c - a);
  const double longest = std::sqrt(squared[shape.longest]);
  shape.height = longest > 0.0 ? shape.normal.norm() / longest : 0.0;
  return shape;
}

// Ends that move by twice this part of the mean thickness change the volume by less than a
// hundredth, even if all the surface moved.
constexpr double kThicknessShare = 1e-3;

// A volume below this part of area times extent is rounding of a flat sheet: doubles bring 1e-15,
// the thinnest plate that floats can tell from one, 1e-8 of its width, has 1e-9.
constexpr double kNoVolume = 1e-12;

/// Of each triangle: what is a sliver in its shell [m].
std::vector<double> heightsByShell(const Mesh& mesh, double height) {
  Mesh agreeing = mesh;  // neighbours that disagree would cancel
  static_cast<void>(orientShells(agreeing));
  const Topology topology = topologyOf(agreeing);
  const Parts shells = partsOf(topology, Joint::TwoUsesOnly);
  struct Size {
    Eigen::Vector3d corner = Eigen::Vector3d::Zero();
    double sixfoldVolume = 0.0, doubledArea = 0.0, reach = 0.0;
    bool isPlaced = false;
  };
  std::vector<Size> sizes(shells.count);
  for (std::size_t t = 0; t < agreeing.triangles.size(); ++t) {
    if (shells.ofTriangle[t] == kNone) continue;
    Size& size = sizes[shells.ofTriangle[t]];
    const Triangle& v = agreeing.triangles[t];
    if (!size.isPlaced) size.corner = agreeing.positions[v[0]].cast<double>();
    size.isPlaced = true;
    const Eigen::Vector3d a = agreeing.positions[v[0]].cast<double>() - size.corner;
    const Eigen::Vector3d b = agreeing.positions[v[1]].cast<double>() - size.corner;
    const Eigen::Vector3d c = agreeing.positions[v[2]].cast<double>() - size.corner;
    size.sixfoldVolume += a.dot(b.cross(c));
    size.doubledArea += (b - a).cross(c - a).norm();
    size.reach = std::max({size.reach, a.norm(), b.norm(), c.norm()});
  }
  std::vector<double> ofShell(shells.count, height);
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const double sixfold = std::fabs(sizes[s].sixfoldVolume);
    if (!(sixfold > kNoVolume * sizes[s].doubledArea * sizes[s].reach)) continue;
    const double thickness = 2.0 / 3.0 * sixfold / sizes[s].doubledArea;
    ofShell[s] = std::min(height, kThicknessShare * thickness);
  }
  std::vector<double> heights(mesh.triangles.size(), height);
  for (std::size_t t = 0; t < heights.size(); ++t) {
    if (shells.ofTriangle[t] != kNone) heights[t] = ofShell[shells.ofTriangle[t]];
  }
  return heights;
}

/// The triangles with their neighbours, while single ones are changed.
class Patchwork {
 public:
  Patchwork(Mesh& mesh, double height) : mesh_(mesh), height_(height) {}

  RemovedSlivers run() {
    dropCollapsed();
    std::vector<std::uint32_t> slivers;
    for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
      if (shapeOf(mesh_, at(t)).height < height_) slivers.push_back(t);
    }
    if (slivers.empty()) return counts_;
    heights_ = heightsByShell(mesh_, height_);
    counts_.walls = std::erase_if(slivers, [this](std::uint32_t t) { return !isSliver(t); });
    if (slivers.empty()) return counts_;
    link();
    // a sliver may have to wait for the one beside it, so all are tried until none can be helped
    for (bool isHelping = true; isHelping;) {
      isHelping = false;
      changed_.clear();
      std::vector<std::uint32_t> waiting;
      for (const std::uint32_t t : slivers) {
        if (isGone(t) || !isSliver(t)) continue;
        if (collapse(t) || turn(t) || dropFromRim(t)) {
          isHelping = true;
        } else {
          waiting.push_back(t);
        }
      }
      waiting.insert(waiting.end(), changed_.begin(), changed_.end());
      std::sort(waiting.begin(), waiting.end());
      waiting.erase(std::unique(waiting.begin(), waiting.end()), waiting.end());
      slivers = std::move(waiting);
    }
    for (const std::uint32_t t : slivers) {
      if (!isGone(t) && isSliver(t)) ++counts_.left;
    }
    std::erase_if(mesh_.triangles, [](const Triangle& t) { return t == kGone; });
    return counts_;
  }

 private:
  static constexpr Triangle kGone = {kNone, kNone, kNone};

  [[nodiscard]] const Triangle& at(std::uint32_t t) const { return mesh_.triangles[t]; }
  [[nodiscard]] bool isGone(std::uint32_t t) const { return at(t) == kGone; }
  [[nodiscard]] bool isSliver(std::uint32_t t) const {
    return shapeOf(mesh_, at(t)).height < heights_[t];
  }

  void dropCollapsed() { counts_.dropped += std::erase_if(mesh_.triangles, isCollapsed); }

  void link() {
    around_.resize(mesh_.positions.size());
    for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
      for (const std::uint32_t v : at(t))
        around_[v].push_back(t);
    }
  }

  void remove(std::uint32_t t) {
    for (const std::uint32_t v : at(t))
      std::erase(around_[v], t);
    mesh_.triangles[t] = kGone;
  }

  void replace(std::uint32_t t, const Triangle& corners) {
    for (const std::uint32_t v : at(t))
      std::erase(around_[v], t);
    mesh_.triangles[t] = corners;
    for (const std::uint32_t v : corners)
      around_[v].push_back(t);
    changed_.push_back(t);
  }

  [[nodiscard]] bool has(std::uint32_t t, std::uint32_t vertex) const {
    return std::find(at(t).begin(), at(t).end(), vertex) != at(t).end();
  }
  [[nodiscard]] std::vector<std::uint32_t> onEdge(std::uint32_t a, std::uint32_t b) const {
    std::vector<std::uint32_t> triangles;
    for (const std::uint32_t t : around_[a]) {
      if (has(t, b)) triangles.push_back(t);
    }
    return triangles;
  }
  [[nodiscard]] std::vector<std::uint32_t> neighboursOf(std::uint32_t vertex) const {
    std::vector<std::uint32_t> neighbours;
    for (const std::uint32_t t : around_[vertex]) {
      for (const std::uint32_t v : at(t)) {
        if (v != vertex) neighbours.push_back(v);
      }
    }
    std::sort(neighbours.begin(), neighbours.end());
    return neighbours;
  }
  /// On a rim, or where more than two triangles meet: not every edge has two.
  [[nodiscard]] bool isOnRim(std::uint32_t vertex) const {
    const std::vector<std::uint32_t> neighbours = neighboursOf(vertex);
    for (std::size_t i = 0; i < neighbours.size(); i += 2) {
      if (i + 1 == neighbours.size() || neighbours[i] != neighbours[i + 1]) return true;
      if (i + 2 < neighbours.size() && neighbours[i + 2] == neighbours[i]) return true;
    }
    return false;
  }
  [[nodiscard]] bool hasTriangleOn(std::uint32_t vertex, const Triangle& corners) const {
    return std::any_of(around_[vertex].begin(), around_[vertex].end(), [&](std::uint32_t t) {
      return has(t, corners[0]) && has(t, corners[1]) && has(t, corners[2]);
    });
  }
  /// Whether a change of corners would turn over a triangle that has an area worth the name.
  [[nodiscard]] static bool turnsOver(double height, const Shape& before, const Shape& after) {
    return before.height >= height && after.height >= height &&
           before.normal.dot(after.normal) <= 0.0;
  }

  /// Whether the ends of the edge can become one without pinching the surface.
  [[nodiscard]] bool canCollapse(std::uint32_t kept, std::uint32_t lost,
                                 const std::vector<std::uint32_t>& dying) const {
    if (dying.size() > 2) return false;
    if (dying.size() == 2 && isOnRim(kept) && isOnRim(lost)) return false;
    std::vector<std::uint32_t> shared;
    const std::vector<std::uint32_t> nearKept = neighboursOf(kept);
    const std::vector<std::uint32_t> nearLost = neighboursOf(lost);
    std::set_intersection(nearKept.begin(), nearKept.end(), nearLost.begin(), nearLost.end(),
                          std::back_inserter(shared));
    shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
    if (shared.size() != dying.size()) return false;
    return std::none_of(around_[lost].begin(), around_[lost].end(), [&](std::uint32_t t) {
      if (has(t, kept)) return false;
      const Triangle renamed = withRenamed(t, lost, kept);
      return hasTriangleOn(kept, renamed) ||
             turnsOver(heights_[t], shapeOf(mesh_, at(t)), shapeOf(mesh_, renamed));
    });
  }

  [[nodiscard]] Triangle withRenamed(std::uint32_t t, std::uint32_t from, std::uint32_t to) const {
    Triangle renamed = at(t);
    std::replace(renamed.begin(), renamed.end(), from, to);
    return renamed;
  }

  bool collapse(std::uint32_t t) {
    const Shape shape = shapeOf(mesh_, at(t));
    if (!(shape.shortestLength < 2.0 * heights_[t])) return false;
    const std::uint32_t start = at(t)[shape.shortest];
    const std::uint32_t end = at(t)[(shape.shortest + 1) % 3];
    const auto [kept, lost] = std::minmax(start, end);
    const std::vector<std::uint32_t> dying = onEdge(kept, lost);
    if (!canCollapse(kept, lost, dying)) return false;
    for (const std::uint32_t d : dying)
      remove(d);
    for (const std::uint32_t moved : std::vector<std::uint32_t>(around_[lost])) {
      replace(moved, withRenamed(moved, lost, kept));
    }
    ++counts_.collapsedEdges;
    counts_.collapsedTriangles += dying.size();
    counts_.joined.push_back({lost, kept});
    return true;
  }

  bool turn(std::uint32_t t) {
    const Shape shape = shapeOf(mesh_, at(t));
    const std::uint32_t a = at(t)[shape.longest];
    const std::uint32_t b = at(t)[(shape.longest + 1) % 3];
    const std::uint32_t m = at(t)[(shape.longest + 2) % 3];
    const std::vector<std::uint32_t> both = onEdge(a, b);
    if (both.size() != 2) return false;
    const std::uint32_t n = both[0] == t ? both[1] : both[0];
    const auto atB =
        static_cast<std::size_t>(std::find(at(n).begin(), at(n).end(), b) - at(n).begin());
    if (at(n)[(atB + 1) % 3] != a)
      return false;  // oriented the same way: not before that is mended
    const std::uint32_t o = at(n)[(atB + 2) % 3];
    if (o == m || !onEdge(m, o).empty()) return false;

    const Triangle first = {m, a, o};
    const Triangle second = {o, b, m};
    const Shape before = shapeOf(mesh_, at(n));
    const Shape afterFirst = shapeOf(mesh_, first);
    const Shape afterSecond = shapeOf(mesh_, second);
    // the lowest height grows with every turn, so turning ends
    if (!(std::min(afterFirst.height, afterSecond.height) >
          std::min(shape.height, before.height))) {
      return false;
    }
    if (turnsOver(heights_[n], before, afterFirst) || turnsOver(heights_[n], before, afterSecond)) {
      return false;
    }
    replace(t, first);
    replace(n, second);
    ++counts_.turnedEdges;
    return true;
  }

  bool dropFromRim(std::uint32_t t) {
    const std::size_t longest = shapeOf(mesh_, at(t)).longest;
    if (onEdge(at(t)[longest], at(t)[(longest + 1) % 3]).size() != 1) return false;
    remove(t);
    ++counts_.dropped;
    return true;
  }

  Mesh& mesh_;
  double height_;
  std::vector<double> heights_;  ///< of each triangle, see heightsByShell()
  RemovedSlivers counts_;
  std::vector<std::vector<std::uint32_t>> around_;  ///< triangles at each vertex
  std::vector<std::uint32_t> changed_;
};

}  // namespace

RemovedSlivers removeSlivers(Mesh& mesh, double height) {
  return Patchwork(mesh, height).run();
}

}  // namespace tactus::models
