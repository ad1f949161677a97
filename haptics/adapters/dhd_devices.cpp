#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "haptics/adapters/dhd_entries.hpp"
#include "haptics/adapters/open_hands.hpp"
#include "haptics/adapters/vendor_devices.hpp"
#include "models/files/file_label.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::haptics {
namespace {

using Eigen::Vector3d;
using models::Error;
using models::Reason;
using models::Result;
using models::say;

// A little above the time guard of 500 us, within which DHD gives its last sample again.
constexpr std::int64_t kPeriodNs = 600'000;
constexpr std::int64_t kRejoinNs = 500'000'000;
// One failed exchange happens on a busy bus; three in a row are 2 ms without a measurement.
constexpr int kFailuresOfLost = 3;
constexpr std::uint64_t kStatusRounds = 64;  // about 40 ms: for calibration and emergency stops

Vector3d ours(double x, double y, double z) {
  return {y, z, x};
}
Vector3d ours(const Vector3d& v) {
  return {v.y(), v.z(), v.x()};
}
Vector3d theirs(const Vector3d& v) {
  return {v.z(), v.x(), v.y()};
}

class DhdServo final : public VendorServo {
 public:
  struct Arm {
    std::atomic<int> id{-1};  ///< DHD's; negative while it is lost
    DeviceCapabilities capabilities;
    std::shared_ptr<DeviceMailbox> mailbox = std::make_shared<DeviceMailbox>();
    std::unique_ptr<ServoSide> side;
    DeviceStage stage = DeviceStage::Identified;
    int failures = 0;
    std::uint64_t rounds = 0;
  };

  DhdServo(const DhdEntries& entries, const VendorSettings& settings)
      : dhd_(entries), settings_(settings) {}

  ~DhdServo() override {
    helper_.reset();
    loop_.reset();
    for (const auto& arm : arms_) {
      const int id = arm->id;
      if (id < 0) continue;
      dhd_.enableForce(dhd::kOff, static_cast<char>(id));
      dhd_.close(static_cast<char>(id));
    }
  }

  /// Empty, or why there is none.
  std::string open(const std::string& serial) {
    const int id = serial.empty() ? openFirstFree() : openSerial(serial);
    if (id < 0) {
      const char* said = dhd_.lastError();
      return said == nullptr ? std::string("no reason given") : models::printable(said);
    }
    auto arm = std::make_unique<Arm>();
    describe(*arm, static_cast<char>(id));
    if (!settings_.onlyLooks) prepare(*arm, static_cast<char>(id));
    arm->id = id;
    arms_.push_back(std::move(arm));
    return {};
  }

  void start() {
    for (const auto& arm : arms_) {
      arm->side = std::make_unique<ServoSide>(*arm->mailbox, arm->capabilities);
      arm->side->rejoined(arm->stage);
    }
    if (!settings_.hasThreads || settings_.onlyLooks) return;
    loop_.emplace(kPeriodNs, [](void* self) { static_cast<DhdServo*>(self)->serveOnce(); }, this);
    helper_.emplace(
        kRejoinNs, [](void* self) { static_cast<DhdServo*>(self)->rejoinLost(); }, this);
  }

  void serveOnce() noexcept override {
    for (const auto& arm : arms_) {
      const int id = arm->id;
      if (id >= 0) serve(*arm, static_cast<char>(id));
    }
  }

  int rejoinLost() override {
    int back = 0;
    for (const auto& arm : arms_) {
      if (arm->id >= 0) continue;
      const int id = openSerial(arm->capabilities.serial);
      if (id < 0) continue;
      prepare(*arm, static_cast<char>(id));
      arm->failures = 0;
      arm->id = id;  // from here on the servo serves it
      ++back;
    }
    return back;
  }

  [[nodiscard]] const std::vector<std::unique_ptr<Arm>>& arms() const { return arms_; }

 private:
  bool isOurs(int id) const {
    return std::ranges::any_of(arms_, [id](const auto& arm) { return arm->id == id; });
  }

  int openFirstFree() {
    const int count = dhd_.getDeviceCount();
    for (int index = 0; index < count; ++index) {
      const bool mayMove = dhd_.drdOpenById != nullptr && !settings_.onlyLooks;
      const int id = mayMove ? dhd_.drdOpenById(static_cast<char>(index))
                             : dhd_.openById(static_cast<char>(index));
      if (id >= 0 && !isOurs(id)) return id;
    }
    return -1;
  }

