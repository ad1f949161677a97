// What the panel computes, without a window: the way back, presets, curves, and the mouse as a
// hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "app/mouse_hand.hpp"
#include "app/panel/parameter_history.hpp"
#include "app/panel/preset_file.hpp"
#include "app/panel/strip_chart.hpp"
#include "haptics/tick/tick_parameters.hpp"

namespace tactus::app {
namespace {

using haptics::TickParameters;

double& stiffness(TickParameters& parameters) {
  return parameters.hands[static_cast<std::size_t>(haptics::Hand::Right)].stiffness;
}
double stiffnessOf(const ParameterHistory& history) {
  return history.now().hands[static_cast<std::size_t>(haptics::Hand::Right)].stiffness;
}
void set(ParameterHistory& history, double value) {
  TickParameters wanted = history.now();
  stiffness(wanted) = value;
  history.edit(wanted);
}

TEST(ParameterHistory, UndoesWholeEditsAndRedoesThem) {
  ParameterHistory history(TickParameters{});
  const double usual = stiffnessOf(history);
  for (double value : {1100.0, 1200.0, 1300.0})
    set(history, value);  // one drag
  history.settle();
  set(history, 2000.0);
  history.settle();
  history.settle();  // nothing changed: no step
  history.undo();
  EXPECT_EQ(stiffnessOf(history), 1300.0);
  history.undo();
  EXPECT_EQ(stiffnessOf(history), usual);
  EXPECT_FALSE(history.canUndo());
  history.redo();
  history.redo();
  EXPECT_EQ(stiffnessOf(history), 2000.0);
  EXPECT_FALSE(history.canRedo());
  history.undo();
  set(history, 500.0);
  history.settle();
  EXPECT_FALSE(history.canRedo()) << "another way was taken";
}

TEST(ParameterHistory, NeverUndoesAPause) {
  ParameterHistory history(TickParameters{});
  set(history, 2000.0);
  history.settle();
  TickParameters paused = history.now();
  paused.isPaused = true;
  paused.steps = 5;
  history.edit(paused);
  history.settle();
  history.undo();
  EXPECT_TRUE(history.now().isPaused);
  EXPECT_EQ(history.now().steps, 5U);
  EXPECT_NE(stiffnessOf(history), 2000.0);
}

TEST(ParameterHistory, KeepsTwoSets) {
  ParameterHistory history(TickParameters{});
  set(history, 1500.0);
  history.settle();
  history.toggle();
  EXPECT_TRUE(history.isB());
  const double usual = stiffnessOf(history);
  EXPECT_NE(usual, 1500.0) << "B begins as it all began";
  set(history, 700.0);
  history.settle();
  history.toggle();
  EXPECT_EQ(stiffnessOf(history), 1500.0);
  history.toggle();
  EXPECT_EQ(stiffnessOf(history), 700.0);
  history.copyToOther();
  history.toggle();
  EXPECT_EQ(stiffnessOf(history), 700.0);
}

TEST(ParameterHistory, ForgetsTheOldestOfVeryMany) {
  ParameterHistory history(TickParameters{});
  for (int k = 1; k <= 1000; ++k) {
    set(history, k);
    history.settle();
  }
  int undone = 0;
  for (; history.canUndo(); ++undone)
    history.undo();
  EXPECT_EQ(undone, static_cast<int>(ParameterHistory::kMostSteps) - 1);
}

haptics::TickSetup rightHand() {
  haptics::TickSetup setup;
  setup.hands.resize(1);
  setup.hands[0].hand = haptics::Hand::Right;
  setup.materialOf = {0, 1};
  return setup;
}

TEST(Preset, ReadsBackToTheBit) {
  TickParameters written;
  stiffness(written) = 1234.56789012345678;
  written.law = response::ContactLaw::PointDepth;
  written.materials[1].staticFriction = 0.1 + 0.2;
  written.isPaused = true;
  const std::string text = presetText(written, rightHand());
  EXPECT_EQ(text.find("[left]"), std::string::npos) << "there is no such hand";
  EXPECT_EQ(text.find("material2"), std::string::npos) << "there is no such material";
  TickParameters read;
  const models::Result<models::Done> done = readPreset(text, "preset.toml", read);
  ASSERT_TRUE(done) << done.error().sentence;
  EXPECT_FALSE(read.isPaused) << "a pause is no setting";
  written.isPaused = false;
  EXPECT_FALSE(differ(read, written));
}

TEST(Preset, AMistakeIsNamedAndNothingIsSet) {
  TickParameters parameters;
  const TickParameters before = parameters;
  const auto sentence = [&](const char* text) {
    const models::Result<models::Done> done = readPreset(text, "p.toml", parameters);
    return done ? std::string("taken") : done.error().sentence;
  };
  const std::string unknown = sentence("[right]\nstiffness = 2000.0\nstifness = 1.0\n");
  EXPECT_NE(unknown.find("p.toml, line 3"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("right.stiffness"), std::string::npos) << unknown;
  EXPECT_NE(sentence("[right]\nstiffness = \"much\"\n").find("line 2"), std::string::npos);
  EXPECT_NE(sentence("[right]\nstiffness = inf\n").find("finite"), std::string::npos);
  EXPECT_NE(sentence("is_paused = 1.0\n"), "taken");
  EXPECT_FALSE(differ(parameters, before));
}

TEST(StripChart, NoPeakIsLostHoweverNarrow) {
  CurveHistory history(10'000);
  for (int k = 0; k < 10'000; ++k)
    history.add(k == 1234 ? 50.0F : 1.0F);
  for (const std::size_t width : {1UL, 7UL, 160UL, 999UL, 10'000UL, 20'000UL}) {
    std::vector<ColumnRange> columns(width);
    columnsOf(history, columns);
    float highest = 0.0F;
    for (const ColumnRange& column : columns)
      highest = std::max(highest, column.isEmpty() ? 0.0F : column.high);
    EXPECT_EQ(highest, 50.0F) << width;
  }
}

TEST(StripChart, TheNewestIsAtTheRightAndTheRestIsEmpty) {
  CurveHistory history(100);
  for (int k = 0; k < 30; ++k)
    history.add(static_cast<float>(k));
  std::vector<ColumnRange> columns(10);
  columnsOf(history, columns);
  for (std::size_t column = 0; column < 7; ++column)
    EXPECT_TRUE(columns[column].isEmpty()) << column;
  EXPECT_EQ(columns[7].low, 0.0F);
  EXPECT_EQ(columns[9].high, 29.0F);
  for (int k = 0; k < 1000; ++k)
    history.add(3.0F);
  EXPECT_EQ(history.size(), 100U);
  columnsOf(history, columns);
  for (const ColumnRange& column : columns) {
    EXPECT_EQ(column.low, 3.0F);
    EXPECT_EQ(column.high, 3.0F);
  }
}

TEST(StripChart, NumbersAreShort) {
  EXPECT_EQ(shortNumber(0.0F), "0");
  EXPECT_EQ(shortNumber(2.17e-16F), "0");
  EXPECT_EQ(shortNumber(-0.1234F), "-0.123");
  EXPECT_EQ(shortNumber(90.71F), "90.7");
  EXPECT_EQ(shortNumber(1001.4F), "1001");
  EXPECT_EQ(shortNumber(25'000.0F), "25000");
}

TEST(StripChart, AxesEndRound) {
  EXPECT_EQ(axisEndFor(0.0F), 1.0F);
  EXPECT_EQ(axisEndFor(1.0F), 1.0F);
  EXPECT_EQ(axisEndFor(1.1F), 2.0F);
  EXPECT_EQ(axisEndFor(2.4F), 5.0F);
  EXPECT_EQ(axisEndFor(700.0F), 1000.0F);
  EXPECT_NEAR(axisEndFor(0.03F), 0.05F, 1e-6F);
  EXPECT_EQ(axisEndFor(std::nanf("")), 1.0F);
}

/// A camera that looks along -z from half a metre.
render::OrbitCamera before() {
  render::OrbitCamera camera;
  camera.yaw = camera.pitch = 0.0;
  camera.distance = 0.5;
  return camera;
}
constexpr int kHeight = 800;
constexpr double kPicture = 1.0 / 60.0;

TEST(MouseHand, StaysUnderTheCursor) {
  haptics::PointerDevice device;
  constexpr double kScale = 2.0;
  MouseHand mouse(device, kScale);
  render::FrameInput input;
  input.drag = render::FrameInput::Drag::Left;
  const render::OrbitCamera camera = before();
  Eigen::Vector2d dragged = Eigen::Vector2d::Zero();
  for (int picture = 0; picture < 100; ++picture) {
    input.dragged = picture < 20 ? Eigen::Vector2d(5.0, -3.0) : Eigen::Vector2d(0.0, 0.0);
    dragged += input.dragged;
    mouse.frame(&input, camera, kHeight, Eigen::Vector3d::Zero(), kPicture, picture);
  }
  const Eigen::Vector3d pixel = camera.pixelOf(kScale * mouse.pose().position, kHeight, kHeight) -
                                camera.pixelOf(Eigen::Vector3d::Zero(), kHeight, kHeight);
  EXPECT_NEAR(pixel.x(), dragged.x(), 0.01);
  EXPECT_NEAR(pixel.y(), dragged.y(), 0.01);
}

/// Half of the picture in one.
render::FrameInput flick() {
  render::FrameInput input;
  input.drag = render::FrameInput::Drag::Left;
  input.dragged = Eigen::Vector2d(400.0, 0.0);
  return input;
}

TEST(MouseHand, AFlickIsCaughtUpSlowly) {
  haptics::PointerDevice device;
  MouseHand mouse(device, 1.0);
  render::FrameInput input = flick();
  Eigen::Vector3d last = mouse.pose().position;
  for (int picture = 0; picture < 60; ++picture) {
    mouse.frame(&input, before(), kHeight, Eigen::Vector3d::Zero(), kPicture, picture);
    EXPECT_LE((mouse.pose().position - last).norm(), 1.0 * kPicture + 1e-12) << "m/s";
    last = mouse.pose().position;
    input.dragged.setZero();
  }
  EXPECT_GT(last.x(), 0.05);
}

// After Reset or Record a session begins with its hands where devices rest, whatever was dragged.
TEST(MouseHand, RestsWhereASessionBegins) {
  haptics::PointerDevice device;
  MouseHand mouse(device, 1.0);
  render::FrameInput input = flick();
  constexpr std::int64_t kPictureNs = 16'000'000;
  haptics::DeviceSample sample;
  std::int64_t now = kPictureNs;
  const auto pictures = [&](int count) {
    for (int picture = 0; picture < count; ++picture, now += kPictureNs) {
      mouse.frame(&input, before(), kHeight, Eigen::Vector3d::Zero(), kPicture, now);
      input.dragged.setZero();
      for (int part = 0; part < 4; ++part)
        static_cast<void>(device.read(now + part * kPictureNs / 4, sample));
    }
  };
  pictures(3);
  EXPECT_GT(sample.position.norm(), 0.01);
  mouse.rest(now);
  pictures(30);
  EXPECT_EQ(mouse.pose().position.norm(), 0.0) << "what was still to be caught up is over, too";
  EXPECT_NEAR(sample.position.norm(), 0.0, 1e-9);
}

TEST(MouseHand, WheelShiftKeysAndOtherHands) {
  haptics::PointerDevice device;
  MouseHand mouse(device, 1.0);
  render::FrameInput input;
  input.notches = 2.0;
  mouse.frame(&input, before(), kHeight, Eigen::Vector3d::Zero(), 0.1, 0);
  EXPECT_LT(mouse.pose().position.z(), -0.005) << "away";
  input = {};
  input.isShiftDown = true;
  input.drag = render::FrameInput::Drag::Left;
  input.dragged = Eigen::Vector2d(kHeight, 0.0);
  mouse.frame(&input, before(), kHeight, Eigen::Vector3d::Zero(), kPicture, 1);
  const Eigen::AngleAxisd turn(mouse.pose().orientation);
  EXPECT_NEAR(turn.angle(), std::numbers::pi, 1e-6) << "across the picture is half a turn";
  EXPECT_NEAR(std::abs(turn.axis().y()), 1.0, 1e-6);
  input = {};
  input.keysDown = "D C";
  const Eigen::Vector3d from = mouse.pose().position;
  mouse.frame(&input, before(), kHeight, Eigen::Vector3d::Zero(), 0.05, 2);
  EXPECT_GT(mouse.pose().position.x(), from.x());
  EXPECT_EQ(mouse.pose().gripperAngle, 0.0) << "Space closes";
  EXPECT_EQ(mouse.pose().buttons, 1U) << "C is the clutch";
  const Eigen::Vector3d rest = mouse.pose().position;
  mouse.frame(nullptr, before(), kHeight, Eigen::Vector3d::Zero(), 0.05, 3);
  EXPECT_EQ(mouse.pose().position, rest) << "the mouse belongs to another hand";
}

}  // namespace
}  // namespace tactus::app
