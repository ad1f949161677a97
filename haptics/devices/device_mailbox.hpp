#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "haptics/devices/device.hpp"
#include "haptics/triple_buffer.hpp"

namespace tactus::haptics {

/// What a servo thread hands over: Eigen's types are not trivially copyable, these are.
struct ServoReport {
  std::uint64_t number = 0;
  std::int64_t measuredNs = 0;
  DeviceStage stage = DeviceStage::Searching;
  std::array<double, 3> position{}, velocity{}, angularVelocity{};
  std::array<double, 4> orientation{1.0, 0.0, 0.0, 0.0};  ///< w x y z
  double gripperAngle = 0.0;
  std::uint32_t buttons = 0;
  bool hasVelocity = false, hasAngularVelocity = false;
  bool isLost = true, isWarm = false, forcesOff = false;
  /// Totals since the start: a reader that misses a report misses nothing that happened.
  std::uint64_t calledTooFast = 0, saturated = 0, notFinite = 0, losses = 0, rejoins = 0,
                lateCommands = 0;
};

struct ServoCommand {
  std::array<double, 3> force{}, torque{};
  double gripperForce = 0.0;
};

/// Between a vendor's thread and our tick: the newest measurement one way, the newest command the
/// other, neither side ever waiting for the other. How old a measurement is when it is read is in
/// the sample, and counts as delay.
class DeviceMailbox {
 public:
  // the servo thread's side
  void post(const ServoReport& report) noexcept;
  /// True if there is a command that was not taken before.
  [[nodiscard]] bool takeCommand(ServoCommand& command) noexcept;

  // the tick's side
  [[nodiscard]] DeviceStatus read(std::int64_t nowNs, DeviceSample& sample) noexcept;
  void send(const ServoCommand& command) noexcept;
  [[nodiscard]] const DeviceCounters& counters() const noexcept { return counters_; }

 private:
  TripleBuffer<ServoReport> reports_;
  TripleBuffer<ServoCommand> commands_;
  ServoReport seen_;  ///< what the tick's side knows
  std::uint32_t ageTicks_ = 0;
  DeviceCounters counters_;
};

/// The servo thread's bookkeeping of one device: what it may apply, and what it reports.
///
/// If no command comes for 40 ms, longer than the longest stall that the loop is meant to ride out
/// (35 ms), the last one fades to zero within 50 ms: a loop that has died must not push for ever.
class ServoSide {
 public:
  ServoSide(DeviceMailbox& mailbox, const DeviceCapabilities& device)
      : mailbox_(mailbox), device_(device) {}

  /// What shall act now, within the limits of the device.
  [[nodiscard]] DeviceCommand commandAt(std::int64_t nowNs) noexcept;
  /// A measurement in our frame and units; number and age are filled in here. One that is not
  /// finite is replaced by the last good one.
  void measured(const DeviceSample& sample, DeviceStatus status, std::int64_t nowNs) noexcept;
  /// Nothing is measured any more, and again.
  void lost() noexcept;
  void rejoined(DeviceStage stage) noexcept;
  /// Applied, but less than asked: told by the vendor after the measurement was posted.
  void saturated() noexcept { ++report_.saturated; }
  void setForcesOff(bool off) noexcept { report_.forcesOff = off; }
  [[nodiscard]] bool isLost() const noexcept { return report_.isLost; }

  static constexpr std::int64_t kSilenceNs = 40'000'000;
  static constexpr std::int64_t kFadeNs = 50'000'000;

 private:
  DeviceMailbox& mailbox_;
  const DeviceCapabilities& device_;
  ServoReport report_;
  ServoCommand command_;
  std::int64_t commandNs_ = 0;
  bool hasCommand_ = false, wasLate_ = false;
};

/// Keeps a vendor's library running as long as one of its devices is held.
class VendorServo {
 public:
  VendorServo() = default;
  VendorServo(const VendorServo&) = delete;
  VendorServo& operator=(const VendorServo&) = delete;
  virtual ~VendorServo() = default;
  /// Looks once for devices that were lost, by their serial numbers; how many are back. Slow: it is
  /// for the servo's own helper thread, and for tests.
  virtual int rejoinLost() = 0;
  /// One round over all devices, where the vendor has no servo loop of its own.
  virtual void serveOnce() noexcept {}
};

/// The tick's end of a mailbox as a device.
class MailboxDevice final : public HapticDevice {
 public:
  MailboxDevice(std::shared_ptr<VendorServo> servo, std::shared_ptr<DeviceMailbox> mailbox,
                DeviceCapabilities capabilities)
      : servo_(std::move(servo)),
        mailbox_(std::move(mailbox)),
        capabilities_(std::move(capabilities)) {}

  [[nodiscard]] const DeviceCapabilities& capabilities() const noexcept override {
    return capabilities_;
  }
  [[nodiscard]] DeviceStatus read(std::int64_t nowNs, DeviceSample& sample) noexcept override {
    return mailbox_->read(nowNs, sample);
  }
  [[nodiscard]] DeviceStatus write(const DeviceCommand& command) noexcept override;
  [[nodiscard]] DeviceCounters counters() const noexcept override { return mailbox_->counters(); }

 private:
  std::shared_ptr<VendorServo> servo_;
  std::shared_ptr<DeviceMailbox> mailbox_;
  DeviceCapabilities capabilities_;
};

}  // namespace tactus::haptics
