// Oracle: the long double functions of libm, whose 64-bit mantissa is exact to 1/2000 of a unit in
// the last place of a double. They are the only libm functions here, and only in the test.
#include "models/lanes/elementary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "tests/models/lanes/seeded_bits.hpp"

namespace {

namespace elementary = tactus::models::elementary;
using tactus::tests::BytesHash;
using tactus::tests::SeededBits;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kArguments = 100'000;  // of each range

/// Error in units in the last place of the true value.
double errorUnits(double value, long double truth) {
  const double rounded = std::fabs(static_cast<double>(truth));
  if (value == static_cast<double>(truth)) return 0.0;
  const double unit = std::max(std::numeric_limits<double>::denorm_min(),
                               std::ldexp(1.0, std::ilogb(rounded) - 52));
  return static_cast<double>(std::fabs((static_cast<long double>(value) - truth) / unit));
}

template <typename Ours, typename Truth>
double worst(Ours ours, Truth truth, double from, double to) {
  SeededBits random(2024);
  double worstUnits = 0.0;
  for (int i = 0; i < kArguments; ++i) {
    const double x = random.between(from, to);
    worstUnits = std::max(worstUnits, errorUnits(ours(x), truth(static_cast<long double>(x))));
  }
  return worstUnits;
}

/// Arguments whose exponents are spread evenly from 2^from to 2^to, of both signs.
template <typename Ours, typename Truth>
double worstOverScales(Ours ours, Truth truth, int from, int to) {
  SeededBits random(2025);
  double worstUnits = 0.0;
  for (int i = 0; i < kArguments; ++i) {
    const double x =
        std::ldexp(random.between(1.0, 2.0), from + static_cast<int>(random.below(to - from)));
    const double signedX = (random.next() & 1U) != 0 ? x : -x;
    worstUnits =
        std::max(worstUnits, errorUnits(ours(signedX), truth(static_cast<long double>(signedX))));
  }
  return worstUnits;
}

template <typename Ours, typename Truth>
void expectAngles(Ours ours, Truth truth, double bound) {
  EXPECT_LT(worst(ours, truth, -0.8, 0.8), bound);
  EXPECT_LT(worst(ours, truth, -10.0, 10.0), bound);
  EXPECT_LT(worst(ours, truth, -1e5, 1e5), bound);
  EXPECT_LT(worstOverScales(ours, truth, -1000, 0), bound);
  EXPECT_LT(worstOverScales(ours, truth, 15, 30), bound);
  // x87 reduces in 64-bit steps up to 2^63 only; glibc's long double functions go on exactly.
  EXPECT_LT(worstOverScales(ours, truth, 30, 1023), bound);
  for (int turns = 1; turns < 20'000; ++turns) {  // where the reduction cancels most
    const double x = turns * (std::numbers::pi / 2.0);
    ASSERT_LT(errorUnits(ours(x), truth(static_cast<long double>(x))), bound) << turns;
  }
  // The double nearest to a multiple of pi/2, by Kahan: 6381956970095103 * 2^797.
  const double nearest = std::ldexp(6381956970095103.0, 797);
  EXPECT_LT(errorUnits(ours(nearest), truth(static_cast<long double>(nearest))), bound);
}

TEST(Elementary, SinIsWithinOneUnit) {
  expectAngles([](double x) { return elementary::sin(x); },
               [](long double x) { return std::sin(x); }, 0.85);
}

TEST(Elementary, CosIsWithinOneUnit) {
  expectAngles([](double x) { return elementary::cos(x); },
               [](long double x) { return std::cos(x); }, 0.85);
}

TEST(Elementary, TanIsWithinOneUnit) {
  expectAngles([](double x) { return elementary::tan(x); },
               [](long double x) { return std::tan(x); }, 0.95);
}

// Of all doubles below 2^20 that are nearest to a multiple of pi/2, those for which the reduction
// in two steps alone would give another last bit.
TEST(Elementary, NearMultiplesOfAQuarterTurnTheReductionIsExact) {
  for (const int turns : {41609, 58285, 59585, 83218, 87981}) {
    const double x = turns * (std::numbers::pi / 2.0);
    const long double wide = x;
    const bool odd = turns % 2 != 0;
    const double ours = odd ? elementary::cos(x) : elementary::sin(x);
    EXPECT_LT(errorUnits(ours, odd ? std::cos(wide) : std::sin(wide)), 0.501) << turns;
  }
}

TEST(Elementary, SinCosIsSinAndCos) {
  SeededBits random(5);
  for (int i = 0; i < kArguments; ++i) {
    const double x = std::bit_cast<double>(random.next());
    const elementary::SinCos both = elementary::sinCos(x);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(both.sin),
              std::bit_cast<std::uint64_t>(elementary::sin(x)));
    ASSERT_EQ(std::bit_cast<std::uint64_t>(both.cos),
              std::bit_cast<std::uint64_t>(elementary::cos(x)));
  }
}

