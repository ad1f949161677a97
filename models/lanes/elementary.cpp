// The polynomials and the cuts between them are those of FDLIBM:
//   Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//   Developed at SunPro, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and
//   distribute this software is freely granted, provided that this notice is preserved.
//
// sin, cos, tan:  x = n pi/2 + (r + rest), |r| <= pi/4, then a polynomial in r for each quarter
// turn atan:           atan x = atan c + atan((x - c) / (1 + c x)), c of 0, 1/2, 1, 3/2, infinity
// asin, acos:     a rational function below 1/2; above, asin x = pi/2 - 2 asin sqrt((1 - x) / 2)
// exp:            x = k ln 2 + r, exp x = 2^k (1 + 2 r / (2 - r + r^2 P(r^2)))
// log:            x = 2^k (1 + f), s = f / (2 + f), log(1 + f) = f - s (f - R(s^2))
//
// In every sum of a large and a small term the order is chosen for its rounding. Do not tidy it up.
#include "models/lanes/elementary.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tactus::models::elementary {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// pi as a double and what is missing to pi; halves and quarters of both are exact.
constexpr double kPi = 0x1.921fb54442d18p+1;
constexpr double kPiRest = 0x1.1a62633145c07p-53;
constexpr double kHalfPi = kPi / 2.0;
constexpr double kHalfPiRest = kPiRest / 2.0;
constexpr double kQuarterPi = kPi / 4.0;
constexpr double kQuarterPiRest = kPiRest / 4.0;

// Below it x^3 is less than half a unit in the last place of x, so sin x = tan x = atan x = x.
// Taking x itself also keeps the sign of zero, and all of a denormal number.
constexpr double kTiny = 0x1p-27;

constexpr double horner(double, double last) {
  return last;
}

template <typename... More>
constexpr double horner(double x, double first, More... more) {
  return first + x * horner(x, more...);
}

/// The upper 21 bits of the mantissa: products of two such numbers are exact.
double upperHalf(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0xffffffff00000000U);
}

/// 2^exponent for -1022 <= exponent <= 1023.
double powerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

int exponentOf(double x) {
  return static_cast<int>((std::bit_cast<std::uint64_t>(x) >> 52U) & 0x7ffU) - 1023;
}

// ---- angles -----------------------------------------------------------------------------------

/// x = quarterTurns * pi/2 + value + rest (modulo a full turn), |value| <= pi/4 and a little.
struct ReducedAngle {
  double value = 0.0, rest = 0.0;
  unsigned quarterTurns = 0;
};

// 2/pi, after 64 zero bits that stand for its places before the binary point. The largest double
// has its last bit at 2^971, so 64 + 970 + 192 bits are read at most.
constexpr std::array<std::uint32_t, 40> kTwoOverPi = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

using Digits = std::array<std::uint32_t, 6>;  // 192 bits, the lowest first

