#include "response/contact/contact_law.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "collision/cache/object_builder.hpp"
#include "models/lanes/vector_target.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::response {
namespace {

using collision::ContactPatches;
using Eigen::Isometry3d;
using Eigen::Vector3d;

constexpr std::array kLaws = {ContactLaw::Depth, ContactLaw::Volume, ContactLaw::Seed,
                              ContactLaw::PointDepth, ContactLaw::PointLayers};
constexpr double kSide = 0.05;

ContactSolid built(const models::Mesh& mesh) {
  collision::BuildSettings settings;
  settings.parameters.spheres = 800;
  settings.parameters.points = 4000;
  settings.threads = 1;
  return contactSolidOf(collision::buildObject({mesh, {}}, settings).object);
}

/// A flat box and a cube that stands on it; one is the larger.
const std::vector<ContactSolid>& solids() {
  static const std::vector<ContactSolid> kAll = {
      built(models::test::box({0.1, 0.05, 0.1}, {0.0, -0.025, 0.0})),
      built(models::test::box({kSide, kSide, kSide}))};
  return kAll;
}

ContactScratch& scratch() {
  static ContactScratch room(solids());
  return room;
}

Isometry3d pressed(double depth) {
  Isometry3d pose = Isometry3d::Identity();
  pose.translation() = Vector3d(0.004, 0.5 * kSide - depth, -0.003);
  return pose;
}

ContactForce ask(ContactLaw law, const Isometry3d& pose, ContactPatches& patches,
                 bool isSwapped = false) {
  const ContactSolid& a = solids()[isSwapped ? 1 : 0];
  const ContactSolid& b = solids()[isSwapped ? 0 : 1];
  return contactForce(a, b, pose, Material{}, {.law = law, .length = kSide}, scratch(), &patches);
}

TEST(Materials, PairsAreSymmetricAndAlikeOnesStayAsTheyAre) {
  Material a;
  a.stiffness = 1e6;
  a.staticFriction = 0.9;
  a.bristleStiffness = 0.0;
  const Material b;
  const Material ab = pairedWith(a, b);
  const Material ba = pairedWith(b, a);
  EXPECT_EQ(ab.stiffness, ba.stiffness);
  EXPECT_EQ(ab.staticFriction, ba.staticFriction);
  EXPECT_EQ(ab.kineticFriction, ba.kineticFriction);
  EXPECT_EQ(ab.bristleStiffness, 0.0);
  EXPECT_LE(ab.kineticFriction, ab.staticFriction);
  EXPECT_NEAR(ab.stiffness, 2.0 / (1e-6 + 1.0 / b.stiffness), 1e-3);
  EXPECT_NEAR(pairedWith(b, b).stiffness, b.stiffness, 1e-6);
  EXPECT_NEAR(pairedWith(b, b).staticFriction, b.staticFriction, 1e-15);
}

TEST(ContactLaws, EachPushesBodiesApartAndNothingWhenTheyAre) {
  ContactPatches patches;
  for (const ContactLaw law : kLaws) {
    // balls of cells stick out of faces, and by the seed's law they push at once
    const double gap = law == ContactLaw::Seed ? 1e-2 : 1e-3;
    const ContactForce apart = ask(law, pressed(-gap), patches);
    EXPECT_FALSE(apart.touches) << static_cast<int>(law);
    EXPECT_TRUE(apart.onB.force.isZero(0.0));
    EXPECT_EQ(patches.count, 0U);
    const ContactForce pushed = ask(law, pressed(2e-3), patches);
    EXPECT_TRUE(pushed.touches) << static_cast<int>(law);
    EXPECT_GT(pushed.onB.force.y(), 0.1) << static_cast<int>(law);
    EXPECT_LT(pushed.onA.force.y(), -0.1) << static_cast<int>(law);
    EXPECT_LT(pushed.onB.force.cross(Vector3d::UnitY()).norm(), 0.15 * pushed.onB.force.norm())
        << static_cast<int>(law);
    ASSERT_GE(patches.count, 1U) << static_cast<int>(law);
    Vector3d sum = Vector3d::Zero();
    for (const collision::ContactPatch& patch : patches.all())
      sum += patch.force;
    EXPECT_LT((sum - pushed.onB.force).norm(), 1e-3 * sum.norm()) << static_cast<int>(law);
    EXPECT_LT((patches.patches[0].centre - Vector3d(0.004, 0.0, -0.003)).norm(), 0.15 * kSide)
        << static_cast<int>(law);
  }
}

// Between flat faces: K S d / 2 of either depth, k S of the volume. Near the rim of the face, with
// its perimeter P, the box's sides are nearer: that takes P d / 4 S of the lesser depth's force.
// The fields of such small objects are coarse, with cubes of 2 mm.
TEST(ContactLaws, FlatFacesPushAsTheFormulaSays) {
  ContactPatches patches;
  const Material material;
  const double area = kSide * kSide;
  for (const double depth : {1e-3, 2e-3}) {
    const double two = 0.5 * material.stiffness * area * depth * (1.0 - depth / kSide);
    const ContactForce byDepth = ask(ContactLaw::Depth, pressed(depth), patches);
    EXPECT_NEAR(byDepth.onB.force.y(), two, 0.07 * two);
    EXPECT_NEAR(byDepth.energy, 0.5 * two * depth, 0.04 * two * depth);
    EXPECT_NEAR(byDepth.stiffness(1, 1), two / depth, 0.05 * two / depth);
    const ContactForce byPoints = ask(ContactLaw::PointDepth, pressed(depth), patches);
    const double one = 0.5 * material.stiffness * area * depth;
    EXPECT_NEAR(byPoints.onB.force.y(), one, 0.02 * one);
    EXPECT_NEAR(byPoints.energy, 0.5 * one * depth, 0.03 * one * depth);
    EXPECT_NEAR(byPoints.stiffness(1, 1), one / depth, 0.1 * one / depth);
    const ContactForce byVolume = ask(ContactLaw::Volume, pressed(depth), patches);
    EXPECT_NEAR(byVolume.onB.force.y(), material.pressure * area, 0.25 * material.pressure * area);
  }
}

// Wrenches of laws with an energy are opposite; every stiffness is symmetric and pushes back.
TEST(ContactLaws, WrenchesAreOppositeAndStiffnessIsPositive) {
  tests::SeededBits random(9);
  ContactPatches patches;
  for (const ContactLaw law : kLaws) {
    int touched = 0;
    for (int k = 0; k < 8; ++k) {
      const Isometry3d pose =
          tests::randomPose(random, {0.0, -0.025, 0.0}, Vector3d::Zero(), 0.045 + 0.001 * k);
      const ContactForce found = ask(law, pose, patches);
      if (!found.touches) continue;
      ++touched;
      if (law != ContactLaw::Seed) {
        const Wrench moved = aboutPoint(found.onB, pose.translation(), Vector3d::Zero());
        EXPECT_LT((found.onA.force + moved.force).norm(), 1e-12 * moved.force.norm());
        EXPECT_LT((found.onA.torque + moved.torque).norm(),
                  1e-12 * (moved.torque.norm() + moved.force.norm()));
      }
      const collision::Stiffness skew = found.stiffness - found.stiffness.transpose();
      EXPECT_LT(skew.norm(), 1e-9 * found.stiffness.norm());
      Eigen::Matrix<double, 6, 1> unit;
      unit << 1.0, 1.0, 1.0, 1.0 / kSide, 1.0 / kSide, 1.0 / kSide;
      const Eigen::SelfAdjointEigenSolver<collision::Stiffness> of(
          unit.asDiagonal() * found.stiffness * unit.asDiagonal());
      EXPECT_GT(of.eigenvalues().minCoeff(), -1e-6 * of.eigenvalues().maxCoeff());
      EXPECT_GT(of.eigenvalues().maxCoeff(), 0.0);
    }
    EXPECT_GT(touched, 2) << static_cast<int>(law);
  }
}

// The wrench is minus the gradient of the energy: a small shift and turn change it by so much.
TEST(ContactLaws, ForcesAreGradientsOfTheirEnergy) {
  ContactPatches patches;
  Isometry3d pose = pressed(4e-3);
  pose.rotate(Eigen::AngleAxisd(0.2, Vector3d(1.0, 0.5, 0.3).normalized()));
  for (const ContactLaw law : {ContactLaw::Depth, ContactLaw::Volume}) {
    const ContactForce found = ask(law, pose, patches);
    const double step = 2e-4;
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      Isometry3d ahead = pose;
      Isometry3d behind = pose;
      ahead.translation()[axis] += step;
      behind.translation()[axis] -= step;
      const double slope =
          (ask(law, ahead, patches).energy - ask(law, behind, patches).energy) / (2.0 * step);
      EXPECT_NEAR(-slope, found.onB.force[axis], 0.03 * found.onB.force.norm())
          << static_cast<int>(law) << " axis " << axis;
    }
  }
}

