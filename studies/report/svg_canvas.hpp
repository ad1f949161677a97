#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tactus::studies {

/// Numbers along an axis, at places in a picture.
struct PlotAxis {
  double low = 0.0, high = 1.0;    ///< numbers at the ends
  double first = 0.0, last = 1.0;  ///< their places [px]

  [[nodiscard]] double place(double value) const {
    return first + (value - low) / (high - low) * (last - first);
  }
  /// Round numbers, about so many.
  [[nodiscard]] std::vector<double> ticks(int wanted = 5) const;
};

/// An axis that holds these numbers with a little room.
[[nodiscard]] PlotAxis axisAround(double low, double high, double first, double last);

/// A picture in the making; units are pixels.
class SvgCanvas {
 public:
  SvgCanvas(double width, double height, std::string_view title);

  void line(double x1, double y1, double x2, double y2, std::string_view stroke, double width = 1.0,
            std::string_view dashes = {});
  void circle(double x, double y, double radius, std::string_view fill, double opacity = 1.0);
  void diamond(double x, double y, double radius, std::string_view fill);
  void rectangle(double x, double y, double width, double height, std::string_view fill,
                 double opacity = 1.0, std::string_view stroke = {});
  void polyline(const std::vector<std::pair<double, double>>& points, std::string_view stroke,
                double width);
  /// `anchor`: start, middle or end.
  void text(double x, double y, std::string_view words, std::string_view anchor = "start",
            std::string_view weight = "normal", double size = 12.0);
  void upwards(double x, double y, std::string_view words);

  /// Ticks, numbers and words of an axis below or left of a plot, with faint lines across it.
  void axisBelow(const PlotAxis& axis, double y, double top, std::string_view words);
  void axisLeft(const PlotAxis& axis, double x, double right, std::string_view words);

  [[nodiscard]] std::string finish() const { return svg_ + "</svg>\n"; }

 private:
  std::string svg_;
};

}  // namespace tactus::studies
