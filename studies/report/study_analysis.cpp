#include "studies/report/study_analysis.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "studies/statistics/counts_by_kind.hpp"
#include "studies/statistics/holm.hpp"

namespace tactus::studies {
namespace {

// More groups than that are no groups, but an age.
constexpr std::size_t kMostGroups = 5;

std::string unitNameOf(const StudyFacts& facts, const Outcome& outcome) {
  if (outcome.source == OutcomeSource::Counts) return "objects";
  if (outcome.source == OutcomeSource::Answer) return "points";
  for (const MeasureColumn& measure : facts.measures) {
    if (measure.name == outcome.name) return measure.unit == "1" ? "" : measure.unit;
  }
  return {};
}

const Factor* factorOf(const StudyFacts& facts, const std::string& name) {
  const auto found = std::ranges::find(facts.factors, name, &Factor::name);
  return found == facts.factors.end() ? nullptr : &*found;
}

/// All pairs of levels, in the protocol's order.
std::vector<std::pair<FactorLevel, FactorLevel>> contrastsOf(const Factor& factor) {
  std::vector<std::pair<FactorLevel, FactorLevel>> contrasts;
  for (std::size_t i = 0; i < factor.levels.size(); ++i) {
    for (std::size_t j = i + 1; j < factor.levels.size(); ++j)
      contrasts.emplace_back(factor.levels[i], factor.levels[j]);
  }
  return contrasts;
}

std::vector<double> differencesOf(const std::vector<UnitOfAnalysis>& units) {
  std::vector<double> differences;
  differences.reserve(units.size());
  for (const UnitOfAnalysis& unit : units)
    differences.push_back(unit.over - unit.under);
  return differences;
}

std::vector<std::string> outliersOf(const std::vector<UnitOfAnalysis>& units,
                                    const std::vector<double>& differences) {
  constexpr double kFarOut = 3.0;
  const SampleMoments moments = momentsOf(differences);
  const double reach = kFarOut * (moments.upperQuartile - moments.lowerQuartile);
  std::vector<std::string> outliers;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (differences[i] < moments.lowerQuartile - reach ||
        differences[i] > moments.upperQuartile + reach)
      outliers.push_back(units[i].name);
  }
  return outliers;
}

CrossoverEffects orderEffects(const std::vector<UnitOfAnalysis>& units, double confidence) {
  std::vector<CrossedOver> alone;
  std::vector<CrossedPair> pairs;
  for (const UnitOfAnalysis& unit : units) {
    if (unit.size == 1 && unit.members.size() == 1) alone.push_back(unit.members.front());
    if (unit.members.size() != 2 || unit.members[0].isUnderFirst == unit.members[1].isUnderFirst)
      continue;
    const bool isFirst = unit.members[0].isUnderFirst;
    pairs.push_back(
        {.underFirst = unit.members[isFirst ? 0 : 1], .overFirst = unit.members[isFirst ? 1 : 0]});
  }
  return pairs.empty() ? crossover(alone, confidence) : crossover(pairs, confidence);
}

/// What every participant did, as if participants were independent.
void takeSeedForm(Comparison& comparison, double confidence) {
  const std::vector<UnitOfAnalysis> participants =
      unitsOf(comparison.observations, comparison.under.name, comparison.over.name, false);
  comparison.seedParticipants = participants.size();
  comparison.seedForm = oneSampleT(differencesOf(participants), confidence);
}

/// Of those who are in the units that are tested.
void describe(Comparison& comparison, bool isPlayedInPairs) {
  std::set<std::string> tested;
  for (const UnitOfAnalysis& unit : comparison.units)
    tested.insert(unit.name);
  std::vector<double> under, over;
  for (const Observation& one : comparison.observations) {
    const std::string& unit = isPlayedInPairs && !one.pair.empty() ? one.pair : one.participant;
    comparison.single += one.count;
    comparison.censored += one.censored;
    if (comparison.isWithin && !tested.contains(unit)) continue;
    (one.level == comparison.under.name ? under : over).push_back(one.value);
  }
  comparison.ofUnder = momentsOf(under);
  comparison.ofOver = momentsOf(over);
  comparison.inAverageSd = differenceInAverageSd(under, over);
}

void compareWithin(Comparison& comparison, const StudyFacts& facts) {
  const double confidence = 1.0 - facts.alpha;
  const std::vector<UnitOfAnalysis> all = unitsOf(comparison.observations, comparison.under.name,
                                                  comparison.over.name, facts.isPlayedInPairs);
  for (const UnitOfAnalysis& unit : all) {
    if (unit.isComplete) {
      comparison.units.push_back(unit);
    } else {
      comparison.incomplete.push_back(unit.name);
    }
  }
  comparison.differences = differencesOf(comparison.units);
  const std::vector<double>& differences = comparison.differences;
  comparison.t = oneSampleT(differences, confidence);
  if (!comparison.incomplete.empty())
    comparison.withIncomplete = oneSampleT(differencesOf(all), confidence);
  comparison.standardized = standardizedDifference(differences, confidence);
  comparison.normality = shapiroWilk(differences);
  comparison.outliers = outliersOf(comparison.units, differences);
  comparison.order = orderEffects(comparison.units, confidence);
  if (differences.size() > 1) {
    comparison.flips = signFlip(differences);
    comparison.ranks = signedRank(differences, confidence);
  }
  if (comparison.t) comparison.p = comparison.t->p;
  if (comparison.outcome.scale == OutcomeScale::Ordinal) {
    comparison.decides = DecidingTest::SignedRank;
    comparison.p.reset();
    if (comparison.ranks) comparison.p = comparison.ranks->p;
  }
  if (comparison.outcome.scale == OutcomeScale::Time) {
    comparison.decides = DecidingTest::PrenticeWilcoxon;
    comparison.p.reset();
    std::vector<double> scores;
    scores.reserve(comparison.units.size());
    for (const UnitOfAnalysis& unit : comparison.units)
      scores.push_back(unit.overScore - unit.underScore);
    if (scores.size() > 1) {
      comparison.times = pairedPrenticeWilcoxon(scores);
      comparison.p = comparison.times->exact.p;
    }
  }
  if (const std::optional<EquivalenceBounds>& bounds = comparison.outcome.equivalence) {
    comparison.equivalence = twoOneSidedT(differences, bounds->low, bounds->high, facts.alpha);
    comparison.decides = DecidingTest::TwoOneSidedT;
    comparison.p.reset();
    if (comparison.equivalence) comparison.p = comparison.equivalence->p;
  }
  takeSeedForm(comparison, confidence);
}

void compareBetween(Comparison& comparison, const StudyFacts& facts) {
  std::map<std::string, std::vector<double>> under, over;
  for (const Observation& one : comparison.observations) {
    const bool isPair = facts.isPlayedInPairs && !one.pair.empty();
    auto& values = one.level == comparison.under.name ? under : over;
    values[isPair ? one.pair : one.participant].push_back(one.value);
  }
  std::vector<double> ofUnder, ofOver;
  for (const auto& [unit, values] : under)
    ofUnder.push_back(meanOf(values));
  for (const auto& [unit, values] : over)
    ofOver.push_back(meanOf(values));
  comparison.decides = DecidingTest::WelchT;
  comparison.t = welchT(ofUnder, ofOver, 1.0 - facts.alpha);
  if (comparison.t) comparison.p = comparison.t->p;
}

Comparison comparisonOf(const TrialTable& table, const Outcome& outcome, const Factor& factor,
                        const std::pair<FactorLevel, FactorLevel>& levels) {
  Comparison comparison;
  comparison.outcome = outcome;
  comparison.unitName = unitNameOf(table.facts, outcome);
  comparison.under = levels.first;
  comparison.over = levels.second;
  comparison.isWithin = factor.isWithin;
  for (Observation& one : observationsOf(table, outcome)) {
    if (one.level == levels.first.name || one.level == levels.second.name)
      comparison.observations.push_back(std::move(one));
  }
  if (comparison.isWithin) {
    compareWithin(comparison, table.facts);
  } else {
    compareBetween(comparison, table.facts);
  }
  describe(comparison, table.facts.isPlayedInPairs);
  return comparison;
}

std::optional<KindsComparison> kindsOf(const TrialTable& table, const Outcome& outcome,
                                       const std::pair<FactorLevel, FactorLevel>& levels) {
  KindsComparison comparison;
  comparison.outcome = outcome;
  comparison.under = levels.first;
  comparison.over = levels.second;
  const CountsByUnit counts = countsOf(table, outcome);
  std::set<std::string> kinds;
  for (const auto& [unit, byLevel] : counts) {
    for (const auto& [level, byKind] : byLevel) {
      for (const auto& [kind, count] : byKind)
        kinds.insert(kind);
    }
  }
  comparison.kinds.assign(kinds.begin(), kinds.end());
  comparison.ofUnder.assign(kinds.size(), 0.0);
  comparison.ofOver.assign(kinds.size(), 0.0);
  std::vector<CountsOfUnit> units;
  std::vector<std::vector<std::int64_t>> under, over;
  for (const auto& [unit, byLevel] : counts) {
    const auto ofUnder = byLevel.find(levels.first.name);
    const auto ofOver = byLevel.find(levels.second.name);
    if (ofUnder == byLevel.end() || ofOver == byLevel.end()) continue;
    CountsOfUnit one;
    for (std::size_t k = 0; k < comparison.kinds.size(); ++k) {
      const auto countIn = [&](const std::map<std::string, std::int64_t>& byKind) {
        const auto found = byKind.find(comparison.kinds[k]);
        return found == byKind.end() ? std::int64_t{0} : found->second;
      };
      one.under.push_back(countIn(ofUnder->second));
      one.over.push_back(countIn(ofOver->second));
      comparison.ofUnder[k] += static_cast<double>(one.under.back());
      comparison.ofOver[k] += static_cast<double>(one.over.back());
    }
    under.push_back(one.under);
    over.push_back(one.over);
    units.push_back(std::move(one));
  }
  if (units.empty() || comparison.kinds.size() < 2) return std::nullopt;
  comparison.units = units.size();
  comparison.levels = levelsAlikeByKind(units);
  comparison.evenUnder = kindsAlike(under);
  comparison.evenOver = kindsAlike(over);
  comparison.seedUnder = chiSquareUniform(comparison.ofUnder);
  comparison.seedOver = chiSquareUniform(comparison.ofOver);
  comparison.seedTable = chiSquareTable(std::vector{comparison.ofUnder, comparison.ofOver});
  return comparison;
}

void correct(StudyAnalysis& analysis) {
  struct Member {
    double p = 1.0;
    std::optional<double>* corrected = nullptr;
  };
  std::map<std::string, std::vector<Member>> families;
  for (Comparison& comparison : analysis.comparisons) {
    if (comparison.p && !comparison.outcome.family.empty())
      families[comparison.outcome.family].push_back({*comparison.p, &comparison.corrected});
    if (comparison.p && comparison.outcome.family.empty()) comparison.corrected = comparison.p;
  }
  for (KindsComparison& comparison : analysis.kinds) {
    if (comparison.outcome.family.empty()) {
      comparison.corrected = comparison.levels.p;
    } else {
      families[comparison.outcome.family].push_back({comparison.levels.p, &comparison.corrected});
    }
  }
  for (const auto& [family, members] : families) {
    std::vector<double> pValues;
    for (const Member& member : members)
      pValues.push_back(member.p);
    const std::vector<double> corrected = holm(pValues);
    for (std::size_t i = 0; i < members.size(); ++i)
      *members[i].corrected = corrected[i];
  }
}

void groupByFacts(StudyAnalysis& analysis, const std::map<std::string, Person>& persons,
                  const Comparison& comparison) {
  std::set<std::string> facts;
  for (const auto& [code, person] : persons) {
    for (const auto& [fact, value] : person.facts)
      facts.insert(fact);
  }
  for (const std::string& fact : facts) {
    for (const FactorLevel& level : {comparison.under, comparison.over}) {
      std::map<std::string, std::vector<double>> groups;
      for (const Observation& one : comparison.observations) {
        const auto& known = persons.at(one.participant).facts;
        const auto found = known.find(fact);
        if (one.level == level.name && found != known.end())
          groups[found->second].push_back(one.value);
      }
      if (groups.size() < 2 || groups.size() > kMostGroups) continue;
      GroupComparison made;
      made.outcome = comparison.outcome.label;
      made.fact = fact;
      made.level = level;
      std::vector<std::vector<double>> values;
      for (const auto& [name, group] : groups) {
        values.push_back(group);
        made.groups.push_back({.name = name, .moments = momentsOf(group)});
      }
      const std::optional<AnovaTest> test = oneWayAnova(values);
      const bool isThere = std::ranges::any_of(analysis.groups, [&](const GroupComparison& other) {
        return other.outcome == made.outcome && other.fact == fact &&
               other.level.name == level.name;
      });
      if (!test || isThere) continue;
      made.test = *test;
      analysis.groups.push_back(std::move(made));
    }
  }
}

void listLeftOut(StudyAnalysis& analysis, const TrialTable& table,
                 const std::map<std::string, Person>& persons) {
  for (const auto& [code, person] : persons) {
    if (person.isFiller) {
      ++analysis.fillers;
      analysis.leftOut.push_back(
          {"participant " + code, "filler: played so that " + person.pair + " had two players"});
    } else if (person.isExcluded) {
      ++analysis.excluded;
      analysis.leftOut.push_back({"participant " + code, person.exclusionReason.empty()
                                                             ? "no reason is given"
                                                             : person.exclusionReason});
    } else {
      ++analysis.participants;
    }
  }
  for (const TrialRow& row : table.trials) {
    const Person& person = persons.at(row.participant);
    const std::string who = "participant " + row.participant + ", session " + row.session +
                            ", trial " + std::to_string(row.trial);
    if (person.isFiller || person.isExcluded) continue;
    if (row.isExcluded) {
      analysis.leftOut.push_back(
          {who, row.exclusionReason.empty() ? "no reason is given" : row.exclusionReason});
      continue;
    }
    ++analysis.trials;
    for (const std::string& flag : row.flags) {
      // of all of them, and said above them all
      if (table.facts.isSimulated && (flag == kSimulated || flag == kRehearsal)) continue;
      analysis.flagged.push_back({who, flag});
    }
  }
  for (const AnswerRow& row : table.answers) {
    const Person& person = persons.at(row.participant);
    if (!person.isFiller && !person.isExcluded) ++analysis.answers;
  }
  // a pair is incomplete in all outcomes or in some
  std::map<std::string, std::set<std::string>> incomplete;
  for (const Comparison& comparison : analysis.comparisons) {
    for (const std::string& pair : comparison.incomplete)
      incomplete[pair].insert(comparison.outcome.label);
  }
  for (const auto& [pair, outcomes] : incomplete) {
    std::string why =
        "one player's data are missing or left out, so that what the periods do does "
        "not cancel";
    if (outcomes.size() <= 3) {
      why += "; in ";
      for (const std::string& outcome : outcomes)
        why += (outcome == *outcomes.begin() ? "" : ", ") + outcome;
    }
    analysis.leftOut.push_back({"pair " + pair, why});
  }
}

}  // namespace

