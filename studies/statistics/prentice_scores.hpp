#pragma once
#include <span>
#include <vector>

#include "studies/statistics/sign_flip.hpp"

namespace tactus::studies {

/// A duration, or the limit at which it was cut.
struct CensoredTime {
  double time = 0.0;        ///< [s]
  bool isCensored = false;  ///< it would have taken longer
};

/// Ranks of times some of which were cut, as numbers from -1 (first) to 1 (last).
///
/// Source: R. Prentice, "Linear rank tests with right censored data", 1978, as P. O'Brien and
/// T. Fleming use it for pairs, "A paired Prentice-Wilcoxon test for censored paired data", 1987:
/// S(t) = product over the times u <= t at which somebody finished of (r - d + 1) / (r + 1), r
/// still at it and d finishing at u; a time that was seen scores 1 - 2 S, one that was cut 1 - S.
///
/// Why these and not a stratified log-rank test: that compares within a pair alone and so forgets
/// how large a difference is; these use the order among all, need no proportional hazards, and
/// weigh early times more, when most are still at it. Without cuts and ties they are plain ranks.
[[nodiscard]] std::vector<double> prenticeScores(std::span<const CensoredTime> times);

struct PairedPrenticeWilcoxon {
  double z = 0.0;         ///< sum of the differences over the root of their squares
  double pNormal = 1.0;   ///< as in the source
  PermutationTest exact;  ///< by flipping signs, which needs no large sample
};

/// Of the differences of scores, one a unit of analysis.
[[nodiscard]] PairedPrenticeWilcoxon pairedPrenticeWilcoxon(
    std::span<const double> differencesOfScores);

}  // namespace tactus::studies
