// The yardstick computes what it says: all pairs of leaves in doubles, and what our query finds on
// the same spheres. Both sum floats: 1e-4.
#include "studies/textbook_tree_query.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include "collision/cache/object_builder.hpp"
#include "collision/tree/penetration_volume.hpp"
#include "models/builtin.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/collision/tree/ball_clouds.hpp"

namespace tactus::studies {
namespace {

using collision::InnerSphere;
using collision::InnerSphereTree;
using Eigen::Isometry3d;
using tests::SeededBits;

TEST(TextbookTreeQuery, OfTwoBallsIsTheirLens) {
  const std::vector<InnerSphere> one{tests::ball({3.0, 0.0, 0.0}, 1.0)};
  const std::vector<InnerSphere> small{tests::ball({0.0, 0.0, 0.0}, 0.1)};
  const TextbookTree a{InnerSphereTree(one)};
  const TextbookTree b{InnerSphereTree(small)};
  const auto at = [](double x) { return Isometry3d(Eigen::Translation3d(x, 0.0, 0.0)); };
  EXPECT_NEAR(textbookVolume(a, a, at(1.0)).volume, 5.0 / 12.0 * std::numbers::pi, 1e-6);
  EXPECT_EQ(textbookVolume(a, a, at(2.001)).volume, 0.0);
  EXPECT_EQ(textbookVolume(a, a, at(2.001)).leafPairs, 0U);
  // inside: the whole of the small one, whichever is A
  const double whole = 4.0 / 3.0 * std::numbers::pi * 1e-3;
  EXPECT_NEAR(textbookVolume(a, b, at(3.2)).volume, whole, 1e-9);
  EXPECT_NEAR(textbookVolume(b, a, at(-3.2)).volume, whole, 1e-9);
  const TextbookTree none{InnerSphereTree(std::vector<InnerSphere>())};
  EXPECT_EQ(textbookVolume(a, none, at(0.0)).volume, 0.0);
}

TEST(TextbookTreeQuery, IsTheSumOverAllPairs) {
  SeededBits random(11);
  for (const int count : {1, 2, 5, 17, 300, 2000}) {
    const std::vector<InnerSphere> a = tests::cloud(1, count, {1.0, 0.5, 0.2});
    const std::vector<InnerSphere> b = tests::cloud(2, 2 + count / 3, {0.5, 0.5, 0.5});
    const TextbookTree treeA{InnerSphereTree(a)};
    const TextbookTree treeB{InnerSphereTree(b)};
    for (int k = 0; k < 5; ++k) {
      const Isometry3d pose = tests::randomPoseWithin(random, 0.7);
      const tests::SumOfPairs sum = tests::overAllPairs(a, b, pose);
      const TextbookVolume found = textbookVolume(treeA, treeB, pose);
      EXPECT_NEAR(found.volume, sum.volume, 1e-4 * sum.volume + 1e-9) << count;
      EXPECT_GE(found.pairTests, found.leafPairs);
    }
  }
}

// Spheres of real objects, at poses from touch to deep.
TEST(TextbookTreeQuery, AgreesWithOurQueryOnTheSameTree) {
  const auto treeOf = [](const char* name) {
    collision::BuildSettings settings;
    settings.parameters.spheres = 3000;
    return collision::buildObject({models::makeBuiltin(name, 3000).value(), {}}, settings)
        .object.tree;
  };
  const InnerSphereTree a = treeOf("rhino");
  const InnerSphereTree b = treeOf("bolt");
  const TextbookTree textbookA(a);
  const TextbookTree textbookB(b);
  EXPECT_EQ(std::ranges::count(textbookA.nodes(), 0, &TextbookTree::Node::children),
            static_cast<std::ptrdiff_t>(a.leafCount()));
  collision::PenetrationScratch scratch;
  SeededBits random(12);
  const auto size = static_cast<double>(a.bounds()[0].radius[0]);
  int overlapping = 0;
  for (int k = 0; k < 40; ++k) {
    const Isometry3d pose =
        tests::randomPose(random, a.origin(), b.origin(), random.between(0.0, 1.5) * size);
    const double ours = penetrationVolume(a, b, pose, scratch).volume;
    const double theirs = textbookVolume(textbookA, textbookB, pose).volume;
    EXPECT_NEAR(theirs, ours, 2e-4 * ours + 1e-15);
    overlapping += ours > 0.0 ? 1 : 0;
  }
  EXPECT_GT(overlapping, 20);
}

}  // namespace
}  // namespace tactus::studies
