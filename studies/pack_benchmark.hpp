#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "collision/cache/collision_object.hpp"
#include "models/mesh/mesh.hpp"
#include "models/mesh/result.hpp"
#include "studies/model_benchmark.hpp"

namespace tactus::studies {

/// One object to be built.
struct PackTask {
  std::string model;  ///< a built-in
  std::size_t triangles = 0;
  std::uint64_t spheres = 0;
  collision::PackingMethod packing = collision::PackingMethod::Protosphere;
};

/// What `tactus bench pack` builds: all built-ins by both packings with 10,000 and 100,000 spheres,
/// and some of 100,000 triangles; `quick`: a few with 2,000 and 10,000.
[[nodiscard]] std::vector<PackTask> packTasks(bool quick);

struct PackBenchmarkSettings {
  std::vector<PackTask> tasks;
  std::filesystem::path folder;                      ///< for a file at a time; must exist
  unsigned threads = 0;                              ///< 0: one a core
  std::function<void(const BenchmarkStep&)> onStep;  ///< called before each; may be empty
};

/// What came of a task, by the last attempt.
struct PackTiming {
  PackTask task;
  collision::BuildFigures figures;
  std::size_t peakBytes = 0;  ///< by which memory grew at most, the object included
  std::uint64_t bytes = 0;    ///< of its file
  double stolenShare = 0.0;
  int attempts = 1;  ///< until little enough time was stolen, three at most
};

/// A task that was done, with the object.
struct BuiltPack {
  PackTiming timing;
  collision::CollisionObject object;
};

/// Does one task with the mesh it names. Of `settings` folder and threads count.
[[nodiscard]] models::Result<BuiltPack> buildPack(const PackTask& task, const models::Mesh& mesh,
                                                  const PackBenchmarkSettings& settings);

struct PackBenchmark {
  std::vector<PackTiming> timings;

  [[nodiscard]] double worstStolenShare() const noexcept;
};

/// Builds objects and measures it. Nothing else should run meanwhile. Stops at the first that
/// fails.
[[nodiscard]] models::Result<PackBenchmark> benchmarkPacking(const PackBenchmarkSettings& settings);

}  // namespace tactus::studies
