#include "studies/model_benchmark.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "models/builtin.hpp"
#include "models/files/mesh_file.hpp"
#include "models/report/mesh_report.hpp"
#include "studies/process_memory.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::studies {
namespace {

using models::Done;
using models::Error;
using models::Mesh;
using models::Result;

constexpr std::string_view kLargeModel = "rhino";

using Work = std::function<Result<const Mesh*>()>;
using Prepare = std::function<void()>;

/// Runs `work` several times and measures it. `work` says which mesh it worked on, or what failed;
/// `prepare` goes before each, unmeasured.
Result<ModelTiming> measure(std::string step, std::string model, int repetitions, const Work& work,
                            const Prepare& prepare) {
  ModelTiming timing;
  timing.step = std::move(step);
  timing.model = std::move(model);
  std::vector<double> seconds;
  for (int i = 0; i < std::max(1, repetitions); ++i) {
    prepare();
    resetPeakMemory();
    const std::size_t before = peakMemory();
    const auto start = std::chrono::steady_clock::now();
    const Result<const Mesh*> mesh = work();
    const auto end = std::chrono::steady_clock::now();
    if (!mesh) return mesh.error();
    seconds.push_back(std::chrono::duration<double>(end - start).count());
    timing.peakBytes = std::max(timing.peakBytes, peakMemory() - before);
    timing.triangles = mesh.value()->triangles.size();
    timing.meshBytes = mesh.value()->bytes();
  }
  std::ranges::sort(seconds);
  timing.secondsBest = seconds.front();
  timing.secondsMedian = seconds[seconds.size() / 2];
  return timing;
}

/// A file format as the benchmark writes it.
struct Format {
  const char* name;
  const char* file;
  models::PlyEncoding encoding;
};

constexpr Format kFormats[] = {{"ascii PLY", "model-ascii.ply", models::PlyEncoding::Ascii},
                               {"binary PLY", "model.ply", models::PlyEncoding::BinaryLittleEndian},
                               {"OBJ", "model.obj", models::PlyEncoding::Ascii}};

}  // namespace

Result<ModelBenchmark> benchmarkModels(const ModelBenchmarkSettings& settings) {
  ModelBenchmark benchmark;
  // An empty path would mean the caller's folder, where a file of the same name may be precious.
  std::error_code missing;
  if (!std::filesystem::is_directory(settings.folder, missing)) {
    return Error{models::Reason::FileMissing, -1,
                 "The folder '" + settings.folder.string() +
                     "' for the benchmark's files does not exist; create it first."};
  }
  const StolenTime stolen;
  std::optional<Error> failure;
  // The large model is made beside the usual ones, and checked at the end.
  const std::size_t steps = models::builtins().size() + 1 + 2 * std::size(kFormats) + 1;
  std::size_t started = 0;
  const auto measureStep = [&](
                               const std::string& step, const std::string& model, const Work& work,
                               const Prepare& prepare = [] {}) {
    if (failure) return;
    ++started;
    if (settings.onStep) settings.onStep({started, steps, step, model});
    const Result<ModelTiming> timing = measure(step, model, settings.repetitions, work, prepare);
    if (timing) {
      benchmark.timings.push_back(timing.value());
    } else {
      failure = timing.error();
    }
  };

  Mesh made;
  const auto make = [&](std::string_view name, std::size_t triangles) {
    measureStep(
        "make", std::string("builtin:").append(name).append("@") + std::to_string(triangles),
        [&, name, triangles]() -> Result<const Mesh*> {
          Result<Mesh> result = models::makeBuiltin(name, triangles);
          if (!result) return result.error();
          made = std::move(result).value();
          return &made;
        },
        [&] { made = Mesh(); });
  };
  for (const models::Builtin& builtin : models::builtins()) {
    make(builtin.name, settings.usualTriangles);
  }
  make(kLargeModel, settings.largeTriangles);

  const Mesh large = std::move(made);
  const std::string largeName = std::string("builtin:").append(kLargeModel).append("@") +
                                std::to_string(settings.largeTriangles);
  for (const Format& format : kFormats) {
    const std::filesystem::path file = settings.folder / format.file;
    measureStep(std::string("write ") + format.name, largeName, [&]() -> Result<const Mesh*> {
      const Result<Done> written = models::writeMesh(large, file, {format.encoding, true});
      if (!written) return written.error();
      return &large;
    });
    models::LoadedMesh loaded;
    measureStep(
        std::string("read ") + format.name, largeName,
        [&]() -> Result<const Mesh*> {
          Result<models::LoadedMesh> result = models::readMesh(file);
          if (!result) return result.error();
          loaded = std::move(result).value();
          return &loaded.mesh;
        },
        [&] { loaded = models::LoadedMesh(); });
  }
  measureStep("check", largeName, [&]() -> Result<const Mesh*> {
    const models::MeshReport report = models::reportOn(large);
    if (report.triangles != large.triangles.size()) {
      return Error{models::Reason::WrongCount, -1, "The report lost triangles."};
    }
    return &large;
  });

  if (failure) return *failure;
  benchmark.stolenShare = stolen.share();
  return benchmark;
}

}  // namespace tactus::studies
