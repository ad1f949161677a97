#include "collision/tree/ball_hierarchy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "collision/tree/neural_gas.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using tests::SeededBits;

std::vector<Ball> cloud(std::uint64_t seed, int count) {
  SeededBits random(seed);
  std::vector<Ball> balls;
  for (int i = 0; i < count; ++i) {
    const double x = random.between(-1.0, 1.0);
    const double y = random.between(-0.3, 0.3);
    const double z = random.between(-0.1, 0.1);
    const double size = random.between(0.0, 1.0);
    balls.push_back({{x, y, z}, 0.05 * size * size * size});
  }
  return balls;
}

// What every tree must be, whatever the balls.
void expectSound(const BallHierarchy& tree, const std::vector<Ball>& balls) {
  ASSERT_EQ(tree.leafOrder.size(), balls.size());
  std::vector<std::uint32_t> all(tree.leafOrder);
  std::sort(all.begin(), all.end());
  for (std::uint32_t i = 0; i < all.size(); ++i)
    ASSERT_EQ(all[i], i) << "each ball once";
  ASSERT_LE(tree.depth, BallHierarchy::kMaxDepth);

  std::vector<int> parents(tree.nodes.size(), 0);
  std::size_t leaves = 0;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const BallHierarchy::Node& node = tree.nodes[n];
    ASSERT_GE(node.leafCount, 1U);
    for (std::uint32_t leaf = 0; leaf < node.leafCount; ++leaf) {
      const Ball& ball = balls[tree.leafOrder[node.firstLeaf + leaf]];
      ASSERT_LE((ball.centre - node.bounds.centre).norm() + ball.radius,
                node.bounds.radius * (1.0 + 1e-15));
    }
    if (node.leafCount == 1) {
      ASSERT_EQ(node.childCount, 0U);
      ++leaves;
      continue;
    }
    ASSERT_GE(node.childCount, 2U);
    ASSERT_LE(node.childCount, 4U);
    std::uint32_t next = node.firstLeaf;
    for (std::uint32_t k = 0; k < node.childCount; ++k) {
      const BallHierarchy::Node& child = tree.nodes[node.firstChild + k];
      ASSERT_EQ(child.firstLeaf, next);
      next += child.leafCount;
      ++parents[node.firstChild + k];
      ASSERT_GT(node.firstChild, n) << "children come later";
    }
    ASSERT_EQ(next, node.firstLeaf + node.leafCount);
  }
  ASSERT_EQ(leaves, balls.size());
  ASSERT_EQ(parents[0], 0);
  ASSERT_TRUE(std::all_of(parents.begin() + 1, parents.end(), [](int n) { return n == 1; }));
}

TEST(BallHierarchy, SoundForEveryCount) {
  EXPECT_TRUE(buildBallHierarchy({}).nodes.empty());
  for (const int count : {1, 2, 3, 4, 5, 6, 7, 16, 17, 100, 5000}) {
    const std::vector<Ball> balls = cloud(3, count);
    const BallHierarchy tree = buildBallHierarchy(balls, 2);
    expectSound(tree, balls);
  }
}

TEST(BallHierarchy, SoundForNastyBalls) {
  const std::vector<Ball> same(3000, Ball{{1.0, 2.0, 3.0}, 0.5});
  expectSound(buildBallHierarchy(same, 2), same);

  std::vector<Ball> points = cloud(4, 1000);
  for (Ball& ball : points)
    ball.radius = 0.0;
  expectSound(buildBallHierarchy(points, 2), points);

  // Each ball a third of the one before and as much nearer: clusters would peel off one at a time.
  std::vector<Ball> shrinking;
  double size = 1.0;
  for (int i = 0; i < 200; ++i) {
    shrinking.push_back({{3.0 * size, 0.0, 0.0}, size});
    size /= 3.0;
  }
  const BallHierarchy tree = buildBallHierarchy(shrinking, 2);
  expectSound(tree, shrinking);
  EXPECT_GT(tree.depth, 8) << "not a hard case at all";
}

TEST(BallHierarchy, FarGroupsBecomeTheChildrenOfTheRoot) {
  SeededBits random(9);
  const std::array<Eigen::Vector3d, 4> places = {
      {{10.0, 0.0, 0.0}, {-10.0, 1.0, 0.0}, {0.0, 12.0, 3.0}, {0.0, 0.0, -9.0}}};
  std::vector<Ball> balls;
  for (int i = 0; i < 400; ++i) {
    const double x = random.between(-1.0, 1.0);
    const double y = random.between(-1.0, 1.0);
    const double z = random.between(-1.0, 1.0);
    balls.push_back({places[static_cast<std::size_t>(i % 4)] + Eigen::Vector3d(x, y, z), 0.1});
  }
  const BallHierarchy tree = buildBallHierarchy(balls, 1);
  expectSound(tree, balls);
  ASSERT_EQ(tree.nodes[0].childCount, 4U);
  for (std::uint32_t k = 1; k <= 4; ++k) {
    EXPECT_EQ(tree.nodes[k].leafCount, 100U);
    EXPECT_LT(tree.nodes[k].bounds.radius, 1.9);
  }
}

