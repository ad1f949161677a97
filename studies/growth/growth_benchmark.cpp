#include "studies/growth/growth_benchmark.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "collision/cache/collision_object.hpp"
#include "models/builtin.hpp"
#include "studies/growth/body_pile.hpp"
#include "studies/pack_benchmark.hpp"
#include "studies/performance_benchmark.hpp"
#include "studies/performance_figures.hpp"
#include "studies/report_text.hpp"
#include "studies/stolen_time.hpp"
#include "studies/timing_figures.hpp"

namespace tactus::studies {
namespace {

using models::Done;
using models::Mesh;
using models::Result;
using Kind = WantedStand::Kind;
using Method = PerformanceMethod;
using Unit = GrowthUnit;

// Grown, with thick and thin parts: it takes any number of spheres, as a ball or a box does not.
constexpr const char* kModel = "rhino";

constexpr WantedStand kGap{Kind::Gap, 0.05};
constexpr WantedStand kOverlap{Kind::Overlap, 0.01};

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

WantedStand standOf(double overlap) {
  if (overlap > 0.0) return {Kind::Overlap, overlap};
  return {Kind::Gap, kNoOverlap};
}

std::string modelOf(std::size_t triangles) {
  return std::string(kModel) + "@" + std::to_string(triangles);
}

double buildSecondsOf(const collision::BuildFigures& f) {
  return f.checkSeconds + f.packSeconds + f.cellsSeconds + f.treeSeconds + f.facetsSeconds +
         f.voxmapSeconds + f.pointsSeconds;
}

/// The parts of a set that are of some classes.
ConfigurationSet onlyOf(const ConfigurationSet& set, const std::vector<WantedStand>& stands) {
  ConfigurationSet part{set.a, set.b, set.seed, {}};
  for (const OverlapConfiguration& configuration : set.configurations) {
    if (std::ranges::find(stands, configuration.wanted) != stands.end())
      part.configurations.push_back(configuration);
  }
  return part;
}

double meanTime(const PerformanceBenchmark& asked, Method method, const WantedStand& stand) {
  const TimingFigures figures = figuresOf(asked, method, {stand});
  return figures.count > 0 ? figures.mean : kNan;
}

double meanTests(const PerformanceBenchmark& asked, Method method, const WantedStand& stand) {
  if (figuresOf(asked, method, {stand}).count == 0) return kNan;
  return meanWorkOf(asked, method, stand).pairTests;
}

/// The volume that the trees find, over the object's.
double shareFound(const PerformanceBenchmark& asked, const WantedStand& stand, double volume) {
  double sum = 0.0;
  double count = 0.0;
  for (const PosePerformance& pose : asked.poses) {
    if (!(pose.configuration.wanted == stand)) continue;
    sum += pose.answers[static_cast<std::size_t>(Method::Ist)].volume;
    count += 1.0;
  }
  return count > 0.0 ? sum / (count * volume) : kNan;
}

/// A value with the column it stands in.
struct Cell {
  GrowthColumn column;
  double value = 0.0;
};

Cell seconds(std::string name, double value) {
  return {{std::move(name), Unit::Seconds, true}, value};
}
Cell microseconds(std::string name, double value) {
  return {{std::move(name), Unit::Microseconds, true}, value};
}
Cell peak(std::size_t bytes) {
  return {{"peak_bytes", Unit::Bytes, true}, static_cast<double>(bytes)};
}
Cell computed(std::string name, Unit unit, double value) {
  return {{std::move(name), unit, false}, value};
}

/// All rows of a series have the same columns.
void append(GrowthSeries& series, GrowthRow row, std::vector<Cell> cells) {
  row.values.reserve(cells.size());
  for (const Cell& cell : cells)
    row.values.push_back(cell.value);
  if (series.columns.empty()) {
    series.columns.reserve(cells.size());
    for (Cell& cell : cells)
      series.columns.push_back(std::move(cell.column));
  }
  series.rows.push_back(std::move(row));
}

GrowthRow rowOf(double x, const PerformanceBenchmark& asked) {
  GrowthRow row;
  row.x = x;
  constexpr std::uint64_t kPrime = 0x100000001b3U;
  for (std::size_t m = 0; m < kPerformanceMethods; ++m)
    row.hash = (row.hash * kPrime) ^ studies::hashOf(asked, static_cast<Method>(m));
  row.isSteady = asked.pairs.front().isSteady;
  row.stolenShare = asked.pairs.front().stolenShare;
  row.attempts = asked.pairs.front().attempts;
  return row;
}

/// One whose object was built for it alone.
GrowthRow rowOf(double x, const PerformanceBenchmark& asked, const PackTiming& timing) {
  GrowthRow row = rowOf(x, asked);
  row.stolenShare = std::max(row.stolenShare, timing.stolenShare);
  row.attempts = std::max(row.attempts, timing.attempts);
  return row;
}

std::vector<Cell> cellsOfSpheres(const PackTiming& timing, const PerformanceBenchmark& asked) {
  const collision::BuildFigures& f = timing.figures;
  return {seconds("pack_seconds", f.packSeconds),
          seconds("cells_seconds", f.cellsSeconds),
          seconds("tree_seconds", f.treeSeconds - f.fieldSeconds),
          seconds("fields_seconds", f.fieldSeconds + f.depthsSeconds),
          seconds("voxmap_seconds", f.voxmapSeconds),
          seconds("points_seconds", f.pointsSeconds),
          seconds("build_seconds", buildSecondsOf(f)),
          microseconds("ist_us", meanTime(asked, Method::Ist, kOverlap)),
          microseconds("ist_volume_us", meanTime(asked, Method::IstVolume, kOverlap)),
          microseconds("vps_us", meanTime(asked, Method::Vps, kOverlap)),
          computed("bytes", Unit::Bytes, static_cast<double>(timing.bytes)),
          peak(timing.peakBytes),
          computed("ist_tests", Unit::Count, meanTests(asked, Method::Ist, kOverlap)),
          computed("vps_tests", Unit::Count, meanTests(asked, Method::Vps, kOverlap)),
          computed("volume_error", Unit::Share, errorOf(asked, Method::Ist, kOverlap).mean)};
}

std::vector<Cell> cellsOfTriangles(const PackTiming& timing, const PerformanceBenchmark& asked) {
  const collision::BuildFigures& f = timing.figures;
  const MeanWork apart = meanWorkOf(asked, Method::Ist, kGap);
  return {seconds("check_seconds", f.checkSeconds),
          seconds("pack_seconds", f.packSeconds),
          seconds("cells_seconds", f.cellsSeconds),
          seconds("facets_seconds", f.facetsSeconds - f.depthsSeconds),
          seconds("voxmap_seconds", f.voxmapSeconds),
          seconds("points_seconds", f.pointsSeconds),
          seconds("build_seconds", buildSecondsOf(f)),
          microseconds("distance_us", meanTime(asked, Method::Ist, kGap)),
          microseconds("vps_distance_us", meanTime(asked, Method::Vps, kGap)),
          microseconds("ist_us", meanTime(asked, Method::Ist, kOverlap)),
          microseconds("ist_volume_us", meanTime(asked, Method::IstVolume, kOverlap)),
          microseconds("vps_us", meanTime(asked, Method::Vps, kOverlap)),
          computed("bytes", Unit::Bytes, static_cast<double>(timing.bytes)),
          peak(timing.peakBytes),
          computed("facet_nodes", Unit::Count, apart.nodePairs),
          computed("facet_pairs", Unit::Count, apart.facetPairs),
          computed("overlap_found", Unit::Share, shareFound(asked, kOverlap, f.volume))};
}

std::vector<Cell> cellsOfPile(const PileTiming& pile) {
  const TimingFigures steps = figuresOf(pile.medians());
  return {microseconds("step_us_mean", steps.mean),
          microseconds("step_us_p50", steps.p50),
          microseconds("step_us_p99", steps.p99),
          peak(pile.peakBytes),
          computed("contacts", Unit::Count, pile.contacts),
          computed("asked", Unit::Count, pile.asked),
          computed("carried", Unit::Count, pile.carried),
          computed("tests", Unit::Count, pile.tests),
          computed("dropped", Unit::Count, static_cast<double>(pile.dropped)),
          computed("lost", Unit::Count, static_cast<double>(pile.lost))};
}

std::vector<Cell> cellsOfOverlap(const WantedStand& stand, const PerformanceBenchmark& asked) {
  return {microseconds("ist_us", meanTime(asked, Method::Ist, stand)),
          microseconds("ist_volume_us", meanTime(asked, Method::IstVolume, stand)),
          microseconds("ist_textbook_us", meanTime(asked, Method::IstTextbook, stand)),
          microseconds("vps_us", meanTime(asked, Method::Vps, stand)),
          computed("ist_tests", Unit::Count, meanTests(asked, Method::Ist, stand)),
          computed("ist_textbook_tests", Unit::Count, meanTests(asked, Method::IstTextbook, stand)),
          computed("vps_tests", Unit::Count, meanTests(asked, Method::Vps, stand)),
          computed("volume_error", Unit::Share,
                   stand.kind == Kind::Overlap ? errorOf(asked, Method::Ist, stand).mean : kNan)};
}

/// Series after series.
class Growth {
 public:
  explicit Growth(const GrowthSettings& settings)
      : settings_(settings),
        asksPoses_(!settings.spheres.empty() || !settings.triangles.empty() ||
                   !settings.overlaps.empty()),
        steps_(settings.spheres.size() + settings.triangles.size() + settings.bodies.size() +
               (settings.overlaps.empty() ? 0 : 1) + (asksPoses_ ? 1 : 0)) {}

