#include "response/hand/hand_response.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "response/rotation_vector.hpp"
#include "tests/response/coupling/closed_contacts.hpp"
#include "tests/response/random_turn.hpp"

namespace tactus::response {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using tests::anyVector;
using tests::BytesHash;
using tests::PlaneContact;
using tests::SeededBits;

constexpr double kTick = 0.001;
constexpr double kPi = 3.14159265358979;

/// A sigma-like device, its handle 3 cm beside the tool's middle.
HandSetup someHand() {
  HandSetup setup;
  setup.device.peak = setup.device.continuous = {12.0, 0.2};
  setup.device.delayTicks = 1;
  setup.toolFromGrip.translation() = Vector3d(0.03, 0, 0);
  setup.reach = 0.08;
  setup.thinnestPart = 0.01;
  setup.workspace.edgeRadius = 0.06;
  setup.shifts = {.damping = 0.05};
  return setup;
}

/// A hand that has waited at the origin for its force.
struct Hand {
  HandResponse response;
  HandInputs inputs;
  ForceParameters wanted;
  PlaneContact plane{.stiffness = 7000.0};
  HandTick last;

  explicit Hand(const ForceParameters& parameters = {}, const HandSetup& setup = someHand())
      : response(setup, startOfTool(), parameters), wanted(parameters) {
    for (int tick = 0; tick < 10'000 && last.safe.phase != SafetyPhase::Active; ++tick)
      step();
    EXPECT_EQ(last.safe.phase, SafetyPhase::Active);
  }
  static Isometry3d startOfTool() {
    Isometry3d pose = Isometry3d::Identity();
    pose.translation() = Vector3d(0, 0.005, 0);  // above the plane
    return pose;
  }
  const HandTick& step() {
    plane.stiffness = 7000.0 * last.contactFactor;
    last = response.tick(inputs, wanted, ContactQuery(plane), kTick);
    return last;
  }
  /// On a straight line, slow at its ends.
  void goTo(const Vector3d& target, int ticks) {
    const Vector3d from = inputs.position;
    for (int tick = 1; tick <= ticks; ++tick) {
      inputs.position = from + 0.5 * (1 - std::cos(kPi * tick / ticks)) * (target - from);
      step();
    }
  }
};

TEST(HandResponse, InFreeSpaceTheToolFollowsWithoutForce) {
  Hand hand;
  for (int tick = 0; tick < 500; ++tick) {
    hand.inputs.position = Vector3d(1e-5 * tick, 2e-5 * tick, 0);
    hand.inputs.orientation = turnBy(Vector3d(0, 0, 1e-3 * tick));
    const HandTick& now = hand.step();
    EXPECT_LT(now.safe.applied.force.norm() + now.safe.applied.torque.norm(), 1e-9);
  }
  const Isometry3d grip = hand.last.tool.sceneFromTool * someHand().toolFromGrip;
  EXPECT_LT((grip.translation() - Vector3d(0.03 + 0.00499, 0.005 + 0.00998, 0)).norm(), 1e-9);
}

TEST(HandResponse, PressedAgainstAPlaneTheHandFeelsSpringsInARow) {
  ForceParameters undamped;
  undamped.damping = undamped.turnDamping = 0.0;
  Hand hand(undamped);
  hand.goTo(Vector3d(0, -0.010, 0), 1000);  // 5 mm below
  // the tool turns about its middle under the lever of the handle? No: the coupling holds its
  // middle
  const double felt = 1.0 / (1.0 / 1000 + 1.0 / 7000);
  EXPECT_NEAR(hand.last.safe.applied.force.y(), felt * 0.005, 1e-4);
  // at the grip, 3 cm beside: the torque of the same push about there
  EXPECT_NEAR(hand.last.safe.applied.torque.z(), -0.03 * felt * 0.005, 1e-5);
  EXPECT_NEAR(hand.last.tool.stiffnessRatio, 7.0, 1e-6);
  EXPECT_NEAR(hand.last.shiftAdvice.neededDamping, 0.5, 1e-12);
  hand.goTo(Vector3d::Zero(), 1000);
  EXPECT_LT(hand.last.safe.applied.force.norm(), 1e-4);
  // what was pressed in came back, but for what the hold made and the device's delay
  EXPECT_LT(hand.response.ledger().givenToHand, 1e-3);
  EXPECT_NEAR(hand.response.ledger()[EnergyPort::Coupling], 0.0, 2e-5);
  EXPECT_EQ(hand.response.passivity().heldBack, 0U);
}

// Each in turn from its least to its most and back, while the hand rests in the plane.
TEST(HandResponse, SlammedParametersNeverKick) {
  for (const ParameterRange& range : kForceParameterRanges) {
    ForceParameters start;
    start.*range.value = range.low;
    start.mostSpeed = std::max(start.mostSpeed, 0.5);  // or the hand does not get there
    Hand hand(start);
    hand.goTo(Vector3d(0, -0.009, 0), 300);
    const double given = hand.response.ledger().givenToHand;
    double before = hand.last.safe.applied.force.norm();
    for (const double end : {range.high, range.low}) {
      hand.wanted.*range.value = end;
      for (int tick = 0; tick < 400; ++tick) {
        // 5 kN/m within a second at 4 mm is 20 N/s, 40 N of limit in the same time twice that
        const double force = hand.step().safe.applied.force.norm();
        EXPECT_LE(force - before, 0.05) << range.name << ' ' << tick;
        before = force;
      }
    }
    // the hand rested: it did no work, whatever became of the energy that is stored
    EXPECT_EQ(hand.response.ledger().givenToHand, given) << range.name;
  }
}

TEST(HandResponse, SlammedStiffnessIsBookedAsParameters) {
  ForceParameters soft;
  soft.stiffness = 0.0;
  Hand hand(soft);
  hand.goTo(Vector3d(0, -0.008, 0), 500);
  hand.wanted.stiffness = 5000.0;
  const double coupling = hand.response.ledger()[EnergyPort::Coupling];
  for (int tick = 0; tick < 1500; ++tick)
    hand.step();
  // and the contact has become stiffer with the coupling, to five times that
  EXPECT_NEAR(hand.last.tool.stiffnessRatio, 5.0, 1e-6);
  EXPECT_NEAR(hand.last.safe.applied.force.y(), 5000 / 1.2 * 0.003, 0.6);
  EXPECT_GT(hand.response.ledger()[EnergyPort::Parameters], 0.5 * 2000 * 9e-6);
  EXPECT_NEAR(hand.response.ledger()[EnergyPort::Coupling], coupling, 1e-6);
  // energy that was meant: the controller leaves the hand alone
  EXPECT_EQ(hand.response.passivity().heldBack, 0U);
}

TEST(HandResponse, ClutchLetsGoAndTakesUpAtZeroForce) {
  Hand hand;
  hand.goTo(Vector3d(0, -0.009, 0), 500);
  ASSERT_GT(hand.last.safe.applied.force.y(), 3.0);
  hand.inputs.isClutchPressed = true;
  double before = hand.last.safe.applied.force.norm();
  for (int tick = 0; tick < 300; ++tick) {
    hand.step();
    EXPECT_LE(hand.last.safe.applied.force.norm(), before + 1e-9);
    before = hand.last.safe.applied.force.norm();
  }
  EXPECT_LT(before, 1e-6);
  EXPECT_EQ(hand.last.safe.reason, SafetyReason::Clutched);
  const Vector3d tool = hand.last.tool.sceneFromTool.translation();
  hand.goTo(Vector3d(0.02, 0.03, 0), 800);  // elsewhere, with the scene standing still
  EXPECT_LT((hand.last.tool.sceneFromTool.translation() - tool).norm(), 1e-6);
  hand.inputs.isClutchPressed = false;
  for (int tick = 0; tick < 1000; ++tick) {
    hand.step();
    EXPECT_LT(hand.last.safe.applied.force.norm(), 0.01);
  }
  EXPECT_EQ(hand.last.safe.phase, SafetyPhase::Active);
  // and the plane is felt again from here
  hand.goTo(Vector3d(0.02, 0.026, 0), 500);
  EXPECT_NEAR(hand.last.safe.applied.force.y(), 875 * 0.004, 0.02);
}

TEST(HandResponse, AGapOf35MillisecondsIsNoKick) {
  Hand hand;
  hand.goTo(Vector3d(0, -0.008, 0), 500);
  hand.inputs.position.y() -= 0.003;
  hand.inputs.skippedTicks = 34;
  hand.step();
  // what is left damps the motion of 0.086 m/s, by 10 N s/m at most
  EXPECT_LT(hand.last.safe.applied.force.norm(), 0.9);
  EXPECT_EQ(hand.last.safe.reason, SafetyReason::TicksMissed);
  hand.inputs.skippedTicks = 0;
  double before = hand.last.safe.applied.force.norm();
  for (int tick = 0; tick < 1000; ++tick) {
    const double force = hand.step().safe.applied.force.norm();
    EXPECT_LE(force - before, 0.05);
    before = force;
  }
  EXPECT_NEAR(hand.last.safe.applied.force.y(), 875 * 0.006, 0.01);
}

TEST(HandResponse, ContactThatIsNoNumberGivesZeroInTheSameTick) {
  Hand hand;
  hand.goTo(Vector3d(0, -0.008, 0), 500);
  ASSERT_GT(hand.last.safe.applied.force.y(), 2.0);
  auto broken = [](const Isometry3d&) {
    ContactLoad load;
    load.wrench.torque.y() = std::numeric_limits<double>::quiet_NaN();
    return load;
  };
  const HandTick now = hand.response.tick(hand.inputs, hand.wanted, ContactQuery(broken), kTick);
  EXPECT_EQ(now.safe.applied.force, Vector3d::Zero());
  EXPECT_EQ(now.safe.applied.torque, Vector3d::Zero());
  EXPECT_EQ(now.safe.reason, SafetyReason::NotANumberCoupling);
  HandInputs bad = hand.inputs;
  bad.position.x() = std::numeric_limits<double>::infinity();
  const HandTick next = hand.response.tick(bad, hand.wanted, ContactQuery(hand.plane), kTick);
  EXPECT_EQ(next.safe.applied.force, Vector3d::Zero());
  EXPECT_EQ(next.safe.reason, SafetyReason::NotANumberPose);
  for (int tick = 0; tick < 1500; ++tick) {
    hand.step();
    ASSERT_TRUE(hand.last.safe.applied.force.allFinite());
    EXPECT_LT(hand.last.safe.applied.force.norm(), 0.2);  // let go: it does not come back by itself
  }
  EXPECT_EQ(hand.last.safe.phase, SafetyPhase::Active);
}

// A device that cannot turn the hand: turning the handle in free space or contact is never felt as
// a force by a lever, and what the turn stores is the port's.
TEST(HandResponse, UnactuatedTurnsPivotAboutTheHandle) {
  ForceParameters parameters;
  parameters.level = InteractionLevel::SixInThreeOut;
  HandSetup setup = someHand();
  setup.device.peak.torque = setup.device.continuous.torque = 0.0;
  Hand hand(parameters, setup);
  // the tool's point touches; the handle is 3 cm beside it and stays where it is
  hand.goTo(Vector3d(0, -0.005, 0), 300);
  for (int tick = 1; tick <= 500; ++tick) {
    hand.inputs.orientation = turnBy(Vector3d(0, 0, 0.4 * tick / 500));
    hand.step();
    EXPECT_EQ(hand.last.safe.applied.torque, Vector3d::Zero());
  }
  const double torque = hand.last.safe.stages.unactuated.torque.z();
  EXPECT_LT(torque, -0.01);
  EXPECT_GT(hand.response.ledger()[EnergyPort::Unactuated], 1e-4);
  // the hand moved nowhere: no work, and no controller woken by what nobody feels
  EXPECT_NEAR(hand.response.ledger().givenToHand, 0.0, 1e-4);
  EXPECT_EQ(hand.response.passivity().heldBack, 0U);
}

TEST(HandResponse, ADynamicToolIsTakenUpInFreeSpaceOnly) {
  Hand hand;
  hand.goTo(Vector3d(0, -0.008, 0), 500);
  hand.wanted.tool = ToolKind::Dynamic;
  hand.step();
  EXPECT_EQ(hand.response.parameters().tool, ToolKind::QuasiStatic);
  hand.goTo(Vector3d(0, 0.002, 0), 500);
  hand.step();
  EXPECT_EQ(hand.response.parameters().tool, ToolKind::Dynamic);
  hand.wanted.damping = 3.0;
  hand.goTo(Vector3d(0, -0.008, 0), 1000);
  for (int tick = 0; tick < 1000; ++tick)
    hand.step();
  EXPECT_NEAR(hand.last.safe.applied.force.y(), 875 * 0.003, 0.01);
}

/// A device of 0.2 kg and a hand on it, as an impedance, pushed against the plane for five seconds.
struct PressingHand {
  double mass, damping, stiffness, bias;
};

// As shipped, a wall is calm in any hand, from the weight of a finger to a firm grip, with encoders
// of 10 um and a tick of delay; nobody gets energy from it; and the passivity controller sleeps.
// With no damping in the coupling the first two hands chatter, and the controller has to work.
TEST(HandResponse, ShippedParametersAreCalmInEveryHand) {
  const PressingHand hands[] = {
      {0.0, 0.0, 0.0, 0.5}, {0.1, 1.0, 50.0, 0.0}, {0.3, 4.0, 200.0, 0.0}, {0.8, 15.0, 800.0, 0.0}};
  constexpr double kEncoder = 1e-5;
  for (const bool isDamped : {true, false}) {
    double worst = 0.0;
    for (const PressingHand& pressing : hands) {
      ForceParameters parameters;
      if (!isDamped) parameters.damping = 0.0;
      Hand hand(parameters);
      double y = 0.0;
      double speed = 0.0;
      double before = 0.0;  // the force that is on its way
      std::vector<double> forces;
      for (int tick = 0; tick < 5000; ++tick) {
        hand.inputs.position.y() = kEncoder * std::floor(y / kEncoder + 0.5);
        const double force = hand.step().safe.applied.force.y();
        if (tick >= 3000) forces.push_back(force);
        for (int part = 0; part < 20; ++part) {
          const double push = -pressing.bias + pressing.stiffness * (-0.011 - y) -
                              (pressing.damping + 0.05) * speed + before;
          speed += kTick / 20 * (push / (0.2 + pressing.mass));
          y += kTick / 20 * speed;
        }
        before = force;
      }
      double mean = 0.0;
      double square = 0.0;
      for (const double force : forces)
        mean += force / static_cast<double>(forces.size());
      for (const double force : forces)
        square += (force - mean) * (force - mean) / static_cast<double>(forces.size());
      worst = std::max(worst, std::sqrt(square));
      if (isDamped) {
        EXPECT_GT(mean, 0.2);
        EXPECT_LT(hand.response.ledger().givenToHand, 0.0);
        EXPECT_EQ(hand.response.passivity().damped + hand.response.passivity().heldBack, 0U);
      }
    }
    if (isDamped) {
      EXPECT_LT(worst, 0.03);  // three encoder steps
    } else {
      EXPECT_GT(worst, 0.1);
    }
  }
}

TEST(HandResponse, SameBytesEverywhereAndFromACopy) {
  SeededBits random(99);
  Hand hand;
  BytesHash hash;
  HandResponse copy = hand.response;
  for (int tick = 0; tick < 2000; ++tick) {
    if (tick == 700) copy = hand.response;
    hand.inputs.position += 2e-4 * anyVector(random) - 0.01 * hand.inputs.position;
    hand.inputs.position.y() -= 5e-5;
    hand.inputs.orientation =
        rectified(turnBy(0.003 * anyVector(random)) * hand.inputs.orientation);
    hand.inputs.isClutchPressed = tick % 900 > 800;
    hand.wanted.stiffness = tick % 500 < 250 ? 3000.0 : 500.0;
    const HandTick& now = hand.step();
    for (int axis = 0; axis < 3; ++axis) {
      hash.add(now.safe.applied.force[axis]);
      hash.add(now.safe.applied.torque[axis]);
    }
    if (tick < 700) continue;
    const HandTick again = copy.tick(hand.inputs, hand.wanted, ContactQuery(hand.plane), kTick);
    EXPECT_EQ(again.safe.applied.force, now.safe.applied.force);
    EXPECT_EQ(again.safe.applied.torque, now.safe.applied.torque);
  }
  EXPECT_EQ(hash.value(), 10443576946298463016U);
}

}  // namespace
}  // namespace tactus::response
