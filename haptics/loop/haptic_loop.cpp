#include "haptics/loop/haptic_loop.hpp"

#include <Eigen/Geometry>
#include <algorithm>

namespace tactus::haptics {
namespace {

constexpr double kUsPerNs = 1e-3;

// A line of action further from the tool than this is one of nearly a pure torque [m].
constexpr double kFarthestLine = 0.5;

/// Where the line along a force passes closest to the point about which its torque is.
Eigen::Vector3d lineOf(const response::Wrench& wrench, const Eigen::Vector3d& about) {
  const double square = wrench.force.squaredNorm();
  if (!(square > 0.0)) return about;
  const Eigen::Vector3d arm = wrench.force.cross(wrench.torque) / square;
  return arm.squaredNorm() <= kFarthestLine * kFarthestLine ? Eigen::Vector3d(about + arm) : about;
}

TickSnapshot::Pose poseOf(const Eigen::Vector3d& position, const Eigen::Quaterniond& turn) {
  return {{position.x(), position.y(), position.z()}, {turn.w(), turn.x(), turn.y(), turn.z()}};
}

TickSnapshot::Pose poseOf(const Eigen::Isometry3d& pose) {
  return poseOf(pose.translation(), Eigen::Quaterniond(pose.linear()));
}

std::array<double, 3> numbersOf(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}

}  // namespace

HapticLoop::HapticLoop(const Parts& parts, const TickParameters& begin)
    : tick_(parts.tick),
      devices_(parts.devices),
      recorder_(parts.recorder),
      pace_(parts.pace),
      trace_(parts.trace),
      observer_(parts.observer),
      drainTicks_(parts.drainTicks),
      records_(parts.recorder, parts.tick->handCount(), parts.tick->world().size()),
      written_(parts.tick->handCount()),
      wanted_(begin) {}

void HapticLoop::run(const ServoSettings& settings, const std::atomic<bool>& stops) noexcept {
  times_ = {};
  totals_ = {};
  runServo(settings, stops, times_, [&](const TickStart& start) { tick(start, settings); });
  for (HapticDevice* device : devices_)
    static_cast<void>(device->write({}));
}

void HapticLoop::tick(const TickStart& start, const ServoSettings& settings) noexcept {
  const bool isWall = settings.time == TimeSource::Wall;
  const std::int64_t simulatedNs = static_cast<std::int64_t>(start.number) * settings.periodNs;
  const std::int64_t nowNs = isWall ? monotonicNs() : simulatedNs;
  periodUs_ = start.number == 0 ? 0.0 : static_cast<double>(nowNs - lastBeginNs_) * kUsPerNs;
  lastBeginNs_ = nowNs;
  const RecordRing::Stamp stamp{start.number, isWall ? wallNs() : simulatedNs};
  takeParameters(stamp);

  TickInputs inputs;
  inputs.number = start.number;
  inputs.skipped = static_cast<std::uint32_t>(std::min<std::uint64_t>(start.skipped, UINT32_MAX));
  for (std::size_t k = 0; k < devices_.size(); ++k)
    inputs.hands[k].status = devices_[k]->read(nowNs, inputs.hands[k].sample);
  tick_->tick(inputs, wanted_);
  for (std::size_t k = 0; k < devices_.size(); ++k)
    written_[k] = devices_[k]->write(tick_->result(k).command);

  count();
  if (recorder_ != nullptr) records_.push(stamp, inputs, *tick_, written_, computeUs_);
  if (observer_ != nullptr) observer_->see(stamp, inputs, *tick_, written_);
  publish(inputs, start);
  if (trace_ != nullptr) trace(inputs);
  if (recorder_ != nullptr && pace_ == RecorderPace::ByDriver &&
      (start.number + 1) % drainTicks_ == 0)
    recorder_->drain();
  // Of simulated time nothing is measured, so that two recordings of a run are the same.
  computeUs_ = isWall ? static_cast<double>(monotonicNs() - nowNs) * kUsPerNs : 0.0;
}

void HapticLoop::takeParameters(const RecordRing::Stamp& stamp) noexcept {
  if (!parameters_.refresh()) return;
  if (recorder_ != nullptr) records_.noteChanges(stamp, wanted_, parameters_.front());
  wanted_ = parameters_.front();
}

void HapticLoop::count() noexcept {
  const response::WorldCounters& counters = tick_->world().counters();
  ++totals_.ticks;
  totals_.touching += counters.touching;
  totals_.mostTouching = std::max(totals_.mostTouching, counters.touching);
  totals_.carried += counters.carried;
  totals_.asleep += counters.asleep;
  totals_.asked += counters.queried + counters.loads;
  totals_.cut += counters.cut;
  totals_.dropped += counters.dropped;
  for (std::size_t k = 0; k < tick_->handCount(); ++k) {
    HandTotals& hand = handTotals_[k];
    const double force = shownWrench(k).force.norm();
    hand.mostForce = std::max(hand.mostForce, force);
    hand.mostTorque = std::max(hand.mostTorque, shownWrench(k).torque.norm());
    if (tick_->result(k).response.tool.contact.wrench.force.isZero(0.0)) continue;
    ++hand.touching;
    hand.sumForce += force;
  }
}

/// What a person looks at: who has no motors sees what would be felt.
const response::Wrench& HapticLoop::shownWrench(std::size_t hand) const noexcept {
  const HandResult& result = tick_->result(hand);
  return devices_[hand]->capabilities().actuatesPosition ? result.command.wrench
                                                         : result.response.safe.stages.blended;
}

bool HapticLoop::isMassless(std::size_t hand) const noexcept {
  return tick_->response(hand).parameters().tool == response::ToolKind::QuasiStatic;
}

/// Then its energy is in what the tool was asked for, already.
bool HapticLoop::isOfMasslessTool(const response::PairContact& contact) const noexcept {
  for (std::size_t k = 0; k < tick_->handCount(); ++k) {
    const std::size_t body = tick_->bodyOf(k);
    if (isMassless(k) && (contact.a == body || contact.b == body)) return true;
  }
  return false;
}

void HapticLoop::publish(const TickInputs& inputs, const TickStart& start) noexcept {
  TickSnapshot& to = snapshots_.back();
  const response::World& world = tick_->world();
  to.number = inputs.number;
  to.bodyCount = static_cast<std::uint32_t>(world.size());
  to.handCount = static_cast<std::uint32_t>(tick_->handCount());
  for (std::size_t k = 0; k < world.size(); ++k)
    to.bodies[k] = poseOf(world.pose(k).translation(), world.motion(k).turn);
  to.contactEnergy = to.contactVolume = 0.0;
  for (std::size_t k = 0; k < tick_->handCount(); ++k) {
    publishHand(inputs, k, to.hands[k]);
    if (!isMassless(k)) continue;
    to.contactEnergy += tick_->result(k).response.tool.contact.energy;
    to.contactVolume += tick_->result(k).response.tool.contact.volume;
  }
  to.contactCount = 0;
  for (std::size_t k = 0; k < world.contactCount(); ++k) {
    const response::PairContact& from = world.contact(k);
    if (!isOfMasslessTool(from)) {
      to.contactEnergy += from.force.energy;
      for (const collision::ContactPatch& patch : from.patches.all())
        to.contactVolume += patch.volume;
    }
    if (to.contactCount == TickSnapshot::kMostContacts) continue;
    to.contacts[to.contactCount++] = {numbersOf(from.point), numbersOf(from.onB.force), from.a,
                                      from.b};
  }
  to.counters = world.counters();
  to.computeUs = computeUs_;
  to.seconds = static_cast<double>(inputs.number) * tick_->tickSeconds();
  to.late = times_.late + (start.isLate ? 1U : 0U);
  to.skipped = times_.skipped + start.skipped;
  contactVolume_ = to.contactVolume;
  snapshots_.publish();
}

void HapticLoop::publishHand(const TickInputs& inputs, std::size_t k,
                             TickSnapshot::Hand& hand) noexcept {
  const HandResult& from = tick_->result(k);
  const response::HandTick& tick = from.response;
  const response::HandResponse& response = tick_->response(k);
  const DeviceSample& sample = inputs.hands[k].sample;
  hand.device = poseOf(sample.position, sample.orientation);
  hand.tool = poseOf(tick.tool.sceneFromTool);
  const Eigen::Isometry3d& toolFromGrip = response.setup().toolFromGrip;
  hand.wanted = poseOf(tick.hand.sceneFromGrip * toolFromGrip.inverse());
  hand.grip = numbersOf(tick.tool.sceneFromTool * toolFromGrip.translation());
  hand.force = numbersOf(shownWrench(k).force);
  hand.torque = numbersOf(shownWrench(k).torque);
  const response::Wrench& contact = tick.tool.contact.wrench;
  hand.contactForce = numbersOf(contact.force);
  hand.contactTorque = numbersOf(contact.torque);
  hand.contactPoint = numbersOf(lineOf(contact, tick.tool.sceneFromTool.translation()));
  hand.phase = tick.safe.phase;
  hand.reason = tick.safe.reason;
  hand.stage = from.stage;
  hand.waitingFor = from.waitingFor;
  hand.buttons = sample.buttons;
  hand.gripperAngle = sample.gripperAngle;
  hand.balance = response.passivity().balance;
  hand.damped = response.passivity().damped;
  hand.heldBack = response.passivity().heldBack;
  hand.ledger = response.ledger();
  hand.stiffnessRatio = tick.tool.stiffnessRatio;
  hand.storedEnergy = tick.tool.storedEnergy;
  hand.gain = tick.safe.gain;
  hand.limitForce = tick.safe.limits.force;
  hand.isSlewed = tick.safe.isSlewed;
  hand.isHeldBack = tick.safe.isHeldBack;
  hand.isClamped = tick.safe.isClamped;
  hand.stiffness = response.parameters().stiffness;
  hand.damping = response.parameters().damping;
  hand.shiftAdvice = tick.shiftAdvice;
  hand.turnAdvice = tick.turnAdvice;
  hand.status = inputs.hands[k].status.bits();
  hand.ageTicks = sample.ageTicks;
}

void HapticLoop::trace(const TickInputs& inputs) noexcept {
  TracePoint point;
  point.number = inputs.number;
  point.computeUs = static_cast<float>(computeUs_);
  point.periodUs = static_cast<float>(periodUs_);
  point.contactVolume = static_cast<float>(contactVolume_);
  for (std::size_t k = 0; k < tick_->handCount(); ++k) {
    const response::Wrench& wrench = shownWrench(k);
    point.force[k] = static_cast<float>(wrench.force.norm());
    point.torque[k] = static_cast<float>(wrench.torque.norm());
  }
  trace_->push(point);
}

}  // namespace tactus::haptics