  Result<GrowthBenchmark> run() {
    Result<Done> done = findPoses();
    if (done) done = growSpheres();
    if (done) done = growTriangles();
    if (done) done = growBodies();
    if (done) done = growOverlaps();
    if (!done) return done.error();
    return std::move(benchmark_);
  }

 private:
  void tell(const char* step, const std::string& what) {
    if (settings_.onStep) settings_.onStep({++step_, steps_, step, what});
  }

  Result<Done> findPoses() {
    if (!asksPoses_) return Done{};
    tell("poses", modelOf(settings_.usualTriangles));
    ConfigurationPlan plan;
    plan.a = plan.b = modelOf(settings_.usualTriangles);
    plan.posesPerStand = settings_.poses;
    const auto want = [&](const WantedStand& stand) {
      if (std::ranges::find(plan.stands, stand) == plan.stands.end()) plan.stands.push_back(stand);
    };
    if (!settings_.triangles.empty()) want(kGap);
    if (!settings_.triangles.empty() || !settings_.spheres.empty()) want(kOverlap);
    for (const double overlap : settings_.overlaps)
      want(standOf(overlap));
    Result<ConfigurationSet> found = findConfigurations(plan, settings_.threads);
    if (!found) return found.error();
    benchmark_.poses.push_back(std::move(found).value());
    return Done{};
  }

