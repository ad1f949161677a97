#include "collision/contact/normal_cones.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "tests/collision/tree/small_solids.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;
using test::Solid;
using tests::SeededBits;

const Solid& ball() {
  return test::smallSolids()[0];
}
const Solid& box() {
  return test::smallSolids()[2];
}
const Solid& plate() {
  return test::smallSolids()[3];
}

/// Calls work(slot, place in the mesh's frame, radius) for each leaf.
template <typename Work>
void forLeaves(const CollisionObject& object, const Work& work) {
  for (std::size_t block = 0; block < object.tree.bounds().size(); ++block) {
    const InnerSphereTree::Bounds& bounds = object.tree.bounds()[block];
    for (std::size_t k = 0; k < 4; ++k) {
      if (!std::isfinite(bounds.x[k]) || object.tree.contents()[block].link[k] >= 0) continue;
      work(4 * block + k,
           object.tree.origin() + Vector3d(static_cast<double>(bounds.x[k]),
                                           static_cast<double>(bounds.y[k]),
                                           static_cast<double>(bounds.z[k])),
           static_cast<double>(object.tree.contents()[block].cellRadius[k]));
    }
  }
}

TEST(NormalCones, OfABallPointOutward) {
  int outer = 0;
  forLeaves(ball().object, [&](std::size_t slot, const Vector3d& place, double radius) {
    const NormalCone cone = ball().object.cones.at(slot);
    EXPECT_NEAR(cone.axis.norm(), 1.0, 1e-9);
    const double r = place.norm();
    if (r < 3.0 * radius) return;
    ++outer;
    // facets bend by 0.2 rad; from within the ball directions differ by as much as it is wide
    EXPECT_GT(cone.axis.dot(place / r), std::cos(0.2));
    EXPECT_GT(cone.cosine, std::cos(0.25 + radius / r));
  });
  EXPECT_GT(outer, 200);
}

TEST(NormalCones, BelowAFaceAreItsNormal) {
  const Vector3d half(0.4, 0.2, 0.3);
  int plain = 0;
  forLeaves(box().object, [&](std::size_t slot, const Vector3d& place, double radius) {
    const Vector3d at = place - box().middle();
    const Vector3d depth = half - at.cwiseAbs();
    std::array<double, 3> sorted = {depth.x(), depth.y(), depth.z()};
    std::sort(sorted.begin(), sorted.end());
    if (sorted[1] - sorted[0] < 2.0 * radius) return;
    Eigen::Index face = 0;
    depth.minCoeff(&face);
    ++plain;
    const NormalCone cone = box().object.cones.at(slot);
    EXPECT_GT(cone.axis[face] * (at[face] > 0.0 ? 1.0 : -1.0), 1.0 - 1e-6);
    EXPECT_GT(cone.cosine, 1.0 - 2e-3);
  });
  EXPECT_GT(plain, 100);
}

TEST(NormalCones, InTheMiddleOfAPlateAreWide) {
  int middle = 0;
  forLeaves(plate().object, [&](std::size_t slot, const Vector3d& place, double radius) {
    if (std::abs(place.y()) > 0.2 * radius || std::abs(place.x()) > 0.35 ||
        std::abs(place.z()) > 0.25)
      return;
    ++middle;
    EXPECT_LT(plate().object.cones.at(slot).cosine, 0.0);
  });
  EXPECT_GT(middle, 20);
}

TEST(NormalCones, HoldWhatIsBelow) {
  for (const Solid& solid : test::smallSolids()) {
    const InnerSphereTree& tree = solid.object.tree;
    for (std::size_t block = 0; block < tree.bounds().size(); ++block) {
      for (std::size_t k = 0; k < 4; ++k) {
        const std::int32_t link = tree.contents()[block].link[k];
        if (!std::isfinite(tree.bounds()[block].x[k]) || link < 0) continue;
        const NormalCone cone = solid.object.cones.at(4 * block + k);
        if (cone.cosine <= -1.0 + 1e-4) continue;
        for (std::size_t c = 0; c < 4; ++c) {
          const auto below = static_cast<std::size_t>(link);
          if (!std::isfinite(tree.bounds()[below].x[c])) continue;
          const NormalCone child = solid.object.cones.at(4 * below + c);
          const double angle = std::acos(std::clamp(cone.axis.dot(child.axis), -1.0, 1.0));
          EXPECT_LE(angle + std::acos(child.cosine), std::acos(cone.cosine) + 1e-6) << solid.name;
        }
      }
    }
  }
}

TEST(NormalCones, AroundConesAreTheSmallest) {
  const auto along = [](double angle) { return Vector3d(std::sin(angle), std::cos(angle), 0.0); };
  const std::array<NormalCone, 2> two = {{{along(0.3), 1.0}, {along(-0.5), std::cos(0.1)}}};
  const NormalCone both = coneAround(two);
  // from -0.6 to 0.3
  EXPECT_NEAR(std::acos(both.cosine), 0.45, 0.03);
  EXPECT_GE(std::acos(both.cosine), 0.45 - 1e-9);
  EXPECT_TRUE(both.holds(along(0.299)));
  EXPECT_TRUE(both.holds(along(-0.599)));

  const std::array<NormalCone, 2> opposite = {{{along(0.0), 1.0}, {along(std::numbers::pi), 0.9}}};
  for (double angle = 0.0; angle < 6.3; angle += 0.1) {
    const NormalCone all = coneAround(opposite);
    if (std::abs(angle - std::numbers::pi) < 0.4) {
      EXPECT_TRUE(all.holds(along(angle))) << angle;
    }
  }
  EXPECT_EQ(coneAround({}).cosine, -1.0);

  SeededBits random(3);
  for (int round = 0; round < 200; ++round) {
    std::array<NormalCone, 4> four;
    for (NormalCone& cone : four) {
      cone.axis =
          Vector3d{random.between(-1, 1), random.between(0, 1), random.between(-1, 1)}.normalized();
      cone.cosine = random.between(0.8, 1.0);
    }
    const NormalCone all = coneAround(four);
    for (const NormalCone& cone : four) {
      EXPECT_LE(std::acos(std::clamp(all.axis.dot(cone.axis), -1.0, 1.0)) + std::acos(cone.cosine),
                std::acos(all.cosine) + 1e-9);
    }
  }
}

TEST(NormalCones, AreTheSameForAnyNumberOfThreads) {
  const SurfaceDistance surface(models::test::torus(0.5, 0.2));
  const InnerSphereTree& tree = test::smallSolids()[1].object.tree;
  const NormalCones one(tree, surface, 1);
  const NormalCones three(tree, surface, 3);
  ASSERT_EQ(one.arrays().cones.size(), tree.bounds().size());
  EXPECT_EQ(std::memcmp(one.arrays().cones.data(), three.arrays().cones.data(),
                        one.arrays().cones.size_bytes()),
            0);
}

TEST(NormalCones, OfNothingAreNone) {
  EXPECT_TRUE(NormalCones().empty());
  EXPECT_TRUE(NormalCones(InnerSphereTree(), SurfaceDistance(models::test::box())).empty());
}

}  // namespace
}  // namespace tactus::collision
