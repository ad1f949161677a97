#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "studies/report/outcome_values.hpp"
#include "studies/statistics/chi_square.hpp"
#include "studies/statistics/crossover.hpp"
#include "studies/statistics/effect_sizes.hpp"
#include "studies/statistics/equivalence.hpp"
#include "studies/statistics/one_way_anova.hpp"
#include "studies/statistics/prentice_scores.hpp"
#include "studies/statistics/sample_moments.hpp"
#include "studies/statistics/shapiro_wilk.hpp"
#include "studies/statistics/sign_flip.hpp"
#include "studies/statistics/signed_rank.hpp"
#include "studies/statistics/student_t.hpp"
#include "studies/trials/trial_table.hpp"

namespace tactus::studies {

/// Which test gives an outcome its p value. The others stand beside it.
enum class DecidingTest : std::uint8_t {
  OneSampleT,        ///< of units' differences; OutcomeScale::Interval
  WelchT,            ///< of units, where a factor lies between them
  SignedRank,        ///< OutcomeScale::Ordinal
  PrenticeWilcoxon,  ///< OutcomeScale::Time
  TwoOneSidedT,      ///< where bounds of equivalence are declared
  LevelsByKind,      ///< OutcomeScale::Kinds
};

/// One outcome under two levels of its factor. Differences are over minus under.
struct Comparison {
  Outcome outcome;
  std::string unitName;  ///< of the numbers, "m"
  FactorLevel under, over;
  bool isWithin = true;
  std::vector<Observation> observations;  ///< of both levels
  std::vector<UnitOfAnalysis> units;      ///< complete ones, which are tested
  std::vector<std::string> incomplete;    ///< names of the others
  std::vector<double> differences;        ///< of the units
  SampleMoments ofUnder, ofOver;          ///< of the participants in `units`

  std::optional<TTest> t;
  std::optional<TTest> withIncomplete;  ///< the same test when those are kept
  std::optional<PermutationTest> flips;
  std::optional<StandardizedDifference> standardized;
  double inAverageSd = 0.0;
  std::optional<SignedRankTest> ranks;
  std::optional<PairedPrenticeWilcoxon> times;
  std::size_t censored = 0, single = 0;  ///< durations at their limit, of all
  std::optional<EquivalenceTest> equivalence;
  std::optional<ShapiroWilkTest> normality;  ///< of the differences
  CrossoverEffects order;
  std::vector<std::string> outliers;  ///< units beyond three interquartile ranges (J. Tukey, 1977)

  DecidingTest decides = DecidingTest::OneSampleT;
  std::optional<double> p;          ///< of the deciding test
  std::optional<double> corrected;  ///< after Holm, within the family

  std::optional<TTest> seedForm;  ///< paired t over participants, as if they were independent
  std::size_t seedParticipants = 0;
};

/// Counts by kind under two levels.
struct KindsComparison {
  Outcome outcome;
  FactorLevel under, over;
  std::vector<std::string> kinds;
  std::vector<double> ofUnder, ofOver;  ///< totals
  std::size_t units = 0;
  PermutationTest levels;                                       ///< taken alike under both levels?
  PermutationTest evenUnder, evenOver;                          ///< all kinds equally often?
  std::optional<double> corrected;                              ///< of `levels`, after Holm
  std::optional<ChiSquareTest> seedUnder, seedOver, seedTable;  ///< every object for itself
};

/// The seed's one-way ANOVA: an outcome under one level, by what is known of the participants.
struct GroupComparison {
  std::string outcome, fact;
  FactorLevel level;
  struct Group {
    std::string name;
    SampleMoments moments;
  };
  std::vector<Group> groups;
  AnovaTest test;
};

struct LeftOut {
  std::string who;  ///< participant, pair, or trial of one
  std::string why;
};

struct StudyAnalysis {
  StudyFacts facts;
  std::size_t participants = 0;  ///< who are analysed
  std::size_t fillers = 0, excluded = 0, trials = 0, answers = 0;
  std::vector<Comparison> comparisons;
  std::vector<KindsComparison> kinds;
  std::vector<GroupComparison> groups;
  std::vector<LeftOut> leftOut;
  std::vector<LeftOut> flagged;           ///< kept, but unusual
  std::vector<std::string> unanswerable;  ///< outcomes without data, each with its reason
};

/// All that was declared, and beside it the form in which the seed study analysed its own.
///
/// The unit of analysis is the pair where two play one round: what happens in a round happens to
/// both, so that its two participants are not independent. Per unit and level the mean of what its
/// participants did, per participant the mean of their trials. Family-wise correction after Holm
/// within each declared family, over all of its outcomes and pairs of levels.
[[nodiscard]] StudyAnalysis analyzeStudy(const TrialTable& table);

/// "A" and "B" where letters are declared, else the names.
[[nodiscard]] std::string letterOf(const FactorLevel& level);
[[nodiscard]] const char* nameOf(DecidingTest test);

}  // namespace tactus::studies
