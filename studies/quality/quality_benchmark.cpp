#include "studies/quality/quality_benchmark.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "collision/contact/contact_cells.hpp"
#include "collision/contact/seed_wrench.hpp"
#include "collision/depth/depth_energy.hpp"
#include "collision/pointshell/voxmap_pointshell.hpp"
#include "collision/tree/proximity.hpp"
#include "studies/quality/signal_measures.hpp"
#include "studies/stolen_time.hpp"
#include "studies/timing_figures.hpp"

namespace tactus::studies {
namespace {

using collision::CollisionObject;
using Eigen::Isometry3d;
using Eigen::Vector3d;
using models::Result;
using response::Wrench;
using Clock = std::chrono::steady_clock;

constexpr double kStepOfSmallestBall = 0.1;
constexpr double kLeastShare = 0.01;

constexpr std::size_t indexOf(QualityLaw law) {
  return static_cast<std::size_t>(law);
}

/// Two bodies, and room for all queries between them.
class Pair {
 public:
  Pair(const CollisionObject& a, const CollisionObject& b)
      : a_(a),
        b_(b),
        bodyA_(a.body()),
        bodyB_(b.body()),
        scratch_(bodyA_, bodyB_),
        points_({&a.pointshell, &a.voxmap}, {&b.pointshell, &b.voxmap}) {}

  /// On B about its origin, in A's frame. `most`: a budget of the trees' depth, and `tests` what it
  /// took.
  Wrench wrenchOf(QualityLaw law, const Isometry3d& aFromB,
                  std::uint32_t most = collision::kAllCubes, std::uint32_t* tests = nullptr) {
    switch (law) {
      case QualityLaw::Ist: {
        const collision::DepthEnergy found = collision::depthEnergy(
            bodyA_.depths, bodyB_.depths, aFromB, scratch_.depths, {.most = most});
        if (tests != nullptr) *tests = found.cubes;
        return {found.force, found.torque};
      }
      case QualityLaw::IstVolume: {
        scratch_.forget();
        const collision::Proximity found =
            collision::proximity(bodyA_, bodyB_, aFromB, scratch_, {});
        return {found.force, found.torque};
      }
      case QualityLaw::IstSeed: {
        const collision::SeedWrench found =
            collision::seedWrench({bodyA_.spheres, a_.cones}, {bodyB_.spheres, b_.cones}, aFromB,
                                  scratch_.penetration, cells_);
        return {found.forceOnB, found.torqueOnB};
      }
      case QualityLaw::Vps:
      case QualityLaw::VpsSeed: {
        points_.forget();
        const collision::PointForce found =
            points_.query(aFromB, {.law = law == QualityLaw::Vps ? collision::PointLaw::Depth
                                                                 : collision::PointLaw::Layers,
                                   .pointsOf = collision::PointsOf::B,
                                   .wantsDistance = false});
        return {found.force, found.torque};
      }
    }
    return {};
  }

