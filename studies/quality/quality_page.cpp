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
  Rows rows = {{"default law of the trees, or their law of volume", "is", "at most", "holds"}};
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
    const LawQuality& q = scenario.laws[indexOf(law)];
    rows.push_back({std::string(nameOf(law)), shown(q.force.sigma, 4), shown(q.torque.sigma, 4),
                    shown(q.force.gammaMean, 2), shown(q.force.gammaMax, 2),
                    shown(q.torque.gammaMean, 2), shown(q.torque.gammaMax, 2), shown(q.ripple, 4),
                    shown(q.course.jumps.ratio(), 2), shown(q.course.cutJumps.ratio(), 2),
                    shown(q.stray, 4), fixedText(q.course.usMean(), 1)});
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

std::string shapeTable(const ShapeQuality& shape) {
  Rows rows = {{"law", "&sigma;<sub>F</sub>", "&sigma;<sub>T</sub>", "&gamma;<sub>F</sub> [deg]",
                "max", "&gamma;<sub>T</sub> [deg]", "max", "largest jump", "of half a step",
                "budget", "largest jump", "of half a step", "us"}};
  for (std::size_t i = 0; i < kShapeLaws.size(); ++i) {
    const ShapeLaw& q = shape.laws[i];
    const double largest = largestLength(q.course.idealForce);
    const auto overLargest = [&](const JumpCourse& jumps) {
      return jumps.ratio() && largest > 0.0 ? shown(jumps.largest() / largest, 5) : "&ndash;";
    };
    rows.push_back(
        {std::string(nameOf(kShapeLaws[i])), shown(q.force.sigma, 4), shown(q.torque.sigma, 4),
         shown(q.force.gammaMean, 2), shown(q.force.gammaMax, 2), shown(q.torque.gammaMean, 2),
         shown(q.torque.gammaMax, 2), overLargest(q.course.jumps), shown(q.course.jumps.ratio(), 2),
         q.budget > 0 ? std::to_string(q.budget) : "&ndash;", overLargest(q.course.cutJumps),
         shown(q.course.cutJumps.ratio(), 2), fixedText(q.course.usMean(), 1)});
  }
  return tableOf(rows);
}

LineChart shapeChart(const ShapeQuality& shape) {
  LineChart chart;
  chart.title = shape.path.name + ": force (dashed: exact)";
  chart.xName = "share of the path";
  chart.yName = "over the exact one's largest";
  for (std::size_t i = 0; i < kShapeLaws.size(); ++i) {
    const LawCourse& course = shape.laws[i].course;
    const double largest = largestLength(course.idealForce);
    const std::vector<double> places = placesOf(course.force.size());
    const std::string colour(chartColour(i));
    chart.lines.push_back({std::string(nameOf(kShapeLaws[i])), colour, places,
                           lengthsOf(course.force, largest), false, true});
    chart.lines.push_back({"", colour, places, lengthsOf(course.idealForce, largest), true});
  }
  return chart;
}

std::string shapeSection(const ShapeQuality& shape, const QualitySettings& settings) {
  return "<h2>" + escapedText(shape.path.name) + "</h2>\n<p>" + escapedText(shape.path.b) + " on " +
         escapedText(shape.path.a) + ", " + std::to_string(settings.trianglesOfShapes) +
         " triangles each, " + std::to_string(settings.samplesOfShapes) +
         " samples of a recorded path beside the exact gradient. Jumps are between neighbours by "
         "steps of " +
         shortText(1e6 * shape.stepLength) +
         " &micro;m, over the largest force; behind the budget, which is half of the tests that "
         "the path takes, the same within it.</p>\n" +
         shapeTable(shape) + svgOf(shapeChart(shape));
}