/// Adds factor * (a shifted up by `shift` digits) to `sum`, modulo 2^192.
void addProduct(Digits& sum, const Digits& a, std::uint32_t factor, std::size_t shift) {
  std::uint64_t carry = 0;
  for (std::size_t i = shift; i < sum.size(); ++i) {
    carry += sum[i] + std::uint64_t{a[i - shift]} * factor;
    sum[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32U;
  }
}

/// Reduction in integers, for any finite |x| >= 2^-10. With x = m 2^e, places of 2/pi that make
/// whole turns of x are left out and 192 bits follow: the product is x 2/pi modulo 4, scaled by
/// 2^190. The places not read are worth less than 2^53 of its last one, so 137 bits of the fraction
/// hold; no double is nearer than 2^-62 to a multiple of pi/2, which leaves 75 for the result.
ReducedAngle reduceExactly(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t mantissa = (bits & 0xfffffffffffffU) | 0x10000000000000U;
  const int firstPlace = exponentOf(x) - 52 - 1;  // worth 2 quarter turns per unit of the mantissa
  const auto firstBit = static_cast<unsigned>(firstPlace + 63);

  Digits window;
  const std::size_t digit = firstBit / 32;
  const unsigned offset = firstBit % 32;
  for (std::size_t i = 0; i < window.size(); ++i) {
    const std::uint64_t pair = (std::uint64_t{kTwoOverPi[digit + i]} << 32U) |
                               (digit + i + 1 < kTwoOverPi.size() ? kTwoOverPi[digit + i + 1] : 0U);
    window[5 - i] = static_cast<std::uint32_t>(pair >> (32U - offset));
  }
  Digits turn{};
  addProduct(turn, window, static_cast<std::uint32_t>(mantissa), 0);
  addProduct(turn, window, static_cast<std::uint32_t>(mantissa >> 32U), 1);

  // The fraction is rounded to nearest: from one half on it is taken from the next quarter turn.
  ReducedAngle angle;
  angle.quarterTurns = turn[5] >> 30U;
  const bool fromAbove = (turn[5] & 0x20000000U) != 0;
  if (fromAbove) {
    ++angle.quarterTurns;
    for (std::uint32_t& part : turn)
      part = ~part;  // less than the true value by 2^-190 only
  }
  turn[5] &= 0x3fffffffU;

  // The leading 53 bits and the 59 after them, each exact as a double.
  std::size_t top = 5;
  while (top > 2 && turn[top] == 0)
    --top;
  const std::uint64_t upper = (std::uint64_t{turn[top]} << 32U) | turn[top - 1];
  const std::uint64_t lower = top > 2 ? (std::uint64_t{turn[top - 2]} << 32U) | turn[top - 3]
                                      : std::uint64_t{turn[0]} << 32U;
  const auto zeros = static_cast<unsigned>(std::countl_zero(upper));
  const std::uint64_t high = zeros == 0 ? upper : (upper << zeros) | (lower >> (64U - zeros));
  const std::uint64_t low = lower << zeros;
  const double scale = powerOfTwo(static_cast<int>(32 * (top + 1)) - static_cast<int>(zeros) - 254);
  const double first = static_cast<double>(high >> 11U) * 0x1p11 * scale;
  const double second =
      (static_cast<double>(high & 0x7ffU) + static_cast<double>(low >> 16U) * 0x1p-48) * scale;

  // Times pi/2 in two doubles; what the leading product rounds off is known to 2^-95 (Dekker).
  const double product = first * kHalfPi;
  const double a = upperHalf(first);
  const double b = upperHalf(kHalfPi);
  const double error =
      ((a * b - product) + a * (kHalfPi - b) + (first - a) * b) + (first - a) * (kHalfPi - b);
  const double tail = error + (first * kHalfPiRest + second * kHalfPi);
  angle.value = product + tail;
  angle.rest = (product - angle.value) + tail;
  if (fromAbove != (x < 0.0)) {
    angle.value = -angle.value;
    angle.rest = -angle.rest;
  }
  if (x < 0.0) angle.quarterTurns = 0U - angle.quarterTurns;
  angle.quarterTurns &= 3U;
  return angle;
}

ReducedAngle reduce(double x) {
  if (std::fabs(x) <= kQuarterPi) return {x, 0.0, 0U};

  // Two steps of Cody and Waite: pi/2 in 33 + 33 + 53 bits, so that the first two products with a
  // count of at most 20 bits are exact. What is missing to pi/2 is 2^-120, times 2^20 turns.
  constexpr double kFewTurns = 0x1p20;
  constexpr double kPart1 = 1.57079632673412561417e+00;
  constexpr double kPart2 = 6.07710050630396597660e-11;
  constexpr double kPart3 = 2.02226624879595063154e-21;
  if (std::fabs(x) < kFewTurns) {
    const double turns = std::floor(x * (2.0 / kPi) + 0.5);
    const double coarse = x - turns * kPart1;
    const double product = turns * kPart2;
    const double fine = coarse - product;
    const double rest = turns * kPart3 - ((coarse - fine) - product);
    const double value = fine - rest;
    // Near a multiple of pi/2 the error of 2^-100 would show beside so small a value.
    if (std::fabs(value) > 0x1p-30) {
      return {value, (fine - value) - rest,
              static_cast<unsigned>(static_cast<std::int64_t>(turns)) & 3U};
    }
  }
  return reduceExactly(x);
}

/// sin(x + rest), |x| <= pi/4
double sinNearZero(double x, double rest) {
  if (std::fabs(x) < kTiny) return x;
  const double z = x * x;
  const double r =
      horner(z, 8.33333333332248946124e-03, -1.98412698298579493134e-04, 2.75573137070700676789e-06,
             -2.50507602534068634195e-08, 1.58969099521155010221e-10);
  const double v = z * x;
  return x - ((z * (0.5 * rest - v * r) - rest) - v * -1.66666666666666324348e-01);
}

/// cos(x + rest), |x| <= pi/4
double cosNearZero(double x, double rest) {
  const double z = x * x;
  const double r =
      horner(z, 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
             -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11);
  const double half = 0.5 * z;
  const double w = 1.0 - half;
  return w + (((1.0 - w) - half) + (z * (z * r) - x * rest));
}

/// tan(x + rest), or -1/tan(x + rest) for an odd number of quarter turns; |x| <= pi/4
double tanNearZero(double x, double rest, bool odd) {
  if (!odd && std::fabs(x) < kTiny) return x;
  // From 0.67434 on by the tangent of pi/4 - |x|, because the polynomial ends there.
  const bool far = std::fabs(x) >= 0.67434;
  const bool negative = x < 0.0;
  if (far) {
    if (negative) {
      x = -x;
      rest = -rest;
    }
    x = (kQuarterPi - x) + (kQuarterPiRest - rest);
    rest = 0.0;
  }
  const double z = x * x;
  const double w = z * z;
  const double odds =
      horner(w, 1.33333333333201242699e-01, 2.18694882948595424599e-02, 3.59207910759131235356e-03,
             5.88041240820264096874e-04, 7.81794442939557092300e-05, -1.85586374855275456654e-05);
  const double evens = z * horner(w, 5.39682539762260521377e-02, 8.86323982359930005737e-03,
                                  1.45620945432529025516e-03, 2.46463134818469906812e-04,
                                  7.14072491382608190305e-05, 2.59073051863633712884e-05);
  const double s = z * x;
  const double r = rest + z * (s * (odds + evens) + rest) + s * 3.33333333333334091986e-01;
  const double tangent = x + r;
  if (far) {
    const double sign = odd ? -1.0 : 1.0;
    const double v = sign - 2.0 * (x + (r - tangent * tangent / (tangent + sign)));
    return negative ? -v : v;
  }
  if (!odd) return tangent;
  // -1 / tangent alone would be off by 2 units: one Newton step with the tangent in two halves.
  const double upper = upperHalf(tangent);
  const double lower = r - (upper - x);
  const double reciprocal = -1.0 / tangent;
  const double guess = upperHalf(reciprocal);
  return guess + reciprocal * (1.0 + guess * upper + guess * lower);
}

double sinOf(const ReducedAngle& angle) {
  const double s = (angle.quarterTurns & 1U) != 0 ? cosNearZero(angle.value, angle.rest)
                                                  : sinNearZero(angle.value, angle.rest);
  return (angle.quarterTurns & 2U) != 0 ? -s : s;
}

double cosOf(const ReducedAngle& angle) {
  const double c = (angle.quarterTurns & 1U) != 0 ? sinNearZero(angle.value, angle.rest)
                                                  : cosNearZero(angle.value, angle.rest);
  return ((angle.quarterTurns + 1U) & 2U) != 0 ? -c : c;
}

/// (asin(x) - x) / x of z = x^2, |x| <= 1/2
double arcRatio(double z) {
  const double p = z * horner(z, 1.66666666666666657415e-01, -3.25565818622400915405e-01,
                              2.01212532134862925881e-01, -4.00555345006794114027e-02,
                              7.91534994289814532176e-04, 3.47933107596021167570e-05);
  const double q = horner(z, 1.0, -2.40339491173441421878e+00, 2.02094576023350569471e+00,
                          -6.88283971605453293030e-01, 7.70381505559019352791e-02);
  return p / q;
}

}  // namespace

