#include "app/scene_window.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/blinking_window.hpp"
#include "app/interruption.hpp"
#include "app/mouse_hand.hpp"
#include "app/object_source.hpp"
#include "app/output_place.hpp"
#include "app/panel/panel.hpp"
#include "app/panel/preset_file.hpp"
#include "app/recording_info.hpp"
#include "app/running_session.hpp"
#include "app/scene_additions.hpp"
#include "app/scene_loader.hpp"
#include "app/session_picture.hpp"
#include "app/view.hpp"
#include "haptics/loop/pacer.hpp"
#include "models/files/toml_entries.hpp"
#include "render/window.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::Error;
using models::Result;

constexpr double kMessageSeconds = 8.0;
// The scenes' cameras are set for pictures of 16:10 and leave a tenth free on either side. Where a
// window is narrower, or the panel takes its part of it, the picture is drawn smaller instead.
constexpr double kFramedAspect = 0.8 * 1.6;
// Of the force along the bar of a recording: a part is two or three pixels wide.
constexpr std::size_t kPartsOfOverview = 400;
// Percentiles over ten seconds change slowly.
constexpr double kTimingEvery = 0.5;  // [s]

ViewLayers layersOf(const ViewOptions& view) {
  ViewLayers layers;
  layers.showsEdges = view.showsEdges;
  layers.showsSpheres = view.showsSpheres;
  return layers;
}

/// The window of `tactus run` and of recordings: what is in it, from picture to picture.
class SceneWindow {
 public:
  SceneWindow(const SessionRequest& request, const ViewOptions& options)
      : request_(request),
        options_(options),
        blinking_(options.blinks),
        layers_(layersOf(options)) {}

  /// A scene, or if one is named a recording.
  ExitCode show(const std::optional<std::string>& recording = {});

 private:
  void eachFrame(render::Frame& frame);
  void drawWidgets();
  [[nodiscard]] Result<Done> openFirst(const std::optional<std::string>& recording,
                                       std::string& title);
  void look(const std::string& recording);
  void open(models::Scene scene);
  void takeLoaded(render::Frame& frame);
  void keepFramed(render::Frame& frame) const;
  void start(const std::optional<std::string>& recording, bool overwrites);
  void stop();
  void takeTick(render::Frame& frame);
  void takeRecorded(render::Frame& frame);
  void fillTiming(const Curves& curves);
  void moveHands(const render::Frame& frame);
  void pressKeys(const render::Frame& frame);
  void pressKeysOfReplay(const render::Frame& frame);
  void turn(char key);
  void publish();
  void obey(const PanelWishes& wishes);
  void obeyInReplay(const PanelWishes& wishes);
  void takeDropped(const std::string& file);
  /// What is shown: of the loop, or of a recording.
  [[nodiscard]] const haptics::TickSnapshot& shown() const;
  [[nodiscard]] models::Scene sceneAsItLies() const;
  void saveSetup();
  void savePreset(const std::string& file);
  void drawProgress();
  void drawHint() const;
  void say(const std::string& sentence);
  /// Forces end and devices are closed; the scene is forgotten.
  void close();

  SessionRequest request_;
  const ViewOptions& options_;
  CoreShare cores_;
  std::unique_ptr<SceneLoader> loader_;
  std::unique_ptr<OpenedSession> session_;
  std::unique_ptr<RunningSession> run_;      // ends before its session
  std::unique_ptr<RecordingPlayer> player_;  // then there is no run
  std::unique_ptr<SessionPicture> picture_;
  std::unique_ptr<ParameterHistory> parameters_;
  std::unique_ptr<Curves> curves_;
  std::vector<MouseHand> mice_;
  std::vector<std::size_t> handOfMouse_;
  std::size_t mouse_ = 0;  // of `mice_`, that moves now
  BlinkingWindow blinking_;
  Panel panel_;
  ViewLayers layers_;
  PanelWishes wishes_;
  PanelWishes pressed_;  ///< by keys and dropped files; the panel's are made anew with it
  TimingFigures timing_;
  std::vector<float> room_;
  std::string message_, pictureText_, recordingFile_;
  double loadedAt_ = 0.0;  // a recording
  double now_ = 0.0, messageUntil_ = 0.0, timingAt_ = 0.0, lastSeconds_ = 0.0;
  bool isSoftware_ = false, savesPicture_ = false, isFirst_ = true, showsHint_ = true;
  std::unique_ptr<models::Scene> before_;  // to go back to if the next one cannot be loaded
  std::optional<Error> failure_;           // before there was anything to show
  Json figures_;                           // of the last run
  ExitCode code_ = ExitCode::Good;
};

