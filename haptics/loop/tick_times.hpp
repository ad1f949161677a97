#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace tactus::haptics {

/// Distribution of durations, for percentiles over any number of ticks without keeping them.
///
/// Method: buckets of one width within each power of two, 64 to each, so that a percentile is right
/// to a 64th of itself; below 64 ns each nanosecond has its own. Adding is a handful of
/// instructions and never allocates, so the tick's own thread does it.
class TickTimes {
 public:
  void add(std::int64_t nanoseconds) noexcept;

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::int64_t longest() const noexcept { return longest_; }
  /// The duration that this share of all is not longer than [ns]: the upper end of its bucket, and
  /// never more than the longest. 0 of nothing.
  [[nodiscard]] std::int64_t percentile(double share) const noexcept;

 private:
  static constexpr unsigned kBits = 6;  // of a bucket within its power of two
  static constexpr std::size_t kPerOctave = std::size_t{1} << kBits;
  static constexpr std::size_t kOctaves = 36;  // to 2^41 ns, half an hour
  static constexpr std::size_t kBuckets = (kOctaves + 1) * kPerOctave;

  static std::size_t bucketOf(std::uint64_t nanoseconds) noexcept;
  static std::uint64_t endOf(std::size_t bucket) noexcept;

  std::array<std::uint64_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
  std::int64_t longest_ = 0;
};

}  // namespace tactus::haptics
