#include "collision/exact/exact_depth.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/exact/exact_overlap.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using tests::randomPose;
using tests::SeededBits;

// Cubes of side 1 that share a slab of thickness t. The depth is above h in a block of the slab
// with sides t - 2 h, 1 - 2 h and 1 - 2 h; E is the integral of its volume over h up to t / 2.
TEST(ExactDepth, OfTwoCubesIsTheClosedForm) {
  const SurfaceDistance cube(models::test::box());
  for (const double t : {0.01, 0.3}) {
    const Isometry3d pose(Eigen::Translation3d(1.0 - t, 0.0, 0.0));
    const double energy = t * t / 4.0 - t * t * t / 6.0 + t * t * t * t / 24.0;
    const double slope = t / 2.0 - t * t / 2.0 + t * t * t / 6.0;
    const ExactDepth found = exactDepth(cube, cube, pose);
    EXPECT_NEAR(found.energy, energy, 3e-4 * energy) << t;
    EXPECT_NEAR(found.force.x(), slope, 6e-4 * slope) << t;
    EXPECT_NEAR(found.volume, t, 5e-4 * t) << t;
    EXPECT_LT(found.energyError, 2e-3 * energy);
    // of B alone: a roof whose foot is B's square and whose other sides are cut at t
    double ofB = 0.0;
    constexpr int kLayers = 20'000;
    for (int k = 0; k < kLayers; ++k) {
      const double h = t * (k + 0.5) / kLayers;
      const double side = std::max(0.0, 1.0 - 2.0 * h);
      ofB += (t - h) * side * side * t / kLayers;
    }
    EXPECT_NEAR(exactDepth(cube, cube, pose, ExactDepthLaw::OfB).energy, ofB, 4e-4 * ofB) << t;
  }
}

// A plate much thinner than a 8192nd of the overlap's length, on a cube and all inside of it.
TEST(ExactDepth, OfAThinPlateIsTheClosedForm) {
  const SurfaceDistance cube(models::test::box());
  for (const double t : {1e-3, 3e-4, 2e-5}) {
    SCOPED_TRACE(t);
    const SurfaceDistance plate(models::test::box({1.0, 1.0, t}));
    const double pushed = 0.3 * t;
    const double area = 0.7 * 0.8;
    const Isometry3d pressed(Eigen::Translation3d(0.3, 0.2, 0.5 + 0.5 * t - pushed));
    const ExactDepth found = exactDepth(cube, plate, pressed);
    EXPECT_NEAR(found.force.z(), 0.5 * area * pushed, 2e-3 * area * pushed);
    EXPECT_NEAR(found.energy, 0.25 * area * pushed * pushed, 1e-3 * area * pushed * pushed);
    EXPECT_NEAR(found.volume, area * pushed, 1e-3 * area * pushed);
    const Isometry3d inside(Eigen::Translation3d(0.3, 0.2, 0.1));
    const ExactDepth held = exactDepth(cube, plate, inside);
    EXPECT_NEAR(held.volume, area * t, 1e-3 * area * t);
    EXPECT_NEAR(held.energy, 0.25 * area * t * t, 2e-3 * area * t * t);
  }
}

