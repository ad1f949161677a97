#include "models/parametric/planar_fill.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tactus::models {
namespace {

__extension__ using Wide = __int128;

// Coordinates are rounded to this many steps across the polygon: 7 nm on a model of 120 mm, a
// ten-thousandth of the shortest edge at a million triangles.
constexpr double kGrid = 1 << 24;

// The first triangle holds the whole grid with room to spare. With differences of 2^28 the circle
// test needs 2^28 * 2^28 * 2^57 * 6 < 2^116, which 128 bits hold.
constexpr std::int64_t kFar = std::int64_t{1} << 26;

// Lattice points nearer to a side than this share of the edge length are left out: on an even row
// of points the best height for triangles is 0.87, and gaps of up to 1.5 are closed by smoothing.
constexpr double kClearance = 0.65;

// Rounds of smoothing. The first three do nearly all (smallest angle 26 -> 34 degrees on the gear).
constexpr int kSmoothingRounds = 5;

constexpr double kEquilateral = 0.86602540378443865;

struct GridPoint {
  std::int64_t x = 0, y = 0;
};

/// Twice the signed area; positive when a, b, c run counter-clockwise.
std::int64_t orientation(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Whether d lies strictly inside the circle through a, b, c, which run counter-clockwise.
bool insideCircle(const GridPoint& a, const GridPoint& b, const GridPoint& c, const GridPoint& d) {
  const std::int64_t ax = a.x - d.x;
  const std::int64_t ay = a.y - d.y;
  const std::int64_t bx = b.x - d.x;
  const std::int64_t by = b.y - d.y;
  const std::int64_t cx = c.x - d.x;
  const std::int64_t cy = c.y - d.y;
  const Wide aa = static_cast<Wide>(ax * ax + ay * ay) * (bx * cy - by * cx);
  const Wide bb = static_cast<Wide>(bx * bx + by * by) * (cx * ay - cy * ax);
  const Wide cc = static_cast<Wide>(cx * cx + cy * cy) * (ax * by - ay * bx);
  return aa + bb + cc > 0;
}

/// Place of a point along the Hilbert curve over the grid, on 12 bits a side.
std::uint32_t hilbertPlace(const GridPoint& p) {
  auto x = static_cast<std::uint32_t>(p.x >> 12);
  auto y = static_cast<std::uint32_t>(p.y >> 12);
  std::uint32_t place = 0;
  for (std::uint32_t s = 1U << 12; s > 0; s >>= 1) {
    const bool right = (x & s) != 0;
    const bool up = (y & s) != 0;
    place = place * 4 + (right ? (up ? 2U : 3U) : (up ? 1U : 0U));
    if (!up) {
      if (right) {
        x = ~x;
        y = ~y;
      }
      std::swap(x, y);
    }
  }
  return place;
}

int next(int i) {
  return i == 2 ? 0 : i + 1;
}
int previous(int i) {
  return i == 0 ? 2 : i - 1;
}

/// A triangulation that is changed by insertion and flips. Side i of a face lies opposite corner i.
class Triangulation {
 public:
  explicit Triangulation(std::vector<GridPoint> points) : points_(std::move(points)) {
    const int n = static_cast<int>(points_.size());
    points_.push_back({-kFar, -kFar});
    points_.push_back({3 * kFar, -kFar});
    points_.push_back({-kFar, 3 * kFar});
    faceAt_.assign(points_.size(), 0);
    faces_.push_back({{n, n + 1, n + 2}, {-1, -1, -1}, {}});
    insertAll(n);
  }

  /// Makes the segment between two points an edge that no flip removes.
  void demandEdge(int a, int b) {
    winBackEdge(a, b);
    const auto [face, side] = findEdge(a, b);
    fixSide(face, side);
  }

  /// Marks the faces that cannot be reached from outside without crossing a demanded edge.
  void markInside() {
    inside_.assign(faces_.size(), true);
    std::vector<int> stack{faceAt_[points_.size() - 1]};
    inside_[at(stack.front())] = false;
    while (!stack.empty()) {
      const Face face = faces_[at(stack.back())];
      stack.pop_back();
      for (std::size_t side = 0; side < 3; ++side) {
        const int other = face.neighbour[side];
        if (other < 0 || face.fixed[side] || !inside_[at(other)]) continue;
        inside_[at(other)] = false;
        stack.push_back(other);
      }
    }
  }

  /// Flips until every edge inside that may be flipped is Delaunay.
  void restoreDelaunay() {
    std::vector<int> pending;
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      if (inside_[f]) pending.push_back(static_cast<int>(f));
    }
    legalize(pending);
  }

  /// Moves the points from `firstFree` on to the mean of their neighbours; a face that would turn
  /// over keeps its corners where they were.
  void smooth(std::size_t firstFree) {
    struct Mean {
      std::int64_t x = 0, y = 0, count = 0;
    };
    std::vector<Mean> means(points_.size());
    for (const Triangle& t : insideTriangles()) {
      for (std::size_t i = 0; i < 3; ++i) {
        Mean& mean = means[t[i]];
        for (const std::size_t j : {(i + 1) % 3, (i + 2) % 3}) {
          mean.x += points_[t[j]].x;
          mean.y += points_[t[j]].y;
        }
        mean.count += 2;
      }
    }
    const std::vector<GridPoint> before = points_;
    for (std::size_t k = firstFree; k + 3 < points_.size(); ++k) {
      if (means[k].count > 0)
        points_[k] = {means[k].x / means[k].count, means[k].y / means[k].count};
    }
    for (bool turned = true; turned;) {
      turned = false;
      for (const Triangle& t : insideTriangles()) {
        if (orientation(points_[t[0]], points_[t[1]], points_[t[2]]) > 0) continue;
        for (const std::uint32_t v : t)
          points_[v] = before[v];
        turned = true;
      }
    }
  }

  [[nodiscard]] std::vector<Triangle> insideTriangles() const {
    std::vector<Triangle> triangles;
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      if (!inside_[f]) continue;
      const auto& v = faces_[f].corner;
      triangles.push_back({static_cast<std::uint32_t>(v[0]), static_cast<std::uint32_t>(v[1]),
                           static_cast<std::uint32_t>(v[2])});
    }
    return triangles;
  }

