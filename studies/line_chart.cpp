#include "studies/line_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "models/lanes/elementary.hpp"
#include "studies/report_text.hpp"

namespace tactus::studies {
namespace {

using models::elementary::log;

constexpr double kLeft = 64.0, kTop = 34.0, kPlotWidth = 480.0, kPlotHeight = 240.0;
constexpr double kWidth = kLeft + kPlotWidth + 170.0, kHeight = kTop + kPlotHeight + 50.0;
constexpr double kLegendStep = 18.0;
constexpr int kMostTicks = 6;
constexpr int kTickDigits = 6;

// A logarithmic axis of more has lines at powers of ten alone: with 2 and 5 their numbers would run
// into each other.
constexpr double kLongFactor = 1e3;

// Of ticks that are found by multiplying again and again.
constexpr double kRounding = 1e-9;

struct Axis {
  double low = 0.0, high = 1.0;
  bool isByFactors = false;

  [[nodiscard]] bool has(double value) const {
    return std::isfinite(value) && (!isByFactors || value > 0.0);
  }
  /// 0 at the low end, 1 at the high one.
  [[nodiscard]] double share(double value) const {
    if (isByFactors) return log(value / low) / log(high / low);
    return (value - low) / (high - low);
  }
};

/// The power of ten that is no more.
double powerBelow(double value) {
  double power = 1.0;
  while (power > value)
    power /= 10.0;
  while (power * 10.0 <= value)
    power *= 10.0;
  return power;
}

/// 1, 2 or 5 times a power of ten: the least that is no less.
double roundStep(double least) {
  const double power = powerBelow(least);
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) return factor * power;
  }
  return 10.0 * power;
}

/// 1, 2 or 5 times a power of ten: the largest that is no more.
double roundBelow(double value) {
  const double power = powerBelow(value);
  double below = power;
  for (const double factor : {2.0, 5.0}) {
    if (factor * power <= value) below = factor * power;
  }
  return below;
}

template <typename Values>
Axis axisOf(const LineChart& chart, const Values& valuesOf, bool isByFactors, bool fromZero) {
  Axis axis{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
            isByFactors};
  for (const ChartLine& line : chart.lines) {
    for (const double value : valuesOf(line)) {
      if (!axis.has(value)) continue;
      axis.low = std::min(axis.low, value);
      axis.high = std::max(axis.high, value);
    }
  }
  if (!(axis.low <= axis.high)) return {1.0, 10.0, isByFactors};
  if (fromZero && !isByFactors) axis.low = std::min(axis.low, 0.0);
  if (axis.low == axis.high) axis.high = axis.low == 0.0 ? 1.0 : axis.low * 1.1;
  if (isByFactors) {
    axis.low = roundBelow(axis.low);
    axis.high = roundStep(axis.high);
    return axis;
  }
  const double step = roundStep((axis.high - axis.low) / kMostTicks);
  axis.low = step * std::floor(axis.low / step);
  axis.high = step * std::ceil(axis.high / step);
  return axis;
}

std::vector<double> ticksOf(const Axis& axis) {
  std::vector<double> ticks;
  if (!axis.isByFactors) {
    const double step = roundStep((axis.high - axis.low) / kMostTicks);
    for (double i = std::ceil(axis.low / step); i * step <= axis.high + kRounding * step; i += 1.0)
      ticks.push_back(i * step);
    return ticks;
  }
  const bool isLong = axis.high > kLongFactor * axis.low;
  const double low = axis.low * (1.0 - kRounding);
  const double high = axis.high * (1.0 + kRounding);
  for (double power = powerBelow(axis.low); power <= high; power *= 10.0) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (isLong && factor > 1.0) break;
      const double tick = factor * power;
      if (tick >= low && tick <= high) ticks.push_back(tick);
    }
  }
  return ticks;
}

/// "500", "20k", "3M".
std::string tickText(double tick) {
  constexpr double kMillion = 1e6;
  constexpr double kThousand = 1e3;
  if (std::fabs(tick) >= kMillion) return shortText(tick / kMillion, kTickDigits) + "M";
  if (std::fabs(tick) >= 10.0 * kThousand) return shortText(tick / kThousand, kTickDigits) + "k";
  return shortText(tick, kTickDigits);
}

double atX(const Axis& axis, double value) {
  return kLeft + kPlotWidth * axis.share(value);
}
double atY(const Axis& axis, double value) {
  return kTop + kPlotHeight * (1.0 - axis.share(value));
}

