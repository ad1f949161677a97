#include "response/bodies/rigid_body.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::response {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

TEST(RigidBody, MassOfABoxIsThatOfTheFormula) {
  const Vector3d size(0.1, 0.2, 0.4);
  const Vector3d centre(1.0, -2.0, 3.0);
  const BodyMass mass = bodyMassOf(models::test::box(size, centre), 500.0);
  const double m = 500.0 * size.prod();
  EXPECT_NEAR(mass.mass, m, 1e-5 * m);  // positions are floats, three metres from zero
  EXPECT_NEAR((mass.centre - centre).norm(), 0.0, 1e-6);
  EXPECT_NEAR(mass.inertia(0, 0), m / 12.0 * (0.04 + 0.16), 1e-5 * m);
  EXPECT_NEAR(mass.inertia(2, 2), m / 12.0 * (0.01 + 0.04), 1e-5 * m);
  EXPECT_NEAR(mass.inertia(0, 1), 0.0, 1e-6 * m);
  EXPECT_NEAR(mass.radius, 0.5 * size.norm(), 1e-6);
}

TEST(RigidBody, PoseTurnsAboutTheCentreOfMass) {
  BodyMass mass;
  mass.centre = Vector3d(1.0, 0.0, 0.0);
  BodyMotion motion;
  motion.centre = Vector3d(5.0, 6.0, 7.0);
  motion.turn = turnedBy(Vector3d(0.0, 0.0, 0.5 * std::numbers::pi), Quaterniond::Identity());
  const Eigen::Isometry3d pose = poseOf(motion, mass);
  EXPECT_NEAR((pose * mass.centre - motion.centre).norm(), 0.0, 1e-15);
  EXPECT_NEAR((pose * Vector3d(2.0, 0.0, 0.0) - Vector3d(5.0, 7.0, 7.0)).norm(), 0.0, 1e-15);
}

TEST(RigidBody, TurnsAreThoseOfAngleAndAxis) {
  tests::SeededBits random(3);
  for (int k = 0; k < 200; ++k) {
    const double angle = k < 100 ? random.between(-3.0, 3.0) : random.between(-1e-9, 1e-9);
    const Vector3d axis =
        Vector3d{random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(0.1, 1.0)}
            .normalized();
    const Quaterniond start = Quaterniond(0.5, random.between(-1.0, 1.0), 0.2, -0.3).normalized();
    const Quaterniond expected = Quaterniond(Eigen::AngleAxisd(angle, axis)) * start;
    const Quaterniond found = turnedBy(angle * axis, start);
    EXPECT_NEAR(found.norm(), 1.0, 4e-16);
    EXPECT_NEAR((found.coeffs() - expected.coeffs()).norm(), 0.0, 2e-15);
  }
}

// A body that tumbles about its middle axis, which is unstable: its momentum is kept by
// construction, and the energy must neither grow nor fall.
TEST(RigidBody, TumblingKeepsItsEnergy) {
  BodyMass mass;
  mass.inertia = Vector3d(1.0, 2.0, 3.5).asDiagonal();
  const TurnedInertia inertia(mass);
  Quaterniond turn = Quaterniond::Identity();
  const Vector3d spin = inertia.at(turn) * Vector3d(0.01, 20.0, 0.02);
  const double energy = 0.5 * spin.dot(inertia.velocityAt(turn, spin));
  double worst = 0.0;
  Vector3d up = Vector3d::UnitY();
  for (int k = 0; k < 20'000; ++k) {
    turn = turnedFreely(inertia, turn, spin, 1e-3);
    worst =
        std::max(worst, std::abs(0.5 * spin.dot(inertia.velocityAt(turn, spin)) / energy - 1.0));
    if ((turn * Vector3d::UnitY()).dot(Vector3d::UnitY()) < up.dot(Vector3d::UnitY()))
      up = turn * Vector3d::UnitY();
  }
  EXPECT_LT(worst, 4e-5);
  EXPECT_LT(up.y(), -0.9) << "it turns over, as a body does about its middle axis";
}

TEST(RigidBody, EvenBodiesTurnAsOneWouldExpect) {
  BodyMass mass;
  mass.inertia = 0.2 * Eigen::Matrix3d::Identity();
  const TurnedInertia inertia(mass);
  Quaterniond turn = Quaterniond::Identity();
  for (int k = 0; k < 1000; ++k)
    turn = turnedFreely(inertia, turn, Vector3d(0.0, 0.0, 0.2 * 1.25), 1e-3);
  const Quaterniond expected(Eigen::AngleAxisd(1.25, Vector3d::UnitZ()));
  EXPECT_NEAR((turn.coeffs() - expected.coeffs()).norm(), 0.0, 1e-12);
}

}  // namespace
}  // namespace tactus::response
