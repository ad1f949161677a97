// The window of `tactus run` with real input events on a virtual display: the mouse presses a tool
// onto a plate, keys and sliders change what it feels, and what was recorded replays to the bit.
//
// Nothing here waits for a time: each step waits for what the recording shows of the one before.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "haptics/recording/recording_file.hpp"
#include "haptics/tick/tick_records.hpp"
#include "haptics/tick/tick_replay.hpp"
#include "tests/app/started_process.hpp"
#include "tests/render/virtual_display.hpp"

namespace tactus::tests {
namespace {

using haptics::HandRecord;
using haptics::RecordingReader;
using Json = nlohmann::json;

constexpr const char* kScene = R"(
title = "Plate"
[camera]
eye_m = [0.0, 0.15, 0.5]
target_m = [0.0, 0.03, 0.0]
[[body]]
name = "plate"
model = "builtin:box@1000"
fit_m = 0.3
spheres = 500
points = 500
position_m = [0.0, -0.05, 0.0]
[[body]]
name = "tool"
model = "builtin:sphere@1000"
kind = "tool"
fit_m = 0.05
spheres = 500
points = 500
position_m = [0.0, 0.06, 0.0]
[[hand]]
name = "right"
tool = "tool"
pose = [{ at_s = 0.0 }, { at_s = 1.0 }]
)";

/// The program in a window, until it is closed.
class SceneWindowTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_FALSE(display_.name().empty()) << "Xvfb does not start; install the package xvfb";
    ::setenv("DISPLAY", display_.name().c_str(), 1);
    ::unsetenv("WAYLAND_DISPLAY");
    ::setenv("XDG_CACHE_HOME", folder_.file("cache").c_str(), 1);
    scene_ = folder_.write("plate.toml", kScene);
  }
  void TearDown() override {
    if (program_ > 0) {
      ::kill(program_, SIGKILL);
      ::waitpid(program_, nullptr, 0);
    }
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  }

  /// With its standard output in a file.
  void start(const std::string& words) {
    const std::string command =
        "exec '" TACTUS_PROGRAM "' run '" + scene_ + "' " + words + " > '" + out() + "'";
    program_ = startQuietly({"sh", "-c", command});
    ASSERT_GT(program_, 0);
  }
  [[nodiscard]] std::string out() const { return folder_.file("out.json"); }
  [[nodiscard]] std::string recording() const { return folder_.file("session.tacr"); }

  /// False if it did not come true within what the slowest machine needs.
  static bool waitFor(const std::function<bool()>& holds,
                      std::chrono::seconds patience = std::chrono::seconds(100)) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < until) {
      if (holds()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
  }

  /// Sends them one after the other, and is back when the last one was sent.
  [[nodiscard]] static bool hasSent(std::vector<std::string> words) {
    words.insert(words.begin(), "xdotool");
    const pid_t sender = startQuietly(std::move(words));
    int status = -1;
    return sender > 0 && waitFor([&] { return ::waitpid(sender, &status, WNOHANG) == sender; }) &&
           status == 0;
  }

  /// All records of the hand so far.
  [[nodiscard]] std::vector<HandRecord> hand() const {
    std::vector<HandRecord> records;
    const models::Result<RecordingReader> reader = RecordingReader::open(recording());
    if (!reader) return records;
    haptics::StreamCursor cursor(reader.value(), "hand.right", sizeof(HandRecord));
    for (std::uint64_t tick = 0; tick <= cursor.lastTick(); ++tick) {
      HandRecord record;
      const models::Result<bool> has = cursor.at(tick, &record);
      if (has && has.value()) records.push_back(record);
    }
    return records;
  }
  /// The newest value that a parameter was changed to.
  [[nodiscard]] std::optional<double> changed(const std::string& name) const {
    std::optional<double> value;
    const models::Result<RecordingReader> reader = RecordingReader::open(recording());
    if (!reader) return value;
    for (const haptics::RecordedParameter& parameter : reader.value().parameters()) {
      if (parameter.name == name) value = parameter.after;
    }
    return value;
  }
  static double forceOf(const HandRecord& record) {
    return std::hypot(record.couplingForce[0], record.couplingForce[1], record.couplingForce[2]);
  }
  /// Ends by itself, and with which code.
  int closed() {
    int status = -1;
    EXPECT_TRUE(waitFor([&] { return ::waitpid(program_, &status, WNOHANG) == program_; }));
    program_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  Folder folder_;
  VirtualDisplay display_{"1280x800x24"};
  std::string scene_;
  pid_t program_ = -1;
};

TEST_F(SceneWindowTest, MousePressesAndThePanelChangesWhatIsFelt) {
  start("--device right=mouse --record '" + recording() + "' --json");
  constexpr auto kActive = static_cast<std::uint8_t>(response::SafetyPhase::Active);
  ASSERT_TRUE(waitFor([&] {
    const std::vector<HandRecord> records = hand();
    return !records.empty() && records.back().phase == kActive;
  })) << "no force comes up";

  // Left drag moves the hand: down, onto the plate and into it.
  std::vector<std::string> drag = {"mousemove", "400", "200", "sleep", "0.2", "mousedown", "1"};
  for (int step = 0; step < 20; ++step) {
    const std::vector<std::string> more = {"mousemove_relative", "--", "0", "6", "sleep", "0.03"};
    drag.insert(drag.end(), more.begin(), more.end());
  }
  drag.insert(drag.end(), {"mouseup", "1"});
  ASSERT_TRUE(hasSent(drag));
  constexpr double kFelt = 1.0;  // [N]
  ASSERT_TRUE(waitFor([&] {
    const std::vector<HandRecord> records = hand();
    return !records.empty() && forceOf(records.back()) > kFelt;
  })) << "nothing is felt";

  // A key changes the method, while it runs.
  ASSERT_TRUE(hasSent({"key", "v"}));
  ASSERT_TRUE(waitFor([&] { return changed("law").has_value(); }));
  EXPECT_EQ(changed("law"), static_cast<double>(response::ContactLaw::PointDepth));

  // The slider of the coupling's stiffness, drawn to twice and more: where the first slider of the
  // panel stands in a window of this size.
  const double before = forceOf(hand().back());
  // A picture has to see the button go down before the mouse moves on: slower each time.
  bool isDrawn = false;
  for (int attempt = 1; !isDrawn && attempt <= 5; ++attempt) {
    const std::string pause = std::to_string(attempt);
    ASSERT_TRUE(hasSent({"mousemove", "920", "454", "sleep", pause, "mousedown", "1", "sleep",
                         pause, "mousemove", "990", "454", "sleep", pause, "mouseup", "1"}));
    isDrawn = waitFor([&] { return changed("right.stiffness").value_or(0.0) > 2000.0; },
                      std::chrono::seconds(5 + 4 * attempt));
  }
  ASSERT_TRUE(isDrawn) << "the slider was not moved";
  EXPECT_TRUE(waitFor([&] { return forceOf(hand().back()) > 1.3 * before; }))
      << before << " N before, now " << forceOf(hand().back());

  ASSERT_TRUE(hasSent({"key", "Escape"}));
  EXPECT_EQ(closed(), 0);
  const Json json = Json::parse(contentOf(out()));
  EXPECT_GT(json["render"]["frames"], 10);
  EXPECT_GT(json["render"]["fps"], 0.0);
  EXPECT_FALSE(json["render"]["quality"].get<std::string>().empty());
  EXPECT_GT(json["servo"]["ticks"], 1000);
  EXPECT_EQ(json["recorder"]["dropped"], 0);

  const Ended replayed = tactus({"replay", recording()});
  EXPECT_EQ(replayed.code, 0) << replayed.out << replayed.err;
}

TEST_F(SceneWindowTest, EndsAfterItsSecondsAndLeavesNoForce) {
  start("--device right=sim:sigma7 --seconds 1 --record '" + recording() + "' --json");
  EXPECT_EQ(closed(), 0);
  const Json json = Json::parse(contentOf(out()));
  EXPECT_EQ(json["servo"]["ticks"].get<int>() + json["servo"]["skipped"].get<int>(), 1000);
  EXPECT_EQ(json["hands"][0]["spec"], "sim:sigma7");
}

TEST_F(SceneWindowTest, InterruptedItClosesItsRecording) {
  start("--device right=sim:sigma7 --record '" + recording() + "' --json");
  ASSERT_TRUE(waitFor([&] { return hand().size() > 100; }));
  // to the program itself: sh has become it
  ASSERT_EQ(::kill(program_, SIGINT), 0);
  EXPECT_EQ(closed(), 0);
  const Json info = Json::parse(tactus({"info", recording(), "--json"}).out);
  EXPECT_EQ(info["dropped"], 0);
  EXPECT_GT(info["ticks"], 100);
}

TEST_F(SceneWindowTest, AModelThatIsNoneIsOneSentence) {
  scene_ = folder_.write("bad.toml", "[[body]]\nname = \"a\"\nmodel = \"none.obj\"\n");
  const Ended ended = tactus({"run", scene_}, {});
  EXPECT_EQ(ended.code, 2);
  EXPECT_TRUE(isOneSentence(ended.err)) << ended.err;
}

}  // namespace
}  // namespace tactus::tests
