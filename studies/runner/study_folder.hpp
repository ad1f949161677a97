#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "models/mesh/result.hpp"
#include "studies/plan/study_plan.hpp"
#include "studies/protocol/study_protocol.hpp"
#include "studies/runner/study_journal.hpp"
#include "studies/trials/trial_table.hpp"

namespace tactus::studies {

/// A study on the disk:
///
///     protocol.toml     as it was when the study was made; its hash goes with all data
///     plan.json         who meets what when, with all seeds
///     journal.sqlite    which trials are done, with measures and answers
///     recordings/       raw data, a recording a trial
///     trials/           the table for analysis, written anew after each run
struct StudyFolder {
  std::filesystem::path path;
  StudyProtocol protocol;
  StudyPlan plan;
};

inline constexpr const char* kProtocolFile = "protocol.toml";
inline constexpr const char* kPlanFile = "plan.json";
inline constexpr const char* kJournalFile = "journal.sqlite";
inline constexpr const char* kRecordingsFolder = "recordings";

/// Writes protocol and plan. A folder with anything in it is refused unless `overwrites`, which
/// drops the study that is in it and nothing else.
[[nodiscard]] models::Result<StudyFolder> makeStudy(const StudyProtocol& protocol,
                                                    std::uint32_t participants,
                                                    const std::filesystem::path& path,
                                                    bool overwrites);
/// Reads a study again; refused if its protocol or plan is not what it was.
[[nodiscard]] models::Result<StudyFolder> openStudy(const std::filesystem::path& path);

/// Where a trial's raw data are, within the folder.
[[nodiscard]] std::string recordingName(const PlannedSession& session, const PlannedTrial& trial,
                                        std::uint32_t attempt);

/// After its name while a trial goes on.
inline constexpr const char* kUnfinished = ".part";
/// Gives a whole recording its name, in place of one that the journal knows nothing of.
[[nodiscard]] models::Result<models::Done> putRecording(const std::filesystem::path& from,
                                                        const std::filesystem::path& to);

/// Who takes part: "simulated", "people", or "rehearsal" with devices that nobody holds. One study
/// has one of them; the journal keeps it under kParticipantsKey.
inline constexpr const char* kParticipantsKey = "participants";
/// False if the study has data of others already.
[[nodiscard]] models::Result<bool> agreeOnParticipants(StudyJournal& journal,
                                                       const std::string& who);

/// All that is done so far, for analysis and export.
[[nodiscard]] models::Result<TrialTable> studyTable(const StudyFolder& study, StudyJournal& journal,
                                                    std::string_view version);
/// Writes studyTable() to the study's folder, in place of an older one.
[[nodiscard]] models::Result<models::Done> keepStudyTable(const StudyFolder& study,
                                                          StudyJournal& journal,
                                                          std::string_view version);

/// How far a participant is.
struct ParticipantStatus {
  std::string code, session;
  std::string state;  ///< "done", "partial", "not begun"
  std::size_t done = 0, planned = 0;
  std::vector<std::string> flags;  ///< "filler", "simulated", "2 trials excluded"
};
[[nodiscard]] models::Result<std::vector<ParticipantStatus>> studyStatus(const StudyFolder& study,
                                                                         StudyJournal& journal);

}  // namespace tactus::studies
