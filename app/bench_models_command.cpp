#include <fmt/format.h>

#include <cstdio>

#include "app/bench_frame.hpp"
#include "app/commands.hpp"
#include "app/temporary_folder.hpp"
#include "studies/model_benchmark.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::app {
namespace {

Json reportOf(const studies::ModelBenchmark& benchmark) {
  Json steps = Json::array();
  for (const studies::ModelTiming& timing : benchmark.timings) {
    steps.push_back({{"step", timing.step},
                     {"model", timing.model},
                     {"triangles", timing.triangles},
                     {"seconds_best", timing.secondsBest},
                     {"seconds_p50", timing.secondsMedian},
                     {"mesh_bytes", timing.meshBytes},
                     {"peak_bytes", timing.peakBytes}});
  }
  return {{"steps", steps},
          {"machine", {{"steal", benchmark.stolenShare}}},
          {"valid", benchmark.stolenShare <= studies::kMostStolen}};
}

void printTable(const studies::ModelBenchmark& benchmark) {
  constexpr double kMega = 1e6;
  fmt::print("{:<17} {:<32} {:>9} {:>9} {:>9} {:>9}\n", "step", "model", "best [s]", "p50 [s]",
             "mesh [MB]", "peak [MB]");
  for (const studies::ModelTiming& timing : benchmark.timings) {
    fmt::print("{:<17} {:<32} {:>9.3f} {:>9.3f} {:>9.1f} {:>9.1f}\n", timing.step, timing.model,
               timing.secondsBest, timing.secondsMedian,
               static_cast<double>(timing.meshBytes) / kMega,
               static_cast<double>(timing.peakBytes) / kMega);
  }
  fmt::print("stolen processor time {:.2f} %{}\n", 100.0 * benchmark.stolenShare,
             benchmark.stolenShare > studies::kMostStolen
                 ? ": these times do not count, run it again"
                 : "");
}

}  // namespace

ExitCode runBenchModels(const BenchModelsRequest& request) {
  const TemporaryFolder folder;
  if (folder.path().empty()) {
    complain(TemporaryFolder::kNotToBeHad);
    return ExitCode::WorkFailed;
  }
  studies::ModelBenchmarkSettings settings;
  settings.folder = folder.path();
  if (request.quick) settings.repetitions = 1;
  settings.onStep = tellStep;
  const models::Result<studies::ModelBenchmark> benchmark = studies::benchmarkModels(settings);
  if (!benchmark) {
    complain(benchmark.error().sentence);
    return ExitCode::WorkFailed;
  }
  return handOver(request.asJson, reportOf(benchmark.value()), std::nullopt, {},
                  [&] { printTable(benchmark.value()); });
}

}  // namespace tactus::app
