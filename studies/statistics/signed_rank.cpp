#include "studies/statistics/signed_rank.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "studies/statistics/distributions.hpp"

namespace tactus::studies {
namespace {

// Means of the same answers that differ by less, of the largest, differ by rounding alone.
constexpr double kRounding = 1e-12;

/// Chances of each sum, where every number is taken or not like a coin falls.
std::vector<double> chancesOfSums(const std::vector<std::uint32_t>& numbers) {
  std::vector<double> chances = {1.0};
  for (const std::uint32_t number : numbers) {
    std::vector<double> next(chances.size() + number, 0.0);
    for (std::size_t sum = 0; sum < chances.size(); ++sum) {
      next[sum] += 0.5 * chances[sum];
      next[sum + number] += 0.5 * chances[sum];
    }
    chances = std::move(next);
  }
  return chances;
}

/// Twice the ranks of the magnitudes, so that ties stay whole.
std::vector<std::uint32_t> doubledRanks(const std::vector<double>& sorted, double slack) {
  std::vector<std::uint32_t> ranks(sorted.size());
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t last = first;
    while (last + 1 < sorted.size() &&
           std::abs(sorted[last + 1]) <= std::abs(sorted[first]) + slack)
      ++last;
    for (std::size_t i = first; i <= last; ++i)
      ranks[i] = static_cast<std::uint32_t>(first + last + 2);
    first = last + 1;
  }
  return ranks;
}

/// Two-sided, of all signs.
double countedP(const std::vector<std::uint32_t>& ranks, std::uint64_t seen) {
  const std::vector<double> chances = chancesOfSums(ranks);
  double below = 0.0, above = 0.0;
  for (std::size_t sum = 0; sum < chances.size(); ++sum) {
    if (sum <= seen) below += chances[sum];
    if (sum >= seen) above += chances[sum];
  }
  return std::min(1.0, 2.0 * std::min(below, above));
}

/// With the variance of these very ranks, which holds with zeros and ties too.
double normalP(const std::vector<std::uint32_t>& ranks, std::uint64_t seen) {
  double sum = 0.0, squares = 0.0;
  for (const std::uint32_t rank : ranks) {
    sum += rank;
    squares += static_cast<double>(rank) * rank;
  }
  const double z = (static_cast<double>(seen) - 0.5 * sum) / (0.5 * std::sqrt(squares));
  return std::min(1.0, 2.0 * normalUpper(std::abs(z)));
}

/// How many of the least Walsh averages are below the interval, plus one; and its real confidence.
struct Cut {
  std::size_t rank = 1;
  double confidence = 0.0;
};

Cut cutFor(std::size_t n, double confidence) {
  const double tail = 0.5 * (1.0 - confidence);
  if (n > kMostExactRanks) {
    const auto count = static_cast<double>(n);
    const double sd = std::sqrt(count * (count + 1.0) * (2.0 * count + 1.0) / 24.0);
    const double place = 0.25 * count * (count + 1.0) + normalQuantile(tail) * sd;
    return {.rank = static_cast<std::size_t>(std::max(1.0, std::floor(place))),
            .confidence = confidence};
  }
  std::vector<std::uint32_t> ranks(n);
  for (std::size_t i = 0; i < n; ++i)
    ranks[i] = static_cast<std::uint32_t>(i + 1);
  const std::vector<double> chances = chancesOfSums(ranks);
  // the largest rank with P(W < rank) <= tail; of few values it is the first all the same
  double below = chances[0];
  std::size_t rank = 1;
  while (rank < chances.size() && below + chances[rank] <= tail) {
    below += chances[rank];
    ++rank;
  }
  return {.rank = rank, .confidence = 1.0 - 2.0 * below};
}

}  // namespace

SignedRankTest signedRank(std::span<const double> differences, double confidence) {
  SignedRankTest test;
  test.n = differences.size();
  if (differences.empty()) return test;
  std::vector<double> sorted(differences.begin(), differences.end());
  std::ranges::sort(sorted, {}, [](double value) { return std::abs(value); });
  const double slack = kRounding * std::abs(sorted.back());
  std::vector<std::uint32_t> ranks = doubledRanks(sorted, slack);
  test.zeros = static_cast<std::size_t>(
      std::ranges::count_if(sorted, [=](double value) { return std::abs(value) <= slack; }));
  ranks.erase(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(test.zeros));
  std::uint64_t positive = 0, all = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    all += ranks[i];
    if (sorted[i + test.zeros] > 0.0) positive += ranks[i];
  }
  test.rankSum = 0.5 * static_cast<double>(positive);
  if (all > 0) {
    test.rankBiserial = 2.0 * static_cast<double>(positive) / static_cast<double>(all) - 1.0;
    test.isExact = ranks.size() <= kMostExactRanks;
    test.p = test.isExact ? countedP(ranks, positive) : normalP(ranks, positive);
  }

  std::vector<double> walsh;
  walsh.reserve(sorted.size() * (sorted.size() + 1) / 2);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = i; j < sorted.size(); ++j)
      walsh.push_back(0.5 * (sorted[i] + sorted[j]));
  }
  std::ranges::sort(walsh);
  const std::size_t middle = walsh.size() / 2;
  test.estimate = walsh.size() % 2 == 1 ? walsh[middle] : 0.5 * (walsh[middle - 1] + walsh[middle]);
  const Cut cut = cutFor(sorted.size(), confidence);
  test.low = walsh[cut.rank - 1];
  test.high = walsh[walsh.size() - cut.rank];
  test.confidence = cut.confidence;
  return test;
}

}  // namespace tactus::studies
