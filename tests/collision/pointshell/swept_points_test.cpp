// Contacts on the way: against closed forms, and against looking at many times.
#include "collision/pointshell/swept_points.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <span>

#include "collision/pointshell/voxmap_pointshell.hpp"
#include "collision/surface/surface_distance.hpp"
#include "tests/collision/on_vector_target.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using tests::SeededBits;

Voxmap mapOf(const SurfaceDistance& surface, double voxel) {
  VoxmapSettings settings;
  settings.voxelSize = voxel;
  return Voxmap(surface, settings);
}

/// A plate in the middle of nowhere, thinner than a tick's way.
struct Plate {
  SurfaceDistance surface{models::test::box({1.0, 0.02, 1.0})};
  Voxmap map = mapOf(surface, 0.005);
  Pointshell box{models::test::box({0.2, 0.1, 0.2}), {.points = 4000}};
  PointScratch scratch{box};
};
Plate& plate() {
  static Plate made;
  return made;
}

RigidMotion motionOf(const Isometry3d& from, const Isometry3d& to) {
  return motionBetween(from, to, Vector3d::Zero());
}

Isometry3d at(double x, double y, double z) {
  Isometry3d pose = Isometry3d::Identity();
  pose.translation() = Vector3d(x, y, z);
  return pose;
}

TEST(SweptContact, StopsAtAPlateThatWouldBePassed) {
  const SweptContact found = sweptContact(
      plate().box, plate().map, motionOf(at(0.0, 0.3, 0.0), at(0.0, -0.3, 0.0)), plate().scratch);
  ASSERT_TRUE(found.touches);
  // the box's lower face is at 0.25 and falls 0.6; the plate's upper one is at 0.01
  EXPECT_NEAR(found.time, 0.4, 0.002);
  EXPECT_NEAR(found.point.y(), 0.01, 0.001);
  // at both ends they are apart: from one tick to the next nothing would be felt
  EXPECT_GT(longestWay(plate().box, motionOf(at(0.0, 0.3, 0.0), at(0.0, -0.3, 0.0))), 0.02);
}

TEST(SweptContact, GoesOnWhereNothingIsInTheWay) {
  const SweptContact beside = sweptContact(
      plate().box, plate().map, motionOf(at(0.7, 0.3, 0.0), at(0.7, -0.3, 0.0)), plate().scratch);
  EXPECT_FALSE(beside.touches);
  EXPECT_EQ(beside.time, 1.0);
  const SweptContact along =
      sweptContact(plate().box, plate().map, motionOf(at(-0.3, 0.065, 0.0), at(0.3, 0.065, 0.0)),
                   plate().scratch);
  EXPECT_FALSE(along.touches);
  const SweptContact resting = sweptContact(
      plate().box, plate().map, motionOf(at(0.0, 0.1, 0.0), at(0.0, 0.1, 0.0)), plate().scratch);
  EXPECT_FALSE(resting.touches);
}

TEST(SweptContact, DeeperThanNothingMayCount) {
  const RigidMotion down = motionOf(at(0.0, 0.058, 0.0), at(0.0, -0.3, 0.0));
  EXPECT_EQ(sweptContact(plate().box, plate().map, down, plate().scratch).time, 0.0);
  const SweptContact found =
      sweptContact(plate().box, plate().map, down, plate().scratch, {.touchesAt = -0.006});
  ASSERT_TRUE(found.touches);
  EXPECT_NEAR(found.time, 0.004 / 0.358, 0.003);
}

// The box turns on its corner: its lowest point is 0.1 sin + 0.05 cos of the angle below its
// middle.
TEST(SweptContact, ATurnAloneTouchesToo) {
  const Isometry3d from = at(0.0, 0.09, 0.0);
  Isometry3d to = from;
  to.linear() = Eigen::AngleAxisd(1.5, Vector3d::UnitZ()).toRotationMatrix();
  const SweptContact found =
      sweptContact(plate().box, plate().map, motionOf(from, to), plate().scratch);
  ASSERT_TRUE(found.touches);
  const double angle = std::asin(0.08 / std::hypot(0.1, 0.05)) - std::atan2(0.05, 0.1);
  EXPECT_NEAR(1.5 * found.time, angle, 0.02);
}

