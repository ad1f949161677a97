#include "haptics/simulated/simulated_device.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::haptics {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kPi = 3.14159265358979323846;
constexpr double kNanoseconds = 1e9;

// Fingers follow the intent with this time constant; estimated [s].
constexpr double kGripSeconds = 0.05;
// What a newton of gripper force opens the fingers by: the compliance of fingertips; estimated
// [rad/N].
constexpr double kGripCompliance = 0.02;

double rounded(double value, double step) noexcept {
  return step > 0.0 ? step * std::floor(value / step + 0.5) : value;
}

/// The part of a step of velocity that dry friction leaves. `most` is what it can take.
Vector3d afterFriction(const Vector3d& velocity, double most) noexcept {
  const double speed = velocity.norm();
  if (speed <= most) return Vector3d::Zero();
  return velocity * ((speed - most) / speed);
}

Vector3d shortened(const Vector3d& vector, double most) noexcept {
  const double length = vector.norm();
  return length > most ? Vector3d(vector * (most / length)) : vector;
}

/// Vector from one orientation to another: twice the sine of half the angle along the axis, which
/// is the rotation vector for small ones and never turns back.
Vector3d between(const Quaterniond& from, const Quaterniond& to) noexcept {
  const Quaterniond turn = to * from.conjugate();
  return (turn.w() < 0.0 ? -2.0 : 2.0) * turn.vec();
}

Quaterniond measuredTurn(const Quaterniond& orientation, double step) noexcept {
  if (!(step > 0.0)) return orientation;
  Vector3d vector = (orientation.w() < 0.0 ? -1.0 : 1.0) * orientation.vec();
  for (double& part : vector)
    part = 0.5 * rounded(2.0 * part, step);
  const double rest = 1.0 - vector.squaredNorm();
  Quaterniond turn(std::sqrt(std::max(0.0, rest)), vector.x(), vector.y(), vector.z());
  turn.normalize();
  return turn;
}

}  // namespace

SimulatedDevice::SimulatedDevice(const DeviceProfile& profile, HandPath path,
                                 const SimulatedSettings& settings)
    : profile_(profile),
      capabilities_(profile.capabilities),
      path_(std::move(path)),
      hand_(impedanceOf(path_.grasp)),
      settings_(settings),
      step_(settings.tickSeconds / kSubSteps),
      delaySteps_(static_cast<std::uint32_t>(std::floor(profile.delay / step_ + 0.5)) +
                  settings.extraDelayTicks * kSubSteps),
      readyTick_(static_cast<std::uint64_t>(
          std::ceil(settings.calibrationSeconds / settings.tickSeconds))),
      reaction_(step_),
      random_(settings.seed) {
  constexpr auto kMost = static_cast<std::uint32_t>((kMostDelayTicks - 2) * kSubSteps);
  delaySteps_ = std::min(delaySteps_, kMost);
  capabilities_.serial = "simulated";
  capabilities_.rate = 1.0 / settings.tickSeconds;
  const HandIntent begin = intentAt(0.0);
  truth_.position = capabilities_.workspaceCentre + begin.position;
  if (capabilities_.sensesRotation) truth_.orientation = begin.orientation;
  truth_.gripperAngle = profile_.gripperRange * (1.0 - begin.closed);
  stopAtEnds();
}

HandIntent SimulatedDevice::intentAt(double seconds) noexcept {
  return settings_.will != nullptr ? settings_.will->intentAt(seconds)
                                   : haptics::intentAt(path_, seconds);
}

double SimulatedDevice::noise() noexcept {
  // The sum of four even numbers is near enough to a normal one, and needs no logarithm. Variance
  // of each is 1/3.
  double sum = 0.0;
  for (int i = 0; i < 4; ++i)
    sum += random_.aroundZero();
  return sum * 0.86602540378443865;  // sqrt(3/4)
}

