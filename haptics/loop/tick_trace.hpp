#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "haptics/tick/haptic_tick.hpp"

namespace tactus::haptics {

/// What a curve over time shows of a tick.
struct TracePoint {
  std::uint64_t number = 0;
  float computeUs = 0.0F;      ///< of the tick before, from samples read to wrenches written
  float periodUs = 0.0F;       ///< since the tick before began
  float contactVolume = 0.0F;  ///< that all bodies and tools share [m^3]
  std::array<float, kMostHands> force{};   ///< as given to the device [N]
  std::array<float, kMostHands> torque{};  ///< [N m]
};
static_assert(std::is_trivially_copyable_v<TracePoint>);

/// Every tick for somebody who draws curves: no peak between two pictures is lost.
///
/// Method: a ring from one writing thread to one reading one. Neither waits; what comes while it is
/// full is dropped and counted. It holds four seconds at 1 kHz: longer than any picture takes.
class TickTrace {
 public:
  TickTrace() : points_(kMost) {}

  void push(const TracePoint& point) noexcept {
    const std::uint64_t at = written_.load(std::memory_order_relaxed);
    if (at - read_.load(std::memory_order_acquire) >= kMost) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    points_[at % kMost] = point;
    written_.store(at + 1, std::memory_order_release);
  }

  /// Gives each new point to `take`, oldest first.
  template <typename Take>
  void drain(Take&& take) {
    std::uint64_t at = read_.load(std::memory_order_relaxed);
    const std::uint64_t end = written_.load(std::memory_order_acquire);
    for (; at != end; ++at)
      take(points_[at % kMost]);
    read_.store(at, std::memory_order_release);
  }

  [[nodiscard]] std::uint64_t dropped() const noexcept {
    return dropped_.load(std::memory_order_relaxed);
  }

  static constexpr std::size_t kMost = 4096;

 private:
  static constexpr std::size_t kLine = 64;  // bytes of a cache line on every machine we run on

  std::vector<TracePoint> points_;
  // Apart, or each side would evict the other's count.
  alignas(kLine) std::atomic<std::uint64_t> written_{0};
  alignas(kLine) std::atomic<std::uint64_t> read_{0};
  alignas(kLine) std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace tactus::haptics
