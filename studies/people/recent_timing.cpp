#include "studies/people/recent_timing.hpp"

#include "models/mesh/wording.hpp"

namespace tactus::studies {

void RecentTiming::add(double now, const Counts& counts) {
  stretches_.push_back({now, counts});
  sum_.ticks += counts.ticks;
  sum_.late += counts.late;
  sum_.skipped += counts.skipped;
  while (stretches_.front().ended < now - kSeconds) {
    const Counts& old = stretches_.front().counts;
    sum_.ticks -= old.ticks;
    sum_.late -= old.late;
    sum_.skipped -= old.skipped;
    stretches_.pop_front();
  }
}

std::string RecentTiming::objection() const {
  constexpr std::uint64_t kFewestTicks = 1000;
  const std::uint64_t due = sum_.ticks + sum_.skipped;
  if (due < kFewestTicks) return {};
  const auto share = [due](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(due);
  };
  if (share(sum_.late) <= kMostLateShare && share(sum_.skipped) <= kMostSkippedShare) return {};
  return models::say("in the last minute ", sum_.late, " of ", due, " ticks began late and ",
                     sum_.skipped, " were skipped");
}

}  // namespace tactus::studies
