#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "app/bench_frame.hpp"
#include "app/commands.hpp"
#include "app/machine_json.hpp"
#include "app/report_folder.hpp"
#include "models/files/file_label.hpp"
#include "studies/stability_benchmark.hpp"
#include "studies/stability_charts.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::Result;
using studies::HoldRecord;
using studies::ProfileStability;
using studies::StabilityBenchmark;

constexpr double kLeastMargin = 2.0;
constexpr double kMostActing = 0.01;

// Of the region's axes; the quick one shows where the border is, and no more.
constexpr int kRegionCells = 16, kQuickRegionCells = 8;

bool holds(const ProfileStability& profile) {
  return profile.margin() >= kLeastMargin && profile.passivityShare < kMostActing;
}

Json runJson(const HoldRecord& run) {
  return {{"contact", studies::nameOf(run.shape)},
          {"hand", studies::nameOf(run.grasp)},
          {"extra_delay_ticks", run.extraDelayTicks},
          {"seed", run.seed}};
}

Json reportOf(const StabilityBenchmark& benchmark, double stolen) {
  Json profiles = Json::object();
  bool allHold = true;
  for (const ProfileStability& profile : benchmark.profiles) {
    allHold = allHold && holds(profile);
    profiles[profile.name] = {
        {"default_stiffness", profile.defaults.stiffness},
        {"critical_stiffness", profile.criticalStiffness()},
        {"margin", profile.margin()},
        {"passive_ratio", profile.passiveRatio},
        {"excess_rms_share", profile.excessRmsShare},
        {"passivity_share", profile.passivityShare},
        {"default_damping", profile.defaults.damping},
        {"critical_beyond_range", profile.isBeyondRange},
        {"most_work", profile.mostWork},
        {"runs", profile.runs.size()},
        {"weakest", profile.isBeyondRange ? Json(nullptr) : runJson(profile.weakest)}};
  }
  return {{"profiles", profiles},
          {"holds", allHold},
          {"seeds", benchmark.settings.seeds},
          {"spheres", benchmark.settings.spheres},
          {"whole", !benchmark.settings.isPairShort},
          {"machine", machineJson(stolen)}};
}

studies::RawTable runsTable(const StabilityBenchmark& benchmark) {
  studies::RawTable table(
      "profile,contact,hand,extra_delay_ticks,seed,factor,passivity_on,rms_n,ideal_rms_n,limit_n,"
      "turn_rms_nm,mean_force_n,work_j,ticks,contact_ticks,passivity_ticks,held_share,interrupted,"
      "calm");
  for (const ProfileStability& profile : benchmark.profiles) {
    for (const HoldRecord& run : profile.runs) {
      const studies::HoldFigures& f = run.figures;
      table.add(profile.name, studies::nameOf(run.shape), studies::nameOf(run.grasp),
                run.extraDelayTicks, run.seed, run.factor, run.isPassivityOn ? 1 : 0, f.rms,
                run.idealRms, run.limit, f.turnRms, f.meanForce, f.work, f.ticks, f.contactTicks,
                f.passivityTicks, f.heldShare, f.isInterrupted ? 1 : 0, run.isCalm ? 1 : 0);
    }
  }
  return table;
}

studies::RawTable regionTable(const StabilityBenchmark& benchmark) {
  studies::RawTable table("profile,stiffness_n_per_m,damping_ns_per_m,calm");
  for (const ProfileStability& profile : benchmark.profiles) {
    for (const studies::RegionCell& cell : profile.region)
      table.add(profile.name, cell.stiffness, cell.damping, cell.isCalm ? 1 : 0);
  }
  return table;
}

Result<Done> writeReport(const ReportFolder& report, const StabilityBenchmark& benchmark,
                         const Json& json) {
  Result<Done> written = report.writeRaw("runs", runsTable(benchmark));
  if (written) written = report.writeRaw("region", regionTable(benchmark));
  if (written) written = report.writeJson("stability", json);
  if (written) written = report.writeText("stability.html", studies::stabilityHtml(benchmark));
  for (const ProfileStability& profile : benchmark.profiles) {
    if (written)
      written = report.writeText("region-" + profile.name + ".svg", studies::regionSvg(profile));
  }
  return written;
}

void printTable(const StabilityBenchmark& benchmark) {
  fmt::print("{:<20} {:>11} {:>12} {:>8} {:>13} {:>12} {:>15}  {}\n", "device", "K [N/m]",
             "critical K", "margin", "passive ratio", "excess rms", "passivity share", "weakest");
  for (const ProfileStability& p : benchmark.profiles) {
    fmt::print("{:<20} {:>11.0f} {:>12.0f} {:>8} {:>13.4f} {:>12.3f} {:>15.4f}  {}\n", p.name,
               p.defaults.stiffness, p.criticalStiffness(),
               fmt::format("{}{:.2f}", p.isBeyondRange ? ">= " : "", p.margin()), p.passiveRatio,
               p.excessRmsShare, p.passivityShare,
               p.isBeyondRange ? "none before a parameter's range ends" : describe(p.weakest));
  }
  fmt::print("excess rms: over its limit, at the defaults\n");
}

}  // namespace

ExitCode runBenchStability(const BenchRequest& request) {
  studies::StabilitySettings settings = studies::stabilitySettings(request.quick);
  std::erase_if(settings.profiles, [&](const std::string& name) {
    return name.find(request.only) == std::string::npos;
  });
  if (settings.profiles.empty()) {
    complain(fmt::format("--only {}: no device profile has that in its name.",
                         models::printable(request.only)));
    return ExitCode::BadInput;
  }
  if (request.spheres) settings.spheres = *request.spheres;
  const Result<std::optional<ReportFolder>> report = openReport(request);
  if (!report) {
    complain(report.error().sentence);
    return ExitCode::BadInput;
  }
  if (report.value()) settings.regionCells = request.quick ? kQuickRegionCells : kRegionCells;
  settings.onProfile = [](const std::string& name) { fmt::print(stderr, "{}\n", name); };
  const studies::StolenTime stolen;
  const Result<StabilityBenchmark> benchmark = studies::benchmarkStability(settings);
  if (!benchmark) {
    complain(benchmark.error().sentence);
    return ExitCode::WorkFailed;
  }
  const double share = stolen.share();
  const Json json = reportOf(benchmark.value(), share);
  return handOver(
      request.asJson, json, report.value(),
      [&](const ReportFolder& folder) { return writeReport(folder, benchmark.value(), json); },
      [&] { printTable(benchmark.value()); });
}

}  // namespace tactus::app
