// What is pushed against a thin plate stays on its side, however hard or fast.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>

#include "collision/cache/object_builder.hpp"
#include "collision/pointshell/pointshell.hpp"
#include "collision/surface/surface_distance.hpp"
#include "collision/voxmap/voxmap.hpp"
#include "response/bodies/world.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::response {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kThick = 0.002;  // [m]

BodyDescription built(const models::Mesh& mesh, std::uint64_t spheres, BodyKind kind,
                      std::uint64_t points = 0, std::uint64_t voxmapBytes = 0) {
  collision::BuildSettings settings;
  settings.parameters.voxmapBytes = voxmapBytes;
  settings.parameters.spheres = spheres;
  settings.parameters.points = points;
  settings.threads = 1;
  BodyDescription body;
  body.solid = contactSolidOf(collision::buildObject({mesh, {}}, settings).object);
  body.mass = bodyMassOf(mesh, 1000.0);
  body.kind = kind;
  return body;
}

const BodyDescription& plate() {
  static const BodyDescription kPlate = built(
      models::test::box({0.1, kThick, 0.1}, {0.0, -0.5 * kThick, 0.0}), 2000, BodyKind::Fixed);
  return kPlate;
}

const BodyDescription& ball() {
  static const BodyDescription kBall =
      built(models::test::sphere(0.01, 16, 32), 500, BodyKind::Tool);
  return kBall;
}

struct Fall {
  double lowest = 1e9;         ///< height of the centre [m]
  std::uint64_t heldBack = 0;  ///< steps in which the search for the impact was cut
};

/// While it is pushed down for a while.
Fall fallOf(BodyDescription tool, double above, const Quaterniond& turn, double force, double speed,
            const WorldSettings& settings) {
  tool.pose.translation() = Vector3d(0.004, above + 0.003, -0.003);
  tool.pose.linear() = turn.toRotationMatrix();
  const std::array bodies = {plate(), tool};
  World world(bodies, settings);
  BodyMotion motion = world.motion(1);
  motion.velocity = Vector3d(0.0, -speed, 0.0);
  world.place(1, motion);
  ExternalWrench push;
  push.wrench[1] = -force;
  // a hand keeps it from toppling and from running off the plate
  push.damping.diagonal() << 1.0, 0.0, 1.0, 1e-2, 1e-2, 1e-2;
  Fall fall;
  for (int k = 0; k < 300; ++k) {
    world.setExternal(1, push);
    world.step(1e-3);
    fall.lowest = std::min(fall.lowest, world.motion(1).centre.y());
    fall.heldBack += world.counters().heldBack;
  }
  return fall;
}

double lowest(const BodyDescription& tool, double above, const Quaterniond& turn, double force,
              double speed, bool hasCores) {
  return fallOf(tool, above, turn, force, speed,
                {.gravity = Vector3d::Zero(), .hasCores = hasCores})
      .lowest;
}

TEST(HardCore, TenNewtonsAtHalfAMetreASecondNeverPassAThinPlate) {
  const BodyDescription box = built(models::test::box({0.03, 0.03, 0.03}), 500, BodyKind::Tool);
  const Quaterniond onCorner = Quaterniond::FromTwoVectors(Vector3d::Ones(), Vector3d::UnitY());
  // by the shell alone the ball goes through
  EXPECT_LT(lowest(ball(), 0.01, Quaterniond::Identity(), 10.0, 0.5, false), -0.05);
  EXPECT_GT(lowest(ball(), 0.01, Quaterniond::Identity(), 10.0, 0.5, true), 0.01 - kThick);
  EXPECT_GT(lowest(box, 0.015, Quaterniond::Identity(), 10.0, 0.5, true), 0.015 - kThick);
  EXPECT_GT(lowest(box, 0.026, onCorner, 10.0, 0.5, true), 0.015 - kThick);
}

TEST(HardCore, NorDoesWhatIsFasterThanThePlateIsThick) {
  for (const double speed : {3.0, 10.0, 30.0}) {
    EXPECT_GT(lowest(ball(), 0.01 + 0.05, Quaterniond::Identity(), 5.0, speed, true),
              0.01 - kThick);
  }
}

BodyDescription withPoints(BodyDescription body, const models::Mesh& mesh) {
  collision::VoxmapSettings voxels;
  voxels.voxelSize = 0.25 * kThick;
  body.solid.body.voxmap = collision::Voxmap(collision::SurfaceDistance(mesh), voxels);
  body.solid.pointshell = collision::Pointshell(mesh, {.points = 4000, .threads = 1});
  return body;
}

