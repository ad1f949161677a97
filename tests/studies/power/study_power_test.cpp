// Against the power that the noncentral t distribution gives, and against what every test promises.
#include "studies/power/study_power.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "studies/statistics/distributions.hpp"

namespace tactus::studies {
namespace {

/// Of a two-sided one-sample t test.
double exactPower(double mean, double sd, double n, double alpha) {
  const double critical = studentQuantile(1.0 - 0.5 * alpha, n - 1.0);
  const double shift = mean / sd * std::sqrt(n);
  return shiftedStudentUpper(critical, n - 1.0, shift) + 1.0 -
         shiftedStudentUpper(-critical, n - 1.0, shift);
}

PowerCase pathCase() {
  PowerCase asked;
  asked.effect.outcome = "path";
  asked.effect.mean = 600.0;
  asked.effect.difference = -60.0;
  asked.effect.sdParticipant = 200.0;
  asked.effect.sdResponse = 70.0;
  asked.effect.sdRound = 500.0;
  asked.effect.sdContest = 50.0;
  asked.effect.sdTrial = 60.0;
  asked.family = 4;
  return asked;
}

// Variance of a pair's difference: response / 2 + contest / 2 + trial / trials; rounds cancel. Four
// standard errors of 4000 studies are 0.032.
TEST(StudyPower, OfPairsIsThatOfTheNoncentralT) {
  PowerCase asked = pathCase();
  for (const std::uint32_t trials : {1U, 4U}) {
    asked.trials = trials;
    const double sd = std::sqrt(70.0 * 70.0 / 2.0 + 50.0 * 50.0 / 2.0 + 60.0 * 60.0 / trials);
    for (const std::uint32_t participants : {12U, 24U}) {
      const PowerPoint point = powerOf(asked, participants, 4000);
      const double n = participants / 2.0;
      EXPECT_NEAR(point.power, exactPower(60.0, sd, n, 0.05), 0.032) << trials << " trials";
      EXPECT_NEAR(point.strictest, exactPower(60.0, sd, n, 0.05 / 4.0), 0.032);
      EXPECT_LT(point.low, point.power);
      EXPECT_GT(point.high, point.power);
      EXPECT_LT(point.high - point.low, 0.032);
    }
  }
}

TEST(StudyPower, OfThoseAloneIsThatOfTheNoncentralT) {
  PowerCase asked = pathCase();
  asked.isPlayedInPairs = false;
  const double sd = std::sqrt(70.0 * 70.0 + 2.0 * 60.0 * 60.0);
  EXPECT_NEAR(powerOf(asked, 16, 4000).power, exactPower(60.0, sd, 16.0, 0.05), 0.032);
}

TEST(StudyPower, WithoutAnEffectIsTheErrorOfTheTest) {
  PowerCase asked = pathCase();
  asked.effect.difference = 0.0;
  EXPECT_NEAR(powerOf(asked, 16, 3000).power, 0.05, 0.016);
  asked.scale = OutcomeScale::Ordinal;
  asked.effect = {.outcome = "natural", .basis = "", .mean = 3.0, .sdTrial = 1.0, .limit = {}};
  EXPECT_LT(powerOf(asked, 24, 2000).power, 0.07);
  asked.scale = OutcomeScale::Time;
  asked.effect = {.outcome = "learning", .basis = "", .mean = 60.0, .sdTrial = 0.7, .limit = 120.0};
  EXPECT_LT(powerOf(asked, 24, 2000).power, 0.07);
  EXPECT_NEAR(powerOf(asked, 60, 2000).power, 0.05, 0.025) << "by the normal distribution";
}

TEST(StudyPower, GrowsWithEffectAndParticipants) {
  constexpr std::array<std::uint32_t, 3> kParticipants = {8, 16, 32};
  for (const OutcomeScale scale :
       {OutcomeScale::Interval, OutcomeScale::Ordinal, OutcomeScale::Time}) {
    PowerCase asked;
    asked.scale = scale;
    asked.effect.mean = scale == OutcomeScale::Time ? 60.0 : 2.6;
    asked.effect.difference = 0.6;
    asked.effect.sdTrial = 0.9;
    asked.effect.limit = 180.0;
    const std::vector<PowerPoint> curve = powerCurve(asked, kParticipants, 1000);
    ASSERT_EQ(curve.size(), 3U);
    EXPECT_LT(curve[0].power, curve[1].power);
    EXPECT_LT(curve[1].power, curve[2].power);
    EXPECT_EQ(curve[1].power, powerOf(asked, 16, 1000).power) << "the same seed, the same studies";
    const double before = curve[1].power;
    asked.effect.difference = 1.2;
    EXPECT_GT(powerOf(asked, 16, 1000).power, before);
  }
}

TEST(StudyPower, OfEquivalenceFallsWhereThereIsADifference) {
  PowerCase asked;
  asked.equivalence = EquivalenceBounds{.low = -1.0, .high = 1.0};
  asked.effect.sdTrial = 1.0;
  const double same = powerOf(asked, 32, 2000).power;
  EXPECT_GT(same, 0.85);
  asked.effect.difference = 1.0;
  EXPECT_NEAR(powerOf(asked, 32, 2000).power, 0.05, 0.02) << "on a bound";
}

TEST(StudyPower, OfTooFewIsNone) {
  EXPECT_EQ(powerOf(pathCase(), 2, 50).power, 0.0);
  EXPECT_EQ(powerOf(pathCase(), 0, 50).power, 0.0);
}

}  // namespace
}  // namespace tactus::studies
