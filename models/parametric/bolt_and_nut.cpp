#include "models/parametric/bolt_and_nut.hpp"

#include <cmath>
#include <numbers>

#include "models/lanes/elementary.hpp"
#include "models/parametric/surface_builder.hpp"
#include "models/parametric/triangle_budget.hpp"

namespace tactus::models {
namespace {

constexpr double kTau = 2.0 * std::numbers::pi;

// Corners of the hexagon lie on this circle; sides are as long.
constexpr double kHexCorner = kAcrossFlats / std::numbers::sqrt3;

// The flat part of a hexagon's face ends in a circle a little inside the flats; from there a cone
// of 30 degrees cuts the corners, as on every bolt that is turned.
constexpr double kFaceCircle = 0.95 * 0.5 * kAcrossFlats;
constexpr double kChamferSlope = 1.0 / std::numbers::sqrt3;

/// A point of the hexagon, at even distances along its sides.
Eigen::Vector2d hexagon(Turn turn) {
  const std::int64_t side = 6 * turn.numerator / turn.denominator;
  const double share = static_cast<double>(6 * turn.numerator - side * turn.denominator) /
                       static_cast<double>(turn.denominator);
  const Eigen::Vector2d a = kHexCorner * unitCircle({side, 6});
  const Eigen::Vector2d b = kHexCorner * unitCircle({side + 1, 6});
  return share <= 0.5 ? Eigen::Vector2d(a + share * (b - a))
                      : Eigen::Vector2d(b + (1.0 - share) * (a - b));
}

/// How far the chamfer's cone lies below the face at a distance from the axis.
double chamferDrop(double radius) {
  return (radius - kFaceCircle) * kChamferSlope;
}

Eigen::Vector3d at(const Eigen::Vector2d& p, double z) {
  return {p.x(), p.y(), z};
}

/// The rows of a head or a nut, from outside in or from inside out.
class HexRows {
 public:
  HexRows(SurfaceBuilder& builder, const Fineness& fineness)
      : builder_(builder),
        fineness_(fineness),
        aroundHex_(6 * fineness.segmentsAlong(kHexCorner)) {}

  [[nodiscard]] Chain circle(double radius, double z, int count) {
    return builder_.ring(count, false, [&](Turn turn) { return at(radius * unitCircle(turn), z); });
  }
  [[nodiscard]] Chain circle(double radius, double z) {
    return circle(radius, z, fineness_.pointsAround(kTau * radius));
  }

  /// The hexagon in the plane z.
  [[nodiscard]] Chain flatHexagon(double z) {
    return builder_.ring(aroundHex_, false, [&](Turn turn) { return at(hexagon(turn), z); });
  }
  /// The edge between the sides and a chamfer that falls, or rises, from the face at z.
  [[nodiscard]] Chain chamferedHexagon(double z, bool faceAbove) {
    return builder_.ring(aroundHex_, false,
                         [&](Turn turn) { return onChamfer(hexagon(turn), z, faceAbove); });
  }

  /// Conical or plane strip between two circles.
  void betweenCircles(const Chain& first, double firstRadius, double firstZ, const Chain& second,
                      double secondRadius, double secondZ) {
    const double width = std::sqrt((secondRadius - firstRadius) * (secondRadius - firstRadius) +
                                   (secondZ - firstZ) * (secondZ - firstZ));
    builder_.band(first, second, fineness_.rowsAcross(width), between(first, second),
                  [&](double t, Turn turn) {
                    return at((firstRadius + t * (secondRadius - firstRadius)) * unitCircle(turn),
                              firstZ + t * (secondZ - firstZ));
                  });
  }

  /// Plane strip from a circle out to the hexagon.
  void circleToHexagon(const Chain& circle, double radius, const Chain& hex, double z) {
    const int rows = fineness_.rowsAcross(0.5 * (0.5 * kAcrossFlats + kHexCorner) - radius);
    builder_.band(circle, hex, rows, between(circle, hex), [&](double t, Turn turn) {
      return at((1.0 - t) * radius * unitCircle(turn) + t * hexagon(turn), z);
    });
  }

  /// The chamfer between the face's circle and the hexagon, outward or inward.
  void chamfer(const Chain& first, const Chain& second, double z, bool faceAbove, bool outward) {
    const int rows = fineness_.rowsAcross(0.5 * (0.5 * kAcrossFlats + kHexCorner) - kFaceCircle);
    builder_.band(first, second, rows, between(first, second), [&](double t, Turn turn) {
      const double share = outward ? t : 1.0 - t;
      const Eigen::Vector2d p =
          (1.0 - share) * kFaceCircle * unitCircle(turn) + share * hexagon(turn);
      return onChamfer(p, z, faceAbove);
    });
  }

  /// The six sides. Their corners are edges, so that rows are not shifted.
  void sides(const Chain& lower, const Chain& upper) {
    const double height =
        builder_.at(upper.vertices.front()).z() - builder_.at(lower.vertices.front()).z();
    const int rows = fineness_.rowsAcross(height);
    Chain below = lower;
    for (int k = 1; k < rows; ++k) {
      const double t = static_cast<double>(k) / rows;
      std::size_t i = 0;
      Chain above = builder_.ring(aroundHex_, false, [&](Turn turn) {
        const double from = builder_.at(lower.vertices[i]).z();
        const double to = builder_.at(upper.vertices[i++]).z();
        return at(hexagon(turn), from + t * (to - from));
      });
      builder_.stitch(below, above);
      below = std::move(above);
    }
    builder_.stitch(below, upper);
  }