TEST(SweptContact, NothingTouchesBeforeAndSomethingSoonAfter) {
  SeededBits random(5);
  const Vector3d nowhere = Vector3d::Zero();
  int touched = 0;
  for (int k = 0; k < 40; ++k) {
    const Isometry3d from = tests::randomPose(random, nowhere, nowhere, 0.4);
    const Isometry3d to = tests::randomPose(random, nowhere, nowhere, 0.4);
    const RigidMotion motion = motionOf(from, to);
    const SweptContact found = sweptContact(plate().box, plate().map, motion, plate().scratch);
    const auto leastAt = [&](double time) {
      const Isometry3d pose = motion.at(time);
      double least = 1.0;
      for (const Pointshell::Block& b : plate().box.arrays().blocks.first(250)) {
        for (std::size_t i = 0; i < 16; ++i) {
          const Vector3d place =
              plate().box.origin() + Eigen::Vector3f(b.x[i], b.y[i], b.z[i]).cast<double>();
          least = std::min(least, plate().map.sample(pose * place).distance);
        }
      }
      return least;
    };
    constexpr int kTimes = 60;
    for (int t = 0; t < kTimes; ++t) {
      const double time = found.time * t / kTimes;
      EXPECT_GT(leastAt(time), found.time == 0.0 ? -1.0 : -1e-4) << k;
    }
    if (!found.touches) continue;
    ++touched;
    if (found.time > 0.0) {
      EXPECT_LT(leastAt(found.time), 0.0005) << k;
    }
  }
  EXPECT_GT(touched, 10);
}

TEST(SweptContact, CoarserLevelsTakeFewerTestsAndAreOfThatShell) {
  const RigidMotion motion = motionOf(at(0.0, 0.3, 0.0), at(0.0, -0.3, 0.0));
  const std::span<const Pointshell::Level> levels = plate().box.arrays().levels;
  const SweptContact fine = sweptContact(plate().box, plate().map, motion, plate().scratch);
  ASSERT_GT(levels.size(), 1U);
  const double spacing = 1.01 * static_cast<double>(levels[1].spacing);
  const SweptContact coarse = sweptContact(plate().box, plate().map, motion, plate().scratch,
                                           {.touchesAt = 0.0, .spacing = spacing});
  EXPECT_EQ(fine.level, 0U);
  EXPECT_EQ(coarse.level, 1U);
  EXPECT_LT(coarse.nodeTests + coarse.pointTests, (fine.nodeTests + fine.pointTests) / 2);
  ASSERT_TRUE(coarse.touches);
  EXPECT_NEAR(coarse.time, fine.time, 1e-3);
  // the point that it names is where it touches
  const Pointshell::Block& block =
      plate().box.arrays().blocks[levels[1].firstBlock + coarse.number / 16];
  const std::size_t k = coarse.number % 16;
  const Vector3d place =
      plate().box.origin() + Eigen::Vector3f(block.x[k], block.y[k], block.z[k]).cast<double>();
  EXPECT_LT((motion.at(coarse.time) * place - coarse.point).norm(), 1e-6);
}

// With too few steps the way is free for a shorter while; with enough of them nothing is cut.
TEST(SweptContact, WhatIsCutIsFreeUntilThen) {
  SeededBits random(11);
  const Vector3d nowhere = Vector3d::Zero();
  int cut = 0;
  int whole = 0;
  for (int k = 0; k < 12; ++k) {
    const RigidMotion motion = motionOf(tests::randomPose(random, nowhere, nowhere, 0.4),
                                        tests::randomPose(random, nowhere, nowhere, 0.4));
    const SweptContact all = sweptContact(plate().box, plate().map, motion, plate().scratch);
    EXPECT_FALSE(all.isCut);
    for (const std::uint32_t most : {0U, 1U, 10U, 100U, 1000U, all.steps}) {
      const SweptContact some =
          sweptContact(plate().box, plate().map, motion, plate().scratch, {.mostSteps = most});
      // what is begun is ended
      EXPECT_LE(some.steps, most + 256U);
      if (some.isCut) {
        ++cut;
        EXPECT_FALSE(some.touches);
        EXPECT_LE(some.time, all.time) << k << " with " << most;
      } else {
        ++whole;
        EXPECT_EQ(some.time, all.time);
        EXPECT_EQ(some.number, all.number);
      }
    }
  }
  EXPECT_GT(cut, 20);
  EXPECT_GT(whole, 12);
}

