#include "studies/quality/quality_page.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "studies/line_chart.hpp"
#include "studies/quality/quality_verdicts.hpp"
#include "studies/quality/signal_measures.hpp"
#include "studies/report_text.hpp"

namespace tactus::studies {
namespace {

using Eigen::Vector3d;
using Rows = std::vector<std::vector<std::string>>;

std::string shown(const std::optional<double>& value, int decimals) {
  return value ? fixedText(*value, decimals) : "&ndash;";
}

std::string verdictTable(const QualityBenchmark& benchmark) {
  Rows rows = {{"default law of the trees", "is", "at most", "holds"}};
  for (const QualityVerdict& verdict : verdictsOf(benchmark)) {
    rows.push_back({escapedText(verdict.what), shown(verdict.value, 4), shortText(verdict.limit),
                    verdict.holds() ? "yes" : "<b>no</b>"});
  }
  return tableOf(rows);
}

std::string historyTable(const QualityBenchmark& benchmark) {
  Rows rows = {{"", "printed, VPS", "printed, IST"}};
  for (const QualityLaw law : kQualityLaws)
    rows.front().emplace_back(nameOf(law));
  for (const PrintedFigure& printed : printedFigures(benchmark)) {
    std::vector<std::string> row = {escapedText(printed.what), shortText(printed.vps),
                                    shortText(printed.ist)};
    for (const std::optional<double>& ours : printed.ours)
      row.push_back(shown(ours, 4));
    rows.push_back(std::move(row));
  }
  return tableOf(rows);
}

std::string figureTable(const ScenarioQuality& scenario) {
  Rows rows = {{"law", "&sigma;<sub>F</sub>", "&sigma;<sub>T</sub>", "&gamma;<sub>F</sub> [deg]",
                "max", "&gamma;<sub>T</sub> [deg]", "max", "ripple", "jump of half a step",
                "budgeted", "stray", "us"}};
  for (const QualityLaw law : kQualityLaws) {
    const LawQuality& q = scenario.laws[static_cast<std::size_t>(law)];
    rows.push_back({std::string(nameOf(law)), shown(q.force.sigma, 4), shown(q.torque.sigma, 4),
                    shown(q.force.gammaMean, 2), shown(q.force.gammaMax, 2),
                    shown(q.torque.gammaMean, 2), shown(q.torque.gammaMax, 2), shown(q.ripple, 4),
                    shown(q.jumpRatio(), 2), shown(q.cutJumpRatio(), 2), shown(q.stray, 4),
                    fixedText(q.usMean, 1)});
  }
  return tableOf(rows);
}

/// What the scenario is about.
bool isOfTorque(const ScenarioQuality& scenario) {
  return scenario.scenario == QualityScenario::III;
}

/// Over the ideal's largest.
std::vector<double> lengthsOf(const std::vector<Vector3d>& course, double largest) {
  std::vector<double> lengths;
  lengths.reserve(course.size());
  for (const Vector3d& vector : course)
    lengths.push_back(largest > 0.0 ? vector.norm() / largest : 0.0);
  return lengths;
}

std::vector<double> placesOf(std::size_t samples) {
  std::vector<double> places;
  places.reserve(samples);
  for (std::size_t k = 0; k < samples; ++k) {
    places.push_back(static_cast<double>(k) /
                     static_cast<double>(std::max<std::size_t>(samples, 2) - 1));
  }
  return places;
}

LineChart lengthChart(const ScenarioQuality& scenario, bool ofSeed) {
  LineChart chart;
  chart.title = std::string(nameOf(scenario.scenario)) +
                (isOfTorque(scenario) ? ": torque" : ": force") +
                (ofSeed ? ", the seed's laws (dashed: its models)" : " (dashed: ideal)");
  chart.xName = ofSeed ? "share of what the model covers" : "share of the path";
  chart.yName = "over the ideal's largest";
  for (std::size_t i = 0; i < kQualityLaws.size(); ++i) {
    if (isOfSeed(kQualityLaws[i]) != ofSeed) continue;
    const LawCourse& course = scenario.laws[i].course;
    const auto& ideal = isOfTorque(scenario) ? course.idealTorque : course.idealForce;
    const auto& measured = isOfTorque(scenario) ? course.torque : course.force;
    const double largest = largestLength(ideal);
    const std::string colour(chartColour(i));
    const std::vector<double> places = placesOf(ideal.size());
    chart.lines.push_back({std::string(nameOf(kQualityLaws[i])), colour, places,
                           lengthsOf(measured, largest), false});
    chart.lines.push_back({"", colour, places, lengthsOf(ideal, largest), true});
  }
  return chart;
}

LineChart angleChart(const ScenarioQuality& scenario) {
  LineChart chart;
  chart.title = std::string(nameOf(scenario.scenario)) + ": angle of the " +
                (isOfTorque(scenario) ? "torque" : "force") + " to the ideal";
  chart.xName = "share of the path";
  chart.yName = "angle [deg]";
  for (std::size_t i = 0; i < kQualityLaws.size(); ++i) {
    if (isOfSeed(kQualityLaws[i])) continue;
    const LawCourse& course = scenario.laws[i].course;
    const auto& ideal = isOfTorque(scenario) ? course.idealTorque : course.idealForce;
    const auto& measured = isOfTorque(scenario) ? course.torque : course.force;
    const std::vector<double> places = placesOf(ideal.size());
    ChartLine line{
        std::string(nameOf(kQualityLaws[i])), std::string(chartColour(i)), {}, {}, false};
    for (std::size_t k = 0; k < ideal.size(); ++k) {
      const std::optional<double> angle = angleOf(ideal[k], measured[k], largestLength(ideal));
      if (!angle) continue;
      line.x.push_back(places[k]);
      line.y.push_back(*angle);
    }
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

}  // namespace

std::string qualityPage(const QualityBenchmark& benchmark) {
  std::string body =
      "<p>Forces and torques along paths whose ideal is known exactly: each law against the "
      "gradient of its own energy, in the same units. " +
      std::to_string(benchmark.settings.samples) + " samples a path, " +
      std::to_string(benchmark.settings.spheres) + " spheres and " +
      std::to_string(benchmark.settings.triangles) +
      " triangles of each model. All figures can be computed again from raw/courses.csv and "
      "raw/jumps.csv.</p>\n" +
      machineParagraph(benchmark.worstStolenShare());
  body += "<h2>What shall hold</h2>\n" + verdictTable(benchmark);
  body +=
      "<h2>What the seed printed, and the same measures of ours</h2>\n" + historyTable(benchmark);
  for (const ScenarioQuality& scenario : benchmark.scenarios) {
    body += "<h2>Scenario " + std::string(nameOf(scenario.scenario)) + "</h2>\n" +
            figureTable(scenario);
    body += svgOf(lengthChart(scenario, false)) + svgOf(angleChart(scenario)) +
            svgOf(lengthChart(scenario, true));
  }
  return pageOf("Quality of forces and torques", body);
}

}  // namespace tactus::studies