 private:
  const CollisionObject& a_;
  const CollisionObject& b_;
  collision::ProximityBody bodyA_, bodyB_;
  collision::ProximityScratch scratch_;
  collision::VoxmapPointshell points_;
  collision::ContactCells cells_;
};

/// FNV-1a's step with a mix, 64 bits at a time.
void addTo(std::uint64_t& hash, const Vector3d& vector) {
  for (const double value : {vector.x(), vector.y(), vector.z()}) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3U;
    hash ^= hash >> 29U;
  }
}

Wrench aboutMeasured(QualityScenario scenario, const Isometry3d& aFromB, const Wrench& wrench) {
  return response::aboutPoint(wrench, aFromB.translation(), aFromB * measuredAt(scenario));
}

double shareOf(std::size_t sample, std::size_t samples) {
  return static_cast<double>(sample) / static_cast<double>(samples - 1);
}

Wrench heldAgainst(QualityScenario scenario, QualityLaw law, double share) {
  switch (law) {
    case QualityLaw::Ist:
      return idealAt(scenario, IdealLaw::Depth, share);
    case QualityLaw::IstVolume:
      return idealAt(scenario, IdealLaw::Volume, share);
    case QualityLaw::Vps:
      return idealAt(scenario, IdealLaw::DepthOfA, share);
    case QualityLaw::IstSeed:
      return seedModelAt(scenario, SeedModel::Volume, share);
    case QualityLaw::VpsSeed:
      return seedModelAt(scenario, SeedModel::Depth, share);
  }
  return {};
}

/// What of a wrench the scenario is about.
const Vector3d& partOf(QualityScenario scenario, const Wrench& wrench) {
  return scenario == QualityScenario::III ? wrench.torque : wrench.force;
}

/// Gives a model without a unit the largest length of what is held against it.
void scaleTo(const std::vector<Vector3d>& measured, std::vector<Vector3d>& model) {
  const double largest = largestLength(model);
  if (!(largest > 0.0)) return;
  const double scale = largestLength(measured) / largest;
  for (Vector3d& vector : model)
    vector *= scale;
}

/// All samples of a path, and the time that they take.
void walk(Pair& pair, QualityScenario scenario, QualityLaw law, const QualitySettings& settings,
          LawCourse& course) {
  std::vector<double> times;
  course.hash = 0xcbf29ce484222325U;
  for (std::size_t k = 0; k < settings.samples; ++k) {
    const double share = shareOf(k, settings.samples);
    if (isOfSeed(law) && !hasSeedModel(scenario, share)) continue;
    const Isometry3d pose = poseAt(scenario, share);
    Wrench wrench;
    times.clear();
    for (int repetition = 0; repetition < settings.repetitions; ++repetition) {
      const Clock::time_point start = Clock::now();
      wrench = pair.wrenchOf(law, pose);
      times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    course.us.push_back(medianOf(times));
    wrench = aboutMeasured(scenario, pose, wrench);
    course.force.push_back(wrench.force);
    course.torque.push_back(wrench.torque);
    addTo(course.hash, wrench.force);
    addTo(course.hash, wrench.torque);
    const Wrench ideal = heldAgainst(scenario, law, share);
    course.idealForce.push_back(ideal.force);
    course.idealTorque.push_back(ideal.torque);
  }
  if (isOfSeed(law)) {
    scaleTo(course.force, course.idealForce);
    scaleTo(course.torque, course.idealTorque);
  }
}

/// Tests of the trees' depth at a sample, the mean over the path.
std::uint32_t meanTests(Pair& pair, QualityScenario scenario) {
  constexpr std::size_t kSamples = 41;
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < kSamples; ++k) {
    std::uint32_t tests = 0;
    (void)pair.wrenchOf(QualityLaw::Ist, poseAt(scenario, shareOf(k, kSamples)),
                        collision::kAllCubes, &tests);
    all += tests;
  }
  return static_cast<std::uint32_t>(all / kSamples);
}

/// Largest jump in the windows, by `step` (a share of the path). Windows begin at the same places
/// and are as long for any step.
double jumpOf(Pair& pair, QualityScenario scenario, QualityLaw law, const QualitySettings& settings,
              double step, std::size_t steps, std::uint32_t most) {
  double largest = 0.0;
  std::vector<Vector3d> parts;
  for (std::size_t window = 0; window < settings.jumpWindows; ++window) {
    const double begin =
        (static_cast<double>(window) + 0.5) / static_cast<double>(settings.jumpWindows);
    parts.clear();
    for (std::size_t k = 0; k <= steps; ++k) {
      const Isometry3d pose = poseAt(scenario, begin + static_cast<double>(k) * step);
      parts.push_back(
          partOf(scenario, aboutMeasured(scenario, pose, pair.wrenchOf(law, pose, most))));
    }
    largest = std::max(largest, largestJump(parts));
  }
  return largest;
}

/// Radius of the smallest ball of a packing [m].
Result<double> smallestBall(const CollisionObject& object) {
  const Result<collision::PackedBalls> packed = object.cold->packing();
  if (!packed) return packed.error();
  double least = std::numeric_limits<double>::infinity();
  for (const collision::PackedSphere& sphere : packed.value().spheres)
    least = std::min(least, static_cast<double>(sphere.radius));
  return least;
}

/// Opens each object once.
class Objects {
 public:
  explicit Objects(const QualitySettings& settings) : settings_(settings) {}

  Result<const CollisionObject*> open(std::string_view model) {
    const std::string name =
        "builtin:" + std::string(model) + "@" + std::to_string(trianglesOf(model));
    if (const auto known = open_.find(name); known != open_.end()) return &known->second;
    collision::BuildParameters parameters;
    parameters.spheres = settings_.spheres;
    Result<CollisionObject> object = settings_.open(name, parameters);
    if (!object) return object.error();
    return &open_.emplace(name, std::move(object).value()).first->second;
  }

 private:
  /// With more triangles one sphere fills a ball so well that nothing else fits, and fields of
  /// distances and depths, whose size goes by the number of spheres, have a handful of cubes.
  [[nodiscard]] std::uint64_t trianglesOf(std::string_view model) const {
    constexpr std::uint64_t kMostOfBall = 20'000;
    return model == "sphere" ? std::min(settings_.triangles, kMostOfBall) : settings_.triangles;
  }

