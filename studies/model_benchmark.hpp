#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "models/mesh/result.hpp"

namespace tactus::studies {

/// A step that is about to be measured, for somebody who waits.
struct BenchmarkStep {
  std::size_t number = 0;  ///< from 1
  std::size_t count = 0;   ///< of all steps
  std::string step;        ///< as ModelTiming has it
  std::string model;
};

/// What is measured: models of `triangles`, each step `repetitions` times.
struct ModelBenchmarkSettings {
  std::size_t largeTriangles = 871'414;  ///< of the rhino that is written, read and checked
  std::size_t usualTriangles = 100'000;  ///< of every built-in that is made
  int repetitions = 5;
  std::filesystem::path folder;  ///< for the files, which it overwrites; must exist
  std::function<void(const BenchmarkStep&)> onStep;  ///< called before each; may be empty
};

/// One step. Times are of the fastest and of the middle repetition, because on a shared machine the
/// slow ones tell of the neighbours.
struct ModelTiming {
  std::string step;           ///< e.g. "read ascii PLY"
  std::string model;          ///< as on the command line
  std::size_t triangles = 0;  ///< that there really were
  double secondsBest = 0.0;
  double secondsMedian = 0.0;
  std::size_t meshBytes = 0;  ///< of the finished mesh
  std::size_t peakBytes = 0;  ///< by which memory grew at most during the step, mesh included
};

struct ModelBenchmark {
  std::vector<ModelTiming> timings;
  double stolenShare = 0.0;  ///< above kMostStolen the times do not count
};

/// Makes, writes, reads and checks models, and measures it. Nothing else should run meanwhile.
/// Stops at the first step that fails.
[[nodiscard]] models::Result<ModelBenchmark> benchmarkModels(
    const ModelBenchmarkSettings& settings);

}  // namespace tactus::studies
