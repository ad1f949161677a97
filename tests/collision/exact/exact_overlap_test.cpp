#include "collision/exact/exact_overlap.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "models/builtin.hpp"
#include "tests/collision/exact/tetrahedron_oracle.hpp"
#include "tests/models/test_meshes.hpp"

// Tolerances: meshes are about 1 m large, so sums of some thousand terms below 1 are good to 1e-13;
// the header promises 1e-12 of the volume, and 1e-9 is what the project needs.
namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using models::Mesh;
using models::test::Random;

constexpr double kPrecision = 1e-12;

Isometry3d shifted(double x, double y, double z) {
  return Isometry3d(Eigen::Translation3d(x, y, z));
}

void expectNear(const Vector3d& got, const Vector3d& wanted, double tolerance) {
  EXPECT_NEAR((got - wanted).norm(), 0.0, tolerance)
      << got.transpose() << " is not " << wanted.transpose();
}

/// A ball of few triangles, big enough for the oracle to end.
Mesh coarseBall(double radius) {
  return models::test::sphere(radius, 5, 7);
}

TEST(ExactOverlap, OfTwoBoxesIsABox) {
  const ExactBody box(models::test::box());
  const Vector3d t(0.25, -0.5, 0.375);  // floats, so that the closed form is exact
  const Vector3d left = Vector3d::Ones() - t.cwiseAbs();
  const ExactOverlap overlap = exactOverlap(box, box, shifted(t.x(), t.y(), t.z()));
  EXPECT_NEAR(overlap.volume, left.prod(), kPrecision);
  expectNear(overlap.centroid, 0.5 * t, kPrecision);
  // three faces of A are inside B in part: their areas push, at their middles
  const Vector3d force(left.y() * left.z(), -left.z() * left.x(), left.x() * left.y());
  Vector3d torque = Vector3d::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    Vector3d middle = 0.5 * t;
    middle[axis] = t[axis] > 0.0 ? 0.5 : -0.5;
    torque += (middle - t).cross(Vector3d(force[axis] * Vector3d::Unit(axis)));
  }
  expectNear(overlap.force, force, kPrecision);
  expectNear(overlap.torque, torque, kPrecision);
  EXPECT_LT(overlap.volumeError, 1e-9 * overlap.volume);
  EXPECT_GT(overlap.volumeError, 0.0);
}

TEST(ExactOverlap, AgainstItselfIsTheVolumeAndPushesNowhere) {
  for (const Mesh& mesh : {models::test::box(), models::test::torus(), models::test::sphere()}) {
    const ExactBody body(mesh);
    const ExactOverlap overlap = exactOverlap(body, body, Isometry3d::Identity());
    const double volume = models::test::signedVolume(mesh);
    EXPECT_NEAR(overlap.volume, volume, kPrecision * volume);
    expectNear(overlap.force, Vector3d::Zero(), 1e-9);
    expectNear(overlap.torque, Vector3d::Zero(), 1e-9);
  }
}

// Four pairs of faces of the boxes lie in common planes: in those directions the volume has a kink,
// and the mean of both slopes is zero.
TEST(ExactOverlap, CoplanarFacesPushOnlyWhereTheVolumeFalls) {
  const ExactBody box(models::test::box());
  const ExactOverlap overlap = exactOverlap(box, box, shifted(0.25, 0.0, 0.0));
  EXPECT_NEAR(overlap.volume, 0.75, kPrecision);
  expectNear(overlap.force, Vector3d(1.0, 0.0, 0.0), kPrecision);
  expectNear(overlap.torque, Vector3d::Zero(), kPrecision);
}