// A plate that is thinner than the voxels that it gets is no matter to a law of points, so nothing
// touches by it.
TEST(HardCore, APlateThatItsMapDoesNotShowStopsWhatHasBalls) {
  constexpr double kThin = 5e-4;
  const BodyDescription thin = built(models::test::box({0.1, kThin, 0.1}, {0.0, -0.5 * kThin, 0.0}),
                                     2000, BodyKind::Fixed, 4000, 640'000);
  BodyDescription tool = built(models::test::sphere(0.01, 16, 32), 500, BodyKind::Tool, 2000);
  ASSERT_GT(static_cast<double>(thin.solid.body.voxmap.arrays().voxel), kThin);
  tool.pose.translation() = Vector3d(0.004, 0.013, -0.003);
  for (const double speed : {0.01, 0.5, 3.0}) {
    World world(std::array{thin, tool},
                {.gravity = Vector3d::Zero(), .law = ContactLaw::PointDepth});
    BodyMotion motion = world.motion(1);
    motion.velocity = Vector3d(0.0, -speed, 0.0);
    world.place(1, motion);
    ExternalWrench push;
    push.wrench[1] = -10.0;
    push.damping.diagonal() << 1.0, 0.0, 1.0, 1e-2, 1e-2, 1e-2;
    double least = 1e9;
    for (int k = 0; k < 300; ++k) {
      world.setExternal(1, push);
      world.step(1e-3);
      least = std::min(least, world.motion(1).centre.y());
    }
    EXPECT_GT(least, 0.01 - kThin) << speed;
  }
}

/// The lower one is fixed, the other one a tool.
std::array<BodyDescription, 2> plates() {
  const models::Mesh small = models::test::box({0.03, kThick, 0.03});
  return {withPoints(plate(), models::test::box({0.1, kThick, 0.1}, {0.0, -0.5 * kThick, 0.0})),
          withPoints(built(small, 500, BodyKind::Tool), small)};
}

// The balls of both cores have gaps in which those of the other one have room, so by cores alone
// some of these plates go through.
TEST(HardCore, APlateNeverPassesAPlateByItsPoints) {
  std::array bodies = plates();
  const auto lowestOf = [&](ContactLaw law, double speed) {
    World world(bodies, {.gravity = Vector3d::Zero(), .law = law});
    BodyMotion motion = world.motion(1);
    motion.velocity = Vector3d(0.0, -speed, 0.0);
    world.place(1, motion);
    ExternalWrench push;
    push.wrench[1] = -5.0;
    push.damping.diagonal() << 1.0, 0.0, 1.0, 1e-2, 1e-2, 1e-2;
    double least = 1e9;
    for (int k = 0; k < 200; ++k) {
      world.setExternal(1, push);
      world.step(1e-3);
      least = std::min(least, world.motion(1).centre.y());
    }
    return least;
  };
  bool passes = false;
  for (const double turn : {0.0, 0.3, 0.5 * std::numbers::pi}) {
    bodies[1].pose = Eigen::Isometry3d::Identity();
    bodies[1].pose.translation() = Vector3d(0.004, 0.05, -0.003);
    bodies[1].pose.rotate(Eigen::AngleAxisd(turn, Vector3d::UnitX()));
    for (const double speed : {0.5, 10.0, 30.0}) {
      EXPECT_GT(lowestOf(ContactLaw::PointDepth, speed), 0.0) << turn << " " << speed;
      passes = passes || lowestOf(ContactLaw::Depth, speed) < -0.05;
    }
  }
  EXPECT_TRUE(passes);
}

// A tool without mass goes where it may, each tick as far as a hand that knows of no plate. Cores
// alone would let its edge a millimetre further.
TEST(HardCore, NorDoesAPlateWithoutMassByItsPoints) {
  const std::array bodies = plates();
  for (const double speed : {0.5, 10.0, 30.0}) {
    World world(bodies, {.gravity = Vector3d::Zero(), .law = ContactLaw::PointDepth});
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = Vector3d(0.004, 0.02, -0.003);
    pose.rotate(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitX()));
    for (int k = 0; k < 50; ++k) {
      Eigen::Isometry3d wanted = pose;
      wanted.translation().y() -= speed * 1e-3;
      static_cast<void>(world.loadOn(1, pose));
      pose.translation().y() -= speed * 1e-3 * world.clearShare(1, pose, wanted, Vector3d::Zero());
      BodyMotion motion = world.motion(1);
      motion.centre = pose * world.mass(1).centre;
      motion.turn = Quaterniond(pose.linear());
      world.place(1, motion);
      world.step(1e-3);
    }
    EXPECT_GT(pose.translation().y(), 0.015 - 0.3 * kThick) << speed;
    EXPECT_LT(pose.translation().y(), 0.015) << speed;
  }
}

