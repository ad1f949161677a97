#include "app/study/study_window.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "app/interruption.hpp"
#include "app/mouse_hand.hpp"
#include "app/object_source.hpp"
#include "app/scene_loader.hpp"
#include "app/session_picture.hpp"
#include "app/study/player_devices.hpp"
#include "app/study/study_screens.hpp"
#include "app/study/timing_check.hpp"
#include "haptics/tick/tick_parameters.hpp"
#include "render/window.hpp"
#include "studies/runner/trial_loop.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::Error;
using models::Result;
using studies::SessionStage;

// Counts are taken so often; between, nothing much can have changed [s].
constexpr double kTimingEvery = 1.0;

// As of tactus run: cameras are set for pictures of 16:10 with a tenth free on either side.
constexpr double kFramedAspect = 0.8 * 1.6;

std::string waitingText(const haptics::TickSnapshot& tick) {
  for (std::size_t k = 0; k < tick.handCount; ++k) {
    const haptics::TickSnapshot::Hand& hand = tick.hands[k];
    if (hand.phase == response::SafetyPhase::Active) continue;
    switch (hand.waitingFor) {
      case haptics::WaitingFor::Device:
        return "A device is missing; please call the experimenter.";
      case haptics::WaitingFor::Calibration:
        return "The device finds its place. One moment please.";
      case haptics::WaitingFor::Hand:
        return "The device waits for your hand: take the handle.";
      case haptics::WaitingFor::NeutralPose:
        return "Bring the handle to the middle of its reach.";
      case haptics::WaitingFor::SmallForce:
        return "Move away from what you touch.";
      case haptics::WaitingFor::Nothing:
      case haptics::WaitingFor::Time:
        return "Hold the handle still.";
    }
  }
  return {};
}

/// What of two tickets needs another scene or other devices.
struct SceneNeeds {
  std::string method, law;
  std::vector<std::string> devices;
  friend bool operator==(const SceneNeeds&, const SceneNeeds&) = default;
};

class StudyWindow {
 public:
  StudyWindow(const studies::StudyFolder& study, studies::StudyJournal& journal,
              studies::PeopleSession& session, const StudyWindowRequest& request)
      : study_(study), journal_(journal), session_(session), request_(request) {}

  ExitCode show();

 private:
  void eachFrame(render::Frame& frame);
  void drawWidgets();
  void keepEntries();
  void keepTiming();
  void needScene();
  void takeLoaded(render::Frame& frame);
  void showScene(render::Frame& frame);
  void startTrial();
  void leadTrial(const render::Frame& frame);
  void endTrial();
  void changeParameter(std::size_t which, double value, const std::string& reason);
  void keepFramed(render::Frame& frame) const;
  void fail(const Error& error);
  [[nodiscard]] bool isTrialWanted() const;
  [[nodiscard]] ExperimenterView experimenterView() const;

  const studies::StudyFolder& study_;
  studies::StudyJournal& journal_;
  studies::PeopleSession& session_;
  StudyWindowRequest request_;
  StudyScreens screens_;
  std::unique_ptr<TimingCheck> check_;
  studies::RecentTiming timing_;
  SceneNeeds needs_;
  std::unique_ptr<SceneLoader> loader_;
  std::unique_ptr<OpenedSession> opened_;
  std::unique_ptr<SessionPicture> picture_;
  std::unique_ptr<studies::TrialLoop> trial_;  // ends before its devices
  studies::TrialTicket ticket_;
  std::string recording_;
  haptics::TickParameters parameters_;  // of the trial
  struct Change {
    std::size_t parameter = 0;  // of haptics::parameterAt()
    double value = 0.0;
  };
  std::vector<Change> changes_;  // that somebody has made in this sitting
  std::vector<MouseHand> mice_;
  std::vector<std::size_t> handOfMouse_;
  ViewLayers layers_;
  std::string message_;
  std::optional<Error> failure_;
  double now_ = 0.0, timingAt_ = 0.0;
  bool isSoftware_ = false;
};

ExitCode StudyWindow::show() {
  layers_.showsContacts = layers_.showsForces = layers_.showsGhosts = false;
  check_ = std::make_unique<TimingCheck>();
  needScene();
  render::WindowSettings settings;
  settings.title = fmt::format("Tactus - session {}", session_.plan().code);
  const Interruption interruption;
  const Result<render::WindowReport> report = render::runWindow(
      settings, {}, [this](render::Frame& frame) { eachFrame(frame); }, [this] { drawWidgets(); });
  loader_.reset();
  if (trial_ != nullptr) {
    trial_->watch().abort();
    endTrial();
  }
  picture_.reset();
  opened_.reset();
  if (!report) {
    // nobody has seen anything: nothing has begun
    complain(report.error().sentence);
    return ExitCode::WorkFailed;
  }
  keepEntries();
  if (failure_) {
    complain(failure_->sentence);
    return exitCodeOf(*failure_);
  }
  return ExitCode::Good;
}

