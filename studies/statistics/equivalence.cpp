#include "studies/statistics/equivalence.hpp"

#include <algorithm>

#include "studies/statistics/distributions.hpp"
#include "studies/statistics/student_t.hpp"

namespace tactus::studies {

std::optional<EquivalenceTest> twoOneSidedT(std::span<const double> values, double lowBound,
                                            double highBound, double alpha) {
  const std::optional<TTest> test = oneSampleT(values, 1.0 - 2.0 * alpha);
  if (!test) return std::nullopt;
  EquivalenceTest result{.low = test->low, .high = test->high};
  result.pAboveLow = studentUpper((test->estimate - lowBound) / test->standardError, test->degrees);
  result.pBelowHigh =
      studentUpper((highBound - test->estimate) / test->standardError, test->degrees);
  result.p = std::max(result.pAboveLow, result.pBelowHigh);
  return result;
}

}  // namespace tactus::studies
