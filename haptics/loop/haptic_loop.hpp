#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "haptics/loop/servo_loop.hpp"
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
    Pose wanted;  ///< where the hand wants the tool's grip, in the scene
    std::array<double, 3> force{}, torque{};  ///< as given to the device, its frame
    response::SafetyPhase phase = response::SafetyPhase::Waiting;
    response::SafetyReason reason = response::SafetyReason::Starting;
    StartStage stage = StartStage::Identify;
    WaitingFor waitingFor = WaitingFor::Device;
    std::uint32_t buttons = 0;
    double gripperAngle = 0.0, balance = 0.0, stiffnessRatio = 0.0;
  };
  std::uint64_t number = 0;
  std::uint32_t bodyCount = 0, handCount = 0;
  std::array<Pose, response::World::kMostBodies> bodies;
  std::array<Hand, kMostHands> hands;
  response::WorldCounters contacts;
};

/// Sums over all ticks, for the report at the end.
struct ContactTotals {
  std::uint64_t ticks = 0, touching = 0, asleep = 0, asked = 0, cut = 0, dropped = 0;
  std::uint64_t carried = 0;  ///< of those touching: computed in the tick before, see World
  std::uint32_t mostTouching = 0;
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

 private:
  void tick(const TickStart& start, const ServoSettings& settings) noexcept;
  void takeParameters(const RecordRing::Stamp& stamp) noexcept;
  void publish(const TickInputs& inputs) noexcept;
  void count() noexcept;

  HapticTick* tick_;
  std::vector<HapticDevice*> devices_;
  Recorder* recorder_;
  RecorderPace pace_;
  TickRecorder records_;
  std::vector<DeviceStatus> written_;
  TickParameters wanted_;
  TripleBuffer<TickParameters> parameters_;
  TripleBuffer<TickSnapshot> snapshots_;
  ServoTimes times_;
  ContactTotals totals_;
  double computeUs_ = 0.0;  ///< of the last tick
};

}  // namespace tactus::haptics
