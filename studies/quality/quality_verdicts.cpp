#include "studies/quality/quality_verdicts.hpp"

#include <algorithm>
#include <cstddef>

namespace tactus::studies {
namespace {

constexpr double kMostRipple = 0.01;
constexpr double kMostJumpRatio = 0.6;
constexpr double kMostUs = 900.0;

const LawQuality& defaultOf(const ScenarioQuality& scenario) {
  return scenario.laws[static_cast<std::size_t>(QualityLaw::Ist)];
}

const ScenarioQuality* find(const QualityBenchmark& benchmark, QualityScenario scenario) {
  const auto found = std::ranges::find(benchmark.scenarios, scenario, &ScenarioQuality::scenario);
  return found == benchmark.scenarios.end() ? nullptr : &*found;
}

}  // namespace

std::vector<QualityVerdict> verdictsOf(const QualityBenchmark& benchmark) {
  std::vector<QualityVerdict> verdicts;
  const auto add = [&](const ScenarioQuality& scenario, const char* what,
                       const std::optional<double>& value, double limit) {
    verdicts.push_back({std::string(nameOf(scenario.scenario)) + ": " + what, value, limit});
  };
  for (const ScenarioQuality& scenario : benchmark.scenarios) {
    const LawQuality& ist = defaultOf(scenario);
    switch (scenario.scenario) {
      case QualityScenario::Ia:
        add(scenario, "sigma of the force", ist.force.sigma, 0.02);
        break;
      case QualityScenario::Ib:
        add(scenario, "samples at which it lets go", static_cast<double>(ist.letsGo), 0.0);
        break;
      case QualityScenario::II:
        add(scenario, "mean angle of the force [deg]", ist.force.gammaMean, 0.5);
        break;
      case QualityScenario::III:
        add(scenario, "sigma of the torque", ist.torque.sigma, 0.03);
        break;
      case QualityScenario::IV:
        add(scenario, "mean angle of the force [deg]", ist.force.gammaMean, 1.5);
        add(scenario, "largest angle of the force [deg]", ist.force.gammaMax, 4.0);
        break;
      case QualityScenario::IVHalf:
        break;
    }
    add(scenario, "ripple", ist.ripple, kMostRipple);
    add(scenario, "jump of half a step", ist.jumpRatio(), kMostJumpRatio);
    add(scenario, "jump of half a step, budgeted", ist.cutJumpRatio(), kMostJumpRatio);
    add(scenario, "mean time [us]", ist.usMean, kMostUs);
  }
  return verdicts;
}

std::vector<PrintedFigure> printedFigures(const QualityBenchmark& benchmark) {
  std::vector<PrintedFigure> figures;
  const auto add = [&](QualityScenario wanted, const char* what, double vps, double ist,
                       const auto& measure) {
    const ScenarioQuality* scenario = find(benchmark, wanted);
    if (scenario == nullptr) return;
    PrintedFigure figure{what, vps, ist, {}};
    for (std::size_t i = 0; i < scenario->laws.size(); ++i)
      figure.ours[i] = measure(scenario->laws[i]);
    figures.push_back(std::move(figure));
  };
  add(QualityScenario::Ia, "sigma_F in I", 0.043, 0.176,
      [](const LawQuality& quality) { return quality.force.sigmaByOwn; });
  add(QualityScenario::III, "sigma_T in III", 0.169, 0.112,
      [](const LawQuality& quality) { return quality.torque.sigmaByOwn; });
  add(QualityScenario::II, "gamma_F in II [deg]", 2.40, 7.64,
      [](const LawQuality& quality) { return quality.force.gammaMean; });
  add(QualityScenario::II, "nu of F_x in II (1 is best)", 0.620, 1.12,
      [](const LawQuality& quality) { return quality.force.noise; });
  return figures;
}

}  // namespace tactus::studies
