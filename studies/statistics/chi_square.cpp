#include "studies/statistics/chi_square.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "studies/statistics/distributions.hpp"

namespace tactus::studies {

std::optional<ChiSquareTest> chiSquareUniform(std::span<const double> counts) {
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  if (counts.size() < 2 || !(all > 0.0)) return std::nullopt;
  ChiSquareTest test;
  test.leastExpected = all / static_cast<double>(counts.size());
  test.degrees = static_cast<double>(counts.size() - 1);
  for (const double count : counts)
    test.chiSquare += (count - test.leastExpected) * (count - test.leastExpected);
  test.chiSquare /= test.leastExpected;
  test.p = chiSquareUpper(test.chiSquare, test.degrees);
  test.cramerV = std::sqrt(test.chiSquare / all);
  return test;
}

std::optional<ChiSquareTest> chiSquareTable(std::span<const std::vector<double>> rows) {
  std::vector<double> ofRow, ofColumn;
  for (const std::vector<double>& row : rows) {
    ofRow.push_back(std::accumulate(row.begin(), row.end(), 0.0));
    ofColumn.resize(std::max(ofColumn.size(), row.size()), 0.0);
    for (std::size_t k = 0; k < row.size(); ++k)
      ofColumn[k] += row[k];
  }
  const double all = std::accumulate(ofRow.begin(), ofRow.end(), 0.0);
  const auto isFilled = [](double count) { return count > 0.0; };
  const auto filledRows = static_cast<double>(std::ranges::count_if(ofRow, isFilled));
  const auto filledColumns = static_cast<double>(std::ranges::count_if(ofColumn, isFilled));
  if (filledRows < 2.0 || filledColumns < 2.0) return std::nullopt;
  ChiSquareTest test;
  test.leastExpected = all;
  test.degrees = (filledRows - 1.0) * (filledColumns - 1.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < ofColumn.size(); ++k) {
      const double expected = ofRow[i] * ofColumn[k] / all;
      if (!(expected > 0.0)) continue;
      const double off = (k < rows[i].size() ? rows[i][k] : 0.0) - expected;
      test.chiSquare += off * off / expected;
      test.leastExpected = std::min(test.leastExpected, expected);
    }
  }
  test.p = chiSquareUpper(test.chiSquare, test.degrees);
  test.cramerV = std::sqrt(test.chiSquare / (all * (std::min(filledRows, filledColumns) - 1.0)));
  return test;
}

}  // namespace tactus::studies
