#include "studies/runner/session_progress.hpp"

namespace tactus::studies {

SessionProgress::SessionProgress(const StudyProtocol& protocol, const PlannedSession& session,
                                 const std::vector<JournalTrial>& done)
    : protocol_(&protocol), session_(&session), staircase_(protocol) {
  for (const JournalTrial& trial : done)
    add(trial);
}

const PlannedTrial* SessionProgress::next() const noexcept {
  return finished_ < session_->trials.size() ? &session_->trials[finished_] : nullptr;
}

double SessionProgress::comparison() const noexcept {
  return staircase_.isUsed() ? staircase_.comparison() : session_->trials[finished_].comparison;
}

bool SessionProgress::wouldEnd(bool isSuccess) const noexcept {
  const ProtocolBlock& block = protocol_->blocks[session_->trials[finished_].block - 1];
  return isSuccess || attempt() >= block.mostAttempts;
}

void SessionProgress::add(const JournalTrial& done) {
  const PlannedTrial* trial = next();
  if (trial == nullptr || done.number != trial->number) return;
  attempts_ = done.attempt;
  if (done.wasRight) staircase_.answer(*done.wasRight);
  if (!done.isLast) return;
  attempts_ = 0;
  ++finished_;
  // each block of each period has a staircase of its own
  if (const PlannedTrial* after = next();
      after != nullptr && (after->period != trial->period || after->block != trial->block))
    staircase_ = Staircase(*protocol_);
}

JournalTrial journalTrialOf(const PlannedSession& session, const PlannedTrial& trial,
                            std::uint32_t attempt, const std::string& recording,
                            const TrialResult& result, const SessionProgress& progress) {
  JournalTrial entry;
  entry.session = session.code;
  entry.number = trial.number;
  entry.attempt = attempt;
  entry.isLast = progress.wouldEnd(result.isSuccess);
  entry.isSuccess = result.isSuccess;
  entry.recording = recording;
  entry.wasRight = result.wasRight;
  entry.players = result.players;
  entry.flags = result.flags;
  return entry;
}

}  // namespace tactus::studies
