#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "haptics/session/scene_session.hpp"
#include "models/mesh/result.hpp"
#include "studies/measures/trial_sheet.hpp"
#include "studies/plan/study_plan.hpp"
#include "studies/protocol/study_protocol.hpp"

namespace tactus::studies {

/// A scene of a study with one way to find contacts and one law: shared by all sessions, which only
/// read it.
struct StudyScene {
  haptics::LoadedScene loaded;
  response::ContactLaw law = response::ContactLaw::Depth;
  std::string method;  ///< of the recording's meta: empty, the scene's
};

struct TrialResult {
  std::vector<PlayerResult> players;
  bool isSuccess = false;
  double seconds = 0.0;  ///< from the start signal to the end
  std::uint64_t ticks = 0, dropped = 0;
  std::optional<bool> wasRight;  ///< of two presses: whether the stiffer one was chosen
};

/// A trial that somebody is about to do.
struct TrialRequest {
  const StudyProtocol* protocol = nullptr;
  const StudyScene* scene = nullptr;
  const PlannedSession* session = nullptr;
  const PlannedTrial* trial = nullptr;
  std::uint32_t attempt = 1;
  double timeScale = 1.0;           ///< of time limits
  double comparison = 0.0;          ///< of two presses [N/m]
  std::filesystem::path recording;  ///< overwritten
  std::string version;              ///< of the program
};

/// Runs a trial with simulated participants through the real loop, in simulated time; every tick
/// goes into the recording. The same request gives the same bytes. One call in a thread, many
/// threads may run.
[[nodiscard]] models::Result<TrialResult> runSimulatedTrial(const TrialRequest& request);

}  // namespace tactus::studies
