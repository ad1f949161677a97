// The rounds against a dense solution of all equations at once, and what holds after any of them.
#include "response/bodies/implicit_contacts.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <vector>

#include "collision/tree/contact_energy.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::response {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Vector3d vector(tests::SeededBits& random, double size) {
  return {random.between(-size, size), random.between(-size, size), random.between(-size, size)};
}

Vector6 six(tests::SeededBits& random, double size) {
  Vector6 all;
  all << vector(random, size), vector(random, size);
  return all;
}

struct Heap {
  std::vector<MovingBody> bodies;
  std::vector<PairBlock> pairs;
  std::vector<PatchBlock> patches;
};

/// Some bodies, the first one immovable, with contacts between neighbours.
Heap heapOf(std::uint64_t seed, double stiffness) {
  tests::SeededBits random(seed);
  Heap heap;
  constexpr std::uint32_t kBodies = 5;
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    MovingBody body;
    body.centre = vector(random, 0.2);
    body.start = six(random, 0.3);
    if (i == 0) body.start.setZero();
    body.free = i == 0 ? body.start : Vector6(body.start + six(random, 0.01));
    if (i > 0) {
      const double mass = random.between(0.1, 2.0);
      const Matrix3d root =
          Matrix3d::Identity() + 0.3 * (vector(random, 1.0) * Vector3d::Ones().transpose());
      body.mobility.topLeftCorner<3, 3>() = Matrix3d::Identity() / mass;
      body.mobility.bottomRightCorner<3, 3>() = (root * root.transpose() * (1e-3 * mass)).inverse();
    }
    heap.bodies.push_back(body);
  }
  for (std::uint32_t i = 0; i + 1 < kBodies; ++i) {
    PairBlock pair;
    pair.a = i;
    pair.b = i + 1;
    pair.point = vector(random, 0.2);
    pair.given = six(random, 2.0);
    const Matrix6 root = Matrix6::NullaryExpr([&] { return random.between(-1.0, 1.0); });
    Vector6 scale;
    scale << 1.0, 1.0, 1.0, 0.03, 0.03, 0.03;
    pair.gain =
        1e-3 * stiffness * scale.asDiagonal() * root * root.transpose() * scale.asDiagonal();
    heap.pairs.push_back(pair);
    PatchBlock patch;
    patch.a = i;
    patch.b = i + 1;
    patch.point = pair.point + vector(random, 0.01);
    patch.axes = Eigen::Quaterniond(1.0, 0.3, random.between(-1.0, 1.0), 0.2)
                     .normalized()
                     .toRotationMatrix();
    patch.spinRadius = 0.02;
    patch.stiffness = stiffness;
    patch.damping = 1e-3 * stiffness;
    patch.limit = 1e9;
    patch.pair = 1000;
    patch.state = vector(random, 1e-4);
    heap.patches.push_back(patch);
  }
  return heap;
}

Matrix6 atPoint(const Vector3d& arm) {
  Matrix6 map = Matrix6::Identity();
  map.topRightCorner<3, 3>() = -collision::crossing(arm);
  return map;
}

/// Of all bodies at once, without limits: (1 + h theta Y J^T G J) u = free + h Y J^T (given - ...).
std::vector<Vector6> dense(const Heap& heap, const ImplicitSettings& settings) {
  const auto count = static_cast<Eigen::Index>(6 * heap.bodies.size());
  MatrixXd mobility = MatrixXd::Zero(count, count);
  VectorXd start(count);
  VectorXd free(count);
  for (std::size_t i = 0; i < heap.bodies.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(6 * i);
    mobility.block<6, 6>(at, at) = heap.bodies[i].mobility;
    start.segment<6>(at) = heap.bodies[i].start;
    free.segment<6>(at) = heap.bodies[i].free;
  }
  MatrixXd gain = MatrixXd::Zero(count, count);
  VectorXd given = VectorXd::Zero(count);
  const auto add = [&](std::uint32_t a, std::uint32_t b, const Vector3d& point,
                       const MatrixXd& rows, const MatrixXd& slope, const VectorXd& force) {
    MatrixXd jacobian = MatrixXd::Zero(rows.rows(), count);
    jacobian.middleCols<6>(6 * a) = -rows * atPoint(point - heap.bodies[a].centre);
    jacobian.middleCols<6>(6 * b) = rows * atPoint(point - heap.bodies[b].centre);
    gain += jacobian.transpose() * slope * jacobian;
    given += jacobian.transpose() * force;
  };
  for (const PairBlock& pair : heap.pairs)
    add(pair.a, pair.b, pair.point, Matrix6::Identity(), pair.gain, pair.given);
  for (const PatchBlock& patch : heap.patches) {
    MatrixXd rows = MatrixXd::Zero(3, 6);
    rows.block<1, 3>(0, 0) = patch.axes.col(0).transpose();
    rows.block<1, 3>(1, 0) = patch.axes.col(1).transpose();
    rows.block<1, 3>(2, 3) = patch.spinRadius * patch.axes.col(2).transpose();
    add(patch.a, patch.b, patch.point, rows,
        (patch.stiffness * settings.dt + patch.damping) * Matrix3d::Identity(),
        -patch.stiffness * patch.state);
  }
  const double theta = settings.implicitness;
  const double h = settings.dt;
  const MatrixXd system = MatrixXd::Identity(count, count) + h * theta * mobility * gain;
  const VectorXd right = free + h * mobility * (given - (1.0 - theta) * gain * start);
  const VectorXd end = system.partialPivLu().solve(right);
  std::vector<Vector6> all;
  all.reserve(heap.bodies.size());
  for (std::size_t i = 0; i < heap.bodies.size(); ++i)
    all.emplace_back(end.segment<6>(static_cast<Eigen::Index>(6 * i)));
  return all;
}

