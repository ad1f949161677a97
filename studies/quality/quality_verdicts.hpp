#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "studies/quality/quality_benchmark.hpp"

namespace tactus::studies {

/// A figure of the trees' default law, or where it says so of their volume law, and what it shall
/// be at most.
struct QualityVerdict {
  std::string what;
  std::optional<double> value;
  double limit = 0.0;
  [[nodiscard]] bool holds() const noexcept { return value && *value <= limit; }
};

/// Of the scenarios that were run.
[[nodiscard]] std::vector<QualityVerdict> verdictsOf(const QualityBenchmark& benchmark);

/// A figure that the seed printed, and the same measure of our laws.
struct PrintedFigure {
  std::string what;
  double vps = 0.0, ist = 0.0;
  std::array<std::optional<double>, kQualityLaws.size()> ours;
};

/// Source: R. Weller, "New Geometric Data Structures for Collision Detection and Haptics", 2013,
/// section 6.4.5. Each course by its own largest length, as there; but the root of the mean square:
/// with the 1/N outside the root that is printed, 0.176 could not come out of a thousand samples.
[[nodiscard]] std::vector<PrintedFigure> printedFigures(const QualityBenchmark& benchmark);

}  // namespace tactus::studies
