#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "studies/trials/trial_table.hpp"

namespace tactus::studies {

/// What somebody expects of an outcome, before there are data. Of numbers in the outcome's unit; of
/// durations differences and SDs are of their natural logarithms, and `mean` is a median [s]; of
/// answers they are of what is felt, which is then rounded to the scale.
struct StatedEffect {
  std::string outcome;             ///< name of an outcome
  std::string basis;               ///< where the numbers come from
  double mean = 0.0;               ///< under the first level
  double difference = 0.0;         ///< second level minus first
  double sdParticipant = 0.0;      ///< between participants, whatever the level
  double sdResponse = 0.0;         ///< between participants in what the level does to them
  double sdRound = 0.0;            ///< of what a round does to both of its players alike
  double sdContest = 0.0;          ///< of what a round gives to the one and takes from the other
  double sdTrial = 1.0;            ///< of a trial, all else the same
  std::optional<double> limit;     ///< of durations [s]
  double least = 1.0, most = 5.0;  ///< of answers
};

/// A test whose power is asked.
struct PowerCase {
  StatedEffect effect;
  OutcomeScale scale = OutcomeScale::Interval;
  std::optional<EquivalenceBounds> equivalence;
  bool isPlayedInPairs = true;
  std::uint32_t trials = 1;  ///< of a participant under each level
  double alpha = 0.05;
  std::size_t family = 1;  ///< outcomes and pairs of levels corrected together
};

struct PowerPoint {
  std::uint32_t participants = 0;
  double power = 0.0;
  double low = 0.0, high = 0.0;  ///< what the number of simulated studies leaves open, 95 %
  double strictest = 0.0;        ///< at alpha / family: the first step of Holm
};

/// How often made-up studies of so many participants find what is stated, by the test that decides
/// for the outcome's scale.
///
/// Model: y = mean + participant + (difference + response) [second level] + round +- contest / 2 +
/// trial, all normal and independent. The round's shared part cancels in a pair, the contest does
/// not, and so it is the pair that is simulated and tested. Interval of a share: E. Wilson,
/// "Probable inference, the law of succession, and statistical inference", 1927.
[[nodiscard]] PowerPoint powerOf(const PowerCase& asked, std::uint32_t participants,
                                 std::uint32_t studies = 2000, std::uint64_t seed = 1);

/// The same of several numbers of participants.
[[nodiscard]] std::vector<PowerPoint> powerCurve(const PowerCase& asked,
                                                 std::span<const std::uint32_t> participants,
                                                 std::uint32_t studies = 2000,
                                                 std::uint64_t seed = 1);

}  // namespace tactus::studies
