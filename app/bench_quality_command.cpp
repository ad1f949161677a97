#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
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
#include "studies/quality/recorded_paths.hpp"
#include "studies/quality/signal_measures.hpp"
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
using studies::ShapeQuality;
using studies::SweepRow;

// What `--quick` makes of it, so that it ends within a minute with warm caches.
constexpr std::uint64_t kQuickSpheres = 10'000;
constexpr std::uint64_t kQuickTriangles = 20'000;
constexpr int kQuickRepetitions = 1;
constexpr std::size_t kQuickWindows = 12;
constexpr std::size_t kQuickSamplesOfShapes = 5;

// Of the sweep. The largest one takes longer than its 0.9 ms in IV, and is cut.
const std::vector<std::uint64_t> kResolutions = {1'000, 3'000, 10'000, 30'000, 100'000, 300'000};
constexpr std::size_t kQuickResolutions = 3;

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
          {"jump_ratio", orNull(quality.course.jumps.ratio())},
          {"us_mean", quality.course.usMean()},
          {"gamma_force_max_deg", orNull(quality.force.gammaMax)},
          {"gamma_torque_max_deg", orNull(quality.torque.gammaMax)},
          {"sigma_force_by_own", orNull(quality.force.sigmaByOwn)},
          {"sigma_torque_by_own", orNull(quality.torque.sigmaByOwn)},
          {"ripple_force", orNull(quality.force.ripple)},
          {"ripple_torque", orNull(quality.torque.ripple)},
          {"jump_ratio_budgeted", orNull(quality.course.cutJumps.ratio())},
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
      row[std::string(nameOf(law))] = orNull(printed.ours[indexOf(law)]);
    history.push_back(std::move(row));
  }
  return history;
}

Json shapeJson(const ShapeQuality& shape) {
  Json of = {{"a", shape.path.a},
             {"b", shape.path.b},
             {"step_m", shape.stepLength},
             {"steal", shape.stolenShare},
             {"attempts", shape.attempts}};
  for (std::size_t i = 0; i < studies::kShapeLaws.size(); ++i) {
    const studies::ShapeLaw& law = shape.laws[i];
    const double largest = studies::largestLength(law.course.idealForce);
    const auto overLargest = [&](const studies::JumpCourse& jumps) {
      return jumps.byStep.empty() || !(largest > 0.0) ? Json(nullptr)
                                                      : Json(jumps.largest() / largest);
    };
    of[std::string(nameOf(studies::kShapeLaws[i]))] = {
        {"sigma_force", orNull(law.force.sigma)},
        {"sigma_torque", orNull(law.torque.sigma)},
        {"gamma_force_deg", orNull(law.force.gammaMean)},
        {"gamma_torque_deg", orNull(law.torque.gammaMean)},
        {"gamma_force_max_deg", orNull(law.force.gammaMax)},
        {"gamma_torque_max_deg", orNull(law.torque.gammaMax)},
        {"jump", overLargest(law.course.jumps)},
        {"jump_ratio", orNull(law.course.jumps.ratio())},
        {"budget", law.budget > 0 ? Json(law.budget) : Json(nullptr)},
        {"jump_budgeted", overLargest(law.course.cutJumps)},
        {"jump_ratio_budgeted", orNull(law.course.cutJumps.ratio())},
        {"us_mean", law.course.usMean()},
        {"hash", fmt::format("{:016x}", law.course.hash)}};
  }
  return of;
}

Json sweepJson(const std::vector<SweepRow>& sweep) {
  Json rows = Json::array();
  for (const SweepRow& row : sweep) {
    rows.push_back({{"scenario", nameOf(row.scenario)},
                    {"law", nameOf(row.law)},
                    {"spheres", row.spheres},
                    {"sigma", orNull(row.part().sigma)},
                    {"gamma_deg", orNull(row.part().gammaMean)},
                    {"eta", orNull(row.eta())},
                    {"ripple", orNull(row.part().ripple)},
                    {"tests_per_us", row.testsPerUs},
                    {"budget", row.budget},
                    {"cut_share", row.cutShare()},
                    {"us_mean", row.course.usMean()},
                    {"us_max", std::ranges::max(row.course.us)},
                    {"best", bestOf(sweep, row.scenario, row.law) == &row},
                    {"steal", row.stolenShare},
                    {"hash", fmt::format("{:016x}", row.course.hash)}});
  }
  return rows;
}

