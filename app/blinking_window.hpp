#pragma once
#include <optional>

#include "app/output.hpp"
#include "haptics/loop/tick_times.hpp"
#include "haptics/loop/tick_trace.hpp"

namespace tactus::app {

/// What drawing costs a tick: hides and shows the window in turn, and sorts the ticks' times by
/// whether it could be seen. In one run, so that a machine that is busier at one time than at
/// another is so for both.
class BlinkingWindow {
 public:
  /// For so many seconds each; none: it is never hidden.
  explicit BlinkingWindow(std::optional<double> seconds) : seconds_(seconds) {}

  /// In each picture, with the time since the window opened. True: it is to be hidden.
  [[nodiscard]] bool hides(double now);
  /// A tick since the picture before.
  void add(const haptics::TracePoint& point);
  /// {visible{p50, p99, ticks}, hidden{...}, growth}; null of a window that is never hidden.
  [[nodiscard]] Json figures() const;

 private:
  std::optional<double> seconds_;
  bool isHidden_ = false, isSettled_ = false;
  haptics::TickTimes visible_, hidden_;
};

}  // namespace tactus::app