  /// A disc that closes a circle at its height.
  void disc(const Chain& rim, double radius, double z, bool fromBelow) {
    const std::size_t first = builder_.triangleCount();
    builder_.cap(
        rim, fineness_.rowsAcross(radius), [&](double t) { return rim.size() * (1.0 - t); },
        [&](double t, Turn turn) { return at((1.0 - t) * radius * unitCircle(turn), z); });
    if (fromBelow) builder_.flipFrom(first);
  }

 private:
  static Eigen::Vector3d onChamfer(const Eigen::Vector2d& p, double z, bool faceAbove) {
    const double drop = chamferDrop(p.norm());
    return at(p, faceAbove ? z - drop : z + drop);
  }
  static std::function<double(double)> between(const Chain& first, const Chain& second) {
    const double from = first.size();
    const double to = second.size();
    return [from, to](double t) { return from + t * (to - from); };
  }

  SurfaceBuilder& builder_;
  const Fineness& fineness_;
  int aroundHex_;
};

/// Columns of a thread. Fewer than eight would let neighbouring turns cut through each other.
int columnsOf(const Thread& thread, const Fineness& fineness) {
  return 2 * fineness.segmentsAlong(0.5 * kTau * thread.major, 4);
}

Mesh bolt(const Fineness& fineness) {
  SurfaceBuilder builder;
  HexRows rows(builder, fineness);
  const Thread thread = boltThread();
  const int columns = columnsOf(thread, fineness);

  const double tipRadius = thread.minor - kTipChamfer;
  const Chain tip = rows.circle(tipRadius, -kBoltLength);
  rows.disc(tip, tipRadius, -kBoltLength, true);
  const ThreadRims shank = addThread(builder, thread, columns, 1.0, fineness);
  rows.betweenCircles(tip, tipRadius, -kBoltLength, shank.below, thread.minor, thread.from);

  const Chain hexBelow = rows.flatHexagon(0.0);
  const Chain hexAbove = rows.chamferedHexagon(kBoltHeadHeight, true);
  const Chain face = rows.circle(kFaceCircle, kBoltHeadHeight);
  rows.circleToHexagon(shank.above, thread.major, hexBelow, 0.0);
  rows.sides(hexBelow, hexAbove);
  rows.chamfer(hexAbove, face, kBoltHeadHeight, true, false);
  rows.disc(face, kFaceCircle, kBoltHeadHeight, false);
  return builder.finishStandingOnY();
}

Mesh nut(const Fineness& fineness) {
  SurfaceBuilder builder;
  HexRows rows(builder, fineness);
  const Thread thread = nutThread();
  const int columns = columnsOf(thread, fineness);
  // Chords of a polygon around the circle of this many times the radius touch the circle.
  const double swell = 1.0 / elementary::cos(std::numbers::pi / columns);
  const double half = 0.5 * kNutHeight;
  const double inner = swell * thread.major;
  const double opening = swell * (thread.major + kCountersink);

  const std::size_t firstOfThread = builder.triangleCount();
  const ThreadRims hole = addThread(builder, thread, columns, swell, fineness);
  builder.flipFrom(firstOfThread);

  const Chain openingBelow = rows.circle(opening, -half, columns);
  const Chain openingAbove = rows.circle(opening, half, columns);
  const Chain faceBelow = rows.circle(kFaceCircle, -half);
  const Chain faceAbove = rows.circle(kFaceCircle, half);
  const Chain hexBelow = rows.chamferedHexagon(-half, false);
  const Chain hexAbove = rows.chamferedHexagon(half, true);
  rows.betweenCircles(hole.below, inner, thread.from, openingBelow, opening, -half);
  rows.betweenCircles(openingBelow, opening, -half, faceBelow, kFaceCircle, -half);
  rows.chamfer(faceBelow, hexBelow, -half, false, true);
  rows.sides(hexBelow, hexAbove);
  rows.chamfer(hexAbove, faceAbove, half, true, false);
  rows.betweenCircles(faceAbove, kFaceCircle, half, openingAbove, opening, half);
  rows.betweenCircles(openingAbove, opening, half, hole.above, inner, thread.to);
  return builder.finishStandingOnY();
}

// For the first guess: a thread's surface is 1.5 times its cylinder's.
constexpr double kThreadSurface = 1.5;

constexpr double kHexArea = 1.5 * std::numbers::sqrt3 * kHexCorner * kHexCorner;

}  // namespace

Thread boltThread() {
  Thread thread;
  thread.pitch = kThreadPitch;
  thread.major = kBoltRadius;
  thread.minor = kBoltMinor;
  thread.from = -kBoltLength + kTipChamfer;
  thread.to = 0.0;
  thread.fadesToMinorBelow = true;
  thread.fadesToMinorAbove = false;
  return thread;
}

Thread nutThread() {
  Thread thread;
  thread.pitch = kThreadPitch;
  thread.major = kBoltRadius + kThreadClearance;
  thread.minor = kBoltMinor + kThreadClearance;
  thread.from = -0.5 * kNutHeight + kCountersink;
  thread.to = 0.5 * kNutHeight - kCountersink;
  thread.fadesToMinorBelow = false;
  thread.fadesToMinorAbove = false;
  return thread;
}

double nutAngleAt(double height) {
  return kTau * height / kThreadPitch;
}

Mesh makeBolt(std::size_t triangles) {
  const double area = kThreadSurface * kTau * kBoltRadius * kBoltLength + 2.0 * kHexArea +
                      6.0 * kHexCorner * kBoltHeadHeight;
  return fitToTriangles(triangles, area, bolt);
}

Mesh makeNut(std::size_t triangles) {
  const double area = (kThreadSurface - 1.0 / 3.0) * kTau * kBoltRadius * kNutHeight +
                      2.0 * (kHexArea - std::numbers::pi * kBoltRadius * kBoltRadius) +
                      6.0 * kHexCorner * kNutHeight;
  return fitToTriangles(triangles, area, nut);
}

}  // namespace tactus::models
