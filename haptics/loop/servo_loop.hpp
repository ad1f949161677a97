#pragma once
#include <atomic>
#include <cstdint>
#include <limits>

#include "haptics/loop/pacer.hpp"
#include "haptics/loop/servo_thread.hpp"
#include "haptics/loop/tick_times.hpp"

namespace tactus::haptics {

enum class TimeSource : std::uint8_t {
  Wall,       ///< a tick begins when it is due
  Simulated,  ///< each begins when the one before has ended, and none is ever late
};

struct ServoSettings {
  TimeSource time = TimeSource::Wall;
  std::int64_t periodNs = 1'000'000;
  std::uint64_t ticks = std::numeric_limits<std::uint64_t>::max();  ///< then the loop ends
};

/// How the loop kept its time.
struct ServoTimes {
  TickTimes compute;  ///< from a tick's begin to its end
  TickTimes period;   ///< from begin to begin
  std::uint64_t ticks = 0, late = 0, skipped = 0;
  std::int64_t beganNs = 0, endedNs = 0;  ///< of the first and the last tick, monotonicNs()
};

/// Runs `tick(TickStart)` in the calling thread until it is told to stop: the driver, which knows
/// the clock, around a tick that does not.
///
/// The first tick is number 0. A tick that is skipped counts as one of `settings.ticks`, for that
/// is a length of time.
template <typename Tick>
void runServo(const ServoSettings& settings, const std::atomic<bool>& stops, ServoTimes& times,
              Tick&& tick) {
  const bool isWall = settings.time == TimeSource::Wall;
  Pacer pacer(isWall ? monotonicNs() : 0, settings.periodNs);
  std::int64_t last = 0;
  while (!stops.load(std::memory_order_relaxed)) {
    if (isWall) sleepUntil(pacer.nextNs());
    const std::int64_t begin = monotonicNs();
    const TickStart start = pacer.begin(isWall ? begin : pacer.nextNs());
    if (start.number >= settings.ticks) break;
    tick(start);
    const std::int64_t end = monotonicNs();
    times.compute.add(end - begin);
    if (times.ticks == 0) {
      times.beganNs = begin;
    } else {
      times.period.add(begin - last);
    }
    last = begin;
    times.endedNs = end;
    ++times.ticks;
    times.late += start.isLate ? 1U : 0U;
    times.skipped += start.skipped;
    if (start.number + 1 >= settings.ticks) break;
  }
}

}  // namespace tactus::haptics
