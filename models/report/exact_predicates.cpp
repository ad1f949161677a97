#include "models/report/exact_predicates.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tactus::models {
namespace {

// Half a unit in the last place of 1, and Shewchuk's bounds of stage A as parts of the permanent
// (1997, figures 21 and 23): a determinant larger than that has the right sign.
constexpr double kEpsilon = 1.0 / 9007199254740992.0;  // 2^-53
constexpr double kBound2d = (3.0 + 16.0 * kEpsilon) * kEpsilon;
constexpr double kBound3d = (7.0 + 56.0 * kEpsilon) * kEpsilon;

/// A number as an exact sum of doubles that do not overlap, ascending, without zeros.
template <std::size_t Capacity>
struct Expansion {
  std::array<double, Capacity> terms;
  std::size_t count = 0;

  void append(double term) noexcept {
    if (term != 0.0) terms[count++] = term;
  }
  /// The largest term is larger than all others together.
  [[nodiscard]] int sign() const noexcept {
    if (count == 0) return 0;
    return terms[count - 1] > 0.0 ? 1 : -1;
  }
};

/// A rounded result and exactly what the rounding lost.
struct Rounded {
  double value, lost;
};

Rounded addExactly(double a, double b) noexcept {  // Knuth
  const double value = a + b;
  const double bVirtual = value - a;
  const double aVirtual = value - bVirtual;
  return {value, (a - aVirtual) + (b - bVirtual)};
}

Rounded splitInHalves(double a) noexcept {   // Veltkamp
  constexpr double kSplitter = 134217729.0;  // 2^27 + 1
  const double c = kSplitter * a;
  const double high = c - (c - a);
  return {high, a - high};
}

Rounded multiplyExactly(double a, double b) noexcept {  // Dekker
  const double value = a * b;
  const Rounded x = splitInHalves(a);
  const Rounded y = splitInHalves(b);
  const double error = ((value - x.value * y.value) - x.lost * y.value) - x.value * y.lost;
  return {value, x.lost * y.lost - error};
}

Expansion<2> difference(double a, double b) noexcept {
  const Rounded d = addExactly(a, -b);
  Expansion<2> result;
  result.append(d.lost);
  result.append(d.value);
  return result;
}

/// Shewchuk's fast expansion sum: merges by magnitude and carries the running sum through.
template <std::size_t N, std::size_t M>
Expansion<N + M> sum(const Expansion<N>& e, const Expansion<M>& f) noexcept {
  Expansion<N + M> result;
  double carried = 0.0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < e.count || j < f.count) {
    const bool takeE =
        j == f.count || (i < e.count && std::fabs(e.terms[i]) < std::fabs(f.terms[j]));
    const Rounded s = addExactly(carried, takeE ? e.terms[i++] : f.terms[j++]);
    result.append(s.lost);
    carried = s.value;
  }
  result.append(carried);
  return result;
}

template <std::size_t N>
Expansion<N> negated(Expansion<N> e) noexcept {
  for (std::size_t i = 0; i < e.count; ++i)
    e.terms[i] = -e.terms[i];
  return e;
}

/// Shewchuk's scale expansion.
template <std::size_t N>
Expansion<2 * N> scaled(const Expansion<N>& e, double factor) noexcept {
  Expansion<2 * N> result;
  double carried = 0.0;
  for (std::size_t i = 0; i < e.count; ++i) {
    const Rounded product = multiplyExactly(e.terms[i], factor);
    const Rounded low = addExactly(carried, product.lost);
    const Rounded high = addExactly(product.value, low.value);
    result.append(low.lost);
    result.append(high.lost);
    carried = high.value;
  }
  result.append(carried);
  return result;
}

template <std::size_t N>
Expansion<4 * N> product(const Expansion<N>& e, const Expansion<2>& f) noexcept {
  // an empty expansion is zero, and so is anything scaled by zero
  const Expansion<2 * N> low = scaled(e, f.count > 0 ? f.terms[0] : 0.0);
  const Expansion<2 * N> high = scaled(e, f.count > 1 ? f.terms[1] : 0.0);
  return sum(low, high);
}

/// a * d - b * c
Expansion<16> minor(const Expansion<2>& a, const Expansion<2>& b, const Expansion<2>& c,
                    const Expansion<2>& d) noexcept {
  return sum(product(a, d), negated(product(b, c)));
}

int exactOrient2d(const Eigen::Vector2d& a, const Eigen::Vector2d& b,
                  const Eigen::Vector2d& c) noexcept {
  return minor(difference(b.x(), a.x()), difference(b.y(), a.y()), difference(c.x(), a.x()),
               difference(c.y(), a.y()))
      .sign();
}

__extension__ using Wide = __int128;

