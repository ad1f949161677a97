#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tactus::models {

/// Three indices into Mesh::positions; counter-clockwise when seen from outside.
using Triangle = std::array<std::uint32_t, 3>;

/// Axis-aligned box in metres. An empty one has lower > upper.
struct Bounds {
  Eigen::Vector3d lower = Eigen::Vector3d::Constant(1.0);
  Eigen::Vector3d upper = Eigen::Vector3d::Constant(-1.0);

  [[nodiscard]] bool isEmpty() const noexcept { return (lower.array() > upper.array()).any(); }
  [[nodiscard]] Eigen::Vector3d centre() const noexcept { return 0.5 * (lower + upper); }
  [[nodiscard]] double diagonal() const noexcept {
    return isEmpty() ? 0.0 : (upper - lower).norm();
  }
};

/// A surface of triangles: float positions relative to a double origin, in metres.
///
/// Half the memory of double positions, and as exact as the files where it matters: an object far
/// from zero (a scan in world coordinates) keeps its detail, because only the origin is far.
struct Mesh {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  std::vector<Eigen::Vector3f> positions;
  std::vector<Triangle> triangles;
  /// Vertices that were apart from all before them and lie on one of them since positions were
  /// rounded to floats: detail too fine for the mesh's size, and lost. Counted wherever a mesh is
  /// built, scaled or fitted.
  std::size_t mergedByRounding = 0;

  [[nodiscard]] Eigen::Vector3d position(std::uint32_t vertex) const {
    return origin + positions[vertex].cast<double>();
  }
  /// Of the positions that triangles use, or of all where there are no triangles.
  [[nodiscard]] Bounds bounds() const;
  /// Memory of the arrays in bytes, as used and not as reserved.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return positions.size() * sizeof(positions[0]) + triangles.size() * sizeof(triangles[0]);
  }
};

/// Multiplies all coordinates by `factor` (> 0, finite), about the coordinate origin.
void scale(Mesh& mesh, double factor);

/// Scales so that the bounding box's diagonal becomes `diagonal` metres and moves the box's centre
/// to the coordinate origin. Does nothing to a mesh without extent.
void fitToDiagonal(Mesh& mesh, double diagonal);

/// Builds a mesh from double positions. The origin is zero when that keeps every position to float
/// precision of the object's own size (so that float files survive to the bit), else the box
/// centre. Positions must be finite and lie within 1e30 of each other.
[[nodiscard]] Mesh meshFromPositions(const std::vector<Eigen::Vector3d>& positions,
                                     std::vector<Triangle> triangles);

}  // namespace tactus::models
