// Each series small: it has the sizes and values it says, and all that is no time and no peak of
// memory is the same in two runs. No expectation depends on how long anything took.
#include "studies/growth/growth_benchmark.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "studies/growth/body_pile.hpp"
#include "studies/growth/growth_page.hpp"
#include "studies/timing_figures.hpp"

namespace tactus::studies {
namespace {

GrowthSettings smallSettings() {
  GrowthSettings settings;
  settings.spheres = {100, 300};
  settings.triangles = {1000, 2000};
  settings.bodies = {1, 3};
  settings.overlaps = {0.0, 0.01, 0.1};
  settings.usualTriangles = 1000;
  settings.spheresOfTriangles = settings.spheresOfOverlaps = settings.spheresOfBodies = 200;
  settings.poses = 3;
  settings.repetitions = 3;
  settings.settleSteps = 150;
  settings.pileSteps = 20;
  settings.pileRepetitions = 2;
  return settings;
}

/// With a folder of its own for the files.
models::Result<GrowthBenchmark> run(GrowthSettings settings) {
  settings.folder =
      std::filesystem::temp_directory_path() / ("tactus-growth-" + std::to_string(getpid()));
  std::filesystem::create_directories(settings.folder);
  models::Result<GrowthBenchmark> benchmark = benchmarkGrowth(settings);
  std::filesystem::remove_all(settings.folder);
  return benchmark;
}

/// Of all series, made once.
const models::Result<GrowthBenchmark>& smallRun() {
  static const models::Result<GrowthBenchmark> made = run(smallSettings());
  return made;
}

std::size_t columnOf(const GrowthSeries& series, const std::string& name) {
  const auto found = std::ranges::find(series.columns, name, &GrowthColumn::name);
  EXPECT_NE(found, series.columns.end()) << name;
  return static_cast<std::size_t>(found - series.columns.begin());
}

double valueOf(const GrowthSeries& series, std::size_t row, const std::string& name) {
  return series.rows[row].values.at(columnOf(series, name));
}

TEST(GrowthBenchmark, EachSeriesHasWhatItSays) {
  const GrowthSettings settings = smallSettings();
  const models::Result<GrowthBenchmark>& made = smallRun();
  ASSERT_TRUE(made.ok()) << made.error().sentence;
  const GrowthBenchmark& benchmark = made.value();
  EXPECT_TRUE(benchmark.isSteady());
  ASSERT_EQ(benchmark.series.size(), 4U);
  for (const GrowthSeries& series : benchmark.series) {
    for (const GrowthRow& row : series.rows)
      ASSERT_EQ(row.values.size(), series.columns.size()) << series.name;
  }

  const GrowthSeries& spheres = benchmark.series[0];
  EXPECT_EQ(spheres.name, "spheres");
  EXPECT_EQ(spheres.sizes(), (std::vector<double>{100.0, 300.0}));
  EXPECT_GT(valueOf(spheres, 1, "ist_tests"), valueOf(spheres, 0, "ist_tests"));
  EXPECT_GT(valueOf(spheres, 1, "bytes"), valueOf(spheres, 0, "bytes"));
  EXPECT_LT(valueOf(spheres, 1, "volume_error"), 0.5);
  for (const char* name : {"pack_seconds", "cells_seconds", "tree_seconds", "ist_us",
                           "ist_volume_us", "vps_us", "vps_tests", "peak_bytes"})
    EXPECT_GT(valueOf(spheres, 0, name), 0.0) << name;

  const GrowthSeries& triangles = benchmark.series[1];
  EXPECT_EQ(triangles.name, "triangles");
  ASSERT_EQ(triangles.rows.size(), 2U);
  EXPECT_NEAR(triangles.rows[0].x, 1000.0, 30.0);
  EXPECT_NEAR(triangles.rows[1].x, 2000.0, 60.0);
  for (const char* name : {"check_seconds", "facets_seconds", "distance_us", "ist_us", "vps_us",
                           "facet_nodes", "facet_pairs", "bytes"})
    EXPECT_GT(valueOf(triangles, 0, name), 0.0) << name;
  // the poses were found for these very triangles; 200 spheres see a hundredth roughly
  EXPECT_NEAR(valueOf(triangles, 0, "overlap_found"), 0.01, 0.005);

  const GrowthSeries& bodies = benchmark.series[2];
  EXPECT_EQ(bodies.name, "bodies");
  EXPECT_EQ(bodies.sizes(), (std::vector<double>{1.0, 3.0}));
  EXPECT_GT(valueOf(bodies, 0, "contacts"), 0.0) << "it lies on the floor";
  EXPECT_LE(valueOf(bodies, 0, "contacts"), 1.0);
  EXPECT_GT(valueOf(bodies, 1, "contacts"), valueOf(bodies, 0, "contacts"));
  EXPECT_EQ(valueOf(bodies, 1, "dropped"), 0.0);
  EXPECT_EQ(valueOf(bodies, 1, "lost"), 0.0);
  EXPECT_GE(valueOf(bodies, 1, "step_us_p99"), valueOf(bodies, 1, "step_us_p50"));

  const GrowthSeries& overlap = benchmark.series[3];
  EXPECT_EQ(overlap.name, "overlap");
  EXPECT_EQ(overlap.sizes(), settings.overlaps);
  EXPECT_GT(valueOf(overlap, 0, "ist_us"), 0.0) << "a distance";
  EXPECT_TRUE(std::isnan(valueOf(overlap, 0, "ist_textbook_us"))) << "which has none";
  EXPECT_TRUE(std::isnan(valueOf(overlap, 0, "volume_error")));
  for (const char* name : {"ist_us", "ist_volume_us", "ist_textbook_us", "vps_us"})
    EXPECT_GT(valueOf(overlap, 2, name), 0.0) << name;
  EXPECT_GT(valueOf(overlap, 2, "ist_textbook_tests"), valueOf(overlap, 1, "ist_textbook_tests"));
  // 0 has no logarithm
  EXPECT_EQ(overlap.lawOf(columnOf(overlap, "ist_us")).value_or(PowerLaw{}).points, 2U);

  // the single times are those of the rows
  std::vector<double> medians;
  for (const GrowthQueryTimes& query : benchmark.queries) {
    EXPECT_EQ(query.us.size(), 3U);
    if (query.series == "overlap" && query.x == 0.1 && query.method == "vps")
      medians.push_back(medianOf(query.us));
  }
  ASSERT_EQ(medians.size(), settings.poses);
  EXPECT_DOUBLE_EQ(figuresOf(medians).mean, valueOf(overlap, 2, "vps_us"));
  ASSERT_EQ(benchmark.steps.size(), 2U);
  EXPECT_EQ(benchmark.steps[1].bodies, 3U);
  ASSERT_EQ(benchmark.steps[1].us.size(), 2U);
  EXPECT_EQ(benchmark.steps[1].us[1].size(), 20U);

  const std::string page = growthPage(benchmark);
  for (const char* word : {"pack [s]", "triangles", "step_us_p99", "ist_textbook [us]", "<svg"})
    EXPECT_NE(page.find(word), std::string::npos) << word;
  EXPECT_EQ(page.find("nan"), std::string::npos);
}

TEST(GrowthBenchmark, AllButTimesAndPeaksIsTheSameAgain) {
  const models::Result<GrowthBenchmark>& one = smallRun();
  GrowthSettings settings = smallSettings();
  settings.repetitions = 1;
  settings.pileRepetitions = 1;
  settings.threads = 1;
  std::size_t steps = 0;
  settings.onStep = [&](const BenchmarkStep& step) {
    EXPECT_EQ(step.number, ++steps);
    EXPECT_EQ(step.count, 8U);
  };
  const models::Result<GrowthBenchmark> two = run(settings);
  EXPECT_EQ(steps, 8U) << "poses, six sizes, and all overlaps at once";
  ASSERT_TRUE(one.ok() && two.ok());
  ASSERT_EQ(one.value().series.size(), two.value().series.size());
  EXPECT_EQ(textOf(one.value().poses), textOf(two.value().poses));
  for (std::size_t s = 0; s < one.value().series.size(); ++s) {
    const GrowthSeries& a = one.value().series[s];
    const GrowthSeries& b = two.value().series[s];
    EXPECT_EQ(a.hash(), b.hash()) << a.name;
    for (std::size_t r = 0; r < a.rows.size(); ++r) {
      EXPECT_EQ(a.rows[r].hash, b.rows[r].hash) << a.name << r;
      for (std::size_t c = 0; c < a.columns.size(); ++c) {
        if (a.columns[c].isOfMachine || std::isnan(a.rows[r].values[c])) continue;
        EXPECT_EQ(a.rows[r].values[c], b.rows[r].values[c]) << a.columns[c].name;
      }
    }
  }
  // and the hash sees what differs
  GrowthSeries other = one.value().series[0];
  other.rows[0].values[columnOf(other, "bytes")] += 1.0;
  EXPECT_NE(other.hash(), one.value().series[0].hash());
  other = one.value().series[0];
  other.rows[0].values[columnOf(other, "ist_us")] += 1.0;
  EXPECT_EQ(other.hash(), one.value().series[0].hash());
}

TEST(GrowthBenchmark, WhatIsNotAskedForIsNotMade) {
  GrowthSettings settings = smallSettings();
  settings.spheres = {100};
  settings.triangles.clear();
  settings.overlaps.clear();
  settings.bodies.clear();
  const models::Result<GrowthBenchmark> made = run(settings);
  ASSERT_TRUE(made.ok());
  ASSERT_EQ(made.value().series.size(), 1U);
  EXPECT_EQ(made.value().series[0].name, "spheres");
  ASSERT_EQ(made.value().poses.size(), 1U);
  EXPECT_EQ(made.value().poses[0].configurations.size(), settings.poses) << "of one class alone";
  EXPECT_TRUE(made.value().steps.empty());
  EXPECT_FALSE(made.value().series[0].lawOf(0)) << "one size is no growth";
  settings.folder = "/no/such/folder";
  EXPECT_FALSE(benchmarkGrowth(settings).ok());
}

TEST(GrowthBenchmark, QuickIsTheLowerPartOfAll) {
  const GrowthSettings quick = growthSettings(true);
  const GrowthSettings all = growthSettings(false);
  EXPECT_EQ(all.spheres.front(), 1'000U);
  EXPECT_EQ(all.spheres.back(), 1'000'000U);
  EXPECT_EQ(all.triangles.front(), 1'000U);
  EXPECT_EQ(all.triangles.back(), 1'000'000U);
  EXPECT_EQ(all.bodies, (std::vector<std::size_t>{2, 5, 10, 20, 50, 100}));
  EXPECT_EQ(all.overlaps, (std::vector<double>{0.0, 0.001, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5}));
  for (const std::uint64_t spheres : quick.spheres)
    EXPECT_EQ(std::ranges::count(all.spheres, spheres), 1);
  EXPECT_LT(quick.spheres.size(), all.spheres.size());
  EXPECT_LT(quick.triangles.size(), all.triangles.size());
  EXPECT_LT(quick.bodies.size(), all.bodies.size());
}

// What is timed is a pile: bodies rest on the floor and on each other, and none is lost.
TEST(BodyPile, BodiesComeToLieOnEachOther) {
  const models::Result<PileBodies> of = makePileBodies(1000, 200);
  ASSERT_TRUE(of.ok()) << of.error().sentence;
  const PileTiming pile = timePile(of.value(), {.bodies = 8, .settleSteps = 500, .steps = 10});
  EXPECT_GE(pile.contacts, 8.0) << "each on something";
  EXPECT_EQ(pile.lost, 0U) << "all middles are above the floor";
  EXPECT_EQ(pile.dropped, 0U);
  EXPECT_GE(pile.contacts, pile.carried);
  EXPECT_EQ(pile.medians(), pile.times.front());
}

TEST(BodyPile, MediansAreOfEachStep) {
  PileTiming timing;
  EXPECT_TRUE(timing.medians().empty());
  timing.times = {{1.0, 10.0}, {3.0, 30.0}, {2.0, 90.0}};
  EXPECT_EQ(timing.medians(), (std::vector<double>{2.0, 30.0}));
}

}  // namespace
}  // namespace tactus::studies
