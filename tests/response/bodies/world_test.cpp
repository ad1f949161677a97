#include "response/bodies/world.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <vector>

#include "models/lanes/vector_target.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/response/bodies/test_bodies.hpp"

namespace tactus::response {
namespace {

using Eigen::Isometry3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using test::bodyOf;
using test::elastic;
using test::plateOf;
using test::shifted;

constexpr double kStep = 1e-3;  // [s]
constexpr double kSide = 0.05;  // of a box [m]

void setVelocity(World& world, std::size_t body, const Vector3d& velocity,
                 const Vector3d& spin = Vector3d::Zero()) {
  BodyMotion motion = world.motion(body);
  motion.velocity = velocity;
  motion.spin = spin;
  world.place(body, motion);
}

/// Fields are made once.
const BodyDescription& boxBody() {
  static const BodyDescription kBox =
      bodyOf(models::test::box({kSide, kSide, kSide}), 1000.0, Material{});
  return kBox;
}
const BodyDescription& ballBody() {
  static const BodyDescription kBall = bodyOf(models::test::sphere(0.5 * kSide, 24, 48), 1000.0,
                                              Material{}, BodyKind::Dynamic, 20'000);
  return kBall;
}
const BodyDescription& plateBody() {
  static const BodyDescription kPlate = plateOf(Material{});
  return kPlate;
}

BodyDescription with(const BodyDescription& body, const Material& material,
                     const Isometry3d& pose) {
  BodyDescription changed = body;
  changed.material = material;
  changed.pose = pose;
  return changed;
}

double normalForce(const World& world) {
  double sum = 0.0;
  for (std::size_t k = 0; k < world.contactCount(); ++k)
    sum += world.contact(k).onB.force.y();
  return sum;
}

/// K with which a flat face of kSide^2 and the box's mass have this omega T.
double stiffnessFor(double omegaT) {
  const double omega = omegaT / kStep;
  return 2.0 * boxBody().mass.mass * omega * omega / (kSide * kSide);
}

/// How long a flat bounce lasts, and how deep it goes, by the energy K (S d^2 / 4 - P d^3 / 24) of
/// a face with area S and perimeter P: near its rim the nearest surface is the box's side.
struct FlatBounce {
  double duration = 0.0, depth = 0.0;
};

FlatBounce flatBounce(double stiffness, double mass, double speed) {
  FlatBounce bounce;
  constexpr double kFine = 1e-6;
  double depth = 0.0;
  double velocity = speed;
  do {
    const double force =
        stiffness * (0.5 * kSide * kSide * depth - 4.0 * kSide * depth * depth / 8.0);
    velocity -= kFine * force / mass;
    depth += kFine * velocity;
    bounce.depth = std::max(bounce.depth, depth);
    bounce.duration += kFine;
  } while (depth > 0.0);
  return bounce;
}

// A flat face is a spring of K S / 2, a little softer where it goes deep.
TEST(World, AFlatBounceIsThatOfASpring) {
  const double omegaT = 0.03;
  const double speed = 0.1;
  const Material material = elastic(stiffnessFor(omegaT));
  const std::array bodies = {with(plateBody(), material, Isometry3d::Identity()),
                             with(boxBody(), material, shifted(0.0, 0.5 * kSide + 1e-4, 0.0))};
  World world(bodies, {.gravity = Vector3d::Zero(), .implicitness = 0.5});
  const FlatBounce expected = flatBounce(material.stiffness, world.mass(1).mass, speed);
  EXPECT_NEAR(expected.depth, speed * kStep / omegaT, 0.03 * expected.depth);
  setVelocity(world, 1, {0.0, -speed, 0.0});
  constexpr int kFiner = 8;
  int inContact = 0;
  double deepest = 0.0;
  double energy = 0.0;
  const double start = world.kineticEnergy();
  for (int k = 0; k < 2000 && (world.motion(1).velocity.y() < 0.0 || world.contactCount() > 0);
       ++k) {
    const double depth = 0.5 * kSide - world.motion(1).centre.y();
    world.step(kStep / kFiner);
    if (world.contactCount() == 0) continue;
    ++inContact;
    deepest = std::max(deepest, depth);
    energy = std::max(energy, world.contact(0).force.energy);
  }
  EXPECT_NEAR(inContact * kStep / kFiner, expected.duration, 0.03 * expected.duration);
  EXPECT_NEAR(deepest, expected.depth, 0.01 * expected.depth);
  EXPECT_NEAR(energy, start, 0.01 * start);
  EXPECT_NEAR(world.motion(1).velocity.y(), speed, 0.005 * speed);
}

struct Bounce {
  const char* name;
  const BodyDescription* body;
  Quaterniond turn;
  double low;  ///< of the middle above the lowest point [m]
  /// By which the plate is stiffer, so that contacts of all three last about as long.
  std::array<double, 3> harder;
};

// At any phase of the tick a bounce takes some energy, and never adds any.
TEST(World, NoBounceGainsEnergy) {
  const Quaterniond onEdge(Eigen::AngleAxisd(0.25 * std::numbers::pi, Vector3d::UnitZ()));
  const std::array<Bounce, 3> shapes = {
      Bounce{"sphere", &ballBody(), Quaterniond::Identity(), 0.5 * kSide, {3.1, 6.7, 13.3}},
      Bounce{"edge", &boxBody(), onEdge, std::sqrt(0.5) * kSide, {8.9, 17.1, 25.9}},
      Bounce{"flat", &boxBody(), Quaterniond::Identity(), 0.5 * kSide, {1.0, 1.0, 1.0}}};
  const std::array<double, 3> omegaT = {0.03, 0.07, 0.14};
  constexpr int kPhases = 6;
  const double speed = 0.2;
  for (const Bounce& shape : shapes) {
    for (std::size_t n = 0; n < omegaT.size(); ++n) {
      const Material material = elastic(shape.harder[n] * stiffnessFor(omegaT[n]));
      double most = -1.0;
      for (int phase = 0; phase < kPhases; ++phase) {
        Isometry3d pose = shifted(0.0, shape.low + speed * kStep * (1.0 + phase / 6.0), 0.0);
        pose.linear() = shape.turn.toRotationMatrix();
        const std::array bodies = {with(plateBody(), material, Isometry3d::Identity()),
                                   with(*shape.body, material, pose)};
        World world(bodies, {.gravity = Vector3d::Zero()});
        setVelocity(world, 1, {0.0, -speed, 0.0});
        const double start = world.kineticEnergy();
        int k = 0;
        for (; k < 1000; ++k) {
          world.step(kStep);
          if (world.motion(1).velocity.y() > 0.0 && world.contactCount() == 0) break;
        }
        ASSERT_LT(k, 1000) << shape.name;
        most = std::max(most, world.kineticEnergy() / start - 1.0);
        EXPECT_GT(world.kineticEnergy() / start, 0.85) << "not most of it";
      }
      EXPECT_LT(most, 0.0) << shape.name << " at omega T " << omegaT[n];
    }
  }
}

TEST(World, ManyBouncesBetweenPlatesGainNothing) {
  const Material material = elastic(stiffnessFor(0.07));
  const double gap = 1.2 * kSide;
  const std::array bodies = {with(plateBody(), material, Isometry3d::Identity()),
                             with(plateBody(), material, shifted(0.0, gap + 0.06, 0.0)),
                             with(boxBody(), material, shifted(0.0, 0.5 * gap, 0.0))};
  World world(bodies, {.gravity = Vector3d::Zero()});
  setVelocity(world, 2, {0.0, 0.37, 0.0});
  double least = world.kineticEnergy();
  int bounces = 0;
  bool was = false;
  for (int k = 0; k < 2500; ++k) {
    world.step(kStep);
    const bool touches = world.contactCount() > 0;
    if (was && !touches) {
      ++bounces;
      ASSERT_LE(world.kineticEnergy(), least * 1.0001);
      least = world.kineticEnergy();
    }
    was = touches;
  }
  EXPECT_GT(bounces, 15);
}

// Two boxes that tumble into each other, with friction and damping, far from the world's origin.
TEST(World, MomentumIsKeptToRounding) {
  Material material;
  material.stiffness = 3e7;
  Isometry3d turned = shifted(1.0 + 0.9 * kSide, 2.0 + 0.02, -0.5);
  turned.linear() = Eigen::AngleAxisd(0.7, Vector3d(1.0, 2.0, 0.5).normalized()).toRotationMatrix();
  const std::array bodies = {with(boxBody(), material, shifted(1.0, 2.0, -0.5)),
                             with(boxBody(), material, turned)};
  World world(bodies, {.gravity = Vector3d::Zero()});
  setVelocity(world, 0, {0.2, 0.1, 0.0}, {1e-4, -2e-4, 1e-4});
  setVelocity(world, 1, {-0.6, 0.0, 0.1}, {-1e-4, 1e-4, 3e-4});
  const Vector6 before = world.momentum();
  const double energy = world.kineticEnergy();
  int touched = 0;
  double rubbed = 0.0;
  for (int k = 0; k < 400; ++k) {
    world.step(kStep);
    if (world.contactCount() == 0) continue;
    ++touched;
    rubbed = std::max(rubbed, world.contact(0).frictionOnB.norm());
  }
  EXPECT_GT(touched, 5);
  EXPECT_GT(rubbed, 0.01);
  EXPECT_LT(world.kineticEnergy(), energy);
  const Vector6 change = world.momentum() - before;
  const double linear = 0.125 * 0.6;  // [kg m/s], of one
  EXPECT_LT(change.head<3>().norm(), 1e-13 * linear);
  EXPECT_LT(change.tail<3>().norm(), 1e-13 * linear * 2.3) << "angular momentum of things far away";
}

struct Rest {
  double mean = 0.0, deviation = 0.0, depth = 0.0;
};

Rest restOf(World& world, int settle, int measured) {
  for (int k = 0; k < settle; ++k)
    world.step(kStep);
  double sum = 0.0;
  double squares = 0.0;
  for (int k = 0; k < measured; ++k) {
    world.step(kStep);
    const double force = normalForce(world);
    sum += force;
    squares += force * force;
  }
  Rest rest;
  rest.mean = sum / measured;
  rest.deviation = std::sqrt(std::max(0.0, squares / measured - rest.mean * rest.mean));
  rest.depth = 0.5 * kSide - world.motion(1).centre.y();
  return rest;
}

// Still, and as deep as K S / 2 tells, whatever the fields' resolution.
TEST(World, ABoxAtRestIsStill) {
  const models::Mesh mesh = models::test::box({kSide, kSide, kSide});
  Material material;
  material.damping = 2.0;  // so that it settles in the time of a test
  for (const double corners : {4'000.0, 60'000.0}) {
    BodyDescription box = bodyOf(mesh, 1000.0, material, BodyKind::Dynamic, corners);
    box.pose = shifted(0.01, 0.5 * kSide, 0.002);
    const std::array bodies = {with(plateBody(), material, Isometry3d::Identity()), box};
    World world(bodies, {.mayAllSleep = false});
    const double weight = 9.81 * world.mass(1).mass;
    const Rest rest = restOf(world, 1200, 300);
    EXPECT_NEAR(rest.mean, weight, 2e-3 * weight);
    EXPECT_LT(rest.deviation, 2e-3 * weight);
    const double spring = 0.5 * material.stiffness * kSide * kSide;
    EXPECT_NEAR(weight / rest.depth, spring, 0.05 * spring) << corners << " corners";
  }
}

TEST(World, SleepsAtRestAndWakesWhenTouched) {
  Material material;
  material.damping = 5.0;
  const std::array bodies = {with(plateBody(), material, Isometry3d::Identity()),
                             with(boxBody(), material, shifted(0.0, 0.5 * kSide - 1e-4, 0.0)),
                             with(boxBody(), material, shifted(0.0, 1.5 * kSide - 1.5e-4, 0.0)),
                             with(ballBody(), material, shifted(0.0, 2.5 * kSide + 0.2, 0.0))};
  World world(bodies, {.sleepTime = 0.05});
  world.setGravity({0.0, -9.81, 0.0});
  // the ball hangs until it is let go
  ExternalWrench held;
  held.wrench[1] = 9.81 * world.mass(3).mass;
  held.damping.diagonal().setConstant(1.0);
  for (int k = 0; k < 1200 && !world.isAsleep(1); ++k) {
    world.setExternal(3, held);
    world.step(kStep);
  }
  ASSERT_TRUE(world.isAsleep(1));
  EXPECT_TRUE(world.isAsleep(2)) << "one island";
  EXPECT_FALSE(world.isAsleep(3)) << "something holds it";
  world.step(kStep);
  EXPECT_EQ(world.counters().queried, 0U);
  const Vector3d before = world.motion(2).centre;
  world.setExternal(3, {});
  int woke = 0;
  for (int k = 0; k < 400 && woke == 0; ++k) {
    world.step(kStep);
    if (!world.isAsleep(2)) woke = k + 1;
    EXPECT_EQ(world.isAsleep(1), world.isAsleep(2)) << "both at once";
  }
  EXPECT_GT(woke, 150) << "it falls 20 cm before";
  EXPECT_LT((world.motion(2).centre - before).norm(), 1e-3);
}

TEST(World, ASupportThatMovesWakesWhatLiesOnIt) {
  Material material;
  material.damping = 5.0;
  BodyDescription table = with(plateBody(), material, Isometry3d::Identity());
  table.kind = BodyKind::Kinematic;
  const std::array bodies = {table,
                             with(boxBody(), material, shifted(0.0, 0.5 * kSide - 1e-4, 0.0))};
  World world(bodies, {.sleepTime = 0.05});
  for (int k = 0; k < 1200 && !world.isAsleep(1); ++k)
    world.step(kStep);
  ASSERT_TRUE(world.isAsleep(1));
  world.setTwist(0, {0.02, 0.0, 0.0}, Vector3d::Zero());
  for (int k = 0; k < 300; ++k)
    world.step(kStep);
  EXPECT_FALSE(world.isAsleep(1));
  EXPECT_GT(world.motion(1).velocity.x(), 0.015) << "friction takes it along";
}

TEST(World, PairsWithoutInterestPassThroughEachOther) {
  const std::array bodies = {plateBody(),
                             with(boxBody(), Material{}, shifted(0.0, 0.5 * kSide + 0.01, 0.0))};
  World world(bodies);
  world.setInterest(1, 0, false);
  for (int k = 0; k < 300; ++k)
    world.step(kStep);
  EXPECT_LT(world.motion(1).centre.y(), -0.2);
  // as far as it has fallen: g t^2 / 2
  const double t = 0.3;
  EXPECT_NEAR(world.motion(1).centre.y(), 0.5 * kSide + 0.01 - 0.5 * 9.81 * t * t, 2e-3);
}

TEST(World, PairsAreSkippedUntilTheyCanTouch) {
  const std::array bodies = {with(boxBody(), Material{}, shifted(0.0, 0.0, 0.0)),
                             with(boxBody(), Material{}, shifted(1.0, 0.0, 0.0))};
  World world(bodies, {.gravity = Vector3d::Zero()});
  setVelocity(world, 0, {0.5, 0.0, 0.0});
  std::uint32_t looked = 0;
  int touched = -1;
  for (int k = 0; k < 2200 && touched < 0; ++k) {
    world.step(kStep);
    looked += world.counters().due;
    if (world.contactCount() > 0) touched = k;
  }
  EXPECT_NEAR(touched, (1.0 - kSide) / 0.5 / kStep, 3.0);
  EXPECT_LT(looked, 250U) << "of 1900 ticks";
}

// What a hand's coupling needs: the body goes where spring and contact are in balance.
TEST(World, AToolIsHeldByItsWrenchAndDerivative) {
  BodyDescription tool = with(boxBody(), elastic(8e6), shifted(0.0, 0.5 * kSide + 2e-3, 0.0));
  tool.kind = BodyKind::Tool;
  const std::array bodies = {with(plateBody(), elastic(8e6), Isometry3d::Identity()), tool};
  World world(bodies);
  const double spring = 2000.0;
  const Vector3d wanted(0.0, 0.5 * kSide - 5e-3, 0.0);
  for (int k = 0; k < 800; ++k) {
    ExternalWrench held;
    held.wrench.head<3>() = spring * (wanted - world.motion(1).centre);
    held.stiffness.topLeftCorner<3, 3>().diagonal().setConstant(spring);
    held.stiffness.bottomRightCorner<3, 3>().diagonal().setConstant(2.0);
    held.damping.topLeftCorner<3, 3>().diagonal().setConstant(20.0);
    held.damping.bottomRightCorner<3, 3>().diagonal().setConstant(0.02);
    world.setExternal(1, held);
    world.step(kStep);
  }
  const double contact = 0.5 * 8e6 * kSide * kSide;
  const double force = 5e-3 / (1.0 / spring + 1.0 / contact);
  EXPECT_NEAR(normalForce(world), force, 0.01 * force);
  const World::ContactSum sum = world.contactsOn(1);
  EXPECT_NEAR(sum.wrench[1], force, 0.01 * force);
  EXPECT_NEAR(sum.stiffness(1, 1), contact, 0.02 * contact);
  EXPECT_FALSE(world.isAsleep(1));
}

/// Boxes and balls that fall on a plate and each other.
std::vector<BodyDescription> heap(const Isometry3d& world) {
  std::vector<BodyDescription> bodies = {with(plateBody(), Material{}, world)};
  tests::SeededBits random(4);
  for (int k = 0; k < 5; ++k) {
    Isometry3d pose =
        shifted(random.between(-0.02, 0.02), 0.05 + 0.06 * k, random.between(-0.02, 0.02));
    pose.linear() = Quaterniond{1.0, random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                                random.between(-1.0, 1.0)}
                        .normalized()
                        .toRotationMatrix();
    bodies.push_back(with(k % 2 == 0 ? boxBody() : ballBody(), Material{}, world * pose));
  }
  return bodies;
}

std::vector<unsigned char> bytesOfRun(int steps) {
  const std::vector<BodyDescription> bodies = heap(Isometry3d::Identity());
  World world(bodies);
  for (int k = 0; k < steps; ++k)
    world.step(kStep);
  std::vector<unsigned char> bytes;
  for (std::size_t i = 0; i < world.size(); ++i) {
    const BodyMotion& motion = world.motion(i);
    std::array<double, 13> all{};
    std::copy_n(motion.centre.data(), 3, all.begin());
    std::copy_n(motion.turn.coeffs().data(), 4, all.begin() + 3);
    std::copy_n(motion.velocity.data(), 3, all.begin() + 7);
    std::copy_n(motion.spin.data(), 3, all.begin() + 10);
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof(all));
    std::memcpy(bytes.data() + at, all.data(), sizeof(all));
  }
  return bytes;
}

TEST(World, SameBytesOnEveryVectorTargetAndInEveryRun) {
  constexpr int kSteps = 250;
  const std::vector<unsigned char> expected = bytesOfRun(kSteps);
  EXPECT_EQ(bytesOfRun(kSteps), expected) << "once more";
  for (const models::VectorTarget target : models::supportedTargets()) {
    ASSERT_TRUE(models::useTarget(target));
    EXPECT_EQ(bytesOfRun(kSteps), expected) << static_cast<int>(target);
  }
  ASSERT_TRUE(models::useTarget(models::bestTarget()));
}

// The whole world moved and turned: the same motion, seen from there. Fields are in the bodies'
// frames, so it differs by the rounding of doubles, and of floats where poses enter kernels; a heap
// is chaotic, so the time is short.
TEST(World, CommonMotionChangesNothing) {
  Isometry3d there = shifted(3.0, -2.0, 5.0);
  there.linear() = Quaterniond(0.3, 0.5, -0.7, 0.2).normalized().toRotationMatrix();
  const std::vector<BodyDescription> here = heap(Isometry3d::Identity());
  const std::vector<BodyDescription> moved = heap(there);
  World first(here);
  World second(moved, {.gravity = there.linear() * Vector3d(0.0, -9.81, 0.0)});
  for (int k = 0; k < 150; ++k) {
    first.step(kStep);
    second.step(kStep);
  }
  EXPECT_GT(first.counters().touching, 0U);
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_NEAR((there * first.motion(i).centre - second.motion(i).centre).norm(), 0.0, 1e-6);
    EXPECT_NEAR((there.linear() * first.motion(i).velocity - second.motion(i).velocity).norm(), 0.0,
                1e-4);
  }
}

// Fields of another fineness each: of two equal ones the first body's is walked. Rounding of floats
// doubles every few ticks while the ball rattles on the box, so the time is short.
TEST(World, NumbersOfBodiesDoNotMatter) {
  std::vector<BodyDescription> bodies = {
      plateBody(), with(boxBody(), Material{}, shifted(0.001, 0.5 * kSide + 1e-3, 0.0)),
      with(ballBody(), Material{}, shifted(0.004, 1.5 * kSide + 3e-3, 0.002))};
  World first(bodies);
  std::reverse(bodies.begin(), bodies.end());
  World second(bodies);
  for (int k = 0; k < 32; ++k) {
    first.step(kStep);
    second.step(kStep);
  }
  EXPECT_EQ(first.counters().touching, 2U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR((first.motion(i).centre - second.motion(2 - i).centre).norm(), 0.0, 1e-7);
}

// All lengths times a factor, gravity and K too: the same in time.
TEST(World, SizeDoesNotMatter) {
  const Material material = elastic(8e6);
  const std::array usual = {with(plateBody(), material, Isometry3d::Identity()),
                            with(boxBody(), material, shifted(0.0, 0.5 * kSide + 1e-3, 0.0))};
  World first(usual);
  for (int k = 0; k < 100; ++k)
    first.step(kStep);
  for (const double scale : {1e-3, 1e3}) {
    const double side = kSide * scale;
    const Material scaled = elastic(8e6 * scale);
    BodyDescription box = bodyOf(models::test::box({side, side, side}), 1000.0, scaled);
    box.pose = shifted(0.0, 0.5 * side + 1e-3 * scale, 0.0);
    const std::array bodies = {plateOf(scaled, 0.4 * scale, 0.06 * scale), box};
    World second(bodies, {.gravity = Vector3d(0.0, -9.81 * scale, 0.0)});
    for (int k = 0; k < 100; ++k)
      second.step(kStep);
    EXPECT_NEAR(second.motion(1).centre.y() / scale, first.motion(1).centre.y(), 1e-5) << scale;
  }
}

// Two tools and a box between them, on a plate that joins nobody.
TEST(World, ToolsAreJoinedByWhatIsBetweenThem) {
  for (const BodyKind kind : {BodyKind::Kinematic, BodyKind::Tool}) {
    const Material material = elastic(8e6);
    const double low = 0.5 * kSide - 1e-5;
    std::array bodies = {with(plateBody(), material, Isometry3d::Identity()),
                         with(boxBody(), material, shifted(0.0, low, 0.0)),
                         with(boxBody(), material, shifted(-1.1 * kSide, low, 0.0)),
                         with(boxBody(), material, shifted(1.1 * kSide, low, 0.0))};
    bodies[2].kind = bodies[3].kind = kind;
    World world(bodies, {.gravity = Vector3d::Zero()});
    EXPECT_FALSE(world.areJoined(2, 3));
    world.step(kStep);
    EXPECT_FALSE(world.areJoined(2, 3));
    const auto placeAt = [&](std::size_t body, double x) {
      BodyMotion motion = world.motion(body);
      motion.centre = Vector3d(x, 0.5 * kSide, 0.0);
      motion.velocity = Vector3d::Zero();
      world.place(body, motion);
      world.step(kStep);
    };
    placeAt(2, -kSide + 1e-4);
    EXPECT_TRUE(world.areJoined(2, 1));
    EXPECT_FALSE(world.areJoined(2, 3));
    placeAt(3, kSide - 1e-4);
    EXPECT_TRUE(world.areJoined(2, 3));
    placeAt(3, 2.0 * kSide);
    EXPECT_FALSE(world.areJoined(2, 3));
    if (kind == BodyKind::Tool) continue;
    // without anything between them, as tools that settle ask
    static_cast<void>(world.loadOn(3, shifted(-1.9 * kSide, 0.5 * kSide, 0.0)));
    EXPECT_TRUE(world.areJoined(2, 3));
    static_cast<void>(world.loadOn(3, shifted(2.0 * kSide, 0.5 * kSide, 0.0)));
    EXPECT_FALSE(world.areJoined(2, 3));
  }
}

TEST(World, AWorldOfNothingAndOfOneBodySteps) {
  World nothing(std::span<const BodyDescription>{});
  nothing.step(kStep);
  const std::array one = {boxBody()};
  World world(one);
  world.step(kStep);
  world.step(0.0);
  world.step(-1.0);
  EXPECT_NEAR(world.motion(0).velocity.y(), -9.81 * kStep, 1e-15);
}

}  // namespace
}  // namespace tactus::response
