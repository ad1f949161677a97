#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "haptics/session/scene_session.hpp"
#include "models/mesh/result.hpp"
#include "studies/runner/study_folder.hpp"

namespace tactus::studies {

struct SimulatedStudyRequest {
  double timeScale = 1.0;                    ///< of all time limits
  std::optional<std::string> participant;    ///< that one's session alone
  std::size_t threads = 0;                   ///< sessions at a time; 0: as many as cores
  std::string version;                       ///< of the program
  haptics::ObjectSource objects;             ///< reads or builds a model of the scene
  const std::atomic<bool>* stops = nullptr;  ///< ends after the trials that go on; may be null
  std::function<void(const std::string&)>
      onTrial;  ///< what was done, from any thread; may be empty
};

struct StudyRunFigures {
  std::size_t trials = 0;         ///< done now
  std::size_t trialsBefore = 0;   ///< that were done already
  double simulatedSeconds = 0.0;  ///< of them
  double coreSeconds = 0.0;       ///< of processor
  std::uint64_t dropped = 0;
  bool wasStopped = false;
};

/// Does all that is left of a study with simulated participants, sessions in parallel. A trial is
/// in the journal when its recording is whole and in place; one that was cut off is done anew. What
/// a trial gives is decided by plan and journal alone, so it is the same whenever it is done.
[[nodiscard]] models::Result<StudyRunFigures> simulateStudy(const StudyFolder& study,
                                                            StudyJournal& journal,
                                                            const SimulatedStudyRequest& request);

/// What a simulated participant answers to an item after a period; invented.
[[nodiscard]] JournalAnswer simulatedAnswer(const StudyProtocol& protocol,
                                            const PlannedPlayer& player, std::size_t item,
                                            std::uint32_t period);

}  // namespace tactus::studies
