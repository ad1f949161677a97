// A small run of all methods: every pose is asked as often as it should be, the answers agree, and
// the figures follow from the single times. No expectation depends on how long anything took.
#include "studies/performance_benchmark.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "collision/cache/object_builder.hpp"
#include "models/builtin.hpp"
#include "studies/fcl_peer.hpp"
#include "studies/peer_contacts.hpp"
#include "studies/performance_figures.hpp"

namespace tactus::studies {
namespace {

using Kind = WantedStand::Kind;

constexpr std::size_t kPoses = 12;

PerformanceSettings smallSettings() {
  static const ConfigurationSet set =
      findConfigurations(
          {"duck@1000", "torus@1000", {{Kind::Gap, 0.05}, {Kind::Overlap, 0.1}}, kPoses, 1})
          .value();
  PerformanceSettings settings;
  settings.sets = {set};
  settings.spheres = 1000;
  settings.repetitions = 3;
  settings.threadRounds = 2;
  settings.threadRoundSeconds = 1e-3;
  settings.open = [](const std::string& name, const collision::BuildParameters& parameters)
      -> models::Result<collision::CollisionObject> {
    static std::map<std::string, collision::CollisionObject> known;
    if (!known.contains(name)) {
      const std::size_t at = name.find('@');
      collision::BuildSettings how;
      how.parameters = parameters;
      known[name] = collision::buildObject(
                        {models::makeBuiltin(name.substr(8, at - 8), 1000).value(), {}}, how)
                        .object;
    }
    return known[name];
  };
  return settings;
}

std::size_t timesOf(const PosePerformance& pose, PerformanceMethod method) {
  return pose.times[static_cast<std::size_t>(method)].size();
}

TEST(PerformanceBenchmark, AsksEveryMethodItsPosesAndTheyAgree) {
  PerformanceSettings settings = smallSettings();
  std::vector<BenchmarkStep> steps;
  settings.onStep = [&](const BenchmarkStep& step) { steps.push_back(step); };
  const models::Result<PerformanceBenchmark> run = benchmarkPerformance(settings);
  ASSERT_TRUE(run.ok()) << run.error().sentence;
  const PerformanceBenchmark& benchmark = run.value();
  const std::vector<PeerLibrary> libraries = peerContacts();
  ASSERT_EQ(benchmark.poses.size(), 2 * kPoses);
  for (const PosePerformance& pose : benchmark.poses) {
    const bool isGap = pose.configuration.wanted.kind == Kind::Gap;
    EXPECT_EQ(timesOf(pose, PerformanceMethod::Ist), 3U);
    EXPECT_EQ(timesOf(pose, PerformanceMethod::IstVolume), isGap ? 0U : 3U);
    EXPECT_EQ(timesOf(pose, PerformanceMethod::IstTextbook), isGap ? 0U : 3U);
    EXPECT_EQ(timesOf(pose, PerformanceMethod::Vps), 3U);
    EXPECT_EQ(timesOf(pose, PerformanceMethod::VpsPlain), isGap ? 0U : 3U);
    EXPECT_EQ(timesOf(pose, PerformanceMethod::Fcl), isGap && FclPeer::isThere() ? 3U : 0U);
    for (const PerformanceMethod method :
         {PerformanceMethod::FclContacts, PerformanceMethod::Bullet}) {
      const bool isThere = std::ranges::count(libraries, nameOf(method), &PeerLibrary::name) > 0;
      EXPECT_EQ(timesOf(pose, method), !isGap && isThere ? 3U : 0U) << nameOf(method);
    }
    for (const std::vector<double>& times : pose.times) {
      for (const double us : times)
        EXPECT_GT(us, 0.0);
    }
  }
  ASSERT_EQ(benchmark.pairs.size(), 1U);
  EXPECT_TRUE(benchmark.pairs[0].isSteady);
  EXPECT_EQ(benchmark.pairs[0].oneThread.size(), 2U);
  EXPECT_EQ(benchmark.pairs[0].twoThreads.size(), 2U);
  EXPECT_EQ(benchmark.pairs[0].twoSpinning.size(), 2U);
  EXPECT_EQ(benchmark.models.size(), 2U);
  EXPECT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps.back().number, steps.back().count);

