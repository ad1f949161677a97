#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/bench_frame.hpp"
#include "app/commands.hpp"
#include "app/machine_json.hpp"
#include "app/object_source.hpp"
#include "app/report_folder.hpp"
#include "models/files/file_label.hpp"
#include "studies/quality/quality_benchmark.hpp"
#include "studies/quality/quality_page.hpp"
#include "studies/quality/quality_verdicts.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::Result;
using studies::kQualityLaws;
using studies::LawQuality;
using studies::QualityBenchmark;
using studies::QualityLaw;
using studies::ScenarioQuality;

// What `--quick` makes of it, so that it ends within a minute with warm caches.
constexpr std::uint64_t kQuickSpheres = 10'000;
constexpr std::uint64_t kQuickTriangles = 20'000;
constexpr int kQuickRepetitions = 1;
constexpr std::size_t kQuickWindows = 12;

Json orNull(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json lawJson(const LawQuality& quality) {
  return {{"sigma_force", orNull(quality.force.sigma)},
          {"sigma_torque", orNull(quality.torque.sigma)},
          {"gamma_force_deg", orNull(quality.force.gammaMean)},
          {"gamma_torque_deg", orNull(quality.torque.gammaMean)},
          {"noise_force", orNull(quality.force.noise)},
          {"noise_torque", orNull(quality.torque.noise)},
          {"ripple", orNull(quality.ripple)},
          {"jump_ratio", orNull(quality.jumpRatio())},
          {"us_mean", quality.usMean},
          {"gamma_force_max_deg", orNull(quality.force.gammaMax)},
          {"gamma_torque_max_deg", orNull(quality.torque.gammaMax)},
          {"sigma_force_by_own", orNull(quality.force.sigmaByOwn)},
          {"sigma_torque_by_own", orNull(quality.torque.sigmaByOwn)},
          {"ripple_force", orNull(quality.force.ripple)},
          {"ripple_torque", orNull(quality.torque.ripple)},
          {"jump_ratio_budgeted", orNull(quality.cutJumpRatio())},
          {"stray", orNull(quality.stray)},
          {"lets_go", quality.letsGo},
          {"hash", fmt::format("{:016x}", quality.course.hash)}};
}

Json verdictsJson(const QualityBenchmark& benchmark) {
  Json verdicts = Json::array();
  for (const studies::QualityVerdict& verdict : studies::verdictsOf(benchmark)) {
    verdicts.push_back({{"what", verdict.what},
                        {"value", orNull(verdict.value)},
                        {"limit", verdict.limit},
                        {"holds", verdict.holds()}});
  }
  return verdicts;
}

Json historyJson(const QualityBenchmark& benchmark) {
  Json history = Json::array();
  for (const studies::PrintedFigure& printed : studies::printedFigures(benchmark)) {
    Json row = {{"what", printed.what}, {"printed_vps", printed.vps}, {"printed_ist", printed.ist}};
    for (const QualityLaw law : kQualityLaws)
      row[std::string(nameOf(law))] = orNull(printed.ours[static_cast<std::size_t>(law)]);
    history.push_back(std::move(row));
  }
  return history;
}

Json reportOf(const QualityBenchmark& benchmark) {
  Json scenarios = Json::object();
  for (const ScenarioQuality& scenario : benchmark.scenarios) {
    Json& of = scenarios[std::string(nameOf(scenario.scenario))];
    for (const QualityLaw law : kQualityLaws)
      of[std::string(nameOf(law))] = lawJson(scenario.laws[static_cast<std::size_t>(law)]);
    of["step_m"] = scenario.stepLength;
    of["steal"] = scenario.stolenShare;
  }
  const double stolen = benchmark.worstStolenShare();
  return {{"scenarios", scenarios},
          {"samples", benchmark.settings.samples},
          {"spheres", benchmark.settings.spheres},
          {"triangles", benchmark.settings.triangles},
          {"goals", verdictsJson(benchmark)},
          {"history", historyJson(benchmark)},
          {"valid", stolen <= studies::kMostStolen},
          {"machine", machineJson(stolen)}};
}

studies::RawTable coursesTable(const QualityBenchmark& benchmark) {
  studies::RawTable table(
      "scenario,law,sample,fx,fy,fz,tx,ty,tz,ideal_fx,ideal_fy,ideal_fz,ideal_tx,ideal_ty,ideal_tz,"
      "us");
  for (const ScenarioQuality& scenario : benchmark.scenarios) {
    for (const QualityLaw law : kQualityLaws) {
      const studies::LawCourse& c = scenario.laws[static_cast<std::size_t>(law)].course;
      for (std::size_t k = 0; k < c.force.size(); ++k) {
        const auto &f = c.force[k], &t = c.torque[k], &i = c.idealForce[k], &j = c.idealTorque[k];
        table.add(nameOf(scenario.scenario), nameOf(law), k, f.x(), f.y(), f.z(), t.x(), t.y(),
                  t.z(), i.x(), i.y(), i.z(), j.x(), j.y(), j.z(), c.us[k]);
      }
    }
  }
  return table;
}

studies::RawTable jumpsTable(const QualityBenchmark& benchmark) {
  studies::RawTable table("scenario,law,step_m,jump,jump_of_half,budgeted,budgeted_of_half");
  for (const ScenarioQuality& scenario : benchmark.scenarios) {
    for (const QualityLaw law : kQualityLaws) {
      const studies::LawCourse& c = scenario.laws[static_cast<std::size_t>(law)].course;
      table.add(nameOf(scenario.scenario), nameOf(law), scenario.stepLength, c.jump, c.jumpOfHalf,
                c.cutJump, c.cutJumpOfHalf);
    }
  }
  return table;
}

Result<Done> writeReport(const ReportFolder& report, const QualityBenchmark& benchmark,
                         const Json& json) {
  Result<Done> written = report.writeRaw("courses", coursesTable(benchmark));
  if (written) written = report.writeRaw("jumps", jumpsTable(benchmark));
  if (written) written = report.writeJson("quality", json);
  if (written) written = report.writeText("quality.html", studies::qualityPage(benchmark));
  return written;
}

std::string shown(const std::optional<double>& value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : std::string("-");
}

void printTable(const QualityBenchmark& benchmark) {
  fmt::print(
      "{} samples a path; {} spheres and {} triangles each; angles in degrees, times in us\n",
      benchmark.settings.samples, benchmark.settings.spheres, benchmark.settings.triangles);
  fmt::print("{:<8} {:<10} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>8} {:>7} {:>7} {:>8} {:>8}\n",
             "scenario", "law", "sigma_F", "sigma_T", "gam_F", "max", "gam_T", "max", "ripple",
             "jump", "cut", "stray", "us");
  for (const ScenarioQuality& scenario : benchmark.scenarios) {
    for (const QualityLaw law : kQualityLaws) {
      const LawQuality& q = scenario.laws[static_cast<std::size_t>(law)];
      fmt::print(
          "{:<8} {:<10} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>8} {:>7} {:>7} {:>8} {:>8.1f}\n",
          nameOf(scenario.scenario), nameOf(law), shown(q.force.sigma, 4), shown(q.torque.sigma, 4),
          shown(q.force.gammaMean, 2), shown(q.force.gammaMax, 2), shown(q.torque.gammaMean, 2),
          shown(q.torque.gammaMax, 2), shown(q.ripple, 4), shown(q.jumpRatio(), 2),
          shown(q.cutJumpRatio(), 2), shown(q.stray, 4), q.usMean);
    }
  }
  fmt::print("\nprinted by the seed, and the same measure of ours:\n{:<34} {:>8} {:>8} |", "",
             "VPS", "IST");
  for (const QualityLaw law : kQualityLaws)
    fmt::print(" {:>10}", nameOf(law));
  fmt::print("\n");
  for (const studies::PrintedFigure& printed : studies::printedFigures(benchmark)) {
    fmt::print("{:<34} {:>8.3f} {:>8.3f} |", printed.what, printed.vps, printed.ist);
    for (const std::optional<double>& ours : printed.ours)
      fmt::print(" {:>10}", shown(ours, 4));
    fmt::print("\n");
  }
  fmt::print("\n");
  for (const studies::QualityVerdict& verdict : studies::verdictsOf(benchmark)) {
    fmt::print("{:<44} {:>9} {} {:<6} {}\n", verdict.what, shown(verdict.value, 4),
               "<=", verdict.limit, verdict.holds() ? "holds" : "does NOT hold");
  }
  fmt::print("{}", machineText(benchmark.worstStolenShare()));
}

}  // namespace

