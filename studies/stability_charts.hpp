#pragma once
#include <string>

#include "studies/stability_benchmark.hpp"

namespace tactus::studies {

/// Stiffness against damping, both by factors: simulated cells, calm or not; the line of J. Colgate
/// and G. Schenkel with delay, b > K (T/2 + delay) + |B|; the defaults, and on the ray of their
/// common factor the critical point. An SVG that stands alone.
[[nodiscard]] std::string regionSvg(const ProfileStability& profile);

/// A page with the table of figures and the regions in it.
[[nodiscard]] std::string stabilityHtml(const StabilityBenchmark& benchmark);

}  // namespace tactus::studies
