// The hand-over between the 1 kHz and the 60 Hz thread. Under ThreadSanitizer a wrong memory order
// shows as a race; without it the pattern in every value shows a torn copy.
#include "haptics/triple_buffer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>

namespace tactus::haptics {
namespace {

/// Larger than a cache line, so that a copy takes many instructions and could be torn.
struct Snapshot {
  std::array<std::uint64_t, 40> words{};

  static Snapshot numbered(std::uint64_t number) {
    Snapshot snapshot;
    for (std::size_t i = 0; i < snapshot.words.size(); ++i)
      snapshot.words[i] = number * 1000 + i;
    return snapshot;
  }
  [[nodiscard]] std::uint64_t number() const { return words[0] / 1000; }
  [[nodiscard]] bool isWhole() const {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] != words[0] + i) return false;
    }
    return true;
  }
};

TEST(TripleBufferThread, NothingIsFreshBeforeTheFirstPublication) {
  TripleBuffer<Snapshot> buffer;
  EXPECT_FALSE(buffer.refresh());
}

TEST(TripleBufferThread, TheNewestWinsAndIsTakenOnce) {
  TripleBuffer<Snapshot> buffer;
  for (std::uint64_t number = 1; number <= 3; ++number) {
    buffer.back() = Snapshot::numbered(number);
    buffer.publish();
  }
  EXPECT_TRUE(buffer.refresh());
  EXPECT_EQ(buffer.front().number(), 3U);
  EXPECT_FALSE(buffer.refresh());
  EXPECT_EQ(buffer.front().number(), 3U) << "what was taken stays readable";
}

TEST(TripleBufferThread, WriterNeverTouchesWhatTheReaderHolds) {
  TripleBuffer<Snapshot> buffer;
  buffer.back() = Snapshot::numbered(1);
  buffer.publish();
  ASSERT_TRUE(buffer.refresh());
  const Snapshot* held = &buffer.front();
  for (std::uint64_t number = 2; number < 50; ++number) {
    EXPECT_NE(&buffer.back(), held);
    buffer.back() = Snapshot::numbered(number);
    buffer.publish();
    EXPECT_EQ(held->number(), 1U);
  }
}

TEST(TripleBufferThread, TwoMillionPublicationsArriveWholeAndInOrder) {
  constexpr std::uint64_t kPublications = 2'000'000;
  TripleBuffer<Snapshot> buffer;
  std::atomic<bool> done{false};
  std::jthread writer([&] {
    for (std::uint64_t number = 1; number <= kPublications; ++number) {
      buffer.back() = Snapshot::numbered(number);
      buffer.publish();
    }
    done.store(true, std::memory_order_release);
  });

  std::uint64_t last = 0;
  std::uint64_t torn = 0;
  std::uint64_t backwards = 0;
  for (bool finished = false; !finished;) {
    finished = done.load(std::memory_order_acquire);
    if (!buffer.refresh()) continue;
    torn += buffer.front().isWhole() ? 0 : 1;
    backwards += buffer.front().number() > last ? 0 : 1;
    last = buffer.front().number();
  }
  EXPECT_EQ(torn, 0U);
  EXPECT_EQ(backwards, 0U);
  EXPECT_EQ(last, kPublications) << "the newest must be had in the end";
}

}  // namespace
}  // namespace tactus::haptics
