// A session with people as they meet it: the program's window on a virtual display, every page
// answered with the mouse, trials in real time with a simulated device. One trial is paused, one is
// stopped, the program is killed once, and the session goes on.
//
// Nothing here waits for a time: each step waits for what the journal says of the one before, and a
// click that a slow picture has missed is made again.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/app/started_process.hpp"
#include "tests/render/virtual_display.hpp"
#include "tests/studies/runner/small_study.hpp"

namespace tactus::tests {
namespace {

using Json = nlohmann::json;

constexpr const char* kShortProtocol = R"(
title = "Setting boxes"
seed = 3
[[factor]]
name = "dof"
levels = ["6in6out", "3in3out"]
[task]
kind = "dock"
within_m = 0.006
within_rad = 0.3
hold_s = 0.05
[[target]]
hand = "right"
position_m = [0.0, 0.009, 0.0]
[[block]]
name = "task"
limit_s = 2.0
[[item]]
name = "ease"
kind = "likert"
question = "How easy was it?"
[[item]]
name = "comment"
kind = "text"
question = "What else?"
when = "end"
[[outcome]]
name = "time"
label = "Time"
scale = "time"
factor = "dof"
primary = true
)";

/// Where things are in a window of 1280 x 800.
struct Place {
  int x = 0, y = 0;
};
constexpr Place kMiddle{640, 728}, kFirst{504, 728};  // buttons of a page
constexpr Place kStopButton{1190, 40}, kPauseButton{1056, 40};

class StudyWindowTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_FALSE(display_.name().empty()) << "Xvfb does not start; install the package xvfb";
    ::setenv("DISPLAY", display_.name().c_str(), 1);
    ::unsetenv("WAYLAND_DISPLAY");
    ::setenv("XDG_CACHE_HOME", folder_.file("cache").c_str(), 1);
    folder_.write("scene.toml", kSmallScene);
    const std::string protocol = folder_.write(
        "study.toml", "scene = \"" + folder_.file("scene.toml") + "\"\n" + kShortProtocol);
    const Ended made = tactus({"study", "new", protocol, "--participants", "1", "-o", study()});
    ASSERT_EQ(made.code, 0) << made.err;
  }
  void TearDown() override {
    if (program_ > 0) {
      ::kill(program_, SIGKILL);
      ::waitpid(program_, nullptr, 0);
    }
  }
  [[nodiscard]] std::string study() const { return folder_.file("study"); }
  [[nodiscard]] std::vector<std::string> words() const {
    return {"study", "run", study(), "--device", "right=sim:sigma7", "--accept-bad-timing"};
  }
  void start() {
    std::vector<std::string> all = words();
    all.insert(all.begin(), TACTUS_PROGRAM);
    program_ = startQuietly(std::move(all));
    ASSERT_GT(program_, 0);
  }
  static bool waitFor(const std::function<bool()>& holds,
                      std::chrono::milliseconds patience = std::chrono::seconds(60)) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < until) {
      if (holds()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
    return false;
  }
  /// A number from the journal; 0 while it has none.
  [[nodiscard]] int asked(const std::string& sql) const {
    sqlite3* database = nullptr;
    int number = 0;
    if (sqlite3_open_v2((study() + "/journal.sqlite").c_str(), &database, SQLITE_OPEN_READONLY,
                        nullptr) == SQLITE_OK) {
      sqlite3_busy_timeout(database, 5000);
      sqlite3_stmt* statement = nullptr;
      if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK &&
          sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int(statement, 0);
      sqlite3_finalize(statement);
    }
    sqlite3_close(database);
    return number;
  }
  [[nodiscard]] int happened(const std::string& kind) const {
    return asked("SELECT count(*) FROM happened WHERE kind='" + kind + "'");
  }
  [[nodiscard]] int facts(const std::string& name) const {
    return asked("SELECT count(*) FROM fact WHERE name='" + name + "'");
  }
  [[nodiscard]] int trials() const { return asked("SELECT count(*) FROM trial"); }
  [[nodiscard]] int answers() const { return asked("SELECT count(*) FROM answer"); }

  /// One after the other, slower each time, until the journal has what they bring about.
  static void clickUntil(const std::vector<Place>& places, const std::function<bool()>& holds) {
    constexpr int kAttempts = 12;
    for (int attempt = 1; attempt <= kAttempts; ++attempt) {
      const std::string pause = std::to_string(0.05 * attempt * attempt);
      for (const Place& place : places) {
        std::vector<std::string> words = {"xdotool",
                                          "mousemove",
                                          std::to_string(place.x),
                                          std::to_string(place.y),
                                          "sleep",
                                          pause,
                                          "mousedown",
                                          "1",
                                          "sleep",
                                          pause,
                                          "mouseup",
                                          "1",
                                          "sleep",
                                          pause};
        const pid_t sender = startQuietly(std::move(words));
        int status = -1;
        ASSERT_TRUE(waitFor([&] { return ::waitpid(sender, &status, WNOHANG) == sender; }));
        ASSERT_EQ(status, 0) << "xdotool is missing";
      }
      if (waitFor(holds, std::chrono::milliseconds(300 * attempt))) return;
    }
    FAIL() << "nobody noticed the click at " << places.back().x << ", " << places.back().y;
  }
  Folder folder_;
  VirtualDisplay display_{"1280x800x24"};
  pid_t program_ = -1;
};

