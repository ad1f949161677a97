#include "studies/export/motion_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <sstream>
#include <string>

namespace tactus::studies {
namespace {

std::string decimal(double number) {
  std::string text;
  appendDecimal(text, number);
  return text;
}

double valueOf(const std::string& text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  EXPECT_EQ(std::from_chars(text.data(), end, value).ptr, end) << text;
  return value;
}

TEST(MotionText, DecimalsAreThoseOfAPersonWithoutZerosAtTheEnd) {
  EXPECT_EQ(decimal(0.0), "0");
  EXPECT_EQ(decimal(-0.0), "0");
  EXPECT_EQ(decimal(4e-10), "0");
  EXPECT_EQ(decimal(-4e-10), "0");
  EXPECT_EQ(decimal(1e-9), "0.000000001");
  EXPECT_EQ(decimal(-1.5), "-1.5");
  EXPECT_EQ(decimal(100.0), "100");
  EXPECT_EQ(decimal(0.9999999996), "1");
  EXPECT_EQ(decimal(-12.050000001), "-12.050000001");
  EXPECT_EQ(decimal(999999.25), "999999.25");
  EXPECT_EQ(decimal(1e6), "1000000");
  EXPECT_EQ(decimal(-1.25e300), "-1.25e+300");
  EXPECT_EQ(decimal(std::numeric_limits<double>::infinity()), "inf");
}

// Against the C library's rounding of the exact value: what lies between two decimals to within the
// rounding of a product may go to either side.
TEST(MotionText, DecimalsAreTheNearestOnes) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-11.0, 6.0), sign(-1.0, 1.0);
  for (int k = 0; k < 20'000; ++k) {
    const double number = std::copysign(std::pow(10.0, exponent(random)), sign(random));
    const std::string text = decimal(number);
    EXPECT_LE(std::abs(valueOf(text) - number), 0.5e-9 + 2e-16 * std::abs(number)) << text;
    EXPECT_TRUE(text.find('.') == std::string::npos || text.back() != '0') << text;
    std::array<char, 64> exact{};
    std::snprintf(exact.data(), exact.size(), "%.9f", number);
    EXPECT_LE(std::abs(valueOf(text) - valueOf(exact.data())), 1.01e-9 + 4e-16 * std::abs(number))
        << text;
  }
}

TEST(MotionText, RowsHaveAValueForEachChannelAndLoseNothingOfALongTrial) {
  constexpr std::size_t kTicks = 3000;  // more than is written at once
  HandRecords records;
  records.hand.resize(kTicks);
  records.contact.resize(kTicks);
  for (std::size_t k = 0; k < kTicks; ++k) {
    records.hand[k].position[0] = 1e-6 * static_cast<double>(k);
    records.hand[k].orientation[0] = 1.0;
    records.hand[k].torque[2] = -0.125;
    records.hand[k].buttons = 5;
    records.contact[k].volume = 1.5e-7F;
    records.contact[k].stage = 1;
  }
  std::ostringstream stream;
  writeMotion(records, stream);
  std::istringstream rows(stream.str());
  std::string row;
  for (std::size_t k = 0; k < kTicks; ++k) {
    ASSERT_TRUE(std::getline(rows, row)) << k;
    EXPECT_EQ(std::count(row.begin(), row.end(), '\t') + 1, std::ptrdiff_t{kMotionChannels});
    EXPECT_EQ(row.substr(0, row.find('\t')), decimal(1e-6 * static_cast<double>(k)));
    EXPECT_TRUE(row.ends_with("\t-0.125\t1.5e-07\t5\t1")) << row;
  }
  EXPECT_FALSE(std::getline(rows, row));
}

}  // namespace
}  // namespace tactus::studies
