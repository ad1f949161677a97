#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "models/mesh/result.hpp"

namespace tactus::studies {

/// What is measured: models of `triangles`, each step `repetitions` times.
struct ModelBenchmarkSettings {
  std::size_t largeTriangles = 871'414;  ///< of the rhino that is written, read and checked
  std::size_t usualTriangles = 100'000;  ///< of every built-in that is made
  int repetitions = 5;
  std::filesystem::path folder;  ///< for the files; must exist
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
[[nodiscard]] models::Result<ModelBenchmark> benchmarkModels(
    const ModelBenchmarkSettings& settings);

}  // namespace tactus::studies
