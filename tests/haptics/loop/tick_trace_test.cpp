#include "haptics/loop/tick_trace.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tactus::haptics {
namespace {

TEST(TickTrace, GivesEachPointOnceInItsOrder) {
  TickTrace trace;
  std::vector<std::uint64_t> seen;
  const auto drain = [&] {
    trace.drain([&](const TracePoint& point) { seen.push_back(point.number); });
  };
  for (std::uint64_t number = 0; number < 10'000; ++number) {
    trace.push({.number = number});
    if (number % 1000 == 999) drain();
  }
  drain();
  ASSERT_EQ(seen.size(), 10'000U);
  for (std::uint64_t number = 0; number < seen.size(); ++number)
    EXPECT_EQ(seen[number], number);
  EXPECT_EQ(trace.dropped(), 0U);
}

TEST(TickTrace, CountsWhatItHasNoRoomFor) {
  TickTrace trace;
  for (std::uint64_t number = 0; number < TickTrace::kMost + 7; ++number)
    trace.push({.number = number});
  EXPECT_EQ(trace.dropped(), 7U);
  std::uint64_t last = 0;
  trace.drain([&](const TracePoint& point) { last = point.number; });
  EXPECT_EQ(last, TickTrace::kMost - 1) << "the oldest are kept, so that curves have no holes";
}

TEST(TickTrace, TwoThreadsLoseNothing) {
  TickTrace trace;
  constexpr std::uint64_t kPoints = 200'000;
  std::thread writer([&] {
    for (std::uint64_t number = 0; number < kPoints;) {
      const std::uint64_t before = trace.dropped();
      trace.push({.number = number, .computeUs = static_cast<float>(number % 1000)});
      if (trace.dropped() == before) ++number;  // else once more
    }
  });
  std::uint64_t next = 0;
  while (next < kPoints) {
    trace.drain([&](const TracePoint& point) {
      ASSERT_EQ(point.number, next);
      ASSERT_EQ(point.computeUs, static_cast<float>(next % 1000)) << "torn";
      ++next;
    });
  }
  writer.join();
}

}  // namespace
}  // namespace tactus::haptics
