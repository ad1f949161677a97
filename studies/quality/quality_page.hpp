#pragma once
#include <string>

#include "studies/quality/quality_benchmark.hpp"

namespace tactus::studies {

/// The report as one page: what shall hold, what the seed printed, all figures, and of each
/// scenario force (in III torque) and its angle to the ideal along the path.
[[nodiscard]] std::string qualityPage(const QualityBenchmark& benchmark);

}  // namespace tactus::studies
