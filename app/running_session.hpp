#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "app/core_share.hpp"
#include "app/opened_session.hpp"
#include "app/run_figures.hpp"
#include "haptics/loop/haptic_loop.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::app {

struct RunSettings {
  std::optional<std::string> recording;
  bool overwrites = false;
  std::optional<double> seconds;  ///< from the first tick; none: until it is told to stop
  bool hasSimulatedTime = false;
  /// Those that it begins with; none: the scene's.
  std::optional<haptics::TickParameters> parameters;
  const CoreShare* cores = nullptr;  ///< the loop takes its own; null: the system decides
};

/// The haptic loop in a thread of its own, from the scene's beginning. When it ends, however that
/// comes, no device is left with a force.
class RunningSession {
 public:
  /// Starts at once. `session` outlives it, and has one run at a time.
  [[nodiscard]] static models::Result<std::unique_ptr<RunningSession>> start(
      OpenedSession& session, const RunSettings& settings);
  RunningSession(const RunningSession&) = delete;
  RunningSession& operator=(const RunningSession&) = delete;
  ~RunningSession();

  void askToStop() noexcept { stops_ = true; }
  [[nodiscard]] bool hasEnded() const noexcept { return hasEnded_; }
  /// Waits for the loop, closes the recording.
  [[nodiscard]] models::Result<models::Done> finish();

  /// One thread writes parameters, reads snapshots and drains the trace.
  [[nodiscard]] haptics::HapticLoop& loop() noexcept { return *loop_; }
  [[nodiscard]] haptics::TickTrace& trace() noexcept { return trace_; }
  /// What the system granted to the loop's thread; empty until it is known.
  [[nodiscard]] std::string policy() const;
  [[nodiscard]] bool isRecording() const noexcept { return recorder_ != nullptr; }
  [[nodiscard]] std::uint64_t droppedRecords() const noexcept;

  /// After finish().
  [[nodiscard]] RunFigures figures() const;

 private:
  RunningSession(OpenedSession& session, const haptics::TickParameters& parameters)
      : session_(session), tick_(session.setup), parameters_(parameters) {}
  void run(const RunSettings& settings);

  OpenedSession& session_;
  haptics::HapticTick tick_;
  haptics::TickParameters parameters_;
  haptics::TickTrace trace_;
  std::unique_ptr<haptics::Recorder> recorder_;
  std::unique_ptr<haptics::HapticLoop> loop_;
  studies::StolenTime stolen_;
  std::string policy_;
  std::atomic<bool> hasPolicy_ = false;  ///< then `policy_` does not change any more
  std::atomic<bool> stops_ = false, hasEnded_ = false;
  std::thread thread_;
};

}  // namespace tactus::app
