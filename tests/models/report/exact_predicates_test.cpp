#include "models/report/exact_predicates.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "tests/models/test_meshes.hpp"

namespace tactus::models {
namespace {

using test::Random;
__extension__ using Wide = __int128;
using Whole = std::array<std::int64_t, 3>;

int signOf(Wide number) {
  return number > 0 ? 1 : number < 0 ? -1 : 0;
}

Wide turn(const Whole& a, const Whole& b, const Whole& c) {
  return Wide{b[0] - a[0]} * (c[1] - a[1]) - Wide{b[1] - a[1]} * (c[0] - a[0]);
}

/// Sum over the six permutations, in whole numbers: below 2^38 nothing overflows.
Wide volume(const Whole& a, const Whole& b, const Whole& c, const Whole& d) {
  std::array<std::array<std::int64_t, 3>, 3> m{};
  for (std::size_t k = 0; k < 3; ++k) {
    m[0][k] = b[k] - a[k];
    m[1][k] = c[k] - a[k];
    m[2][k] = d[k] - a[k];
  }
  Wide sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const std::size_t k = (i + 2) % 3;
    sum += Wide{m[0][i]} * m[1][j] * m[2][k] - Wide{m[0][i]} * m[1][k] * m[2][j];
  }
  return sum;
}

Eigen::Vector3d point(const Whole& p, double unit) {
  return {static_cast<double>(p[0]) * unit, static_cast<double>(p[1]) * unit,
          static_cast<double>(p[2]) * unit};
}

Eigen::Vector2d flatPoint(const Whole& p, double unit) {
  return {static_cast<double>(p[0]) * unit, static_cast<double>(p[1]) * unit};
}

Whole randomWhole(Random& random, std::int64_t reach) {
  Whole p{};
  for (auto& x : p) {
    x = static_cast<std::int64_t>(random.bits() % static_cast<std::uint64_t>(2 * reach + 1)) -
        reach;
  }
  return p;
}

TEST(ExactPredicates, KnownTurnsAndSides) {
  EXPECT_EQ(orient2d({0, 0}, {1, 0}, {0, 1}), 1);
  EXPECT_EQ(orient2d({0, 0}, {0, 1}, {1, 0}), -1);
  EXPECT_EQ(orient2d({0, 0}, {1, 1}, {3, 3}), 0);
  EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 1);
  EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 7, -1}), -1);
  EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 7, 0}), 0);
}

