#include "app/running_session.hpp"

#include <cmath>
#include <utility>

namespace tactus::app {
namespace {

using haptics::RecorderPace;
using models::Done;
using models::Result;

constexpr std::int64_t kTickNs = 1'000'000;

}  // namespace

Result<std::unique_ptr<RunningSession>> RunningSession::start(OpenedSession& session,
                                                              const RunSettings& settings) {
  std::unique_ptr<RunningSession> made(new RunningSession(
      session, settings.parameters ? *settings.parameters : haptics::parametersOf(session.setup)));
  const RecorderPace pace =
      settings.hasSimulatedTime ? RecorderPace::ByDriver : RecorderPace::OwnThread;
  if (settings.recording) {
    Result<std::unique_ptr<haptics::Recorder>> recorder =
        startRecorder(*settings.recording, settings.overwrites, pace, session, made->parameters_);
    if (!recorder) return recorder.error();
    made->recorder_ = std::move(recorder).value();
  }
  haptics::HapticLoop::Parts parts{.tick = &made->tick_,
                                   .devices = {},
                                   .recorder = made->recorder_.get(),
                                   .pace = pace,
                                   .trace = &made->trace_};
  for (const haptics::HandDevice& hand : session.devices)
    parts.devices.push_back(hand.device.get());
  made->loop_ = std::make_unique<haptics::HapticLoop>(parts, made->parameters_);
  made->thread_ = std::thread([session = made.get(), settings] { session->run(settings); });
  return made;
}

void RunningSession::run(const RunSettings& settings) {
  haptics::ServoSettings servo;
  servo.periodNs = kTickNs;
  servo.time =
      settings.hasSimulatedTime ? haptics::TimeSource::Simulated : haptics::TimeSource::Wall;
  if (settings.seconds)
    servo.ticks = static_cast<std::uint64_t>(std::llround(*settings.seconds / kTickSeconds));
  if (settings.cores != nullptr) settings.cores->takeLoopCore();
  policy_ = settings.hasSimulatedTime ? "simulated time" : haptics::becomeServoThread().text;
  hasPolicy_ = true;
  loop_->run(servo, stops_);
  hasEnded_ = true;
}

RunningSession::~RunningSession() {
  stops_ = true;
  if (thread_.joinable()) thread_.join();
}

Result<Done> RunningSession::finish() {
  if (thread_.joinable()) thread_.join();
  return recorder_ == nullptr ? Result<Done>(Done{}) : recorder_->finish();
}

std::string RunningSession::policy() const {
  return hasPolicy_ ? policy_ : std::string();
}

std::uint64_t RunningSession::droppedRecords() const noexcept {
  return recorder_ == nullptr ? 0 : recorder_->dropped();
}

RunFigures RunningSession::figures() const {
  return {.session = &session_,
          .tick = &tick_,
          .loop = loop_.get(),
          .policy = policy(),
          .records = recorder_ == nullptr ? 0 : recorder_->records(),
          .droppedRecords = droppedRecords(),
          .stolenShare = stolen_.share()};
}

}  // namespace tactus::app
