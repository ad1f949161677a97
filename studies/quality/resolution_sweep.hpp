#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/mesh/result.hpp"
#include "studies/quality/path_walk.hpp"
#include "studies/quality/quality_objects.hpp"
#include "studies/quality/quality_scenarios.hpp"

namespace tactus::studies {

/// The laws that keep a budget.
inline constexpr std::array kSweptLaws = {QualityLaw::Ist, QualityLaw::Vps};

struct SweepSettings {
  std::vector<QualityScenario> scenarios = {QualityScenario::II, QualityScenario::III,
                                            QualityScenario::IV};
  std::vector<std::uint64_t> spheres;  ///< of both objects, and as many points; in turn
  std::uint64_t triangles = 0;
  std::size_t samples = 1001;  ///< of a path
  double budgetUs = 900.0;     ///< of a query
};

/// A law along a scenario's path at one resolution, in the time there is.
struct SweepRow {
  QualityScenario scenario = QualityScenario::II;
  QualityLaw law = QualityLaw::Ist;
  std::uint64_t spheres = 0;
  double testsPerUs = 0.0;           ///< as measured along the path
  std::uint32_t budget = 0;          ///< tests that fit the time
  std::vector<std::uint32_t> tests;  ///< of each sample, that it takes without a budget
  LawCourse course;                  ///< within the budget
  CourseFigures force, torque;
  double stolenShare = 0.0;
  int attempts = 1;

  /// Of what the scenario is about: the torque in III, else the force.
  [[nodiscard]] const CourseFigures& part() const noexcept;
  /// Share of the samples that would take more tests than the budget.
  [[nodiscard]] double cutShare() const noexcept;
  /// The seed's: sigma and the mean angle, each as it is, in one sum.
  ///
  /// Source: R. Weller, "New Geometric Data Structures for Collision Detection and Haptics", 2013,
  /// section 6.4.4. The angle in radians.
  [[nodiscard]] std::optional<double> eta() const noexcept;
};

/// How good forces are at several resolutions, each in the same time.
///
/// Source: the same, equation 6.16: of all resolutions that take the time tau on the mean, the one
/// with the least eta. How ours differs: a query does not take as long as it takes but ends by its
/// budget, whose tests are made of the time by a rate that is measured along the path; so there is
/// nothing to be interpolated, and every resolution can be compared. Both objects have the same.
[[nodiscard]] models::Result<std::vector<SweepRow>> sweepResolutions(
    const SweepSettings& settings, QualityObjects& objects,
    const std::function<void(QualityScenario, std::uint64_t spheres)>& onStep);

/// Of the rows of a scenario and a law the one with the least eta; null: there is none.
[[nodiscard]] const SweepRow* bestOf(const std::vector<SweepRow>& rows, QualityScenario scenario,
                                     QualityLaw law) noexcept;

}  // namespace tactus::studies
