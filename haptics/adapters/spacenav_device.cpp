#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <optional>

#include "haptics/adapters/shared_library.hpp"
#include "haptics/adapters/vendor_devices.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::haptics {
namespace {

using Eigen::Vector3d;
using models::Error;
using models::Reason;
using models::Result;

// libspnav, J. Tsiombikas, 2007 and later: the events that we read. Motion is in counts, with z
// away from the user.
constexpr int kMotionEvent = 1;
constexpr int kButtonEvent = 2;
struct MotionEvent {
  int type;
  int x, y, z, rx, ry, rz;
  unsigned int period;
  int* data;
};
struct ButtonEvent {
  int type;
  int press, number;
};
union Event {
  int type;
  MotionEvent motion;
  ButtonEvent button;
  std::array<unsigned char, 256> room;  // newer versions have longer ones
};

constexpr std::int64_t kPeriodNs = 4'000'000;  // the daemon sends 60 to 125 events a second
constexpr std::int64_t kRejoinNs = 500'000'000;
constexpr int kMostEvents = 64;            // a round; more are taken in the next
constexpr double kFullDeflection = 350.0;  // counts of a cap pushed to its stop
constexpr double kSpeed = 0.1;             // there [m/s]
constexpr double kTurningSpeed = 1.0;      // there [rad/s]
constexpr double kMostStep = 0.05;         // of time; after a stall the pose must not leap [s]
constexpr double kReach = 0.25;            // the pose stays in this box about the middle [m]
constexpr int kMostButtons = 32;

class SpacenavServo final : public VendorServo {
 public:
  struct Entries {
    int (*open)() = nullptr;
    int (*close)() = nullptr;
    int (*fd)() = nullptr;
    int (*pollEvent)(Event* event) = nullptr;
  };

  SpacenavServo(const Entries& entries, const VendorSettings& settings)
      : spnav_(entries), settings_(settings), side_(*mailbox_, capabilities_) {
    capabilities_.model = "SpaceMouse";
    capabilities_.sensesRotation = true;
    capabilities_.buttons = 2;
    capabilities_.workspaceExtent = Vector3d::Constant(2.0 * kReach);
    capabilities_.rate = 1e9 / static_cast<double>(kPeriodNs);
  }
  ~SpacenavServo() override {
    helper_.reset();
    loop_.reset();
    if (isOpen_) spnav_.close();
  }

  bool start() {
    if (spnav_.open() < 0) return false;
    isOpen_ = true;
    side_.rejoined(DeviceStage::Ready);
    if (settings_.hasThreads) {
      loop_.emplace(
          kPeriodNs, [](void* self) { static_cast<SpacenavServo*>(self)->serveOnce(); }, this);
      helper_.emplace(
          kRejoinNs, [](void* self) { static_cast<SpacenavServo*>(self)->rejoinLost(); }, this);
    }
    return true;
  }

  void serveOnce() noexcept override {
    if (!isOpen_) return;
    if (spnav_.fd() < 0) {
      spnav_.close();
      side_.lost();
      rate_ = turningRate_ = Vector3d::Zero();
      isOpen_ = false;
      return;
    }
    if (side_.isLost()) side_.rejoined(DeviceStage::Ready);
    Event event{};
    for (int i = 0; i < kMostEvents && spnav_.pollEvent(&event) != 0; ++i)
      take(event);
    const std::int64_t now = settings_.clock();
    const double step =
        lastNs_ == 0 ? 0.0 : std::clamp(1e-9 * static_cast<double>(now - lastNs_), 0.0, kMostStep);
    lastNs_ = now;
    sample_.position = (sample_.position + step * rate_).cwiseMax(-kReach).cwiseMin(kReach);
    const Vector3d turn = 0.5 * step * turningRate_;
    sample_.orientation =
        Eigen::Quaterniond(1.0, turn.x(), turn.y(), turn.z()) * sample_.orientation;
    sample_.orientation.normalize();
    sample_.velocity = rate_;
    sample_.angularVelocity = turningRate_;
    sample_.hasVelocity = sample_.hasAngularVelocity = true;
    sample_.stage = DeviceStage::Ready;
    side_.measured(sample_, {}, now);
  }

  int rejoinLost() override {
    if (isOpen_ || spnav_.open() < 0) return 0;
    isOpen_ = true;
    return 1;
  }

  [[nodiscard]] const DeviceCapabilities& capabilities() const { return capabilities_; }
  [[nodiscard]] const std::shared_ptr<DeviceMailbox>& mailbox() const { return mailbox_; }

 private:
  void take(const Event& event) noexcept {
    if (event.type == kMotionEvent) {
      const MotionEvent& motion = event.motion;
      rate_ = kSpeed / kFullDeflection * Vector3d(motion.x, motion.y, -motion.z);
      turningRate_ = kTurningSpeed / kFullDeflection * Vector3d(motion.rx, motion.ry, -motion.rz);
    } else if (event.type == kButtonEvent && event.button.number >= 0 &&
               event.button.number < kMostButtons) {
      const std::uint32_t bit = 1U << static_cast<unsigned>(event.button.number);
      sample_.buttons = event.button.press != 0 ? sample_.buttons | bit : sample_.buttons & ~bit;
    }
  }

  Entries spnav_;
  VendorSettings settings_;
  DeviceCapabilities capabilities_;
  std::shared_ptr<DeviceMailbox> mailbox_ = std::make_shared<DeviceMailbox>();
  ServoSide side_;
  DeviceSample sample_;
  Vector3d rate_ = Vector3d::Zero(), turningRate_ = Vector3d::Zero();
  std::int64_t lastNs_ = 0;
  std::atomic<bool> isOpen_{false};
  std::optional<RepeatingThread> loop_, helper_;
};

}  // namespace

std::vector<std::string> spacenavLibraries() {
  return {"libspnav.so.0", "libspnav.so"};
}

Result<VendorDevices> openSpaceMouse(const VendorSettings& settings) {
  const Result<SharedLibrary> library =
      SharedLibrary::open(settings.libraries.empty() ? spacenavLibraries() : settings.libraries);
  if (!library) return library.error();
  SpacenavServo::Entries spnav;
  EntryPoints entries(library.value());
  entries.need(spnav.open, "spnav_open")
      .need(spnav.close, "spnav_close")
      .need(spnav.fd, "spnav_fd")
      .need(spnav.pollEvent, "spnav_poll_event");
  if (const auto bound = entries.finish(); !bound) return bound.error();
  auto servo = std::make_shared<SpacenavServo>(spnav, settings);
  if (!servo->start()) {
    return Error{Reason::FileMissing, -1,
                 "The daemon spacenavd does not answer: is it installed and running, as 'systemctl "
                 "start spacenavd' makes it?"};
  }
  VendorDevices opened;
  opened.devices.push_back(
      std::make_unique<MailboxDevice>(servo, servo->mailbox(), servo->capabilities()));
  opened.servo = servo;
  return opened;
}

}  // namespace tactus::haptics
