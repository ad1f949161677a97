#pragma once
#include <Eigen/Core>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// Mass properties of the solid inside a closed, outward oriented surface, at density 1 kg/m^3.
struct MassProperties {
  double volume = 0.0;  ///< signed: negative when turned inside out [m^3]
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< centre of mass [m]
  /// About `centre`, axes of the file, symmetric to the bit [kg m^2].
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
};

/// Exact polyhedral integration: the sum over signed tetrahedra between a reference point and each
/// triangle, whose moments are polynomials of the corners.
///
/// Source: Tonon, "Explicit Exact Formulas for the 3-D Tetrahedron Inertia Tensor in Terms of its
/// Vertex Coordinates", 2004 (the same integrals as Mirtich, "Fast and Accurate Computation of
/// Polyhedral Mass Properties", 1996). How ours differs: the reference is the middle of the box and
/// not the origin, so that an object far from zero loses nothing; sums run in fixed blocks whose
/// results are added with compensation (Neumaier 1974), so that a million triangles cost about the
/// rounding of a block, and any number of threads gives the same bytes.
///
/// Of an open surface the figures depend on the reference and mean nothing; the caller asks the
/// report first. A surface without volume has its centre in the middle of its box and no inertia.
/// `threads` 0: one a core.
[[nodiscard]] MassProperties massProperties(const Mesh& mesh, unsigned threads = 0);

}  // namespace tactus::models