std::string freeName(const std::string& stem, const std::string& ending) {
  for (int number = 1;; ++number) {
    std::string name = fmt::format("{}-{}{}", stem, number, ending);
    std::error_code ignored;
    if (!std::filesystem::exists(name, ignored)) return name;
  }
}

bool isOver(const ImVec2& size) {
  return size.x > 0.0F && size.y > 0.0F;
}

Result<Done> SceneWindow::openFirst(const std::optional<std::string>& recording,
                                    std::string& title) {
  if (recording) {
    title = std::filesystem::path(*recording).filename().string();
    look(*recording);
    return Done{};
  }
  Result<models::Scene> scene = findSceneToRun(request_.scene);
  if (!scene) return scene.error();
  title = scene.value().title;
  open(std::move(scene).value());
  return Done{};
}

ExitCode SceneWindow::show(const std::optional<std::string>& recording) {
  const Interruption interruption;
  std::string title;
  if (const Result<Done> opened = openFirst(recording, title); !opened) {
    complain(opened.error().sentence);
    return exitCodeOf(opened.error());
  }
  render::SceneView view;
  render::WindowSettings settings;
  settings.width = options_.size.width;
  settings.height = options_.size.height;
  settings.quality = render::qualityNamed(options_.quality);
  settings.title = fmt::format("Tactus - {}", title);
  cores_.leaveLoopAlone();
  const Result<render::WindowReport> report = render::runWindow(
      settings, std::move(view), [this](render::Frame& frame) { eachFrame(frame); },
      [this] { drawWidgets(); });
  loader_.reset();
  stop();
  close();
  if (!report) {
    complain(report.error().sentence);
    return ExitCode::WorkFailed;
  }
  if (failure_) {
    complain(failure_->sentence);
    return exitCodeOf(*failure_);
  }
  const render::WindowReport& shown = report.value();
  figures_["render"] = {
      {"frames", shown.frames},
      {"fps", shown.framesPerSecond},
      {"frame_ms", {{"p50", shown.frameMillisecondsP50}, {"p95", shown.frameMillisecondsP95}}},
      {"draw_ms", {{"p50", shown.drawMillisecondsP50}, {"p95", shown.drawMillisecondsP95}}},
      {"quality", render::nameOf(shown.quality)},
      {"device", shown.device}};
  if (options_.blinks) figures_["render"]["tick_us"] = blinking_.figures();
  if (request_.asJson) printJson(figures_);
  return code_;
}

void SceneWindow::open(models::Scene scene) {
  if (session_ != nullptr) before_ = std::make_unique<models::Scene>(sceneAsItLies());
  stop();
  close();
  loader_ = std::make_unique<SceneLoader>(std::move(scene), request_, cores_);
}

void SceneWindow::look(const std::string& recording) {
  if (session_ != nullptr) before_ = std::make_unique<models::Scene>(sceneAsItLies());
  stop();
  close();
  loader_ = std::make_unique<SceneLoader>(recording, cores_);
}

void SceneWindow::close() {
  player_.reset();
  picture_.reset();
  mice_.clear();
  handOfMouse_.clear();
  parameters_.reset();
  session_.reset();
}

