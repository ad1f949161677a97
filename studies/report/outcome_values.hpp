#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "studies/statistics/crossover.hpp"
#include "studies/trials/trial_table.hpp"

namespace tactus::studies {

/// What is known of who took part, from all tables.
struct Person {
  std::string pair;
  std::string sequence;
  bool isFiller = false;
  bool isExcluded = false;
  std::string exclusionReason;
  std::map<std::string, std::string> facts;
};

[[nodiscard]] std::map<std::string, Person> personsOf(const TrialTable& table);

/// What one participant did under one level: the mean of what is usable.
struct Observation {
  std::string participant;
  std::string pair;
  std::string sequence;
  std::string level;
  std::uint32_t period = 0;  ///< 0: in several, or not known
  double value = 0.0;
  double score = 0.0;        ///< of durations, after Prentice; else the value
  std::size_t count = 0;     ///< trials or answers
  std::size_t censored = 0;  ///< of them at the time limit
};

/// Of an outcome, by participant and then in the order of the factor's levels. Fillers, excluded
/// participants and excluded trials are not among them.
[[nodiscard]] std::vector<Observation> observationsOf(const TrialTable& table,
                                                      const Outcome& outcome);

/// Every single value of an outcome, for plots of durations.
struct SingleTime {
  std::string level;
  double time = 0.0;
  bool isCensored = false;
};
[[nodiscard]] std::vector<SingleTime> singleTimesOf(const TrialTable& table,
                                                    const Outcome& outcome);

/// What is compared: a pair who played together, or one who played alone.
struct UnitOfAnalysis {
  std::string name;
  double under = 0.0, over = 0.0;            ///< means of those in it
  double underScore = 0.0, overScore = 0.0;  ///< of Observation::score
  std::vector<CrossedOver> members;          ///< whose periods are known and differ
  std::size_t size = 0;
  bool isComplete = true;  ///< nobody is missing
};

/// Units with a value under both levels, by name. Of a pair both players need one; where one is
/// missing, the other stands for it and isComplete is false.
[[nodiscard]] std::vector<UnitOfAnalysis> unitsOf(const std::vector<Observation>& observations,
                                                  const std::string& under, const std::string& over,
                                                  bool isPlayedInPairs);

/// Sums of counts: by unit, then level, then kind; of pairs those that are complete.
using CountsByUnit =
    std::map<std::string, std::map<std::string, std::map<std::string, std::int64_t>>>;
[[nodiscard]] CountsByUnit countsOf(const TrialTable& table, const Outcome& outcome);

}  // namespace tactus::studies
