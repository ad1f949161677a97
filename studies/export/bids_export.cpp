#include "studies/export/bids_export.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <system_error>

#include "models/files/file_label.hpp"
#include "models/mesh/wording.hpp"
#include "studies/measures/recorded_trial.hpp"

namespace tactus::studies {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using models::Done;
using models::FileLabel;
using models::Reason;
using models::Result;
using models::say;

constexpr int kDigits = 9;  // micrometres in metres, and more than a float has

struct Channel {
  const char* name;
  const char* component;
  const char* type;
  const char* point;
  const char* units;
};
// The columns of a motion file, in their order.
constexpr std::array kChannels = {Channel{"device_x", "x", "POS", "device", "m"},
                                  Channel{"device_y", "y", "POS", "device", "m"},
                                  Channel{"device_z", "z", "POS", "device", "m"},
                                  Channel{"device_qw", "quat_w", "ORNT", "device", "n/a"},
                                  Channel{"device_qx", "quat_x", "ORNT", "device", "n/a"},
                                  Channel{"device_qy", "quat_y", "ORNT", "device", "n/a"},
                                  Channel{"device_qz", "quat_z", "ORNT", "device", "n/a"},
                                  Channel{"tool_x", "x", "POS", "tool", "m"},
                                  Channel{"tool_y", "y", "POS", "tool", "m"},
                                  Channel{"tool_z", "z", "POS", "tool", "m"},
                                  Channel{"tool_qw", "quat_w", "ORNT", "tool", "n/a"},
                                  Channel{"tool_qx", "quat_x", "ORNT", "tool", "n/a"},
                                  Channel{"tool_qy", "quat_y", "ORNT", "tool", "n/a"},
                                  Channel{"tool_qz", "quat_z", "ORNT", "tool", "n/a"},
                                  Channel{"force_x", "n/a", "MISC", "device", "N"},
                                  Channel{"force_y", "n/a", "MISC", "device", "N"},
                                  Channel{"force_z", "n/a", "MISC", "device", "N"},
                                  Channel{"torque_x", "n/a", "MISC", "device", "N m"},
                                  Channel{"torque_y", "n/a", "MISC", "device", "N m"},
                                  Channel{"torque_z", "n/a", "MISC", "device", "N m"},
                                  Channel{"contact_volume", "n/a", "MISC", "tool", "m^3"},
                                  Channel{"buttons", "n/a", "MISC", "device", "n/a"},
                                  Channel{"stage", "n/a", "MISC", "n/a", "n/a"}};

std::string letters(const std::string& text) {
  std::string kept;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) kept += c;
  }
  return kept;
}

class Text {
 public:
  template <typename Number>
  void put(Number number) {
    std::array<char, 40> digits;
    char* end = nullptr;
    if constexpr (std::is_floating_point_v<Number>) {
      end = std::to_chars(digits.data(), digits.data() + digits.size(), number,
                          std::chars_format::general, kDigits)
                .ptr;
    } else {
      end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    }
    if (!isFirst_) text_ += '\t';
    isFirst_ = false;
    text_.append(digits.data(), end);
  }
  void endLine() {
    text_ += '\n';
    isFirst_ = true;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool isFirst_ = true;
};

std::string motionText(const TrialRecords& records, std::size_t hand) {
  Text text;
  for (std::size_t tick = 0; tick < records.ticks(); ++tick) {
    const haptics::HandRecord& r = records.hands[hand][tick];
    for (const double x : r.position)
      text.put(x);
    for (const double x : r.orientation)
      text.put(x);
    for (const double x : r.toolPosition)
      text.put(x);
    for (const double x : r.toolOrientation)
      text.put(x);
    for (const double x : r.force)
      text.put(x);
    for (const double x : r.torque)
      text.put(x);
    text.put(records.contacts[hand][tick].volume);
    text.put(r.buttons);
    text.put(static_cast<unsigned>(records.contacts[hand][tick].stage));
    text.endLine();
  }
  return text.text();
}

std::string channelsText() {
  std::string text = "name\tcomponent\ttype\ttracked_point\tunits\tsampling_frequency\n";
  for (const Channel& channel : kChannels) {
    text += say(channel.name, "\t", channel.component, "\t", channel.type, "\t", channel.point,
                "\t", channel.units, "\t1000\n");
  }
  return text;
}

Result<Done> writeWhole(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (stream) return Done{};
  return FileLabel(file.string())
      .whole(Reason::CannotWrite, "it could not be written; is the disk full?");
}

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

  Result<Done> writeTrial(const PlannedSession& session, const JournalTrial& done) const {
    const PlannedTrial& trial = session.trials[done.number - 1];
    const Result<TrialRecords> read =
        trialRecords(study_.protocol.scene, study_.path / done.recording);
    if (!read) return read.error();
    const TrialRecords& records = read.value();
    for (const PlannedPlayer& player : session.players) {
      const std::string code = pseudonyms_ == nullptr ? player.code : pseudonyms_->at(player.code);
      const PlannedSeat& seat = player.periods[trial.period - 1];
      const TaskSide& side = study_.protocol.task.sides[seat.side];
      const std::string subject = say("sub-", code);
      const std::string period = say("ses-", trial.period);
      const fs::path place = folder_ / subject / period / "motion";
      std::error_code trouble;
      fs::create_directories(place, trouble);
      for (std::size_t k = 0; k < records.names.size(); ++k) {
        if (std::ranges::find(side.hands, records.names[k]) == side.hands.end()) continue;
        const char* hand = isInRightHand(player, seat, records.names[k]) ? "right" : "left";
        const std::string stem =
            say(subject, "_", period, "_task-", letters(study_.protocol.name),
                letters(study_.protocol.blocks[trial.block - 1].name), "_tracksys-", hand, "_run-",
                trial.number * 100 + done.attempt);
        const Json about = {
            {"TaskName",
             say(study_.protocol.name, " ", study_.protocol.blocks[trial.block - 1].name)},
            {"SamplingFrequency", 1000},
            {"TrackingSystemName", hand},
            {"MotionChannelCount", kChannels.size()},
            {"SpatialAxes", "RUB"},
            {"Conditions", seat.conditions},
            {"StageDescription", "1 from the start signal to the end; of two presses 2 and 3"}};
        Result<Done> written = writeWhole(place / (stem + "_motion.tsv"), motionText(records, k));
        if (written) written = writeWhole(place / (stem + "_motion.json"), about.dump(1) + "\n");
        if (written) written = writeWhole(place / (stem + "_channels.tsv"), channelsText());
        if (!written) return written;
      }
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
  for (const JournalTrial& done : trials.value()) {
    const auto session = std::ranges::find(sessions, done.session, &PlannedSession::code);
    if (session == sessions.end()) continue;
    if (Result<Done> written = tree.writeTrial(*session, done); !written) return written;
  }
  return Done{};
}

}  // namespace tactus::studies