Json reportOf(const QualityBenchmark& benchmark) {
  Json scenarios = Json::object();
  for (const ScenarioQuality& scenario : benchmark.scenarios) {
    Json& of = scenarios[std::string(nameOf(scenario.scenario))];
    for (const QualityLaw law : kQualityLaws)
      of[std::string(nameOf(law))] = lawJson(scenario.laws[indexOf(law)]);
    of["step_m"] = scenario.stepLength;
    of["steal"] = scenario.stolenShare;
    of["attempts"] = scenario.attempts;
  }
  Json shapes = Json::object();
  for (const ShapeQuality& shape : benchmark.shapes)
    shapes[shape.path.name] = shapeJson(shape);
  const double stolen = benchmark.worstStolenShare();
  return {{"scenarios", scenarios},
          {"shapes", shapes},
          {"sweep", sweepJson(benchmark.sweep)},
          {"sweep_budget_us", benchmark.settings.sweep.budgetUs},
          {"samples", benchmark.settings.samples},
          {"spheres", benchmark.settings.spheres},
          {"triangles", benchmark.settings.triangles},
          {"goals", verdictsJson(benchmark)},
          {"history", historyJson(benchmark)},
          {"valid", stolen <= studies::kMostStolen},
          {"machine", machineJson(stolen)}};
}

/// The samples of a course; `path` is a scenario's or a recorded path's name.
void addCourse(studies::RawTable& table, std::string_view path, QualityLaw law,
               const studies::LawCourse& c) {
  for (std::size_t k = 0; k < c.force.size(); ++k) {
    const auto &f = c.force[k], &t = c.torque[k], &i = c.idealForce[k], &j = c.idealTorque[k];
    table.add(path, nameOf(law), k, f.x(), f.y(), f.z(), t.x(), t.y(), t.z(), i.x(), i.y(), i.z(),
              j.x(), j.y(), j.z(), c.us[k]);
  }
}

studies::RawTable coursesTable(const QualityBenchmark& benchmark) {
  studies::RawTable table(
      "scenario,law,sample,fx,fy,fz,tx,ty,tz,ideal_fx,ideal_fy,ideal_fz,ideal_tx,ideal_ty,ideal_tz,"
      "us");
  for (const ScenarioQuality& scenario : benchmark.scenarios) {
    for (const QualityLaw law : kQualityLaws)
      addCourse(table, nameOf(scenario.scenario), law, scenario.laws[indexOf(law)].course);
  }
  for (const ShapeQuality& shape : benchmark.shapes) {
    for (std::size_t i = 0; i < studies::kShapeLaws.size(); ++i)
      addCourse(table, shape.path.name, studies::kShapeLaws[i], shape.laws[i].course);
  }
  return table;
}

/// The largest jump of each window; a budget of 0 is none.
void addJumps(studies::RawTable& table, std::string_view path, QualityLaw law, double step,
              std::uint32_t budget, const studies::JumpCourse& jumps) {
  for (std::size_t window = 0; window < jumps.byStep.size(); ++window) {
    table.add(path, nameOf(law), budget, window, step, jumps.byStep[window], jumps.byHalf[window]);
  }
}

studies::RawTable jumpsTable(const QualityBenchmark& benchmark) {
  studies::RawTable table("scenario,law,budget,window,step_m,jump,jump_of_half");
  for (const ScenarioQuality& scenario : benchmark.scenarios) {
    const std::string_view name = nameOf(scenario.scenario);
    for (const QualityLaw law : kQualityLaws) {
      const LawQuality& of = scenario.laws[indexOf(law)];
      addJumps(table, name, law, scenario.stepLength, 0, of.course.jumps);
      addJumps(table, name, law, scenario.stepLength, of.budget, of.course.cutJumps);
    }
  }
  for (const ShapeQuality& shape : benchmark.shapes) {
    for (std::size_t i = 0; i < studies::kShapeLaws.size(); ++i) {
      const studies::ShapeLaw& of = shape.laws[i];
      const QualityLaw law = studies::kShapeLaws[i];
      addJumps(table, shape.path.name, law, shape.stepLength, 0, of.course.jumps);
      addJumps(table, shape.path.name, law, shape.stepLength, of.budget, of.course.cutJumps);
    }
  }
  return table;
}