// A solid that lies exactly in itself: everywhere both surfaces are as far. In a cube of side s,
// (s - 2 h)^3 is deeper than h, of which the integral is s^4 / 8; a move loses on one side what it
// wins on the other one.
TEST(ExactDepth, OfASolidInItselfEnds) {
  SeededBits random(22);
  for (const double scale : {1e-3, 1.0, 1e3}) {
    SCOPED_TRACE(scale);
    const models::Mesh mesh = models::test::box(Vector3d::Constant(scale));
    const SurfaceDistance cube(mesh);
    const double energy = scale * scale * scale * scale / 8.0;
    const double volume = scale * scale * scale;
    const auto expectAll = [&](const ExactDepth& found) {
      EXPECT_NEAR(found.energy, energy, 5e-4 * energy);
      EXPECT_NEAR(found.volume, volume, 1e-3 * volume);
      EXPECT_LT(found.energyError, 2e-3 * energy);
      EXPECT_GE(found.energyError, 0.1 * std::fabs(found.energy - energy));
      EXPECT_LT(found.samples, 3'000'000U);
    };
    const ExactDepth same = exactDepth(cube, cube, Isometry3d::Identity());
    expectAll(same);
    EXPECT_LT(same.force.norm(), 1e-3 * volume);
    EXPECT_LT(same.torque.norm(), 1e-3 * volume * scale);
    if (scale != 1.0) continue;
    // also when positions that were rounded to floats make all the difference; which face of the
    // two is the outer one decides about the force then
    const Isometry3d turn = randomPose(random, Vector3d::Zero(), Vector3d::Zero(), scale);
    expectAll(
        exactDepth(cube, SurfaceDistance(models::test::transformed(mesh, turn.inverse())), turn));
  }
}

TEST(ExactDepth, ForceIsTheGradientAndVolumeTheExactOne) {
  const models::Mesh mesh = models::test::torus(0.5, 0.2, 12, 8);
  const models::Mesh other = models::test::box({0.5, 0.3, 0.4}, {1.0, 0.0, 0.0});
  const SurfaceDistance a(mesh);
  const SurfaceDistance b(other);
  const ExactBody bodyA(mesh);
  const ExactBody bodyB(other);
  SeededBits random(21);
  for (const ExactDepthLaw law : {ExactDepthLaw::Lesser, ExactDepthLaw::OfB}) {
    const Isometry3d pose = randomPose(random, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, 0.45);
    const ExactDepth here = exactDepth(a, b, pose, law);
    ASSERT_GT(here.energy, 0.0);
    const double volume = exactOverlap(bodyA, bodyB, pose).volume;
    EXPECT_NEAR(here.volume, volume, 1e-3 * volume);
    const double step = 3e-3;
    const int axis = law == ExactDepthLaw::OfB ? 1 : 2;
    Isometry3d forth = pose;
    Isometry3d back = pose;
    forth.translation()[axis] += step;
    back.translation()[axis] -= step;
    const double slope =
        (exactDepth(a, b, forth, law).energy - exactDepth(a, b, back, law).energy) / (2.0 * step);
    EXPECT_NEAR(here.force[axis], -slope, 3e-3 * volume);
    const Vector3d about = Vector3d::Unit(axis);
    forth = back = pose;
    forth.linear() = Eigen::AngleAxisd(step, about).toRotationMatrix() * pose.linear();
    back.linear() = Eigen::AngleAxisd(-step, about).toRotationMatrix() * pose.linear();
    const double turn =
        (exactDepth(a, b, forth, law).energy - exactDepth(a, b, back, law).energy) / (2.0 * step);
    EXPECT_NEAR(here.torque[axis], -turn, 5e-3 * volume);
  }
}

TEST(ExactDepth, SameForAnyNumberOfThreadsAndNothingApart) {
  const SurfaceDistance ball(models::test::sphere(0.5));
  const Isometry3d pose(Eigen::Translation3d(0.3, 0.4, 0.5));
  const ExactDepth one = exactDepth(ball, ball, pose, ExactDepthLaw::Lesser, 1);
  const ExactDepth three = exactDepth(ball, ball, pose, ExactDepthLaw::Lesser, 3);
  EXPECT_GT(one.energy, 0.0);
  EXPECT_EQ(one.energy, three.energy);
  EXPECT_EQ(one.force, three.force);
  const ExactDepth apart = exactDepth(ball, ball, Isometry3d(Eigen::Translation3d(0.8, 0.8, 0.0)));
  EXPECT_EQ(apart.energy, 0.0);
  EXPECT_EQ(apart.force.norm(), 0.0);
  const ExactDepth far = exactDepth(ball, ball, Isometry3d(Eigen::Translation3d(3.0, 0.0, 0.0)));
  EXPECT_EQ(far.energy, 0.0);
}

}  // namespace
}  // namespace tactus::collision
