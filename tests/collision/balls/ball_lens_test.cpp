#include "collision/balls/ball_lens.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "tests/models/lanes/seeded_bits.hpp"

namespace {

using tactus::collision::BallLens;
using tactus::collision::ballLens;
using tactus::tests::SeededBits;

constexpr double kPi = std::numbers::pi;

double ballVolume(double radius) {
  return 4.0 / 3.0 * kPi * radius * radius * radius;
}

/// Cap of height h of a ball; a lens is two caps.
double capVolume(double radius, double h) {
  return kPi * h * h * (3.0 * radius - h) / 3.0;
}

TEST(BallLens, UnitBallsAtDistanceOne) {
  const BallLens lens = ballLens(1.0, 1.0, 1.0);
  EXPECT_NEAR(lens.volume, 1.308997, 5e-7);
  EXPECT_NEAR(lens.volume, 5.0 * kPi / 12.0, 1e-15);
  EXPECT_NEAR(lens.discArea, 0.75 * kPi, 1e-15);
  EXPECT_DOUBLE_EQ(lens.discDistance, 0.5);
}

TEST(BallLens, ApartAndTouchingFromOutsideGiveNothing) {
  for (const double distance : {3.0, 3.0000001, 10.0, 1e300}) {
    const BallLens lens = ballLens(1.0, 2.0, distance);
    EXPECT_EQ(lens.volume, 0.0);
    EXPECT_EQ(lens.discArea, 0.0);
  }
}

TEST(BallLens, InsideGivesTheSmallerBallAndNoDisc) {
  for (const double distance : {0.0, 0.5, 1.0}) {  // 1: touching from inside
    for (const BallLens& lens : {ballLens(1.0, 2.0, distance), ballLens(2.0, 1.0, distance)}) {
      EXPECT_DOUBLE_EQ(lens.volume, ballVolume(1.0));
      EXPECT_EQ(lens.discArea, 0.0);
    }
  }
  EXPECT_DOUBLE_EQ(ballLens(1.5, 1.5, 0.0).volume, ballVolume(1.5));
}

TEST(BallLens, EqualsItsTwoCaps) {
  SeededBits random(3);
  for (int i = 0; i < 10'000; ++i) {
    const double ra = random.between(0.1, 2.0);
    const double rb = random.between(0.1, 2.0);
    const double distance = random.between(std::max(ra - rb, rb - ra), ra + rb);
    const BallLens lens = ballLens(ra, rb, distance);
    const double caps =
        capVolume(ra, ra - lens.discDistance) + capVolume(rb, rb - (distance - lens.discDistance));
    EXPECT_NEAR(lens.volume, caps, 1e-13 * (ballVolume(ra) + ballVolume(rb)));
    EXPECT_GE(lens.volume, 0.0);
  }
}

TEST(BallLens, IsSymmetricAndScalesWithTheCube) {
  SeededBits random(4);
  for (int i = 0; i < 10'000; ++i) {
    const double ra = random.between(0.1, 2.0);
    const double rb = random.between(0.1, 2.0);
    const double distance = random.between(0.0, 4.5);
    const BallLens lens = ballLens(ra, rb, distance);
    const BallLens swapped = ballLens(rb, ra, distance);
    EXPECT_NEAR(lens.volume, swapped.volume, 1e-13);
    EXPECT_NEAR(lens.discArea, swapped.discArea, 1e-13);
    const double scale = 1.0 / 1024.0;  // a power of two: nothing else is rounded
    EXPECT_EQ(ballLens(scale * ra, scale * rb, scale * distance).volume,
              scale * scale * scale * lens.volume);
  }
}

// Central differences of step h are off by h^2 V''' / 6 and by the rounding of V over h.
TEST(BallLens, DiscAreaIsMinusTheDerivativeOfTheVolume) {
  SeededBits random(5);
  const double h = 1e-5;
  for (int i = 0; i < 10'000; ++i) {
    const double ra = random.between(0.5, 2.0);
    const double rb = random.between(0.5, 2.0);
    const double from = std::max(ra - rb, rb - ra) + 0.05;
    const double distance = random.between(from, ra + rb - 2.0 * h);
    const double slope =
        (ballLens(ra, rb, distance + h).volume - ballLens(ra, rb, distance - h).volume) / (2.0 * h);
    EXPECT_NEAR(-slope, ballLens(ra, rb, distance).discArea, 2e-7);
  }
}

TEST(BallLens, VolumeFallsToZeroContinuouslyAndGrowsAlongAPush) {
  double last = 0.0;
  for (int i = 0; i <= 3000; ++i) {
    const double volume = ballLens(1.0, 0.5, 1.5 - 0.0005 * i).volume;
    EXPECT_GE(volume, last);
    EXPECT_LE(volume - last, 0.0005 * kPi * 0.25 + 1e-15);  // never more than a disc of radius 1/2
    last = volume;
  }
  EXPECT_DOUBLE_EQ(last, ballVolume(0.5));
}

}  // namespace
