#include "models/parametric/pins_and_holes.hpp"

#include <algorithm>
#include <functional>
#include <numbers>
#include <vector>

#include "models/parametric/planar_fill.hpp"
#include "models/parametric/surface_builder.hpp"
#include "models/parametric/triangle_budget.hpp"

namespace tactus::models {
namespace {

constexpr double kHalfA = 0.5 * kPinsA;
constexpr double kHalfB = 0.5 * kPinsB;
constexpr double kRadius = 0.5 * kPinsC;

using Outline = std::vector<Eigen::Vector2d>;

/// Points from `from` to `to`, the last one left out. Each half starts from its own end, so that a
/// line and its mirror image have the same points, and a coordinate that both ends share stays.
void appendLine(Outline& outline, const Eigen::Vector2d& from, const Eigen::Vector2d& to,
                int segments) {
  for (int k = 0; k < segments; ++k) {
    if (2 * k <= segments) {
      outline.emplace_back(from + (to - from) * (static_cast<double>(k) / segments));
    } else {
      outline.emplace_back(to + (from - to) * (static_cast<double>(segments - k) / segments));
    }
  }
}

/// How many segments each line of the outlines has. Sides that the mirror plane y = 0 cuts have an
/// even number.
struct Segments {
  int halfHeight = 1, width = 1, halfHole = 1, circle = 8, endToSquare = 1, between = 1,
      roundToEnd = 1;
};

Segments segmentsFor(const Fineness& fineness) {
  Segments n;
  n.halfHeight = fineness.segmentsAlong(kHalfA);
  n.width = fineness.segmentsAlong(kPinsB);
  n.halfHole = fineness.segmentsAlong(0.5 * kPinsC);
  n.circle = fineness.pointsAround(2.0 * std::numbers::pi * kRadius);
  n.endToSquare = fineness.segmentsAlong(kHalfB - kPinsPlace - kRadius);
  n.between = fineness.segmentsAlong(2.0 * kPinsPlace - 2.0 * kRadius);
  n.roundToEnd = n.endToSquare;
  return n;
}

/// The square from the middle of its right side, counter-clockwise.
Outline squareOutline(const Segments& n) {
  const double l = -kPinsPlace - kRadius;
  const double r = -kPinsPlace + kRadius;
  Outline o;
  appendLine(o, {r, 0.0}, {r, kRadius}, n.halfHole);
  appendLine(o, {r, kRadius}, {l, kRadius}, 2 * n.halfHole);
  appendLine(o, {l, kRadius}, {l, 0.0}, n.halfHole);
  appendLine(o, {l, 0.0}, {l, -kRadius}, n.halfHole);
  appendLine(o, {l, -kRadius}, {r, -kRadius}, 2 * n.halfHole);
  appendLine(o, {r, -kRadius}, {r, 0.0}, n.halfHole);
  return o;
}

Outline circleOutline(const Segments& n) {
  Outline o;
  for (int k = 0; k < n.circle; ++k) {
    o.emplace_back(Eigen::Vector2d(kPinsPlace, 0.0) + kRadius * unitCircle({k, n.circle}));
  }
  return o;
}

/// The outer rectangle from the middle of its right side, counter-clockwise.
Outline rectangleOutline(const Segments& n) {
  Outline o;
  appendLine(o, {kHalfB, 0.0}, {kHalfB, kHalfA}, n.halfHeight);
  appendLine(o, {kHalfB, kHalfA}, {-kHalfB, kHalfA}, n.width);
  appendLine(o, {-kHalfB, kHalfA}, {-kHalfB, 0.0}, n.halfHeight);
  appendLine(o, {-kHalfB, 0.0}, {-kHalfB, -kHalfA}, n.halfHeight);
  appendLine(o, {-kHalfB, -kHalfA}, {kHalfB, -kHalfA}, n.width);
  appendLine(o, {kHalfB, -kHalfA}, {kHalfB, 0.0}, n.halfHeight);
  return o;
}

/// A face that is symmetric about y = 0: its upper half, mirrored. `half` is the half's boundary,
/// counter-clockwise; points with y = 0 lie on both halves.
struct SymmetricFace {
  std::vector<Eigen::Vector2d> points;
  std::vector<Triangle> triangles;
};

SymmetricFace mirrored(const Outline& half, double edge) {
  const PlanarFill fill = fillPolygon(half, edge);
  SymmetricFace face;
  face.points = half;
  face.points.insert(face.points.end(), fill.inside.begin(), fill.inside.end());
  face.triangles = fill.triangles;
  const std::size_t count = face.points.size();
  std::vector<std::uint32_t> image(count);
  for (std::size_t k = 0; k < count; ++k) {
    image[k] = static_cast<std::uint32_t>(k);
    if (face.points[k].y() == 0.0) continue;
    image[k] = static_cast<std::uint32_t>(face.points.size());
    face.points.emplace_back(face.points[k].x(), -face.points[k].y());
  }
  for (const Triangle& t : fill.triangles) {
    face.triangles.push_back({image[t[0]], image[t[2]], image[t[1]]});
  }
  return face;
}

void appendUpperHalf(Outline& boundary, const Outline& closed, bool backwards) {
  Outline half(closed.begin(), closed.begin() + static_cast<std::ptrdiff_t>(closed.size() / 2) + 1);
  if (backwards) std::reverse(half.begin(), half.end());
  boundary.insert(boundary.end(), half.begin(), half.end());
}

/// The rectangle without the square and the circle.
SymmetricFace faceWithHoles(const Segments& n, double edge) {
  Outline half;
  appendUpperHalf(half, rectangleOutline(n), false);
  Outline gap;
  appendLine(gap, {-kHalfB, 0.0}, {-kPinsPlace - kRadius, 0.0}, n.endToSquare);
  half.insert(half.end(), gap.begin() + 1, gap.end());
  appendUpperHalf(half, squareOutline(n), true);
  gap.clear();
  appendLine(gap, {-kPinsPlace + kRadius, 0.0}, {kPinsPlace - kRadius, 0.0}, n.between);
  half.insert(half.end(), gap.begin() + 1, gap.end());
  appendUpperHalf(half, circleOutline(n), true);
  gap.clear();
  appendLine(gap, {kPinsPlace + kRadius, 0.0}, {kHalfB, 0.0}, n.roundToEnd);
  half.insert(half.end(), gap.begin() + 1, gap.end());
  return mirrored(half, edge);
}

/// An outline without anything in it.
SymmetricFace plainFace(const Outline& closed, int segmentsOnAxis, double edge) {
  Outline half;
  appendUpperHalf(half, closed, false);
  Outline axis;
  appendLine(axis, half.back(), half.front(), segmentsOnAxis);
  half.insert(half.end(), axis.begin() + 1, axis.end());
  return mirrored(half, edge);
}

/// Vertices of an outline at a height, as a closed chain.
Chain raise(SurfaceBuilder& builder, const Outline& outline, double z) {
  Chain chain;
  chain.closed = true;
  for (std::size_t k = 0; k < outline.size(); ++k) {
    chain.append(builder.add({outline[k].x(), outline[k].y(), z}),
                 static_cast<double>(k) / static_cast<double>(outline.size()));
  }
  return chain;
}

/// The wall over an outline, with rows between the two chains. Seen from inside when `hole`.
void addWall(SurfaceBuilder& builder, const Outline& outline, const Chain& lower,
             const Chain& upper, bool hole, const Fineness& fineness) {
  const std::size_t first = builder.triangleCount();
  const double from = builder.at(lower.vertices.front()).z();
  const double to = builder.at(upper.vertices.front()).z();
  const int rows = fineness.rowsAcross(to - from);
  Chain below = lower;
  for (int k = 1; k < rows; ++k) {
    const double share = static_cast<double>(k) / rows;
    Chain above = raise(builder, outline, from * (1.0 - share) + to * share);
    builder.stitch(below, above);
    below = std::move(above);
  }
  builder.stitch(below, upper);
  if (hole) builder.flipFrom(first);
}

/// A face at a height; points that are among those of a rim are that rim's vertices. Seen from
/// below when `downward`.
void addFace(SurfaceBuilder& builder, const SymmetricFace& face, double z,
             const std::vector<std::pair<const Outline*, const Chain*>>& rims, bool downward) {
  struct Known {
    double x, y;
    std::uint32_t vertex;
    bool operator<(const Known& other) const { return x != other.x ? x < other.x : y < other.y; }
  };
  std::vector<Known> known;
  for (const auto& [outline, chain] : rims) {
    for (std::size_t k = 0; k < outline->size(); ++k) {
      known.push_back({(*outline)[k].x(), (*outline)[k].y(), chain->vertices[k]});
    }
  }
  std::sort(known.begin(), known.end());
  std::vector<std::uint32_t> vertex;
  for (const Eigen::Vector2d& p : face.points) {
    const auto found = std::lower_bound(known.begin(), known.end(), Known{p.x(), p.y(), 0});
    const bool onRim = found != known.end() && found->x == p.x() && found->y == p.y();
    vertex.push_back(onRim ? found->vertex : builder.add({p.x(), p.y(), z}));
  }
  const std::size_t first = builder.triangleCount();
  for (const Triangle& t : face.triangles) {
    builder.triangle(vertex[t[0]], vertex[t[1]], vertex[t[2]]);
  }
  if (downward) builder.flipFrom(first);
}

Mesh blockWithHoles(const Fineness& fineness) {
  const Segments n = segmentsFor(fineness);
  const Outline outer = rectangleOutline(n);
  const Outline square = squareOutline(n);
  const Outline circle = circleOutline(n);
  const SymmetricFace face = faceWithHoles(n, fineness.edge);

  SurfaceBuilder builder;
  const auto chainsAt = [&](double z) {
    return std::array{raise(builder, outer, z), raise(builder, square, z),
                      raise(builder, circle, z)};
  };
  const auto below = chainsAt(-kHalfA);
  const auto above = chainsAt(kHalfA);
  addWall(builder, outer, below[0], above[0], false, fineness);
  addWall(builder, square, below[1], above[1], true, fineness);
  addWall(builder, circle, below[2], above[2], true, fineness);
  addFace(builder, face, -kHalfA, {{&outer, &below[0]}, {&square, &below[1]}, {&circle, &below[2]}},
          true);
  addFace(builder, face, kHalfA, {{&outer, &above[0]}, {&square, &above[1]}, {&circle, &above[2]}},
          false);
  return builder.finish();
}

Mesh pins(const Fineness& fineness) {
  const Segments n = segmentsFor(fineness);
  const Outline outer = rectangleOutline(n);
  const Outline square = squareOutline(n);
  const Outline circle = circleOutline(n);

  SurfaceBuilder builder;
  const double ground = -kHalfA - kPinsBase;
  const Chain foot = raise(builder, outer, ground);
  const Chain rim = raise(builder, outer, -kHalfA);
  const Chain squareFoot = raise(builder, square, -kHalfA);
  const Chain circleFoot = raise(builder, circle, -kHalfA);
  const Chain squareTop = raise(builder, square, kHalfA);
  const Chain circleTop = raise(builder, circle, kHalfA);

  addFace(builder, plainFace(outer, n.width, fineness.edge), ground, {{&outer, &foot}}, true);
  addWall(builder, outer, foot, rim, false, fineness);
  addFace(builder, faceWithHoles(n, fineness.edge), -kHalfA,
          {{&outer, &rim}, {&square, &squareFoot}, {&circle, &circleFoot}}, false);
  addWall(builder, square, squareFoot, squareTop, false, fineness);
  addWall(builder, circle, circleFoot, circleTop, false, fineness);
  addFace(builder, plainFace(square, 2 * n.halfHole, fineness.edge), kHalfA,
          {{&square, &squareTop}}, false);
  addFace(builder, plainFace(circle, fineness.segmentsAlong(kPinsC), fineness.edge), kHalfA,
          {{&circle, &circleTop}}, false);
  return builder.finish();
}

constexpr double kHoleAreas = kPinsC * kPinsC + std::numbers::pi * kRadius * kRadius;
constexpr double kHoleRims = 4.0 * kPinsC + 2.0 * std::numbers::pi * kRadius;
constexpr double kOuterRim = 2.0 * (kPinsA + kPinsB);

}  // namespace

Mesh makeBlockWithHoles(std::size_t triangles) {
  const double area = 2.0 * (kPinsA * kPinsB - kHoleAreas) + kPinsA * (kOuterRim + kHoleRims);
  return fitToTriangles(triangles, area, blockWithHoles);
}

Mesh makePins(std::size_t triangles) {
  const double area = 2.0 * kPinsA * kPinsB + kPinsBase * kOuterRim + kPinsA * kHoleRims;
  return fitToTriangles(triangles, area, pins);
}

}  // namespace tactus::models
