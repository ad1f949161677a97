#pragma once
#include <optional>
#include <span>

#include "studies/statistics/student_t.hpp"

namespace tactus::studies {

/// One participant who met both levels, one after the other.
struct CrossedOver {
  double first = 0.0, second = 0.0;  ///< in the order of time
  bool isUnderFirst = true;          ///< the first of the two levels came first
};

struct CrossoverEffects {
  std::optional<TTest> level;   ///< over minus under, freed of what the periods do
  std::optional<TTest> period;  ///< second minus first period
  /// Does it matter which came first, as it does when something of the first is carried over? The
  /// mean of both periods where under came first, minus where over did. Of little power.
  std::optional<TTest> sequence;
};

/// Of participants who played alone, each a unit. Source: M. Hills and P. Armitage, "The two-period
/// cross-over clinical trial", 1979.
[[nodiscard]] CrossoverEffects crossover(std::span<const CrossedOver> units,
                                         double confidence = 0.95);

/// Two who played each round together, one under each level, and then changed places.
struct CrossedPair {
  CrossedOver underFirst, overFirst;
};

/// The same questions where the pair is the unit: every pair holds both sequences, so that each
/// effect is a contrast within it, and a one-sample t test over pairs. Derived from the above.
[[nodiscard]] CrossoverEffects crossover(std::span<const CrossedPair> units,
                                         double confidence = 0.95);

}  // namespace tactus::studies
