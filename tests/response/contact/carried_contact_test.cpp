// What a contact is carried on to, against what its law says at the new pose.
#include "response/contact/carried_contact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "tests/collision/random_pose.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/response/bodies/test_bodies.hpp"

namespace tactus::response {
namespace {

using collision::ContactPatches;
using Eigen::Isometry3d;
using Eigen::Vector3d;
using tests::SeededBits;

constexpr double kRadius = 0.03;

/// A plate and a ball.
const std::array<ContactSolid, 2>& solids() {
  static const std::array<ContactSolid, 2> kBoth = {
      test::solidOf(models::test::box({0.2, 0.04, 0.2}, {0.0, -0.02, 0.0}), 60'000),
      test::solidOf(models::test::sphere(kRadius, 48, 96), 60'000)};
  return kBoth;
}

ContactForce ask(const Isometry3d& aFromB, ContactPatches& patches) {
  static ContactScratch scratch(solids());
  return contactForce(solids()[0], solids()[1], aFromB, Material{}, {.length = kRadius}, scratch,
                      &patches);
}

Isometry3d pressed(double depth) {
  return Isometry3d(Eigen::Translation3d(0.013, kRadius - depth, -0.007));
}

Isometry3d moved(const Isometry3d& from, SeededBits& random, double path) {
  Isometry3d to = from;
  for (int k = 0; k < 3; ++k)
    to.translation()[k] += random.between(-path, path);
  const Vector3d turn(random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                      random.between(-1.0, 1.0));
  to.linear() = Eigen::AngleAxisd(path / kRadius, turn.normalized()) * from.linear();
  return to;
}

// A push that grows with the square of the depth: a change by a share s is right to s^2 / 4.
TEST(CarriedContact, IsRightToTheSquareOfTheChange) {
  SeededBits random(31);
  ContactPatches patches;
  const Isometry3d before = pressed(2e-3);
  const ContactForce force = ask(before, patches);
  ASSERT_TRUE(force.touches);
  const double push = force.onB.force.norm();
  for (const double path : {2e-5, 1e-4, 2.5e-4}) {
    for (int k = 0; k < 20; ++k) {
      const Isometry3d now = moved(before, random, path);
      const ContactForce truth = ask(now, patches);
      const CarriedContact carried = carriedContact(force, before, now, kRadius);
      // cubes of a millimetre make the ball's push uneven by some thousandths on their way
      constexpr double kUneven = 10.0;  // [1/m]
      const double allowed = (0.5 * carried.change + 0.01) * carried.change + kUneven * path;
      EXPECT_LT((carried.force.onB.force - truth.onB.force).norm(), allowed * push) << path;
      const Vector3d middle = truth.point;
      const Wrench is = aboutPoint(carried.force.onB, now.translation(), middle);
      const Wrench shouldBe = aboutPoint(truth.onB, now.translation(), middle);
      EXPECT_LT((is.torque - shouldBe.torque).norm(), allowed * push * kRadius) << path;
      EXPECT_NEAR(carried.force.energy, truth.energy, allowed * force.energy) << path;
      EXPECT_NEAR(carried.scale, truth.onB.force.y() / push, allowed) << path;
    }
  }
}

TEST(CarriedContact, WrenchesStayOpposite) {
  SeededBits random(32);
  ContactPatches patches;
  const Isometry3d before = pressed(1e-3);
  const ContactForce force = ask(before, patches);
  for (int k = 0; k < 20; ++k) {
    const Isometry3d now = moved(before, random, 1e-4);
    const ContactForce carried = carriedContact(force, before, now, kRadius).force;
    const Wrench aboutA = aboutPoint(carried.onB, now.translation(), Vector3d::Zero());
    EXPECT_LT((aboutA.force + carried.onA.force).norm(), 1e-12 * carried.onA.force.norm());
    EXPECT_LT((aboutA.torque + carried.onA.torque).norm(), 1e-12 * carried.onA.force.norm());
  }
}

TEST(CarriedContact, WhereNothingMovedNothingChanges) {
  ContactPatches patches;
  const Isometry3d pose = pressed(1e-3);
  const ContactForce force = ask(pose, patches);
  const CarriedContact carried = carriedContact(force, pose, pose, kRadius);
  EXPECT_LT(carried.change, 1e-12);
  EXPECT_NEAR(carried.scale, 1.0, 1e-12);
  EXPECT_LT((carried.force.onB.torque - force.onB.torque).norm(), 1e-12 * force.onB.force.norm());
  EXPECT_DOUBLE_EQ(carried.force.energy, force.energy);
}

TEST(CarriedContact, OfWhatDoesNotPushNothingIsKnown) {
  ContactForce nothing;
  const CarriedContact carried = carriedContact(nothing, Isometry3d::Identity(), pressed(0.0), 0.1);
  EXPECT_GE(carried.change, 1.0);
}

TEST(CarriedContact, PatchesAreScaled) {
  ContactPatches patches;
  const ContactForce force = ask(pressed(1e-3), patches);
  ASSERT_GT(patches.count, 0U);
  const collision::ContactPatch before = patches.patches[0];
  scalePatches(1.5, patches);
  EXPECT_DOUBLE_EQ(patches.patches[0].normalForce, 1.5 * before.normalForce);
  EXPECT_DOUBLE_EQ(patches.patches[0].pressure, 1.5 * before.pressure);
  EXPECT_EQ(patches.patches[0].centre, before.centre);
  EXPECT_GT(force.energy, 0.0);
}

}  // namespace
}  // namespace tactus::response
