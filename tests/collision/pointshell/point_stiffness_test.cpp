// Second derivatives of the smooth laws: against closed forms, and against differences of the
// wrench itself.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>

#include "collision/pointshell/voxmap_pointshell.hpp"
#include "tests/collision/pointshell/point_solids.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using tests::block;
using tests::pointsOfB;
using tests::randomPose;
using tests::SeededBits;
using tests::shifted;
using tests::Solid;

using Wrench = Eigen::Matrix<double, 6, 1>;

constexpr double kPi = std::numbers::pi;

Wrench wrenchOf(const PointForce& found) {
  Wrench wrench;
  wrench << found.force, found.torque;
  return wrench;
}

/// B shifted by h along an axis, or turned by h about one through its origin.
Isometry3d stepped(const Isometry3d& pose, Eigen::Index axis, double h) {
  Isometry3d there = pose;
  if (axis < 3) {
    there.translation()[axis] += h;
  } else {
    there.linear() =
        Eigen::AngleAxisd(h, Vector3d::Unit(axis - 3)).toRotationMatrix() * pose.linear();
  }
  return there;
}

/// Minus the differences of the wrench, which is symmetric but for what the sums err.
Stiffness differences(VoxmapPointshell& query, const Isometry3d& pose,
                      const PointForceSettings& settings, double h) {
  Stiffness found;
  for (Eigen::Index axis = 0; axis < 6; ++axis) {
    const Wrench there = wrenchOf(query.query(stepped(pose, axis, h), settings));
    const Wrench back = wrenchOf(query.query(stepped(pose, axis, -h), settings));
    found.col(axis) = (back - there) / (2.0 * h);
  }
  return 0.5 * (found + found.transpose());
}

/// Of turns times the length squared, and so on, so that all numbers mean the same.
double sizeOf(const Stiffness& stiffness, double length) {
  Wrench unit;
  unit << 1.0, 1.0, 1.0, 1.0 / length, 1.0 / length, 1.0 / length;
  return (unit.asDiagonal() * stiffness * unit.asDiagonal()).norm();
}