std::string letterOf(const FactorLevel& level) {
  return level.letter.empty() ? level.name : level.letter;
}

const char* nameOf(DecidingTest test) {
  switch (test) {
    case DecidingTest::OneSampleT:
      return "one-sample t";
    case DecidingTest::WelchT:
      return "Welch's t";
    case DecidingTest::SignedRank:
      return "signed rank";
    case DecidingTest::PrenticeWilcoxon:
      return "paired Prentice-Wilcoxon";
    case DecidingTest::TwoOneSidedT:
      return "equivalence (two one-sided t)";
    case DecidingTest::LevelsByKind:
      return "swaps within units";
  }
  return "";
}

StudyAnalysis analyzeStudy(const TrialTable& table) {
  StudyAnalysis analysis;
  analysis.facts = table.facts;
  const std::map<std::string, Person> persons = personsOf(table);
  for (const Outcome& outcome : table.facts.outcomes) {
    const Factor* const factor = factorOf(table.facts, outcome.factor);
    if (factor == nullptr || factor->levels.size() < 2) {
      analysis.unanswerable.push_back(outcome.label + ": its factor '" + outcome.factor +
                                      "' has no two levels");
      continue;
    }
    for (const std::pair<FactorLevel, FactorLevel>& levels : contrastsOf(*factor)) {
      if (outcome.scale == OutcomeScale::Kinds) {
        if (std::optional<KindsComparison> kinds = kindsOf(table, outcome, levels)) {
          analysis.kinds.push_back(*std::move(kinds));
        } else {
          analysis.unanswerable.push_back(outcome.label + ": nothing of two kinds was counted");
        }
        continue;
      }
      Comparison comparison = comparisonOf(table, outcome, *factor, levels);
      if (comparison.observations.empty()) {
        analysis.unanswerable.push_back(outcome.label + ": there are no data");
        continue;
      }
      if (outcome.isPrimary && outcome.scale != OutcomeScale::Ordinal)
        groupByFacts(analysis, persons, comparison);
      analysis.comparisons.push_back(std::move(comparison));
    }
  }
  correct(analysis);
  listLeftOut(analysis, table, persons);
  return analysis;
}

}  // namespace tactus::studies
