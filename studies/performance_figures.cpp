#include "studies/performance_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::studies {
namespace {

std::size_t indexOf(PerformanceMethod method) {
  return static_cast<std::size_t>(method);
}

bool isOneOf(const WantedStand& stand, const std::vector<WantedStand>& stands) {
  return std::ranges::find(stands, stand) != stands.end();
}

/// What the exact reference says, or a method's answer, at a pose.
double exactOf(const PosePerformance& pose) {
  return pose.configuration.exact;
}
double answerOf(const PosePerformance& pose, PerformanceMethod method) {
  const QueryAnswer& answer = pose.answers[indexOf(method)];
  return pose.configuration.wanted.kind == WantedStand::Kind::Gap ? answer.distance : answer.volume;
}

/// Mean and largest of |value - reference| / reference over the poses that a method was asked at.
template <typename Among, typename Reference>
RelativeError relativeError(const PerformanceBenchmark& benchmark, PerformanceMethod method,
                            const Among& isAmong, const Reference& reference) {
  RelativeError error;
  std::size_t count = 0;
  for (const PosePerformance& pose : benchmark.poses) {
    if (pose.times[indexOf(method)].empty() || !isAmong(pose)) continue;
    const double right = reference(pose);
    const double off = std::abs(answerOf(pose, method) - right) /
                       std::max(std::abs(right), std::numeric_limits<double>::min());
    error.mean += off;
    error.max = std::max(error.max, off);
    ++count;
  }
  if (count > 0) error.mean /= static_cast<double>(count);
  return error;
}

}  // namespace

TimingFigures figuresOf(const PerformanceBenchmark& benchmark, PerformanceMethod method,
                        const std::vector<WantedStand>& stands, std::optional<std::size_t> pair) {
  std::vector<double> medians;
  for (const PosePerformance& pose : benchmark.poses) {
    const std::vector<double>& times = pose.times[indexOf(method)];
    if (times.empty() || !isOneOf(pose.configuration.wanted, stands)) continue;
    if (pair && *pair != pose.pair) continue;
    medians.push_back(medianOf(times));
  }
  return figuresOf(std::move(medians));
}

MeanWork meanWorkOf(const PerformanceBenchmark& benchmark, PerformanceMethod method,
                    const WantedStand& stand) {
  MeanWork mean;
  double count = 0.0;
  for (const PosePerformance& pose : benchmark.poses) {
    if (pose.times[indexOf(method)].empty() || pose.configuration.wanted != stand) continue;
    const QueryWork& work = pose.answers[indexOf(method)].work;
    count += 1.0;
    // running means: sums of counters need no more
    const auto goTo = [count](double& value, std::uint64_t next) {
      value += (static_cast<double>(next) - value) / count;
    };
    goTo(mean.pairTests, work.pairTests);
    goTo(mean.nodePairs, work.nodePairs);
    goTo(mean.leafPairs, work.leafPairs);
    goTo(mean.cubes, work.cubes);
    goTo(mean.facetPairs, work.facetPairs);
  }
  return mean;
}

double SpeedRatio::least() const noexcept {
  double least = std::numeric_limits<double>::infinity();
  for (const double ratio : ofPairs) {
    if (ratio < least) least = ratio;  // false of a NaN
  }
  return least;
}

PerformanceMethod comparedWith(PerformanceMethod method) noexcept {
  return method == PerformanceMethod::VpsPlain ? PerformanceMethod::Vps : PerformanceMethod::Ist;
}

std::optional<SpeedRatio> ratioTo(PerformanceMethod than, const PerformanceBenchmark& benchmark,
                                  PerformanceMethod method,
                                  const std::vector<WantedStand>& stands) {
  const auto ratioOf = [&](std::optional<std::size_t> pair) {
    const TimingFigures theirs = figuresOf(benchmark, method, stands, pair);
    const TimingFigures ours = figuresOf(benchmark, than, stands, pair);
    if (theirs.count == 0 || ours.count == 0) return std::numeric_limits<double>::quiet_NaN();
    return theirs.mean / ours.mean;
  };
  SpeedRatio ratio;
  ratio.ofMeans = ratioOf(std::nullopt);
  if (std::isnan(ratio.ofMeans)) return std::nullopt;
  for (std::size_t pair = 0; pair < benchmark.pairs.size(); ++pair)
    ratio.ofPairs.push_back(ratioOf(pair));
  return ratio;
}

RelativeError errorOf(const PerformanceBenchmark& benchmark, PerformanceMethod method,
                      const WantedStand& stand) {
  return relativeError(
      benchmark, method,
      [&](const PosePerformance& pose) { return pose.configuration.wanted == stand; }, exactOf);
}

std::optional<RelativeError> differenceToOurs(const PerformanceBenchmark& benchmark,
                                              PerformanceMethod method) {
  const PerformanceMethod ours =
      method == PerformanceMethod::Fcl ? PerformanceMethod::Ist : PerformanceMethod::IstVolume;
  const bool wasAsked = std::ranges::any_of(benchmark.poses, [&](const PosePerformance& pose) {
    return !pose.times[indexOf(method)].empty();
  });
  if (!wasAsked) return std::nullopt;
  if (method == PerformanceMethod::VpsPlain) {
    RelativeError error;
    double count = 0.0;
    for (const PosePerformance& pose : benchmark.poses) {
      if (pose.times[indexOf(method)].empty()) continue;
      const Eigen::Vector3d& vps = pose.answers[indexOf(PerformanceMethod::Vps)].force;
      const double off = (pose.answers[indexOf(method)].force - vps).norm() /
                         std::max(vps.norm(), std::numeric_limits<double>::min());
      count += 1.0;
      error.mean += (off - error.mean) / count;
      error.max = std::max(error.max, off);
    }
    return error;
  }
  return relativeError(
      benchmark, method, [](const PosePerformance&) { return true; },
      [&](const PosePerformance& pose) { return answerOf(pose, ours); });
}

ThreadScaling threadScalingOf(const PerformanceBenchmark& benchmark) {
  ThreadScaling scaling;
  double pairs = 0.0;
  double secondsOfOne = 0.0;
  double secondsOfTwo = 0.0;  // for as many queries of each pair
  double spinOfOne = 0.0;
  double spinOfTwo = 0.0;
  for (const PairPerformance& pair : benchmark.pairs) {
    if (pair.oneThread.empty()) continue;
    pairs += 1.0;
    secondsOfOne += 1.0 / medianOf(pair.oneThread);
    secondsOfTwo += 1.0 / medianOf(pair.twoThreads);
    spinOfOne += 1.0 / medianOf(pair.oneSpinning);
    spinOfTwo += 1.0 / medianOf(pair.twoSpinning);
  }
  if (pairs == 0.0) return scaling;
  scaling.oneThread = pairs / secondsOfOne;
  scaling.twoThreads = pairs / secondsOfTwo;
  scaling.ratio = secondsOfOne / secondsOfTwo;
  scaling.ceiling = spinOfOne / spinOfTwo;
  return scaling;
}

std::uint64_t hashOf(const PerformanceBenchmark& benchmark, PerformanceMethod method) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const PosePerformance& pose : benchmark.poses) {
    if (pose.times[indexOf(method)].empty()) continue;
    hash = (hash ^ pose.answers[indexOf(method)].hash) * 0x100000001b3U;
    hash ^= hash >> 29U;
  }
  return hash;
}

}  // namespace tactus::studies