std::string sweepTable(const std::vector<SweepRow>& sweep) {
  Rows rows = {{"scenario", "law", "spheres", "&sigma;", "&gamma; [deg]", "&eta;", "ripple",
                "tests that fit", "cut [%]", "mean us", "largest us", ""}};
  for (const SweepRow& row : sweep) {
    const CourseFigures& part = row.part();
    const double most = row.course.us.empty() ? 0.0 : *std::ranges::max_element(row.course.us);
    rows.push_back({std::string(nameOf(row.scenario)), std::string(nameOf(row.law)),
                    std::to_string(row.spheres), shown(part.sigma, 4), shown(part.gammaMean, 2),
                    shown(row.eta(), 4), shown(part.ripple, 4), std::to_string(row.budget),
                    fixedText(100.0 * row.cutShare(), 1), fixedText(row.course.usMean(), 1),
                    fixedText(most, 1),
                    bestOf(sweep, row.scenario, row.law) == &row ? "least &eta;" : ""});
  }
  return tableOf(rows);
}

LineChart sweepChart(const QualityBenchmark& benchmark) {
  LineChart chart;
  chart.title =
      "sigma + gamma [rad] within " + shortText(benchmark.settings.sweep.budgetUs) + " us a query";
  chart.xName = "spheres, or points";
  chart.yName = "eta";
  chart.isXByFactors = true;
  chart.isYByFactors = true;
  std::size_t colour = 0;
  for (const QualityScenario scenario : benchmark.settings.sweep.scenarios) {
    for (const QualityLaw law : kSweptLaws) {
      ChartLine line{std::string(nameOf(scenario)).append(", ").append(nameOf(law)),
                     std::string(chartColour(colour)),
                     {},
                     {},
                     law == QualityLaw::Vps,
                     true};
      for (const SweepRow& row : benchmark.sweep) {
        const std::optional<double> eta = row.eta();
        if (row.scenario != scenario || row.law != law || !eta) continue;
        line.x.push_back(static_cast<double>(row.spheres));
        line.y.push_back(*eta);
      }
      chart.lines.push_back(std::move(line));
    }
    ++colour;
  }
  return chart;
}

std::string sweepSection(const QualityBenchmark& benchmark) {
  return "<h2>Resolutions, each in the same time</h2>\n<p>A query ends by its budget of tests, as "
         "many as fit " +
         shortText(benchmark.settings.sweep.budgetUs) +
         " &micro;s at the rate that was measured along the path; \"cut\" is the share of samples "
         "that would have taken more. &sigma; and &gamma; are of the torque in III, else of the "
         "force; &eta; is their sum, the angle in radians.</p>\n" +
         sweepTable(benchmark.sweep) + svgOf(sweepChart(benchmark));
}

}  // namespace

std::string qualityPage(const QualityBenchmark& benchmark) {
  std::string body =
      "<p>Forces and torques along paths whose ideal is known exactly: each law against the "
      "gradient of its own energy, in the same units. Scenarios: " +
      std::to_string(benchmark.settings.samples) + " samples a path, " +
      std::to_string(benchmark.settings.spheres) + " spheres and " +
      std::to_string(benchmark.settings.triangles) +
      " triangles of each model. All figures can be computed again from raw/*.csv.</p>\n" +
      machineParagraph(benchmark.worstStolenShare());
  body += "<h2>What shall hold</h2>\n" + verdictTable(benchmark);
  if (!benchmark.scenarios.empty()) {
    body +=
        "<h2>What the seed printed, and the same measures of ours</h2>\n" + historyTable(benchmark);
  }
  if (!benchmark.sweep.empty()) body += sweepSection(benchmark);
  for (const ShapeQuality& shape : benchmark.shapes)
    body += shapeSection(shape, benchmark.settings);
  for (const ScenarioQuality& scenario : benchmark.scenarios) {
    body += "<h2>Scenario " + std::string(nameOf(scenario.scenario)) + "</h2>\n" +
            figureTable(scenario);
    body += svgOf(lengthChart(scenario, false)) + svgOf(angleChart(scenario)) +
            svgOf(lengthChart(scenario, true));
  }
  return pageOf("Quality of forces and torques", body);
}

}  // namespace tactus::studies
