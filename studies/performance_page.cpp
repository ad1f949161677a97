#include "studies/performance_page.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include "studies/line_chart.hpp"
#include "studies/performance_figures.hpp"
#include "studies/report_text.hpp"

namespace tactus::studies {
namespace {

constexpr double kTickUs = 1000.0;

std::string hashText(std::uint64_t hash) {
  constexpr int kHexadecimal = 16;
  char text[kHexadecimal];
  return {text, std::to_chars(text, text + sizeof text, hash, kHexadecimal).ptr};
}

/// Medians of a method at the poses of a class, from the shortest on [us].
std::vector<double> sortedTimes(const PerformanceBenchmark& benchmark, PerformanceMethod method,
                                const WantedStand& stand) {
  std::vector<double> all;
  for (const PosePerformance& pose : benchmark.poses) {
    const std::vector<double>& times = pose.times[static_cast<std::size_t>(method)];
    if (times.empty() || !(pose.configuration.wanted == stand)) continue;
    all.push_back(medianOf(times));
  }
  std::ranges::sort(all);
  return all;
}

std::string classPart(const PerformanceBenchmark& benchmark, const WantedStand& stand) {
  const bool isGap = stand.kind == WantedStand::Kind::Gap;
  std::vector<std::vector<std::string>> rows = {
      {"method", "poses", "mean [us]", "p50", "p99", "p99.9", "max", "mean error"}};
  LineChart chart;
  chart.title = nameOf(stand) + (isGap ? ", a gap" : ", an overlap");
  chart.xName = "time of a query [us]";
  chart.yName = "share of the poses";
  chart.isXByFactors = true;
  chart.markAt = kTickUs;
  chart.markName = "1 ms";
  for (std::size_t m = 0; m < kPerformanceMethods; ++m) {
    const auto method = static_cast<PerformanceMethod>(m);
    const std::vector<double> times = sortedTimes(benchmark, method, stand);
    if (times.empty()) continue;
    const TimingFigures figures = figuresOf(times);
    rows.push_back(
        {std::string(nameOf(method)), std::to_string(figures.count), fixedText(figures.mean, 1),
         fixedText(figures.p50, 1), fixedText(figures.p99, 1), fixedText(figures.p999, 1),
         fixedText(figures.max, 1),
         isComparable(method, stand.kind) ? shortText(errorOf(benchmark, method, stand).mean)
                                          : std::string("&ndash;")});
    ChartLine line{std::string(nameOf(method)), std::string(chartColour(m)), times, {}, m >= 6};
    for (std::size_t k = 0; k < times.size(); ++k)
      line.y.push_back(static_cast<double>(k + 1) / static_cast<double>(times.size()));
    chart.lines.push_back(std::move(line));
  }
  return "<h2>" + nameOf(stand) + "</h2>\n" + tableOf(rows) + svgOf(chart);
}

}  // namespace

std::string performancePage(const PerformanceBenchmark& benchmark,
                            const std::vector<WantedStand>& stands) {
  std::string body = "<p>" + std::to_string(benchmark.poses.size()) + " poses of " +
                     std::to_string(benchmark.pairs.size()) + " pairs, " +
                     std::to_string(benchmark.spheres) + " spheres each, median of " +
                     std::to_string(benchmark.repetitions) +
                     ". dX: a gap of X of the smaller size; vX: an overlap of X of the smaller "
                     "volume. Contacts of FCL and Bullet have no force in them. All figures can be "
                     "computed again from raw/timings.csv and raw/answers.csv.</p>\n" +
                     machineParagraph(benchmark.worstStolenShare());
  for (const WantedStand& stand : stands)
    body += classPart(benchmark, stand);
  body += "<h2>Hashes of all answers</h2>\n<p>Two runs with the same have computed the same.</p>\n";
  std::vector<std::vector<std::string>> hashes = {{"method", "hash"}};
  for (std::size_t m = 0; m < kPerformanceMethods; ++m) {
    const auto method = static_cast<PerformanceMethod>(m);
    hashes.push_back({std::string(nameOf(method)), hashText(hashOf(benchmark, method))});
  }
  return pageOf("Performance of collision queries", body + tableOf(hashes));
}

}  // namespace tactus::studies
