#include "models/files/file_label.hpp"

#include <system_error>

namespace tactus::models {
namespace {

constexpr std::size_t kQuotedLength = 40;  // enough to find the word again in the file

/// Length of the UTF-8 character at the start of `text`, 0 if there is none. Refuses what RFC 3629
/// refuses: overlong forms, surrogates, beyond U+10FFFF.
std::size_t utf8Length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  std::size_t length = 0;
  unsigned low = 0x80;
  unsigned high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  }
  if (length == 0 || text.size() < length) return 0;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  // U+0080 to U+009F are control characters too.
  if (lead == 0xC2 && byte(1) < 0xA0) return 0;
  return length;
}

/// One full stop, whether or not somebody wrote it.
std::string_view stopOf(std::string_view sentence) {
  return sentence.ends_with('.') ? "" : ".";
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string shown;
  while (!text.empty()) {
    if (shown.size() >= most) return shown + "...";
    const auto byte = static_cast<unsigned char>(text.front());
    std::size_t length = byte >= 0x20 && byte < 0x7F ? 1 : 0;
    if (byte >= 0x80) length = utf8Length(text);
    if (length > 0) {
      shown.append(text.substr(0, length));
      text.remove_prefix(length);
    } else {
      shown += "\\x";
      shown += kHex[byte >> 4U];
      shown += kHex[byte & 15U];
      text.remove_prefix(1);
    }
  }
  return shown;
}

std::string inQuotes(std::string_view word) {
  return say("\"", printable(word, kQuotedLength), "\"");
}

std::string systemMessage(int error) {
  return std::generic_category().message(error);
}

Error FileLabel::whole(Reason reason, std::string_view what) const {
  return {reason, -1, say(text_, ": ", what, stopOf(what))};
}

Error FileLabel::atLine(Reason reason, std::uint64_t line, std::string_view what) const {
  return {reason, static_cast<std::int64_t>(line),
          say(text_, ", line ", line, ": ", what, stopOf(what))};
}

Error FileLabel::atByte(Reason reason, std::uint64_t byte, std::string_view what) const {
  return {reason, static_cast<std::int64_t>(byte),
          say(text_, ", byte ", byte, ": ", what, stopOf(what))};
}

}  // namespace tactus::models
