#include "studies/quality/resolution_sweep.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numbers>
#include <utility>

#include "studies/quality/scenario_walk.hpp"
#include "studies/stolen_time.hpp"

namespace tactus::studies {
namespace {

using collision::CollisionObject;
using models::Result;

constexpr int kComponentOfNoise = 0;  // not reported here

/// Tests of each sample, and how many of them fit the time. What was interrupted by another process
/// tells nothing of the rate, unless everything was.
void measureRate(LawQuery& query, const WalkedPath& path, const SweepSettings& settings,
                 SweepRow& row) {
  using Clock = std::chrono::steady_clock;
  row.tests.clear();
  row.tests.reserve(settings.samples);
  double all = 0.0, allUs = 0.0, own = 0.0, ownUs = 0.0;
  for (std::size_t k = 0; k < settings.samples; ++k) {
    const Eigen::Isometry3d pose = path.poseAt(shareOf(k, settings.samples));
    const long switches = involuntarySwitches();
    const Clock::time_point start = Clock::now();
    row.tests.push_back(query.at(row.law, pose).tests);
    const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    all += row.tests.back();
    allUs += us;
    if (involuntarySwitches() != switches) continue;
    own += row.tests.back();
    ownUs += us;
  }
  row.testsPerUs = own > 0.0 ? own / ownUs : all / allUs;
  row.budget = static_cast<std::uint32_t>(settings.budgetUs * row.testsPerUs);
}

SweepRow rowOf(LawQuery& query, SweepRow row, const SweepSettings& settings) {
  const WalkedPath path = walkedPathOf(row.scenario);
  for (row.attempts = 1;; ++row.attempts) {
    const StolenTime stolen;
    measureRate(query, path, settings, row);
    row.course = {};
    for (std::size_t k = 0; k < settings.samples; ++k) {
      const double share = shareOf(k, settings.samples);
      addSample(query, path, row.law, share, 1, heldAgainst(row.scenario, row.law, share),
                row.course, row.budget);
    }
    row.stolenShare = stolen.share();
    if (row.stolenShare <= kMostStolen || row.attempts == kMostAttempts) break;
  }
  row.force = figuresOf(row.course.idealForce, row.course.force, kComponentOfNoise);
  row.torque = figuresOf(row.course.idealTorque, row.course.torque, kComponentOfNoise);
  return row;
}

}  // namespace

const CourseFigures& SweepRow::part() const noexcept {
  return scenario == QualityScenario::III ? torque : force;
}

double SweepRow::cutShare() const noexcept {
  if (tests.empty()) return 0.0;
  const auto cut = std::ranges::count_if(tests, [&](std::uint32_t took) { return took > budget; });
  return static_cast<double>(cut) / static_cast<double>(tests.size());
}

std::optional<double> SweepRow::eta() const noexcept {
  const CourseFigures& of = part();
  if (!of.sigma || !of.gammaMean) return std::nullopt;
  return *of.sigma + *of.gammaMean * std::numbers::pi / 180.0;
}

Result<std::vector<SweepRow>> sweepResolutions(
    const SweepSettings& settings, QualityObjects& objects,
    const std::function<void(QualityScenario, std::uint64_t spheres)>& onStep) {
  std::vector<SweepRow> rows;
  rows.reserve(settings.scenarios.size() * settings.spheres.size() * kSweptLaws.size());
  for (const QualityScenario scenario : settings.scenarios) {
    for (const std::uint64_t spheres : settings.spheres) {
      if (onStep) onStep(scenario, spheres);
      const Fineness fineness{settings.triangles, spheres};
      const Result<const CollisionObject*> a = objects.open(modelAOf(scenario), fineness);
      if (!a) return a.error();
      const Result<const CollisionObject*> b = objects.open(modelBOf(scenario), fineness);
      if (!b) return b.error();
      LawQuery query(*a.value(), *b.value());
      for (const QualityLaw law : kSweptLaws) {
        SweepRow row;
        row.scenario = scenario;
        row.law = law;
        row.spheres = spheres;
        rows.push_back(rowOf(query, std::move(row), settings));
      }
    }
  }
  return rows;
}

const SweepRow* bestOf(const std::vector<SweepRow>& rows, QualityScenario scenario,
                       QualityLaw law) noexcept {
  const SweepRow* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const SweepRow& row : rows) {
    if (row.scenario != scenario || row.law != law) continue;
    const double eta = row.eta().value_or(std::numeric_limits<double>::infinity());
    if (eta < least) {
      best = &row;
      least = eta;
    }
  }
  return best;
}

}  // namespace tactus::studies