  [[nodiscard]] Result<Mesh> makeModel(std::size_t triangles) const {
    return models::makeBuiltin(kModel, triangles, settings_.threads);
  }

  [[nodiscard]] Result<BuiltPack> build(const Mesh& mesh, std::size_t triangles,
                                        std::uint64_t spheres) const {
    PackBenchmarkSettings how;
    how.folder = settings_.folder;
    how.threads = settings_.threads;
    return buildPack({kModel, triangles, spheres, collision::PackingMethod::Protosphere}, mesh,
                     how);
  }

  [[nodiscard]] Result<PerformanceBenchmark> ask(const BuiltPack& built,
                                                 const std::vector<WantedStand>& stands,
                                                 std::vector<Method> methods) const {
    PerformanceSettings how;
    how.sets = {onlyOf(benchmark_.poses.front(), stands)};
    how.spheres = built.timing.task.spheres;
    how.repetitions = settings_.repetitions;
    how.threadRounds = 0;
    how.methods = std::move(methods);
    how.open = [&built](const std::string&, const collision::BuildParameters&) {
      return Result<collision::CollisionObject>(built.object);
    };
    return benchmarkPerformance(how);
  }

  /// `xOf` a stand.
  template <typename SizeOfStand>
  void keepTimes(const GrowthSeries& series, const PerformanceBenchmark& asked,
                 const SizeOfStand& xOf) {
    for (std::size_t p = 0; p < asked.poses.size(); ++p) {
      const PosePerformance& pose = asked.poses[p];
      const WantedStand& stand = pose.configuration.wanted;
      for (std::size_t m = 0; m < kPerformanceMethods; ++m) {
        if (pose.times[m].empty()) continue;
        benchmark_.queries.push_back({series.name, xOf(stand), nameOf(stand), p,
                                      std::string(nameOf(static_cast<Method>(m))), pose.times[m]});
      }
    }
  }