TEST(ContactLaws, SwappedBodiesPushTheOtherWay) {
  ContactPatches patches;
  const Isometry3d pose = pressed(2e-3);
  for (const ContactLaw law : kLaws) {
    const ContactForce found = ask(law, pose, patches);
    const ContactForce swapped = ask(law, pose.inverse(Eigen::Isometry), patches, true);
    // of the larger solid in its own frame, both times
    EXPECT_LT((found.onA.force - swapped.onB.force - Vector3d::Zero()).norm(),
              2e-3 * found.onA.force.norm() + (pose.linear() - Eigen::Matrix3d::Identity()).norm())
        << static_cast<int>(law);
    EXPECT_NEAR(found.energy, swapped.energy, 1e-3 * found.energy) << static_cast<int>(law);
  }
}

TEST(ContactLaws, SameNumbersOnEveryVectorTarget) {
  ContactPatches patches;
  Isometry3d pose = pressed(3e-3);
  pose.rotate(Eigen::AngleAxisd(0.1, Vector3d::UnitZ()));
  for (const ContactLaw law : kLaws) {
    const ContactForce expected = ask(law, pose, patches);
    for (const models::VectorTarget target : models::supportedTargets()) {
      ASSERT_TRUE(models::useTarget(target));
      const ContactForce found = ask(law, pose, patches);
      EXPECT_EQ(found.onB.force, expected.onB.force) << static_cast<int>(law);
      EXPECT_EQ(found.onB.torque, expected.onB.torque) << static_cast<int>(law);
      EXPECT_EQ(found.stiffness, expected.stiffness) << static_cast<int>(law);
    }
    ASSERT_TRUE(models::useTarget(models::bestTarget()));
  }
}

TEST(ContactLaws, AnotherOneWaitsUntilThePairIsFree) {
  SwitchedLaw law;
  law.request(ContactLaw::Volume);
  law.update(true);
  EXPECT_EQ(law.inForce(), ContactLaw::Depth);
  EXPECT_TRUE(law.waits());
  law.request(ContactLaw::Seed);
  law.update(true);
  EXPECT_EQ(law.inForce(), ContactLaw::Depth);
  law.update(false);
  EXPECT_EQ(law.inForce(), ContactLaw::Seed);
  EXPECT_FALSE(law.waits());
}

}  // namespace
}  // namespace tactus::response
