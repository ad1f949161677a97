#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstdint>

#include "response/contact/bristle_friction.hpp"
#include "response/coupling/contact_load.hpp"

namespace tactus::response {

/// Friction between a tool without mass and one thing that it touches, as a part of the energy in
/// which the tool balances.
///
/// Source: M. Ortiz and L. Stainier, "The Variational Formulation of Viscoplastic Constitutive
/// Updates", 1999: a step of something that yields is the least of an incremental energy; the
/// normal force of the step before as in M. Li and others, "Incremental Potential Contact", 2020.
/// The bristles and their limit are those of bodies with mass, see bristle_friction.hpp.
///
/// Method, in a tick, with the stiffness k of bristles and the limit l = mu N / k of each patch:
/// - moved(): the bristles bend by what the other body has moved under the tool since the last tick
/// - taken(): they go over to the patches as they are before the tool moves. N stays that of this
///   pose, so that what follows is a function of the pose alone
/// - addTo(): of a patch that would be bent by z at a pose, k z^2 / 2 up to z = l and
///   k l (z - l/2) beyond, with its gradient and its second derivatives. Beyond l the gradient is
///   mu N: sliding
/// - settled(): what is beyond l has slid, and is gone
/// The speed of sliding, by which friction goes from static to kinetic, follows within kFollows: a
/// tool without mass breaks away in one tick, and the step of force would be felt as a rattle.
///
/// Deviation: N is a tick late. A slide is that of the bristles' middle in B, straight; turns are
/// taken as small. A material's bristle damping has no part in it: the coupling damps the tool.
class HeldFriction {
 public:
  /// Begins with bristles that are not bent.
  void begin(const Eigen::Isometry3d& aFromB) noexcept {
    aFromB_ = takenAt_ = aFromB;
    bristles_.count = 0;
  }
  void moved(const Eigen::Isometry3d& aFromB, double dt) noexcept;
  /// `path` bounds how far any point of B has moved against A since it was takenAt().
  void taken(const collision::ContactPatches& patches, const Material& pair,
             const Eigen::Isometry3d& aFromB, double path) noexcept;
  /// On the tool, which is A or B of the pair.
  void addTo(ContactLoad& load, const Eigen::Isometry3d& sceneFromA,
             const Eigen::Isometry3d& sceneFromB, bool isToolA) const noexcept;
  void settled(const Eigen::Isometry3d& aFromB, double dt) noexcept;

  /// B in A's frame, as the patches were taken.
  [[nodiscard]] const Eigen::Isometry3d& takenAt() const noexcept { return takenAt_; }

 private:
  struct Bend {
    Eigen::Vector3d across;  ///< in A's frame [m]
    double twist;            ///< [m]
    Eigen::Vector3d point;   ///< of B's material, in A's frame [m]
    [[nodiscard]] double length() const noexcept;
  };
  [[nodiscard]] static double slideTo(const Bend& bend, double limit, Bristle& bristle) noexcept;
  [[nodiscard]] Bend bendOf(const Bristle& bristle, const Eigen::Isometry3d& aFromB) const noexcept;

  Eigen::Isometry3d aFromB_ = Eigen::Isometry3d::Identity();  ///< of the last call but addTo()
  Eigen::Isometry3d takenAt_ = Eigen::Isometry3d::Identity();
  Bristles bristles_;
  std::array<double, Bristles::kMost> limits_{};  ///< how far each may be bent [m]
  double stiffness_ = 0.0;                        ///< of a patch's bristles [N/m]
};

}  // namespace tactus::response
