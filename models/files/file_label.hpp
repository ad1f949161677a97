#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "models/mesh/result.hpp"
#include "models/mesh/wording.hpp"

namespace tactus::models {

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
