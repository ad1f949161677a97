#pragma once
#include <Eigen/Geometry>

#include "response/wrench.hpp"

namespace tactus::response {

/// Sixty degrees. Beyond, the torque of the coupling grows no more.
inline constexpr double kSaturationAngle = 1.04719755119659774615;  // [rad]

/// Spring and damper between the hand and the tool, in the scene's lengths.
struct CouplingGains {
  double stiffness = 1000.0;   ///< of shifts [N/m]
  double turnStiffness = 1.0;  ///< of turns [N m/rad]
  double damping = 0.0;        ///< of shifts [N s/m]
  double turnDamping = 0.0;    ///< of turns [N m s/rad]
  double mostForce = 1e6;      ///< where the spring of shifts saturates [N]
  double mostTorque = 1e6;     ///< where that of turns does, if below 60 degrees [N m]
};

/// The coupling at one pose of hand and tool.
struct CouplingState {
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();  ///< tool to hand, at the pivot [m]
  Eigen::Vector3d turn = Eigen::Vector3d::Zero();   ///< tool to hand [rad]
  double energy = 0.0;                              ///< [J]
  Wrench onTool;  ///< about the tool's pivot; on the hand, about the hand's, it is the opposite
  double secant = 0.0;      ///< force over shift [N/m]: the stiffness, less where saturated
  double turnSecant = 0.0;  ///< torque over turn [N m/rad]
};

/// Spring between the pose that the hand wants and the pose that the tool has.
///
/// Source: J. Colgate, M. Stanley and J. Brown, "Issues in the Haptic Display of Tool Use", 1995;
/// the saturation J. Barbic and D. James, "Six-DoF Haptic Rendering of Contact Between
/// Geometrically Complex Reduced Deformable Models", 2008. How ours differs: force and torque are
/// the gradient of one energy, saturated or not:
///     U(x) = k x^2 / 2 up to x_s, then k x_s (x - x_s/2),
/// x being the distance or the angle. A force that is merely cut off is no gradient and would make
/// the energy of a closed path depend on the path. The secant k x_s / x bounds the curvature of U
/// from above (U is concave in x^2), so a Newton step with it never overshoots the coupling.
///
/// The turn is the rotation vector of handTurn * toolTurn^-1, continued from `previousTurn` beyond
/// half a turn (see continued()).
[[nodiscard]] CouplingState couplingAt(const CouplingGains& gains,
                                       const Eigen::Isometry3d& sceneFromHand,
                                       const Eigen::Isometry3d& sceneFromTool,
                                       const Eigen::Vector3d& pivotInTool,
                                       const Eigen::Vector3d& previousTurn) noexcept;

}  // namespace tactus::response
