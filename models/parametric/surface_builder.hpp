#pragma once
#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// A fraction of a full turn, exact: numerator / denominator.
struct Turn {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;

  [[nodiscard]] double fraction() const noexcept {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }
};

/// The point of the unit circle at an angle. The reduction to an octant is done in integers, so
/// that mirrored angles give mirrored points to the last bit, and quarter turns exact zeros and
/// ones.
[[nodiscard]] Eigen::Vector2d unitCircle(Turn turn) noexcept;

/// How finely a surface is to be cut.
struct Fineness {
  double edge = 1e-3;     ///< wanted length of the edges along a row [m]
  double rowShare = 1.0;  ///< rows are this much finer (< 1) or coarser than equilateral

  /// Rows across a strip of the given length, at least one.
  [[nodiscard]] int rowsAcross(double length) const noexcept;
  /// Segments along a curve of the given length, at least `fewest`.
  [[nodiscard]] int segmentsAlong(double length, int fewest = 1) const noexcept;
  /// Points around a closed curve of the given length: a multiple of four, so that the curve's
  /// extreme points along two axes are among them; at least `fewest`.
  [[nodiscard]] int pointsAround(double length, int fewest = 8) const noexcept;
};

/// A row of vertices. Parameters ascend; two chains are joined where their parameters are close. A
/// closed chain runs once around in [0, 1) and its end joins its begin.
struct Chain {
  std::vector<std::uint32_t> vertices;
  std::vector<double> parameters;
  bool closed = false;

  [[nodiscard]] int size() const noexcept { return static_cast<int>(vertices.size()); }
  void append(std::uint32_t vertex, double parameter) {
    vertices.push_back(vertex);
    parameters.push_back(parameter);
  }
};

/// Vertices and triangles of a surface that grows row by row. Rows that meet share their vertices,
/// so that what it makes has no duplicate positions to merge.
class SurfaceBuilder {
 public:
  [[nodiscard]] std::uint32_t add(const Eigen::Vector3d& position);
  [[nodiscard]] const Eigen::Vector3d& at(std::uint32_t vertex) const { return positions_[vertex]; }

  /// Triangle a, b, c, counter-clockwise seen from outside.
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    triangles_.push_back({a, b, c});
  }

  /// Joins two chains by a strip. Seen from outside with `lower` below, both run to the right.
  /// Always takes the shorter of the two possible diagonals, measured in the parameter.
  void stitch(const Chain& lower, const Chain& upper);

  /// Joins all vertices of a closed chain, which runs counter-clockwise seen from outside, to one
  /// vertex.
  void fan(const Chain& rim, std::uint32_t centre);

  /// A closed chain of `count` vertices, position(turn), begun half a step later when `shifted`.
  [[nodiscard]] Chain ring(int count, bool shifted,
                           const std::function<Eigen::Vector3d(Turn)>& position);

  /// Fills the strip between two closed chains with `rows` rows. Row k of them lies at
  /// t = k / rows and has count(t) vertices (made even), every other one shifted by half a step, so
  /// that equal rows give equilateral triangles; upside down the strip is the same. position(t,
  /// turn) must agree with the chains at 0 and 1.
  void band(const Chain& lower, const Chain& upper, int rows,
            const std::function<double(double t)>& count,
            const std::function<Eigen::Vector3d(double t, Turn turn)>& position);

  /// Fills a closed chain, which runs counter-clockwise seen from outside, to one vertex at its
  /// middle by `rows` concentric rows: as band(), with t = 0 at the chain and 1 in the middle. With
  /// count falling by about six a row this is a triangular lattice, and no fan of needles.
  void cap(const Chain& rim, int rows, const std::function<double(double t)>& count,
           const std::function<Eigen::Vector3d(double t, Turn turn)>& position);

  [[nodiscard]] std::size_t triangleCount() const noexcept { return triangles_.size(); }

  /// The finished mesh; the builder is empty afterwards. Triangles keep the orientation they have.
  [[nodiscard]] Mesh finish();

  /// As finish(), with axes (x, y, z) renamed to (z, x, y): what was built about z stands about y.
  [[nodiscard]] Mesh finishStandingOnY();

  /// Turns the orientation of the triangles from `first` on: for surfaces that are seen from
  /// inside.
  void flipFrom(std::size_t first);

 private:
  /// Which rows begin half a step later: every other one, counted from below, or from either end,
  /// so that a strip is the same from above and from below.
  enum class Shift : bool { Alternating, Mirrored };

  /// The rows of band() without its last strip; returns the uppermost row.
  [[nodiscard]] Chain rowsAbove(
      const Chain& lower, int rows, Shift shift, const std::function<double(double t)>& count,
      const std::function<Eigen::Vector3d(double t, Turn turn)>& position);

  std::vector<Eigen::Vector3d> positions_;
  std::vector<Triangle> triangles_;
};

/// A chain run backwards, parameters mirrored.
[[nodiscard]] Chain reversed(const Chain& chain);

}  // namespace tactus::models
