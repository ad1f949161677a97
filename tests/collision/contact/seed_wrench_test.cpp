// The seed's law against all pairs of leaves in doubles. Floats of the query are off by 1e-5 of the
// sum.
#include "collision/contact/seed_wrench.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "collision/contact/contact_patches.hpp"
#include "collision/contact/contact_set.hpp"
#include "tests/collision/on_vector_target.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/collision/tree/small_solids.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using test::Solid;
using tests::SeededBits;

struct Leaf {
  Vector3d place;
  double radius = 0.0;
  NormalCone cone;
};

std::vector<Leaf> leavesOf(const CollisionObject& object, const Isometry3d& pose) {
  std::vector<Leaf> leaves;
  for (std::size_t block = 0; block < object.tree.bounds().size(); ++block) {
    const InnerSphereTree::Bounds& bounds = object.tree.bounds()[block];
    const InnerSphereTree::Contents& contents = object.tree.contents()[block];
    for (std::size_t k = 0; k < 4; ++k) {
      if (!std::isfinite(bounds.x[k]) || contents.link[k] >= 0) continue;
      Leaf leaf;
      leaf.place = pose * (object.tree.origin() + Vector3d(static_cast<double>(bounds.x[k]),
                                                           static_cast<double>(bounds.y[k]),
                                                           static_cast<double>(bounds.z[k])));
      leaf.radius = static_cast<double>(contents.cellRadius[k]);
      leaf.cone = object.cones.at(4 * block + k);
      leaf.cone.axis = pose.linear() * leaf.cone.axis;
      leaves.push_back(leaf);
    }
  }
  return leaves;
}

SeedWrench ofAllPairs(const Solid& a, const Solid& b, const Isometry3d& pose) {
  SeedWrench all;
  const std::vector<Leaf> others = leavesOf(b.object, pose);
  for (const Leaf& p : leavesOf(a.object, Isometry3d::Identity())) {
    for (const Leaf& q : others) {
      const Vector3d apart = q.place - p.place;
      const double d = apart.norm();
      if (d >= p.radius + q.radius) continue;
      ++all.counters.leafPairs;
      const double smaller = std::min(p.radius, q.radius);
      const bool isInside = d <= std::abs(p.radius - q.radius);
      const double s = p.radius + q.radius - d;
      const double volume = isInside ? 4.0 / 3.0 * std::numbers::pi * smaller * smaller * smaller
                                     : std::numbers::pi * s * s *
                                           (d * d + 2.0 * d * (p.radius + q.radius) -
                                            3.0 * (p.radius - q.radius) * (p.radius - q.radius)) /
                                           (12.0 * d);
      const double x = (d * d + p.radius * p.radius - q.radius * q.radius) / (2.0 * d);
      const double disc =
          isInside ? 0.0 : std::numbers::pi * std::max(p.radius * p.radius - x * x, 0.0);
      const double fade = std::min(d / (0.05 * smaller), 1.0);
      const Vector3d pull = d > 0.0 ? Vector3d(disc * fade / d * apart) : Vector3d::Zero();
      const Vector3d along =
          pull / std::max(pull.norm(), std::max(0.05 * std::cbrt(volume * volume), 1e-300));
      const Vector3d onB = volume * (p.cone.cosine > 0.0 ? p.cone.axis : along);
      const Vector3d onA = volume * (q.cone.cosine > 0.0 ? q.cone.axis : Vector3d(-along));
      const double from = std::max(d - q.radius, -p.radius);
      const double to = std::min(p.radius, d + q.radius);
      const Vector3d at = p.place + (d > 0.0 ? Vector3d(0.5 * (from + to) / d * apart)
                                             : Vector3d(Vector3d::Zero()));
      all.volume += volume;
      all.forceOnA += onA;
      all.torqueOnA += at.cross(onA);
      all.forceOnB += onB;
      all.torqueOnB += (at - pose.translation()).cross(onB);
    }
  }
  return all;
}