  const QualitySettings& settings_;
  std::map<std::string, CollisionObject> open_;
};

CourseFigures figuresOf(const std::vector<Vector3d>& ideal, const std::vector<Vector3d>& measured,
                        int component) {
  CourseFigures figures;
  figures.sigma = deviation(ideal, measured);
  figures.sigmaByOwn = deviationByOwnMaximum(ideal, measured);
  if (const std::optional<AngleFigures> angle = angleBetween(ideal, measured)) {
    figures.gammaMean = angle->mean;
    figures.gammaMax = angle->max;
  }
  figures.noise = energyRatio(ideal, measured, component);
  figures.ripple = ripple(ideal, measured);
  return figures;
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

std::optional<double> ratioOf(double part, double whole) {
  if (!(whole > 0.0)) return std::nullopt;
  return part / whole;
}

}  // namespace

std::string_view nameOf(QualityLaw law) noexcept {
  constexpr std::array<std::string_view, kQualityLaws.size()> kNames = {"ist", "ist_volume", "vps",
                                                                        "ist_seed", "vps_seed"};
  return kNames[indexOf(law)];
}

bool isOfSeed(QualityLaw law) noexcept {
  return law == QualityLaw::IstSeed || law == QualityLaw::VpsSeed;
}

std::optional<double> LawQuality::jumpRatio() const {
  return ratioOf(course.jumpOfHalf, course.jump);
}
std::optional<double> LawQuality::cutJumpRatio() const {
  return ratioOf(course.cutJumpOfHalf, course.cutJump);
}

double QualityBenchmark::worstStolenShare() const noexcept {
  double worst = 0.0;
  for (const ScenarioQuality& scenario : scenarios)
    worst = std::max(worst, scenario.stolenShare);
  return worst;
}

void fillFigures(QualityScenario scenario, LawQuality& quality) {
  const LawCourse& course = quality.course;
  quality.force = figuresOf(course.idealForce, course.force, forceComponentOf(scenario));
  quality.torque = figuresOf(course.idealTorque, course.torque, kTorqueComponent);
  quality.usMean = course.us.empty() ? 0.0
                                     : std::accumulate(course.us.begin(), course.us.end(), 0.0) /
                                           static_cast<double>(course.us.size());
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
  Objects objects(settings);
  const std::size_t count = 2 * settings.scenarios.size();
  std::size_t step = 0;
  const auto tell = [&](const char* does, QualityScenario scenario) {
    if (settings.onStep) settings.onStep({++step, count, does, std::string(nameOf(scenario))});
  };
  // All objects first: what builds them would disturb the timings.
  for (const QualityScenario scenario : settings.scenarios) {
    tell("open", scenario);
    for (const std::string_view model : {modelAOf(scenario), modelBOf(scenario)}) {
      if (const Result<const CollisionObject*> object = objects.open(model); !object)
        return object.error();
    }
  }
  for (const QualityScenario scenario : settings.scenarios) {
    tell("walk", scenario);
    const CollisionObject& a = *objects.open(modelAOf(scenario)).value();
    const CollisionObject& b = *objects.open(modelBOf(scenario)).value();
    ScenarioQuality quality;
    quality.scenario = scenario;
    const Result<double> ofA = smallestBall(a);
    if (!ofA) return ofA.error();
    const Result<double> ofB = smallestBall(b);
    if (!ofB) return ofB.error();
    quality.stepLength = kStepOfSmallestBall * std::min(ofA.value(), ofB.value());
    const double share = quality.stepLength / pathLength(scenario);
    const StolenTime stolen;
    Pair pair(a, b);
    const std::uint32_t budget = meanTests(pair, scenario) / 2;
    for (const QualityLaw law : kQualityLaws) {
      LawQuality& of = quality.laws[indexOf(law)];
      walk(pair, scenario, law, settings, of.course);
      const auto jump = [&](double by, std::size_t steps, std::uint32_t most) {
        return jumpOf(pair, scenario, law, settings, by, steps, most);
      };
      if (!isOfSeed(law)) {
        of.course.jump = jump(share, settings.jumpSteps, collision::kAllCubes);
        of.course.jumpOfHalf = jump(0.5 * share, 2 * settings.jumpSteps, collision::kAllCubes);
      }
      if (law == QualityLaw::Ist && budget > 0) {
        of.course.cutJump = jump(share, settings.jumpSteps, budget);
        of.course.cutJumpOfHalf = jump(0.5 * share, 2 * settings.jumpSteps, budget);
      }
      fillFigures(scenario, of);
    }
    quality.stolenShare = stolen.share();
    benchmark.scenarios.push_back(std::move(quality));
  }
  return benchmark;
}

}  // namespace tactus::studies
