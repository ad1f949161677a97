// Order and completeness, alone and with two threads (which ThreadSanitizer watches).
#include "haptics/recording/record_ring.hpp"

#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace {

using tactus::haptics::RecordRing;

struct Record {
  std::uint64_t number = 0, twice = 0, thrice = 0;
};

TEST(RecordRing, KeepsTheOrderAndCountsWhatHadNoRoom) {
  RecordRing ring(sizeof(Record), 4);
  for (std::uint64_t i = 0; i < 6; ++i) {
    const Record record = {i, 2 * i, 3 * i};
    EXPECT_EQ(ring.push({i, static_cast<std::int64_t>(10 * i)}, &record), i < 4);
  }
  EXPECT_EQ(ring.dropped(), 2U);
  EXPECT_EQ(ring.written(), 4U);
  std::array<RecordRing::Stamp, 3> stamps;
  std::array<Record, 3> records;
  const auto take = [&] {
    return ring.take(3, stamps.data(), reinterpret_cast<std::byte*>(records.data()));
  };
  ASSERT_EQ(take(), 3U);
  EXPECT_EQ(stamps[2].tick, 2U);
  EXPECT_EQ(stamps[2].wallNs, 20);
  EXPECT_EQ(records[2].thrice, 6U);
  ASSERT_EQ(take(), 1U);
  EXPECT_EQ(records[0].number, 3U);
  EXPECT_EQ(take(), 0U);
}

TEST(RecordRing, BetweenTwoThreadsNothingIsTornOrLost) {
  constexpr std::uint64_t kRecords = 100'000;
  RecordRing ring(sizeof(Record), 64);
  std::thread writer([&ring] {
    for (std::uint64_t i = 0; i < kRecords;) {
      const Record record = {i, 2 * i, 3 * i};
      if (ring.push({i, 0}, &record)) {
        ++i;
      } else {
        std::this_thread::yield();
      }
    }
  });
  std::uint64_t next = 0;
  std::array<RecordRing::Stamp, 32> stamps;
  std::array<Record, 32> records;
  while (next < kRecords) {
    const std::size_t count =
        ring.take(32, stamps.data(), reinterpret_cast<std::byte*>(records.data()));
    for (std::size_t i = 0; i < count; ++i, ++next) {
      EXPECT_EQ(stamps[i].tick, next);
      EXPECT_EQ(records[i].number, next);
      EXPECT_EQ(records[i].twice, 2 * next);
      EXPECT_EQ(records[i].thrice, 3 * next);
    }
    if (count == 0) std::this_thread::yield();
  }
  writer.join();
}

}  // namespace
