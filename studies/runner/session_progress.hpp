#pragma once
#include <cstdint>
#include <vector>

#include "studies/plan/study_plan.hpp"
#include "studies/protocol/study_protocol.hpp"
#include "studies/runner/staircase.hpp"
#include "studies/runner/study_journal.hpp"
#include "studies/runner/trial_loop.hpp"

namespace tactus::studies {

/// How far a session is, and what is next: a function of its plan and of what the journal has of
/// it, so that it goes on the same after a break.
class SessionProgress {
 public:
  /// `done`: of this session, in the order of numbers and attempts.
  SessionProgress(const StudyProtocol& protocol, const PlannedSession& session,
                  const std::vector<JournalTrial>& done);

  /// Null when all is done.
  [[nodiscard]] const PlannedTrial* next() const noexcept;
  /// At the next trial, from 1.
  [[nodiscard]] std::uint32_t attempt() const noexcept { return attempts_ + 1; }
  /// Nominal stiffness of the next comparison [N/m].
  [[nodiscard]] double comparison() const noexcept;
  /// Whether the next trial would be over with this attempt.
  [[nodiscard]] bool wouldEnd(bool isSuccess) const noexcept;
  [[nodiscard]] std::size_t finished() const noexcept { return finished_; }
  /// An attempt at the next trial.
  void add(const JournalTrial& done);

 private:
  const StudyProtocol* protocol_;
  const PlannedSession* session_;
  std::size_t finished_ = 0;
  std::uint32_t attempts_ = 0;
  Staircase staircase_;
};

/// What the journal keeps of an attempt at the next trial.
[[nodiscard]] JournalTrial journalTrialOf(const PlannedSession& session, const PlannedTrial& trial,
                                          std::uint32_t attempt, const std::string& recording,
                                          const TrialResult& result,
                                          const SessionProgress& progress);

}  // namespace tactus::studies
