#include "studies/report/figure_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tactus::studies {
namespace {

constexpr const char* kMinus = "\xe2\x88\x92";
constexpr double kLeastP = 1e-4;

std::string withMinus(std::string digits) {
  if (digits.starts_with('-')) digits.replace(0, 1, kMinus);
  return digits;
}

}  // namespace

std::string fixedPoint(double value, int decimals) {
  std::array<char, 400> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 std::chars_format::fixed, decimals)
                       .ptr;
  std::string text(digits.data(), end);
  // nothing is "-0.00"
  if (text.find_first_of("123456789") == std::string::npos && text.starts_with('-'))
    text.erase(0, 1);
  return withMinus(text);
}

std::string significant(double value, int digits) {
  if (value == 0.0) return "0";
  if (!std::isfinite(value)) return "-";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  constexpr int kLeast = -4, kMost = 6;
  if (magnitude >= kLeast && magnitude < kMost)
    return fixedPoint(value, std::max(0, digits - 1 - magnitude));
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::scientific, digits - 1)
                       .ptr;
  return withMinus(std::string(text.data(), end));
}

std::string plain(double value, int digits) {
  std::string text = significant(value, digits);
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string pValue(std::optional<double> p) {
  if (!p) return "-";
  return *p < kLeastP ? "<\xc2\xa0"
                        "0.0001"
                      : fixedPoint(*p, *p < 0.01 ? 4 : 3);
}

std::string pPhrase(double p) {
  return (p < kLeastP ? "p\xc2\xa0" : "p\xc2\xa0=\xc2\xa0") + pValue(p);
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace tactus::studies
