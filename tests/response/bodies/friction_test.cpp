// Coulomb's law, measured on a body that a spring holds while the plate below it slides.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "response/bodies/world.hpp"
#include "response/coupling/quasi_static_tool.hpp"
#include "response/rotation_vector.hpp"
#include "tests/response/bodies/test_bodies.hpp"

namespace tactus::response {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using test::bodyOf;
using test::plateOf;
using test::shifted;

constexpr double kStep = 1e-3;  // [s]
constexpr double kSide = 0.05;  // [m]

/// A tool that a spring draws to a place, and holds from turning.
void hold(World& world, std::size_t body, const Vector3d& place, const Quaterniond& turn) {
  constexpr double kSpring = 3000.0;
  constexpr double kTurningSpring = 20.0;
  const BodyMotion& motion = world.motion(body);
  Quaterniond off = motion.turn * turn.conjugate();
  if (off.w() < 0.0) off.coeffs() *= -1.0;
  ExternalWrench held;
  held.wrench.head<3>() = kSpring * (place - motion.centre);
  held.wrench.tail<3>() = -kTurningSpring * 2.0 * off.vec();
  held.stiffness.diagonal() << kSpring, kSpring, kSpring, kTurningSpring, kTurningSpring,
      kTurningSpring;
  held.damping.diagonal() << 40.0, 40.0, 40.0, 0.05, 0.05, 0.05;
  world.setExternal(body, held);
}

Material rough(double mu) {
  Material material;
  material.staticFriction = 1.25 * mu;
  material.kineticFriction = mu;
  return material;
}

struct Shape {
  const char* name;
  models::Mesh mesh;
  Quaterniond turn;
  double low;
};

std::array<Shape, 3> shapes() {
  return {Shape{"plane", models::test::box({kSide, kSide, kSide}), Quaterniond::Identity(),
                0.5 * kSide},
          Shape{"sphere", models::test::sphere(0.5 * kSide, 24, 48), Quaterniond::Identity(),
                0.5 * kSide},
          Shape{"edge", models::test::box({kSide, kSide, kSide}),
                Quaterniond(Eigen::AngleAxisd(0.25 * std::numbers::pi, Vector3d::UnitX())),
                std::sqrt(0.5) * kSide}};
}

TEST(Friction, MuIsMeasuredOnPlaneSphereAndEdge) {
  const double mu = 0.4;
  for (const double corners : {6'000.0, 40'000.0}) {
    BodyDescription plate = plateOf(rough(mu), 0.4, 0.06, 2.0 * corners);
    plate.kind = BodyKind::Kinematic;
    for (const Shape& shape : shapes()) {
      BodyDescription tool = bodyOf(shape.mesh, 1000.0, rough(mu), BodyKind::Tool, corners);
      for (const double depth : {1e-3, 5e-3}) {  // of the spring's end
        tool.pose = shifted(0.0, shape.low, 0.0);
        tool.pose.linear() = shape.turn.toRotationMatrix();
        const std::array bodies = {plate, tool};
        World world(bodies);
        world.setTwist(0, {0.1, 0.0, 0.0}, Vector3d::Zero());
        const Vector3d place(0.0, shape.low - depth, 0.0);
        double least = 1e9;
        double most = 0.0;
        for (int k = 0; k < 300; ++k) {
          hold(world, 1, place, shape.turn);
          world.step(kStep);
          if (k < 200) continue;
          ASSERT_EQ(world.contactCount(), 1U) << shape.name;
          const PairContact& contact = world.contact(0);
          const Vector3d friction = contact.frictionOnB;
          const double normal = (contact.onB.force - friction).y();
          const double measured = std::hypot(friction.x(), friction.z()) / normal;
          least = std::min(least, measured);
          most = std::max(most, measured);
          EXPECT_GT(friction.x(), 0.0);
        }
        EXPECT_NEAR(least, mu, 0.02 * mu) << shape.name << " " << depth << " " << corners;
        EXPECT_NEAR(most, mu, 0.02 * mu) << shape.name << " " << depth << " " << corners;
      }
    }
  }
}

/// A tool without mass in a world, drawn by a hand.
struct Drawn {
  Drawn(const BodyDescription& plate, const BodyDescription& given)
      : world(std::array{plate, given}), tool(given.pose) {}

  const CoupledTool& tick(const Eigen::Isometry3d& hand) {
    auto loadAt = [this](const Eigen::Isometry3d& pose) { return world.loadOn(1, pose); };
    const CouplingGains gains{.stiffness = 3000.0, .turnStiffness = 20.0};
    const ToolShape shape{.reach = kSide, .thinnestPart = 0.5 * kSide};
    world.beginLoads(1, kStep);
    last = tool.tick({.sceneFromHand = hand}, gains, shape, ContactQuery(loadAt), {});
    world.endLoads(1, last.sceneFromTool);
    const Vector3d shift = last.sceneFromTool.translation() - world.pose(1).translation();
    world.setTwist(1, shift / kStep, Vector3d::Zero());
    world.step(kStep);
    return last;
  }