TEST(SeedWrench, IsTheSumOverAllPairsOfLeaves) {
  SeededBits random(91);
  PenetrationScratch scratch;
  ContactCells cells;
  PatchScratch room;
  int touching = 0;
  for (const Solid& a : test::smallSolids()) {
    for (const Solid& b : test::smallSolids()) {
      SCOPED_TRACE(a.name + " and " + b.name);
      for (int k = 0; k < 2; ++k) {
        const Isometry3d pose =
            tests::randomPose(random, a.middle(), b.middle(), random.between(0.1, 0.6));
        const SeedWrench found = seedWrench({a.object.tree, a.object.cones},
                                            {b.object.tree, b.object.cones}, pose, scratch, cells);
        const SeedWrench truth = ofAllPairs(a, b, pose);
        if (truth.volume > 0.0) ++touching;
        const double rounding = 3e-5 * truth.volume;
        EXPECT_NEAR(found.volume, truth.volume, rounding);
        EXPECT_LE((found.forceOnB - truth.forceOnB).norm(), rounding);
        EXPECT_LE((found.forceOnA - truth.forceOnA).norm(), rounding);
        EXPECT_LE((found.torqueOnB - truth.torqueOnB).norm(), 5.0 * rounding);
        EXPECT_LE((found.torqueOnA - truth.torqueOnA).norm(), 5.0 * rounding);
        EXPECT_NEAR(found.counters.leafPairs, truth.counters.leafPairs,
                    1.0 + 1e-3 * truth.counters.leafPairs);
        // its patches are of its forces
        Vector3d force = Vector3d::Zero();
        Vector3d torque = Vector3d::Zero();
        const ContactPatches patches = contactPatches(cells, pose, room);
        for (const ContactPatch& patch : patches.all()) {
          force += patch.force;
          torque += patch.torque;
        }
        EXPECT_LE((force - found.forceOnB).norm(), rounding);
        EXPECT_LE((torque - found.torqueOnB).norm(), 5.0 * rounding);
      }
    }
  }
  EXPECT_GT(touching, 20);
}

// Flat faces: the volume along the normal, on either body. Of a wide plate, since a ball that
// touches two or three faces at an edge pushes askew by this law.
TEST(SeedWrench, PushesOutOfAFace) {
  const Solid plate("slab", models::test::box({1.6, 0.2, 1.2}), 3000);
  const Isometry3d pose(Eigen::Translation3d(0.05, 0.16, 0.02));
  PenetrationScratch scratch;
  ContactCells cells;
  const SeedWrench found =
      seedWrench({plate.object.tree, plate.object.cones}, {plate.object.tree, plate.object.cones},
                 pose, scratch, cells);
  const double truth = 1.55 * 0.04 * 1.18;
  EXPECT_NEAR(found.volume, truth, 0.1 * truth);
  EXPECT_NEAR(found.forceOnB.y(), truth, 0.15 * truth);
  EXPECT_NEAR(found.forceOnA.y(), -truth, 0.15 * truth);
  EXPECT_LT(std::hypot(found.forceOnB.x(), found.forceOnB.z()), 0.1 * truth);

  PatchScratch room;
  const auto set = std::make_unique<ContactSet>();
  ContactSetScratch order;
  const ContactPatches patches = contactPatches(cells, pose, room);
  contactSet(cells, pose, room.patchOfCell(), order, *set);
  ASSERT_GT(set->count, 10U);
  EXPECT_EQ(set->elements, found.counters.leafPairs);
  for (std::size_t n = 0; n < 10; ++n) {
    EXPECT_GT(set->contacts[n].directionOfB.y(), 0.5);
    EXPECT_LT(set->contacts[n].directionOfA.y(), -0.5);
    EXPECT_NEAR(set->contacts[n].point.y(), 0.08, 0.1);
  }
  EXPECT_NEAR(patches.patches[0].centre.x(), 0.025, 0.03);
}

TEST(SeedWrench, WithoutConesIsNothing) {
  const Solid& ball = test::smallSolids()[0];
  PenetrationScratch scratch;
  ContactCells cells;
  const SeedWrench found =
      seedWrench({ball.object.tree, NormalCones()}, {ball.object.tree, ball.object.cones},
                 Isometry3d::Identity(), scratch, cells);
  EXPECT_EQ(found.volume, 0.0);
  EXPECT_TRUE(cells.empty());
}

using SeedWrenchOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, SeedWrenchOn, tests::eachTarget(), tests::targetName);

TEST_P(SeedWrenchOn, SameBytesEverywhere) {
  const Solid& a = test::smallSolids()[1];
  const Solid& b = test::smallSolids()[3];
  const auto hash = [&] {
    SeededBits random(7);
    tests::BytesHash bytes;
    PenetrationScratch scratch;
    ContactCells cells;
    for (int k = 0; k < 8; ++k) {
      const Isometry3d pose = tests::randomPose(random, a.middle(), b.middle(), 0.4);
      const SeedWrench found = seedWrench({a.object.tree, a.object.cones},
                                          {b.object.tree, b.object.cones}, pose, scratch, cells);
      for (const double x : {found.volume, found.forceOnA.x(), found.torqueOnA.y(),
                             found.forceOnB.z(), found.torqueOnB.x()})
        bytes.add(x);
    }
    return bytes.value();
  };
  expectScalarBytes(hash);
}

}  // namespace
}  // namespace tactus::collision