TEST(Elementary, AtanIsWithinOneUnit) {
  const auto ours = [](double x) { return elementary::atan(x); };
  const auto truth = [](long double x) { return std::atan(x); };
  EXPECT_LT(worst(ours, truth, -4.0, 4.0), 0.9);
  EXPECT_LT(worstOverScales(ours, truth, -1020, 1020), 0.9);
}

TEST(Elementary, AsinAndAcosAreWithinOneUnit) {
  const auto asinOurs = [](double x) { return elementary::asin(x); };
  const auto asinTruth = [](long double x) { return std::asin(x); };
  EXPECT_LT(worst(asinOurs, asinTruth, -1.0, 1.0), 0.95);
  EXPECT_LT(worst(asinOurs, asinTruth, 0.97, 1.0), 0.95);
  EXPECT_LT(worstOverScales(asinOurs, asinTruth, -1020, 0), 0.95);
  const auto acosOurs = [](double x) { return elementary::acos(x); };
  const auto acosTruth = [](long double x) { return std::acos(x); };
  EXPECT_LT(worst(acosOurs, acosTruth, -1.0, 1.0), 0.95);
  EXPECT_LT(worst(acosOurs, acosTruth, 0.999, 1.0), 0.95);
  EXPECT_LT(worstOverScales(acosOurs, acosTruth, -1020, 0), 0.95);
}

// Half a unit from the quotient comes on top of atan's.
TEST(Elementary, Atan2IsWithinOneUnitAndAHalf) {
  SeededBits random(77);
  double units = 0.0;
  for (int i = 0; i < kArguments; ++i) {
    const double y = random.between(-3.0, 3.0);
    const double x = random.between(-3.0, 3.0);
    const long double truth = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
    units = std::max(units, errorUnits(elementary::atan2(y, x), truth));
  }
  EXPECT_LT(units, 1.5);
}

TEST(Elementary, ExpLogAndCbrtAreWithinOneUnit) {
  const auto expOurs = [](double x) { return elementary::exp(x); };
  const auto expTruth = [](long double x) { return std::exp(x); };
  EXPECT_LT(worst(expOurs, expTruth, -1.0, 1.0), 0.95);
  EXPECT_LT(worst(expOurs, expTruth, -708.0, 709.0), 0.95);
  EXPECT_LT(worst(expOurs, expTruth, -745.0, -708.0), 1.0);  // denormal results
  const auto logOurs = [](double x) { return elementary::log(x); };
  const auto logTruth = [](long double x) { return std::log(x); };
  EXPECT_LT(worst(logOurs, logTruth, 0.5, 2.0), 0.95);
  EXPECT_LT(worst(logOurs, logTruth, 0.0, 1e6), 0.95);
  SeededBits random(31);
  double units = 0.0;
  for (int i = 0; i < kArguments; ++i) {  // every positive pattern, denormals included
    const double x = std::bit_cast<double>(random.next() % 0x7ff0000000000000U);
    units = std::max(units, errorUnits(elementary::log(x), std::log(static_cast<long double>(x))));
  }
  EXPECT_LT(units, 0.95);
  const auto cbrtOurs = [](double x) { return elementary::cbrt(x); };
  const auto cbrtTruth = [](long double x) { return std::cbrt(x); };
  EXPECT_LT(worst(cbrtOurs, cbrtTruth, -10.0, 10.0), 0.7);
  EXPECT_LT(worstOverScales(cbrtOurs, cbrtTruth, -1074, 1023), 0.7);
}

template <typename A, typename B>
void expectSame(A a, B b) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(double{a}), std::bit_cast<std::uint64_t>(double{b}))
      << a << " is not " << b;
}

