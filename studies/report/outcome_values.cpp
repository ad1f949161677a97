#include "studies/report/outcome_values.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "studies/statistics/prentice_scores.hpp"

namespace tactus::studies {
namespace {

/// One usable number.
struct Single {
  std::string participant, level;
  std::uint32_t period = 0;
  CensoredTime value;
};

const std::string* levelOf(const std::map<std::string, std::string>& conditions,
                           const std::string& factor) {
  const auto found = conditions.find(factor);
  return found == conditions.end() ? nullptr : &found->second;
}

/// Nothing if a trial has no value for the outcome.
std::optional<double> valueOf(const TrialRow& row, const Outcome& outcome) {
  if (outcome.source == OutcomeSource::Counts) {
    if (row.counts.empty()) return std::nullopt;
    double sum = 0.0;
    for (const auto& [kind, count] : row.counts)
      sum += static_cast<double>(count);
    return sum;
  }
  const auto found = row.measures.find(outcome.name);
  if (found == row.measures.end()) return std::nullopt;
  return found->second;
}

bool isUsable(const TrialRow& row, const Outcome& outcome,
              const std::map<std::string, Person>& persons) {
  const Person& person = persons.at(row.participant);
  return !row.isExcluded && !row.isFiller && row.isPractice == outcome.isOfPractice &&
         !person.isExcluded && !person.isFiller;
}

std::vector<Single> singlesOfTrials(const TrialTable& table, const Outcome& outcome,
                                    const std::map<std::string, Person>& persons) {
  std::vector<Single> singles;
  for (const TrialRow& row : table.trials) {
    const std::string* const level = levelOf(row.conditions, outcome.factor);
    const std::optional<double> value = valueOf(row, outcome);
    if (level == nullptr || !value || !isUsable(row, outcome, persons)) continue;
    singles.push_back(
        {.participant = row.participant,
         .level = *level,
         .period = row.period,
         .value = {.time = *value, .isCensored = row.censored.contains(outcome.name)}});
  }
  return singles;
}

std::vector<Single> singlesOfAnswers(const TrialTable& table, const Outcome& outcome,
                                     const std::map<std::string, Person>& persons) {
  // an answer may name its period alone
  std::map<std::pair<std::string, std::uint32_t>, std::string> levels;
  for (const TrialRow& row : table.trials) {
    if (const std::string* const level = levelOf(row.conditions, outcome.factor))
      levels[{row.participant, row.period}] = *level;
  }
  std::vector<Single> singles;
  for (const AnswerRow& row : table.answers) {
    const Person& person = persons.at(row.participant);
    if (row.item != outcome.name || !row.value || person.isFiller || person.isExcluded) continue;
    const std::string* level = levelOf(row.conditions, outcome.factor);
    if (level == nullptr) {
      const auto found = levels.find({row.participant, row.period});
      if (found == levels.end()) continue;
      level = &found->second;
    }
    singles.push_back({.participant = row.participant,
                       .level = *level,
                       .period = row.period,
                       .value = {.time = *row.value}});
  }
  return singles;
}

std::vector<Single> singlesOf(const TrialTable& table, const Outcome& outcome,
                              const std::map<std::string, Person>& persons) {
  return outcome.source == OutcomeSource::Answer ? singlesOfAnswers(table, outcome, persons)
                                                 : singlesOfTrials(table, outcome, persons);
}

/// Places of levels in the protocol's order; those that it does not know come last.
std::size_t placeOf(const TrialTable& table, const std::string& factor, const std::string& level) {
  for (const Factor& known : table.facts.factors) {
    if (known.name != factor) continue;
    const auto found = std::ranges::find(known.levels, level, &FactorLevel::name);
    return static_cast<std::size_t>(found - known.levels.begin());
  }
  return 0;
}

}  // namespace

std::map<std::string, Person> personsOf(const TrialTable& table) {
  std::map<std::string, Person> persons;
  for (const ParticipantRow& row : table.participants) {
    persons[row.participant] = {.pair = row.pair,
                                .sequence = row.sequence,
                                .isFiller = row.isFiller,
                                .isExcluded = row.isExcluded,
                                .exclusionReason = row.exclusionReason,
                                .facts = row.facts};
  }
  for (const TrialRow& row : table.trials) {
    Person& person = persons[row.participant];
    if (person.pair.empty()) person.pair = row.pair;
    if (person.sequence.empty()) person.sequence = row.sequence;
    person.isFiller = person.isFiller || row.isFiller;
  }
  for (const AnswerRow& row : table.answers)
    persons.try_emplace(row.participant);
  return persons;
}

std::vector<Observation> observationsOf(const TrialTable& table, const Outcome& outcome) {
  const std::map<std::string, Person> persons = personsOf(table);
  const std::vector<Single> singles = singlesOf(table, outcome, persons);
  std::vector<double> scores;
  if (outcome.scale == OutcomeScale::Time) {
    std::vector<CensoredTime> times;
    times.reserve(singles.size());
    for (const Single& single : singles)
      times.push_back(single.value);
    scores = prenticeScores(times);
  }
  std::map<std::pair<std::string, std::size_t>, Observation> sums;
  for (std::size_t i = 0; i < singles.size(); ++i) {
    const Single& single = singles[i];
    Observation& sum = sums[{single.participant, placeOf(table, outcome.factor, single.level)}];
    if (sum.count > 0 && sum.period != single.period) sum.period = 0;
    if (sum.count == 0) {
      const Person& person = persons.at(single.participant);
      sum = {.participant = single.participant,
             .pair = person.pair,
             .sequence = person.sequence,
             .level = single.level,
             .period = single.period};
    }
    sum.value += single.value.time;
    sum.score += scores.empty() ? single.value.time : scores[i];
    sum.censored += single.value.isCensored ? 1U : 0U;
    ++sum.count;
  }
  std::vector<Observation> observations;
  for (auto& [key, sum] : sums) {
    sum.value /= static_cast<double>(sum.count);
    sum.score /= static_cast<double>(sum.count);
    observations.push_back(std::move(sum));
  }
  return observations;
}

std::vector<SingleTime> singleTimesOf(const TrialTable& table, const Outcome& outcome) {
  std::vector<SingleTime> times;
  for (const Single& single : singlesOf(table, outcome, personsOf(table))) {
    times.push_back(
        {.level = single.level, .time = single.value.time, .isCensored = single.value.isCensored});
  }
  return times;
}

std::vector<UnitOfAnalysis> unitsOf(const std::vector<Observation>& observations,
                                    const std::string& under, const std::string& over,
                                    bool isPlayedInPairs) {
  struct Both {
    const Observation* under = nullptr;
    const Observation* over = nullptr;
  };
  std::map<std::string, std::map<std::string, Both>> byUnit;
  for (const Observation& one : observations) {
    if (one.level != under && one.level != over) continue;
    const bool isPair = isPlayedInPairs && !one.pair.empty();
    Both& both = byUnit[isPair ? one.pair : one.participant][one.participant];
    if (one.level == under) both.under = &one;
    if (one.level == over) both.over = &one;
  }
  std::vector<UnitOfAnalysis> units;
  for (const auto& [name, members] : byUnit) {
    UnitOfAnalysis unit;
    unit.name = name;
    for (const auto& [participant, both] : members) {
      if (both.under == nullptr || both.over == nullptr) continue;
      ++unit.size;
      unit.under += both.under->value;
      unit.over += both.over->value;
      unit.underScore += both.under->score;
      unit.overScore += both.over->score;
      const std::uint32_t periodUnder = both.under->period, periodOver = both.over->period;
      if (periodUnder == 0 || periodOver == 0 || periodUnder == periodOver) continue;
      const bool isUnderFirst = periodUnder < periodOver;
      unit.members.push_back({.first = isUnderFirst ? both.under->value : both.over->value,
                              .second = isUnderFirst ? both.over->value : both.under->value,
                              .isUnderFirst = isUnderFirst});
    }
    if (unit.size == 0) continue;
    const auto size = static_cast<double>(unit.size);
    unit.under /= size;
    unit.over /= size;
    unit.underScore /= size;
    unit.overScore /= size;
    const bool isPair = isPlayedInPairs &&
                        !(members.begin()->second.under != nullptr ? members.begin()->second.under
                                                                   : members.begin()->second.over)
                             ->pair.empty();
    unit.isComplete = !isPair || unit.size == 2;
    units.push_back(std::move(unit));
  }
  return units;
}

CountsByUnit countsOf(const TrialTable& table, const Outcome& outcome) {
  const std::map<std::string, Person> persons = personsOf(table);
  CountsByUnit counts;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> players;
  for (const TrialRow& row : table.trials) {
    const std::string* const level = levelOf(row.conditions, outcome.factor);
    if (level == nullptr || !isUsable(row, outcome, persons)) continue;
    const std::string& pair = persons.at(row.participant).pair;
    const bool isPair = table.facts.isPlayedInPairs && !pair.empty();
    const std::string& unit = isPair ? pair : row.participant;
    if (isPair) players[{unit, *level}].insert(row.participant);
    for (const auto& [kind, count] : row.counts)
      counts[unit][*level][kind] += static_cast<std::int64_t>(count);
  }
  for (const auto& [key, codes] : players) {
    if (codes.size() < 2) counts[key.first].erase(key.second);
  }
  return counts;
}

}  // namespace tactus::studies
