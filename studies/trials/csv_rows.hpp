#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/files/file_label.hpp"
#include "models/mesh/result.hpp"

namespace tactus::studies {

/// A row of a CSV text.
struct CsvRow {
  std::uint64_t line = 0;  ///< where it begins
  std::vector<std::string> cells;
};

/// Rows of a text after RFC 4180 (Y. Shafranovich, 2005); lines may also end with LF alone, and
/// ours do. Every row must have as many cells as the first.
[[nodiscard]] models::Result<std::vector<CsvRow>> readCsvRows(std::string_view text,
                                                              const models::FileLabel& label);

/// Appends a row, with quotation marks where a cell needs them.
void appendCsvRow(std::string& text, const std::vector<std::string>& cells);

}  // namespace tactus::studies
