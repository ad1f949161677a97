#include "studies/statistics/sign_flip.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "studies/random_stream.hpp"
#include "studies/statistics/sample_moments.hpp"

namespace tactus::studies {
namespace {

// Forty additions round by less than that.
constexpr double kRounding = 1e-12;

std::vector<double> sumsOfFlips(std::span<const double> values) {
  std::vector<double> sums = {0.0};
  for (const double value : values) {
    const std::size_t before = sums.size();
    for (std::size_t i = 0; i < before; ++i) {
      sums.push_back(sums[i] - value);
      sums[i] += value;
    }
  }
  std::ranges::sort(sums);
  return sums;
}

/// Pairs, one of each, whose sum is at least `limit`.
double countAtLeast(const std::vector<double>& one, const std::vector<double>& other,
                    double limit) {
  double count = 0.0;
  std::size_t fitting = 0;  // of the largest of `other`, which grow as `one` grows
  for (const double sum : one) {
    while (fitting < other.size() && sum + other[other.size() - 1 - fitting] >= limit)
      ++fitting;
    count += static_cast<double>(fitting);
  }
  return count;
}

double countDrawn(std::span<const double> values, double limit, std::uint64_t seed) {
  RandomStream random(seed);
  double count = 0.0;
  for (std::uint32_t draw = 0; draw < kFlipsDrawn; ++draw) {
    double sum = 0.0;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < values.size(); ++i, bits >>= 1U) {
      if (i % 64 == 0) bits = random.next();
      sum += (bits & 1U) == 0 ? values[i] : -values[i];
    }
    if (std::abs(sum) >= limit) count += 1.0;
  }
  return count;
}

}  // namespace

PermutationTest signFlip(std::span<const double> differences, std::uint64_t seed) {
  PermutationTest test;
  double sum = 0.0, magnitude = 0.0;
  for (const double difference : differences) {
    sum += difference;
    magnitude += std::abs(difference);
  }
  test.statistic = meanOf(differences);
  const double slack = kRounding * magnitude;
  test.isExact = differences.size() <= kMostExactFlips;
  test.arrangements = test.isExact ? std::ldexp(1.0, static_cast<int>(differences.size()))
                                   : static_cast<double>(kFlipsDrawn);
  if (std::abs(sum) <= slack) return test;  // nothing is less extreme
  const double limit = std::abs(sum) - slack;
  if (!test.isExact) {
    test.p = (1.0 + countDrawn(differences, limit, seed)) / (1.0 + test.arrangements);
    return test;
  }
  const std::size_t half = differences.size() / 2;
  // what is below the middle mirrors what is above
  test.p = 2.0 *
           countAtLeast(sumsOfFlips(differences.first(half)),
                        sumsOfFlips(differences.subspan(half)), limit) /
           test.arrangements;
  return test;
}

}  // namespace tactus::studies
