#pragma once
#include <Eigen/Geometry>
#include <cstdint>

#include "collision/surface/surface_distance.hpp"

namespace tactus::collision {

/// Which depth is integrated.
enum class ExactDepthLaw : std::uint8_t {
  Lesser,  ///< below either surface
  OfB,     ///< below B's surface
};

/// An integral of depth over what two solids share, and how it changes with the pose of B.
struct ExactDepth {
  double energy = 0.0;       ///< [m^4]
  double energyError = 0.0;  ///< an estimate: what the last refinement changed [m^4]
  /// Minus the gradient of `energy` with respect to B's pose, in A's frame: the force on B [m^3]
  /// and the torque on B about B's origin [m^4] of the energy K E with K = 1 N/m^3.
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();
  double volume = 0.0;        ///< of the intersection, for comparison [m^3]
  std::uint64_t samples = 0;  ///< places where both depths were asked for
};

/// Integral of depth over the intersection of two solids, by adaptive cubature: the reference of
/// depthEnergy().
///
/// Method: the middle of each cube is asked for its true depth below both surfaces and for the
/// nearest points, which give the gradients. In the cube both depths are taken for linear, and are
/// integrated along four lines (Gauss's points across), exactly for what is linear. A cube whose
/// eight parts give another energy or wrench than itself is divided. Where the depths bend, the
/// error goes with the square of a cube's side, so that a third of the last change is added
/// (Richardson). All cubes of one size come before those of half of it, and where that is not
/// enough after 40 million samples it ends with what there is; `energyError` says so.
///
/// Where both surfaces are the same to rounding, as of an object that lies in itself, the lesser
/// depth has no gradient, and each surface pushes by half.
///
/// What the bounding boxes share is cut into cells along A's axes, as flat as it is. A wall, or an
/// overlap, that is thin and slanting may be thinner than the finest of them, and is lost then:
/// `volume`, held against the true one, tells.
///
/// Deviation: about 1e-4 of the energy and of the sum of all forces' lengths between round objects,
/// 5e-4 between sharp edges, where that third is not what is missing, for overlaps of a thousandth
/// of the objects and more. Takes seconds: not for the servo loop. The same bytes for any `threads`
/// (0: one a core).
[[nodiscard]] ExactDepth exactDepth(const SurfaceDistance& a, const SurfaceDistance& b,
                                    const Eigen::Isometry3d& aFromB,
                                    ExactDepthLaw law = ExactDepthLaw::Lesser,
                                    unsigned threads = 0);

}  // namespace tactus::collision