void SceneWindow::stop() {
  if (run_ == nullptr) return;
  run_->askToStop();
  if (const Result<Done> finished = run_->finish(); !finished) {
    complain(finished.error().sentence);
    say(finished.error().sentence);
    code_ = ExitCode::WorkFailed;
  }
  if (run_->isRecording()) say(fmt::format("The recording is in {}.", recordingFile_));
  figures_ = runJson(run_->figures());
  run_.reset();
}

void SceneWindow::start(const std::optional<std::string>& recording, bool overwrites) {
  stop();
  for (MouseHand& mouse : mice_)
    mouse.rest(haptics::monotonicNs());
  curves_ = std::make_unique<Curves>(session_->hands.size());
  lastSeconds_ = 0.0;
  RunSettings settings{.recording = recording,
                       .overwrites = overwrites,
                       .seconds = request_.seconds,
                       .hasSimulatedTime = false,
                       .parameters = parameters_->now(),
                       .cores = &cores_};
  Result<std::unique_ptr<RunningSession>> started = RunningSession::start(*session_, settings);
  if (!started && recording) {
    say(started.error().sentence);
    settings.recording.reset();
    started = RunningSession::start(*session_, settings);
  }
  if (!started) {
    say(started.error().sentence);
    return;
  }
  if (settings.recording) recordingFile_ = *settings.recording;
  run_ = std::move(started).value();
}

void SceneWindow::say(const std::string& sentence) {
  message_ = sentence;
  messageUntil_ = now_ + kMessageSeconds;
}

void SceneWindow::takeLoaded(render::Frame& frame) {
  Result<OpenedSession> opened = loader_->take();
  player_ = loader_->takePlayer();
  loader_.reset();
  if (!opened) {
    if (before_ != nullptr) {
      say(opened.error().sentence);
      loader_ = std::make_unique<SceneLoader>(std::move(*before_), request_, cores_);
      before_.reset();
    } else {
      failure_ = opened.error();
      frame.close = true;
    }
    return;
  }
  session_ = std::make_unique<OpenedSession>(std::move(opened).value());
  for (const std::string& note : session_->notes)
    say(note);
  parameters_ = std::make_unique<ParameterHistory>(haptics::parametersOf(session_->setup));
  picture_ = std::make_unique<SessionPicture>(*session_, isSoftware_);
  for (std::size_t hand = 0; hand < session_->devices.size(); ++hand) {
    haptics::PointerDevice* pointer = session_->devices[hand].pointer;
    if (pointer == nullptr) continue;
    const auto place = static_cast<std::size_t>(session_->hands[hand].hand);
    mice_.emplace_back(*pointer, parameters_->now().hands[place].lengthScale);
    handOfMouse_.push_back(hand);
  }
  // The right one, if there are two.
  mouse_ = mice_.empty() ? 0 : mice_.size() - 1;
  frame.view.camera = picture_->camera();
  frame.home = frame.view.camera;
  frame.beginsReport = isFirst_;
  layers_.bodyOfLayers = -1;
  if (player_ != nullptr) {
    loadedAt_ = now_;
    isFirst_ = false;
    return;
  }
  start(isFirst_ ? request_.recording : std::nullopt, isFirst_ && request_.overwrites);
  isFirst_ = false;
}

