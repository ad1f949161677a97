#include "studies/statistics/sign_flip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "studies/random_stream.hpp"
#include "studies/statistics/student_t.hpp"
#include "tests/studies/statistics/reference_values.hpp"

namespace tactus::studies {
namespace {

/// All signs, one after the other.
double enumeratedP(const std::vector<double>& values) {
  double seen = 0.0;
  for (const double value : values)
    seen += value;
  double extreme = 0.0;
  const std::uint32_t all = 1U << values.size();
  for (std::uint32_t signs = 0; signs < all; ++signs) {
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i)
      sum += (signs >> i & 1U) == 0 ? values[i] : -values[i];
    if (std::abs(sum) >= std::abs(seen) - 1e-9) extreme += 1.0;
  }
  return extreme / all;
}

TEST(SignFlip, IsScipysExactPermutationTest) {
  for (const char* name : {"d5", "d12"}) {
    const PermutationTest test = signFlip(sample(name));
    expectSame(test.statistic, scipy(std::string("signflip.") + name)[0]);
    expectSame(test.p, scipy(std::string("signflip.") + name)[1]);
    EXPECT_TRUE(test.isExact);
  }
}

TEST(SignFlip, CountsWhatAnEnumerationCounts) {
  RandomStream random(11);
  for (std::size_t n = 1; n <= 14; ++n) {
    for (const bool isTied : {false, true}) {
      std::vector<double> values;
      for (std::size_t i = 0; i < n; ++i) {
        const double value = random.aroundZero() + 0.2;
        // many sums of these are the same but for rounding
        values.push_back(isTied ? 0.1 * std::round(5.0 * value) : value);
      }
      EXPECT_DOUBLE_EQ(signFlip(values).p, enumeratedP(values)) << n << " values";
    }
  }
}

TEST(SignFlip, OfManyValuesIsDrawnAndNearTheT) {
  const PermutationTest most = signFlip(std::vector<double>(kMostExactFlips, 1.0));
  EXPECT_TRUE(most.isExact);
  EXPECT_DOUBLE_EQ(most.p, std::ldexp(2.0, -static_cast<int>(kMostExactFlips)));

  RandomStream random(5);
  std::vector<double> values;
  values.reserve(80);
  for (std::size_t i = 0; i < 80; ++i)
    values.push_back(random.aroundZero() + 0.12);
  const PermutationTest drawn = signFlip(values, 1);
  EXPECT_FALSE(drawn.isExact);
  EXPECT_EQ(drawn.arrangements, kFlipsDrawn);
  EXPECT_NEAR(drawn.p, oneSampleT(values).value_or(TTest()).p, 0.005);
  EXPECT_GT(drawn.p, 1e-4);
  EXPECT_EQ(signFlip(values, 1).p, drawn.p) << "the same seed draws the same";
  EXPECT_NE(signFlip(values, 2).p, drawn.p);
}

TEST(SignFlip, OfNothingFindsNothing) {
  EXPECT_EQ(signFlip({}).p, 1.0);
  EXPECT_EQ(signFlip(std::vector{0.0, 0.0}).p, 1.0);
  EXPECT_EQ(signFlip(std::vector{1.0, -1.0}).p, 1.0);
}

// With 8 values p takes few values, so that it is below 0.05 no more often than in 5 % of 1000
// studies; 4 standard errors are 28.
TEST(SignFlip, FindsWhatIsNotThereNoMoreOftenThanItSays) {
  RandomStream random(3);
  int found = 0;
  for (int study = 0; study < 1000; ++study) {
    std::vector<double> values;
    for (int i = 0; i < 8; ++i) {
      const double u = random.aroundZero();
      values.push_back(u * u * u);  // symmetric, and far from normal
    }
    if (signFlip(values).p <= 0.05) ++found;
  }
  EXPECT_LE(found, 50 + 28);
  EXPECT_GE(found, 20) << "the test should not be blind either";
}

}  // namespace
}  // namespace tactus::studies
