#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "app/commands.hpp"
#include "studies/model_benchmark.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::app {
namespace {

/// A folder of its own that goes when the benchmark ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code missing;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(missing);
    if (missing) return;
    // Six X are what mkdtemp asks for and replaces by a name of its own.
    std::string pattern = parent / "tactus-bench-XXXXXX";
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  /// Empty if none could be made.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

Json toJson(const studies::ModelBenchmark& benchmark) {
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
    complain(
        "The benchmark cannot make a folder for its files; let TMPDIR name a folder that you may "
        "write to.");
    return ExitCode::WorkFailed;
  }
  studies::ModelBenchmarkSettings settings;
  settings.folder = folder.path();
  if (request.quick) settings.repetitions = 1;
  settings.onStep = [](const studies::BenchmarkStep& step) {
    fmt::print(stderr, "[{}/{}] {} {}\n", step.number, step.count, step.step, step.model);
  };
  const models::Result<studies::ModelBenchmark> benchmark = studies::benchmarkModels(settings);
  if (!benchmark) {
    complain(benchmark.error().sentence);
    return ExitCode::WorkFailed;
  }
  if (request.asJson) {
    printJson(toJson(benchmark.value()));
  } else {
    printTable(benchmark.value());
  }
  return ExitCode::Good;
}

}  // namespace tactus::app
