// The method is switched while a hand presses: nothing happens until it lets go, and then it feels
// the same.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <string>
#include <utility>

#include "models/parametric/pins_and_holes.hpp"
#include "tests/haptics/tick/press_scene.hpp"
#include "tests/response/both_methods.hpp"

namespace tactus::haptics {
namespace {

using Eigen::Vector3d;
using response::ContactLaw;

struct Pressed {
  const char* name = "";
  models::Mesh tool, under;
  Vector3d toolAt;   ///< where the tool begins
  Vector3d way;      ///< along which it is pressed; unit
  double gap = 0.0;  ///< to the touch [m]
};

/// Two pins, a square one and a round one, so much thinner than their holes that nothing touches in
/// the middle.
models::Mesh thinPins() {
  constexpr float kShare = 0.9F;
  models::Mesh mesh = models::makePins(2'000);
  for (Eigen::Vector3f& position : mesh.positions) {
    if (position.z() < -0.5F * static_cast<float>(models::kPinsA)) continue;
    const auto axis = static_cast<float>(std::copysign(models::kPinsPlace, position.x()));
    if (std::hypot(position.x() - axis, position.y()) > static_cast<float>(0.75 * models::kPinsC))
      continue;
    position.x() = axis + kShare * (position.x() - axis);
    position.y() *= kShare;
  }
  return mesh;
}

Pressed pressedOf(int which) {
  const models::Mesh plate = models::test::box({0.1, 0.03, 0.1}, {0.0, -0.015, 0.0});
  constexpr double kGap = 0.005;
  switch (which) {
    case 0:
      return {"flat box on a plate",
              models::test::box({0.04, 0.04, 0.04}),
              plate,
              {0.003, 0.02 + kGap, -0.002},
              -Vector3d::UnitY(),
              kGap};
    case 1:
      return {"ball on a plate",
              models::test::sphere(0.04, 32, 64),
              plate,
              {0.003, 0.04 + kGap, -0.002},
              -Vector3d::UnitY(),
              kGap};
    default:
      return {"peg in its hole",  thinPins(),        models::makeBlockWithHoles(2'000),
              {0.0, 0.0, -0.004}, Vector3d::UnitX(), 0.05 * models::kPinsC};
  }
}

/// Twice pressed into the contact by as much, and off it in between.
HandPath twice(const Pressed& pressed, double depth) {
  HandPath path;
  path.repeats = false;
  const auto key = [&](double seconds, double along) {
    HandKey made;
    made.at = seconds;
    made.position = along * pressed.way;
    return made;
  };
  constexpr double kOff = -1e-3;  // further than where it began: friction holds a device off
  const double in = pressed.gap + depth;
  path.keys = {key(0.0, 0.0),  key(1.5, 0.0),  key(2.0, in), key(3.0, in),
               key(3.5, kOff), key(4.5, kOff), key(5.0, in)};
  return path;
}

struct Felt {
  double force = 0.0;  ///< on the hand, mean [N]
  double depth = 0.0;  ///< of the tool beyond the touch [m]
};

class MethodSwitchInContact : public testing::TestWithParam<int> {};

/// A hand that comes twice; another law is asked for while it presses the first time.
struct Course {
  Felt first, second;
  double jump = 0.0;  ///< largest from tick to tick while the law is switched [N]
  ContactLaw held = ContactLaw::Volume, after = ContactLaw::Volume;
};

Course courseOf(const Pressed& pressed, const TickSetup& setup, ContactLaw wanted) {
  test::Rig rig(setup, twice(pressed, 0.006));
  const auto step = [&] { return -rig.step().command.wrench.force.dot(pressed.way); };
  const auto felt = [&] {
    constexpr int kTicks = 200;
    Felt mean;
    for (int k = 0; k < kTicks; ++k) {
      mean.force += step() / kTicks;
      const Vector3d moved = rig.tick.world().pose(1).translation() - pressed.toolAt;
      mean.depth += (moved.dot(pressed.way) - pressed.gap) / kTicks;
    }
    return mean;
  };
  const auto law = [&] {
    return rig.tick.world().contactCount() == 1 ? rig.tick.world().contact(0).law
                                                : ContactLaw::Volume;
  };
  Course course;
  rig.run(2500);
  course.first = felt();
  rig.wanted.law = wanted;
  double last = step();
  for (int k = 1; k < 200; ++k) {
    const double now = step();
    course.jump = std::max(course.jump, std::abs(now - last));
    last = now;
  }
  course.held = law();
  rig.run(2600);
  course.second = felt();
  course.after = law();
  return course;
}

TEST_P(MethodSwitchInContact, WaitsForTheTouchToEndAndFeelsTheSameThen) {
  const Pressed pressed = pressedOf(GetParam());
  SCOPED_TRACE(pressed.name);
  TickSetup setup = test::pressScene(response::ToolKind::Dynamic);
  setup.bodies.pop_back();
  const auto place = [&](std::size_t body, const models::Mesh& mesh, const Vector3d& at) {
    setup.bodies[body].solid = response::test::solidOfBoth(mesh, 100'000, 0.001, 20'000);
    setup.bodies[body].mass = response::bodyMassOf(mesh, 500.0);
    setup.bodies[body].pose = response::test::shifted(at.x(), at.y(), at.z());
  };
  place(0, pressed.under, Vector3d::Zero());
  place(1, pressed.tool, pressed.toolAt);
  // a wide band: the stiffness of the bodies, not one that follows the coupling
  setup.hands[0].parameters.contactRatioLow = 1.0;
  setup.hands[0].parameters.contactRatioHigh = 40.0;
  const Course stays = courseOf(pressed, setup, ContactLaw::Depth);
  const Course goes = courseOf(pressed, setup, ContactLaw::PointDepth);
  EXPECT_EQ(goes.held, ContactLaw::Depth);
  EXPECT_GT(goes.first.force, 1.0);
  EXPECT_LT(goes.jump, 0.002 * goes.first.force);
  EXPECT_EQ(stays.after, ContactLaw::Depth);
  EXPECT_EQ(goes.after, ContactLaw::PointDepth);
  EXPECT_NEAR(goes.second.force, stays.second.force, 0.01 * stays.second.force);
  // a fiftieth of the trees' cubes; of one depth without the half of K the box is 140 um off
  EXPECT_NEAR(goes.second.depth, stays.second.depth, 2e-5);
}

INSTANTIATE_TEST_SUITE_P(Contacts, MethodSwitchInContact, testing::Values(0, 1, 2));

}  // namespace
}  // namespace tactus::haptics
