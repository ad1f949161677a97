#include "studies/pack_benchmark.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "collision/cache/object_builder.hpp"
#include "collision/cache/object_cache.hpp"
#include "models/builtin.hpp"
#include "studies/process_memory.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::studies {
namespace {

using collision::BuildEnd;
using collision::BuildOutcome;
using collision::PackingMethod;
using models::Error;
using models::Mesh;
using models::Reason;
using models::Result;

Result<BuiltPack> buildOnce(const PackTask& task, const Mesh& mesh,
                            const PackBenchmarkSettings& settings) {
  collision::BuildSettings how;
  how.parameters.spheres = task.spheres;
  how.parameters.packing = task.packing;
  how.threads = settings.threads;
  BuiltPack built;
  PackTiming& timing = built.timing;
  timing.task = task;
  resetPeakMemory();
  const std::size_t before = peakMemory();
  const StolenTime stolen;
  BuildOutcome outcome = collision::buildObject({mesh, {}}, how);
  timing.stolenShare = stolen.share();
  timing.peakBytes = peakMemory() - std::min(before, peakMemory());
  if (outcome.end != BuildEnd::Built) {
    return Error{Reason::BadValue, -1, "No object could be built of '" + task.model + "'."};
  }
  timing.figures = outcome.object.figures;
  const Result<std::uint64_t> bytes =
      collision::writeObject(outcome.object, settings.folder / "object.tactus", true);
  if (!bytes) return bytes.error();
  timing.bytes = bytes.value();
  built.object = std::move(outcome.object);
  return built;
}

}  // namespace

std::vector<PackTask> packTasks(bool quick) {
  constexpr std::array kPackings = {PackingMethod::Protosphere, PackingMethod::Voxel};
  // Round, sharp, thin, hollow and grown ones.
  constexpr std::array<std::string_view, 6> kFew = {"torus", "bolt", "plate",
                                                    "well",  "gear", "rhino"};
  constexpr std::array<std::string_view, 3> kFine = {"rhino", "bolt", "hand-left"};
  constexpr std::size_t kFineTriangles = 100'000;
  std::vector<PackTask> tasks;
  for (const models::Builtin& builtin : models::builtins()) {
    if (quick && std::ranges::find(kFew, builtin.name) == kFew.end()) continue;
    for (const std::uint64_t spheres : {quick ? 2'000U : 10'000U, quick ? 10'000U : 100'000U}) {
      for (const PackingMethod packing : kPackings) {
        tasks.push_back({std::string(builtin.name), models::kDefaultTriangles, spheres, packing});
      }
    }
  }
  if (quick) return tasks;
  for (const std::string_view name : kFine) {
    for (const PackingMethod packing : kPackings)
      tasks.push_back({std::string(name), kFineTriangles, 100'000, packing});
  }
  return tasks;
}

Result<BuiltPack> buildPack(const PackTask& task, const Mesh& mesh,
                            const PackBenchmarkSettings& settings) {
  for (int attempt = 1;; ++attempt) {
    Result<BuiltPack> built = buildOnce(task, mesh, settings);
    if (!built) return built;
    built.value().timing.attempts = attempt;
    if (built.value().timing.stolenShare <= kMostStolen || attempt == kMostAttempts) return built;
  }
}

double PackBenchmark::worstStolenShare() const noexcept {
  double worst = 0.0;
  for (const PackTiming& timing : timings)
    worst = std::max(worst, timing.stolenShare);
  return worst;
}

Result<PackBenchmark> benchmarkPacking(const PackBenchmarkSettings& settings) {
  PackBenchmark benchmark;
  Mesh mesh;
  const PackTask* made = nullptr;  // what `mesh` is of
  for (const PackTask& task : settings.tasks) {
    if (settings.onStep) {
      settings.onStep({benchmark.timings.size() + 1, settings.tasks.size(),
                       task.packing == PackingMethod::Voxel ? "voxel" : "protosphere",
                       "builtin:" + task.model + "@" + std::to_string(task.triangles) + ", " +
                           std::to_string(task.spheres) + " spheres"});
    }
    if (made == nullptr || made->model != task.model || made->triangles != task.triangles) {
      Result<Mesh> result = models::makeBuiltin(task.model, task.triangles, settings.threads);
      if (!result) return result.error();
      mesh = std::move(result).value();
      made = &task;
    }
    const Result<BuiltPack> built = buildPack(task, mesh, settings);
    if (!built) return built.error();
    benchmark.timings.push_back(built.value().timing);
  }
  return benchmark;
}

}  // namespace tactus::studies
