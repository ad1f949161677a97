#include "haptics/loop/tick_times.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tactus::haptics {

std::size_t TickTimes::bucketOf(std::uint64_t nanoseconds) noexcept {
  if (nanoseconds < kPerOctave) return static_cast<std::size_t>(nanoseconds);
  const auto shift = static_cast<unsigned>(std::bit_width(nanoseconds)) - kBits - 1;
  const std::size_t within = static_cast<std::size_t>(nanoseconds >> shift) - kPerOctave;
  return std::min((shift + std::size_t{1}) * kPerOctave + within, kBuckets - 1);
}

std::uint64_t TickTimes::endOf(std::size_t bucket) noexcept {
  if (bucket < kPerOctave) return bucket;
  const std::size_t shift = bucket / kPerOctave - 1;
  return ((bucket % kPerOctave + kPerOctave + 1) << shift) - 1;
}

void TickTimes::add(std::int64_t nanoseconds) noexcept {
  const std::int64_t held = std::max<std::int64_t>(nanoseconds, 0);
  ++buckets_[bucketOf(static_cast<std::uint64_t>(held))];
  ++count_;
  longest_ = std::max(longest_, held);
}

std::int64_t TickTimes::percentile(double share) const noexcept {
  if (count_ == 0) return 0;
  const double wanted = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
  const auto rank = std::max<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1);
  std::uint64_t below = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    below += buckets_[bucket];
    if (below >= rank) return std::min(static_cast<std::int64_t>(endOf(bucket)), longest_);
  }
  return longest_;
}

}  // namespace tactus::haptics
