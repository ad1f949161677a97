#include "response/safety/order_of_safety.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

#include "response/rotation_vector.hpp"
#include "tests/response/random_turn.hpp"

namespace tactus::response {
namespace {

using Eigen::Vector3d;
using tests::anyDirection;
using tests::anyVector;
using tests::BytesHash;
using tests::SeededBits;

constexpr double kTick = 0.001;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

static_assert(std::is_trivially_copyable_v<SafetySettings>);

SafetySettings sixDof() {
  SafetySettings settings;
  settings.peak = settings.continuous = {12.0, 0.2};
  return settings;
}

/// A hand that has waited until it gets the whole force.
SafetyState active(const SafetySettings& settings) {
  SafetyState state;
  SafetyInputs inputs;
  for (int tick = 0; tick < 5000 && state.phase != SafetyPhase::Active; ++tick)
    static_cast<void>(safeWrench(state, settings, inputs, kTick));
  EXPECT_EQ(state.phase, SafetyPhase::Active);
  return state;
}

/// A hand on a wall at x = 0 of 1 kN/m, `depth` deep, and what the wall stores.
SafetyInputs onWall(double depth, double speed = 0.0) {
  SafetyInputs inputs;
  inputs.position = Vector3d(-depth, 0, 0);
  inputs.velocity.shift = Vector3d(-speed, 0, 0);
  if (depth > 0.0) {
    inputs.coupling.force = Vector3d(1000.0 * depth, 0, 0);
    inputs.storedEnergy = 500.0 * depth * depth;
  }
  return inputs;
}

TEST(OrderOfSafety, StartsWithoutForceAndRampsUp) {
  const SafetySettings settings = sixDof();
  SafetyState state;
  double before = 0.0;
  int waited = 0;
  int ramped = 0;
  for (int tick = 0; tick < 1000; ++tick) {
    // 0.1 N is small: may come from the start
    SafetyInputs inputs = onWall(0.0001);
    const SafeWrench out = safeWrench(state, settings, inputs, kTick);
    if (out.phase == SafetyPhase::Waiting) {
      EXPECT_EQ(out.applied.force, Vector3d::Zero());
      EXPECT_EQ(out.reason, SafetyReason::Starting);
      EXPECT_TRUE(out.wantsRezero);
      ++waited;
    }
    if (out.phase == SafetyPhase::Ramping) ++ramped;
    EXPECT_GE(out.applied.force.x(), before);
    before = out.applied.force.x();
  }
  EXPECT_NEAR(waited, 300, 2);
  EXPECT_NEAR(ramped, 500, 2);
  EXPECT_EQ(before, 0.1);
}

TEST(OrderOfSafety, WaitsForASmallForceAndACalmHand) {
  const SafetySettings settings = sixDof();
  SafetyState state;
  for (int tick = 0; tick < 2000; ++tick)
    EXPECT_EQ(safeWrench(state, settings, onWall(0.005), kTick).applied.force, Vector3d::Zero());
  SafetyInputs fast;  // 0.5 m/s of 0.2 kg: 25 mJ
  fast.velocity.shift = Vector3d(0, 0.5, 0);
  SafeWrench out;
  for (int tick = 0; tick < 1000; ++tick)
    out = safeWrench(state, settings, fast, kTick);
  EXPECT_EQ(out.phase, SafetyPhase::Waiting);
  EXPECT_EQ(out.reason, SafetyReason::HandNotCalm);
  for (int tick = 0; tick < 600; ++tick)
    out = safeWrench(state, settings, {}, kTick);
  EXPECT_EQ(out.phase, SafetyPhase::Active);
}

TEST(OrderOfSafety, ActiveAndWithinLimitsTheCouplingPassesToTheBit) {
  const SafetySettings settings = sixDof();
  SafetyState state = active(settings);
  SafeWrench out;
  for (int tick = 0; tick <= 200; ++tick) {
    SafetyInputs inputs = onWall(2e-5 * tick);
    inputs.coupling.torque = Vector3d(0, 1e-4 * tick, 0);
    out = safeWrench(state, settings, inputs, kTick);
    EXPECT_EQ(out.applied.force, inputs.coupling.force);
    EXPECT_EQ(out.applied.torque, inputs.coupling.torque);
    EXPECT_EQ(out.reason, SafetyReason::None);
  }
}

TEST(OrderOfSafety, ClampKeepsTheDirection) {
  SafetySettings settings = sixDof();
  settings.forceSlew = settings.torqueSlew = 1e9;
  SeededBits random(4);
  for (int i = 0; i < 200; ++i) {
    SafetyState state = active(settings);
    SafetyInputs inputs;
    inputs.coupling = {random.between(1, 100) * anyDirection(random),
                       random.between(0.01, 2) * anyDirection(random)};
    const SafeWrench out = safeWrench(state, settings, inputs, kTick);
    const auto check = [](const Vector3d& applied, const Vector3d& wanted, double limit) {
      EXPECT_LE(applied.norm(), limit * (1 + 1e-15));
      EXPECT_NEAR(applied.normalized().dot(wanted.normalized()), 1.0, 1e-14);
    };
    check(out.applied.force, inputs.coupling.force, 12.0);
    check(out.applied.torque, inputs.coupling.torque, 0.2);
  }
}

TEST(OrderOfSafety, FallingForceIsNeverDelayed) {
  const SafetySettings settings = sixDof();
  SafetyState state = active(settings);
  for (int tick = 0; tick < 100; ++tick)
    static_cast<void>(safeWrench(state, settings, onWall(0.01), kTick));
  // out of the wall within a tick, with all the balance in order: nothing of the force remains
  for (const double depth : {0.006, 0.003, 0.0}) {
    const SafeWrench out = safeWrench(state, settings, onWall(depth), kTick);
    EXPECT_LE(out.applied.force.x(), 1000.0 * depth);
  }
  EXPECT_EQ(state.past[state.newest].applied.force, Vector3d::Zero());
}

TEST(OrderOfSafety, RisingForceComesNoFasterThanItMay) {
  const SafetySettings settings = sixDof();  // 2 N a tick
  SafetyState state = active(settings);
  double before = 0.0;
  for (int tick = 0; tick < 10; ++tick) {
    const SafeWrench out = safeWrench(state, settings, onWall(0.01), kTick);
    EXPECT_LE(out.applied.force.x() - before, 2.0 + 1e-12);
    EXPECT_EQ(out.isSlewed, tick < 4);
    before = out.applied.force.x();
  }
  EXPECT_NEAR(before, 10.0, 1e-12);
}

/// Each way in which something may be no number, and the reason it must be given.
struct Poison {
  std::function<void(SafetyInputs&, SafetySettings&, double&, double)> put;
  SafetyReason reason;
};

std::vector<Poison> poisons() {
  using enum SafetyReason;
  std::vector<Poison> all;
  const auto add = [&](SafetyReason reason, auto put) { all.push_back({put, reason}); };
  add(NotANumberTime, [](auto&, auto&, double& dt, double bad) { dt = bad; });
  for (int axis = 0; axis < 3; ++axis) {
    add(NotANumberPose, [=](auto& in, auto&, double&, double bad) { in.position[axis] = bad; });
    add(NotANumberPose,
        [=](auto& in, auto&, double&, double bad) { in.orientation(axis, 1) = bad; });
    add(NotANumberVelocity,
        [=](auto& in, auto&, double&, double bad) { in.velocity.shift[axis] = bad; });
    add(NotANumberVelocity,
        [=](auto& in, auto&, double&, double bad) { in.velocity.turn[axis] = bad; });
    add(NotANumberCoupling,
        [=](auto& in, auto&, double&, double bad) { in.coupling.force[axis] = bad; });
    add(NotANumberCoupling,
        [=](auto& in, auto&, double&, double bad) { in.coupling.torque[axis] = bad; });
    add(NotANumberCoupling,
        [=](auto& in, auto&, double&, double bad) { in.unactuated.torque[axis] = bad; });
  }
  add(NotANumberCoupling, [](auto& in, auto&, double&, double bad) { in.storedEnergy = bad; });
  add(NotANumberCoupling, [](auto& in, auto&, double&, double bad) { in.couplingAge = bad; });
  add(NotANumberClamp, [](auto&, auto& set, double&, double bad) { set.peak.force = bad; });
  add(NotANumberClamp, [](auto&, auto& set, double&, double bad) { set.peak.torque = bad; });
  return all;
}

TEST(OrderOfSafety, NotANumberGivesZeroInTheSameTickAndIsNamed) {
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    for (const Poison& poison : poisons()) {
      SafetySettings settings = sixDof();
      SafetyState state = active(settings);
      SafetyInputs inputs = onWall(0.002);
      for (int tick = 0; tick < 50; ++tick)
        ASSERT_GT(safeWrench(state, settings, inputs, kTick).applied.force.x(), 1.0);
      SafetyInputs poisoned = inputs;
      SafetySettings poisonedSettings = settings;
      double dt = kTick;
      poison.put(poisoned, poisonedSettings, dt, bad);
      const SafeWrench out = safeWrench(state, poisonedSettings, poisoned, dt);
      EXPECT_EQ(out.applied.force, Vector3d::Zero());
      EXPECT_EQ(out.applied.torque, Vector3d::Zero());
      EXPECT_EQ(out.reason, poison.reason) << nameOf(out.reason);
      EXPECT_EQ(out.phase, SafetyPhase::DampingOnly);
      // next, damping and nothing else, though the wall still pushes
      for (int tick = 0; tick < 50; ++tick) {
        inputs.velocity.shift = Vector3d(0.1, 0.05, 0);
        const SafeWrench after = safeWrench(state, settings, inputs, kTick);
        ASSERT_TRUE(after.applied.force.allFinite());
        EXPECT_LT(after.applied.force.dot(inputs.velocity.shift), 0.0);
        EXPECT_LE(after.applied.force.norm(), 2.0 * 0.12);
      }
      // and back again, once the force is small
      SafeWrench back;
      for (int tick = 0; tick < 1500; ++tick)
        back = safeWrench(state, settings, {}, kTick);
      EXPECT_EQ(back.phase, SafetyPhase::Active);
    }
  }
}

// Settings that are no number spoil the stage that reads them, and are seen behind it at the
// latest.
TEST(OrderOfSafety, SettingsThatAreNoNumberNeverReachTheDevice) {
  using Put = void (*)(SafetySettings&);
  const Put puts[] = {
      [](SafetySettings& s) { s.rampSeconds = kNaN; },
      [](SafetySettings& s) { s.fadeSeconds = kNaN; },
      [](SafetySettings& s) { s.staleFrom = kNaN; },
      [](SafetySettings& s) { s.safeDamping = kNaN; },
      [](SafetySettings& s) { s.forceSlew = kNaN; },
      [](SafetySettings& s) { s.torqueSlew = kNaN; },
      [](SafetySettings& s) { s.passivity.lever = kNaN; },
      [](SafetySettings& s) { s.passivity.allowance = kNaN; },
      [](SafetySettings& s) { s.passivity.credit = kNaN; },
      [](SafetySettings& s) { s.passivity.mostDamping = kNaN; },
      [](SafetySettings& s) { s.passivity.deviceDamping = kNaN; },
      [](SafetySettings& s) { s.continuous.force = kNaN; },
      [](SafetySettings& s) { s.thermalSeconds = kNaN; },
      [](SafetySettings& s) { s.calmEnergy = kNaN; },
      [](SafetySettings& s) { s.mostSpeed = kNaN; },
  };
  for (const Put& put : puts) {
    const SafetySettings good = sixDof();
    SafetyState state = active(good);
    SafetySettings settings = good;
    put(settings);
    SeededBits random(6);
    for (int tick = 0; tick < 300; ++tick) {
      SafetyInputs inputs = onWall(0.003 * std::abs(random.between(-1, 1)), random.between(-1, 1));
      inputs.coupling.torque = 0.05 * anyVector(random);
      const SafeWrench out = safeWrench(state, settings, inputs, kTick);
      ASSERT_TRUE(out.applied.force.allFinite() && out.applied.torque.allFinite()) << &put - puts;
      ASSERT_LE(out.applied.force.norm(), 12.0 * (1 + 1e-12));
    }
    SafeWrench back;
    for (int tick = 0; tick < 2000; ++tick)
      back = safeWrench(state, good, {}, kTick);
    EXPECT_EQ(back.phase, SafetyPhase::Active) << &put - puts;
  }
}

TEST(OrderOfSafety, EmergencyStopIsAtOnceAndStays) {
  const SafetySettings settings = sixDof();
  SafetyState state = active(settings);
  for (int tick = 0; tick < 50; ++tick)
    static_cast<void>(safeWrench(state, settings, onWall(0.005), kTick));
  SafetyInputs stop = onWall(0.005);
  stop.isEmergencyStop = true;
  stop.velocity.shift = Vector3d(0.3, 0, 0);
  EXPECT_EQ(safeWrench(state, settings, stop, kTick).applied.force, Vector3d::Zero());
  stop.isEmergencyStop = false;
  for (int tick = 0; tick < 2000; ++tick) {
    const SafeWrench out = safeWrench(state, settings, stop, kTick);
    EXPECT_EQ(out.applied.force, Vector3d::Zero());
    EXPECT_EQ(out.phase, SafetyPhase::Stopped);
    EXPECT_EQ(out.reason, SafetyReason::EmergencyStop);
  }
  SafetyInputs reset;
  reset.isReset = true;
  EXPECT_EQ(safeWrench(state, settings, reset, kTick).phase, SafetyPhase::Waiting);
  // not even a number that is none brings it back
  SafetyInputs again;
  again.isEmergencyStop = true;
  again.position.x() = kNaN;
  EXPECT_EQ(safeWrench(state, settings, again, kTick).applied.force, Vector3d::Zero());
  EXPECT_EQ(safeWrench(state, settings, {}, kTick).phase, SafetyPhase::Stopped);
}

TEST(OrderOfSafety, InterlocksFadeTheForceAndLeaveDamping) {
  struct Case {
    void (*put)(SafetyInputs&, SafetySettings&);
    SafetyReason reason;
  };
  const Case cases[] = {
      {[](SafetyInputs& in, SafetySettings&) { in.isConnected = false; }, SafetyReason::DeviceLost},
      {[](SafetyInputs& in, SafetySettings& set) {
         set.needsDeadMan = true;
         in.isDeadManHeld = false;
       },
       SafetyReason::DeadManOpen},
      {[](SafetyInputs& in, SafetySettings&) { in.velocity.shift = Vector3d(0, 3, 0); },
       SafetyReason::TooFast},
      {[](SafetyInputs& in, SafetySettings&) { in.velocity.turn = Vector3d(0, 0, 40); },
       SafetyReason::TooFast},
      {[](SafetyInputs& in, SafetySettings&) { in.couplingAge = 0.05; },
       SafetyReason::CouplingStale}};
  for (const Case& interlock : cases) {
    SafetySettings settings = sixDof();
    SafetyState state = active(settings);
    for (int tick = 0; tick < 50; ++tick)
      static_cast<void>(safeWrench(state, settings, onWall(0.005), kTick));
    SafetyInputs inputs = onWall(0.005);
    interlock.put(inputs, settings);
    double before = 6.0;
    for (int tick = 0; tick < 30; ++tick) {
      const SafeWrench out = safeWrench(state, settings, inputs, kTick);
      EXPECT_EQ(out.reason, interlock.reason);
      EXPECT_EQ(out.phase, SafetyPhase::DampingOnly);
      EXPECT_LE(out.applied.force.x(), before);  // the wall's part only falls
      before = out.applied.force.x();
    }
    EXPECT_NEAR(before, 0.0, 1e-12);
  }
}

TEST(OrderOfSafety, StaleCouplingFadesBeforeItStops) {
  const SafetySettings settings = sixDof();
  SafetyState state = active(settings);
  for (int tick = 0; tick < 50; ++tick)
    static_cast<void>(safeWrench(state, settings, onWall(0.005), kTick));
  double before = 5.0;
  for (int age = 0; age <= 40; ++age) {
    SafetyInputs inputs = onWall(0.005);
    inputs.couplingAge = 0.001 * age;
    const SafeWrench out = safeWrench(state, settings, inputs, kTick);
    EXPECT_LE(out.applied.force.x(), before);
    EXPECT_LE(before - out.applied.force.x(), 5.0 / 30 + 1e-9);  // a line of 30 ms
    before = out.applied.force.x();
  }
  EXPECT_EQ(before, 0.0);
  // a new force, and the hand is calm: it comes up again without being let go
  SafeWrench out;
  for (int tick = 0; tick < 600; ++tick) {
    out = safeWrench(state, settings, onWall(0.005), kTick);
    EXPECT_LE(out.applied.force.x() - before, 5.0 / 500 + 1e-9);
    before = out.applied.force.x();
  }
  EXPECT_NEAR(out.applied.force.x(), 5.0, 1e-9);
}

TEST(OrderOfSafety, AfterAStandstillOf35MillisecondsForceComesUpAnew) {
  const SafetySettings settings = sixDof();
  SafetyState state = active(settings);
  for (int tick = 0; tick < 50; ++tick)
    static_cast<void>(safeWrench(state, settings, onWall(0.004), kTick));
  SafetyInputs inputs = onWall(0.009);  // in the meantime the hand went on
  inputs.skippedTicks = 34;
  SafeWrench out = safeWrench(state, settings, inputs, kTick);
  EXPECT_EQ(out.reason, SafetyReason::TicksMissed);
  EXPECT_EQ(out.applied.force, Vector3d::Zero());
  // the work of the force that was held is booked for the whole standstill
  EXPECT_NEAR(state.ledger.givenToHand, -(4.0 * 0.005), 1e-12);
  double before = 0.0;
  for (int tick = 0; tick < 700; ++tick) {
    out = safeWrench(state, settings, onWall(0.009), kTick);
    EXPECT_LE(out.applied.force.x() - before, 9.0 / 500 + 1e-9);
    EXPECT_GE(out.applied.force.x(), before - 1e-12);
    before = out.applied.force.x();
  }
  EXPECT_NEAR(before, 9.0, 1e-9);
  // a tick that is late by little is no standstill
  inputs = onWall(0.009);
  inputs.skippedTicks = 3;
  EXPECT_NEAR(safeWrench(state, settings, inputs, kTick).applied.force.x(), 9.0, 1e-9);
}

TEST(OrderOfSafety, ThermalLimitComesDownWithoutAStep) {
  SafetySettings settings = sixDof();
  settings.continuous = {5.0, 0.2};
  settings.thermalSeconds = 1.0;
  SafetyState state = active(settings);
  double before = 0.0;
  for (int tick = 0; tick < 10'000; ++tick) {
    const double force = safeWrench(state, settings, onWall(0.012), kTick).applied.force.x();
    if (tick > 10) {
      EXPECT_LE(std::abs(force - before), 0.2);
    }
    before = force;
  }
  EXPECT_NEAR(before, 5.0, 0.05);
}

// The ledger is a sum that comes out, whatever happens.
TEST(OrderOfSafety, EveryJouleIsBooked) {
  for (const std::uint32_t delay : {0U, 1U, 3U}) {
    SafetySettings settings = sixDof();
    settings.delayTicks = delay;
    settings.continuous = {6.0, 0.1};
    settings.thermalSeconds = 0.5;
    SafetyState state = active(settings);
    SeededBits random(20 + delay);
    SafetyInputs inputs;
    double volume = 0.0;  // N s
    for (int tick = 0; tick < 5000; ++tick) {
      inputs.position += 5e-4 * anyVector(random);
      inputs.orientation = rectified(turnBy(0.01 * anyVector(random)) * inputs.orientation);
      inputs.velocity = {0.5 * anyVector(random), 10.0 * anyVector(random)};
      inputs.coupling = {8.0 * anyVector(random), 0.2 * anyVector(random)};
      inputs.unactuated.torque = 0.1 * anyVector(random);
      inputs.storedEnergy = random.between(0.0, 0.05);
      inputs.broughtEnergy = random.between(-0.02, 0.02);
      inputs.couplingAge = random.between(0.0, 0.02);
      inputs.cause = static_cast<EnergyPort>(random.below(5));
      inputs.isClutched = tick % 900 > 850;
      inputs.isConnected = tick % 1200 < 1150;
      if (tick % 1000 == 500) inputs.coupling.force.y() = kNaN;
      if (tick % 1000 == 700) inputs.velocity.turn.z() = kNaN;
      const SafeWrench out = safeWrench(state, settings, inputs, kTick);
      volume += kTick * out.applied.force.norm();
    }
    double sum = 0.0;
    for (const double port : state.ledger.ports)
      sum += port;
    EXPECT_NEAR(sum - state.ledger.stored, state.ledger.givenToHand, 1e-11);
    EXPECT_GT(volume, 3.0);
    EXPECT_GT(state.ledger.unobserved, 10U);
    EXPECT_NE(state.ledger[EnergyPort::Others], 0.0);
  }
}

TEST(OrderOfSafety, LedgerNamesTheCause) {
  SafetySettings settings = sixDof();
  settings.passivity.isOn = false;
  // a wall that the hand enters and leaves with 0.1 m/s: the hold gives K dx^2 / 2 a tick
  SafetyState state = active(settings);
  for (int tick = 0; tick <= 200; ++tick) {
    const double depth = 1e-4 * (tick <= 100 ? tick : 200 - tick);
    static_cast<void>(safeWrench(state, settings, onWall(depth), kTick));
  }
  EXPECT_NEAR(state.ledger[EnergyPort::Sampling], 200 * 0.5 * 1000 * 1e-8, 1e-9);
  EXPECT_NEAR(state.ledger.givenToHand, state.ledger[EnergyPort::Sampling], 1e-12);
  EXPECT_NEAR(state.ledger[EnergyPort::Coupling], 0.0, 1e-12);
  // with a tick of delay three times that: K dx^2 more for each tick of it
  settings.delayTicks = 1;
  state = active(settings);
  for (int tick = 0; tick <= 203; ++tick) {
    const double depth = 1e-4 * std::max(0, tick <= 100 ? tick : 200 - tick);
    static_cast<void>(safeWrench(state, settings, onWall(depth), kTick));
  }
  EXPECT_NEAR(state.ledger[EnergyPort::Delay], 200 * 1000 * 1e-8, 4e-5);
  // unactuated turns
  settings = sixDof();
  state = active(settings);
  for (int tick = 0; tick <= 100; ++tick) {
    SafetyInputs inputs;
    inputs.orientation = turnBy(Vector3d(0, 0, 0.005 * tick));
    inputs.unactuated.torque = Vector3d(0, 0, -0.4 * 0.005 * tick);
    inputs.storedEnergy = 0.5 * 0.4 * 0.005 * tick * 0.005 * tick;
    static_cast<void>(safeWrench(state, settings, inputs, kTick));
  }
  EXPECT_NEAR(state.ledger[EnergyPort::Unactuated], 0.5 * 0.4 * 0.25, 1e-9);
  EXPECT_NEAR(state.ledger[EnergyPort::Coupling], 0.0, 1e-9);
  EXPECT_EQ(state.ledger.givenToHand, 0.0);
}

TEST(OrderOfSafety, SameBytesEverywhere) {
  SafetySettings settings = sixDof();
  settings.delayTicks = 1;
  SafetyState state = active(settings);
  SeededBits random(31);
  BytesHash hash;
  SafetyInputs inputs;
  for (int tick = 0; tick < 3000; ++tick) {
    inputs.position += 2e-4 * anyVector(random) - 0.01 * inputs.position;
    inputs.orientation = rectified(turnBy(0.005 * anyVector(random)) * inputs.orientation);
    inputs.velocity = {0.2 * anyVector(random), 5.0 * anyVector(random)};
    inputs.coupling = {8.0 * anyVector(random), 0.2 * anyVector(random)};
    inputs.storedEnergy = random.between(0.0, 0.02);
    const SafeWrench out = safeWrench(state, settings, inputs, kTick);
    for (int axis = 0; axis < 3; ++axis) {
      hash.add(out.applied.force[axis]);
      hash.add(out.applied.torque[axis]);
    }
  }
  EXPECT_EQ(hash.value(), 2862366479771258564U);
}

}  // namespace
}  // namespace tactus::response
