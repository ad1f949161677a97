#include "models/parametric/pins_and_holes.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "models/parametric/extrusion.hpp"
#include "models/parametric/surface_builder.hpp"
#include "models/parametric/triangle_budget.hpp"

namespace tactus::models {
namespace {

constexpr double kHalfA = 0.5 * kPinsA;
constexpr double kHalfB = 0.5 * kPinsB;
constexpr double kRadius = 0.5 * kPinsC;

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

/// The square from the middle of its right side, counter-clockwise. `radius`: half its side.
Outline squareOutline(const Segments& n, double radius) {
  const double l = -kPinsPlace - radius;
  const double r = -kPinsPlace + radius;
  Outline o;
  appendLine(o, {r, 0.0}, {r, radius}, n.halfHole);
  appendLine(o, {r, radius}, {l, radius}, 2 * n.halfHole);
  appendLine(o, {l, radius}, {l, 0.0}, n.halfHole);
  appendLine(o, {l, 0.0}, {l, -radius}, n.halfHole);
  appendLine(o, {l, -radius}, {r, -radius}, 2 * n.halfHole);
  appendLine(o, {r, -radius}, {r, 0.0}, n.halfHole);
  return o;
}

Outline circleOutline(const Segments& n, double radius) {
  Outline o;
  for (int k = 0; k < n.circle; ++k) {
    o.emplace_back(Eigen::Vector2d(kPinsPlace, 0.0) + radius * unitCircle({k, n.circle}));
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

void appendUpperHalf(Outline& boundary, const Outline& closed, bool backwards) {
  Outline half(closed.begin(), closed.begin() + static_cast<std::ptrdiff_t>(closed.size() / 2) + 1);
  if (backwards) std::reverse(half.begin(), half.end());
  boundary.insert(boundary.end(), half.begin(), half.end());
}

/// The rectangle without the square and the circle.
PlanarFace faceWithHoles(const Segments& n, double radius, double edge) {
  Outline half;
  appendUpperHalf(half, rectangleOutline(n), false);
  Outline gap;
  appendLine(gap, {-kHalfB, 0.0}, {-kPinsPlace - radius, 0.0}, n.endToSquare);
  half.insert(half.end(), gap.begin() + 1, gap.end());
  appendUpperHalf(half, squareOutline(n, radius), true);
  gap.clear();
  appendLine(gap, {-kPinsPlace + radius, 0.0}, {kPinsPlace - radius, 0.0}, n.between);
  half.insert(half.end(), gap.begin() + 1, gap.end());
  appendUpperHalf(half, circleOutline(n, radius), true);
  gap.clear();
  appendLine(gap, {kPinsPlace + radius, 0.0}, {kHalfB, 0.0}, n.roundToEnd);
  half.insert(half.end(), gap.begin() + 1, gap.end());
  return mirroredFace(half, edge);
}

/// An outline without anything in it.
PlanarFace plainFace(const Outline& closed, int segmentsOnAxis, double edge) {
  Outline half;
  appendUpperHalf(half, closed, false);
  Outline axis;
  appendLine(axis, half.back(), half.front(), segmentsOnAxis);
  half.insert(half.end(), axis.begin() + 1, axis.end());
  return mirroredFace(half, edge);
}

Mesh blockWithHoles(const Fineness& fineness) {
  const Segments n = segmentsFor(fineness);
  const Outline outer = rectangleOutline(n);
  const Outline square = squareOutline(n, kRadius);
  const Outline circle = circleOutline(n, kRadius);
  const PlanarFace face = faceWithHoles(n, kRadius, fineness.edge);

  SurfaceBuilder builder;
  const auto chainsAt = [&](double z) {
    return std::array{raise(builder, outer, z), raise(builder, square, z),
                      raise(builder, circle, z)};
  };
  const auto below = chainsAt(-kHalfA);
  const auto above = chainsAt(kHalfA);
  addWall(builder, outer, below[0], above[0], Facing::Outward, fineness);
  addWall(builder, square, below[1], above[1], Facing::Inward, fineness);
  addWall(builder, circle, below[2], above[2], Facing::Inward, fineness);
  addFace(builder, face, -kHalfA, {{outer, below[0]}, {square, below[1]}, {circle, below[2]}},
          Side::Below);
  addFace(builder, face, kHalfA, {{outer, above[0]}, {square, above[1]}, {circle, above[2]}},
          Side::Above);
  return builder.finish();
}

Mesh pins(const Fineness& fineness, double radius) {
  const Segments n = segmentsFor(fineness);
  const Outline outer = rectangleOutline(n);
  const Outline square = squareOutline(n, radius);
  const Outline circle = circleOutline(n, radius);

  SurfaceBuilder builder;
  const double ground = -kHalfA - kPinsBase;
  const Chain foot = raise(builder, outer, ground);
  const Chain rim = raise(builder, outer, -kHalfA);
  const Chain squareFoot = raise(builder, square, -kHalfA);
  const Chain circleFoot = raise(builder, circle, -kHalfA);
  const Chain squareTop = raise(builder, square, kHalfA);
  const Chain circleTop = raise(builder, circle, kHalfA);

  addFace(builder, plainFace(outer, n.width, fineness.edge), ground, {{outer, foot}}, Side::Below);
  addWall(builder, outer, foot, rim, Facing::Outward, fineness);
  addFace(builder, faceWithHoles(n, radius, fineness.edge), -kHalfA,
          {{outer, rim}, {square, squareFoot}, {circle, circleFoot}}, Side::Above);
  addWall(builder, square, squareFoot, squareTop, Facing::Outward, fineness);
  addWall(builder, circle, circleFoot, circleTop, Facing::Outward, fineness);
  addFace(builder, plainFace(square, 2 * n.halfHole, fineness.edge), kHalfA, {{square, squareTop}},
          Side::Above);
  addFace(builder, plainFace(circle, fineness.segmentsAlong(2.0 * radius), fineness.edge), kHalfA,
          {{circle, circleTop}}, Side::Above);
  return builder.finish();
}

constexpr double kHoleAreas = kPinsC * kPinsC + std::numbers::pi * kRadius * kRadius;
constexpr double kHoleRims = 4.0 * kPinsC + 2.0 * std::numbers::pi * kRadius;
constexpr double kOuterRim = 2.0 * (kPinsA + kPinsB);

Mesh fitPins(std::size_t triangles, double radius) {
  const double area = 2.0 * kPinsA * kPinsB + kPinsBase * kOuterRim + kPinsA * kHoleRims;
  return fitToTriangles(triangles, area,
                        [&](const Fineness& fineness) { return pins(fineness, radius); });
}

}  // namespace

Mesh makeBlockWithHoles(std::size_t triangles) {
  const double area = 2.0 * (kPinsA * kPinsB - kHoleAreas) + kPinsA * (kOuterRim + kHoleRims);
  return fitToTriangles(triangles, area, blockWithHoles);
}

Mesh makePins(std::size_t triangles) {
  return fitPins(triangles, kRadius);
}

Mesh makeLoosePins(std::size_t triangles) {
  return fitPins(triangles, kRadius - kPinsClearance);
}

}  // namespace tactus::models
