// The whole tick, from a simulated device's sample to its wrench, with both kinds of tools.
// Oracle: springs in a row; a hand that is pushed back as it pushes. Faults: what a device may do.
#include "haptics/tick/haptic_tick.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "collision/cache/object_builder.hpp"
#include "tests/collision/on_vector_target.hpp"
#include "tests/haptics/tick/press_scene.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::haptics {
namespace {

using response::SafetyPhase;
using response::SafetyReason;
using response::ToolKind;
using test::kGap;
using test::pressing;
using test::pressScene;
using test::Rig;

class EachTool : public testing::TestWithParam<ToolKind> {};
INSTANTIATE_TEST_SUITE_P(All, EachTool, testing::Values(ToolKind::QuasiStatic, ToolKind::Dynamic),
                         [](const auto& tool) {
                           return tool.param == ToolKind::Dynamic ? "Dynamic" : "QuasiStatic";
                         });

TEST_P(EachTool, PressedOnAPlateFeelsSpringsInARow) {
  Rig rig(pressScene(GetParam()), pressing(0.005));
  rig.run(1900);
  EXPECT_EQ(rig.tick.result(0).response.safe.phase, SafetyPhase::Active);
  EXPECT_EQ(rig.tick.result(0).stage, StartStage::Running);
  EXPECT_LT(rig.tick.result(0).command.wrench.force.norm(), 0.02);  // nothing is touched
  const double start = rig.device.truth().position.y();             // where it was given its force
  rig.run(2100);
  const HandResult& pressed = rig.tick.result(0);
  // the tool's face is 16 cm^2: K S / 2, times what keeps it in proportion to the coupling
  const double contact = 0.5 * 8e6 * 16e-4 * pressed.response.contactFactor;
  const double coupling = test::rightOf(rig.wanted).stiffness;
  const double below = start - rig.device.truth().position.y() - kGap;
  ASSERT_GT(below, 1e-3);
  const double felt = coupling * contact / (coupling + contact);
  EXPECT_NEAR(pressed.command.wrench.force.y(), felt * below, 0.03 * felt * below);
  EXPECT_LT(std::hypot(pressed.command.wrench.force.x(), pressed.command.wrench.force.z()), 0.05);
  EXPECT_GE(pressed.response.tool.stiffnessRatio, 4.9);
  EXPECT_LE(pressed.response.tool.stiffnessRatio, 10.1);
  // in balance: the hand presses as hard as it is pushed back
  double most = 0.0;
  double least = 1e9;
  for (int k = 0; k < 300; ++k) {
    const double force = rig.step().command.wrench.force.norm();
    most = std::max(most, force);
    least = std::min(least, force);
  }
  EXPECT_LT(most - least, 0.02 * most);
}

TEST_P(EachTool, PushesWhatIsLooseAside) {
  TickSetup setup = pressScene(GetParam());
  HandPath path = pressing(0.0);
  HandKey aside = path.keys[2];
  path.keys[2].position.y() = -kGap + 1e-3;  // 1 mm above the plate
  aside.position = Eigen::Vector3d(0.04, -kGap + 1e-3, 0.0);
  aside.at = 5.0;
  path.keys.push_back(aside);
  Rig rig(std::move(setup), path);
  const double before = rig.tick.world().pose(2).translation().x();
  rig.run(3000);
  EXPECT_NEAR(rig.tick.world().pose(2).translation().x(), before, 1e-3);
  double most = 0.0;
  for (int k = 0; k < 2500; ++k)
    most = std::max(most, -rig.step().command.wrench.force.x());
  // pushed 2 cm on, by a hand that felt it: friction of 64 g on the plate is 0.25 N
  EXPECT_GT(rig.tick.world().pose(2).translation().x(), before + 0.01);
  EXPECT_GT(most, 0.15);
  EXPECT_LT(most, 2.0);
}

TEST_P(EachTool, SlidingIsFeltAsMuTimesWhatIsPressed) {
  TickSetup setup = pressScene(GetParam());
  for (response::BodyDescription& body : setup.bodies)
    body.material.staticFriction = body.material.kineticFriction = 0.3;
  HandPath path = pressing(0.005);
  HandKey aside = path.keys[2];
  aside.position.z() = 0.05;
  aside.at = 5.0;  // 2.5 cm/s
  path.keys.push_back(aside);
  Rig rig(std::move(setup), path);
  rig.run(4200);
  for (int k = 0; k < 600; ++k) {
    const Eigen::Vector3d felt = rig.step().command.wrench.force;
    ASSERT_GT(felt.y(), 1.0);
    ASSERT_LT(felt.z(), 0.0);
    // a tool with mass swings a little between its springs
    ASSERT_NEAR(-felt.z() / felt.y(), 0.3, GetParam() == ToolKind::Dynamic ? 0.03 : 0.006) << k;
  }
  // and lets go of nothing that it holds, once the hand rests
  rig.run(1000);
  EXPECT_LT(rig.tick.result(0).command.wrench.force.z(), -0.1);
}

TEST_P(EachTool, NotANumberIsNoForceInTheSameTick) {
  SimulatedSettings settings;
  settings.faults.notFiniteAt = 3500;
  Rig rig(pressScene(GetParam()), pressing(0.005), settings);
  double before = 0.0;
  bool wasSeen = false;
  for (int k = 0; k < 3600; ++k) {
    const HandResult& result = rig.step();
    if (rig.inputs.hands[0].status.has(DeviceFlag::NotFinite)) {
      wasSeen = true;
      EXPECT_GT(before, 1.0);
      EXPECT_EQ(result.command.wrench.force.norm(), 0.0);
      EXPECT_EQ(result.command.wrench.torque.norm(), 0.0);
      EXPECT_EQ(result.response.safe.reason, SafetyReason::NotANumberPose);
    }
    before = result.command.wrench.force.norm();
  }
  EXPECT_TRUE(wasSeen);
  // and the way back from the start, to a tool that was not lost
  rig.run(2500);
  EXPECT_EQ(rig.tick.result(0).response.safe.phase, SafetyPhase::Active);
  EXPECT_TRUE(rig.tick.world().pose(1).matrix().allFinite());
}

TEST_P(EachTool, LostAndBackForcesFadeAndReturnSlowly) {
  SimulatedSettings settings;
  settings.faults.lostFrom = 3500;
  settings.faults.lostUntil = 4000;
  Rig rig(pressScene(GetParam()), pressing(0.005), settings);
  rig.run(3490);
  const double pressed = rig.tick.result(0).command.wrench.force.norm();
  ASSERT_GT(pressed, 1.0);
  double before = pressed;
  double steepest = 0.0;
  for (int k = 0; k < 5000; ++k) {
    const double force = rig.step().command.wrench.force.norm();
    steepest = std::max(steepest, force - before);
    before = force;
    if (rig.inputs.number == 3600) {
      EXPECT_EQ(force, 0.0);
      EXPECT_EQ(rig.tick.result(0).stage, StartStage::Lost);
    }
  }
  EXPECT_EQ(rig.tick.result(0).stage, StartStage::Running);
  EXPECT_LT(steepest, 0.1);  // a hundred newtons a second
}

TEST_P(EachTool, AStallOf35MillisecondsDoesNotKick) {
  Rig rig(pressScene(GetParam()), pressing(0.005));
  rig.run(3500);
  const double pressed = rig.tick.result(0).command.wrench.force.norm();
  ASSERT_GT(pressed, 1.0);
  // Force goes at once and comes up again; where the hand is by then it may be another one.
  double before = rig.step(35).command.wrench.force.norm();
  EXPECT_LT(before, pressed);
  double steepest = 0.0;
  for (int k = 0; k < 2000; ++k) {
    const double force = rig.step().command.wrench.force.norm();
    steepest = std::max(steepest, force - before);
    before = force;
  }
  EXPECT_LT(steepest, 0.02);  // a little more than the ramp of half a second
  EXPECT_EQ(rig.tick.result(0).response.safe.phase, SafetyPhase::Active);
  EXPECT_LT(before, 1.5 * pressed);
}

using HapticTickOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, HapticTickOn, tests::eachTarget(), tests::targetName);

