#include "response/workspace/workspace_map.hpp"

#include <algorithm>
#include <cmath>

#include "response/rotation_vector.hpp"

namespace tactus::response {

WorkspacePose WorkspaceMap::tick(const WorkspaceInputs& inputs, const WorkspaceSettings& settings,
                                 double dt) noexcept {
  WorkspacePose result;
  result.sceneFromGrip = last_;
  const double length = settings.scale.length;
  const bool isFine = inputs.position.allFinite() && inputs.orientation.allFinite() &&
                      inputs.velocity.shift.allFinite() && inputs.velocity.turn.allFinite() &&
                      inputs.sceneFromToolGrip.matrix().allFinite() &&
                      inputs.contactForce.allFinite() && inputs.buttons.allFinite() &&
                      std::isfinite(length) && length > 0.0;
  if (!isFine) {
    result.isFinite = false;
    return result;
  }
  const Eigen::Matrix3d& axes = settings.sceneFromDevice;
  const bool isSensed = sensesRotation(settings.level);
  const Eigen::Matrix3d sensed = isSensed
                                     ? Eigen::Matrix3d(axes * inputs.orientation * axes.transpose())
                                     : Eigen::Matrix3d(Eigen::Matrix3d::Identity());
  const Eigen::Vector3d shifted = axes * inputs.position;

  // where the hand would be had it not moved the device
  const auto putAt = [&](const Eigen::Isometry3d& sceneFromGrip, bool turns) {
    offset_ = sceneFromGrip.translation() - length * shifted;
    if (turns) turn_ = rectified(sensed.transpose() * sceneFromGrip.linear());
  };
  if (length_ == 0.0) {
    putAt(last_, true);
  } else if (inputs.isClutched) {
    putAt(inputs.sceneFromToolGrip, settings.isTurnClutched || !isSensed);
    result.isMoved = true;
  } else if (length != length_) {
    offset_ += (length_ - length) * shifted;
    result.isMoved = true;
  }
  length_ = length;

  // the edge
  const Eigen::Vector3d fromCentre = inputs.position - settings.centre;
  const double distance = fromCentre.norm();
  const double beyond = distance - settings.edgeRadius;
  Eigen::Vector3d drift = Eigen::Vector3d::Zero();
  if (beyond > 0.0 && distance > 0.0) {
    const Eigen::Vector3d out = fromCentre / distance;
    result.edge.force = -settings.edgeStiffness * beyond * out;
    result.edgeEnergy = 0.5 * settings.edgeStiffness * beyond * beyond;
    if (settings.isRateControlled && !inputs.isClutched) {
      const double against = std::max(0.0, -inputs.contactForce.dot(out));
      const double free = settings.rateStopForce > 0.0
                              ? std::max(0.0, 1.0 - against / settings.rateStopForce)
                              : 0.0;
      drift = free * std::min(settings.mostRate, settings.ratePerMetre * beyond) * (axes * out);
      offset_ += dt * drift;
      if (free > 0.0) result.isMoved = true;
    }
  }

  // buttons
  Eigen::Vector3d spin = isSensed ? Eigen::Vector3d(axes * inputs.velocity.turn)
                                  : Eigen::Vector3d(Eigen::Vector3d::Zero());
  if (turnsByButtons(settings.level) && !inputs.buttons.isZero(0.0)) {
    spin = settings.buttonSpin * inputs.buttons.cwiseMax(-1.0).cwiseMin(1.0);
    turn_ = rectified(turnBy(dt * spin) * turn_);
    result.isMoved = true;
  }

  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = rectified(sensed * turn_);
  pose.translation() = offset_ + length * shifted;
  if (!pose.matrix().allFinite()) {
    length_ = 0.0;  // begin anew where the hand was
    result.isFinite = false;
    return result;
  }
  last_ = pose;
  result.sceneFromGrip = pose;
  const bool isHeld = inputs.isClutched;
  const bool isTurnHeld = isHeld && (settings.isTurnClutched || !isSensed);
  result.velocity.shift = isHeld ? Eigen::Vector3d(Eigen::Vector3d::Zero())
                                 : Eigen::Vector3d(length * (axes * inputs.velocity.shift) + drift);
  result.velocity.turn = isTurnHeld ? Eigen::Vector3d(Eigen::Vector3d::Zero()) : spin;
  return result;
}

HandMotion handMotion(const WorkspacePose& hand, const Eigen::Isometry3d& toolFromGrip,
                      const Eigen::Vector3d& pivotInTool) noexcept {
  HandMotion motion;
  // of rotations, so the transpose inverts them
  motion.sceneFromHand.linear() = hand.sceneFromGrip.linear() * toolFromGrip.linear().transpose();
  motion.sceneFromHand.translation() =
      hand.sceneFromGrip.translation() - motion.sceneFromHand.linear() * toolFromGrip.translation();
  const Eigen::Vector3d arm = motion.sceneFromHand * pivotInTool - hand.sceneFromGrip.translation();
  motion.velocity = hand.velocity.shift + hand.velocity.turn.cross(arm);
  motion.spin = hand.velocity.turn;
  return motion;
}

Wrench onDevice(const Wrench& onHand, const HandMotion& hand, const Eigen::Vector3d& pivotInTool,
                const WorkspacePose& at, const WorkspaceSettings& settings) noexcept {
  const Wrench aboutGrip =
      aboutPoint(onHand, hand.sceneFromHand * pivotInTool, at.sceneFromGrip.translation());
  const Eigen::Matrix3d deviceFromScene = settings.sceneFromDevice.transpose();
  return settings.scale.toDevice(
      {deviceFromScene * aboutGrip.force, deviceFromScene * aboutGrip.torque});
}

}  // namespace tactus::response
