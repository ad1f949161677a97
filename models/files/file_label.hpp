#pragma once
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "models/mesh/result.hpp"

namespace tactus::models {

/// Joins words and whole numbers to a text, in any locale the same.
template <typename... Parts>
[[nodiscard]] std::string say(const Parts&... parts) {
  std::string text;
  const auto append = [&text](const auto& part) {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(part)>>) {
      char digits[24];
      const auto end = std::to_chars(digits, digits + sizeof(digits), part).ptr;
      text.append(digits, end);
    } else {
      text.append(std::string_view(part));
    }
  };
  (append(parts), ...);
  return text;
}

/// "1 vertex", "2 vertices".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

/// A word of a file between quotation marks, cut short and made printable.
[[nodiscard]] std::string inQuotes(std::string_view word);

/// Text that can stand in a sentence on any terminal: control characters and bytes that are no
/// UTF-8 are written as \xNN. Cut off after `most` bytes, which "..." then tells.
[[nodiscard]] std::string printable(std::string_view text, std::size_t most = std::string::npos);

/// What the system says about an errno.
[[nodiscard]] std::string systemMessage(int error);

/// A file's name as sentences show it, and the sentences' shape: "NAME, line 812: what happened."
class FileLabel {
 public:
  explicit FileLabel(std::string_view name) : text_(printable(name)) {}

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] Error whole(Reason reason, std::string_view what) const;
  [[nodiscard]] Error atLine(Reason reason, std::uint64_t line, std::string_view what) const;
  [[nodiscard]] Error atByte(Reason reason, std::uint64_t byte, std::string_view what) const;

 private:
  std::string text_;
};

}  // namespace tactus::models
