#include "studies/statistics/student_t.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "studies/random_stream.hpp"
#include "studies/statistics/distributions.hpp"
#include "tests/studies/statistics/reference_values.hpp"

namespace tactus::studies {
namespace {

TEST(StudentT, OfOneSampleIsScipys) {
  for (const char* name : {"d5", "d12", "d24", "d47", "offset"}) {
    SCOPED_TRACE(name);
    const TTest test = oneSampleT(sample(name)).value_or(TTest());
    const std::vector<double>& reference = scipy(std::string("t1.") + name);
    expectSame(test.t, reference[0]);
    expectSame(test.degrees, reference[1]);
    // so far out, p falls with the twentieth power of t
    if (std::string(name) != "offset") expectSame(test.p, reference[2]);
    expectSame(test.low, reference[3]);
    expectSame(test.high, reference[4]);
  }
}

TEST(StudentT, OfTwoSamplesIsScipysAndRs) {
  for (const auto& [a, b] : {std::pair("g1", "g2"), std::pair("g2", "g3")}) {
    for (const bool isPooled : {true, false}) {
      const std::string name = std::string("t2.") + (isPooled ? "pooled." : "welch.") + a + "." + b;
      SCOPED_TRACE(name);
      const TTest test =
          (isPooled ? twoSampleT(sample(a), sample(b)) : welchT(sample(a), sample(b)))
              .value_or(TTest());
      expectSame(test.t, scipy(name)[0]);
      expectSame(test.p, scipy(name)[1]);
      expectSame(test.degrees, inR(name)[0]);
      expectSame(test.low, inR(name)[1]);
      expectSame(test.high, inR(name)[2]);
    }
  }
}

TEST(StudentT, SaysNothingOfNothing) {
  EXPECT_FALSE(oneSampleT({}));
  EXPECT_FALSE(oneSampleT(std::vector{1.0}));
  EXPECT_FALSE(oneSampleT(std::vector{0.1 + 0.2, 0.3, 0.3})) << "these differ by rounding alone";
  EXPECT_FALSE(twoSampleT(std::vector{1.0}, std::vector{2.0}));
  EXPECT_FALSE(twoSampleT(std::vector{1.0, 1.0}, std::vector{2.0, 2.0}));
  EXPECT_FALSE(welchT(std::vector{1.0, 2.0}, std::vector{2.0}));
}

// Of 2000 intervals of 95 % some 1900 hold the mean; 4 standard errors of that are 39.
TEST(StudentT, IntervalsHoldTheMeanAsOftenAsTheySay) {
  RandomStream random(7);
  int holding = 0, rejecting = 0;
  for (int study = 0; study < 2000; ++study) {
    std::vector<double> values;
    values.reserve(12);
    for (int i = 0; i < 12; ++i)
      values.push_back(3.0 + 2.0 * normalQuantile(0.5 + 0.5 * random.aroundZero() + 0x1p-55));
    const TTest test = oneSampleT(values).value_or(TTest());
    if (test.low <= 3.0 && 3.0 <= test.high) ++holding;
    for (double& value : values)
      value -= 3.0;
    if (oneSampleT(values).value_or(TTest()).p < 0.05) ++rejecting;
  }
  EXPECT_NEAR(holding, 1900, 39);
  EXPECT_EQ(rejecting, 2000 - holding) << "test and interval must say the same";
}

}  // namespace
}  // namespace tactus::studies
