#pragma once
#include "response/wrench.hpp"
#include "studies/quality/ideal_law.hpp"

namespace tactus::studies {

/// A box with its upper face at y = 0, and a cone whose tip points downward into it.
struct ConeOnBox {
  double halfLength = 0.0;      ///< of the box along x [m]
  double halfWidth = 0.0;       ///< of the box along z [m]
  double thickness = 0.0;       ///< of the box along y [m]
  double coneHeight = 0.0;      ///< [m]
  double radiusToHeight = 0.0;  ///< of the cone
  double depth = 0.0;           ///< of the tip below the upper face [m]
  double coneAt = 0.0;          ///< x of the cone's axis [m]
};

/// The exact wrench on the cone, about the middle of its height: minus the gradient of the law's
/// energy.
///
/// Where the box ends the cone is cut by its face, in a hyperbola; all integrals over the faces are
/// in closed form, and the one over depths is by quadrature, to 1e-6 of the largest force and
/// better. Precondition: the cut stays within the box along z, and the cone's base above the box.
[[nodiscard]] response::Wrench idealWrench(const ConeOnBox& scene, IdealLaw law);

/// Volume that they share, by quadrature [m^3].
[[nodiscard]] double sharedVolume(const ConeOnBox& scene);

}  // namespace tactus::studies
