#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "studies/performance_benchmark.hpp"
#include "studies/timing_figures.hpp"

/// What is reported of a performance benchmark. All of it follows from the raw timings and answers.
namespace tactus::studies {

/// Figures of a method at a class, or at several, over the poses of a pair (none: of all pairs).
[[nodiscard]] TimingFigures figuresOf(const PerformanceBenchmark& benchmark,
                                      PerformanceMethod method,
                                      const std::vector<WantedStand>& stands,
                                      std::optional<std::size_t> pair = std::nullopt);

/// Work of a method at a class, the mean over all poses.
struct MeanWork {
  double pairTests = 0.0, nodePairs = 0.0, leafPairs = 0.0, cubes = 0.0, facetPairs = 0.0;
};
[[nodiscard]] MeanWork meanWorkOf(const PerformanceBenchmark& benchmark, PerformanceMethod method,
                                  const WantedStand& stand);

/// How much longer a method takes than `than` at the same poses: the ratio of means, over all pairs
/// and of each. None where it was not asked.
struct SpeedRatio {
  double ofMeans = 0.0;
  std::vector<double> ofPairs;  ///< by pair; NaN without poses
  [[nodiscard]] double least() const noexcept;
};
[[nodiscard]] std::optional<SpeedRatio> ratioTo(PerformanceMethod than,
                                                const PerformanceBenchmark& benchmark,
                                                PerformanceMethod method,
                                                const std::vector<WantedStand>& stands);

/// What a yardstick is compared with: vps_plain with vps, all others with ist.
[[nodiscard]] PerformanceMethod comparedWith(PerformanceMethod method) noexcept;

/// How far answers of a method are from the exact ones, or from another method's, relative.
struct RelativeError {
  double mean = 0.0, max = 0.0;
};
[[nodiscard]] RelativeError errorOf(const PerformanceBenchmark& benchmark, PerformanceMethod method,
                                    const WantedStand& stand);
/// Of the textbook's volumes to IstVolume's, of the plain loop's forces to those of Vps, and of
/// FCL's distances to ours.
[[nodiscard]] std::optional<RelativeError> differenceToOurs(const PerformanceBenchmark& benchmark,
                                                            PerformanceMethod method);

/// Throughput of two threads over that of one, by the medians of the rounds, with as many queries
/// of each pair.
struct ThreadScaling {
  double oneThread = 0.0, twoThreads = 0.0;  ///< queries a second [1/s]
  double ratio = 0.0;
  double ceiling = 0.0;  ///< the ratio of plain arithmetic, of which this one may be a good share
};
[[nodiscard]] ThreadScaling threadScalingOf(const PerformanceBenchmark& benchmark);

/// Of all answers of a method, in the order of the poses: two runs with the same number have
/// computed the same.
[[nodiscard]] std::uint64_t hashOf(const PerformanceBenchmark& benchmark, PerformanceMethod method);

}  // namespace tactus::studies
