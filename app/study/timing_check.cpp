#include "app/study/timing_check.hpp"

#include <utility>

#include "haptics/loop/servo_loop.hpp"

namespace tactus::app {
namespace {

constexpr std::uint64_t kTicksAtATime = 200;

}  // namespace

TimingCheck::TimingCheck()
    : thread_([this] {
        static_cast<void>(haptics::becomeServoThread());
        while (!stops_) {
          haptics::ServoTimes times;
          haptics::runServo({.time = haptics::TimeSource::Wall, .ticks = kTicksAtATime}, stops_,
                            times, [](const haptics::TickStart&) {});
          const std::lock_guard lock(mutex_);
          counts_.ticks += times.ticks;
          counts_.late += times.late;
          counts_.skipped += times.skipped;
        }
      }) {}

TimingCheck::~TimingCheck() {
  stops_ = true;
  thread_.join();
}

studies::RecentTiming::Counts TimingCheck::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(counts_, {});
}

haptics::SchedulePolicy servoPolicy() {
  haptics::SchedulePolicy policy;
  std::thread asks([&policy] { policy = haptics::becomeServoThread(); });
  asks.join();
  return policy;
}

}  // namespace tactus::app
