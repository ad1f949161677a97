// A recording runs again to the bit, and whatever is wrong with it is found.
#include "haptics/tick/tick_replay.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "haptics/loop/haptic_loop.hpp"
#include "haptics/tick/tick_parameters.hpp"
#include "tests/collision/cache/temporary_file.hpp"
#include "tests/haptics/tick/press_scene.hpp"

namespace tactus::haptics {
namespace {

using response::ToolKind;
using test::pressScene;
using tests::TemporaryFile;

const std::vector<std::string> kNames = {"right"};

/// 2.2 s of simulated time, into the contact; halfway the panel changes two things.
void record(const TemporaryFile& file, const TickSetup& setup) {
  SimulatedDevice device(findProfile("sigma7").value(), test::pressing(0.004, 1.2), {});
  HapticTick tick(setup);
  auto recorder =
      Recorder::start(file.path(), true, {}, TickRecorder::streamsOf(kNames, setup.bodies.size()),
                      RecorderPace::ByDriver);
  ASSERT_TRUE(recorder) << recorder.error().sentence;
  HapticLoop loop({.tick = &tick,
                   .devices = {&device},
                   .recorder = recorder.value().get(),
                   .pace = RecorderPace::ByDriver},
                  test::parametersOf(setup));
  const std::atomic<bool> stops = false;
  const ServoSettings settings{.time = TimeSource::Simulated, .ticks = 2200};
  TickParameters changed = test::parametersOf(setup);
  test::rightOf(changed).stiffness = 700.0;
  changed.gravity[1] = -5.0;
  loop.parameters().back() = changed;
  loop.parameters().publish();
  loop.run(settings, stops);
  EXPECT_EQ(loop.times().ticks, 2200U);
  EXPECT_GT(tick.result(0).command.wrench.force.y(), 0.5);
  ASSERT_TRUE(recorder.value()->finish());
  EXPECT_EQ(recorder.value()->dropped(), 0U);
  // whoever draws sees the last tick
  ASSERT_TRUE(loop.snapshots().refresh());
  const TickSnapshot& shown = loop.snapshots().front();
  EXPECT_EQ(shown.number, 2199U);
  EXPECT_EQ(shown.hands[0].force[1], tick.result(0).command.wrench.force.y());
  EXPECT_EQ(shown.bodyCount, 3U);
}

ReplayOutcome replayed(const TemporaryFile& file, const TickSetup& setup) {
  const auto reader = RecordingReader::open(file.path());
  EXPECT_TRUE(reader);
  HapticTick tick(setup);
  auto outcome = replayTicks(reader.value(), kNames, test::parametersOf(setup), tick);
  EXPECT_TRUE(outcome) << outcome.error().sentence;
  return outcome ? std::move(outcome).value() : ReplayOutcome{};
}

void run(const TemporaryFile& file, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.path().c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

class Replayed : public testing::TestWithParam<ToolKind> {};
INSTANTIATE_TEST_SUITE_P(All, Replayed, testing::Values(ToolKind::QuasiStatic, ToolKind::Dynamic));

TEST_P(Replayed, ToTheBit) {
  const TemporaryFile file("press.tacr");
  record(file, pressScene(GetParam()));
  const ReplayOutcome outcome = replayed(file, pressScene(GetParam()));
  EXPECT_TRUE(outcome.isIdentical()) << outcome.stopped;
  EXPECT_EQ(outcome.ticks, 2200U);
  EXPECT_EQ(outcome.compared, 2200U);
  EXPECT_EQ(outcome.maxForceDifference, 0.0);
}

// The loose box's contact is carried on in every other tick, as many are in a large scene.
TEST(TickReplay, ToTheBitWherePairsTakeTurns) {
  const TemporaryFile file("press.tacr");
  TickSetup setup = pressScene(ToolKind::Dynamic);
  setup.world.testsOfStep = 0;
  record(file, setup);
  const ReplayOutcome outcome = replayed(file, setup);
  EXPECT_TRUE(outcome.isIdentical()) << outcome.stopped;
  EXPECT_EQ(outcome.compared, 2200U);
}

// The machine stood still before the loop had begun.
TEST(TickReplay, AFirstTickThatCameLateIsNoGap) {
  constexpr std::uint64_t kLate = 8;
  constexpr std::uint64_t kTicks = 100;
  const TemporaryFile file("late.tacr");
  test::Rig rig(pressScene(ToolKind::Dynamic), test::pressing(0.004));
  auto recorder = Recorder::start(file.path(), true, {},
                                  TickRecorder::streamsOf(kNames, rig.setup.bodies.size()),
                                  RecorderPace::ByDriver);
  ASSERT_TRUE(recorder) << recorder.error().sentence;
  TickRecorder records(recorder.value().get(), 1, rig.setup.bodies.size());
  for (std::uint64_t k = 0; k < kTicks; ++k) {
    rig.inputs.number = kLate + k - 1;
    rig.step();
    rig.inputs.skipped = k == 0 ? kLate : 0;
    records.push({rig.inputs.number, 0}, rig.inputs, rig.tick, {&rig.written, 1}, 0.0);
  }
  ASSERT_TRUE(recorder.value()->finish());
  const ReplayOutcome outcome = replayed(file, rig.setup);
  EXPECT_EQ(outcome.stopped, "");
  EXPECT_EQ(outcome.compared, kTicks);
}

TEST(TickReplay, AnotherSceneIsFoundOut) {
  const TemporaryFile file("press.tacr");
  record(file, pressScene(ToolKind::Dynamic));
  TickSetup other = pressScene(ToolKind::Dynamic);
  other.bodies[0].material.stiffness *= 1.0 + 1e-9;
  const ReplayOutcome outcome = replayed(file, other);
  ASSERT_TRUE(outcome.firstDifference);
  EXPECT_GT(outcome.firstDifference.value_or(0), 1200U);  // at the touch
  EXPECT_GT(outcome.maxForceDifference, 0.0);
  EXPECT_LT(outcome.maxForceDifference, 1e-3);
}

TEST(TickReplay, AForgottenChangeOfAParameterIsFoundOut) {
  const TemporaryFile file("press.tacr");
  record(file, pressScene(ToolKind::Dynamic));
  run(file, "DELETE FROM param WHERE name = 'right.stiffness'");
  EXPECT_TRUE(replayed(file, pressScene(ToolKind::Dynamic)).firstDifference);
}

TEST(TickReplay, AMissingChunkEndsIt) {
  const TemporaryFile file("press.tacr");
  record(file, pressScene(ToolKind::Dynamic));
  run(file, "DELETE FROM chunk WHERE stream = 'hand.right' AND first_tick = 1000");
  const ReplayOutcome outcome = replayed(file, pressScene(ToolKind::Dynamic));
  EXPECT_EQ(outcome.ticks, 1000U);
  EXPECT_EQ(outcome.stopped, "tick 1000 was not recorded whole");
  EXPECT_FALSE(outcome.isIdentical());
}

// As a kill leaves it: no closing lines, and one stream a chunk ahead of the other.
TEST(TickReplay, ARaggedEndIsAnEnd) {
  const TemporaryFile file("press.tacr");
  record(file, pressScene(ToolKind::Dynamic));
  run(file,
      "DELETE FROM meta WHERE key IN ('records', 'dropped');"
      "DELETE FROM chunk WHERE stream = 'hand.right' AND first_tick = 2150");
  const ReplayOutcome outcome = replayed(file, pressScene(ToolKind::Dynamic));
  EXPECT_TRUE(outcome.isIdentical()) << outcome.stopped;
  EXPECT_EQ(outcome.ticks, 2150U);
}

TEST(TickReplay, ADamagedChunkIsNamed) {
  const TemporaryFile file("press.tacr");
  record(file, pressScene(ToolKind::Dynamic));
  run(file,
      "UPDATE chunk SET data = substr(data, 1, 30) || x'00' || substr(data, 32) "
      "WHERE stream = 'hand.right' AND first_tick = 500");
  const auto reader = RecordingReader::open(file.path());
  ASSERT_TRUE(reader);
  HapticTick tick(pressScene(ToolKind::Dynamic));
  const auto outcome =
      replayTicks(reader.value(), kNames, test::parametersOf(pressScene(ToolKind::Dynamic)), tick);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().sentence.find("hand.right"), std::string::npos)
      << outcome.error().sentence;
}

}  // namespace
}  // namespace tactus::haptics
