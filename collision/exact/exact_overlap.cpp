#include "collision/exact/exact_overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "models/mesh/parallel_for.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kRounding = 0x1p-53;

// Pairs of nodes that are handed out to threads: many more than threads, so that unequal ones even
// out, and few enough that finding them takes no time.
constexpr std::size_t kTasks = 1024;

// Triangles whose plane is closer to the direction than this sine (and area) have no column: the
// volume above what they cover is below the rounding of positions.
constexpr double kVertical = 1e-13;

// A direction is good when no triangle is closer to it than this sine: the gradient loses one digit
// for each digit of its inverse, and 1e-16 / 1e-6 is still a tenth of what is promised. Of 1e5
// triangles of all orientations the closest one is at about 1e-5.
constexpr double kSteepestWanted = 1e-6;

// z_i and z_j come out of about ten operations each, on coordinates of the size of the objects.
constexpr double kTieRoundings = 64.0;

// Corners of a polygon. A triangle is cut by four lines. Each cut leaves at most half as many
// corners again (if rounding makes them alternate): 3, 4, 6, 9, 13.
constexpr std::size_t kMostCorners = 16;

// Roundings in the integral over one polygon, generously.
constexpr double kIntegralRoundings = 32.0;

/// The column under (or above) a triangle, in the turned frame.
struct Column {
  std::array<Vector2d, 3> foot;  ///< counter-clockwise
  std::array<double, 3> height;
  Vector2d slope;  ///< dz/dx, dz/dy
  Vector2d lower, upper;
  double lowest, highest;
  double sign;  ///< 1: the triangle looks up, -1: down, 0: it has no column
};

Column columnOf(const std::array<Vector3d, 3>& corners) {
  const Vector3d u = corners[1] - corners[0];
  const Vector3d v = corners[2] - corners[0];
  const Vector3d normal = u.cross(v);
  const double longest =
      std::max({u.squaredNorm(), v.squaredNorm(), (corners[2] - corners[1]).squaredNorm()});
  Column column;
  column.sign = 0.0;
  if (!(std::fabs(normal.z()) > kVertical * longest)) return column;
  column.sign = normal.z() > 0.0 ? 1.0 : -1.0;
  column.slope = -normal.head<2>() / normal.z();
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d& corner = corners[column.sign > 0.0 ? k : 2 - k];
    column.foot[k] = corner.head<2>();
    column.height[k] = corner.z();
  }
  column.lower = column.foot[0].cwiseMin(column.foot[1]).cwiseMin(column.foot[2]);
  column.upper = column.foot[0].cwiseMax(column.foot[1]).cwiseMax(column.foot[2]);
  const auto [lowest, highest] = std::minmax_element(column.height.begin(), column.height.end());
  column.lowest = *lowest;
  column.highest = *highest;
  return column;
}

/// A corner of P_ij: where it is, and the heights of both triangles there.
struct Corner {
  Vector2d at;
  double top, bottom;

  [[nodiscard]] double gap() const noexcept { return top - bottom; }
};

/// A convex polygon, counter-clockwise.
class Polygon {
 public:
  explicit Polygon(const Column& column) {
    for (std::size_t k = 0; k < 3; ++k)
      corners_[k] = {column.foot[k], column.height[k], 0.0};
    count_ = 3;
  }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] Corner& operator[](std::size_t k) noexcept { return corners_[k]; }
  [[nodiscard]] const Corner& operator[](std::size_t k) const noexcept { return corners_[k]; }

  /// Keeps the part where sideOf(corner), which must be linear, is not negative.
  template <typename SideOf>
  void cut(const SideOf& sideOf) noexcept {
    std::array<double, kMostCorners> side;
    bool isWhole = true;
    for (std::size_t k = 0; k < count_; ++k) {
      side[k] = sideOf(corners_[k]);
      isWhole = isWhole && side[k] >= 0.0;
    }
    if (isWhole) return;
    std::array<Corner, kMostCorners> kept;
    std::size_t keptCount = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      const std::size_t next = k + 1 == count_ ? 0 : k + 1;
      if (side[k] >= 0.0) kept[keptCount++] = corners_[k];
      if ((side[k] >= 0.0) == (side[next] >= 0.0)) continue;
      const double t = side[k] / (side[k] - side[next]);
      const Corner& from = corners_[k];
      const Corner& to = corners_[next];
      kept[keptCount++] = {from.at + t * (to.at - from.at), from.top + t * (to.top - from.top),
                           from.bottom + t * (to.bottom - from.bottom)};
    }
    std::copy_n(kept.begin(), keptCount, corners_.begin());
    count_ = keptCount;
  }

 private:
  std::array<Corner, kMostCorners> corners_;
  std::size_t count_ = 0;
};

