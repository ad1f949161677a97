#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collision/cache/collision_object.hpp"
#include "models/mesh/result.hpp"
#include "studies/model_benchmark.hpp"
#include "studies/quality/quality_scenarios.hpp"

namespace tactus::studies {

/// By what the forces are made.
enum class QualityLaw : std::uint8_t {
  Ist,        ///< the default law: lesser depth, by the trees' depth fields
  IstVolume,  ///< volume, by the trees' spheres
  Vps,        ///< depth of B's points in A's voxmap
  IstSeed,    ///< volumes along normal cones, held against SeedModel::Volume
  VpsSeed,    ///< layers of voxels, held against SeedModel::Depth
};
inline constexpr std::array kQualityLaws = {QualityLaw::Ist, QualityLaw::IstVolume, QualityLaw::Vps,
                                            QualityLaw::IstSeed, QualityLaw::VpsSeed};

/// "ist", "ist_volume", "vps", "ist_seed", "vps_seed"
[[nodiscard]] std::string_view nameOf(QualityLaw law) noexcept;
[[nodiscard]] bool isOfSeed(QualityLaw law) noexcept;

struct QualitySettings {
  std::vector<QualityScenario> scenarios{kQualityScenarios.begin(), kQualityScenarios.end()};
  std::size_t samples = 1001;         ///< of a path
  std::uint64_t triangles = 100'000;  ///< of each model
  std::uint64_t spheres = 100'000;    ///< of each model
  int repetitions = 3;                ///< of each sample; the median time counts
  std::size_t jumpWindows = 24;       ///< along a path, in which it is walked in small steps
  std::size_t jumpSteps = 48;         ///< of a window
  /// Gives the object of `builtin:NAME@TRIANGLES`, from a cache or built.
  std::function<models::Result<collision::CollisionObject>(const std::string& name,
                                                           const collision::BuildParameters&)>
      open;
  std::function<void(const BenchmarkStep&)> onStep;  ///< called before each; may be empty
};

/// A law at every sample of a path.
struct LawCourse {
  std::vector<Eigen::Vector3d> force, torque;            ///< torque about measuredAt()
  std::vector<Eigen::Vector3d> idealForce, idealTorque;  ///< what they are held against
  std::vector<double> us;                                ///< medians [us]
  /// Largest difference of forces (in III of torques) of neighbours in the windows, with the step
  /// and with half of it; 0 of the seed's laws, which are not asked. With and without a budget of
  /// half of the tests that the path takes on the mean; a budget is asked of the trees' depth only.
  double jump = 0.0, jumpOfHalf = 0.0;
  double cutJump = 0.0, cutJumpOfHalf = 0.0;
  std::uint64_t hash = 0;  ///< of all bits of forces and torques
};

/// What of a force (or torque) follows from the courses.
struct CourseFigures {
  std::optional<double> sigma;                ///< deviation()
  std::optional<double> sigmaByOwn;           ///< deviationByOwnMaximum(): the seed's
  std::optional<double> gammaMean, gammaMax;  ///< [deg]
  std::optional<double> noise;  ///< energyRatio() of the component that the seed takes
  std::optional<double> ripple;
};

struct LawQuality {
  LawCourse course;
  CourseFigures force, torque;
  std::optional<double> ripple;  ///< of the force; in III of the torque, in IV of the worse one
  [[nodiscard]] std::optional<double> jumpRatio() const;
  [[nodiscard]] std::optional<double> cutJumpRatio() const;
  double usMean = 0.0;
  /// Where the ideal torque is zero (I, II), mean |T| / (|F| R); where the ideal force is (III),
  /// |F| c / |T|. Of samples above a hundredth of the largest.
  std::optional<double> stray;
  /// Samples at which the ideal force is above a hundredth of its largest, and the force does not
  /// point its way at all.
  std::size_t letsGo = 0;
};

struct ScenarioQuality {
  QualityScenario scenario = QualityScenario::Ia;
  double stepLength = 0.0;  ///< of the walk for jumps [m]
  std::array<LawQuality, kQualityLaws.size()> laws;
  double stolenShare = 0.0;
};

struct QualityBenchmark {
  QualitySettings settings;
  std::vector<ScenarioQuality> scenarios;
  [[nodiscard]] double worstStolenShare() const noexcept;
};

/// Forces and torques of each law along the paths of the scenarios, beside the exact ones of its
/// own energy, in the same units (scale 1); the seed's laws beside the seed's models.
///
/// Method: each sample is a query of its own, which knows nothing of the one before. Jumps are
/// looked for in windows spread along the path, by steps of a tenth of the smallest ball of both
/// packings, and by half of it: of a continuous force the largest one halves, too.
[[nodiscard]] models::Result<QualityBenchmark> benchmarkQuality(const QualitySettings& settings);

/// Recomputes all figures from the courses.
void fillFigures(QualityScenario scenario, LawQuality& quality);

}  // namespace tactus::studies
