#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::render {

/// A mesh ready to be shaded: one vertex for each position and smooth patch that meets there.
struct CreasedSurface {
  std::vector<Eigen::Vector3f> positions;  ///< as in the mesh, relative to its origin
  std::vector<Eigen::Vector3f> normals;    ///< unit, outward for counter-clockwise triangles
  std::vector<models::Triangle> triangles;
};

/// Edges whose faces turn by more than this look sharp. A cylinder of twelve sides (30 degrees)
/// still looks round, and a hexagonal nut (60 degrees) does not.
constexpr double kCreaseCosine = 0.766;  ///< of 40 degrees

/// Normals that are smooth across flat edges and split at sharp ones.
///
/// Method:
/// - positions that are equal to the bit count as one, so that triangle soup shades as a surface
/// - around each position, corners whose triangles share an edge below the crease angle are joined;
///   each joined fan becomes one vertex
/// - its normal is the sum of the fan's face normals by the weights of Max, "Weights for computing
///   vertex normals from facet normals", 1999, which make it exact on a sphere however it is cut
[[nodiscard]] CreasedSurface creasedSurface(const models::Mesh& mesh,
                                            double creaseCosine = kCreaseCosine);

}  // namespace tactus::render