/// Brings nine exact numbers to whole ones of at most 40 bits and a sign, by a power of two; then a
/// determinant of them is below 6 * 2^120. Returns whether that is possible without loss.
bool toWhole(const std::array<double, 9>& numbers, std::array<std::int64_t, 9>& whole) noexcept {
  constexpr int kBits = 40;
  double largest = 0.0;
  for (const double x : numbers)
    largest = std::max(largest, std::fabs(x));
  if (largest == 0.0) return false;
  // 2^(kBits - 1 - exponent of the largest), put together from bits; differences of floats are
  // normal doubles, whose exponents stay far from the ends
  const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(largest) >> 52U) - 1023;
  const auto scale =
      std::bit_cast<double>(static_cast<std::uint64_t>(kBits - 1 - exponent + 1023) << 52U);
  for (std::size_t i = 0; i < 9; ++i) {
    const double scaled = numbers[i] * scale;
    whole[i] = static_cast<std::int64_t>(scaled);
    if (static_cast<double>(whole[i]) != scaled) return false;
  }
  return true;
}

int signOfDeterminant(const std::array<std::int64_t, 9>& m) noexcept {
  const auto minor = [&](std::size_t y, std::size_t z) {
    return Wide{m[y]} * m[3 + z] - Wide{m[z]} * m[3 + y];
  };
  const Wide determinant = minor(1, 2) * m[6] + minor(2, 0) * m[7] + minor(0, 1) * m[8];
  return determinant > 0 ? 1 : determinant < 0 ? -1 : 0;
}

int exactOrient3d(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                  const Eigen::Vector3d& d) noexcept {
  std::array<std::array<Expansion<2>, 3>, 3> edge;  // of b, c, d from a
  std::array<double, 9> rounded{};
  bool isRounded = false;
  const std::array<const Eigen::Vector3d*, 3> ends{&b, &c, &d};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<Eigen::Index>(axis);
      edge[row][axis] = difference((*ends[row])[k], a[k]);
      rounded[3 * row + axis] = (*ends[row])[k] - a[k];
      isRounded = isRounded || edge[row][axis].count > 1;
    }
  }
  // Neighbouring triangles in a plane come here all the time, and their differences are short:
  // whole numbers decide four times as fast as expansions (2025-11)
  std::array<std::int64_t, 9> whole{};
  if (!isRounded && toWhole(rounded, whole)) return signOfDeterminant(whole);
  // developed along d, as the rounded determinant below is
  const auto cofactor = [&](std::size_t y, std::size_t z) {
    return minor(edge[0][y], edge[0][z], edge[1][y], edge[1][z]);
  };
  return sum(sum(product(cofactor(1, 2), edge[2][0]), product(cofactor(2, 0), edge[2][1])),
             product(cofactor(0, 1), edge[2][2]))
      .sign();
}

}  // namespace

int orient2d(const Eigen::Vector2d& a, const Eigen::Vector2d& b,
             const Eigen::Vector2d& c) noexcept {
  const double left = (b.x() - a.x()) * (c.y() - a.y());
  const double right = (b.y() - a.y()) * (c.x() - a.x());
  const double determinant = left - right;
  const double bound = kBound2d * (std::fabs(left) + std::fabs(right));
  if (determinant > bound) return 1;
  if (-determinant > bound) return -1;
  if (bound == 0.0) return 0;  // both products are zero, and exactly so
  return exactOrient2d(a, b, c);
}

int orient3d(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
             const Eigen::Vector3d& d) noexcept {
  const Eigen::Vector3d u = b - a;
  const Eigen::Vector3d v = c - a;
  const Eigen::Vector3d w = d - a;
  const double yz = u.y() * v.z();
  const double zy = u.z() * v.y();
  const double zx = u.z() * v.x();
  const double xz = u.x() * v.z();
  const double xy = u.x() * v.y();
  const double yx = u.y() * v.x();
  const double determinant = (yz - zy) * w.x() + (zx - xz) * w.y() + (xy - yx) * w.z();
  const double permanent = (std::fabs(yz) + std::fabs(zy)) * std::fabs(w.x()) +
                           (std::fabs(zx) + std::fabs(xz)) * std::fabs(w.y()) +
                           (std::fabs(xy) + std::fabs(yx)) * std::fabs(w.z());
  const double bound = kBound3d * permanent;
  if (determinant > bound) return 1;
  if (-determinant > bound) return -1;
  if (bound == 0.0) return 0;  // every product is zero, and exactly so
  return exactOrient3d(a, b, c, d);
}

int projectionAxis(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                   const Eigen::Vector3d& c) noexcept {
  for (int axis = 0; axis < 3; ++axis) {
    if (orient2d(dropAxis(a, axis), dropAxis(b, axis), dropAxis(c, axis)) != 0) return axis;
  }
  return -1;
}

}  // namespace tactus::models
