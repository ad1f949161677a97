#include "studies/line_chart.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "studies/report_text.hpp"

namespace tactus::studies {
namespace {

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

LineChart chartOf(std::vector<double> x, std::vector<double> y) {
  LineChart chart;
  chart.title = "a < b";
  chart.lines = {{"one", "#000", std::move(x), std::move(y), false}};
  return chart;
}

/// The points of the first line.
std::string pointsOf(const std::string& svg) {
  const std::size_t begin = svg.find("points=\"") + 8;
  return svg.substr(begin, svg.find('"', begin) - begin);
}

// The plot is 480 x 240, from (64, 34); axes end at round numbers.
TEST(LineChart, PointsLieWhereTheirAxesSay) {
  EXPECT_EQ(pointsOf(svgOf(chartOf({0.0, 5.0, 10.0}, {0.0, 1.0, 2.0}))),
            "64.0,274.0 304.0,154.0 544.0,34.0 ");
}

TEST(LineChart, AnAxisByFactorsLeavesOutWhatIsNotPositive) {
  LineChart chart = chartOf({1.0, 0.0, 10.0, 100.0}, {0.0, 1.0, 1.0, 2.0});
  chart.isXByFactors = true;
  EXPECT_EQ(pointsOf(svgOf(chart)), "64.0,274.0 304.0,154.0 544.0,34.0 ");
}

TEST(LineChart, NothingToShowIsAnEmptyPlotAndNoNumberIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const LineChart& chart :
       {chartOf({}, {}), chartOf({1.0, nan}, {nan, 2.0}), chartOf({3.0, 3.0}, {0.0, 0.0})}) {
    const std::string svg = svgOf(chart);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_EQ(countOf(svg, "<polyline"), 1U);
    EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  }
}

TEST(LineChart, AMarkIsDrawnOnlyWhereThePlotIs) {
  LineChart chart = chartOf({0.0, 10.0}, {0.0, 1.0});
  chart.markName = "1 ms";
  chart.markAt = 4.0;
  EXPECT_EQ(countOf(svgOf(chart), "1 ms"), 1U);
  chart.markAt = 40.0;
  EXPECT_EQ(countOf(svgOf(chart), "1 ms"), 0U);
}

TEST(ReportText, PageAndTableHoldWhatTheyAreGiven) {
  const std::string table = tableOf({{"a", "b"}, {"1", "2"}});
  EXPECT_EQ(countOf(table, "<th>"), 2U);
  EXPECT_EQ(countOf(table, "<td>"), 2U);
  const std::string page = pageOf("x & y", table);
  EXPECT_NE(page.find("<h1>x &amp; y</h1>"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos) << "nothing from elsewhere";
  EXPECT_EQ(fixedText(1.25, 1) + shortText(1234567.0), "1.21.23e+06");
}

}  // namespace
}  // namespace tactus::studies
