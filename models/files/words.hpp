#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace tactus::models {

/// What stood where a number was expected.
enum class Found : std::uint8_t {
  Value,
  Nothing,   ///< the line ends here
  Nonsense,  ///< a word that is no such number; Words::word() tells which
};

/// Walks over the words of one line, separated by blanks and tabs. Numbers are read as C writes
/// them whatever the locale says, with '+' allowed, and correctly rounded.
class Words {
 public:
  explicit Words(std::string_view line) noexcept
      : at_(line.data()), end_(line.data() + line.size()) {}

  /// The next word; empty at the end of the line.
  std::string_view next() noexcept {
    skipBlanks();
    const char* const first = at_;
    while (at_ != end_ && !isBlank(*at_))
      ++at_;
    word_ = std::string_view(first, static_cast<std::size_t>(at_ - first));
    return word_;
  }

  /// A decimal number; "nan" and "inf" are values too, and what exceeds a double is infinite.
  [[nodiscard]] Found number(double& value) noexcept;

  /// A whole number; what exceeds 18 digits is returned as +-10^18. See written().
  [[nodiscard]] Found integer(std::int64_t& value) noexcept;

  /// A whole number at the start of the next word, for "7/1/3": `rest` is what follows it.
  [[nodiscard]] Found leadingInteger(std::int64_t& value, std::string_view& rest) noexcept;

  /// The word met last.
  [[nodiscard]] std::string_view word() const noexcept { return word_; }
  /// True if only blanks are left.
  [[nodiscard]] bool done() noexcept {
    skipBlanks();
    return at_ == end_;
  }

 private:
  // Space, tab, vertical tab, form feed, and stray line ends.
  static bool isBlank(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skipBlanks() noexcept {
    while (at_ != end_ && isBlank(*at_))
      ++at_;
  }

  const char* at_;
  const char* end_;
  std::string_view word_;
};

/// The number for a sentence; "10^18 or more" where integer() may have cut it.
[[nodiscard]] std::string written(std::int64_t number);

/// True if `a` and `b` are the same ASCII letters, small or capital.
[[nodiscard]] bool sameLetters(std::string_view a, std::string_view b) noexcept;

}  // namespace tactus::models
