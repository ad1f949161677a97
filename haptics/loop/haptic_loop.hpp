#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "haptics/loop/servo_loop.hpp"
#include "haptics/loop/tick_trace.hpp"
#include "haptics/tick/haptic_tick.hpp"
#include "haptics/tick/tick_records.hpp"
#include "haptics/triple_buffer.hpp"

namespace tactus::haptics {

/// What whoever draws or shows numbers gets of a tick.
struct TickSnapshot {
  struct Pose {
    std::array<double, 3> position{};
    std::array<double, 4> orientation{1.0, 0.0, 0.0, 0.0};  ///< w x y z
  };
  struct Hand {
    Pose device;  ///< in its own frame
    Pose tool;    ///< in the scene
    Pose wanted;  ///< where the hand wants the tool, in the scene
    /// As given to the device, its frame; of one without motors what the coupling would give.
    std::array<double, 3> force{}, torque{};
    /// Of all contacts on the tool, scene's frame, and where its line of action passes.
    std::array<double, 3> contactForce{}, contactTorque{}, contactPoint{};
    std::array<double, 3> grip{};  ///< where the tool is held, in the scene
    response::SafetyPhase phase = response::SafetyPhase::Waiting;
    response::SafetyReason reason = response::SafetyReason::Starting;
    StartStage stage = StartStage::Identify;
    WaitingFor waitingFor = WaitingFor::Device;
    std::uint32_t buttons = 0;
    double gripperAngle = 0.0, balance = 0.0, stiffnessRatio = 0.0;
    double gain = 0.0;                      ///< of ramp and watchdog
    double storedEnergy = 0.0;              ///< in coupling and contact [J]
    double limitForce = 0.0;                ///< of this tick, thermal ones included [N]
    double stiffness = 0.0, damping = 0.0;  ///< as they are now, while sliders' wishes are slewed
    response::StabilityAdvice shiftAdvice, turnAdvice;
    response::EnergyLedger ledger;
    std::uint64_t damped = 0, heldBack = 0;  ///< ticks of the passivity controller
    std::uint16_t status = 0;                ///< DeviceStatus::bits() as read
    std::uint32_t ageTicks = 0;              ///< of the sample
    bool isSlewed = false, isHeldBack = false, isClamped = false;
  };
  /// What two bodies do to each other.
  struct Contact {
    std::array<double, 3> point{}, forceOnB{};  ///< in the scene [m], [N]
    std::uint32_t a = 0, b = 0;
  };
  static constexpr std::size_t kMostContacts = 64;  ///< that a picture needs
  std::uint64_t number = 0;
  std::uint32_t bodyCount = 0, handCount = 0;
  std::array<Pose, response::World::kMostBodies> bodies;
  std::array<Hand, kMostHands> hands;
  std::array<Contact, kMostContacts> contacts;
  std::uint32_t contactCount = 0;
  response::WorldCounters counters;
  double contactEnergy = 0.0;  ///< [J]
  double contactVolume = 0.0;  ///< shared by all that touch [m^3]
  double computeUs = 0.0;      ///< of the tick before
  double seconds = 0.0;        ///< since the first tick
  std::uint64_t late = 0, skipped = 0;
};

/// Sums over all ticks, for the report at the end.
struct ContactTotals {
  std::uint64_t ticks = 0, touching = 0, asleep = 0, asked = 0, cut = 0, dropped = 0;
  std::uint64_t carried = 0;  ///< of those touching: computed in the tick before, see World
  std::uint32_t mostTouching = 0;
};

/// What a hand got over all ticks: of a device without motors what it would have got, see
/// TickSnapshot.
struct HandTotals {
  std::uint64_t touching = 0;  ///< ticks in which its tool was pushed by something
  double mostForce = 0.0;      ///< [N]
  double mostTorque = 0.0;     ///< [N m]
  double sumForce = 0.0;       ///< over the ticks of `touching` [N]
};

/// Looks at each tick in the loop's own thread, after devices have their wrenches and the recorder
/// its records: what it does there has to be as bounded as a tick. For studies, which measure.
class TickObserver {
 public:
  TickObserver() = default;
  TickObserver(const TickObserver&) = delete;
  TickObserver& operator=(const TickObserver&) = delete;
  virtual ~TickObserver() = default;
  virtual void see(const RecordRing::Stamp& stamp, const TickInputs& inputs, const HapticTick& tick,
                   std::span<const DeviceStatus> written) noexcept = 0;
};

/// The 1 kHz loop: devices, one HapticTick, who reads and who records. Owns the clock's side of
/// everything: the tick itself sees only samples and numbers.
class HapticLoop {
 public:
  /// All of these outlive the loop. `recorder` may be null; with RecorderPace::ByDriver it is
  /// drained between ticks.
  struct Parts {
    HapticTick* tick = nullptr;
    std::vector<HapticDevice*> devices;  ///< of each hand of the tick
    Recorder* recorder = nullptr;
    RecorderPace pace = RecorderPace::OwnThread;
    TickTrace* trace = nullptr;        ///< of each tick, for curves; may be null
    TickObserver* observer = nullptr;  ///< may be null
    /// With RecorderPace::ByDriver how many ticks are written in one go, each a commit; below half
    /// of Recorder::kRingTicks.
    std::uint64_t drainTicks = Recorder::kChunkTicks;
  };
  HapticLoop(const Parts& parts, const TickParameters& begin);

