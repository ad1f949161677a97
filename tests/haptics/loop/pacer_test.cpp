// The pacer by times that are given to it; no test here waits for a clock.
#include "haptics/loop/pacer.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/models/lanes/seeded_bits.hpp"

namespace {

using namespace tactus::haptics;

constexpr std::int64_t kPeriod = 1'000'000;
constexpr std::int64_t kStart = 5'000'000'000;

TEST(Pacer, OnTimeEveryTickComesOnce) {
  Pacer pacer(kStart, kPeriod);
  for (std::uint64_t n = 0; n < 1000; ++n) {
    ASSERT_EQ(pacer.nextNs(), kStart + static_cast<std::int64_t>(n) * kPeriod);
    const TickStart tick = pacer.begin(pacer.nextNs() + 40'000);
    ASSERT_EQ(tick.number, n);
    ASSERT_EQ(tick.skipped, 0U);
    ASSERT_EQ(tick.lateNs, 40'000);
    ASSERT_FALSE(tick.isLate);
  }
}

TEST(Pacer, ALittleLateItCatchesUpWithoutSkipping) {
  Pacer pacer(kStart, kPeriod);
  static_cast<void>(pacer.begin(kStart));
  // 2.7 periods late: two ticks follow at once, then all is well again
  const std::int64_t now = kStart + kPeriod + 2'700'000;
  const TickStart first = pacer.begin(now);
  EXPECT_EQ(first.number, 1U);
  EXPECT_EQ(first.skipped, 0U);
  EXPECT_TRUE(first.isLate);
  EXPECT_LT(pacer.nextNs(), now);
  EXPECT_TRUE(pacer.begin(now + 10'000).isLate);
  EXPECT_LT(pacer.nextNs(), now);
  const TickStart third = pacer.begin(now + 20'000);
  EXPECT_EQ(third.number, 3U);
  EXPECT_TRUE(third.isLate);
  EXPECT_GT(pacer.nextNs(), now + 20'000);
}

TEST(Pacer, AGapOf35MillisecondsIsOneTickAndASkip) {
  Pacer pacer(kStart, kPeriod);
  for (int n = 0; n < 10; ++n)
    static_cast<void>(pacer.begin(pacer.nextNs()));
  const TickStart tick = pacer.begin(kStart + 10 * kPeriod + 35'000'000);
  EXPECT_EQ(tick.skipped, 35U);
  EXPECT_EQ(tick.number, 45U);
  EXPECT_TRUE(tick.isLate);
  EXPECT_EQ(tick.lateNs, 0);
  EXPECT_EQ(pacer.nextNs(), kStart + 46 * kPeriod);
}

TEST(Pacer, TooEarlyIsOnTime) {
  Pacer pacer(kStart, kPeriod);
  const TickStart tick = pacer.begin(kStart - 123);
  EXPECT_EQ(tick.number, 0U);
  EXPECT_EQ(tick.lateNs, 0);
  EXPECT_EQ(pacer.nextNs(), kStart + kPeriod);
}

TEST(Pacer, WhateverHappensNumbersFollowTheTime) {
  tactus::tests::SeededBits random(1);
  Pacer pacer(kStart, kPeriod);
  std::int64_t now = kStart;
  std::uint64_t next = 0;
  std::uint64_t burst = 0;
  for (int n = 0; n < 20'000; ++n) {
    const std::int64_t due = pacer.nextNs();
    if (now < due) {
      now = due;
      burst = 0;
    }
    // mostly quick, sometimes long, rarely very long
    const TickStart tick = pacer.begin(now);
    ASSERT_EQ(tick.number, next + tick.skipped);
    ASSERT_EQ(tick.dueNs, kStart + static_cast<std::int64_t>(tick.number) * kPeriod);
    ASSERT_LE(tick.dueNs, now);
    ASSERT_LT(now - tick.dueNs, Pacer::kCatchUp * kPeriod);
    next = tick.number + 1;
    ASSERT_LE(++burst, 100U) << "it never comes to rest";
    const double kind = random.between(0.0, 1.0);
    const double longest = kind < 0.97 ? 0.6e6 : kind < 0.999 ? 5e6 : 5e7;
    now += static_cast<std::int64_t>(random.between(0.0, longest));
  }
}

}  // namespace