  // where nothing was compared, everything is wrong
  const auto differenceOf = [&](PerformanceMethod method) {
    return differenceToOurs(benchmark, method).value_or(RelativeError{1.0, 1.0}).max;
  };
  EXPECT_LT(differenceOf(PerformanceMethod::IstTextbook), 2e-4);
  // two maps of other voxels: what each is off near the surface, in the depth of an overlap
  EXPECT_LT(differenceOf(PerformanceMethod::VpsPlain), 0.02);
  // a thousand points are as far from each other as the gap is wide
  EXPECT_LT(errorOf(benchmark, PerformanceMethod::Vps, {Kind::Gap, 0.05}).max, 0.3);
  if (FclPeer::isThere()) {
    EXPECT_LT(differenceOf(PerformanceMethod::Fcl), 1e-4);
  }
  // the configurations are what they say, and 1000 spheres are as good as that
  EXPECT_LT(errorOf(benchmark, PerformanceMethod::Ist, {Kind::Gap, 0.05}).max, 1e-4);
  const RelativeError volume = errorOf(benchmark, PerformanceMethod::Ist, {Kind::Overlap, 0.1});
  EXPECT_LT(volume.mean, 0.03);
  EXPECT_GT(volume.mean, 0.0);
  const MeanWork work = meanWorkOf(benchmark, PerformanceMethod::Ist, {Kind::Overlap, 0.1});
  EXPECT_GT(work.pairTests, 0.0);
  EXPECT_GT(work.leafPairs, 0.0);
  EXPECT_GT(work.cubes, 0.0);
  EXPECT_GT(meanWorkOf(benchmark, PerformanceMethod::Ist, {Kind::Gap, 0.05}).facetPairs, 0.0);
}

TEST(PerformanceBenchmark, TwoRunsComputeTheSame) {
  const PerformanceSettings settings = smallSettings();
  const models::Result<PerformanceBenchmark> one = benchmarkPerformance(settings);
  const models::Result<PerformanceBenchmark> two = benchmarkPerformance(settings);
  ASSERT_TRUE(one.ok() && two.ok());
  std::vector<std::uint64_t> hashes;
  for (std::size_t m = 0; m < kPerformanceMethods; ++m) {
    const auto method = static_cast<PerformanceMethod>(m);
    EXPECT_EQ(hashOf(one.value(), method), hashOf(two.value(), method)) << nameOf(method);
    hashes.push_back(hashOf(one.value(), method));
  }
  EXPECT_NE(hashes[0], hashes[1]);
  PerformanceSettings fewer = settings;
  fewer.sets[0].configurations.pop_back();
  EXPECT_NE(hashOf(benchmarkPerformance(fewer).value(), PerformanceMethod::Ist), hashes[0]);
}

TEST(PerformanceBenchmark, WhatCannotBeOpenedEndsIt) {
  PerformanceSettings settings = smallSettings();
  settings.open =
      [](const std::string&,
         const collision::BuildParameters&) -> models::Result<collision::CollisionObject> {
    return models::Error{models::Reason::UnknownName, -1, "There is none."};
  };
  EXPECT_FALSE(benchmarkPerformance(settings).ok());
}

/// Two pairs and two poses each with times that are known.
PerformanceBenchmark madeUp() {
  PerformanceBenchmark benchmark;
  benchmark.pairs.resize(2);
  benchmark.pairs[0].oneThread = {100.0, 90.0, 110.0};
  benchmark.pairs[0].twoThreads = {200.0, 150.0, 250.0};
  benchmark.pairs[1].oneThread = {300.0, 300.0, 300.0};
  benchmark.pairs[1].twoThreads = {300.0, 300.0, 300.0};
  for (PairPerformance& pair : benchmark.pairs) {
    pair.oneSpinning = {1.0, 2.0, 3.0};
    pair.twoSpinning = {3.0, 4.0, 5.0};
  }
  const auto add = [&](std::size_t pair, std::vector<double> ist, std::vector<double> textbook) {
    PosePerformance pose;
    pose.pair = pair;
    pose.configuration.wanted = {Kind::Overlap, 0.1};
    pose.times[static_cast<std::size_t>(PerformanceMethod::Ist)] = std::move(ist);
    pose.times[static_cast<std::size_t>(PerformanceMethod::IstTextbook)] = std::move(textbook);
    benchmark.poses.push_back(std::move(pose));
  };
  add(0, {1.0, 50.0, 2.0}, {10.0, 10.0, 10.0});
  add(0, {4.0, 4.0, 4.0}, {20.0, 20.0, 90.0});
  add(1, {10.0, 10.0, 10.0}, {80.0, 80.0, 80.0});
  return benchmark;
}

TEST(PerformanceFigures, AreOfTheMediansOfEachPose) {
  const PerformanceBenchmark benchmark = madeUp();
  const std::vector<WantedStand> stands = {{Kind::Overlap, 0.1}};
  const TimingFigures ist = figuresOf(benchmark, PerformanceMethod::Ist, stands);
  EXPECT_EQ(ist.count, 3U);
  EXPECT_DOUBLE_EQ(ist.mean, 16.0 / 3.0);
  EXPECT_EQ(ist.max, 10.0);
  EXPECT_EQ(figuresOf(benchmark, PerformanceMethod::Ist, stands, 0).mean, 3.0);
  EXPECT_EQ(figuresOf(benchmark, PerformanceMethod::Ist, {{Kind::Gap, 0.1}}).count, 0U);
}

TEST(PerformanceFigures, RatiosAreOfMeans) {
  const PerformanceBenchmark benchmark = madeUp();
  const SpeedRatio ratio = ratioTo(PerformanceMethod::Ist, benchmark,
                                   PerformanceMethod::IstTextbook, {{Kind::Overlap, 0.1}})
                               .value_or(SpeedRatio());
  EXPECT_DOUBLE_EQ(ratio.ofMeans, 110.0 / 16.0);
  ASSERT_EQ(ratio.ofPairs.size(), 2U);
  EXPECT_DOUBLE_EQ(ratio.ofPairs[0], 5.0);
  EXPECT_DOUBLE_EQ(ratio.ofPairs[1], 8.0);
  EXPECT_DOUBLE_EQ(ratio.least(), 5.0);
  EXPECT_FALSE(
      ratioTo(PerformanceMethod::Ist, benchmark, PerformanceMethod::Fcl, {{Kind::Gap, 0.1}}));
}

TEST(PerformanceFigures, ThreadsAreComparedByTheTimeForAsManyQueries) {
  const ThreadScaling scaling = threadScalingOf(madeUp());
  // one query of each pair: 1/100 + 1/300 s by one thread, 1/200 + 1/300 s by two
  EXPECT_DOUBLE_EQ(scaling.ratio, (1.0 / 100 + 1.0 / 300) / (1.0 / 200 + 1.0 / 300));
  EXPECT_DOUBLE_EQ(scaling.ceiling, 2.0);
}

TEST(PerformanceBenchmark, StolenTimeMakesItInvalid) {
  PerformanceBenchmark benchmark = madeUp();
  EXPECT_TRUE(benchmark.isValid());
  benchmark.pairs[1].stolenShare = 0.002;
  EXPECT_FALSE(benchmark.isValid());
  EXPECT_EQ(benchmark.worstStolenShare(), 0.002);
}

}  // namespace
}  // namespace tactus::studies
