#pragma once
#include <Eigen/Geometry>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "response/wrench.hpp"

namespace tactus::haptics {

/// One interface for whatever a hand can hold.
///
/// Everything is in SI units and in our frame: right-handed, x right, y up, z toward the user. An
/// adapter converts what its vendor speaks, and nobody else converts anything. The origin is the
/// vendor's; a workspace mapping is the business of the coupling.
///
/// How it is used: once a tick `read`, then `write`, from one thread. Both are noexcept, allocate
/// nothing, never wait and read no clock. A device whose library blocks or calls back has a thread
/// of its own behind a DeviceMailbox; what that costs is told by the sample's age.

/// For which hand a device was built.
enum class Side : std::uint8_t { Either, Left, Right };

/// What a device can do, known from when it was opened.
struct DeviceCapabilities {
  std::string model;   ///< the vendor's name of it
  std::string serial;  ///< empty if it has none
  Side side = Side::Either;
  bool sensesRotation = false;
  bool actuatesPosition = false, actuatesRotation = false;
  bool sensesGripper = false, actuatesGripper = false;
  int buttons = 0;

  Eigen::Vector3d workspaceCentre = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Vector3d workspaceExtent = Eigen::Vector3d::Zero();  ///< whole lengths along the axes [m]
  double rotationRange = 0.0;                                 ///< whole angle of each axis [rad]
  double peakForce = 0.0, continuousForce = 0.0;              ///< [N]; 0 if not actuated
  double peakTorque = 0.0, continuousTorque = 0.0;            ///< [N m]
  double peakGripperForce = 0.0;                              ///< [N]
  double mostStiffness = 0.0;                                 ///< by its maker, at 1 kHz [N/m]
  double rate = 1000.0;                                       ///< measurements a second [Hz]

  [[nodiscard]] int sensedFreedoms() const noexcept {
    return 3 + (sensesRotation ? 3 : 0) + (sensesGripper ? 1 : 0);
  }
  [[nodiscard]] int actuatedFreedoms() const noexcept {
    return (actuatesPosition ? 3 : 0) + (actuatesRotation ? 3 : 0) + (actuatesGripper ? 1 : 0);
  }
  [[nodiscard]] response::WrenchLimits peakLimits() const noexcept {
    return {actuatesPosition ? peakForce : 0.0, actuatesRotation ? peakTorque : 0.0};
  }
};

/// Where a device is on its way to be used.
enum class DeviceStage : std::uint8_t {
  Searching,    ///< not there, or not any more
  Identified,   ///< there, with model and serial number
  Calibrating,  ///< finds out by itself where it is
  NeedsHand,    ///< a person has to do something: inkwell, end stops, dead-man switch
  Ready,        ///< measures, compensates its weight, takes forces
};

/// What was noteworthy since the last call. Several can hold at once.
enum class DeviceFlag : std::uint16_t {
  Lost = 1U << 0U,           ///< nothing is measured: unplugged, or its library has failed
  Rejoined = 1U << 1U,       ///< was lost, and is back since this call
  Stale = 1U << 2U,          ///< no new measurement since the last read
  CalledTooFast = 1U << 3U,  ///< the vendor gave its last measurement again (time guard)
  Saturated = 1U << 4U,      ///< applied, but less than what was asked
  Warm = 1U << 5U,           ///< motors are hot
  ForcesOff = 1U << 6U,      ///< its own button, velocity limit, watchdog or dead-man switch
  NotFinite = 1U << 7U,      ///< a measurement or a command was NaN or infinite, and was replaced
  NotReady = 1U << 8U,       ///< stage is not DeviceStage::Ready
  CommandLate =
      1U << 9U,  ///< the servo thread went on without a new command, for long: forces fade
};

class DeviceStatus {
 public:
  constexpr DeviceStatus() noexcept = default;
  constexpr DeviceStatus(std::initializer_list<DeviceFlag> flags) noexcept {
    for (const DeviceFlag flag : flags)
      set(flag);
  }
  constexpr void set(DeviceFlag flag, bool holds = true) noexcept {
    const auto bit = static_cast<std::uint16_t>(flag);
    bits_ = static_cast<std::uint16_t>(holds ? bits_ | bit : bits_ & ~bit);
  }
  [[nodiscard]] constexpr bool has(DeviceFlag flag) const noexcept {
    return (bits_ & static_cast<std::uint16_t>(flag)) != 0;
  }
  /// Measured and applied as asked.
  [[nodiscard]] constexpr bool good() const noexcept { return bits_ == 0; }
  [[nodiscard]] constexpr std::uint16_t bits() const noexcept { return bits_; }
  friend constexpr bool operator==(DeviceStatus, DeviceStatus) noexcept = default;

