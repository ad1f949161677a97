// A trial as people do it, with a simulated device in simulated time: it begins when all hands have
// their force, stands still while it is paused, and ends with forces that have faded.
#include "studies/runner/trial_loop.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "haptics/recording/recording_file.hpp"
#include "haptics/simulated/simulated_device.hpp"
#include "haptics/tick/tick_replay.hpp"
#include "studies/measures/recorded_trial.hpp"
#include "tests/studies/runner/built_objects.hpp"
#include "tests/studies/runner/small_study.hpp"

namespace tactus::studies {
namespace {

namespace fs = std::filesystem;

class TrialLoopTest : public testing::Test {
 protected:
  TrialLoopTest()
      : folder_(fs::temp_directory_path() / ("tactus-trial-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "scene.toml") << tests::kSmallScene;
    std::ofstream(folder_ / "study.toml")
        << "scene = \"" << (folder_ / "scene.toml").string() << "\"\n"
        << tests::kSmallProtocol;
    protocol_ = findProtocol((folder_ / "study.toml").string()).value();
    for (ProtocolBlock& block : protocol_.blocks)
      block.ends = BlockEnd::Limit;
    session_ = planOf(protocol_, 1).sessions.front();
    session_.players.front().favoursRight = true;
    loaded_ = haptics::loadScene(sceneOf(protocol_, session_.players[0].periods[0]).value(),
                                 tests::builtObject)
                  .value();
    profile_ = haptics::findProfile("sigma7").value();
  }
  ~TrialLoopTest() override { fs::remove_all(folder_); }

  /// A hand that holds still, or goes down onto the block after so long.
  std::unique_ptr<TrialLoop> prepared(double goesDownAt = 0.0) {
    haptics::HandPath path = haptics::defaultHandPath();
    path.keys.clear();
    path.keys.push_back({});
    if (goesDownAt > 0.0) {
      haptics::HandKey rests, pressed;
      rests.at = goesDownAt;
      pressed.at = goesDownAt + 0.5;
      pressed.position = {0.0, -0.03, 0.0};
      path.keys.insert(path.keys.end(), {rests, pressed});
    }
    path.repeats = false;
    device_ =
        std::make_unique<haptics::SimulatedDevice>(profile_, path, haptics::SimulatedSettings());
    request_.protocol = &protocol_;
    request_.loaded = &loaded_;
    request_.session = &session_;
    request_.trial = &session_.trials[1];  // "task", at most 1.5 s
    request_.recording = folder_ / "trial.tacr";
    request_.version = "test";
    TrialLoop::Parts parts;
    haptics::SessionHand hand;
    hand.hand = haptics::Hand::Right;
    hand.spec = "sim:sigma7";
    hand.profile = profile_;
    hand.capabilities = device_->capabilities();
    parts.hands.push_back(hand);
    parts.setup = trialSetupOf(request_, parts.hands);
    parts.devices.push_back(device_.get());
    return TrialLoop::prepare(request_, std::move(parts)).value();
  }
  [[nodiscard]] std::vector<haptics::RecordedEvent> events() const {
    return haptics::RecordingReader::open(request_.recording).value().events();
  }
  [[nodiscard]] TrialRecords records() const {
    return trialRecords(protocol_.scene, request_.recording).value();
  }
  static double forceOf(const haptics::HandRecord& record) {
    return std::hypot(record.force[0], record.force[1], record.force[2]);
  }

  fs::path folder_;
  StudyProtocol protocol_;
  PlannedSession session_;
  haptics::LoadedScene loaded_;
  haptics::DeviceProfile profile_;
  std::unique_ptr<haptics::SimulatedDevice> device_;
  TrialRequest request_;
};

TEST_F(TrialLoopTest, BeginsWithAllForceCountsInAndEndsWithNone) {
  const std::unique_ptr<TrialLoop> loop = prepared(3.5);
  loop->run();
  const TrialResult result = loop->finish().value();
  EXPECT_FALSE(result.wasAborted);
  EXPECT_TRUE(result.flags.empty());
  EXPECT_NEAR(result.seconds, 1.5, 1e-9) << "the limit";

  const TrialRecords records = this->records();
  const std::vector<haptics::HandRecord>& hand = records.hands[0];
  std::size_t active = 0, started = 0;
  while (active < hand.size() &&
         hand[active].phase != static_cast<std::uint8_t>(response::SafetyPhase::Active))
    ++active;
  while (started < hand.size() && records.contacts[0][started].stage == 0)
    ++started;
  ASSERT_LT(started, hand.size());
  EXPECT_EQ(started, active + TrialWatch::kCountInTicks);
  // pressed when the time was over, and let go of before the loop ended
  ASSERT_EQ(records.ticks(), started + 1500 + 100);
  EXPECT_GT(forceOf(hand[started + 1499]), 1.0);
  EXPECT_LT(forceOf(hand.back()), 1e-9);
  // by no step: the slew's limit and nothing more
  double steepest = 0.0;
  for (std::size_t k = started + 1500; k < hand.size(); ++k)
    steepest = std::max(steepest, std::abs(forceOf(hand[k]) - forceOf(hand[k - 1])));
  EXPECT_LT(steepest, 0.5 * forceOf(hand[started + 1499])) << "more than half within a tick";

  const std::vector<PlayerResult> again =
      measureRecording(protocol_, session_, *request_.trial, request_.recording).value();
  EXPECT_EQ(again[0].measures, result.players[0].measures);
}

TEST_F(TrialLoopTest, AbortedBeforeItBeganItEndsWithoutData) {
  const std::unique_ptr<TrialLoop> loop = prepared();
  loop->watch().abort();
  loop->run();
  const TrialResult result = loop->finish().value();
  EXPECT_TRUE(result.wasAborted);
  EXPECT_EQ(result.seconds, 0.0);
  ASSERT_EQ(events().size(), 1U);
  EXPECT_EQ(events()[0].kind, "abort");
}

TEST_F(TrialLoopTest, PausedItWaitsAndNoTimeIsCounted) {
  const std::unique_ptr<TrialLoop> loop = prepared();
  TrialWatch& watch = loop->watch();
  loop->start();
  const auto waitUntil = [&](auto holds) {
    for (;;) {
      static_cast<void>(watch.views().refresh());
      if (holds(watch.views().front())) return;
      std::this_thread::yield();
    }
  };
  waitUntil([](const TrialView& view) { return view.ticks > 0; });
  watch.setPaused(true);
  // the time limit may have come first; then the rest is of a trial that is over
  waitUntil([](const TrialView& view) { return view.isHeld || view.isOver; });
  static_cast<void>(watch.views().refresh());
  const TrialView held = watch.views().front();
  watch.setPaused(false);
  const TrialResult result = loop->finish().value();
  if (held.isHeld) {
    EXPECT_TRUE(result.flags.contains("paused"));
    const TrialRecords records = this->records();
    std::size_t counted = 0;
    for (const ContactRecord& contact : records.contacts[0])
      counted += contact.stage != 0 ? 1U : 0U;
    EXPECT_EQ(counted, 1500U) << "without the pause";
    EXPECT_GT(records.ticks(), counted + TrialWatch::kCountInTicks + 100);
  }
  EXPECT_NEAR(result.seconds, 1.5, 1e-9);
  const std::vector<PlayerResult> again =
      measureRecording(protocol_, session_, *request_.trial, request_.recording).value();
  EXPECT_EQ(again[0].measures, result.players[0].measures);
}

}  // namespace
}  // namespace tactus::studies
