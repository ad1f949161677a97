#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "haptics/adapters/chai3d_entries.hpp"
#include "haptics/adapters/open_hands.hpp"
#include "haptics/adapters/vendor_devices.hpp"
#include "models/files/file_label.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::haptics {
namespace {

using Eigen::Vector3d;
using models::Done;
using models::Error;
using models::Reason;
using models::Result;
using models::say;

// A little above the 500 us within which Force Dimension's library, which CHAI3D calls, gives its
// last sample again; CHAI3D does not tell the two apart.
constexpr std::int64_t kPeriodNs = 600'000;
constexpr std::int64_t kRejoinNs = 500'000'000;
// One failed exchange happens on a busy bus; three in a row are 2 ms without a measurement.
constexpr int kFailuresOfLost = 3;

constexpr const char* kModule = "libtactus_chai3d.so";

Vector3d ours(const double (&v)[3]) {
  return {v[1], v[2], v[0]};
}
void put(const Vector3d& v, double (&theirs)[3]) {
  theirs[0] = v.z();
  theirs[1] = v.x();
  theirs[2] = v.y();
}

/// P R P': the same turn, its rows and columns in our order.
Eigen::Quaterniond oursOfRows(const double (&rotation)[9]) {
  constexpr int kTheirs[3] = {1, 2, 0};
  Eigen::Matrix3d turn;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      turn(row, column) = rotation[3 * kTheirs[row] + kTheirs[column]];
  }
  return Eigen::Quaterniond(turn);
}

class Chai3dServo final : public VendorServo {
 public:
  struct Arm {
    std::int32_t index = 0;  ///< CHAI3D's
    std::atomic<bool> isOpen{false};
    DeviceCapabilities capabilities;
    std::shared_ptr<DeviceMailbox> mailbox = std::make_shared<DeviceMailbox>();
    std::unique_ptr<ServoSide> side;
    int failures = 0;
  };

  Chai3dServo(const Chai3dTable& chai3d, const VendorSettings& settings)
      : chai3d_(chai3d), settings_(settings), count_(chai3d.count()) {}

  ~Chai3dServo() override {
    helper_.reset();
    loop_.reset();
    for (const auto& arm : arms_) {
      if (arm->isOpen) chai3d_.close(arm->index);
    }
  }

  /// Empty, or why there is none. `wanted` is a number, or empty for the first that is free.
  std::string open(const std::string& wanted) {
    if (count_ < 0) return lastError();
    if (count_ == 0) return "it counts no devices";
    if (wanted.empty()) {
      std::string tried;
      for (std::int32_t index = 0; index < count_; ++index) {
        if (isOurs(index)) continue;
        const std::string trouble = openIndex(index);
        if (trouble.empty()) return {};
        tried += say(tried.empty() ? "number " : ", number ", index, " (", trouble, ")");
      }
      return tried.empty() ? std::string("all are in use") : tried;
    }
    std::int32_t index = -1;
    std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
    if (index < 0 || index >= count_) return say("it counts ", count_, ", from 0 on");
    return openIndex(index);
  }

  void start() {
    for (const auto& arm : arms_) {
      arm->side = std::make_unique<ServoSide>(*arm->mailbox, arm->capabilities);
      arm->side->rejoined(arm->isOpen ? DeviceStage::Ready : DeviceStage::Identified);
    }
    if (!settings_.hasThreads || settings_.onlyLooks) return;
    loop_.emplace(
        kPeriodNs, [](void* self) { static_cast<Chai3dServo*>(self)->serveOnce(); }, this);
    helper_.emplace(
        kRejoinNs, [](void* self) { static_cast<Chai3dServo*>(self)->rejoinLost(); }, this);
  }

  void serveOnce() noexcept override {
    for (const auto& arm : arms_) {
      if (arm->isOpen) serve(*arm);
    }
  }

  int rejoinLost() override {
    int back = 0;
    for (const auto& arm : arms_) {
      if (!arm->isOpen && rejoin(*arm)) ++back;
    }
    return back;
  }

  [[nodiscard]] const std::vector<std::unique_ptr<Arm>>& arms() const { return arms_; }

 private:
  [[nodiscard]] std::string lastError() const {
    const char* text = chai3d_.lastError();
    const std::string answer = models::printable(text == nullptr ? "" : text);
    return answer.empty() ? "no reason given" : answer;
  }

  [[nodiscard]] bool isOurs(std::int32_t index) const {
    return std::ranges::any_of(arms_, [index](const auto& arm) { return arm->index == index; });
  }

  /// Empty, or what the module said.
  std::string openIndex(std::int32_t index) {
    auto arm = std::make_unique<Arm>();
    arm->index = index;
    Chai3dDescription description{};
    const bool looks = settings_.onlyLooks;
    const std::int32_t answer =
        looks ? chai3d_.describe(index, &description) : chai3d_.open(index, &description);
    if (answer < 0) return lastError();
    arm->capabilities = capabilitiesOf(description);
    arm->isOpen = !looks;
    arms_.push_back(std::move(arm));
    return {};
  }

