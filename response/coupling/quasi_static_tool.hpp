#pragma once
#include <cstdint>
#include <limits>

#include "response/coupling/contact_load.hpp"
#include "response/coupling/coupling_spring.hpp"

namespace tactus::response {

/// What a tool needs to know of the object it is.
struct ToolShape {
  /// The point of the tool where the coupling holds it, and about which it turns, in its frame.
  /// With driven rotation the centre of mass; otherwise the handle (see pivotOf()).
  Eigen::Vector3d pivotInTool = Eigen::Vector3d::Zero();
  double reach = 0.1;          ///< furthest point of the tool from the pivot [m]
  double thinnestPart = 0.01;  ///< of the tool or what it may meet [m]: no step is longer than half
};

/// What the hand does, in the scene's frame.
struct HandMotion {
  Eigen::Isometry3d sceneFromHand = Eigen::Isometry3d::Identity();  ///< where it wants the tool
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< of that pose at the pivot [m/s]
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();      ///< [rad/s]
};

/// What a tick of a tool comes to.
struct CoupledTool {
  Eigen::Isometry3d sceneFromTool = Eigen::Isometry3d::Identity();
  Wrench onHand;              ///< about the hand's pivot, in the scene's frame
  CouplingState coupling;     ///< at the end of the tick
  ContactLoad contact;        ///< at the end of the tick, about the tool's origin
  double storedEnergy = 0.0;  ///< of coupling and contact together [J]
  /// What others, by moving, have brought into the contact since the tick before, or taken out of
  /// it [J]. A part of the change of `storedEnergy` that the hand has not paid for.
  double broughtEnergy = 0.0;
  collision::Stiffness felt = collision::Stiffness::Zero();  ///< what the hand feels, at the pivot
  double stiffnessRatio = 0.0;  ///< contact over coupling; to be kept between 5 and 10
  double imbalance = 0.0;       ///< of force on the tool, torque by lever [N]
  std::uint32_t queries = 0;    ///< of the contact
  bool isFinite = true;         ///< false: the tool stayed where it was, and the wrench is zero
};

/// Tool without mass that rests where coupling and contact balance. The default: no inertia is felt
/// that the object does not have, and nothing in it can swing.
///
/// Source: M. Wan and W. McNeely, "Quasi-Static Approximation for 6 Degrees-of-Freedom Haptic
/// Rendering", 2003; J. Barbic and D. James, 2008 ("static virtual coupling"); the trust region as
/// in J. Nocedal and S. Wright, "Numerical Optimization", 2006, chapter 4.
/// How ours differs: up to three Newton steps instead of one, on a Hessian made positive in the
/// coupling's own metric (StiffnessInSeries), within a trust region in that metric; and the pose
/// kept is the one of least energy among those visited, so that a tick never ends uphill from where
/// it began, but by rounding.
///
/// Method, from the tool's last pose:
/// - ask the contact there; stop if what a Newton step can gain is below `tolerance`
/// - step within the trust region, shortened so that no point of the tool moves further than half
///   the thinnest part, and where its hard core would meet another one: energies alone let a tool
///   be pulled through a thin plate
/// - a step that gains is kept; the region grows or shrinks by how much of the promise it kept
/// - a step uphill shrinks the region, to where the parabola through both energies and the slope is
///   least, and the next step begins at the best pose again. One exception: where the model at
///   the uphill pose promises less energy than the best has, the next step begins there, once. So
///   the first touch of a flat wall, which no model knows of from outside, is settled in a tick.
/// - steps so short that rounding hides what they gain are judged by the pushes, and leave the
///   region as it is
/// - the region stays for the next tick. A tool before a contact that is hard and bends would else
///   overshoot into it with each step of each tick, and hang before it for good.
/// A converged tick costs two queries, four at most; with `reusesLastLoad` one and three.
///
/// What others brought. Between two ticks the tool stands and others move. So what the contact's
/// energy is then more at the tool's last pose is theirs, exactly, whatever the law: no force and
/// no motion is multiplied. Bristles that lose as the pressure falls count as if others had taken
/// it: so a hand is never paid for that. With `reusesLastLoad` nothing is known of it.
///
/// Damping. In balance the tool follows the hand by H^-1 K_vc, so that the shift between the two
/// changes by (1 - H^-1 K_vc) times the hand's velocity: no difference of poses is taken, which
/// would bring the encoder's steps back in. We use its symmetric form
///     w = -D^1/2 felt D^1/2 v,    D = damping / stiffness, of shifts and of turns
/// which takes energy out for any felt stiffness; the other need not, with two different D.
/// Where the last step from the best pose went uphill and nothing was gained after it, or was cut
/// short by a core, what stopped it counts in `felt` as a stiffness along that step, of the
/// curvature that it showed: the tool follows the hand no further there, whatever the contact's own
/// stiffness says. Without, a hand felt the whole coupling and no damping wherever the energy of a
/// coarse object jumps.
class QuasiStaticTool {
 public:
  struct Settings {
    std::uint32_t mostSteps = 3;
    double tolerance = 1e-12;  ///< [J]; at 1 kN/m less than a twentieth of a millinewton
    /// The first step of a tick takes the contact of the last tick's end as it was, one query less.
    /// Right where nothing moves but the tool; otherwise the later steps have to make up for it.
    bool reusesLastLoad = false;
  };

  explicit QuasiStaticTool(const Eigen::Isometry3d& sceneFromTool) noexcept
      : sceneFromTool_(sceneFromTool) {}

  [[nodiscard]] CoupledTool tick(const HandMotion& hand, const CouplingGains& gains,
                                 const ToolShape& shape, const ContactQuery& contact,
                                 const Settings& settings, const ClearWay& way = {}) noexcept;

  /// Puts the tool elsewhere, its coupling wound up by no turn.
  void placeAt(const Eigen::Isometry3d& sceneFromTool) noexcept;
  [[nodiscard]] const Eigen::Isometry3d& sceneFromTool() const noexcept { return sceneFromTool_; }

 private:
  Eigen::Isometry3d sceneFromTool_;
  Eigen::Vector3d turn_ = Eigen::Vector3d::Zero();  // of the coupling, for its continuation
  ContactLoad load_;
  bool hasLoad_ = false;
  double region_ = std::numeric_limits<double>::infinity();  // longest step [sqrt(J)]
};

}  // namespace tactus::response
