// The loop around a tick. How well a machine keeps time is no matter of tests; that ticks are
// counted, ended and measured is.
#include "haptics/loop/servo_loop.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace tactus::haptics;

TEST(ServoLoop, InSimulatedTimeEveryTickComesAndNoneIsLate) {
  const std::atomic<bool> stops{false};
  ServoTimes times;
  std::vector<std::uint64_t> numbers;
  std::int64_t lastDue = -1'000'000;
  runServo({.time = TimeSource::Simulated, .ticks = 5000}, stops, times,
           [&](const TickStart& tick) {
             numbers.push_back(tick.number);
             EXPECT_EQ(tick.dueNs, lastDue + 1'000'000);
             lastDue = tick.dueNs;
             EXPECT_FALSE(tick.isLate);
           });
  ASSERT_EQ(numbers.size(), 5000U);
  EXPECT_EQ(numbers.back(), 4999U);
  EXPECT_EQ(times.ticks, 5000U);
  EXPECT_EQ(times.compute.count(), 5000U);
  EXPECT_EQ(times.period.count(), 4999U);
  EXPECT_EQ(times.late, 0U);
  EXPECT_EQ(times.skipped, 0U);
}

TEST(ServoLoop, EndsWhenItIsTold) {
  std::atomic<bool> stops{false};
  ServoTimes times;
  runServo({.time = TimeSource::Simulated}, stops, times, [&](const TickStart& tick) {
    if (tick.number == 41) stops.store(true);
  });
  EXPECT_EQ(times.ticks, 42U);
}

TEST(ServoLoop, OnTheWallAllTicksAreRunOrSkipped) {
  const std::atomic<bool> stops{false};
  ServoTimes times;
  std::uint64_t next = 0;
  bool hasSlept = false;
  runServo({.time = TimeSource::Wall, .ticks = 50}, stops, times, [&](const TickStart& tick) {
    EXPECT_EQ(tick.number, next + tick.skipped);
    next = tick.number + 1;
    // In the first that runs: any other may itself be skipped on a machine that is busy.
    if (!std::exchange(hasSlept, true)) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  EXPECT_LE(next, 50U);
  EXPECT_GE(times.skipped, 16U);  // of the 20 that one tick has taken
  EXPECT_GE(times.late, 1U);
  EXPECT_GE(times.endedNs - times.beganNs, 20'000'000);
  EXPECT_GE(times.compute.longest(), 20'000'000);
}

TEST(ServoThread, TellsWhatItWasGranted) {
  SchedulePolicy policy;
  // of its own: whatever is granted goes with it, but for the memory
  std::thread([&policy] { policy = becomeServoThread(); }).join();
  EXPECT_EQ(policy.priority, policy.isRealTime ? kServoPriority : 0);
  EXPECT_NE(policy.text.find(policy.isRealTime ? "SCHED_FIFO 80" : "SCHED_OTHER"),
            std::string::npos);
  EXPECT_NE(policy.text.find(policy.isMemoryLocked ? "memory locked" : "memory not locked"),
            std::string::npos);
}

TEST(ServoThread, SleepsUntilATimeAndNotBeyondOneThatIsPast) {
  const std::int64_t begin = monotonicNs();
  sleepUntil(begin + 2'000'000);
  EXPECT_GE(monotonicNs(), begin + 2'000'000);
  sleepUntil(begin);
  EXPECT_GT(wallNs(), 1'700'000'000'000'000'000);
}

}  // namespace
