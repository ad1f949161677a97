#include "studies/measures/zero_phase_filter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tactus::studies {
namespace {

constexpr double kDt = 1e-3;

std::vector<double> wave(double hertz, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t k = 0; k < count; ++k)
    values[k] = std::sin(2.0 * std::numbers::pi * hertz * kDt * static_cast<double>(k));
  return values;
}

// |H|^2 of a Butterworth of second order, both ways, with the frequency warped by the bilinear
// transform.
double gainAt(double hertz, double cutoff) {
  const double ratio =
      std::tan(std::numbers::pi * hertz * kDt) / std::tan(std::numbers::pi * cutoff * kDt);
  return 1.0 / (1.0 + ratio * ratio * ratio * ratio);
}

TEST(ZeroPhaseFilter, HasTheGainOfItsTransferFunctionAndNoDelay) {
  for (const double hertz : {2.0, 10.0, 20.0, 50.0}) {
    const std::vector<double> in = wave(hertz, 4000);
    const std::vector<double> out = zeroPhaseLowPass(in, 20.0, kDt);
    for (std::size_t k = 1000; k < 3000; ++k)
      EXPECT_NEAR(out[k], gainAt(hertz, 20.0) * in[k], 1e-9) << hertz;
  }
}

TEST(ZeroPhaseFilter, LeavesWhatStandsStillAlone) {
  const std::vector<double> out = zeroPhaseLowPass(std::vector<double>(100, 0.25), 20.0, kDt);
  // A hundred steps of a recursion whose poles are near 1 round some ten times an ulp.
  for (const double value : out)
    EXPECT_NEAR(value, 0.25, 1e-13);
  EXPECT_TRUE(zeroPhaseLowPass({}, 20.0, kDt).empty());
}

}  // namespace
}  // namespace tactus::studies