// A plate that flies through a box at rest is what the box does that flies through a plate.
TEST(SweptContact, EitherCanBeTheMovingOne) {
  const Plate& o = plate();
  VoxmapPointshell query({&o.box, nullptr}, {nullptr, &o.map});
  VoxmapPointshell turned({nullptr, &o.map}, {&o.box, nullptr});
  SeededBits random(8);
  int touched = 0;
  for (int k = 0; k < 20; ++k) {
    const Isometry3d from = tests::randomPose(random, Vector3d::Zero(), Vector3d::Zero(), 0.4);
    const Isometry3d to = tests::randomPose(random, Vector3d::Zero(), Vector3d::Zero(), 0.4);
    // of A's points while B, the plate, moves; and of B's, the box, in A's frame
    const SweptContact a = query.sweep(from.inverse(), to.inverse(), PointsOf::A);
    const SweptContact b = turned.sweep(from, to, PointsOf::B);
    ASSERT_EQ(a.touches, b.touches);
    EXPECT_NEAR(a.time, b.time, 1e-6);
    EXPECT_EQ(a.number, b.number);
    if (!a.touches) continue;
    ++touched;
    // A is the box, at rest: the point is one of it; of B's it lies in the plate's surface
    EXPECT_LT(a.point.cwiseAbs().maxCoeff(), 0.101);
    EXPECT_LT(std::fabs(o.surface.at(b.point).distance), b.time > 0.0 ? 0.001 : 0.2);
  }
  EXPECT_GT(touched, 5);
  EXPECT_TRUE(turned.mayPassUnseen(at(0.0, 0.3, 0.0), at(0.0, -0.3, 0.0), PointsOf::B, 0.02));
  EXPECT_FALSE(turned.mayPassUnseen(at(0.0, 0.3, 0.0), at(0.0, 0.29, 0.0), PointsOf::B, 0.02));
  EXPECT_TRUE(query.mayPassUnseen(at(0.0, 0.3, 0.0), at(0.0, -0.3, 0.0), PointsOf::A, 0.02));
  // a turn about the middle moves the corners by half the diagonal, 0.15 m, times the angle
  Isometry3d turn = at(0.0, 0.3, 0.0);
  turn.linear() = Eigen::AngleAxisd(0.2, Vector3d::UnitY()).toRotationMatrix();
  EXPECT_TRUE(turned.mayPassUnseen(at(0.0, 0.3, 0.0), turn, PointsOf::B, 0.029));
  EXPECT_FALSE(turned.mayPassUnseen(at(0.0, 0.3, 0.0), turn, PointsOf::B, 0.031));
}

using SweptContactOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, SweptContactOn, tests::eachTarget(), tests::targetName);

TEST_P(SweptContactOn, SameBytesEverywhere) {
  const auto hash = [] {
    SeededBits random(6);
    tests::BytesHash bytes;
    for (int k = 0; k < 20; ++k) {
      const Isometry3d from = tests::randomPose(random, Vector3d::Zero(), Vector3d::Zero(), 0.4);
      const Isometry3d to = tests::randomPose(random, Vector3d::Zero(), Vector3d::Zero(), 0.4);
      const SweptContact found =
          sweptContact(plate().box, plate().map, motionOf(from, to), plate().scratch);
      bytes.add(found.time);
      bytes.add(found.point.x());
    }
    return bytes.value();
  };
  expectScalarBytes(hash);
}

}  // namespace
}  // namespace tactus::collision