void SceneWindow::eachFrame(render::Frame& frame) {
  now_ = frame.seconds;
  isSoftware_ = frame.isSoftwareRenderer;
  if (Interruption::wasAsked()) frame.close = true;
  if (loader_ != nullptr && loader_->isDone()) takeLoaded(frame);
  if (frame.captured) {
    const std::string file = freeName("tactus", ".png");
    const Result<Done> written = render::writePng(*frame.captured, file);
    say(written ? fmt::format("The picture is in {}.", file) : written.error().sentence);
  }
  pictureText_ = fmt::format("{:.0f} a second, quality {}{}", frame.framesPerSecond,
                             render::nameOf(frame.quality),
                             frame.isSoftwareRenderer ? ", drawn in software" : "");
  obey(std::exchange(pressed_, {}));
  obey(std::exchange(wishes_, {}));
  if (session_ != nullptr && run_ != nullptr) {
    pressKeys(frame);
    takeTick(frame);
    moveHands(frame);
    frame.hides = blinking_.hides(now_);
    if (run_->hasEnded()) frame.close = true;
  }
  if (session_ != nullptr && player_ != nullptr) {
    pressKeysOfReplay(frame);
    takeRecorded(frame);
    if (options_.seconds && now_ - loadedAt_ >= *options_.seconds) frame.close = true;
  }
  frame.takesPointer = !mice_.empty();
  if (session_ != nullptr && panel_.isOpen())
    frame.coveredRight = static_cast<int>(std::lround(Panel::widthAt(frame.contentScale)));
  if (picture_ != nullptr) keepFramed(frame);
  frame.capture = std::exchange(savesPicture_, false);
  for (const std::filesystem::path& file : frame.droppedFiles)
    takeDropped(file.string());
}

void SceneWindow::keepFramed(render::Frame& frame) const {
  const int open = frame.width - frame.coveredRight;
  if (open <= 0 || frame.height <= 0) return;
  frame.view.camera.verticalFieldOfView =
      render::OrbitCamera::fieldOfViewIn(static_cast<double>(open) / frame.height,
                                         picture_->camera().verticalFieldOfView, kFramedAspect);
  frame.home.verticalFieldOfView = frame.view.camera.verticalFieldOfView;
}

void SceneWindow::takeTick(render::Frame& frame) {
  publish();
  static_cast<void>(run_->loop().snapshots().refresh());
  run_->trace().drain([this](const haptics::TracePoint& point) {
    curves_->add(point);
    blinking_.add(point);
  });
  const haptics::TickSnapshot& tick = run_->loop().snapshots().front();
  if (tick.bodyCount == 0) {
    picture_->fillStart(layers_, frame.view);
  } else {
    picture_->fill(tick, layers_, frame.view);
  }
  fillTiming(*curves_);
}

void SceneWindow::fillTiming(const Curves& curves) {
  if (now_ < timingAt_) return;
  timing_ = timingOf(curves, room_);
  timingAt_ = now_ + kTimingEvery;
}

void SceneWindow::takeRecorded(render::Frame& frame) {
  player_->advance(frame.secondsSinceLast);
  parameters_->edit(player_->parameters());
  picture_->fill(player_->snapshot(), layers_, frame.view);
  fillTiming(player_->curves());
  if (!player_->failure().empty()) say(player_->failure());
}

/// The loop takes the newest parameters over between two ticks.
void SceneWindow::publish() {
  run_->loop().parameters().back() = parameters_->now();
  run_->loop().parameters().publish();
}

void SceneWindow::moveHands(const render::Frame& frame) {
  const haptics::TickSnapshot& tick = run_->loop().snapshots().front();
  for (std::size_t k = 0; k < mice_.size(); ++k) {
    const std::array<double, 3>& grip = tick.hands[handOfMouse_[k]].grip;
    mice_[k].frame(k == mouse_ ? &frame.input : nullptr, frame.view.camera, frame.height,
                   {grip[0], grip[1], grip[2]}, frame.secondsSinceLast, haptics::monotonicNs());
  }
}

