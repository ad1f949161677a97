// What the panel may do to a running tick: pause, single steps, slow motion, materials.
#include <gtest/gtest.h>

#include <cmath>

#include "response/parameters/material_ranges.hpp"
#include "tests/haptics/tick/press_scene.hpp"

namespace tactus::haptics {
namespace {

using response::SafetyPhase;
using response::SafetyReason;
using response::ToolKind;
using test::pressing;
using test::pressScene;
using test::Rig;

constexpr int kPressed = 3500;  // ticks until the tool has been pressed for a while
constexpr std::size_t kLoose = 2;

class PausedTick : public testing::TestWithParam<ToolKind> {};
INSTANTIATE_TEST_SUITE_P(All, PausedTick, testing::Values(ToolKind::QuasiStatic, ToolKind::Dynamic),
                         [](const auto& tool) {
                           return tool.param == ToolKind::Dynamic ? "Dynamic" : "QuasiStatic";
                         });

TEST_P(PausedTick, ForceFadesNothingMovesAndComesBackWithoutAJump) {
  Rig rig(pressScene(GetParam()), pressing(0.005));
  rig.run(kPressed);
  const double before = rig.tick.result(0).command.wrench.force.norm();
  ASSERT_GT(before, 1.0);
  rig.wanted.isPaused = true;
  double last = before;
  for (int k = 0; k < 100; ++k) {
    const double now = rig.step().command.wrench.force.norm();
    EXPECT_LE(now, last + 1e-9) << "a force that fades does not rise";
    last = now;
  }
  EXPECT_EQ(last, 0.0);
  EXPECT_EQ(rig.tick.result(0).response.safe.reason, SafetyReason::Paused);
  const Eigen::Isometry3d loose = rig.tick.world().pose(kLoose);
  const Eigen::Isometry3d tool = rig.tick.world().pose(1);
  rig.run(500);
  EXPECT_TRUE(rig.tick.world().pose(kLoose).isApprox(loose, 0.0));
  EXPECT_TRUE(rig.tick.world().pose(1).isApprox(tool, 0.0));
  rig.wanted.isPaused = false;
  last = 0.0;
  for (int k = 0; k < 2000; ++k) {
    const double now = rig.step().command.wrench.force.norm();
    ASSERT_LE(now, last + 0.1) << "tick " << k;
    last = now;
  }
  EXPECT_EQ(rig.tick.result(0).response.safe.phase, SafetyPhase::Active);
}

TEST_P(PausedTick, EachStepIsOneMillisecondOfTheScene) {
  TickSetup setup = pressScene(GetParam());
  constexpr double kHeight = 0.3;
  setup.bodies[kLoose].pose.translation().y() = kHeight;  // it falls
  Rig rig(std::move(setup), pressing(0.0));
  rig.wanted.isPaused = true;
  rig.run(10);
  EXPECT_EQ(rig.tick.world().pose(kLoose).translation().y(), kHeight);
  constexpr int kSteps = 50;
  for (int k = 0; k < kSteps; ++k) {
    ++rig.wanted.steps;
    rig.run(3);  // a step a wish, however many ticks there are between
  }
  const double seconds = kSteps * test::kTick;
  const double fallen = kHeight - rig.tick.world().pose(kLoose).translation().y();
  EXPECT_NEAR(fallen, 0.5 * 9.81 * seconds * seconds, 0.5 * 9.81 * seconds * test::kTick);
}

TEST_P(PausedTick, SlowMotionIsTheSameFallInMoreTicks) {
  TickSetup setup = pressScene(GetParam());
  setup.bodies[kLoose].pose.translation().y() = 0.3;
  Rig rig(std::move(setup), pressing(0.0));
  rig.wanted.speed = 0.25;
  constexpr int kTicks = 400;  // a tenth of a second of the scene
  rig.run(kTicks);
  const double seconds = 0.25 * kTicks * test::kTick;
  const double fallen = 0.3 - rig.tick.world().pose(kLoose).translation().y();
  EXPECT_NEAR(fallen, 0.5 * 9.81 * seconds * seconds, 0.01 * fallen);
}

TEST_P(PausedTick, ASlammedMaterialMovesSlowlyAndIsBookedToParameters) {
  TickSetup setup = pressScene(GetParam());
  setup.materials[0] = test::tough();
  setup.materialOf = {0, 0, 0};
  Rig rig(std::move(setup), pressing(0.005));
  rig.wanted.materials[0] = test::tough();
  rig.run(kPressed);
  const double before = rig.tick.result(0).command.wrench.force.norm();
  rig.wanted.materials[0].stiffness = 1e8;
  double last = before;
  double largest = 0.0;
  for (int k = 0; k < 1500; ++k) {
    const double now = rig.step().command.wrench.force.norm();
    largest = std::max(largest, std::abs(now - last));
    last = now;
  }
  EXPECT_LT(largest, 0.05) << "N in a tick";
  EXPECT_EQ(rig.tick.result(0).response.safe.phase, SafetyPhase::Active);
}

TEST(MaterialRanges, SlewReachesEveryEndAndIgnoresWhatIsNoNumber) {
  response::Material now;
  response::Material wanted;
  for (const response::MaterialRange& range : response::kMaterialRanges) {
    EXPECT_LT(range.low, range.high) << range.name;
    EXPECT_GE(now.*range.value, range.low) << range.name;
    EXPECT_LE(now.*range.value, range.high) << range.name;
    wanted.*range.value = 2.0 * range.high;  // beyond its end
  }
  wanted.damping = std::nan("");
  int ticks = 0;
  while (response::slewMaterial(now, wanted, 1e-3) && ticks < 2000)
    ++ticks;
  EXPECT_GE(ticks, 500) << "that was a step";
  for (const response::MaterialRange& range : response::kMaterialRanges) {
    if (range.name == "damping") {
      EXPECT_EQ(now.damping, response::Material{}.damping);
    } else {
      EXPECT_EQ(now.*range.value, range.high) << range.name;
    }
  }
}

}  // namespace
}  // namespace tactus::haptics