double cross(const Vector2d& u, const Vector2d& v) noexcept {
  return u.x() * v.y() - u.y() * v.x();
}

/// P_ij, with the heights of both triangles. Heights of A come along with its corners, so that they
/// stay between them however steep it is; those of B are read off its plane, within its corners'.
Polygon commonProjection(const Column& a, const Column& b) noexcept {
  Polygon polygon(a);
  for (std::size_t k = 0; k < 3 && polygon.count() != 0; ++k) {
    const Vector2d& from = b.foot[k];
    const Vector2d along = b.foot[(k + 1) % 3] - from;
    polygon.cut([&](const Corner& corner) { return cross(along, corner.at - from); });
  }
  for (std::size_t k = 0; k < polygon.count(); ++k) {
    const double onPlane = b.height[0] + b.slope.dot(polygon[k].at - b.foot[0]);
    polygon[k].bottom = std::clamp(onPlane, b.lowest, b.highest);
  }
  return polygon;
}

/// Everything that is summed, as one array: volume, first moments of the volume, force, torque
/// about the frame's zero, and the bound on the volume's error.
using Terms = Eigen::Array<double, 11, 1>;
constexpr int kVolume = 0, kMoment = 1, kForce = 4, kTorque = 7, kError = 10;

/// Sums that remember what rounding lost (Neumaier).
class CompensatedTerms {
 public:
  void add(const Terms& terms) noexcept {
    const Terms next = sum_ + terms;
    lost_ += (sum_.abs() >= terms.abs()).select((sum_ - next) + terms, (terms - next) + sum_);
    sum_ = next;
  }
  [[nodiscard]] Terms value() const noexcept { return sum_ + lost_; }

 private:
  Terms sum_ = Terms::Zero(), lost_ = Terms::Zero();
};

/// Integrals over a polygon, which is cut into a fan of triangles at its first corner.
struct PolygonIntegrals {
  double area = 0.0;
  double gap = 0.0;                           ///< of z_i - z_j
  Vector3d gapMoment = Vector3d::Zero();      ///< of (x, y, z) over the column between them
  Vector3d surfaceMoment = Vector3d::Zero();  ///< of (x, y, z_i)

  explicit PolygonIntegrals(const Polygon& polygon) noexcept {
    for (std::size_t k = 1; k + 1 < polygon.count(); ++k)
      addTriangle(polygon[0], polygon[k], polygon[k + 1]);
  }

 private:
  void addTriangle(const Corner& p, const Corner& q, const Corner& r) noexcept {
    const double twice = cross(q.at - p.at, r.at - p.at);
    const double gaps = p.gap() + q.gap() + r.gap();
    area += twice / 2.0;
    gap += twice / 6.0 * gaps;
    // integral of z over a column is its length times its middle, so all three moments are
    // integrals of a product of linear functions: area / 12 (sum f sum g + sum of f g)
    const auto middle = [](const Corner& c) {
      return Vector3d(c.at.x(), c.at.y(), 0.5 * (c.top + c.bottom));
    };
    const Vector3d a = middle(p);
    const Vector3d b = middle(q);
    const Vector3d c = middle(r);
    gapMoment += twice / 24.0 * (gaps * (a + b + c) + p.gap() * a + q.gap() * b + r.gap() * c);
    const Vector2d feet = p.at + q.at + r.at;
    surfaceMoment += twice / 6.0 * Vector3d(feet.x(), feet.y(), p.top + q.top + r.top);
  }
};

/// What is common to all pairs.
struct Scale {
  double reach;  ///< no coordinate is larger [m]
};