// Magnification control: a large ball among many small ones attracts a prototype for itself.
TEST(BallHierarchy, LargeBallsComeHighUp) {
  std::vector<Ball> balls = cloud(5, 4000);
  for (Ball& ball : balls)
    ball.radius = 0.002;
  balls[1234] = {{0.8, 0.1, 0.0}, 0.15};
  const BallHierarchy tree = buildBallHierarchy(balls, 1);
  std::uint32_t node = 0;
  int depth = 0;
  const auto place = static_cast<std::uint32_t>(
      std::find(tree.leafOrder.begin(), tree.leafOrder.end(), 1234U) - tree.leafOrder.begin());
  for (; tree.nodes[node].leafCount > 1; ++depth) {
    std::uint32_t child = tree.nodes[node].firstChild;
    while (place >= tree.nodes[child].firstLeaf + tree.nodes[child].leafCount)
      ++child;
    node = child;
  }
  EXPECT_LE(depth, 5);
  EXPECT_GE(tree.depth, 7);
}

TEST(BallHierarchy, SameTreeForEveryThreadCount) {
  const std::vector<Ball> balls = cloud(6, 20'000);
  const BallHierarchy one = buildBallHierarchy(balls, 1);
  for (const unsigned threads : {2U, 3U, 7U}) {
    const BallHierarchy other = buildBallHierarchy(balls, threads);
    ASSERT_EQ(other.leafOrder, one.leafOrder);
    ASSERT_EQ(other.nodes.size(), one.nodes.size());
    for (std::size_t n = 0; n < one.nodes.size(); ++n) {
      ASSERT_EQ(other.nodes[n].bounds.centre, one.nodes[n].bounds.centre);
      ASSERT_EQ(other.nodes[n].bounds.radius, one.nodes[n].bounds.radius);
      ASSERT_EQ(other.nodes[n].firstChild, one.nodes[n].firstChild);
    }
  }
}

// Neural gas against what it minimises: no worse than four clusters by plain k-means from the best
// of many random starts, within a few percent.
TEST(NeuralGas, NearlyAsGoodAsTheBestOfManyKMeans) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const std::vector<Ball> balls = cloud(seed, 300);
    std::vector<Eigen::Vector3d> places;
    std::vector<double> weights;
    std::vector<std::uint32_t> indices;
    for (const Ball& ball : balls) {
      indices.push_back(static_cast<std::uint32_t>(places.size()));
      places.push_back(ball.centre);
      weights.push_back(ball.radius * ball.radius * ball.radius);
    }
    std::vector<std::uint8_t> cluster(balls.size());
    const auto costOf = [&] {
      std::array<Eigen::Vector3d, 4> mean;
      std::array<double, 4> weight{};
      mean.fill(Eigen::Vector3d::Zero());
      for (std::size_t i = 0; i < places.size(); ++i) {
        mean[cluster[i]] += weights[i] * places[i];
        weight[cluster[i]] += weights[i];
      }
      double cost = 0.0;
      for (std::size_t i = 0; i < places.size(); ++i) {
        cost += weights[i] * (places[i] - mean[cluster[i]] / weight[cluster[i]]).squaredNorm();
      }
      return cost;
    };
    neuralGas({places, weights}, indices, cluster);
    const double ours = costOf();

    SeededBits random(seed);
    double best = 1e300;
    for (int start = 0; start < 50; ++start) {
      std::array<Eigen::Vector3d, 4> centres;
      for (Eigen::Vector3d& centre : centres)
        centre = places[random.below(static_cast<int>(places.size()))];
      for (int round = 0; round < 30; ++round) {
        std::array<Eigen::Vector3d, 4> sum;
        std::array<double, 4> weight{};
        sum.fill(Eigen::Vector3d::Zero());
        for (std::size_t i = 0; i < places.size(); ++i) {
          std::size_t nearest = 0;
          for (std::size_t k = 1; k < 4; ++k) {
            if ((centres[k] - places[i]).norm() < (centres[nearest] - places[i]).norm())
              nearest = k;
          }
          cluster[i] = static_cast<std::uint8_t>(nearest);
          sum[nearest] += weights[i] * places[i];
          weight[nearest] += weights[i];
        }
        for (std::size_t k = 0; k < 4; ++k) {
          if (weight[k] > 0.0) centres[k] = sum[k] / weight[k];
        }
      }
      best = std::min(best, costOf());
    }
    EXPECT_LT(ours, 1.1 * best) << seed;
    EXPECT_GT(ours, 0.5 * best) << seed;
  }
}

}  // namespace
}  // namespace tactus::collision