void SceneWindow::pressKeys(const render::Frame& frame) {
  for (const char key : frame.keysPressed) {
    haptics::TickParameters wanted = parameters_->now();
    turn(key);
    switch (key) {
      case 'R':
        pressed_.resets = true;
        break;
      case 'X':
        if (!mice_.empty()) mouse_ = (mouse_ + 1) % mice_.size();
        break;
      case 'B':
        if (!panel_.isLocked()) parameters_->toggle();
        break;
      case 'Z':
        if (!panel_.isLocked()) parameters_->undo();
        break;
      case 'V':
        if (!panel_.isLocked()) {
          wanted.law = response::isOfPoints(wanted.law) ? response::ContactLaw::Depth
                                                        : response::ContactLaw::PointDepth;
          parameters_->edit(wanted);
          parameters_->settle();
        }
        break;
      case '.':
        ++wanted.steps;
        parameters_->edit(wanted);
        break;
      case '0':
        wanted.isPaused = !wanted.isPaused;
        parameters_->edit(wanted);
        break;
      default:
        break;
    }
  }
}

/// Keys that change no more than what is shown.
void SceneWindow::turn(char key) {
  if (key == 'P') panel_.toggle();
  if (key == 'H') showsHint_ = !showsHint_;
}

void SceneWindow::pressKeysOfReplay(const render::Frame& frame) {
  for (const char key : frame.keysPressed) {
    turn(key);
    if (key == '0') pressed_.plays = !player_->isPlaying();
    if (key == '.') pressed_.steps = 1;
    if (key == ',') pressed_.steps = -1;
    if (key == 'R') pressed_.goesTo = player_->firstTick();
  }
}

void SceneWindow::obeyInReplay(const PanelWishes& wishes) {
  if (wishes.playsAt) player_->setSpeed(*wishes.playsAt);
  if (wishes.goesTo) player_->goTo(*wishes.goesTo);
  if (wishes.steps != 0) player_->step(wishes.steps);
  if (wishes.plays) player_->play(*wishes.plays);
  if (wishes.leavesReplay) open(models::Scene(session_->loaded.scene));
}

void SceneWindow::obey(const PanelWishes& wishes) {
  if (wishes.savesPicture) savesPicture_ = true;
  if (session_ == nullptr) return;
  if (player_ != nullptr) obeyInReplay(wishes);
  if (wishes.opensRecording) {
    look(*wishes.opensRecording);
    return;
  }
  if (wishes.resets) start(std::nullopt, false);
  if (wishes.startsRecording) start(freeName(session_->loaded.scene.name, ".tacr"), false);
  if (wishes.stopsRecording) start(std::nullopt, false);
  if (wishes.givesMouseTo) {
    const auto found = std::ranges::find(handOfMouse_, *wishes.givesMouseTo);
    if (found != handOfMouse_.end())
      mouse_ = static_cast<std::size_t>(found - handOfMouse_.begin());
  }
  if (wishes.savesPreset) savePreset(*wishes.savesPreset);
  if (wishes.savesSetup) saveSetup();
  if (wishes.loadsPreset) {
    haptics::TickParameters wanted = parameters_->now();
    const Result<std::string> text = models::readSmallText(*wishes.loadsPreset);
    const Result<Done> read =
        text ? readPreset(text.value(), *wishes.loadsPreset, wanted) : Result<Done>(text.error());
    if (read) {
      parameters_->edit(wanted);
      parameters_->settle();
    }
    say(read ? fmt::format("{} is loaded; numbers move there within a second.", *wishes.loadsPreset)
             : read.error().sentence);
  }
  if (wishes.opensScene) {
    Result<models::Scene> scene = models::findScene(*wishes.opensScene);
    if (scene) {
      request_.scene = *wishes.opensScene;
      open(std::move(scene).value());
    } else {
      say(scene.error().sentence);
    }
  }
}

void SceneWindow::savePreset(const std::string& file) {
  const Result<Done> written = writeNewFile(file, presetText(parameters_->now(), session_->setup));
  say(written ? fmt::format("The preset is in {}.", file) : written.error().sentence);
}

const haptics::TickSnapshot& SceneWindow::shown() const {
  return player_ != nullptr ? player_->snapshot() : run_->loop().snapshots().front();
}

