#pragma once
#include <Eigen/Geometry>

#include "response/coupling/device_scale.hpp"
#include "response/coupling/interaction_level.hpp"
#include "response/coupling/quasi_static_tool.hpp"
#include "response/safety/passivity.hpp"
#include "response/wrench.hpp"

namespace tactus::response {

struct WorkspaceSettings {
  InteractionLevel level = InteractionLevel::SixInSixOut;
  /// The device's axes in the scene: a rotation, the same for a whole session.
  Eigen::Matrix3d sceneFromDevice = Eigen::Matrix3d::Identity();
  DeviceScale scale;
  bool isTurnClutched = true;  ///< the clutch holds the orientation, too
  double buttonSpin = 0.7;     ///< of a held button [rad/s]
  // The edge, in the device's metres.
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double edgeRadius = 0.06;      ///< the edge begins there [m]
  double edgeStiffness = 100.0;  ///< felt beyond it [N/m]
  bool isRateControlled = false;
  double ratePerMetre = 10.0;  ///< speed in the scene for each metre beyond the edge [1/s]
  double mostRate = 0.1;       ///< [m/s]
  double rateStopForce = 1.5;  ///< a contact that pushes back like this holds the drift [N]
};

struct WorkspaceInputs {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();         ///< of the grip, device's frame [m]
  Eigen::Matrix3d orientation = Eigen::Matrix3d::Identity();  ///< of the grip
  Motion velocity;                                            ///< of the grip, device's frame
  bool isClutched = false;  ///< by the user, or because SafeWrench::wantsRezero
  Eigen::Vector3d buttons = Eigen::Vector3d::Zero();  ///< turns about the scene's axes, -1 to 1
  Eigen::Vector3d contactForce = Eigen::Vector3d::Zero();  ///< on the hand last tick, device's [N]
  /// Where the tool's grip is; a clutched hand is put there.
  Eigen::Isometry3d sceneFromToolGrip = Eigen::Isometry3d::Identity();
};

/// The hand in the scene.
struct WorkspacePose {
  Eigen::Isometry3d sceneFromGrip = Eigen::Isometry3d::Identity();
  Motion velocity;          ///< of the grip, in the scene
  Wrench edge;              ///< on the hand, device's frame; add to the coupling's
  double edgeEnergy = 0.0;  ///< [J], device's
  /// The map moved the hand's place, not the hand: book the coupling's error as Workspace.
  bool isMoved = false;
  bool isFinite = true;  ///< false: the hand stays where it was
};

/// From the device's workspace to the scene: axes, scale, offset, clutch, rate control, buttons.
///
///     x = offset + s_p M p,    R = M R_device M^T Q
///
/// Nothing here makes the hand's place jump. A new scale is about where the hand is. A clutched
/// hand is put where the tool is every tick, so that the coupling pulls at nothing and the tool
/// comes out of its contacts; when the clutch is let go, the hand goes on from there with zero
/// force. Rate control moves the offset while the device is beyond its edge, slower the more a
/// contact pushes back. What that does to energy is no work of the hand; `isMoved` says when.
class WorkspaceMap {
 public:
  explicit WorkspaceMap(const Eigen::Isometry3d& sceneFromGrip) noexcept : last_(sceneFromGrip) {}

  [[nodiscard]] WorkspacePose tick(const WorkspaceInputs& inputs, const WorkspaceSettings& settings,
                                   double dt) noexcept;

 private:
  Eigen::Isometry3d last_;  // of the hand, in the scene
  Eigen::Vector3d offset_ = Eigen::Vector3d::Zero();
  Eigen::Matrix3d turn_ = Eigen::Matrix3d::Identity();  // Q
  double length_ = 0.0;                                 // s_p of the last tick; 0 before the first
};

/// The tool as the hand wants it. `toolFromGrip`: the handle in the tool's frame.
[[nodiscard]] HandMotion handMotion(const WorkspacePose& hand,
                                    const Eigen::Isometry3d& toolFromGrip,
                                    const Eigen::Vector3d& pivotInTool) noexcept;

/// What the device is to give for a wrench on the hand about its pivot in the scene: about the
/// grip, in the device's axes, scaled.
[[nodiscard]] Wrench onDevice(const Wrench& onHand, const HandMotion& hand,
                              const Eigen::Vector3d& pivotInTool, const WorkspacePose& at,
                              const WorkspaceSettings& settings) noexcept;

}  // namespace tactus::response
