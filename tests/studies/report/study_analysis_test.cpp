// What an analysis says of studies whose effects are known.
#include "studies/report/study_analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "studies/report/outcome_values.hpp"
#include "studies/statistics/holm.hpp"
#include "tests/studies/report/generated_study.hpp"

namespace tactus::studies {
namespace {

const Comparison& comparisonOf(const StudyAnalysis& analysis, const std::string& label) {
  const auto found = std::ranges::find(analysis.comparisons, label,
                                       [](const Comparison& c) { return c.outcome.label; });
  EXPECT_NE(found, analysis.comparisons.end()) << label;
  return *found;
}

TTest told(const std::optional<TTest>& test) {
  return test.value_or(TTest{.estimate = 1e9, .p = 1.0});
}

constexpr const char* kPath = "Path of the dominant hand";
constexpr const char* kNatural = "Naturalness of control";
constexpr const char* kLearning = "Time to learn";
constexpr const char* kAnimals = "Animals pocketed";

TEST(StudyAnalysis, ComparesPairsAsCanBeDoneByHand) {
  const TrialTable table = generatedStudy(1);
  const StudyAnalysis analysis = analyzeStudy(table);
  const Comparison& path = comparisonOf(analysis, kPath);
  std::map<std::string, double> byPair;
  for (const TrialRow& row : table.trials) {
    if (row.isPractice) continue;
    const double sign = row.conditions.at("dof") == "6in6out" ? 0.5 : -0.5;
    byPair[row.pair] += sign * row.measures.at("path.dominant");
  }
  std::vector<double> differences;
  differences.reserve(byPair.size());
  for (const auto& [pair, difference] : byPair)
    differences.push_back(difference);
  ASSERT_EQ(path.differences.size(), 12U);
  for (std::size_t i = 0; i < differences.size(); ++i)
    EXPECT_NEAR(path.differences[i], differences[i], 1e-9);
  EXPECT_NEAR(told(path.t).p, told(oneSampleT(differences)).p, 1e-12);
  EXPECT_EQ(path.decides, DecidingTest::OneSampleT);
  EXPECT_EQ(path.p.value_or(2.0), told(path.t).p);
  EXPECT_EQ(path.flips.value_or(PermutationTest()).p, 2.0 / 4096.0)
      << "all pairs went the same way";
  EXPECT_EQ(path.seedParticipants, 24U);
  EXPECT_EQ(told(path.seedForm).degrees, 23.0);
  EXPECT_NEAR(told(path.order.level).estimate, told(path.t).estimate, 1e-9);
  EXPECT_LT(told(path.t).low, -300.0);
  EXPECT_GT(told(path.t).high, -300.0);
  EXPECT_LT(told(path.order.period).low, -40.0);
  EXPECT_GT(told(path.order.period).high, -40.0);
  EXPECT_EQ(path.unitName, "m");
}

TEST(StudyAnalysis, TestsFollowTheScale) {
  const StudyAnalysis analysis = analyzeStudy(generatedStudy(1));
  const Comparison& natural = comparisonOf(analysis, kNatural);
  EXPECT_EQ(natural.decides, DecidingTest::SignedRank);
  EXPECT_EQ(natural.p.value_or(2.0), natural.ranks.value_or(SignedRankTest()).p);
  const Comparison& learning = comparisonOf(analysis, kLearning);
  EXPECT_EQ(learning.decides, DecidingTest::PrenticeWilcoxon);
  EXPECT_EQ(learning.p.value_or(2.0), learning.times.value_or(PairedPrenticeWilcoxon()).exact.p);
  EXPECT_GT(learning.censored, 0U);
  EXPECT_EQ(learning.single, 48U);
  EXPECT_EQ(learning.corrected, learning.p) << "it stands alone";
  const Comparison& animals = comparisonOf(analysis, kAnimals);
  EXPECT_EQ(animals.decides, DecidingTest::TwoOneSidedT);
  EXPECT_EQ(animals.p.value_or(2.0), animals.equivalence.value_or(EquivalenceTest()).p);
  ASSERT_EQ(analysis.kinds.size(), 1U);
  EXPECT_EQ(analysis.kinds[0].kinds.size(), 6U);
  EXPECT_EQ(analysis.kinds[0].units, 12U);

  const std::vector<double> family =
      holm(std::vector{comparisonOf(analysis, kPath).p.value_or(2.0), natural.p.value_or(2.0)});
  EXPECT_EQ(comparisonOf(analysis, kPath).corrected, family[0]);
  EXPECT_EQ(natural.corrected, family[1]);
}

TEST(StudyAnalysis, LeavesOutWhomItShouldAndSaysSo) {
  TrialTable table = generatedStudy(1);
  table.participants[4].isExcluded = true;
  table.participants[4].exclusionReason = "left early";
  table.participants[23].isFiller = true;
  table.trials[3].isExcluded = true;  // the second game of the first participant
  table.trials[3].exclusionReason = "a cable";
  table.trials[4].flags = {"paused"};
  const StudyAnalysis analysis = analyzeStudy(table);
  EXPECT_EQ(analysis.participants, 22U);
  EXPECT_EQ(analysis.excluded, 1U);
  EXPECT_EQ(analysis.fillers, 1U);
  const Comparison& path = comparisonOf(analysis, kPath);
  EXPECT_EQ(path.units.size(), 9U);
  EXPECT_EQ(path.incomplete, (std::vector<std::string>{"Q01", "Q03", "Q12"}));
  EXPECT_EQ(told(path.withIncomplete).degrees, 11.0);
  EXPECT_EQ(comparisonOf(analysis, kNatural).units.size(), 10U) << "the answers were given";
  EXPECT_EQ(analysis.kinds[0].units, 9U);
  std::vector<std::string> left;
  left.reserve(analysis.leftOut.size());
  for (const LeftOut& one : analysis.leftOut)
    left.push_back(one.who);
  EXPECT_EQ(left, (std::vector<std::string>{"participant P05", "participant P24",
                                            "participant P01, session 1, trial 4", "pair Q01",
                                            "pair Q03", "pair Q12"}));
  EXPECT_EQ(analysis.leftOut[0].why, "left early");
  ASSERT_EQ(analysis.flagged.size(), 1U);
  EXPECT_EQ(analysis.flagged[0].why, "paused");
}

TEST(StudyAnalysis, GroupsComeFromWhatIsKnownOfParticipants) {
  const StudyAnalysis analysis = analyzeStudy(generatedStudy(1));
  ASSERT_FALSE(analysis.groups.empty());
  for (const GroupComparison& group : analysis.groups) {
    EXPECT_EQ(group.fact, "experience") << "24 ages are no groups";
    ASSERT_EQ(group.groups.size(), 2U);
    EXPECT_EQ(group.groups[0].moments.n + group.groups[1].moments.n, 24U);
    EXPECT_EQ(group.test.degreesWithin, 22.0);
  }
  EXPECT_EQ(analysis.groups.size(), 4U) << "path and animals, under either level";
}

TEST(StudyAnalysis, OfParticipantsWhoPlayAloneEachIsAUnit) {
  TrialTable table = generatedStudy(1);
  table.facts.isPlayedInPairs = false;
  const Comparison path = comparisonOf(analyzeStudy(table), kPath);
  EXPECT_EQ(path.units.size(), 24U);
  EXPECT_EQ(told(path.t).p, told(path.seedForm).p);
  EXPECT_EQ(told(path.order.level).degrees, 22.0) << "two sequences";
}

TEST(StudyAnalysis, ThreeLevelsAreComparedTwoByTwo) {
  TrialTable table = generatedStudy(1);
  table.facts.factors[0].levels.push_back({.name = "6in3out", .letter = "C", .label = "between"});
  const std::size_t before = table.trials.size();
  for (std::size_t i = 0; i < before; ++i) {
    TrialRow row = table.trials[i];
    if (row.period == 2) continue;
    row.period = 3;
    row.conditions["dof"] = "6in3out";
    table.trials.push_back(row);
  }
  const StudyAnalysis analysis = analyzeStudy(table);
  std::vector<std::string> contrasts;
  for (const Comparison& c : analysis.comparisons) {
    if (c.outcome.label == kPath) contrasts.push_back(letterOf(c.over) + letterOf(c.under));
  }
  EXPECT_EQ(contrasts, (std::vector<std::string>{"BA", "CA", "CB"}));
}

TEST(StudyAnalysis, FactorsBetweenParticipantsAreComparedBetweenUnits) {
  TrialTable table = generatedStudy(1);
  table.facts.isPlayedInPairs = false;
  table.facts.factors.push_back({.name = "device",
                                 .label = "device",
                                 .levels = {{.name = "small", .letter = "S", .label = ""},
                                            {.name = "large", .letter = "L", .label = ""}},
                                 .isWithin = false});
  for (TrialRow& row : table.trials)
    row.conditions["device"] = row.pair < "Q07" ? "small" : "large";
  table.facts.outcomes[0].factor = "device";
  const Comparison path = comparisonOf(analyzeStudy(table), kPath);
  EXPECT_EQ(path.decides, DecidingTest::WelchT);
  EXPECT_EQ(path.ofUnder.n + path.ofOver.n, 24U);
  EXPECT_TRUE(path.units.empty());
}

TEST(StudyAnalysis, OfNoDataSaysWhatIsMissing) {
  TrialTable table = generatedStudy(1);
  table.trials.clear();
  table.answers.clear();
  const StudyAnalysis analysis = analyzeStudy(table);
  EXPECT_TRUE(analysis.comparisons.empty());
  EXPECT_EQ(analysis.unanswerable.size(), 5U);
  EXPECT_TRUE(analyzeStudy({}).comparisons.empty());
}

// 300 studies of six pairs: without an effect it is found in about 5 % of them, and the interval
// holds an effect in about 95 %; 4 standard errors are 15.
TEST(StudyAnalysis, ErrsAsOftenAsItSays) {
  int found = 0, holding = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    TrialTable table = generatedStudy(seed, {.pairs = 6, .path = 0.0});
    table.facts.outcomes.resize(1);
    table.facts.outcomes[0].isPrimary = false;
    const StudyAnalysis analysis = analyzeStudy(table);
    const TTest t = told(analysis.comparisons.at(0).t);
    if (t.p < 0.05) ++found;
    if (t.low <= 0.0 && 0.0 <= t.high) ++holding;
  }
  EXPECT_NEAR(found, 15, 15);
  EXPECT_GT(found, 2);
  EXPECT_EQ(holding, 300 - found);
}

}  // namespace
}  // namespace tactus::studies