double sin(double x) noexcept {
  return std::isfinite(x) ? sinOf(reduce(x)) : kNaN;
}

double cos(double x) noexcept {
  return std::isfinite(x) ? cosOf(reduce(x)) : kNaN;
}

SinCos sinCos(double x) noexcept {
  if (!std::isfinite(x)) return {kNaN, kNaN};
  const ReducedAngle angle = reduce(x);
  return {sinOf(angle), cosOf(angle)};
}

double tan(double x) noexcept {
  if (!std::isfinite(x)) return kNaN;
  const ReducedAngle angle = reduce(x);
  return tanNearZero(angle.value, angle.rest, (angle.quarterTurns & 1U) != 0);
}

double atan(double x) noexcept {
  if (std::isnan(x)) return kNaN;
  const double size = std::fabs(x);
  if (size < kTiny) return x;
  if (size >= 0x1p66) return x < 0.0 ? -kHalfPi : kHalfPi;

  // base + baseRest = atan c to twice the precision, t = (size - c) / (1 + c size)
  double base = 0.0;
  double baseRest = 0.0;
  double t = size;
  if (size >= 2.4375) {
    base = kHalfPi;
    baseRest = kHalfPiRest;
    t = -1.0 / size;
  } else if (size >= 1.1875) {
    base = 9.82793723247329054082e-01;
    baseRest = 1.39033110312309984516e-17;
    t = (size - 1.5) / (1.0 + 1.5 * size);
  } else if (size >= 0.6875) {
    base = kQuarterPi;
    baseRest = kQuarterPiRest;
    t = (size - 1.0) / (size + 1.0);
  } else if (size >= 0.4375) {
    base = 4.63647609000806093515e-01;
    baseRest = 2.26987774529616870924e-17;
    t = (2.0 * size - 1.0) / (2.0 + size);
  }
  const double z = t * t;
  const double w = z * z;
  const double evens = z * horner(w, 3.33333333333329318027e-01, 1.42857142725034663711e-01,
                                  9.09088713343650656196e-02, 6.66107313738753120669e-02,
                                  4.97687799461593236017e-02, 1.62858201153657823623e-02);
  const double odds = w * horner(w, -1.99999999998764832476e-01, -1.11111104054623557880e-01,
                                 -7.69187620504482999495e-02, -5.83357013379057348645e-02,
                                 -3.65315727442169155270e-02);
  const double angle =
      size < 0.4375 ? t - t * (evens + odds) : base - ((t * (evens + odds) - baseRest) - t);
  return x < 0.0 ? -angle : angle;
}