void SimulatedDevice::measure(DeviceSample& sample) noexcept {
  const Vector3d before = last_.position;
  const bool hadOne = last_.number > 0;
  sample = last_;
  ++sample.number;
  ++counters_.measurements;
  sample.measuredNs = static_cast<std::int64_t>(
      std::floor(static_cast<double>(tick_) * settings_.tickSeconds * kNanoseconds + 0.5));
  sample.ageTicks = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double place = truth_.position[axis];
    if (profile_.positionNoise > 0.0) place += profile_.positionNoise * noise();
    sample.position[axis] = rounded(place, profile_.positionStep);
  }
  sample.orientation = measuredTurn(truth_.orientation, profile_.rotationStep);
  sample.gripperAngle = rounded(truth_.gripperAngle, profile_.gripperStep);
  sample.buttons = intentAt(static_cast<double>(tick_) * settings_.tickSeconds).buttons;
  if (profile_.velocity == VelocityEstimator::Vendor) {
    // What a library does: differences, and one pole.
    const double period = settings_.tickSeconds;
    const double blend = period / (period + 1.0 / (2.0 * kPi * profile_.velocityCutoff));
    const Vector3d difference =
        hadOne ? Vector3d((sample.position - before) / period) : Vector3d(Vector3d::Zero());
    sample.velocity += blend * (difference - sample.velocity);
    sample.hasVelocity = true;
  }
}

DeviceStatus SimulatedDevice::read(std::int64_t /*nowNs*/, DeviceSample& sample) noexcept {
  DeviceStatus status;
  const SimulatedFaults& faults = settings_.faults;
  const bool isLost = within(faults.lostFrom, faults.lostUntil);
  const bool isStale = isLost || within(faults.staleFrom, faults.staleUntil);
  if (isLost && !wasLost_) ++counters_.losses;
  if (!isLost && wasLost_) {
    ++counters_.rejoins;
    status.set(DeviceFlag::Rejoined);
  }
  wasLost_ = isLost;
  if (isStale) {
    sample = last_;
    ++sample.ageTicks;
    ++counters_.stale;
    status.set(DeviceFlag::Stale);
  } else {
    measure(sample);
  }
  sample.ageNs = static_cast<std::int64_t>(
      std::floor(sample.ageTicks * settings_.tickSeconds * kNanoseconds + 0.5));
  counters_.oldestAgeTicks = std::max(counters_.oldestAgeTicks, sample.ageTicks);
  sample.stage = tick_ < readyTick_ ? DeviceStage::Calibrating : DeviceStage::Ready;
  if (isLost) sample.stage = DeviceStage::Searching;
  last_ = sample;
  status.set(DeviceFlag::Lost, isLost);
  status.set(DeviceFlag::NotReady, sample.stage != DeviceStage::Ready);
  status.set(DeviceFlag::ForcesOff, within(faults.forcesOffFrom, faults.forcesOffUntil));
  if (tick_ == faults.notFiniteAt) {
    // As a broken driver would hand it on; whoever reads has to look at the flag.
    sample.position.x() = std::numeric_limits<double>::quiet_NaN();
    status.set(DeviceFlag::NotFinite);
    ++counters_.notFinite;
  }
  return status;
}

const DeviceCommand& SimulatedDevice::commandAt(int subStep) const noexcept {
  const std::uint64_t now = tick_ * kSubSteps + static_cast<std::uint64_t>(subStep);
  // Before the first command had its way to the motors there was none; slots begin as zero.
  const std::uint64_t then = now >= delaySteps_ ? (now - delaySteps_) / kSubSteps
                                                : tick_ + 1;  // the slot that is written last
  return line_[then % kMostDelayTicks];
}

DeviceStatus SimulatedDevice::write(const DeviceCommand& command) noexcept {
  DeviceStatus status;
  DeviceCommand given = bearable(capabilities_, command, status);
  const SimulatedFaults& faults = settings_.faults;
  const bool isOff = within(faults.lostFrom, faults.lostUntil) ||
                     within(faults.forcesOffFrom, faults.forcesOffUntil) || tick_ < readyTick_;
  if (isOff) given = {};
  if (status.has(DeviceFlag::Saturated)) ++counters_.saturated;
  if (status.has(DeviceFlag::NotFinite)) ++counters_.notFinite;
  line_[tick_ % kMostDelayTicks] = given;
  line_[(tick_ + 1) % kMostDelayTicks] = {};
  for (int k = 0; k < kSubSteps; ++k) {
    const double seconds = static_cast<double>(tick_) * settings_.tickSeconds + (k + 1) * step_;
    subStep(commandAt(k), intentAt(seconds));
  }
  ++tick_;
  return status;
}

