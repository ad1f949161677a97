#pragma once
#include <Eigen/Core>
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
/// surface, project back. How ours differs:
/// - the surface is a distance field, so projecting is Newton's method and loses nothing
/// - edges collapse onto one of their ends, so that vertices stay on the surface
/// - no step may fold a triangle over, nor make a sliver worse; where smoothing would, the vertices
///   concerned stay where they were
/// - the wanted edge length shrinks where the surface curves more tightly (edge_lengths.hpp)
/// - vertices near a crease, or near a fillet too narrow for the mesh, go onto it and stay on it;
/// edges
///   turn into it
/// - the number of triangles is met exactly, shortest edges first, no two next to each other at
/// once
/// - slivers that are left are mended one by one
class Remesher {
 public:
  Remesher(SurfaceMesh& mesh, SurfaceProjection& projection, unsigned threads)
      : mesh_(&mesh), projection_(&projection), threads_(threads) {}

  /// Puts the vertices of a fresh mesh onto the surface. Must come first.
  void settle();

  /// Brings the mesh to `triangles`, an even number; targets must be set. A mesh that cannot have
  /// so few without changing its shape stops above.
  void remesh(std::size_t triangles);

  /// Takes away triangles that meet others and keeps the number. To be asked for after remesh(),
  /// for triangles of the mesh as it stands; may have to be repeated.
  void unfold(const std::vector<std::uint32_t>& folded, std::size_t triangles);

 private:
  [[nodiscard]] float wanted(std::uint32_t vertex) const;
  [[nodiscard]] float wantedSquared(std::uint32_t h) const;
  [[nodiscard]] float edgeSquared(std::uint32_t h) const;
  /// sin^2 of a triangle's smallest angle.
  [[nodiscard]] float quality(std::uint32_t a, std::uint32_t b, std::uint32_t c) const;
  [[nodiscard]] float qualityOfTriangle(std::uint32_t triangle) const;
  /// Cosine between a triangle and that of the normals at its corners from which it turns away
  /// most.
  [[nodiscard]] float facing(std::uint32_t a, std::uint32_t b, std::uint32_t c) const;

  /// The worst of the triangles around a vertex.
  struct Star {
    float quality = 1.0F, facing = 1.0F;
  };
  [[nodiscard]] Star starOf(std::uint32_t vertex) const;

  /// Quality of the worst triangle if from(h) went into to(h); negative if that is not allowed.
  [[nodiscard]] float qualityAfterCollapse(std::uint32_t h, float longestSquared) const;
  /// The same of the two triangles if the edge were flipped.
  [[nodiscard]] float qualityAfterFlip(std::uint32_t h) const;
  /// A collapse that is possible and takes no vertex off a crease.
  [[nodiscard]] bool mayCollapse(std::uint32_t h) const;
  /// Whether the surface bends by more than 37 degrees at an edge.
  [[nodiscard]] bool isSharp(std::uint32_t h) const;
  /// How far the middle of a line between two vertices is from the surface.
  [[nodiscard]] float chordDistance(std::uint32_t a, std::uint32_t b) const;

  void splitLong();
  void collapseShort();
  void flipForValence();
  void flipForAngles();
  void relax();
  [[nodiscard]] Eigen::Vector3f shiftToMean(std::uint32_t vertex) const;
  [[nodiscard]] Eigen::Vector3f shiftToCrease(std::uint32_t vertex, const Eigen::Vector3f& from,
                                              float& allowance) const;
  [[nodiscard]] bool isNearestToCrease(std::uint32_t vertex) const;
  void catchCreases();
  void moveWithoutHarm(bool isFresh);
  [[nodiscard]] bool canMove(std::uint32_t vertex, const Eigen::Vector3f& there) const;
  bool bringHome();
  void orderEdges();
  std::size_t collapseEdges(std::size_t count);
  std::size_t splitEdges(std::size_t count);
  void meetCount(std::size_t triangles);
  void mendSlivers(std::size_t triangles);
  bool moveForAngles(std::uint32_t vertex);
  bool collapseWorst(std::uint32_t triangle, float least);

  SurfaceMesh* mesh_;
  SurfaceProjection* projection_;
  unsigned threads_;
  float edge_ = 0.0F;  // wanted where nothing curves [m]

  // Room for what each step needs, kept from one to the next.
  std::vector<Eigen::Vector3f> moved_, movedNormal_;
  std::vector<Eigen::Vector3f> toCrease_, creasePoint_, creaseNormal_;
  std::vector<float> creaseAllowance_;
  std::vector<std::uint32_t> creaseVertex_;
  std::vector<std::uint8_t> stays_, spoiled_, frozen_, wasOnCrease_;
  std::vector<std::uint16_t> edgeBucket_;
  std::vector<std::uint32_t> edgeOrder_;
};

}  // namespace tactus::models