TEST_P(HapticTickOn, SameBytesEverywhere) {
  for (const ToolKind kind : {ToolKind::QuasiStatic, ToolKind::Dynamic}) {
    expectScalarBytes([&] {
      Rig rig(pressScene(kind), pressing(0.004, 0.9));
      tests::BytesHash hash;
      for (int k = 0; k < 1800; ++k) {
        const HandResult& result = rig.step();
        for (int axis = 0; axis < 3; ++axis) {
          hash.add(result.command.wrench.force[axis]);
          hash.add(result.command.wrench.torque[axis]);
        }
        hash.add(rig.tick.world().pose(2).translation().x());
      }
      EXPECT_GT(rig.tick.result(0).command.wrench.force.y(), 0.5);
      return hash.value();
    });
  }
}

/// With a tree, so that there is a core.
response::BodyDescription built(const models::Mesh& mesh, std::uint64_t spheres,
                                response::BodyKind kind) {
  collision::BuildSettings settings;
  settings.parameters.spheres = spheres;
  settings.parameters.points = 0;
  settings.threads = 1;
  response::BodyDescription body;
  body.solid = response::contactSolidOf(collision::buildObject({mesh, {}}, settings).object);
  body.mass = response::bodyMassOf(mesh, 1000.0);
  body.kind = kind;
  return body;
}

