#include "studies/export/bids_export.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "models/files/file_label.hpp"
#include "models/mesh/parallel_for.hpp"
#include "models/mesh/wording.hpp"
#include "studies/export/motion_text.hpp"
#include "studies/measures/recorded_trial.hpp"

namespace tactus::studies {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using models::Done;
using models::Error;
using models::FileLabel;
using models::Reason;
using models::Result;
using models::say;

std::string letters(const std::string& text) {
  std::string kept;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) kept += c;
  }
  return kept;
}

std::string channelsText() {
  std::string text = "name\tcomponent\ttype\ttracked_point\tunits\tsampling_frequency\n";
  for (const MotionChannel& channel : motionChannels()) {
    text += say(channel.name, "\t", channel.component, "\t", channel.type, "\t", channel.point,
                "\t", channel.units, "\t1000\n");
  }
  return text;
}

template <typename Writes>
Result<Done> writeFile(const fs::path& file, Writes writes) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  writes(stream);
  stream.close();
  if (stream) return Done{};
  return FileLabel(file.string())
      .whole(Reason::CannotWrite, "it could not be written; is the disk full?");
}

Result<Done> writeWhole(const fs::path& file, const std::string& text) {
  return writeFile(file, [&](std::ostream& stream) { stream << text; });
}

/// A hand in a trial that is done: a motion file.
struct RecordedHand {
  const PlannedSession* session = nullptr;
  const JournalTrial* done = nullptr;
  models::HandName hand{};
};

class BidsTree {
 public:
  BidsTree(const StudyFolder& study, const TrialTable& table, const Pseudonyms* pseudonyms,
           fs::path folder)
      : study_(study), table_(table), pseudonyms_(pseudonyms), folder_(std::move(folder)) {}

  Result<Done> writeTop() const {
    const std::string title = say(table_.facts.isRehearsal   ? "REHEARSAL: "
                                  : table_.facts.isSimulated ? "SIMULATED: "
                                                             : "",
                                  study_.protocol.title);
    const Json description = {
        {"Name", title},
        {"BIDSVersion", "1.9.0"},
        {"DatasetType", "raw"},
        {"GeneratedBy",
         Json::array({{{"Name", "Tactus"}, {"Version", table_.facts.softwareVersion}}})},
        {"SimulatedParticipants", table_.facts.isSimulated},
        {"Rehearsal", table_.facts.isRehearsal},
        {"ProtocolHash", study_.protocol.hash}};
    std::string participants = "participant_id\thandedness\texperience\tpair\tsequence\tfiller\n";
    for (const ParticipantRow& row : table_.participants) {
      const auto fact = [&row](const char* name) {
        const auto found = row.facts.find(name);
        return found == row.facts.end() ? std::string("n/a") : found->second;
      };
      participants += say("sub-", row.participant, "\t", fact("handedness"), "\t",
                          fact("experience"), "\t", row.pair.empty() ? "n/a" : row.pair, "\t",
                          row.sequence, "\t", row.isFiller ? "1" : "0", "\n");
    }
    const Json columns = {
        {"handedness", {{"Description", "Dominant hand by inventory"}}},
        {"experience", {{"Description", "Has held a haptic device before"}}},
        {"pair", {{"Description", "Who played together"}}},
        {"sequence", {{"Description", "Letters of the conditions in their order"}}},
        {"filler", {{"Description", "1 if there only so that somebody had a partner"}}}};
    Result<Done> written =
        writeWhole(folder_ / "dataset_description.json", description.dump(1) + "\n");
    if (written) written = writeWhole(folder_ / "participants.tsv", participants);
    if (written) written = writeWhole(folder_ / "participants.json", columns.dump(1) + "\n");
    if (written) {
      written = writeWhole(folder_ / "README",
                           say(title,
                               "\n\nWritten by Tactus. sub-*/ses-*/motion has the raw motion "
                               "of each hand at 1 kHz; phenotype has one row a trial and "
                               "answer, explained by its dictionary.json.\n"));
    }
    return written;
  }