  /// In the calling thread, until it is told to stop or all ticks have been. Afterwards no device
  /// gives a force.
  void run(const ServoSettings& settings, const std::atomic<bool>& stops) noexcept;

  /// One thread may write parameters, one may read snapshots, while it runs.
  [[nodiscard]] TripleBuffer<TickParameters>& parameters() noexcept { return parameters_; }
  [[nodiscard]] TripleBuffer<TickSnapshot>& snapshots() noexcept { return snapshots_; }

  // After run().
  [[nodiscard]] const ServoTimes& times() const noexcept { return times_; }
  [[nodiscard]] const ContactTotals& totals() const noexcept { return totals_; }
  [[nodiscard]] const HandTotals& totals(std::size_t hand) const noexcept {
    return handTotals_[hand];
  }

 private:
  void tick(const TickStart& start, const ServoSettings& settings) noexcept;
  void takeParameters(const RecordRing::Stamp& stamp) noexcept;
  [[nodiscard]] const response::Wrench& shownWrench(std::size_t hand) const noexcept;
  [[nodiscard]] bool isMassless(std::size_t hand) const noexcept;
  [[nodiscard]] bool isOfMasslessTool(const response::PairContact& contact) const noexcept;
  void publish(const TickInputs& inputs, const TickStart& start) noexcept;
  void publishHand(const TickInputs& inputs, std::size_t k, TickSnapshot::Hand& hand) noexcept;
  void trace(const TickInputs& inputs) noexcept;
  void count() noexcept;

  HapticTick* tick_;
  std::vector<HapticDevice*> devices_;
  Recorder* recorder_;
  RecorderPace pace_;
  TickTrace* trace_;
  TickObserver* observer_;
  std::uint64_t drainTicks_;
  TickRecorder records_;
  std::vector<DeviceStatus> written_;
  TickParameters wanted_;
  TripleBuffer<TickParameters> parameters_;
  TripleBuffer<TickSnapshot> snapshots_;
  ServoTimes times_;
  ContactTotals totals_;
  std::array<HandTotals, kMostHands> handTotals_;
  double computeUs_ = 0.0;  ///< of the last tick
  double periodUs_ = 0.0;   ///< from the last but one's begin to this one's
  std::int64_t lastBeginNs_ = 0;
  double contactVolume_ = 0.0;  ///< of the last tick [m^3]
};

}  // namespace tactus::haptics
