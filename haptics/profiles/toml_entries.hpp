#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/files/file_label.hpp"
#include "models/mesh/result.hpp"

namespace tactus::haptics {

/// One `key = value` of a TOML text. Our files are flat: keys at the top, keys of tables, keys of
/// arrays of tables; numbers are doubles, arrays are of numbers.
struct TomlEntry {
  std::string table;      ///< empty at the top
  std::size_t index = 0;  ///< which of an array of tables
  std::string key;
  std::uint64_t line = 0;
  bool isWhole = false;  ///< written as a whole number
  std::variant<bool, double, std::string, std::vector<double>> value;
};

/// All entries in the order of their tables. An error names the line; what is deeper or of another
/// type (dates, nested tables) is one.
[[nodiscard]] models::Result<std::vector<TomlEntry>> readToml(std::string_view text,
                                                              const models::FileLabel& label);
/// The same of a file of at most a megabyte; `text` keeps what was read.
[[nodiscard]] models::Result<std::string> readSmallText(const std::string& file);

/// "there is no key 'dynamics.mas_kg'; the nearest is 'dynamics.mass_kg'", with file and line.
[[nodiscard]] models::Error unknownKey(const models::FileLabel& label, const TomlEntry& entry,
                                       std::span<const std::string> known);
/// "dynamics.mass_kg", for sentences.
[[nodiscard]] std::string pathOf(const TomlEntry& entry);
/// Shortest text that reads back to the same double, with a point or an exponent in it.
[[nodiscard]] std::string tomlNumber(double value);
/// Between quotation marks, with escapes.
[[nodiscard]] std::string tomlString(std::string_view text);

}  // namespace tactus::haptics
