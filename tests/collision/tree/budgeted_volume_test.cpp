// The query within a budget, against the one without, and along dense paths: what is cut must not
// jump.
#include "collision/tree/budgeted_volume.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/collision/on_vector_target.hpp"
#include "tests/collision/tree/ball_clouds.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using tests::randomPoseWithin;
using tests::SeededBits;

/// Trees of two blocks of balls that do not overlap much, as those of solids do not.
struct Pair {
  InnerSphereTree a, b;
  Pair() {
    const auto block = [](std::uint64_t seed) {
      SeededBits random(seed);
      std::vector<InnerSphere> balls;
      for (int x = 0; x < 12; ++x) {
        for (int y = 0; y < 12; ++y) {
          for (int z = 0; z < 8; ++z) {
            const Vector3d off{random.between(-0.01, 0.01), random.between(-0.01, 0.01),
                               random.between(-0.01, 0.01)};
            const double radius = random.between(0.02, 0.05);
            balls.push_back({0.08 * Vector3d(x - 5.5, y - 5.5, z - 3.5) + off, radius, 0.9 * radius,
                             0.5 * radius + 0.01 * z});
          }
        }
      }
      return balls;
    };
    a = InnerSphereTree(block(1));
    b = InnerSphereTree(block(2));
  }
};

const Pair& blocks() {
  static const Pair pair;
  return pair;
}

TEST(BudgetedVolume, WithEnoughIsTheWholeQuery) {
  SeededBits random(4);
  PenetrationScratch scratch;
  for (const EnergyLaw law : {EnergyLaw::Volume, EnergyLaw::Depth, EnergyLaw::DepthOfB}) {
    for (int k = 0; k < 12; ++k) {
      const Isometry3d pose = randomPoseWithin(random, 0.6);
      const PenetrationSettings settings{.law = law, .wantsStiffness = true};
      const PenetrationVolume whole =
          penetrationVolume(blocks().a, blocks().b, pose, scratch, settings);
      const BudgetedVolume within =
          budgetedVolume(blocks().a, blocks().b, pose, 4'000'000, scratch, settings);
      EXPECT_FALSE(within.isCut);
      EXPECT_FALSE(within.wasCapped);
      const double tolerance = 1e-5;
      EXPECT_NEAR(within.found.volume, whole.volume, tolerance * whole.volume);
      EXPECT_NEAR(within.found.lowerVolume, whole.lowerVolume, tolerance * whole.volume);
      EXPECT_NEAR(within.found.energy, whole.energy, tolerance * whole.energy);
      const double force = whole.force.norm() + 0.1 * whole.energy;
      EXPECT_NEAR((within.found.force - whole.force).norm(), 0.0, 1e-4 * force);
      EXPECT_NEAR((within.found.torque - whole.torque).norm(), 0.0, 1e-4 * force);
      EXPECT_NEAR((within.found.stiffness - whole.stiffness).norm(), 0.0,
                  1e-3 * whole.stiffness.norm());
    }
  }
}

TEST(BudgetedVolume, KeepsItsBudgetAndGetsBetterWithIt) {
  SeededBits random(5);
  PenetrationScratch scratch;
  std::vector<double> errors;
  for (const std::uint32_t budget : {16U, 200U, 2000U, 20'000U, 400'000U}) {
    double error = 0.0;
    SeededBits same = random;
    for (int k = 0; k < 30; ++k) {
      const Isometry3d pose = randomPoseWithin(same, 0.5);
      const PenetrationVolume whole = penetrationVolume(blocks().a, blocks().b, pose, scratch);
      const BudgetedVolume within = budgetedVolume(blocks().a, blocks().b, pose, budget, scratch);
      EXPECT_LE(within.found.counters.pairTests, budget);
      EXPECT_FALSE(within.wasCapped);
      error += std::fabs(within.found.volume - whole.volume) / (whole.volume + 1e-4);
    }
    errors.push_back(error / 30.0);
  }
  for (std::size_t i = 1; i < errors.size(); ++i)
    EXPECT_LT(errors[i], errors[i - 1]) << i;
  EXPECT_LT(errors.back(), 1e-4);
}

