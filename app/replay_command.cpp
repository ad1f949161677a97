#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "app/commands.hpp"
#include "app/object_source.hpp"
#include "app/scene_session.hpp"
#include "haptics/recording/recording_file.hpp"
#include "haptics/tick/tick_parameters.hpp"
#include "haptics/tick/tick_replay.hpp"
#include "models/files/file_label.hpp"

namespace tactus::app {
namespace {

using haptics::RecordingReader;
using models::Error;
using models::Reason;
using models::Result;

// Some seconds of work.
constexpr std::uint64_t kManyTicks = 10'000;

/// All of a recording that is needed to run it again.
struct Rerun {
  LoadedScene loaded;
  std::vector<std::string> handNames;
  haptics::TickSetup setup;
  haptics::TickParameters parameters;
};

Result<Rerun> rerunOf(const RecordingReader& recording, const std::string& shown) {
  const auto meta = [&](const char* key) {
    const auto found = recording.meta().find(key);
    return found == recording.meta().end() ? std::string() : found->second;
  };
  const Error isNone{Reason::BadValue, -1,
                     fmt::format("{}: what it should run again is not in it; was it written by "
                                 "'tactus run --record'?",
                                 shown)};
  Result<models::Scene> scene = models::parseScene(meta("scene_text"), meta("scene_file"));
  if (!scene) return isNone;
  const std::string method = meta("method");
  if (method == "vps") scene.value().contact.method = models::SceneMethod::Voxmap;
  if (method == "ist") scene.value().contact.method = models::SceneMethod::InnerSpheres;
  const Result<response::ContactLaw> law = haptics::lawOf(scene.value().contact);
  const std::optional<std::vector<SessionHand>> hands = haptics::sessionHands(meta("hands"));
  if (!law || !hands) return isNone;

  Rerun rerun;
  Result<LoadedScene> loaded = loadScene(std::move(scene).value());
  if (!loaded) return loaded.error();
  rerun.loaded = std::move(loaded).value();
  if (haptics::objectsText(rerun.loaded) != meta("objects")) {
    return Error{Reason::BadValue, -1,
                 fmt::format("{}: a model of its scene has changed since, or was built by another "
                             "version of Tactus ({}); it cannot run again.",
                             shown, meta("version"))};
  }
  constexpr double kTickSeconds = 1e-3;
  rerun.setup = haptics::tickSetupOf(rerun.loaded, law.value(), *hands, kTickSeconds);
  rerun.parameters = haptics::parametersOf(rerun.setup);
  if (!haptics::readParameters(meta("parameters"), rerun.parameters)) return isNone;
  for (const haptics::TickHand& hand : rerun.setup.hands)
    rerun.handNames.emplace_back(haptics::nameOf(hand.hand));
  return rerun;
}

}  // namespace

ExitCode runReplay(const ReplayRequest& request) {
  const std::string shown = models::printable(request.recording);
  const Result<RecordingReader> recording = RecordingReader::open(request.recording);
  if (!recording) {
    complain(recording.error().sentence);
    return ExitCode::BadInput;
  }
  Result<Rerun> rerun = rerunOf(recording.value(), shown);
  if (!rerun) {
    complain(rerun.error().sentence);
    return exitCodeOf(rerun.error());
  }
  if (const std::uint64_t ticks = recording.value().summary().ticks; ticks >= kManyTicks)
    complain(fmt::format("{}: {} ticks are run again, which may take a while", shown, ticks));
  haptics::HapticTick tick(rerun.value().setup);
  const Result<haptics::ReplayOutcome> replayed = haptics::replayTicks(
      recording.value(), rerun.value().handNames, rerun.value().parameters, tick);
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
