#pragma once
#include <cstddef>

#include "models/mesh/mesh.hpp"

namespace tactus::render {

/// Triangles that a software renderer draws of one object at 60 Hz beside others of its kind.
constexpr std::size_t kCoarseTriangles = 3000;

struct CoarseCopy {
  models::Mesh mesh;  ///< with the same origin
  /// How far mesh and copy lie apart [m]: the farthest of the mesh's corners from the copy, and of
  /// the middles of the copy's triangles and edges from the mesh. Measured, not estimated; but only
  /// there, so that between these places it may be a little more.
  double farthest = 0.0;
};

/// A copy for drawing only: about as many triangles as asked for, in the same shape.
///
/// Source: Garland and Heckbert, "Surface simplification using quadric error metrics", 1997, as
/// meshoptimizer does it: an edge is folded onto one of its own ends, so that every corner of the
/// copy is one of the mesh's. What is joined stays joined: a closed surface gets no holes, and no
/// handle or piece is lost. Where that leaves no edge to fold, the copy keeps more triangles than
/// asked for; a mesh that has no more comes back as it is.
/// Ours does it again with the mesh blown up a little where flat faces came out crumpled.
///
/// Depends on the mesh only.
[[nodiscard]] CoarseCopy coarseCopy(const models::Mesh& mesh,
                                    std::size_t triangles = kCoarseTriangles);

}  // namespace tactus::render
