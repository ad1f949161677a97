#pragma once
#include <optional>
#include <span>
#include <vector>

namespace tactus::studies {

struct AnovaTest {
  double f = 0.0;
  double degreesBetween = 0.0, degreesWithin = 0.0;
  double p = 1.0;
  double etaSquared = 0.0;    ///< share of the squares that lies between groups
  double omegaSquared = 0.0;  ///< the same without what chance puts there
};

/// Do groups have one mean? R. Fisher, "Statistical Methods for Research Workers", 1925; omega
/// squared after W. Hays, "Statistics for Psychologists", 1963. Empty groups do not count; nothing
/// of fewer than two groups, or where no group varies.
[[nodiscard]] std::optional<AnovaTest> oneWayAnova(std::span<const std::vector<double>> groups);

}  // namespace tactus::studies