TEST_F(StudyWindowTest, AMouseAloneLeadsThroughASession) {
  start();
  clickUntil({{290, 371}, kFirst}, [&] { return facts("consent") == 1; });
  clickUntil({{290, 186}, {290, 265}, {290, 344}, kMiddle}, [&] { return facts("comfort") == 1; });
  clickUntil({{1000, 186}, {1000, 265}, {1000, 344}, {1000, 423}, {290, 502}, kMiddle},
             [&] { return facts("handedness") == 1; });
  clickUntil({kMiddle}, [&] { return happened("instructions") == 1; });

  // paused while it counts, gone on with, and stopped
  clickUntil({kFirst, kPauseButton}, [&] { return happened("pause") == 1; });
  clickUntil({kPauseButton}, [&] { return happened("go_on") == 1; });
  clickUntil({kStopButton}, [&] { return happened("trial_stopped") == 1; });
  EXPECT_EQ(trials(), 0);

  // killed where it stands, and gone on with by choice
  ::kill(program_, SIGKILL);
  ::waitpid(program_, nullptr, 0);
  start();
  clickUntil({kFirst}, [&] { return happened("session_resumed") == 1; });
  clickUntil({kMiddle}, [&] { return happened("instructions") == 2; });
  clickUntil({kFirst}, [&] { return trials() == 1; });
  EXPECT_EQ(asked("SELECT attempt FROM trial"), 1);
  clickUntil({{1000, 186}, kMiddle}, [&] { return answers() == 1; });
  clickUntil({kMiddle}, [&] { return happened("instructions") == 3; });
  clickUntil({kFirst}, [&] { return trials() == 2; });
  clickUntil({{290, 186}, kMiddle}, [&] { return answers() == 2; });
  // free text: a letter of the screen's keyboard, some times
  constexpr Place kLetter{222, 323};
  clickUntil({kLetter, kLetter, kLetter, kMiddle}, [&] { return answers() == 3; });
  EXPECT_GT(asked("SELECT length(text) FROM answer WHERE item='comment'"), 0);
  EXPECT_EQ(happened("session_done"), 1);
  EXPECT_EQ(asked("SELECT value FROM answer WHERE item='ease' AND period=1"), 5);
  EXPECT_EQ(asked("SELECT value FROM answer WHERE item='ease' AND period=2"), 1);
  int ended = -1;
  clickUntil({kMiddle}, [&] { return ::waitpid(program_, &ended, WNOHANG) == program_; });
  program_ = -1;
  EXPECT_TRUE(WIFEXITED(ended) && WEXITSTATUS(ended) == 0) << ended;

  const Json status = Json::parse(tactus({"study", "status", study(), "--json"}).out);
  const Json& one = status["participants"][0];
  EXPECT_EQ(one["state"], "done");
  EXPECT_EQ(one["trials_done"], 2);
  EXPECT_EQ(one["flags"][0], "rehearsal") << "a simulated device is no person";
  for (const char* name : {"S01-T001-1.tacr", "S01-T002-1.tacr"}) {
    const Ended replayed = tactus({"replay", study() + "/recordings/" + name});
    EXPECT_EQ(replayed.code, 0) << replayed.out << replayed.err;
  }
  const std::string table = contentOf(study() + "/trials/trials.csv");
  EXPECT_NE(table.find("rehearsal"), std::string::npos);
  const std::string report = folder_.file("report.html");
  ASSERT_EQ(tactus({"study", "analyze", study(), "-o", report}).code, 0);
  EXPECT_NE(contentOf(report).find("<title>Rehearsal: Setting boxes"), std::string::npos);
  // what is done is not done again, and nobody is simulated into it
  EXPECT_EQ(tactus(words()).code, 2);
  EXPECT_EQ(tactus({"study", "run", study(), "--simulate"}).code, 2);
}

}  // namespace
}  // namespace tactus::tests