void SimulatedDevice::subStep(const DeviceCommand& command, const HandIntent& intent) noexcept {
  const double tight = reaction_.advance(command.wrench.force.norm());
  moveTranslation(command, intent, tight);
  if (capabilities_.sensesRotation) moveRotation(command, intent, tight);
  if (capabilities_.sensesGripper) {
    const double wanted =
        profile_.gripperRange * (1.0 - intent.closed) + kGripCompliance * command.gripperForce;
    truth_.gripperAngle += (wanted - truth_.gripperAngle) * (step_ / kGripSeconds);
    truth_.gripperAngle = std::clamp(truth_.gripperAngle, 0.0, profile_.gripperRange);
  }
}

void SimulatedDevice::moveTranslation(const DeviceCommand& command, const HandIntent& intent,
                                      double tight) noexcept {
  const double mass = profile_.mass + hand_.mass;
  const double grip = tight * hand_.damping;
  const Vector3d goal = capabilities_.workspaceCentre + intent.position;
  // A hand pulls no harder than it can: what it wants yields, and waits at the obstacle.
  const Vector3d pull = shortened(
      tight * hand_.stiffness * (goal - truth_.position) + grip * intent.velocity, hand_.effort);
  const Vector3d force = command.wrench.force + pull + hand_.bias * path_.biasDirection;
  const double half = 0.5 * step_ * (profile_.damping + grip) / mass;
  const Vector3d before = truth_.velocity;
  const Vector3d after = ((1.0 - half) * before + (step_ / mass) * force) / (1.0 + half);
  truth_.velocity = afterFriction(after, step_ * profile_.friction / mass / (1.0 + half));
  const Vector3d from = truth_.position;
  truth_.position += 0.5 * step_ * (before + truth_.velocity);
  stopAtEnds();
  truth_.appliedForce = command.wrench.force;
  truth_.workOnHand += command.wrench.force.dot(truth_.position - from);
}

void SimulatedDevice::moveRotation(const DeviceCommand& command, const HandIntent& intent,
                                   double tight) noexcept {
  const double inertia = profile_.inertia + hand_.inertia;
  const double grip = tight * hand_.rotationalDamping;
  const Vector3d pull =
      shortened(tight * hand_.rotationalStiffness * between(truth_.orientation, intent.orientation),
                hand_.rotationalEffort);
  const Vector3d torque = command.wrench.torque + pull;
  const double half = 0.5 * step_ * (profile_.rotationalDamping + grip) / inertia;
  const Vector3d before = truth_.angularVelocity;
  const Vector3d after = ((1.0 - half) * before + (step_ / inertia) * torque) / (1.0 + half);
  truth_.angularVelocity =
      afterFriction(after, step_ * profile_.rotationalFriction / inertia / (1.0 + half));
  // Half the turn as the vector part, normalised: a Cayley map, off by the third power of an angle
  // that is below 0.01 rad in a sub-step.
  const Vector3d turn = 0.5 * step_ * (before + truth_.angularVelocity);
  const Quaterniond step(1.0, 0.5 * turn.x(), 0.5 * turn.y(), 0.5 * turn.z());
  truth_.orientation = step * truth_.orientation;
  truth_.orientation.normalize();
  truth_.workOnHand += command.wrench.torque.dot(turn);
}

void SimulatedDevice::stopAtEnds() noexcept {
  const Vector3d half = 0.5 * capabilities_.workspaceExtent;
  for (int axis = 0; axis < 3; ++axis) {
    const double lower = capabilities_.workspaceCentre[axis] - half[axis];
    const double upper = capabilities_.workspaceCentre[axis] + half[axis];
    const double place = truth_.position[axis];
    const double inside = std::clamp(place, lower, upper);
    if (inside == place) continue;
    truth_.position[axis] = inside;
    truth_.velocity[axis] = 0.0;
  }
}

}  // namespace tactus::haptics