/// The scene with its bodies where they are now.
models::Scene SceneWindow::sceneAsItLies() const {
  models::Scene scene = session_->loaded.scene;
  if (run_ == nullptr && player_ == nullptr) return scene;
  const haptics::TickSnapshot& tick = shown();
  for (std::size_t body = 0; body < std::min<std::size_t>(tick.bodyCount, scene.bodies.size());
       ++body) {
    const haptics::TickSnapshot::Pose& pose = tick.bodies[body];
    scene.bodies[body].position = {pose.position[0], pose.position[1], pose.position[2]};
    scene.bodies[body].orientation = Eigen::Quaterniond(pose.orientation[0], pose.orientation[1],
                                                        pose.orientation[2], pose.orientation[3]);
  }
  return scene;
}

void SceneWindow::saveSetup() {
  const std::string scene = freeName(session_->loaded.scene.name, ".toml");
  const std::string preset =
      fmt::format("{}.preset.toml", std::filesystem::path(scene).stem().string());
  Result<Done> written = writeNewFile(scene, models::sceneText(sceneAsItLies()));
  if (written) written = writeNewFile(preset, presetText(parameters_->now(), session_->setup));
  say(written ? fmt::format("The scene is in {}, its parameters in {}.", scene, preset)
              : written.error().sentence);
}

/// A mesh becomes one more body that falls into the scene; a scene or a recording is opened.
void SceneWindow::takeDropped(const std::string& file) {
  if (session_ == nullptr) return;
  if (file.ends_with(".toml")) {
    pressed_.opensScene = file;
    return;
  }
  if (isRecording(file)) {
    pressed_.opensRecording = file;
    return;
  }
  Result<models::Scene> scene = sceneWithModel(sceneAsItLies(), file);
  if (!scene) {
    say(scene.error().sentence);
    return;
  }
  open(std::move(scene).value());
}

void SceneWindow::drawWidgets() {
  if (!isOver(ImGui::GetIO().DisplaySize)) return;
  if (loader_ != nullptr) drawProgress();
  if (session_ == nullptr || (run_ == nullptr && player_ == nullptr)) return;
  PanelModel model{
      .session = *session_,
      .snapshot = shown(),
      .parameters = *parameters_,
      .curves = player_ != nullptr ? player_->curves() : *curves_,
      .timing = timing_,
      .layers = layers_,
      .policy = run_ != nullptr ? run_->policy() : std::string(),
      .picture = pictureText_,
      .isRecording = run_ != nullptr && run_->isRecording(),
      .droppedRecords = run_ != nullptr ? run_->droppedRecords() : 0,
      .recordingFile = recordingFile_,
      .message = now_ < messageUntil_ ? message_ : std::string(),
      .mouseHand = handOfMouse_.empty() ? session_->hands.size() : handOfMouse_[mouse_],
      .replay = {}};
  if (player_ != nullptr) {
    model.replay = ReplayFigures{.file = player_->file(),
                                 .firstTick = player_->firstTick(),
                                 .lastTick = player_->lastTick(),
                                 .tick = player_->tick(),
                                 .isPlaying = player_->isPlaying(),
                                 .speed = player_->speed(),
                                 .speeds = RecordingPlayer::kSpeeds,
                                 .overview = player_->overview(kPartsOfOverview)};
  }
  wishes_ = panel_.draw(model);
  if (showsHint_) drawHint();
}

