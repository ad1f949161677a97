#include "studies/statistics/holm.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace tactus::studies {

std::vector<double> holm(std::span<const double> pValues) {
  std::vector<std::size_t> order(pValues.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return pValues[i]; });
  std::vector<double> corrected(pValues.size());
  double least = 0.0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double times = static_cast<double>(order.size() - k);
    least = std::max(least, std::min(1.0, times * pValues[order[k]]));
    corrected[order[k]] = least;
  }
  return corrected;
}

}  // namespace tactus::studies
