// A program that is killed while it records, twenty times at random moments: what was committed
// opens, has no holes, and ends less than a tenth of a second before the kill.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "haptics/recording/recording_file.hpp"
#include "haptics/tick/tick_records.hpp"
#include "tests/app/started_process.hpp"
#include "tests/app/two_boxes.hpp"

namespace tactus::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kKills = 20;
constexpr std::int64_t kMostMissing = 100'000'000;  // [ns]

/// What the machine itself withholds: how much later than it wanted a thread is done that does
/// nothing but sleep and bring a byte to the same disk. No recorder can do better.
class Stalls {
 public:
  explicit Stalls(const std::string& file)
      : file_(open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)),
        thread_([this] { watch(); }) {}
  Stalls(const Stalls&) = delete;
  Stalls& operator=(const Stalls&) = delete;
  ~Stalls() {
    ends_ = true;
    thread_.join();
    close(file_);
  }
  void restart() { longestNs_ = 0; }
  [[nodiscard]] std::int64_t longestNs() const { return longestNs_; }

 private:
  void watch() {
    constexpr milliseconds kPause(10);
    while (!ends_) {
      const auto from = steady_clock::now();
      std::this_thread::sleep_for(kPause);
      if (write(file_, "x", 1) != 1 || fdatasync(file_) != 0) return;
      const std::int64_t late =
          std::chrono::nanoseconds(steady_clock::now() - from - kPause).count();
      longestNs_ = std::max(longestNs_.load(), late);
    }
  }

  int file_;
  std::atomic<std::int64_t> longestNs_ = 0;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

std::int64_t wallNs() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Ticks that ran between two that are there and are not there themselves. Those that the loop left
/// out never ran: the next one that did says how many they were.
std::uint64_t holesOf(const haptics::RecordingReader& recording) {
  std::uint64_t holes = 0;
  std::uint64_t next = 0;
  for (const haptics::RecordedChunk& chunk : recording.chunks()) {
    if (chunk.stream != "tick") continue;
    const models::Result<std::vector<std::byte>> bytes = recording.records(chunk);
    EXPECT_TRUE(bytes.ok());
    if (!bytes) return ~std::uint64_t{0};
    haptics::TickRecord first;
    std::memcpy(&first, bytes.value().data(), sizeof first);
    if (chunk.firstTick != next) holes += chunk.firstTick - next - first.skipped;
    next = chunk.firstTick + chunk.ticks;
  }
  return holes;
}

TEST(Kill, LosesLessThanATenthOfASecondAtAnyMoment) {
  const Folder folder;
  const std::vector<std::string> environment = {"XDG_CACHE_HOME=" + folder.file("cache")};
  const std::string scene = folder.write("scene.toml", twoBoxes("dynamic"));
  // so that the models are built
  ASSERT_EQ(
      tactus({"run", scene, "--headless", "--simulated-time", "--seconds", "0.01"}, environment)
          .code,
      0);
  Stalls stalls(folder.file("stalls"));
  std::uint64_t random = 7;
  for (int k = 0; k < kKills; ++k) {
    SCOPED_TRACE(k);
    const std::string file = folder.file("killed" + std::to_string(k) + ".tacr");
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (const std::string& set : environment)
        putenv(const_cast<char*>(set.c_str()));  // NOLINT(concurrency-mt-unsafe): one thread
      execl(TACTUS_PROGRAM, TACTUS_PROGRAM, "run", scene.c_str(), "--headless", "--record",
            file.c_str(), nullptr);
      _exit(127);
    }
    // once it writes, some moment of the next eight emptyings
    const auto until = steady_clock::now() + std::chrono::seconds(60);
    while (!std::filesystem::exists(file + "-wal") && steady_clock::now() < until)
      std::this_thread::sleep_for(milliseconds(1));
    random = random * 48271 % 2147483647;
    stalls.restart();
    std::this_thread::sleep_for(milliseconds(200) + std::chrono::microseconds(random % 200'000));
    const std::int64_t killedNs = wallNs();
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::int64_t stalled = stalls.longestNs();

    const models::Result<haptics::RecordingReader> recording = haptics::RecordingReader::open(file);
    ASSERT_TRUE(recording.ok()) << recording.error().sentence;
    const haptics::RecordingSummary summary = recording.value().summary();
    EXPECT_GT(summary.ticks, 0U);
    EXPECT_EQ(holesOf(recording.value()), 0U);
    EXPECT_EQ(summary.dropped, 0U);
    EXPECT_LE(killedNs - summary.lastWallNs, kMostMissing + stalled)
        << "the machine stood still for " << stalled << " ns";
  }
  // what is left of one is a recording like any other
  const Ended replayed = tactus({"replay", folder.file("killed0.tacr")}, environment);
  EXPECT_EQ(replayed.code, 0) << replayed.out << replayed.err;
}

}  // namespace
}  // namespace tactus::tests
