#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "app/commands.hpp"
#include "app/interruption.hpp"
#include "app/object_source.hpp"
#include "app/recording_info.hpp"
#include "app/running_session.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::Result;

constexpr auto kPollInterval = std::chrono::milliseconds(10);

}  // namespace

ExitCode runSession(const SessionRequest& request) {
  const auto refuse = [](const models::Error& error) {
    complain(error.sentence);
    return exitCodeOf(error);
  };
  if (request.recording) {
    if (const Result<Done> place = checkRecordingPlace(*request.recording, request.overwrites);
        !place) {
      complain(place.error().sentence);
      return ExitCode::BadInput;
    }
  }
  for (const std::string& device : request.devices) {
    if (!device.ends_with("=mouse")) continue;
    complain("--device " + device +
             ": the mouse is a device of the window; leave --headless out, or take sim:sigma7.");
    return ExitCode::BadInput;
  }
  Result<models::Scene> scene = findSceneToRun(request.scene);
  if (!scene) return refuse(scene.error());
  Result<OpenedSession> opened =
      openSession(std::move(scene).value(), request, UsualDevice::Simulated);
  if (!opened) return refuse(opened.error());
  OpenedSession& session = opened.value();
  for (const std::string& note : session.notes)
    complain(note);

  const Interruption interruption;
  Result<std::unique_ptr<RunningSession>> started =
      RunningSession::start(session, {.recording = request.recording,
                                      .overwrites = request.overwrites,
                                      .seconds = request.seconds,
                                      .hasSimulatedTime = request.hasSimulatedTime,
                                      .parameters = {}});
  if (!started) return refuse(started.error());
  RunningSession& run = *started.value();
  while (!run.hasEnded()) {
    if (Interruption::wasAsked()) run.askToStop();
    std::this_thread::sleep_for(kPollInterval);
  }
  ExitCode code = ExitCode::Good;
  if (const Result<Done> finished = run.finish(); !finished) {
    complain(finished.error().sentence);
    code = ExitCode::WorkFailed;
  }
  const Json json = runJson(run.figures());
  if (request.asJson) {
    printJson(json);
  } else {
    printRun(json);
  }
  return code;
}

}  // namespace tactus::app
