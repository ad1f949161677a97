// Energies by the depth laws, and stiffness, against sums over all pairs in doubles and their
// differences. A float sum of lenses is off by 1e-4 of itself (lens_sums.cpp).
#include "collision/tree/contact_energy.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <string>
#include <vector>

#include "collision/tree/penetration_volume.hpp"
#include "tests/collision/tree/ball_clouds.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using tests::ball;
using tests::cloud;
using tests::overAllPairs;
using tests::randomPoseWithin;
using tests::SeededBits;
using tests::SumOfPairs;

using Wrench = Eigen::Matrix<double, 6, 1>;

Wrench wrenchOf(const PenetrationVolume& found) {
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

class EnergyOfLaw : public testing::TestWithParam<EnergyLaw> {};

INSTANTIATE_TEST_SUITE_P(Laws, EnergyOfLaw,
                         testing::Values(EnergyLaw::Volume, EnergyLaw::Depth, EnergyLaw::DepthOfB));

TEST_P(EnergyOfLaw, IsTheSumOverAllPairs) {
  SeededBits random(3);
  for (const int count : {1, 5, 300, 2000}) {
    const std::vector<InnerSphere> a = cloud(1, count, {1.0, 0.5, 0.2});
    const std::vector<InnerSphere> b = cloud(2, 2 + count / 3, {0.5, 0.5, 0.5});
    const InnerSphereTree treeA(a);
    const InnerSphereTree treeB(b);
    PenetrationScratch scratch;
    for (int k = 0; k < 8; ++k) {
      SCOPED_TRACE(std::to_string(count) + " pose " + std::to_string(k));
      const Isometry3d pose = randomPoseWithin(random, 0.7);
      const SumOfPairs sum = overAllPairs(a, b, pose, GetParam());
      const PenetrationVolume found =
          penetrationVolume(treeA, treeB, pose, scratch, {.law = GetParam()});
      EXPECT_NEAR(found.energy, sum.energy, 1e-4 * sum.energy + 1e-10);
      EXPECT_NEAR(found.volume, sum.volume, 1e-4 * sum.volume + 1e-9);
      EXPECT_NEAR(found.lowerVolume, sum.lower, 1e-4 * sum.lower + 1e-9);
      EXPECT_NEAR((found.force - sum.force).norm(), 0.0, 1e-4 * sum.force.norm() + 1e-8);
      EXPECT_NEAR((found.torque - sum.torque).norm(), 0.0, 1e-4 * sum.force.norm() + 1e-8);
    }
  }
}

// Differences of the wrench, which the test before has checked; of turns only the symmetric part is
// a second derivative. Far from B's origin too, since the sums are taken about the tree's. A step
// of a thousandth of the balls keeps differences of floats good to two thousandths.
TEST_P(EnergyOfLaw, StiffnessIsItsSecondDerivative) {
  SeededBits random(17);
  const double h = 1e-4;
  for (const Vector3d& place : {Vector3d(0.0, 0.0, 0.0), Vector3d(2.0, -1.0, 0.5)}) {
    std::vector<InnerSphere> a = cloud(5, 6, {0.3, 0.3, 0.3});
    std::vector<InnerSphere> b = cloud(6, 6, {0.3, 0.3, 0.3});
    for (std::vector<InnerSphere>* balls : {&a, &b}) {
      for (InnerSphere& sphere : *balls) {
        sphere.cellRadius = random.between(0.08, 0.2);
        sphere.depth = sphere.cellRadius * random.between(0.2, 3.0);
      }
    }
    for (InnerSphere& sphere : b)
      sphere.centre += place;
    const InnerSphereTree treeA(a);
    const InnerSphereTree treeB(b);
    PenetrationScratch scratch;
    for (int k = 0; k < 6; ++k) {
      Isometry3d pose = randomPoseWithin(random, 0.1);
      pose.translation() -= pose.linear() * place;
      const PenetrationVolume found = penetrationVolume(
          treeA, treeB, pose, scratch, {.law = GetParam(), .wantsStiffness = true});
      Stiffness expected;
      for (Eigen::Index axis = 0; axis < 6; ++axis) {
        const auto wrenchAt = [&](double step) {
          return wrenchOf(penetrationVolume(treeA, treeB, stepped(pose, axis, step), scratch,
                                            {.law = GetParam()}));
        };
        expected.col(axis) = -(wrenchAt(h) - wrenchAt(-h)) / (2.0 * h);
      }
      const Stiffness symmetric = 0.5 * (expected + expected.transpose());
      EXPECT_GT(found.stiffness.norm(), 0.0);
      EXPECT_EQ(found.stiffness, found.stiffness.transpose());
      EXPECT_NEAR((found.stiffness - symmetric).norm(), 0.0, 2e-3 * symmetric.norm()) << k;
    }
  }
}

// Through the middle of an equal ball the force turns round: it must pass through 0, not jump.
TEST(ContactEnergy, NearlyConcentricBallsPushLessAndLess) {
  const InnerSphereTree one(std::vector<InnerSphere>{ball({0.0, 0.0, 0.0}, 1.0)});
  PenetrationScratch scratch;
  double largest = 0.0;
  double before = 0.0;
  for (int i = -100; i <= 100; ++i) {
    const Isometry3d pose(Eigen::Translation3d(0.001 * i, 0.0, 0.0));
    const PenetrationVolume found =
        penetrationVolume(one, one, pose, scratch, {.wantsStiffness = true});
    if (i > -100) largest = std::max(largest, std::fabs(found.force.x() - before));
    before = found.force.x();
    if (i == 0) {
      EXPECT_EQ(found.force.norm(), 0.0);
    }
    EXPECT_TRUE(found.stiffness.allFinite());
    EXPECT_LT(found.stiffness.norm(), 200.0);
  }
  // from -pi to pi over a tenth: a fiftieth of that a step
  EXPECT_LT(largest, 0.07);
}

TEST(ContactEnergy, WithoutNegativeKeepsWhatIsPositive) {
  SeededBits random(8);
  for (int k = 0; k < 20; ++k) {
    Stiffness any;
    for (double& number : any.reshaped())
      number = random.between(-1.0, 1.0);
    const Stiffness stiffness = 0.5 * (any + any.transpose());
    const double length = random.between(0.05, 2.0);
    const Stiffness positive = withoutNegative(stiffness, length);
    EXPECT_EQ(positive, positive.transpose());
    const Eigen::SelfAdjointEigenSolver<Stiffness> of(positive);
    EXPECT_GE(of.eigenvalues().minCoeff(), -1e-12);
    // along whatever direction, it is not softer than before
    Eigen::Matrix<double, 6, 1> way;
    for (double& number : way)
      number = random.between(-1.0, 1.0);
    EXPECT_GE(way.dot(positive * way), way.dot(stiffness * way) - 1e-12);
    // once more changes nothing, and neither does a matrix without negative ones
    EXPECT_NEAR((withoutNegative(positive, length) - positive).norm(), 0.0, 1e-12);
  }
  EXPECT_EQ(withoutNegative(-Stiffness::Identity(), 1.0), Stiffness::Zero());
}

}  // namespace
}  // namespace tactus::collision