TEST(Elementary, SpecialArguments) {
  using namespace tactus::models;
  for (const double zero : {0.0, -0.0}) {
    expectSame(elementary::sin(zero), zero);
    expectSame(elementary::tan(zero), zero);
    expectSame(elementary::asin(zero), zero);
    expectSame(elementary::atan(zero), zero);
    expectSame(elementary::cbrt(zero), zero);
    expectSame(elementary::cos(zero), 1.0);
    expectSame(elementary::exp(zero), 1.0);
    expectSame(elementary::log(zero), -kInfinity);
  }
  const double denormal = std::numeric_limits<double>::denorm_min();
  expectSame(elementary::sin(-denormal), -denormal);
  expectSame(elementary::tan(denormal), denormal);
  for (const double x : {kInfinity, -kInfinity, kNaN, -kNaN}) {
    expectSame(elementary::sin(x), kNaN);
    expectSame(elementary::cos(x), kNaN);
    expectSame(elementary::tan(x), kNaN);
    expectSame(elementary::asin(x), kNaN);
    expectSame(elementary::acos(x), kNaN);
  }
  expectSame(elementary::acos(1.0), 0.0);
  expectSame(elementary::acos(-1.0), std::numbers::pi);
  expectSame(elementary::asin(1.0), std::numbers::pi / 2.0);
  expectSame(elementary::asin(1.0000000000000002), kNaN);
  expectSame(elementary::atan(-kInfinity), -std::numbers::pi / 2.0);
  expectSame(elementary::exp(kInfinity), kInfinity);
  expectSame(elementary::exp(-kInfinity), 0.0);
  expectSame(elementary::exp(710.0), kInfinity);
  expectSame(elementary::exp(-746.0), 0.0);
  expectSame(elementary::exp(-kNaN), kNaN);
  expectSame(elementary::log(1.0), 0.0);
  expectSame(elementary::log(-1.0), kNaN);
  expectSame(elementary::log(kInfinity), kInfinity);
  expectSame(elementary::cbrt(-27.0), -3.0);
  expectSame(elementary::cbrt(-kInfinity), -kInfinity);
}

TEST(Elementary, Atan2OfEveryQuadrantAndOfSpecialArguments) {
  constexpr double kPi = std::numbers::pi;
  const double specials[] = {0.0, -0.0, 1.0, -1.0, kInfinity, -kInfinity, 1e300, -1e-300};
  for (const double y : specials) {
    for (const double x : specials) {
      const long double truth =
          std::atan2(static_cast<long double>(y), static_cast<long double>(x));
      const double ours = elementary::atan2(y, x);
      EXPECT_LT(errorUnits(ours, truth), 1.5) << y << ' ' << x;
      EXPECT_EQ(std::signbit(ours), std::signbit(truth)) << y << ' ' << x;
    }
  }
  expectSame(elementary::atan2(0.0, -1.0), kPi);
  expectSame(elementary::atan2(-0.0, -1.0), -kPi);
  expectSame(elementary::atan2(kNaN, 1.0), kNaN);
  expectSame(elementary::atan2(1.0, -kNaN), kNaN);
}

// The bytes of a million results. A change of this number is a change of every built-in model: it
// must be the same at any optimisation level and for any -march, and is never adapted to a machine.
TEST(Elementary, SameBytesEverywhere) {
  SeededBits random(1);
  BytesHash hash;
  for (int i = 0; i < 250'000; ++i) {
    const double small = random.between(-7.0, 7.0);
    const double unit = random.between(-1.0, 1.0);
    const double any = std::bit_cast<double>(random.next());
    const double scaled = std::bit_cast<double>(random.next() % 0x7ff0000000000000U);
    for (const double x : {small, unit, any, scaled}) {
      hash.add(elementary::sin(x));
      hash.add(elementary::cos(x));
      hash.add(elementary::tan(x));
      hash.add(elementary::asin(x));
      hash.add(elementary::acos(x));
      hash.add(elementary::atan(x));
      hash.add(elementary::atan2(x, small));
      hash.add(elementary::exp(x));
      hash.add(elementary::log(x));
      hash.add(elementary::cbrt(x));
    }
  }
  EXPECT_EQ(hash.value(), 6109262512442698654U);
}

}  // namespace