  static DeviceCapabilities capabilitiesOf(const Chai3dDescription& description) {
    DeviceCapabilities device;
    const std::string model = models::printable(description.model);
    // CHAI3D has one number for force and one for the workspace; its profile, if there is one,
    // more.
    if (const std::optional<DeviceProfile> profile = profileOfModel(model)) {
      device = profile->capabilities;
      device.continuousForce = std::min(device.continuousForce, description.mostForce);
      device.continuousTorque = std::min(device.continuousTorque, description.mostTorque);
    } else {
      device.continuousForce = description.mostForce;
      device.continuousTorque = description.mostTorque;
      device.workspaceExtent = Vector3d::Constant(2.0 * description.workspaceRadius);
      device.buttons = 1;  // how many there are it does not tell
    }
    device.model = model;
    device.serial.clear();
    device.side = Side::Either;
    if (description.fitsLeft != description.fitsRight)
      device.side = description.fitsLeft != 0 ? Side::Left : Side::Right;
    device.sensesRotation = description.sensesRotation != 0;
    device.actuatesPosition = description.drivesPosition != 0;
    device.actuatesRotation = description.drivesRotation != 0;
    device.sensesGripper = description.sensesGripper != 0;
    device.actuatesGripper = description.drivesGripper != 0;
    device.peakForce = description.mostForce;
    device.peakTorque = description.mostTorque;
    device.peakGripperForce = description.mostGripperForce;
    if (description.mostStiffness > 0.0) device.mostStiffness = description.mostStiffness;
    return device;
  }

  /// By number and model, for CHAI3D knows no serial numbers. Among others of the same model it
  /// stays lost: numbers may have moved up, and a force must not go to another hand.
  bool rejoin(Arm& arm) {
    const bool hasTwin = std::ranges::any_of(arms_, [&](const auto& other) {
      return other.get() != &arm && other->capabilities.model == arm.capabilities.model;
    });
    if (hasTwin) return false;
    Chai3dDescription description{};
    if (chai3d_.open(arm.index, &description) < 0) return false;
    if (models::printable(description.model) != arm.capabilities.model) {
      chai3d_.close(arm.index);
      return false;
    }
    arm.failures = 0;
    arm.isOpen = true;  // from here on the servo serves it
    return true;
  }

  void serve(Arm& arm) noexcept {
    Chai3dMeasurement measured{};
    if (chai3d_.read(arm.index, &measured) < 0) {
      if (++arm.failures < kFailuresOfLost) return;
      chai3d_.close(arm.index);
      arm.side->lost();
      arm.isOpen = false;
      return;
    }
    arm.failures = 0;
    if (arm.side->isLost()) arm.side->rejoined(DeviceStage::Ready);
    const std::int64_t now = settings_.clock();
    const DeviceCommand command = arm.side->commandAt(now);
    Chai3dWrench wrench{};
    put(command.wrench.force, wrench.force);
    put(command.wrench.torque, wrench.torque);
    wrench.gripperForce = command.gripperForce;
    arm.side->setForcesOff(chai3d_.write(arm.index, &wrench) < 0);
    arm.side->measured(sampleOf(measured), DeviceStatus{}, now);
  }

  static DeviceSample sampleOf(const Chai3dMeasurement& measured) noexcept {
    DeviceSample sample;
    sample.stage = DeviceStage::Ready;
    sample.position = ours(measured.position);
    sample.orientation = oursOfRows(measured.rotation);
    sample.hasVelocity = measured.hasVelocity != 0;
    if (sample.hasVelocity) sample.velocity = ours(measured.velocity);
    sample.hasAngularVelocity = measured.hasAngularVelocity != 0;
    if (sample.hasAngularVelocity) sample.angularVelocity = ours(measured.angularVelocity);
    sample.gripperAngle = measured.gripperAngle;
    sample.buttons = measured.switches;
    return sample;
  }

  const Chai3dTable& chai3d_;
  VendorSettings settings_;
  std::int32_t count_;
  std::vector<std::unique_ptr<Arm>> arms_;
  std::optional<RepeatingThread> loop_, helper_;
};

Result<const Chai3dTable*> tableOf(const VendorSettings& settings) {
  const Result<SharedLibrary> library =
      SharedLibrary::open(settings.libraries.empty() ? chai3dLibraries() : settings.libraries);
  if (!library && library.error().reason == Reason::FileMissing) {
    return Error{Reason::FileMissing, -1,
                 say("CHAI3D is an option of the build, and its module ", kModule,
                     " is not there: configure with -DTACTUS_CHAI3D=ON, or take 'openhaptics' or "
                     "'dhd', which need no SDK.")};
  }
  if (!library) return library.error();
  Chai3dEntries entries;
  if (const Result<Done> bound = entries.bind(library.value()); !bound) return bound.error();
  return entries.table;
}

}  // namespace

std::vector<std::string> chai3dLibraries() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  if (program.empty()) return {kModule};
  return {(program.parent_path() / kModule).string(), kModule};
}

Result<Done> checkChai3d(const VendorSettings& settings) {
  const Result<const Chai3dTable*> table = tableOf(settings);
  if (!table) return table.error();
  return Done{};
}

Result<VendorDevices> openChai3d(const std::vector<std::string>& indices,
                                 const VendorSettings& settings) {
  const Result<const Chai3dTable*> table = tableOf(settings);
  if (!table) return table.error();
  VendorDevices opened;
  auto servo = std::make_shared<Chai3dServo>(*table.value(), settings);
  for (const std::string& index : indices) {
    const std::string said = servo->open(index);
    if (!said.empty() && settings.onlyLooks && !opened.notes.empty()) break;
    if (!said.empty()) {
      return Error{
          Reason::FileMissing, -1,
          say("CHAI3D ", table.value()->version(), " gives no ",
              index.empty() ? std::string("free device") : say("device of number ", index), ": ",
              said, ". Is it switched on, and may you use its USB port? 'tactus devices' tells.")};
    }
    const Chai3dServo::Arm& arm = *servo->arms().back();
    opened.notes.push_back(say(arm.capabilities.model, ", number ", arm.index, " of CHAI3D ",
                               table.value()->version(), ", for the ",
                               nameOf(arm.capabilities.side), " hand"));
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
