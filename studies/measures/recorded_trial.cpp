#include "studies/measures/recorded_trial.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "haptics/recording/recorder.hpp"
#include "haptics/recording/recording_file.hpp"
#include "models/files/file_label.hpp"

namespace tactus::studies {
namespace {

using haptics::BodyRecord;
using haptics::HandRecord;
using models::Error;
using models::FileLabel;
using models::Reason;
using models::Result;

constexpr std::uint32_t kUsualTicks = haptics::Recorder::kChunkTicks;

/// Records of a stream in the order of their ticks.
template <typename Record>
Result<std::vector<Record>> recordsOf(const haptics::RecordingReader& recording,
                                      const std::string& stream, std::size_t perTick,
                                      const FileLabel& label) {
  std::vector<Record> records;
  // once, for growing touches all pages twice; what a damaged chunk says of itself is no size
  std::size_t ticks = 0;
  for (const haptics::RecordedChunk& chunk : recording.chunks()) {
    if (chunk.stream == stream) ticks += std::min(chunk.ticks, kUsualTicks);
  }
  records.reserve(ticks * perTick);
  for (const haptics::RecordedChunk& chunk : recording.chunks()) {
    if (chunk.stream != stream) continue;
    const Result<std::vector<std::byte>> bytes = recording.records(chunk);
    if (!bytes) return bytes.error();
    if (bytes.value().size() != chunk.ticks * perTick * sizeof(Record))
      return label.whole(Reason::BadValue, "another version of Tactus wrote it");
    const std::size_t before = records.size();
    records.resize(before + chunk.ticks * perTick);
    std::memcpy(records.data() + before, bytes.value().data(), bytes.value().size());
  }
  return records;
}

Result<HandRecords> handRecordsIn(const haptics::RecordingReader& recording, models::HandName hand,
                                  const FileLabel& label) {
  const std::string name(models::kHandNames[static_cast<std::size_t>(hand)]);
  Result<std::vector<HandRecord>> ofHand =
      recordsOf<HandRecord>(recording, "hand." + name, 1, label);
  if (!ofHand) return ofHand.error();
  Result<std::vector<ContactRecord>> ofContact =
      recordsOf<ContactRecord>(recording, "contact." + name, 1, label);
  if (!ofContact) return ofContact.error();
  if (ofHand.value().size() != ofContact.value().size())
    return label.whole(Reason::WrongCount, "ticks are missing in it");
  return HandRecords{std::move(ofHand).value(), std::move(ofContact).value()};
}

}  // namespace

Result<HandRecords> handRecords(models::HandName hand, const std::filesystem::path& recording) {
  const Result<haptics::RecordingReader> file = haptics::RecordingReader::open(recording);
  if (!file) return file.error();
  return handRecordsIn(file.value(), hand, FileLabel(recording.string()));
}

Result<TrialRecords> trialRecords(const models::Scene& scene,
                                  const std::filesystem::path& recording) {
  const FileLabel label(recording.string());
  const Result<haptics::RecordingReader> file = haptics::RecordingReader::open(recording);
  if (!file) return file.error();
  TrialRecords records;
  records.bodyCount = scene.bodies.size();
  for (const models::SceneHand& hand : scene.hands) {
    Result<HandRecords> ofHand = handRecordsIn(file.value(), hand.name, label);
    if (!ofHand) return ofHand.error();
    records.names.push_back(hand.name);
    records.hands.push_back(std::move(ofHand.value().hand));
    records.contacts.push_back(std::move(ofHand.value().contact));
  }
  Result<std::vector<BodyRecord>> bodies =
      recordsOf<BodyRecord>(file.value(), "bodies", records.bodyCount, label);
  if (!bodies) return bodies.error();
  records.bodies = std::move(bodies).value();
  for (const std::vector<HandRecord>& hand : records.hands) {
    if (hand.size() != records.ticks())
      return label.whole(Reason::WrongCount, "ticks are missing in it");
  }
  return records;
}

Result<std::vector<PlayerResult>> measureRecording(const StudyProtocol& protocol,
                                                   const PlannedSession& session,
                                                   const PlannedTrial& trial,
                                                   const std::filesystem::path& recording) {
  constexpr double kTickSeconds = 1e-3;
  const Result<TrialRecords> read = trialRecords(protocol.scene, recording);
  if (!read) return read.error();
  const TrialRecords& records = read.value();
  TrialSheet sheet(protocol, session, trial, records.names, records.ticks(), kTickSeconds);
  std::vector<HandRecord> hands(records.hands.size());
  std::vector<ContactRecord> contacts(records.hands.size());
  for (std::size_t tick = 0; tick < records.ticks(); ++tick) {
    for (std::size_t k = 0; k < hands.size(); ++k) {
      hands[k] = records.hands[k][tick];
      contacts[k] = records.contacts[k][tick];
    }
    sheet.add(hands, contacts,
              std::span(records.bodies).subspan(tick * records.bodyCount, records.bodyCount));
  }
  return sheet.results();
}

}  // namespace tactus::studies