  [[nodiscard]] const GridPoint& point(std::size_t k) const { return points_[k]; }

 private:
  struct Face {
    std::array<int, 3> corner{};
    std::array<int, 3> neighbour{};
    std::array<bool, 3> fixed{};
  };
  struct Side {
    int face = -1;
    int side = 0;
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] int corner(int face, int i) const { return faces_[at(face)].corner[at(i)]; }
  [[nodiscard]] int neighbour(int face, int i) const { return faces_[at(face)].neighbour[at(i)]; }
  [[nodiscard]] const GridPoint& cornerPoint(int face, int i) const {
    return points_[at(corner(face, i))];
  }
  [[nodiscard]] bool isFixed(int face, int i) const { return faces_[at(face)].fixed[at(i)]; }

  [[nodiscard]] int cornerIndex(int face, int vertex) const {
    return corner(face, 0) == vertex ? 0 : corner(face, 1) == vertex ? 1 : 2;
  }
  [[nodiscard]] int sideTowards(int face, int other) const {
    return neighbour(face, 0) == other ? 0 : neighbour(face, 1) == other ? 1 : 2;
  }

  void insertAll(int count) {
    std::vector<std::pair<std::uint32_t, int>> order;
    order.reserve(at(count));
    for (int k = 0; k < count; ++k)
      order.emplace_back(hilbertPlace(points_[at(k)]), k);
    std::sort(order.begin(), order.end());
    inside_.assign(1, true);
    std::vector<int> pending;
    int face = 0;
    for (const auto& [place, vertex] : order) {
      face = locate(face, points_[at(vertex)]);
      split(face, vertex);
      pending = {face, static_cast<int>(faces_.size()) - 2, static_cast<int>(faces_.size()) - 1};
      legalize(pending);
      face = faceAt_[at(vertex)];
    }
  }

  /// Walks towards the point until no side has it on its outer hand.
  [[nodiscard]] int locate(int face, const GridPoint& p) const {
    for (;;) {
      int across = -1;
      for (int i = 0; i < 3 && across < 0; ++i) {
        if (orientation(cornerPoint(face, next(i)), cornerPoint(face, previous(i)), p) < 0) {
          across = neighbour(face, i);
        }
      }
      if (across < 0) return face;
      face = across;
    }
  }

