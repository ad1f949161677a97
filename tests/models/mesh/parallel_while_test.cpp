// parallelWhile: all elements once if nobody ends it, and few after it was ended.
#include "models/mesh/parallel_while.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace {

using tactus::models::GoesOn;
using tactus::models::parallelWhile;
using tactus::models::partOf;

TEST(ParallelWhile, DoesAllOnceAndTellsHowFarItIs) {
  for (const unsigned threads : {1U, 3U}) {
    std::vector<std::atomic<int>> times(1003);
    std::vector<double> shares;
    const bool isDone = parallelWhile(
        times.size(), 10, threads,
        [&, caller = std::this_thread::get_id()](double share) {
          EXPECT_EQ(std::this_thread::get_id(), caller);
          shares.push_back(share);
          return true;
        },
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            ++times[i];
        });
    EXPECT_TRUE(isDone);
    EXPECT_TRUE(std::ranges::all_of(times, [](const auto& n) { return n == 1; }));
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    if (threads == 1) {
      EXPECT_EQ(shares.size(), 101U);
      EXPECT_EQ(shares.back(), 1.0);
    }
  }
  EXPECT_TRUE(
      parallelWhile(0, 1, 2, [](double) { return false; }, [](std::size_t, std::size_t) {}));
}

TEST(ParallelWhile, EndsSoonAfterItIsToldTo) {
  std::atomic<int> blocks{0};
  const auto work = [&](std::size_t, std::size_t) { ++blocks; };
  EXPECT_FALSE(parallelWhile(1000, 1, 1, [](double share) { return share < 0.0095; }, work));
  EXPECT_EQ(blocks, 10);
  EXPECT_TRUE(parallelWhile(1000, 1, 2, {}, work));
  EXPECT_EQ(blocks, 1010);
}

TEST(ParallelWhile, PartsLieWhereTheyAreInTheWhole) {
  double last = -1.0;
  const GoesOn whole = [&](double share) {
    last = share;
    return share < 0.5;
  };
  const GoesOn part = partOf(whole, 0.2, 0.6);
  EXPECT_TRUE(part(0.5));
  EXPECT_DOUBLE_EQ(last, 0.4);
  EXPECT_FALSE(part(1.0));
  EXPECT_FALSE(partOf({}, 0.0, 1.0));
}

}  // namespace
