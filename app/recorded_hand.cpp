#include "app/recorded_hand.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "haptics/adapters/recorded_device.hpp"
#include "haptics/recording/recording_file.hpp"
#include "haptics/tick/tick_records.hpp"
#include "models/files/file_label.hpp"

namespace tactus::app {
namespace {

using haptics::DeviceSample;
using haptics::DeviceStatus;
using haptics::HandRecord;
using haptics::RecordedChunk;
using haptics::RecordingReader;
using models::Error;
using models::Reason;
using models::Result;

class Samples final : public haptics::SampleSource {
 public:
  Samples(haptics::DeviceCapabilities capabilities, std::vector<HandRecord> records)
      : capabilities_(std::move(capabilities)), records_(std::move(records)) {}

  [[nodiscard]] const haptics::DeviceCapabilities& capabilities() const noexcept override {
    return capabilities_;
  }
  [[nodiscard]] bool next(DeviceSample& sample, DeviceStatus& read,
                          DeviceStatus& write) noexcept override {
    if (next_ == records_.size()) return false;
    const HandRecord& record = records_[next_++];
    const haptics::HandSample hand = haptics::handSample(record);
    sample = hand.sample;
    read = hand.status;
    write = haptics::statusOf(record.writeFlags);
    return true;
  }

 private:
  haptics::DeviceCapabilities capabilities_;
  std::vector<HandRecord> records_;
  std::size_t next_ = 0;
};

}  // namespace

Result<RecordedHand> openRecordedHand(const std::string& file, haptics::Hand hand) {
  const Result<RecordingReader> recording = RecordingReader::open(file);
  if (!recording) return recording.error();
  const auto meta = recording.value().meta().find("hands");
  const std::optional<std::vector<SessionHand>> hands =
      meta == recording.value().meta().end() ? std::nullopt : haptics::sessionHands(meta->second);
  const SessionHand* found = nullptr;
  if (hands) {
    for (const SessionHand& recorded : *hands) {
      if (recorded.hand == hand || hands->size() == 1) found = &recorded;
    }
  }
  if (found == nullptr) {
    return Error{Reason::BadValue, -1,
                 fmt::format("{}: the recording has no hand '{}'; 'tactus info' says which it has.",
                             models::printable(file), haptics::nameOf(hand))};
  }
  const std::string stream = fmt::format("hand.{}", haptics::nameOf(found->hand));
  std::vector<HandRecord> records;
  for (const RecordedChunk& chunk : recording.value().chunks()) {
    if (chunk.stream != stream) continue;
    const Result<std::vector<std::byte>> bytes = recording.value().records(chunk);
    if (!bytes) return bytes.error();
    if (bytes.value().size() != chunk.ticks * sizeof(HandRecord)) {
      return Error{Reason::BadValue, -1,
                   fmt::format("{}: another version of Tactus wrote it.", models::printable(file))};
    }
    const std::size_t before = records.size();
    records.resize(before + chunk.ticks);
    std::memcpy(records.data() + before, bytes.value().data(), bytes.value().size());
  }
  RecordedHand opened;
  opened.profile = found->profile;
  opened.device = std::make_unique<haptics::RecordedDevice>(
      std::make_unique<Samples>(found->capabilities, std::move(records)));
  return opened;
}

}  // namespace tactus::app
