#include "studies/quality/pins_in_holes_ideal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/lanes/elementary.hpp"
#include "studies/quality/quadrature.hpp"

namespace tactus::studies {
namespace {

constexpr int kPanels = 64;
// Of the small areas in the round corners, which hardly count.
constexpr int kCornerPanels = 8;

/// What of a pin is in the block, in the plane: its area, the middle of it times the area, and the
/// force and torque about the pin's axis of a pressure of one on the pin's walls.
struct Section {
  double area = 0.0;
  Eigen::Vector2d moment = Eigen::Vector2d::Zero();  ///< about the pin's axis
  Eigen::Vector2d force = Eigen::Vector2d::Zero();
  double torque = 0.0;
};

/// Heights that a pin and the block share, with layers taken off, from the middle of the pin.
struct Heights {
  double length = 0.0, middle = 0.0;
};

Heights heightsOf(double holeLength, double gap, double offBlock, double offPin) {
  const double below = -0.5 * holeLength + offBlock;
  const double ofPin = 0.5 * holeLength - gap - offPin;
  const double above = std::min(0.5 * holeLength - offBlock, ofPin);
  return {std::max(0.0, above - below), 0.5 * (above + below) + gap};
}

/// Walls push square to the axis; the top pushes along it where it lies within the block.
WrenchVector wrenchOn(const Section& section, const Heights& heights, bool topIsInside) {
  WrenchVector wrench = WrenchVector::Zero();
  wrench.head<2>() = heights.length * section.force;
  wrench(3) = -heights.middle * wrench(1);
  wrench(4) = heights.middle * wrench(0);
  wrench(5) = heights.length * section.torque;
  if (topIsInside) {
    wrench(2) -= section.area;
    wrench(3) -= section.moment.y();
    wrench(4) += section.moment.x();
  }
  return wrench;
}

/// Integrates over depths. `sectionAt(offBlock, offPin)`.
template <typename SectionAt>
response::Wrench wrenchByLayers(double holeLength, double gap, IdealLaw law, double deepest,
                                const SectionAt& sectionAt) {
  const auto at = [&](double offBlock, double offPin) {
    return wrenchOn(sectionAt(offBlock, offPin), heightsOf(holeLength, gap, offBlock, offPin),
                    offBlock <= gap + offPin);
  };
  if (law == IdealLaw::Volume) return wrenchOf(at(0.0, 0.0));
  if (law == IdealLaw::Depth)
    return wrenchOf(integral([&](double t) { return at(t, t); }, 0.0, 0.5 * deepest, kPanels));
  // The top is inside down to the depth of the gap.
  const auto ofA = [&](double t) { return at(t, 0.0); };
  const double gapEnds = std::min(gap, deepest);
  return wrenchOf(integral(ofA, 0.0, gapEnds, 4) + integral(ofA, gapEnds, deepest, kPanels));
}

/// Where a pin's side at the distance `x` from the hole's middle leaves the hole on either side:
/// the hole is a square with round corners.
double holeEdgeAt(double x, double halfSide, double off) {
  const double beyond = std::abs(x) - halfSide;
  if (beyond >= off) return 0.0;  // all of it is outside
  if (beyond <= 0.0) return halfSide + off;
  return halfSide + std::sqrt(off * off - beyond * beyond);
}

/// A part of a pin's side: its length and first moment from the hole's middle.
struct Strip {
  double length = 0.0, moment = 0.0;
};

Strip stripBetween(double from, double to) {
  if (!(to > from)) return {};
  return {to - from, 0.5 * (to * to - from * from)};
}

/// Of a side at `x`, from `from` to `to`, what is outside the hole.
Strip outside(double x, double from, double to, double halfSide, double off) {
  const double edge = holeEdgeAt(x, halfSide, off);
  const Strip above = stripBetween(std::max(edge, from), to);
  const Strip below = stripBetween(from, std::min(-edge, to));
  return {above.length + below.length, above.moment + below.moment};
}

/// Area and first moments, from the hole's middle, of a shifted square pin outside its hole; for a
/// shift with components that are not negative.
Section areaOutside(double halfSide, double offHole, double halfPin, double u, double v) {
  const double wall = halfSide + offHole;
  const double right = u + halfPin, top = v + halfPin;
  const double bottom = v - halfPin, left = u - halfPin;
  Section section;
  const auto addBox = [&](double x0, double x1, double y0, double y1) {
    if (!(x1 > x0) || !(y1 > y0)) return;
    const double area = (x1 - x0) * (y1 - y0);
    section.area += area;
    section.moment += area * 0.5 * Eigen::Vector2d(x0 + x1, y0 + y1);
  };
  addBox(wall, right, bottom, top);
  addBox(left, std::min(right, wall), wall, top);
  const double last = std::min(right, wall);
  if (offHole > 0.0 && last > halfSide && top > halfSide) {
    const double lastAngle = models::elementary::asin(std::min(1.0, (last - halfSide) / offHole));
    const Eigen::Vector3d corner = integral(
        [&](double angle) -> Eigen::Vector3d {
          const double x = halfSide + offHole * models::elementary::sin(angle);
          const double breadth = offHole * models::elementary::cos(angle);
          const double from = halfSide + breadth;
          const double to = std::min(top, wall);
          if (!(to > from)) return Eigen::Vector3d::Zero();
          return breadth *
                 Eigen::Vector3d(to - from, x * (to - from), 0.5 * (to * to - from * from));
        },
        0.0, lastAngle, kCornerPanels);
    section.area += corner.x();
    section.moment += corner.tail<2>();
  }
  return section;
}

Section sectionOfShift(double halfSide, const Eigen::Vector2d& shift, double offHole,
                       double offPin) {
  const double half = halfSide - offPin;
  const Eigen::Vector2d away = shift.cwiseAbs();
  Section section = areaOutside(halfSide, offHole, half, away.x(), away.y());
  for (int axis = 0; axis < 2; ++axis) {
    if (shift(axis) < 0.0) section.moment(axis) = -section.moment(axis);
  }
  section.moment -= section.area * shift;
  for (const double side : {-1.0, 1.0}) {
    const Strip x =
        outside(shift.x() + side * half, shift.y() - half, shift.y() + half, halfSide, offHole);
    section.force.x() -= side * x.length;
    section.torque += side * (x.moment - shift.y() * x.length);
    const Strip y =
        outside(shift.y() + side * half, shift.x() - half, shift.x() + half, halfSide, offHole);
    section.force.y() -= side * y.length;
    section.torque -= side * (y.moment - shift.x() * y.length);
  }
  return section;
}

/// Of a disc about 0, beyond the line u = `from`.
double discBeyond(double radius, double from) {
  const double u = std::clamp(from, -radius, radius);
  return radius * radius * models::elementary::acos(u / radius) -
         u * std::sqrt(std::max(0.0, radius * radius - u * u));
}

/// A disc beside a larger one: what sticks out of it.
Section sectionOfLune(double hole, double pin, const Eigen::Vector2d& shift) {
  Section section;
  const double distance = shift.norm();
  if (!(pin + distance > hole)) return section;
  const Eigen::Vector2d out = shift / distance;
  const double chordAt = (distance * distance + hole * hole - pin * pin) / (2.0 * distance);
  const double half = std::sqrt(std::max(0.0, hole * hole - chordAt * chordAt));
  const double beyond = discBeyond(pin, chordAt - distance);
  section.area = beyond - discBeyond(hole, chordAt);
  // Both segments have the same moment about their own middles.
  section.moment = (distance * beyond - distance * section.area) * out;
  section.force = -2.0 * half * out;
  return section;
}

}  // namespace

response::Wrench idealWrenchOfTurn(const SquarePin& pin, double angle, IdealLaw law) {
  const double halfSide = 0.5 * pin.side;
  const models::elementary::SinCos turn = models::elementary::sinCos(angle);
  const double reach = turn.sin + turn.cos;  // sqrt(2) cos(pi/4 - angle)
  const double widths = turn.sin / turn.cos + turn.cos / turn.sin;
  // Depth at which nothing is left: of both (1 + reach) t = ..., of the block alone t = ...
  const double corner = halfSide * (reach - 1.0);
  const double deepest = law == IdealLaw::Depth ? 2.0 * corner / (1.0 + reach) : corner;
  return wrenchByLayers(pin.length, pin.gap, law, deepest, [&](double offBlock, double offPin) {
    Section section;
    const double half = halfSide - offPin;
    const double height = std::max(0.0, half * reach - (halfSide + offBlock));
    section.area = 2.0 * height * height * widths;
    // Minus the derivative of the area by the angle.
    const double heightTurns = half * (turn.cos - turn.sin);
    const double widthsTurn = 1.0 / (turn.cos * turn.cos) - 1.0 / (turn.sin * turn.sin);
    section.torque = -2.0 * (2.0 * height * heightTurns * widths + height * height * widthsTurn);
    return section;
  });
}

response::Wrench idealWrenchOfShift(const SquarePin& pin, const Eigen::Vector2d& shift,
                                    IdealLaw law) {
  const double halfSide = 0.5 * pin.side;
  return wrenchByLayers(pin.length, pin.gap, law, shift.norm(),
                        [&](double offBlock, double offPin) {
                          return sectionOfShift(halfSide, shift, offBlock, offPin);
                        });
}

response::Wrench idealWrenchOfShift(const RoundPin& pin, const Eigen::Vector2d& shift,
                                    IdealLaw law) {
  return wrenchByLayers(pin.length, pin.gap, law, shift.norm(),
                        [&](double offBlock, double offPin) {
                          return sectionOfLune(pin.radius + offBlock, pin.radius - offPin, shift);
                        });
}

}  // namespace tactus::studies