  int openSerial(const std::string& serial) {
    int number = 0;
    const auto [end, code] = std::from_chars(serial.data(), serial.data() + serial.size(), number);
    if (code != std::errc() || end != serial.data() + serial.size()) return -1;
    const int id = dhd_.openBySerial(number);
    return id >= 0 && !isOurs(id) ? id : -1;
  }

  void describe(Arm& arm, char id) {
    const char* name = dhd_.getSystemName(id);
    const std::string model = models::printable(name == nullptr ? "" : name);
    // What DHD does not tell is as in the profile of that model: workspace, stiffness.
    if (const std::optional<DeviceProfile> profile = profileOfModel(model))
      arm.capabilities = profile->capabilities;
    DeviceCapabilities& device = arm.capabilities;
    device.model = model;
    unsigned short serial = 0;
    if (dhd_.getSerialNumber(&serial, id) >= 0) device.serial = std::to_string(serial);
    device.sensesRotation = dhd_.hasWrist(id);
    device.actuatesPosition = true;
    device.actuatesRotation = dhd_.hasActiveWrist(id);
    device.sensesGripper = dhd_.hasGripper(id);
    device.actuatesGripper = dhd_.hasActiveGripper(id);
    // Handedness is of the wrist; without one the device is for either hand.
    device.side =
        !device.sensesRotation ? Side::Either : (dhd_.isLeftHanded(id) ? Side::Left : Side::Right);
    take(dhd_.getMaxForce, id, device.peakForce);
    take(dhd_.getMaxTorque, id, device.peakTorque);
    take(dhd_.getMaxGripperForce, id, device.peakGripperForce);
    device.continuousForce = std::min(device.continuousForce, device.peakForce);
    device.continuousTorque = std::min(device.continuousTorque, device.peakTorque);
  }

  /// A limit that DHD knows, if it does: a negative answer is none.
  static void take(double (*ask)(char), char id, double& limit) {
    if (ask == nullptr) return;
    const double answer = ask(id);
    if (std::isfinite(answer) && answer > 0.0) limit = answer;
  }

  /// Calibrates if it can do so by itself, compensates the weight, switches forces on.
  void prepare(Arm& arm, char id) {
    arm.stage = DeviceStage::Identified;
    const bool canMove = dhd_.drdIsSupported != nullptr && dhd_.drdIsInitialized != nullptr &&
                         dhd_.drdAutoInit != nullptr && dhd_.drdStop != nullptr;
    if (canMove && dhd_.drdIsSupported(id)) {
      if (!dhd_.drdIsInitialized(id)) dhd_.drdAutoInit(id);
      dhd_.drdStop(true, id);
    }
    dhd_.setGravityCompensation(1, id);
    dhd_.enableForce(dhd::kOn, id);
    lookAtStatus(arm, id);
  }

  void lookAtStatus(Arm& arm, char id) {
    std::array<int, dhd::kStatusCount> status{};
    if (dhd_.getStatus(status.data(), id) < 0) return;
    // Encoders that count from where they were switched on: the arm has to be led to its stops.
    arm.stage = status[dhd::kStatusReset] != 0 ? DeviceStage::Ready : DeviceStage::NeedsHand;
    if (arm.side) arm.side->setForcesOff(status[dhd::kStatusForce] == 0);
  }

  void serve(Arm& arm, char id) noexcept {
    if (++arm.rounds % kStatusRounds == 0) lookAtStatus(arm, id);
    DeviceSample sample;
    DeviceStatus status;
    if (!measure(arm, id, sample, status)) {
      if (++arm.failures < kFailuresOfLost) return;
      dhd_.close(id);
      arm.side->lost();
      arm.id = -1;
      return;
    }
    arm.failures = 0;
    if (arm.side->isLost()) arm.side->rejoined(arm.stage);
    const std::int64_t now = settings_.clock();
    const DeviceCommand command =
        arm.stage == DeviceStage::Ready ? arm.side->commandAt(now) : DeviceCommand{};
    const Vector3d force = theirs(command.wrench.force);
    const Vector3d torque = theirs(command.wrench.torque);
    // Forces of a left-handed gripper count the other way, as its angle does (CHAI3D 3.3.0, 2024,
    // cDeltaDevice).
    const double grip =
        arm.capabilities.side == Side::Left ? -command.gripperForce : command.gripperForce;
    const int applied = dhd_.setForceTorqueGripper(force.x(), force.y(), force.z(), torque.x(),
                                                   torque.y(), torque.z(), grip, id);
    status.set(DeviceFlag::Saturated, applied == dhd::kMotorSaturated);
    arm.side->measured(sample, status, now);
  }