void SceneWindow::drawProgress() {
  const SceneLoader::Progress progress = loader_->progress();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(0.8F * screen.x, 40.0F * ImGui::GetFontSize());
  ImGui::SetNextWindowPos(ImVec2(0.5F * screen.x, 0.5F * screen.y), ImGuiCond_Always,
                          ImVec2(0.5F, 0.5F));
  ImGui::SetNextWindowSize(ImVec2(width, 0.0F));
  ImGui::Begin("progress", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
  ImGui::TextUnformatted("Making the scene's objects ready to be felt");
  ImGui::ProgressBar(static_cast<float>(progress.share));
  ImGui::TextWrapped("%s", progress.text.c_str());
  if (progress.secondsLeft) ImGui::TextDisabled("about %.0f s left", *progress.secondsLeft);
  if (ImGui::Button("Cancel")) loader_->cancel();
  ImGui::TextDisabled("What is built is kept: the next time opens at once.");
  ImGui::End();
}

void SceneWindow::drawHint() const {
  constexpr float kMargin = 12.0F;  // [px]
  ImGui::SetNextWindowPos(ImVec2(kMargin, kMargin));
  ImGui::SetNextWindowBgAlpha(0.75F);
  ImGui::Begin("hint", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBringToFrontOnFocus);
  if (mice_.empty()) {
    ImGui::TextUnformatted("left drag: turn   right drag: move   wheel: zoom   Home: back");
  } else {
    ImGui::TextUnformatted("left drag: move the hand   wheel: away and back   with Shift: turn it");
    ImGui::TextUnformatted("keys W A S D Q E: the same   Space: close the fingers   C: clutch");
    if (mice_.size() > 1) ImGui::TextUnformatted("X: the other hand");
    ImGui::TextUnformatted("right drag: turn the view   middle drag: move it   Ctrl+wheel: zoom");
  }
  if (player_ != nullptr) {
    ImGui::TextUnformatted("draw the bar below to any moment");
    ImGui::TextDisabled(
        "0: play or pause   , and .: a tick back or on   R: to the beginning   P: panel   H: hide  "
        " "
        "Esc: close");
    ImGui::End();
    return;
  }
  ImGui::TextDisabled(
      "0: pause   R: reset   V: IST or VPS   B: A or B   Z: undo   P: panel   H: hide   Esc: "
      "close");
  ImGui::End();
}

}  // namespace

ExitCode runSceneWindow(const SessionRequest& request, const ViewOptions& view) {
  if (request.recording) {
    if (const Result<Done> place = checkRecordingPlace(*request.recording, request.overwrites);
        !place) {
      complain(place.error().sentence);
      return ExitCode::BadInput;
    }
  }
  return SceneWindow(request, view).show();
}

ExitCode runRecordingWindow(const ReplayRequest& request, const ViewOptions& view) {
  SessionRequest session;
  session.asJson = request.asJson;
  return SceneWindow(session, view).show(request.recording);
}

ExitCode drawScenePicture(const SessionRequest& request, const ViewOptions& view) {
  if (const Result<Done> place = checkPicturePlace(view); !place) {
    complain(place.error().sentence);
    return ExitCode::BadInput;
  }
  const auto refuse = [](const Error& error) {
    complain(error.sentence);
    return exitCodeOf(error);
  };
  Result<models::Scene> scene = findSceneToRun(request.scene);
  if (!scene) return refuse(scene.error());
  Result<OpenedSession> opened =
      openSession(std::move(scene).value(), request, UsualDevice::Simulated);
  if (!opened) return refuse(opened.error());
  OpenedSession& session = opened.value();
  SessionPicture picture(session, false);
  render::SceneView shown;
  shown.camera = picture.camera();
  const ViewLayers layers = layersOf(view);
  if (!view.seconds) {
    picture.fillStart(layers, shown);
    return writeView(shown, view);
  }
  Result<std::unique_ptr<RunningSession>> run =
      RunningSession::start(session, {.recording = request.recording,
                                      .overwrites = request.overwrites,
                                      .seconds = view.seconds,
                                      .hasSimulatedTime = true,
                                      .parameters = {},
                                      .cores = nullptr});
  if (!run) return refuse(run.error());
  if (const Result<Done> finished = run.value()->finish(); !finished)
    return refuse(finished.error());
  haptics::TripleBuffer<haptics::TickSnapshot>& snapshots = run.value()->loop().snapshots();
  if (snapshots.refresh()) picture.fill(snapshots.front(), layers, shown);
  return writeView(shown, view);
}

}  // namespace tactus::app
