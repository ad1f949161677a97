#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <span>

#include "collision/tree/contact_energy.hpp"
#include "response/bodies/rigid_body.hpp"

namespace tactus::response {

/// A body during one step. Twists are about `centre`: velocity [m/s], then angular velocity
/// [rad/s].
struct MovingBody {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< arms are measured from here [m]
  Matrix6 mobility = Matrix6::Zero();  ///< change of twist by a wrench, a second; 0: immovable
  Vector6 start = Vector6::Zero();     ///< twist at the beginning
  Vector6 free = Vector6::Zero();      ///< twist at the end without any contact
  Vector6 end = Vector6::Zero();       ///< with contacts
  Vector6 wrench = Vector6::Zero();    ///< that contacts made, about `centre`
};

/// Elastic contact of two bodies: it pushes with `given` - gain * (twist of B against A).
struct PairBlock {
  std::uint32_t a = 0, b = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< that wrenches and twists are about
  Vector6 given = Vector6::Zero();                  ///< on B, as the pose is now
  Matrix6 gain = Matrix6::Zero();    ///< stiffness times the implicit time, and damping
  bool pushesOnly = false;           ///< a wrench that pulls against `given` counts as none
  double length = 0.1;               ///< that makes torques comparable to forces there [m]
  Vector6 wrench = Vector6::Zero();  ///< on B; a first guess, and the result

  // Of prepare().
  Matrix6 byA = Matrix6::Zero(), byB = Matrix6::Zero();  ///< change of twist in the step
  Matrix6 own = Matrix6::Zero();  ///< what its wrench does to its own mean twist
  Matrix6 slope = Matrix6::Zero();
  Vector6 fixed = Vector6::Zero();
};

/// Friction of one patch: bristles with a state, bent by sliding, up to a limit.
struct PatchBlock {
  std::uint32_t a = 0, b = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  /// Two tangents and the normal, as columns.
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  double spinRadius = 0.0;  ///< rho [m]
  double stiffness = 0.0;   ///< [N/m]
  double damping = 0.0;     ///< [N s/m]
  double limit = 0.0;       ///< mu N [N]; see `pair`
  /// By its number, the pair whose patch it is. If that pushes to one side, N follows what it
  /// really pushes with, damping included: the limit is multiplied by its force along `given` by
  /// given's.
  std::uint32_t pair = 0;
  Eigen::Vector3d state = Eigen::Vector3d::Zero();  ///< bends along both tangents, twist [m]
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< on B: tangents, torque by rho [N]

  // Of prepare().
  Eigen::Matrix<double, 6, 3> byA = Eigen::Matrix<double, 6, 3>::Zero();
  Eigen::Matrix<double, 6, 3> byB = Eigen::Matrix<double, 6, 3>::Zero();
  Eigen::Matrix3d own = Eigen::Matrix3d::Zero();
  Eigen::Matrix3d inverse = Eigen::Matrix3d::Identity();
  double perSlide = 0.0;  ///< stiffness, and damping by the step [N/m]
};

/// Two hard cores that may come nearer by no more than a gap in the step.
struct CoreBlock {
  std::uint32_t a = 0, b = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  ///< unit, from A to B
  double gap = 0.0;                                   ///< not negative [m]
  double force = 0.0;                                 ///< on B along the normal, not negative [N]

  // Of prepare().
  Vector6 byA = Vector6::Zero(), byB = Vector6::Zero();
  double own = 0.0;
};

struct ImplicitSettings {
  double dt = 1e-3;  ///< [s]
  /// theta: how much of the step's mean twist is that at its end. 1/2 keeps the energy of a spring,
  /// 1 is Euler's implicit rule, which takes most of it.
  double implicitness = 0.55;
  std::uint32_t rounds = 10;
};

/// Velocities at the end of a step with stiff contacts and friction.
///
/// Source: linearly implicit integration, D. Baraff and A. Witkin, "Large Steps in Cloth
/// Simulation", 1998, and M. Otaduy and M. Lin, "A Modular Haptic Rendering Algorithm for Stable
/// and Transparent 6-DOF Manipulation", 2006; solved by projected Gauss-Seidel, J. Moreau and M.
/// Jean, 1996. How ours differs: unknowns are the wrenches of pairs instead of velocities. Whatever
/// the rounds have come to, each pair's wrench is on both bodies, equal and opposite about one
/// point, so momentum is kept to rounding; and the rule is a theta method, that keeps more of the
/// energy.
///
/// With u the mean twist theta u' + (1 - theta) u0 of B against A at the pair's point, a pair has
///     p = given - G u,    G = theta h K + D
/// and bodies M (u' - u0) = h (p + what else acts on them). A round solves for each p in turn, with
/// the others as they are: 6 x 6 systems, that are set up once. Bristles likewise, 3 x 3, with
///     f = -s (z + h w) - d w,    |f| <= mu N
/// and w the mean slip; the bend z + h w is brought back to the limit, too. Both are projections
/// P to a ball, and (P(x) - P(y)).(x - y) >= 0: what slides gets no more than the bristles lose.
/// Each round brings the quadratic energy of the whole down, so few of them are enough where the
/// same contacts were there in the last step, whose wrenches are the first guess.
///
/// Cores push with as much as keeps gap + h n.u from being negative: rigid, and taking energy,
/// since the force is only there where they come nearer.
///
/// Patches of pairs that do not exist have the limit they were given. Pairs and patches are taken
/// in the order given. Allocates nothing.
void solveContacts(std::span<MovingBody> bodies, std::span<PairBlock> pairs,
                   std::span<PatchBlock> patches, std::span<CoreBlock> cores,
                   const ImplicitSettings& settings) noexcept;

/// Of a twist: velocity and angular velocity; of a wrench: force and torque.
[[nodiscard]] inline Vector6 stacked(const Eigen::Vector3d& linear,
                                     const Eigen::Vector3d& angular) {
  Vector6 both;
  both << linear, angular;
  return both;
}

/// A contact's stiffness in the world's axes, about another point: `turn` leads there from its own
/// axes, `arm` from the new point to the old one.
[[nodiscard]] Matrix6 turnedAndMoved(const collision::Stiffness& stiffness,
                                     const Eigen::Matrix3d& turn,
                                     const Eigen::Vector3d& arm) noexcept;

/// Twist of B against A at a point: velocities there, angular velocities.
[[nodiscard]] Vector6 relativeTwist(const Vector6& ofA, const Eigen::Vector3d& centreA,
                                    const Vector6& ofB, const Eigen::Vector3d& centreB,
                                    const Eigen::Vector3d& point) noexcept;

/// The limit of a patch as its pair pushes now [N].
[[nodiscard]] double limitOf(const PatchBlock& patch, std::span<const PairBlock> pairs) noexcept;

/// How far a patch slides in a step at a twist of B against A at its point: along both tangents,
/// and by its spin times rho [m].
[[nodiscard]] Eigen::Vector3d slideOf(const PatchBlock& patch, const Vector6& relative,
                                      double dt) noexcept;

}  // namespace tactus::response
