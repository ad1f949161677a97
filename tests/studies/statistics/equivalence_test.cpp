#include "studies/statistics/equivalence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "studies/random_stream.hpp"
#include "studies/statistics/distributions.hpp"
#include "tests/studies/statistics/reference_values.hpp"

namespace tactus::studies {
namespace {

TEST(Equivalence, IsTwoOfScipysTests) {
  for (const char* name : {"d5", "d12", "d24"}) {
    SCOPED_TRACE(name);
    const std::vector<double>& reference = scipy(std::string("tost.") + name);
    const EquivalenceTest test =
        twoOneSidedT(sample(name), reference[0], reference[1]).value_or(EquivalenceTest());
    expectSame(test.pAboveLow, reference[2]);
    expectSame(test.pBelowHigh, reference[3]);
    EXPECT_EQ(test.p, std::max(test.pAboveLow, test.pBelowHigh));
    expectSame(test.low, inR(std::string("t90.") + name)[0]);
    expectSame(test.high, inR(std::string("t90.") + name)[1]);
  }
}

TEST(Equivalence, SaysWhatItsIntervalSays) {
  RandomStream random(4);
  for (int study = 0; study < 200; ++study) {
    std::vector<double> values;
    values.reserve(10);
    for (int i = 0; i < 10; ++i)
      values.push_back(random.aroundZero());
    const EquivalenceTest test = twoOneSidedT(values, -0.35, 0.3).value_or(EquivalenceTest());
    EXPECT_EQ(test.p<0.05, test.low> - 0.35 && test.high < 0.3);
  }
  EXPECT_FALSE(twoOneSidedT(std::vector{1.0, 1.0}, -1.0, 1.0));
}

// The truth lies on a bound: called equivalent in 5 % of 2000 studies; 4 standard errors are 39.
TEST(Equivalence, ErrsAsOftenAsItSays) {
  RandomStream random(9);
  int called = 0;
  for (int study = 0; study < 2000; ++study) {
    std::vector<double> values;
    values.reserve(12);
    for (int i = 0; i < 12; ++i)
      values.push_back(0.9 + normalQuantile(0.5 + 0.5 * random.aroundZero() + 0x1p-55));
    if (twoOneSidedT(values, -0.9, 0.9).value_or(EquivalenceTest()).p < 0.05) ++called;
  }
  EXPECT_NEAR(called, 100, 39);
}

}  // namespace
}  // namespace tactus::studies
