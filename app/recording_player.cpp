#include "app/recording_player.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "haptics/tick/tick_parameters.hpp"

namespace tactus::app {
namespace {

using haptics::BodyRecord;
using haptics::HandRecord;
using haptics::RecordingReader;
using haptics::TickRecord;
using haptics::TickSnapshot;
using models::Done;
using models::Result;

// Five hours and more at 1 kHz, for whose curves there is room. A damaged file may claim anything.
constexpr std::uint64_t kMostTicks = 20'000'000;

/// Of a hand without motors what it would have felt, as the loop's own snapshots.
template <typename Take>
void shownWrench(const HandRecord& record, bool hasMotors, Take take) {
  for (int k = 0; k < 3; ++k) {
    const auto gain = static_cast<double>(record.gain);
    take(static_cast<std::size_t>(k),
         hasMotors ? record.force[k] : gain * static_cast<double>(record.couplingForce[k]),
         hasMotors ? record.torque[k] : gain * static_cast<double>(record.couplingTorque[k]));
  }
}

float lengthOf(const std::array<double, 3>& v) {
  return static_cast<float>(Eigen::Vector3d(v[0], v[1], v[2]).norm());
}

template <typename Number>
std::array<double, 3> numbersOf(const Number (&v)[3]) {
  return {v[0], v[1], v[2]};
}

TickSnapshot::Pose poseOf(const double (&position)[3], const double (&orientation)[4]) {
  return {numbersOf(position), {orientation[0], orientation[1], orientation[2], orientation[3]}};
}

}  // namespace

RecordingPlayer::RecordingPlayer(const std::string& file, RecordingReader recording,
                                 const RecordedSession& recorded)
    : file_(file),
      recording_(std::move(recording)),
      begin_(recorded.parameters),
      parameters_(recorded.parameters),
      ticks_(recording_, "tick", sizeof(TickRecord)),
      bodies_(recording_, "bodies", recorded.session.setup.bodies.size() * sizeof(BodyRecord)),
      bodyRecords_(recorded.session.setup.bodies.size()),
      curves_(recorded.session.hands.size()) {
  hands_.reserve(recorded.session.hands.size());
  for (std::size_t k = 0; k < recorded.session.hands.size(); ++k) {
    const SessionHand& hand = recorded.session.hands[k];
    const response::HandSetup& setup = recorded.session.setup.hands[k].setup;
    hands_.push_back(
        {.records = haptics::StreamCursor(
             recording_, "hand." + std::string(haptics::nameOf(hand.hand)), sizeof(HandRecord)),
         .sceneFromDevice = setup.workspace.sceneFromDevice,
         .toolFromGrip = setup.toolFromGrip,
         .place = static_cast<std::size_t>(hand.hand),
         .hasMotors = hand.capabilities.actuatesPosition,
         .force = {},
         .torque = {}});
  }
}

Result<std::unique_ptr<RecordingPlayer>> RecordingPlayer::open(const std::string& file,
                                                               RecordingReader recording,
                                                               const RecordedSession& recorded) {
  std::unique_ptr<RecordingPlayer> player(
      new RecordingPlayer(file, std::move(recording), recorded));
  const haptics::RecordingSummary summary = player->recording_.summary();
  if (summary.ticks == 0) {
    return models::Error{models::Reason::BadValue, -1,
                         file + ": there is no tick in this recording."};
  }
  if (summary.lastTick - summary.firstTick >= kMostTicks) {
    return models::Error{models::Reason::Unsupported, -1,
                         file +
                             ": this recording is too long to be looked at as a whole; 'tactus "
                             "replay' runs it again."};
  }
  player->first_ = summary.firstTick;
  player->last_ = summary.lastTick;
  if (const Result<Done> read = player->readCurves(); !read) return read.error();
  player->goTo(player->first_);
  return player;
}

Result<Done> RecordingPlayer::readCurves() {
  const std::size_t count = last_ - first_ + 1;
  computeUs_.resize(count);
  for (HandOfRecording& hand : hands_) {
    hand.force.resize(count);
    hand.torque.resize(count);
  }
  for (std::size_t k = 0; k < count; ++k) {
    TickRecord tick;
    Result<bool> found = ticks_.at(first_ + k, &tick);
    if (!found) return found.error();
    computeUs_[k] = tick.computeUs;
    for (HandOfRecording& hand : hands_) {
      HandRecord record;
      found = hand.records.at(first_ + k, &record);
      if (!found) return found.error();
      std::array<double, 3> force{};
      std::array<double, 3> torque{};
      shownWrench(record, hand.hasMotors, [&](std::size_t axis, double f, double t) {
        force[axis] = f;
        torque[axis] = t;
      });
      hand.force[k] = lengthOf(force);
      hand.torque[k] = lengthOf(torque);
    }
  }
  return Done{};
}

bool RecordingPlayer::has(haptics::StreamCursor& records, std::uint64_t tick, void* record) {
  const Result<bool> found = records.at(tick, record);
  if (!found) failure_ = found.error().sentence;
  return found && found.value();
}

void RecordingPlayer::goTo(std::uint64_t tick) {
  tick = std::clamp(tick, first_, last_);
  at_ = static_cast<double>(tick);
  failure_.clear();
  fillParameters(tick);  // the arrows' scale is one
  fillSnapshot(tick);
  fillCurves(tick);
}

void RecordingPlayer::step(std::int64_t ticks) {
  isPlaying_ = false;
  const std::int64_t wanted = static_cast<std::int64_t>(tick()) + ticks;
  goTo(static_cast<std::uint64_t>(std::max(wanted, static_cast<std::int64_t>(first_))));
}

void RecordingPlayer::play(bool plays) {
  if (plays && tick() >= last_) goTo(first_);
  isPlaying_ = plays;
}

void RecordingPlayer::advance(double seconds) {
  if (!isPlaying_) return;
  const double next = at_ + seconds * speed_ / kTickSeconds;
  goTo(static_cast<std::uint64_t>(next));
  at_ = std::min(next, static_cast<double>(last_));
  if (tick() >= last_) isPlaying_ = false;
}

void RecordingPlayer::fillSnapshot(std::uint64_t tick) {
  snapshot_.number = tick;
  snapshot_.seconds = static_cast<double>(tick) * kTickSeconds;
  snapshot_.bodyCount = static_cast<std::uint32_t>(bodyRecords_.size());
  snapshot_.handCount = static_cast<std::uint32_t>(hands_.size());
  // What a tick lacks stays as it was: a loop that had to skip did not move it either.
  if (has(bodies_, tick, bodyRecords_.data())) {
    for (std::size_t body = 0; body < bodyRecords_.size(); ++body)
      snapshot_.bodies[body] = poseOf(bodyRecords_[body].position, bodyRecords_[body].orientation);
  }
  TickRecord record;
  if (has(ticks_, tick, &record)) {
    snapshot_.computeUs = static_cast<double>(record.computeUs);
    snapshot_.counters = {};
    snapshot_.counters.touching = record.touching;
    snapshot_.counters.queried = record.queried;
    snapshot_.counters.cut = record.cut;
    snapshot_.counters.asleep = record.asleep;
  }
  for (std::size_t hand = 0; hand < hands_.size(); ++hand) {
    HandRecord of;
    if (!has(hands_[hand].records, tick, &of)) continue;
    fillHand(hands_[hand], of, snapshot_.hands[hand]);
  }
}

void RecordingPlayer::fillHand(const HandOfRecording& hand, const HandRecord& record,
                               TickSnapshot::Hand& shown) const {
  shown.device = poseOf(record.position, record.orientation);
  shown.tool = shown.wanted = poseOf(record.toolPosition, record.toolOrientation);
  shownWrench(record, hand.hasMotors, [&](std::size_t axis, double force, double torque) {
    shown.force[axis] = force;
    shown.torque[axis] = torque;
  });
  const Eigen::Quaterniond turn(record.toolOrientation[0], record.toolOrientation[1],
                                record.toolOrientation[2], record.toolOrientation[3]);
  const Eigen::Vector3d grip =
      Eigen::Vector3d(record.toolPosition[0], record.toolPosition[1], record.toolPosition[2]) +
      turn * hand.toolFromGrip.translation();
  const Eigen::Vector3d coupling(record.couplingForce[0], record.couplingForce[1],
                                 record.couplingForce[2]);
  const Eigen::Vector3d force =
      hand.sceneFromDevice * coupling / parameters_.hands[hand.place].forceScale;
  shown.grip = shown.contactPoint = {grip.x(), grip.y(), grip.z()};
  shown.contactForce = {force.x(), force.y(), force.z()};
  shown.phase = static_cast<response::SafetyPhase>(record.phase);
  shown.reason = static_cast<response::SafetyReason>(record.reason);
  shown.stage = static_cast<haptics::StartStage>(record.startStage);
  shown.status = record.readFlags;
  shown.ageTicks = record.ageTicks;
  shown.buttons = record.buttons;
  shown.gripperAngle = record.gripperAngle;
  shown.storedEnergy = static_cast<double>(record.storedEnergy);
  shown.balance = static_cast<double>(record.balance);
  shown.gain = static_cast<double>(record.gain);
  shown.stiffnessRatio = static_cast<double>(record.stiffnessRatio);
}

void RecordingPlayer::fillParameters(std::uint64_t tick) {
  parameters_ = begin_;
  for (const haptics::RecordedParameter& change : recording_.parameters()) {
    if (change.tick > tick) break;
    const std::size_t index = haptics::parameterNamed(change.name);
    if (index < haptics::parameterCount()) haptics::setParameter(parameters_, index, change.after);
  }
}

void RecordingPlayer::fillCurves(std::uint64_t tick) {
  const bool goesOn = tick >= curvesEnd_ && curvesEnd_ > first_;
  std::uint64_t from = std::max(curvesEnd_, first_);
  if (!goesOn || tick - curvesEnd_ >= Curves::kTicks) {
    curves_.computeUs.clear();
    for (std::size_t hand = 0; hand < hands_.size(); ++hand) {
      curves_.force[hand].clear();
      curves_.torque[hand].clear();
    }
    from = std::max(first_, tick + 1 - std::min<std::uint64_t>(tick + 1, Curves::kTicks));
  }
  for (; from <= tick; ++from) {
    const std::size_t k = from - first_;
    curves_.computeUs.add(computeUs_[k]);
    for (std::size_t hand = 0; hand < hands_.size(); ++hand) {
      curves_.force[hand].add(hands_[hand].force[k]);
      curves_.torque[hand].add(hands_[hand].torque[k]);
    }
  }
  curvesEnd_ = tick + 1;
}

std::span<const float> RecordingPlayer::overview(std::size_t parts) {
  if (overview_.size() == parts) return overview_;
  overview_.assign(parts, 0.0F);
  const std::size_t count = computeUs_.size();
  for (const HandOfRecording& hand : hands_) {
    for (std::size_t k = 0; k < count; ++k) {
      float& most = overview_[k * parts / count];
      most = std::max(most, hand.force[k]);
    }
  }
  return overview_;
}

}  // namespace tactus::app
