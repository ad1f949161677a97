#include "studies/report/svg_canvas.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "studies/report/figure_words.hpp"

namespace tactus::studies {
namespace {

constexpr const char* kGrid = "#e3e3e3";
constexpr const char* kInk = "#333";

std::string px(double value) {
  std::array<char, 64> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                       std::chars_format::fixed, 1)
                             .ptr};
}

std::string attribute(std::string_view name, std::string_view value) {
  std::string text(" ");
  return text.append(name).append("=\"").append(value).append("\"");
}

}  // namespace

std::vector<double> PlotAxis::ticks(int wanted) const {
  const double rough = (high - low) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = power;
  for (const double factor : {2.0, 5.0, 10.0}) {
    // the nearest by its ratio
    if (factor * power * step < rough * rough) step = factor * power;
  }
  std::vector<double> numbers;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i += 1.0)
    numbers.push_back(i * step);
  return numbers;
}

PlotAxis axisAround(double low, double high, double first, double last) {
  constexpr double kRoom = 0.06;
  double span = high - low;
  if (!(span > 0.0)) span = std::max(1.0, std::abs(high));
  return {.low = low - kRoom * span, .high = high + kRoom * span, .first = first, .last = last};
}

SvgCanvas::SvgCanvas(double width, double height, std::string_view title)
    : svg_("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + px(width) + " " +
           px(height) + "\" width=\"" + px(width) + "\" height=\"" + px(height) +
           "\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n<title>" +
           escaped(title) + "</title>\n") {}

void SvgCanvas::line(double x1, double y1, double x2, double y2, std::string_view stroke,
                     double width, std::string_view dashes) {
  svg_ += "<line" + attribute("x1", px(x1)) + attribute("y1", px(y1)) + attribute("x2", px(x2)) +
          attribute("y2", px(y2)) + attribute("stroke", stroke) +
          attribute("stroke-width", px(width)) +
          (dashes.empty() ? std::string() : attribute("stroke-dasharray", dashes)) + "/>\n";
}

void SvgCanvas::circle(double x, double y, double radius, std::string_view fill, double opacity) {
  svg_ += "<circle" + attribute("cx", px(x)) + attribute("cy", px(y)) + attribute("r", px(radius)) +
          attribute("fill", fill) + attribute("fill-opacity", px(opacity)) + "/>\n";
}

void SvgCanvas::diamond(double x, double y, double radius, std::string_view fill) {
  svg_ += "<path d=\"M" + px(x - radius) + " " + px(y) + " L" + px(x) + " " + px(y - radius) +
          " L" + px(x + radius) + " " + px(y) + " L" + px(x) + " " + px(y + radius) + " Z\"" +
          attribute("fill", fill) + attribute("stroke", "#fff") + "/>\n";
}

void SvgCanvas::rectangle(double x, double y, double width, double height, std::string_view fill,
                          double opacity, std::string_view stroke) {
  svg_ += "<rect" + attribute("x", px(x)) + attribute("y", px(y)) + attribute("width", px(width)) +
          attribute("height", px(height)) + attribute("fill", fill) +
          attribute("fill-opacity", px(opacity)) +
          (stroke.empty() ? std::string() : attribute("stroke", stroke)) + "/>\n";
}

void SvgCanvas::polyline(const std::vector<std::pair<double, double>>& points,
                         std::string_view stroke, double width) {
  svg_ += "<polyline fill=\"none\"" + attribute("stroke", stroke) +
          attribute("stroke-width", px(width)) + " points=\"";
  for (const auto& [x, y] : points)
    svg_ += px(x) + "," + px(y) + " ";
  svg_ += "\"/>\n";
}

void SvgCanvas::text(double x, double y, std::string_view words, std::string_view anchor,
                     std::string_view weight, double size) {
  svg_ += "<text" + attribute("x", px(x)) + attribute("y", px(y)) +
          attribute("text-anchor", anchor) + attribute("font-weight", weight) +
          attribute("font-size", px(size)) + attribute("fill", kInk) + ">" + escaped(words) +
          "</text>\n";
}

void SvgCanvas::upwards(double x, double y, std::string_view words) {
  svg_ += "<g transform=\"translate(" + px(x) + " " + px(y) + ") rotate(-90)\">";
  text(0.0, 0.0, words, "middle");
  svg_ += "</g>\n";
}

void SvgCanvas::axisBelow(const PlotAxis& axis, double y, double top, std::string_view words) {
  for (const double tick : axis.ticks()) {
    const double x = axis.place(tick);
    line(x, top, x, y, kGrid);
    text(x, y + 16.0, plain(tick), "middle", "normal", 11.0);
  }
  line(axis.first, y, axis.last, y, kInk);
  text(0.5 * (axis.first + axis.last), y + 34.0, words, "middle");
}

void SvgCanvas::axisLeft(const PlotAxis& axis, double x, double right, std::string_view words) {
  for (const double tick : axis.ticks()) {
    const double y = axis.place(tick);
    line(x, y, right, y, kGrid);
    text(x - 6.0, y + 4.0, plain(tick), "end", "normal", 11.0);
  }
  line(x, axis.first, x, axis.last, kInk);
  upwards(14.0, 0.5 * (axis.first + axis.last), words);
}

}  // namespace tactus::studies
