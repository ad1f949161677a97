#include "haptics/loop/haptic_loop.hpp"

#include <Eigen/Geometry>
#include <algorithm>

namespace tactus::haptics {
namespace {

// With RecorderPace::ByDriver: a chunk at a time.
constexpr std::uint64_t kDrainTicks = Recorder::kChunkTicks;

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
  publish(inputs);
  if (recorder_ != nullptr && pace_ == RecorderPace::ByDriver &&
      (start.number + 1) % kDrainTicks == 0)
    recorder_->drain();
  // Of simulated time nothing is measured, so that two recordings of a run are the same.
  computeUs_ = isWall ? static_cast<double>(monotonicNs() - nowNs) * 1e-3 : 0.0;
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
}

void HapticLoop::publish(const TickInputs& inputs) noexcept {
  TickSnapshot& to = snapshots_.back();
  const response::World& world = tick_->world();
  to.number = inputs.number;
  to.bodyCount = static_cast<std::uint32_t>(world.size());
  to.handCount = static_cast<std::uint32_t>(tick_->handCount());
  for (std::size_t k = 0; k < world.size(); ++k)
    to.bodies[k] = poseOf(world.pose(k).translation(), world.motion(k).turn);
  for (std::size_t k = 0; k < tick_->handCount(); ++k) {
    const HandResult& from = tick_->result(k);
    TickSnapshot::Hand& hand = to.hands[k];
    const DeviceSample& sample = inputs.hands[k].sample;
    hand.device = poseOf(sample.position, sample.orientation);
    hand.tool = poseOf(from.response.tool.sceneFromTool);
    hand.wanted = poseOf(from.response.hand.sceneFromGrip);
    hand.force = numbersOf(from.command.wrench.force);
    hand.torque = numbersOf(from.command.wrench.torque);
    hand.phase = from.response.safe.phase;
    hand.reason = from.response.safe.reason;
    hand.stage = from.stage;
    hand.waitingFor = from.waitingFor;
    hand.buttons = sample.buttons;
    hand.gripperAngle = sample.gripperAngle;
    hand.balance = tick_->response(k).passivity().balance;
    hand.stiffnessRatio = from.response.tool.stiffnessRatio;
  }
  to.contacts = world.counters();
  snapshots_.publish();
}

}  // namespace tactus::haptics
