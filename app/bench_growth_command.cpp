#include "app/bench_growth_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
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
#include "app/temporary_folder.hpp"
#include "models/files/file_label.hpp"
#include "studies/growth/growth_benchmark.hpp"
#include "studies/growth/growth_page.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::Result;
using studies::GrowthBenchmark;
using studies::GrowthColumn;
using studies::GrowthRow;
using studies::GrowthSeries;
using studies::GrowthSettings;
using studies::PowerLaw;

constexpr std::array<std::string_view, 4> kSeries = {"spheres", "triangles", "bodies", "overlap"};

Json orNull(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// What cannot be asked for together, or leaves nothing; empty: all is well.
std::string shapedBy(const GrowthRequest& asked, GrowthSettings& settings) {
  const BenchRequest& request = asked.bench;
  const auto isWanted = [&](std::string_view series) {
    return series.find(request.only) != std::string_view::npos;
  };
  if (std::ranges::none_of(kSeries, isWanted)) {
    return fmt::format("--only {}: there is no such series; there are {}.",
                       models::printable(request.only), fmt::join(kSeries, ", "));
  }
  const auto shape = [&](auto& sizes, std::string_view name, bool hasLargest) -> std::string {
    if (!isWanted(name)) {
      sizes.clear();
      return {};
    }
    if (!hasLargest || !asked.largest) return {};
    const auto first = sizes.front();
    std::erase_if(sizes, [&](const auto size) { return size > *asked.largest; });
    if (!sizes.empty()) return {};
    return fmt::format("--largest {}: the series of {} begins at {}.", *asked.largest, name, first);
  };
  if (asked.largest && std::none_of(kSeries.begin(), kSeries.end() - 1, isWanted))
    return "--largest is for the series of spheres, triangles and bodies; an overlap is a share.";
  for (const std::string& sentence :
       {shape(settings.spheres, "spheres", true), shape(settings.triangles, "triangles", true),
        shape(settings.bodies, "bodies", true)}) {
    if (!sentence.empty()) return sentence;
  }
  if (!isWanted("overlap")) settings.overlaps.clear();
  if (request.spheres) {
    if (settings.triangles.empty() && settings.bodies.empty() && settings.overlaps.empty())
      return "--spheres is for the other series; that of spheres goes on until --largest.";
    settings.spheresOfTriangles = settings.spheresOfBodies = settings.spheresOfOverlaps =
        *request.spheres;
  }
  if (request.poses) settings.poses = *request.poses;
  return {};
}

Json lawJson(const std::optional<PowerLaw>& law) {
  if (!law) return nullptr;
  return {{"exponent", law->exponent},
          {"standard_error", orNull(law->standardError)},
          {"r_squared", orNull(law->rSquared)},
          {"factor", law->factor},
          {"from", law->from},
          {"to", law->to},
          {"points", law->points}};
}

Json seriesJson(const GrowthSeries& series) {
  Json rows = Json::array();
  for (const GrowthRow& row : series.rows) {
    Json one = {{series.name, row.x}};
    for (std::size_t c = 0; c < series.columns.size(); ++c)
      one[series.columns[c].name] = orNull(row.values[c]);
    one["steal"] = row.stolenShare;
    one["attempts"] = row.attempts;
    rows.push_back(std::move(one));
  }
  Json laws;
  for (std::size_t c = 0; c < series.columns.size(); ++c)
    laws[series.columns[c].name] = lawJson(series.lawOf(c));
  return {{"about", series.about},
          {"rows", rows},
          {"exponents", laws},
          {"hash", fmt::format("{:016x}", series.hash())}};
}

Json reportOf(const GrowthBenchmark& benchmark) {
  Json series;
  for (const GrowthSeries& one : benchmark.series)
    series[one.name] = seriesJson(one);
  const double stolen = benchmark.worstStolenShare();
  return {{"series", series},
          {"steady", benchmark.isSteady()},
          {"valid", stolen <= studies::kMostStolen},
          {"machine", machineJson(stolen)}};
}

/// A column each, and what tells whether a row counts.
studies::RawTable rowsTable(const GrowthSeries& series) {
  std::string columns = series.name;
  for (const GrowthColumn& column : series.columns)
    columns += "," + column.name;
  studies::RawTable table(columns + ",steal,attempts,hash");
  for (const GrowthRow& row : series.rows) {
    std::string values;
    for (const double value : row.values) {
      if (!values.empty()) values += ',';
      values += std::isfinite(value) ? fmt::format("{}", value) : std::string();
    }
    table.add(row.x, values, row.stolenShare, row.attempts, fmt::format("{:016x}", row.hash));
  }
  return table;
}

studies::RawTable queriesTable(const GrowthBenchmark& benchmark) {
  studies::RawTable table("series,size,class,pose,method,repetition,us");
  for (const studies::GrowthQueryTimes& query : benchmark.queries) {
    for (std::size_t k = 0; k < query.us.size(); ++k)
      table.add(query.series, query.x, query.stand, query.pose, query.method, k, query.us[k]);
  }
  return table;
}

studies::RawTable stepsTable(const GrowthBenchmark& benchmark) {
  studies::RawTable table("bodies,repetition,step,us");
  for (const studies::GrowthStepTimes& pile : benchmark.steps) {
    for (std::size_t r = 0; r < pile.us.size(); ++r) {
      for (std::size_t k = 0; k < pile.us[r].size(); ++k)
        table.add(pile.bodies, r, k, pile.us[r][k]);
    }
  }
  return table;
}

Result<Done> writeReport(const ReportFolder& report, const GrowthBenchmark& benchmark,
                         const Json& json) {
  Result<Done> written = Done{};
  for (const GrowthSeries& series : benchmark.series) {
    if (written) written = report.writeRaw(series.name, rowsTable(series));
  }
  if (written) written = report.writeRaw("query-times", queriesTable(benchmark));
  if (written) written = report.writeRaw("step-times", stepsTable(benchmark));
  if (written && !benchmark.poses.empty())
    written = report.writeText("configurations.txt", studies::textOf(benchmark.poses));
  if (written) written = report.writeJson("growth", json);
  if (written) written = report.writeText("growth.html", studies::growthPage(benchmark));
  return written;
}

void printSeries(const GrowthSeries& series) {
  fmt::print("\n{}: {}\n{:<23}", series.name, series.about, "");
  for (const GrowthRow& row : series.rows)
    fmt::print(" {:>8}", row.x);
  fmt::print("  exponent\n");
  for (std::size_t c = 0; c < series.columns.size(); ++c) {
    const GrowthColumn& column = series.columns[c];
    const std::string_view unit = studies::unitName(column.unit);
    fmt::print("{:<23}", unit.empty() ? column.name : fmt::format("{} [{}]", column.name, unit));
    for (const double value : series.valuesOf(c))
      fmt::print(" {:>8}", studies::shownValue(value, column.unit, "-"));
    const std::optional<PowerLaw> law = series.lawOf(c);
    if (!law) {
      fmt::print("         -\n");
      continue;
    }
    fmt::print("  {:>8.2f}", law->exponent);
    if (std::isfinite(law->standardError)) fmt::print(" +- {:.2f}", law->standardError);
    if (std::isfinite(law->rSquared)) fmt::print(", R2 {:.3f}", law->rSquared);
    fmt::print(", from {:g}\n", law->from);
  }
  fmt::print("hash {:016x}\n", series.hash());
}

void printTable(const GrowthBenchmark& benchmark) {
  for (const GrowthSeries& series : benchmark.series)
    printSeries(series);
  if (!benchmark.isSteady()) fmt::print("repetitions did NOT compute the same\n");
  fmt::print("\n{}", machineText(benchmark.worstStolenShare()));
}

}  // namespace

ExitCode runBenchGrowth(const GrowthRequest& request) {
  GrowthSettings settings = studies::growthSettings(request.bench.quick);
  if (const std::string sentence = shapedBy(request, settings); !sentence.empty()) {
    complain(sentence);
    return ExitCode::BadInput;
  }
  const TemporaryFolder files;
  if (files.path().empty()) {
    complain(TemporaryFolder::kNotToBeHad);
    return ExitCode::WorkFailed;
  }
  const Result<std::optional<ReportFolder>> report = openReport(request.bench);
  if (!report) {
    complain(report.error().sentence);
    return ExitCode::BadInput;
  }
  settings.folder = files.path();
  settings.onStep = tellStep;
  const Result<GrowthBenchmark> benchmark = studies::benchmarkGrowth(settings);
  if (!benchmark) {
    complain(benchmark.error().sentence);
    return ExitCode::WorkFailed;
  }
  const Json json = reportOf(benchmark.value());
  return handOver(
      request.bench.asJson, json, report.value(),
      [&](const ReportFolder& folder) { return writeReport(folder, benchmark.value(), json); },
      [&] { printTable(benchmark.value()); });
}

}  // namespace tactus::app
