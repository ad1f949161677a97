#pragma once
#include <Eigen/Core>
#include <cstdint>

namespace tactus::collision {

/// The energy whose gradient is the force: a sum over pairs of leaves, of a function of the
/// distance of their centres.
enum class EnergyLaw : std::uint8_t {
  Volume,   ///< of the overlap. Energies are k V, with k = 1 Pa
  Depth,    ///< integral over the overlap of the lesser of the depths below the two surfaces.
            ///< Energies are K times this, with K = 1 N/m^3
  DepthOfB  ///< integral of the depth below B's surface alone
};

/// Second derivatives of an energy with respect to B's pose: shifts u and turns w about B's origin,
/// in A's frame, in the order u_x u_y u_z w_x w_y w_z. Symmetric.
using Stiffness = Eigen::Matrix<double, 6, 6>;

/// [v]x, which makes of a vector its cross product with v.
[[nodiscard]] inline Eigen::Matrix3d crossing(const Eigen::Vector3d& v) noexcept {
  Eigen::Matrix3d m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

/// Of a stiffness with turns about one point, and the force there: the stiffness with turns about
/// another point, from which `arm` leads to the first one.
[[nodiscard]] Stiffness turnedAbout(const Stiffness& stiffness, const Eigen::Vector3d& force,
                                    const Eigen::Vector3d& arm) noexcept;

/// The nearest symmetric matrix without negative eigenvalues: a stiffness that implicit integration
/// can rely on. A sum over a contact is projected as a whole; projecting each pair of leaves would
/// make the contact stiffer, since most of what is negative in one is made up for by its
/// neighbours.
///
/// Method: eigenvalues below zero are left out. Lengths of the object's size should be near 1, or
/// the turns' share is of other magnitude than the shifts': `length` [m] is taken for one.
[[nodiscard]] Stiffness withoutNegative(const Stiffness& stiffness, double length) noexcept;

}  // namespace tactus::collision
