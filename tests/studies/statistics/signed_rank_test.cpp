#include "studies/statistics/signed_rank.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "studies/random_stream.hpp"
#include "tests/studies/statistics/reference_values.hpp"

namespace tactus::studies {
namespace {

TEST(SignedRank, IsScipys) {
  for (const char* name : {"d5", "d12", "d24"})
    expectSame(signedRank(sample(name)).p, scipy(std::string("signedrank.") + name)[0]);
}

// 240 answers with zeros and ties, by the normal distribution.
TEST(SignedRank, OfManyWithZerosAndTiesIsScipys) {
  const SignedRankTest test = signedRank(sample("likert240"));
  EXPECT_FALSE(test.isExact);
  EXPECT_GT(test.zeros, 20U);
  expectSame(test.p, scipy("signedrank.likert240")[0]);
}

TEST(SignedRank, EstimateAndIntervalAreRs) {
  for (const char* name : {"d12", "d24", "d47"}) {
    SCOPED_TRACE(name);
    const SignedRankTest test = signedRank(sample(name));
    const std::vector<double>& reference = inR(std::string("signedrank.") + name);
    expectSame(test.rankSum, reference[0]);
    expectSame(test.p, reference[1]);
    expectSame(test.estimate, reference[2]);
    expectSame(test.low, reference[3]);
    expectSame(test.high, reference[4]);
    EXPECT_GE(test.confidence, 0.95);
    EXPECT_LT(test.confidence, 0.96);
  }
}

/// Pratt's procedure by hand: rank with the zeros, then all signs of what is not zero.
double enumeratedP(const std::vector<double>& values) {
  std::vector<double> ranks;
  double seen = 0.0;
  for (const double value : values) {
    if (value == 0.0) continue;
    double rank = 0.5;
    for (const double other : values) {
      if (std::abs(other) < std::abs(value)) rank += 1.0;
      if (std::abs(other) == std::abs(value)) rank += 0.5;
    }
    ranks.push_back(rank);
    if (value > 0.0) seen += rank;
  }
  double below = 0.0, above = 0.0;
  const std::uint32_t all = 1U << ranks.size();
  for (std::uint32_t signs = 0; signs < all; ++signs) {
    double sum = 0.0;
    for (std::size_t i = 0; i < ranks.size(); ++i)
      sum += (signs >> i & 1U) != 0 ? ranks[i] : 0.0;
    if (sum <= seen) below += 1.0;
    if (sum >= seen) above += 1.0;
  }
  return std::min(1.0, 2.0 * std::min(below, above) / all);
}

TEST(SignedRank, WithZerosAndTiesCountsWhatAnEnumerationCounts) {
  EXPECT_DOUBLE_EQ(signedRank(sample("likert9")).p, enumeratedP(sample("likert9")));
  RandomStream random(2);
  for (std::size_t n = 1; n <= 12; ++n) {
    std::vector<double> values;
    values.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
      values.push_back(std::round(2.5 * random.aroundZero() + 0.4));
    EXPECT_DOUBLE_EQ(signedRank(values).p, enumeratedP(values)) << n << " values";
  }
}

// Means of three answers: what is the same by hand differs in the last bits.
TEST(SignedRank, TiesAreThoseByHand) {
  const double third = 1.0 / 3.0;
  const std::vector<double> rounded = {third, 4.0 / 3.0 - 1.0, -(7.0 / 3.0 - 2.0), 2.0 * third,
                                       0.1 + 0.2 - 0.3};
  EXPECT_NE(rounded[0], rounded[1]);
  EXPECT_NE(rounded[4], 0.0);
  const SignedRankTest test = signedRank(rounded),
                       byHand = signedRank(std::vector{1.0, 1.0, -1.0, 2.0, 0.0});
  EXPECT_EQ(test.rankSum, byHand.rankSum);
  EXPECT_EQ(test.zeros, 1U);
  EXPECT_EQ(test.p, byHand.p);
}

TEST(SignedRank, OfFewValuesSaysHowLittleItKnows) {
  const SignedRankTest five = signedRank(sample("d5"));
  EXPECT_DOUBLE_EQ(five.confidence, 1.0 - 2.0 / 32.0);
  EXPECT_DOUBLE_EQ(five.low, *std::ranges::min_element(sample("d5")));
  EXPECT_DOUBLE_EQ(five.high, *std::ranges::max_element(sample("d5")));
  EXPECT_EQ(signedRank({}).p, 1.0);
  const SignedRankTest zeros = signedRank(std::vector{0.0, 0.0, 0.0});
  EXPECT_EQ(zeros.p, 1.0);
  EXPECT_EQ(zeros.estimate, 0.0);
  EXPECT_EQ(zeros.rankBiserial, 0.0);
}

TEST(SignedRank, TurnsWithItsValues) {
  std::vector<double> turned = sample("d24");
  for (double& value : turned)
    value = -value;
  const SignedRankTest test = signedRank(sample("d24")), mirror = signedRank(turned);
  EXPECT_DOUBLE_EQ(mirror.p, test.p);
  EXPECT_DOUBLE_EQ(mirror.estimate, -test.estimate);
  EXPECT_DOUBLE_EQ(mirror.low, -test.high);
  EXPECT_DOUBLE_EQ(mirror.rankBiserial, -test.rankBiserial);
  EXPECT_DOUBLE_EQ(signedRank(std::vector{1.0, 2.0, 3.0}).rankBiserial, 1.0);
}

}  // namespace
}  // namespace tactus::studies