  void split(int face, int vertex) {
    const Face old = faces_[at(face)];
    const int second = static_cast<int>(faces_.size());
    const int third = second + 1;
    const auto& v = old.corner;
    const auto& n = old.neighbour;
    faces_[at(face)] = {{v[0], v[1], vertex}, {second, third, n[2]}, {false, false, old.fixed[2]}};
    faces_.push_back({{v[1], v[2], vertex}, {third, face, n[0]}, {false, false, old.fixed[0]}});
    faces_.push_back({{v[2], v[0], vertex}, {face, second, n[1]}, {false, false, old.fixed[1]}});
    inside_.resize(faces_.size(), true);
    if (n[0] >= 0) faces_[at(n[0])].neighbour[at(sideTowards(n[0], face))] = second;
    if (n[1] >= 0) faces_[at(n[1])].neighbour[at(sideTowards(n[1], face))] = third;
    faceAt_[at(v[0])] = faceAt_[at(v[1])] = faceAt_[at(vertex)] = face;
    faceAt_[at(v[2])] = second;
  }

  /// Turns the diagonal of the quadrangle of two faces.
  void flip(int face, int side) {
    const int other = neighbour(face, side);
    const int back = sideTowards(other, face);
    const Face f = faces_[at(face)];
    const Face g = faces_[at(other)];
    const int a = f.corner[at(side)];
    const int b = f.corner[at(next(side))];
    const int c = f.corner[at(previous(side))];
    const int d = g.corner[at(back)];
    // Sides of the quadrangle a, b, d, c: ab and ca belong to f, bd and dc to g.
    const int ab = previous(side);
    const int ca = next(side);
    const int bd = next(back);
    const int dc = previous(back);
    faces_[at(face)] = {{a, b, d},
                        {g.neighbour[at(bd)], other, f.neighbour[at(ab)]},
                        {g.fixed[at(bd)], false, f.fixed[at(ab)]}};
    faces_[at(other)] = {{a, d, c},
                         {g.neighbour[at(dc)], f.neighbour[at(ca)], face},
                         {g.fixed[at(dc)], f.fixed[at(ca)], false}};
    const int overBd = g.neighbour[at(bd)];
    const int overCa = f.neighbour[at(ca)];
    if (overBd >= 0) faces_[at(overBd)].neighbour[at(sideTowards(overBd, other))] = face;
    if (overCa >= 0) faces_[at(overCa)].neighbour[at(sideTowards(overCa, face))] = other;
    faceAt_[at(a)] = faceAt_[at(b)] = face;
    faceAt_[at(c)] = faceAt_[at(d)] = other;
  }

  void legalize(std::vector<int>& pending) {
    while (!pending.empty()) {
      const int face = pending.back();
      pending.pop_back();
      for (int side = 0; side < 3; ++side) {
        const int other = neighbour(face, side);
        if (other < 0 || isFixed(face, side) || !inside_[at(other)]) continue;
        const GridPoint& far = cornerPoint(other, sideTowards(other, face));
        if (!insideCircle(cornerPoint(face, 0), cornerPoint(face, 1), cornerPoint(face, 2), far)) {
          continue;
        }
        flip(face, side);
        pending.push_back(face);
        pending.push_back(other);
        break;
      }
    }
  }

  /// The face and side with the corners a and b, face -1 if there is none.
  [[nodiscard]] Side findEdge(int a, int b) const {
    const int first = faceAt_[at(a)];
    int face = first;
    do {
      const int i = cornerIndex(face, a);
      if (corner(face, next(i)) == b) return {face, previous(i)};
      if (corner(face, previous(i)) == b) return {face, next(i)};
      face = neighbour(face, next(i));
    } while (face != first && face >= 0);
    return {};
  }

  void fixSide(int face, int side) {
    const int other = neighbour(face, side);
    faces_[at(face)].fixed[at(side)] = true;
    faces_[at(other)].fixed[at(sideTowards(other, face))] = true;
  }

