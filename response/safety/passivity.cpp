#include "response/safety/passivity.hpp"

#include <algorithm>
#include <cmath>

namespace tactus::response {
namespace {

// A hand that rests moves less than this; damping by a quotient of noise would be noise [m/s].
constexpr double kAtRest = 1e-4;

// Of the allowance: a deficit below it is left to shrink by itself.
constexpr double kOnset = 0.2;

// Adaptive damping, first along the wrench, then along the motion. Returns the gain.
double damp(Wrench& wrench, const PassivitySettings& settings, const Motion& velocity,
            double wantedPower) {
  const double lever = settings.lever;
  double used = 0.0;
  const double size =
      std::sqrt(wrench.force.squaredNorm() + wrench.torque.squaredNorm() / (lever * lever));
  const double speed = size > 0.0 ? work(wrench, velocity) / size : 0.0;  // along the wrench [m/s]
  // Only of a wrench that gives. One that takes would become longer all over, and the force with it
  // where the hand only turns.
  if (speed > kAtRest) {
    used = std::min({settings.mostDamping, wantedPower / (speed * speed), size / speed});
    const double left = 1.0 - used * speed / size;
    wrench = {left * wrench.force, left * wrench.torque};
    wantedPower -= used * speed * speed;
  }
  const double speedSquared =
      velocity.shift.squaredNorm() + lever * lever * velocity.turn.squaredNorm();
  if (!(wantedPower > 0.0) || !(speedSquared > kAtRest * kAtRest)) return used;
  const double rest =
      std::max(0.0, std::min(settings.mostDamping - used, wantedPower / speedSquared));
  wrench.force -= rest * velocity.shift;
  wrench.torque -= rest * lever * lever * velocity.turn;
  return used + rest;
}

}  // namespace

void observe(PassivityState& state, const PassivitySettings& settings, double givenToHand,
             double storedChange, const Motion& moved, double seconds) noexcept {
  const double ownLoss = (settings.deviceDamping * moved.shift.squaredNorm() +
                          settings.deviceTurnDamping * moved.turn.squaredNorm()) /
                         seconds;
  state.balance += ownLoss - givenToHand - storedChange;
  if (state.balance < 0.0)
    state.balance = std::min(0.0, state.balance + settings.forgivenPower * seconds);
  state.balance = std::min(state.balance, settings.credit);
}

ControlledWrench controlled(PassivityState& state, const PassivitySettings& settings,
                            const Wrench& wrench, const Motion& velocity, double underWay,
                            double othersDeficit, double dt) noexcept {
  ControlledWrench result{.wrench = wrench};
  if (!settings.isOn) {
    state.ceiling = 1.0;
    return result;
  }
  const double balance = state.balance + std::min(0.0, othersDeficit);
  if (balance < -kOnset * settings.allowance) {
    result.damping =
        damp(result.wrench, settings, velocity, -balance / std::max(settings.recoverySeconds, dt));
    if (result.damping > 0.0) ++state.damped;
  }
  // the ceiling
  const double give = work(result.wrench, velocity) * dt;
  const double left = std::max(0.0, settings.allowance + balance - std::max(0.0, underWay));
  const double allowed = give > left ? left / give : 1.0;
  const double back = dt / std::max(settings.returnSeconds, dt);
  state.ceiling = std::min(allowed, state.ceiling + back);
  // what is no number must not look like a fine force
  if (!std::isfinite(balance) || !std::isfinite(give)) state.ceiling = give + balance;
  result.isHeldBack = !(state.ceiling >= 1.0);
  if (result.isHeldBack) {
    ++state.heldBack;
    result.wrench = {state.ceiling * result.wrench.force, state.ceiling * result.wrench.torque};
  }
  return result;
}

}  // namespace tactus::response
