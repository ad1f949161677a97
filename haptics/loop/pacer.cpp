#include "haptics/loop/pacer.hpp"

#include <algorithm>
#include <limits>

namespace tactus::haptics {

TickStart Pacer::begin(std::int64_t nowNs) noexcept {
  TickStart tick;
  const std::int64_t behind = std::max<std::int64_t>(nowNs - nextNs_, 0) / periodNs_;
  if (behind >= kCatchUp) {
    // a gap that long is beyond everything else that goes wrong then, but it must not wrap around
    tick.skipped = static_cast<std::uint32_t>(
        std::min<std::int64_t>(behind, std::numeric_limits<std::uint32_t>::max()));
    number_ += static_cast<std::uint64_t>(behind);
    nextNs_ += behind * periodNs_;
  }
  tick.number = number_++;
  tick.dueNs = nextNs_;
  nextNs_ += periodNs_;
  tick.lateNs = std::max<std::int64_t>(nowNs - tick.dueNs, 0);
  tick.isLate =
      tick.skipped > 0 || static_cast<double>(tick.lateNs) > kLate * static_cast<double>(periodNs_);
  return tick;
}

}  // namespace tactus::haptics
