#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/object_source.hpp"
#include "app/study/player_devices.hpp"
#include "app/study/study_window.hpp"
#include "app/study/timing_check.hpp"
#include "app/study_commands.hpp"
#include "studies/runner/study_folder.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::Error;
using models::Reason;
using models::Result;
using studies::PlannedSession;

/// The session of the participant who was named, or the first that is not done.
Result<const PlannedSession*> sessionToRun(const studies::StudyFolder& study,
                                           studies::StudyJournal& journal,
                                           const std::optional<std::string>& participant) {
  const Result<std::vector<studies::ParticipantStatus>> all = studies::studyStatus(study, journal);
  if (!all) return all.error();
  for (const studies::ParticipantStatus& one : all.value()) {
    if (participant ? one.code != *participant : one.state == "done") continue;
    if (one.state == "done") {
      return Error{Reason::BadValue, -1,
                   fmt::format("The session of {} is done; 'tactus study status' tells who is not.",
                               one.code)};
    }
    const auto session = std::ranges::find(study.plan.sessions, one.session, &PlannedSession::code);
    return &*session;
  }
  return Error{Reason::BadValue, -1, "All sessions of this study are done."};
}

/// Of all periods of a session, whichever hand turns out to be the dominant one.
Result<std::vector<std::string>> allDevices(const studies::StudyFolder& study,
                                            const PlannedSession& session,
                                            const std::vector<std::string>& asked) {
  std::vector<std::string> all;
  PlannedSession some = session;
  for (const bool favoursRight : {true, false}) {
    for (studies::PlannedPlayer& player : some.players)
      player.favoursRight = favoursRight;
    for (std::size_t period = 1; period <= session.players.front().periods.size(); ++period) {
      const Result<std::vector<std::string>> specs =
          playerDevices(study.protocol, some, static_cast<std::uint32_t>(period), asked);
      if (!specs) return specs.error();
      for (const std::string& spec : specs.value()) {
        if (std::ranges::find(all, spec) == all.end()) all.push_back(spec);
      }
    }
  }
  return all;
}

}  // namespace

ExitCode runPeopleSession(const studies::StudyFolder& study, studies::StudyJournal& journal,
                          const StudyRunRequest& request) {
  const auto refuse = [](const Error& error) {
    complain(error.sentence);
    return exitCodeOf(error);
  };
  const Result<const PlannedSession*> chosen = sessionToRun(study, journal, request.participant);
  if (!chosen) return refuse(chosen.error());
  const PlannedSession& planned = *chosen.value();
  const Result<std::vector<std::string>> devices = allDevices(study, planned, request.devices);
  if (!devices) return refuse(devices.error());

  StudyWindowRequest window;
  window.devices = request.devices;
  window.timeScale = request.timeScale;
  window.isRehearsal = std::ranges::any_of(
      devices.value(), [](const std::string& spec) { return isRehearsal({spec}); });
  const haptics::SchedulePolicy policy = servoPolicy();
  window.schedule = policy.text;
  if (!policy.isRealTime) window.scheduleObjection = "this machine grants no real-time scheduling";
  if (!policy.isRealTime && !request.acceptsBadTiming) {
    complain(
        fmt::format("No data are collected without real-time scheduling ({}); 'tactus devices' "
                    "says what to do, "
                    "and --accept-bad-timing collects and marks them all the same.",
                    policy.text));
    return ExitCode::WorkFailed;
  }
  if (const Result<Done> agreed =
          agreeOnTerms(journal, request, window.isRehearsal ? "rehearsal" : "people");
      !agreed)
    return refuse(agreed.error());

  Result<studies::SessionPast> past = studies::pastOf(journal, planned);
  if (!past) return refuse(past.error());
  studies::SessionTerms terms;
  terms.timeScale = request.timeScale;
  terms.acceptsBadTiming = request.acceptsBadTiming;
  if (request.acceptsBadTiming)
    terms.notes.push_back("--accept-bad-timing (" + window.schedule + ")");
  if (request.timeScale != 1.0)
    terms.notes.push_back(fmt::format("--scale-time-limits {}", request.timeScale));
  studies::PeopleSession session(study.protocol, planned, std::move(past).value(),
                                 std::move(terms));
  const ExitCode code = runStudyWindow(study, journal, session, window);
  if (const Result<Done> kept = studies::keepStudyTable(study, journal, TACTUS_VERSION); !kept) {
    complain(kept.error().sentence);
    return ExitCode::WorkFailed;
  }
  return code;
}

}  // namespace tactus::app