  Result<Done> growSpheres() {
    if (settings_.spheres.empty()) return Done{};
    const Result<Mesh> mesh = makeModel(settings_.usualTriangles);
    if (!mesh) return mesh.error();
    GrowthSeries series;
    series.name = "spheres";
    series.variable = "spheres, and as many points";
    series.about = "A rhino of " + std::to_string(settings_.usualTriangles) +
                   " triangles; queries with itself at an overlap of 1 %.";
    for (const std::uint64_t spheres : settings_.spheres) {
      tell("spheres", std::to_string(spheres));
      const Result<BuiltPack> built = build(mesh.value(), settings_.usualTriangles, spheres);
      if (!built) return built.error();
      const Result<PerformanceBenchmark> asked =
          ask(built.value(), {kOverlap}, {Method::Ist, Method::IstVolume, Method::Vps});
      if (!asked) return asked.error();
      const PackTiming& timing = built.value().timing;
      const auto x = static_cast<double>(timing.figures.spheres);
      append(series, rowOf(x, asked.value(), timing), cellsOfSpheres(timing, asked.value()));
      keepTimes(series, asked.value(), [x](const WantedStand&) { return x; });
    }
    benchmark_.series.push_back(std::move(series));
    return Done{};
  }

  Result<Done> growTriangles() {
    if (settings_.triangles.empty()) return Done{};
    GrowthSeries series;
    series.name = "triangles";
    series.variable = "triangles";
    series.about = "A rhino of " + std::to_string(settings_.spheresOfTriangles) +
                   " spheres and as many points; distances from itself at a gap of 5 % of its "
                   "size, volumes at an overlap of 1 %, at the same poses for all.";
    for (const std::size_t triangles : settings_.triangles) {
      tell("triangles", std::to_string(triangles));
      const Result<Mesh> mesh = makeModel(triangles);
      if (!mesh) return mesh.error();
      const Result<BuiltPack> built = build(mesh.value(), triangles, settings_.spheresOfTriangles);
      if (!built) return built.error();
      const Result<PerformanceBenchmark> asked =
          ask(built.value(), {kGap, kOverlap}, {Method::Ist, Method::IstVolume, Method::Vps});
      if (!asked) return asked.error();
      const PackTiming& timing = built.value().timing;
      const auto x = static_cast<double>(timing.figures.triangles);
      append(series, rowOf(x, asked.value(), timing), cellsOfTriangles(timing, asked.value()));
      keepTimes(series, asked.value(), [x](const WantedStand&) { return x; });
    }
    benchmark_.series.push_back(std::move(series));
    return Done{};
  }

  Result<Done> growBodies() {
    if (settings_.bodies.empty()) return Done{};
    const Result<PileBodies> of =
        makePileBodies(settings_.usualTriangles, settings_.spheresOfBodies, settings_.threads);
    if (!of) return of.error();
    GrowthSeries series;
    series.name = "bodies";
    series.variable = "bodies in a pile";
    series.about = "Rhinos of " + std::to_string(settings_.usualTriangles) + " triangles and " +
                   std::to_string(settings_.spheresOfBodies) +
                   " spheres that were dropped on a floor; steps of a millisecond, nothing asleep.";
    series.decades = 1.0;
    for (const std::size_t bodies : settings_.bodies) {
      tell("bodies", std::to_string(bodies));
      PileTiming pile;
      GrowthRow row;
      for (row.attempts = 1;; ++row.attempts) {
        const StolenTime stolen;
        pile = timePile(of.value(), {.bodies = bodies,
                                     .settleSteps = settings_.settleSteps,
                                     .steps = settings_.pileSteps,
                                     .repetitions = settings_.pileRepetitions});
        row.stolenShare = stolen.share();
        if (row.stolenShare <= kMostStolen || row.attempts == kMostAttempts) break;
      }
      row.x = static_cast<double>(bodies);
      row.hash = pile.hash;
      row.isSteady = pile.isSteady;
      append(series, std::move(row), cellsOfPile(pile));
      benchmark_.steps.push_back({bodies, std::move(pile.times)});
    }
    benchmark_.series.push_back(std::move(series));
    return Done{};
  }

