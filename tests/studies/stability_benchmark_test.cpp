#include "studies/stability_benchmark.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "studies/stability_charts.hpp"

namespace tactus::studies {
namespace {

/// The lightest devices, closed contacts.
StabilitySettings small(unsigned threads) {
  StabilitySettings settings;
  settings.profiles = {"touch-x", "touch"};
  settings.shapes = {HeldShape::Plane};
  settings.seeds = 1;
  settings.threads = threads;
  return settings;
}

TEST(StabilityBenchmark, SameFiguresForAnyNumberOfThreads) {
  const models::Result<StabilityBenchmark> one = benchmarkStability(small(1));
  const models::Result<StabilityBenchmark> two = benchmarkStability(small(2));
  ASSERT_TRUE(one.ok() && two.ok());
  ASSERT_EQ(one.value().profiles.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const ProfileStability& a = one.value().profiles[i];
    const ProfileStability& b = two.value().profiles[i];
    EXPECT_EQ(a.criticalFactor, b.criticalFactor);
    EXPECT_EQ(a.excessRmsShare, b.excessRmsShare);
    ASSERT_EQ(a.runs.size(), b.runs.size());
    for (std::size_t k = 0; k < a.runs.size(); ++k) {
      EXPECT_EQ(a.runs[k].figures.rms, b.runs[k].figures.rms);
      EXPECT_EQ(a.runs[k].figures.work, b.runs[k].figures.work);
      EXPECT_EQ(a.runs[k].isCalm, b.runs[k].isCalm);
    }
  }
  EXPECT_EQ(stabilityHtml(one.value()), stabilityHtml(two.value()));
}

// What failed at the critical factor is in the list, nothing failed below, and the search has ended
// within its tolerance.
TEST(StabilityBenchmark, TheCriticalFactorIsBetweenCalmAndNot) {
  StabilitySettings settings = small(1);
  settings.profiles = {"touch-x"};
  settings.regionCells = 2;
  const models::Result<StabilityBenchmark> run = benchmarkStability(settings);
  ASSERT_TRUE(run.ok());
  const ProfileStability& p = run.value().profiles.front();
  ASSERT_FALSE(p.isBeyondRange) << "the lightest device must fail somewhere";
  EXPECT_GE(p.margin(), 2.0);
  EXPECT_EQ(p.criticalStiffness(), p.criticalFactor * p.defaults.stiffness);
  EXPECT_EQ(p.weakest.factor, p.criticalFactor);
  EXPECT_FALSE(p.weakest.isCalm);
  double calmBelow = 0.0;
  std::size_t trials = 0;
  for (const HoldRecord& record : p.runs) {
    if (record.factor == 1.0 && record.isPassivityOn) ++trials;
    if (record.factor < p.criticalFactor) {
      EXPECT_TRUE(record.isCalm);
    }
    if (record.isCalm && record.factor < p.criticalFactor)
      calmBelow = std::max(calmBelow, record.factor);
  }
  EXPECT_EQ(trials, 8U);  // four hands, two delays
  EXPECT_GT(calmBelow * 1.021, p.criticalFactor);
  EXPECT_LT(p.passivityShare, 0.01);
  EXPECT_LE(p.excessRmsShare, 1.0);
  EXPECT_GT(p.passiveRatio, 0.0);

  const std::string svg = regionSvg(p);
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_NE(svg.find("critical"), std::string::npos);
  EXPECT_NE(stabilityHtml(run.value()).find(svg), std::string::npos);
}

TEST(StabilityBenchmark, FactorsEndWhereAParameterDoes) {
  response::ForceParameters parameters;
  parameters.stiffness = 1000.0;
  parameters.damping = 4.0;
  EXPECT_DOUBLE_EQ(mostFactor(parameters), 5.0);
  parameters.damping = 10.0;
  EXPECT_DOUBLE_EQ(mostFactor(parameters), 3.0);
  const response::ForceParameters twice = multiplied(parameters, 2.0);
  EXPECT_EQ(twice.stiffness, 2000.0);
  EXPECT_EQ(twice.turnDamping, 2.0 * parameters.turnDamping);
  EXPECT_EQ(twice.mostForce, parameters.mostForce);
}

TEST(StabilityBenchmark, AllProfilesAndContactsAreAsked) {
  const StabilitySettings whole = stabilitySettings(false);
  EXPECT_EQ(whole.profiles.size(), haptics::shippedProfiles().size());
  EXPECT_EQ(whole.shapes.size(), kHeldShapes.size());
  EXPECT_EQ(whole.seeds, 8U);
  EXPECT_FALSE(whole.isPairShort);
  EXPECT_EQ(stabilitySettings(true).profiles, whole.profiles);
  StabilitySettings unknown = whole;
  unknown.profiles = {"no-such-device"};
  EXPECT_FALSE(benchmarkStability(unknown).ok());
}

}  // namespace
}  // namespace tactus::studies
