#pragma once
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "models/mesh/mesh.hpp"
#include "models/report/topology.hpp"

namespace tactus::models {

/// The triangles of a solid's surface as walls, seen from the material: what the two measurements
/// of thickness (across faces, and at creases) have in common.
class Walls {
 public:
  struct Wall {
    std::array<Eigen::Vector3d, 3> at;
    Eigen::Vector3d normal;  ///< out of the material, of twice the area's length
  };

  /// `isInverted` (one entry a triangle, or empty) tells where normals point into the material.
  Walls(const Mesh& mesh, const Topology& topology, std::span<const std::uint8_t> isInverted)
      : mesh_(mesh), topology_(topology), isInverted_(isInverted) {}

  [[nodiscard]] const Mesh& mesh() const noexcept { return mesh_; }
  [[nodiscard]] const Topology& topology() const noexcept { return topology_; }
  [[nodiscard]] std::size_t count() const noexcept { return mesh_.triangles.size(); }

  [[nodiscard]] bool isTurned(std::size_t t) const noexcept {
    return !isInverted_.empty() && isInverted_[t] != 0;
  }

  [[nodiscard]] Wall wall(std::size_t t) const {
    Wall wall;
    for (std::size_t i = 0; i < 3; ++i) {
      wall.at[i] = mesh_.positions[mesh_.triangles[t][i]].cast<double>();
    }
    wall.normal = (wall.at[1] - wall.at[0]).cross(wall.at[2] - wall.at[0]);
    if (isTurned(t)) wall.normal = -wall.normal;
    return wall;
  }

  /// Unit, out of the material; zero for a triangle without area.
  [[nodiscard]] Eigen::Vector3d normal(std::size_t t) const {
    const Eigen::Vector3d normal = wall(t).normal;
    const double length = normal.norm();
    return length > 0.0 ? Eigen::Vector3d(normal / length) : Eigen::Vector3d::Zero();
  }

  /// Of a distinct position, relative to the mesh's origin.
  [[nodiscard]] Eigen::Vector3d at(std::uint32_t position) const {
    return mesh_.positions[topology_.merged.firstVertex[position]].cast<double>();
  }

  /// Ray parameter at which the ray leaves the material through the triangle; infinity if it misses
  /// or enters (Möller and Trumbore, "Fast, Minimum Storage Ray-Triangle Intersection", 1997).
  [[nodiscard]] double exitAt(std::size_t t, const Eigen::Vector3d& from,
                              const Eigen::Vector3d& direction) const {
    // a ray that passes a wall's edge by rounding only has hit it
    constexpr double kEdgeTolerance = 1e-12;
    constexpr double kMiss = std::numeric_limits<double>::infinity();
    const Triangle& triangle = mesh_.triangles[t];
    const Eigen::Vector3d a = mesh_.positions[triangle[0]].cast<double>();
    const Eigen::Vector3d e1 = mesh_.positions[triangle[1]].cast<double>() - a;
    const Eigen::Vector3d e2 = mesh_.positions[triangle[2]].cast<double>() - a;
    const Eigen::Vector3d p = direction.cross(e2);
    const double determinant = e1.dot(p);  // minus the normal along the ray
    if (!(isTurned(t) ? determinant > 0.0 : determinant < 0.0)) return kMiss;
    const double inverse = 1.0 / determinant;
    const Eigen::Vector3d s = from - a;
    const double u = s.dot(p) * inverse;
    if (!(u >= -kEdgeTolerance)) return kMiss;
    const Eigen::Vector3d q = s.cross(e1);
    const double v = direction.dot(q) * inverse;
    if (!(v >= -kEdgeTolerance && u + v <= 1.0 + kEdgeTolerance)) return kMiss;
    const double length = e2.dot(q) * inverse;
    return length > 0.0 ? length : kMiss;
  }

  [[nodiscard]] bool hasCorner(std::size_t t, std::uint32_t position) const noexcept {
    const Triangle& corners = topology_.triangles[t];
    return std::find(corners.begin(), corners.end(), position) != corners.end();
  }

  /// Whether two triangles have a corner in common.
  [[nodiscard]] bool areNeighbours(std::size_t a, std::size_t b) const noexcept {
    const Triangle& corners = topology_.triangles[a];
    return hasCorner(b, corners[0]) || hasCorner(b, corners[1]) || hasCorner(b, corners[2]);
  }

 private:
  const Mesh& mesh_;
  const Topology& topology_;
  std::span<const std::uint8_t> isInverted_;
};

}  // namespace tactus::models
