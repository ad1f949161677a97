#pragma once
#include <charconv>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "models/mesh/result.hpp"

namespace tactus::studies {

/// A table of raw measurements as CSV (RFC 4180, but for line ends): numbers are written so that
/// they read back to the bit, and without regard to the locale.
class RawTable {
 public:
  /// `columns` separated by commas.
  explicit RawTable(std::string_view columns) : text_(columns) { text_ += '\n'; }

  /// One row; cells are numbers or words without commas, quotes and line breaks.
  template <typename First, typename... Rest>
  void add(const First& first, const Rest&... rest) {
    cell(first);
    ((text_ += ',', cell(rest)), ...);
    text_ += '\n';
  }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// To a file, whole or not at all.
  [[nodiscard]] models::Result<models::Done> write(const std::filesystem::path& file,
                                                   bool overwrites) const;

 private:
  void cell(std::string_view word) { text_ += word; }
  template <typename T>
    requires std::integral<T> || std::floating_point<T>
  void cell(T number) {
    constexpr std::size_t kLongest = 40;
    char digits[kLongest];
    text_.append(digits, std::to_chars(digits, digits + kLongest, number).ptr);
  }

  std::string text_;
};

}  // namespace tactus::studies