  World world;
  QuasiStaticTool tool;
  CoupledTool last;
};

Eigen::Isometry3d drawnTo(const Shape& shape, double aside, double depth) {
  Eigen::Isometry3d hand = shifted(aside, shape.low - depth, 0.0);
  hand.linear() = shape.turn.toRotationMatrix();
  return hand;
}

// The hand feels mu times what it presses with.
TEST(Friction, AHandFeelsItByAToolWithoutMass) {
  const double mu = 0.4;
  for (const double corners : {6'000.0, 40'000.0}) {
    const BodyDescription plate = plateOf(rough(mu), 0.4, 0.06, 2.0 * corners);
    for (const Shape& shape : shapes()) {
      BodyDescription given = bodyOf(shape.mesh, 1000.0, rough(mu), BodyKind::Kinematic, corners);
      for (const double depth : {1e-3, 5e-3}) {  // of the hand
        given.pose = drawnTo(shape, 0.0, 0.0);
        Drawn drawn(plate, given);
        double least = 1e9;
        double most = 0.0;
        for (int k = 0; k < 400; ++k) {
          const Vector3d felt = drawn
                                    .tick(drawnTo(shape, 1e-4 * std::max(k - 100, 0),
                                                  depth * std::min(1.0, k / 50.0)))
                                    .onHand.force;
          if (k < 300) continue;
          const double measured = std::hypot(felt.x(), felt.z()) / felt.y();
          least = std::min(least, measured);
          most = std::max(most, measured);
          EXPECT_LT(felt.x(), 0.0);
        }
        EXPECT_NEAR(least, mu, 0.02 * mu) << shape.name << " " << depth << " " << corners;
        EXPECT_NEAR(most, mu, 0.02 * mu) << shape.name << " " << depth << " " << corners;
      }
    }
  }
}

// Below mu N it holds for ever, and what was stored comes back; a closed slide gives nothing.
TEST(Friction, AToolWithoutMassSticksAndGivesBackNoMoreThanItTook) {
  const Shape box = shapes()[0];
  const BodyDescription plate = plateOf(rough(0.4), 0.4, 0.06, 12'000);
  BodyDescription tool = bodyOf(box.mesh, 1000.0, rough(0.4), BodyKind::Kinematic, 6'000);
  tool.pose = drawnTo(box, 0.0, 0.0);
  Drawn drawn(plate, tool);
  for (int k = 0; k < 100; ++k)
    drawn.tick(drawnTo(box, 0.0, 2e-3 * std::min(1.0, k / 50.0)));
  const double before = drawn.last.sceneFromTool.translation().x();
  for (int k = 0; k < 1000; ++k)
    drawn.tick(drawnTo(box, 4e-4 * std::min(1.0, k / 50.0), 2e-3));
  EXPECT_LT(drawn.last.onHand.force.x(), -0.5);
  const double held = drawn.last.onHand.force.x();
  for (int k = 0; k < 1000; ++k)
    drawn.tick(drawnTo(box, 4e-4, 2e-3));
  EXPECT_NEAR(drawn.last.onHand.force.x(), held, 1e-6);
  for (int k = 0; k < 100; ++k)
    drawn.tick(drawnTo(box, 4e-4 * std::max(0.0, 1.0 - k / 50.0), 2e-3));
  EXPECT_NEAR(drawn.last.sceneFromTool.translation().x(), before, 1e-5);
  EXPECT_NEAR(drawn.last.onHand.force.x(), 0.0, 0.02);

  // round and round, 3 mm out: the hand gives all the time
  double given = 0.0;
  Wrench felt = drawn.last.onHand;
  for (int k = 0; k < 600; ++k) {
    const double aside = 3e-3 * std::sin(2.0 * std::numbers::pi * k / 300.0);
    const double next = 3e-3 * std::sin(2.0 * std::numbers::pi * (k + 1) / 300.0);
    const Wrench now = drawn.tick(drawnTo(box, next, 2e-3)).onHand;
    given += 0.5 * (felt.force.x() + now.force.x()) * (next - aside);
    felt = now;
  }
  EXPECT_LT(given, -0.5 * 8 * 3e-3 * std::abs(held));
}

// Each of two hands feels the other's tool slide by, and what they feel is opposite, though only
// one of them moves: friction is kinetic for both.
TEST(Friction, TwoToolsWithoutMassFeelOppositeForces) {
  const Material material = rough(0.4);
  BodyDescription under =
      bodyOf(models::test::box({0.2, kSide, 0.2}), 1000.0, material, BodyKind::Kinematic, 12'000);
  BodyDescription above = bodyOf(models::test::box({kSide, kSide, kSide}), 1000.0, material,
                                 BodyKind::Kinematic, 6'000);
  above.pose.translation() = Vector3d(0.0, kSide, 0.0);
  World world(std::array{under, above});
  std::array<QuasiStaticTool, 2> tools = {QuasiStaticTool(under.pose), QuasiStaticTool(above.pose)};
  std::array<Vector3d, 2> felt;
  for (int k = 0; k < 400; ++k) {
    // the lower one goes along x at 5 cm/s, pressed by 2 mm
    const std::array hands = {shifted(5e-5 * std::max(k - 100, 0), 0.0, 0.0),
                              shifted(0.0, kSide - 2e-3 * std::min(1.0, k / 50.0), 0.0)};
    for (std::size_t body = 0; body < 2; ++body) {
      auto loadAt = [&](const Eigen::Isometry3d& pose) { return world.loadOn(body, pose); };
      world.beginLoads(body, kStep);
      const CoupledTool tool = tools[body].tick(
          {.sceneFromHand = hands[body]}, {.stiffness = 3000.0, .turnStiffness = 20.0},
          {.reach = kSide, .thinnestPart = 0.5 * kSide}, ContactQuery(loadAt), {});
      world.endLoads(body, tool.sceneFromTool);
      felt[body] = tool.onHand.force;
      const Vector3d shift = tool.sceneFromTool.translation() - world.pose(body).translation();
      const Vector3d turn =
          rotationVector(tool.sceneFromTool.linear() * world.pose(body).linear().transpose());
      world.setTwist(body, shift / kStep, turn / kStep);
    }
    world.step(kStep);
    if (k < 300) continue;
    ASSERT_NEAR(-felt[0].x() / felt[1].y(), 0.4, 0.012) << k;
    ASSERT_NEAR(felt[1].x() / felt[1].y(), 0.4, 0.012) << k;
    ASSERT_LT((felt[0] + felt[1]).norm(), 0.01 * felt[1].norm()) << k;
  }
}

// A tool without mass that is dragged slowly slides evenly, and does not rattle from static to
// kinetic friction and back.
TEST(Friction, ASlowDragOfAToolWithoutMassIsEven) {
  const Shape box = shapes()[0];
  BodyDescription given = bodyOf(box.mesh, 1000.0, rough(0.4), BodyKind::Kinematic, 6'000);
  given.pose = drawnTo(box, 0.0, 0.0);
  Drawn drawn(plateOf(rough(0.4), 0.4, 0.06, 12'000), given);
  Vector3d before = Vector3d::Zero();
  double normal = 0.0;
  double most = 0.0;
  for (int k = 0; k < 1600; ++k) {
    const double aside = 2e-5 * std::max(k - 100, 0);  // 2 cm/s
    const Vector3d felt =
        drawn.tick(drawnTo(box, aside, 2e-3 * std::min(1.0, k / 50.0))).onHand.force;
    if (k > 600) most = std::max(most, (felt - before).norm());
    before = felt;
    normal = felt.y();
  }
  EXPECT_GT(normal, 2.0);
  EXPECT_LT(most, 0.01 * normal);
}

// A disc that spins on its place: the torque is mu N 2 R / 3.
TEST(Friction, ASpinningDiscIsHeldByItsRadius) {
  const double mu = 0.3;
  const double radius = 0.03;
  models::Mesh disc;  // a prism of 48 sides
  constexpr std::uint32_t kSides = 48;
  for (const float y : {-0.02F, 0.02F}) {
    disc.positions.emplace_back(0.0F, y, 0.0F);
    for (std::uint32_t s = 0; s < kSides; ++s) {
      const double angle = 2.0 * std::numbers::pi * s / kSides;
      disc.positions.emplace_back(static_cast<float>(radius * std::cos(angle)), y,
                                  static_cast<float>(radius * std::sin(angle)));
    }
  }
  for (std::uint32_t s = 0; s < kSides; ++s) {
    const std::uint32_t a = 1 + s;
    const std::uint32_t b = 1 + (s + 1) % kSides;
    const std::uint32_t up = kSides + 1;
    disc.triangles.push_back({0, a, b});
    disc.triangles.push_back({up, up + b, up + a});
    disc.triangles.push_back({a, up + a, up + b});
    disc.triangles.push_back({a, up + b, b});
  }
  BodyDescription plate = plateOf(rough(mu));
  plate.kind = BodyKind::Kinematic;
  BodyDescription tool = bodyOf(disc, 1000.0, rough(mu), BodyKind::Tool);
  ASSERT_GT(tool.mass.mass, 0.0);
  tool.pose = shifted(0.0, 0.02, 0.0);
  const std::array bodies = {plate, tool};
  World world(bodies);
  world.setTwist(0, Vector3d::Zero(), {0.0, 4.0, 0.0});
  double torque = 0.0;
  double normal = 0.0;
  for (int k = 0; k < 300; ++k) {
    hold(world, 1, {0.0, 0.02 - 3e-3, 0.0}, Quaterniond::Identity());
    world.step(kStep);
    if (k < 250) continue;
    ASSERT_EQ(world.contactCount(), 1U);
    const PairContact& contact = world.contact(0);
    torque += contact.onB.torque.y() / 50.0;
    normal += contact.onB.force.y() / 50.0;
  }
  const double expected = mu * normal * 2.0 / 3.0 * radius;
  EXPECT_NEAR(torque, expected, 0.04 * expected);
}

// Below the cone a box stays on a slope for good; above it, it slides as fast as Galileo says.
TEST(Friction, ABoxSticksOrSlidesOnASlope) {
  const double mu = 0.5;
  Material material = rough(mu);
  material.staticFriction = mu;
  material.damping = 2.0;
  const BodyDescription plate = plateOf(material);
  BodyDescription box = bodyOf(models::test::box({kSide, 0.4 * kSide, kSide}), 1000.0, material);
  box.pose = shifted(-0.1, 0.2 * kSide, 0.0);
  const std::array bodies = {plate, box};
  for (const double slope : {0.35, 0.65}) {  // tangents
    const double turn = std::atan(slope);
    World world(bodies, {.gravity = 9.81 * Vector3d(std::sin(turn), -std::cos(turn), 0.0),
                         .mayAllSleep = false});
    for (int k = 0; k < 200; ++k)
      world.step(kStep);
    const Vector3d place = world.motion(1).centre;
    const double speed = world.motion(1).velocity.x();
    constexpr int kLater = 250;
    for (int k = 0; k < kLater; ++k)
      world.step(kStep);
    if (slope < mu) {
      EXPECT_LT((world.motion(1).centre - place).norm(), 2e-6) << "no creep";
    } else {
      const double pull = 9.81 * (std::sin(turn) - mu * std::cos(turn));
      EXPECT_NEAR((world.motion(1).velocity.x() - speed) / (kLater * kStep), pull, 0.02 * pull);
    }
  }
}

// The plate goes round in a circle, spins, and rises and falls: whoever moves it must work.
TEST(Friction, ClosedSlidesGainNoEnergy) {
  Material material = rough(0.5);
  material.damping = 0.0;
  BodyDescription plate = plateOf(material);
  plate.kind = BodyKind::Kinematic;
  for (const Shape& shape : shapes()) {
    BodyDescription tool = bodyOf(shape.mesh, 1000.0, material, BodyKind::Tool);
    tool.pose = shifted(0.0, shape.low, 0.0);
    tool.pose.linear() = shape.turn.toRotationMatrix();
    const std::array bodies = {plate, tool};
    for (const double size : {2e-5, 3e-3}) {  // within what bristles bend, and beyond
      World world(bodies);
      double work = 0.0;
      double atRound = 0.0;
      constexpr int kRound = 100;
      for (int k = 0; k < 6 * kRound; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / kRound;
        const double speed = size * 2.0 * std::numbers::pi / (kRound * kStep);
        const Vector3d velocity(-speed * std::sin(angle), 0.3 * speed * std::cos(2.0 * angle),
                                speed * std::cos(angle));
        const Vector3d turning(0.0, 20.0 * speed * std::sin(angle), 0.0);
        if (k >= kRound) world.setTwist(0, velocity, turning);
        hold(world, 1, {0.0, shape.low - 2e-3, 0.0}, shape.turn);
        const Vector3d origin = world.motion(0).centre;
        world.step(kStep);
        for (std::size_t c = 0; c < world.contactCount() && k >= kRound; ++c) {
          const PairContact& contact = world.contact(c);
          const Wrench about = aboutPoint(contact.onB, contact.point, origin);
          work += kStep * (about.force.dot(velocity) + about.torque.dot(turning));
        }
        if (k % kRound == kRound - 1) {
          if (k > 2 * kRound) {
            EXPECT_GE(work, atRound - 1e-9) << shape.name << " round " << k / kRound;
          }
          atRound = work;
        }
      }
      if (size > 1e-3) {
        EXPECT_GT(work, 1e-3) << "it did slide";
      }
    }
  }
}

}  // namespace
}  // namespace tactus::response
