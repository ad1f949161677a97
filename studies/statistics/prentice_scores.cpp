#include "studies/statistics/prentice_scores.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "studies/statistics/distributions.hpp"

namespace tactus::studies {

std::vector<double> prenticeScores(std::span<const CensoredTime> times) {
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return times[i].time; });
  std::vector<double> scores(times.size());
  double staying = 1.0;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    double finishing = 0.0;
    while (last < order.size() && times[order[last]].time == times[order[first]].time) {
      if (!times[order[last]].isCensored) finishing += 1.0;
      ++last;
    }
    // who is cut at a time at which others finish would have finished later
    const auto atIt = static_cast<double>(order.size() - first);
    if (finishing > 0.0) staying *= (atIt - finishing + 1.0) / (atIt + 1.0);
    for (; first < last; ++first) {
      const std::size_t i = order[first];
      scores[i] = times[i].isCensored ? 1.0 - staying : 1.0 - 2.0 * staying;
    }
  }
  return scores;
}

PairedPrenticeWilcoxon pairedPrenticeWilcoxon(std::span<const double> differencesOfScores) {
  PairedPrenticeWilcoxon test;
  double sum = 0.0, squares = 0.0;
  for (const double difference : differencesOfScores) {
    sum += difference;
    squares += difference * difference;
  }
  if (squares > 0.0) test.z = sum / std::sqrt(squares);
  test.pNormal = 2.0 * normalUpper(std::abs(test.z));
  test.exact = signFlip(differencesOfScores);
  return test;
}

}  // namespace tactus::studies
