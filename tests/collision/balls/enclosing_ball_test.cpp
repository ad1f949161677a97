#include "collision/balls/enclosing_ball.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using tests::SeededBits;

std::vector<Ball> randomBalls(SeededBits& random, int count, double largest) {
  std::vector<Ball> balls;
  for (int i = 0; i < count; ++i) {
    const double x = random.between(-1.0, 1.0);
    const double y = random.between(-1.0, 1.0);
    const double z = random.between(-1.0, 1.0);
    balls.push_back({{x, y, z}, random.between(0.0, largest)});
  }
  return balls;
}

double reachFrom(const std::vector<Ball>& balls, const Eigen::Vector3d& centre) {
  double reach = 0.0;
  for (const Ball& ball : balls)
    reach = std::max(reach, (ball.centre - centre).norm() + ball.radius);
  return reach;
}

// The reach is a convex function of the centre, so descent with shrinking steps finds its minimum
// whatever the balls: slow, blunt, and another way than the one that is tested.
double leastReach(const std::vector<Ball>& balls) {
  Eigen::Vector3d centre = balls[0].centre;
  for (int i = 1; i < 400'000; ++i) {
    double reach = -1.0;
    Eigen::Vector3d towards = centre;
    for (const Ball& ball : balls) {
      const double r = (ball.centre - centre).norm() + ball.radius;
      if (r > reach) {
        reach = r;
        towards = ball.centre;
      }
    }
    centre += (towards - centre) / (i + 1.0);
  }
  return reachFrom(balls, centre);
}

TEST(EnclosingBall, FewBalls) {
  EXPECT_EQ(enclosingBall({}).radius, 0.0);
  const Ball one{{1.0, 2.0, 3.0}, 0.5};
  EXPECT_EQ(enclosingBall(std::vector{one}).radius, 0.5);
  EXPECT_EQ(enclosingBall(std::vector{one}).centre, one.centre);
  // Two: from the far side of one to the far side of the other.
  const Ball two = enclosingBall(std::vector<Ball>{{{0, 0, 0}, 1.0}, {{5, 0, 0}, 2.0}});
  EXPECT_NEAR(two.radius, 4.0, 1e-15);
  EXPECT_NEAR(two.centre.x(), 3.0, 1e-15);
  // One inside the other, in either order.
  for (const auto& nested : {std::vector<Ball>{{{0, 0, 0}, 2.0}, {{0.5, 0, 0}, 0.3}},
                             std::vector<Ball>{{{0.5, 0, 0}, 0.3}, {{0, 0, 0}, 2.0}}}) {
    EXPECT_NEAR(enclosingBall(nested).radius, 2.0, 1e-15);
    EXPECT_LT(enclosingBall(nested).centre.norm(), 1e-15);
  }
}

TEST(EnclosingBall, RegularSolids) {
  std::vector<Ball> triangle;
  triangle.reserve(3);
  for (int i = 0; i < 3; ++i) {
    triangle.push_back(
        {{std::cos(2.0943951023931953 * i), std::sin(2.0943951023931953 * i), 7.0}, 0.25});
  }
  EXPECT_NEAR(enclosingBall(triangle).radius, 1.25, 1e-14);
  std::vector<Ball> cube;
  cube.reserve(8);
  for (int i = 0; i < 8; ++i) {
    cube.push_back({{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0}, 0.5});
  }
  const Ball around = enclosingBall(cube);
  EXPECT_NEAR(around.radius, std::sqrt(3.0) + 0.5, 1e-14);
  EXPECT_LT(around.centre.norm(), 1e-14);
}

TEST(EnclosingBall, NothingSmallerEncloses) {
  SeededBits random(11);
  for (int trial = 0; trial < 40; ++trial) {
    const std::vector<Ball> balls = randomBalls(random, 2 + trial % 12, trial % 3 == 0 ? 1.0 : 0.2);
    const Ball ball = enclosingBall(balls);
    const double least = leastReach(balls);
    EXPECT_LT(ball.radius, least + 1e-9) << trial;
    EXPECT_GT(ball.radius, least * (1.0 - 2e-3)) << trial;  // the blunt way's own error
  }
}

// Optimal: no small step of the centre, whatever its direction, shortens the reach.
TEST(EnclosingBall, IsALocalMinimumAndEnclosesAll) {
  SeededBits random(5);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<Ball> balls = randomBalls(random, 1 + trial % 60, trial % 2 == 0 ? 0.5 : 0.01);
    if (trial % 5 == 0) {
      for (Ball& ball : balls)
        ball.centre.z() = 0.25;  // in a plane
    }
    if (trial % 7 == 0) {
      for (Ball& ball : balls)
        ball.radius = 0.1;
      balls.insert(balls.end(), balls.begin(), balls.end());  // all twice
    }
    const Ball ball = enclosingBall(balls);
    EXPECT_LE(reachFrom(balls, ball.centre), ball.radius) << trial;
    for (int k = 0; k < 30; ++k) {
      const double x = random.between(-1.0, 1.0);
      const double y = random.between(-1.0, 1.0);
      const double z = random.between(-1.0, 1.0);
      const Eigen::Vector3d step = 1e-5 * Eigen::Vector3d(x, y, z);
      EXPECT_GT(reachFrom(balls, ball.centre + step), ball.radius - 1e-11) << trial;
    }
  }
}

}  // namespace
}  // namespace tactus::collision
