#pragma once
#include <cstdint>

namespace tactus::haptics {

/// Which tick it is, and how it began.
struct TickStart {
  std::uint64_t number = 0;   ///< ticks since the start, with those that were skipped
  std::uint32_t skipped = 0;  ///< right before this one
  std::int64_t dueNs = 0;     ///< when it should have begun
  std::int64_t lateNs = 0;    ///< by how much it was later
  bool isLate = false;        ///< by more than kLate of a period
};

/// When ticks are due, and what is done about those that come too late. Arithmetic on times that it
/// is given: it reads no clock, and the same times give the same ticks.
///
/// Ticks have a fixed length, so that the simulated time is the wall's. One that begins late by
/// less than kCatchUp periods is followed at once by the next, until none is behind; after a longer
/// gap the ticks whose time has wholly passed are skipped, for a hand does not want to feel tens of
/// them in a burst. What was skipped is told to the tick, which comes back gently.
class Pacer {
 public:
  // So many ticks one after the other do not last longer than the next is away, if they take a
  // third of their period.
  static constexpr std::int64_t kCatchUp = 3;
  // Of a period: from here on the force is held noticeably longer than it should.
  static constexpr double kLate = 0.5;

  Pacer(std::int64_t startNs, std::int64_t periodNs) noexcept
      : periodNs_(periodNs), nextNs_(startNs) {}

  /// When the next tick is due.
  [[nodiscard]] std::int64_t nextNs() const noexcept { return nextNs_; }
  [[nodiscard]] std::int64_t periodNs() const noexcept { return periodNs_; }
  /// The tick that begins now; a time before it is due counts as the time it is due.
  [[nodiscard]] TickStart begin(std::int64_t nowNs) noexcept;

 private:
  std::int64_t periodNs_;
  std::int64_t nextNs_;
  std::uint64_t number_ = 0;
};

}  // namespace tactus::haptics
