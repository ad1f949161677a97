#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "models/mesh/result.hpp"
#include "studies/growth/growth_series.hpp"
#include "studies/model_benchmark.hpp"
#include "studies/overlap_configurations.hpp"

namespace tactus::studies {

/// What grows, and what does not meanwhile. A series without sizes is left out.
struct GrowthSettings {
  std::vector<std::uint64_t> spheres;
  std::vector<std::size_t> triangles;
  std::vector<std::size_t> bodies;  ///< of a pile, without its floor; less than World::kMostBodies
  std::vector<double> overlaps;     ///< shares of the volume; 0: a gap of kNoOverlap

  std::size_t usualTriangles = 20'000;        ///< of all series but their own
  std::uint64_t spheresOfTriangles = 10'000;  ///< of the series of triangles
  std::uint64_t spheresOfOverlaps = 100'000;
  std::uint64_t spheresOfBodies = 10'000;

  std::size_t poses = 16;  ///< of each class
  int repetitions = 5;     ///< of each query; the median counts
  std::size_t settleSteps = 800;
  std::size_t pileSteps = 500;
  int pileRepetitions = 3;

  std::filesystem::path folder;                      ///< for a file at a time; must exist
  unsigned threads = 0;                              ///< of builds; 0: one a core
  std::function<void(const BenchmarkStep&)> onStep;  ///< called before each; may be empty
};

/// Of the smaller box diagonal: the gap of solids that do not overlap.
inline constexpr double kNoOverlap = 0.01;

/// What `tactus bench growth` measures: 1000 to a million spheres and triangles, 2 to 100 bodies,
/// overlaps up to a half. `quick`: the lower part of it, within a minute.
[[nodiscard]] GrowthSettings growthSettings(bool quick);

/// Single times of one query, in the order in which they were taken.
struct GrowthQueryTimes {
  std::string series;
  double x = 0.0;
  std::string stand;  ///< "v0.01"
  std::size_t pose = 0;
  std::string method;
  std::vector<double> us;
};

/// Of one pile, each repetition each step [us].
struct GrowthStepTimes {
  std::size_t bodies = 0;
  std::vector<std::vector<double>> us;
};

struct GrowthBenchmark {
  std::vector<GrowthSeries> series;
  std::vector<GrowthQueryTimes> queries;
  std::vector<GrowthStepTimes> steps;
  std::vector<ConfigurationSet> poses;  ///< one, or none if nothing was asked

  [[nodiscard]] double worstStolenShare() const noexcept;
  [[nodiscard]] bool isSteady() const noexcept;
};

/// Measures how costs grow, one size at a time.
///
/// Method: two copies of the rhino, at poses of a wanted overlap or gap that the exact reference
/// found with `usualTriangles` (overlap_configurations.hpp). At each size they are built anew
/// (buildPack()) and asked (benchmarkPerformance()); a pile of each number of bodies is dropped and
/// stepped (timePile()). Nothing else should run meanwhile.
[[nodiscard]] models::Result<GrowthBenchmark> benchmarkGrowth(const GrowthSettings& settings);

}  // namespace tactus::studies
