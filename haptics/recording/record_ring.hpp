#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

namespace tactus::haptics {

/// Records of one size from one thread to one other, in order and without waiting; each with its
/// tick and its time. What there is no room for is dropped and counted: a recording says what it
/// lacks, and the tick never waits for a disk.
///
/// Method: a ring with two counters that only grow. The writer owns `written_`, the reader `read_`;
/// each looks at the other's with acquire and publishes its own with release.
class RecordRing {
 public:
  struct Stamp {
    std::uint64_t tick = 0;
    std::int64_t wallNs = 0;
  };

  RecordRing(std::size_t recordBytes, std::size_t capacity)
      : recordBytes_(recordBytes), stamps_(capacity), bytes_(recordBytes * capacity) {}

  [[nodiscard]] std::size_t recordBytes() const noexcept { return recordBytes_; }

  /// The writer's: returns whether there was room.
  bool push(const Stamp& stamp, const void* record) noexcept {
    const std::uint64_t written = written_.load(std::memory_order_relaxed);
    if (written - read_.load(std::memory_order_acquire) >= stamps_.size()) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    const auto place = static_cast<std::size_t>(written % stamps_.size());
    stamps_[place] = stamp;
    std::memcpy(bytes_.data() + place * recordBytes_, record, recordBytes_);
    written_.store(written + 1, std::memory_order_release);
    return true;
  }

  /// The reader's: takes up to `most` records into arrays of that many; returns how many.
  std::size_t take(std::size_t most, Stamp* stamps, std::byte* records) noexcept {
    const std::uint64_t read = read_.load(std::memory_order_relaxed);
    const std::uint64_t waiting = written_.load(std::memory_order_acquire) - read;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(waiting, most));
    for (std::size_t i = 0; i < count; ++i) {
      const auto place = static_cast<std::size_t>((read + i) % stamps_.size());
      stamps[i] = stamps_[place];
      std::memcpy(records + i * recordBytes_, bytes_.data() + place * recordBytes_, recordBytes_);
    }
    read_.store(read + count, std::memory_order_release);
    return count;
  }

  /// Anybody's.
  [[nodiscard]] std::uint64_t written() const noexcept {
    return written_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t dropped() const noexcept {
    return dropped_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kLine = 64;  // bytes of a cache line on every machine we run on

  std::size_t recordBytes_;
  std::vector<Stamp> stamps_;
  std::vector<std::byte> bytes_;
  alignas(kLine) std::atomic<std::uint64_t> written_{0};
  std::atomic<std::uint64_t> dropped_{0};
  alignas(kLine) std::atomic<std::uint64_t> read_{0};
};

}  // namespace tactus::haptics
