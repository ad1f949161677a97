#include "studies/power/study_power.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "studies/random_stream.hpp"
#include "studies/statistics/distributions.hpp"
#include "studies/statistics/equivalence.hpp"
#include "studies/statistics/prentice_scores.hpp"
#include "studies/statistics/signed_rank.hpp"
#include "studies/statistics/student_t.hpp"

namespace tactus::studies {
namespace {

// Beyond, counting all flips for every study takes longer than it tells: at 20 the normal
// distribution is off by about a twentieth of p.
constexpr std::size_t kMostCountedUnits = 20;

class MadeUpStudy {
 public:
  MadeUpStudy(const PowerCase& asked, std::uint64_t seed) : asked_(asked), random_(seed) {}

  /// One p value.
  double run(std::uint32_t participants) {
    const std::size_t size = asked_.isPlayedInPairs ? 2 : 1;
    const std::size_t units = participants / size;
    times_.clear();
    differences_.clear();
    for (std::size_t unit = 0; unit < units; ++unit)
      play(size);
    if (asked_.scale == OutcomeScale::Time) scoreTimes(size);
    return test();
  }

 private:
  double normal() {
    // in the middle of its 2^53 cells, so that it is never 0 or 1
    return normalQuantile(0.5 + 0.5 * random_.aroundZero() + 0x1p-54);
  }

  /// One unit: two players who swap levels between two rounds, or one.
  void play(std::size_t size) {
    const StatedEffect& e = asked_.effect;
    const std::array rounds = {e.sdRound * normal(), e.sdRound * normal()};
    const std::array contests = {0.5 * e.sdContest * normal(), 0.5 * e.sdContest * normal()};
    double sum = 0.0;
    for (std::size_t player = 0; player < size; ++player) {
      const double own = e.mean + e.sdParticipant * normal();
      const double effect = e.difference + e.sdResponse * normal();
      // the second player has the second level first
      for (std::size_t level = 0; level < 2; ++level) {
        const std::size_t round = player == 0 ? level : 1 - level;
        const double contest = size == 1 ? 0.0 : (level == 1 ? contests[round] : -contests[round]);
        const double expected =
            own + (level == 1 ? effect : 0.0) + (size == 1 ? 0.0 : rounds[round]) + contest;
        sum += (level == 1 ? 1.0 : -1.0) * observe(expected);
      }
    }
    differences_.push_back(sum / static_cast<double>(size));
  }

  /// The mean of a participant's trials of a level.
  double observe(double expected) {
    const StatedEffect& e = asked_.effect;
    double sum = 0.0;
    for (std::uint32_t trial = 0; trial < asked_.trials; ++trial) {
      const double value = expected + e.sdTrial * normal();
      if (asked_.scale == OutcomeScale::Ordinal) {
        sum += std::clamp(std::round(value), e.least, e.most);
      } else if (asked_.scale == OutcomeScale::Time) {
        // mean is a median, all else logarithms of its multiples
        const double time = e.mean * std::exp(value - e.mean);
        const bool isCut = e.limit && time > *e.limit;
        times_.push_back({.time = isCut ? *e.limit : time, .isCensored = isCut});
      } else {
        sum += value;
      }
    }
    return sum / asked_.trials;
  }

  /// Times lie in the order in which they were made: unit, player, level, trial.
  void scoreTimes(std::size_t size) {
    const std::vector<double> scores = prenticeScores(times_);
    const std::size_t perUnit = size * 2 * asked_.trials;
    for (std::size_t unit = 0; unit < differences_.size(); ++unit) {
      double sum = 0.0;
      for (std::size_t i = 0; i < perUnit; ++i)
        sum += (i / asked_.trials % 2 == 1 ? 1.0 : -1.0) * scores[unit * perUnit + i];
      differences_[unit] = sum / static_cast<double>(size * asked_.trials);
    }
  }

  double test() const {
    if (asked_.equivalence) {
      const auto result = twoOneSidedT(differences_, asked_.equivalence->low,
                                       asked_.equivalence->high, asked_.alpha);
      return result ? result->p : 1.0;
    }
    if (asked_.scale == OutcomeScale::Ordinal) return signedRank(differences_).p;
    if (asked_.scale == OutcomeScale::Time) {
      if (differences_.size() <= kMostCountedUnits) return signFlip(differences_).p;
      double sum = 0.0, squares = 0.0;
      for (const double difference : differences_) {
        sum += difference;
        squares += difference * difference;
      }
      return squares > 0.0 ? 2.0 * normalUpper(std::abs(sum) / std::sqrt(squares)) : 1.0;
    }
    const auto result = oneSampleT(differences_);
    return result ? result->p : 1.0;
  }

  const PowerCase& asked_;
  RandomStream random_;
  std::vector<double> differences_;
  std::vector<CensoredTime> times_;
};

}  // namespace

PowerPoint powerOf(const PowerCase& asked, std::uint32_t participants, std::uint32_t studies,
                   std::uint64_t seed) {
  MadeUpStudy study(asked, seed);
  double found = 0.0, foundStrictly = 0.0;
  for (std::uint32_t i = 0; i < studies; ++i) {
    const double p = study.run(participants);
    if (p < asked.alpha) found += 1.0;
    if (p < asked.alpha / static_cast<double>(std::max<std::size_t>(1, asked.family)))
      foundStrictly += 1.0;
  }
  constexpr double kReach = 1.959963984540054;  // of 95 %
  const double n = studies, share = found / n, z = kReach * kReach / n;
  const double middle = (share + 0.5 * z) / (1.0 + z);
  const double reach = kReach / (1.0 + z) * std::sqrt(share * (1.0 - share) / n + 0.25 * z / n);
  // Around the share in all cases: of none, and of all, the difference rounds.
  return {.participants = participants,
          .power = share,
          .low = std::clamp(middle - reach, 0.0, share),
          .high = std::clamp(middle + reach, share, 1.0),
          .strictest = foundStrictly / n};
}

std::vector<PowerPoint> powerCurve(const PowerCase& asked,
                                   std::span<const std::uint32_t> participants,
                                   std::uint32_t studies, std::uint64_t seed) {
  std::vector<PowerPoint> points;
  for (const std::uint32_t count : participants)
    points.push_back(powerOf(asked, count, studies, seed));
  return points;
}

}  // namespace tactus::studies
