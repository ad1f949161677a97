// The hand on a simulated device: where it wants to be, how hard it tries, what it does when
// pushed, and its file.
#include "haptics/simulated/simulated_hand.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "haptics/simulated/simulated_device.hpp"

namespace tactus::haptics {
namespace {

using Eigen::Vector3d;

constexpr const char* kGood = R"(grasp = "firm"
repeats = false
[[pose]]
at_s = 0.0
position_m = [0, 0, 0]
[[pose]]
at_s = 2
position_m = [0.02, 0.0, -0.01]
orientation = [0, 0, 2, 0]
closed = 0.5
buttons = [0, 3]
)";

TEST(HandPath, ReadsWhatItsFormatSays) {
  const models::Result<HandPath> read = parseHandPath(kGood, "p.toml");
  ASSERT_TRUE(read.ok()) << read.error().sentence;
  const HandPath& path = read.value();
  EXPECT_EQ(path.grasp, Grasp::Firm);
  EXPECT_FALSE(path.repeats);
  ASSERT_EQ(path.keys.size(), 2U);
  EXPECT_EQ(path.keys[1].at, 2.0);
  EXPECT_EQ(path.keys[1].position, Vector3d(0.02, 0.0, -0.01));
  EXPECT_EQ(path.keys[1].orientation.y(), 1.0) << "made a unit quaternion";
  EXPECT_EQ(path.keys[1].closed, 0.5);
  EXPECT_EQ(path.keys[1].buttons, 9U);
}

TEST(HandPath, WhateverIsWrongIsSaidWithFileAndLine) {
  const std::string pose = "[[pose]]\nat_s = 0\nposition_m = [0,0,0]\n";
  ASSERT_TRUE(parseHandPath(pose, "p.toml").ok());
  struct Case {
    std::string text;
    const char* says;
  };
  const Case cases[] = {
      {"", "needs at least one"},
      {"grasp = \"firm\"", "needs at least one"},
      {"grasp = \"hard\"\n" + pose, "must be \"bias\""},
      {"grasp = 1\n" + pose, "must be \"bias\""},
      {"repeats = 1\n" + pose, "true or false"},
      {"bias_direction = [0,0,0]\n" + pose, "point somewhere"},
      {"bias_direction = [0,1]\n" + pose, "point somewhere"},
      {"grap = \"firm\"\n" + pose, "the nearest is 'grasp'"},
      {pose + "closd = 1", "the nearest is 'pose.closed'"},
      {pose + "closed = 1.1", "from 0 to 1.0"},
      {pose + "closed = nan", "from 0 to 1.0"},
      {pose + "buttons = [32]", "button numbers"},
      {pose + "buttons = [0.5]", "button numbers"},
      {pose + "buttons = 0", "button numbers"},
      {pose + "orientation = [0,0,0,0]", "quaternion"},
      {pose + "orientation = [1,0,0]", "quaternion"},
      {pose + "orientation = [1,0,0,inf]", "quaternion"},
      {"[[pose]]\nat_s = 0\n", "pose 1 has no 'position_m'"},
      {"[[pose]]\nposition_m = [0,0,0]\n", "pose 1 has no 'at_s'"},
      {"[[pose]]\nat_s = 1\nposition_m = [0,0,0]\n", "must be at_s = 0"},
      {"[[pose]]\nat_s = -1\nposition_m = [0,0,0]\n", "from 0 to"},
      {"[[pose]]\nat_s = 0\nposition_m = [0,0,50]\n", "in metres"},
      {pose + pose, "not later"},
      {pose + "[[pose]]\n[[pose]]\nat_s = 1\nposition_m = [0,0,0]", "pose 2 has no"},
      {pose + "[pose.deep]\nx = 1", "p.toml"},
      {pose + "x = [[1]]", "no number"},
      {"[[pose]", "not TOML"},
  };
  for (const Case& c : cases) {
    const models::Result<HandPath> read = parseHandPath(c.text, "p.toml");
    ASSERT_FALSE(read.ok()) << c.text;
    EXPECT_NE(read.error().sentence.find(c.says), std::string::npos)
        << c.text << "\n -> " << read.error().sentence;
    EXPECT_TRUE(read.error().sentence.starts_with("p.toml")) << read.error().sentence;
  }
  EXPECT_EQ(readHandPath("/no/such/path.toml").error().reason, models::Reason::FileMissing);
}

TEST(HandPath, TheIntentRestsAtItsPosesAndMovesWithTheLeastJerkBetween) {
  const HandPath path = parseHandPath(kGood, "p").value();
  EXPECT_EQ(intentAt(path, 0.0).position, Vector3d::Zero());
  EXPECT_EQ(intentAt(path, 0.0).velocity, Vector3d::Zero());
  EXPECT_TRUE(intentAt(path, 1.0).position.isApprox(Vector3d(0.01, 0.0, -0.005)));
  // the fastest moment: 15/8 of the mean speed
  EXPECT_NEAR(intentAt(path, 1.0).velocity.x(), 0.01 * 15.0 / 8.0, 1e-15);
  for (const double t : {2.0, 3.0, 1e9, 1e300}) {
    EXPECT_EQ(intentAt(path, t).position, path.keys[1].position) << t;
    EXPECT_EQ(intentAt(path, t).buttons, 9U) << t;
  }
  EXPECT_EQ(intentAt(path, 1.999).buttons, 0U);
  // velocity is the derivative of position, everywhere
  for (double t = 0.01; t < 1.99; t += 0.037) {
    const Vector3d difference =
        (intentAt(path, t + 1e-6).position - intentAt(path, t - 1e-6).position) / 2e-6;
    ASSERT_LT((difference - intentAt(path, t).velocity).norm(), 1e-8) << t;
  }
  EXPECT_EQ(intentAt(HandPath{}, 1.0).position, Vector3d::Zero()) << "no pose at all";
}

TEST(HandPath, RepeatsFromTheStart) {
  HandPath path = parseHandPath(kGood, "p").value();
  path.repeats = true;
  EXPECT_EQ(intentAt(path, 2.5).position, intentAt(path, 0.5).position);
  EXPECT_EQ(intentAt(path, 2.0 * 1000 + 0.5).position, intentAt(path, 0.5).position);
}

/// Ticks the device with a force; returns nothing but where it then is.
Vector3d placeAfter(SimulatedDevice& device, const Vector3d& force, int ticks) {
  DeviceCommand command;
  command.wrench.force = force;
  for (int i = 0; i < ticks; ++i) {
    DeviceSample sample;
    (void)device.read(0, sample);
    (void)device.write(command);
  }
  return device.truth().position;
}

HandPath resting(Grasp grasp) {
  HandPath path;
  path.grasp = grasp;
  path.keys.emplace_back();
  return path;
}

TEST(SimulatedHand, FollowsItsPathTheCloserTheFirmer) {
  DeviceProfile profile = findProfile("sigma7").value();
  double last = 1.0;
  for (const Grasp grasp : {Grasp::Loose, Grasp::Normal, Grasp::Firm}) {
    HandPath path = defaultHandPath();
    path.grasp = grasp;
    SimulatedDevice device(profile, path, {});
    double worst = 0.0;
    for (int n = 0; n < 5000; ++n) {
      const Vector3d place = placeAfter(device, Vector3d::Zero(), 1);
      worst = std::max(worst, (place - intentAt(path, 1e-3 * (n + 1)).position).norm());
    }
    EXPECT_LT(worst, last) << static_cast<int>(grasp);
    last = worst;
  }
  EXPECT_LT(last, 2e-3) << "a firm hand is where it wants to be";
}

TEST(SimulatedHand, YieldsLikeASpringAndPullsNoHarderThanItCan) {
  DeviceProfile profile = findProfile("sigma7").value();
  profile.friction = 0.0;
  profile.capabilities.peakForce = 50.0;
  for (const Grasp grasp : {Grasp::Loose, Grasp::Normal, Grasp::Firm}) {
    const HandImpedance hand = impedanceOf(grasp);
    SimulatedDevice device(profile, resting(grasp), {});
    // below what it notices, so that it does not tighten
    const double force = 0.4;
    const Vector3d place = placeAfter(device, Vector3d(force, 0.0, 0.0), 4000);
    EXPECT_NEAR(place.x(), force / hand.stiffness, 0.01 * force / hand.stiffness);
    // more than it can hold: it is carried to the stop
    SimulatedDevice overpowered(profile, resting(grasp), {});
    const Vector3d away = placeAfter(overpowered, Vector3d(hand.effort + 3.0, 0.0, 0.0), 4000);
    EXPECT_EQ(away.x(), 0.5 * profile.capabilities.workspaceExtent.x());
  }
}

TEST(SimulatedHand, HoldsTighterAfterItHasNoticedAPush) {
  HandReaction reaction(1e-3);
  int ticks = 0;
  while (reaction.advance(1.0) == 1.0 && ticks < 10'000)
    ++ticks;
  EXPECT_NEAR(ticks, 150, 1) << "the time of a reflex";
  for (int i = 0; i < 1000; ++i)
    reaction.advance(1.0);
  EXPECT_EQ(reaction.tightness(), HandReaction::kTightest);
  for (int i = 0; i < 1000; ++i)
    reaction.advance(0.1);
  EXPECT_EQ(reaction.tightness(), 1.0);
  for (int i = 0; i < 1000; ++i) {
    reaction.advance(i % 100 == 0 ? 0.0 : 1.0);
    ASSERT_EQ(reaction.tightness(), 1.0) << "taps are too short to be answered";
  }
}

TEST(SimulatedHand, TheBiasIsHalfANewton) {
  DeviceProfile profile = findProfile("sigma7").value();
  profile.friction = profile.damping = 0.0;
  SimulatedDevice device(profile, resting(Grasp::Bias), {});
  placeAfter(device, Vector3d::Zero(), 100);
  EXPECT_NEAR(device.truth().velocity.y(), -0.5 / profile.mass * 0.1, 1e-12);
  EXPECT_EQ(device.truth().velocity.x(), 0.0);
}

TEST(SimulatedHand, FingersCloseAndAForceOpensThem) {
  const DeviceProfile profile = findProfile("sigma7").value();
  HandPath path = resting(Grasp::Normal);
  path.keys[0].closed = 0.5;
  SimulatedDevice device(profile, path, {});
  placeAfter(device, Vector3d::Zero(), 1000);
  EXPECT_NEAR(device.truth().gripperAngle, 0.5 * profile.gripperRange, 1e-6);
  DeviceCommand command;
  command.gripperForce = 2.0;
  for (int i = 0; i < 1000; ++i)
    (void)device.write(command);
  EXPECT_GT(device.truth().gripperAngle, 0.5 * profile.gripperRange + 0.01);
}

}  // namespace
}  // namespace tactus::haptics
