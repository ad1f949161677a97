#include "render/arrow_shape.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tactus::render {

namespace {

// Edges of the outline of a shaft that is 20 pixels thick are then 5 pixels long: seen as round.
constexpr std::size_t kSides = 12;

// A bent shaft has a ring each ten degrees, a straight one only where something begins.
constexpr double kBendPerRing = std::numbers::pi / 18.0;

// Less than a circle, so that tip and end stay apart.
constexpr double kMostTurn = 0.94 * 2.0 * std::numbers::pi;

/// Where a ring is set: its middle, and the two directions that it lies in.
struct RingFrame {
  Eigen::Vector3d middle, across, beside, along;
};

/// Along a straight line or a circle; `at` is the distance from its start.
class Course {
 public:
  Course(const Eigen::Vector3d& from, const Eigen::Vector3d& along)
      : start_{from, along.unitOrthogonal(), along.cross(along.unitOrthogonal()), along} {}
  Course(const Eigen::Vector3d& centre, const Eigen::Vector3d& axis, const Eigen::Vector3d& first,
         double radius)
      : start_{centre, first, axis, axis.cross(first)}, radius_(radius) {}

  [[nodiscard]] RingFrame ring(double at) const {
    if (radius_ == 0.0) {
      return {start_.middle + at * start_.along, start_.across, start_.beside, start_.along};
    }
    const double cosine = std::cos(at / radius_);
    const double sine = std::sin(at / radius_);
    const Eigen::Vector3d outward = cosine * start_.across + sine * start_.along;
    // across, beside and along stay right-handed on the circle: outward, axis, forward would not.
    return {start_.middle + radius_ * outward, start_.beside, outward,
            cosine * start_.along - sine * start_.across};
  }
  [[nodiscard]] double bend(double length) const { return radius_ == 0.0 ? 0.0 : length / radius_; }

 private:
  RingFrame start_;
  double radius_ = 0.0;
};

/// Adds a band of surface between two rings, each a distance along the course and a radius.
class Bands {
 public:
  Bands(ArrowSurface& surface, const Course& course, const Eigen::Vector3d& origin,
        const Colour& colour)
      : surface_(surface), course_(course), origin_(origin), colour_(colour) {}

  void add(double from, double fromRadius, double to, double toRadius) {
    const double length = to - from;
    const int parts = std::max(1, static_cast<int>(std::ceil(course_.bend(length) / kBendPerRing)));
    // The normal leans forward as the band grows thinner.
    const double slant = std::hypot(length, toRadius - fromRadius);
    if (slant <= 0.0) return;
    const double lean = (fromRadius - toRadius) / slant;
    const double outward = length / slant;
    for (int part = 0; part <= parts; ++part) {
      const double share = static_cast<double>(part) / parts;
      addRing(course_.ring(from + share * length), fromRadius + share * (toRadius - fromRadius),
              outward, lean);
      if (part > 0) join();
    }
  }

 private:
  void addRing(const RingFrame& frame, double radius, double outward, double lean) {
    for (std::size_t side = 0; side < kSides; ++side) {
      const double turn = 2.0 * std::numbers::pi * static_cast<double>(side) / kSides;
      const Eigen::Vector3d away = std::cos(turn) * frame.across + std::sin(turn) * frame.beside;
      surface_.vertices.push_back({(frame.middle + radius * away - origin_).cast<float>(),
                                   (outward * away + lean * frame.along).cast<float>(), colour_});
    }
  }
  /// The last two rings.
  void join() {
    const auto count = static_cast<std::uint32_t>(surface_.vertices.size());
    const auto sides = static_cast<std::uint32_t>(kSides);
    const std::uint32_t before = count - 2 * sides;
    const std::uint32_t last = count - sides;
    for (std::uint32_t i = 0; i < sides; ++i) {
      const std::uint32_t j = (i + 1) % sides;
      surface_.triangles.push_back({before + i, before + j, last + j});
      surface_.triangles.push_back({before + i, last + j, last + i});
    }
  }

  ArrowSurface& surface_;
  const Course& course_;
  const Eigen::Vector3d& origin_;
  const Colour& colour_;
};

void addArrow(Bands bands, double length, double shaftRadius, bool bothEnds) {
  const double heads = bothEnds ? 2.0 : 1.0;
  const double head =
      std::min(ArrowSurface::kHeadLength * shaftRadius, ArrowSurface::kMostHead * length / heads);
  // A head that is shortened keeps its angle, and the shaft its share of the head.
  const double shrink = head / (ArrowSurface::kHeadLength * shaftRadius);
  const double shaft = shrink * shaftRadius;
  const double foot = shrink * ArrowSurface::kHeadRadius * shaftRadius;
  const double begin = bothEnds ? head : 0.0;
  if (bothEnds) {
    bands.add(0.0, 0.0, head, foot);
    bands.add(head, foot, head, shaft);
  } else {
    bands.add(0.0, 0.0, 0.0, shaft);
  }
  bands.add(begin, shaft, length - head, shaft);
  bands.add(length - head, shaft, length - head, foot);
  bands.add(length - head, foot, length, 0.0);
}

}  // namespace

void ArrowSurface::clear() {
  vertices.clear();
  triangles.clear();
}

void ArrowSurface::add(const DrawArrow& arrow, const Eigen::Vector3d& origin) {
  const Eigen::Vector3d way = arrow.to - arrow.from;
  const double length = way.norm();
  if (!(length > 0.0) || !(arrow.shaftRadius > 0.0)) return;
  const Course course(arrow.from, way / length);
  addArrow(Bands(*this, course, origin, arrow.colour), length, arrow.shaftRadius, arrow.bothEnds);
}

void ArrowSurface::add(const DrawTurn& turn, const Eigen::Vector3d& origin,
                       const Eigen::Vector3d& middle) {
  const double angle = std::min(std::abs(turn.angle), kMostTurn);
  const double size = turn.axis.norm();
  if (!(size > 0.0) || !(angle > 0.0) || !(turn.radius > 0.0) || !(turn.shaftRadius > 0.0)) return;
  const Eigen::Vector3d axis = (turn.angle < 0.0 ? -1.0 : 1.0) / size * turn.axis;
  const Eigen::Vector3d wanted = turn.middle.isZero() ? middle : turn.middle;
  Eigen::Vector3d even = wanted - wanted.dot(axis) * axis;
  // Along the axis there is no such direction; any other will do.
  even = even.norm() > 1e-6 * wanted.norm() ? even.normalized() : axis.unitOrthogonal();
  const Eigen::Vector3d first = Eigen::AngleAxisd(-0.5 * angle, axis) * even;
  const Course course(turn.centre, axis, first, turn.radius);
  addArrow(Bands(*this, course, origin, turn.colour), angle * turn.radius, turn.shaftRadius, false);
}

}  // namespace tactus::render
