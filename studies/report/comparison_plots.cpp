#include "studies/report/comparison_plots.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "studies/report/figure_words.hpp"
#include "studies/report/svg_canvas.hpp"

namespace tactus::studies {
namespace {

// M. Okabe and K. Ito, "Color universal design", 2008: told apart by the colour-blind.
constexpr const char* kUnder = "#0072b2";
constexpr const char* kOver = "#d55e00";
constexpr const char* kFaint = "#b5b5b5";
constexpr const char* kInk = "#333";
constexpr const char* kBounds = "#009e73";

constexpr double kWidth = 400.0, kHeight = 320.0;
constexpr double kLeft = 66.0, kRight = 380.0, kTop = 34.0, kBottom = 274.0;

std::string withUnit(const std::string& words, const std::string& unit) {
  return unit.empty() ? words : words + " [" + unit + "]";
}

/// Quartiles as a box, median as a line, mean as a diamond.
void box(SvgCanvas& canvas, const SampleMoments& moments, const PlotAxis& axis, double x,
         const char* colour) {
  constexpr double kHalf = 9.0;
  const double upper = axis.place(moments.upperQuartile);
  canvas.line(x, axis.place(moments.least), x, axis.place(moments.most), colour);
  canvas.rectangle(x - kHalf, upper, 2.0 * kHalf, axis.place(moments.lowerQuartile) - upper, "#fff",
                   1.0, colour);
  canvas.line(x - kHalf, axis.place(moments.median), x + kHalf, axis.place(moments.median), colour,
              2.0);
  canvas.diamond(x, axis.place(moments.mean), 5.0, colour);
}

/// Words cut to what fits.
std::string shortened(const std::string& words, std::size_t most) {
  if (words.size() <= most) return words;
  std::size_t end = most - 1;
  // not within a character
  while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xC0U) == 0x80U)
    --end;
  return words.substr(0, end) + "\xe2\x80\xa6";
}

}  // namespace

std::string participantsSvg(const Comparison& comparison) {
  SvgCanvas canvas(kWidth, kHeight, comparison.outcome.label + ": participants");
  canvas.text(kLeft, 18.0, "Each participant under both conditions", "start", "bold");
  double low = INFINITY, high = -INFINITY;
  for (const Observation& one : comparison.observations) {
    low = std::min(low, one.value);
    high = std::max(high, one.value);
  }
  const PlotAxis axis = axisAround(low, high, kBottom, kTop);
  canvas.axisLeft(axis, kLeft, kRight, withUnit("value", comparison.unitName));
  const double xUnder = kLeft + 100.0, xOver = kRight - 100.0;
  // equal answers would hide each other: each a little further from the last
  std::map<std::pair<bool, double>, int> met;
  std::map<std::string, std::pair<double, double>> from;
  struct Dot {
    double x, y;
    bool isOver;
  };
  std::vector<Dot> dots;
  for (const Observation& one : comparison.observations) {
    const bool isOver = one.level == comparison.over.name;
    const int before = met[{isOver, one.value}]++;
    const int steps = before % 2 == 0 ? before / 2 : -(before + 1) / 2;
    const double aside = 3.5 * steps;
    dots.push_back({.x = (isOver ? xOver : xUnder) + std::clamp(aside, -28.0, 28.0),
                    .y = axis.place(one.value),
                    .isOver = isOver});
    const Dot& dot = dots.back();
    const auto [found, isNew] = from.try_emplace(one.participant, dot.x, dot.y);
    if (!isNew) canvas.line(found->second.first, found->second.second, dot.x, dot.y, kFaint, 0.8);
  }
  for (const Dot& dot : dots)
    canvas.circle(dot.x, dot.y, 3.5, dot.isOver ? kOver : kUnder, 0.8);
  box(canvas, comparison.ofUnder, axis, kLeft + 30.0, kUnder);
  box(canvas, comparison.ofOver, axis, kRight - 30.0, kOver);
  canvas.text(kLeft + 65.0, kBottom + 20.0, letterOf(comparison.under), "middle", "bold");
  canvas.text(kRight - 65.0, kBottom + 20.0, letterOf(comparison.over), "middle", "bold");
  canvas.text(0.5 * (kLeft + kRight), kBottom + 40.0,
              "box: quartiles and median; diamond: mean; line: a participant", "middle", "normal",
              11.0);
  return canvas.finish();
}

