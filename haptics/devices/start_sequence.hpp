#pragma once
#include <cstdint>

#include "haptics/devices/device.hpp"

namespace tactus::haptics {

/// From plugged in to felt, without ever kicking: the factor on all forces of one device.
///
///     Identify -> Calibrate -> Gravity -> Neutral -> Ramp -> Running
///
/// - Identify, Calibrate, Gravity: what the device says of itself (DeviceStage), factor 0. Gravity
///   gives its weight compensation a few ticks to settle.
/// - Neutral: the grip is near the middle of the workspace and the force that would be given is
///   small, both without a break for 0.3 s; then nothing can jump when forces begin. Source of the
///   idea: "wait for small force" of CHAI3D, F. Conti and others.
/// - Ramp: the factor rises evenly from 0 to 1.
/// - Lost: from anywhere; the factor falls evenly to 0, and everything begins again when the device
///   is back. A measurement that is not finite makes the factor 0 at once.
///
/// Counts ticks and reads no clock, so that a replay goes the same way.
enum class StartStage : std::uint8_t {
  Identify,
  Calibrate,
  Gravity,
  Neutral,
  Ramp,
  Running,
  Lost,
};

/// Why it is not further.
enum class WaitingFor : std::uint8_t {
  Nothing,
  Device,       ///< to be plugged in, or back
  Calibration,  ///< by itself
  Hand,         ///< a person has to help with the calibration or a safety switch
  NeutralPose,  ///< the grip to come near the middle
  SmallForce,   ///< the tool to be out of contact
  Time,         ///< only time
};

struct StartSettings {
  double tickSeconds = 1e-3;
  double gravitySeconds =
      0.1;  ///< a wrist's compensation settles within some tens of ms; estimated
  double neutralSeconds = 0.3;
  double rampSeconds = 0.5;     ///< about what a person needs to notice and let go; estimated
  double fadeSeconds = 0.05;    ///< quick, but no step
  double neutralRadius = 0.05;  ///< of the workspace's centre, or half of its shortest extent [m]
  double smallForce = 0.2;      ///< [N]
  double smallTorque = 0.01;    ///< [N m]
};

class StartSequence {
 public:
  StartSequence(const DeviceCapabilities& device, const StartSettings& settings) noexcept;

  /// One tick. `wanted` is the wrench that the device would be given were it running.
  /// Returns the factor for it, in [0, 1].
  double advance(DeviceStatus status, const DeviceSample& sample,
                 const response::Wrench& wanted) noexcept;

  [[nodiscard]] StartStage stage() const noexcept { return stage_; }
  [[nodiscard]] WaitingFor waitingFor() const noexcept { return waitingFor_; }
  [[nodiscard]] double factor() const noexcept { return factor_; }

 private:
  void enter(StartStage stage) noexcept;
  void step(const DeviceSample& sample, const response::Wrench& wanted) noexcept;

  Eigen::Vector3d centre_;
  double radius_, smallForce_, smallTorque_;
  std::uint32_t gravityTicks_, neutralTicks_, rampTicks_, fadeTicks_;
  StartStage stage_ = StartStage::Identify;
  WaitingFor waitingFor_ = WaitingFor::Device;
  std::uint32_t ticks_ = 0;  ///< in this stage, or of an unbroken neutral pose
  double factor_ = 0.0;
};

[[nodiscard]] const char* nameOf(StartStage stage) noexcept;
/// For a person, as "Waiting for ...".
[[nodiscard]] const char* describe(WaitingFor reason) noexcept;

}  // namespace tactus::haptics
