#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "haptics/loop/haptic_loop.hpp"
#include "haptics/recording/recorder.hpp"
#include "haptics/triple_buffer.hpp"
#include "studies/measures/trial_sheet.hpp"
#include "studies/runner/press_counter.hpp"

namespace tactus::studies {

/// Who does a trial and decides by itself; of people there is none.
class TrialDoer {
 public:
  TrialDoer() = default;
  TrialDoer(const TrialDoer&) = delete;
  TrialDoer& operator=(const TrialDoer&) = delete;
  virtual ~TrialDoer() = default;
  /// Once a tick: what is to be seen.
  virtual void see(std::span<const haptics::BodyRecord> bodies, double seconds) noexcept = 0;
  /// Presses that have ended, of a task that has them.
  [[nodiscard]] virtual int presses() const noexcept = 0;
};

/// What a screen shows of a trial while it goes on.
struct TrialView {
  std::uint64_t ticks = 0, limitTicks = 0;  ///< since the start signal, without pauses
  std::uint32_t countIn = 0;                ///< ticks until the start signal; 0: not counting
  bool hasStarted = false, isHeld = false, isOver = false;
  int presses = 0;
  std::array<std::uint32_t, 2> scores{};  ///< of the task's sides
};

struct WatchSettings {
  /// Start signal; none: when all hands have had their force for kCountInTicks.
  std::optional<std::uint64_t> startTick;
  /// After the end, in which forces go; 0: the loop ends in the same tick.
  std::uint64_t fadeTicks = 0;
  std::uint64_t limitTicks = 0;
  TaskKind kind = TaskKind::Dock;
  BlockEnd ends = BlockEnd::Success;
  double tickSeconds = 1e-3;
  double secondStiffness = 0.0;  ///< of the second of two presses
};

/// Measures a trial, lets it begin, pause and end: all in the loop's thread. Who shows it writes
/// wishes and reads views, from one other thread.
class TrialWatch final : public haptics::TickObserver {
 public:
  // "Ready", then the signal: long enough to look up, too short to doze off.
  static constexpr std::uint32_t kCountInTicks = 2000;

  TrialWatch(TrialSheet& sheet, TrialDoer* doer, haptics::Recorder& recorder,
             std::size_t firstStream, std::size_t hands, std::size_t bodies,
             const WatchSettings& settings);
  /// Before the loop runs.
  void attach(haptics::HapticLoop& loop, const haptics::TickParameters& parameters);

  /// Ends the loop.
  [[nodiscard]] const std::atomic<bool>& stops() const noexcept { return stops_; }

  // From the other thread, at any time.
  /// Forces fade and time stands still; afterwards it goes on when all hands have their force.
  void setPaused(bool isPaused) noexcept { wantsPause_ = isPaused; }
  /// Forces fade, then the loop ends.
  void abort() noexcept { wantsAbort_ = true; }
  [[nodiscard]] haptics::TripleBuffer<haptics::TickParameters>& wanted() noexcept {
    return wanted_;
  }
  [[nodiscard]] haptics::TripleBuffer<TrialView>& views() noexcept { return views_; }

  // After the loop.
  [[nodiscard]] bool wasAborted() const noexcept { return wasAborted_; }
  [[nodiscard]] bool wasPaused() const noexcept { return wasPaused_; }
  [[nodiscard]] bool wasDeviceLost() const noexcept { return wasDeviceLost_; }

  void see(const haptics::RecordRing::Stamp& stamp, const haptics::TickInputs& inputs,
           const haptics::HapticTick& tick,
           std::span<const haptics::DeviceStatus> written) noexcept override;

 private:
  void obey(const haptics::RecordRing::Stamp& stamp, const haptics::HapticTick& tick) noexcept;
  void begin(const haptics::RecordRing::Stamp& stamp, const haptics::HapticTick& tick,
             std::uint64_t number) noexcept;
  void end(const haptics::RecordRing::Stamp& stamp, const char* name) noexcept;
  void publishParameters() noexcept;
  void publishView() noexcept;
  [[nodiscard]] int presses() const noexcept;
  [[nodiscard]] std::uint16_t stage() const noexcept;
  [[nodiscard]] bool isDone() const noexcept;
  void note(const haptics::RecordRing::Stamp& stamp, const char* name) noexcept;

  TrialSheet& sheet_;
  TrialDoer* doer_;
  haptics::Recorder& recorder_;
  std::size_t firstStream_;
  WatchSettings settings_;
  PressCounter pressCounter_;
  std::vector<haptics::HandRecord> hands_;
  std::vector<ContactRecord> contacts_;
  std::vector<haptics::BodyRecord> bodies_;
  haptics::HapticLoop* loop_ = nullptr;
  haptics::TickParameters parameters_;
  std::uint32_t countIn_ = 0;  ///< ticks in which all hands had their force
  std::uint64_t fadeLeft_ = 0;
  bool hasStarted_ = false, isHeld_ = false, isOver_ = false, hasSecond_ = false;
  bool wasAborted_ = false, wasPaused_ = false, wasDeviceLost_ = false;
  std::atomic<bool> wantsPause_{false}, wantsAbort_{false}, stops_{false};
  haptics::TripleBuffer<haptics::TickParameters> wanted_;
  haptics::TripleBuffer<TrialView> views_;
};

}  // namespace tactus::studies