double atan2(double y, double x) noexcept {
  if (std::isnan(x) || std::isnan(y)) return kNaN;
  const bool left = std::signbit(x);
  double angle = 0.0;  // of (|x|, |y|) first
  if (y == 0.0) {
    angle = left ? kPi : 0.0;
  } else if (std::isinf(x) && std::isinf(y)) {
    angle = left ? 3.0 * kQuarterPi : kQuarterPi;
  } else {
    angle = x == 0.0 ? kHalfPi : atan(std::fabs(y / x));
    if (left) angle = kPi - (angle - kPiRest);
  }
  return std::signbit(y) ? -angle : angle;
}

double asin(double x) noexcept {
  const double size = std::fabs(x);
  if (!(size <= 1.0)) return kNaN;
  if (size < kTiny) return x;
  if (size < 0.5) return x + x * arcRatio(x * x);
  const double z = (1.0 - size) * 0.5;
  const double s = std::sqrt(z);
  const double r = arcRatio(z);
  double angle = 0.0;
  if (size >= 0.975) {
    angle = kHalfPi - (2.0 * (s + s * r) - kHalfPiRest);
  } else {
    const double f = upperHalf(s);
    const double c = (z - f * f) / (s + f);
    angle = kQuarterPi - (2.0 * s * r - (kHalfPiRest - 2.0 * c) - (kQuarterPi - 2.0 * f));
  }
  return x < 0.0 ? -angle : angle;
}

