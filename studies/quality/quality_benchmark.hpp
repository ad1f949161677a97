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
#include "studies/quality/law_query.hpp"
#include "studies/quality/path_walk.hpp"
#include "studies/quality/quality_objects.hpp"
#include "studies/quality/quality_scenarios.hpp"
#include "studies/quality/resolution_sweep.hpp"
#include "studies/quality/shape_quality.hpp"

namespace tactus::studies {

struct QualitySettings {
  std::vector<QualityScenario> scenarios{kQualityScenarios.begin(), kQualityScenarios.end()};
  std::size_t samples = 1001;                ///< of a path
  std::uint64_t triangles = 100'000;         ///< of each model
  std::uint64_t spheres = 100'000;           ///< of each model
  int repetitions = 3;                       ///< of each sample; the median time counts
  std::size_t jumpWindows = 24;              ///< along a path, in which it is walked in small steps
  std::size_t jumpSteps = 48;                ///< of a window
  std::vector<RecordedPath> shapes;          ///< paths of real shapes; none, if not said
  std::size_t samplesOfShapes = 25;          ///< of each; an exact one takes seconds
  std::uint64_t trianglesOfShapes = 20'000;  ///< of each model
  SweepSettings sweep;                       ///< at no resolution, if not said
  OpenObject open;
  std::function<void(const BenchmarkStep&)> onStep;  ///< called before each; may be empty
};

struct LawQuality {
  LawCourse
      course;  ///< within a budget of half of the tests that the path takes on the mean: jumps
  CourseFigures force, torque;   ///< noise is of the component that the seed takes
  std::optional<double> ripple;  ///< of the force; in III of the torque, in IV of the worse one
  std::uint32_t budget = 0;      ///< of the course's cutJumps; 0: the law has none
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
  int attempts = 1;  ///< until little enough time was stolen, three at most
};

struct QualityBenchmark {
  QualitySettings settings;
  std::vector<ScenarioQuality> scenarios;
  std::vector<ShapeQuality> shapes;
  std::vector<SweepRow> sweep;
  [[nodiscard]] double worstStolenShare() const noexcept;
};

/// Forces and torques of each law along the paths of the scenarios, beside the exact ones of its
/// own energy, in the same units (scale 1); the seed's laws beside the seed's models.
///
/// Method: each sample is a query of its own, which knows nothing of the one before. Jumps are
/// looked for in windows spread along the path, by steps of a tenth of the smallest ball of both
/// packings, and by half of it: of a continuous force the largest one halves, too. What is timed is
/// done again, up to three times, where more than kMostStolen of the time was stolen.
[[nodiscard]] models::Result<QualityBenchmark> benchmarkQuality(const QualitySettings& settings);

/// Recomputes all figures from the courses.
void fillFigures(QualityScenario scenario, LawQuality& quality);

}  // namespace tactus::studies