ExitCode runBenchQuality(const BenchRequest& request) {
  studies::QualitySettings settings;
  std::erase_if(settings.scenarios, [&](studies::QualityScenario scenario) {
    return !request.only.empty() && nameOf(scenario) != request.only;
  });
  if (settings.scenarios.empty()) {
    complain(
        fmt::format("--only {}: there is no such scenario; there are Ia, Ib, II, III, IV and "
                    "IV-half.",
                    models::printable(request.only)));
    return ExitCode::BadInput;
  }
  if (request.quick) {
    settings.spheres = kQuickSpheres;
    settings.triangles = kQuickTriangles;
    settings.repetitions = kQuickRepetitions;
    settings.jumpWindows = kQuickWindows;
  }
  if (request.spheres) settings.spheres = *request.spheres;
  const Result<std::optional<ReportFolder>> report = openReport(request);
  if (!report) {
    complain(report.error().sentence);
    return ExitCode::BadInput;
  }
  settings.open = [](const std::string& name, const collision::BuildParameters& parameters) {
    return openObject(name, parameters);
  };
  settings.onStep = tellStep;
  const Result<QualityBenchmark> benchmark = studies::benchmarkQuality(settings);
  if (!benchmark) {
    complain(benchmark.error().sentence);
    return ExitCode::WorkFailed;
  }
  const Json json = reportOf(benchmark.value());
  return handOver(
      request.asJson, json, report.value(),
      [&](const ReportFolder& folder) { return writeReport(folder, benchmark.value(), json); },
      [&] { printTable(benchmark.value()); });
}

}  // namespace tactus::app
