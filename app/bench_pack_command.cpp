#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/bench_frame.hpp"
#include "app/commands.hpp"
#include "app/figures_text.hpp"
#include "app/machine_json.hpp"
#include "app/object_source.hpp"
#include "app/report_folder.hpp"
#include "app/temporary_folder.hpp"
#include "models/files/file_label.hpp"
#include "studies/pack_benchmark.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::Result;
using studies::PackBenchmark;
using studies::PackTiming;

std::vector<studies::PackTask> tasksOf(const BenchRequest& request) {
  std::vector<studies::PackTask> tasks = studies::packTasks(request.quick);
  std::erase_if(tasks, [&](const studies::PackTask& task) {
    return task.model.find(request.only) == std::string::npos;
  });
  if (!request.spheres) return tasks;
  for (studies::PackTask& task : tasks)
    task.spheres = *request.spheres;
  // what differed by the number of spheres alone is one task now
  const auto isSame = [](const studies::PackTask& a, const studies::PackTask& b) {
    return a.model == b.model && a.triangles == b.triangles && a.packing == b.packing;
  };
  std::vector<studies::PackTask> different;
  for (const studies::PackTask& task : tasks) {
    if (std::ranges::none_of(different, [&](const auto& other) { return isSame(task, other); }))
      different.push_back(task);
  }
  return different;
}

Json reportOf(const PackBenchmark& benchmark) {
  Json builds = Json::array();
  for (const PackTiming& timing : benchmark.timings) {
    Json build = {{"model", timing.task.model},
                  {"packing", nameOf(timing.task.packing)},
                  {"spheres_asked", timing.task.spheres}};
    build.update(figuresJson(timing.figures));
    build["field_seconds"] = timing.figures.fieldSeconds;
    build["depths_seconds"] = timing.figures.depthsSeconds;
    build["peak_bytes"] = timing.peakBytes;
    build["bytes"] = timing.bytes;
    build["steal"] = timing.stolenShare;
    build["attempts"] = timing.attempts;
    builds.push_back(std::move(build));
  }
  const double stolen = benchmark.worstStolenShare();
  return {{"builds", builds},
          {"machine", machineJson(stolen)},
          {"valid", stolen <= studies::kMostStolen}};
}

studies::RawTable rawTable(const PackBenchmark& benchmark) {
  studies::RawTable table(
      "model,packing,triangles,spheres_asked,spheres,volume,sphere_volume,check_s,pack_s,cells_s,"
      "tree_s,field_s,facets_s,depths_s,peak_bytes,bytes,steal,attempts");
  for (const PackTiming& timing : benchmark.timings) {
    const collision::BuildFigures& f = timing.figures;
    table.add(timing.task.model, nameOf(timing.task.packing), f.triangles, timing.task.spheres,
              f.spheres, f.volume, f.sphereVolume, f.checkSeconds, f.packSeconds, f.cellsSeconds,
              f.treeSeconds, f.fieldSeconds, f.facetsSeconds, f.depthsSeconds, timing.peakBytes,
              timing.bytes, timing.stolenShare, timing.attempts);
  }
  return table;
}

void printTable(const PackBenchmark& benchmark) {
  constexpr double kMega = 1e6;
  fmt::print("{:<17} {:<11} {:>9} {:>8} {:>7} {:>9} {:>9} {:>9} {:>9} {:>10} {:>9} {:>9}\n",
             "model", "packing", "triangles", "spheres", "filled", "pack [s]", "cells [s]",
             "tree [s]", "field [s]", "facets [s]", "peak [MB]", "file [MB]");
  for (const PackTiming& timing : benchmark.timings) {
    const collision::BuildFigures& f = timing.figures;
    fmt::print(
        "{:<17} {:<11} {:>9} {:>8} {:>7.3f} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f} {:>10.2f} {:>9.0f} "
        "{:>9.1f}\n",
        timing.task.model, nameOf(timing.task.packing), f.triangles, f.spheres, f.filled(),
        f.packSeconds, f.cellsSeconds, f.treeSeconds - f.fieldSeconds, f.fieldSeconds,
        f.facetsSeconds, static_cast<double>(timing.peakBytes) / kMega,
        static_cast<double>(timing.bytes) / kMega);
  }
  fmt::print("{}", machineText(benchmark.worstStolenShare()));
}

}  // namespace

ExitCode runBenchPack(const BenchRequest& request) {
  studies::PackBenchmarkSettings settings;
  settings.tasks = tasksOf(request);
  if (settings.tasks.empty()) {
    complain(fmt::format("--only {}: no model that would be packed has that in its name.",
                         models::printable(request.only)));
    return ExitCode::BadInput;
  }
  const TemporaryFolder files;
  if (files.path().empty()) {
    complain(TemporaryFolder::kNotToBeHad);
    return ExitCode::WorkFailed;
  }
  const Result<std::optional<ReportFolder>> report = openReport(request);
  if (!report) {
    complain(report.error().sentence);
    return ExitCode::BadInput;
  }
  settings.folder = files.path();
  settings.onStep = tellStep;
  const Result<PackBenchmark> benchmark = studies::benchmarkPacking(settings);
  if (!benchmark) {
    complain(benchmark.error().sentence);
    return ExitCode::WorkFailed;
  }
  const Json json = reportOf(benchmark.value());
  const auto write = [&](const ReportFolder& folder) {
    Result<Done> written = folder.writeRaw("builds", rawTable(benchmark.value()));
    if (written) written = folder.writeJson("pack", json);
    return written;
  };
  return handOver(request.asJson, json, report.value(), write,
                  [&] { printTable(benchmark.value()); });
}

}  // namespace tactus::app