  /// The edges that cross the segment from a to b, by their end points.
  [[nodiscard]] std::vector<std::pair<int, int>> edgesAcross(int a, int b) const {
    const GridPoint& from = points_[at(a)];
    const GridPoint& to = points_[at(b)];
    // The face at a through whose far side the segment leaves.
    int face = faceAt_[at(a)];
    int side = cornerIndex(face, a);
    while (orientation(from, cornerPoint(face, next(side)), to) <= 0 ||
           orientation(from, cornerPoint(face, previous(side)), to) >= 0) {
      face = neighbour(face, next(side));
      side = cornerIndex(face, a);
    }
    std::vector<std::pair<int, int>> edges;
    for (;;) {
      edges.emplace_back(corner(face, next(side)), corner(face, previous(side)));
      const int other = neighbour(face, side);
      const int back = sideTowards(other, face);
      if (corner(other, back) == b) return edges;
      const bool farIsLeft = orientation(from, to, cornerPoint(other, back)) > 0;
      face = other;
      side = farIsLeft ? next(back) : previous(back);
    }
  }

  /// Flips the edges that cross the segment until none is left. One whose quadrangle is not convex,
  /// or whose other diagonal crosses the segment too, waits at the end of the queue.
  void winBackEdge(int a, int b) {
    if (findEdge(a, b).face >= 0) return;
    std::vector<std::pair<int, int>> queue = edgesAcross(a, b);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::pair<int, int> edge = queue[head];
      const auto [face, side] = findEdge(edge.first, edge.second);
      const int other = neighbour(face, side);
      const int far = corner(other, sideTowards(other, face));
      const int near = corner(face, side);
      const GridPoint& p = points_[at(near)];
      const GridPoint& q = points_[at(far)];
      if (orientation(p, cornerPoint(face, next(side)), q) <= 0 ||
          orientation(p, q, cornerPoint(face, previous(side))) <= 0) {
        queue.push_back(edge);
        continue;
      }
      flip(face, side);
      const GridPoint& from = points_[at(a)];
      const GridPoint& to = points_[at(b)];
      const bool apart = near != a && near != b && far != a && far != b;
      if (apart && (orientation(from, to, p) > 0) != (orientation(from, to, q) > 0)) {
        queue.emplace_back(near, far);
      }
    }
  }

  std::vector<GridPoint> points_;
  std::vector<Face> faces_;
  std::vector<bool> inside_;
  std::vector<int> faceAt_;  ///< some face at each point
};

/// Sides of the polygon sorted into square cells, to ask for the distance of a point.
class NearSides {
 public:
  NearSides(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& lower,
            const Eigen::Vector2d& upper, double reach)
      : polygon_(polygon), lower_(lower), cell_(reach) {
    width_ = static_cast<std::int64_t>((upper.x() - lower.x()) / cell_) + 1;
    height_ = static_cast<std::int64_t>((upper.y() - lower.y()) / cell_) + 1;
    cells_.resize(static_cast<std::size_t>(width_ * height_));
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Eigen::Vector2d& a = polygon[k];
      const Eigen::Vector2d& b = polygon[(k + 1) % polygon.size()];
      const auto low = cellOf(a.cwiseMin(b) - Eigen::Vector2d::Constant(reach));
      const auto high = cellOf(a.cwiseMax(b) + Eigen::Vector2d::Constant(reach));
      for (std::int64_t j = low[1]; j <= high[1]; ++j) {
        for (std::int64_t i = low[0]; i <= high[0]; ++i) {
          cells_[static_cast<std::size_t>(j * width_ + i)].push_back(k);
        }
      }
    }
  }

  /// Whether a side is nearer than the reach.
  [[nodiscard]] bool isNear(const Eigen::Vector2d& p) const {
    const auto cell = cellOf(p);
    for (const std::size_t k : cells_[static_cast<std::size_t>(cell[1] * width_ + cell[0])]) {
      const Eigen::Vector2d& a = polygon_[k];
      const Eigen::Vector2d along = polygon_[(k + 1) % polygon_.size()] - a;
      const double t = std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
      if ((p - a - t * along).squaredNorm() < cell_ * cell_) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] std::array<std::int64_t, 2> cellOf(const Eigen::Vector2d& p) const {
    const auto i = static_cast<std::int64_t>(std::floor((p.x() - lower_.x()) / cell_));
    const auto j = static_cast<std::int64_t>(std::floor((p.y() - lower_.y()) / cell_));
    return {std::clamp<std::int64_t>(i, 0, width_ - 1),
            std::clamp<std::int64_t>(j, 0, height_ - 1)};
  }

  std::span<const Eigen::Vector2d> polygon_;
  Eigen::Vector2d lower_;
  double cell_;
  std::int64_t width_ = 0, height_ = 0;
  std::vector<std::vector<std::size_t>> cells_;
};

