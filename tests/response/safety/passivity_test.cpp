#include "response/safety/passivity.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "response/rotation_vector.hpp"
#include "response/safety/order_of_safety.hpp"
#include "tests/response/random_turn.hpp"

namespace tactus::response {
namespace {

using Eigen::Vector3d;
using tests::anyDirection;
using tests::anyVector;
using tests::SeededBits;

constexpr double kTick = 0.001;
constexpr double kPi = 3.14159265358979;

SafetySettings sixDof() {
  SafetySettings settings;
  settings.peak = settings.continuous = {12.0, 0.2};
  settings.mostSpeed = 5.0;
  settings.mostSpin = 100.0;
  return settings;
}

SafetyState active(const SafetySettings& settings) {
  SafetyState state;
  for (int tick = 0; tick < 5000 && state.phase != SafetyPhase::Active; ++tick)
    static_cast<void>(safeWrench(state, settings, {}, kTick));
  EXPECT_EQ(state.phase, SafetyPhase::Active);
  return state;
}

/// A smooth closed path of shifts and turns, a second long: three harmonics each.
struct ClosedPath {
  Vector3d shift[3], turn[3];

  explicit ClosedPath(SeededBits& random) {
    for (int k = 0; k < 3; ++k) {
      shift[k] = 0.02 / (k + 1) * anyVector(random);
      turn[k] = 0.3 / (k + 1) * anyVector(random);
    }
  }
  [[nodiscard]] Motion at(double seconds) const {
    Motion pose;
    for (int k = 0; k < 3; ++k) {
      pose.shift += std::sin(2 * kPi * (k + 1) * seconds) * shift[k];
      pose.turn += std::sin(2 * kPi * (k + 1) * seconds) * turn[k];
    }
    return pose;
  }
};

/// Laws that generate, each in its own way. What they say to store is nothing: they lie about it.
using Law = std::function<Wrench(const Motion& pose, const Motion& velocity, int tick)>;

std::vector<Law> activeLaws(SeededBits& random) {
  std::vector<Law> laws;
  const double k = random.between(200, 2000);
  const double r = random.between(0.05, 1.0);
  // a spring that is three times stiffer on the way out
  laws.emplace_back([=](const Motion& pose, const Motion& velocity, int) {
    const double shift = pose.shift.dot(velocity.shift) < 0 ? 1.5 : 0.5;
    const double turn = pose.turn.dot(velocity.turn) < 0 ? 1.5 : 0.5;
    return Wrench{-shift * k * pose.shift, -turn * r * pose.turn};
  });
  // damping of the wrong sign
  laws.emplace_back([](const Motion&, const Motion& velocity, int) {
    return Wrench{6.0 * velocity.shift, 0.02 * velocity.turn};
  });
  // a field with a curl: once round, and energy is gained
  const Vector3d axis = anyDirection(random);
  laws.emplace_back([=](const Motion& pose, const Motion&, int) {
    return Wrench{k * axis.cross(pose.shift), r * axis.cross(pose.turn)};
  });
  // force of the turn, torque of the shift, with one sign: a lever that gives more than it takes
  laws.emplace_back([=](const Motion& pose, const Motion&, int) {
    return Wrench{-20.0 * pose.turn, 20.0 * pose.shift};
  });
  // a spring of ten ticks ago
  auto past = std::make_shared<std::deque<Motion>>(10);
  laws.emplace_back([=](const Motion& pose, const Motion&, int) {
    past->push_back(pose);
    const Motion old = past->front();
    past->pop_front();
    return Wrench{-k * old.shift, -r * old.turn};
  });
  // a push along the motion that changes every 20 ticks
  auto bits = std::make_shared<SeededBits>(random.next());
  auto push = std::make_shared<double>(0.0);
  laws.emplace_back([=](const Motion&, const Motion& velocity, int tick) {
    if (tick % 20 == 0) *push = bits->between(-2.0, 8.0);
    const double speed = velocity.shift.norm();
    return Wrench{speed > 0 ? Vector3d(*push / speed * velocity.shift) : Vector3d::Zero(),
                  0.005 * *push * velocity.turn};
  });
  return laws;
}

/// What the hand got on `seconds` rounds of a path, and the most at the end of any of them.
double gained(const SafetySettings& settings, const ClosedPath& path, const Law& law, int rounds) {
  SafetyState state = active(settings);
  const double before = state.ledger.givenToHand;
  double most = 0.0;
  Motion was = path.at(0.0);
  for (int tick = 1; tick <= 1000 * rounds; ++tick) {
    const Motion pose = path.at(kTick * tick);
    Motion velocity{(pose.shift - was.shift) / kTick, (pose.turn - was.turn) / kTick};
    was = pose;
    SafetyInputs inputs;
    inputs.position = pose.shift;
    inputs.orientation = turnBy(pose.turn);
    inputs.velocity = velocity;
    inputs.coupling = law(pose, velocity, tick);
    static_cast<void>(safeWrench(state, settings, inputs, kTick));
    if (tick % 1000 == 0) most = std::max(most, state.ledger.givenToHand - before);
  }
  return most;
}

// Off, these laws give tens of millijoules a round and never stop; on, the bound of the header
// holds however many rounds. Speeds are below 0.7 m/s, and a force of 12 N is wrong about the
// coming tick by its acceleration only: the last term of the bound is far from reached.
TEST(Passivity, ActiveLawsGiveNoMoreThanTheBoundOverClosedPaths) {
  SeededBits random(41);
  double mostWithout = 0.0;
  double mostWith = 0.0;
  for (const std::uint32_t delay : {0U, 1U, 3U}) {
    SafetySettings on = sixDof();
    on.delayTicks = delay;
    SafetySettings off = on;
    off.passivity.isOn = false;
    for (int i = 0; i < 2; ++i) {
      const ClosedPath path(random);
      for (const Law& law : activeLaws(random)) {
        constexpr int kRounds = 3;
        const double bound = on.passivity.allowance + on.passivity.credit +
                             on.passivity.forgivenPower * kRounds +
                             (12.0 * 0.7 + 0.2 * 8.0) * (1 + delay) * kTick;
        const double with = gained(on, path, law, kRounds);
        EXPECT_LE(with, bound);
        mostWith = std::max(mostWith, with);
        mostWithout = std::max(mostWithout, gained(off, path, law, kRounds));
      }
    }
  }
  EXPECT_GT(mostWithout, 0.1);
  RecordProperty("mostWithout_uJ", static_cast<int>(1e6 * mostWithout));
  RecordProperty("mostWith_uJ", static_cast<int>(1e6 * mostWith));
}

// A spring along a lever takes energy by its force and gives it back by its torque. One observer
// sees nothing wrong with that.
TEST(Passivity, EnergyMayGoInByForceAndComeOutByTorque) {
  const SafetySettings settings = sixDof();
  SafetyState state = active(settings);
  const std::uint64_t held = state.passivity.heldBack + state.passivity.damped;
  double shift = 0.0;
  double turn = 0.0;
  constexpr double kLever = 0.05;
  double took = 0.0;
  for (int tick = 0; tick <= 4000; ++tick) {
    // out by shifting, back by turning
    shift = 0.005 * 0.5 * (1 - std::cos(kPi * std::min(tick, 2000) / 2000));
    turn = -0.1 * 0.5 * (1 - std::cos(kPi * std::max(0, tick - 2000) / 2000));
    const double stretch = shift + kLever * turn;
    SafetyInputs inputs;
    inputs.position.x() = shift;
    inputs.orientation = turnBy(Vector3d(0, 0, turn));
    inputs.coupling = {Vector3d(-600 * stretch, 0, 0), Vector3d(0, 0, -600 * kLever * stretch)};
    inputs.storedEnergy = 300 * stretch * stretch;
    static_cast<void>(safeWrench(state, settings, inputs, kTick));
    took = std::max(took, -state.ledger.givenToHand);
  }
  EXPECT_GT(took, 0.007);
  EXPECT_NEAR(state.ledger.givenToHand, 0.0, 1e-4);
  EXPECT_EQ(state.passivity.heldBack + state.passivity.damped, held);
}

/// A device of 0.15 kg without friction worth the name, pushed against a wall by 2 N.
struct PressedDevice {
  double position = 0.002, velocity = 0.0;
  std::deque<double> underWay;

