#include "studies/runner/study_folder.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "models/files/file_label.hpp"
#include "models/files/toml_entries.hpp"
#include "models/mesh/wording.hpp"
#include "studies/plan/simulated_traits.hpp"

namespace tactus::studies {
namespace {

namespace fs = std::filesystem;
using models::Done;
using models::Error;
using models::FileLabel;
using models::Reason;
using models::Result;
using models::say;

constexpr const char* kPeople = "people";
constexpr const char* kNewStudy = "'tactus study new' makes one";

Result<Done> writeWhole(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (stream) return Done{};
  return FileLabel(file.string())
      .whole(Reason::CannotWrite, "it could not be written; is the disk full?");
}

Result<std::string> readWhole(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (stream.good() || stream.eof()) return text;
  return FileLabel(file.string()).whole(Reason::FileMissing, say("it cannot be read; ", kNewStudy));
}

/// Nobody yet counts as simulated: no report may look as if people had taken part.
Result<std::string> participantsOf(StudyJournal& journal) {
  Result<std::string> who = journal.agreed(kParticipantsKey);
  if (who && who.value().empty()) return std::string(kSimulated);
  return who;
}

/// Rows of one player in one attempt at a trial.
TrialRow rowOf(const StudyFolder& study, const PlannedSession& session, const PlannedTrial& trial,
               const JournalTrial& done, std::size_t k, const std::string& who) {
  const StudyProtocol& protocol = study.protocol;
  const PlannedPlayer& player = session.players[k];
  const PlannedSeat& seat = player.periods[trial.period - 1];
  TrialRow row;
  row.study = protocol.name;
  row.participant = player.code;
  if (session.players.size() > 1) row.pair = "R" + session.code.substr(1);
  row.session = session.code;
  row.seat = seat.seat;
  row.side = protocol.task.sides[seat.side].name;
  row.period = trial.period;
  row.sequence = player.sequence;
  row.block = trial.block;
  row.trial = trial.number;
  row.isPractice = protocol.blocks[trial.block - 1].isPractice;
  row.isFiller = player.isFiller;
  if (!done.isLast) row.flags.insert("repeated");
  row.flags.insert(done.flags.begin(), done.flags.end());
  if (who != kPeople) row.flags.insert(who);
  row.recording = done.recording;
  row.conditions = seat.conditions;
  row.measures = done.players[k].measures;
  row.censored = done.players[k].censored;
  row.counts = done.players[k].counts;
  for (const ExclusionRule& rule : protocol.exclusions) {
    const auto measure = row.measures.find(rule.measure);
    if (row.isPractice || measure == row.measures.end()) continue;
    if ((!rule.below || measure->second >= *rule.below) &&
        (!rule.above || measure->second <= *rule.above))
      continue;
    row.isExcluded = true;
    row.exclusionReason = rule.rule;
  }
  return row;
}

}  // namespace

Result<StudyFolder> makeStudy(const StudyProtocol& protocol, std::uint32_t participants,
                              const fs::path& path, bool overwrites) {
  const FileLabel label(path.string());
  std::error_code trouble;
  if (fs::exists(path, trouble)) {
    const bool isFolder = fs::is_directory(path, trouble);
    if (!isFolder || (!fs::is_empty(path, trouble) && !overwrites)) {
      return label.whole(Reason::AlreadyExists,
                         isFolder ? "the folder is not empty; choose another one, or --force"
                                  : "this is a file; a folder is wanted");
    }
    if (!fs::is_empty(path, trouble) && !fs::exists(path / kPlanFile, trouble)) {
      return label.whole(Reason::AlreadyExists,
                         "there is no study in this folder but something else; choose another");
    }
    for (const char* name : {kProtocolFile, kPlanFile, kJournalFile, "journal.sqlite-wal",
                             "journal.sqlite-shm", kRecordingsFolder, kTrialsFolder})
      fs::remove_all(path / name, trouble);
  }
  fs::create_directories(path / kRecordingsFolder, trouble);
  if (trouble)
    return label.whole(Reason::CannotWrite, say("it cannot be made: ", trouble.message()));
  StudyFolder study{path, protocol, planOf(protocol, participants)};
  // One that lies beside its protocol would not be found from here.
  if (Result<Done> written = writeWhole(path / kProtocolFile, protocol.text); !written)
    return written.error();
  if (Result<Done> written = writeWhole(path / kPlanFile, planJson(protocol, study.plan)); !written)
    return written.error();
  return study;
}

Result<StudyFolder> openStudy(const fs::path& path) {
  const FileLabel label(path.string());
  std::error_code trouble;
  if (!fs::exists(path / kPlanFile, trouble))
    return label.whole(Reason::FileMissing, say("there is no study in it; ", kNewStudy));
  const Result<std::string> text = readWhole(path / kProtocolFile);
  if (!text) return text.error();
  const Result<std::string> plan = readWhole(path / kPlanFile);
  if (!plan) return plan.error();
  const nlohmann::json json = nlohmann::json::parse(plan.value(), nullptr, false);
  if (!json.is_object() || !json.contains("participants") ||
      !json["participants"].is_number_unsigned() || !json.contains("protocol") ||
      !json["protocol"].is_string())
    return label.whole(Reason::Malformed, "its plan.json is damaged");
  Result<StudyProtocol> protocol = parseProtocol(text.value(), (path / kProtocolFile).string());
  if (!protocol) return protocol.error();
  protocol.value().name = json["protocol"].get<std::string>();
  StudyFolder study{path, std::move(protocol).value(), {}};
  study.plan = planOf(study.protocol, json["participants"].get<std::uint32_t>());
  if (planJson(study.protocol, study.plan) != plan.value()) {
    return label.whole(Reason::BadValue,
                       "its protocol or plan was changed after the study was made; put back what "
                       "was there, or make another study");
  }
  return study;
}

std::string recordingName(const PlannedSession& session, const PlannedTrial& trial,
                          std::uint32_t attempt) {
  std::string number = std::to_string(trial.number);
  number.insert(0, number.size() < 3 ? 3 - number.size() : 0, '0');
  return say(kRecordingsFolder, "/", session.code, "-T", number, "-", attempt, ".tacr");
}

Result<Done> putRecording(const fs::path& from, const fs::path& to) {
  std::error_code trouble;
  fs::rename(from, to, trouble);
  if (!trouble) return Done{};
  return FileLabel(to.string())
      .whole(Reason::CannotWrite, say("it cannot be put there: ", trouble.message()));
}

Result<bool> agreeOnParticipants(StudyJournal& journal, const std::string& who) {
  const Result<std::string> known = journal.agreed(kParticipantsKey);
  if (!known) return known.error();
  if (known.value().empty()) {
    // one that was begun before studies kept this was simulated
    const Result<std::vector<JournalTrial>> trials = journal.trials();
    if (!trials) return trials.error();
    if (!trials.value().empty() && who != kSimulated) return false;
  }
  return journal.agree(kParticipantsKey, who);
}

Result<TrialTable> studyTable(const StudyFolder& study, StudyJournal& journal,
                              std::string_view version) {
  const Result<std::vector<JournalTrial>> trials = journal.trials();
  if (!trials) return trials.error();
  const Result<std::vector<JournalAnswer>> answers = journal.answers();
  if (!answers) return answers.error();
  const Result<std::vector<JournalFact>> facts = journal.facts();
  if (!facts) return facts.error();
  const Result<std::string> who = participantsOf(journal);
  if (!who) return who.error();
  const bool isSimulated = who.value() != kPeople;
  TrialTable table;
  table.facts =
      factsOf(study.protocol, study.plan.participants, study.plan.seed, isSimulated, version);
  table.facts.isRehearsal = who.value() == kRehearsal;
  const Result<std::string> scale = journal.agreed("time_scale");
  if (!scale) return scale.error();
  if (!scale.value().empty() && scale.value() != "1")
    table.facts.procedure.push_back("All time limits were scaled by " + scale.value() + ".");
  const auto sessionOf = [&](const std::string& code) {
    return std::ranges::find(study.plan.sessions, code, &PlannedSession::code);
  };
  for (const JournalTrial& done : trials.value()) {
    const auto session = sessionOf(done.session);
    if (session == study.plan.sessions.end() || done.number > session->trials.size() ||
        done.number == 0 || done.players.size() != session->players.size()) {
      return FileLabel(study.path.string())
          .whole(Reason::BadValue, "its journal has a trial that is not in its plan");
    }
    for (std::size_t k = 0; k < done.players.size(); ++k) {
      table.trials.push_back(
          rowOf(study, *session, session->trials[done.number - 1], done, k, who.value()));
    }
  }
  for (const PlannedSession& session : study.plan.sessions) {
    for (const PlannedPlayer& player : session.players) {
      const SimulatedTraits traits = traitsOf(player.seed);
      ParticipantRow row;
      row.participant = player.code;
      if (session.players.size() > 1) row.pair = "R" + session.code.substr(1);
      row.sequence = player.sequence;
      row.isFiller = player.isFiller;
      if (who.value() == kSimulated) {
        row.facts = {{"handedness", traits.isRightHanded ? "right" : "left"},
                     {"experience", traits.isExperienced ? "yes" : "no"}};
      }
      for (const JournalFact& fact : facts.value()) {
        if (fact.participant == player.code) row.facts[fact.name] = fact.value;
      }
      table.participants.push_back(std::move(row));
      for (const JournalAnswer& answer : answers.value()) {
        if (answer.participant != player.code) continue;
        AnswerRow given;
        given.participant = answer.participant;
        given.period = answer.period;
        if (answer.period > 0 && answer.period <= player.periods.size())
          given.conditions = player.periods[answer.period - 1].conditions;
        given.item = answer.item;
        const auto item = std::ranges::find(study.protocol.items, answer.item,
                                            [](const ProtocolItem& one) { return one.item.name; });
        if (item != study.protocol.items.end()) given.kind = item->item.kind;
        given.value = answer.value;
        given.text = answer.text;
        table.answers.push_back(std::move(given));
      }
    }
  }
  return table;
}

Result<Done> keepStudyTable(const StudyFolder& study, StudyJournal& journal,
                            std::string_view version) {
  const Result<TrialTable> table = studyTable(study, journal, version);
  if (!table) return table.error();
  return writeTrialTable(table.value(), study.path / kTrialsFolder, true);
}

Result<std::vector<ParticipantStatus>> studyStatus(const StudyFolder& study,
                                                   StudyJournal& journal) {
  const Result<TrialTable> table = studyTable(study, journal, "");
  if (!table) return table.error();
  const Result<std::vector<JournalEvent>> events = journal.events();
  if (!events) return events.error();
  const Result<std::string> who = participantsOf(journal);
  if (!who) return who.error();
  std::vector<ParticipantStatus> all;
  for (const PlannedSession& session : study.plan.sessions) {
    const auto happened = [&](std::string_view kind) {
      return static_cast<std::size_t>(
          std::ranges::count_if(events.value(), [&](const JournalEvent& event) {
            return event.session == session.code && event.kind == kind;
          }));
    };
    for (const PlannedPlayer& player : session.players) {
      ParticipantStatus status;
      status.code = player.code;
      status.session = session.code;
      status.planned = session.trials.size();
      std::size_t excluded = 0;
      std::map<std::string, std::size_t> flagged;
      for (const TrialRow& row : table.value().trials) {
        if (row.participant != player.code) continue;
        if (!row.flags.contains("repeated")) ++status.done;
        if (row.isExcluded) ++excluded;
        for (const std::string& flag : row.flags) {
          if (flag != "repeated" && flag != who.value()) ++flagged[flag];
        }
      }
      const auto row =
          std::ranges::find(table.value().participants, player.code, &ParticipantRow::participant);
      const bool hasBegun = status.done > 0 || happened("session_begun") > 0;
      const bool isAsked =
          session.trials.empty() || who.value() == kSimulated || happened("session_done") > 0;
      status.state = !hasBegun                                  ? "not begun"
                     : status.done < status.planned || !isAsked ? "partial"
                                                                : "done";
      if (player.isFiller) status.flags.emplace_back("filler");
      if (status.done > 0 && who.value() != kPeople) status.flags.push_back(who.value());
      if (const auto consent = row->facts.find("consent");
          consent != row->facts.end() && consent->second == "declined")
        status.flags.emplace_back("declined");
      if (excluded > 0)
        status.flags.push_back(models::counted(excluded, "trial", "trials") + " excluded");
      for (const auto& [flag, count] : flagged)
        status.flags.push_back(models::counted(count, "trial", "trials") + " " + flag);
      if (const std::size_t stopped = happened("trial_stopped"); stopped > 0)
        status.flags.push_back(models::counted(stopped, "trial", "trials") + " broken off");
      if (const std::size_t notes = happened("note"); notes > 0)
        status.flags.push_back(models::counted(notes, "note", "notes"));
      all.push_back(std::move(status));
    }
  }
  return all;
}

}  // namespace tactus::studies
