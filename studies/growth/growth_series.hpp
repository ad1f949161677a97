#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "studies/growth/power_law.hpp"

namespace tactus::studies {

enum class GrowthUnit : std::uint8_t { Seconds, Microseconds, Bytes, Count, Share };

/// Something that grows, or does not.
struct GrowthColumn {
  std::string name;  ///< as a key: "pack_seconds"
  GrowthUnit unit = GrowthUnit::Count;
  bool isOfMachine = true;  ///< times and peaks of memory; all else is the same in every run
};

/// What is measured at one size.
struct GrowthRow {
  double x = 0.0;
  std::vector<double> values;  ///< one a column; NaN where nothing answers
  std::uint64_t hash = 0;      ///< of all that was computed
  bool isSteady = true;        ///< every repetition computed the same
  double stolenShare = 0.0;
  int attempts = 1;
};

/// One size grows, all others are fixed.
struct GrowthSeries {
  std::string name;      ///< "spheres"
  std::string variable;  ///< what x is, for people
  std::string about;     ///< what is fixed
  double decades = 2.0;  ///< of x, from its largest down, over which exponents are fitted
  std::vector<GrowthColumn> columns;
  std::vector<GrowthRow> rows;

  [[nodiscard]] std::vector<double> sizes() const;
  [[nodiscard]] std::vector<double> valuesOf(std::size_t column) const;
  /// How a column grows; none where there are fewer than two sizes.
  [[nodiscard]] std::optional<PowerLaw> lawOf(std::size_t column) const;
  /// Of all that does not depend on the machine.
  [[nodiscard]] std::uint64_t hash() const;
};

}  // namespace tactus::studies
