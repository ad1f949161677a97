#include "haptics/devices/start_sequence.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::haptics {
namespace {

// A day of ticks; more is a slip in the settings.
constexpr double kMostTicks = 1e8;

std::uint32_t ticksOf(double seconds, double tick) noexcept {
  const double ticks = std::ceil(seconds / tick - 1e-9);
  return static_cast<std::uint32_t>(std::clamp(ticks, 1.0, kMostTicks));
}

}  // namespace

StartSequence::StartSequence(const DeviceCapabilities& device,
                             const StartSettings& settings) noexcept
    : centre_(device.workspaceCentre),
      radius_(settings.neutralRadius),
      smallForce_(settings.smallForce),
      smallTorque_(settings.smallTorque),
      gravityTicks_(ticksOf(settings.gravitySeconds, settings.tickSeconds)),
      neutralTicks_(ticksOf(settings.neutralSeconds, settings.tickSeconds)),
      rampTicks_(ticksOf(settings.rampSeconds, settings.tickSeconds)),
      fadeTicks_(ticksOf(settings.fadeSeconds, settings.tickSeconds)) {
  const double shortest = device.workspaceExtent.minCoeff();
  if (shortest > 0.0) radius_ = std::min(radius_, 0.5 * shortest);
}

void StartSequence::enter(StartStage stage) noexcept {
  stage_ = stage;
  ticks_ = 0;
}

double StartSequence::advance(DeviceStatus status, const DeviceSample& sample,
                              const response::Wrench& wanted) noexcept {
  if (status.has(DeviceFlag::NotFinite)) {
    // Whatever was computed from that measurement is worth nothing; and what comes next may jump.
    factor_ = 0.0;
    enter(StartStage::Identify);
    waitingFor_ = WaitingFor::Device;
    return factor_;
  }
  const bool lost = status.has(DeviceFlag::Lost) || sample.stage == DeviceStage::Searching;
  const bool stopped = status.has(DeviceFlag::ForcesOff);
  const bool wasFelt = stage_ == StartStage::Ramp || stage_ == StartStage::Running;
  const bool notReady = sample.stage != DeviceStage::Ready;
  if (wasFelt && (lost || stopped || notReady)) enter(StartStage::Lost);
  if (stage_ == StartStage::Lost) {
    factor_ = std::max(0.0, factor_ - 1.0 / fadeTicks_);
    waitingFor_ = lost ? WaitingFor::Device : (stopped ? WaitingFor::Hand : WaitingFor::Time);
    if (factor_ == 0.0 && !lost && !stopped) enter(StartStage::Identify);
    return factor_;
  }
  if (lost || stopped) {
    enter(StartStage::Identify);
    waitingFor_ = lost ? WaitingFor::Device : WaitingFor::Hand;
    return factor_;
  }
  step(sample, wanted);
  return factor_;
}

void StartSequence::step(const DeviceSample& sample, const response::Wrench& wanted) noexcept {
  switch (stage_) {
    case StartStage::Identify:
    case StartStage::Lost:
      enter(StartStage::Calibrate);
      waitingFor_ = WaitingFor::Calibration;
      break;
    case StartStage::Calibrate:
      waitingFor_ =
          sample.stage == DeviceStage::NeedsHand ? WaitingFor::Hand : WaitingFor::Calibration;
      if (sample.stage == DeviceStage::Ready) enter(StartStage::Gravity);
      break;
    case StartStage::Gravity:
      waitingFor_ = WaitingFor::Time;
      if (++ticks_ >= gravityTicks_) enter(StartStage::Neutral);
      break;
    case StartStage::Neutral: {
      const bool isNear = (sample.position - centre_).norm() <= radius_;
      const bool isSmall =
          wanted.force.norm() <= smallForce_ && wanted.torque.norm() <= smallTorque_;
      waitingFor_ = !isNear ? WaitingFor::NeutralPose
                            : (!isSmall ? WaitingFor::SmallForce : WaitingFor::Time);
      ticks_ = isNear && isSmall ? ticks_ + 1 : 0;
      if (ticks_ >= neutralTicks_) enter(StartStage::Ramp);
      break;
    }
    case StartStage::Ramp:
      waitingFor_ = WaitingFor::Time;
      factor_ = std::min(1.0, static_cast<double>(++ticks_) / rampTicks_);
      if (ticks_ >= rampTicks_) enter(StartStage::Running);
      break;
    case StartStage::Running:
      waitingFor_ = WaitingFor::Nothing;
      break;
  }
}

const char* nameOf(StartStage stage) noexcept {
  switch (stage) {
    case StartStage::Identify:
      return "identify";
    case StartStage::Calibrate:
      return "calibrate";
    case StartStage::Gravity:
      return "gravity compensation";
    case StartStage::Neutral:
      return "neutral pose";
    case StartStage::Ramp:
      return "ramp";
    case StartStage::Running:
      return "running";
    case StartStage::Lost:
      break;
  }
  return "lost";
}

const char* describe(WaitingFor reason) noexcept {
  switch (reason) {
    case WaitingFor::Device:
      return "Waiting for the device: is it plugged in and switched on?";
    case WaitingFor::Calibration:
      return "Waiting for the device to calibrate itself.";
    case WaitingFor::Hand:
      return "Waiting for you: put the stylus into its inkwell, move the arm to its stops, or "
             "press "
             "its force button.";
    case WaitingFor::NeutralPose:
      return "Waiting for the grip to come near the middle of its workspace.";
    case WaitingFor::SmallForce:
      return "Waiting for the tool to be free of contact.";
    case WaitingFor::Time:
      return "Starting.";
    case WaitingFor::Nothing:
      break;
  }
  return "Running.";
}

}  // namespace tactus::haptics
