#include "haptics/devices/device_mailbox.hpp"

#include <algorithm>

namespace tactus::haptics {
namespace {

std::array<double, 3> packed(const Eigen::Vector3d& v) noexcept {
  return {v.x(), v.y(), v.z()};
}
Eigen::Vector3d unpacked(const std::array<double, 3>& v) noexcept {
  return Eigen::Vector3d(v[0], v[1], v[2]);
}

}  // namespace

void DeviceMailbox::post(const ServoReport& report) noexcept {
  reports_.back() = report;
  reports_.publish();
}

bool DeviceMailbox::takeCommand(ServoCommand& command) noexcept {
  if (!commands_.refresh()) return false;
  command = commands_.front();
  return true;
}

void DeviceMailbox::send(const ServoCommand& command) noexcept {
  commands_.back() = command;
  commands_.publish();
}

DeviceStatus DeviceMailbox::read(std::int64_t nowNs, DeviceSample& sample) noexcept {
  const ServoReport before = seen_;
  if (reports_.refresh()) seen_ = reports_.front();
  const bool isNew = seen_.number != before.number;
  ageTicks_ = isNew ? 0 : ageTicks_ + 1;

  sample.number = seen_.number;
  sample.measuredNs = seen_.measuredNs;
  sample.ageNs = seen_.number == 0 ? 0 : std::max<std::int64_t>(0, nowNs - seen_.measuredNs);
  sample.ageTicks = ageTicks_;
  sample.stage = seen_.stage;
  sample.position = unpacked(seen_.position);
  sample.orientation = Eigen::Quaterniond(seen_.orientation[0], seen_.orientation[1],
                                          seen_.orientation[2], seen_.orientation[3]);
  sample.velocity = unpacked(seen_.velocity);
  sample.angularVelocity = unpacked(seen_.angularVelocity);
  sample.hasVelocity = seen_.hasVelocity;
  sample.hasAngularVelocity = seen_.hasAngularVelocity;
  sample.gripperAngle = seen_.gripperAngle;
  sample.buttons = seen_.buttons;

  DeviceStatus status;
  status.set(DeviceFlag::Stale, !isNew);
  status.set(DeviceFlag::Lost, seen_.isLost);
  status.set(DeviceFlag::Rejoined, seen_.rejoins != before.rejoins);
  status.set(DeviceFlag::CalledTooFast, seen_.calledTooFast != before.calledTooFast);
  status.set(DeviceFlag::Saturated, seen_.saturated != before.saturated);
  status.set(DeviceFlag::NotFinite, seen_.notFinite != before.notFinite);
  status.set(DeviceFlag::CommandLate, seen_.lateCommands != before.lateCommands);
  status.set(DeviceFlag::Warm, seen_.isWarm);
  status.set(DeviceFlag::ForcesOff, seen_.forcesOff);
  status.set(DeviceFlag::NotReady, seen_.stage != DeviceStage::Ready);

  counters_.measurements = seen_.number;
  counters_.stale += isNew ? 0 : 1;
  counters_.calledTooFast = seen_.calledTooFast;
  counters_.saturated = seen_.saturated;
  counters_.notFinite = seen_.notFinite;
  counters_.losses = seen_.losses;
  counters_.rejoins = seen_.rejoins;
  counters_.lateCommands = seen_.lateCommands;
  counters_.oldestAgeTicks = std::max(counters_.oldestAgeTicks, ageTicks_);
  return status;
}

DeviceCommand ServoSide::commandAt(std::int64_t nowNs) noexcept {
  if (mailbox_.takeCommand(command_)) {
    commandNs_ = nowNs;
    hasCommand_ = true;
    wasLate_ = false;
  }
  if (!hasCommand_) return {};
  const std::int64_t silent = nowNs - commandNs_;
  double factor = 1.0;
  if (silent > kSilenceNs) {
    const double faded = static_cast<double>(silent - kSilenceNs) / static_cast<double>(kFadeNs);
    factor = std::max(0.0, 1.0 - faded);
    if (!wasLate_) ++report_.lateCommands;
    wasLate_ = true;
  }
  DeviceCommand wanted;
  wanted.wrench.force = factor * unpacked(command_.force);
  wanted.wrench.torque = factor * unpacked(command_.torque);
  wanted.gripperForce = factor * command_.gripperForce;
  // The loop has shortened it already; this is for the day on which it has not.
  DeviceStatus changed;
  return bearable(device_, wanted, changed);
}

void ServoSide::measured(const DeviceSample& sample, DeviceStatus status,
                         std::int64_t nowNs) noexcept {
  report_.isLost = false;
  report_.stage = sample.stage;
  report_.isWarm = status.has(DeviceFlag::Warm);
  if (status.has(DeviceFlag::Saturated)) ++report_.saturated;
  if (status.has(DeviceFlag::CalledTooFast)) {
    // the vendor's last measurement again: nothing new
    ++report_.calledTooFast;
  } else if (!isFinite(sample)) {
    ++report_.notFinite;
  } else {
    ++report_.number;
    report_.measuredNs = nowNs;
    report_.position = packed(sample.position);
    const Eigen::Quaterniond turn = sample.orientation.normalized();
    report_.orientation = {turn.w(), turn.x(), turn.y(), turn.z()};
    report_.velocity = packed(sample.velocity);
    report_.angularVelocity = packed(sample.angularVelocity);
    report_.hasVelocity = sample.hasVelocity;
    report_.hasAngularVelocity = sample.hasAngularVelocity;
    report_.gripperAngle = sample.gripperAngle;
    report_.buttons = sample.buttons;
  }
  mailbox_.post(report_);
}

void ServoSide::lost() noexcept {
  if (!report_.isLost) ++report_.losses;
  report_.isLost = true;
  report_.stage = DeviceStage::Searching;
  // What was commanded to a device that is gone must not meet it when it is back.
  command_ = {};
  hasCommand_ = false;
  mailbox_.post(report_);
}

void ServoSide::rejoined(DeviceStage stage) noexcept {
  if (report_.isLost && report_.losses > 0) ++report_.rejoins;
  report_.isLost = false;
  report_.stage = stage;
  mailbox_.post(report_);
}

DeviceStatus MailboxDevice::write(const DeviceCommand& command) noexcept {
  DeviceStatus status;
  const DeviceCommand given = bearable(capabilities_, command, status);
  mailbox_->send({packed(given.wrench.force), packed(given.wrench.torque), given.gripperForce});
  return status;
}

}  // namespace tactus::haptics
