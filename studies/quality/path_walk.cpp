#include "studies/quality/path_walk.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <numeric>
#include <utility>

#include "studies/quality/signal_measures.hpp"
#include "studies/stolen_time.hpp"
#include "studies/timing_figures.hpp"

namespace tactus::studies {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using response::Wrench;

// A query during which the processor was given to another is asked again, but not for ever: on a
// machine that is busy with much else, long ones are always interrupted.
constexpr int kMostAskedAgain = 4;

constexpr std::uint64_t kHashStart = 0xcbf29ce484222325U;

/// FNV-1a's step with a mix, 64 bits at a time.
void addTo(std::uint64_t& hash, const Vector3d& vector) {
  for (const double value : {vector.x(), vector.y(), vector.z()}) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3U;
    hash ^= hash >> 29U;
  }
}

Wrench aboutPointOf(const WalkedPath& path, const Isometry3d& pose, const Wrench& wrench) {
  return response::aboutPoint(wrench, pose.translation(), pose * path.measuredAt);
}

double largestOf(const std::vector<double>& values) noexcept {
  return values.empty() ? 0.0 : *std::ranges::max_element(values);
}

/// The largest jump in each window.
std::vector<double> jumpsBy(LawQuery& query, const WalkedPath& path, QualityLaw law,
                            std::size_t windows, double step, std::size_t steps,
                            std::uint32_t most) {
  std::vector<double> jumps;
  jumps.reserve(windows);
  std::vector<Vector3d> parts;
  parts.reserve(steps + 1);
  for (std::size_t window = 0; window < windows; ++window) {
    const double begin = (static_cast<double>(window) + 0.5) / static_cast<double>(windows);
    parts.clear();
    for (std::size_t k = 0; k <= steps; ++k) {
      const Wrench wrench = wrenchAt(query, path, law, begin + static_cast<double>(k) * step, most);
      parts.push_back(path.isOfTorque ? wrench.torque : wrench.force);
    }
    jumps.push_back(largestJump(parts));
  }
  return jumps;
}

}  // namespace

double JumpCourse::largest() const noexcept {
  return largestOf(byStep);
}

double JumpCourse::largestByHalf() const noexcept {
  return largestOf(byHalf);
}

std::optional<double> JumpCourse::ratio() const noexcept {
  const double whole = largest();
  if (!(whole > 0.0)) return std::nullopt;
  return largestByHalf() / whole;
}

double LawCourse::usMean() const noexcept {
  if (us.empty()) return 0.0;
  return std::accumulate(us.begin(), us.end(), 0.0) / static_cast<double>(us.size());
}

CourseFigures figuresOf(const std::vector<Vector3d>& ideal, const std::vector<Vector3d>& measured,
                        int noiseComponent) {
  CourseFigures figures;
  figures.sigma = deviation(ideal, measured);
  figures.sigmaByOwn = deviationByOwnMaximum(ideal, measured);
  if (const std::optional<AngleFigures> angle = angleBetween(ideal, measured)) {
    figures.gammaMean = angle->mean;
    figures.gammaMax = angle->max;
  }
  figures.noise = energyRatio(ideal, measured, noiseComponent);
  figures.ripple = ripple(ideal, measured);
  return figures;
}

double shareOf(std::size_t sample, std::size_t samples) noexcept {
  return static_cast<double>(sample) / static_cast<double>(samples - 1);
}

Wrench wrenchAt(LawQuery& query, const WalkedPath& path, QualityLaw law, double share,
                std::uint32_t most) {
  const Isometry3d pose = path.poseAt(share);
  return aboutPointOf(path, pose, query.at(law, pose, most).wrench);
}

void addSample(LawQuery& query, const WalkedPath& path, QualityLaw law, double share,
               int repetitions, const Wrench& ideal, LawCourse& course, std::uint32_t most) {
  using Clock = std::chrono::steady_clock;
  const Isometry3d pose = path.poseAt(share);
  LawAnswer answer;
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(repetitions));
  for (int asked = 0; static_cast<int>(times.size()) < repetitions; ++asked) {
    const long switches = involuntarySwitches();
    const Clock::time_point start = Clock::now();
    answer = query.at(law, pose, most);
    const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    const bool counts = involuntarySwitches() == switches;
    if (counts || asked >= repetitions * kMostAskedAgain) times.push_back(us);
  }
  const Wrench wrench = aboutPointOf(path, pose, answer.wrench);
  if (course.force.empty()) course.hash = kHashStart;
  course.us.push_back(medianOf(std::move(times)));
  course.force.push_back(wrench.force);
  course.torque.push_back(wrench.torque);
  addTo(course.hash, wrench.force);
  addTo(course.hash, wrench.torque);
  course.idealForce.push_back(ideal.force);
  course.idealTorque.push_back(ideal.torque);
}

std::uint32_t meanTests(LawQuery& query, const WalkedPath& path, QualityLaw law) {
  constexpr std::size_t kSamples = 41;
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < kSamples; ++k)
    all += query.at(law, path.poseAt(shareOf(k, kSamples))).tests;
  return static_cast<std::uint32_t>(all / kSamples);
}

JumpCourse findJumps(LawQuery& query, const WalkedPath& path, QualityLaw law,
                     const JumpSearch& search, std::uint32_t most) {
  return {jumpsBy(query, path, law, search.windows, search.step, search.steps, most),
          jumpsBy(query, path, law, search.windows, 0.5 * search.step, 2 * search.steps, most)};
}

}  // namespace tactus::studies
