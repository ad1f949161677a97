#include "studies/stability_charts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "haptics/profiles/hand_defaults.hpp"
#include "models/lanes/elementary.hpp"

namespace tactus::studies {
namespace {

using models::elementary::exp;
using models::elementary::log;

constexpr double kLeft = 70.0, kTop = 40.0, kSide = 400.0;
constexpr double kWidth = kLeft + kSide + 180.0, kHeight = kTop + kSide + 60.0;
constexpr double kMiddle = 0.5;

/// Without regard to the locale.
std::string fixed(double value, int decimals) {
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 std::chars_format::fixed, decimals)
                       .ptr;
  return {digits.data(), end};
}

std::string shortest(double value) {
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 std::chars_format::general, 3)
                       .ptr;
  return {digits.data(), end};
}

/// An axis by factors; ends are those of the cells.
struct Axis {
  double low = 1.0, high = 10.0;

  [[nodiscard]] double share(double value) const { return log(value / low) / log(high / low); }
};

/// From the middles of the first and the last of so many cells.
Axis axisAround(double first, double last, int cells) {
  const double half = exp(kMiddle * log(last / first) / (cells - 1));
  return {first / half, last * half};
}

std::string text(double x, double y, const std::string& words, const char* anchor = "start") {
  return "<text x=\"" + fixed(x, 1) + "\" y=\"" + fixed(y, 1) + "\" text-anchor=\"" + anchor +
         "\">" + words + "</text>\n";
}

std::string rectangle(double x, double y, double width, double height, const char* fill) {
  return "<rect x=\"" + fixed(x, 2) + "\" y=\"" + fixed(y, 2) + "\" width=\"" + fixed(width, 2) +
         "\" height=\"" + fixed(height, 2) + "\" fill=\"" + fill + "\"/>\n";
}

std::string disc(double x, double y, const char* fill) {
  return "<circle cx=\"" + fixed(x, 1) + "\" cy=\"" + fixed(y, 1) + "\" r=\"5\" fill=\"" + fill +
         "\" stroke=\"#222\"/>\n";
}

// Colours that stay apart for the colour-blind, and in grey.
constexpr const char* kCalm = "#a6d0e4";
constexpr const char* kNotCalm = "#d6604d";
constexpr const char* kLine = "#222";

/// The line of b = K lag + |B| from the softest on, as points.
std::string passiveLine(const ProfileStability& profile, const Axis& stiffness,
                        const Axis& damping) {
  const response::SampledDevice device = haptics::handSetupFor(profile.profile).shifts;
  const double lag = 0.5 * device.period + device.delay;
  constexpr int kPoints = 400;
  std::string points;
  for (int i = 0; i <= kPoints; ++i) {
    const double u = static_cast<double>(i) / kPoints;
    const double k = stiffness.low * exp(u * log(stiffness.high / stiffness.low));
    const double b = device.damping - k * lag;
    if (b < damping.low) break;
    points += fixed(kLeft + kSide * u, 1) + "," +
              fixed(kTop + kSide * (1.0 - std::min(1.0, damping.share(b))), 1) + " ";
  }
  if (points.empty()) return {};
  return "<polyline points=\"" + points + "\" fill=\"none\" stroke=\"" + kLine +
         "\" stroke-width=\"2\"/>\n";
}

}  // namespace