  /// Moves for a tick under the force of `delay` ticks ago, in small steps.
  void move(double force, std::size_t delay, double bias) {
    underWay.push_back(force);
    const double applied = underWay.size() > delay ? underWay[underWay.size() - 1 - delay] : 0.0;
    constexpr int kSteps = 10;
    for (int i = 0; i < kSteps; ++i) {
      velocity += kTick / kSteps * ((applied - bias - 0.05 * velocity) / 0.15);
      position += kTick / kSteps * velocity;
    }
  }
};

/// Root mean square of the velocity over the last half second of three.
double chatter(const SafetySettings& settings, double stiffness, double& mostGiven) {
  SafetyState state = active(settings);
  PressedDevice device;
  double sum = 0.0;
  double before = device.position;
  mostGiven = 0.0;
  for (int tick = 0; tick < 3000; ++tick) {
    SafetyInputs inputs;
    inputs.position.x() = device.position;
    inputs.velocity.shift.x() = (device.position - before) / kTick;
    before = device.position;
    const double depth = std::max(0.0, -device.position);
    inputs.coupling.force.x() = stiffness * depth;
    inputs.storedEnergy = 0.5 * stiffness * depth * depth;
    const SafeWrench out = safeWrench(state, settings, inputs, kTick);
    mostGiven = std::max(mostGiven, state.ledger.givenToHand);
    device.move(out.applied.force.x(), settings.delayTicks, 2.0);
    if (tick >= 2500) sum += device.velocity * device.velocity;
  }
  return std::sqrt(sum / 500);
}

TEST(Passivity, QuietsAWallThatIsTooStiffForItsDelay) {
  SafetySettings on = sixDof();
  on.delayTicks = 2;
  on.peak.force = on.continuous.force = 20.0;
  SafetySettings off = on;
  off.passivity.isOn = false;
  for (const double stiffness : {1000.0, 2000.0, 3000.0}) {
    double givenOff = 0.0;
    double givenOn = 0.0;
    const double without = chatter(off, stiffness, givenOff);
    const double with = chatter(on, stiffness, givenOn);
    EXPECT_GT(without, 0.05) << stiffness;
    EXPECT_LT(with, 0.4 * without) << stiffness;
    EXPECT_GT(givenOff, 0.002) << stiffness;
    EXPECT_LT(givenOn, 2e-3) << stiffness;
  }
}

TEST(Passivity, LeavesASoftWallAlone) {
  const SafetySettings settings = sixDof();
  SafetyState state = active(settings);
  for (int tick = 0; tick <= 4000; ++tick) {
    // a press of 6 mm in a second and out again in the next, twice
    const double depth = 0.006 * 0.5 * (1 - std::cos(2 * kPi * tick / 2000));
    const double next = 0.006 * 0.5 * (1 - std::cos(2 * kPi * (tick + 1) / 2000));
    SafetyInputs inputs;
    inputs.position.x() = -depth;
    inputs.velocity.shift.x() = -(next - depth) / kTick;
    inputs.coupling.force.x() = 1000 * depth;
    inputs.storedEnergy = 500 * depth * depth;
    const SafeWrench out = safeWrench(state, settings, inputs, kTick);
    EXPECT_EQ(out.applied.force.x(), 1000 * depth);
  }
  EXPECT_EQ(state.passivity.damped + state.passivity.heldBack, 0U);
  EXPECT_LT(state.ledger.givenToHand, 1e-3);
}

TEST(Passivity, AddsNoMoreDampingThanItMay) {
  SeededBits random(43);
  for (int i = 0; i < 2000; ++i) {
    PassivityState state;
    PassivitySettings settings;
    settings.allowance = 1.0;  // the ceiling stays out of it
    state.balance = -random.between(0.0, 2.0);
    const Wrench wrench{5.0 * anyVector(random), 0.1 * anyVector(random)};
    const Motion velocity{random.between(0, 0.5) * anyVector(random),
                          random.between(0, 5.0) * anyVector(random)};
    const ControlledWrench out = controlled(state, settings, wrench, velocity, 0.0, 0.0, kTick);
    EXPECT_LE(out.damping, settings.mostDamping * (1 + 1e-12));
    // whatever it did took power away
    EXPECT_LE(work(out.wrench, velocity), work(wrench, velocity) + 1e-12);
    if (work(wrench, velocity) <= 0.0) continue;
    EXPECT_GE(out.wrench.force.dot(wrench.force) + out.wrench.torque.dot(wrench.torque) * 400,
              -(10.0 * velocity.shift.norm() * 5 + 10 * velocity.turn.norm() * 0.2));
  }
}

TEST(Passivity, WhatTheDeviceItselfLosesCounts) {
  PassivitySettings settings;
  settings.deviceDamping = 2.0;
  settings.deviceTurnDamping = 0.01;
  const Motion moved{Vector3d(0, 1e-4, 0), Vector3d(0, 0, 2e-3)};
  PassivityState state;
  observe(state, settings, 3e-6, 1e-5, moved, kTick);
  // b dx^2 / dt, twice, less what the hand got and what is stored
  EXPECT_NEAR(state.balance, 2e-8 / kTick + 0.01 * 4e-6 / kTick - 3e-6 - 1e-5, 1e-15);
  // the same way in a standstill of 35 ms was slower
  SafetySettings chain = sixDof();
  chain.passivity = settings;
  SafetyState hand = active(chain);
  hand.passivity.balance = 0.0;
  SafetyInputs inputs;
  inputs.position = Vector3d(0, 1e-3, 0);
  inputs.skippedTicks = 34;
  static_cast<void>(safeWrench(hand, chain, inputs, kTick));
  EXPECT_NEAR(hand.passivity.balance, 2e-6 / 0.035, 1e-15);
}

TEST(Passivity, ASmallDeficitIsForgivenInTime) {
  PassivitySettings settings;
  PassivityState state;
  state.balance = -1e-4;
  for (int tick = 0; tick < 250; ++tick)
    observe(state, settings, 0.0, 0.0, {}, kTick);
  EXPECT_NEAR(state.balance, -0.5e-4, 1e-12);
  for (int tick = 0; tick < 500; ++tick)
    observe(state, settings, 0.0, 0.0, {}, kTick);
  EXPECT_EQ(state.balance, 0.0);  // and never more than that
}

TEST(Passivity, ARampIsNotHeldAgainstTheHand) {
  const SafetySettings settings = sixDof();
  SafetyState state = active(settings);
  const auto at = [&](double depth, double speed, std::uint32_t skipped) {
    SafetyInputs inputs;
    inputs.position.x() = -depth;
    inputs.velocity.shift.x() = speed;
    inputs.coupling.force.x() = 1000 * depth;
    inputs.storedEnergy = 500 * depth * depth;
    inputs.skippedTicks = skipped;
    return safeWrench(state, settings, inputs, kTick).applied.force.x();
  };
  for (int tick = 0; tick <= 1000; ++tick)
    at(5e-6 * tick, -0.005, 0);
  at(0.005, 0.0, 34);  // the loop stood still, the hand did, too; force comes up anew
  for (int tick = 0; tick < 600; ++tick)
    at(0.005, 0.0, 0);
  EXPECT_EQ(state.phase, SafetyPhase::Active);
  for (int tick = 1000; tick >= 0; --tick)
    EXPECT_EQ(at(5e-6 * tick, 0.005, 0), 1000 * (5e-6 * tick));
  EXPECT_EQ(state.passivity.damped + state.passivity.heldBack, 0U);
}

TEST(Passivity, WhatOthersBringIsNeitherDeficitNorCredit) {
  for (const bool isBrought : {true, false}) {
    const SafetySettings settings = sixDof();
    SafetyState state = active(settings);
    const double balance = state.passivity.balance;
    // somebody presses 5 mJ into a tool that a resting hand holds, and takes them out again
    for (int tick = 0; tick <= 1000; ++tick) {
      SafetyInputs inputs;
      inputs.storedEnergy = 1e-5 * (tick <= 500 ? tick : 1000 - tick);
      if (isBrought && tick > 0) inputs.broughtEnergy = tick <= 500 ? 1e-5 : -1e-5;
      static_cast<void>(safeWrench(state, settings, inputs, kTick));
      if (tick != 500) continue;
      EXPECT_NEAR(state.ledger[EnergyPort::Others], isBrought ? 5e-3 : 0.0, 1e-12);
      EXPECT_NEAR(state.ledger.stored, 5e-3, 1e-12);
      if (isBrought) {
        EXPECT_NEAR(state.passivity.balance, balance, 1e-12);
      } else {
        EXPECT_LT(state.passivity.balance, -4e-3);
      }
    }
    if (!isBrought) continue;
    EXPECT_NEAR(state.passivity.balance, balance, 1e-12);
    EXPECT_NEAR(state.ledger[EnergyPort::Others], 0.0, 1e-12);
  }
}

TEST(Passivity, AHandDoesNotGetWhatTheOnesItIsJoinedToAreShortOf) {
  const PassivitySettings settings;
  const Wrench gives{Vector3d(2, 0, 0), Vector3d::Zero()};
  const Motion out{Vector3d(0.1, 0, 0), Vector3d::Zero()};
  const Motion in{Vector3d(-0.1, 0, 0), Vector3d::Zero()};
  PassivityState state;
  state.balance = 0.2e-3;
  EXPECT_EQ(controlled(state, settings, gives, out, 0.0, 0.0, kTick).wrench.force.x(), 2.0);
  // up to its own credit and the allowance
  EXPECT_EQ(controlled(state, settings, gives, out, 0.0, -0.2e-3, kTick).wrench.force.x(), 2.0);
  EXPECT_GT(controlled(state, settings, gives, out, 0.0, -0.4e-3, kTick).damping, 0.0);
  EXPECT_EQ(controlled(state, settings, gives, out, 0.0, -0.7e-3, kTick).wrench.force.x(), 0.0);
  // others' credit pays for nothing, and who takes is not held back
  state = {};
  state.balance = -0.5e-3;
  EXPECT_EQ(controlled(state, settings, gives, out, 0.0, 1.0, kTick).wrench.force.x(), 0.0);
  state = {};
  EXPECT_GE(controlled(state, settings, gives, in, 0.0, -0.01, kTick).wrench.force.x(), 2.0);
}

TEST(Passivity, MeantEnergyIsNotHeldAgainstTheHand) {
  // a stiffness that slews up while the hand rests in the wall stores energy that nobody brought
  for (const EnergyPort cause : {EnergyPort::Parameters, EnergyPort::Coupling}) {
    const SafetySettings settings = sixDof();
    SafetyState state = active(settings);
    for (int tick = 0; tick <= 1000; ++tick) {
      SafetyInputs inputs;
      inputs.position.x() = -0.005;
      const double stiffness = 1.0 * tick;
      inputs.coupling.force.x() = 0.005 * stiffness;
      inputs.storedEnergy = 0.5 * stiffness * 25e-6;
      inputs.cause = cause;
      static_cast<void>(safeWrench(state, settings, inputs, kTick));
    }
    EXPECT_NEAR(state.ledger[cause], 0.0125, 1e-9);
    if (cause == EnergyPort::Parameters) {
      EXPECT_GT(state.passivity.balance, -1e-6);
    } else {
      EXPECT_LT(state.passivity.balance, -0.01);
    }
  }
}

}  // namespace
}  // namespace tactus::response
