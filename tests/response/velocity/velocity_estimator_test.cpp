#include "response/velocity/velocity_estimator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "response/rotation_vector.hpp"
#include "tests/response/random_turn.hpp"

namespace tactus::response {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using tests::anyDirection;
using tests::anyVector;
using tests::BytesHash;
using tests::SeededBits;

constexpr double kTick = 0.001;

double quantised(double x, double step) {
  return step * std::floor(x / step + 0.5);
}

Vector3d quantised(const Vector3d& x, double step) {
  return {quantised(x.x(), step), quantised(x.y(), step), quantised(x.z(), step)};
}

TEST(VelocityEstimator, SteadyMotionIsExact) {
  SeededBits random(1);
  for (const VelocityMethod method : {VelocityMethod::LowPass, VelocityMethod::AdaptiveWindow}) {
    const VelocitySettings settings{.method = method};
    const Vector3d velocity = 0.3 * anyDirection(random);
    const Vector3d spin = 4.0 * anyDirection(random);
    const Matrix3d start = turnBy(anyVector(random));
    VelocityEstimator estimator;
    Motion found;
    for (int tick = 0; tick < 300; ++tick) {
      found = estimator.tick(kTick * tick * velocity, turnBy(kTick * tick * spin) * start, {},
                             settings, kTick);
    }
    EXPECT_LT((found.shift - velocity).norm(), 1e-9);
    EXPECT_LT((found.turn - spin).norm(), 1e-9);
  }
}

TEST(VelocityEstimator, VendorsWordIsTaken) {
  VelocityEstimator estimator;
  const Motion vendor{Vector3d(1, 2, 3), Vector3d(4, 5, 6)};
  const Motion found = estimator.tick(Vector3d::Zero(), Matrix3d::Identity(), vendor,
                                      {.method = VelocityMethod::Vendor}, kTick);
  EXPECT_EQ(found.shift, vendor.shift);
  EXPECT_EQ(found.turn, vendor.turn);
}

// Encoders of 20 um: a single difference is wrong by up to 20 mm/s an axis. Steady motion fills the
// window, and sixteen samples leave a sixteenth of that.
TEST(VelocityEstimator, WindowAveragesWhatEncodersRound) {
  SeededBits random(2);
  for (int i = 0; i < 20; ++i) {
    const Vector3d velocity = 0.05 * anyVector(random);
    VelocityEstimator estimator;
    double worst = 0.0;
    for (int tick = 0; tick < 400; ++tick) {
      const Motion found =
          estimator.tick(quantised(kTick * tick * velocity, 2e-5), Matrix3d::Identity(), {},
                         {.positionNoise = 3.47e-5}, kTick);
      if (tick > 40) worst = std::max(worst, (found.shift - velocity).norm());
    }
    EXPECT_LT(worst, 1.7321 * 2e-5 / (16 * kTick) * (1 + 1e-9));
    EXPECT_EQ(estimator.shiftWindow(), 16U);
  }
}

TEST(VelocityEstimator, WindowShortensWhereMotionTurnsRound) {
  VelocityEstimator estimator;
  const VelocitySettings settings{.positionNoise = 1e-5};
  double position = 0.0;
  Motion found;
  for (int tick = 0; tick < 100; ++tick) {
    found =
        estimator.tick(Vector3d(position += 2e-4, 0, 0), Matrix3d::Identity(), {}, settings, kTick);
  }
  EXPECT_EQ(estimator.shiftWindow(), 16U);
  EXPECT_NEAR(found.shift.x(), 0.2, 1e-9);
  // a wall: back at the same speed. Known two ticks later; a mean of 16 would still be near zero
  for (int tick = 0; tick < 2; ++tick) {
    found =
        estimator.tick(Vector3d(position -= 2e-4, 0, 0), Matrix3d::Identity(), {}, settings, kTick);
  }
  EXPECT_LE(estimator.shiftWindow(), 2U);
  EXPECT_NEAR(found.shift.x(), -0.2, 1e-9);
}

// Brute force over all windows, as the paper says it.
TEST(VelocityEstimator, WindowIsTheLongestStraightOne) {
  SeededBits random(3);
  const VelocitySettings settings{.positionNoise = 1e-4, .mostSamples = 12};
  VelocityEstimator estimator;
  std::vector<Vector3d> all;
  Vector3d velocity = Vector3d::Zero();
  Vector3d position = Vector3d::Zero();
  for (int tick = 0; tick < 1000; ++tick) {
    velocity += 0.02 * anyVector(random) - 0.05 * velocity;
    position += kTick * velocity;
    all.emplace_back(position);
    const Motion found = estimator.tick(position, Matrix3d::Identity(), {}, settings, kTick);
    if (tick < 13) continue;
    std::size_t window = 1;
    for (std::size_t end = 2; end <= 12; ++end) {
      const Vector3d slope = (position - all[all.size() - 1 - end]) / static_cast<double>(end);
      bool isStraight = true;
      for (std::size_t k = 1; k < end; ++k) {
        isStraight &=
            (position - static_cast<double>(k) * slope - all[all.size() - 1 - k]).norm() <= 1e-4;
      }
      if (!isStraight) break;
      window = end;
    }
    EXPECT_EQ(estimator.shiftWindow(), window) << tick;
    const Vector3d slope =
        (position - all[all.size() - 1 - window]) / (kTick * static_cast<double>(window));
    EXPECT_LT((found.shift - slope).norm(), 1e-9);
  }
}

TEST(VelocityEstimator, MissedTicksMakeNoJump) {
  for (const VelocityMethod method : {VelocityMethod::LowPass, VelocityMethod::AdaptiveWindow}) {
    VelocityEstimator estimator;
    double seconds = 0.0;
    for (int tick = 0; tick < 500; ++tick) {
      const double dt = tick % 50 == 49 ? 0.035 : kTick;
      seconds += dt;
      const Motion found = estimator.tick(Vector3d(0, 0.1 * seconds, 0), Matrix3d::Identity(), {},
                                          {.method = method}, dt);
      if (tick > 100) {
        EXPECT_NEAR(found.shift.y(), 0.1, 1e-6);
      }
    }
  }
}

TEST(VelocityEstimator, LowPassHalvesThePowerAtItsCutoff) {
  const VelocitySettings settings{.method = VelocityMethod::LowPass, .cutoffHertz = 30.0};
  VelocityEstimator estimator;
  double most = 0.0;
  for (int tick = 0; tick < 3000; ++tick) {
    const double phase = 2 * 3.14159265358979 * 30.0 * kTick * tick;
    const Motion found =
        estimator.tick(Vector3d(std::sin(phase) / (2 * 3.14159265358979 * 30), 0, 0),
                       Matrix3d::Identity(), {}, settings, kTick);
    if (tick > 1000) most = std::max(most, found.shift.x());
  }
  EXPECT_NEAR(most, std::sqrt(0.5), 0.05);
}

TEST(VelocityEstimator, WhatIsNoNumberGivesZeroAndIsForgotten) {
  const double bad = std::numeric_limits<double>::quiet_NaN();
  for (const VelocityMethod method :
       {VelocityMethod::Vendor, VelocityMethod::LowPass, VelocityMethod::AdaptiveWindow}) {
    VelocityEstimator estimator;
    const VelocitySettings settings{.method = method};
    const Motion vendor{Vector3d(0, 0.1, 0), Vector3d::Zero()};
    const auto go = [&](int tick) {
      return estimator.tick(Vector3d(0, 1e-4 * tick, 0), Matrix3d::Identity(), vendor, settings,
                            kTick);
    };
    for (int tick = 0; tick < 300; ++tick)
      static_cast<void>(go(tick));
    EXPECT_EQ(
        estimator.tick(Vector3d(bad, 0, 0), Matrix3d::Identity(), vendor, settings, kTick).shift,
        Vector3d::Zero());
    EXPECT_EQ(
        estimator.tick(Vector3d::Zero(), bad * Matrix3d::Identity(), vendor, settings, kTick).shift,
        Vector3d::Zero());
    EXPECT_EQ(estimator.tick(Vector3d::Zero(), Matrix3d::Identity(), vendor, settings, 0.0).shift,
              Vector3d::Zero());
    Motion found;
    for (int tick = 0; tick < 300; ++tick)
      found = go(tick);
    EXPECT_NEAR(found.shift.y(), 0.1, 1e-9);
  }
}

TEST(VelocityEstimator, SameBytesEverywhere) {
  SeededBits random(4);
  BytesHash hash;
  for (const VelocityMethod method : {VelocityMethod::LowPass, VelocityMethod::AdaptiveWindow}) {
    VelocityEstimator estimator;
    Vector3d position = Vector3d::Zero();
    Matrix3d orientation = Matrix3d::Identity();
    for (int tick = 0; tick < 500; ++tick) {
      position += 1e-4 * anyVector(random);
      orientation = rectified(turnBy(0.004 * anyVector(random)) * orientation);
      const Motion found = estimator.tick(position, orientation, {},
                                          {.method = method, .positionNoise = 1e-4}, kTick);
      for (int axis = 0; axis < 3; ++axis) {
        hash.add(found.shift[axis]);
        hash.add(found.turn[axis]);
      }
    }
  }
  EXPECT_EQ(hash.value(), 8142104514208465674U);
}

}  // namespace
}  // namespace tactus::response