studies::RawTable sweepTable(const QualityBenchmark& benchmark) {
  studies::RawTable table(
      "scenario,law,spheres,budget,sample,tests,us,fx,fy,fz,tx,ty,tz,ideal_fx,ideal_fy,ideal_fz,"
      "ideal_tx,ideal_ty,ideal_tz");
  for (const SweepRow& row : benchmark.sweep) {
    const studies::LawCourse& c = row.course;
    for (std::size_t k = 0; k < c.force.size(); ++k) {
      const auto &f = c.force[k], &t = c.torque[k], &i = c.idealForce[k], &j = c.idealTorque[k];
      table.add(nameOf(row.scenario), nameOf(row.law), row.spheres, row.budget, k, row.tests[k],
                c.us[k], f.x(), f.y(), f.z(), t.x(), t.y(), t.z(), i.x(), i.y(), i.z(), j.x(),
                j.y(), j.z());
    }
  }
  return table;
}

Result<Done> writeReport(const ReportFolder& report, const QualityBenchmark& benchmark,
                         const Json& json) {
  Result<Done> written = report.writeRaw("courses", coursesTable(benchmark));
  if (written) written = report.writeRaw("jumps", jumpsTable(benchmark));
  if (written) written = report.writeRaw("sweep", sweepTable(benchmark));
  if (written) written = report.writeJson("quality", json);
  if (written) written = report.writeText("quality.html", studies::qualityPage(benchmark));
  return written;
}

std::string shown(const std::optional<double>& value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : std::string("-");
}

constexpr const char* kRow =
    "{:<8} {:<10} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>8} {:>7} {:>7} {:>8} {:>8}\n";

