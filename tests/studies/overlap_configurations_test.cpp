// Configurations are what they say: by the exact reference, found anew from their seeds, and read
// back from their text.
#include "studies/overlap_configurations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "models/builtin.hpp"

namespace tactus::studies {
namespace {

using collision::ExactBody;
using Kind = WantedStand::Kind;

std::vector<ConfigurationSet> committed() {
  models::Result<std::vector<ConfigurationSet>> sets =
      readConfigurations(committedConfigurations());
  EXPECT_TRUE(sets.ok()) << sets.error().sentence;
  return std::move(sets).value();
}

ExactBody bodyOf(const char* name, std::size_t triangles) {
  return ExactBody(models::makeBuiltin(name, triangles).value());
}

TEST(OverlapConfigurations, NamesOfClassesReadBack) {
  for (const WantedStand& stand : benchmarkStands())
    EXPECT_EQ(standFromName(nameOf(stand)), stand) << nameOf(stand);
  EXPECT_EQ(nameOf({Kind::Gap, 0.05}), "d0.05");
  EXPECT_EQ(nameOf({Kind::Overlap, 0.001}), "v0.001");
  for (const char* wrong : {"", "d", "x0.1", "v0", "v1", "v-0.1", "v0.1x", "dnan"})
    EXPECT_FALSE(standFromName(wrong)) << wrong;
}

TEST(OverlapConfigurations, TheCommittedOnesAreWhatWasPlanned) {
  const std::vector<ConfigurationSet> sets = committed();
  const std::vector<ConfigurationPlan> plans = benchmarkPlans();
  ASSERT_EQ(sets.size(), plans.size());
  for (std::size_t s = 0; s < sets.size(); ++s) {
    EXPECT_EQ(sets[s].a, plans[s].a);
    EXPECT_EQ(sets[s].b, plans[s].b);
    EXPECT_EQ(sets[s].seed, plans[s].seed);
    std::size_t k = 0;
    for (const WantedStand& stand : plans[s].stands) {
      for (std::size_t n = 0; n < plans[s].posesPerStand; ++n, ++k) {
        ASSERT_LT(k, sets[s].configurations.size());
        EXPECT_EQ(sets[s].configurations[k].wanted, stand);
      }
    }
    EXPECT_EQ(k, sets[s].configurations.size());
  }
  EXPECT_EQ(textOf(sets), committedConfigurations());
}

// The first of each class of one pair, by the same seeds: to the last digit that is written.
TEST(OverlapConfigurations, TheCommittedOnesAreFoundAnew) {
  const std::vector<ConfigurationSet> sets = committed();
  const auto set = std::ranges::find_if(
      sets, [](const ConfigurationSet& s) { return s.a == "bolt@20000" && s.b == "nut@20000"; });
  ASSERT_NE(set, sets.end());
  const ExactBody a = bodyOf("bolt", 20'000);
  const ExactBody b = bodyOf("nut", 20'000);
  const ConfigurationFinder finder(a, b);
  for (const WantedStand& stand : benchmarkStands()) {
    const auto first = std::ranges::find(set->configurations, stand, &OverlapConfiguration::wanted);
    ASSERT_NE(first, set->configurations.end()) << nameOf(stand);
    const OverlapConfiguration found =
        finder.find(stand, seedOf(*set, stand, 0)).value_or(OverlapConfiguration());
    EXPECT_EQ(found.pose, first->pose) << nameOf(stand);
    EXPECT_NEAR(found.exact, first->exact, 1e-11 * first->exact) << nameOf(stand);
    // and what is written is true
    const double measured = finder.measure(stand.kind, first->aFromB());
    EXPECT_NEAR(measured, first->exact, 1e-9 * first->exact) << nameOf(stand);
    const double aim = stand.share * finder.whole(stand.kind);
    EXPECT_NEAR(measured, aim, 1.01 * kShareTolerance * aim) << nameOf(stand);
  }
}

TEST(OverlapConfigurations, AreTheSameForAnyNumberOfThreads) {
  const ConfigurationPlan plan{"torus@1000", "cone@1000", benchmarkStands(), 3, 5};
  const models::Result<ConfigurationSet> one = findConfigurations(plan, 1);
  const models::Result<ConfigurationSet> three = findConfigurations(plan, 3);
  ASSERT_TRUE(one.ok() && three.ok());
  EXPECT_EQ(textOf({one.value()}), textOf({three.value()}));
  std::set<double> shifts;  // each pose has random numbers of its own
  for (const OverlapConfiguration& configuration : one.value().configurations)
    shifts.insert(configuration.pose[0]);
  EXPECT_EQ(shifts.size(), one.value().configurations.size());
  ConfigurationPlan otherSeed = plan;
  otherSeed.seed = 6;
  EXPECT_NE(textOf({findConfigurations(otherSeed).value()}), textOf({one.value()}));
}

// Two balls: the gap is that of the middles, so the pose is known.
TEST(OverlapConfigurations, OfBallsHaveTheirMiddlesAsFarApartAsTheGapSays) {
  const ExactBody ball = bodyOf("sphere", 5000);
  const ConfigurationFinder finder(ball, ball);
  const OverlapConfiguration found =
      finder.find({Kind::Gap, 0.05}, 3).value_or(OverlapConfiguration());
  const double radius = 0.03;
  const double gap = found.aFromB().translation().norm() - 2.0 * radius;
  // facets are up to a thousandth of the radius inside the ball
  EXPECT_NEAR(found.exact, gap, 2e-3 * radius);
  EXPECT_NEAR(found.exact, 0.05 * ball.bounds.diagonal(), 1e-5);
}

// What cannot be had is not made up: a plate has no place in the wall of a bowl for all of it.
TEST(OverlapConfigurations, WhatThereIsNotIsNotFound) {
  const ConfigurationPlan unknown{"no-such-model@1000", "cone@1000", benchmarkStands(), 1, 1};
  EXPECT_FALSE(findConfigurations(unknown).ok());
  const ExactBody plate = bodyOf("plate", 1000);
  const ExactBody well = bodyOf("well", 1000);
  EXPECT_FALSE(ConfigurationFinder(plate, well).find({Kind::Overlap, 0.999}, 1));
}

TEST(OverlapConfigurations, DamagedTextIsRefusedWithItsLine) {
  const std::string head = "tactus-configurations 1\n";
  const std::string pair = "pair box@1000 cone@1000 seed 1\n";
  EXPECT_TRUE(readConfigurations(head + pair + "v0.1 0 0 0 1 0 0 0 0.5\n").ok());
  EXPECT_TRUE(readConfigurations(head + "# nothing\n\n").ok());
  const struct {
    std::string text;
    int line;
  } kWrong[] = {{"", 1},
                {"tactus-configurations 2\n", 1},
                {head + "v0.1 0 0 0 1 0 0 0 0.5\n", 2},
                {head + pair + "v0.1 0 0 0 1 0 0 0\n", 3},
                {head + pair + "v0.1 0 0 0 1 0 0 0 0.5 6\n", 3},
                {head + pair + "v0.1 0 0 0 2 0 0 0 0.5\n", 3},
                {head + pair + "v0.1 0 nan 0 1 0 0 0 0.5\n", 3},
                {head + pair + "w0.1 0 0 0 1 0 0 0 0.5\n", 3},
                {head + "pair box@1000 seed 1\n", 2},
                {head + "pair box@1000 cone@1000 seed -1\n", 2}};
  for (const auto& wrong : kWrong) {
    const auto read = readConfigurations(wrong.text);
    ASSERT_FALSE(read.ok()) << wrong.text;
    EXPECT_EQ(read.error().index, wrong.line) << wrong.text;
  }
}

}  // namespace
}  // namespace tactus::studies
