#pragma once
#include <cstddef>
#include <optional>

#include "app/commands.hpp"

namespace tactus::app {

struct GrowthRequest {
  BenchRequest bench;
  std::optional<std::size_t> largest;  ///< where spheres, triangles and bodies end
};

/// `tactus bench growth`: how time and memory grow with spheres, triangles, bodies and overlap; see
/// docs/benchmarks.md.
///
/// JSON: `series.{spheres, triangles, bodies, overlap}`, as far as they were asked for: `about`,
/// what is fixed; `rows[]` with the size under the series' own name, its values, `steal` and
/// `attempts`; `exponents.VALUE{exponent, standard_error, r_squared, factor, from, to, points}` of
/// value = factor * size^exponent over the upper sizes (null of one size alone); `hash` of all that
/// does not depend on the machine. Values: times of building as in `build`, but `tree_seconds` and
/// `facets_seconds` without the fields, which have `fields_seconds`; METHOD_us, means over the
/// poses of medians; METHOD_tests of balls or points; `volume_error`, relative; `overlap_found`, as
/// a share; `step_us_mean`, `step_us_p50`, `step_us_p99` of a pile with `contacts` and so on, means
/// a step; `bytes` of the object's file, and `peak_bytes` by which memory grew while it was built,
/// or while a pile was dropped. `steady`, `valid`, `machine`.
[[nodiscard]] ExitCode runBenchGrowth(const GrowthRequest& request);

}  // namespace tactus::app
