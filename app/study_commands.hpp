#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/output.hpp"
#include "models/mesh/result.hpp"

namespace tactus::studies {
struct StudyFolder;
class StudyJournal;
}  // namespace tactus::studies

/// What the commands of `tactus study` are asked, and the functions that do it.
namespace tactus::app {

struct StudyNewRequest {
  std::string protocol;  ///< shipped name or TOML file
  std::uint32_t participants = 0;
  std::string folder;
  bool overwrites = false;
  bool asJson = false;
};
/// `tactus study new`: checks a protocol, prints the whole plan, makes the study's folder.
///
/// JSON: `protocol`, `hash`, `seed`, `participants`, `sessions[{id, participants[{id, filler,
/// sequence, seed, periods[{conditions{}, letter, seat, side}]}], trials[{number, period, block,
/// practice, seed}]}]`.
[[nodiscard]] ExitCode runStudyNew(const StudyNewRequest& request);

struct StudyRunRequest {
  std::string study;                       ///< its folder
  std::optional<std::string> participant;  ///< code; none: all that are left
  bool simulates = false;
  double timeScale = 1.0;            ///< of all time limits
  std::vector<std::string> devices;  ///< HAND=SPEC, of people
  bool acceptsBadTiming = false;     ///< of people: data are collected all the same, and marked
  bool asJson = false;
};
/// `tactus study run`: a session with people, in a window; with --simulate all that is left of the
/// plan, with simulated participants.
///
/// JSON: `simulated`, `trials`, `trials_before`, `simulated_seconds`, `core_seconds`,
/// `times_real_time_per_core`, `dropped` (must be 0), `stopped`.
[[nodiscard]] ExitCode runStudyRun(const StudyRunRequest& request);
/// What all runs of a study have to have in common: who takes part, time limits.
[[nodiscard]] models::Result<models::Done> agreeOnTerms(studies::StudyJournal& journal,
                                                        const StudyRunRequest& request,
                                                        const std::string& who);
/// One session of it with people, in a window.
[[nodiscard]] ExitCode runPeopleSession(const studies::StudyFolder& study,
                                        studies::StudyJournal& journal,
                                        const StudyRunRequest& request);

struct StudyStatusRequest {
  std::string study;
  bool asJson = false;
};
/// `tactus study status`. JSON: `protocol`, `hash`, `participants[{id, session, state, trials_done,
/// trials_planned, flags}]` with a state of "done", "partial", "not begun".
[[nodiscard]] ExitCode runStudyStatus(const StudyStatusRequest& request);

struct StudyExportRequest {
  std::string study;
  std::string csv, bids;  ///< folder; one of the two
  bool isPseudonymised = false;
  bool overwrites = false;
};
/// `tactus study export`: tables with a dictionary, or a tree like Motion-BIDS with all raw data.
[[nodiscard]] ExitCode runStudyExport(const StudyExportRequest& request);

struct StudyAnalyzeRequest {
  std::string study;   ///< its folder; the trial table lies in `trials` within
  std::string report;  ///< HTML
  bool overwrites = false;
  bool asJson = false;
};
/// `tactus study analyze`: one self-contained page with all tests, tables and plots of a study; see
/// docs/statistics.md.
[[nodiscard]] ExitCode runStudyAnalyze(const StudyAnalyzeRequest& request);

struct StudyPowerRequest {
  std::string protocol;  ///< shipped name or TOML file
  bool asJson = false;
};
/// `tactus study power`: how likely a study finds what its protocol states, by Monte Carlo.
[[nodiscard]] ExitCode runStudyPower(const StudyPowerRequest& request);

}  // namespace tactus::app