/// Adds one pair's terms; false if there are none.
bool addPair(const Column& a, const Column& b, const Scale& scale, Terms& terms) noexcept {
  Polygon polygon = commonProjection(a, b);
  if (polygon.count() < 3) return false;
  double least = polygon[0].gap();
  double most = least;
  for (std::size_t k = 1; k < polygon.count(); ++k) {
    least = std::min(least, polygon[k].gap());
    most = std::max(most, polygon[k].gap());
  }
  const double steepness = 1.0 + a.slope.lpNorm<1>() + b.slope.lpNorm<1>();
  const double tie = kTieRoundings * kRounding * scale.reach * steepness;
  if (most < -tie) return false;
  // coinciding faces: which of them is on top is rounding's choice, so each is for one half
  const bool isTie = least >= -tie && most <= tie;
  if (!isTie) {
    if (!(most > 0.0)) return false;
    if (least < 0.0) polygon.cut([](const Corner& corner) { return corner.gap(); });
    if (polygon.count() < 3) return false;
  }

  const PolygonIntegrals integrals(polygon);
  const double sign = -a.sign * b.sign;
  const Vector3d normal(-a.slope.x(), -a.slope.y(), 1.0);
  const double share = isTie ? 0.5 * sign : sign;
  if (!isTie) {
    terms[kVolume] += sign * integrals.gap;
    terms.segment<3>(kMoment) += sign * integrals.gapMoment.array();
  }
  terms.segment<3>(kForce) += share * integrals.area * normal.array();
  terms.segment<3>(kTorque) += share * integrals.surfaceMoment.cross(normal).array();

  // corners are off by a few roundings of the coordinates, which moves each side of the polygon by
  // as much, and the heights by that times the slopes
  const Vector2d size = a.upper.cwiseMin(b.upper) - a.lower.cwiseMax(b.lower);
  terms[kError] += kIntegralRoundings * kRounding * scale.reach *
                   (size.sum() * std::max(most, tie) + std::fabs(integrals.area) * steepness);
  return true;
}

/// A pair of nodes of the two hierarchies.
struct NodePair {
  std::uint32_t a, b;
};

/// The whole problem in the turned frame.
class Columns {
 public:
  Columns(const ExactBody& a, const ExactBody& b, const PosedTriangles& posedA,
          const PosedTriangles& posedB, unsigned threads)
      : nodesA_(a.hierarchy.nodes),
        nodesB_(b.hierarchy.nodes),
        boxesA_(posedA.boxes),
        boxesB_(posedB.boxes),
        columnsA_(columnsOf(posedA, threads)),
        columnsB_(columnsOf(posedB, threads)) {
    double reach = 0.0;
    for (const PosedBox* box : {&boxesA_.front(), &boxesB_.front()}) {
      reach = std::max({reach, box->lower.cwiseAbs().maxCoeff(), box->upper.cwiseAbs().maxCoeff()});
    }
    scale_.reach = reach;
  }

