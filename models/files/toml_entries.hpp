#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/files/file_label.hpp"
#include "models/mesh/result.hpp"

namespace tactus::models {

/// One `key = value` of a TOML text. Our files are flat: keys at the top, keys of tables, keys of
/// arrays of tables, and arrays of tables within those; numbers are doubles, arrays are of numbers
/// or of texts (an empty one counts as of numbers).
struct TomlEntry {
  std::string table;       ///< empty at the top; "hand.pose" for [[hand.pose]]
  std::size_t index = 0;   ///< which of an array of tables, within its parent
  std::size_t parent = 0;  ///< which [[hand]] that a [[hand.pose]] is of
  std::string key;
  std::uint64_t line = 0;
  bool isWhole = false;  ///< written as a whole number
  std::variant<bool, double, std::string, std::vector<double>, std::vector<std::string>> value;
};

/// A table or an element of an array of tables, so that one without keys is known too.
struct TomlTable {
  std::string name;
  std::size_t index = 0, parent = 0;  ///< as in TomlEntry
  std::uint64_t line = 0;
  bool isInArray = false;  ///< [[name]], not [name]
};

/// What is in a text, both in the order of its lines.
struct TomlText {
  std::vector<TomlEntry> entries;
  std::vector<TomlTable> tables;
};

/// An error names the line; what is deeper or of another type (dates, tables in tables) is one.
[[nodiscard]] Result<TomlText> readToml(std::string_view text, const FileLabel& label);
/// The text of a file of at most a megabyte.
[[nodiscard]] Result<std::string> readSmallText(const std::string& file);

/// "there is no key 'dynamics.mas_kg'; the nearest is 'dynamics.mass_kg'", with file and line.
[[nodiscard]] Error unknownKey(const FileLabel& label, const TomlEntry& entry,
                               std::span<const std::string> known);
/// "dynamics.mass_kg", for sentences.
[[nodiscard]] std::string pathOf(const TomlEntry& entry);
/// Shortest text that reads back to the same double, with a point or an exponent in it.
[[nodiscard]] std::string tomlNumber(double value);
/// Between quotation marks, with escapes.
[[nodiscard]] std::string tomlString(std::string_view text);

}  // namespace tactus::models
