#pragma once
#include <atomic>
#include <mutex>
#include <string>
#include <thread>

#include "haptics/loop/servo_thread.hpp"
#include "studies/people/recent_timing.hpp"

namespace tactus::app {

/// Ticks at 1 kHz without doing anything, while no trial goes on: so what is known of the last
/// minute's timing does not end with the last trial.
class TimingCheck {
 public:
  TimingCheck();
  TimingCheck(const TimingCheck&) = delete;
  TimingCheck& operator=(const TimingCheck&) = delete;
  ~TimingCheck();

  /// Since the last call.
  [[nodiscard]] studies::RecentTiming::Counts take();

 private:
  std::mutex mutex_;  // shared with nobody who drives a hand
  studies::RecentTiming::Counts counts_;
  std::atomic<bool> stops_{false};
  std::thread thread_;
};

/// What the system grants to a servo thread of this process.
[[nodiscard]] haptics::SchedulePolicy servoPolicy();

}  // namespace tactus::app