void printScenarios(const QualityBenchmark& benchmark) {
  fmt::print(
      "{} samples a path; {} spheres and {} triangles each; angles in degrees, times in us\n",
      benchmark.settings.samples, benchmark.settings.spheres, benchmark.settings.triangles);
  fmt::print(fmt::runtime(kRow), "scenario", "law", "sigma_F", "sigma_T", "gam_F", "max", "gam_T",
             "max", "ripple", "jump", "cut", "stray", "us");
  for (const ScenarioQuality& scenario : benchmark.scenarios) {
    for (const QualityLaw law : kQualityLaws) {
      const LawQuality& q = scenario.laws[indexOf(law)];
      fmt::print(fmt::runtime(kRow), nameOf(scenario.scenario), nameOf(law),
                 shown(q.force.sigma, 4), shown(q.torque.sigma, 4), shown(q.force.gammaMean, 2),
                 shown(q.force.gammaMax, 2), shown(q.torque.gammaMean, 2),
                 shown(q.torque.gammaMax, 2), shown(q.ripple, 4), shown(q.course.jumps.ratio(), 2),
                 shown(q.course.cutJumps.ratio(), 2), shown(q.stray, 4),
                 fmt::format("{:.1f}", q.course.usMean()));
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
}

void printShapes(const QualityBenchmark& benchmark) {
  fmt::print("{} samples of a recorded path, {} spheres and {} triangles each\n",
             benchmark.settings.samplesOfShapes, benchmark.settings.spheres,
             benchmark.settings.trianglesOfShapes);
  fmt::print("{:<15} {:<10} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8}\n", "path", "law",
             "sigma_F", "sigma_T", "gam_F", "max", "gam_T", "max", "jump", "cut", "us");
  for (const ShapeQuality& shape : benchmark.shapes) {
    for (std::size_t i = 0; i < studies::kShapeLaws.size(); ++i) {
      const studies::ShapeLaw& q = shape.laws[i];
      fmt::print("{:<15} {:<10} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8.1f}\n",
                 shape.path.name, nameOf(studies::kShapeLaws[i]), shown(q.force.sigma, 4),
                 shown(q.torque.sigma, 4), shown(q.force.gammaMean, 2), shown(q.force.gammaMax, 2),
                 shown(q.torque.gammaMean, 2), shown(q.torque.gammaMax, 2),
                 shown(q.course.jumps.ratio(), 2), shown(q.course.cutJumps.ratio(), 2),
                 q.course.usMean());
    }
  }
  fmt::print("\n");
}

void printSweep(const QualityBenchmark& benchmark) {
  fmt::print("resolutions, each within {} us a query\n", benchmark.settings.sweep.budgetUs);
  fmt::print("{:<8} {:<5} {:>8} {:>8} {:>7} {:>8} {:>8} {:>8} {:>7} {:>8}\n", "scenario", "law",
             "spheres", "sigma", "gamma", "eta", "ripple", "tests", "cut", "us");
  for (const SweepRow& row : benchmark.sweep) {
    fmt::print("{:<8} {:<5} {:>8} {:>8} {:>7} {:>8} {:>8} {:>8} {:>6.1f}% {:>8.1f}{}\n",
               nameOf(row.scenario), nameOf(row.law), row.spheres, shown(row.part().sigma, 4),
               shown(row.part().gammaMean, 2), shown(row.eta(), 4), shown(row.part().ripple, 4),
               row.budget, 100.0 * row.cutShare(), row.course.usMean(),
               bestOf(benchmark.sweep, row.scenario, row.law) == &row ? "  least eta" : "");
  }
  fmt::print("\n");
}

void printTable(const QualityBenchmark& benchmark) {
  if (!benchmark.scenarios.empty()) printScenarios(benchmark);
  if (!benchmark.shapes.empty()) printShapes(benchmark);
  if (!benchmark.sweep.empty()) printSweep(benchmark);
  for (const studies::QualityVerdict& verdict : studies::verdictsOf(benchmark)) {
    fmt::print("{:<60} {:>9} {} {:<6} {}\n", verdict.what, shown(verdict.value, 4),
               "<=", verdict.limit, verdict.holds() ? "holds" : "does NOT hold");
  }
  fmt::print("{}", machineText(benchmark.worstStolenShare()));
}

/// Leaves of all there is what `only` names; false if that is nothing.
bool choose(const std::string& only, studies::QualitySettings& settings) {
  if (only.empty()) return true;
  std::erase_if(settings.scenarios,
                [&](studies::QualityScenario scenario) { return nameOf(scenario) != only; });
  std::erase_if(settings.shapes, [&](const studies::RecordedPath& path) {
    return only != "shapes" && path.name != only;
  });
  if (only != "sweep") settings.sweep.spheres.clear();
  return !settings.scenarios.empty() || !settings.shapes.empty() || !settings.sweep.spheres.empty();
}

}  // namespace

ExitCode runBenchQuality(const BenchRequest& request) {
  studies::QualitySettings settings;
  Result<std::vector<studies::RecordedPath>> paths = studies::readPaths(studies::committedPaths());
  if (!paths) {
    complain(paths.error().sentence);
    return ExitCode::WorkFailed;
  }
  settings.shapes = std::move(paths).value();
  settings.sweep.spheres = kResolutions;
  if (request.quick) {
    settings.spheres = kQuickSpheres;
    settings.triangles = kQuickTriangles;
    settings.repetitions = kQuickRepetitions;
    settings.jumpWindows = kQuickWindows;
    settings.samplesOfShapes = kQuickSamplesOfShapes;
    if (request.only.empty()) settings.shapes.resize(1);
    settings.sweep.spheres.resize(kQuickResolutions);
  }
  if (request.spheres) {
    settings.spheres = *request.spheres;
    settings.sweep.spheres = {*request.spheres};
  }
  settings.sweep.triangles = settings.triangles;
  if (!choose(request.only, settings)) {
    complain(
        fmt::format("--only {}: there is no such scenario; there are Ia, Ib, II, III, IV, IV-half, "
                    "shapes, each of their paths, and sweep.",
                    models::printable(request.only)));
    return ExitCode::BadInput;
  }
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