std::string regionSvg(const ProfileStability& profile) {
  const int cells = static_cast<int>(std::lround(std::sqrt(profile.region.size())));
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + fixed(kWidth, 0) +
                    " " + fixed(kHeight, 0) + "\" width=\"" + fixed(kWidth, 0) + "\" height=\"" +
                    fixed(kHeight, 0) + "\" font-family=\"sans-serif\" font-size=\"12\">\n";
  svg += text(kLeft, kTop - 16.0, profile.name + ": a wall, pushed at with 0.5 N");
  if (cells < 2) return svg + text(kLeft, kTop, "no region was simulated") + "</svg>\n";
  const Axis stiffness =
      axisAround(profile.region.front().stiffness, profile.region.back().stiffness, cells);
  const Axis damping =
      axisAround(profile.region.front().damping, profile.region.back().damping, cells);
  const double side = kSide / cells;
  for (std::size_t i = 0; i < profile.region.size(); ++i) {
    const int column = static_cast<int>(i) % cells;
    const int row = static_cast<int>(i) / cells;
    svg += rectangle(kLeft + side * column, kTop + side * (cells - 1 - row), side, side,
                     profile.region[i].isCalm ? kCalm : kNotCalm);
  }
  for (const double tick : {50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0}) {
    const double u = stiffness.share(tick);
    if (u < -0.001 || u > 1.001) continue;
    svg += text(kLeft + kSide * u, kTop + kSide + 18.0, shortest(tick), "middle");
  }
  for (const double tick : {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0}) {
    const double u = damping.share(tick);
    if (u < -0.001 || u > 1.001) continue;
    svg += text(kLeft - 8.0, kTop + kSide * (1.0 - u) + 4.0, shortest(tick), "end");
  }
  svg += text(kLeft + kMiddle * kSide, kTop + kSide + 42.0, "stiffness K [N/m]", "middle");
  svg += "<g transform=\"translate(18 " + fixed(kTop + kMiddle * kSide, 0) + ") rotate(-90)\">" +
         text(0.0, 0.0, "damping B [N s/m]", "middle") + "</g>\n";
  svg += passiveLine(profile, stiffness, damping);

  const auto mark = [&](double factor, const char* fill) {
    const double u = stiffness.share(factor * profile.defaults.stiffness);
    const double v = damping.share(factor * profile.defaults.damping);
    return disc(kLeft + kSide * u, kTop + kSide * (1.0 - v), fill);
  };
  svg += mark(1.0, "#fff") + mark(profile.criticalFactor, "#000");

  double y = kTop + 10.0;
  const double x = kLeft + kSide + 16.0;
  const auto legend = [&](const std::string& sign, const std::string& words) {
    svg += sign + text(x + 20.0, y + 4.0, words);
    y += 22.0;
  };
  legend(rectangle(x, y - 6.0, 12.0, 12.0, kCalm), "calm");
  legend(rectangle(x, y - 6.0, 12.0, 12.0, kNotCalm), "not calm");
  legend(disc(x + 6.0, y, "#fff"), "default");
  legend(disc(x + 6.0, y, "#000"), "critical, of all runs");
  legend("<line x1=\"" + fixed(x, 0) + "\" x2=\"" + fixed(x + 12.0, 0) + "\" y1=\"" + fixed(y, 0) +
             "\" y2=\"" + fixed(y, 0) + "\" stroke=\"" + kLine + "\" stroke-width=\"2\"/>",
         "below: b &gt; K(T/2+delay)+|B|");
  return svg + "</svg>\n";
}

std::string stabilityHtml(const StabilityBenchmark& benchmark) {
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Stability</title>\n"
      "<style>body{font-family:sans-serif;max-width:60em;margin:2em auto}table{border-collapse:"
      "collapse}td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #ccc}"
      "td:first-child,th:first-child,td:last-child,th:last-child{text-align:left}</style>"
      "</head><body>\n<h1>How stiff a contact stays calm</h1>\n<p>Seeds 1 to " +
      std::to_string(benchmark.settings.seeds) + ", rhinos of " +
      std::to_string(benchmark.settings.spheres) +
      " spheres. A margin with &ge; ended at a parameter's range.</p>\n<table><tr><th>device</th>"
      "<th>default K [N/m]</th><th>critical K [N/m]</th><th>margin</th><th>passive ratio</th>"
      "<th>excess rms / limit</th><th>passivity share</th><th>weakest</th></tr>\n";
  for (const ProfileStability& p : benchmark.profiles) {
    page += "<tr><td>" + p.name + "</td><td>" + fixed(p.defaults.stiffness, 0) + "</td><td>" +
            fixed(p.criticalStiffness(), 0) + "</td><td>" + (p.isBeyondRange ? "&ge; " : "") +
            fixed(p.margin(), 2) + "</td><td>" + fixed(p.passiveRatio, 4) + "</td><td>" +
            fixed(p.excessRmsShare, 3) + "</td><td>" + fixed(p.passivityShare, 4) + "</td><td>" +
            (p.isBeyondRange ? std::string("none") : describe(p.weakest)) + "</td></tr>\n";
  }
  page += "</table>\n";
  for (const ProfileStability& p : benchmark.profiles) {
    if (!p.region.empty()) page += regionSvg(p);
  }
  return page + "</body></html>\n";
}

}  // namespace tactus::studies
