// The rms in a band against sines whose rms is known.
#include "studies/band_power.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace tactus::studies {
namespace {

std::vector<double> sine(std::size_t count, double rate, double hertz, double amplitude,
                         double perSecond = 0.0) {
  std::vector<double> signal(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) / rate;
    signal[i] = 3.0 + perSecond * t + amplitude * std::sin(2.0 * std::numbers::pi * hertz * t);
  }
  return signal;
}

TEST(BandRms, OfASineInTheBandIsItsAmplitudeOverRootTwo) {
  for (const double rate : {1000.0, 16'000.0}) {
    for (const double hertz : {2.0, 37.0, 250.5, 499.5}) {
      const auto signal = sine(static_cast<std::size_t>(2.0 * rate), rate, hertz, 0.2);
      // the line that is taken off takes a little of the slowest one with it
      const double slack = hertz < 10.0 ? 0.03 : 1e-3;
      EXPECT_NEAR(bandRms(signal, rate, 2.0, 500.0), 0.2 / std::sqrt(2.0), slack * 0.2)
          << rate << ' ' << hertz;
    }
  }
}

TEST(BandRms, LeavesOutWhatIsBelowAndAbove) {
  const auto slow = sine(2000, 1000.0, 1.0, 0.2);
  EXPECT_LT(bandRms(slow, 1000.0, 2.0, 500.0), 0.25 * 0.2);
  const auto fast = sine(32'000, 16'000.0, 3000.0, 0.2);
  EXPECT_LT(bandRms(fast, 16'000.0, 2.0, 500.0), 1e-4);
  // both ways to count come to the same
  const auto both = sine(2000, 1000.0, 100.0, 0.2);
  EXPECT_NEAR(bandRms(both, 1000.0, 2.0, 500.0), bandRms(both, 1000.0, 90.0, 110.0), 1e-6);
  EXPECT_LT(bandRms(both, 1000.0, 110.0, 500.0), 1e-4);
}

TEST(BandRms, ADriftIsNoVibration) {
  const auto drifting = sine(2000, 1000.0, 50.0, 0.0, 0.7);
  EXPECT_LT(bandRms(drifting, 1000.0, 2.0, 500.0), 1e-9);
  EXPECT_EQ(bandRms({}, 1000.0, 2.0, 500.0), 0.0);
}

}  // namespace
}  // namespace tactus::studies
