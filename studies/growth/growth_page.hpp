#pragma once
#include <string>
#include <string_view>

#include "studies/growth/growth_benchmark.hpp"

namespace tactus::studies {

/// A value as people read it, by its unit: "0.123", "1234", "12.3"; bytes as MB, shares as
/// percents. `missing` where nothing was measured.
[[nodiscard]] std::string shownValue(double value, GrowthUnit unit, const std::string& missing);
/// "s", "us", "MB", "", "%"
[[nodiscard]] std::string_view unitName(GrowthUnit unit) noexcept;

/// The report as one page: of each series all values with their exponents, and a chart with both
/// axes logarithmic of each unit; dashed are the lines whose slopes the exponents are.
[[nodiscard]] std::string growthPage(const GrowthBenchmark& benchmark);

}  // namespace tactus::studies
