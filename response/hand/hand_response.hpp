#pragma once
#include <cstdint>

#include "response/coupling/contact_ratio.hpp"
#include "response/coupling/dynamic_tool.hpp"
#include "response/coupling/quasi_static_tool.hpp"
#include "response/parameters/force_parameters.hpp"
#include "response/safety/order_of_safety.hpp"
#include "response/stability/stability_advisor.hpp"
#include "response/velocity/velocity_estimator.hpp"
#include "response/workspace/workspace_map.hpp"

namespace tactus::response {

/// What does not change while a hand holds its device and its tool.
struct HandSetup {
  // the device
  SafetySettings device;  ///< limits, masses, delay, its own damping; the rest is by parameters
  VelocitySettings velocity;
  SampledDevice shifts, turns;  ///< for the stability advisor
  WorkspaceSettings workspace;  ///< axes, centre and radius; the rest is by parameters
  // the tool
  Eigen::Isometry3d toolFromGrip = Eigen::Isometry3d::Identity();  ///< the handle
  Eigen::Vector3d centreInTool = Eigen::Vector3d::Zero();          ///< of mass [m]
  double reach = 0.1;          ///< furthest point from pivot [m]
  double thinnestPart = 0.01;  ///< of the tool or what it may meet [m]
  Eigen::Matrix3d inertiaPerMass = 1e-3 * Eigen::Matrix3d::Identity();  ///< about the centre [m^2]
};

/// What a tick brings from the device, in its frame, and from the loop.
struct HandInputs {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Matrix3d orientation = Eigen::Matrix3d::Identity();
  Motion vendorVelocity;
  bool isConnected = true, isEmergencyStop = false, isReset = false, isDeadManHeld = true;
  bool isClutchPressed = false;
  bool isPaused = false;  ///< the scene stands still: forces fade, and the hand is let go
  Eigen::Vector3d buttons = Eigen::Vector3d::Zero();  ///< see WorkspaceInputs
  std::uint32_t skippedTicks = 0;
  double othersDeficit = 0.0;       ///< of hands that this one's tool touches, see controlled() [J]
  double contactAge = 0.0;          ///< of what the contact query knows [s]
  bool wasCut = false;              ///< a query of the last tick was, by its budget
  bool wasListStale = false;        ///< or used an older separation list
  bool haveMaterialsMoved = false;  ///< so that stored energy changed without a motion
};

/// All of a tick, for the device, the panel and the recorder.
struct HandTick {
  SafeWrench safe;  ///< safe.applied goes to the device
  CoupledTool tool;
  WorkspacePose hand;
  Motion velocity;                          ///< estimated, in the device's frame
  StabilityAdvice shiftAdvice, turnAdvice;  ///< of the coupling, which bounds what is felt
  double contactFactor = 1.0;               ///< for the contact law in the next tick
};

/// What the hand wants of its tool in a tick, between begin() and end().
struct HandWish {
  HandMotion motion;
  CouplingGains gains;
  ToolShape shape;
  ToolKind kind = ToolKind::QuasiStatic;
  WorkspacePose hand;
  WorkspaceSettings workspace;
  Motion velocity;  ///< estimated, in the device's frame
  bool haveParametersMoved = false;
};

/// One hand from its device's sample to its device's wrench: the tick of `response/`, a function of
/// what it holds, its inputs and dt. A copy goes on to the same bytes.
///
///     begin():   parameters -> velocity -> workspace
///     settled(): tool between coupling and contacts, by itself; or a body of a World (WorldTool)
///     end():     device's scale -> safety
class HandResponse {
 public:
  /// `sceneFromTool`: where the tool begins.
  HandResponse(const HandSetup& setup, const Eigen::Isometry3d& sceneFromTool,
               const ForceParameters& parameters) noexcept;

  /// `wanted`: what the panel says. The contact is asked up to four times.
  [[nodiscard]] HandTick tick(const HandInputs& inputs, const ForceParameters& wanted,
                              const ContactQuery& contact, double dt) noexcept {
    const HandWish wish = begin(inputs, wanted, dt);
    return end(wish, settled(wish, contact, dt), inputs, dt);
  }

  // Its parts, for who has other tools.
  [[nodiscard]] HandWish begin(const HandInputs& inputs, const ForceParameters& wanted,
                               double dt) noexcept;
  [[nodiscard]] CoupledTool settled(const HandWish& wish, const ContactQuery& contact, double dt,
                                    const ClearWay& way = {}) noexcept;
  [[nodiscard]] HandTick end(const HandWish& wish, const CoupledTool& tool,
                             const HandInputs& inputs, double dt) noexcept;

  [[nodiscard]] const ForceParameters& parameters() const noexcept { return parameters_; }
  [[nodiscard]] const HandSetup& setup() const noexcept { return setup_; }
  [[nodiscard]] const EnergyLedger& ledger() const noexcept { return safety_.ledger; }
  [[nodiscard]] const PassivityState& passivity() const noexcept { return safety_.passivity; }

 private:
  [[nodiscard]] WorkspaceSettings workspaceSettings() const noexcept;

  HandSetup setup_;
  ForceParameters parameters_;
  VelocityEstimator velocity_;
  WorkspaceMap map_;
  QuasiStaticTool massless_;
  DynamicTool massive_;
  ContactRatio ratio_;
  SafetyState safety_;
  Eigen::Isometry3d sceneFromTool_;
  Eigen::Vector3d contactForce_ = Eigen::Vector3d::Zero();  // on the hand last tick, device's
  bool wantsRezero_ = true;
  bool hasFactorMoved_ = false;  // of the contact law, by the last tick
  bool isFree_ = true;           // nothing was touched last tick
};

}  // namespace tactus::response