TEST(ExactOverlap, TouchingIsExactlyNothing) {
  const ExactBody box(models::test::box());
  for (const Isometry3d& pose :
       {shifted(1, 0, 0), shifted(0, -1, 0.25), shifted(1, 1, 0), shifted(-1, 0.5, 1),
        shifted(1, 1, 1), shifted(3, 0, 0), shifted(0, 1e6, 0)}) {
    const ExactOverlap overlap = exactOverlap(box, box, pose);
    EXPECT_EQ(overlap.volume, 0.0) << pose.translation().transpose();
    EXPECT_EQ(overlap.force, Vector3d::Zero());
    EXPECT_EQ(overlap.torque, Vector3d::Zero());
    EXPECT_LT(overlap.volumeError, 1e-10);
  }
}

TEST(ExactOverlap, FallsToNothingAsTheFacesPart) {
  const ExactBody box(models::test::box());
  for (const double depth : {0x1p-10, 0x1p-20, 0x1p-30}) {
    const ExactOverlap overlap = exactOverlap(box, box, shifted(0.5, 0.25, 1.0 - depth));
    EXPECT_NEAR(overlap.volume, 0.5 * 0.75 * depth, kPrecision) << depth;
    EXPECT_NEAR(overlap.force.z(), 0.5 * 0.75, 1e-9) << depth;
  }
}

TEST(ExactOverlap, OneInsideTheOtherIsTheSmallerOne) {
  const ExactBody large(models::test::box(Vector3d::Constant(4.0)));
  const Mesh torus = models::test::torus();
  const ExactBody small(torus);
  Random random(7);
  for (int k = 0; k < 5; ++k) {
    const Isometry3d pose = random.pose(0.3);
    for (const ExactOverlap& overlap :
         {exactOverlap(large, small, pose), exactOverlap(small, large, pose.inverse())}) {
      EXPECT_NEAR(overlap.volume, models::test::signedVolume(torus), 1e-11);
      expectNear(overlap.force, Vector3d::Zero(), 1e-10);
      expectNear(overlap.torque, Vector3d::Zero(), 1e-10);
    }
  }
}

TEST(ExactOverlap, ACavityHoldsNothing) {
  Mesh hollow = models::test::box(Vector3d::Constant(4.0));
  models::test::append(hollow, models::test::flipped(models::test::box(Vector3d::Constant(2.0))));
  const ExactBody shell(hollow);
  const ExactBody box(models::test::box());
  EXPECT_EQ(exactOverlap(shell, box, shifted(0.25, 0.125, 0)).volume, 0.0);
  EXPECT_NEAR(exactOverlap(shell, box, shifted(0.75, 0, 0)).volume, 0.25, kPrecision);
}

// Two parts of one mesh that overlap count twice where they do, as the header says.
TEST(ExactOverlap, CountsHowOftenTheSurfaceWindsAround) {
  Mesh twice = models::test::box();
  models::test::append(twice, models::test::box(Vector3d::Ones(), Vector3d(0.5, 0, 0)));
  const ExactOverlap overlap =
      exactOverlap(ExactBody(twice), ExactBody(models::test::box()), Isometry3d::Identity());
  EXPECT_NEAR(overlap.volume, 1.5, kPrecision);
}

struct Pair {
  Mesh a, b;
};

std::vector<Pair> oraclePairs() {
  return {{coarseBall(0.5), coarseBall(0.6)},
          {models::test::torus(0.5, 0.2, 7, 5), models::test::torus(0.5, 0.2, 7, 5)},
          {models::test::tetrahedron(), models::test::box({0.5, 1.0, 0.7})},
          {models::test::box({1.0, 0.01, 1.0}), coarseBall(0.5)},      // a slab
          {models::test::box({0.002, 2.0, 0.002}), coarseBall(0.5)}};  // a needle
}

