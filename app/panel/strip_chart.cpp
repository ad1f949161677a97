#include "app/panel/strip_chart.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace tactus::app {
namespace {

constexpr float kMargin = 4.0F;    // of text [px]
constexpr float kNothing = 5e-4F;  // of any unit that is shown
constexpr float kWhole = 1000.0F;  // from here on nobody reads what is behind the point

}  // namespace

void columnsOf(const CurveHistory& history, std::span<ColumnRange> columns) {
  const std::size_t count = history.size();
  const std::size_t capacity = history.capacity();
  const std::size_t missing = capacity - count;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    // Columns share all places of the history evenly; neighbours meet without a gap.
    const std::size_t from = std::max(column * capacity / columns.size(), missing);
    const std::size_t to = std::max((column + 1) * capacity / columns.size(), missing);
    ColumnRange& range = columns[column];
    range = {};
    for (std::size_t k = from; k < to; ++k) {
      const float value = history[k - missing];
      if (range.isEmpty()) {
        range = {value, value};
      } else {
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
      }
    }
  }
}

float axisEndFor(float highest) {
  if (!(highest > 0.0F) || !std::isfinite(highest)) return 1.0F;
  const float power = std::pow(10.0F, std::floor(std::log10(highest)));
  for (const float step : {1.0F, 2.0F, 5.0F, 10.0F}) {
    if (highest <= step * power) return step * power;
  }
  return 10.0F * power;
}

std::string shortNumber(float value) {
  if (std::abs(value) < kNothing) return "0";
  return std::abs(value) < kWhole ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

void drawStripChart(const StripChart& chart, const CurveHistory& history, float height,
                    std::vector<ColumnRange>& columns) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, 1.0F);
  ImGui::Dummy(ImVec2(width, height));
  columns.resize(static_cast<std::size_t>(width));
  columnsOf(history, columns);
  float highest = 0.0F;
  for (const ColumnRange& range : columns) {
    if (!range.isEmpty()) highest = std::max(highest, range.high);
  }
  const float end = axisEndFor(chart.scale * std::max(highest, 0.0F));
  // Name and numbers stand above the curve, not in it.
  const float titled = ImGui::GetTextLineHeight() + 2.0F;
  const float plot = std::max(height - titled, 1.0F);
  const auto yOf = [&](float shown) {
    return corner.y + titled + plot * (1.0F - std::clamp(shown / end, 0.0F, 1.0F));
  };

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 opposite(corner.x + width, corner.y + height);
  list.AddRectFilled(corner, opposite, IM_COL32(255, 255, 255, 150), 3.0F);
  for (const float share : {0.25F, 0.5F, 0.75F}) {
    const float y = corner.y + titled + share * plot;
    list.AddLine(ImVec2(corner.x, y), ImVec2(opposite.x, y), IM_COL32(0, 0, 0, 20));
  }
  if (chart.limit > 0.0F && chart.limit <= end) {
    list.AddLine(ImVec2(corner.x, yOf(chart.limit)), ImVec2(opposite.x, yOf(chart.limit)),
                 IM_COL32(180, 40, 20, 140));
  }
  const float thin = 0.1F * ImGui::GetFontSize();  // of a line
  for (std::size_t column = 0; column < columns.size(); ++column) {
    ColumnRange range = columns[column];
    if (range.isEmpty()) continue;
    // a column begins where the one before it ended, so that the curve hangs together
    if (column > 0 && !columns[column - 1].isEmpty()) {
      range.low = std::min(range.low, columns[column - 1].high);
      range.high = std::max(range.high, columns[column - 1].low);
    }
    const float x = corner.x + static_cast<float>(column);
    const float top = yOf(chart.scale * range.high);
    const float bottom = std::max(yOf(chart.scale * range.low), top + thin);
    list.AddRectFilled(ImVec2(x, top), ImVec2(x + 1.0F, bottom), chart.colour);
  }
  const float now = history.size() == 0 ? 0.0F : chart.scale * history[history.size() - 1];
  const std::string right = fmt::format("{:g}", end);
  const float wide = ImGui::CalcTextSize(right.c_str()).x;
  const auto fits = [&](const std::string& title) {
    return wide + ImGui::CalcTextSize(title.c_str()).x + 3.0F * kMargin <= width;
  };
  const std::string bare = fmt::format("{} {}", chart.name, shortNumber(now));
  const std::string whole = fmt::format("{} {}", bare, chart.unit);
  // In a narrow chart the unit gives way; it is that of the panel's numbers.
  const std::string& left = fits(whole) || !fits(bare) ? whole : bare;
  list.AddText(ImVec2(corner.x + kMargin, corner.y + 1.0F), IM_COL32(20, 30, 40, 255),
               left.c_str());
  // At its height in the plot where the title takes all the room.
  list.AddText(ImVec2(opposite.x - wide - kMargin, corner.y + 1.0F + (fits(left) ? 0.0F : titled)),
               IM_COL32(20, 30, 40, 150), right.c_str());
}

}  // namespace tactus::app
