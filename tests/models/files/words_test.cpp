// Numbers as text: every one correctly rounded, in every locale.
#include "models/files/words.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <clocale>
#include <cmath>
#include <limits>
#include <locale>
#include <string>

namespace tactus::models {
namespace {

double numberIn(std::string_view text) {
  Words words(text);
  double value = -77.0;
  EXPECT_EQ(words.number(value), Found::Value) << text;
  EXPECT_TRUE(words.done()) << text;
  return value;
}

TEST(Words, ReadsTheNumbersThatFilesHold) {
  EXPECT_EQ(numberIn("1"), 1.0);
  EXPECT_EQ(numberIn("  +1.5\t"), 1.5);
  EXPECT_EQ(numberIn("-.5"), -0.5);
  EXPECT_EQ(numberIn("2."), 2.0);
  EXPECT_EQ(numberIn("1e3"), 1000.0);
  EXPECT_EQ(numberIn("1E+3"), 1000.0);
  EXPECT_EQ(numberIn("12.5e-2"), 0.125);
  EXPECT_EQ(numberIn("0.1"), 0.1);
  EXPECT_EQ(numberIn("0000000000000000000000000001"), 1.0);
  EXPECT_EQ(numberIn("123456789012345678901234567890"), 123456789012345678901234567890.0);
  EXPECT_TRUE(std::signbit(numberIn("-0.0")));
  EXPECT_TRUE(std::isnan(numberIn("nan")));
  EXPECT_EQ(numberIn("-inf"), -std::numeric_limits<double>::infinity());
}

TEST(Words, WhatDoesNotFitADoubleIsInfiniteOrZero) {
  EXPECT_EQ(numberIn("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(numberIn("-1e400"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(numberIn("1e-400"), 0.0);
  EXPECT_EQ(numberIn("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(numberIn("0." + std::string(400, '0') + "1e401"), 1.0);
  EXPECT_EQ(numberIn(std::string(400, '9')), std::numeric_limits<double>::infinity());
  EXPECT_EQ(numberIn("1e99999999999999999999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(numberIn("1e-99999999999999999999"), 0.0);
}

TEST(Words, RefusesWhatIsNoNumber) {
  for (const char* text : {"x", "1x", "1,5", "--1", "+-1", "-+1", "1e", "1e+", ".", "-", "+",
                           "0x10", "1.2.3", "1d5", "\"1\"", "1/2"}) {
    Words words(text);
    double value = 0.0;
    EXPECT_EQ(words.number(value), Found::Nonsense) << text;
    EXPECT_EQ(words.word(), text);
  }
  Words blank(" \t\r");
  double value = 0.0;
  EXPECT_EQ(blank.number(value), Found::Nothing);
}

// Both paths, the short exact one and the general one, must round as the library does.
TEST(Words, AgreesWithFromCharsToTheBit) {
  std::uint64_t state = 1;
  const auto random = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return state ^ (state >> 29U);
  };
  for (int i = 0; i < 200'000; ++i) {
    std::string text;
    const int digits = 1 + static_cast<int>(random() % 21);
    const int point = static_cast<int>(random() % static_cast<std::uint64_t>(digits + 1));
    for (int d = 0; d < digits; ++d) {
      if (d == point) text += '.';
      text += static_cast<char>('0' + random() % 10);
    }
    if (random() % 2 == 0) {
      text += 'e' + std::to_string(static_cast<int>(random() % 80) - 40);
    }
    double expected = 0.0;
    (void)std::from_chars(text.data(), text.data() + text.size(), expected);
    const double value = numberIn(text);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(expected)) << text;
  }
}

TEST(Words, ReadsWholeNumbers) {
  const auto integerIn = [](std::string_view text) {
    Words words(text);
    std::int64_t value = -77;
    EXPECT_EQ(words.integer(value), Found::Value) << text;
    return value;
  };
  EXPECT_EQ(integerIn(" 42 "), 42);
  EXPECT_EQ(integerIn("+42"), 42);
  EXPECT_EQ(integerIn("-42"), -42);
  EXPECT_EQ(integerIn("99999999999999999999999999"), 1'000'000'000'000'000'000);
  EXPECT_EQ(integerIn("-99999999999999999999999999"), -1'000'000'000'000'000'000);
  for (const char* text : {"1.0", "a", "-", "1/2", "0x1"}) {
    std::int64_t value = 0;
    EXPECT_EQ(Words(text).integer(value), Found::Nonsense) << text;
  }
  std::int64_t value = 0;
  std::string_view rest;
  EXPECT_EQ(Words("7/1/3 8").leadingInteger(value, rest), Found::Value);
  EXPECT_EQ(value, 7);
  EXPECT_EQ(rest, "/1/3");
}

/// A decimal comma, as German has it, without needing the system's German.
class DecimalComma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Words, TheLocaleChangesNothing) {
  const std::locale before = std::locale::global(std::locale(std::locale(), new DecimalComma));
  const std::string categoryBefore = std::setlocale(LC_ALL, nullptr);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) {
    std::setlocale(LC_ALL, "de_DE");  // absent on small systems; the facet above is not
  }
  EXPECT_EQ(numberIn("1234.5"), 1234.5);
  EXPECT_EQ(numberIn("1234.56789012345678901"), 1234.56789012345678901);
  double value = 0.0;
  EXPECT_EQ(Words("1,5").number(value), Found::Nonsense);
  std::setlocale(LC_ALL, categoryBefore.c_str());
  std::locale::global(before);
}

}  // namespace
}  // namespace tactus::models