  Result<Done> writeHand(const RecordedHand& which) const {
    const JournalTrial& done = *which.done;
    const PlannedTrial& trial = which.session->trials[done.number - 1];
    for (const PlannedPlayer& player : which.session->players) {
      const PlannedSeat& seat = player.periods[trial.period - 1];
      const TaskSide& side = study_.protocol.task.sides[seat.side];
      if (std::ranges::find(side.hands, which.hand) == side.hands.end()) continue;
      const Result<HandRecords> records = handRecords(which.hand, study_.path / done.recording);
      if (!records) return records.error();
      const std::string code = pseudonyms_ == nullptr ? player.code : pseudonyms_->at(player.code);
      const std::string subject = say("sub-", code);
      const std::string period = say("ses-", trial.period);
      const fs::path place = folder_ / subject / period / "motion";
      std::error_code trouble;
      fs::create_directories(place, trouble);
      const char* hand = isInRightHand(player, seat, which.hand) ? "right" : "left";
      const std::string stem = say(subject, "_", period, "_task-", letters(study_.protocol.name),
                                   letters(study_.protocol.blocks[trial.block - 1].name),
                                   "_tracksys-", hand, "_run-", trial.number * 100 + done.attempt);
      const Json about = {
          {"TaskName",
           say(study_.protocol.name, " ", study_.protocol.blocks[trial.block - 1].name)},
          {"SamplingFrequency", 1000},
          {"TrackingSystemName", hand},
          {"MotionChannelCount", kMotionChannels},
          {"SpatialAxes", "RUB"},
          {"Conditions", seat.conditions},
          {"StageDescription", "1 from the start signal to the end; of two presses 2 and 3"}};
      Result<Done> written = writeFile(place / (stem + "_motion.tsv"), [&](std::ostream& stream) {
        writeMotion(records.value(), stream);
      });
      if (written) written = writeWhole(place / (stem + "_motion.json"), about.dump(1) + "\n");
      if (written) written = writeWhole(place / (stem + "_channels.tsv"), channelsText());
      if (!written) return written;
    }
    return Done{};
  }

 private:
  const StudyFolder& study_;
  const TrialTable& table_;
  const Pseudonyms* pseudonyms_;
  fs::path folder_;
};

}  // namespace

Result<Done> exportBids(const StudyFolder& study, StudyJournal& journal, const TrialTable& table,
                        const Pseudonyms* pseudonyms, const fs::path& folder, bool overwrites) {
  const FileLabel label(folder.string());
  std::error_code trouble;
  if (fs::exists(folder, trouble) &&
      (!fs::is_directory(folder, trouble) || (!fs::is_empty(folder, trouble) && !overwrites))) {
    return label.whole(Reason::AlreadyExists,
                       "there is something already; choose another folder, or --force");
  }
  fs::create_directories(folder, trouble);
  if (trouble)
    return label.whole(Reason::CannotWrite, say("it cannot be made: ", trouble.message()));
  const BidsTree tree(study, table, pseudonyms, folder);
  if (Result<Done> written = tree.writeTop(); !written) return written;
  if (Result<Done> written = writeTrialTable(table, folder / "phenotype", overwrites); !written)
    return written;
  const Result<std::vector<JournalTrial>> trials = journal.trials();
  if (!trials) return trials.error();
  const Result<std::vector<JournalFact>> facts = journal.facts();
  if (!facts) return facts.error();
  std::vector<PlannedSession> sessions = study.plan.sessions;
  for (const JournalFact& fact : facts.value()) {
    if (fact.name != kHandednessFact) continue;
    for (PlannedSession& session : sessions)
      takeHandedness(session, fact.participant, fact.value);
  }
  std::vector<RecordedHand> hands;
  hands.reserve(trials.value().size() * study.protocol.scene.hands.size());
  for (const JournalTrial& done : trials.value()) {
    const auto session = std::ranges::find(sessions, done.session, &PlannedSession::code);
    if (session == sessions.end()) continue;
    for (const models::SceneHand& hand : study.protocol.scene.hands)
      hands.push_back({&*session, &done, hand.name});
  }
  std::vector<std::optional<Error>> errors(hands.size());
  models::parallelFor(hands.size(), 1, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      if (Result<Done> written = tree.writeHand(hands[k]); !written) errors[k] = written.error();
    }
  });
  for (const std::optional<Error>& error : errors) {
    if (error) return *error;
  }
  return Done{};
}

}  // namespace tactus::studies
