#include "studies/growth/growth_page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "studies/line_chart.hpp"
#include "studies/report_text.hpp"

namespace tactus::studies {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr const char* kNothing = "&ndash;";
constexpr double kMega = 1e6;
constexpr double kPercent = 100.0;

/// A size, or the end of a range of sizes.
std::string shownSize(double x) {
  return x >= 1.0 ? fixedText(x, 0) : shortText(x);
}

double scaled(double value, GrowthUnit unit) {
  switch (unit) {
    case GrowthUnit::Bytes:
      return value / kMega;
    case GrowthUnit::Share:
      return value * kPercent;
    default:
      return value;
  }
}

/// Without the unit that stands beside it: "pack_seconds" as "pack".
std::string shortName(const GrowthColumn& column) {
  std::string name = column.name;
  for (const std::string_view end : {"_seconds", "_us"}) {
    if (name.size() > end.size() && name.ends_with(end)) name.resize(name.size() - end.size());
  }
  return name;
}

std::string tableOfSeries(const GrowthSeries& series) {
  Rows rows(1);
  rows.front().push_back(escapedText(series.variable));
  for (const GrowthRow& row : series.rows)
    rows.front().push_back(shownSize(row.x));
  rows.front().insert(rows.front().end(), {"exponent", "&plusmn;", "R<sup>2</sup>", "from"});
  for (std::size_t c = 0; c < series.columns.size(); ++c) {
    const GrowthColumn& column = series.columns[c];
    const std::string_view unit = unitName(column.unit);
    std::string name = shortName(column);
    if (!unit.empty()) name.append(" [").append(unit).append("]");
    std::vector<std::string> cells = {std::move(name)};
    for (const double value : series.valuesOf(c))
      cells.push_back(shownValue(value, column.unit, kNothing));
    const std::optional<PowerLaw> law = series.lawOf(c);
    const auto shown = [&](double value, int decimals) {
      return law && std::isfinite(value) ? fixedText(value, decimals) : std::string(kNothing);
    };
    cells.push_back(law ? "<b>" + fixedText(law->exponent, 2) + "</b>" : kNothing);
    cells.push_back(shown(law ? law->standardError : 0.0, 2));
    cells.push_back(shown(law ? law->rSquared : 0.0, 3));
    cells.push_back(law ? shownSize(law->from) : kNothing);
    rows.push_back(std::move(cells));
  }
  return tableOf(rows);
}

/// Of all columns of a unit that grow; empty if there is none.
std::string chartOf(const GrowthSeries& series, GrowthUnit unit, const std::string& yName) {
  LineChart chart;
  chart.title = series.name + ": " + yName;
  chart.xName = series.variable;
  chart.yName = yName;
  chart.isXByFactors = chart.isYByFactors = true;
  std::vector<ChartLine> fits;
  for (std::size_t c = 0; c < series.columns.size(); ++c) {
    if (series.columns[c].unit != unit) continue;
    const std::optional<PowerLaw> law = series.lawOf(c);
    if (!law) continue;
    ChartLine line;
    line.name = shortName(series.columns[c]) + "  " + fixedText(law->exponent, 2);
    line.colour = chartColour(chart.lines.size());
    line.x = series.sizes();
    line.hasDots = true;
    line.y.reserve(line.x.size());
    for (const double value : series.valuesOf(c))
      line.y.push_back(scaled(value, unit));
    ChartLine fit{"",
                  line.colour,
                  {law->from, law->to},
                  {scaled(law->at(law->from), unit), scaled(law->at(law->to), unit)},
                  true};
    chart.lines.push_back(std::move(line));
    fits.push_back(std::move(fit));
  }
  if (chart.lines.empty()) return {};
  chart.lines.insert(chart.lines.end(), fits.begin(), fits.end());
  return svgOf(chart);
}

std::string partOf(const GrowthSeries& series) {
  struct Chart {
    GrowthUnit unit;
    const char* name;
  };
  constexpr std::array kCharts = {
      Chart{GrowthUnit::Seconds, "time to build [s]"}, Chart{GrowthUnit::Microseconds, "time [us]"},
      Chart{GrowthUnit::Bytes, "memory [MB]"},         Chart{GrowthUnit::Count, "count"},
      Chart{GrowthUnit::Share, "share [%]"},
  };
  std::string part =
      "<h2>" + escapedText(series.name) + "</h2>\n<p>" + escapedText(series.about) + "</p>\n";
  part += tableOfSeries(series);
  for (const Chart& chart : kCharts)
    part += chartOf(series, chart.unit, chart.name);
  return part;
}

}  // namespace

std::string_view unitName(GrowthUnit unit) noexcept {
  switch (unit) {
    case GrowthUnit::Seconds:
      return "s";
    case GrowthUnit::Microseconds:
      return "us";
    case GrowthUnit::Bytes:
      return "MB";
    case GrowthUnit::Share:
      return "%";
    case GrowthUnit::Count:
      break;
  }
  return "";
}

std::string shownValue(double value, GrowthUnit unit, const std::string& missing) {
  if (!std::isfinite(value)) return missing;
  const double shown = scaled(value, unit);
  return std::fabs(shown) >= kPercent ? fixedText(shown, 0) : shortText(shown);
}

std::string growthPage(const GrowthBenchmark& benchmark) {
  std::string body =
      "<p>Each series changes one size. An exponent is the slope of the least-squares line in both "
      "logarithms, over the sizes from the one in the last column up; &plusmn; is its standard "
      "error. Dots are measured, dashed lines fitted, and the number behind a name is its "
      "exponent. "
      "All figures can be computed again from raw/*.csv.</p>\n" +
      machineParagraph(benchmark.worstStolenShare());
  for (const GrowthSeries& series : benchmark.series)
    body += partOf(series);
  return pageOf("Growth of costs", body);
}

}  // namespace tactus::studies
