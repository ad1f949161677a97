#include "response/velocity/velocity_estimator.hpp"

#include <algorithm>
#include <cmath>

#include "response/rotation_vector.hpp"

namespace tactus::response {
namespace {

constexpr double kTwoPi = 6.28318530717958647693;

/// How things were some samples ago, seen from now: `away` from now, `seconds` before.
struct Past {
  std::array<Eigen::Vector3d, kMostWindow + 1> away;
  std::array<double, kMostWindow + 1> seconds;
};

/// The longest window up to `most` whose end-to-end line passes within `noise` of all in it.
std::size_t straightWindow(const Past& past, std::size_t most, double noise) {
  std::size_t window = 1;
  for (std::size_t end = 2; end <= most; ++end) {
    const Eigen::Vector3d slope = past.away[end] / past.seconds[end];
    for (std::size_t k = 1; k < end; ++k) {
      if (!((past.away[k] - past.seconds[k] * slope).squaredNorm() <= noise * noise)) return window;
    }
    window = end;
  }
  return window;
}

}  // namespace

void VelocityEstimator::forget() noexcept {
  count_ = shiftWindow_ = turnWindow_ = 0;
  smooth_ = {};
}

Motion VelocityEstimator::tick(const Eigen::Vector3d& position, const Eigen::Matrix3d& orientation,
                               const Motion& vendor, const VelocitySettings& settings,
                               double dt) noexcept {
  if (!position.allFinite() || !orientation.allFinite() || !(dt > 0.0) || !std::isfinite(dt)) {
    forget();
    return {};
  }
  newest_ = (newest_ + 1) % samples_.size();
  samples_[newest_] = {position, orientation, dt};
  count_ = std::min(count_ + 1, samples_.size());
  if (settings.method == VelocityMethod::Vendor) {
    smooth_ = vendor.shift.allFinite() && vendor.turn.allFinite() ? vendor : Motion{};
    return smooth_;
  }
  if (count_ < 2) return smooth_;

  if (settings.method == VelocityMethod::LowPass) {
    const Motion slope{(position - ago(1).position) / dt,
                       rotationVector(orientation * ago(1).orientation.transpose()) / dt};
    const double pace = kTwoPi * settings.cutoffHertz * dt;
    const double share = pace / (1.0 + pace);
    smooth_.shift += share * (slope.shift - smooth_.shift);
    smooth_.turn += share * (slope.turn - smooth_.turn);
  } else {
    const std::size_t most = std::clamp<std::size_t>(
        std::min<std::size_t>(settings.mostSamples, count_ - 1), 1, kMostWindow);
    Past shifts;
    Past turns;
    double seconds = 0.0;
    for (std::size_t k = 1; k <= most; ++k) {
      seconds += ago(k - 1).seconds;
      shifts.seconds[k] = turns.seconds[k] = seconds;
      shifts.away[k] = position - ago(k).position;
      turns.away[k] = rotationVector(orientation * ago(k).orientation.transpose());
    }
    shiftWindow_ = straightWindow(shifts, most, settings.positionNoise);
    turnWindow_ = straightWindow(turns, most, settings.rotationNoise);
    smooth_ = {shifts.away[shiftWindow_] / shifts.seconds[shiftWindow_],
               turns.away[turnWindow_] / turns.seconds[turnWindow_]};
  }
  if (!smooth_.shift.allFinite() || !smooth_.turn.allFinite()) forget();
  return smooth_;
}

}  // namespace tactus::response