TEST(ImplicitContacts, RoundsComeToTheSolutionOfAllEquations) {
  for (const double stiffness : {10.0, 1e3, 1e5}) {
    for (const double theta : {0.5, 0.55, 1.0}) {
      Heap heap = heapOf(5, stiffness);
      const ImplicitSettings settings{.implicitness = theta, .rounds = 4000};
      const std::vector<Vector6> expected = dense(heap, settings);
      solveContacts(heap.bodies, heap.pairs, heap.patches, {}, settings);
      for (std::size_t i = 0; i < heap.bodies.size(); ++i) {
        EXPECT_LT((heap.bodies[i].end - expected[i]).norm(), 1e-6 * (1.0 + expected[i].norm()))
            << "body " << i << ", stiffness " << stiffness << ", theta " << theta;
      }
    }
  }
}

TEST(ImplicitContacts, TenRoundsAreNearWhereStiffnessIsThatOfHands) {
  Heap heap = heapOf(6, 2e3);
  const ImplicitSettings settings;
  const std::vector<Vector6> expected = dense(heap, settings);
  solveContacts(heap.bodies, heap.pairs, heap.patches, {}, settings);
  for (std::size_t i = 0; i < heap.bodies.size(); ++i) {
    const double change = (expected[i] - heap.bodies[i].free).head<3>().norm();
    EXPECT_LT((heap.bodies[i].end - expected[i]).head<3>().norm(), 0.02 * change + 1e-9);
  }
}

// After one round as after many, what bodies get adds up to nothing about any point.
TEST(ImplicitContacts, WrenchesAreEqualAndOpposite) {
  for (const std::uint32_t rounds : {1U, 10U}) {
    Heap heap = heapOf(7, 1e4);
    for (PatchBlock& patch : heap.patches)
      patch.limit = 0.1;
    solveContacts(heap.bodies, heap.pairs, heap.patches, {}, {.rounds = rounds});
    Vector6 sum = Vector6::Zero();
    double size = 0.0;
    for (const MovingBody& body : heap.bodies) {
      Vector6 wrench = body.wrench;
      const Vector3d force = wrench.head<3>();
      wrench.tail<3>() += body.centre.cross(force);
      sum += wrench;
      size += wrench.norm();
    }
    EXPECT_GT(size, 1.0);
    EXPECT_LT(sum.norm(), 1e-14 * size);
  }
}

TEST(ImplicitContacts, FrictionStaysWithinItsLimitAndTakesEnergy) {
  Heap heap = heapOf(8, 1e4);
  for (PatchBlock& patch : heap.patches)
    patch.limit = 0.05;
  const ImplicitSettings settings{.rounds = 100};
  solveContacts(heap.bodies, heap.pairs, heap.patches, {}, settings);
  int sliding = 0;
  for (const PatchBlock& patch : heap.patches) {
    EXPECT_LE(patch.force.norm(), 0.05 * (1.0 + 1e-12));
    if (patch.force.norm() < 0.05 * (1.0 - 1e-6)) continue;
    ++sliding;
    const MovingBody& a = heap.bodies[patch.a];
    const MovingBody& b = heap.bodies[patch.b];
    const double theta = settings.implicitness;
    const Vector6 mean =
        relativeTwist(theta * a.end + (1.0 - theta) * a.start, a.centre,
                      theta * b.end + (1.0 - theta) * b.start, b.centre, patch.point);
    EXPECT_LT(patch.force.dot(patch.stiffness * patch.state +
                              patch.perSlide * slideOf(patch, mean, settings.dt)),
              0.0);
  }
  EXPECT_GT(sliding, 0);
}

TEST(ImplicitContacts, WhatPullsIsLeftOut) {
  Heap heap = heapOf(9, 1e3);
  heap.patches.clear();
  heap.pairs.resize(1);
  PairBlock& pair = heap.pairs[0];
  pair.given << 0.01, 0.0, 0.0, 0.0, 0.0, 0.0;
  pair.gain.setZero();
  pair.gain(0, 0) = 1e3;
  pair.point = heap.bodies[1].centre;
  heap.bodies[1].start << 1.0, 0.0, 0.0, 0.0, 0.0, 0.0;  // leaves fast
  heap.bodies[1].free = heap.bodies[1].start;
  pair.pushesOnly = true;
  solveContacts(heap.bodies, heap.pairs, heap.patches, {}, {});
  EXPECT_EQ(heap.bodies[1].end[0], 1.0);
  pair.pushesOnly = false;
  solveContacts(heap.bodies, heap.pairs, heap.patches, {}, {});
  EXPECT_LT(heap.bodies[1].end[0], 1.0);
}

}  // namespace
}  // namespace tactus::response
