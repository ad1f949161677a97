// The fit against closed forms: exact laws give themselves back; of noise the textbook's formulae,
// and what a thousand fits scatter by.
#include "studies/growth/power_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "studies/random_stream.hpp"

namespace tactus::studies {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const std::vector<double> kSizes = {1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6};

std::vector<double> lawAt(const std::vector<double>& x, double factor, double exponent) {
  std::vector<double> y;
  y.reserve(x.size());
  for (const double value : x)
    y.push_back(factor * std::pow(value, exponent));
  return y;
}

/// What was fitted; fails the test if nothing was.
PowerLaw found(const std::optional<PowerLaw>& law) {
  EXPECT_TRUE(law.has_value());
  return law.value_or(PowerLaw{});
}

TEST(PowerLaw, ExactLawsGiveThemselvesBack) {
  for (const double exponent : {-0.7, 0.0, 1.0 / 3.0, 0.5, 1.0, 2.0, 3.5}) {
    for (const double factor : {1e-9, 1.0, 4e7}) {
      const PowerLaw law = found(fitPowerLaw(kSizes, lawAt(kSizes, factor, exponent)));
      // logarithms of up to 30 in doubles, over a range of 7
      EXPECT_NEAR(law.exponent, exponent, 1e-13) << factor;
      EXPECT_NEAR(law.factor / factor, 1.0, 1e-12) << exponent;
      EXPECT_LT(law.standardError, 1e-13);
      EXPECT_EQ(law.points, kSizes.size());
      EXPECT_EQ(law.from, 1e3);
      EXPECT_EQ(law.to, 1e6);
      EXPECT_NEAR(law.at(7e4) / (factor * std::pow(7e4, exponent)), 1.0, 1e-12);
      if (exponent == 0.0) {
        EXPECT_TRUE(std::isnan(law.rSquared)) << "there is nothing to be explained";
      } else {
        EXPECT_NEAR(law.rSquared, 1.0, 1e-12);
      }
    }
  }
}

// log y is 0, 2, 1 at log x of 0, 1, 2: slope 1/2, and 1/2 + x/2 leaves -1/2, 1, -1/2, squares of
// 3/2 with one degree of freedom, over 2 of x; of the scatter of 2 a quarter is explained.
TEST(PowerLaw, ByHand) {
  const double e = std::exp(1.0);
  const std::vector<double> x = {1.0, e, e * e};
  const std::vector<double> y = {1.0, e * e, e};
  const PowerLaw law = found(fitPowerLaw(x, y));
  EXPECT_NEAR(law.exponent, 0.5, 1e-14);
  EXPECT_NEAR(law.factor, std::exp(0.5), 1e-14);
  EXPECT_NEAR(law.standardError, std::sqrt(0.75), 1e-14);
  EXPECT_NEAR(law.rSquared, 0.25, 1e-14);
}

// The standard error says what it means: over many fits of the same law under noise, the exponents
// scatter by it, and their mean is the law's. A thousand fits know a scatter to some 3 %.
TEST(PowerLaw, TheErrorOfNoiseIsWhatManyFitsScatterBy) {
  constexpr int kFits = 1000;
  constexpr double kNoise =
      0.1;  // of log y, evenly distributed: a variance of a third of its square
  RandomStream random(7);
  double sum = 0.0;
  double squares = 0.0;
  double claimed = 0.0;
  for (int fit = 0; fit < kFits; ++fit) {
    std::vector<double> y = lawAt(kSizes, 2.0, 0.8);
    for (double& value : y)
      value *= std::exp(kNoise * random.aroundZero());
    const PowerLaw law = found(fitPowerLaw(kSizes, y));
    sum += law.exponent - 0.8;
    squares += (law.exponent - 0.8) * (law.exponent - 0.8);
    claimed += law.standardError * law.standardError;
    EXPECT_GT(law.rSquared, 0.98);
    EXPECT_LT(law.rSquared, 1.0);
  }
  double mean = 0.0;
  for (const double x : kSizes)
    mean += std::log(x) / static_cast<double>(kSizes.size());
  double spread = 0.0;
  for (const double x : kSizes)
    spread += (std::log(x) - mean) * (std::log(x) - mean);
  const double expected = kNoise * kNoise / 3.0 / spread;
  EXPECT_NEAR(squares / kFits / expected, 1.0, 0.15);
  EXPECT_NEAR(claimed / kFits / expected, 1.0, 0.1);
  EXPECT_LT(std::abs(sum / kFits), 4.0 * std::sqrt(expected / kFits));
}

TEST(PowerLaw, OnlyTheUpperDecadesCount) {
  // a fixed cost below, a square law above
  std::vector<double> y;
  y.reserve(kSizes.size());
  for (const double x : kSizes)
    y.push_back(x < 1e4 ? 5e8 : x * x);
  const PowerLaw two = found(fitUpperDecades(kSizes, y, 2.0));
  EXPECT_NEAR(two.exponent, 2.0, 1e-12);
  EXPECT_EQ(two.points, 5U) << "the size a hundredth of the largest is in it";
  EXPECT_EQ(two.from, 1e4);
  EXPECT_EQ(found(fitUpperDecades(kSizes, y, 1.0)).points, 3U);
  // a size that was met within 3 %, too
  const std::vector<double> met = {300.0, 971.0, 1e4, 1e5};
  EXPECT_EQ(found(fitUpperDecades(met, met, 2.0)).points, 3U);
  EXPECT_LT(found(fitPowerLaw(kSizes, y)).exponent, 1.9);
}

TEST(PowerLaw, WhatHasNoLogarithmIsLeftOut) {
  const std::vector<double> x = {0.0, 1.0, 10.0, 100.0, 1000.0, kNan};
  const std::vector<double> y = {7.0, kNan, 10.0, -1.0, 1000.0, 3.0};
  const PowerLaw law = found(fitUpperDecades(x, y, 3.0));
  EXPECT_EQ(law.points, 2U);
  EXPECT_NEAR(law.exponent, 1.0, 1e-14);
  EXPECT_TRUE(std::isnan(law.standardError)) << "two points leave no scatter";
  // no line through one place
  EXPECT_FALSE(fitPowerLaw(std::vector{2.0, 2.0}, std::vector{1.0, 3.0}));
  EXPECT_FALSE(fitPowerLaw(std::vector{2.0, 0.0}, std::vector{1.0, 3.0}));
  EXPECT_FALSE(fitPowerLaw({}, {}));
  EXPECT_FALSE(fitUpperDecades(std::vector{5.0}, std::vector{1.0}, 2.0));
}

}  // namespace
}  // namespace tactus::studies
