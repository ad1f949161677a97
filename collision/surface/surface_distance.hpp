#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "collision/surface/sheet_sides.hpp"
#include "collision/surface/surface_tree.hpp"
#include "models/mesh/mesh.hpp"
#include "models/report/winding_number.hpp"

namespace tactus::collision {

/// Where on its triangle a closest point lies. Side k runs from corner k to the next one.
enum class SurfaceFeature : std::uint8_t {
  Face,
  Side0,
  Side1,
  Side2,
  Corner0,
  Corner1,
  Corner2,
};

/// How inside is told from outside.
enum class SignRule : std::uint8_t {
  Pseudonormal,   ///< by the normal at the closest point; right for clean meshes only, and fast
  WindingNumber,  ///< by the generalised winding number (>= 0.5 is inside); any mesh
};

struct SurfaceDistanceSettings {
  SignRule signRule = SignRule::Pseudonormal;
  unsigned threads = 0;  ///< of the construction; 0: one a core
};

/// What a query tells of a point.
struct SurfacePoint {
  double distance = std::numeric_limits<double>::infinity();  ///< negative inside [m]
  Eigen::Vector3d point = Eigen::Vector3d::Zero();            ///< the closest one on the surface
  std::uint32_t triangle = kNoTriangle;  ///< that holds `point`; kNoTriangle: none within reach
  SurfaceFeature feature = SurfaceFeature::Face;

  [[nodiscard]] bool found() const noexcept { return triangle != kNoTriangle; }
};

/// Signed distance from points to the surface of a mesh: negative inside, in metres.
///
/// Source: Baerentzen and Aanaes, "Signed Distance Computation Using the Angle Weighted
/// Pseudonormal", 2005; closest point by the regions of Ericson, "Real-Time Collision Detection",
/// 2005; winding number see models/report/winding_number.hpp.
/// How ours differs: of a messy mesh the winding number is asked only along the lines where parts
/// cross, see sheetSides(); the closest triangle is found in doubles by SurfaceTree; the angles of
/// the pseudonormals come from models/lanes/elementary.hpp, so that they are the same everywhere.
///
/// Deviation: distance and point are off by about 1e-15 of the mesh's size. Of several triangles
/// that are equally close the one with the lowest number is named. A distance of 0 is positive.
///
/// Const and free of allocation in a query; any number of threads may ask at once.
class SurfaceDistance {
 public:
  /// Keeps a copy of the triangles. Precondition: finite positions, indices in range.
  explicit SurfaceDistance(const models::Mesh& mesh, const SurfaceDistanceSettings& settings = {});

  /// Of a point in the mesh's coordinates. `reach` is a hint: the caller knows that the surface is
  /// no further away. What lies further is not found, and the distance then is infinite, with the
  /// sign of inside or outside only if the rule is WindingNumber.
  [[nodiscard]] SurfacePoint at(
      const Eigen::Vector3d& point,
      double reach = std::numeric_limits<double>::infinity()) const noexcept;

  /// As at(), but never negative, and without the work for the sign.
  [[nodiscard]] SurfacePoint unsignedAt(
      const Eigen::Vector3d& point,
      double reach = std::numeric_limits<double>::infinity()) const noexcept;

  /// As at(), of a point whose closest triangle is known.
  [[nodiscard]] SurfacePoint at(const Eigen::Vector3d& point,
                                std::uint32_t closestTriangle) const noexcept;

  /// The unsigned distance to one triangle.
  [[nodiscard]] double distanceTo(const Eigen::Vector3d& point,
                                  std::uint32_t triangle) const noexcept {
    return pointOf(point, triangle).distance;
  }

  /// Inside or, as far as rounding lets a point be, on the surface.
  [[nodiscard]] bool contains(const Eigen::Vector3d& point) const noexcept;

  /// at() of every point, on `threads` threads (0: one a core). Points that follow each other
  /// should be near each other: the last distance bounds the next one.
  void at(std::span<const Eigen::Vector3d> points, std::span<SurfacePoint> results,
          unsigned threads = 0) const;

  /// Appends the triangles within `reach` of the point, in an order that depends on the mesh only.
  void trianglesWithin(const Eigen::Vector3d& point, double reach,
                       std::vector<std::uint32_t>& triangles) const {
    tree_.within(point - origin_, reach, triangles);
  }

  /// Corners of a triangle, relative to origin().
  [[nodiscard]] std::array<Eigen::Vector3f, 3> corners(std::uint32_t triangle) const noexcept {
    const models::Triangle& t = triangles_[triangle];
    return {positions_[t[0]], positions_[t[1]], positions_[t[2]]};
  }
  [[nodiscard]] std::size_t triangleCount() const noexcept { return triangles_.size(); }
  [[nodiscard]] const Eigen::Vector3d& origin() const noexcept { return origin_; }
  [[nodiscard]] const models::Bounds& bounds() const noexcept { return bounds_; }
  [[nodiscard]] SignRule signRule() const noexcept { return signRule_; }

  /// Memory of the arrays in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  void makeNormals(models::Topology topology);
  [[nodiscard]] SurfacePoint pointOf(const Eigen::Vector3d& point,
                                     std::uint32_t triangle) const noexcept;
  void sign(const Eigen::Vector3d& point, SurfacePoint& result) const noexcept;
  [[nodiscard]] SheetSides sidesAt(std::uint32_t triangle, SurfaceFeature feature) const noexcept;
  [[nodiscard]] Eigen::Vector3d normalAt(std::uint32_t triangle,
                                         SurfaceFeature feature) const noexcept;

  Eigen::Vector3d origin_;
  models::Bounds bounds_;
  SignRule signRule_;
  std::vector<Eigen::Vector3f> positions_;
  std::vector<models::Triangle> triangles_;
  SurfaceTree tree_;
  // unit normals of faces, sums of two of them at edges, weighted ones at corners
  std::vector<Eigen::Vector3d> faceNormals_, edgeNormals_, cornerNormals_;
  std::vector<std::uint32_t> edgeOfSide_;
  std::vector<models::Triangle> mergedTriangles_;
  std::unique_ptr<const models::WindingNumber> winding_;  ///< of a messy mesh
  SheetSidesOfMesh sides_;                                ///< likewise
};

/// The rule that suits a mesh: Pseudonormal if it is closed, oriented outward, without duplicates,
/// degenerate triangles and self-intersections; else WindingNumber.
[[nodiscard]] SignRule signRuleFor(const models::Mesh& mesh, unsigned threads = 0);

/// The closest point of the triangle, and which part of it that is.
[[nodiscard]] Eigen::Vector3d closestPointOfTriangle(const Eigen::Vector3d& point,
                                                     const Eigen::Vector3d& a,
                                                     const Eigen::Vector3d& b,
                                                     const Eigen::Vector3d& c,
                                                     SurfaceFeature& feature) noexcept;

}  // namespace tactus::collision
