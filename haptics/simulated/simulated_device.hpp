#pragma once
#include <array>
#include <cstdint>

#include "haptics/devices/device.hpp"
#include "haptics/profiles/device_profile.hpp"
#include "haptics/simulated/simulated_hand.hpp"
#include "models/mesh/split_mix.hpp"

namespace tactus::haptics {

/// What shall go wrong, by the number of the tick. Ranges are [from, until).
struct SimulatedFaults {
  std::uint64_t lostFrom = UINT64_MAX, lostUntil = UINT64_MAX;    ///< unplugged, and back
  std::uint64_t notFiniteAt = UINT64_MAX;                         ///< measures NaN in this tick
  std::uint64_t staleFrom = UINT64_MAX, staleUntil = UINT64_MAX;  ///< measures nothing new
  std::uint64_t forcesOffFrom = UINT64_MAX, forcesOffUntil = UINT64_MAX;  ///< emergency stop
};

struct SimulatedSettings {
  double tickSeconds = 1e-3;
  std::uint64_t seed = 1;             ///< of the measurement noise
  std::uint32_t extraDelayTicks = 0;  ///< on top of the profile's delay, for the stability test
  double calibrationSeconds = 0.0;    ///< that it takes to become ready
  SimulatedFaults faults;
  HandWill* will = nullptr;  ///< instead of the path, whose grasp stays; outlives the device
};

/// A device that is not there, with the physics of one, and a hand on it.
///
/// Method, in each write():
/// - the command joins a line of as many sub-steps as the profile's delay is long, and acts from
///   there with a zero-order hold, as motors do
/// - 16 sub-steps a tick of a mass with damping and Coulomb friction, and a hand that pulls at it:
///   velocity by the trapezoidal rule, then friction takes what it can, exactly to rest (a
///   projection, after Moreau and Jean); position by the mean velocity. Exact for a constant force
///   without damping; second order in the sub-step otherwise; stable for any damping.
/// - turns likewise, with one inertia for all axes; the wrist has no gyroscopic forces
/// - mechanical stops at the ends of the workspace take all velocity
/// read() measures through the encoders: rounded to their steps, of turns the vector part of the
/// quaternion is. Nothing but + - * / and square roots: the same bytes everywhere. Reads no clock:
/// a measurement's time is the tick's number times its length.
///
/// Hand and device share their mass and are not two bodies: a grip that slides is not modelled.
class SimulatedDevice final : public HapticDevice {
 public:
  SimulatedDevice(const DeviceProfile& profile, HandPath path, const SimulatedSettings& settings);

  [[nodiscard]] const DeviceCapabilities& capabilities() const noexcept override {
    return capabilities_;
  }
  [[nodiscard]] DeviceStatus read(std::int64_t nowNs, DeviceSample& sample) noexcept override;
  [[nodiscard]] DeviceStatus write(const DeviceCommand& command) noexcept override;
  [[nodiscard]] DeviceCounters counters() const noexcept override { return counters_; }

  /// As nobody could measure it: for tests, and for the energy that a hand really received.
  struct Truth {
    Eigen::Vector3d position = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero();
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
    Eigen::Vector3d angularVelocity = Eigen::Vector3d::Zero();
    double gripperAngle = 0.0;
    Eigen::Vector3d appliedForce = Eigen::Vector3d::Zero();  ///< by the motors, last sub-step [N]
    double workOnHand = 0.0;  ///< by the motors' force and torque since the start [J]
  };
  [[nodiscard]] const Truth& truth() const noexcept { return truth_; }
  [[nodiscard]] std::uint64_t tick() const noexcept { return tick_; }

  static constexpr int kSubSteps = 16;

 private:
  // 50 ms of delay, the most that a profile may have, at four times our rate.
  static constexpr std::size_t kMostDelayTicks = 256;

  [[nodiscard]] HandIntent intentAt(double seconds) noexcept;
  [[nodiscard]] const DeviceCommand& commandAt(int subStep) const noexcept;
  void subStep(const DeviceCommand& command, const HandIntent& intent) noexcept;
  void moveTranslation(const DeviceCommand& command, const HandIntent& intent,
                       double tight) noexcept;
  void moveRotation(const DeviceCommand& command, const HandIntent& intent, double tight) noexcept;
  void stopAtEnds() noexcept;
  void measure(DeviceSample& sample) noexcept;
  [[nodiscard]] bool within(std::uint64_t from, std::uint64_t until) const noexcept {
    return tick_ >= from && tick_ < until;
  }
  double noise() noexcept;

  DeviceProfile profile_;
  DeviceCapabilities capabilities_;
  HandPath path_;
  HandImpedance hand_;
  SimulatedSettings settings_;
  double step_;  ///< [s]
  std::uint32_t delaySteps_;
  std::uint64_t readyTick_;
  HandReaction reaction_;
  std::array<DeviceCommand, kMostDelayTicks> line_{};  ///< by tick, modulo its length
  Truth truth_;
  DeviceSample last_;
  DeviceCounters counters_;
  std::uint64_t tick_ = 0;
  models::SplitMix random_;
  bool wasLost_ = false;
};

}  // namespace tactus::haptics