TEST(ExactOverlap, IsWhatTetrahedraGive) {
  Random random(11);
  int overlapping = 0;
  for (const Pair& pair : oraclePairs()) {
    const ExactBody a(pair.a);
    const ExactBody b(pair.b);
    for (int k = 0; k < 4; ++k) {
      const Isometry3d pose = random.pose(0.3);
      const test::VolumeAndMoment wanted = test::commonVolume(pair.a, pair.b, pose);
      const ExactOverlap got = exactOverlap(a, b, pose);
      EXPECT_NEAR(got.volume, wanted.volume, kPrecision);
      if (wanted.volume < 1e-6) continue;
      ++overlapping;
      expectNear(got.centroid, wanted.moment / wanted.volume, 1e-12 / wanted.volume);
    }
  }
  EXPECT_GT(overlapping, 12);
}

// Exchanging the objects turns the wrench round: -F at the same line of action.
TEST(ExactOverlap, IsTheSameInBothOrders) {
  Random random(13);
  for (const Pair& pair : oraclePairs()) {
    const ExactBody a(pair.a);
    const ExactBody b(pair.b);
    for (int k = 0; k < 6; ++k) {
      const Isometry3d pose = random.pose(0.3);
      const ExactOverlap ab = exactOverlap(a, b, pose);
      const ExactOverlap ba = exactOverlap(b, a, pose.inverse());
      EXPECT_NEAR(ab.volume, ba.volume, kPrecision);
      expectNear(ab.force, -(pose.linear() * ba.force), 1e-10);
      const Vector3d torqueAboutA = pose.linear() * ba.torque;  // on A, about A's origin
      expectNear(ab.torque + pose.translation().cross(ab.force), -torqueAboutA, 1e-10);
    }
  }
}

TEST(ExactOverlap, StaysUnderACommonMotion) {
  const Mesh ball = coarseBall(0.5);
  const Mesh ring = models::test::torus(0.5, 0.2, 9, 6);
  // far from zero, by origins that are no rounding of the positions
  Mesh farBall = ball;
  Mesh farRing = ring;
  farBall.origin = Vector3d(4096, -8192, 1024);
  farRing.origin = Vector3d(-2048, 512, 16384);
  const ExactBody nearA(ball), nearB(ring), farA(farBall), farB(farRing);
  Random random(17);
  for (int k = 0; k < 6; ++k) {
    const Isometry3d pose = random.pose(0.4);
    const Isometry3d farPose =
        Eigen::Translation3d(farBall.origin) * pose * Eigen::Translation3d(-farRing.origin);
    const ExactOverlap near = exactOverlap(nearA, nearB, pose);
    const ExactOverlap far = exactOverlap(farA, farB, farPose);
    // the far pose is rounded to 4e-12 m
    EXPECT_NEAR(near.volume, far.volume, 1e-10);
    expectNear(near.force, far.force, 1e-9);
    expectNear(near.centroid + farBall.origin, far.centroid, 1e-8);
  }
}

TEST(ExactOverlap, ScalesWithItsObjects) {
  Random random(19);
  for (const double size : {1e-3, 1e3}) {
    Mesh a = coarseBall(0.5);
    Mesh b = models::test::torus(0.5, 0.2, 9, 6);
    const Isometry3d pose = random.pose(0.3);
    const ExactOverlap unit = exactOverlap(ExactBody(a), ExactBody(b), pose);
    Isometry3d scaledPose = pose;
    scaledPose.translation() *= size;
    models::scale(a, size);
    models::scale(b, size);
    const ExactOverlap scaled = exactOverlap(ExactBody(a), ExactBody(b), scaledPose);
    // positions are rounded to floats again
    EXPECT_NEAR(scaled.volume / (size * size * size), unit.volume, 1e-6);
    expectNear(scaled.force / (size * size), unit.force, 1e-5);
  }
}

