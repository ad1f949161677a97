#include "studies/runner/trial_watch.hpp"

#include <algorithm>
#include <cstring>

namespace tactus::studies {
namespace {

using haptics::HapticTick;
using haptics::RecordRing;

bool haveAllForce(const HapticTick& tick) noexcept {
  for (std::size_t k = 0; k < tick.handCount(); ++k) {
    if (tick.result(k).response.safe.phase != response::SafetyPhase::Active) return false;
  }
  return true;
}

}  // namespace

TrialWatch::TrialWatch(TrialSheet& sheet, TrialDoer* doer, haptics::Recorder& recorder,
                       std::size_t firstStream, std::size_t hands, std::size_t bodies,
                       const WatchSettings& settings)
    : sheet_(sheet),
      doer_(doer),
      recorder_(recorder),
      firstStream_(firstStream),
      settings_(settings),
      pressCounter_(settings.tickSeconds),
      hands_(hands),
      contacts_(hands),
      bodies_(bodies) {}

void TrialWatch::attach(haptics::HapticLoop& loop, const haptics::TickParameters& parameters) {
  loop_ = &loop;
  parameters_ = parameters;
}

void TrialWatch::see(const RecordRing::Stamp& stamp, const haptics::TickInputs& inputs,
                     const HapticTick& tick,
                     std::span<const haptics::DeviceStatus> written) noexcept {
  obey(stamp, tick);
  begin(stamp, tick, inputs.number);
  const std::uint16_t now = stage();
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Eigen::Vector3d place = tick.world().pose(k).translation();
    const Eigen::Quaterniond& turn = tick.world().motion(k).turn;
    bodies_[k] = {{place.x(), place.y(), place.z()}, {turn.w(), turn.x(), turn.y(), turn.z()}};
  }
  for (std::size_t k = 0; k < hands_.size(); ++k) {
    hands_[k] = haptics::handRecord(inputs.hands[k], tick.result(k), tick.response(k), written[k]);
    const response::ContactLoad& load = tick.result(k).response.tool.contact;
    ContactRecord& contact = contacts_[k];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto at = static_cast<Eigen::Index>(axis);
      contact.force[axis] = static_cast<float>(load.wrench.force[at]);
      contact.torque[axis] = static_cast<float>(load.wrench.torque[at]);
    }
    contact.volume = static_cast<float>(load.volume);
    contact.touches = load.wrench.force.squaredNorm() > 0.0 ? 1 : 0;
    contact.stage = now;
    recorder_.push(firstStream_ + k, stamp, &contact);
    if (now != 0 && inputs.hands[k].status.has(haptics::DeviceFlag::Lost)) wasDeviceLost_ = true;
  }
  sheet_.add(hands_, contacts_, bodies_);
  if (doer_ != nullptr) {
    doer_->see(bodies_, static_cast<double>(inputs.number) * settings_.tickSeconds);
  } else if (now != 0) {
    pressCounter_.add(contacts_.front());
  }
  if (now == 2 && !hasSecond_) {
    hasSecond_ = true;
    note(stamp, "second_press");
    parameters_.hands[static_cast<std::size_t>(tick.handOf(0))].stiffness =
        settings_.secondStiffness;
    publishParameters();
  }
  if (!isOver_ && isDone()) end(stamp, "end");
  if (isOver_ && fadeLeft_-- == 0) {
    fadeLeft_ = 0;
    stops_ = true;
  }
  publishView();
}

/// What the other thread wants.
void TrialWatch::obey(const RecordRing::Stamp& stamp, const HapticTick& tick) noexcept {
  if (isOver_) return;
  if (wantsAbort_.load(std::memory_order_relaxed)) {
    wasAborted_ = true;
    end(stamp, "abort");
    return;
  }
  bool isChanged = false;
  if (wanted_.refresh()) {
    const bool isPaused = parameters_.isPaused;
    const std::size_t first = static_cast<std::size_t>(tick.handOf(0));
    parameters_ = wanted_.front();
    parameters_.isPaused = isPaused;
    if (hasSecond_) parameters_.hands[first].stiffness = settings_.secondStiffness;
    isChanged = true;
  }
  const bool wantsPause = wantsPause_.load(std::memory_order_relaxed);
  if (wantsPause != parameters_.isPaused) {
    parameters_.isPaused = wantsPause;
    isChanged = true;
    wasPaused_ = true;
    note(stamp, wantsPause ? "pause" : "go_on");
  }
  if (wantsPause) {
    isHeld_ = true;
  } else if (isHeld_ && haveAllForce(tick)) {
    isHeld_ = false;
  }
  if (isChanged) publishParameters();
}

void TrialWatch::begin(const RecordRing::Stamp& stamp, const HapticTick& tick,
                       std::uint64_t number) noexcept {
  if (hasStarted_ || isOver_) return;
  if (settings_.startTick) {
    hasStarted_ = number >= *settings_.startTick;
  } else {
    countIn_ = !isHeld_ && haveAllForce(tick) ? countIn_ + 1 : 0;
    hasStarted_ = countIn_ > kCountInTicks;
  }
  if (hasStarted_) note(stamp, "start");
}

void TrialWatch::end(const RecordRing::Stamp& stamp, const char* name) noexcept {
  isOver_ = true;
  fadeLeft_ = settings_.fadeTicks;
  note(stamp, name);
  if (fadeLeft_ == 0) return;
  parameters_.isPaused = true;
  publishParameters();
}

void TrialWatch::publishParameters() noexcept {
  loop_->parameters().back() = parameters_;
  loop_->parameters().publish();
}

void TrialWatch::publishView() noexcept {
  TrialView& view = views_.back();
  view.ticks = sheet_.ticks();
  view.limitTicks = settings_.limitTicks;
  view.countIn = hasStarted_ || countIn_ == 0 ? 0 : kCountInTicks + 1 - countIn_;
  view.hasStarted = hasStarted_;
  view.isHeld = isHeld_;
  view.isOver = isOver_;
  view.presses = presses();
  for (std::size_t side = 0; side < view.scores.size(); ++side) {
    view.scores[side] = side < sheet_.judge().sides() && settings_.kind == TaskKind::Pocket
                            ? static_cast<std::uint32_t>(sheet_.judge().score(side))
                            : 0;
  }
  views_.publish();
}

int TrialWatch::presses() const noexcept {
  return doer_ != nullptr ? doer_->presses() : pressCounter_.presses();
}

std::uint16_t TrialWatch::stage() const noexcept {
  if (!hasStarted_ || isHeld_ || isOver_) return 0;
  if (settings_.kind != TaskKind::Press) return 1;
  return static_cast<std::uint16_t>(1 + std::min(presses(), 2));
}

bool TrialWatch::isDone() const noexcept {
  if (sheet_.ticks() >= settings_.limitTicks) return true;
  if (settings_.kind == TaskKind::Press) return !contacts_.empty() && contacts_.front().stage == 3;
  if (settings_.ends == BlockEnd::Success) return sheet_.judge().isDone();
  return settings_.ends == BlockEnd::EachPocketed && sheet_.judge().hasEachPocketed();
}

void TrialWatch::note(const RecordRing::Stamp& stamp, const char* name) noexcept {
  haptics::RecorderNote what;
  std::strncpy(what.name.data(), name, what.name.size() - 1);
  recorder_.note(stamp, what);
}

}  // namespace tactus::studies
