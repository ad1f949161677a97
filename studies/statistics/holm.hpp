#pragma once
#include <span>
#include <vector>

namespace tactus::studies {

/// p values of a family, each so much larger that all of them together err no more often than one
/// alone; in the order in which they came.
///
/// Source: S. Holm, "A simple sequentially rejective multiple test procedure", 1979.
[[nodiscard]] std::vector<double> holm(std::span<const double> pValues);

}  // namespace tactus::studies
