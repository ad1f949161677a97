#include "studies/quality/signal_measures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

namespace tactus::studies {
namespace {

using Eigen::Vector3d;
using Course = std::vector<Vector3d>;

constexpr std::size_t kSamples = 1001;

/// Of a function of the share of the path.
template <typename Function>
Course courseOf(const Function& function) {
  Course course;
  for (std::size_t k = 0; k < kSamples; ++k)
    course.push_back(function(static_cast<double>(k) / (kSamples - 1)));
  return course;
}

double wave(double share, int cycles) {
  return std::sin(2.0 * std::numbers::pi * cycles * share);
}

/// What is missing is equal to nothing.
double valueOf(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}
AngleFigures valueOf(const std::optional<AngleFigures>& figures) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return figures.value_or(AngleFigures{nan, nan});
}

TEST(SignalMeasures, AGainIsADeviationUnlessEachCountsByItsOwn) {
  const Course ideal = courseOf([](double) { return Vector3d(0.0, 2.0, 0.0); });
  const Course measured = courseOf([](double) { return Vector3d(0.0, 2.2, 0.0); });
  EXPECT_NEAR(valueOf(deviation(ideal, measured)), 0.1, 1e-12);
  EXPECT_NEAR(valueOf(deviationByOwnMaximum(ideal, measured)), 0.0, 1e-12);
}

// The root of the mean square of 0.1 sin is 0.1 / sqrt(2), for any number of samples; with the 1/N
// outside of the root, as printed, it would be 30 times less.
TEST(SignalMeasures, DeviationDoesNotShrinkWithTheNumberOfSamples) {
  const Course ideal = courseOf([](double) { return Vector3d(3.0, 0.0, 0.0); });
  const Course measured =
      courseOf([](double u) { return Vector3d(3.0 + 0.3 * wave(u, 5), 0.0, 0.0); });
  EXPECT_NEAR(valueOf(deviation(ideal, measured)), 0.1 / std::numbers::sqrt2, 1e-4);
}

TEST(SignalMeasures, AnglesAreThoseThatTheCoursesHave) {
  const double angle = 0.02;  // [rad]
  const Course ideal = courseOf([](double u) { return Vector3d(1.0 + u, 0.0, 0.0); });
  const Course measured = courseOf([&](double u) -> Vector3d {
    return 5.0 * (1.0 + u) * Vector3d(std::cos(u * angle), std::sin(u * angle), 0.0);
  });
  const AngleFigures figures = valueOf(angleBetween(ideal, measured));
  const double degrees = 180.0 / std::numbers::pi;
  EXPECT_NEAR(figures.max, angle * degrees, 1e-9);
  EXPECT_NEAR(figures.mean, 0.5 * angle * degrees, 1e-9);
}

// Parallel vectors whose cosine rounds to more than one, and samples without a direction.
TEST(SignalMeasures, AnglesAreClampedAndOfWhatHasADirection) {
  const Course ideal = {{1.0, 1.0, 1.0}, {0.3, 0.3, 0.3}, {0.001, 0.0, 0.0}};
  const Course measured = {{0.1, 0.1, 0.1}, {0.7, 0.7, 0.7}, {0.0, -1.0, 0.0}};
  const AngleFigures figures = valueOf(angleBetween(ideal, measured));
  EXPECT_LT(figures.max, 1e-5);
  const Course opposite = {{-1.0, -1.0, -1.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  EXPECT_NEAR(valueOf(angleBetween(ideal, opposite)).mean, 0.5 * (180.0 + 90.0), 1e-4);
}

TEST(SignalMeasures, NothingIsSaidOfAnIdealOfZero) {
  const Course ideal(kSamples, Vector3d::Zero());
  const Course measured(kSamples, Vector3d::UnitX());
  EXPECT_FALSE(deviation(ideal, measured));
  EXPECT_FALSE(deviationByOwnMaximum(ideal, measured));
  EXPECT_FALSE(angleBetween(ideal, measured));
  EXPECT_FALSE(energyRatio(ideal, measured, 0));
  EXPECT_FALSE(ripple(ideal, measured));
}

TEST(SignalMeasures, AGainFoolsTheRatioOfEnergiesAndNotTheRipple) {
  const Course ideal = courseOf([](double u) { return Vector3d(wave(u, 1), 0.0, 0.0); });
  const Course loud = courseOf([](double u) { return Vector3d(1.2 * wave(u, 1), 0.0, 0.0); });
  EXPECT_NEAR(valueOf(energyRatio(ideal, loud, 0)), 1.44, 1e-9);
  EXPECT_LT(valueOf(ripple(ideal, loud)), 1e-9);
  const Course noisy = courseOf([](double u) {
    return Vector3d(std::sqrt(0.96) * wave(u, 1) + 0.2 * wave(u, 40), 0.0, 0.0);
  });
  EXPECT_NEAR(valueOf(energyRatio(ideal, noisy, 0)), 1.0, 1e-9);
  EXPECT_NEAR(valueOf(ripple(ideal, noisy)), 0.2, 2e-3);
}

TEST(SignalMeasures, RippleBeginsAboveTenCycles) {
  const Course ideal = courseOf([](double) { return Vector3d(0.0, 0.0, 1.0); });
  const auto withWave = [&](int cycles) {
    return courseOf([&](double u) { return Vector3d(0.1 * wave(u, cycles), 0.0, 1.0); });
  };
  EXPECT_LT(valueOf(ripple(ideal, withWave(6))), 5e-3);
  EXPECT_NEAR(valueOf(ripple(ideal, withWave(20))), 0.1 / std::numbers::sqrt2, 2e-3);
}

TEST(SignalMeasures, TheLargestJump) {
  Course course = courseOf([](double u) { return Vector3d(u, 0.0, 0.0); });
  EXPECT_NEAR(largestJump(course), 1e-3, 1e-12);
  course[500].y() = 0.25;
  EXPECT_NEAR(largestJump(course), std::hypot(0.25, 1e-3), 1e-12);
}

}  // namespace
}  // namespace tactus::studies
