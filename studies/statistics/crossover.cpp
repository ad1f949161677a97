#include "studies/statistics/crossover.hpp"

#include <vector>

namespace tactus::studies {
namespace {

double gainOf(const CrossedOver& unit) {
  return unit.second - unit.first;
}
double middleOf(const CrossedOver& unit) {
  return 0.5 * (unit.first + unit.second);
}

std::optional<TTest> halved(std::optional<TTest> test) {
  if (!test) return test;
  test->estimate *= 0.5;
  test->standardError *= 0.5;
  test->low *= 0.5;
  test->high *= 0.5;
  return test;
}

}  // namespace

CrossoverEffects crossover(std::span<const CrossedOver> units, double confidence) {
  // gain = period + level where under came first, period - level where over did
  std::vector<double> gainsUnderFirst, gainsOverFirst, lossesOverFirst;
  std::vector<double> middlesUnderFirst, middlesOverFirst;
  for (const CrossedOver& unit : units) {
    (unit.isUnderFirst ? gainsUnderFirst : gainsOverFirst).push_back(gainOf(unit));
    (unit.isUnderFirst ? middlesUnderFirst : middlesOverFirst).push_back(middleOf(unit));
    if (!unit.isUnderFirst) lossesOverFirst.push_back(-gainOf(unit));
  }
  return {.level = halved(twoSampleT(gainsOverFirst, gainsUnderFirst, confidence)),
          .period = halved(twoSampleT(lossesOverFirst, gainsUnderFirst, confidence)),
          .sequence = twoSampleT(middlesOverFirst, middlesUnderFirst, confidence)};
}

CrossoverEffects crossover(std::span<const CrossedPair> units, double confidence) {
  std::vector<double> levels, periods, sequences;
  for (const CrossedPair& pair : units) {
    levels.push_back(0.5 * (gainOf(pair.underFirst) - gainOf(pair.overFirst)));
    periods.push_back(0.5 * (gainOf(pair.underFirst) + gainOf(pair.overFirst)));
    sequences.push_back(middleOf(pair.underFirst) - middleOf(pair.overFirst));
  }
  return {.level = oneSampleT(levels, confidence),
          .period = oneSampleT(periods, confidence),
          .sequence = oneSampleT(sequences, confidence)};
}

}  // namespace tactus::studies
