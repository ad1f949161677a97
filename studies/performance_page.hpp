#pragma once
#include <string>
#include <vector>

#include "studies/performance_benchmark.hpp"

namespace tactus::studies {

/// The report as one page: a table of each class, and of its times what share of the poses takes
/// at most so long, by method, with the tick's millisecond beside it.
[[nodiscard]] std::string performancePage(const PerformanceBenchmark& benchmark,
                                          const std::vector<WantedStand>& stands);

}  // namespace tactus::studies
