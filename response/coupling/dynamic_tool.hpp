#pragma once
#include "response/coupling/quasi_static_tool.hpp"

namespace tactus::response {

/// What moves when the tool does.
struct ToolInertia {
  double mass = 0.1;                                       ///< [kg]
  Eigen::Vector3d centreInTool = Eigen::Vector3d::Zero();  ///< of mass, in the tool's frame [m]
  Eigen::Matrix3d inertia = 1e-4 * Eigen::Matrix3d::Identity();  ///< about it, tool's axes [kg m^2]
  double drag = 0.0;                                             ///< of all velocity [N s/m]
  double turnDrag = 0.0;                                         ///< [N m s/rad]
};

/// Tool with mass between coupling and contact: its weight and inertia are felt.
///
/// Source: M. Otaduy and M. Lin, "A Modular Haptic Rendering Algorithm for Stable and Transparent
/// 6-DOF Manipulation", 2006: one linearly implicit step a tick,
///     (M + h B + h^2 K) dv = h (F - h K v),    x' = x + h (v + dv).
/// How ours differs: K is the coupling's secant and the contact's stiffness made positive in the
/// coupling's metric; gyroscopic terms are left out (an explicit one adds energy, and a tool held
/// in a hand does not spin). The step takes energy out at high frequencies and never adds any to a
/// linear system, whatever stiffness and mass.
///
/// A tick costs two queries, one with `reusesLastLoad`.
class DynamicTool {
 public:
  explicit DynamicTool(const Eigen::Isometry3d& sceneFromTool) noexcept
      : sceneFromTool_(sceneFromTool) {}

  /// `external`: weight and the like, on the tool about its pivot, in the scene's frame.
  /// The stored energy includes that of motion. `imbalance` is what accelerates the tool.
  [[nodiscard]] CoupledTool tick(const HandMotion& hand, const CouplingGains& gains,
                                 const ToolShape& shape, const ToolInertia& inertia,
                                 const Wrench& external, const ContactQuery& contact,
                                 const QuasiStaticTool::Settings& settings, double dt) noexcept;

  /// Puts the tool elsewhere, at rest.
  void placeAt(const Eigen::Isometry3d& sceneFromTool) noexcept;
  [[nodiscard]] const Eigen::Isometry3d& sceneFromTool() const noexcept { return sceneFromTool_; }
  [[nodiscard]] const Eigen::Vector3d& velocity() const noexcept { return velocity_; }
  [[nodiscard]] const Eigen::Vector3d& spin() const noexcept { return spin_; }

 private:
  Eigen::Isometry3d sceneFromTool_;
  Eigen::Vector3d velocity_ = Eigen::Vector3d::Zero();  // of the pivot [m/s]
  Eigen::Vector3d spin_ = Eigen::Vector3d::Zero();      // [rad/s]
  Eigen::Vector3d turn_ = Eigen::Vector3d::Zero();
  ContactLoad load_;
  bool hasLoad_ = false;
};

}  // namespace tactus::response
