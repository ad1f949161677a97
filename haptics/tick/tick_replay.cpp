#include "haptics/tick/tick_replay.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "haptics/tick/tick_parameters.hpp"

namespace tactus::haptics {
namespace {

using models::Error;
using models::Reason;
using models::Result;

/// In their bits: -0 is not 0, and a NaN is itself.
bool isSame(const double (&a)[3], const Eigen::Vector3d& b) {
  for (int k = 0; k < 3; ++k) {
    if (std::bit_cast<std::uint64_t>(a[k]) != std::bit_cast<std::uint64_t>(b[k])) return false;
  }
  return true;
}

double difference(const double (&a)[3], const Eigen::Vector3d& b) {
  return (Eigen::Vector3d(a[0], a[1], a[2]) - b).norm();
}

}  // namespace

StreamCursor::StreamCursor(const RecordingReader& recording, std::string stream,
                           std::size_t recordBytes)
    : recording_(&recording), stream_(std::move(stream)), recordBytes_(recordBytes) {
  for (const RecordedChunk& chunk : recording.chunks()) {
    if (chunk.stream == stream_) chunks_.push_back(&chunk);
  }
}

Result<bool> StreamCursor::at(std::uint64_t tick, void* record) {
  const auto isIn = [&](const RecordedChunk* chunk) {
    return chunk != nullptr && tick >= chunk->firstTick && tick - chunk->firstTick < chunk->ticks;
  };
  if (!isIn(current_)) {
    const auto after = std::ranges::upper_bound(chunks_, tick, {}, &RecordedChunk::firstTick);
    if (after == chunks_.begin() || !isIn(*(after - 1))) return false;
    current_ = nullptr;  // should it be damaged
    const RecordedChunk* const wanted = *(after - 1);
    Result<std::vector<std::byte>> read = recording_->records(*wanted);
    if (!read) return read.error();
    records_ = std::move(read).value();
    if (records_.size() != wanted->ticks * recordBytes_) {
      return Error{Reason::BadValue, -1,
                   "the records of stream \'" + stream_ + "\' are not of " +
                       std::to_string(recordBytes_) +
                       " bytes; another version of Tactus wrote them."};
    }
    current_ = wanted;
  }
  std::memcpy(record, records_.data() + (tick - current_->firstTick) * recordBytes_, recordBytes_);
  return true;
}

std::uint64_t StreamCursor::lastTick() const noexcept {
  return chunks_.empty() ? 0 : chunks_.back()->firstTick + chunks_.back()->ticks - 1;
}

Result<ReplayOutcome> replayTicks(const RecordingReader& recording,
                                  std::span<const std::string> handNames,
                                  const TickParameters& begin, HapticTick& tick) {
  ReplayOutcome outcome;
  StreamCursor ticks(recording, "tick", sizeof(TickRecord));
  std::vector<StreamCursor> hands;
  hands.reserve(handNames.size());
  for (const std::string& name : handNames)
    hands.emplace_back(recording, "hand." + name, sizeof(HandRecord));

  TickParameters parameters = begin;
  std::vector<RecordedParameter> changes = recording.parameters();
  std::stable_sort(changes.begin(), changes.end(),
                   [](const auto& a, const auto& b) { return a.tick < b.tick; });
  std::size_t change = 0;

  const RecordingSummary summary = recording.summary();
  std::uint64_t last = summary.lastTick;
  if (const bool wasClosed = recording.meta().contains("records"); !wasClosed) {
    last = std::min(last, ticks.lastTick());
    for (const StreamCursor& hand : hands)
      last = std::min(last, hand.lastTick());
  }
  std::uint64_t expected = summary.firstTick;
  for (std::uint64_t number = summary.firstTick; number <= last; ++number) {
    TickInputs inputs;
    inputs.number = number;
    TickRecord record;
    const Result<bool> hasTick = ticks.at(number, &record);
    if (!hasTick) return hasTick.error();
    std::array<HandRecord, kMostHands> recorded;
    std::size_t present = 0;
    for (std::size_t k = 0; k < hands.size(); ++k) {
      const Result<bool> has = hands[k].at(number, &recorded[k]);
      if (!has) return has.error();
      present += has.value() ? 1U : 0U;
    }
    if (!hasTick.value() && present == 0) continue;  // one that never was
    if (hasTick.value()) inputs.skipped = record.skipped;
    // what was skipped before the first one is in no recording
    const std::uint64_t left = number == summary.firstTick ? 0 : inputs.skipped;
    if (!hasTick.value() || present != hands.size() || number != expected + left) {
      outcome.stopped =
          "tick " + std::to_string(std::min(number, expected)) + " was not recorded whole";
      break;
    }
    expected = number + 1;
    for (std::size_t k = 0; k < hands.size(); ++k)
      inputs.hands[k] = handSample(recorded[k]);
    for (; change < changes.size() && changes[change].tick <= number; ++change) {
      const std::size_t index = parameterNamed(changes[change].name);
      if (index < parameterCount()) setParameter(parameters, index, changes[change].after);
    }

    tick.tick(inputs, parameters);
    ++outcome.ticks;
    for (std::size_t k = 0; k < hands.size(); ++k) {
      const response::Wrench& now = tick.result(k).command.wrench;
      ++outcome.compared;
      if (isSame(recorded[k].force, now.force) && isSame(recorded[k].torque, now.torque)) continue;
      if (!outcome.firstDifference) outcome.firstDifference = number;
      outcome.maxForceDifference =
          std::max(outcome.maxForceDifference, difference(recorded[k].force, now.force));
    }
  }
  return outcome;
}

}  // namespace tactus::haptics
