#include "studies/statistics/one_way_anova.hpp"

#include "studies/statistics/distributions.hpp"
#include "studies/statistics/sample_moments.hpp"

namespace tactus::studies {

std::optional<AnovaTest> oneWayAnova(std::span<const std::vector<double>> groups) {
  std::vector<double> all;
  double within = 0.0, count = 0.0;
  for (const std::vector<double>& group : groups) {
    if (group.empty()) continue;
    count += 1.0;
    within += squaresAboutMean(group, meanOf(group));
    all.insert(all.end(), group.begin(), group.end());
  }
  const double mean = meanOf(all);
  double between = 0.0;
  for (const std::vector<double>& group : groups) {
    const double off = meanOf(group) - mean;
    between += static_cast<double>(group.size()) * off * off;
  }
  AnovaTest test;
  test.degreesBetween = count - 1.0;
  test.degreesWithin = static_cast<double>(all.size()) - count;
  if (!(test.degreesBetween > 0.0) || !(test.degreesWithin > 0.0) || !(within > 0.0))
    return std::nullopt;
  const double noise = within / test.degreesWithin;
  test.f = between / test.degreesBetween / noise;
  test.p = fisherUpper(test.f, test.degreesBetween, test.degreesWithin);
  test.etaSquared = between / (between + within);
  test.omegaSquared = (between - test.degreesBetween * noise) / (between + within + noise);
  return test;
}

}  // namespace tactus::studies
