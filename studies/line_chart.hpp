#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::studies {

/// A course of a chart.
struct ChartLine {
  std::string name;    ///< in the legend; empty: none of its own
  std::string colour;  ///< as CSS has it
  std::vector<double> x, y;
  bool isDashed = false;
  bool hasDots = false;  ///< at each of few points
};

struct LineChart {
  std::string title, xName, yName;
  std::vector<ChartLine> lines;
  bool isXByFactors = false;  ///< a logarithmic axis; what is not positive is left out
  bool isYByFactors = false;
  bool beginsAtZero = true;      ///< the y axis, unless by factors
  std::optional<double> markAt;  ///< a vertical line at this x
  std::string markName;
};

/// Colours that stay apart for the colour-blind (M. Okabe and K. Ito, 2008), in turn.
[[nodiscard]] std::string_view chartColour(std::size_t index) noexcept;

/// An SVG that stands alone.
[[nodiscard]] std::string svgOf(const LineChart& chart);

}  // namespace tactus::studies