/// Where the line y = height crosses the polygon, ascending.
std::vector<double> crossings(std::span<const Eigen::Vector2d> polygon, double height) {
  std::vector<double> xs;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Eigen::Vector2d& a = polygon[k];
    const Eigen::Vector2d& b = polygon[(k + 1) % polygon.size()];
    if ((a.y() <= height) == (b.y() <= height)) continue;
    xs.push_back(a.x() + (b.x() - a.x()) * (height - a.y()) / (b.y() - a.y()));
  }
  std::sort(xs.begin(), xs.end());
  return xs;
}

/// Points of a triangular lattice inside the polygon that keep their distance from its sides. The
/// lattice has a point at (0, 0), so that a polygon symmetric about an axis gets symmetric points.
std::vector<Eigen::Vector2d> latticeInside(std::span<const Eigen::Vector2d> polygon, double edge,
                                           const Eigen::Vector2d& lower,
                                           const Eigen::Vector2d& upper) {
  const NearSides sides(polygon, lower, upper, kClearance * edge);
  std::vector<Eigen::Vector2d> points;
  const double rise = kEquilateral * edge;
  const auto lastRow = static_cast<std::int64_t>(std::floor(upper.y() / rise));
  for (auto row = static_cast<std::int64_t>(std::ceil(lower.y() / rise)); row <= lastRow; ++row) {
    const double y = static_cast<double>(row) * rise;
    const double shift = row % 2 == 0 ? 0.0 : 0.5;
    const std::vector<double> xs = crossings(polygon, y);
    for (std::size_t k = 0; k + 1 < xs.size(); k += 2) {
      const auto last = static_cast<std::int64_t>(std::floor(xs[k + 1] / edge - shift));
      for (auto i = static_cast<std::int64_t>(std::ceil(xs[k] / edge - shift)); i <= last; ++i) {
        const Eigen::Vector2d p((static_cast<double>(i) + shift) * edge, y);
        if (!sides.isNear(p)) points.push_back(p);
      }
    }
  }
  return points;
}

}  // namespace

PlanarFill fillPolygon(std::span<const Eigen::Vector2d> polygon, double edge) {
  Eigen::Vector2d lower = polygon.front();
  Eigen::Vector2d upper = polygon.front();
  for (const Eigen::Vector2d& p : polygon) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  PlanarFill fill;
  fill.inside = latticeInside(polygon, edge, lower, upper);

  const double step = (upper - lower).maxCoeff() / kGrid;
  const auto toGrid = [&](const Eigen::Vector2d& p) {
    return GridPoint{static_cast<std::int64_t>(std::floor((p.x() - lower.x()) / step + 0.5)),
                     static_cast<std::int64_t>(std::floor((p.y() - lower.y()) / step + 0.5))};
  };
  std::vector<GridPoint> points;
  for (const Eigen::Vector2d& p : polygon)
    points.push_back(toGrid(p));
  for (const Eigen::Vector2d& p : fill.inside)
    points.push_back(toGrid(p));

  Triangulation triangulation(std::move(points));
  const int corners = static_cast<int>(polygon.size());
  for (int k = 0; k < corners; ++k)
    triangulation.demandEdge(k, (k + 1) % corners);
  triangulation.markInside();
  triangulation.restoreDelaunay();
  for (int round = 0; round < kSmoothingRounds; ++round) {
    triangulation.smooth(polygon.size());
    triangulation.restoreDelaunay();
  }
  for (std::size_t k = 0; k < fill.inside.size(); ++k) {
    const GridPoint& p = triangulation.point(polygon.size() + k);
    fill.inside[k] =
        lower + step * Eigen::Vector2d(static_cast<double>(p.x), static_cast<double>(p.y));
  }
  fill.triangles = triangulation.insideTriangles();
  return fill;
}

}  // namespace tactus::models
