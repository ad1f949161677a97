#pragma once
#include "app/opened_session.hpp"
#include "haptics/loop/haptic_loop.hpp"

namespace tactus::app {

/// What a run was like; see SessionRequest. `recorded` and `stolen` as the caller knows them.
/// The loop must have ended.
struct RunFigures {
  const OpenedSession* session = nullptr;
  const haptics::HapticTick* tick = nullptr;
  const haptics::HapticLoop* loop = nullptr;
  std::string policy;  ///< of the servo thread
  std::uint64_t records = 0, droppedRecords = 0;
  double stolenShare = 0.0;
};
[[nodiscard]] Json runJson(const RunFigures& run);

/// The same for a person, on standard output.
void printRun(const Json& json);

}  // namespace tactus::app