void StudyWindow::fail(const Error& error) {
  if (!failure_) failure_ = error;
}

bool StudyWindow::isTrialWanted() const {
  const SessionStage stage = session_.screen().stage;
  return stage == SessionStage::Trial || stage == SessionStage::Paused;
}

void StudyWindow::eachFrame(render::Frame& frame) {
  now_ = frame.seconds;
  isSoftware_ = frame.isSoftwareRenderer;
  session_.pass(frame.secondsSinceLast);
  keepTiming();
  // Forces fade before the window goes.
  frame.staysOpen = trial_ != nullptr;
  if (Interruption::wasAsked() || frame.closeAsked) {
    if (trial_ != nullptr) {
      session_.press(studies::SessionAct::Stop);
    } else {
      frame.close = true;
    }
  }
  const studies::SessionScreen& screen = session_.screen();
  if ((screen.stage == SessionStage::Left && (screen.buttons.empty() || screen.heading.empty())) ||
      failure_)
    frame.close = true;
  needScene();
  if (loader_ != nullptr && loader_->isDone()) takeLoaded(frame);
  if (isTrialWanted() && trial_ == nullptr && loader_ == nullptr && opened_ != nullptr)
    startTrial();
  if (trial_ != nullptr) leadTrial(frame);
  if (picture_ != nullptr) showScene(frame);
  frame.takesPointer = true;
  keepEntries();
}

/// The journal has what happened before anything else does.
void StudyWindow::keepEntries() {
  const studies::JournalEntries entries = session_.takeEntries();
  if (entries.isEmpty()) return;
  if (const Result<Done> kept = journal_.add(entries, haptics::wallNs()); !kept) fail(kept.error());
}

void StudyWindow::keepTiming() {
  if (now_ < timingAt_) return;
  timingAt_ = now_ + kTimingEvery;
  if (check_ != nullptr) timing_.add(now_, check_->take());
  const std::string objection = timing_.objection();
  session_.setTiming(!request_.scheduleObjection.empty() ? request_.scheduleObjection : objection);
}

// The scene.

void StudyWindow::needScene() {
  const studies::PlannedTrial* next = session_.ticket().trial;
  if (next == nullptr || trial_ != nullptr) return;
  const studies::PlannedSession& plan = session_.plan();
  const studies::PlannedSeat& seat = plan.players.front().periods[next->period - 1];
  const auto law = seat.conditions.find("law");
  Result<std::vector<std::string>> devices =
      playerDevices(study_.protocol, plan, next->period, request_.devices);
  if (!devices) {
    fail(devices.error());
    return;
  }
  SceneNeeds needs{studies::methodOf(seat),
                   law == seat.conditions.end() ? std::string() : law->second,
                   std::move(devices).value()};
  if ((opened_ != nullptr || loader_ != nullptr) && needs == needs_) return;
  Result<models::Scene> scene = studies::sceneOf(study_.protocol, seat);
  if (!scene) {
    fail(scene.error());
    return;
  }
  needs_ = std::move(needs);
  picture_.reset();
  mice_.clear();
  handOfMouse_.clear();
  loader_.reset();
  opened_.reset();
  SessionRequest request;
  request.devices = needs_.devices;
  loader_ = std::make_unique<SceneLoader>(std::move(scene).value(), request, CoreShare());
}

void StudyWindow::takeLoaded(render::Frame& frame) {
  Result<OpenedSession> opened = loader_->take();
  loader_.reset();
  if (!opened) {
    fail(opened.error());
    return;
  }
  opened_ = std::make_unique<OpenedSession>(std::move(opened).value());
  turnDevices(study_.protocol, *opened_);
  message_ = fmt::format("{}", fmt::join(opened_->notes, " "));
  picture_ = std::make_unique<SessionPicture>(*opened_, isSoftware_);
  for (std::size_t hand = 0; hand < opened_->devices.size(); ++hand) {
    haptics::PointerDevice* pointer = opened_->devices[hand].pointer;
    if (pointer == nullptr) continue;
    mice_.emplace_back(*pointer, opened_->setup.hands[hand].parameters.lengthScale);
    handOfMouse_.push_back(hand);
  }
  frame.view.camera = picture_->camera();
  frame.home = frame.view.camera;
}

