#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "studies/random_stream.hpp"
#include "studies/statistics/distributions.hpp"
#include "studies/trials/trial_table.hpp"

namespace tactus::studies {

/// What a made-up game does to its players; all of it known.
struct GeneratedEffects {
  int pairs = 12;
  double path = -300.0;    ///< of B against A [m]
  double natural = 0.8;    ///< [points]
  double faster = 0.5;     ///< factor of the time to learn
  double period = -40.0;   ///< of the second round [m]
  double ofRound = 60.0;   ///< what a round does to both who play it (SD) [m]
  double ofPlayer = 80.0;  ///< between players (SD) [m]
  double noise = 40.0;     ///< of everything else (SD) [m]
  bool isRhinoLoved = true;
};

/// Two players a pair, two rounds, seats swapped between; the seed's game.
inline TrialTable generatedStudy(std::uint64_t seed, const GeneratedEffects& effects = {}) {
  RandomStream random(seed);
  const auto normal = [&] { return normalQuantile(0.5 + 0.5 * random.aroundZero() + 0x1p-55); };
  TrialTable table;
  StudyFacts& facts = table.facts;
  facts.protocol = "dof-game";
  facts.title = "Three or six degrees of freedom in a game for two";
  facts.protocolHash = "5f2c9a3e71d0b846";
  facts.softwareVersion = "0.1.0";
  facts.seed = seed;
  facts.isSimulated = true;
  facts.participantsPlanned = static_cast<std::uint32_t>(2 * effects.pairs);
  facts.factors = {
      {.name = "dof",
       .label = "degrees of freedom",
       .levels = {{.name = "3in3out", .letter = "A", .label = "three, turned by buttons"},
                  {.name = "6in6out", .letter = "B", .label = "six"}},
       .isWithin = true}};
  facts.measures = {{.name = "path.dominant", .unit = "m", .label = "path of the dominant hand"},
                    {.name = "learning", .unit = "s", .label = "time to the first object"}};
  facts.items = {{.name = "natural",
                  .kind = AnswerKind::Likert,
                  .question = "How natural was the control?",
                  .least = 1.0,
                  .most = 5.0,
                  .leastLabel = "not natural",
                  .mostLabel = "perfectly natural"}};
  const auto outcome = [&](const char* name, const char* label, OutcomeSource source,
                           OutcomeScale scale, const char* family, bool isPrimary) {
    Outcome made;
    made.name = name;
    made.label = label;
    made.source = source;
    made.scale = scale;
    made.factor = "dof";
    made.family = family;
    made.isPrimary = isPrimary;
    facts.outcomes.push_back(made);
  };
  outcome("path.dominant", "Path of the dominant hand", OutcomeSource::Measure,
          OutcomeScale::Interval, "primary", true);
  outcome("natural", "Naturalness of control", OutcomeSource::Answer, OutcomeScale::Ordinal,
          "primary", true);
  outcome("learning", "Time to learn", OutcomeSource::Measure, OutcomeScale::Time, "", false);
  facts.outcomes.back().isOfPractice = true;
  outcome("animals", "Animals pocketed", OutcomeSource::Counts, OutcomeScale::Interval, "", true);
  facts.outcomes.back().equivalence = EquivalenceBounds{.low = -2.0, .high = 2.0};
  outcome("animals", "Animals", OutcomeSource::Counts, OutcomeScale::Kinds, "", false);
  facts.exclusionRules = {"a session whose timing was bad for more than a minute",
                          "participants who stop before the second round"};

  constexpr std::array kKinds = {"bear", "duck", "monkey", "rabbit", "rhino", "turtle"};
  for (int pair = 0; pair < effects.pairs; ++pair) {
    const std::string pairCode = "Q" + std::string(pair < 9 ? "0" : "") + std::to_string(pair + 1);
    const std::array rounds = {effects.ofRound * normal(), effects.ofRound * normal()};
    for (int player = 0; player < 2; ++player) {
      const int number = 2 * pair + player + 1;
      const std::string code = "P" + std::string(number < 10 ? "0" : "") + std::to_string(number);
      const bool isUnderFirst = player == 0;
      ParticipantRow person;
      person.participant = code;
      person.pair = pairCode;
      person.sequence = isUnderFirst ? "AB" : "BA";
      person.facts = {{"experience", number % 5 == 0 ? "some" : "none"},
                      {"age", std::to_string(20 + number)}};
      table.participants.push_back(person);
      const double skill = effects.ofPlayer * normal();
      for (std::uint32_t period = 1; period <= 2; ++period) {
        const bool isOver = (period == 1) != isUnderFirst;
        TrialRow row;
        row.study = facts.protocol;
        row.participant = code;
        row.pair = pairCode;
        row.session = "1";
        row.seat = isOver ? "south" : "north";
        row.period = period;
        row.sequence = person.sequence;
        row.block = period;
        row.trial = 2 * period - 1;
        row.conditions = {{"dof", isOver ? "6in6out" : "3in3out"}};
        row.isPractice = true;
        constexpr double kLimit = 180.0, kMeanTime = 110.0;
        const double time = -kMeanTime * (isOver ? effects.faster : 1.0) *
                            std::log(0.5 + 0.5 * random.aroundZero() + 0x1p-55);
        row.measures["learning"] = std::min(kLimit, time);
        if (time > kLimit) row.censored.insert("learning");
        table.trials.push_back(row);

        row.trial = 2 * period;
        row.isPractice = false;
        row.censored.clear();
        row.measures = {{"path.dominant", 700.0 + skill + (isOver ? effects.path : 0.0) +
                                              (period == 2 ? effects.period : 0.0) +
                                              rounds[period - 1] + effects.noise * normal()}};
        for (const char* const kind : kKinds) {
          const bool isLoved = effects.isRhinoLoved && std::string(kind) == "rhino";
          row.counts[kind] = random.next() % (isLoved ? 5 : 3);
        }
        table.trials.push_back(row);

        AnswerRow answer;
        answer.participant = code;
        answer.period = period;
        answer.conditions = row.conditions;
        answer.item = "natural";
        answer.value = std::clamp(
            std::round(2.8 + (isOver ? effects.natural : 0.0) + 0.8 * normal()), 1.0, 5.0);
        table.answers.push_back(answer);
      }
    }
  }
  return table;
}

}  // namespace tactus::studies
