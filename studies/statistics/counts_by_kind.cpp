#include "studies/statistics/counts_by_kind.hpp"

#include <bit>
#include <cmath>
#include <cstddef>

#include "studies/random_stream.hpp"

namespace tactus::studies {
namespace {

// Of sums of a few quotients.
constexpr double kRounding = 1e-12;

double weighted(const std::vector<std::int64_t>& differences,
                const std::vector<std::int64_t>& totals) {
  double sum = 0.0;
  for (std::size_t k = 0; k < totals.size(); ++k) {
    if (totals[k] == 0) continue;
    const auto difference = static_cast<double>(differences[k]);
    sum += difference * difference / static_cast<double>(totals[k]);
  }
  return sum;
}

double squaresAboutEven(const std::vector<std::int64_t>& totals) {
  double all = 0.0;
  for (const std::int64_t total : totals)
    all += static_cast<double>(total);
  const double even = all / static_cast<double>(totals.size());
  double sum = 0.0;
  for (const std::int64_t total : totals)
    sum += (static_cast<double>(total) - even) * (static_cast<double>(total) - even) / even;
  return sum;
}

}  // namespace

PermutationTest levelsAlikeByKind(std::span<const CountsOfUnit> units, std::uint64_t seed) {
  PermutationTest test;
  if (units.empty()) return test;
  const std::size_t kinds = units.front().under.size();
  std::vector<std::int64_t> differences(kinds, 0), totals(kinds, 0);
  for (const CountsOfUnit& unit : units) {
    for (std::size_t k = 0; k < kinds; ++k) {
      differences[k] += unit.over[k] - unit.under[k];
      totals[k] += unit.over[k] + unit.under[k];
    }
  }
  test.statistic = weighted(differences, totals);
  const double limit = test.statistic * (1.0 - kRounding);
  double extreme = 0.0;
  test.isExact = units.size() <= kMostExactSwaps;
  if (test.isExact) {
    // Gray code: one swap from one arrangement to the next
    test.arrangements = std::ldexp(1.0, static_cast<int>(units.size()));
    std::vector<bool> isSwapped(units.size(), false);
    const std::uint64_t last = std::uint64_t{1} << units.size();
    for (std::uint64_t step = 1; step <= last; ++step) {
      if (weighted(differences, totals) >= limit) extreme += 1.0;
      if (step == last) break;
      const auto i = static_cast<std::size_t>(std::countr_zero(step));
      const std::int64_t sign = isSwapped[i] ? 2 : -2;
      for (std::size_t k = 0; k < kinds; ++k)
        differences[k] += sign * (units[i].over[k] - units[i].under[k]);
      isSwapped[i] = !isSwapped[i];
    }
    test.p = extreme / test.arrangements;
    return test;
  }
  test.arrangements = kSwapsDrawn;
  RandomStream random(seed);
  for (std::uint32_t draw = 0; draw < kSwapsDrawn; ++draw) {
    differences.assign(kinds, 0);
    for (const CountsOfUnit& unit : units) {
      const std::int64_t sign = (random.next() >> 63U) == 0 ? 1 : -1;
      for (std::size_t k = 0; k < kinds; ++k)
        differences[k] += sign * (unit.over[k] - unit.under[k]);
    }
    if (weighted(differences, totals) >= limit) extreme += 1.0;
  }
  test.p = (1.0 + extreme) / (1.0 + test.arrangements);
  return test;
}

PermutationTest kindsAlike(std::span<const std::vector<std::int64_t>> units, std::uint64_t seed) {
  PermutationTest test{.isExact = false};
  test.arrangements = kSwapsDrawn;
  if (units.empty() || units.front().empty()) return test;
  const std::size_t kinds = units.front().size();
  std::vector<std::int64_t> totals(kinds, 0);
  std::int64_t all = 0;
  for (const std::vector<std::int64_t>& unit : units) {
    for (std::size_t k = 0; k < kinds; ++k) {
      totals[k] += unit[k];
      all += unit[k];
    }
  }
  if (all == 0) return test;
  test.statistic = squaresAboutEven(totals);
  const double limit = test.statistic * (1.0 - kRounding);
  RandomStream random(seed);
  std::vector<std::vector<std::int64_t>> shuffled(units.begin(), units.end());
  double extreme = 0.0;
  for (std::uint32_t draw = 0; draw < kSwapsDrawn; ++draw) {
    totals.assign(kinds, 0);
    for (std::vector<std::int64_t>& unit : shuffled) {
      random.shuffle(unit);
      for (std::size_t k = 0; k < kinds; ++k)
        totals[k] += unit[k];
    }
    if (squaresAboutEven(totals) >= limit) extreme += 1.0;
  }
  test.p = (1.0 + extreme) / (1.0 + test.arrangements);
  return test;
}

}  // namespace tactus::studies