 private:
  std::uint16_t bits_ = 0;
};

/// One measurement. A lost device repeats its last one.
struct DeviceSample {
  std::uint64_t number = 0;     ///< counts measurements; the same number is the same measurement
  std::int64_t measuredNs = 0;  ///< when, on the clock of `nowNs` of read()
  std::int64_t ageNs = 0;       ///< how old it was when it was read
  std::uint32_t ageTicks = 0;   ///< reads since it was new: 0 in the first that returns it
  DeviceStage stage = DeviceStage::Searching;

  Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< worldFromGrip
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();               ///< by the vendor [m/s]
  Eigen::Vector3d angularVelocity = Eigen::Vector3d::Zero();        ///< in our frame [rad/s]
  bool hasVelocity = false;  ///< the vendor estimates it; otherwise zero
  bool hasAngularVelocity = false;
  double gripperAngle = 0.0;  ///< 0 is closed [rad]
  std::uint32_t buttons = 0;  ///< bit k: button k is down
};

/// What a device shall do until the next command.
struct DeviceCommand {
  response::Wrench wrench;    ///< on the hand, in our frame, about the grip point
  double gripperForce = 0.0;  ///< opens the fingers if positive [N]
};

/// Totals since the device was opened, for the record and for `tactus devices`.
struct DeviceCounters {
  std::uint64_t measurements = 0, stale = 0, calledTooFast = 0, saturated = 0, notFinite = 0;
  std::uint64_t losses = 0, rejoins = 0, lateCommands = 0;
  std::uint32_t oldestAgeTicks = 0;
};

class HapticDevice {
 public:
  HapticDevice() = default;
  HapticDevice(const HapticDevice&) = delete;
  HapticDevice& operator=(const HapticDevice&) = delete;
  virtual ~HapticDevice() = default;

  [[nodiscard]] virtual const DeviceCapabilities& capabilities() const noexcept = 0;
  /// The newest measurement. `nowNs` is the time of the tick, from CLOCK_MONOTONIC or simulated.
  [[nodiscard]] virtual DeviceStatus read(std::int64_t nowNs, DeviceSample& sample) noexcept = 0;
  /// Takes the command, shortened to the peak limits without being turned. Anything not finite is
  /// zero force.
  [[nodiscard]] virtual DeviceStatus write(const DeviceCommand& command) noexcept = 0;
  [[nodiscard]] virtual DeviceCounters counters() const noexcept = 0;
};

/// A command that cannot harm: finite, within the peak limits, nothing for axes without motors.
/// `changed` is set to what had to be done to it.
[[nodiscard]] DeviceCommand bearable(const DeviceCapabilities& device, const DeviceCommand& command,
                                     DeviceStatus& changed) noexcept;

/// True if all numbers of a measurement are finite and its orientation can be normalised.
[[nodiscard]] bool isFinite(const DeviceSample& sample) noexcept;

/// For people: "lost, stale"; "good" if there is nothing to say.
[[nodiscard]] std::string describe(DeviceStatus status);
[[nodiscard]] const char* nameOf(DeviceStage stage) noexcept;
[[nodiscard]] const char* nameOf(Side side) noexcept;

}  // namespace tactus::haptics
