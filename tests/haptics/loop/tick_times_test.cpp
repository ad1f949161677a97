// Percentiles against those of the sorted durations.
#include "haptics/loop/tick_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/models/lanes/seeded_bits.hpp"

namespace {

using tactus::haptics::TickTimes;

TEST(TickTimes, OfNothingIsNothing) {
  const TickTimes times;
  EXPECT_EQ(times.percentile(0.99), 0);
  EXPECT_EQ(times.longest(), 0);
}

TEST(TickTimes, PercentilesAreThoseOfTheSortedDurations) {
  tactus::tests::SeededBits random(1);
  TickTimes times;
  std::vector<std::int64_t> all;
  for (int n = 0; n < 30'000; ++n) {
    const double magnitude = random.between(0.0, 10.0);
    all.push_back(static_cast<std::int64_t>(std::pow(10.0, magnitude)));
    times.add(all.back());
  }
  std::sort(all.begin(), all.end());
  for (const double share : {0.0, 0.001, 0.1, 0.5, 0.99, 0.999, 1.0}) {
    const auto rank = std::max(std::ceil(share * static_cast<double>(all.size())), 1.0);
    const std::int64_t exact = all[static_cast<std::size_t>(rank) - 1];
    EXPECT_GE(times.percentile(share), exact) << share;
    EXPECT_LE(static_cast<double>(times.percentile(share)),
              static_cast<double>(exact) * 65.0 / 64.0)
        << share;
  }
  EXPECT_EQ(times.longest(), all.back());
  EXPECT_EQ(times.percentile(1.0), all.back());
  EXPECT_EQ(times.count(), all.size());
}

TEST(TickTimes, SmallOnesAreExact) {
  TickTimes times;
  for (std::int64_t n = 1; n <= 100; ++n)
    times.add(n);
  EXPECT_EQ(times.percentile(0.5), 50);
  EXPECT_EQ(times.percentile(0.63), 63);
}

TEST(TickTimes, WhatNoTickEverTakesHasAPlaceToo) {
  TickTimes times;
  times.add(-5);
  times.add(std::int64_t{1} << 62);
  EXPECT_EQ(times.percentile(0.5), 0);
  EXPECT_EQ(times.longest(), std::int64_t{1} << 62);
}

}  // namespace
