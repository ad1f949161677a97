#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <functional>
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

/// The program in a window of a display of its own, until it is closed.
class WindowProgram : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_FALSE(display_.name().empty()) << "Xvfb does not start; install the package xvfb";
    ::setenv("DISPLAY", display_.name().c_str(), 1);
    ::unsetenv("WAYLAND_DISPLAY");
    ::setenv("XDG_CACHE_HOME", folder_.file("cache").c_str(), 1);
  }
  void TearDown() override {
    if (program_ > 0) {
      ::kill(program_, SIGKILL);
      ::waitpid(program_, nullptr, 0);
    }
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  }

  /// In the test's folder, with its standard output in a file.
  void start(const std::string& words) {
    const std::string command = "cd '" + folder_.path().string() +
                                "' && exec '" TACTUS_PROGRAM "' " + words + " > '" + out() + "'";
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
  /// Draws with the left button, slowly enough for pictures that take long.
  [[nodiscard]] static bool hasDrawn(int fromX, int fromY, int steps, int stepX, int stepY) {
    std::vector<std::string> words = {
        "mousemove", std::to_string(fromX), std::to_string(fromY), "sleep", "0.2", "mousedown",
        "1"};
    for (int step = 0; step < steps; ++step) {
      const std::vector<std::string> more = {"mousemove_relative",  "--",    std::to_string(stepX),
                                             std::to_string(stepY), "sleep", "0.03"};
      words.insert(words.end(), more.begin(), more.end());
    }
    words.insert(words.end(), {"sleep", "0.2", "mouseup", "1"});
    return hasSent(std::move(words));
  }
  /// Presses a place until `holds`: a picture has to see the button go down, so slower each time.
  [[nodiscard]] static bool pressUntil(int x, int y, const std::function<bool()>& holds) {
    for (int attempt = 1; attempt <= 5; ++attempt) {
      const std::string pause = std::to_string(0.3 * attempt);
      if (!hasSent({"mousemove", std::to_string(x), std::to_string(y), "sleep", pause, "mousedown",
                    "1", "sleep", pause, "mouseup", "1"}))
        return false;
      if (waitFor(holds, std::chrono::seconds(1 + 3 * attempt))) return true;
    }
    return false;
  }

  /// All records of the hand so far.
  [[nodiscard]] std::vector<haptics::HandRecord> hand() const {
    std::vector<haptics::HandRecord> records;
    const models::Result<haptics::RecordingReader> reader =
        haptics::RecordingReader::open(recording());
    if (!reader) return records;
    haptics::StreamCursor cursor(reader.value(), "hand.right", sizeof(haptics::HandRecord));
    for (std::uint64_t tick = 0; tick <= cursor.lastTick(); ++tick) {
      haptics::HandRecord record;
      const models::Result<bool> has = cursor.at(tick, &record);
      if (has && has.value()) records.push_back(record);
    }
    return records;
  }
  /// The newest poses of so many bodies; none before the first.
  [[nodiscard]] std::vector<haptics::BodyRecord> bodies(std::size_t count) const {
    std::vector<haptics::BodyRecord> records(count);
    const models::Result<haptics::RecordingReader> reader =
        haptics::RecordingReader::open(recording());
    if (!reader) return {};
    haptics::StreamCursor cursor(reader.value(), "bodies", count * sizeof(haptics::BodyRecord));
    const models::Result<bool> has = cursor.at(cursor.lastTick(), records.data());
    if (!has || !has.value()) return {};
    return records;
  }
  /// The newest value that a parameter was changed to.
  [[nodiscard]] std::optional<double> changed(const std::string& name) const {
    std::optional<double> value;
    const models::Result<haptics::RecordingReader> reader =
        haptics::RecordingReader::open(recording());
    if (!reader) return value;
    for (const haptics::RecordedParameter& parameter : reader.value().parameters()) {
      if (parameter.name == name) value = parameter.after;
    }
    return value;
  }
  [[nodiscard]] bool isForceUp() const {
    const std::vector<haptics::HandRecord> records = hand();
    return !records.empty() &&
           records.back().phase == static_cast<std::uint8_t>(response::SafetyPhase::Active);
  }
  static double forceOf(const haptics::HandRecord& record) {
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
  VirtualDisplay display_{"1280x800x24", folder_.path().string()};
  pid_t program_ = -1;
};

}  // namespace tactus::tests