  /// Sums over all pairs. `pairs` counts those that add anything.
  [[nodiscard]] Terms sum(unsigned threads, std::uint64_t& pairs) const {
    const std::vector<NodePair> tasks = cutIntoTasks();
    std::vector<Terms> parts(tasks.size());
    std::vector<std::uint64_t> counts(tasks.size(), 0);
    models::parallelFor(tasks.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t)
        parts[t] = sumBelow(tasks[t], counts[t]);
    });
    CompensatedTerms total;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      total.add(parts[t]);
      pairs += counts[t];
    }
    return total.value();
  }

 private:
  static std::vector<Column> columnsOf(const PosedTriangles& posed, unsigned threads) {
    constexpr std::size_t kBlock = 4096;
    std::vector<Column> columns(posed.corners.size());
    models::parallelFor(columns.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t)
        columns[t] = columnOf(posed.corners[t]);
    });
    return columns;
  }

  /// Whether some triangle of A may be above one of B: as high is enough, faces may coincide.
  [[nodiscard]] bool mayAdd(const NodePair& pair) const noexcept {
    const PosedBox& a = boxesA_[pair.a];
    const PosedBox& b = boxesB_[pair.b];
    return a.lower.x() < b.upper.x() && b.lower.x() < a.upper.x() && a.lower.y() < b.upper.y() &&
           b.lower.y() < a.upper.y() &&
           a.upper.z() >= b.lower.z() - kTieRoundings * kRounding * scale_.reach;
  }

  [[nodiscard]] bool isLeafPair(const NodePair& pair) const noexcept {
    return nodesA_[pair.a].isLeaf() && nodesB_[pair.b].isLeaf();
  }

  /// The two halves of a pair, of which the node that is wider in the projection is opened.
  [[nodiscard]] std::array<NodePair, 2> halves(const NodePair& pair) const noexcept {
    const models::BvhNode& a = nodesA_[pair.a];
    const models::BvhNode& b = nodesB_[pair.b];
    const auto width = [](const PosedBox& box) {
      return (box.upper - box.lower).head<2>().squaredNorm();
    };
    const bool opensA =
        b.isLeaf() || (!a.isLeaf() && width(boxesA_[pair.a]) >= width(boxesB_[pair.b]));
    if (opensA) return {NodePair{a.first, pair.b}, NodePair{a.first + 1, pair.b}};
    return {NodePair{pair.a, b.first}, NodePair{pair.a, b.first + 1}};
  }

  /// Opens level after level until there are enough pairs of nodes.
  [[nodiscard]] std::vector<NodePair> cutIntoTasks() const {
    std::vector<NodePair> tasks;
    if (mayAdd({0, 0})) tasks.push_back({0, 0});
    bool grows = !tasks.empty();
    while (grows && tasks.size() < kTasks) {
      std::vector<NodePair> next;
      grows = false;
      for (const NodePair& pair : tasks) {
        if (isLeafPair(pair)) {
          next.push_back(pair);
          continue;
        }
        grows = true;
        for (const NodePair& half : halves(pair)) {
          if (mayAdd(half)) next.push_back(half);
        }
      }
      tasks = std::move(next);
    }
    return tasks;
  }

  [[nodiscard]] Terms sumBelow(const NodePair& task, std::uint64_t& count) const {
    CompensatedTerms sum;
    // each step takes one pair and leaves at most two; a path opens each hierarchy once a level
    std::array<NodePair, 2 * models::TriangleBvh::kMaxDepth + 2> waiting;
    std::size_t waitingCount = 0;
    waiting[waitingCount++] = task;
    while (waitingCount != 0) {
      const NodePair pair = waiting[--waitingCount];
      if (isLeafPair(pair)) {
        Terms terms = Terms::Zero();
        count += addLeaves(nodesA_[pair.a], nodesB_[pair.b], terms);
        sum.add(terms);
        continue;
      }
      for (const NodePair& half : halves(pair)) {
        if (mayAdd(half)) waiting[waitingCount++] = half;
      }
    }
    return sum.value();
  }

  std::uint64_t addLeaves(const models::BvhNode& leafA, const models::BvhNode& leafB,
                          Terms& terms) const noexcept {
    std::uint64_t added = 0;
    for (std::uint32_t i = leafA.first; i < leafA.first + leafA.count; ++i) {
      const Column& a = columnsA_[i];
      if (a.sign == 0.0) continue;
      for (std::uint32_t j = leafB.first; j < leafB.first + leafB.count; ++j) {
        const Column& b = columnsB_[j];
        const bool overlaps = b.sign != 0.0 && a.lower.x() < b.upper.x() &&
                              b.lower.x() < a.upper.x() && a.lower.y() < b.upper.y() &&
                              b.lower.y() < a.upper.y() &&
                              a.highest >= b.lowest - kTieRoundings * kRounding * scale_.reach;
        if (overlaps && addPair(a, b, scale_, terms)) ++added;
      }
    }
    return added;
  }

  const std::vector<models::BvhNode>& nodesA_;
  const std::vector<models::BvhNode>& nodesB_;
  const std::vector<PosedBox>& boxesA_;
  const std::vector<PosedBox>& boxesB_;
  std::vector<Column> columnsA_, columnsB_;
  Scale scale_{};
};

/// The 26 directions to the neighbours of a cell, turned so that none is along an axis, a diagonal
/// or any other direction in which objects like to have faces.
std::array<Vector3d, 26> candidateDirections() {
  const Matrix3d turn = Eigen::Quaterniond(0.8137, 0.2129, -0.3411, 0.4193).normalized().matrix();
  std::array<Vector3d, 26> directions;
  std::size_t count = 0;
  for (int cell = 0; cell < 27; ++cell) {
    const std::array<int, 3> step{cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1};
    const Vector3d to(step[0], step[1], step[2]);
    if (cell != 13) directions[count++] = turn * to.normalized();
  }
  return directions;
}

/// The mesh's extent along a direction in its own frame, in its float coordinates.
double highestAlong(const models::Mesh& mesh, const Vector3d& direction) {
  double highest = -std::numeric_limits<double>::infinity();
  for (const Eigen::Vector3f& position : mesh.positions)
    highest = std::max(highest, position.cast<double>().dot(direction));
  return highest;
}

