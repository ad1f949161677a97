#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "app/bench_frame.hpp"
#include "app/commands.hpp"
#include "app/figures_text.hpp"
#include "app/machine_json.hpp"
#include "app/object_source.hpp"
#include "app/report_folder.hpp"
#include "models/files/file_label.hpp"
#include "studies/fcl_peer.hpp"
#include "studies/performance_benchmark.hpp"
#include "studies/performance_figures.hpp"
#include "studies/performance_page.hpp"

namespace tactus::app {
namespace {

using models::Done;
using models::Result;
using studies::PerformanceBenchmark;
using studies::PerformanceMethod;
using studies::PosePerformance;
using studies::WantedStand;
using Kind = studies::WantedStand::Kind;

constexpr std::array kMethods = {PerformanceMethod::Ist,         PerformanceMethod::IstVolume,
                                 PerformanceMethod::IstTextbook, PerformanceMethod::Vps,
                                 PerformanceMethod::VpsPlain,    PerformanceMethod::Fcl,
                                 PerformanceMethod::FclContacts, PerformanceMethod::Bullet};

// What they are measured against.
constexpr std::array kYardsticks = {PerformanceMethod::IstTextbook, PerformanceMethod::VpsPlain,
                                    PerformanceMethod::Fcl};

// What `--quick` leaves of the committed set, so that it ends within a minute.
constexpr std::uint64_t kQuickSpheres = 10'000;
constexpr std::size_t kQuickPairs = 3;
constexpr std::size_t kQuickPoses = 12;

/// Leaves the first poses of each class.
void shorten(std::vector<studies::ConfigurationSet>& sets, std::size_t poses) {
  for (studies::ConfigurationSet& set : sets) {
    std::vector<studies::OverlapConfiguration> kept;
    for (const studies::OverlapConfiguration& configuration : set.configurations) {
      const auto sofar = static_cast<std::size_t>(
          std::ranges::count(kept, configuration.wanted, &studies::OverlapConfiguration::wanted));
      if (sofar < poses) kept.push_back(configuration);
    }
    set.configurations = std::move(kept);
  }
}

/// All classes that there are poses of, in their order.
std::vector<WantedStand> standsOf(const PerformanceBenchmark& benchmark) {
  std::vector<WantedStand> stands;
  for (const PosePerformance& pose : benchmark.poses) {
    const WantedStand& stand = pose.configuration.wanted;
    if (std::ranges::find(stands, stand) == stands.end()) stands.push_back(stand);
  }
  std::ranges::sort(stands, [](const WantedStand& a, const WantedStand& b) {
    return a.kind != b.kind ? a.kind == Kind::Gap : a.share < b.share;
  });
  return stands;
}

std::vector<WantedStand> gapsAmong(std::vector<WantedStand> stands) {
  std::erase_if(stands, [](const WantedStand& stand) { return stand.kind != Kind::Gap; });
  return stands;
}

/// FCL is asked for distances of gaps and contacts of overlaps: one key has both.
std::string keyOf(PerformanceMethod method) {
  return std::string(
      nameOf(method == PerformanceMethod::FclContacts ? PerformanceMethod::Fcl : method));
}

Json methodJson(const PerformanceBenchmark& benchmark, PerformanceMethod method,
                const WantedStand& stand) {
  const studies::TimingFigures figures = figuresOf(benchmark, method, {stand});
  if (figures.count == 0) return nullptr;
  const studies::MeanWork work = meanWorkOf(benchmark, method, stand);
  const studies::RelativeError error = errorOf(benchmark, method, stand);
  return {{"us_mean", figures.mean},
          {"us_p50", figures.p50},
          {"us_p99", figures.p99},
          {"us_p999", figures.p999},
          {"us_max", figures.max},
          {"poses", figures.count},
          {"pair_tests", work.pairTests},
          {"node_pairs", work.nodePairs},
          {"leaf_pairs", work.leafPairs},
          {"cubes", work.cubes},
          {"facet_pairs", work.facetPairs},
          {"error_mean", isComparable(method, stand.kind) ? Json(error.mean) : Json(nullptr)},
          {"error_max", isComparable(method, stand.kind) ? Json(error.max) : Json(nullptr)}};
}

Json ratioJson(const PerformanceBenchmark& benchmark, PerformanceMethod method,
               const std::vector<WantedStand>& stands) {
  const std::optional<studies::SpeedRatio> ratio =
      ratioTo(comparedWith(method), benchmark, method, stands);
  if (!ratio) return nullptr;
  Json pairs;
  for (std::size_t p = 0; p < benchmark.pairs.size(); ++p) {
    if (!std::isnan(ratio->ofPairs[p]))
      pairs[benchmark.pairs[p].a + " " + benchmark.pairs[p].b] = ratio->ofPairs[p];
  }
  return {{"of_means", ratio->ofMeans}, {"least", ratio->least()}, {"pairs", pairs}};
}

Json ratiosJson(const PerformanceBenchmark& benchmark, const std::vector<WantedStand>& stands) {
  Json ratios;
  for (const PerformanceMethod method : kYardsticks) {
    Json& ofMethod = ratios[std::string(nameOf(method))];
    for (const WantedStand& stand : stands) {
      if (Json ratio = ratioJson(benchmark, method, {stand}); !ratio.is_null())
        ofMethod[nameOf(stand)] = std::move(ratio);
    }
  }
  if (Json all = ratioJson(benchmark, PerformanceMethod::Fcl, gapsAmong(stands)); !all.is_null())
    ratios["fcl"]["all"] = std::move(all);
  return ratios;
}

Json agreementJson(const PerformanceBenchmark& benchmark) {
  Json agreement;
  for (const PerformanceMethod method : kYardsticks) {
    const std::optional<studies::RelativeError> off = differenceToOurs(benchmark, method);
    agreement[std::string(nameOf(method))] = off ? Json(off->max) : Json(nullptr);
  }
  return agreement;
}

bool isSteady(const PerformanceBenchmark& benchmark) {
  return std::ranges::all_of(benchmark.pairs, &studies::PairPerformance::isSteady);
}

Json reportOf(const PerformanceBenchmark& benchmark) {
  const std::vector<WantedStand> stands = standsOf(benchmark);
  Json classes;
  for (const WantedStand& stand : stands) {
    Json& ofClass = classes[nameOf(stand)];
    for (const PerformanceMethod method : kMethods) {
      if (Json figures = methodJson(benchmark, method, stand); !figures.is_null())
        ofClass[keyOf(method)] = std::move(figures);
    }
  }
  Json build;
  for (const studies::PerformanceModel& model : benchmark.models)
    build[model.name] = figuresJson(model.figures);
  Json peers = Json::array();
  Json stolen = Json::array();
  for (const studies::PairPerformance& pair : benchmark.pairs) {
    peers.push_back({{"a", pair.a},
                     {"b", pair.b},
                     {"ist_textbook_seconds", pair.textbookSeconds},
                     {"vps_plain_seconds", pair.plainSeconds},
                     {"fcl_seconds", pair.fclSeconds},
                     {"fcl_contacts_seconds", pair.fclContactsSeconds},
                     {"bullet_seconds", pair.bulletSeconds}});
    stolen.push_back({{"a", pair.a},
                      {"b", pair.b},
                      {"steal", pair.stolenShare},
                      {"attempts", pair.attempts},
                      {"interrupted", pair.interrupted}});
  }
  Json hashes;
  for (const PerformanceMethod method : kMethods)
    hashes[std::string(nameOf(method))] = fmt::format("{:016x}", hashOf(benchmark, method));
  const studies::ThreadScaling scaling = threadScalingOf(benchmark);
  return {{"spheres", benchmark.spheres},
          {"repetitions", benchmark.repetitions},
          {"valid", benchmark.isValid()},
          {"steady", isSteady(benchmark)},
          {"machine", machineJson(benchmark.worstStolenShare())},
          {"classes", classes},
          {"ratios", ratiosJson(benchmark, stands)},
          {"two_threads",
           {{"one_thread_per_s", scaling.oneThread},
            {"two_threads_per_s", scaling.twoThreads},
            {"ratio", scaling.ratio},
            {"ceiling", scaling.ceiling}}},
          {"agreement", agreementJson(benchmark)},
          {"build", build},
          {"build_peers", peers},
          {"hash", hashes},
          {"stolen", stolen}};
}

studies::RawTable timingsTable(const PerformanceBenchmark& benchmark) {
  studies::RawTable table("pose,pair,class,method,repetition,us");
  for (std::size_t p = 0; p < benchmark.poses.size(); ++p) {
    const PosePerformance& pose = benchmark.poses[p];
    for (const PerformanceMethod method : kMethods) {
      const std::vector<double>& times = pose.times[static_cast<std::size_t>(method)];
      for (std::size_t k = 0; k < times.size(); ++k)
        table.add(p, pose.pair, nameOf(pose.configuration.wanted), keyOf(method), k, times[k]);
    }
  }
  return table;
}

studies::RawTable answersTable(const PerformanceBenchmark& benchmark) {
  studies::RawTable table(
      "pose,pair,a,b,class,tx,ty,tz,qw,qx,qy,qz,exact,method,volume,distance,pair_tests,node_pairs,"
      "leaf_pairs,cubes,facet_pairs,contacts,hash");
  for (std::size_t p = 0; p < benchmark.poses.size(); ++p) {
    const PosePerformance& pose = benchmark.poses[p];
    const studies::PairPerformance& pair = benchmark.pairs[pose.pair];
    const auto& at = pose.configuration.pose;
    for (const PerformanceMethod method : kMethods) {
      const auto m = static_cast<std::size_t>(method);
      if (pose.times[m].empty()) continue;
      const studies::QueryAnswer& answer = pose.answers[m];
      table.add(p, pose.pair, pair.a, pair.b, nameOf(pose.configuration.wanted), at[0], at[1],
                at[2], at[3], at[4], at[5], at[6], pose.configuration.exact, keyOf(method),
                answer.volume, answer.distance, answer.work.pairTests, answer.work.nodePairs,
                answer.work.leafPairs, answer.work.cubes, answer.work.facetPairs, answer.contacts,
                fmt::format("{:016x}", answer.hash));
    }
  }
  return table;
}

studies::RawTable threadsTable(const PerformanceBenchmark& benchmark) {
  studies::RawTable table(
      "pair,a,b,round,one_thread_per_s,two_threads_per_s,one_spinning_per_s,two_spinning_per_s,"
      "steal,attempts");
  for (std::size_t p = 0; p < benchmark.pairs.size(); ++p) {
    const studies::PairPerformance& pair = benchmark.pairs[p];
    for (std::size_t round = 0; round < pair.oneThread.size(); ++round) {
      table.add(p, pair.a, pair.b, round, pair.oneThread[round], pair.twoThreads[round],
                pair.oneSpinning[round], pair.twoSpinning[round], pair.stolenShare, pair.attempts);
    }
  }
  return table;
}

Result<Done> writeReport(const ReportFolder& report, const PerformanceBenchmark& benchmark,
                         const Json& json) {
  Result<Done> written = report.writeRaw("timings", timingsTable(benchmark));
  if (written) written = report.writeRaw("answers", answersTable(benchmark));
  if (written) written = report.writeRaw("two-threads", threadsTable(benchmark));
  if (written) written = report.writeJson("performance", json);
  if (written) {
    written = report.writeText("performance.html",
                               studies::performancePage(benchmark, standsOf(benchmark)));
  }
  return written;
}

void printRatios(const PerformanceBenchmark& benchmark, PerformanceMethod method,
                 const std::vector<WantedStand>& stands, const std::string& of) {
  const std::optional<studies::SpeedRatio> ratio =
      ratioTo(comparedWith(method), benchmark, method, stands);
  if (!ratio) return;
  fmt::print("{:<13} {:<7} {:>6.1f} times the time of {}; of the pairs", nameOf(method), of,
             ratio->ofMeans, nameOf(comparedWith(method)));
  for (const double pair : ratio->ofPairs)
    fmt::print(" {:.1f}", pair);
  fmt::print("\n");
}

void printTable(const PerformanceBenchmark& benchmark) {
  const std::vector<WantedStand> stands = standsOf(benchmark);
  fmt::print("{} spheres, {} poses of {} pairs, median of {}; times in microseconds\n",
             benchmark.spheres, benchmark.poses.size(), benchmark.pairs.size(),
             benchmark.repetitions);
  fmt::print("{:<7} {:<13} {:>9} {:>9} {:>9} {:>9} {:>9} {:>11} {:>9} {:>8} {:>8} {:>10}\n",
             "class", "method", "mean", "p50", "p99", "p99.9", "max", "pair tests", "leaf prs",
             "cubes", "facets", "mean error");
  for (const WantedStand& stand : stands) {
    for (const PerformanceMethod method : kMethods) {
      const studies::TimingFigures figures = figuresOf(benchmark, method, {stand});
      if (figures.count == 0) continue;
      const studies::MeanWork work = meanWorkOf(benchmark, method, stand);
      fmt::print(
          "{:<7} {:<13} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f} {:>11.0f} {:>9.0f} {:>8.0f} "
          "{:>8.0f} {}\n",
          nameOf(stand), nameOf(method), figures.mean, figures.p50, figures.p99, figures.p999,
          figures.max, work.pairTests, work.leafPairs, work.cubes, work.facetPairs,
          isComparable(method, stand.kind)
              ? fmt::format("{:>9.4f}%", 100.0 * errorOf(benchmark, method, stand).mean)
              : fmt::format("{:>10}", "-"));
    }
  }
  for (const WantedStand& stand : stands) {
    if (stand.kind == Kind::Overlap)
      printRatios(benchmark, PerformanceMethod::IstTextbook, {stand}, nameOf(stand));
  }
  for (const WantedStand& stand : stands) {
    if (stand.kind == Kind::Overlap)
      printRatios(benchmark, PerformanceMethod::VpsPlain, {stand}, nameOf(stand));
  }
  for (const WantedStand& stand : gapsAmong(stands))
    printRatios(benchmark, PerformanceMethod::Fcl, {stand}, nameOf(stand));
  printRatios(benchmark, PerformanceMethod::Fcl, gapsAmong(stands), "all d");
  const studies::ThreadScaling scaling = threadScalingOf(benchmark);
  fmt::print(
      "two threads: {:.2f} times the {:.0f} queries a second of one (plain arithmetic: {:.2f})\n",
      scaling.ratio, scaling.oneThread, scaling.ceiling);
  fmt::print("hashes:");
  for (const PerformanceMethod method : kMethods)
    fmt::print(" {} {:016x}", nameOf(method), hashOf(benchmark, method));
  fmt::print("{}\n", isSteady(benchmark) ? "" : "; repetitions did NOT give the same bits");
  if (!studies::FclPeer::isThere()) fmt::print("this program was built without FCL\n");
  fmt::print("{}", machineText(benchmark.worstStolenShare()));
}

}  // namespace

ExitCode runBenchPerformance(const BenchRequest& request) {
  Result<std::vector<studies::ConfigurationSet>> sets =
      studies::readConfigurations(studies::committedConfigurations());
  if (!sets) {
    complain(sets.error().sentence);
    return ExitCode::WorkFailed;
  }
  studies::PerformanceSettings settings;
  settings.sets = std::move(sets).value();
  std::string names;
  for (const studies::ConfigurationSet& set : settings.sets) {
    names += fmt::format("{}'{} {}'", names.empty() ? "" : ", ", set.a, set.b);
  }
  std::erase_if(settings.sets, [&](const studies::ConfigurationSet& set) {
    return (set.a + " " + set.b).find(request.only) == std::string::npos;
  });
  if (settings.sets.empty()) {
    complain(fmt::format("--only {}: there is no such pair; there are {}.",
                         models::printable(request.only), names));
    return ExitCode::BadInput;
  }
  if (request.quick) {
    settings.sets.resize(std::min(settings.sets.size(), kQuickPairs));
    shorten(settings.sets, kQuickPoses);
    settings.spheres = kQuickSpheres;
    settings.repetitions = 3;
    settings.threadRounds = 3;
  }
  if (request.poses) shorten(settings.sets, *request.poses);
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
  const Result<PerformanceBenchmark> benchmark = studies::benchmarkPerformance(settings);
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
