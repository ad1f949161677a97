#include "response/contact/bristle_friction.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::response {
namespace {

using collision::ContactPatch;
using collision::ContactPatches;
using Eigen::Vector3d;

ContactPatch patchAt(const Vector3d& centre, const Vector3d& normal, double force,
                     double radius = 0.01) {
  ContactPatch patch;
  patch.centre = centre;
  patch.normal = normal;
  patch.force = force * normal;
  patch.normalForce = force;
  patch.radius = radius;
  patch.spinRadius = 0.9 * radius;
  return patch;
}

ContactPatches patchesOf(std::initializer_list<ContactPatch> all) {
  ContactPatches patches;
  for (const ContactPatch& patch : all)
    patches.patches[patches.count++] = patch;
  return patches;
}

double squares(const Bristles& bristles) {
  return storedEnergy(bristles, 2.0);
}

TEST(BristleFriction, MuFallsFromStaticToKinetic) {
  Material pair;
  pair.staticFriction = 0.6;
  pair.kineticFriction = 0.4;
  pair.slipSpeed = 0.01;
  EXPECT_EQ(frictionAt(pair, 0.0), 0.6);
  EXPECT_NEAR(frictionAt(pair, 0.01), 0.5, 1e-15);
  EXPECT_NEAR(frictionAt(pair, 1.0), 0.4, 1e-4);
  for (double v = 0.0; v < 0.1; v += 1e-3)
    EXPECT_GE(frictionAt(pair, v), frictionAt(pair, v + 1e-3));
}

TEST(BristleFriction, BendsUpToItsLimit) {
  const Vector3d bent = bentBy({1e-4, 0.0, 0.0}, {1e-4, 0.0, 0.0}, 1e-3);
  EXPECT_NEAR((bent - Vector3d(2e-4, 0.0, 0.0)).norm(), 0.0, 1e-19);
  const Vector3d slid = bentBy({1e-4, 0.0, 0.0}, {0.0, 1.0, 0.0}, 1e-3);
  EXPECT_NEAR(slid.norm(), 1e-3, 1e-17);
  EXPECT_GT(slid.y(), 0.99e-3);
  EXPECT_TRUE(bentBy({1e-4, 0.0, 0.0}, {0.0, 1.0, 0.0}, 0.0).isZero(0.0));
}

// Whatever closed way is slid, with whatever normal force on the way, friction gives nothing back.
TEST(BristleFriction, ClosedSlidesGainNoEnergy) {
  tests::SeededBits random(11);
  constexpr double kStiffness = 5e3;
  for (int way = 0; way < 200; ++way) {
    Vector3d state = Vector3d::Zero();
    Vector3d place = Vector3d::Zero();
    double done = 0.0;  // work of the body that is slid
    const double size = way % 2 == 0 ? 1e-5 : 1e-3;
    for (int step = 0; step < 300; ++step) {
      Vector3d slide{random.between(-size, size), random.between(-size, size),
                     random.between(-size, size)};
      if (step == 299) slide = -place;
      place += slide;
      const double limit = random.between(0.0, 2.0) / kStiffness;
      // a limit that falls lets the bristles slide before the step
      state = bentBy(bentBy(state, Vector3d::Zero(), limit), slide, limit);
      done += kStiffness * state.dot(slide);
    }
    // what is still stored is not lost
    ASSERT_GE(done, 0.5 * kStiffness * state.squaredNorm() - 1e-15);
  }
}

TEST(BristleFriction, APatchThatStaysKeepsItsBristles) {
  Bristles bristles;
  const Vector3d up = Vector3d::UnitY();
  followPatches(patchesOf({patchAt({0.0, 0.0, 0.0}, up, 2.0), patchAt({0.1, 0.0, 0.0}, up, 1.0)}),
                Vector3d::Zero(), 0.0, bristles);
  ASSERT_EQ(bristles.count, 2U);
  bristles.bristles[0].bend = Vector3d(1e-4, 0.0, 0.0);
  bristles.bristles[1].bend = Vector3d(0.0, 0.0, 2e-4);
  bristles.bristles[1].twist = 3e-5;
  // their order has changed, and so have force, place and radius
  followPatches(
      patchesOf({patchAt({0.101, 0.0, 0.0}, up, 5.0, 0.02), patchAt({0.0, 0.0, 0.001}, up, 0.1)}),
      Vector3d::Zero(), 1e-3, bristles);
  EXPECT_EQ(bristles.bristles[1].bend, Vector3d(1e-4, 0.0, 0.0));
  EXPECT_EQ(bristles.bristles[0].bend, Vector3d(0.0, 0.0, 2e-4));
  EXPECT_EQ(bristles.bristles[0].twist, 3e-5);
  // one that is far away is another one
  followPatches(patchesOf({patchAt({0.5, 0.0, 0.0}, up, 5.0)}), Vector3d::Zero(), 1e-3, bristles);
  EXPECT_EQ(squares(bristles), 0.0);
}

TEST(BristleFriction, PartingPatchesShareAndJoiningOnesAdd) {
  Bristles bristles;
  const Vector3d up = Vector3d::UnitY();
  followPatches(patchesOf({patchAt({0.0, 0.0, 0.0}, up, 3.0, 0.05)}), Vector3d::Zero(), 0.0,
                bristles);
  const Vector3d bend(3e-4, 0.0, 0.0);
  bristles.bristles[0].bend = bend;
  const double before = squares(bristles);
  followPatches(
      patchesOf({patchAt({-0.03, 0.0, 0.0}, up, 2.0), patchAt({0.03, 0.0, 0.0}, up, 1.0)}),
      Vector3d::Zero(), 0.0, bristles);
  ASSERT_EQ(bristles.count, 2U);
  EXPECT_NEAR((bristles.bristles[0].bend - 2.0 / 3.0 * bend).norm(), 0.0, 1e-18);
  EXPECT_NEAR((bristles.bristles[1].bend - 1.0 / 3.0 * bend).norm(), 0.0, 1e-18);
  const double parted = squares(bristles);
  EXPECT_LE(parted, before);
  followPatches(patchesOf({patchAt({0.0, 0.0, 0.0}, up, 3.0, 0.05)}), Vector3d::Zero(), 0.0,
                bristles);
  EXPECT_NEAR(squares(bristles), parted, 1e-12 * before) << "as much as both held, not more";
  EXPECT_GT(bristles.bristles[0].bend.x(), 2e-4);
}

TEST(BristleFriction, BendsTurnWithTheBodies) {
  Bristles bristles;
  const Vector3d up = Vector3d::UnitY();
  followPatches(patchesOf({patchAt({0.0, 0.0, 0.0}, up, 1.0)}), Vector3d::Zero(), 0.0, bristles);
  bristles.bristles[0].bend = Vector3d(1e-4, 0.0, 0.0);
  // B spins by 0.2 about the normal: half of it
  followPatches(patchesOf({patchAt({0.0, 0.0, 0.0}, up, 1.0)}), Vector3d(0.0, 0.2, 0.0), 0.0,
                bristles);
  const Vector3d spun = Eigen::AngleAxisd(0.1, up) * Vector3d(1e-4, 0.0, 0.0);
  EXPECT_NEAR((bristles.bristles[0].bend - spun).norm(), 0.0, 1e-8);
  EXPECT_NEAR(bristles.bristles[0].bend.norm(), 1e-4, 1e-18);
  // the normal tilts: what is bent tilts with it
  bristles.bristles[0].bend = Vector3d(1e-4, 0.0, 2e-4);
  const Eigen::AngleAxisd tilt(0.3, Vector3d(1.0, 0.0, 0.0));
  followPatches(patchesOf({patchAt({0.0, 0.0, 0.0}, tilt * up, 1.0)}), Vector3d::Zero(), 0.0,
                bristles);
  EXPECT_NEAR((bristles.bristles[0].bend - tilt * Vector3d(1e-4, 0.0, 2e-4)).norm(), 0.0, 1e-18);
}

// Patches that jump about, part, join, turn and change their forces and radii: never more energy.
TEST(BristleFriction, FollowingNeverAddsEnergy) {
  tests::SeededBits random(17);
  const auto number = [&](double size) { return random.between(-size, size); };
  for (const double scale : {1e-3, 1.0, 1e3}) {
    Bristles bristles;
    int grown = 0;
    for (int step = 0; step < 3000; ++step) {
      ContactPatches patches;
      patches.count = static_cast<std::size_t>(random.between(0.0, 7.99));
      for (std::size_t i = 0; i < patches.count; ++i) {
        patches.patches[i] = patchAt(scale * Vector3d{number(0.1), number(0.1), number(0.1)},
                                     Vector3d{number(0.5), 1.0, number(0.5)}.normalized(),
                                     i % 3 == 0 && step % 5 == 0 ? 0.0 : random.between(0.0, 5.0),
                                     scale * random.between(0.0, 0.05));
      }
      const double before = squares(bristles);
      followPatches(patches, Vector3d{number(0.1), number(0.1), number(0.1)},
                    random.between(0.0, 0.01) * scale, bristles);
      ASSERT_LE(squares(bristles), before * (1.0 + 1e-12));
      ASSERT_EQ(bristles.count, patches.count);
      if (squares(bristles) > 0.0) ++grown;
      for (Bristle& bristle : bristles.all()) {
        ASSERT_NEAR(bristle.bend.dot(bristle.normal), 0.0, 1e-12 * scale);
        const Vector3d across =
            Vector3d{number(1.0), number(1.0), number(1.0)}.cross(bristle.normal);
        if (step % 4 == 0) bristle.bend = 1e-3 * scale * across;
        if (step % 4 == 0) bristle.twist = 1e-3 * scale * number(1.0);
      }
    }
    EXPECT_GT(grown, 500);
  }
}

}  // namespace
}  // namespace tactus::response
