#pragma once
#include <cstdint>
#include <string>

namespace tactus::haptics {

/// What the system granted to the loop's thread.
struct SchedulePolicy {
  bool isRealTime = false;      ///< SCHED_FIFO
  bool isMemoryLocked = false;  ///< no page of ours is ever fetched from a disk
  int priority = 0;
  std::string text;  ///< for people: "SCHED_FIFO 80, memory locked", and what to do if it is less
};

// Below the kernel's own threads at 99 and above the sound servers at 70 to 75, which wait more
// patiently than a hand.
inline constexpr int kServoPriority = 80;

/// Asks for the best that the calling thread can have: first in, first out; locked memory; timers
/// without slack. What is refused is left as it was, and told.
[[nodiscard]] SchedulePolicy becomeServoThread(int priority = kServoPriority);

/// On CLOCK_MONOTONIC, which no one can set.
[[nodiscard]] std::int64_t monotonicNs() noexcept;
/// Since 1970, which others can relate to; for stamps only.
[[nodiscard]] std::int64_t wallNs() noexcept;
/// Until a time of monotonicNs(). Sleeps all the way: a thread that spins under SCHED_FIFO is
/// stopped for 50 ms in each second by the kernel.
void sleepUntil(std::int64_t monotonicNs) noexcept;

}  // namespace tactus::haptics
