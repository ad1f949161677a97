#include "studies/pack_benchmark.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "models/builtin.hpp"

namespace tactus::studies {
namespace {

using collision::PackingMethod;

TEST(PackBenchmark, BuildsWhatItWasTold) {
  PackBenchmarkSettings settings;
  settings.tasks = {{"torus", 1000, 300, PackingMethod::Protosphere},
                    {"torus", 1000, 300, PackingMethod::Voxel},
                    {"bolt", 2000, 200, PackingMethod::Protosphere}};
  settings.folder = std::filesystem::temp_directory_path() /
                    ("tactus-pack-benchmark-" + std::to_string(getpid()));
  std::filesystem::create_directories(settings.folder);
  std::size_t steps = 0;
  settings.onStep = [&](const BenchmarkStep& step) {
    EXPECT_EQ(step.number, ++steps);
    EXPECT_EQ(step.count, 3U);
  };
  const models::Result<PackBenchmark> run = benchmarkPacking(settings);
  std::filesystem::remove_all(settings.folder);
  ASSERT_TRUE(run.ok()) << run.error().sentence;
  ASSERT_EQ(run.value().timings.size(), 3U);
  EXPECT_EQ(steps, 3U);
  for (const PackTiming& timing : run.value().timings) {
    const collision::BuildFigures& f = timing.figures;
    EXPECT_LE(f.spheres, timing.task.spheres);
    EXPECT_GT(f.spheres, timing.task.spheres / 2);
    EXPECT_GT(f.filled(), 0.3);
    EXPECT_LT(f.filled(), 1.0);
    EXPECT_NEAR(static_cast<double>(f.triangles), static_cast<double>(timing.task.triangles),
                0.03 * static_cast<double>(timing.task.triangles));
    EXPECT_GT(f.fieldSeconds, 0.0);
    EXPECT_GE(f.treeSeconds, f.fieldSeconds);
    EXPECT_GT(f.depthsSeconds, 0.0);
    EXPECT_GE(f.facetsSeconds, f.depthsSeconds);
    EXPECT_GT(timing.bytes, 50 * f.spheres);
    EXPECT_GE(timing.attempts, 1);
  }
  // the two packings are not the same
  EXPECT_NE(run.value().timings[0].figures.sphereVolume,
            run.value().timings[1].figures.sphereVolume);
}

TEST(PackBenchmark, AFolderThatIsMissingIsAnError) {
  PackBenchmarkSettings settings;
  settings.tasks = {{"torus", 1000, 100, PackingMethod::Protosphere}};
  settings.folder = "/no/such/folder";
  EXPECT_FALSE(benchmarkPacking(settings).ok());
}

TEST(PackBenchmark, AllBuiltinsAreToBePackedBothWays) {
  std::set<std::string> names[2];
  for (const PackTask& task : packTasks(false))
    names[task.packing == PackingMethod::Voxel ? 1 : 0].insert(task.model);
  EXPECT_EQ(names[0].size(), models::builtins().size());
  EXPECT_EQ(names[1], names[0]);
  EXPECT_LT(packTasks(true).size(), packTasks(false).size() / 2);
}

}  // namespace
}  // namespace tactus::studies
