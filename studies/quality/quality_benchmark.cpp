#include "studies/quality/quality_benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "studies/quality/scenario_walk.hpp"
#include "studies/quality/signal_measures.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::studies {
namespace {

using collision::CollisionObject;
using Eigen::Vector3d;
using models::Result;

constexpr double kLeastShare = 0.01;

/// Gives a model without a unit the largest length of what is held against it.
void scaleTo(const std::vector<Vector3d>& measured, std::vector<Vector3d>& model) {
  const double largest = largestLength(model);
  if (!(largest > 0.0)) return;
  const double scale = largestLength(measured) / largest;
  for (Vector3d& vector : model)
    vector *= scale;
}

/// All samples of a path, and the time that they take.
void walk(LawQuery& query, QualityScenario scenario, QualityLaw law,
          const QualitySettings& settings, LawCourse& course) {
  const WalkedPath path = walkedPathOf(scenario);
  for (std::size_t k = 0; k < settings.samples; ++k) {
    const double share = shareOf(k, settings.samples);
    if (isOfSeed(law) && !hasSeedModel(scenario, share)) continue;
    addSample(query, path, law, share, settings.repetitions, heldAgainst(scenario, law, share),
              course);
  }
  if (isOfSeed(law)) {
    scaleTo(course.force, course.idealForce);
    scaleTo(course.torque, course.idealTorque);
  }
}

/// The component that the seed shows.
int forceComponentOf(QualityScenario scenario) {
  return scenario == QualityScenario::Ia || scenario == QualityScenario::Ib ? 1 : 0;
}
constexpr int kTorqueComponent = 2;

/// Mean ratio of the lengths of two courses, where the second is above a hundredth of its largest.
std::optional<double> meanRatio(const std::vector<Vector3d>& of, const std::vector<Vector3d>& to,
                                const std::vector<Vector3d>& idealOf) {
  const double least = kLeastShare * largestLength(to);
  const double most = 1e-6 * largestLength(idealOf);
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < to.size(); ++k) {
    const double length = to[k].norm();
    if (!(length > least) || idealOf[k].norm() > most) continue;
    sum += of[k].norm() / length;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

Result<ScenarioQuality> measureScenario(QualityScenario scenario, const QualitySettings& settings,
                                        const CollisionObject& a, const CollisionObject& b) {
  ScenarioQuality quality;
  quality.scenario = scenario;
  const Result<double> ball = smallestBall(a, b);
  if (!ball) return ball.error();
  quality.stepLength = kStepOfSmallestBall * ball.value();
  const WalkedPath path = walkedPathOf(scenario);
  const JumpSearch search{settings.jumpWindows, settings.jumpSteps,
                          quality.stepLength / pathLength(scenario)};
  LawQuery query(a, b);
  for (quality.attempts = 1;; ++quality.attempts) {
    const StolenTime stolen;
    for (const QualityLaw law : kQualityLaws) {
      quality.laws[indexOf(law)].course = {};
      walk(query, scenario, law, settings, quality.laws[indexOf(law)].course);
    }
    quality.stolenShare = stolen.share();
    if (quality.stolenShare <= kMostStolen || quality.attempts == kMostAttempts) break;
  }
  for (const QualityLaw law : kQualityLaws) {
    LawQuality& of = quality.laws[indexOf(law)];
    if (!isOfSeed(law)) {
      of.course.jumps = findJumps(query, path, law, search);
      of.budget = meanTests(query, path, law) / 2;
      if (of.budget > 0) of.course.cutJumps = findJumps(query, path, law, search, of.budget);
    }
    fillFigures(scenario, of);
  }
  return quality;
}

}  // namespace

double QualityBenchmark::worstStolenShare() const noexcept {
  double worst = 0.0;
  for (const ScenarioQuality& scenario : scenarios)
    worst = std::max(worst, scenario.stolenShare);
  for (const ShapeQuality& shape : shapes)
    worst = std::max(worst, shape.stolenShare);
  for (const SweepRow& row : sweep)
    worst = std::max(worst, row.stolenShare);
  return worst;
}

void fillFigures(QualityScenario scenario, LawQuality& quality) {
  const LawCourse& course = quality.course;
  quality.force = figuresOf(course.idealForce, course.force, forceComponentOf(scenario));
  quality.torque = figuresOf(course.idealTorque, course.torque, kTorqueComponent);
  const double size = sizeOf(scenario);
  quality.ripple = quality.force.ripple;
  if (scenario == QualityScenario::III) quality.ripple = quality.torque.ripple;
  if (scenario == QualityScenario::IV || scenario == QualityScenario::IVHalf)
    quality.ripple = std::max(quality.force.ripple, quality.torque.ripple);
  if (scenario == QualityScenario::III) {
    quality.stray = meanRatio(course.force, course.torque, course.idealForce);
    if (quality.stray) *quality.stray *= size;
  } else {
    quality.stray = meanRatio(course.torque, course.force, course.idealTorque);
    if (quality.stray) *quality.stray /= size;
  }
  quality.letsGo = 0;
  const double least = kLeastShare * largestLength(course.idealForce);
  for (std::size_t k = 0; k < course.force.size(); ++k) {
    const Vector3d& ideal = course.idealForce[k];
    if (ideal.norm() > least && !(ideal.dot(course.force[k]) > 0.0)) ++quality.letsGo;
  }
}

Result<QualityBenchmark> benchmarkQuality(const QualitySettings& settings) {
  QualityBenchmark benchmark;
  benchmark.settings = settings;
  QualityObjects objects(settings.open);
  const Fineness fineness{settings.triangles, settings.spheres};
  const Fineness ofShapes{settings.trianglesOfShapes, settings.spheres};
  const std::size_t count = 2 * (settings.scenarios.size() + settings.shapes.size()) +
                            settings.sweep.scenarios.size() * settings.sweep.spheres.size();
  std::size_t step = 0;
  const auto tell = [&](const char* does, const std::string& what) {
    if (settings.onStep) settings.onStep({++step, count, does, what});
  };
  // All objects first: what builds them would disturb the timings.
  const auto openAll = [&](std::string_view a, std::string_view b, const Fineness& how) {
    const Result<const CollisionObject*> first = objects.open(a, how);
    return first ? objects.open(b, how) : first;
  };
  for (const QualityScenario scenario : settings.scenarios) {
    tell("open", std::string(nameOf(scenario)));
    const Result<const CollisionObject*> opened =
        openAll(modelAOf(scenario), modelBOf(scenario), fineness);
    if (!opened) return opened.error();
  }
  for (const RecordedPath& path : settings.shapes) {
    tell("open", path.name);
    const Result<const CollisionObject*> opened = openAll(path.a, path.b, ofShapes);
    if (!opened) return opened.error();
  }
  for (const QualityScenario scenario : settings.scenarios) {
    tell("walk", std::string(nameOf(scenario)));
    Result<ScenarioQuality> quality =
        measureScenario(scenario, settings, *objects.open(modelAOf(scenario), fineness).value(),
                        *objects.open(modelBOf(scenario), fineness).value());
    if (!quality) return quality.error();
    benchmark.scenarios.push_back(std::move(quality).value());
  }
  for (const RecordedPath& path : settings.shapes) {
    tell("walk", path.name);
    Result<ShapeQuality> quality = measureShape(path,
                                                {.samples = settings.samplesOfShapes,
                                                 .fineness = ofShapes,
                                                 .repetitions = settings.repetitions,
                                                 .jumpWindows = settings.jumpWindows,
                                                 .jumpSteps = settings.jumpSteps},
                                                objects);
    if (!quality) return quality.error();
    benchmark.shapes.push_back(std::move(quality).value());
  }
  Result<std::vector<SweepRow>> swept =
      sweepResolutions(settings.sweep, objects, [&](QualityScenario scenario, std::uint64_t of) {
        tell("sweep", std::string(nameOf(scenario))
                          .append(", ")
                          .append(std::to_string(of))
                          .append(" spheres"));
      });
  if (!swept) return swept.error();
  benchmark.sweep = std::move(swept).value();
  return benchmark;
}

}  // namespace tactus::studies
