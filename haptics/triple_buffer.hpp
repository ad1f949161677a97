#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <type_traits>

namespace tactus::haptics {

/// The newest complete value, from one writing thread to one reading thread, without waiting.
///
/// Method: three slots. The writer owns one, the reader another, and the third changes hands
/// through one atomic word, which also says whether it holds something the reader has not seen.
/// - publish() swaps the writer's slot with the shared one and marks it fresh
/// - refresh() swaps the reader's slot with the shared one if it is fresh
/// Both are a fixed number of instructions; neither can be made to wait by the other thread. Values
/// that the reader is too slow for are overwritten: this is for pictures, not for records.
template <typename T>
class TripleBuffer {
  static_assert(std::is_trivially_copyable_v<T>,
                "a torn copy must at least be harmless to destroy");

 public:
  /// The writer's own slot. Holds an old value, not the newest: write all of it before publish().
  [[nodiscard]] T& back() noexcept { return slots_[back_]; }

  void publish() noexcept {
    back_ = shared_.exchange(back_ | kFresh, std::memory_order_acq_rel) & kIndex;
  }

  /// Takes the newest value if there is one that front() does not show yet.
  [[nodiscard]] bool refresh() noexcept {
    if ((shared_.load(std::memory_order_relaxed) & kFresh) == 0) return false;
    front_ = shared_.exchange(front_, std::memory_order_acq_rel) & kIndex;
    return true;
  }

  /// The reader's own slot: the value of the last refresh() that returned true.
  [[nodiscard]] const T& front() const noexcept { return slots_[front_]; }

 private:
  static constexpr std::uint32_t kIndex = 3;
  static constexpr std::uint32_t kFresh = 4;
  static constexpr std::size_t kLine = 64;  // bytes of a cache line on every machine we run on

  std::array<T, 3> slots_{};
  // Each on a line of its own: else the writer's every publication would evict the reader's index.
  alignas(kLine) std::uint32_t back_ = 0;
  alignas(kLine) std::atomic<std::uint32_t> shared_{1};
  alignas(kLine) std::uint32_t front_ = 2;
};

}  // namespace tactus::haptics