  /// False if the exchange failed.
  bool measure(const Arm& arm, char id, DeviceSample& sample, DeviceStatus& status) const noexcept {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;
    double frame[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const int answer = dhd_.getPositionAndFrame(&x, &y, &z, frame, id);
    if (answer < 0) return false;
    status.set(DeviceFlag::CalledTooFast, answer == dhd::kTimeGuard);
    sample.stage = arm.stage;
    sample.position = ours(x, y, z);
    if (arm.capabilities.sensesRotation) {
      Eigen::Matrix3d turn;
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column)
          turn(row, column) = frame[row][column];
      }
      // P R P': the same turn, its rows and columns in our order.
      Eigen::Matrix3d rows;
      for (int column = 0; column < 3; ++column)
        rows.col(column) = ours(turn.col(column));
      Eigen::Matrix3d both;
      for (int row = 0; row < 3; ++row)
        both.row(row) = ours(Vector3d(rows.row(row))).transpose();
      sample.orientation = Eigen::Quaterniond(both);
      sample.hasAngularVelocity = dhd_.getAngularVelocity(&x, &y, &z, id) >= 0;
      if (sample.hasAngularVelocity) sample.angularVelocity = ours(x, y, z);
    }
    sample.hasVelocity = dhd_.getLinearVelocity(&x, &y, &z, id) >= 0;
    if (sample.hasVelocity) sample.velocity = ours(x, y, z);
    if (arm.capabilities.sensesGripper) {
      // Negative of a left-handed one; closed is 0 for both.
      double angle = 0.0;
      if (dhd_.getGripperAngle(&angle, id) >= 0) sample.gripperAngle = std::abs(angle);
    }
    sample.buttons = dhd_.getButtonMask(id);
    return true;
  }

  DhdEntries dhd_;
  VendorSettings settings_;
  std::vector<std::unique_ptr<Arm>> arms_;
  std::optional<RepeatingThread> loop_, helper_;
};

}  // namespace

std::vector<std::string> dhdLibraries() {
  return {"libdrd.so.3", "libdrd.so", "libdhd.so.3", "libdhd.so"};
}

Result<VendorDevices> openDhd(const std::vector<std::string>& serials,
                              const VendorSettings& settings) {
  const Result<SharedLibrary> library =
      SharedLibrary::open(settings.libraries.empty() ? dhdLibraries() : settings.libraries);
  if (!library) return library.error();
  DhdEntries entries;
  if (const auto bound = entries.bind(library.value()); !bound) return bound.error();

  VendorDevices opened;
  auto servo = std::make_shared<DhdServo>(entries, settings);
  for (const std::string& serial : serials) {
    const std::string said = servo->open(serial);
    if (!said.empty() && settings.onlyLooks && !opened.notes.empty()) break;
    if (!said.empty()) {
      return Error{
          Reason::FileMissing, -1,
          say("Force Dimension's library finds no ",
              serial.empty() ? std::string("free device")
                             : say("device with serial number ", serial),
              ": ", said,
              ". Is it switched on, and may you use its USB port? 'tactus devices' tells.")};
    }
    const DeviceCapabilities& device = servo->arms().back()->capabilities;
    opened.notes.push_back(say(device.model, ", serial number ", device.serial, ", for the ",
                               nameOf(device.side), " hand"));
  }
  servo->start();
  for (const auto& arm : servo->arms()) {
    opened.devices.push_back(
        std::make_unique<MailboxDevice>(servo, arm->mailbox, arm->capabilities));
  }
  opened.servo = servo;
  return opened;
}

}  // namespace tactus::haptics