  Result<Done> growOverlaps() {
    if (settings_.overlaps.empty()) return Done{};
    tell("overlaps", std::to_string(settings_.spheresOfOverlaps) + " spheres");
    const Result<Mesh> mesh = makeModel(settings_.usualTriangles);
    if (!mesh) return mesh.error();
    const Result<BuiltPack> built =
        build(mesh.value(), settings_.usualTriangles, settings_.spheresOfOverlaps);
    if (!built) return built.error();
    GrowthSeries series;
    series.name = "overlap";
    series.variable = "overlap, as a share of the volume";
    series.about = "Two rhinos of " + std::to_string(settings_.usualTriangles) + " triangles, " +
                   std::to_string(built.value().timing.figures.spheres) +
                   " spheres and as many points; at an overlap of 0 they are " +
                   fixedText(100.0 * kNoOverlap, 0) + " % of their size apart.";
    std::vector<WantedStand> stands;
    stands.reserve(settings_.overlaps.size());
    for (const double overlap : settings_.overlaps)
      stands.push_back(standOf(overlap));
    const Result<PerformanceBenchmark> asked = ask(
        built.value(), stands, {Method::Ist, Method::IstVolume, Method::IstTextbook, Method::Vps});
    if (!asked) return asked.error();
    const auto xOf = [](const WantedStand& stand) {
      return stand.kind == Kind::Overlap ? stand.share : 0.0;
    };
    for (const WantedStand& stand : stands)
      append(series, rowOf(xOf(stand), asked.value()), cellsOfOverlap(stand, asked.value()));
    keepTimes(series, asked.value(), xOf);
    benchmark_.series.push_back(std::move(series));
    return Done{};
  }

  const GrowthSettings& settings_;
  GrowthBenchmark benchmark_;
  bool asksPoses_;
  std::size_t step_ = 0, steps_;
};

}  // namespace

GrowthSettings growthSettings(bool quick) {
  GrowthSettings settings;
  settings.spheres = {1'000, 3'000, 10'000, 30'000};
  settings.triangles = {1'000, 3'000, 10'000, 30'000, 100'000};
  settings.bodies = {2, 5, 10, 20};
  settings.overlaps = {0.0, 0.001, 0.01, 0.03, 0.1, 0.3, 0.5};
  if (quick) {
    settings.spheresOfOverlaps = 10'000;
    settings.spheresOfBodies = 2'000;
    settings.poses = 8;
    settings.repetitions = 3;
    settings.settleSteps = 600;
    settings.pileSteps = 200;
    return settings;
  }
  settings.spheres.insert(settings.spheres.end(), {100'000, 300'000, 1'000'000});
  settings.triangles.insert(settings.triangles.end(), {300'000, 1'000'000});
  settings.bodies.insert(settings.bodies.end(), {50, 100});
  settings.overlaps = {0.0, 0.001, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5};
  return settings;
}

double GrowthBenchmark::worstStolenShare() const noexcept {
  double worst = 0.0;
  for (const GrowthSeries& one : series) {
    for (const GrowthRow& row : one.rows)
      worst = std::max(worst, row.stolenShare);
  }
  return worst;
}

bool GrowthBenchmark::isSteady() const noexcept {
  return std::ranges::all_of(series, [](const GrowthSeries& one) {
    return std::ranges::all_of(one.rows, &GrowthRow::isSteady);
  });
}

Result<GrowthBenchmark> benchmarkGrowth(const GrowthSettings& settings) {
  return Growth(settings).run();
}

}  // namespace tactus::studies
