#include "studies/measures/recorded_trial.hpp"

#include <algorithm>
#include <cstring>

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

/// Records of a stream in the order of their ticks.
template <typename Record>
Result<std::vector<Record>> recordsOf(const haptics::RecordingReader& recording,
                                      const std::string& stream, std::size_t perTick,
                                      const FileLabel& label) {
  std::vector<Record> records;
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

}  // namespace

Result<std::vector<PlayerResult>> measureRecording(const StudyProtocol& protocol,
                                                   const PlannedSession& session,
                                                   const PlannedTrial& trial,
                                                   const std::filesystem::path& recording) {
  constexpr double kTickSeconds = 1e-3;
  const FileLabel label(recording.string());
  const Result<haptics::RecordingReader> file = haptics::RecordingReader::open(recording);
  if (!file) return file.error();
  const std::size_t bodyCount = protocol.scene.bodies.size();
  std::vector<models::HandName> names;
  std::vector<std::vector<HandRecord>> hands;
  std::vector<std::vector<ContactRecord>> contacts;
  for (const models::SceneHand& hand : protocol.scene.hands) {
    const std::string name(models::kHandNames[static_cast<std::size_t>(hand.name)]);
    Result<std::vector<HandRecord>> ofHand =
        recordsOf<HandRecord>(file.value(), "hand." + name, 1, label);
    if (!ofHand) return ofHand.error();
    Result<std::vector<ContactRecord>> ofContact =
        recordsOf<ContactRecord>(file.value(), "contact." + name, 1, label);
    if (!ofContact) return ofContact.error();
    names.push_back(hand.name);
    hands.push_back(std::move(ofHand).value());
    contacts.push_back(std::move(ofContact).value());
  }
  const Result<std::vector<BodyRecord>> bodies =
      recordsOf<BodyRecord>(file.value(), "bodies", bodyCount, label);
  if (!bodies) return bodies.error();
  const std::size_t ticks = bodies.value().size() / bodyCount;
  for (std::size_t k = 0; k < hands.size(); ++k) {
    if (hands[k].size() != ticks || contacts[k].size() != ticks)
      return label.whole(Reason::WrongCount, "ticks are missing in it");
  }
  TrialSheet sheet(protocol, session, trial, names, ticks, kTickSeconds);
  std::vector<HandRecord> handsNow(hands.size());
  std::vector<ContactRecord> contactsNow(hands.size());
  for (std::size_t tick = 0; tick < ticks; ++tick) {
    for (std::size_t k = 0; k < hands.size(); ++k) {
      handsNow[k] = hands[k][tick];
      contactsNow[k] = contacts[k][tick];
    }
    sheet.add(handsNow, contactsNow,
              std::span(bodies.value()).subspan(tick * bodyCount, bodyCount));
  }
  return sheet.results();
}

}  // namespace tactus::studies