void StudyWindow::showScene(render::Frame& frame) {
  if (!isTrialWanted()) {
    // behind a page nobody sees it, and processors that draw have better things to do
    render::SceneView empty;
    empty.camera = frame.view.camera;
    empty.floor.reset();
    frame.view = std::move(empty);
    return;
  }
  if (!frame.view.floor) frame.view.floor.emplace();
  if (trial_ != nullptr) {
    static_cast<void>(trial_->loop().snapshots().refresh());
    const haptics::TickSnapshot& tick = trial_->loop().snapshots().front();
    if (tick.bodyCount > 0) {
      picture_->fill(tick, layers_, frame.view);
    } else {
      picture_->fillStart(layers_, frame.view);
    }
  } else {
    picture_->fillStart(layers_, frame.view);
  }
  const studies::ProtocolTask& task = study_.protocol.task;
  if (task.kind == studies::TaskKind::Dock || task.kind == studies::TaskKind::Join) {
    for (const studies::TaskTarget& target : task.targets) {
      const auto hand =
          std::ranges::find(study_.protocol.scene.hands, target.hand, &models::SceneHand::name);
      picture_->addTarget(
          hand->tool, Eigen::Isometry3d(Eigen::Translation3d(target.position) * target.orientation),
          frame.view);
    }
  }
  keepFramed(frame);
}

void StudyWindow::keepFramed(render::Frame& frame) const {
  if (frame.width <= 0 || frame.height <= 0) return;
  frame.view.camera.verticalFieldOfView =
      render::OrbitCamera::fieldOfViewIn(static_cast<double>(frame.width) / frame.height,
                                         picture_->camera().verticalFieldOfView, kFramedAspect);
  frame.home.verticalFieldOfView = frame.view.camera.verticalFieldOfView;
}

// A trial.

void StudyWindow::startTrial() {
  check_.reset();
  // as the scene begins, not as the last trial has left it
  picture_ = std::make_unique<SessionPicture>(*opened_, isSoftware_);
  ticket_ = session_.ticket();
  const studies::PlannedSession& plan = session_.plan();
  const Result<response::ContactLaw> law = haptics::lawOf(opened_->loaded.scene.contact);
  if (!law) {
    fail(law.error());
    return;
  }
  recording_ = studies::recordingName(plan, *ticket_.trial, ticket_.attempt);
  studies::TrialRequest request;
  request.protocol = &study_.protocol;
  request.loaded = &opened_->loaded;
  request.law = law.value();
  request.method = needs_.method;
  request.session = &plan;
  request.trial = ticket_.trial;
  request.attempt = ticket_.attempt;
  request.timeScale = request_.timeScale;
  request.comparison = ticket_.comparison;
  request.recording = study_.path / (recording_ + studies::kUnfinished);
  request.version = TACTUS_VERSION;
  studies::TrialLoop::Parts parts;
  parts.hands = opened_->hands;
  parts.setup = studies::trialSetupOf(request, parts.hands);
  parts.devices.reserve(opened_->devices.size());
  for (const haptics::HandDevice& hand : opened_->devices)
    parts.devices.push_back(hand.device.get());
  parts.time = haptics::TimeSource::Wall;
  parts.meta = {{"schedule", request_.schedule},
                {"simulated_participants", request_.isRehearsal ? "rehearsal" : "false"}};
  for (const studies::PlannedPlayer& player : plan.players) {
    parts.meta["favours_right." + player.code] =
        player.favoursRight.value_or(true) ? "true" : "false";
  }
  Result<std::unique_ptr<studies::TrialLoop>> trial =
      studies::TrialLoop::prepare(request, std::move(parts));
  if (!trial) {
    session_.trialHasFailed(trial.error().sentence);
    check_ = std::make_unique<TimingCheck>();
    return;
  }
  trial_ = std::move(trial).value();
  parameters_ = trial_->begin();
  if (!changes_.empty()) {
    for (const Change& change : changes_)
      haptics::setParameter(parameters_, change.parameter, change.value);
    trial_->watch().wanted().back() = parameters_;
    trial_->watch().wanted().publish();
  }
  trial_->start();
}