/// The lowest that a ball comes which a hand pulls down through a plate of 2 mm, at this speed and
/// with 10 N, its radius above the plate's face.
double lowestBall(ToolKind kind, double speed, bool hasCores) {
  constexpr double kRadius = 0.01;
  constexpr double kThick = 0.002;
  constexpr double kAbove = 0.005;
  TickSetup setup = pressScene(kind);
  static const response::BodyDescription kPlate =
      built(models::test::box({0.1, kThick, 0.1}, {0.0, -0.5 * kThick, 0.0}), 2000,
            response::BodyKind::Fixed);
  static const response::BodyDescription kBall =
      built(models::test::sphere(kRadius, 16, 32), 500, response::BodyKind::Tool);
  setup.bodies = {kPlate, kBall};
  setup.bodies[1].pose.translation() = Eigen::Vector3d(0.004, kRadius + kAbove, -0.003);
  setup.world.hasCores = hasCores;
  TickHand& hand = setup.hands[0];
  const DeviceProfile profile = findProfile("sigma7").value();
  hand.setup = handSetupOf(profile, profile.capabilities,
                           {.mass = setup.bodies[1].mass, .thinnestPart = kThick}, test::kTick);
  hand.parameters.mostForce = 10.0;
  hand.parameters.mostSpeed = 10.0;
  HapticTick tick(setup);
  const TickParameters wanted = test::parametersOf(setup);
  TickInputs inputs;
  inputs.hands[0].sample.stage = DeviceStage::Ready;
  const Eigen::Vector3d centre = hand.capabilities.workspaceCentre;
  double least = 1.0;
  double pull = 0.0;  // of the coupling, when the hand is as deep as it goes
  for (int k = 0; k < 2700; ++k) {
    inputs.number = static_cast<std::uint64_t>(k);
    constexpr double kDeep = 0.06;
    const double down = std::clamp((k - 1900) * test::kTick * speed, 0.0, kDeep) -
                        std::clamp((k - 2300) * test::kTick * speed, 0.0, kDeep);
    inputs.hands[0].sample.position = centre - Eigen::Vector3d(0.0, down, 0.0);
    tick.tick(inputs, wanted);
    least = std::min(least, tick.world().pose(1).translation().y());
    if (k == 2250) pull = tick.result(0).response.tool.coupling.onTool.force.norm();
  }
  EXPECT_EQ(tick.result(0).response.safe.phase, SafetyPhase::Active);
  if (hasCores) {
    EXPECT_NEAR(pull, 10.0, 0.1);
    // and is free again as soon as the hand is
    EXPECT_LT((tick.world().pose(1).translation() - setup.bodies[1].pose.translation()).norm(),
              1e-3);
  }
  return least - (kRadius - kThick);
}

TEST_P(EachTool, TenNewtonsAtHalfAMetreASecondNeverPassAThinPlate) {
  EXPECT_GT(lowestBall(GetParam(), 0.5, true), 0.0);
  EXPECT_GT(lowestBall(GetParam(), 1.8, true), 0.0);
  // by the shell alone it goes through
  EXPECT_LT(lowestBall(GetParam(), 1.8, false), -0.02);
}

TEST(HapticTick, TwoHandsMeet) {
  TickSetup setup = pressScene(ToolKind::Dynamic);
  setup.bodies[2].kind = response::BodyKind::Tool;
  setup.bodies[2].pose = setup.bodies[1].pose;
  setup.bodies[2].pose.translation().x() = 0.06;
  setup.hands.push_back(setup.hands[0]);
  setup.hands[1].body = 2;
  setup.hands[1].hand = Hand::Left;
  HapticTick tick(setup);
  const TickParameters wanted = test::parametersOf(setup);
  const Eigen::Vector3d centre = setup.hands[0].capabilities.workspaceCentre;
  TickInputs inputs;
  for (HandSample& hand : inputs.hands) {
    hand.sample.stage = DeviceStage::Ready;
    hand.sample.position = centre;
  }
  for (int k = 0; k < 4000; ++k) {
    inputs.number = static_cast<std::uint64_t>(k);
    // from the second second on towards each other, 15 mm each, where 2 cm are between them
    const double x = 0.015 * std::clamp((k - 2000) * 1e-3, 0.0, 1.0);
    inputs.hands[0].sample.position.x() = centre.x() + x;
    inputs.hands[1].sample.position.x() = centre.x() - x;
    tick.tick(inputs, wanted);
  }
  const Eigen::Vector3d left = tick.result(0).command.wrench.force;
  const Eigen::Vector3d right = tick.result(1).command.wrench.force;
  EXPECT_LT(left.x(), -1.0);
  EXPECT_NEAR(left.x(), -right.x(), 0.02 * std::fabs(left.x()));
}

TEST(HapticTick, SwitchesTheKindOfToolInFreeSpace) {
  Rig rig(pressScene(ToolKind::QuasiStatic), pressing(0.005));
  rig.run(1500);
  test::rightOf(rig.wanted).tool = ToolKind::Dynamic;
  double most = 0.0;
  for (int k = 0; k < 400; ++k)
    most = std::max(most, rig.step().command.wrench.force.norm());
  EXPECT_EQ(rig.tick.response(0).parameters().tool, ToolKind::Dynamic);
  EXPECT_LT(most, 0.05);
  rig.run(2000);
  const double pressed = rig.tick.result(0).command.wrench.force.y();
  EXPECT_GT(pressed, 1.0);
  // in contact the switch waits
  test::rightOf(rig.wanted).tool = ToolKind::QuasiStatic;
  rig.run(200);
  EXPECT_EQ(rig.tick.response(0).parameters().tool, ToolKind::Dynamic);
}

}  // namespace
}  // namespace tactus::haptics