std::string words(double x, double y, const std::string& what, const char* anchor) {
  return "<text x=\"" + fixedText(x, 1) + "\" y=\"" + fixedText(y, 1) + "\" text-anchor=\"" +
         anchor + "\">" + escapedText(what) + "</text>\n";
}

std::string straight(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line x1=\"" + fixedText(x1, 1) + "\" y1=\"" + fixedText(y1, 1) + "\" x2=\"" +
         fixedText(x2, 1) + "\" y2=\"" + fixedText(y2, 1) + "\" " + style + "/>\n";
}

std::string styleOf(const ChartLine& line) {
  return "stroke=\"" + line.colour + "\" stroke-width=\"1.5\" fill=\"none\"" +
         (line.isDashed ? " stroke-dasharray=\"5 4\"" : "");
}

std::string polyline(const ChartLine& line, const Axis& x, const Axis& y) {
  std::string points;
  std::string dots;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    if (!x.has(line.x[i]) || !y.has(line.y[i])) continue;
    const std::string left = fixedText(atX(x, line.x[i]), 1);
    const std::string top = fixedText(atY(y, line.y[i]), 1);
    points += left;
    points += ',';
    points += top;
    points += ' ';
    if (!line.hasDots) continue;
    dots.append("<circle cx=\"").append(left).append("\" cy=\"").append(top);
    dots.append("\" r=\"2.5\" fill=\"").append(line.colour).append("\"/>\n");
  }
  return "<polyline points=\"" + points + "\" " + styleOf(line) + "/>\n" + dots;
}

}  // namespace

std::string_view chartColour(std::size_t index) noexcept {
  constexpr std::array<std::string_view, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                        "#e69f00", "#56b4e9", "#555555"};
  return kColours[index % kColours.size()];
}

std::string svgOf(const LineChart& chart) {
  const Axis x = axisOf(
      chart, [](const ChartLine& line) -> const std::vector<double>& { return line.x; },
      chart.isXByFactors, false);
  const Axis y = axisOf(
      chart, [](const ChartLine& line) -> const std::vector<double>& { return line.y; },
      chart.isYByFactors, chart.beginsAtZero);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
                    fixedText(kWidth, 0) + " " + fixedText(kHeight, 0) + "\" width=\"" +
                    fixedText(kWidth, 0) + "\" height=\"" + fixedText(kHeight, 0) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n";
  svg += words(kLeft, kTop - 14.0, chart.title, "start");
  for (const double tick : ticksOf(x)) {
    svg += straight(atX(x, tick), kTop, atX(x, tick), kTop + kPlotHeight, "stroke=\"#e4e4e4\"");
    svg += words(atX(x, tick), kTop + kPlotHeight + 16.0, tickText(tick), "middle");
  }
  for (const double tick : ticksOf(y)) {
    svg += straight(kLeft, atY(y, tick), kLeft + kPlotWidth, atY(y, tick), "stroke=\"#e4e4e4\"");
    svg += words(kLeft - 6.0, atY(y, tick) + 4.0, tickText(tick), "end");
  }
  svg += words(kLeft + 0.5 * kPlotWidth, kTop + kPlotHeight + 38.0, chart.xName, "middle");
  svg += "<g transform=\"translate(16 " + fixedText(kTop + 0.5 * kPlotHeight, 0) +
         ") rotate(-90)\">" + words(0.0, 0.0, chart.yName, "middle") + "</g>\n";
  if (chart.markAt && x.has(*chart.markAt) && x.share(*chart.markAt) >= 0.0 &&
      x.share(*chart.markAt) <= 1.0) {
    const double at = atX(x, *chart.markAt);
    svg += straight(at, kTop, at, kTop + kPlotHeight, "stroke=\"#000\" stroke-dasharray=\"2 3\"");
    svg += words(at - 4.0, kTop + kPlotHeight - 6.0, chart.markName, "end");
  }
  double legendAt = kTop + 8.0;
  for (const ChartLine& line : chart.lines) {
    svg += polyline(line, x, y);
    if (line.name.empty()) continue;
    const double left = kLeft + kPlotWidth + 14.0;
    svg += straight(left, legendAt - 4.0, left + 20.0, legendAt - 4.0, styleOf(line));
    svg += words(left + 26.0, legendAt, line.name, "start");
    legendAt += kLegendStep;
  }
  return svg + "</svg>\n";
}

}  // namespace tactus::studies