void StudyWindow::leadTrial(const render::Frame& frame) {
  trial_->watch().setPaused(session_.screen().stage == SessionStage::Paused &&
                            !session_.isStopping());
  if (session_.isStopping()) trial_->watch().abort();
  const haptics::TickSnapshot& tick = trial_->loop().snapshots().front();
  for (std::size_t k = 0; k < mice_.size(); ++k) {
    const std::array<double, 3>& grip = tick.hands[handOfMouse_[k]].grip;
    mice_[k].frame(k + 1 == mice_.size() ? &frame.input : nullptr, frame.view.camera, frame.height,
                   {grip[0], grip[1], grip[2]}, frame.secondsSinceLast, haptics::monotonicNs());
  }
  if (trial_->hasEnded()) endTrial();
}

void StudyWindow::endTrial() {
  const Result<studies::TrialResult> result = trial_->finish();
  trial_.reset();
  check_ = std::make_unique<TimingCheck>();
  if (!result) {
    session_.trialHasFailed(result.error().sentence);
    return;
  }
  const studies::TrialResult& done = result.value();
  timing_.add(now_, {done.ticks, done.late, done.skipped});
  timingAt_ = 0.0;
  keepTiming();
  const std::filesystem::path part = study_.path / (recording_ + studies::kUnfinished);
  if (done.wasAborted) {
    // looked at by nobody but who wants to know why
    const auto stopped = study_.path / fmt::format("{}.stopped-{}", recording_, haptics::wallNs());
    static_cast<void>(studies::putRecording(part, stopped));
  } else if (const Result<Done> put = studies::putRecording(part, study_.path / recording_); !put) {
    session_.trialHasFailed(put.error().sentence);
    return;
  }
  session_.trialHasEnded(done, recording_);
}

void StudyWindow::changeParameter(std::size_t which, double value, const std::string& reason) {
  const ExperimenterView now = experimenterView();
  const std::size_t place = haptics::parameterNamed(now.parameters[which]);
  std::erase_if(changes_, [&](const Change& change) { return change.parameter == place; });
  changes_.push_back({place, value});
  session_.changeParameter(now.parameters[which], now.values[which], value, reason);
  if (trial_ == nullptr) return;
  haptics::setParameter(parameters_, place, value);
  trial_->watch().wanted().back() = parameters_;
  trial_->watch().wanted().publish();
}

// What is drawn over the picture.

ExperimenterView StudyWindow::experimenterView() const {
  ExperimenterView view;
  view.session = fmt::format("Session {} of '{}'", session_.plan().code, study_.protocol.title);
  view.devices = fmt::format("Devices: {}", fmt::join(needs_.devices, ", "));
  view.policy = request_.schedule;
  view.timing =
      request_.scheduleObjection.empty() ? timing_.objection() : request_.scheduleObjection;
  view.isRehearsal = request_.isRehearsal;
  view.message = message_;
  if (opened_ == nullptr) return view;
  haptics::TickParameters now =
      trial_ != nullptr ? parameters_ : haptics::parametersOf(opened_->setup);
  for (const Change& change : changes_)
    haptics::setParameter(now, change.parameter, change.value);
  for (const SessionHand& hand : opened_->hands) {
    for (const char* of : {"stiffness", "turnStiffness", "damping", "mostForce", "lengthScale"}) {
      std::string name = fmt::format("{}.{}", haptics::nameOf(hand.hand), of);
      const std::size_t place = haptics::parameterNamed(name);
      if (place == haptics::parameterCount()) continue;
      view.values.push_back(haptics::parameterAt(now, place));
      view.parameters.push_back(std::move(name));
    }
  }
  return view;
}

void StudyWindow::drawWidgets() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (size.x <= 0.0F || size.y <= 0.0F) return;
  StudyHud hud;
  hud.protocol = &study_.protocol;
  if (trial_ != nullptr) {
    static_cast<void>(trial_->watch().views().refresh());
    hud.trial = trial_->watch().views().front();
    hud.waiting = waitingText(trial_->loop().snapshots().front());
  }
  if (loader_ != nullptr) {
    const SceneLoader::Progress progress = loader_->progress();
    hud.progress = progress.text;
    hud.share = progress.share;
  }
  screens_.draw(session_, hud);
  const ExperimenterWish wish = screens_.drawExperimenter(experimenterView());
  if (!wish.note.empty()) session_.note(wish.note);
  if (wish.parameter) changeParameter(*wish.parameter, wish.value, wish.reason);
}

}  // namespace

ExitCode runStudyWindow(const studies::StudyFolder& study, studies::StudyJournal& journal,
                        studies::PeopleSession& session, const StudyWindowRequest& request) {
  return StudyWindow(study, journal, session, request).show();
}

}  // namespace tactus::app
