#include "models/files/words.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace tactus::models {
namespace {

// Every power up to 10^22 is a double without rounding, and so is every whole number up to 2^53. A
// product or quotient of two such is rounded once, hence correct (Clinger, "How to read floating
// point numbers accurately", 1990). Longer numbers go to std::from_chars, which is exact for all.
constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kMaxPower = 22;
constexpr std::uint64_t kMaxExact = std::uint64_t{1} << 53U;
constexpr int kMaxDigits = 18;  // so many decimal digits never overflow 64 bits
constexpr std::int64_t kMostWhole = 1'000'000'000'000'000'000;

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// A number that does not fit a double is either huge or tiny: the place of its first digit that is
/// not zero decides.
bool isHuge(std::string_view digits) {
  std::int64_t exponent = 0;
  const std::size_t e = digits.find_first_of("eE");
  if (e != std::string_view::npos) {
    std::string_view text = digits.substr(e + 1);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (parsed.ec != std::errc{}) return !text.starts_with('-');
    digits = digits.substr(0, e);
  }
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = std::min(digits.find_first_of("123456789"), digits.size());
  return exponent > static_cast<std::int64_t>(first) - static_cast<std::int64_t>(point);
}

}  // namespace

Found Words::number(double& value) noexcept {
  skipBlanks();
  if (at_ == end_) return Found::Nothing;
  const char* const start = at_;
  const char* p = at_;
  const bool signedWord = *p == '-' || *p == '+';
  const bool negative = *p == '-';
  if (signedWord) ++p;
  const char* const unsignedStart = p;

  std::uint64_t mantissa = 0;
  int digits = 0;
  int exponent = 0;
  const auto digitRun = [&](int step) {
    while (p != end_ && isDigit(*p) && digits < kMaxDigits) {
      mantissa = 10 * mantissa + static_cast<std::uint64_t>(*p - '0');
      if (mantissa > 0) ++digits;  // leading zeros cost nothing
      exponent += step;
      ++p;
    }
  };
  digitRun(0);
  bool any = p != unsignedStart;
  if (p != end_ && *p == '.') {
    ++p;
    const char* const fraction = p;
    digitRun(-1);
    any = any || p != fraction;
  }
  if (any && p != end_ && (*p == 'e' || *p == 'E')) {
    const char* q = p + 1;
    const bool negativePower = q != end_ && *q == '-';
    if (q != end_ && (*q == '-' || *q == '+')) ++q;
    int power = 0;
    const char* const powerStart = q;
    while (q != end_ && isDigit(*q) && q - powerStart < 4)
      power = 10 * power + (*q++ - '0');
    if (q != powerStart) {
      exponent += negativePower ? -power : power;
      p = q;
    }
  }
  if (any && (p == end_ || isBlank(*p)) && mantissa <= kMaxExact && exponent >= -kMaxPower &&
      exponent <= kMaxPower) {
    const auto whole = static_cast<double>(mantissa);
    const double size =
        exponent < 0 ? whole / kPowersOfTen[-exponent] : whole * kPowersOfTen[exponent];
    value = negative ? -size : size;
    at_ = p;
    return Found::Value;
  }

  at_ = start;
  const std::string_view whole = next();
  const std::string_view text = whole.substr(signedWord ? 1 : 0);
  if (text.starts_with('-')) return Found::Nonsense;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ptr != text.data() + text.size() || parsed.ec == std::errc::invalid_argument) {
    return Found::Nonsense;
  }
  if (parsed.ec == std::errc::result_out_of_range) {
    value = isHuge(text) ? std::numeric_limits<double>::infinity() : 0.0;
  }
  if (negative) value = -value;
  return Found::Value;
}

Found Words::leadingInteger(std::int64_t& value, std::string_view& rest) noexcept {
  skipBlanks();
  if (at_ == end_) return Found::Nothing;
  const char* const start = at_;
  const char* p = at_;
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  const char* const first = p;
  std::int64_t size = 0;
  for (; p != end_ && isDigit(*p); ++p)
    size = size < kMostWhole / 10 ? 10 * size + (*p - '0') : kMostWhole;
  const bool any = p != first;
  const char* const stop = p;
  while (p != end_ && !isBlank(*p))
    ++p;
  word_ = std::string_view(start, static_cast<std::size_t>(p - start));
  rest = std::string_view(stop, static_cast<std::size_t>(p - stop));
  at_ = p;
  value = negative ? -size : size;
  return any ? Found::Value : Found::Nonsense;
}

Found Words::integer(std::int64_t& value) noexcept {
  std::string_view rest;
  const Found found = leadingInteger(value, rest);
  return found == Found::Value && !rest.empty() ? Found::Nonsense : found;
}

std::string written(std::int64_t number) {
  if (number >= kMostWhole) return "10^18 or more";
  if (number <= -kMostWhole) return "-10^18 or less";
  return std::to_string(number);
}

bool sameLetters(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace tactus::models
