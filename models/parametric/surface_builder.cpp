#include "models/parametric/surface_builder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "models/lanes/elementary.hpp"

namespace tactus::models {
namespace {

// Height of an equilateral triangle over its edge.
constexpr double kEquilateral = 0.86602540378443865;

// Diagonals whose parameters differ by less are equal: rounding must not choose between them. The
// finest chains have steps of 1e-5.
constexpr double kSameDiagonal = 1e-10;

// A row around the tip of a cone or the middle of a disc: fewer would fold the surface flat.
constexpr int kFewestAround = 4;

/// Places where a chain is entered and left: vertex i modulo its size, parameter unwound.
struct Walk {
  const Chain& chain;
  int start = 0;  ///< first vertex of a closed chain
  double turns = 0.0;

  [[nodiscard]] std::uint32_t vertex(int i) const {
    return chain.vertices[static_cast<std::size_t>((start + i) % chain.size())];
  }
  [[nodiscard]] double parameter(int i) const {
    const int k = start + i;
    const int rounds = k / chain.size();
    return chain.parameters[static_cast<std::size_t>(k % chain.size())] + rounds + turns;
  }
  [[nodiscard]] int steps() const { return chain.closed ? chain.size() : chain.size() - 1; }
};

/// The walk over a closed chain that begins at the vertex nearest to `parameter`.
Walk walkFrom(const Chain& chain, double parameter) {
  Walk best{chain};
  double nearest = 2.0;
  for (int i = 0; i < chain.size(); ++i) {
    for (const double turns : {0.0, -1.0}) {
      const double away =
          std::abs(chain.parameters[static_cast<std::size_t>(i)] + turns - parameter);
      if (away < nearest - kSameDiagonal) {
        nearest = away;
        best.start = i;
        best.turns = turns;
      }
    }
  }
  return best;
}

}  // namespace

Eigen::Vector2d unitCircle(Turn turn) noexcept {
  const std::int64_t n = turn.denominator;
  const std::int64_t k = ((turn.numerator % n) + n) % n;
  const std::int64_t quarter = 4 * k / n;
  const std::int64_t rest = 4 * k - quarter * n;  // in [0, n): share of the quarter turn
  const bool upper = 2 * rest > n;
  const std::int64_t share = upper ? n - rest : rest;
  const double angle = 0.5 * std::numbers::pi * static_cast<double>(share) / static_cast<double>(n);
  double c = elementary::cos(angle);
  double s = elementary::sin(angle);
  if (2 * rest == n) c = s = std::sqrt(0.5);
  if (upper) std::swap(c, s);
  switch (quarter) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

int Fineness::rowsAcross(double length) const noexcept {
  return std::max(1, static_cast<int>(std::floor(length / (kEquilateral * rowShare * edge) + 0.5)));
}

int Fineness::segmentsAlong(double length, int fewest) const noexcept {
  return std::max(fewest, static_cast<int>(std::floor(length / edge + 0.5)));
}

int Fineness::pointsAround(double length, int fewest) const noexcept {
  return std::max(fewest, 4 * static_cast<int>(std::floor(0.25 * length / edge + 0.5)));
}

std::uint32_t SurfaceBuilder::add(const Eigen::Vector3d& position) {
  positions_.push_back(position);
  return static_cast<std::uint32_t>(positions_.size() - 1);
}

void SurfaceBuilder::stitch(const Chain& lower, const Chain& upper) {
  const Walk a{lower};
  const Walk b = upper.closed ? walkFrom(upper, lower.parameters.front()) : Walk{upper};
  int i = 0;
  int j = 0;
  while (i < a.steps() || j < b.steps()) {
    bool alongLower = j == b.steps();
    if (!alongLower && i < a.steps()) {
      const double byLower = std::abs(a.parameter(i + 1) - b.parameter(j));
      const double byUpper = std::abs(b.parameter(j + 1) - a.parameter(i));
      // Diagonals of equal length alternate, so that a grid of squares has no grain.
      alongLower =
          std::abs(byLower - byUpper) < kSameDiagonal ? (i + j) / 2 % 2 == 0 : byLower < byUpper;
    }
    if (alongLower) {
      triangle(a.vertex(i), a.vertex(i + 1), b.vertex(j));
      ++i;
    } else {
      triangle(a.vertex(i), b.vertex(j + 1), b.vertex(j));
      ++j;
    }
  }
}

void SurfaceBuilder::fan(const Chain& rim, std::uint32_t centre) {
  for (int i = 0; i < rim.size(); ++i) {
    triangle(rim.vertices[static_cast<std::size_t>(i)],
             rim.vertices[static_cast<std::size_t>((i + 1) % rim.size())], centre);
  }
}

Chain SurfaceBuilder::ring(int count, bool shifted,
                           const std::function<Eigen::Vector3d(Turn)>& position) {
  Chain chain;
  chain.closed = true;
  chain.vertices.reserve(static_cast<std::size_t>(count));
  chain.parameters.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const Turn turn{2 * std::int64_t{i} + (shifted ? 1 : 0), 2 * std::int64_t{count}};
    chain.append(add(position(turn)), turn.fraction());
  }
  return chain;
}

void SurfaceBuilder::band(const Chain& lower, const Chain& upper, int rows,
                          const std::function<double(double t)>& count,
                          const std::function<Eigen::Vector3d(double t, Turn turn)>& position) {
  stitch(rowsAbove(lower, rows, Shift::Mirrored, count, position), upper);
}

void SurfaceBuilder::cap(const Chain& rim, int rows, const std::function<double(double t)>& count,
                         const std::function<Eigen::Vector3d(double t, Turn turn)>& position) {
  const Chain innermost = rowsAbove(rim, rows, Shift::Alternating, count, position);
  fan(innermost, add(position(1.0, Turn{0, 1})));
}

Chain SurfaceBuilder::rowsAbove(
    const Chain& lower, int rows, Shift shift, const std::function<double(double t)>& count,
    const std::function<Eigen::Vector3d(double t, Turn turn)>& position) {
  Chain below = lower;
  const bool lowerShifted = lower.parameters.front() > kSameDiagonal;
  for (int k = 1; k < rows; ++k) {
    const double t = static_cast<double>(k) / rows;
    const int points =
        std::max(kFewestAround, 2 * static_cast<int>(std::floor(0.5 * count(t) + 0.5)));
    const int place = shift == Shift::Mirrored ? std::min(k, rows - k) : k;
    Chain next = ring(points, (place % 2 == 1) != lowerShifted,
                      [&](Turn turn) { return position(t, turn); });
    stitch(below, next);
    below = std::move(next);
  }
  return below;
}

Mesh SurfaceBuilder::finish() {
  Mesh mesh = meshFromPositions(positions_, std::move(triangles_));
  positions_.clear();
  triangles_.clear();
  return mesh;
}

Mesh SurfaceBuilder::finishStandingOnY() {
  for (Eigen::Vector3d& p : positions_)
    p = Eigen::Vector3d(p.y(), p.z(), p.x());
  return finish();
}

void SurfaceBuilder::flipFrom(std::size_t first) {
  for (std::size_t k = first; k < triangles_.size(); ++k)
    std::swap(triangles_[k][1], triangles_[k][2]);
}

Chain reversed(const Chain& chain) {
  Chain back;
  back.closed = chain.closed;
  for (std::size_t k = chain.vertices.size(); k-- > 0;) {
    const double p = chain.parameters[k];
    back.append(chain.vertices[k], chain.closed ? (p > 0.0 ? 1.0 - p : 0.0) : -p);
  }
  if (chain.closed && chain.parameters.front() == 0.0) {  // 0 was last and must come first again
    std::rotate(back.vertices.begin(), back.vertices.end() - 1, back.vertices.end());
    std::rotate(back.parameters.begin(), back.parameters.end() - 1, back.parameters.end());
  }
  return back;
}

}  // namespace tactus::models
