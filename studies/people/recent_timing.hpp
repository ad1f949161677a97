#pragma once
#include <cstdint>
#include <deque>
#include <string>

namespace tactus::studies {

/// How the loop kept its time in the last minute, from counts of stretches of it.
class RecentTiming {
 public:
  struct Counts {
    std::uint64_t ticks = 0, late = 0, skipped = 0;
  };
  static constexpr double kSeconds = 60.0;
  // A tick that begins late by half a period holds the force noticeably longer; one in a thousand
  // is once a second. One that is skipped is a gap that hands feel: once in ten seconds.
  static constexpr double kMostLateShare = 1e-3;
  static constexpr double kMostSkippedShare = 1e-4;

  /// `now`: at the stretch's end, in seconds of any clock that only grows.
  void add(double now, const Counts& counts);
  [[nodiscard]] Counts sum() const noexcept { return sum_; }
  /// Why data should not be collected now, in words; empty if nothing speaks against it. Less than
  /// a second says nothing yet.
  [[nodiscard]] std::string objection() const;

 private:
  struct Stretch {
    double ended = 0.0;
    Counts counts;
  };
  std::deque<Stretch> stretches_;
  Counts sum_;
};

}  // namespace tactus::studies
