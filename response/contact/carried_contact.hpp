#pragma once
#include <Eigen/Geometry>

#include "collision/contact/contact_patches.hpp"
#include "response/contact/contact_law.hpp"

namespace tactus::response {

/// What a contact does to each other a moment later, by its stiffness instead of its law.
struct CarriedContact {
  ContactForce force;
  /// How much of the force has changed: lengths of forces, and of torques over `length`, whichever
  /// is more. The error is of its square.
  double change = 0.0;
  double scale = 1.0;  ///< of the push along where it was, for carriedPatches()
};

/// Carries a contact on from one pose of B in A's frame to another one nearby.
///
/// Source: the project's own; it is the force that linearly implicit steps reckon with (D. Baraff
/// and A. Witkin, "Large Steps in Cloth Simulation", 1998), kept for one more step.
///
/// With u the shift of the middle of pressure with B, and w the turn of B since,
///     wrench = wrench before - K (u, w),    energy = energy before - wrench before . (u, w)
///              + (u, w) . K (u, w) / 2.
/// The energy's second derivatives are symmetric if its pose is a turn about a point and then a
/// shift: so the new wrench acts about that point where it is now.
///
/// Deviation: K has no negative eigenvalues, as in ContactForce; ways along which the energy falls
/// faster and faster push as they did. What pulls back to a flat face is right to first order.
[[nodiscard]] CarriedContact carriedContact(const ContactForce& force,
                                            const Eigen::Isometry3d& before,
                                            const Eigen::Isometry3d& now, double length) noexcept;

/// Patches that push by a factor more or less, where they are.
void scalePatches(double factor, collision::ContactPatches& patches) noexcept;

}  // namespace tactus::response
