#include "haptics/tick/tick_records.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "haptics/tick/tick_parameters.hpp"

namespace tactus::haptics {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

template <typename Number>
void put(const Vector3d& from, Number (&to)[3]) noexcept {
  for (int k = 0; k < 3; ++k)
    to[k] = static_cast<Number>(from[k]);
}

void put(const Quaterniond& from, double (&to)[4]) noexcept {
  to[0] = from.w();
  to[1] = from.x();
  to[2] = from.y();
  to[3] = from.z();
}

Vector3d vectorOf(const double (&from)[3]) noexcept {
  return {from[0], from[1], from[2]};
}

std::uint16_t shortened(std::uint32_t count) noexcept {
  return static_cast<std::uint16_t>(std::min<std::uint32_t>(count, UINT16_MAX));
}

}  // namespace

DeviceStatus statusOf(std::uint16_t bits) noexcept {
  DeviceStatus status;
  for (unsigned k = 0; k < 16; ++k) {
    if (((bits >> k) & 1U) != 0) status.set(static_cast<DeviceFlag>(1U << k));
  }
  return status;
}

HandRecord handRecord(const HandSample& sample, const HandResult& result,
                      const response::HandResponse& response, DeviceStatus written) noexcept {
  const DeviceSample& of = sample.sample;
  HandRecord record;
  record.sampleNumber = of.number;
  record.measuredNs = of.measuredNs;
  record.ageNs = of.ageNs;
  record.ageTicks = of.ageTicks;
  record.buttons = of.buttons;
  record.readFlags = sample.status.bits();
  record.writeFlags = written.bits();
  record.deviceStage = static_cast<std::uint8_t>(of.stage);
  record.startStage = static_cast<std::uint8_t>(result.stage);
  record.phase = static_cast<std::uint8_t>(result.response.safe.phase);
  record.reason = static_cast<std::uint8_t>(result.response.safe.reason);
  put(of.position, record.position);
  put(of.orientation, record.orientation);
  put(of.velocity, record.velocity);
  put(of.angularVelocity, record.angularVelocity);
  record.gripperAngle = of.gripperAngle;
  put(result.command.wrench.force, record.force);
  put(result.command.wrench.torque, record.torque);
  const Eigen::Isometry3d& tool = result.response.tool.sceneFromTool;
  put(tool.translation(), record.toolPosition);
  put(Quaterniond(tool.linear()), record.toolOrientation);
  put(result.response.safe.stages.coupling.force, record.couplingForce);
  put(result.response.safe.stages.coupling.torque, record.couplingTorque);
  record.storedEnergy = static_cast<float>(result.response.tool.storedEnergy);
  record.balance = static_cast<float>(response.passivity().balance);
  record.gain = static_cast<float>(result.response.safe.gain);
  record.addedDamping = static_cast<float>(result.response.safe.damping);
  record.hasVelocity = (of.hasVelocity ? 1U : 0U) | (of.hasAngularVelocity ? 2U : 0U);
  record.stiffnessRatio = static_cast<float>(result.response.tool.stiffnessRatio);
  return record;
}

HandSample handSample(const HandRecord& record) noexcept {
  HandSample hand;
  DeviceSample& sample = hand.sample;
  sample.number = record.sampleNumber;
  sample.measuredNs = record.measuredNs;
  sample.ageNs = record.ageNs;
  sample.ageTicks = record.ageTicks;
  sample.buttons = record.buttons;
  const auto last = static_cast<std::uint8_t>(DeviceStage::Ready);
  sample.stage = static_cast<DeviceStage>(std::min(record.deviceStage, last));
  sample.position = vectorOf(record.position);
  sample.orientation = Quaterniond(record.orientation[0], record.orientation[1],
                                   record.orientation[2], record.orientation[3]);
  sample.velocity = vectorOf(record.velocity);
  sample.angularVelocity = vectorOf(record.angularVelocity);
  sample.hasVelocity = (record.hasVelocity & 1U) != 0;
  sample.hasAngularVelocity = (record.hasVelocity & 2U) != 0;
  sample.gripperAngle = record.gripperAngle;
  hand.status = statusOf(record.readFlags);
  return hand;
}

TickRecord tickRecord(const TickInputs& inputs, const response::World& world,
                      double computeUs) noexcept {
  const response::WorldCounters& counters = world.counters();
  TickRecord record;
  record.skipped = inputs.skipped;
  record.computeUs = static_cast<float>(computeUs);
  record.due = shortened(counters.due);
  record.queried = shortened(counters.queried + counters.loads);
  record.touching = shortened(counters.touching);
  record.cut = shortened(counters.cut);
  record.distances = shortened(counters.distances);
  record.cores = shortened(counters.cores);
  record.asleep = shortened(counters.asleep);
  record.dropped = shortened(counters.dropped);
  return record;
}

std::vector<StreamLayout> TickRecorder::streamsOf(std::span<const std::string> handNames,
                                                  std::size_t bodies) {
  std::vector<StreamLayout> streams;
  streams.reserve(handNames.size() + 2);
  for (const std::string& name : handNames)
    streams.push_back({"hand." + name, kHandFields, sizeof(HandRecord)});
  streams.push_back({"tick", kTickFields, sizeof(TickRecord)});
  streams.push_back({"bodies", "f64 position_m[3], f64 orientation_wxyz[4], of each body",
                     bodies * sizeof(BodyRecord)});
  return streams;
}

void TickRecorder::push(const RecordRing::Stamp& stamp, const TickInputs& inputs,
                        const HapticTick& tick, std::span<const DeviceStatus> written,
                        double computeUs) noexcept {
  for (std::size_t k = 0; k < hands_; ++k) {
    const HandRecord record =
        handRecord(inputs.hands[k], tick.result(k), tick.response(k), written[k]);
    recorder_->push(k, stamp, &record);
  }
  const TickRecord record = tickRecord(inputs, tick.world(), computeUs);
  recorder_->push(hands_, stamp, &record);
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const response::BodyMotion& motion = tick.world().motion(k);
    put(tick.world().pose(k).translation(), bodies_[k].position);
    put(motion.turn, bodies_[k].orientation);
  }
  recorder_->push(hands_ + 1, stamp, bodies_.data());
}

void TickRecorder::noteChanges(const RecordRing::Stamp& stamp, const TickParameters& before,
                               const TickParameters& after) noexcept {
  for (std::size_t index = 0; index < parameterCount(); ++index) {
    RecorderNote note;
    note.before = parameterAt(before, index);
    note.after = parameterAt(after, index);
    if (note.before == note.after) continue;
    note.name = parameterName(index);
    note.isParameter = true;
    recorder_->note(stamp, note);
  }
}

}  // namespace tactus::haptics