// Points on a coarse grid are often in a line or plane; on a fine one the determinant of nearly
// coplanar points is far below the rounding of doubles. Both must agree with whole numbers.
TEST(ExactPredicates, AgreeWithWholeNumbersOnGrids) {
  Random random(1);
  int zeros = 0;
  for (const std::int64_t reach : {2, 5, 100, 1 << 23}) {
    for (const double unit : {1.0, 0x1p-149, 0x1p-60, 0x1p100}) {
      for (int i = 0; i < 3'000; ++i) {
        const Whole a = randomWhole(random, reach);
        const Whole b = randomWhole(random, reach);
        const Whole c = randomWhole(random, reach);
        const Whole d = randomWhole(random, reach);
        const int side = signOf(volume(a, b, c, d));
        zeros += side == 0 ? 1 : 0;
        ASSERT_EQ(orient3d(point(a, unit), point(b, unit), point(c, unit), point(d, unit)), side);
        ASSERT_EQ(orient2d(flatPoint(a, unit), flatPoint(b, unit), flatPoint(c, unit)),
                  signOf(turn(a, b, c)));
      }
    }
  }
  EXPECT_GT(zeros, 1'000);
}

// d = a + i (b - a) + j (c - a) is in the plane exactly; one unit beside it is not. The coordinates
// have 22 bits, the determinant needs 66: more than a double has.
TEST(ExactPredicates, TellCoplanarFromOneUnitBeside) {
  Random random(2);
  int undecidedInDoubles = 0;
  for (int n = 0; n < 20'000; ++n) {
    const Whole a = randomWhole(random, 1 << 19);
    const Whole b = randomWhole(random, 1 << 19);
    const Whole c = randomWhole(random, 1 << 19);
    Whole d{};
    for (std::size_t k = 0; k < 3; ++k)
      d[k] = a[k] + (b[k] - a[k]) + (c[k] - a[k]);
    ASSERT_EQ(orient3d(point(a, 1), point(b, 1), point(c, 1), point(d, 1)), 0);
    const std::size_t axis = random.index(3);
    d[axis] += 1;
    const Eigen::Vector3d u = point(b, 1) - point(a, 1);
    const Eigen::Vector3d v = point(c, 1) - point(a, 1);
    const Eigen::Vector3d w = point(d, 1) - point(a, 1);
    if (std::fabs(u.cross(v).dot(w)) < 1e-15 * u.norm() * v.norm() * w.norm()) {
      ++undecidedInDoubles;
    }
    ASSERT_EQ(orient3d(point(a, 1), point(b, 1), point(c, 1), point(d, 1)),
              signOf(volume(a, b, c, d)));
  }
  RecordProperty("undecided", undecidedInDoubles);
}

// Differences of floats of very different size need two doubles each. The sign must not depend on
// the order in which the points are named, other than by the parity of the permutation.
TEST(ExactPredicates, FollowPermutationsForAnyFloats) {
  Random random(3);
  const auto number = [&random] {
    const double scale = std::ldexp(1.0, static_cast<int>(random.index(200)) - 120);
    return static_cast<double>(static_cast<float>(random.between(-1, 1) * scale));
  };
  for (int n = 0; n < 20'000; ++n) {
    std::array<Eigen::Vector3d, 4> p;
    for (auto& x : p) {
      const double first = number();
      const double second = number();
      x = {first, second, number()};
    }
    if (n % 2 == 0) p[3] = p[static_cast<std::size_t>(n % 3)];  // in the plane
    if (n % 4 == 1) p[3].x() = p[0].x();  // exact and inexact differences mixed
    const int side = orient3d(p[0], p[1], p[2], p[3]);
    if (n % 2 == 0) {
      ASSERT_EQ(side, 0);
    }
    ASSERT_EQ(orient3d(p[1], p[2], p[0], p[3]), side);
    ASSERT_EQ(orient3d(p[1], p[0], p[2], p[3]), -side);
    ASSERT_EQ(orient3d(p[3], p[1], p[2], p[0]), -side);
    ASSERT_EQ(orient3d(p[1], p[0], p[3], p[2]), side);
    const auto flat = [&p](std::size_t i) { return dropAxis(p[i], 0); };
    const int turned = orient2d(flat(0), flat(1), flat(2));
    ASSERT_EQ(orient2d(flat(1), flat(2), flat(0)), turned);
    ASSERT_EQ(orient2d(flat(1), flat(0), flat(2)), -turned);
  }
}

// In the plane z = x (and on the line y = x) everything is decided by which of two floats is
// larger, however many digits the differences to the other points would need.
TEST(ExactPredicates, DecideOneUnitBesideTheDiagonalPlane) {
  Random random(5);
  const auto number = [&random] {
    return static_cast<float>(
        std::ldexp(random.between(-1, 1), static_cast<int>(random.index(80)) - 40));
  };
  for (int n = 0; n < 20'000; ++n) {
    std::array<Eigen::Vector3d, 4> p;
    for (auto& x : p) {
      const float first = number();
      x = {first, number(), first};
    }
    const int turn = orient2d({p[0].x(), p[0].y()}, {p[1].x(), p[1].y()}, {p[2].x(), p[2].y()});
    ASSERT_EQ(orient3d(p[0], p[1], p[2], p[3]), 0);
    const int above = n % 2 == 0 ? 1 : -1;
    p[3].z() = std::nextafter(static_cast<float>(p[3].z()), 1e30F * static_cast<float>(above));
    ASSERT_EQ(orient3d(p[0], p[1], p[2], p[3]), turn * above);

    const double from = p[0].x();
    const double to = p[1].x();
    ASSERT_EQ(orient2d({from, from}, {to, to}, {p[3].x(), p[3].x()}), 0);
    ASSERT_EQ(orient2d({from, from}, {to, to}, {p[3].x(), p[3].z()}), from < to ? above : -above);
  }
}

// A point of magnitude 2^-100 beside a plane through points of magnitude 2^100: in doubles the
// difference vanishes, the sign does not.
TEST(ExactPredicates, SeeSmallNextToHuge) {
  const double huge = 0x1p100;
  const double tiny = 0x1p-100;
  const Eigen::Vector3d a(-huge, -huge, 0);
  const Eigen::Vector3d b(huge, -huge, 0);
  const Eigen::Vector3d c(0, huge, 0);
  EXPECT_EQ(orient3d(a, b, c, {huge / 4, 0, tiny}), 1);
  EXPECT_EQ(orient3d(a, b, c, {huge / 4, 0, -tiny}), -1);
  // in the plane z = x, with differences that round to few digits
  const Eigen::Vector3d p(huge, 0, huge);
  const Eigen::Vector3d q(huge, huge, huge);
  const Eigen::Vector3d r(-huge, huge, -huge);
  EXPECT_EQ(orient3d(p, q, r, {tiny, 0, 2 * tiny}), 1);
  EXPECT_EQ(orient3d(p, q, r, {tiny, 0, tiny}), 0);
  EXPECT_EQ(orient3d(p, q, r, {2 * tiny, 0, tiny}), -1);
  EXPECT_EQ(orient2d({-huge, -huge}, {huge, huge}, {0, tiny}), 1);
  EXPECT_EQ(orient2d({-huge, -huge}, {huge, huge}, {tiny, 0}), -1);
  EXPECT_EQ(orient2d({-huge, -huge}, {huge, huge}, {tiny, tiny}), 0);
}

TEST(ExactPredicates, ProjectionAxisKeepsTheArea) {
  EXPECT_EQ(projectionAxis({0, 0, 0}, {0, 1, 0}, {0, 0, 1}), 0);
  EXPECT_EQ(projectionAxis({0, 0, 0}, {1, 0, 0}, {0, 0, 1}), 1);
  EXPECT_EQ(projectionAxis({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), 2);
  EXPECT_EQ(projectionAxis({0, 0, 0}, {1, 2, 3}, {2, 4, 6}), -1);
  EXPECT_EQ(projectionAxis({1, 2, 3}, {1, 2, 3}, {5, 4, 6}), -1);
}

}  // namespace
}  // namespace tactus::models
