// Holm's correction, analysis of variance, chi-square, normality and effect sizes against SciPy and
// R.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "studies/statistics/chi_square.hpp"
#include "studies/statistics/effect_sizes.hpp"
#include "studies/statistics/holm.hpp"
#include "studies/statistics/one_way_anova.hpp"
#include "studies/statistics/sample_moments.hpp"
#include "studies/statistics/shapiro_wilk.hpp"
#include "tests/studies/statistics/reference_values.hpp"

namespace tactus::studies {
namespace {

TEST(Holm, IsRs) {
  const std::vector<double> corrected = holm(scipy("holm.in"));
  ASSERT_EQ(corrected.size(), inR("holm").size());
  for (std::size_t i = 0; i < corrected.size(); ++i) {
    expectSame(corrected[i], inR("holm")[i]);
    expectSame(corrected[i], scipy("holm.out")[i]);
  }
  EXPECT_TRUE(holm({}).empty());
  EXPECT_EQ(holm(std::vector{0.7, 0.6}), (std::vector{1.0, 1.0}));
}

TEST(OneWayAnova, IsScipysAndRs) {
  const std::array groups = {sample("g1"), sample("g2"), sample("g3")};
  const AnovaTest two = oneWayAnova(std::span(groups).first(2)).value_or(AnovaTest());
  expectSame(two.f, scipy("anova.g1.g2")[0]);
  expectSame(two.p, scipy("anova.g1.g2")[1]);
  const AnovaTest three = oneWayAnova(groups).value_or(AnovaTest());
  expectSame(three.f, scipy("anova.g1.g2.g3")[0]);
  expectSame(three.p, scipy("anova.g1.g2.g3")[1]);
  expectSame(three.etaSquared, inR("anova")[2]);
  expectSame(three.omegaSquared, inR("anova")[3]);

  const std::array withNobody = {sample("g1"), std::vector<double>(), sample("g2")};
  EXPECT_EQ(oneWayAnova(withNobody).value_or(AnovaTest()).p, two.p);
  EXPECT_FALSE(oneWayAnova(std::span(groups).first(1)));
  const std::array<std::vector<double>, 2> same = {{{1.0, 1.0}, {2.0, 2.0}}};
  EXPECT_FALSE(oneWayAnova(same));
}

TEST(ChiSquare, IsScipys) {
  const ChiSquareTest uniform = chiSquareUniform(sample("kinds")).value_or(ChiSquareTest());
  expectSame(uniform.chiSquare, scipy("chisquare.kinds")[0]);
  expectSame(uniform.p, scipy("chisquare.kinds")[1]);
  const std::array rows = {sample("row1"), sample("row2"), sample("row3")};
  const ChiSquareTest table = chiSquareTable(rows).value_or(ChiSquareTest());
  expectSame(table.chiSquare, scipy("chisquare.rows")[0]);
  expectSame(table.p, scipy("chisquare.rows")[1]);
  expectSame(table.degrees, scipy("chisquare.rows")[2]);
  expectSame(table.cramerV, scipy("chisquare.rows")[3]);

  std::vector<std::vector<double>> wider(rows.begin(), rows.end());
  for (std::vector<double>& row : wider)
    row.insert(row.begin() + 1, 0.0);
  EXPECT_EQ(chiSquareTable(wider).value_or(ChiSquareTest()).p, table.p)
      << "a kind that nobody took";
  EXPECT_FALSE(chiSquareUniform(std::vector{3.0}));
  EXPECT_FALSE(chiSquareUniform(std::vector{0.0, 0.0}));
  EXPECT_FALSE(chiSquareTable(std::array<std::vector<double>, 2>{{{1.0, 2.0}, {0.0, 0.0}}}));
}

TEST(ShapiroWilk, IsRs) {
  for (const char* name :
       {"d5", "d12", "d24", "d47", "skewed30", "n3", "n11", "n50", "n200", "likert240"}) {
    SCOPED_TRACE(name);
    const ShapiroWilkTest test = shapiroWilk(sample(name)).value_or(ShapiroWilkTest());
    expectSame(test.w, inR(std::string("shapiro.") + name)[0]);
    expectSame(test.p, inR(std::string("shapiro.") + name)[1]);
  }
  std::vector<double> scaled = sample("d12");
  for (double& value : scaled)
    value = 1e-200 * value;
  EXPECT_NEAR(shapiroWilk(scaled).value_or(ShapiroWilkTest()).p, inR("shapiro.d12")[1], 1e-9);
  EXPECT_FALSE(shapiroWilk(std::vector{1.0, 2.0}));
  EXPECT_FALSE(shapiroWilk(std::vector{1.0, 1.0, 1.0}));
}

TEST(EffectSizes, AreScipys) {
  for (const char* name : {"d5", "d12", "d24", "d47"}) {
    SCOPED_TRACE(name);
    const StandardizedDifference d =
        standardizedDifference(sample(name)).value_or(StandardizedDifference());
    const std::vector<double>& reference = scipy(std::string("dz.") + name);
    expectSame(d.ofDifferences, reference[0]);
    expectSame(d.corrected, reference[1]);
    expectSame(d.low, reference[2]);
    expectSame(d.high, reference[3]);
  }
  EXPECT_FALSE(standardizedDifference(std::vector{1.0, 2.0}));
  EXPECT_DOUBLE_EQ(differenceInAverageSd(std::vector{1.0, 3.0}, std::vector{2.0, 4.0}),
                   1.0 / std::sqrt(2.0));
}

TEST(SampleMoments, AreNumpys) {
  for (const char* name : {"d47", "skewed30"}) {
    const SampleMoments moments = momentsOf(sample(name));
    const std::vector<double>& reference = scipy(std::string("moments.") + name);
    const std::array ours = {moments.mean,          moments.sd,     moments.least,
                             moments.lowerQuartile, moments.median, moments.upperQuartile,
                             moments.most};
    for (std::size_t i = 0; i < ours.size(); ++i)
      expectSame(ours[i], reference[i]);
  }
  EXPECT_EQ(momentsOf({}).n, 0U);
  EXPECT_EQ(momentsOf(std::vector{2.0}).sd, 0.0);
}

}  // namespace
}  // namespace tactus::studies
