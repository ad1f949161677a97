#include "response/coupling/quasi_static_tool.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "response/coupling/contact_ratio.hpp"
#include "response/coupling/dynamic_tool.hpp"
#include "response/coupling/felt_stiffness.hpp"
#include "response/rotation_vector.hpp"
#include "tests/response/coupling/closed_contacts.hpp"
#include "tests/response/random_turn.hpp"

namespace tactus::response {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using tests::anyDirection;
using tests::anyVector;
using tests::BallContact;
using tests::BytesHash;
using tests::NoContact;
using tests::PlaneContact;
using tests::SeededBits;

Isometry3d at(const Vector3d& where) {
  Isometry3d pose = Isometry3d::Identity();
  pose.translation() = where;
  return pose;
}

const QuasiStaticTool::Settings kSettings;

TEST(QuasiStaticTool, RestsWhereTwoSpringsBalance) {
  for (const double scale : {1e-3, 1.0, 1e3}) {
    const CouplingGains gains{.stiffness = 1000.0, .turnStiffness = scale * scale};
    const ToolShape shape{.reach = 0.1 * scale, .thinnestPart = 0.05 * scale};
    PlaneContact plane{.stiffness = 7000.0};
    QuasiStaticTool tool(at(Vector3d(0, 0.001 * scale, 0)));
    const HandMotion hand{.sceneFromHand = at(Vector3d(0, -0.004 * scale, 0))};
    QuasiStaticTool::Settings settings;
    settings.tolerance = 1e-12 * scale * scale;
    const CoupledTool now = tool.tick(hand, gains, shape, ContactQuery(plane), settings);
    ASSERT_TRUE(now.isFinite);
    // both springs in a row carry one force: 4 mm of 875 N/m
    const double felt = 1.0 / (1.0 / 1000 + 1.0 / 7000);
    EXPECT_NEAR(now.onHand.force.y(), felt * 0.004 * scale, 1e-9 * scale) << scale;
    EXPECT_NEAR(now.sceneFromTool.translation().y(), -felt * 0.004 / 7000 * scale, 1e-12 * scale);
    EXPECT_NEAR(now.felt(1, 1), felt, 1e-8);
    EXPECT_NEAR(now.stiffnessRatio, 7.0, 1e-9);
    EXPECT_LT(now.imbalance, 1e-9 * scale);
    EXPECT_LE(now.queries, 4U);
  }
}

TEST(QuasiStaticTool, InFreeSpaceTheToolIsWhereTheHandIs) {
  SeededBits random(3);
  const CouplingGains gains;
  NoContact nothing;
  for (int i = 0; i < 50; ++i) {
    // far apart for one tick: the trust region lets it come in a few
    const ToolShape shape{.reach = 0.1, .thinnestPart = 0.02};
    QuasiStaticTool tool(at(0.01 * anyVector(random)));
    Isometry3d wanted = at(0.01 * anyVector(random));
    wanted.linear() = turnBy(0.1 * anyDirection(random));
    CoupledTool now;
    for (int tick = 0; tick < 3; ++tick)
      now = tool.tick({.sceneFromHand = wanted}, gains, shape, ContactQuery(nothing), kSettings);
    EXPECT_LT((now.sceneFromTool.matrix() - wanted.matrix()).norm(), 1e-12);
    EXPECT_LT(now.onHand.force.norm() + now.onHand.torque.norm(), 1e-9);
    EXPECT_EQ(now.stiffnessRatio, 0.0);
  }
}

// In a ball, the balance is on the ray of the hand: k (h - d) = k_c (r - d), at d from the centre.
TEST(QuasiStaticTool, ConvergesInABallWithinATickOfSmallMotion) {
  SeededBits random(5);
  const CouplingGains gains{.stiffness = 1200.0};
  const ToolShape shape{.reach = 0.05, .thinnestPart = 0.02};
  BallContact ball{.stiffness = 9000.0, .radius = 0.05};
  for (int i = 0; i < 20; ++i) {
    const Vector3d ray = anyDirection(random);
    const Vector3d across = ray.cross(anyDirection(random)).normalized();
    QuasiStaticTool tool(at(0.051 * ray));
    for (int tick = 0; tick < 200; ++tick) {
      // down the ray at 0.05 m/s, along the surface at 0.1 m/s
      const double time = 0.001 * tick;
      const Vector3d wanted =
          (0.051 - 0.05 * std::min(time, 0.1)) * turnBy(2.0 * time * across) * ray;
      const CoupledTool now =
          tool.tick({.sceneFromHand = at(wanted)}, gains, shape, ContactQuery(ball), kSettings);
      const double h = wanted.norm();
      const double d = h < 0.05 ? (1200.0 * h + 9000.0 * 0.05) / (1200.0 + 9000.0) : h;
      EXPECT_LT((now.sceneFromTool.translation() - d / h * wanted).norm(), 2e-6) << tick;
      EXPECT_LT((now.onHand.force - 1200.0 * (d / h - 1.0) * wanted).norm(), 2e-3) << tick;
      EXPECT_LE(now.queries, 4U);
    }
  }
}

TEST(QuasiStaticTool, NoStepIsLongerThanHalfTheThinnestPart) {
  SeededBits random(6);
  const CouplingGains gains;
  const ToolShape shape{.pivotInTool = Vector3d(0.01, 0, 0), .reach = 0.08, .thinnestPart = 0.002};
  for (int i = 0; i < 100; ++i) {
    QuasiStaticTool tool(at(anyVector(random)));
    std::vector<Isometry3d> asked;
    auto answers = [&](const Isometry3d& pose) {
      asked.push_back(pose);
      return ContactLoad{};
    };
    Isometry3d wanted = at(anyVector(random));
    wanted.linear() = turnBy(3.0 * anyDirection(random));
    static_cast<void>(
        tool.tick({.sceneFromHand = wanted}, gains, shape, ContactQuery(answers), kSettings));
    ASSERT_EQ(asked.size(), 4U);
    for (std::size_t k = 1; k < asked.size(); ++k) {
      for (int j = 0; j < 20; ++j) {
        const Vector3d point = shape.pivotInTool + shape.reach * anyDirection(random);
        EXPECT_LE((asked[k] * point - asked[k - 1] * point).norm(), 0.001 * (1 + 1e-9));
      }
    }
  }
}

// A thin plate: each query sees it, so the tool is pushed back out on the side it came from.
TEST(QuasiStaticTool, DoesNotLeapOverAThinPlate) {
  const CouplingGains gains{.stiffness = 1000.0, .mostForce = 10.0};
  const ToolShape shape{.reach = 0.05, .thinnestPart = 0.002};
  // a plate of 2 mm that pushes to the nearer side, 20 kN/m: 20 N at its middle
  auto plate = [](const Isometry3d& pose) {
    ContactLoad load;
    const double y = pose.translation().y();
    const double depth = 0.001 - std::abs(y);
    if (!(depth > 0.0)) return load;
    load.energy = 0.5 * 2e4 * depth * depth;
    load.wrench.force.y() = (y >= 0.0 ? 2e4 : -2e4) * depth;
    load.stiffness(1, 1) = 2e4;
    return load;
  };
  QuasiStaticTool tool(at(Vector3d(0, 0.002, 0)));
  CoupledTool now;
  for (int tick = 0; tick < 100; ++tick) {
    const Vector3d wanted(0, 0.002 - 0.0005 * tick, 0);  // 0.5 m/s
    now = tool.tick({.sceneFromHand = at(wanted)}, gains, shape, ContactQuery(plate), kSettings);
    EXPECT_GT(now.sceneFromTool.translation().y(), 0.0) << tick;
  }
  EXPECT_NEAR(now.onHand.force.y(), 10.0, 0.01);
}

// Balance found by a tick that is given time, with lever arms, is a minimum: no neighbour is lower.
// A contact that is fifty times stiffer than its second derivatives say, as where objects touch
// with something small that bends: each whole step goes uphill, into it or out of it.
TEST(QuasiStaticTool, SettlesInAContactThatIsHarderThanItSays) {
  const CouplingGains gains{.stiffness = 1000.0, .turnStiffness = 1.0, .damping = 4.0};
  const ToolShape shape{.reach = 0.05, .thinnestPart = 0.02};
  constexpr double kHard = 50e3;
  auto contact = [](const Isometry3d& pose) {
    ContactLoad load;
    const double depth = -pose.translation().y();
    if (!(depth > 0.0)) return load;
    load.energy = 0.5 * kHard * depth * depth;
    load.wrench.force.y() = kHard * depth;
    load.stiffness(1, 1) = 1000.0;
    return load;
  };
  QuasiStaticTool tool(at(Vector3d(0, 0.0005, 0)));
  CoupledTool now;
  double stored = std::numeric_limits<double>::infinity();
  for (int tick = 0; tick < 30; ++tick) {
    const HandMotion hand{at(Vector3d(0, -0.002, 0)), Vector3d(0, -0.1, 0)};
    now = tool.tick(hand, gains, shape, ContactQuery(contact), kSettings);
    EXPECT_LE(now.storedEnergy, stored) << tick;
    EXPECT_LE(now.queries, 4U);
    stored = now.storedEnergy;
  }
  const double felt = 1.0 / (1.0 / 1000 + 1.0 / kHard);
  EXPECT_NEAR(now.coupling.onTool.force.y(), -felt * 0.002, 1e-3);
  EXPECT_NEAR(now.contact.wrench.force.y(), felt * 0.002, 0.02);
  EXPECT_LT(now.imbalance, 0.02);

  // and follows a hand that leaves at 0.5 m/s
  for (int tick = 0; tick < 10; ++tick) {
    now = tool.tick({.sceneFromHand = at(Vector3d(0, 0.0005 * tick, 0))}, gains, shape,
                    ContactQuery(contact), kSettings);
  }
  EXPECT_LT(now.coupling.shift.norm(), 1e-9);
}

// The energy of coarse objects jumps. The tool stands before the step, the hand feels its coupling
// alone, and the motion into the step, in which the tool cannot follow, is damped.
TEST(QuasiStaticTool, IsDampedWhereAJumpOfEnergyStopsIt) {
  const CouplingGains gains{.stiffness = 1000.0, .turnStiffness = 1.0, .damping = 4.0};
  const ToolShape shape{.reach = 0.05, .thinnestPart = 0.02};
  auto step = [](const Isometry3d& pose) {
    ContactLoad load;
    if (pose.translation().y() < 0.0) load.energy = 0.1;
    return load;
  };
  QuasiStaticTool tool(at(Vector3d(0, 0.0005, 0)));
  CoupledTool now;
  for (int tick = 0; tick < 20; ++tick) {
    const HandMotion hand{at(Vector3d(0, -0.002, 0)), Vector3d(0.1, -0.1, 0)};
    now = tool.tick(hand, gains, shape, ContactQuery(step), kSettings);
  }
  EXPECT_GT(now.sceneFromTool.translation().y(), 0.0);
  EXPECT_NEAR(now.coupling.onTool.force.y(), -2.0, 1e-3);
  EXPECT_NEAR(now.felt(1, 1), 1000.0, 1.0);
  EXPECT_NEAR(now.felt(0, 0), 0.0, 1e-6);
  EXPECT_EQ(now.stiffnessRatio, 0.0);
  EXPECT_NEAR(now.onHand.force.y(), 2.0 + 4.0 * 0.1, 2e-3);
  EXPECT_NEAR(now.onHand.force.x(), 0.0, 1e-6);
}

TEST(QuasiStaticTool, BalanceWithLeversIsAMinimum) {
  SeededBits random(8);
  const CouplingGains gains{.stiffness = 800.0, .turnStiffness = 0.6};
  for (int i = 0; i < 50; ++i) {
    const ToolShape shape{
        .pivotInTool = 0.02 * anyVector(random), .reach = 0.1, .thinnestPart = 0.02};
    PlaneContact plane{.stiffness = 5000.0, .pointInTool = 0.05 * anyVector(random)};
    QuasiStaticTool tool(Isometry3d::Identity());
    Isometry3d wanted = at(Vector3d(0, -0.01, 0) + 0.002 * anyVector(random));
    wanted.linear() = turnBy(0.4 * anyDirection(random));
    CoupledTool now;
    for (int tick = 0; tick < 30; ++tick) {
      now = tool.tick({.sceneFromHand = wanted}, gains, shape, ContactQuery(plane),
                      {.mostSteps = 3, .tolerance = 1e-16});
    }
    EXPECT_LT(now.imbalance, 1e-4);
    for (int k = 0; k < 30; ++k) {
      Isometry3d near = now.sceneFromTool;
      near.translation() += 1e-4 * anyVector(random);
      near.linear() = turnBy(1e-3 * anyVector(random)) * near.linear();
      const double energy =
          plane(near).energy +
          couplingAt(gains, wanted, near, shape.pivotInTool, now.coupling.turn).energy;
      EXPECT_GE(energy, now.storedEnergy - 1e-13);
    }
  }
}

// The wrench on the hand is minus the gradient of the stored energy with respect to the hand.
TEST(QuasiStaticTool, HandFeelsTheGradientOfWhatIsStored) {
  SeededBits random(9);
  const CouplingGains gains{.stiffness = 800.0, .turnStiffness = 0.6};
  const ToolShape shape{.pivotInTool = Vector3d(0.02, 0.01, 0), .reach = 0.1, .thinnestPart = 0.05};
  PlaneContact plane{.stiffness = 5000.0, .pointInTool = Vector3d(0.05, 0, 0.01)};
  Isometry3d wanted = at(Vector3d(0, -0.008, 0));
  wanted.linear() = turnBy(Vector3d(0.1, 0.2, -0.1));
  const auto balanced = [&](const Isometry3d& hand) {
    QuasiStaticTool tool(wanted);
    CoupledTool now;
    for (int tick = 0; tick < 20; ++tick) {
      now = tool.tick({.sceneFromHand = hand}, gains, shape, ContactQuery(plane),
                      {.mostSteps = 3, .tolerance = 1e-18});
    }
    return now;
  };
  const CoupledTool now = balanced(wanted);
  constexpr double kStep = 1e-5;
  for (int axis = 0; axis < 6; ++axis) {
    double energies[2];
    for (const int side : {0, 1}) {
      const Vector3d by = (side == 0 ? kStep : -kStep) * Vector3d::Unit(axis % 3);
      Isometry3d hand = wanted;
      if (axis < 3) {
        hand.translation() += by;
      } else {
        hand.linear() = turnBy(by) * wanted.linear();
        hand.translation() = wanted * shape.pivotInTool - hand.linear() * shape.pivotInTool;
      }
      energies[side] = balanced(hand).storedEnergy;
    }
    const double slope = (energies[0] - energies[1]) / (2 * kStep);
    EXPECT_NEAR(axis < 3 ? now.onHand.force[axis] : now.onHand.torque[axis - 3], -slope, 1e-6)
        << axis;
  }
}

TEST(QuasiStaticTool, DampingTakesEnergyAndNeedsContact) {
  SeededBits random(10);
  const CouplingGains gains{
      .stiffness = 1000.0, .turnStiffness = 1.0, .damping = 5.0, .turnDamping = 0.002};
  CouplingGains undamped = gains;
  undamped.damping = undamped.turnDamping = 0.0;
  const ToolShape shape{.reach = 0.1, .thinnestPart = 0.05};
  PlaneContact plane{.pointInTool = Vector3d(0.03, 0, 0)};
  NoContact nothing;
  for (int i = 0; i < 100; ++i) {
    const HandMotion hand{at(Vector3d(0, -0.005, 0)), anyVector(random), anyVector(random)};
    QuasiStaticTool with(Isometry3d::Identity());
    QuasiStaticTool without(Isometry3d::Identity());
    const Wrench a = with.tick(hand, gains, shape, ContactQuery(plane), kSettings).onHand;
    const Wrench b = without.tick(hand, undamped, shape, ContactQuery(plane), kSettings).onHand;
    EXPECT_LE((a.force - b.force).dot(hand.velocity) + (a.torque - b.torque).dot(hand.spin), 1e-15);
    QuasiStaticTool free(hand.sceneFromHand);
    EXPECT_EQ(free.tick(hand, gains, shape, ContactQuery(nothing), kSettings).onHand.force,
              Vector3d::Zero());
  }
}

TEST(QuasiStaticTool, AnythingNotFiniteLeavesTheToolAndPushesNobody) {
  const double bad = std::numeric_limits<double>::quiet_NaN();
  const CouplingGains gains;
  const ToolShape shape;
  PlaneContact plane;
  QuasiStaticTool tool(at(Vector3d(0, 0.01, 0)));
  const auto check = [&](const CoupledTool& now) {
    EXPECT_FALSE(now.isFinite);
    EXPECT_EQ(now.onHand.force, Vector3d::Zero());
    EXPECT_EQ(now.onHand.torque, Vector3d::Zero());
    EXPECT_EQ(tool.sceneFromTool().translation(), Vector3d(0, 0.01, 0));
  };
  check(tool.tick({.sceneFromHand = at(Vector3d(bad, 0, 0))}, gains, shape, ContactQuery(plane),
                  kSettings));
  check(tool.tick({.velocity = Vector3d(0, 0, 0)}, {.stiffness = bad}, shape, ContactQuery(plane),
                  kSettings));
  for (int what = 0; what < 4; ++what) {
    auto broken = [&](const Isometry3d&) {
      ContactLoad load;
      if (what == 0) load.energy = bad;
      if (what == 1) load.wrench.force.x() = bad;
      if (what == 2) load.wrench.torque.z() = bad;
      if (what == 3) load.stiffness(2, 4) = bad;
      return load;
    };
    check(tool.tick({.sceneFromHand = at(Vector3d(0, -0.01, 0))}, gains, shape,
                    ContactQuery(broken), kSettings));
  }
  // and goes on as if nothing had been
  EXPECT_TRUE(tool.tick({.sceneFromHand = at(Vector3d(0, -0.01, 0))}, gains, shape,
                        ContactQuery(plane), kSettings)
                  .isFinite);
}

TEST(QuasiStaticTool, ReusingTheLastLoadSavesAQueryAndChangesLittle) {
  const CouplingGains gains;
  const ToolShape shape{.reach = 0.05, .thinnestPart = 0.02};
  PlaneContact first;
  PlaneContact second;
  QuasiStaticTool plain(at(Vector3d(0, 0.001, 0)));
  QuasiStaticTool thrifty(at(Vector3d(0, 0.001, 0)));
  for (int tick = 0; tick < 500; ++tick) {
    const HandMotion hand{.sceneFromHand = at(Vector3d(0.02 * std::sin(0.01 * tick),
                                                       0.001 - 2e-5 * std::min(tick, 250), 0))};
    const CoupledTool a = plain.tick(hand, gains, shape, ContactQuery(first), kSettings);
    const CoupledTool b =
        thrifty.tick(hand, gains, shape, ContactQuery(second), {.reusesLastLoad = true});
    EXPECT_LT((a.onHand.force - b.onHand.force).norm(), 2e-3);
  }
  EXPECT_LT(second.queries, 0.7 * first.queries);
}

TEST(QuasiStaticTool, ClosedPathGivesBackWhatItTook) {
  // slow enough that the trapezoid rule is as good as the path: error (dx)^2
  const CouplingGains gains{.stiffness = 800.0, .turnStiffness = 0.6};
  const ToolShape shape{.reach = 0.1, .thinnestPart = 0.02};
  PlaneContact plane{.stiffness = 5000.0, .pointInTool = Vector3d(0.04, -0.01, 0)};
  QuasiStaticTool tool(Isometry3d::Identity());
  double work = 0.0;
  double most = 0.0;
  Wrench before;
  Isometry3d was = Isometry3d::Identity();
  constexpr int kTicks = 4000;
  for (int tick = 0; tick <= kTicks; ++tick) {
    const double phase = 2.0 * 3.14159265358979 * tick / kTicks;
    Isometry3d wanted = at(Vector3d(0.01 * std::sin(phase), 0.01 * (std::cos(phase) - 1.0), 0));
    wanted.linear() = turnBy(0.3 * std::sin(phase) * Vector3d(0.6, 0, 0.8));
    const CoupledTool now = tool.tick({.sceneFromHand = wanted}, gains, shape, ContactQuery(plane),
                                      {.mostSteps = 3, .tolerance = 1e-14});
    if (tick > 0) {
      work += 0.5 * (now.onHand.force + before.force).dot(wanted.translation() - was.translation());
      work += 0.5 * (now.onHand.torque + before.torque)
                        .dot(rotationVector(wanted.linear() * was.linear().transpose()));
      most = std::max(most, -work);
    }
    before = now.onHand;
    was = wanted;
  }
  EXPECT_GT(most, 0.02);  // the path is about something
  EXPECT_NEAR(work, 0.0, 1e-4 * most);
}

TEST(DynamicTool, ComesToRestWhereTheQuasiStaticToolIs) {
  const CouplingGains gains{
      .stiffness = 1000.0, .turnStiffness = 0.5, .damping = 3.0, .turnDamping = 0.002};
  const ToolShape shape{.reach = 0.1, .thinnestPart = 0.02};
  PlaneContact plane{.stiffness = 7000.0, .pointInTool = Vector3d(0.02, 0, 0)};
  const HandMotion hand{.sceneFromHand = at(Vector3d(0, -0.004, 0))};
  DynamicTool dynamic(at(Vector3d(0, 0.01, 0)));
  QuasiStaticTool massless(at(Vector3d(0, 0.01, 0)));
  CoupledTool a;
  CoupledTool b;
  for (int tick = 0; tick < 3000; ++tick) {
    a = dynamic.tick(hand, gains, shape, {}, {}, ContactQuery(plane), kSettings, 0.001);
    b = massless.tick(hand, gains, shape, ContactQuery(plane), {.tolerance = 1e-14});
  }
  EXPECT_LT((a.sceneFromTool.matrix() - b.sceneFromTool.matrix()).norm(), 1e-6);
  EXPECT_LT((a.onHand.force - b.onHand.force).norm(), 1e-4);
  EXPECT_LT(dynamic.velocity().norm(), 1e-6);
}

TEST(DynamicTool, NeverGainsEnergyHoweverStiffAndLight) {
  for (const double mass : {1e-4, 0.01, 1.0}) {
    for (const double stiffness : {1e2, 1e4, 1e6}) {
      const CouplingGains gains{.stiffness = stiffness, .turnStiffness = 1e-4 * stiffness};
      const ToolShape shape{.reach = 0.1, .thinnestPart = 1.0};
      const ToolInertia inertia{.mass = mass, .inertia = 1e-4 * mass * Eigen::Matrix3d::Identity()};
      NoContact nothing;
      Isometry3d start = at(Vector3d(0.01, -0.02, 0.005));
      start.linear() = turnBy(Vector3d(0, 0.2, 0));
      DynamicTool tool(start);
      double energy = std::numeric_limits<double>::infinity();
      for (int tick = 0; tick < 300; ++tick) {
        const CoupledTool now =
            tool.tick({}, gains, shape, inertia, {}, ContactQuery(nothing), kSettings, 0.001);
        EXPECT_LE(now.storedEnergy, energy * (1 + 1e-12)) << mass << ' ' << stiffness;
        energy = now.storedEnergy;
      }
    }
  }
}

TEST(DynamicTool, FallsAsItsMassSays) {
  // with no coupling to speak of and no contact, half a second of 9.81 m/s^2
  CouplingGains gains{.stiffness = 0.0, .turnStiffness = 0.0};
  const ToolShape shape{.thinnestPart = 10.0};
  const ToolInertia inertia{.mass = 0.25};
  NoContact nothing;
  DynamicTool tool(Isometry3d::Identity());
  for (int tick = 0; tick < 500; ++tick) {
    static_cast<void>(tool.tick({}, gains, shape, inertia,
                                {Vector3d(0, -9.81 * 0.25, 0), Vector3d::Zero()},
                                ContactQuery(nothing), kSettings, 0.001));
  }
  EXPECT_NEAR(tool.velocity().y(), -4.905, 0.01);
}

TEST(ContactRatio, ComesIntoTheBandAndStaysThere) {
  const ContactRatio::Band band;
  for (const double natural : {1.5, 4.0, 7.0, 20.0, 80.0}) {
    ContactRatio keeper;
    double before = 1.0;
    for (int tick = 0; tick < 5000; ++tick) {
      const double factor = keeper.tick(natural * keeper.factor(), band, 0.001);
      EXPECT_LE(std::abs(factor / before - 1.0), 0.002 + 1e-12);
      before = factor;
    }
    EXPECT_GE(natural * keeper.factor(), band.low * (1 - 1e-9));
    EXPECT_LE(natural * keeper.factor(), band.high * (1 + 1e-9));
    EXPECT_EQ(keeper.tick(0.0, band, 0.001), before);
  }
}

// Bytes of a path through contacts, committed: the same for every compiler flag and machine.
TEST(QuasiStaticTool, SameBytesEverywhere) {
  BytesHash hash;
  SeededBits random(77);
  const CouplingGains gains{.stiffness = 900.0, .turnStiffness = 0.4, .damping = 1.0};
  const ToolShape shape{.pivotInTool = Vector3d(0.01, 0, 0), .reach = 0.1, .thinnestPart = 0.01};
  PlaneContact plane{.stiffness = 6000.0, .pointInTool = Vector3d(0.03, -0.02, 0.01)};
  QuasiStaticTool tool(Isometry3d::Identity());
  Isometry3d wanted = Isometry3d::Identity();
  for (int tick = 0; tick < 500; ++tick) {
    wanted.translation() += 1e-3 * anyVector(random) - 0.05 * wanted.translation();
    wanted.linear() = rectified(turnBy(0.02 * anyVector(random)) * wanted.linear());
    const CoupledTool now = tool.tick({.sceneFromHand = wanted, .velocity = anyVector(random)},
                                      gains, shape, ContactQuery(plane), kSettings);
    for (int axis = 0; axis < 3; ++axis) {
      hash.add(now.onHand.force[axis]);
      hash.add(now.onHand.torque[axis]);
    }
  }
  EXPECT_EQ(hash.value(), 2987961929914555021U);
}

}  // namespace
}  // namespace tactus::response
