#include "studies/growth/growth_series.hpp"

#include <span>

#include "collision/cache/xxhash64.hpp"

namespace tactus::studies {
namespace {

template <typename Value>
std::uint64_t mixed(std::uint64_t hash, const Value& value) {
  return collision::xxhash64(std::as_bytes(std::span(&value, 1)), hash);
}

}  // namespace

std::vector<double> GrowthSeries::sizes() const {
  std::vector<double> sizes;
  sizes.reserve(rows.size());
  for (const GrowthRow& row : rows)
    sizes.push_back(row.x);
  return sizes;
}

std::vector<double> GrowthSeries::valuesOf(std::size_t column) const {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const GrowthRow& row : rows)
    values.push_back(row.values[column]);
  return values;
}

std::optional<PowerLaw> GrowthSeries::lawOf(std::size_t column) const {
  return fitUpperDecades(sizes(), valuesOf(column), decades);
}

std::uint64_t GrowthSeries::hash() const {
  std::uint64_t hash = 0;
  for (const GrowthRow& row : rows) {
    hash = mixed(mixed(hash, row.x), row.hash);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (!columns[c].isOfMachine) hash = mixed(hash, row.values[c]);
    }
  }
  return hash;
}

}  // namespace tactus::studies
