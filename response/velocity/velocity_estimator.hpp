#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>

#include "response/safety/passivity.hpp"

namespace tactus::response {

enum class VelocityMethod : std::uint8_t {
  Vendor,         ///< as the device says
  LowPass,        ///< difference of samples through a first-order low pass
  AdaptiveWindow  ///< longest window in which the motion is straight
};

struct VelocitySettings {
  VelocityMethod method = VelocityMethod::AdaptiveWindow;
  double cutoffHertz = 30.0;  ///< of the low pass
  /// How far a sample of straight motion may lie beside the line between two others: twice the
  /// largest error of one. Encoders that round each axis to a step make that sqrt(3) steps in
  /// space.
  double positionNoise = 2e-5;     ///< [m]
  double rotationNoise = 1e-3;     ///< [rad]
  std::uint32_t mostSamples = 16;  ///< of a window, at most kMostWindow
};

inline constexpr std::size_t kMostWindow = 32;

/// Velocity and spin of a device from its poses.
///
/// Source: F. Janabi-Sharifi, V. Hayward and C. Chen, "Discrete-Time Adaptive Windowing for
/// Velocity Estimation", 2000 (the end-fit variant). How ours differs: in space, with a ball of
/// noise about each point; rotations by rotation vectors from the newest orientation, with a window
/// of their own; samples carry their times, so that a missed tick makes no jump of velocity.
///
/// Method: of the windows that end now, the longest for which the line between its two ends passes
/// within the noise of every sample in it; its slope is the velocity. So a resting or steady hand
/// is averaged over the whole window, and one that turns round is answered by the last tick or two.
///
/// The low pass is a backward Euler step of dv/dt = 2 pi f (difference quotient - v): no
/// exponential, never unstable, a unit gain at rest. Bounded work: mostSamples^2 / 2 distances a
/// tick.
class VelocityEstimator {
 public:
  /// `vendor` is what the device itself reports; only Vendor uses it. `dt` since the last sample,
  /// missed ticks included. Anything not finite gives zero and starts over.
  [[nodiscard]] Motion tick(const Eigen::Vector3d& position, const Eigen::Matrix3d& orientation,
                            const Motion& vendor, const VelocitySettings& settings,
                            double dt) noexcept;

  void forget() noexcept;
  /// Samples that the last tick's windows reached back over, for display.
  [[nodiscard]] std::size_t shiftWindow() const noexcept { return shiftWindow_; }
  [[nodiscard]] std::size_t turnWindow() const noexcept { return turnWindow_; }

 private:
  struct Sample {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Matrix3d orientation = Eigen::Matrix3d::Identity();
    double seconds = 0.0;  // since the sample before
  };
  [[nodiscard]] const Sample& ago(std::size_t samples) const noexcept {
    return samples_[(newest_ + samples_.size() - samples) % samples_.size()];
  }

  std::array<Sample, kMostWindow + 1> samples_{};
  std::size_t newest_ = 0, count_ = 0;
  std::size_t shiftWindow_ = 0, turnWindow_ = 0;
  Motion smooth_;
};

}  // namespace tactus::response
