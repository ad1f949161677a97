#include "studies/statistics/crossover.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "studies/random_stream.hpp"

namespace tactus::studies {
namespace {

/// An effect that could be told; else one that no expectation meets.
TTest told(const std::optional<TTest>& test) {
  return test.value_or(TTest{.estimate = 1e9, .p = 1.0});
}

// level + 3, period + 2, carried over 4 where under came first; noise is antithetic, so that
// estimates are these numbers.
constexpr double kLevel = 3.0, kPeriod = 2.0, kCarried = 4.0;

CrossedOver participant(bool isUnderFirst, double skill, double noise) {
  CrossedOver unit{.isUnderFirst = isUnderFirst};
  unit.first = skill + (isUnderFirst ? 0.0 : kLevel) + noise;
  unit.second = skill + kPeriod + (isUnderFirst ? kLevel : 0.0) - noise;
  return unit;
}

TEST(Crossover, EffectsOfThoseWhoPlayAloneAreToldApart) {
  std::vector<CrossedOver> units;
  for (const bool isUnderFirst : {true, false}) {
    for (const double noise : {-0.5, 0.5, -0.25, 0.25}) {
      for (const double skill : {10.0, 20.0}) {
        CrossedOver unit = participant(isUnderFirst, skill, noise);
        if (isUnderFirst) unit.first += kCarried;
        if (isUnderFirst) unit.second += kCarried;
        units.push_back(unit);
      }
    }
  }
  units.resize(units.size() - 4);  // sequences of different lengths; what is left is antithetic too
  units.push_back(participant(false, 15.0, 0.0));
  const CrossoverEffects effects = crossover(units);
  EXPECT_NEAR(told(effects.level).estimate, kLevel, 1e-12);
  EXPECT_NEAR(told(effects.period).estimate, kPeriod, 1e-12);
  EXPECT_NEAR(told(effects.sequence).estimate, kCarried, 1e-12);
  EXPECT_LT(told(effects.level).low, kLevel);
  EXPECT_GT(told(effects.level).high, kLevel);
  EXPECT_EQ(told(effects.level).degrees, 11.0);
}

TEST(Crossover, EffectsWithinPairsAreToldApart) {
  std::vector<CrossedPair> units;
  for (const double noise : {-0.5, 0.5, -0.25, 0.25}) {
    CrossedPair pair{.underFirst = participant(true, 10.0, noise),
                     .overFirst = participant(false, 10.0, -0.5 * noise)};
    pair.underFirst.first += kCarried + noise;
    pair.underFirst.second += kCarried + noise;
    units.push_back(pair);
  }
  const CrossoverEffects effects = crossover(units);
  EXPECT_NEAR(told(effects.level).estimate, kLevel, 1e-12);
  EXPECT_NEAR(told(effects.period).estimate, kPeriod, 1e-12);
  EXPECT_NEAR(told(effects.sequence).estimate, kCarried, 1e-12);
  EXPECT_EQ(told(effects.level).degrees, 3.0);
}

// What both of a pair share (a good mood, a broken table) is no evidence of an effect: pairs of one
// pair's copies must not count as more pairs. Found in about 5 % of 1000 studies; 4 standard errors
// are 28. Participants taken for independent would err in more than that.
TEST(Crossover, WhatPairsShareIsNoEvidence) {
  RandomStream random(12);
  int found = 0, foundOfParticipants = 0;
  for (int study = 0; study < 1000; ++study) {
    std::vector<CrossedPair> pairs;
    std::vector<double> ofParticipants;
    for (int i = 0; i < 8; ++i) {
      // what a round does to both who play it goes against either's difference alike
      const double shared = random.aroundZero() + random.aroundZero() + random.aroundZero();
      CrossedPair pair{.underFirst = {.first = 0.2 * random.aroundZero(),
                                      .second = shared + 0.2 * random.aroundZero(),
                                      .isUnderFirst = true},
                       .overFirst = {.first = shared + 0.2 * random.aroundZero(),
                                     .second = 0.2 * random.aroundZero(),
                                     .isUnderFirst = false}};
      ofParticipants.push_back(pair.underFirst.second - pair.underFirst.first);
      ofParticipants.push_back(pair.overFirst.first - pair.overFirst.second);
      pairs.push_back(pair);
    }
    if (told(crossover(pairs).level).p <= 0.05) ++found;
    if (told(oneSampleT(ofParticipants)).p <= 0.05) ++foundOfParticipants;
  }
  EXPECT_NEAR(found, 50, 28);
  EXPECT_GT(foundOfParticipants, 100);
}

TEST(Crossover, OfOneSequenceSaysNothing) {
  const std::vector<CrossedOver> units(3, participant(true, 1.0, 0.0));
  const CrossoverEffects effects = crossover(units);
  EXPECT_FALSE(effects.level || effects.period || effects.sequence);
}

}  // namespace
}  // namespace tactus::studies