// A jump would not become smaller with the step. The path goes through touches of nodes of all
// levels, and the budget cuts nearly everywhere.
TEST(BudgetedVolume, DoesNotJumpWhereItIsCut) {
  PenetrationScratch scratch;
  for (const std::uint32_t budget : {300U, 3000U, 12'000U}) {
    SCOPED_TRACE(budget);
    int cut = 0;
    const auto at = [&](double t) {
      Isometry3d pose = Isometry3d::Identity();
      pose.linear() =
          Eigen::AngleAxisd(0.3 + 0.6 * t, Vector3d(1.0, 2.0, -1.0).normalized()).matrix();
      pose.translation() = Vector3d(1.1 - 1.0 * t, 0.2 * t, 0.3 - 0.3 * t);
      const BudgetedVolume within =
          budgetedVolume(blocks().a, blocks().b, pose, budget, scratch, {.law = EnergyLaw::Depth});
      EXPECT_FALSE(within.wasCapped);
      if (within.isCut) ++cut;
      return within.found;
    };
    struct Jumps {
      double volume = 0.0, energy = 0.0, force = 0.0;
    };
    const auto largest = [&](int steps) {
      Jumps jumps;
      PenetrationVolume before = at(0.0);
      for (int i = 1; i <= steps; ++i) {
        const PenetrationVolume now = at(static_cast<double>(i) / steps);
        jumps.volume = std::max(jumps.volume, std::fabs(now.volume - before.volume));
        jumps.energy = std::max(jumps.energy, std::fabs(now.energy - before.energy));
        jumps.force = std::max(jumps.force, (now.force - before.force).norm());
        before = now;
      }
      return jumps;
    };
    const Jumps coarse = largest(500);
    const Jumps fine = largest(4000);
    EXPECT_GT(cut, 1000);
    EXPECT_LT(fine.volume, 0.25 * coarse.volume);
    EXPECT_LT(fine.energy, 0.25 * coarse.energy);
    EXPECT_LT(fine.force, 0.35 * coarse.force);
  }
}

// What does not fit is not dropped in silence: the level is the last one, and the result says so.
TEST(BudgetedVolume, SaysWhereItsRoomEnds) {
  PenetrationScratch whole;
  PenetrationScratch tight;
  for (std::size_t k = 0; k < 2; ++k) {
    tight.nodes[k].a.resize(64 + 16);
    tight.nodes[k].b.resize(64 + 16);
    tight.reached[k].resize(64 + 16);
  }
  Isometry3d pose = Isometry3d::Identity();
  pose.translation() = Vector3d(0.05, 0.02, 0.01);
  const BudgetedVolume all = budgetedVolume(blocks().a, blocks().b, pose, 4'000'000, whole);
  EXPECT_FALSE(all.found.queueWasFull);
  const BudgetedVolume some = budgetedVolume(blocks().a, blocks().b, pose, 4'000'000, tight);
  EXPECT_TRUE(some.isCut);
  EXPECT_TRUE(some.wasCapped);
  EXPECT_TRUE(some.found.queueWasFull);
  EXPECT_NEAR(some.found.volume, all.found.volume, 0.3 * all.found.volume);
}

TEST(BudgetedVolume, OfNothingIsNothing) {
  PenetrationScratch scratch;
  const InnerSphereTree nothing;
  EXPECT_EQ(budgetedVolume(nothing, blocks().a, Isometry3d::Identity(), 100, scratch).found.volume,
            0.0);
  Isometry3d far = Isometry3d::Identity();
  far.translation().x() = 10.0;
  const BudgetedVolume apart = budgetedVolume(blocks().a, blocks().b, far, 0, scratch);
  EXPECT_EQ(apart.found.volume, 0.0);
  EXPECT_FALSE(apart.isCut);
}

using BudgetedVolumeOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, BudgetedVolumeOn, tests::eachTarget(), tests::targetName);

TEST_P(BudgetedVolumeOn, SameBytesEverywhere) {
  const auto hash = [] {
    SeededBits random(7);
    tests::BytesHash bytes;
    PenetrationScratch scratch;
    for (int k = 0; k < 10; ++k) {
      const BudgetedVolume within = budgetedVolume(
          blocks().a, blocks().b, randomPoseWithin(random, 0.5),
          static_cast<std::uint32_t>(2000 * (k + 1)), scratch, {.law = EnergyLaw::Depth});
      bytes.add(within.found.volume);
      bytes.add(within.found.energy);
      bytes.add(within.found.lowerVolume);
      bytes.add(within.found.force.x());
      bytes.add(within.found.torque.y());
      bytes.add(static_cast<double>(within.found.counters.pairTests));
    }
    return bytes.value();
  };
  expectScalarBytes(hash);
}

}  // namespace
}  // namespace tactus::collision
