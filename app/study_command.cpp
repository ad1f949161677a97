#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "app/interruption.hpp"
#include "app/object_source.hpp"
#include "app/study_commands.hpp"
#include "models/files/file_label.hpp"
#include "studies/export/bids_export.hpp"
#include "studies/export/pseudonyms.hpp"
#include "studies/runner/study_folder.hpp"
#include "studies/runner/study_runner.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::Error;
using models::Result;
using studies::StudyFolder;
using studies::StudyJournal;

ExitCode refuse(const Error& error) {
  complain(error.sentence);
  return exitCodeOf(error);
}

/// A study with its journal.
struct OpenStudy {
  StudyFolder folder;
  std::unique_ptr<StudyJournal> journal;
};

Result<OpenStudy> openStudy(const std::string& path) {
  Result<StudyFolder> folder = studies::openStudy(path);
  if (!folder) return folder.error();
  Result<std::unique_ptr<StudyJournal>> journal =
      StudyJournal::open(folder.value().path / studies::kJournalFile);
  if (!journal) return journal.error();
  return OpenStudy{std::move(folder).value(), std::move(journal).value()};
}

/// Ctrl-C, as a flag that other threads may ask.
class StopFlag {
 public:
  StopFlag()
      : watcher_([this] {
          constexpr auto kPoll = std::chrono::milliseconds(20);
          while (!ends_) {
            if (Interruption::wasAsked()) stops_ = true;
            std::this_thread::sleep_for(kPoll);
          }
        }) {}
  StopFlag(const StopFlag&) = delete;
  StopFlag& operator=(const StopFlag&) = delete;
  ~StopFlag() {
    ends_ = true;
    watcher_.join();
  }
  [[nodiscard]] const std::atomic<bool>& flag() const { return stops_; }

 private:
  Interruption interruption_;
  std::atomic<bool> stops_{false}, ends_{false};
  std::thread watcher_;
};

/// Drawn once and kept in the study's journal, which nobody exports: so two exports agree, and the
/// published seeds do not tell who is who.
Result<std::uint64_t> pseudonymKey(StudyJournal& journal) {
  std::random_device source;
  const std::uint64_t drawn = (std::uint64_t{source()} << 32U) | source();
  const Result<bool> kept = journal.agree("pseudonym_key", fmt::format("{}", drawn));
  if (!kept) return kept.error();
  const Result<std::string> text = journal.agreed("pseudonym_key");
  if (!text) return text.error();
  std::uint64_t key = 0;
  std::from_chars(text.value().data(), text.value().data() + text.value().size(), key);
  return key;
}

Json runJson(const studies::StudyRunFigures& figures) {
  const double rate =
      figures.coreSeconds > 0.0 ? figures.simulatedSeconds / figures.coreSeconds : 0.0;
  return {{"simulated", true},
          {"trials", figures.trials},
          {"trials_before", figures.trialsBefore},
          {"simulated_seconds", figures.simulatedSeconds},
          {"core_seconds", figures.coreSeconds},
          {"times_real_time_per_core", rate},
          {"dropped", figures.dropped},
          {"stopped", figures.wasStopped}};
}

}  // namespace

ExitCode runStudyNew(const StudyNewRequest& request) {
  const Result<studies::StudyProtocol> protocol = studies::findProtocol(request.protocol);
  if (!protocol) return refuse(protocol.error());
  const Result<StudyFolder> study = studies::makeStudy(protocol.value(), request.participants,
                                                       request.folder, request.overwrites);
  if (!study) return refuse(study.error());
  if (request.asJson) {
    fmt::print("{}", studies::planJson(protocol.value(), study.value().plan));
  } else {
    fmt::print("{}", studies::planText(protocol.value(), study.value().plan));
  }
  return ExitCode::Good;
}

Result<Done> agreeOnTerms(StudyJournal& journal, const StudyRunRequest& request,
                          const std::string& who) {
  const auto bad = [](const char* sentence) {
    return Error{models::Reason::BadValue, -1, sentence};
  };
  const Result<bool> agrees = studies::agreeOnParticipants(journal, who);
  if (!agrees) return agrees.error();
  if (!agrees.value()) {
    return bad(
        "People, rehearsals and simulated participants each want a study of their own, and this "
        "one "
        "has data of others; make another with 'tactus study new'.");
  }
  const Result<bool> scale = journal.agree("time_scale", fmt::format("{}", request.timeScale));
  if (!scale) return scale.error();
  if (!scale.value()) {
    return bad(
        "This study has been run with other time limits; give the same --scale-time-limits, or "
        "make another study.");
  }
  if (const Result<bool> version = journal.agree("version", TACTUS_VERSION);
      version && !version.value())
    complain("An other version of Tactus has begun this study; trials from now on may differ.");
  return Done{};
}

