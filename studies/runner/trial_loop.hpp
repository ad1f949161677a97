#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "haptics/session/scene_session.hpp"
#include "models/mesh/result.hpp"
#include "studies/measures/trial_sheet.hpp"
#include "studies/plan/study_plan.hpp"
#include "studies/protocol/study_protocol.hpp"
#include "studies/runner/trial_watch.hpp"

namespace tactus::studies {

inline constexpr double kTrialTickSeconds = 1e-3;

/// The study's scene as a seat meets it: with the method and the law of its conditions.
[[nodiscard]] models::Result<models::Scene> sceneOf(const StudyProtocol& protocol,
                                                    const PlannedSeat& seat);
/// "ist", "vps", or empty: as the scene says.
[[nodiscard]] std::string methodOf(const PlannedSeat& seat);
/// What lies there for a seat.
[[nodiscard]] const ProtocolDevice& deviceOf(const StudyProtocol& protocol,
                                             const PlannedSeat& seat);

/// What of the plan holds for one hand of the scene.
struct HandOwner {
  std::size_t player = 0;
  const PlannedSeat* seat = nullptr;
};
/// Of each hand of the scene.
[[nodiscard]] std::vector<HandOwner> ownersOf(const StudyProtocol& protocol,
                                              const PlannedSession& session, std::uint32_t period);

/// A trial that somebody is about to do.
struct TrialRequest {
  const StudyProtocol* protocol = nullptr;
  const haptics::LoadedScene* loaded = nullptr;
  response::ContactLaw law = response::ContactLaw::Depth;
  std::string method;  ///< of the recording's meta: empty, the scene's
  const PlannedSession* session = nullptr;
  const PlannedTrial* trial = nullptr;
  std::uint32_t attempt = 1;
  double timeScale = 1.0;           ///< of time limits
  double comparison = 0.0;          ///< of two presses [N/m]
  std::filesystem::path recording;  ///< overwritten
  std::string version;              ///< of the program
};

struct TrialResult {
  std::vector<PlayerResult> players;
  bool isSuccess = false;
  double seconds = 0.0;  ///< from the start signal to the end
  std::uint64_t ticks = 0, dropped = 0;
  std::uint64_t late = 0, skipped = 0;  ///< ticks
  std::optional<bool> wasRight;         ///< of two presses: whether the stiffer one was chosen
  bool wasAborted = false;
  std::set<std::string> flags;  ///< "paused", "device lost", "parameters changed"
};

/// Scene, devices and conditions, ready for the first tick; `hands`: one of each hand of the scene.
[[nodiscard]] haptics::TickSetup trialSetupOf(const TrialRequest& request,
                                              std::span<const haptics::SessionHand> hands);

/// Which of two presses was called stiffer goes into the measures; whether that was right.
bool noteChoice(PlayerResult& player, const StudyProtocol& protocol, double comparison,
                bool choseComparison);

/// One trial, from devices to its recording: the haptic loop, what measures and what records it.
/// Simulated participants and people do the same.
class TrialLoop {
 public:
  struct Parts {
    haptics::TickSetup setup;                     ///< trialSetupOf()
    std::vector<haptics::SessionHand> hands;      ///< of its hands
    std::vector<haptics::HapticDevice*> devices;  ///< of its hands; outlive the loop
    TrialDoer* doer = nullptr;                    ///< outlives the loop; null: people
    std::optional<std::uint64_t> startTick;       ///< see WatchSettings
    haptics::TimeSource time = haptics::TimeSource::Simulated;
    std::map<std::string, std::string> meta;  ///< beside what every trial has
  };
  [[nodiscard]] static models::Result<std::unique_ptr<TrialLoop>> prepare(
      const TrialRequest& request, Parts parts);
  TrialLoop(const TrialLoop&) = delete;
  TrialLoop& operator=(const TrialLoop&) = delete;
  /// A trial that goes on is aborted and waited for.
  ~TrialLoop();

  /// In the calling thread, until the trial is over.
  void run() noexcept;
  /// In a thread of its own, with the best schedule that the system grants.
  void start();
  [[nodiscard]] bool hasEnded() const noexcept { return hasEnded_; }
  /// Waits for the end, closes the recording, and says what the trial has come to.
  [[nodiscard]] models::Result<TrialResult> finish();

  /// From one other thread: pictures, pause, abort, changes.
  [[nodiscard]] haptics::HapticLoop& loop() noexcept { return *loop_; }
  [[nodiscard]] TrialWatch& watch() noexcept { return *watch_; }
  [[nodiscard]] const haptics::TickParameters& begin() const noexcept { return begin_; }

 private:
  explicit TrialLoop(const haptics::TickSetup& setup);

  haptics::TickParameters begin_;
  haptics::HapticTick tick_;
  std::uint64_t limitTicks_ = 0, mostTicks_ = 0;
  haptics::TimeSource time_ = haptics::TimeSource::Simulated;
  std::unique_ptr<haptics::Recorder> recorder_;
  std::unique_ptr<TrialSheet> sheet_;
  std::unique_ptr<TrialWatch> watch_;
  std::unique_ptr<haptics::HapticLoop> loop_;
  std::atomic<bool> hasEnded_{false};
  std::thread thread_;
};

}  // namespace tactus::studies
