#include "models/parametric/revolution.hpp"

#include <cmath>
#include <numbers>

#include "models/parametric/triangle_budget.hpp"

namespace tactus::models {
namespace {

// For areas and volumes of arcs: the chords' error falls with the square.
constexpr int kChords = 256;

constexpr double kTau = 2.0 * std::numbers::pi;

Eigen::Vector3d around(const Eigen::Vector2d& point, Turn turn) {
  const Eigen::Vector2d direction = unitCircle(turn);
  return {point.x() * direction.x(), point.x() * direction.y(), point.y()};
}

Chain circle(SurfaceBuilder& builder, const Eigen::Vector2d& point, const Fineness& fineness) {
  return builder.ring(fineness.pointsAround(kTau * point.x()), false,
                      [&](Turn turn) { return around(point, turn); });
}

/// Closes the surface towards the axis, from the far end of the first or the last piece.
void capPiece(SurfaceBuilder& builder, const ProfilePiece& piece, const Chain& rim, bool backwards,
              const Fineness& fineness) {
  const int rows = fineness.rowsAcross(piece.length());
  const auto pointAt = [&](double t) {
    const int step = static_cast<int>(std::lround(t * rows));
    return piece.at(backwards ? rows - step : step, rows);
  };
  const std::size_t first = builder.triangleCount();
  builder.cap(
      rim, rows, [&](double t) { return kTau * pointAt(t).x() / fineness.edge; },
      [&](double t, Turn turn) { return around(pointAt(t), turn); });
  if (backwards) builder.flipFrom(first);
}

Mesh revolveWith(const Profile& profile, const Fineness& fineness) {
  SurfaceBuilder builder;
  const bool loop = profile.front().at(0, 1).x() > 0.0;
  const std::size_t firstBand = loop ? 0 : 1;
  const std::size_t lastBand = loop ? profile.size() : profile.size() - 1;

  const Chain start = circle(builder, profile[firstBand].at(0, 1), fineness);
  if (!loop) capPiece(builder, profile.front(), start, true, fineness);
  Chain below = start;
  for (std::size_t k = firstBand; k < lastBand; ++k) {
    const ProfilePiece& piece = profile[k];
    const bool closes = loop && k + 1 == lastBand;
    const Chain above = closes ? start : circle(builder, piece.at(1, 1), fineness);
    const int rows = fineness.rowsAcross(piece.length());
    const auto pointAt = [&](double t) {
      return piece.at(static_cast<int>(std::lround(t * rows)), rows);
    };
    builder.band(
        below, above, rows, [&](double t) { return kTau * pointAt(t).x() / fineness.edge; },
        [&](double t, Turn turn) { return around(pointAt(t), turn); });
    below = above;
  }
  if (!loop) capPiece(builder, profile.back(), below, false, fineness);
  return builder.finishStandingOnY();
}

}  // namespace

ProfilePiece ProfilePiece::line(const Eigen::Vector2d& from, const Eigen::Vector2d& to) {
  ProfilePiece piece;
  piece.from_ = from;
  piece.to_ = to;
  piece.length_ = (to - from).norm();
  return piece;
}

ProfilePiece ProfilePiece::arc(const Eigen::Vector2d& centre, double radius, Turn from, Turn to) {
  ProfilePiece piece;
  piece.centre_ = centre;
  piece.radius_ = radius;
  piece.fromTurn_ = from;
  piece.toTurn_ = to;
  piece.length_ = radius * kTau * std::abs(to.fraction() - from.fraction());
  piece.from_ = piece.at(0, 1);
  piece.to_ = piece.at(1, 1);
  return piece;
}

Eigen::Vector2d ProfilePiece::at(int step, int steps) const {
  if (radius_ == 0.0) {
    if (step == steps) return to_;
    return from_ + (to_ - from_) * (static_cast<double>(step) / steps);
  }
  const std::int64_t a = fromTurn_.numerator * toTurn_.denominator;
  const std::int64_t b = toTurn_.numerator * fromTurn_.denominator;
  const Turn turn{a * (steps - step) + b * step,
                  fromTurn_.denominator * toTurn_.denominator * steps};
  return centre_ + radius_ * unitCircle(turn);
}

double sweptArea(const Profile& profile) {
  double area = 0.0;
  for (const ProfilePiece& piece : profile) {
    for (int k = 0; k < kChords; ++k) {
      const Eigen::Vector2d a = piece.at(k, kChords);
      const Eigen::Vector2d b = piece.at(k + 1, kChords);
      area += std::numbers::pi * (a.x() + b.x()) * (b - a).norm();
    }
  }
  return area;
}

double sweptVolume(const Profile& profile) {
  double volume = 0.0;
  for (const ProfilePiece& piece : profile) {
    for (int k = 0; k < kChords; ++k) {
      const Eigen::Vector2d a = piece.at(k, kChords);
      const Eigen::Vector2d b = piece.at(k + 1, kChords);
      volume += std::numbers::pi / 3.0 * (b.y() - a.y()) *
                (a.x() * a.x() + a.x() * b.x() + b.x() * b.x());
    }
  }
  return volume;
}

Mesh revolve(const Profile& profile, std::size_t triangles) {
  return fitToTriangles(triangles, sweptArea(profile),
                        [&](const Fineness& fineness) { return revolveWith(profile, fineness); });
}

}  // namespace tactus::models
