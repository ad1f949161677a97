#pragma once
#include <Eigen/Core>
#include <cstdint>

#include "response/wrench.hpp"

namespace tactus::response {

/// Force and torque, shift and turn, or velocities, of one point.
struct Motion {
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();  ///< [m] or [m/s]
  Eigen::Vector3d turn = Eigen::Vector3d::Zero();   ///< [rad] or [rad/s]
};

[[nodiscard]] inline double work(const Wrench& wrench, const Motion& motion) noexcept {
  return wrench.force.dot(motion.shift) + wrench.torque.dot(motion.turn);
}

struct PassivitySettings {
  bool isOn = true;
  double lever = 0.05;          ///< a turn by 1 rad counts as much as a shift by this [m]
  double allowance = 0.5e-3;    ///< the hand may get this much more than it gave [J]
  double credit = 1e-3;         ///< of what it gave and did not get back, so much is remembered [J]
  double forgivenPower = 2e-4;  ///< a deficit shrinks by itself this fast [W]
  double deviceDamping = 0.0;   ///< friction of the device itself, at least this much [N s/m]
  double deviceTurnDamping = 0.0;  ///< [N m s/rad]
  double mostDamping = 10.0;       ///< that the controller adds [N s/m], turns by lever^2
  double recoverySeconds = 0.01;   ///< in which it tries to get a deficit back
  double returnSeconds = 0.1;      ///< in which a force that was held back comes back
};

/// What is known of a hand's energy.
struct PassivityState {
  double balance = 0.0;  ///< given by the hand and not given back, at most the credit [J]
  double ceiling = 1.0;  ///< share of the force that the ceiling leaves
  std::uint64_t damped = 0, heldBack = 0;  ///< ticks
};

/// One observer and one controller for force and torque together: a lever makes energy go in by one
/// and come out by the other, and two observers would see a generator and a brake.
///
/// Source: B. Hannaford and J. Ryu, "Time-Domain Passivity Control of Haptic Interfaces", 2002; the
/// energy that is stored as a reference: J. Ryu, C. Preusche, B. Hannaford, G. Hirzinger, "Time
/// Domain Passivity Control With Reference Energy Following", 2005.
/// How ours differs, and why:
/// - work is that of the wrench as applied, held over a tick, times the shift that was measured
///   over that very tick: no estimate of velocity, and the energy of the hold is seen exactly
/// - what is stored is subtracted. Without that, energy put into a spring looks like energy lost,
///   and pays for any chatter until the spring is let go
/// - credit is bounded, so that an hour of friction does not pay for a minute of chatter; deficit
///   is bounded by holding back, see below
/// - the device's own damping counts, where it is known
///
/// Controller, in two steps:
/// 1. From a fifth of the allowance on, damping that would get the deficit back within
///    `recoverySeconds`, at most `mostDamping`. First along a wrench that gives, which shortens it,
///    to nothing at most, and does not turn it; what this cannot do, along the motion.
/// 2. A ceiling: of a wrench that gives, only as much as the allowance has left for the coming tick
///    (and for what is still on its way to the device). A wrench that takes is never held back, but
///    comes back slowly where it was.
///
/// Bound. The balance is at most the credit, and at least -allowance but for surprises and for what
/// is stored while force is held back. A surprise: the hand may move faster, or turn round sooner,
/// than its velocity said a tick ago. And a hand that is not shown its force goes in without paying
/// for what that stores: then the balance goes as far down, no force gives until the hand is out
/// again, and that brings it back up. So over any closed path (same energy stored at both ends) of
/// t seconds the hand gets at most
///     allowance + credit + forgivenPower t + most force * most speed * (1 + delay) dt,
/// and what ports that are meant to give (ramp, parameters, workspace, turns without motor, others)
/// gave and have booked. The last term is that of one surprise; that several do not add up rests on
/// the damping, which gets them back, and is tested rather than proved.
///
/// Others. What a tool touches may move by itself: another hand's tool, a body that lies on it.
/// Then the hand is one port of two, and may receive for ever what the other side gives. So the
/// part of `storedChange` that others brought (SafetyInputs::broughtEnergy) is left out of it: it
/// is neither this hand's deficit nor, where they take it out again, its credit. Of two tools that
/// touch, each hand's account has what its own tool changed in the contact between them. So the sum
/// of the balances is that of the pair, with the contact counted once: all hands together get at
/// most the sum of their bounds, and what bodies brought that no hand holds.
///
/// Whose loop generates is one question, where it comes out another: a hand that presses late may
/// make the other one, whose own account is fine, be pushed. So of hands that hang together the
/// controller of each works against the deficits of all; their credits stay their own.
void observe(PassivityState& state, const PassivitySettings& settings, double givenToHand,
             double storedChange, const Motion& moved, double seconds) noexcept;

struct ControlledWrench {
  Wrench wrench;
  double damping = 0.0;  ///< that was added [N s/m]
  bool isHeldBack = false;
};

/// `underWay`: what wrenches that the device has not yet applied are going to give [J].
/// `othersDeficit`: the sum of the negative balances of hands that this one hangs together with
/// [J].
[[nodiscard]] ControlledWrench controlled(PassivityState& state, const PassivitySettings& settings,
                                          const Wrench& wrench, const Motion& velocity,
                                          double underWay, double othersDeficit,
                                          double dt) noexcept;

}  // namespace tactus::response