ExitCode runStudyRun(const StudyRunRequest& request) {
  Result<OpenStudy> opened = openStudy(request.study);
  if (!opened) return refuse(opened.error());
  const OpenStudy& study = opened.value();
  if (request.participant) {
    const bool isThere = std::ranges::any_of(
        study.folder.plan.sessions, [&](const studies::PlannedSession& session) {
          return std::ranges::find(session.players, *request.participant,
                                   &studies::PlannedPlayer::code) != session.players.end();
        });
    if (!isThere) {
      complain(
          fmt::format("There is no participant '{}' in this study; 'tactus study status {}' "
                      "lists them.",
                      models::printable(*request.participant), models::printable(request.study)));
      return ExitCode::BadInput;
    }
  }
  if (!request.simulates) return runPeopleSession(study.folder, *study.journal, request);
  if (const Result<Done> agreed = agreeOnTerms(*study.journal, request, "simulated"); !agreed)
    return refuse(agreed.error());

  const StopFlag stop;
  std::mutex mutex;
  studies::SimulatedStudyRequest run;
  run.timeScale = request.timeScale;
  run.participant = request.participant;
  run.version = TACTUS_VERSION;
  run.objects = [](const models::SceneModel& model, std::size_t) {
    return openObject(model.source, haptics::buildParametersOf(model),
                      {.scale = model.scale, .fit = model.fit});
  };
  run.stops = &stop.flag();
  run.onTrial = [&mutex](const std::string& what) {
    const std::lock_guard lock(mutex);
    fmt::print(stderr, "simulated {}\n", what);
  };
  const Result<studies::StudyRunFigures> figures =
      studies::simulateStudy(study.folder, *study.journal, run);
  if (!figures) return refuse(figures.error());
  if (const Result<Done> kept =
          studies::keepStudyTable(study.folder, *study.journal, TACTUS_VERSION);
      !kept) {
    complain(kept.error().sentence);
    return ExitCode::WorkFailed;
  }
  const Json json = runJson(figures.value());
  if (request.asJson) {
    printJson(json);
  } else {
    fmt::print(
        "{} trials simulated, {} were done before; {:.0f} s of them at {:.1f} times real "
        "time per core{}\n",
        figures.value().trials, figures.value().trialsBefore, figures.value().simulatedSeconds,
        json["times_real_time_per_core"].get<double>(),
        figures.value().wasStopped ? "; stopped, call again to go on" : "");
  }
  return figures.value().dropped == 0 ? ExitCode::Good : ExitCode::WorkFailed;
}

ExitCode runStudyStatus(const StudyStatusRequest& request) {
  Result<OpenStudy> opened = openStudy(request.study);
  if (!opened) return refuse(opened.error());
  const OpenStudy& study = opened.value();
  const Result<std::vector<studies::ParticipantStatus>> all =
      studies::studyStatus(study.folder, *study.journal);
  if (!all) return refuse(all.error());
  if (request.asJson) {
    Json participants = Json::array();
    for (const studies::ParticipantStatus& one : all.value()) {
      participants.push_back({{"id", one.code},
                              {"session", one.session},
                              {"state", one.state},
                              {"trials_done", one.done},
                              {"trials_planned", one.planned},
                              {"flags", one.flags}});
    }
    printJson({{"protocol", study.folder.protocol.name},
               {"hash", study.folder.protocol.hash},
               {"participants", participants}});
    return ExitCode::Good;
  }
  fmt::print("{:<12} {:<8} {:<10} {:>14}  {}\n", "participant", "session", "state", "trials",
             "flags");
  for (const studies::ParticipantStatus& one : all.value()) {
    fmt::print("{:<12} {:<8} {:<10} {:>14}  {}\n", one.code, one.session, one.state,
               fmt::format("{} of {}", one.done, one.planned), fmt::join(one.flags, ", "));
  }
  return ExitCode::Good;
}

ExitCode runStudyExport(const StudyExportRequest& request) {
  Result<OpenStudy> opened = openStudy(request.study);
  if (!opened) return refuse(opened.error());
  const OpenStudy& study = opened.value();
  Result<studies::TrialTable> table =
      studies::studyTable(study.folder, *study.journal, TACTUS_VERSION);
  if (!table) return refuse(table.error());
  studies::Pseudonyms pseudonyms;
  if (request.isPseudonymised) {
    const Result<std::uint64_t> key = pseudonymKey(*study.journal);
    if (!key) return refuse(key.error());
    pseudonyms = studies::pseudonymsFor(study.folder.plan, key.value());
    table = studies::pseudonymised(table.value(), pseudonyms);
  }
  if (!request.bids.empty()) {
    const Result<Done> written = studies::exportBids(
        study.folder, *study.journal, table.value(),
        request.isPseudonymised ? &pseudonyms : nullptr, request.bids, request.overwrites);
    return written ? ExitCode::Good : refuse(written.error());
  }
  const Result<Done> written =
      studies::writeTrialTable(table.value(), request.csv, request.overwrites);
  return written ? ExitCode::Good : refuse(written.error());
}

}  // namespace tactus::app
