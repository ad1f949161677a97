#include "models/mesh/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace tactus::models {
namespace {

std::string lowered(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return result;
}

std::size_t editDistance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: a swap looks two rows back.
  std::vector<std::size_t> beforeLast(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    beforeLast.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({change, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
  }
  return row[b.size()];
}

// Fewer letters begin many names, and nobody meant one of them.
constexpr std::size_t kFewestOfPrefix = 3;

}  // namespace

std::string nearestName(std::string_view typed, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t fewest = 0;
  const std::string word = lowered(typed);
  if (word.size() >= kFewestOfPrefix) {
    for (const std::string& candidate : candidates) {
      const bool isShorter = best.empty() || candidate.size() < best.size();
      if (isShorter && lowered(candidate).starts_with(word)) best = candidate;
    }
    if (!best.empty()) return best;
  }
  for (const std::string& candidate : candidates) {
    const std::size_t changes = editDistance(word, lowered(candidate));
    if (changes * 2 > std::max(word.size(), candidate.size())) continue;
    if (best.empty() || changes < fewest) {
      best = candidate;
      fewest = changes;
    }
  }
  return best;
}

}  // namespace tactus::models
