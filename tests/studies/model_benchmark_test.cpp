#include "studies/model_benchmark.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "models/builtin.hpp"

namespace tactus::studies {
namespace {

TEST(ModelBenchmark, MeasuresEveryStepOnTheModelItNames) {
  ModelBenchmarkSettings settings;
  settings.largeTriangles = 4000;
  settings.usualTriangles = 2000;
  settings.repetitions = 2;
  settings.folder = std::filesystem::temp_directory_path() / "tactus-model-benchmark-test";
  std::filesystem::create_directories(settings.folder);
  std::vector<BenchmarkStep> steps;
  settings.onStep = [&steps](const BenchmarkStep& step) { steps.push_back(step); };
  const models::Result<ModelBenchmark> result = benchmarkModels(settings);
  std::filesystem::remove_all(settings.folder);
  ASSERT_TRUE(result.ok()) << result.error().sentence;

  const std::vector<ModelTiming>& timings = result.value().timings;
  // Each built-in is made, the large one too; three formats are written and read; one check.
  EXPECT_EQ(timings.size(), models::builtins().size() + 1 + 6 + 1);
  for (const ModelTiming& timing : timings) {
    EXPECT_GT(timing.secondsBest, 0.0) << timing.step;
    EXPECT_GE(timing.secondsMedian, timing.secondsBest) << timing.step;
    const double wanted = timing.model.ends_with("@4000") ? 4000.0 : 2000.0;
    EXPECT_LT(std::abs(static_cast<double>(timing.triangles) - wanted), 0.03 * wanted)
        << timing.step << " " << timing.model;
    EXPECT_GE(timing.meshBytes, timing.triangles * 12) << timing.step;
  }
  // Each was announced, as one of so many.
  ASSERT_EQ(steps.size(), timings.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].number, i + 1);
    EXPECT_EQ(steps[i].count, timings.size());
    EXPECT_EQ(steps[i].step, timings[i].step);
    EXPECT_EQ(steps[i].model, timings[i].model);
  }
  EXPECT_EQ(std::ranges::count(timings, "make", &ModelTiming::step),
            static_cast<std::ptrdiff_t>(models::builtins().size() + 1));
}

TEST(ModelBenchmark, AFolderThatIsMissingIsAnError) {
  ModelBenchmarkSettings settings;
  settings.largeTriangles = 1000;
  settings.usualTriangles = 1000;
  settings.repetitions = 1;
  bool hasStarted = false;
  settings.onStep = [&hasStarted](const BenchmarkStep&) { hasStarted = true; };
  // The empty path would be the caller's folder, whose files it must not overwrite.
  for (const char* folder : {"/no/such/folder", ""}) {
    settings.folder = folder;
    EXPECT_FALSE(benchmarkModels(settings).ok()) << folder;
  }
  EXPECT_FALSE(hasStarted);
}

}  // namespace
}  // namespace tactus::studies
