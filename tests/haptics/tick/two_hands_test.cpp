// Two tools that touch: energy goes through the contact from hand to hand, and none comes out of
// it. Oracle: what both hands' accounts book as stored is what is stored, with the contact counted
// once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/haptics/tick/two_hands_scene.hpp"

namespace tactus::haptics {
namespace {

using Eigen::Vector3d;
using response::EnergyPort;
using response::ToolKind;
using test::path;
using test::TwoHandsSettings;
using test::TwoRigs;

/// Until both have their force.
constexpr double kStart = 1.5;
constexpr double kAllowance = 0.5e-3;  // the default

HandPath still(Grasp grasp = Grasp::Normal) {
  return path({{0.0, Vector3d::Zero()}}, grasp);
}

/// Pressed 2 cm into where the other one is, and back, three times.
HandPath presses(double way, Grasp grasp = Grasp::Normal) {
  std::vector<std::pair<double, Vector3d>> places = {{0.0, Vector3d::Zero()},
                                                     {kStart, Vector3d::Zero()}};
  places.reserve(8);
  for (int k = 0; k < 3; ++k) {
    places.emplace_back(kStart + 0.5 + k, Vector3d(way, 0.0, 0.0));
    places.emplace_back(kStart + 1.0 + k, Vector3d::Zero());
  }
  return path(places, grasp);
}

/// Held against the other one and carried to and fro with it.
HandPath carries(double pressed, Grasp grasp = Grasp::Normal) {
  return path({{0.0, Vector3d::Zero()},
               {kStart, Vector3d::Zero()},
               {2.0, Vector3d(pressed, 0.0, 0.0)},
               {2.5, Vector3d(pressed + 0.03, 0.0, 0.0)},
               {3.1, Vector3d(pressed - 0.02, 0.0, 0.0)},
               {3.5, Vector3d(pressed, 0.0, 0.0)},
               {4.0, Vector3d::Zero()}},
              grasp);
}

/// Pressed against the other one, and rubbed along it.
HandPath rubs() {
  return path({{0.0, Vector3d::Zero()},
               {kStart, Vector3d::Zero()},
               {2.0, Vector3d(0.04, 0.0, 0.0)},
               {2.5, Vector3d(0.04, 0.0, 0.02)},
               {3.1, Vector3d(0.04, 0.0, -0.02)},
               {3.5, Vector3d(0.04, 0.0, 0.0)},
               {4.0, Vector3d::Zero()}});
}

struct Meeting {
  const char* name;
  HandPath first, second;
  double friction = 0.0;
};

std::vector<Meeting> meetings() {
  return {{"pressed into one that is held", presses(0.04), still(Grasp::Firm)},
          {"pressed against each other", presses(0.03), presses(-0.03, Grasp::Firm)},
          {"carried together", carries(0.02), carries(-0.02, Grasp::Firm)},
          {"rubbed", rubs(), still(Grasp::Firm), 0.4}};
}

class TwoHands : public testing::TestWithParam<ToolKind> {};
INSTANTIATE_TEST_SUITE_P(All, TwoHands, testing::Values(ToolKind::QuasiStatic, ToolKind::Dynamic),
                         [](const auto& tool) {
                           return tool.param == ToolKind::Dynamic ? "Dynamic" : "QuasiStatic";
                         });

TEST_P(TwoHands, WorkOfTheOneIsNoDeficitOfTheOther) {
  for (const Meeting& meeting : meetings()) {
    SCOPED_TRACE(meeting.name);
    TwoRigs rigs({.kind = GetParam(), .friction = meeting.friction}, meeting.first, meeting.second);
    double least = 0.0;
    double mostGiven = 0.0;
    double mostBrought = 0.0;
    for (int k = 0; k < 4200; ++k) {
      rigs.step();
      least = std::min({least, rigs.balance(0), rigs.balance(1)});
      mostGiven = std::max(mostGiven, rigs.worked());
      mostBrought = std::max(
          {mostBrought, rigs.ledger(0)[EnergyPort::Others], rigs.ledger(1)[EnergyPort::Others]});
    }
    EXPECT_GT(rigs.contactTicks, 1500);
    EXPECT_GT(mostBrought, 2e-3) << "hardly anything went from hand to hand";
    EXPECT_GT(least, -kAllowance);
    EXPECT_LT(mostGiven, 1e-3);
    // A tool with mass, carried by a damper that sees only how it moves against the hand, gives a
    // little more than it takes: there the controller has to do something.
    if (GetParam() == ToolKind::QuasiStatic) {
      EXPECT_LT(rigs.actedTicks, 0.01 * rigs.contactTicks);
    }
  }
}

// Of each hand what is stored less what others brought is what it has stored itself. The sum over
// both is what is in their couplings and, once, in the contact between them.
TEST_P(TwoHands, AccountsOfBothCountTheContactOnce) {
  for (const Meeting& meeting : meetings()) {
    if (meeting.friction > 0.0) continue;  // each tool has bristles of its own
    SCOPED_TRACE(meeting.name);
    TwoRigs rigs({.kind = GetParam()}, meeting.first, meeting.second);
    double wrong = 0.0;
    double most = 0.0;
    double before = 0.0;
    std::array<double, 2> factors = {1.0, 1.0};
    for (int k = 0; k < 4200; ++k) {
      // who makes a contact stiffer brings energy by moving nothing, and it is booked so
      bool haveFactorsMoved = false;
      for (std::size_t hand = 0; hand < 2; ++hand) {
        const double factor = rigs.tick.result(hand).response.contactFactor;
        haveFactorsMoved = haveFactorsMoved || factor != factors[hand];
        factors[hand] = factor;
      }
      rigs.step();
      // of tools without mass the contact as the second one left it, after the first
      const response::CoupledTool& first = rigs.tick.result(0).response.tool;
      const double between = GetParam() == ToolKind::Dynamic
                                 ? rigs.tick.world().contactsOn(1).energyAfter
                                 : first.contact.energy;
      const double stored =
          first.storedEnergy + rigs.tick.result(1).response.tool.storedEnergy - between;
      double booked = 0.0;
      for (std::size_t hand = 0; hand < 2; ++hand)
        booked += rigs.ledger(hand).stored - rigs.ledger(hand)[EnergyPort::Others];
      if (k > 1400 && !haveFactorsMoved) wrong += std::abs(booked - stored - before);
      before = booked - stored;
      most = std::max(most, stored);
    }
    EXPECT_GT(most, 5e-3);
    EXPECT_LT(wrong, 1e-4 * most);
  }
}

// Five times as stiff, late by four ticks, and no damping: that swings, and each swing gives energy
// to both hands, part of it by a device whose own loop generates nothing.
TEST_P(TwoHands, AnActiveContactIsDamped) {
  TwoHandsSettings settings{
      .kind = GetParam(), .stiffer = 5.0, .damped = 0.0, .delayTicks = 4, .isPassivityOn = false};
  std::array<double, 2> most = {};
  std::array<double, 2> speed = {};
  for (const bool isOn : {false, true}) {
    settings.isPassivityOn = isOn;
    TwoRigs rigs(settings, presses(0.04), still());
    for (int k = 0; k < 4700; ++k) {
      rigs.step();
      most[isOn] = std::max(most[isOn], rigs.worked());
      speed[isOn] += 1e-3 * rigs.left.truth().velocity.squaredNorm();
    }
  }
  EXPECT_GT(most[0], 50e-3);
  EXPECT_LT(most[1], 1e-3);
  EXPECT_LT(speed[1], 0.5 * speed[0]);
}

// A loose box that lies on a tool, lifted and lowered: its weight gives back what it took.
TEST_P(TwoHands, LoweringALoadIsNoDeficit) {
  TickSetup setup = test::pressScene(GetParam());
  setup.bodies[2].pose = setup.bodies[1].pose;
  setup.bodies[2].pose.translation().y() += test::kBoxSide + 1e-5;
  for (response::BodyDescription& body : setup.bodies)
    body.material.staticFriction = body.material.kineticFriction = 0.5;
  std::vector<std::pair<double, Vector3d>> places = {{0.0, Vector3d::Zero()},
                                                     {2.0, Vector3d::Zero()}};
  places.reserve(4);
  places.emplace_back(2.6, Vector3d(0.0, 0.03, 0.0));
  places.emplace_back(3.2, Vector3d::Zero());
  test::Rig rig(std::move(setup), path(places));
  double least = 0.0;
  int acted = 0;
  for (int k = 0; k < 3400; ++k) {
    const response::SafeWrench& safe = rig.step().response.safe;
    least = std::min(least, rig.tick.response(0).passivity().balance);
    if (safe.damping > 0.0 || safe.isHeldBack) ++acted;
    if (k == 2700) {
      EXPECT_GT(rig.tick.world().pose(2).translation().y(), 0.08);
    }
  }
  // 64 g by some 2 cm
  EXPECT_LT(rig.tick.response(0).ledger()[EnergyPort::Others], 2e-3);
  EXPECT_GT(least, -kAllowance);
  if (GetParam() == ToolKind::QuasiStatic) {
    EXPECT_LT(acted, 34);
  }
}

// A paused scene brings nothing, and what was brought is told once.
TEST_P(TwoHands, APauseBringsNothing) {
  TwoRigs rigs({.kind = GetParam()}, presses(0.04), still());
  for (int k = 0; k < 1900; ++k)
    rigs.step();
  ASSERT_GT(rigs.tick.result(1).command.wrench.force.norm(), 0.3);
  rigs.wanted.isPaused = true;
  rigs.step();
  const double before = rigs.ledger(1)[EnergyPort::Others];
  EXPECT_NE(before, 0.0);
  for (int k = 0; k < 100; ++k)
    rigs.step();
  EXPECT_EQ(rigs.ledger(1)[EnergyPort::Others], before);
}

// From the same inputs the same bytes, whichever of the two is the copy.
TEST_P(TwoHands, AgainFromTheSameInputs) {
  TwoRigs rigs({.kind = GetParam(), .friction = 0.4}, rubs(), still());
  HapticTick again(rigs.setup);
  for (int k = 0; k < 2600; ++k) {
    rigs.step();
    again.tick(rigs.inputs, rigs.wanted);
    for (std::size_t hand = 0; hand < 2; ++hand) {
      const response::Wrench& one = rigs.tick.result(hand).command.wrench;
      const response::Wrench& other = again.result(hand).command.wrench;
      ASSERT_TRUE(one.force == other.force && one.torque == other.torque) << k;
    }
  }
  EXPECT_GT(rigs.tick.result(1).command.wrench.force.norm(), 0.5);
}

}  // namespace
}  // namespace tactus::haptics
