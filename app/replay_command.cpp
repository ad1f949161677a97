#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "app/object_source.hpp"
#include "app/recorded_session.hpp"
#include "haptics/recording/recording_file.hpp"
#include "haptics/tick/tick_replay.hpp"
#include "models/files/file_label.hpp"

namespace tactus::app {
namespace {

using haptics::RecordingReader;
using models::Result;

// Some seconds of work.
constexpr std::uint64_t kManyTicks = 10'000;

}  // namespace

ExitCode runReplay(const ReplayRequest& request) {
  const std::string shown = models::printable(request.recording);
  const Result<RecordingReader> recording = RecordingReader::open(request.recording);
  if (!recording) {
    complain(recording.error().sentence);
    return ExitCode::BadInput;
  }
  Result<RecordedSession> opened = openRecordedSession(recording.value(), shown);
  if (!opened) {
    complain(opened.error().sentence);
    return exitCodeOf(opened.error());
  }
  const RecordedSession& recorded = opened.value();
  if (!recorded.hasSameObjects) {
    complain(
        fmt::format("{}: a model of its scene has changed since, or was built by another version "
                    "of Tactus ({}); it cannot run again.",
                    shown, metaOf(recording.value(), "version")));
    return ExitCode::BadInput;
  }
  std::vector<std::string> handNames;
  handNames.reserve(recorded.session.hands.size());
  for (const SessionHand& hand : recorded.session.hands)
    handNames.emplace_back(haptics::nameOf(hand.hand));
  if (const std::uint64_t ticks = recording.value().summary().ticks; ticks >= kManyTicks)
    complain(fmt::format("{}: {} ticks are run again, which may take a while", shown, ticks));
  haptics::HapticTick tick(recorded.session.setup);
  const Result<haptics::ReplayOutcome> replayed =
      haptics::replayTicks(recording.value(), handNames, recorded.parameters, tick);
  if (!replayed) {
    complain(replayed.error().sentence);
    return ExitCode::WorkFailed;
  }
  const haptics::ReplayOutcome& outcome = replayed.value();
  if (request.asJson) {
    printJson({{"ticks", outcome.ticks},
               {"compared", outcome.compared},
               {"identical", outcome.isIdentical()},
               {"first_difference",
                outcome.firstDifference ? Json(*outcome.firstDifference) : Json(nullptr)},
               {"max_force_difference", outcome.maxForceDifference},
               {"stopped", outcome.stopped.empty() ? Json(nullptr) : Json(outcome.stopped)}});
  } else if (outcome.isIdentical()) {
    fmt::print("{}: {} ticks, {} wrenches identical to the bit\n", shown, outcome.ticks,
               outcome.compared);
  } else if (outcome.firstDifference) {
    fmt::print("{}: differs from tick {} on, by {:.3g} N at most\n", shown,
               *outcome.firstDifference, outcome.maxForceDifference);
  } else {
    fmt::print("{}: {}\n", shown, outcome.stopped.empty() ? "nothing to compare" : outcome.stopped);
  }
  return outcome.isIdentical() ? ExitCode::Good : ExitCode::WorkFailed;
}

}  // namespace tactus::app