// The force of a ball in a plane is the volume below it, which grows with the height by the disc.
TEST(PointStiffness, ABallInAPlaneIsAsStiffAsItsDisc) {
  const Solid ball("ball", models::test::sphere(0.3, 64, 128), 10'000, 0.05);
  VoxmapPointshell query(block().body(), ball.body());
  for (const double depth : {0.03, 0.1}) {
    SCOPED_TRACE(depth);
    PointForceSettings settings = pointsOfB(PointLaw::Depth);
    settings.wantsStiffness = true;
    const PointForce found = query.query(shifted({0.01, 0.3 - depth, 0.02}), settings);
    const double disc = kPi * depth * (0.6 - depth);
    Stiffness exact = Stiffness::Zero();
    exact(1, 1) = disc;
    // a ball that turns about its middle stays where it is
    EXPECT_LT(sizeOf(found.stiffness - exact, 0.3), 0.015 * disc);
    EXPECT_EQ(found.stiffness, Stiffness(found.stiffness.transpose()));
    // a plane's contact pushes back in all ways: nothing is left out
    EXPECT_LT(sizeOf(withoutNegative(found.stiffness, 0.3) - found.stiffness, 0.3), 0.01 * disc);
    settings.wantsStiffness = false;
    EXPECT_EQ(query.query(shifted({0.01, 0.3 - depth, 0.02}), settings).stiffness,
              Stiffness::Zero());
  }
}

// A face on a face: S for shifts, and for turns about the middle the second moments of the face,
// less the immersed volume times how far below the middle its centre is, as of a ship.
TEST(PointStiffness, ABoxOnABoxHasItsFacesMoments) {
  const Solid box("box", models::test::box({0.3, 0.2, 0.4}), 20'000, 0.05);
  VoxmapPointshell query(block().body(), box.body());
  PointForceSettings settings = pointsOfB(PointLaw::Depth);
  settings.wantsStiffness = true;
  const double depth = 0.02;
  const PointForce found = query.query(shifted({0.0, 0.1 - depth, 0.0}), settings);
  const double face = 0.12;
  Stiffness exact = Stiffness::Zero();
  exact(1, 1) = face;
  exact(3, 3) = face * (0.16 / 12.0 - depth * (0.1 - 0.5 * depth));
  exact(5, 5) = face * (0.09 / 12.0 - depth * (0.1 - 0.5 * depth));
  EXPECT_LT(sizeOf(found.stiffness - exact, 0.2), 0.03 * face) << found.stiffness;
}

struct Case {
  std::string name;
  PointLaw law;
  PointsOf pointsOf;
};

class PointStiffnessOf : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Laws, PointStiffnessOf,
                         testing::Values(Case{"depthOfA", PointLaw::Depth, PointsOf::A},
                                         Case{"depthOfB", PointLaw::Depth, PointsOf::B},
                                         Case{"volumeOfA", PointLaw::Volume, PointsOf::A},
                                         Case{"volumeOfB", PointLaw::Volume, PointsOf::B}),
                         [](const auto& one) { return one.param.name; });

// Balls off their origins, and balls in a plane, turned anyhow: all blocks of the matrix are there.
TEST_P(PointStiffnessOf, IsTheDifferenceOfWrenches) {
  const auto [name, law, side] = GetParam();
  models::Mesh far = models::test::sphere(0.3, 32, 64);
  for (Eigen::Vector3f& p : far.positions)
    p += Eigen::Vector3f(0.2F, -0.3F, 0.1F);
  const Solid ball("ball", models::test::sphere(0.4, 32, 64), 20'000, 0.015);
  const Solid other("other", far, 20'000, 0.015);
  SeededBits random(41);
  for (int k = 0; k < 4; ++k) {
    SCOPED_TRACE(k);
    VoxmapPointshell query(ball.body(), other.body());
    const Isometry3d pose = randomPose(random, ball.middle(), other.middle(), 0.6);
    PointForceSettings settings{.law = law, .pointsOf = side, .wantsStiffness = true};
    const Stiffness found = query.query(pose, settings).stiffness;
    const Stiffness expected = differences(query, pose, settings, 2e-3);
    EXPECT_GT(sizeOf(expected, 0.4), 0.01);
    EXPECT_LT(sizeOf(found - expected, 0.4), 0.03 * sizeOf(expected, 0.4)) << found << "\n\n"
                                                                           << expected;
    // what implicit integration gets has no way in which it pulls
    const Stiffness held = withoutNegative(found, 0.4);
    const Eigen::SelfAdjointEigenSolver<Stiffness> of(held);
    EXPECT_GT(of.eigenvalues().minCoeff(), -1e-9 * of.eigenvalues().maxCoeff());
  }
}

// Blended as the forces are.
TEST(PointStiffness, HasABudgetToo) {
  const Solid& a = tests::solids()[0];
  const Solid& b = tests::solids()[1];
  VoxmapPointshell query(a.body(), b.body());
  SeededBits random(42);
  int cut = 0;
  for (int k = 0; k < 10; ++k) {
    const Isometry3d pose = randomPose(random, a.middle(), b.middle(), random.between(0.6, 0.8));
    const PointForce whole = query.query(pose, {.wantsStiffness = true});
    if (whole.force.norm() < 1e-3) continue;
    const PointForce found = query.query(pose, {.pointTests = 3000, .wantsStiffness = true});
    cut += found.isCut ? 1 : 0;
    EXPECT_LT(sizeOf(found.stiffness - whole.stiffness, 0.5), 0.25 * sizeOf(whole.stiffness, 0.5));
  }
  EXPECT_GT(cut, 2);
}

}  // namespace
}  // namespace tactus::collision