/// Sine of the angle between the direction and the triangle's plane that it is closest to.
double gentleness(const models::Mesh& mesh, const Vector3d& direction) {
  double least = 1.0;
  for (const models::Triangle& t : mesh.triangles) {
    const Vector3d p = mesh.positions[t[0]].cast<double>();
    const Vector3d normal =
        (mesh.positions[t[1]].cast<double>() - p).cross(mesh.positions[t[2]].cast<double>() - p);
    const double length = normal.norm();
    if (length > 0.0) least = std::min(least, std::fabs(normal.dot(direction)) / length);
  }
  return least;
}

/// A direction in A's frame, and how deep B reaches below A's highest point along it.
struct Direction {
  Vector3d up = Vector3d::UnitZ();
  double depth = 0.0;
};

Direction chooseDirection(const ExactBody& a, const ExactBody& b, const Isometry3d& aFromB,
                          unsigned threads) {
  const std::array<Vector3d, 26> directions = candidateDirections();
  const Matrix3d bFromA = aFromB.linear().transpose();
  const Vector3d originOfB = aFromB * b.mesh.origin - a.mesh.origin;
  std::array<Direction, 26> candidates;
  models::parallelFor(directions.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const Vector3d& up = directions[k];
      const double lowestOfB = -highestAlong(b.mesh, -(bFromA * up)) + originOfB.dot(up);
      candidates[k] = {up, highestAlong(a.mesh, up) - lowestOfB};
    }
  });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Direction& l, const Direction& r) { return l.depth < r.depth; });
  Direction best = candidates.front();
  double bestGentleness = -1.0;
  for (const Direction& candidate : candidates) {
    const double gentle =
        std::min(gentleness(a.mesh, candidate.up), gentleness(b.mesh, bFromA * candidate.up));
    if (gentle > bestGentleness) {
      best = candidate;
      bestGentleness = gentle;
    }
    if (gentle >= kSteepestWanted) break;
  }
  return best;
}

/// The rotation that turns `up` into z.
Matrix3d turnToZ(const Vector3d& up) {
  int least = 0;
  up.cwiseAbs().minCoeff(&least);
  const Vector3d x = up.cross(Vector3d::Unit(least)).normalized();
  Matrix3d turn;
  turn << x.transpose(), up.cross(x).transpose(), up.transpose();
  return turn;
}

/// Middle of what two boxes share, B's box being put around B in A's frame.
Vector3d middleOfBoth(const ExactBody& a, const ExactBody& b, const Isometry3d& aFromB) {
  const Vector3d middle = aFromB * b.bounds.centre();
  const Vector3d half = aFromB.linear().cwiseAbs() * (0.5 * (b.bounds.upper - b.bounds.lower));
  const Vector3d lower = a.bounds.lower.cwiseMax(middle - half);
  const Vector3d upper = a.bounds.upper.cwiseMin(middle + half);
  return 0.5 * (lower + upper);
}

}  // namespace

ExactOverlap exactOverlap(const ExactBody& a, const ExactBody& b, const Isometry3d& aFromB,
                          unsigned threads) {
  ExactOverlap overlap;
  if (a.hierarchy.nodes.empty() || b.hierarchy.nodes.empty()) return overlap;
  const Direction direction = chooseDirection(a, b, aFromB, threads);

  const Matrix3d turn = turnToZ(direction.up);
  const Matrix3d rotation = aFromB.linear();
  const Vector3d centre = middleOfBoth(a, b, aFromB);
  const PosedTriangles posedA = posedTriangles(a, turn, centre, threads);
  const PosedTriangles posedB = posedTriangles(
      b, turn * rotation, rotation.transpose() * (centre - aFromB.translation()), threads);
  const Columns columns(a, b, posedA, posedB, threads);
  const Terms terms = columns.sum(threads, overlap.pairs);

  overlap.volumeError = terms[kError];
  if (!(terms[kVolume] > overlap.volumeError)) return overlap;
  overlap.volume = terms[kVolume];
  const Vector3d moment = terms.segment<3>(kMoment).matrix();
  const Vector3d force = terms.segment<3>(kForce).matrix();
  const Vector3d torque = terms.segment<3>(kTorque).matrix();
  overlap.centroid = centre + turn.transpose() * (moment / overlap.volume);
  overlap.force = turn.transpose() * force;
  overlap.torque = turn.transpose() * torque + (centre - aFromB.translation()).cross(overlap.force);
  return overlap;
}

}  // namespace tactus::collision
