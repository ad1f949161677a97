// Pairs in contact that take turns, because all of them would be too much for a step.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "models/lanes/vector_target.hpp"
#include "response/bodies/world.hpp"
#include "tests/response/bodies/test_bodies.hpp"

namespace tactus::response {
namespace {

using Eigen::Vector3d;
using test::bodyOf;
using test::elastic;
using test::plateOf;
using test::shifted;

constexpr double kStep = 1e-3;
constexpr double kSide = 0.05;

const BodyDescription& box() {
  static const BodyDescription kBox =
      bodyOf(models::test::box({kSide, kSide, kSide}), 1000.0, Material{});
  return kBox;
}
const BodyDescription& ball() {
  static const BodyDescription kBall =
      bodyOf(models::test::sphere(0.5 * kSide, 24, 48), 1000.0, Material{});
  return kBall;
}

BodyDescription at(const BodyDescription& body, double x, double y, double z) {
  BodyDescription placed = body;
  placed.pose = shifted(x, y, z);
  return placed;
}

/// Six boxes and balls that lie and roll on a plate, and one that a hand holds.
std::vector<BodyDescription> table() {
  static const BodyDescription kPlate = plateOf(Material{});
  std::vector<BodyDescription> bodies = {kPlate};
  for (int k = 0; k < 6; ++k) {
    const int row = k / 3;
    bodies.push_back(
        at(k % 2 == 0 ? box() : ball(), 0.07 * (k % 3 - 1), 0.5 * kSide + 1e-3, 0.07 * row - 0.03));
  }
  bodies.push_back(at(box(), 0.0, 0.5 * kSide - 5e-4, 0.12));
  bodies.back().kind = BodyKind::Tool;
  return bodies;
}

/// None of its pairs fits into a step.
const WorldSettings kInTurns = {.testsOfStep = 0, .mayAllSleep = false};

TEST(TakingTurns, NoContactIsOlderThanAStepNorThoseOfHandsAtAll) {
  World world(table(), kInTurns);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> ages;
  std::uint64_t carried = 0;
  std::uint64_t touching = 0;
  for (int k = 0; k < 600; ++k) {
    world.step(kStep);
    std::uint32_t older = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> now;
    for (std::size_t i = 0; i < world.contactCount(); ++i) {
      const PairContact& contact = world.contact(i);
      const std::pair pair(contact.a, contact.b);
      now[pair] = contact.age;
      older += contact.age;
      ASSERT_LE(contact.age, 1U);
      if (contact.b == 7) {
        ASSERT_EQ(contact.age, 0U) << "a hand feels what is";
      }
      const auto last = ages.find(pair);
      if (last == ages.end()) {
        ASSERT_EQ(contact.age, 0U) << "what is new is asked at once";
      } else if (last->second == 1) {
        ASSERT_EQ(contact.age, 0U);
      }
    }
    ages = now;
    ASSERT_EQ(world.counters().carried, older);
    ASSERT_EQ(world.counters().touching, world.contactCount());
    carried += older;
    touching += world.contactCount();
  }
  EXPECT_GT(carried, touching / 4);
  EXPECT_LT(carried, touching * 6 / 10);
}

TEST(TakingTurns, TheWorkOfStepsIsEven) {
  World world(table(), kInTurns);
  for (int k = 0; k < 400; ++k)
    world.step(kStep);
  std::uint32_t least = 0xffffffffU;
  std::uint32_t most = 0;
  for (int k = 0; k < 100; ++k) {
    world.step(kStep);
    least = std::min(least, world.counters().tests);
    most = std::max(most, world.counters().tests);
  }
  // to one of the six pairs that take turns
  EXPECT_LT(most, 2 * least);
}

TEST(TakingTurns, OnlyWhereAStepHasTooManyTests) {
  std::vector<BodyDescription> few = table();
  few.resize(3);
  World world(few);
  for (int k = 0; k < 300; ++k) {
    world.step(kStep);
    ASSERT_EQ(world.counters().carried, 0U);
  }
  EXPECT_GT(world.contactCount(), 0U);
}

// A box at rest is as still as one that is asked in every step.
TEST(TakingTurns, ABoxAtRestIsStill) {
  Material material;
  material.damping = 2.0;
  BodyDescription resting = at(box(), 0.01, 0.5 * kSide, 0.002);
  resting.material = material;
  const std::array bodies = {plateOf(material), resting};
  World world(bodies, kInTurns);
  for (int k = 0; k < 1200; ++k)
    world.step(kStep);
  const double weight = 9.81 * world.mass(1).mass;
  double sum = 0.0;
  double squares = 0.0;
  std::uint32_t carried = 0;
  for (int k = 0; k < 300; ++k) {
    world.step(kStep);
    ASSERT_EQ(world.contactCount(), 1U);
    carried += world.counters().carried;
    const double push = world.contact(0).onB.force.y();
    sum += push;
    squares += push * push;
  }
  const double mean = sum / 300.0;
  EXPECT_EQ(carried, 150U);
  EXPECT_NEAR(mean, weight, 2e-3 * weight);
  EXPECT_LT(std::sqrt(std::max(squares / 300.0 - mean * mean, 0.0)), 2e-3 * weight);
}

// Without damping and friction, at several stiffnesses: what a theta of 0.55 takes covers what is
// carried on.
TEST(TakingTurns, NoBounceGainsEnergy) {
  for (const double stiffness : {2e6, 1e7, 4e7}) {
    BodyDescription falling = at(ball(), 0.0, 0.5 * kSide + 0.01, 0.0);
    falling.material = elastic(stiffness);
    const std::array bodies = {plateOf(elastic(stiffness)), falling};
    World world(bodies, kInTurns);
    const double weight = 9.81 * world.mass(1).mass;
    const double begin = weight * 0.01;
    for (int k = 0; k < 2000; ++k) {
      const double height = world.motion(1).centre.y() - 0.5 * kSide;
      if (world.contactCount() == 0) {
        ASSERT_LE(world.kineticEnergy() + weight * height, 1.002 * begin) << stiffness << " " << k;
      }
      world.step(kStep);
    }
  }
}

TEST(TakingTurns, MomentumIsKeptToRounding) {
  std::vector<BodyDescription> bodies = {at(box(), 0.0, 0.0, 0.0), at(ball(), 0.049, 0.01, 0.0),
                                         at(box(), 0.0, 0.0495, 0.012)};
  WorldSettings settings = kInTurns;
  settings.gravity.setZero();
  World world(bodies, settings);
  BodyMotion motion = world.motion(1);
  motion.velocity = Vector3d(-0.05, 0.0, 0.02);
  motion.spin = Vector3d(0.0, 1e-5, 2e-5);
  world.place(1, motion);
  const Vector6 begin = world.momentum();
  std::uint32_t carried = 0;
  for (int k = 0; k < 300; ++k) {
    world.step(kStep);
    carried += world.counters().carried;
    ASSERT_LT((world.momentum() - begin).head<3>().norm(), 1e-13);
    ASSERT_LT((world.momentum() - begin).tail<3>().norm(), 1e-13);
  }
  EXPECT_GE(carried, 10U);
}

TEST(TakingTurns, SameBytesOnEveryVectorTargetAndInEveryRun) {
  const auto run = [] {
    World world(table(), kInTurns);
    std::vector<double> numbers;
    for (int k = 0; k < 200; ++k)
      world.step(kStep);
    for (std::size_t i = 0; i < world.size(); ++i) {
      const BodyMotion& motion = world.motion(i);
      for (const double x : {motion.centre.x(), motion.centre.y(), motion.centre.z(),
                             motion.velocity.x(), motion.velocity.y(), motion.spin.z()})
        numbers.push_back(x);
    }
    return numbers;
  };
  const std::vector<double> expected = run();
  EXPECT_EQ(run(), expected) << "once more";
  for (const models::VectorTarget target : models::supportedTargets()) {
    ASSERT_TRUE(models::useTarget(target));
    EXPECT_EQ(run(), expected) << static_cast<int>(target);
  }
  ASSERT_TRUE(models::useTarget(models::bestTarget()));
}

}  // namespace
}  // namespace tactus::response
