// Contacts to be held: force and stiffness are derivatives of the energy, and as stiff as was
// asked.
#include "studies/held_contacts.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstddef>

#include "response/rotation_vector.hpp"
#include "studies/random_stream.hpp"

namespace tactus::studies {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;

constexpr double kStiffness = 7000.0;
constexpr double kForce = 1.5;

Isometry3d moved(Isometry3d pose, const Vector6& by) {
  pose.translation() += by.head<3>();
  pose.linear() = response::turnBy(by.tail<3>()) * pose.linear();
  return pose;
}

TEST(HeldContacts, ClosedFormsHaveTheirOwnDerivatives) {
  RandomStream random(5);
  for (const HeldShape shape : {HeldShape::Plane, HeldShape::Edge, HeldShape::Peg}) {
    HeldContact contact(shape, kStiffness, kForce, nullptr, nullptr);
    for (int round = 0; round < 10; ++round) {
      Vector6 away;
      away << 1e-4 * random.aroundZero(), -1e-3, 1e-4 * random.aroundZero(),
          0.01 * random.aroundZero(), 0.01 * random.aroundZero(), 0.01 * random.aroundZero();
      const Isometry3d pose = moved(contact.tool().sceneFromTool, away);
      const response::ContactLoad at = contact(pose);
      ASSERT_GT(at.energy, 0.0);
      Vector6 wrench;
      wrench << at.wrench.force, at.wrench.torque;
      EXPECT_LT((at.stiffness - at.stiffness.transpose()).norm(), 1e-9 * at.stiffness.norm());
      for (int axis = 0; axis < 6; ++axis) {
        // shifts of a micrometre, turns that move a centimetre away by as much
        const double step = axis < 3 ? 1e-6 : 1e-4;
        const Vector6 little = step * Vector6::Unit(axis);
        const double ahead = contact(moved(pose, little)).energy;
        const double back = contact(moved(pose, -little)).energy;
        EXPECT_NEAR(-(ahead - back) / (2.0 * step), wrench[axis], 1e-4 * wrench.norm() + 1e-9)
            << nameOf(shape) << axis;
        EXPECT_NEAR((ahead - 2.0 * at.energy + back) / (step * step), at.stiffness(axis, axis),
                    2e-2 * at.stiffness(axis, axis) + 1e-2)
            << nameOf(shape) << axis;
      }
    }
  }
}

TEST(HeldContacts, AreAsStiffAsAsked) {
  for (const HeldShape shape : {HeldShape::Plane, HeldShape::Edge, HeldShape::Peg}) {
    HeldContact contact(shape, kStiffness, kForce, nullptr, nullptr);
    EXPECT_EQ(contact(contact.tool().sceneFromTool).energy, 0.0) << nameOf(shape);
    double high = 2e-3;
    double low = 0.0;
    Isometry3d pose = contact.tool().sceneFromTool;
    for (int i = 0; i < 60; ++i) {
      pose.translation().y() = contact.tool().sceneFromTool.translation().y() - 0.5 * (low + high);
      (contact(pose).wrench.force.y() < kForce ? low : high) = 0.5 * (low + high);
    }
    EXPECT_NEAR(contact(pose).stiffness(1, 1), kStiffness, 1e-3 * kStiffness) << nameOf(shape);
    contact.setFactor(2.0);
    EXPECT_NEAR(contact(pose).wrench.force.y(), 2.0 * kForce, 1e-9) << nameOf(shape);
  }
}

// The real contact of two trees; small, for they are built here.
TEST(HeldContacts, RhinosPushEachOtherApart) {
  const models::Result<RhinoPair> pair = makeRhinoPair(300, 1);
  ASSERT_TRUE(pair.ok()) << pair.error().sentence;
  response::ContactScratch scratch({&pair.value().solid, 1});
  HeldContact contact(HeldShape::RhinoPair, kStiffness, kForce, &pair.value(), &scratch);
  Isometry3d pose = contact.tool().sceneFromTool;
  double before = 0.0;
  for (int step = 1; step <= 4; ++step) {
    pose.translation().y() -= 0.3e-3;
    const response::ContactLoad load = contact(pose);
    EXPECT_GT(load.wrench.force.y(), before);
    before = load.wrench.force.y();
  }
  pose.translation().y() += 0.01;
  EXPECT_EQ(contact(pose).energy, 0.0);
}

}  // namespace
}  // namespace tactus::studies
