#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "haptics/recording/recording_file.hpp"
#include "haptics/tick/haptic_tick.hpp"
#include "haptics/tick/tick_records.hpp"
#include "models/mesh/result.hpp"

namespace tactus::haptics {

/// The records of one stream of a recording, tick after tick; at most one chunk is in memory.
class StreamCursor {
 public:
  StreamCursor(const RecordingReader& recording, std::string stream, std::size_t recordBytes);

  /// Brings the record of a tick to `record`. False if the stream has none of it; an error if the
  /// chunk is damaged or of another layout. Any tick may follow any other.
  [[nodiscard]] models::Result<bool> at(std::uint64_t tick, void* record);
  /// 0 of a stream without records.
  [[nodiscard]] std::uint64_t lastTick() const noexcept;

 private:
  const RecordingReader* recording_;
  std::string stream_;
  std::size_t recordBytes_;
  std::vector<const RecordedChunk*> chunks_;
  const RecordedChunk* current_ = nullptr;  ///< in memory
  std::vector<std::byte> records_;
};

/// What came of running a recording's inputs again.
struct ReplayOutcome {
  std::uint64_t ticks = 0;                       ///< that ran
  std::uint64_t compared = 0;                    ///< wrenches
  std::optional<std::uint64_t> firstDifference;  ///< tick
  double maxForceDifference = 0.0;               ///< [N]
  std::string stopped;                           ///< why not all could run; empty if all did
  [[nodiscard]] bool isIdentical() const noexcept {
    return !firstDifference && stopped.empty() && compared != 0;
  }
};

/// Feeds a recording's samples, skipped ticks and parameter changes to a tick that has just been
/// made from the same scene, and compares the wrenches to the bit. `handNames` in the order of the
/// tick's hands.
///
/// A tick that the recording has only in part ends it: what came after depends on it. Of one that
/// was never closed (a kill, a power cut) the ticks at its end that only some streams have are left
/// out: the streams were emptied one after the other.
[[nodiscard]] models::Result<ReplayOutcome> replayTicks(const RecordingReader& recording,
                                                        std::span<const std::string> handNames,
                                                        const TickParameters& begin,
                                                        HapticTick& tick);

}  // namespace tactus::haptics