std::string differencesSvg(const Comparison& comparison) {
  struct Row {
    std::string name;
    double value;
  };
  std::vector<Row> rows;
  rows.reserve(comparison.units.size());
  for (std::size_t i = 0; i < comparison.units.size(); ++i)
    rows.push_back({comparison.units[i].name, comparison.differences[i]});
  std::ranges::stable_sort(rows, {}, &Row::value);
  SvgCanvas canvas(kWidth, kHeight, comparison.outcome.label + ": differences");
  canvas.text(
      kLeft, 18.0,
      "Difference " + letterOf(comparison.over) + " \xe2\x88\x92 " + letterOf(comparison.under) +
          " of each " +
          (comparison.units.empty() || comparison.units.front().size < 2 ? "participant" : "pair"),
      "start", "bold");
  const bool isOrdinal = comparison.decides == DecidingTest::SignedRank && comparison.ranks;
  double estimate = comparison.t ? comparison.t->estimate : 0.0;
  double low = comparison.t ? comparison.t->low : 0.0;
  double high = comparison.t ? comparison.t->high : 0.0;
  if (isOrdinal) {
    estimate = comparison.ranks->estimate;
    low = comparison.ranks->low;
    high = comparison.ranks->high;
  }
  double least = std::min(0.0, low), most = std::max(0.0, high);
  for (const Row& row : rows) {
    least = std::min(least, row.value);
    most = std::max(most, row.value);
  }
  const auto& bounds = comparison.outcome.equivalence;
  if (bounds) least = std::min(least, bounds->low);
  if (bounds) most = std::max(most, bounds->high);
  const PlotAxis axis = axisAround(least, most, kLeft, kRight);
  if (bounds) {
    canvas.rectangle(axis.place(bounds->low), kTop,
                     axis.place(bounds->high) - axis.place(bounds->low), kBottom - kTop, kBounds,
                     0.2);
  }
  canvas.axisBelow(
      axis, kBottom, kTop,
      withUnit("difference", comparison.unitName) + (bounds ? "; green: counts as none" : ""));
  canvas.line(axis.place(0.0), kTop, axis.place(0.0), kBottom, kInk, 1.5);
  const double step =
      (kBottom - kTop - 34.0) / static_cast<double>(std::max<std::size_t>(1, rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double y = kTop + step * (static_cast<double>(i) + 0.5);
    const double x = axis.place(rows[i].value);
    canvas.line(axis.place(0.0), y, x, y, kFaint);
    const char* const colour = rows[i].value < 0.0 ? kUnder : rows[i].value > 0.0 ? kOver : kInk;
    canvas.circle(x, y, std::clamp(0.35 * step, 1.5, 4.0), colour);
    if (step >= 9.0)
      canvas.text(kLeft - 4.0, y + 3.5, shortened(rows[i].name, 8), "end", "normal", 10.0);
  }
  const double y = kBottom - 15.0;
  if (comparison.t || isOrdinal) {
    canvas.line(axis.place(low), y, axis.place(high), y, kInk, 3.0);
    canvas.diamond(axis.place(estimate), y, 7.0, kInk);
    canvas.text(kLeft - 4.0, y + 4.0, isOrdinal ? "H\xe2\x80\x93L" : "mean", "end", "bold", 11.0);
  }
  return canvas.finish();
}

std::string answersSvg(const Comparison& comparison, const QuestionItem& item) {
  constexpr double kSmall = 190.0;
  SvgCanvas canvas(kWidth, kSmall, comparison.outcome.label + ": answers");
  canvas.text(kLeft, 18.0, "Answers", "start", "bold");
  const int least = static_cast<int>(std::lround(item.least));
  const int most = static_cast<int>(std::lround(item.most));
  const int steps = std::max(1, most - least);
  const auto shade = [&](int answer) {
    // from blue over grey to orange; grey is the middle of the scale
    constexpr int kEnds[3][3] = {{0x00, 0x72, 0xb2}, {0xe6, 0xe6, 0xe6}, {0xd5, 0x5e, 0x00}};
    const double at = 2.0 * (answer - least) / steps;
    const int part = at < 1.0 ? 0 : 1;
    std::string colour = "#";
    for (int c = 0; c < 3; ++c) {
      const double value = kEnds[part][c] + (at - part) * (kEnds[part + 1][c] - kEnds[part][c]);
      const int byte = std::clamp(static_cast<int>(std::lround(value)), 0, 255);
      constexpr const char* kDigits = "0123456789abcdef";
      colour += {kDigits[byte / 16], kDigits[byte % 16]};
    }
    return colour;
  };
  double y = 36.0;
  for (const FactorLevel& level : {comparison.under, comparison.over}) {
    std::map<int, double> counts;
    double all = 0.0;
    for (const Observation& one : comparison.observations) {
      if (one.level != level.name) continue;
      counts[std::clamp(static_cast<int>(std::lround(one.value)), least, most)] += 1.0;
      all += 1.0;
    }
    canvas.text(kLeft - 8.0, y + 22.0, letterOf(level), "end", "bold", 14.0);
    double x = kLeft;
    for (const auto& [answer, count] : counts) {
      const double width = count / all * (kRight - kLeft);
      canvas.rectangle(x, y, width, 34.0, shade(answer), 1.0, "#fff");
      if (width > 20.0) canvas.text(x + 0.5 * width, y + 22.0, fixedPoint(count, 0), "middle");
      x += width;
    }
    y += 46.0;
  }
  y += 6.0;
  const double side = (kRight - kLeft) / (steps + 1);
  for (int answer = least; answer <= most; ++answer) {
    const double x = kLeft + side * (answer - least);
    canvas.rectangle(x, y, side - 4.0, 10.0, shade(answer));
    if (side > 14.0)
      canvas.text(x + 0.5 * side, y + 24.0, std::to_string(answer), "middle", "normal", 11.0);
  }
  canvas.text(kLeft, y + 40.0, shortened(item.leastLabel, 26), "start", "normal", 11.0);
  canvas.text(kRight, y + 40.0, shortened(item.mostLabel, 26), "end", "normal", 11.0);
  return canvas.finish();
}

std::string stillAtItSvg(const Comparison& comparison, const std::vector<SingleTime>& times) {
  SvgCanvas canvas(kWidth, kHeight, comparison.outcome.label + ": still at it");
  canvas.text(kLeft, 18.0, "Share not done yet (cross: cut by the limit)", "start", "bold");
  double most = 0.0;
  for (const SingleTime& one : times)
    most = std::max(most, one.time);
  const PlotAxis across{
      .low = 0.0, .high = most > 0.0 ? most : 1.0, .first = kLeft, .last = kRight - 16.0};
  const PlotAxis up{.low = 0.0, .high = 1.0, .first = kBottom, .last = kTop};
  canvas.axisLeft(up, kLeft, kRight, "share");
  canvas.axisBelow(across, kBottom, kTop, withUnit("time", comparison.unitName));
  for (const FactorLevel& level : {comparison.under, comparison.over}) {
    const char* const colour = level.name == comparison.under.name ? kUnder : kOver;
    std::map<double, std::pair<int, int>> events;  // done, cut
    int atIt = 0;
    for (const SingleTime& one : times) {
      if (one.level != level.name) continue;
      ++atIt;
      ++(one.isCensored ? events[one.time].second : events[one.time].first);
    }
    double share = 1.0;
    std::vector<std::pair<double, double>> steps = {{across.place(0.0), up.place(1.0)}};
    for (const auto& [time, event] : events) {
      const auto& [done, cut] = event;
      steps.emplace_back(across.place(time), up.place(share));
      share *= 1.0 - static_cast<double>(done) / atIt;
      steps.emplace_back(across.place(time), up.place(share));
      if (cut > 0) {
        const double x = across.place(time), y = up.place(share);
        canvas.line(x - 5.0, y - 5.0, x + 5.0, y + 5.0, colour, 2.0);
        canvas.line(x - 5.0, y + 5.0, x + 5.0, y - 5.0, colour, 2.0);
      }
      atIt -= done + cut;
    }
    canvas.polyline(steps, colour, 2.0);
    canvas.text(steps.back().first + 8.0, steps.back().second + 4.0, letterOf(level), "start",
                "bold", 14.0);
  }
  return canvas.finish();
}

std::string kindsSvg(const KindsComparison& comparison) {
  constexpr double kWide = 640.0, kBase = 240.0;
  SvgCanvas canvas(kWide, kBase + 60.0, comparison.outcome.label + ": by kind");
  canvas.text(kLeft, 18.0, "How many of each kind", "start", "bold");
  double most = 1.0;
  for (std::size_t k = 0; k < comparison.kinds.size(); ++k)
    most = std::max({most, comparison.ofUnder[k], comparison.ofOver[k]});
  const PlotAxis axis{.low = 0.0, .high = 1.06 * most, .first = kBase, .last = kTop};
  const double right = kWide - 20.0;
  canvas.axisLeft(axis, kLeft, right, "objects");
  const double side = (right - kLeft) / static_cast<double>(comparison.kinds.size());
  const double bar = std::min(36.0, 0.36 * side);
  for (std::size_t k = 0; k < comparison.kinds.size(); ++k) {
    const double x = kLeft + side * (static_cast<double>(k) + 0.5);
    const auto column = [&](double from, double count, const char* colour) {
      canvas.rectangle(from, axis.place(count), bar, kBase - axis.place(count), colour);
      canvas.text(from + 0.5 * bar, axis.place(count) - 4.0, fixedPoint(count, 0), "middle",
                  "normal", 11.0);
    };
    column(x - bar - 1.0, comparison.ofUnder[k], kUnder);
    column(x + 1.0, comparison.ofOver[k], kOver);
    canvas.text(x, kBase + 18.0, shortened(comparison.kinds[k], 14), "middle");
  }
  canvas.rectangle(kLeft, kBase + 34.0, 12.0, 12.0, kUnder);
  canvas.text(kLeft + 18.0, kBase + 44.0, letterOf(comparison.under), "start", "bold");
  canvas.rectangle(kLeft + 60.0, kBase + 34.0, 12.0, 12.0, kOver);
  canvas.text(kLeft + 78.0, kBase + 44.0, letterOf(comparison.over), "start", "bold");
  return canvas.finish();
}

std::string effectsSvg(const std::vector<Comparison>& comparisons) {
  std::vector<const Comparison*> shown;
  double least = -1.0, most = 1.0;
  for (const Comparison& comparison : comparisons) {
    if (!comparison.standardized) continue;
    shown.push_back(&comparison);
    least = std::min(least, comparison.standardized->low);
    most = std::max(most, comparison.standardized->high);
  }
  if (shown.empty()) return {};
  constexpr double kWide = 820.0, kFrom = 330.0, kStep = 24.0;
  const double bottom = kTop + kStep * static_cast<double>(shown.size()) + 6.0;
  SvgCanvas canvas(kWide, bottom + 48.0, "All differences in standard deviations");
  canvas.text(8.0, 18.0, "All differences, in standard deviations of the units' differences",
              "start", "bold");
  const PlotAxis axis = axisAround(least, most, kFrom, kWide - 20.0);
  canvas.axisBelow(axis, bottom, kTop - 4.0, "d with its interval");
  canvas.line(axis.place(0.0), kTop - 4.0, axis.place(0.0), bottom, kInk, 1.5);
  double y = kTop + 0.5 * kStep;
  for (const Comparison* const one : shown) {
    const StandardizedDifference d = one->standardized.value_or(StandardizedDifference());
    const char* const colour = d.ofDifferences < 0.0 ? kUnder : kOver;
    canvas.line(axis.place(d.low), y, axis.place(d.high), y, colour, 2.0);
    canvas.diamond(axis.place(d.ofDifferences), y, 6.0, colour);
    canvas.text(kFrom - 12.0, y + 4.0,
                shortened(one->outcome.label, 38) + ", " + letterOf(one->over) + "\xe2\x88\x92" +
                    letterOf(one->under),
                "end", one->outcome.isPrimary ? "bold" : "normal");
    y += kStep;
  }
  return canvas.finish();
}

}  // namespace tactus::studies
