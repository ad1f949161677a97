#pragma once
#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "collision/pointshell/point_grid.hpp"
#include "models/mesh/mesh.hpp"
#include "models/mesh/parallel_while.hpp"

namespace tactus::collision {

/// A small piece of a surface, flat or nearly so.
struct SurfacePiece {
  SurfaceSpot spot;       ///< centroid, about SurfacePieces::origin, and outward normal
  float area = 0.0F;      ///< [m^2]
  float flatArea = 0.0F;  ///< length of the integral of its normals; the area if it is flat [m^2]
};

/// A surface cut into pieces of about the same size, which together are the surface.
struct SurfacePieces {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< the middle of the mesh's box
  std::vector<SurfacePiece> pieces;                  ///< in the order of the mesh's triangles
  double area = 0.0;                                 ///< of the mesh [m^2]
};

/// Cuts triangles in two across their longest side until no side is longer than about what makes
/// `wanted` pieces of all; slender triangles are cut as short as the others. Triangles without area
/// are left out.
///
/// Of a mesh of many slivers that may be many more than wanted, up to a million. Beyond, sides stay
/// longer and are cut at random places near their middles. The same bytes for any `threads` (0: one
/// a core). No pieces if `goesOn` ends it.
[[nodiscard]] SurfacePieces cutSurface(const models::Mesh& mesh, std::size_t wanted,
                                       unsigned threads = 0, const models::GoesOn& goesOn = {});

}  // namespace tactus::collision
