#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "haptics/adapters/openhaptics_entries.hpp"
#include "haptics/adapters/vendor_devices.hpp"
#include "models/files/file_label.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::haptics {
namespace {

using models::Error;
using models::Reason;
using models::Result;
using models::say;

constexpr double kMetres = 1e-3;        // of a millimetre
constexpr double kNewtonMetres = 1e-3;  // of a millinewton metre
// As many errors as HDAPI's stack may hold; more in one tick would be an endless loop of it.
constexpr int kMostErrors = 16;
// Asked for until it is done, not in every tick: it may look at encoders.
constexpr std::uint64_t kCalibrationTicks = 100;
constexpr std::int64_t kRejoinNs = 500'000'000;

// Given by the vendor's programs and drivers to the first device, over the years.
constexpr std::array<const char*, 7> kWellKnownNames = {
    "Default PHANToM", "Default Device", "PHANToM 1", "PHANToM 2",
    "Right Device",    "Left Device",    "Touch"};

std::string textOf(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

class OpenHapticsServo final : public VendorServo {
 public:
  struct Arm {
    std::string name;  ///< that worked; empty: the default device
    hd::Handle handle = hd::kInvalidHandle;
    DeviceCapabilities capabilities;
    std::shared_ptr<DeviceMailbox> mailbox = std::make_shared<DeviceMailbox>();
    std::unique_ptr<ServoSide> side;
    DeviceStage stage = DeviceStage::Identified;
    std::atomic<bool> isLost{false};
  };

  OpenHapticsServo(OpenHapticsEntries entries, const VendorSettings& settings)
      : hd_(entries), settings_(settings) {}

  ~OpenHapticsServo() override {
    helper_.reset();
    if (isScheduled_) {
      hd_.stopScheduler();
      hd_.unschedule(task_);
    }
    for (const auto& arm : arms_) {
      if (!arm->isLost) switchOff(*arm);
    }
  }

  /// Tries the names; the arm, or nothing. `tried` collects what HDAPI said.
  Arm* open(const std::vector<std::string>& names, std::string& tried) {
    for (const std::string& name : names) {
      auto arm = std::make_unique<Arm>();
      const std::string said = initialise(*arm, name);
      if (said.empty()) {
        arms_.push_back(std::move(arm));
        return arms_.back().get();
      }
      tried += say(tried.empty() ? "" : ", ",
                   name.empty() ? "the default device" : models::inQuotes(name), " (", said, ")");
    }
    return nullptr;
  }

  /// Says that they are there; start() also serves them.
  void mark() {
    for (const auto& arm : arms_) {
      arm->side = std::make_unique<ServoSide>(*arm->mailbox, arm->capabilities);
      arm->side->rejoined(DeviceStage::Identified);
    }
  }

  std::string start() {
    mark();
    task_ = hd_.scheduleAsynchronous(&OpenHapticsServo::onServoTick, this, hd::kDefaultPriority);
    hd_.startScheduler();
    isScheduled_ = true;
    if (const hd::ErrorInfo error = hd_.getError(); error.code != 0)
      return models::printable(textOf(hd_.getErrorString(error.code)));
    if (settings_.hasThreads) {
      helper_.emplace(
          kRejoinNs, [](void* self) { static_cast<OpenHapticsServo*>(self)->rejoinLost(); }, this);
    }
    return {};
  }

  int rejoinLost() override {
    const auto isLost = [](const auto& arm) { return arm->isLost.load(); };
    if (std::ranges::none_of(arms_, isLost)) return 0;
    // Devices come and go only while nobody is called back; the others' samples age meanwhile.
    hd_.stopScheduler();
    int back = 0;
    for (const auto& arm : arms_) {
      if (arm->isLost && rejoin(*arm)) ++back;
    }
    hd_.startScheduler();
    while (hd_.getError().code != 0) {
    }
    return back;
  }

  [[nodiscard]] const std::vector<std::unique_ptr<Arm>>& arms() const { return arms_; }

 private:
  /// Empty, or what HDAPI said.
  std::string initialise(Arm& arm, const std::string& name) {
    const hd::Handle handle = hd_.initDevice(name.empty() ? nullptr : name.c_str());
    const hd::ErrorInfo error = hd_.getError();
    if (error.code != 0 || handle == hd::kInvalidHandle) {
      const std::string said = models::printable(textOf(hd_.getErrorString(error.code)));
      return said.empty() ? "no reason given" : said;
    }
    const bool isTaken = std::ranges::any_of(
        arms_, [&](const auto& other) { return !other->isLost && other->handle == handle; });
    if (isTaken) return "in use";
    arm.name = name;
    arm.handle = handle;
    describe(arm);
    if (settings_.onlyLooks) return {};
    hd_.enable(hd::kForceOutput);
    hd_.enable(hd::kForceRamping);
    return {};
  }

  double number(unsigned int what) const {
    double value = 0.0;
    hd_.getDoublev(what, &value);
    return value;
  }

  void describe(Arm& arm) {
    hd_.makeCurrentDevice(arm.handle);
    DeviceCapabilities& device = arm.capabilities;
    device.model = models::printable(textOf(hd_.getString(hd::kModelType)));
    device.serial = models::printable(textOf(hd_.getString(hd::kSerialNumber)));
    int inputs = 0;
    int outputs = 0;
    hd_.getIntegerv(hd::kInputDof, &inputs);
    hd_.getIntegerv(hd::kOutputDof, &outputs);
    device.sensesRotation = inputs >= 6;
    device.actuatesPosition = outputs >= 3;
    device.actuatesRotation = outputs >= 6;
    device.buttons = 2;
    std::array<double, 6> corners{};
    hd_.getDoublev(hd::kUsableWorkspace, corners.data());
    const Eigen::Vector3d lower = kMetres * Eigen::Vector3d(corners[0], corners[1], corners[2]);
    const Eigen::Vector3d upper = kMetres * Eigen::Vector3d(corners[3], corners[4], corners[5]);
    device.workspaceCentre = 0.5 * (lower + upper);
    device.workspaceExtent = (upper - lower).cwiseMax(0.0);
    device.peakForce = number(hd::kMaxForce);
    device.continuousForce = number(hd::kMaxContinuousForce);
    device.mostStiffness = number(hd::kMaxStiffness) / kMetres;
    if (device.actuatesRotation) {
      device.peakTorque = kNewtonMetres * number(hd::kMaxTorque);
      device.continuousTorque = kNewtonMetres * number(hd::kMaxContinuousTorque);
    }
    // Older drivers do not know all of these; what they leave on the error stack is no error.
    while (hd_.getError().code != 0) {
    }
  }

  void switchOff(Arm& arm) {
    hd_.makeCurrentDevice(arm.handle);
    hd_.disable(hd::kForceOutput);
    hd_.disableDevice(arm.handle);
  }

  bool rejoin(Arm& arm) {
    if (arm.handle != hd::kInvalidHandle) hd_.disableDevice(arm.handle);
    arm.handle = hd::kInvalidHandle;
    while (hd_.getError().code != 0) {
    }
    Arm found;
    if (!initialise(found, arm.name).empty()) return false;
    if (found.capabilities.serial != arm.capabilities.serial) {
      // Another device under the old name: it is for nobody's hand here.
      switchOff(found);
      return false;
    }
    arm.handle = found.handle;
    arm.stage = DeviceStage::Identified;
    arm.side->rejoined(arm.stage);
    arm.isLost = false;
    return true;
  }

  static unsigned int onServoTick(void* self) {
    static_cast<OpenHapticsServo*>(self)->tick();
    return hd::kCallbackContinue;
  }

  void tick() noexcept {
    ++ticks_;
    for (const auto& arm : arms_) {
      if (!arm->isLost) serve(*arm);
    }
  }

  void serve(Arm& arm) noexcept {
    const std::int64_t now = settings_.clock();
    hd_.beginFrame(arm.handle);
    hd_.makeCurrentDevice(arm.handle);
    if (arm.stage != DeviceStage::Ready && ticks_ % kCalibrationTicks == 1) calibrate(arm);
    DeviceSample sample = measure(arm);
    const DeviceCommand command = arm.side->commandAt(now);
    if (arm.stage == DeviceStage::Ready) apply(arm, command);
    hd_.endFrame(arm.handle);
    const DeviceStatus status = lookForErrors(arm);
    if (status.has(DeviceFlag::Lost)) {
      arm.side->lost();
      arm.isLost = true;
      return;
    }
    arm.side->measured(sample, status, now);
  }

  void calibrate(Arm& arm) noexcept {
    const unsigned int answer = hd_.checkCalibration();
    if (answer == hd::kCalibrationOk) {
      arm.stage = DeviceStage::Ready;
    } else if (answer == hd::kCalibrationNeedsUpdate) {
      int style = 0;
      hd_.getIntegerv(hd::kCalibrationStyle, &style);
      hd_.updateCalibration(static_cast<unsigned int>(style));
      arm.stage = DeviceStage::Calibrating;
    } else {
      arm.stage = DeviceStage::NeedsHand;
    }
  }

  [[nodiscard]] DeviceSample measure(const Arm& arm) const noexcept {
    DeviceSample sample;
    sample.stage = arm.stage;
    std::array<double, 16> columns{};
    hd_.getDoublev(hd::kCurrentTransform, columns.data());
    Eigen::Matrix3d turn;
    for (int column = 0; column < 3; ++column) {
      for (int row = 0; row < 3; ++row) {
        turn(row, column) =
            columns[4 * static_cast<std::size_t>(column) + static_cast<std::size_t>(row)];
      }
    }
    if (arm.capabilities.sensesRotation) sample.orientation = Eigen::Quaterniond(turn);
    sample.position = kMetres * Eigen::Vector3d(columns[12], columns[13], columns[14]);
    std::array<double, 3> rate{};
    hd_.getDoublev(hd::kCurrentVelocity, rate.data());
    sample.velocity = kMetres * Eigen::Vector3d(rate.data());
    sample.hasVelocity = true;
    if (arm.capabilities.sensesRotation) {
      hd_.getDoublev(hd::kCurrentAngularVelocity, rate.data());
      sample.angularVelocity = Eigen::Vector3d(rate.data());
      sample.hasAngularVelocity = true;
    }
    int buttons = 0;
    hd_.getIntegerv(hd::kCurrentButtons, &buttons);
    sample.buttons = static_cast<std::uint32_t>(buttons);
    return sample;
  }

  void apply(const Arm& arm, const DeviceCommand& command) const noexcept {
    if (!arm.capabilities.actuatesPosition) return;
    hd_.setDoublev(hd::kCurrentForce, command.wrench.force.data());
    if (!arm.capabilities.actuatesRotation) return;
    const Eigen::Vector3d torque = command.wrench.torque / kNewtonMetres;
    hd_.setDoublev(hd::kCurrentTorque, torque.data());
  }

  /// Everything on the error stack that speaks of this arm, or of none.
  [[nodiscard]] DeviceStatus lookForErrors(const Arm& arm) const noexcept {
    DeviceStatus status;
    for (int i = 0; i < kMostErrors; ++i) {
      const hd::ErrorInfo error = hd_.getError();
      if (error.code == 0) break;
      if (error.device != arm.handle && error.device != hd::kInvalidHandle) continue;
      if (error.code == hd::kWarmMotors) {
        status.set(DeviceFlag::Warm);
      } else if (error.code >= hd::kExceededMaxForce && error.code <= hd::kForceError) {
        status.set(DeviceFlag::Saturated);
      } else if (error.code >= hd::kDeviceFault && error.code <= hd::kTimerError) {
        status.set(DeviceFlag::Lost);
      }
    }
    return status;
  }

  OpenHapticsEntries hd_;
  VendorSettings settings_;
  std::vector<std::unique_ptr<Arm>> arms_;
  std::uint64_t ticks_ = 0;
  unsigned long task_ = 0;
  bool isScheduled_ = false;
  std::optional<RepeatingThread> helper_;
};

/// What to try for one wanted name, in this order.
std::vector<std::string> candidates(const std::string& name, bool isOnlyOne) {
  std::vector<std::string> list;
  if (!name.empty()) {
    list.push_back(name);
    // With two hands the default device could be the other one's.
    if (isOnlyOne) list.emplace_back();
    return list;
  }
  list.emplace_back();
  list.insert(list.end(), kWellKnownNames.begin(), kWellKnownNames.end());
  return list;
}

}  // namespace

std::vector<std::string> openHapticsLibraries() {
  return {"libHD.so", "libHD.so.3.4", "libHD.so.3.0", "libHD.so.3"};
}

Result<VendorDevices> openOpenHaptics(const std::vector<std::string>& names,
                                      const VendorSettings& settings) {
  const Result<SharedLibrary> library =
      SharedLibrary::open(settings.libraries.empty() ? openHapticsLibraries() : settings.libraries);
  if (!library) return library.error();
  OpenHapticsEntries entries;
  if (const auto bound = entries.bind(library.value()); !bound) return bound.error();

  VendorDevices opened;
  auto servo = std::make_shared<OpenHapticsServo>(entries, settings);
  for (const std::string& name : names) {
    std::string tried;
    const OpenHapticsServo::Arm* arm = servo->open(candidates(name, names.size() == 1), tried);
    if (arm == nullptr && settings.onlyLooks && !opened.notes.empty()) break;
    if (arm == nullptr) {
      return Error{
          Reason::FileMissing, -1,
          say("OpenHaptics finds no device",
              name.empty() ? std::string() : say(" ", models::inQuotes(name)), "; tried ", tried,
              ". Is it switched on, and configured in the vendor's setup program?")};
    }
    opened.notes.push_back(
        say(arm->capabilities.model, ", serial number ", arm->capabilities.serial, ", found as ",
            arm->name.empty() ? std::string("the default device") : models::inQuotes(arm->name)));
  }
  if (settings.onlyLooks) {
    servo->mark();
  } else if (const std::string said = servo->start(); !said.empty()) {
    return Error{Reason::FileMissing, -1,
                 say("OpenHaptics cannot start its scheduler: ", said, ".")};
  }
  for (const auto& arm : servo->arms()) {
    opened.devices.push_back(
        std::make_unique<MailboxDevice>(servo, arm->mailbox, arm->capabilities));
  }
  opened.servo = servo;
  return opened;
}

}  // namespace tactus::haptics