// The force is minus the gradient of the volume of the same function: with steps of 1e-5 central
// differences are off by the third derivative, 1e-10 times what a corner that moves in adds, and by
// 1e-13 / 1e-5 of rounding. An overlap whose corners are 1e-5 from an event is not among the poses.
TEST(ExactOverlap, WrenchIsTheGradientOfTheVolume) {
  constexpr double kStep = 1e-5;
  Random random(23);
  for (const Pair& pair : oraclePairs()) {
    const ExactBody a(pair.a);
    const ExactBody b(pair.b);
    for (int k = 0; k < 3; ++k) {
      const Isometry3d pose = random.pose(0.3);
      const ExactOverlap overlap = exactOverlap(a, b, pose);
      for (int axis = 0; axis < 3; ++axis) {
        const auto volumeAt = [&](double shift, double turn) {
          Isometry3d moved = pose;
          moved.translation() += shift * Vector3d::Unit(axis);
          const Vector3d half = std::tan(0.5 * turn) * Vector3d::Unit(axis);
          moved.linear() =
              Eigen::Quaterniond(1.0, half.x(), half.y(), half.z()).normalized() * pose.linear();
          return exactOverlap(a, b, moved).volume;
        };
        const double slope = (volumeAt(kStep, 0) - volumeAt(-kStep, 0)) / (2 * kStep);
        const double turning = (volumeAt(0, kStep) - volumeAt(0, -kStep)) / (2 * kStep);
        EXPECT_NEAR(overlap.force[axis], -slope, 1e-6);
        EXPECT_NEAR(overlap.torque[axis], -turning, 1e-6);
      }
    }
  }
}

// What floats lost of a position comes back: a box whose edges are no floats.
TEST(ExactOverlap, UsesRemainders) {
  Mesh mesh = models::test::box();
  std::vector<Eigen::Vector3f> remainders;
  remainders.reserve(mesh.positions.size());
  for (const Eigen::Vector3f& p : mesh.positions)
    remainders.emplace_back(0x1p-30F * p.cwiseSign());
  const ExactBody box(mesh, remainders);
  const double edge = 1.0 + 0x1p-29;
  const ExactOverlap overlap = exactOverlap(box, box, Isometry3d::Identity());
  EXPECT_NEAR(overlap.volume, edge * edge * edge, kPrecision);
}

TEST(ExactOverlap, OfNothingIsNothing) {
  const ExactBody nothing{Mesh{}};
  const ExactBody box(models::test::box());
  EXPECT_EQ(nothing.solidity, Solidity::Open);
  EXPECT_EQ(exactOverlap(nothing, box, Isometry3d::Identity()).volume, 0.0);
  EXPECT_EQ(exactOverlap(box, nothing, Isometry3d::Identity()).volume, 0.0);
}

TEST(ExactOverlap, BytesDoNotDependOnThreads) {
  const ExactBody a(models::makeBuiltin("gear", 3000).value());
  const ExactBody b(models::makeBuiltin("torus", 5000).value());
  const Isometry3d pose =
      Eigen::Translation3d(0.002, 0.001, 0.003) * Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5);
  const auto bitsOf = [&](unsigned threads) {
    const ExactOverlap o = exactOverlap(a, b, pose, threads);
    std::vector<std::uint64_t> bits{o.pairs};
    for (const double number :
         {o.volume, o.volumeError, o.centroid.x(), o.centroid.y(), o.centroid.z(), o.force.x(),
          o.force.y(), o.force.z(), o.torque.x(), o.torque.y(), o.torque.z()}) {
      bits.push_back(std::bit_cast<std::uint64_t>(number));
    }
    return bits;
  };
  const std::vector<std::uint64_t> one = bitsOf(1);
  EXPECT_GT(one[0], 1000U) << "the objects do not overlap any more";
  for (const unsigned threads : {2U, 3U, 7U})
    EXPECT_EQ(bitsOf(threads), one) << threads;
}

TEST(ExactBody, TellsWhatIsNoSolid) {
  EXPECT_EQ(ExactBody(models::test::box()).solidity, Solidity::Solid);
  EXPECT_EQ(ExactBody(models::test::bowl()).solidity, Solidity::Open);
  EXPECT_EQ(ExactBody(models::test::flipped(models::test::box())).solidity, Solidity::InsideOut);
}

}  // namespace
}  // namespace tactus::collision
