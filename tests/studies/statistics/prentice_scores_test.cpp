#include "studies/statistics/prentice_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "studies/random_stream.hpp"
#include "studies/statistics/distributions.hpp"

namespace tactus::studies {
namespace {

TEST(PrenticeScores, WithoutCutsAndTiesAreRanks) {
  RandomStream random(1);
  std::vector<CensoredTime> times;
  times.reserve(25);
  for (int i = 0; i < 25; ++i)
    times.push_back({.time = 50.0 + 40.0 * random.aroundZero()});
  const std::vector<double> scores = prenticeScores(times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    double rank = 1.0;
    for (const CensoredTime& other : times)
      rank += other.time < times[i].time ? 1.0 : 0.0;
    // 1 - 2 S with S = (n + 1 - rank) / (n + 1), for the product telescopes
    EXPECT_NEAR(scores[i], 2.0 * rank / 26.0 - 1.0, 1e-14);
  }
}

// By hand: S falls to 4/6... at 10 (6 at it, 1 finishing: 6/7), at 20 (4 at it, 2 finishing: 3/5),
// at 40 (1 at it: 1/2); cut at 15 and 20.
TEST(PrenticeScores, WithCutsAndTiesAreTheFormulas) {
  const std::vector<CensoredTime> times = {{20.0, false}, {10.0, false}, {15.0, true},
                                           {20.0, true},  {40.0, false}, {20.0, false}};
  const std::vector<double> scores = prenticeScores(times);
  const double s10 = 6.0 / 7.0, s20 = s10 * 3.0 / 5.0, s40 = s20 * 1.0 / 2.0;
  const std::vector<double> expected = {1.0 - 2.0 * s20, 1.0 - 2.0 * s10, 1.0 - s10,
                                        1.0 - s20,       1.0 - 2.0 * s40, 1.0 - 2.0 * s20};
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(scores[i], expected[i], 1e-15) << i;
}

TEST(PrenticeScores, WhoWasCutComesAfterWhoFinishedThen) {
  const std::vector<double> scores =
      prenticeScores(std::vector<CensoredTime>{{180.0, true}, {180.0, false}, {20.0, false}});
  EXPECT_GT(scores[0], scores[1]);
  EXPECT_GT(scores[1], scores[2]);
  EXPECT_TRUE(prenticeScores({}).empty());
}

TEST(PairedPrenticeWilcoxon, CountsSignsAndIsNearItsNormalForm) {
  const std::vector<double> differences = {0.5, 0.25, -0.125, 0.5, 0.75};
  const PairedPrenticeWilcoxon test = pairedPrenticeWilcoxon(differences);
  EXPECT_NEAR(test.z, 1.875 / std::sqrt(0.25 + 0.0625 + 0.015625 + 0.25 + 0.5625), 1e-15);
  EXPECT_DOUBLE_EQ(test.pNormal, 2.0 * normalUpper(test.z));
  // larger or the same: all signs alike but none or the least
  EXPECT_DOUBLE_EQ(test.exact.p, 2.0 * 2.0 / 32.0);
  EXPECT_EQ(pairedPrenticeWilcoxon(std::vector{0.0, 0.0}).pNormal, 1.0);
}

// Times of one distribution, cut at a limit that a third reaches: found in no more than 5 % of 600
// studies; 4 standard errors are 21.
TEST(PairedPrenticeWilcoxon, FindsWhatIsNotThereNoMoreOftenThanItSays) {
  RandomStream random(21);
  int found = 0, foundHalved = 0;
  for (int study = 0; study < 600; ++study) {
    for (const double factor : {1.0, 0.35}) {
      std::vector<CensoredTime> times;
      for (int i = 0; i < 24; ++i) {
        const double mean = i < 12 ? 160.0 : factor * 160.0;
        const double time = -mean * std::log(0.5 + 0.5 * random.aroundZero() + 0x1p-55);
        times.push_back({.time = std::min(time, 180.0), .isCensored = time > 180.0});
      }
      const std::vector<double> scores = prenticeScores(times);
      std::vector<double> differences;
      differences.reserve(12);
      for (std::size_t i = 0; i < 12; ++i)
        differences.push_back(scores[i + 12] - scores[i]);
      if (pairedPrenticeWilcoxon(differences).exact.p <= 0.05)
        ++(factor == 1.0 ? found : foundHalved);
    }
  }
  EXPECT_LE(found, 30 + 21);
  EXPECT_GE(found, 10);
  EXPECT_GE(foundHalved, 250) << "a third of the time should be found often";
}

}  // namespace
}  // namespace tactus::studies
