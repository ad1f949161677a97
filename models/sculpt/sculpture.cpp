#include "models/sculpt/sculpture.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::models {
namespace {

// Distance to a solid without any stroke yet. Finite, so that sums with it stay finite; a smooth
// union with it returns the other operand to the bit.
constexpr double kNowhere = 1e30;

// A round cone is the union of the balls about c(t) = from + t u with radius fromRadius - s t, t in
// [0, L]. |p - c(t)| - radius(t) is convex in t for |s| < 1 and least where (y - t) / |p - c(t)| =
// s, that is at t = y - s r / sqrt(1 - s^2), with y along and r across the axis. For |s| >= 1 one
// ball holds the other.
double roundConeDistance(const Stroke& stroke, const Eigen::Vector3d& point) {
  const Eigen::Vector3d axis = stroke.to - stroke.from;
  const double length = axis.norm();
  const double shrink = stroke.fromRadius - stroke.toRadius;
  if (length <= std::abs(shrink)) {
    return shrink >= 0.0 ? (point - stroke.from).norm() - stroke.fromRadius
                         : (point - stroke.to).norm() - stroke.toRadius;
  }
  const Eigen::Vector3d unit = axis / length;
  const double slope = shrink / length;
  const Eigen::Vector3d offset = point - stroke.from;
  const double along = offset.dot(unit);
  const double across = (offset - along * unit).norm();
  const double lean = slope / std::sqrt(1.0 - slope * slope);
  const double t = std::clamp(along - lean * across, 0.0, length);
  const double rest = along - t;
  return std::sqrt(rest * rest + across * across) - (stroke.fromRadius - slope * t);
}

// With g(p) = |A^-1 p| (A the half axes), d = (g - 1) / |grad g| = g (g - 1) / |A^-2 p|: right to
// first order at the surface. g is convex, so outside d never exceeds the true distance; deep
// inside it may, up to the longest half axis at the centre. g / |A^-2 p| has no limit at the
// centre.
double ellipsoidDistance(const Stroke& stroke, const Eigen::Vector3d& point) {
  const Eigen::Vector3d local = stroke.axes.transpose() * (point - stroke.from);
  const Eigen::Vector3d once = local.cwiseQuotient(stroke.halfAxes);
  const Eigen::Vector3d twice = once.cwiseQuotient(stroke.halfAxes);
  const double g = once.norm();
  const double steepness = twice.norm();
  if (!(steepness > 0.0)) return -stroke.halfAxes.minCoeff();
  return (g - 1.0) * (g / steepness);
}

double strokeDistance(const Stroke& stroke, const Eigen::Vector3d& point) {
  return stroke.shape == Stroke::Shape::RoundCone ? roundConeDistance(stroke, point)
                                                  : ellipsoidDistance(stroke, point);
}

// The quadratic smooth minimum: equal to min(a, b) to the bit where they differ by `width` or more,
// at most width / 4 below it, smooth to the first derivative, and growing in both operands.
double smoothMinimum(double a, double b, double width) {
  if (width <= 0.0) return std::min(a, b);
  const double overlap = std::max(width - std::abs(a - b), 0.0);
  return std::min(a, b) - overlap * overlap * (0.25 / width);
}

// The box of one stroke's points with distance <= level. The ellipsoid's estimate obeys
// d >= (g - 1) * (least half axis), so that level set lies in the ellipsoid blown up to g = 1 +
// level / least.
Bounds boxOf(const Stroke& stroke, double level) {
  Bounds box;
  if (stroke.shape == Stroke::Shape::RoundCone) {
    const Eigen::Vector3d first = Eigen::Vector3d::Constant(stroke.fromRadius + level);
    const Eigen::Vector3d second = Eigen::Vector3d::Constant(stroke.toRadius + level);
    box.lower = (stroke.from - first).cwiseMin(stroke.to - second);
    box.upper = (stroke.from + first).cwiseMax(stroke.to + second);
    return box;
  }
  const double growth = 1.0 + level / stroke.halfAxes.minCoeff();
  const Eigen::Vector3d reach =
      growth * (stroke.axes * stroke.halfAxes.asDiagonal()).rowwise().norm();
  box.lower = stroke.from - reach;
  box.upper = stroke.from + reach;
  return box;
}

void include(Bounds& box, const Bounds& other) {
  if (box.isEmpty()) {
    box = other;
    return;
  }
  box.lower = box.lower.cwiseMin(other.lower);
  box.upper = box.upper.cwiseMax(other.upper);
}

}  // namespace

double distanceTo(const Sculpture& sculpture, const Eigen::Vector3d& point) {
  double whole = kNowhere;
  for (const Sculpture::Group& group : sculpture.groups) {
    double piece = kNowhere;
    for (const Stroke& stroke : group.strokes) {
      const double distance = strokeDistance(stroke, point);
      piece = stroke.action == Stroke::Action::Add ? smoothMinimum(piece, distance, stroke.blend)
                                                   : -smoothMinimum(-piece, distance, stroke.blend);
    }
    whole = smoothMinimum(whole, piece, group.blend);
  }
  return whole;
}

// If smoothMinimum(a, b, w) <= level, then a <= level or b <= level + w: so each stroke counts with
// its own and its group's joint. The first stroke of all has no joint; carving only takes away.
Bounds boundsOf(const Sculpture& sculpture) {
  Bounds box;
  bool firstGroup = true;
  for (const Sculpture::Group& group : sculpture.groups) {
    const double groupJoint = firstGroup ? 0.0 : group.blend;
    bool firstStroke = true;
    for (const Stroke& stroke : group.strokes) {
      if (stroke.action != Stroke::Action::Add) continue;
      include(box, boxOf(stroke, groupJoint + (firstStroke ? 0.0 : stroke.blend)));
      firstStroke = false;
    }
    if (!firstStroke) firstGroup = false;
  }
  return box;
}

}  // namespace tactus::models