// A search for the impact that is cut costs the rest of the way, and lets nothing through; with as
// many pairs as there are by default it is never cut here.
TEST(HardCore, NorDoesWhatImpactIsNotFoundInTime) {
  const BodyDescription box = built(models::test::box({0.03, 0.03, 0.03}), 500, BodyKind::Tool);
  const Quaterniond onCorner = Quaterniond::FromTwoVectors(Vector3d::Ones(), Vector3d::UnitY());
  for (const double speed : {0.5, 3.0, 30.0}) {
    for (const std::uint32_t pairs : {1U, 8U, 40U}) {
      const WorldSettings few{.gravity = Vector3d::Zero(), .pairsOfImpact = pairs};
      const Fall ofBall = fallOf(ball(), 0.06, Quaterniond::Identity(), 10.0, speed, few);
      const Fall ofBox = fallOf(box, 0.06, onCorner, 10.0, speed, few);
      EXPECT_GT(ofBall.lowest, 0.01 - kThick) << speed << " with " << pairs;
      EXPECT_GT(ofBox.lowest, 0.015 - kThick) << speed << " with " << pairs;
      EXPECT_GT(ofBall.heldBack + ofBox.heldBack, 0U) << speed << " with " << pairs;
    }
    const WorldSettings usual{.gravity = Vector3d::Zero()};
    EXPECT_EQ(fallOf(box, 0.06, onCorner, 10.0, speed, usual).heldBack, 0U);
  }
}

/// A level square without thickness, by its points alone.
BodyDescription sheet() {
  models::Mesh mesh;
  constexpr float kHalf = 0.05F;
  mesh.positions = {
      {-kHalf, 0.0F, -kHalf}, {-kHalf, 0.0F, kHalf}, {kHalf, 0.0F, kHalf}, {kHalf, 0.0F, -kHalf}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  BodyDescription body;
  body.solid.pointshell = collision::Pointshell(mesh, {.points = 4000, .threads = 1});
  body.solid.body.facets = collision::FacetHierarchy(mesh, 1);
  body.mass.radius = 0.08;
  body.kind = BodyKind::Fixed;
  return body;
}

struct Sweep {
  double lowest = 1e9;         ///< height of the centre [m]
  std::uint64_t heldBack = 0;  ///< steps in which the search for the contact was cut
};

/// A ball that flies at the sheet and is pushed at it, as the body of that number.
Sweep sweepOf(std::size_t tool, double speed, const WorldSettings& settings) {
  BodyDescription round = ball();
  const models::Mesh mesh = models::test::sphere(0.01, 16, 32);
  collision::VoxmapSettings voxels;
  voxels.voxelSize = 0.001;
  static const collision::Voxmap kMap(collision::SurfaceDistance(mesh), voxels);
  round.solid.body.voxmap = kMap;
  round.pose.translation() = Vector3d(0.004, 0.07, -0.003);
  std::array<BodyDescription, 2> bodies = {sheet(), sheet()};
  bodies[tool] = round;
  World world(bodies, settings);
  BodyMotion motion = world.motion(tool);
  motion.velocity = Vector3d(0.0, -speed, 0.0);
  world.place(tool, motion);
  ExternalWrench push;
  push.wrench[1] = -10.0;
  push.damping.diagonal() << 1.0, 0.0, 1.0, 1e-2, 1e-2, 1e-2;
  Sweep sweep;
  for (int k = 0; k < 300; ++k) {
    world.setExternal(tool, push);
    world.step(1e-3);
    sweep.lowest = std::min(sweep.lowest, world.motion(tool).centre.y());
    sweep.heldBack += world.counters().heldBack;
  }
  return sweep;
}

// By the law, what is on the other side after one tick has not touched on the way.
TEST(HardCore, NothingPassesASurfaceWithoutThickness) {
  for (const double speed : {0.5, 10.0, 30.0}) {
    for (const std::size_t tool : {std::size_t{0}, std::size_t{1}}) {
      WorldSettings settings{.gravity = Vector3d::Zero(), .law = ContactLaw::PointDepth};
      const Sweep stopped = sweepOf(tool, speed, settings);
      EXPECT_GT(stopped.lowest, 0.0) << speed << " " << tool;
      EXPECT_EQ(stopped.heldBack, 0U) << speed << " " << tool;
      settings.hasCores = false;
      EXPECT_LT(sweepOf(tool, speed, settings).lowest, -0.01) << speed << " " << tool;
    }
  }
}

TEST(HardCore, NorDoesWhatASweepIsCutFor) {
  for (const std::uint32_t steps : {0U, 1U, 10U}) {
    const WorldSettings few{
        .gravity = Vector3d::Zero(), .law = ContactLaw::PointDepth, .stepsOfSweep = steps};
    const Sweep sweep = sweepOf(1, 10.0, few);
    EXPECT_GT(sweep.lowest, 0.0) << steps;
    EXPECT_GT(sweep.heldBack, 0U) << steps;
  }
}

}  // namespace
}  // namespace tactus::response
