#include "haptics/loop/servo_thread.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <array>
#include <cerrno>
#include <ctime>

namespace tactus::haptics {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::int64_t nanoseconds(const timespec& time) noexcept {
  return static_cast<std::int64_t>(time.tv_sec) * kSecond + time.tv_nsec;
}

std::int64_t clockNs(clockid_t clock) noexcept {
  timespec now{};
  clock_gettime(clock, &now);
  return nanoseconds(now);
}

/// Touches the stack that the tick will use, so that its pages are there when it does.
void touchStack() noexcept {
  constexpr std::size_t kBytes = std::size_t{256} << 10U;
  constexpr std::size_t kPage = 4096;
  std::array<volatile char, kBytes> stack;
  for (std::size_t i = 0; i < kBytes; i += kPage)
    stack[i] = 0;
}

}  // namespace

SchedulePolicy becomeServoThread(int priority) {
  SchedulePolicy policy;
  sched_param parameters{};
  parameters.sched_priority = priority;
  policy.isRealTime = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0;
  policy.priority = policy.isRealTime ? priority : 0;
  policy.isMemoryLocked = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  touchStack();
  policy.text = policy.isRealTime
                    ? "SCHED_FIFO " + std::to_string(priority)
                    : std::string("SCHED_OTHER (for SCHED_FIFO allow a priority of ") +
                          std::to_string(priority) + " with 'ulimit -r')";
  policy.text += policy.isMemoryLocked ? ", memory locked"
                                       : ", memory not locked (raise the limit with 'ulimit -l')";
  return policy;
}

std::int64_t monotonicNs() noexcept {
  return clockNs(CLOCK_MONOTONIC);
}

std::int64_t wallNs() noexcept {
  return clockNs(CLOCK_REALTIME);
}

void sleepUntil(std::int64_t monotonicNs) noexcept {
  const timespec until = {static_cast<time_t>(monotonicNs / kSecond),
                          static_cast<long>(monotonicNs % kSecond)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

}  // namespace tactus::haptics
