#include "studies/timing_figures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "studies/raw_table.hpp"

namespace tactus::studies {
namespace {

TEST(TimingFigures, OfAThousandNumbersAreTheRightOnes) {
  std::vector<double> times;
  for (int k = 1000; k >= 1; --k)
    times.push_back(k);
  const TimingFigures figures = figuresOf(times);
  EXPECT_EQ(figures.count, 1000U);
  EXPECT_EQ(figures.mean, 500.5);
  EXPECT_EQ(figures.p50, 500.0);
  EXPECT_EQ(figures.p99, 990.0);
  EXPECT_EQ(figures.p999, 999.0);
  EXPECT_EQ(figures.max, 1000.0);
}

TEST(TimingFigures, OfFewNumbers) {
  EXPECT_EQ(figuresOf({}).count, 0U);
  const TimingFigures one = figuresOf({7.0});
  EXPECT_EQ(one.mean, 7.0);
  EXPECT_EQ(one.p50, 7.0);
  EXPECT_EQ(one.p999, 7.0);
  EXPECT_EQ(figuresOf({3.0, 1.0, 2.0}).p999, 3.0);
}

TEST(TimingFigures, TheMedianIsTheMiddle) {
  EXPECT_EQ(medianOf({5.0, 1.0, 100.0}), 5.0);
  EXPECT_EQ(medianOf({4.0, 1.0, 2.0, 100.0}), 3.0);
  EXPECT_TRUE(std::isnan(medianOf({})));
}

TEST(RawTable, NumbersReadBackToTheBit) {
  RawTable table("name,value,count");
  table.add("a", 0.1, 3U);
  table.add(std::string("b"), 1e-300, -4);
  EXPECT_EQ(table.text(), "name,value,count\na,0.1,3\nb,1e-300,-4\n");
}

}  // namespace
}  // namespace tactus::studies
