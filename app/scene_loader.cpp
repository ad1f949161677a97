#include "app/scene_loader.hpp"

#include <fmt/format.h>

#include <utility>

#include "app/build_progress.hpp"
#include "app/drawing_copies.hpp"
#include "models/files/file_label.hpp"

namespace tactus::app {
namespace {

using Clock = std::chrono::steady_clock;
using models::Result;

// Of a model's time; shares of what building took for the shipped scenes.
double shareOf(const collision::BuildProgress& build) {
  using collision::BuildStage;
  switch (build.stage) {
    case BuildStage::Checking:
      return 0.0;
    case BuildStage::Packing:
      return 0.05 + 0.4 * build.packing.share;
    case BuildStage::Cells:
      return 0.45 + 0.2 * build.share;
    case BuildStage::Tree:
      return 0.65;
    case BuildStage::Facets:
      return 0.7;
    case BuildStage::Voxmap:
      return 0.75 + 0.15 * build.voxmap.share;
    case BuildStage::Points:
      return 0.9 + 0.1 * build.share;
  }
  return 0.0;
}

// Less than this share of the work says nothing about the rest.
constexpr double kLeastForEstimate = 0.05;

double secondsSince(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

}  // namespace

SceneLoader::SceneLoader(models::Scene scene, const SessionRequest& request, const CoreShare& cores)
    : began_(Clock::now()), buildBegan_(began_) {
  progress_.text = "reading the scene";
  start(cores, [this, scene = std::move(scene), request]() mutable {
    return openSession(std::move(scene), request, UsualDevice::FoundElseMouse,
                       [this](const LoadingStep& step) { return note(step); });
  });
}

SceneLoader::SceneLoader(const std::string& recording, const CoreShare& cores)
    : began_(Clock::now()), buildBegan_(began_) {
  progress_.text = "reading the recording";
  start(cores, [this, recording] { return openRecording(recording); });
}

void SceneLoader::start(const CoreShare& cores, std::function<Result<OpenedSession>()> open) {
  thread_ = std::thread([this, cores, open = std::move(open)] {
    cores.takeAll();
    Result<OpenedSession> opened = open();
    if (opened) opened.value().drawingCopies = drawingCopies(opened.value().loaded);
    outcome_ = std::move(opened);
    isDone_ = true;
  });
}

Result<OpenedSession> SceneLoader::openRecording(const std::string& file) {
  const std::string shown = models::printable(file);
  Result<haptics::RecordingReader> reader = haptics::RecordingReader::open(file);
  if (!reader) return reader.error();
  Result<RecordedSession> recorded = openRecordedSession(
      reader.value(), shown, [this](const LoadingStep& step) { return note(step); });
  if (!recorded) return recorded.error();
  Result<std::unique_ptr<RecordingPlayer>> player =
      RecordingPlayer::open(file, std::move(reader).value(), recorded.value());
  if (!player) return player.error();
  player_ = std::move(player).value();
  if (!recorded.value().hasSameObjects) {
    recorded.value().session.notes.push_back(
        "A model has changed since the recording: what touches may look otherwise.");
  }
  return std::move(recorded.value().session);
}

SceneLoader::~SceneLoader() {
  cancel();
  if (thread_.joinable()) thread_.join();
}

Result<OpenedSession> SceneLoader::take() {
  thread_.join();
  if (!outcome_) return models::Error{models::Reason::Cancelled, -1, "Nothing was loaded."};
  return std::move(*outcome_);
}

bool SceneLoader::note(const LoadingStep& step) {
  if (step.model != model_) buildBegan_ = Clock::now();
  model_ = step.model;
  Progress progress;
  const double ofModel = step.build ? shareOf(*step.build) : 0.0;
  progress.share = step.models == 0 ? 0.0
                                    : (static_cast<double>(step.model) + ofModel) /
                                          static_cast<double>(step.models);
  progress.text = step.name;
  if (step.build) progress.text += ": " + progressText(*step.build, secondsSince(buildBegan_));
  if (progress.share > kLeastForEstimate)
    progress.secondsLeft = secondsSince(began_) * (1.0 - progress.share) / progress.share;
  const std::lock_guard lock(mutex_);
  progress_ = std::move(progress);
  return !isCancelled_;
}

SceneLoader::Progress SceneLoader::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

}  // namespace tactus::app
