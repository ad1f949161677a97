#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/sculpt/surface_mesh.hpp"
#include "models/sculpt/surface_projection.hpp"

namespace tactus::models {

/// Makes a mesh on a sculpture's surface even and well shaped, with a given number of triangles.
///
/// Source: M. Botsch and L. Kobbelt, "A Remeshing Approach to Multiresolution Modeling", 2004:
/// split long edges, collapse short ones, flip towards six edges a vertex, smooth along the
/// surface, project back; repeat. How ours differs:
/// - the surface is a distance field, so projecting is Newton's method and loses nothing
/// - edges collapse onto one of their ends, so that every vertex is on the surface at all times
/// - no step may fold a triangle over or make it worse than what it replaces; where smoothing
/// would,
///   the vertices concerned stay where they were
/// - the wanted edge length shrinks where the surface curves more tightly than it (a tail at few
///   triangles); elsewhere it is one for all
/// - the number of triangles is met exactly by a last round of collapses or splits
class Remesher {
 public:
  Remesher(SurfaceMesh& mesh, SurfaceProjection& projection, unsigned threads)
      : mesh_(&mesh), projection_(&projection), threads_(threads) {}

  /// Puts all vertices onto the surface; must be first. False if some did not get there.
  bool projectAll();

  /// Works out from the normals how long edges may be where the surface curves.
  void measureCurvature();

  /// Brings the mesh to `triangles` (even, at least 4 a handle and component).
  void remesh(std::size_t triangles);

  /// Smallest sine squared of any angle, a measure of slivers.
  [[nodiscard]] float worstQuality() const;

 private:
  [[nodiscard]] float wanted(std::uint32_t vertex) const;
  [[nodiscard]] float wantedSquared(std::uint32_t h) const;
  [[nodiscard]] float edgeSquared(std::uint32_t h) const;
  [[nodiscard]] float quality(std::uint32_t a, std::uint32_t b, std::uint32_t c) const;
  [[nodiscard]] bool facesOutward(std::uint32_t a, std::uint32_t b, std::uint32_t c) const;
  [[nodiscard]] float starQuality(std::uint32_t vertex) const;

  [[nodiscard]] float edgeLengthFor(std::size_t triangles) const;
  void splitLong();
  void collapseShort();
  void flipForValence();
  void flipForAngles();
  void relax(float strength);
  void meetCount(std::size_t triangles);
  void orderEdges();
  std::size_t collapseEdges(std::size_t count);
  std::size_t splitEdges(std::size_t count);
  void mendSlivers();
  bool moveForAngles(std::uint32_t vertex);

  /// Quality of the worst triangle if from(h) went into to(h); negative if that is not allowed.
  [[nodiscard]] float qualityAfterCollapse(std::uint32_t h, float longestSquared) const;
  [[nodiscard]] float qualityAfterFlip(std::uint32_t h) const;

  SurfaceMesh* mesh_;
  SurfaceProjection* projection_;
  unsigned threads_;
  float edge_ = 0.0F;  // wanted where nothing curves [m]
  std::vector<Eigen::Vector3f> moved_, movedNormal_;
  std::vector<std::uint8_t> stays_, frozen_, spoiled_;
  std::vector<std::uint16_t> edgeBucket_;
  std::vector<std::uint32_t> edgeOrder_;
};

}  // namespace tactus::models
