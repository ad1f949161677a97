// A step of a world may not allocate: the allocator of this program ends it if one does.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <vector>

#include "collision/cache/object_builder.hpp"
#include "models/lanes/vector_target.hpp"
#include "response/bodies/world.hpp"
#include "tests/collision/allocation/no_allocation.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::response {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

BodyDescription bodyOf(const models::Mesh& mesh, BodyKind kind, const Vector3d& place) {
  collision::BuildSettings settings;
  settings.parameters.spheres = 200;
  settings.parameters.points = 1000;
  settings.threads = 1;
  BodyDescription body;
  body.solid = contactSolidOf(collision::buildObject({mesh, {}}, settings).object);
  body.mass = bodyMassOf(mesh, 1000.0);
  body.kind = kind;
  body.pose.translation() = place;
  return body;
}

const std::vector<BodyDescription>& bodies() {
  static const std::vector<BodyDescription> kAll = {
      bodyOf(models::test::box({0.3, 0.05, 0.3}, {0.0, -0.025, 0.0}), BodyKind::Kinematic,
             Vector3d::Zero()),
      bodyOf(models::test::box({0.05, 0.05, 0.05}), BodyKind::Dynamic, {0.0, 0.026, 0.0}),
      bodyOf(models::test::sphere(0.025, 12, 24), BodyKind::Dynamic, {0.01, 0.08, 0.0}),
      bodyOf(models::test::torus(0.03, 0.012, 16, 8), BodyKind::Tool, {0.0, 0.12, 0.0})};
  return kAll;
}

TEST(StepAllocation, OfAWorldByEachLaw) {
  for (const ContactLaw law : {ContactLaw::Depth, ContactLaw::Volume, ContactLaw::Seed,
                               ContactLaw::PointDepth, ContactLaw::PointLayers}) {
    World world(bodies(), {.law = law, .sleepTime = 0.05});
    std::size_t touched = 0;
    bool slept = false;
    for (int k = 0; k < 250; ++k) {
      const tests::NoAllocation guard("World::step");
      ExternalWrench pull;
      pull.wrench[1] = -2.0;
      pull.damping.diagonal().setConstant(0.5);
      world.setExternal(3, pull);
      if (k == 100) world.setTwist(0, {0.05, 0.0, 0.0}, {0.0, 0.1, 0.0});
      if (k == 150) world.requestLaw(ContactLaw::Depth);
      if (k == 200) world.place(2, world.motion(2));
      world.step(1e-3);
      touched += world.contactCount();
      slept = slept || world.isAsleep(1);
    }
    EXPECT_GT(touched, 100U) << static_cast<int>(law);
  }
}

TEST(StepAllocation, WherePairsTakeTurns) {
  World world(bodies(), {.testsOfStep = 0, .mayAllSleep = false});
  std::uint32_t carried = 0;
  for (int k = 0; k < 250; ++k) {
    const tests::NoAllocation guard("World::step, in turns");
    world.step(1e-3);
    carried += world.counters().carried;
  }
  EXPECT_GT(carried, 50U);
}

// A plate by its points alone, which has no core, and a ball that is past it after a step.
TEST(StepAllocation, WherePointsAreSwept) {
  std::vector<BodyDescription> pair = {bodies()[0], bodies()[2]};
  pair[0].solid.body.spheres = {};
  World world(pair, {.gravity = Vector3d::Zero(), .law = ContactLaw::PointDepth});
  BodyMotion motion = world.motion(1);
  motion.velocity = Vector3d(0.0, -60.0, 0.0);
  world.place(1, motion);
  std::uint32_t stopped = 0;
  for (int k = 0; k < 20; ++k) {
    const tests::NoAllocation guard("World::step, points swept");
    world.step(1e-3);
    stopped += world.counters().cores;
  }
  EXPECT_GT(stopped, 0U);
  EXPECT_GT(world.motion(1).centre.y(), 0.0);
}

}  // namespace
}  // namespace tactus::response
