#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <span>

#include "collision/contact/contact_patches.hpp"
#include "response/contact/material.hpp"

namespace tactus::response {

/// The bristles of one patch of contact, all bent alike. Lengths and directions are in A's frame.
struct Bristle {
  /// How far they are bent, across the normal: of B's surface against A's [m].
  Eigen::Vector3d bend = Eigen::Vector3d::Zero();
  /// The same by the spin about the normal: the angle times the patch's spin radius [m].
  double twist = 0.0;
  double slipSpeed = 0.0;  ///< at which the patch slid in the last step [m/s]

  // Of the patch that they belong to.
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< unit, out of A
  double normalForce = 0.0;                          ///< [N]
  double radius = 0.0, spinRadius = 0.0;             ///< [m]

  /// Twice the stored energy by the bristles' stiffness [m^2].
  [[nodiscard]] double square() const noexcept { return bend.squaredNorm() + twist * twist; }
};

/// Bristles of all patches of a pair.
struct Bristles {
  static constexpr std::size_t kMost = collision::ContactPatches::kMost;

  [[nodiscard]] std::span<Bristle> all() noexcept { return std::span(bristles).first(count); }
  [[nodiscard]] std::span<const Bristle> all() const noexcept {
    return std::span(bristles).first(count);
  }

  std::array<Bristle, kMost> bristles;
  std::size_t count = 0;
};

/// Sum over all of the energy that bristles hold [J].
[[nodiscard]] double storedEnergy(const Bristles& bristles, double stiffness) noexcept;

/// Friction of one patch: bristles that bend up to a limit, and slide beyond.
///
/// Source: P. Dupont, V. Hayward, B. Armstrong and F. Altpeter, "Single State Elastoplastic
/// Friction Models", 2002 (no drift while it sticks); S. Goyal, A. Ruina and J. Papadopoulos,
/// "Planar Sliding with Dry Friction", 1991, and R. Howe and M. Cutkosky, 1996, for the ellipsoid
/// (|f| / mu N)^2 + (tau / mu N rho)^2 <= 1 that bounds force and torque together. How ours
/// differs:
/// - the spin's bend is kept as a length, the angle times rho. So the three states are alike, the
///   ellipsoid is a ball of radius mu N / stiffness in them, and the stored energy is
///   stiffness / 2 times their square: it does not change when N, rho or the patch do, and being
///   brought back to the limit can only lower it
/// - from static to kinetic friction by a rational function of the speed instead of Stribeck's
///   exponential: no library function, hence the same bytes everywhere

/// mu at a speed: static at rest, half way to kinetic at the material's slip speed.
[[nodiscard]] double frictionAt(const Material& pair, double slipSpeed) noexcept;

/// After a step in which the surfaces moved by `slide` against each other (B against A; the third
/// number is the spin's angle times rho): bends the bristles, and lets them slide beyond `limit`.
/// All in the coordinates of `bend`'s caller: two tangential and the spin. [m]
[[nodiscard]] Eigen::Vector3d bentBy(const Eigen::Vector3d& state, const Eigen::Vector3d& slide,
                                     double limit) noexcept;

/// Follows patches from one tick to the next: `bristles` were of the last tick's patches and are of
/// these ones afterwards.
///
/// Method:
/// - bends go with the bodies: by half of the spin of B against A about the normal, and with the
///   normal as it turns, on the shortest way. Both keep their length
/// - each new patch asks the nearest old one within reach; an old one that several ask is shared
/// out
///   by their normal forces, and one that nobody asks is added to the nearest new one within reach.
///   So a patch that stays keeps its bristles, one that parts divides them, some that join add up
/// - what a patch gets is shortened if it would hold more energy than its shares of the old ones
///   held: the sum over all patches never grows
///
/// `turnOfB` is by what B turned against A since [rad], in A's frame, and `path` a bound for how
/// far any point of B moved against A [m].
void followPatches(const collision::ContactPatches& patches, const Eigen::Vector3d& turnOfB,
                   double path, Bristles& bristles) noexcept;

}  // namespace tactus::response
