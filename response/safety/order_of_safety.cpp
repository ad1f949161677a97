#include "response/safety/order_of_safety.hpp"

#include <algorithm>
#include <cmath>

#include "response/rotation_vector.hpp"
#include "response/safety/slew.hpp"

namespace tactus::response {
namespace {

bool isFinite(const Wrench& wrench) {
  return wrench.force.allFinite() && wrench.torque.allFinite();
}

Wrench sum(double a, const Wrench& x, double b, const Wrench& y) {
  return {a * x.force + b * y.force, a * x.torque + b * y.torque};
}

Wrench difference(const Wrench& x, const Wrench& y) {
  return sum(1.0, x, -1.0, y);
}

/// Moves by no more than a step.
double towards(double target, double value, double up, double down) {
  return target > value ? std::min(target, value + up) : std::max(target, value - down);
}

/// Of zero-length fades, and of settings that are no number: those must not look like a fine gain.
double perTick(double dt, double seconds) {
  return seconds > dt ? dt / seconds : 1.0 + 0.0 * seconds;
}

const StageWrenches& ago(const SafetyState& state, std::size_t ticks) {
  const std::size_t size = state.past.size();
  return state.past[(state.newest + size - std::min(ticks, size - 1)) % size];
}

SafetyReason notANumberIn(const SafetyInputs& in, double dt) {
  if (!(dt > 0.0) || !std::isfinite(dt)) return SafetyReason::NotANumberTime;
  if (!in.position.allFinite() || !in.orientation.allFinite()) return SafetyReason::NotANumberPose;
  if (!in.velocity.shift.allFinite() || !in.velocity.turn.allFinite())
    return SafetyReason::NotANumberVelocity;
  const bool isFine = isFinite(in.coupling) && isFinite(in.unactuated) &&
                      std::isfinite(in.storedEnergy) && std::isfinite(in.broughtEnergy) &&
                      std::isfinite(in.couplingAge);
  return isFine ? SafetyReason::None : SafetyReason::NotANumberCoupling;
}

/// Zero, at once, and a state in which nothing of the fault is left.
SafeWrench fault(SafetyState& state, const SafetySettings& settings, SafetyReason reason) {
  state.phase = state.isLatched ? SafetyPhase::Stopped : SafetyPhase::DampingOnly;
  state.reason = reason;
  state.gain = state.dampingGain = state.calmSeconds = 0.0;
  state.dampingLeft = std::isfinite(settings.dampingSeconds) ? settings.dampingSeconds : 0.1;
  state.needsSmallForce = state.needsRezero = true;
  // what is under way to the device belongs to its own ticks; only what is no number goes
  for (StageWrenches& stages : state.past) {
    for (Wrench* wrench : {&stages.coupling, &stages.unactuated, &stages.blended, &stages.slewed,
                           &stages.passive, &stages.applied}) {
      if (!isFinite(*wrench)) *wrench = {};
    }
  }
  state.newest = (state.newest + 1) % state.past.size();
  state.past[state.newest] = {};
  // what was stored is not shown any more, so the hand cannot get it
  const double balance = state.passivity.balance + state.share * state.storedEnergy;
  state.passivity.balance = std::isfinite(balance) ? std::min(0.0, balance) : 0.0;
  state.share = state.shownGain = 0.0;
  state.passivity.ceiling = 1.0;
  if (!std::isfinite(state.forceWarmth.warmth)) state.forceWarmth.warmth = 1.0;
  if (!std::isfinite(state.torqueWarmth.warmth)) state.torqueWarmth.warmth = 1.0;
  SafeWrench result;
  result.phase = state.phase;
  result.reason = reason;
  result.wantsRezero = true;
  return result;
}

/// Books the work of the wrench that was held since the last sample.
void observeLastTick(SafetyState& state, const SafetySettings& settings, const SafetyInputs& in,
                     double dt) {
  const double storedChange = state.hasPose ? in.storedEnergy - state.storedEnergy : 0.0;
  state.storedEnergy = in.storedEnergy;
  if (!state.hasPose || !in.isConnected) {
    // a device that comes back has been moved by somebody else
    state.hasPose = in.isConnected;
    state.position = in.position;
    state.orientation = in.orientation;
    state.passivity.balance = std::min(0.0, state.passivity.balance);
    ++state.ledger.unobserved;
    return;
  }
  const Motion moved{in.position - state.position,
                     rotationVector(in.orientation * state.orientation.transpose())};
  state.position = in.position;
  state.orientation = in.orientation;

  // while the loop stood still the last wrench arrived and stayed
  const std::size_t delay =
      settings.delayTicks > in.skippedTicks
          ? std::min<std::size_t>(settings.delayTicks - in.skippedTicks, kMostDelayTicks)
          : 0;
  const StageWrenches& last = ago(state, 0);
  const StageWrenches& held = ago(state, delay);
  const double given = work(held.applied, moved);
  const double smooth = 0.5 * (work(last.coupling, moved) + work(in.coupling, moved));
  const double unactuated = 0.5 * (work(last.unactuated, moved) + work(in.unactuated, moved));

  EnergyLedger& ledger = state.ledger;
  ledger.givenToHand += given;
  ledger.stored += storedChange;
  // what others brought is stored, and not by this hand
  const double ownChange = storedChange - in.broughtEnergy;
  ledger[in.cause] += smooth + unactuated + ownChange;
  ledger[EnergyPort::Others] += in.broughtEnergy;
  ledger[EnergyPort::Unactuated] -= unactuated;
  ledger[EnergyPort::Sampling] += work(last.coupling, moved) - smooth;
  ledger[EnergyPort::Delay] += work(difference(held.coupling, last.coupling), moved);
  ledger[EnergyPort::Blend] += work(difference(held.blended, held.coupling), moved);
  ledger[EnergyPort::Slew] += work(difference(held.slewed, held.blended), moved);
  ledger[EnergyPort::Passivity] += work(difference(held.passive, held.slewed), moved);
  ledger[EnergyPort::Clamp] += work(difference(held.applied, held.passive), moved);

  // Stored counts by the share that the hand is shown of it. Turns that no motor answers,
  // parameters and clutch are ports of their own: their work is meant, shown, and not held against
  // the hand.
  const bool isMeant = in.cause == EnergyPort::Parameters || in.cause == EnergyPort::Workspace;
  const double meant = isMeant ? smooth + unactuated + ownChange : 0.0;
  observe(state.passivity, settings.passivity, given + state.share * (unactuated - meant),
          state.share * ownChange, moved, dt * (1.0 + in.skippedTicks));
}

SafetyReason interlock(SafetyState& state, const SafetySettings& settings, const SafetyInputs& in,
                       double dt) {
  if (in.isEmergencyStop || in.isReset) state.isLatched = in.isEmergencyStop;
  if (state.isLatched) return SafetyReason::EmergencyStop;
  if (!in.isConnected) return SafetyReason::DeviceLost;
  if (settings.needsDeadMan && !in.isDeadManHeld) return SafetyReason::DeadManOpen;
  const double speed = in.velocity.shift.norm();
  const double spin = in.velocity.turn.norm();
  // once too fast, it has to become half as fast: no flutter at the limit
  const double margin = state.isTooFast ? 0.5 : 1.0;
  state.isTooFast = speed > margin * settings.mostSpeed || spin > margin * settings.mostSpin;
  if (state.isTooFast) return SafetyReason::TooFast;
  if (in.couplingAge >= settings.staleUntil) return SafetyReason::CouplingStale;
  if (in.isPaused) return SafetyReason::Paused;
  if (in.isClutched) return SafetyReason::Clutched;
  if (in.skippedTicks > 0 && dt * in.skippedTicks >= settings.gapSeconds)
    return SafetyReason::TicksMissed;
  return SafetyReason::None;
}

bool isCalm(const SafetySettings& settings, const SafetyInputs& in) {
  return 0.5 * settings.deviceMass * in.velocity.shift.squaredNorm() +
             0.5 * settings.deviceInertia * in.velocity.turn.squaredNorm() <=
         settings.calmEnergy;
}

void choosePhase(SafetyState& state, const SafetySettings& settings, const SafetyInputs& in,
                 double dt) {
  const bool isSmall = in.coupling.force.norm() <= settings.smallForce &&
                       in.coupling.torque.norm() <= settings.smallTorque;
  state.calmSeconds = isSmall ? state.calmSeconds + dt : 0.0;
  const SafetyReason stopped = interlock(state, settings, in, dt);
  switch (stopped) {
    case SafetyReason::None:
      break;
    case SafetyReason::EmergencyStop:
      state.gain = state.dampingGain = 0.0;
      state.phase = SafetyPhase::Stopped;
      state.reason = stopped;
      state.needsSmallForce = state.needsRezero = true;
      return;
    case SafetyReason::TicksMissed:
    case SafetyReason::CouplingStale:
      // The hand holds on and the scene is as it was: force comes up again as soon as all is calm.
      state.gain = 0.0;
      if (state.phase != SafetyPhase::DampingOnly) state.dampingLeft = 0.0;
      state.phase = SafetyPhase::DampingOnly;
      state.reason = stopped;
      return;
    case SafetyReason::Paused:
    case SafetyReason::Clutched:
      state.phase = SafetyPhase::Waiting;
      state.reason = stopped;
      state.needsRezero = true;
      return;
    default:
      state.phase = SafetyPhase::DampingOnly;
      state.dampingLeft = settings.dampingSeconds;
      state.reason = stopped;
      state.needsSmallForce = state.needsRezero = true;
      return;
  }
  if (state.phase == SafetyPhase::Stopped) state.phase = SafetyPhase::Waiting;
  if (state.phase == SafetyPhase::DampingOnly) {
    state.dampingLeft -= dt;
    if (state.dampingLeft > 0.0) return;
    state.phase = SafetyPhase::Waiting;
  }
  if (state.phase == SafetyPhase::Waiting) {
    const bool wasSmall = state.calmSeconds >= settings.smallSeconds;
    if (state.needsSmallForce && !wasSmall) {
      if (state.reason != SafetyReason::Starting) state.reason = SafetyReason::ForceNotSmall;
      return;
    }
    if (!isCalm(settings, in)) {
      state.reason = SafetyReason::HandNotCalm;
      return;
    }
    state.phase = SafetyPhase::Ramping;
    state.needsSmallForce = state.needsRezero = false;
  }
  if (state.phase == SafetyPhase::Ramping) {
    state.reason = isCalm(settings, in) ? SafetyReason::Starting : SafetyReason::HandNotCalm;
    if (state.gain >= 1.0) {
      state.phase = SafetyPhase::Active;
      state.reason = SafetyReason::None;
    }
  }
}

/// Ramp, watchdog and damping-only field.
Wrench blended(SafetyState& state, const SafetySettings& settings, const SafetyInputs& in,
               double dt, double& gain) {
  const double fade = perTick(dt, settings.fadeSeconds);
  const bool wantsForce =
      state.phase == SafetyPhase::Active ||
      (state.phase == SafetyPhase::Ramping && state.reason != SafetyReason::HandNotCalm);
  state.gain = towards(wantsForce ? 1.0 : 0.0, state.gain, perTick(dt, settings.rampSeconds), fade);
  const bool wantsDamping = state.phase == SafetyPhase::DampingOnly;
  state.dampingGain = towards(wantsDamping ? 1.0 : 0.0, state.dampingGain, fade, fade);
  const double stale =
      (in.couplingAge - settings.staleFrom) / (settings.staleUntil - settings.staleFrom);
  gain = state.gain * (1.0 - std::clamp(stale, 0.0, 1.0));
  const Wrench damping{-settings.safeDamping * in.velocity.shift,
                       -settings.safeTurnDamping * in.velocity.turn};
  return sum(gain, in.coupling, state.dampingGain, damping);
}

Wrench slewedWrench(const Wrench& wanted, const Wrench& before, const SafetySettings& settings,
                    double dt) {
  return {slewed(wanted.force, before.force, settings.forceSlew * dt),
          slewed(wanted.torque, before.torque, settings.torqueSlew * dt)};
}

/// What wrenches that the device has not applied yet are going to give.
double underWay(const SafetyState& state, const SafetySettings& settings, const Motion& velocity,
                double dt) {
  const std::size_t delay = std::min<std::size_t>(settings.delayTicks, kMostDelayTicks);
  double given = 0.0;
  for (std::size_t ticks = 0; ticks < delay; ++ticks)
    given += dt * work(ago(state, ticks).applied, velocity);
  return given;
}

/// How much of the coupling's wrench is applied, between nothing and all of it.
double shareOf(const Wrench& applied, const Wrench& coupling, double lever) {
  const double l = lever * lever;
  const double whole = l * coupling.force.squaredNorm() + coupling.torque.squaredNorm();
  if (!(whole > 0.0)) return 1.0;
  const double along = l * applied.force.dot(coupling.force) + applied.torque.dot(coupling.torque);
  return std::clamp(along / whole, 0.0, 1.0);
}

}  // namespace

SafeWrench safeWrench(SafetyState& state, const SafetySettings& settings,
                      const SafetyInputs& inputs, double dt) noexcept {
  // 0. nothing that is no number comes in
  if (inputs.isEmergencyStop) state.isLatched = true;
  const SafetyReason broken = notANumberIn(inputs, dt);
  if (broken != SafetyReason::None) {
    if (broken == SafetyReason::NotANumberPose) {
      state.hasPose = false;
      ++state.ledger.unobserved;
    } else if (broken != SafetyReason::NotANumberTime) {
      SafetyInputs known = inputs;
      known.coupling = ago(state, 0).coupling;
      known.unactuated = ago(state, 0).unactuated;
      known.storedEnergy = state.storedEnergy;
      known.broughtEnergy = 0.0;
      observeLastTick(state, settings, known, dt);
    }
    return fault(state, settings, broken);
  }

  // 1. what the last wrench has done, and whether there may be one now
  observeLastTick(state, settings, inputs, dt);
  choosePhase(state, settings, inputs, dt);

  SafeWrench result;
  StageWrenches& stages = result.stages;
  stages.coupling = inputs.coupling;
  stages.unactuated = inputs.unactuated;

  // 2. ramp-in and watchdog
  stages.blended = blended(state, settings, inputs, dt, result.gain);
  if (!isFinite(stages.blended)) return fault(state, settings, SafetyReason::NotANumberBlend);

  // 3. slew, never on what falls
  stages.slewed = slewedWrench(stages.blended, ago(state, 0).slewed, settings, dt);
  if (!isFinite(stages.slewed)) return fault(state, settings, SafetyReason::NotANumberSlew);
  result.isSlewed =
      stages.slewed.force != stages.blended.force || stages.slewed.torque != stages.blended.torque;

  // 4. passivity
  const ControlledWrench passive =
      controlled(state.passivity, settings.passivity, stages.slewed, inputs.velocity,
                 underWay(state, settings, inputs.velocity, dt), inputs.othersDeficit, dt);
  stages.passive = passive.wrench;
  if (!isFinite(stages.passive)) return fault(state, settings, SafetyReason::NotANumberPassivity);
  result.damping = passive.damping;
  result.isHeldBack = passive.isHeldBack;

  // 5. the device's limits
  result.limits = {state.forceWarmth.most(settings.peak.force, settings.continuous.force),
                   state.torqueWarmth.most(settings.peak.torque, settings.continuous.torque)};
  if (!std::isfinite(result.limits.force) || !std::isfinite(result.limits.torque))
    return fault(state, settings, SafetyReason::NotANumberClamp);
  stages.applied =
      state.phase == SafetyPhase::Stopped ? Wrench{} : clampedTo(result.limits, stages.passive);
  result.isClamped = stages.applied.force != stages.passive.force ||
                     stages.applied.torque != stages.passive.torque;
  state.forceWarmth.tick(stages.applied.force.norm(), settings.continuous.force,
                         settings.thermalSeconds, dt * (1.0 + inputs.skippedTicks));
  state.torqueWarmth.tick(stages.applied.torque.norm(), settings.continuous.torque,
                          settings.thermalSeconds, dt * (1.0 + inputs.skippedTicks));

  // 6. remember, and let go
  // What is shown of what is stored, the controller aside, which must not be paid for holding back;
  // what the ramp adds is meant, too.
  const double share =
      shareOf(clampedTo(result.limits, stages.slewed), stages.coupling, settings.passivity.lever);
  const double ramped = std::clamp(result.gain - state.shownGain, 0.0, 1.0);
  state.shownGain = result.gain;
  state.passivity.balance -= (share - state.share - ramped) * inputs.storedEnergy;
  state.passivity.balance = std::min(state.passivity.balance, settings.passivity.credit);
  state.share = share;
  state.newest = (state.newest + 1) % state.past.size();
  state.past[state.newest] = stages;
  result.applied = stages.applied;
  result.phase = state.phase;
  result.reason = state.reason;
  result.wantsRezero = state.needsRezero;
  return result;
}

const char* nameOf(SafetyPhase phase) noexcept {
  switch (phase) {
    case SafetyPhase::Waiting:
      return "waiting";
    case SafetyPhase::Ramping:
      return "ramping";
    case SafetyPhase::Active:
      return "active";
    case SafetyPhase::DampingOnly:
      return "damping only";
    case SafetyPhase::Stopped:
      return "stopped";
  }
  return "?";
}

const char* nameOf(SafetyReason reason) noexcept {
  switch (reason) {
    case SafetyReason::None:
      return "";
    case SafetyReason::Starting:
      return "starting";
    case SafetyReason::EmergencyStop:
      return "emergency stop";
    case SafetyReason::DeviceLost:
      return "device lost";
    case SafetyReason::DeadManOpen:
      return "dead-man switch open";
    case SafetyReason::TooFast:
      return "device too fast";
    case SafetyReason::TicksMissed:
      return "loop stood still";
    case SafetyReason::CouplingStale:
      return "no new force from the simulation";
    case SafetyReason::Clutched:
      return "clutched";
    case SafetyReason::ForceNotSmall:
      return "waiting for a small force";
    case SafetyReason::HandNotCalm:
      return "waiting for a calm hand";
    case SafetyReason::NotANumberTime:
      return "time step is no number";
    case SafetyReason::NotANumberPose:
      return "device's pose is no number";
    case SafetyReason::NotANumberVelocity:
      return "device's velocity is no number";
    case SafetyReason::NotANumberCoupling:
      return "coupling's force is no number";
    case SafetyReason::NotANumberBlend:
      return "ramp's force is no number";
    case SafetyReason::NotANumberSlew:
      return "slewed force is no number";
    case SafetyReason::NotANumberPassivity:
      return "controlled force is no number";
    case SafetyReason::NotANumberClamp:
      return "device's limits are no numbers";
    case SafetyReason::Paused:
      return "paused";
  }
  return "?";
}

}  // namespace tactus::response
