#pragma once

/// Elementary functions that give the same bytes on every machine.
///
/// libm differs between versions and picks other code on a processor with FMA, so a model made with
/// it would have other vertices elsewhere. These use + - * / and square root, which IEEE 754 rounds
/// in one way only, and integers. Everything that makes geometry calls them and not libm.
///
/// Source: FDLIBM 5.3, Sun Microsystems, 1993 (minimax polynomials and their cuts), cbrt after
/// B. Rao and D. Evans in FreeBSD's msun; reduction of large angles after M. Payne and R. Hanek,
/// "Radian reduction for trigonometric functions", 1983.
/// How ours differs: one exact reduction in 192-bit integers serves all angles that the two-step
/// one of Cody and Waite cannot, in place of FDLIBM's three-step and 24-bit ones.
///
/// Every finite argument is allowed, angles up to 1.8e308 included. The largest errors seen over
/// millions of arguments against an 80-bit libm, in units of the last place, are asserted in
/// tests/models/lanes: below 1, atan2 below 1.5. A NaN, or an argument outside the domain, gives
/// the one NaN of std::numeric_limits, never another bit pattern. Rounding mode: to nearest, the
/// default.
namespace tactus::models::elementary {

struct SinCos {
  double sin = 0.0, cos = 1.0;
};

[[nodiscard]] double sin(double x) noexcept;  ///< x [rad]; NaN for an infinite one
[[nodiscard]] double cos(double x) noexcept;  ///< x [rad]; NaN for an infinite one
[[nodiscard]] SinCos sinCos(
    double x) noexcept;                       ///< the bytes of sin(x) and cos(x), for one reduction
[[nodiscard]] double tan(double x) noexcept;  ///< x [rad]; NaN for an infinite one

[[nodiscard]] double asin(double x) noexcept;  ///< in [-pi/2, pi/2]; NaN outside [-1, 1]
[[nodiscard]] double acos(double x) noexcept;  ///< in [0, pi]; NaN outside [-1, 1]
[[nodiscard]] double atan(double x) noexcept;  ///< in [-pi/2, pi/2]

/// Angle of (x, y) from the x axis, in [-pi, pi]. Zeros and infinities as IEEE 754 has them:
/// atan2(-0, -1) = -pi, atan2(0, 0) = 0, atan2(inf, inf) = pi/4.
[[nodiscard]] double atan2(double y, double x) noexcept;

[[nodiscard]] double exp(double x) noexcept;   ///< infinite above 709.78, 0 below -745.13
[[nodiscard]] double log(double x) noexcept;   ///< natural; -infinite at 0, NaN below
[[nodiscard]] double cbrt(double x) noexcept;  ///< of either sign

}  // namespace tactus::models::elementary
