// parallelFor: each element once, the same cut for any thread count, exceptions come home.
#include "models/mesh/parallel_for.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tactus::models {
namespace {

TEST(ParallelFor, CoversEachElementOnceForAnyBlockAndThreadCount) {
  for (const std::size_t count : {1U, 2U, 7U, 64U, 1000U}) {
    for (const std::size_t block : {1U, 3U, 64U, 999U, 1000U, 5000U}) {
      for (const unsigned threads : {0U, 1U, 2U, 3U, 16U}) {
        std::vector<std::atomic<int>> visits(count);
        parallelFor(count, block, threads, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            ++visits[i];
        });
        EXPECT_TRUE(std::ranges::all_of(visits, [](const auto& v) { return v == 1; }))
            << count << " elements, blocks of " << block << ", " << threads << " threads";
      }
    }
  }
}

TEST(ParallelFor, CutsTheSameBlocksForAnyThreadCount) {
  using Cut = std::vector<std::pair<std::size_t, std::size_t>>;
  const auto cut = [](unsigned threads) {
    Cut blocks;
    std::mutex mutex;
    parallelFor(103, 10, threads, [&](std::size_t begin, std::size_t end) {
      const std::scoped_lock lock(mutex);
      blocks.emplace_back(begin, end);
    });
    std::ranges::sort(blocks);
    return blocks;
  };
  const Cut alone = cut(1);
  ASSERT_EQ(alone.size(), 11U);
  EXPECT_EQ(alone.front(), (std::pair<std::size_t, std::size_t>{0, 10}));
  EXPECT_EQ(alone.back(), (std::pair<std::size_t, std::size_t>{100, 103}));
  EXPECT_EQ(cut(2), alone);
  EXPECT_EQ(cut(7), alone);
  EXPECT_EQ(cut(0), alone);
}

TEST(ParallelFor, SumsInBlocksGiveTheSameBytes) {
  const auto sum = [](unsigned threads) {
    constexpr std::size_t kCount = 100'000;
    constexpr std::size_t kBlock = 1000;
    std::vector<double> partial(kCount / kBlock);
    parallelFor(kCount, kBlock, threads, [&](std::size_t begin, std::size_t end) {
      double s = 0.0;
      for (std::size_t i = begin; i < end; ++i)
        s += 1.0 / (1.0 + static_cast<double>(i));
      partial[begin / kBlock] = s;
    });
    return std::accumulate(partial.begin(), partial.end(), 0.0);
  };
  const double alone = sum(1);
  for (const unsigned threads : {2U, 3U, 8U})
    EXPECT_EQ(sum(threads), alone);
}

TEST(ParallelFor, NothingToDoCallsNothing) {
  bool called = false;
  parallelFor(0, 16, 4, [&](std::size_t, std::size_t) { called = true; });
  EXPECT_FALSE(called);
}

TEST(ParallelFor, BlockOfZeroIsOne) {
  std::atomic<int> calls{0};
  parallelFor(5, 0, 2, [&](std::size_t begin, std::size_t end) {
    EXPECT_EQ(end, begin + 1);
    ++calls;
  });
  EXPECT_EQ(calls, 5);
}

TEST(ParallelFor, RethrowsTheWorksException) {
  for (const unsigned threads : {1U, 4U}) {
    EXPECT_THROW(parallelFor(100, 1, threads,
                             [](std::size_t begin, std::size_t) {
                               if (begin == 37) throw std::runtime_error("block 37");
                             }),
                 std::runtime_error);
  }
}

TEST(ParallelFor, StopsTakingBlocksAfterAnException) {
  int calls = 0;
  EXPECT_THROW(parallelFor(1000, 1, 1,
                           [&](std::size_t begin, std::size_t) {
                             ++calls;
                             if (begin == 3) throw std::runtime_error("stop");
                           }),
               std::runtime_error);
  EXPECT_EQ(calls, 4);
}

TEST(ParallelFor, IsUsableAgainAfterAnExceptionAndFromWithin) {
  EXPECT_THROW(parallelFor(8, 1, 2, [](std::size_t, std::size_t) { throw 1; }), int);
  std::vector<std::atomic<int>> visits(64);
  parallelFor(8, 1, 2, [&](std::size_t outer, std::size_t) {
    parallelFor(8, 1, 2, [&](std::size_t inner, std::size_t) { ++visits[8 * outer + inner]; });
  });
  EXPECT_TRUE(std::ranges::all_of(visits, [](const auto& v) { return v == 1; }));
}

TEST(CoreCount, IsAtLeastOne) {
  EXPECT_GE(coreCount(), 1U);
}

}  // namespace
}  // namespace tactus::models
