#include "collision/broad/pair_schedule.hpp"

#include <limits>

namespace tactus::collision {
namespace {

constexpr double kNow = -std::numeric_limits<double>::infinity();

// Odometers are sums of many small ways. A hundred thousand kilometres in steps of a micrometre are
// off by less than this share of a gap, or a nanometre of a small one.
constexpr double kShareKept = 1.0 - 1e-9;
constexpr double kLost = 1e-9;  // [m]

}  // namespace

PairSchedule::PairSchedule(std::size_t bodies)
    : odometers_(bodies, 0.0), due_(bodies * bodies, kNow) {}

void PairSchedule::apartBy(std::size_t i, std::size_t j, double gap) noexcept {
  const double kept = gap * kShareKept - kLost;
  due_[placeOf(i, j)] = kept > 0.0 ? odometers_[i] + odometers_[j] + kept : kNow;
}

void PairSchedule::forget(std::size_t body) noexcept {
  for (std::size_t other = 0; other < odometers_.size(); ++other)
    due_[placeOf(body, other)] = kNow;
}

}  // namespace tactus::collision
