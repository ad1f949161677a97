// Forces of points in a voxmap: against closed forms, against exact integrals of depth, against a
// plain loop over all points, and along paths.
#include "collision/pointshell/voxmap_pointshell.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "collision/depth/depth_energy.hpp"
#include "collision/exact/exact_depth.hpp"
#include "collision/surface/surface_distance.hpp"
#include "models/parametric/pins_and_holes.hpp"
#include "tests/collision/on_vector_target.hpp"
#include "tests/collision/pointshell/point_solids.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

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
using tests::solids;

constexpr double kPi = std::numbers::pi;

// Below a plane the depth's integral over a body changes with its height by the volume below it.
TEST(VoxmapPointshell, ABallInAPlaneFollowsTheClosedForms) {
  const Solid ball("ball", models::test::sphere(0.3, 96, 192), 20'000, 0.05);
  VoxmapPointshell query(block().body(), ball.body());
  for (const double depth : {0.03, 0.06, 0.12}) {
    SCOPED_TRACE(depth);
    const Isometry3d pose = shifted({0.01, 0.3 - depth, 0.02});
    const PointForce spring = query.query(pose, pointsOfB(PointLaw::Depth));
    const double volume = kPi * depth * depth * (0.9 - depth) / 3.0;
    EXPECT_NEAR(spring.force.y(), volume, 0.01 * volume);
    EXPECT_LT(std::hypot(spring.force.x(), spring.force.z()), 0.005 * volume);
    EXPECT_LT(spring.torque.norm(), 0.3 * 0.005 * volume);
    EXPECT_NEAR(spring.distance, -depth, 1e-3);
    // a cap's area is a cylinder's of its height
    EXPECT_NEAR(spring.area, 2.0 * kPi * 0.3 * depth, 0.015 * 2.0 * kPi * 0.3 * depth);
    const double energy = kPi * depth * depth * depth * (1.2 - depth) / 12.0;
    EXPECT_NEAR(spring.energy, energy, 0.02 * energy);
    const PointForce pressure = query.query(pose, pointsOfB(PointLaw::Volume));
    const double disc = kPi * depth * (0.6 - depth);
    EXPECT_NEAR(pressure.force.y(), disc, 0.015 * disc);
  }
}

TEST(VoxmapPointshell, ABoxOnABoxIsASpringFromTheTouchOn) {
  const Solid box("box", models::test::box({0.3, 0.2, 0.4}), 5000, 0.05);
  VoxmapPointshell query(block().body(), box.body());
  for (const double depth : {1e-4, 1e-3, 0.02}) {
    SCOPED_TRACE(depth);
    const PointForce found =
        query.query(shifted({0.0, 0.1 - depth, 0.0}), pointsOfB(PointLaw::Depth));
    EXPECT_NEAR(found.force.y(), 0.12 * depth, 0.01 * 0.12 * depth + 1e-6 * 0.12);
    EXPECT_LT(found.torque.norm(), 0.2 * 0.12 * depth * 0.02 + 1e-7);
  }
  const PointForce above = query.query(shifted({0.0, 0.101, 0.0}), pointsOfB(PointLaw::Depth));
  EXPECT_EQ(above.force, Vector3d::Zero());
  EXPECT_NEAR(above.distance, 0.001, 1e-4);
}

// The one ideal that both methods have: what is exact for the trees' one-sided depth is so here.
TEST(VoxmapPointshell, DepthIsTheExactOneSidedDepth) {
  const Solid ball("ball", models::test::sphere(0.3, 10, 20), 10'000, 0.01);
  const Solid box("box", models::test::box({0.8, 0.4, 0.6}, {2.0, -1.0, 3.0}), 10'000, 0.01);
  VoxmapPointshell query(ball.body(), box.body());
  SeededBits random(3);
  const Isometry3d pose = randomPose(random, ball.middle(), box.middle(), 0.38);
  const ExactDepth exact = exactDepth(ball.surface, box.surface, pose, ExactDepthLaw::OfB, 2);
  ASSERT_GT(exact.volume, 1e-3);
  const PointForce found = query.query(pose);
  EXPECT_LT((found.force - exact.force).norm(), 0.02 * exact.force.norm());
  EXPECT_LT((found.torque - exact.torque).norm(), 0.02 * exact.force.norm());
  EXPECT_NEAR(found.energy, exact.energy, 0.1 * exact.energy);
  // the other way round: B's points, the depth below A
  const ExactDepth other =
      exactDepth(box.surface, ball.surface, pose.inverse(), ExactDepthLaw::OfB, 2);
  const PointForce turned = query.query(pose, pointsOfB(PointLaw::Depth));
  const Vector3d onB = -(pose.linear() * other.force);
  EXPECT_LT((turned.force - onB).norm(), 0.02 * onB.norm());
}

// Pins that are thinner than their holes and lie against the walls. With W and L the width and the
// length of the contact, s the shift beyond the clearance and r the radius of the round one's hole:
// the square one has W L s, the round one L times the integral of (|p| - r) cos along the part of
// its circle p that is in the wall.
TEST(VoxmapPointshell, PinsInHolesPushAsTheTreesDo) {
  constexpr double kShare = 0.97;  // of the hole that a pin fills
  constexpr double kOut = 0.004;   // the base is off the block
  const double side = kShare * models::kPinsC;
  const double radius = 0.5 * side;
  const double clearance = 0.5 * (models::kPinsC - side);
  models::Mesh thinner = models::makePins(20'000);
  thinner.origin.setZero();
  for (Eigen::Vector3f& position : thinner.positions) {
    // each pin about its own axis; the base may be as wide as it is
    if (position.z() < -0.5F * static_cast<float>(models::kPinsA)) continue;
    const auto axis = static_cast<float>(std::copysign(models::kPinsPlace, position.x()));
    if (std::hypot(position.x() - axis, position.y()) > static_cast<float>(0.75 * models::kPinsC))
      continue;
    position.x() = axis + static_cast<float>(kShare) * (position.x() - axis);
    position.y() *= static_cast<float>(kShare);
  }
  const Solid pins("pins", thinner, 40'000, 0.0005);
  const Solid holes("holes", models::makeBlockWithHoles(20'000), 1000, 0.0005);
  const DepthField depthsOfPins(pins.surface, 500'000.0);
  const DepthField depthsOfHoles(holes.surface, 500'000.0);
  DepthScratch scratch(depthsOfPins, depthsOfHoles);
  VoxmapPointshell query(pins.body(), holes.body());
  for (const double shift : {0.0003, 0.001}) {
    SCOPED_TRACE(shift);
    const Isometry3d pose = shifted({-(clearance + shift), 0.0, kOut});
    const double length = models::kPinsA - kOut;
    double round = 0.0;
    constexpr int kAngles = 20'000;
    for (int k = 0; k < kAngles; ++k) {
      const double angle = 2.0 * kPi * (k + 0.5) / kAngles;
      const double x = clearance + shift + radius * std::cos(angle);
      const double depth = std::hypot(x, radius * std::sin(angle)) - 0.5 * models::kPinsC;
      round += std::max(depth, 0.0) * std::cos(angle) * radius * 2.0 * kPi / kAngles;
    }
    const double exact = -length * (side * shift + round);
    const PointForce points = query.query(pose);
    EXPECT_NEAR(points.force.x(), -exact, 0.02 * std::abs(exact));
    EXPECT_LT(std::hypot(points.force.y(), points.force.z()), 0.02 * std::abs(exact));
    const DepthEnergy trees =
        depthEnergy(depthsOfPins, depthsOfHoles, pose, scratch, {.law = EnergyLaw::DepthOfB});
    EXPECT_LT((points.force - trees.force).norm(), 0.02 * std::abs(exact));
  }
}

// A share's error is of second order, and shares' errors are as good as random: with four times the
// points, at half the spacing, the sum's error falls four times or better.
TEST(VoxmapPointshell, SumsConvergeUnderRefinement) {
  const double depth = 0.1;
  const double exact = kPi * depth * depth * (0.9 - depth) / 3.0;
  std::vector<double> errors;
  for (const std::size_t points : {400U, 1600U, 6400U}) {
    const Solid ball("ball", models::test::sphere(0.3, 192, 384), points, 0.05);
    VoxmapPointshell query(block().body(), ball.body());
    double squared = 0.0;
    SeededBits random(5);
    constexpr int kPoses = 40;
    for (int k = 0; k < kPoses; ++k) {
      Isometry3d pose = randomPose(random, Vector3d::Zero(), Vector3d::Zero(), 0.0);
      pose.translation() = Vector3d(random.between(-0.1, 0.1), 0.3 - depth, 0.0);
      const Vector3d force = query.query(pose, pointsOfB(PointLaw::Depth)).force;
      squared += (force - Vector3d(0.0, exact, 0.0)).squaredNorm();
    }
    errors.push_back(std::sqrt(squared / kPoses) / exact);
  }
  EXPECT_LT(errors[0], 0.03);
  // of 40 poses' mean: an order of 2 in the spacing, to a quarter of it
  const double order = std::log2(errors[0] / errors[2]) / 2.0;
  EXPECT_LT(errors[1], errors[0] / 2.5);
  EXPECT_GT(order, 1.75);
}

/// The force on the points' body by a plain loop in doubles, and the least distance.
struct Plain {
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  double least = std::numeric_limits<double>::max();
};
Plain plainLoop(const Pointshell& shell, const Voxmap& map, const Isometry3d& pose, PointLaw law,
                double edge) {
  Plain result;
  const Pointshell::Level& level = shell.arrays().levels[0];
  const auto voxel = static_cast<double>(map.arrays().voxel);
  for (std::size_t i = 0; i < level.points; ++i) {
    const Pointshell::Block& b = shell.arrays().blocks[i / Pointshell::kWidth];
    const std::size_t k = i % Pointshell::kWidth;
    const Vector3d place = shell.origin() + Eigen::Vector3f(b.x[k], b.y[k], b.z[k]).cast<double>();
    const Vector3d normal = Eigen::Vector3f(b.nx[k], b.ny[k], b.nz[k]).cast<double>();
    const Vector3d at = pose * place;
    const double distance = map.sample(at).distance;
    result.least = std::min(result.least, distance);
    Vector3d force = Vector3d::Zero();
    if (law == PointLaw::Depth) {
      force = std::max(0.0, -distance) * normal;
    } else if (law == PointLaw::Volume) {
      const double t = std::clamp(0.5 - 0.5 * distance / edge, 0.0, 1.0);
      force = t * t * (3.0 - 2.0 * t) * normal;
    } else if (map.layerAt(at) >= 0) {
      const Vector3d origin = map.arrays().origin;
      const Vector3d centre =
          origin +
          ((at - origin) / voxel + Vector3d::Constant(0.5)).array().floor().matrix() * voxel;
      const Vector3d n = normal.normalized();
      force = std::max(0.0, (pose.linear() * n).dot(centre - at) + map.layerAt(at) * voxel) * n;
    }
    result.force += force;
    result.torque += place.cross(force);
  }
  return result;
}

TEST(VoxmapPointshell, AgreesWithAPlainLoopOverAllPoints) {
  SeededBits random(7);
  for (const Solid& a : solids()) {
    for (const Solid& b : solids()) {
      SCOPED_TRACE(a.name + " " + b.name);
      VoxmapPointshell query(a.body(), b.body());
      for (int k = 0; k < 4; ++k) {
        const Isometry3d pose =
            randomPose(random, a.middle(), b.middle(), random.between(0.1, 0.9));
        const double edge =
            std::max(0.5 * static_cast<double>(b.shell.arrays().levels[0].spacing), 0.005);
        for (const PointLaw law : {PointLaw::Volume, PointLaw::Depth, PointLaw::Layers}) {
          // voxels of flat faces may all lie right between two layers, where rounding decides
          if (law == PointLaw::Layers && &a != &solids()[0] && &a != &solids()[1]) continue;
          const Plain plain = plainLoop(b.shell, a.map, pose, law, edge);
          const PointForce found = query.query(pose, pointsOfB(law));
          const Vector3d force = pose.linear() * plain.force;
          const Vector3d torque = pose.linear() * plain.torque;
          // floats of coordinates and a point that may round into another voxel
          const double scale = law == PointLaw::Volume  ? 1.0
                               : law == PointLaw::Depth ? 0.2
                                                        : 20'000.0 * 0.01;
          const double off = law == PointLaw::Layers ? 1e-3 : 2e-6;
          EXPECT_LT((found.force - force).norm(), off * scale) << static_cast<int>(law);
          EXPECT_LT((found.torque - torque).norm(), 5.0 * off * scale) << static_cast<int>(law);
          if (law == PointLaw::Depth && plain.least < 0.0) {
            EXPECT_NEAR(found.distance, plain.least, 1e-5);
          }
        }
      }
    }
  }
}

TEST(VoxmapPointshell, DistanceIsThatOfTheNearestPoint) {
  SeededBits random(9);
  for (const Solid& a : solids()) {
    for (const Solid& b : solids()) {
      SCOPED_TRACE(a.name + " " + b.name);
      VoxmapPointshell query(a.body(), b.body());
      for (int k = 0; k < 4; ++k) {
        const Isometry3d pose =
            randomPose(random, a.middle(), b.middle(), random.between(1.3, 1.7));
        const PointForce found = query.query(pose);
        double least = std::numeric_limits<double>::max();
        const Isometry3d bFromA = pose.inverse();
        for (const Pointshell::Block& block : a.shell.arrays().blocks) {
          if (&block == &a.shell.arrays().blocks[a.shell.pointCount() / 16]) break;
          for (std::size_t i = 0; i < 16; i += 5) {
            const Vector3d at =
                bFromA * (a.shell.origin() +
                          Eigen::Vector3f(block.x[i], block.y[i], block.z[i]).cast<double>());
            least = std::min(least, b.surface.at(at, least + 0.1).distance);
          }
        }
        EXPECT_EQ(found.force, Vector3d::Zero());
        // a third of the points, and far out of the map's grid its borders tell less
        EXPECT_NEAR(found.distance, least, 0.005 + 0.015 * least);
        EXPECT_NEAR(b.surface.at(bFromA * found.nearest).distance, found.distance, 0.004);
      }
    }
  }
}

using VoxmapPointshellOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, VoxmapPointshellOn, tests::eachTarget(), tests::targetName);

TEST_P(VoxmapPointshellOn, SameBytesEverywhere) {
  const Solid& a = solids()[1];
  const Solid& b = solids()[2];
  const auto hash = [&] {
    SeededBits random(15);
    tests::BytesHash bytes;
    VoxmapPointshell query(a.body(), b.body());
    for (int k = 0; k < 30; ++k) {
      const PointForce found =
          query.query(randomPose(random, a.middle(), b.middle(), 0.4 + 0.03 * k),
                      {.law = static_cast<PointLaw>(k % 3),
                       .pointsOf = k % 2 == 0 ? PointsOf::A : PointsOf::B,
                       .pointTests = k % 5 == 0 ? 2000U : kAllPoints});
      for (const double x : {found.force.x(), found.force.y(), found.torque.z(), found.area,
                             found.distance, found.nearest.x()})
        bytes.add(x);
      if (k % 3 == 1) bytes.add(found.energy);
    }
    return bytes.value();
  };
  expectScalarBytes(hash);
}

/// The largest change of the force between neighbours on a path of `steps` steps.
double largestJump(VoxmapPointshell& query, const Isometry3d& from, const Isometry3d& to, int steps,
                   const PointForceSettings& settings) {
  const Eigen::Quaterniond q0(from.linear());
  const Eigen::Quaterniond q1(to.linear());
  Vector3d last = Vector3d::Zero();
  double jump = 0.0;
  for (int k = 0; k <= steps; ++k) {
    const double t = static_cast<double>(k) / steps;
    Isometry3d pose = Isometry3d::Identity();
    pose.linear() = q0.slerp(t, q1).toRotationMatrix();
    pose.translation() = (1.0 - t) * from.translation() + t * to.translation();
    const Vector3d force = query.query(pose, settings).force;
    if (k > 0) jump = std::max(jump, (force - last).norm());
    last = force;
  }
  return jump;
}

// With a hundredth of the step a continuous force has about a hundredth of the change; one that
// jumps somewhere on the way, for instance where a level is given up, keeps it.
TEST(VoxmapPointshell, ForcesAreContinuousAlsoWithinABudget) {
  const Solid& a = solids()[1];
  const Solid& b = solids()[2];
  VoxmapPointshell query(a.body(), b.body());
  SeededBits random(21);
  for (const PointLaw law : {PointLaw::Depth, PointLaw::Volume}) {
    for (const std::uint32_t tests : {kAllPoints, 6000U, 2500U}) {
      SCOPED_TRACE(tests);
      const PointForceSettings settings{.law = law, .pointTests = tests, .wantsDistance = false};
      const Isometry3d far = randomPose(random, a.middle(), b.middle(), 1.0);
      Isometry3d deep = far;
      deep.translation() += 0.5 * (a.middle() - far * b.middle());
      const double coarse = largestJump(query, far, deep, 60, settings);
      const double fine = largestJump(query, far, deep, 6000, settings);
      EXPECT_GT(coarse, 0.0);
      EXPECT_LT(fine, 0.05 * coarse);
    }
  }
}

// Faces that come near each other have nearly all nodes opened before a point is inside: nothing
// that was seen before tells how many.
TEST(VoxmapPointshell, ForcesOfFacesAreContinuousWithinABudget) {
  const Solid& plate = solids()[3];
  VoxmapPointshell query(plate.body(), plate.body());
  const Isometry3d above = shifted({0.0, 0.06, 0.0});
  Isometry3d within = shifted({0.02, 0.03, 0.0});
  within.linear() =
      Eigen::AngleAxisd(0.02, Vector3d(1.0, 0.3, 0.2).normalized()).toRotationMatrix();
  for (const PointLaw law : {PointLaw::Depth, PointLaw::Volume}) {
    for (const std::uint32_t tests : {500U, 900U, 1500U, 4000U, 9000U}) {
      SCOPED_TRACE(tests);
      const PointForceSettings settings{.law = law, .pointTests = tests, .wantsDistance = false};
      const double coarse = largestJump(query, above, within, 20, settings);
      const double fine = largestJump(query, above, within, 2000, settings);
      EXPECT_GT(coarse, 0.0);
      EXPECT_LT(fine, 0.06 * coarse);
    }
  }
}

TEST(VoxmapPointshell, ABudgetDegradesSmoothly) {
  const Solid& a = solids()[0];
  const Solid& b = solids()[1];
  VoxmapPointshell query(a.body(), b.body());
  SeededBits random(23);
  double worst = 0.0;
  int cut = 0;
  for (int k = 0; k < 20; ++k) {
    const Isometry3d pose = randomPose(random, a.middle(), b.middle(), random.between(0.6, 0.9));
    const PointForce whole = query.query(pose, {.wantsDistance = false});
    if (whole.force.norm() < 1e-4) continue;
    const PointForce enough = query.query(pose, {.pointTests = 1'000'000, .wantsDistance = false});
    EXPECT_FALSE(enough.isCut);
    EXPECT_NEAR((enough.force - whole.force).norm(), 0.0, 1e-12);
    for (const std::uint32_t tests : {8000U, 4000U, 2000U}) {
      const PointForce found = query.query(pose, {.pointTests = tests, .wantsDistance = false});
      cut += found.isCut ? 1 : 0;
      worst = std::max(worst, (found.force - whole.force).norm() / whole.force.norm());
    }
  }
  EXPECT_GT(cut, 5);
  EXPECT_LT(worst, 0.1);
}

// A budget bounds what is done, whatever is asked and wherever the bodies are.
TEST(VoxmapPointshell, NoQueryTakesMoreThanItsBudget) {
  SeededBits random(27);
  int cut = 0;
  int isDistanceCut = 0;
  for (const Solid& a : solids()) {
    for (const Solid& b : solids()) {
      VoxmapPointshell query(a.body(), b.body());
      for (int k = 0; k < 30; ++k) {
        const Isometry3d pose =
            randomPose(random, a.middle(), b.middle(), random.between(0.2, 1.3));
        const PointForce whole = query.query(pose);
        for (const std::uint32_t tests : {1U, 300U, 500U, 1000U, 4000U}) {
          const PointForce found =
              query.query(pose, {.law = static_cast<PointLaw>(k % 3), .pointTests = tests});
          EXPECT_LE(found.nodeTests + found.pointTests, std::max(tests, kFewestTests));
          cut += found.isCut ? 1 : 0;
          if (found.isDistanceCut) {
            ++isDistanceCut;
            // of points that were met, none is nearer than the nearest
            if (whole.distance > 0.0) {
              EXPECT_GT(found.distance, 0.9 * whole.distance - 0.01);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(cut, 300);
  EXPECT_GT(isDistanceCut, 30);
}

// By the seed's law each point pushes: those of a coarser level have to stand for more.
TEST(VoxmapPointshell, ABudgetEstimatesTheForceByLayers) {
  const Solid& a = solids()[0];
  const Solid& b = solids()[1];
  VoxmapPointshell query(a.body(), b.body());
  SeededBits random(29);
  int cut = 0;
  for (int k = 0; k < 20; ++k) {
    const Isometry3d pose = randomPose(random, a.middle(), b.middle(), random.between(0.6, 0.8));
    const PointForce whole = query.query(pose, {.law = PointLaw::Layers, .wantsDistance = false});
    if (whole.area < 0.05) continue;
    for (const std::uint32_t tests : {8000U, 3000U, 1200U}) {
      const PointForce found =
          query.query(pose, {.law = PointLaw::Layers, .pointTests = tests, .wantsDistance = false});
      cut += found.isCut ? 1 : 0;
      EXPECT_LT((found.force - whole.force).norm(), 0.2 * whole.force.norm());
    }
  }
  EXPECT_GT(cut, 10);
}

TEST(VoxmapPointshell, ContactsMakeUpTheForce) {
  const Solid& a = solids()[1];
  const Solid& b = solids()[2];
  VoxmapPointshell query(a.body(), b.body());
  SeededBits random(25);
  std::array<PointContact, 64> room;
  int seen = 0;
  int cut = 0;
  for (int k = 0; k < 12; ++k) {
    const Isometry3d pose = randomPose(random, a.middle(), b.middle(), 0.6);
    for (const PointsOf side : {PointsOf::A, PointsOf::B}) {
      // without a budget, and with one that has two levels add up
      const std::uint32_t tests = k % 2 == 0 ? kAllPoints : 2000 + 500U * static_cast<unsigned>(k);
      const PointForce found =
          query.query(pose, {.pointsOf = side, .pointTests = tests, .wantsContacts = true});
      cut += found.isCut ? 1 : 0;
      for (const std::size_t capacity : {64U, 7U, 1U}) {
        const std::size_t count = query.contacts({room.data(), capacity});
        ASSERT_LE(count, capacity);
        Vector3d force = Vector3d::Zero();
        double area = 0.0;
        double deepest = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
          force += room[i].force;
          deepest = std::max(deepest, room[i].depth);
          area += room[i].area;
          EXPECT_GT(room[i].depth, 0.0);
          EXPECT_NEAR(room[i].normal.norm(), 1.0, 1e-9);
          if (capacity == 64U) {
            EXPECT_LT(a.surface.at(room[i].point).distance, 0.05);
            EXPECT_LT(b.surface.at(pose.inverse() * room[i].point).distance, 0.05);
          }
        }
        seen += static_cast<int>(count);
        EXPECT_LT((force - found.force).norm(), 1e-6);
        EXPECT_NEAR(area, found.area, 1e-5);
        if (!found.isCut) {
          EXPECT_NEAR(deepest, std::max(0.0, -found.distance), 1e-7);
        } else {
          EXPECT_GT(deepest, -0.999 * found.distance);
        }
      }
    }
  }
  EXPECT_GT(seen, 100);
  EXPECT_GT(cut, 5);
}

TEST(VoxmapPointshell, WithoutPointsOrMapNothingIsFelt) {
  const Solid& ball = solids()[0];
  VoxmapPointshell nothing({}, ball.body());
  const PointForce found = nothing.query(Isometry3d::Identity());
  EXPECT_EQ(found.force, Vector3d::Zero());
  EXPECT_EQ(found.pointTests, 0U);
  // one body needs points only, the other a map
  VoxmapPointshell half({&ball.shell, nullptr}, {nullptr, &ball.map});
  EXPECT_LT(half.query(shifted({0.0, 0.9, 0.0})).distance, 0.0);
}

// Open surfaces may carry points: a bowl pressed into the block by its rim.
TEST(VoxmapPointshell, AnOpenSurfaceCanCarryPoints) {
  constexpr double kRadius = 0.2;
  constexpr double kDown = 0.1;
  const Pointshell bowl(models::test::bowl(kRadius, 64, 128), {.points = 20'000});
  VoxmapPointshell query(block().body(), {&bowl, nullptr});
  const PointForce found = query.query(shifted({0.0, -kDown, 0.0}), pointsOfB(PointLaw::Depth));
  // upward by half the ball's volume under the plane; along z by the depth over the disc that is
  // open, which a lid would push back; the zone of a sphere has the area of its cylinder
  constexpr double kHeight = kRadius + kDown;
  constexpr double kVolume = kPi * kHeight * kHeight * (3.0 * kRadius - kHeight) / 3.0;
  const double chord = std::sqrt(kRadius * kRadius - kDown * kDown);
  const double segment = kRadius * kRadius * (kPi - std::acos(kDown / kRadius)) + kDown * chord;
  const double lid = kDown * segment + 2.0 / 3.0 * chord * chord * chord;
  EXPECT_NEAR(found.area, kPi * kRadius * kHeight, 5e-3 * kPi * kRadius * kHeight);
  EXPECT_NEAR(found.force.x(), 0.0, 1e-3 * lid);
  EXPECT_NEAR(found.force.y(), 0.5 * kVolume, 5e-3 * kVolume);
  EXPECT_NEAR(found.force.z(), lid, 5e-3 * lid);
  EXPECT_NEAR(found.distance, -kHeight, 0.01 * kHeight);
}

/// A ball with points and a map that lies within solids()[0] or outside of it.
const Solid& pill() {
  static const Solid kPill("pill", models::test::sphere(0.1, 24, 48), 4000, 0.005);
  return kPill;
}

// By the contract what overlaps is at distance 0 or less, also when one body is wholly within the
// other one: whoever has the points.
TEST(VoxmapPointshell, OneInsideTheOtherIsNotApart) {
  const Solid& ball = solids()[0];
  SeededBits random(31);
  for (const Coherence coherent : {Coherence::None, Coherence::SmallSteps}) {
    VoxmapPointshell query(pill().body(), ball.body(), coherent);
    for (int n = 0; n < 60; ++n) {
      // centres up to 0.3 from each other: at least 0.1 of matter around
      const Isometry3d pose =
          randomPose(random, Vector3d::Zero(), Vector3d::Zero(), random.between(0.0, 0.3));
      for (const PointLaw law : {PointLaw::Volume, PointLaw::Depth}) {
        for (const PointsOf of : {PointsOf::A, PointsOf::B}) {
          for (const std::uint32_t budget : {kAllPoints, 100'000U, 3000U, 300U}) {
            SCOPED_TRACE(static_cast<int>(law) * 10 + static_cast<int>(of));
            const PointForce found =
                query.query(pose, {.law = law, .pointsOf = of, .pointTests = budget});
            // the soft edge of a coarse level may reach that far
            if (of == PointsOf::B && budget != kAllPoints && found.area > 0.0) {
              EXPECT_EQ(found.distance, 0.0);
              continue;
            }
            EXPECT_LT(found.distance, -0.09);
            EXPECT_GT(found.distance, -0.61);
            // a point of the pill, in its frame
            EXPECT_NEAR(found.nearest.norm(), 0.1, 0.005);
            EXPECT_EQ(found.area > 0.0, of == PointsOf::A);
          }
        }
      }
    }
  }
}

// Two pieces of which one is outside: whichever it is, the other one is found.
TEST(VoxmapPointshell, OnePieceInsideTheOtherBodyIsNotApart) {
  const Solid& ball = solids()[0];
  const models::Mesh one = models::test::sphere(0.1, 24, 48);
  models::Mesh two = one;
  for (const Eigen::Vector3f& position : one.positions)
    two.positions.emplace_back(position + Eigen::Vector3f(2.0F, 0.0F, 0.0F));
  for (models::Triangle triangle : one.triangles) {
    for (std::uint32_t& corner : triangle)
      corner += static_cast<std::uint32_t>(one.positions.size());
    two.triangles.push_back(triangle);
  }
  const Solid pills("pills", two, 4000, 0.01);
  const std::array<Vector3d, 2> pieces = {Vector3d(0.1, 0.0, 0.0), Vector3d(2.1, 0.0, 0.0)};
  VoxmapPointshell::Body body = pills.body();
  body.pieces = pieces;
  VoxmapPointshell query(body, ball.body());
  // the ball is about the first of them, about the second, and in the end between them
  for (const double shift : {0.05, 2.05}) {
    const PointForce found = query.query(shifted({shift, 0.0, 0.0}), {.pointsOf = PointsOf::B});
    EXPECT_LT(found.distance, -0.3);
    EXPECT_EQ(found.area, 0.0);
    EXPECT_NEAR((found.nearest - pieces[shift < 1.0 ? 0 : 1]).norm(), 0.0, 1e-12);
  }
  EXPECT_NEAR(query.query(shifted({1.0, 0.0, 0.0}), {.pointsOf = PointsOf::B}).distance, 0.4, 0.02);
}

TEST(VoxmapPointshell, InTheSoftEdgeTheyTouch) {
  const Solid& ball = solids()[0];
  VoxmapPointshell query(pill().body(), ball.body());
  int inTheEdge = 0;
  for (int n = -20; n <= 40; ++n) {
    const double gap = 2.5e-4 * n;
    for (const PointsOf of : {PointsOf::A, PointsOf::B}) {
      const PointForce found =
          query.query(shifted({0.6 + gap, 0.0, 0.0}), {.law = PointLaw::Volume, .pointsOf = of});
      if (found.area > 0.0) {
        EXPECT_LE(found.distance, 0.0);
      } else {
        EXPECT_GT(found.distance, 0.0);
        EXPECT_EQ(found.force, Vector3d::Zero());
      }
      inTheEdge += found.area > 0.0 && found.distance == 0.0 ? 1 : 0;
    }
  }
  EXPECT_GT(inTheEdge, 2);
}

}  // namespace
}  // namespace tactus::collision