double acos(double x) noexcept {
  if (!(std::fabs(x) <= 1.0)) return kNaN;
  if (std::fabs(x) < 0.5) return kHalfPi - (x - (kHalfPiRest - x * arcRatio(x * x)));
  const double z = (1.0 - std::fabs(x)) * 0.5;
  const double s = std::sqrt(z);
  const double r = arcRatio(z);
  if (x < 0.0) return 2.0 * (kHalfPi - (s + (r * s - kHalfPiRest)));
  if (s == 0.0) return 0.0;
  const double f = upperHalf(s);
  const double c = (z - f * f) / (s + f);
  return 2.0 * (f + (r * s + c));
}

double exp(double x) noexcept {
  if (std::isnan(x)) return kNaN;
  if (x > 709.782712893383973096) return kInfinity;
  if (x < -745.13321910194110842) return 0.0;
  constexpr double kLn2Upper = 6.93147180369123816490e-01;  // 32 bits: k times it is exact
  constexpr double kLn2Lower = 1.90821492927058770002e-10;
  const double k = std::floor(x * 1.44269504088896338700e+00 + 0.5);
  const double upper = x - k * kLn2Upper;
  const double lower = k * kLn2Lower;
  const double r = upper - lower;
  const double z = r * r;
  const double c = r - z * horner(z, 1.66666666666666019037e-01, -2.77777777770155933842e-03,
                                  6.61375632143793436117e-05, -1.65339022054652515390e-06,
                                  4.13813679705723846039e-08);
  const double y = 1.0 + (r * c / (2.0 - c) - lower + upper);
  // In two steps, because 2^k may be beyond a double; only the second one can round.
  const int exponent = static_cast<int>(k);
  return y * powerOfTwo(exponent / 2) * powerOfTwo(exponent - exponent / 2);
}

double log(double x) noexcept {
  if (std::isnan(x) || x < 0.0) return kNaN;
  if (x == 0.0) return -kInfinity;
  if (std::isinf(x)) return kInfinity;
  int shift = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    shift = -54;
  }
  // x = 2^k m with m in [sqrt(1/2), sqrt(2)), cut at the upper half of sqrt(1/2)
  constexpr std::uint64_t kRootHalf = 0x3fe6a09e00000000U;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) + (0x3ff0000000000000U - kRootHalf);
  const double k = static_cast<int>(bits >> 52U) - 1023 + shift;
  const double m = std::bit_cast<double>((bits & 0xfffffffffffffU) + kRootHalf);

  const double f = m - 1.0;
  const double half = 0.5 * f * f;
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double w = z * z;
  const double odds =
      w * horner(w, 3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01);
  const double evens = z * horner(w, 6.666666666666735130e-01, 2.857142874366239149e-01,
                                  1.818357216161805012e-01, 1.479819860511658591e-01);
  return s * (half + (evens + odds)) + k * 1.90821492927058770002e-10 - half + f +
         k * 6.93147180369123816490e-01;
}

double cbrt(double x) noexcept {
  if (std::isnan(x)) return kNaN;
  if (x == 0.0 || std::isinf(x)) return x;
  const double size = std::fabs(x);
  // A third of the exponent, to 5 bits; the constants carry the bias and the mean of the mantissa.
  const bool denormal = size < std::numeric_limits<double>::min();
  const std::uint64_t upper = std::bit_cast<std::uint64_t>(denormal ? size * 0x1p54 : size) >> 32U;
  const std::uint64_t guess = upper / 3 + (denormal ? 696219795U : 715094163U);
  double t = std::bit_cast<double>(guess << 32U);
  // To 23 bits by a polynomial, cut there so that t * t is exact, then one Newton step.
  const double r = (t * t) * (t / size);
  t = t * (horner(r, 1.87595182427177009643, -1.88497979543377169875, 1.621429720105354466140) +
           ((r * r) * r) * horner(r, -0.758397934778766047437, 0.145996192886612446982));
  t = std::bit_cast<double>((std::bit_cast<std::uint64_t>(t) + 0x80000000U) & 0xffffffffc0000000U);
  const double quotient = size / (t * t);
  t = t + t * ((quotient - t) / (t + t + quotient));
  return x < 0.0 ? -t : t;
}

}  // namespace tactus::models::elementary
