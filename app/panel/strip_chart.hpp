#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tactus::app {

/// The newest values of something that is measured a thousand times a second.
class CurveHistory {
 public:
  explicit CurveHistory(std::size_t values) : values_(values) {}

  void add(float value) {
    values_[next_] = value;
    next_ = (next_ + 1) % values_.size();
    if (count_ < values_.size()) ++count_;
  }
  void clear() noexcept { count_ = next_ = 0; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return values_.size(); }
  /// From 0, the oldest, to size() - 1.
  [[nodiscard]] float operator[](std::size_t k) const noexcept {
    return values_[(next_ + values_.size() - count_ + k) % values_.size()];
  }

 private:
  std::vector<float> values_;
  std::size_t next_ = 0, count_ = 0;
};

/// Lowest and highest value of each of so many columns, the newest value in the last one; a column
/// that has no value yet is {0, -1}. No value is left out, however many lie in a column.
struct ColumnRange {
  float low = 0.0F, high = -1.0F;
  [[nodiscard]] bool isEmpty() const noexcept { return low > high; }
};
void columnsOf(const CurveHistory& history, std::span<ColumnRange> columns);

/// The end of an axis from 0: the least of 1, 2 and 5 times a power of ten that is not below.
[[nodiscard]] float axisEndFor(float highest);

/// Three digits, and of large numbers all that stand before the point; 0 of what is next to
/// nothing.
[[nodiscard]] std::string shortNumber(float value);

/// One curve over time, with its name, its newest and its highest value in sight.
struct StripChart {
  const char* name = "";
  const char* unit = "";
  unsigned colour = 0xFF000000;  ///< as ImGui packs it
  float scale = 1.0F;            ///< from the history's unit to the one shown
  float limit = 0.0F;            ///< a line that should not be passed; 0: none
};
/// Draws with Dear ImGui, as wide as there is room. `columns` is room for the calculation.
void drawStripChart(const StripChart& chart, const CurveHistory& history, float height,
                    std::vector<ColumnRange>& columns);

}  // namespace tactus::app
