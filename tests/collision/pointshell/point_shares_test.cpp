// What of a surface belongs to which point, against looking at all points; and points on what is so
// thin that its sides know nothing of each other.
#include "collision/pointshell/point_shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "collision/pointshell/nested_samples.hpp"
#include "collision/pointshell/point_tree.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3f;
using tests::SeededBits;

SurfaceSpot randomSpot(SeededBits& random, float size) {
  const auto next = [&] { return static_cast<float>(random.between(-1.0, 1.0)); };
  SurfaceSpot spot;
  spot.place = size * Vector3f(next(), next(), next());
  spot.normal = Vector3f(next(), next(), next()).normalized();
  return spot;
}

std::uint32_t nearestOfAll(std::span<const SurfaceSpot> points, const SurfaceSpot& spot,
                           float bend) {
  std::uint32_t best = 0;
  float least = std::numeric_limits<float>::max();
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const float apart = apartness(spot, points[i], bend);
    if (apart >= least) continue;
    least = apart;
    best = i;
  }
  return best;
}

TEST(PointTree, FindsTheNearestOfAllHoweverFar) {
  SeededBits random(5);
  for (const float scale : {1e-3F, 1.0F, 1e3F}) {
    for (const std::size_t count : {1U, 8U, 9U, 1000U}) {
      std::vector<SurfaceSpot> points;
      points.reserve(count);
      for (std::size_t i = 0; i < count; ++i)
        points.push_back(randomSpot(random, scale));
      // some twice, so that numbers decide
      for (std::size_t i = 0; i + 1 < count; i += 7)
        points[i + 1] = points[i];
      const PointTree tree(points);
      for (const float bend : {0.0F, 0.01F * scale * scale, 4.0F * scale * scale}) {
        for (const float reach : {1.0F, 3.0F, 1e4F}) {
          for (int n = 0; n < 20; ++n) {
            const SurfaceSpot spot = randomSpot(random, reach * scale);
            EXPECT_EQ(tree.nearest(spot, bend).point, nearestOfAll(points, spot, bend));
          }
        }
      }
    }
  }
}

// A body with points, and a hair without any that reaches a thousand times as far as they are
// apart: all of it belongs to somebody, and that somebody is the nearest one.
TEST(SharesOf, EachPieceGoesToTheNearestPointAlsoFarAway) {
  SeededBits random(6);
  std::vector<SurfaceSpot> points;
  points.reserve(300);
  for (int i = 0; i < 300; ++i)
    points.push_back(randomSpot(random, 1.0F));
  std::vector<SurfacePiece> pieces;
  pieces.reserve(1000);
  for (int i = 0; i < 500; ++i)
    pieces.push_back({randomSpot(random, 1.2F), 0.01F, 0.01F});
  for (int i = 0; i < 500; ++i) {
    SurfaceSpot spot = randomSpot(random, 1e-3F);
    spot.place.x() += 0.2F * static_cast<float>(i);
    pieces.push_back({spot, 1e-6F, 1e-6F});
  }
  constexpr double kSpacing = 0.1;
  std::vector<double> areas(points.size(), 0.0);
  for (const SurfacePiece& piece : pieces) {
    areas[nearestOfAll(points, piece.spot, static_cast<float>(kSpacing * kSpacing))] +=
        static_cast<double>(piece.area);
  }
  const std::vector<PointShare> shares = sharesOf(points, pieces, kSpacing, 3);
  ASSERT_EQ(shares.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_EQ(shares[i].area, areas[i]);
  EXPECT_TRUE(sharesOf(points, pieces, kSpacing, 1, [](double) { return false; }).empty());
}

// Four sides of a rod, each narrower than points on its area would be apart. No spot of one side is
// near one of another then, and after some have gone none of its own side is either.
// Each spot twice, with a normal that rounding has made a little longer than 1: two of them are
// then less than nothing apart. A surface that is stored twice has such.
TEST(NestedSamples, SpotsInOnePlaceEnd) {
  SeededBits random(8);
  std::vector<SurfaceSpot> spots;
  spots.reserve(4000);
  for (int i = 0; i < 2000; ++i) {
    SurfaceSpot spot = randomSpot(random, 1.0F);
    spot.normal *= 1.0F + 1e-6F;
    spots.push_back(spot);
    spots.push_back(spot);
  }
  const std::vector<std::uint32_t> order = nestedSamples(spots, 1000, 24.0, 1);
  ASSERT_EQ(order.size(), 1000U);
  std::vector<std::uint8_t> isTaken(2000, 0);
  for (const std::uint32_t spot : order)
    ++isTaken[spot / 2];
  EXPECT_EQ(std::ranges::count(isTaken, 2), 0) << "one of each pair is enough";
}

TEST(NestedSamples, AnyPrefixIsEvenOnARodToo) {
  constexpr double kWidth = 1e-3;
  constexpr int kAlong = 400;
  const std::array<Vector3f, 4> sides = {Vector3f(0.0F, 1.0F, 0.0F), Vector3f(0.0F, -1.0F, 0.0F),
                                         Vector3f(0.0F, 0.0F, 1.0F), Vector3f(0.0F, 0.0F, -1.0F)};
  SeededBits random(7);
  std::vector<SurfaceSpot> spots;
  for (const Vector3f& side : sides) {
    for (int i = 0; i < kAlong; ++i) {
      SurfaceSpot spot;
      spot.place = static_cast<float>(0.5 * kWidth) * side;
      spot.place.x() = static_cast<float>((i + random.between(0.0, 1.0)) / kAlong);
      spot.normal = side;
      spots.push_back(spot);
    }
  }
  constexpr std::size_t kPoints = 400;
  const std::vector<std::uint32_t> order = nestedSamples(spots, kPoints, 4.0 * kWidth);
  ASSERT_EQ(order.size(), kPoints);
  for (const std::size_t n : {32U, 64U, 100U, 200U, 400U}) {
    SCOPED_TRACE(n);
    for (const Vector3f& side : sides) {
      std::vector<double> along = {0.0, 1.0};
      for (std::size_t i = 0; i < n; ++i) {
        if (spots[order[i]].normal == side)
          along.push_back(static_cast<double>(spots[order[i]].place.x()));
      }
      std::ranges::sort(along);
      double widest = 0.0;
      for (std::size_t i = 1; i < along.size(); ++i)
        widest = std::max(widest, along[i] - along[i - 1]);
      // of a fourth of the points on each side, at even distances
      EXPECT_LT(widest, 3.5 * 4.0 / static_cast<double>(n));
    }
  }
  EXPECT_TRUE(nestedSamples(spots, kPoints, 4.0 * kWidth, 1, [](double) { return false; }).empty());
}

}  // namespace
}  // namespace tactus::collision
