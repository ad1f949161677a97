// Inner spheres and points push alike, so that a hand feels the same bodies by either method.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstddef>

#include "models/parametric/pins_and_holes.hpp"
#include "response/contact/contact_law.hpp"
#include "tests/models/test_meshes.hpp"
#include "tests/response/both_methods.hpp"

namespace tactus::response {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

/// What the second solid feels at a place, by both methods.
struct BothForces {
  BothForces(const std::array<ContactSolid, 2>& solids, const Vector3d& at,
             ContactScratch& scratch) {
    Isometry3d pose = Isometry3d::Identity();
    pose.translation() = at;
    collision::ContactPatches patches;
    const auto ask = [&](ContactLaw law) {
      return contactForce(solids[0], solids[1], pose, Material{}, {.law = law}, scratch, &patches);
    };
    trees = ask(ContactLaw::Depth);
    points = ask(ContactLaw::PointDepth);
  }
  [[nodiscard]] double apart() const {
    return (points.onB.force - trees.onB.force).norm() / trees.onB.force.norm();
  }

  ContactForce trees, points;
};

constexpr double kSide = 0.04;

models::Mesh plate() {
  return models::test::box({0.1, 0.04, 0.1}, {0.0, -0.02, 0.0});
}

// The lesser depth loses what is nearer to the box's sides, a share of depth / kSide, and its cubes
// count by their middles: that is what the methods are apart by.
TEST(MethodSwitch, AFlatBoxOnAPlate) {
  const std::array solids = {
      test::solidOfBoth(plate(), 100'000, 0.001, 1000),
      test::solidOfBoth(models::test::box({kSide, kSide, kSide}), 100'000, 0.001, 10'000)};
  ContactScratch scratch(solids);
  for (const double depth : {2e-4, 5e-4, 1e-3}) {
    const BothForces both(solids, {0.004, 0.5 * kSide - depth, -0.003}, scratch);
    const double exact = 0.5 * Material{}.stiffness * kSide * kSide * depth;
    EXPECT_NEAR(both.points.onB.force.y(), exact, 0.01 * exact) << depth;
    EXPECT_LT(both.apart(), 0.05) << depth;
    EXPECT_NEAR(both.points.stiffness(1, 1), exact / depth, 0.01 * exact / depth);
    EXPECT_NEAR(both.trees.stiffness(1, 1), exact / depth, 0.1 * exact / depth);
  }
}

TEST(MethodSwitch, ABallOnAPlate) {
  const double radius = kSide;
  const std::array solids = {
      test::solidOfBoth(plate(), 100'000, 0.001, 1000),
      test::solidOfBoth(models::test::sphere(radius, 48, 96), 100'000, 0.001, 20'000)};
  ContactScratch scratch(solids);
  for (const double depth : {1e-3, 2e-3, 4e-3}) {
    const BothForces both(solids, {0.004, radius - depth, -0.003}, scratch);
    EXPECT_GT(both.trees.onB.force.y(), 0.1);
    EXPECT_LT(both.apart(), 0.04) << depth;
  }
}

// Against a wall of its hole, one of the two pins flat and the other one round.
TEST(MethodSwitch, APegInItsHole) {
  constexpr double kOut = 0.004;  // the base is off the block
  const std::array solids = {
      test::solidOfBoth(models::makeBlockWithHoles(5'000), 200'000, 0.001, 40'000),
      test::solidOfBoth(models::makeLoosePins(5'000), 200'000, 0.001, 40'000)};
  ContactScratch scratch(solids);
  for (const double shift : {2e-4, 5e-4, 1e-3}) {
    const BothForces both(solids, {models::kPinsClearance + shift, 0.0, -kOut}, scratch);
    EXPECT_LT(both.trees.onB.force.x(), -0.5);
    EXPECT_LT(both.apart(), 0.06) << shift;
  }
}

}  // namespace
}  // namespace tactus::response
