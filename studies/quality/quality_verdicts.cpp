#include "studies/quality/quality_verdicts.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "studies/quality/signal_measures.hpp"

namespace tactus::studies {
namespace {

constexpr double kMostRipple = 0.01;
constexpr double kMostJumpRatio = 0.6;
constexpr double kMostUs = 900.0;

constexpr double kMostSigmaOfI = 0.02;
constexpr double kMostAngleOfII = 0.5;  // [deg]
constexpr double kMostSigmaOfIII = 0.03;

// In III the volume law is asked for from 5 of the 30 degrees on: the wedges of a smaller turn are
// thinner than any ball.
constexpr double kVolumeFrom = 5.0 / 30.0;

/// Of the torque, from a share of the path on.
std::optional<double> sigmaFrom(double share, const LawCourse& course) {
  const std::size_t samples = course.idealTorque.size();
  const auto from = static_cast<std::size_t>(share * static_cast<double>(samples));
  return deviation(std::span(course.idealTorque).subspan(from),
                   std::span(course.torque).subspan(from));
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
  const auto addOfAll = [&](const std::string& name, const LawCourse& course) {
    verdicts.push_back({name + ": jump of half a step", course.jumps.ratio(), kMostJumpRatio});
    verdicts.push_back(
        {name + ": jump of half a step, budgeted", course.cutJumps.ratio(), kMostJumpRatio});
    verdicts.push_back({name + ": mean time [us]", course.usMean(), kMostUs});
  };
  for (const ScenarioQuality& scenario : benchmark.scenarios) {
    const LawQuality& ist = scenario.laws[indexOf(QualityLaw::Ist)];
    const LawQuality& volume = scenario.laws[indexOf(QualityLaw::IstVolume)];
    switch (scenario.scenario) {
      case QualityScenario::Ia:
        add(scenario, "sigma of the force", ist.force.sigma, kMostSigmaOfI);
        add(scenario, "sigma of the force, by volume", volume.force.sigma, kMostSigmaOfI);
        break;
      case QualityScenario::Ib:
        add(scenario, "samples at which it lets go", static_cast<double>(ist.letsGo), 0.0);
        break;
      case QualityScenario::II:
        add(scenario, "mean angle of the force [deg]", ist.force.gammaMean, kMostAngleOfII);
        add(scenario, "mean angle of the force [deg], by volume", volume.force.gammaMean,
            kMostAngleOfII);
        break;
      case QualityScenario::III:
        add(scenario, "sigma of the torque", ist.torque.sigma, kMostSigmaOfIII);
        add(scenario, "sigma of the torque from 5 degrees on, by volume",
            sigmaFrom(kVolumeFrom, volume.course), kMostSigmaOfIII);
        break;
      case QualityScenario::IV:
        add(scenario, "mean angle of the force [deg]", ist.force.gammaMean, 1.5);
        add(scenario, "largest angle of the force [deg]", ist.force.gammaMax, 4.0);
        break;
      case QualityScenario::IVHalf:
        break;
    }
    add(scenario, "ripple", ist.ripple, kMostRipple);
    addOfAll(std::string(nameOf(scenario.scenario)), ist.course);
  }
  for (const ShapeQuality& shape : benchmark.shapes)
    addOfAll(shape.path.name, shape.laws[0].course);  // the default law is the first
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
