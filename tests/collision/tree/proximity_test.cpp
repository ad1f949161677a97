// The unified query of whole objects, against the exact overlap and distance of their meshes.
#include "collision/tree/proximity.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "collision/cache/object_builder.hpp"
#include "collision/exact/exact_distance.hpp"
#include "collision/exact/exact_overlap.hpp"
#include "tests/collision/on_vector_target.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using models::Mesh;
using tests::SeededBits;
namespace test = models::test;

constexpr std::uint64_t kSpheres = 3000;

/// An object in both ways, and how it is called.
struct Object {
  std::string name;
  ExactBody exact;
  ProximityBody body;

  Object(std::string called, const Mesh& mesh, std::uint64_t spheres = kSpheres)
      : name(std::move(called)), exact(mesh) {
    BuildSettings settings;
    settings.parameters.spheres = spheres;
    const BuildOutcome built = buildObject({mesh, {}}, settings);
    EXPECT_EQ(built.end, BuildEnd::Built) << name;
    body = built.object.body();
  }
};

const std::vector<Object>& objects() {
  static const std::vector<Object> all = [] {
    std::vector<Object> made;
    made.emplace_back("ball", test::sphere(0.5, 24, 48));
    made.emplace_back("torus", test::moved(test::torus(0.5, 0.2), {2.0, -1.0, 3.0}));
    made.emplace_back("box", test::box({0.8, 0.4, 0.6}));
    made.emplace_back("plate", test::box({0.8, 0.03, 0.6}));
    return made;
  }();
  return all;
}

Isometry3d randomPose(SeededBits& random, const Object& a, const Object& b, double apart) {
  return tests::randomPose(random, a.exact.bounds.centre(), b.exact.bounds.centre(), apart);
}

// The bounds are a promise: not one pose may break it. The estimate is as good as 3000 spheres are.
TEST(Proximity, BoundsEncloseTheTruthAndNothingIsReportedApart) {
  SeededBits random(41);
  int overlapping = 0;
  int apart = 0;
  double worst = 0.0;
  for (const Object& a : objects()) {
    for (const Object& b : objects()) {
      SCOPED_TRACE(a.name + " and " + b.name);
      ProximityScratch scratch(a.body, b.body);
      const double whole = std::min(a.body.spheres.arrays().volume, b.body.spheres.arrays().volume);
      for (int k = 0; k < 25; ++k) {
        const Isometry3d pose = randomPose(random, a, b, random.between(0.0, 1.2));
        scratch.forget();
        const Proximity found = proximity(a.body, b.body, pose, scratch);
        const double distance = exactDistance(a.exact, b.exact, pose).distance;
        const double truth = distance > 0.0 ? 0.0 : exactOverlap(a.exact, b.exact, pose).volume;
        EXPECT_EQ(found.status, ProximityStatus::Complete);
        EXPECT_LE(found.volumeLower, truth * (1.0 + 1e-5)) << k;
        EXPECT_GE(found.volumeUpper, truth * (1.0 - 1e-5)) << k;
        EXPECT_LE(found.volumeLower, found.volume) << k;
        EXPECT_LE(found.volume, found.volumeUpper) << k;
        if (truth > 0.0) {
          ++overlapping;
          EXPECT_EQ(found.distance, 0.0) << k;
          if (truth > 0.05 * whole) worst = std::max(worst, std::fabs(found.volume / truth - 1.0));
        } else {
          ++apart;
          EXPECT_EQ(found.volume, 0.0) << k;
          EXPECT_EQ(found.volumeUpper, 0.0) << k;
          EXPECT_EQ(found.force.norm(), 0.0) << k;
          EXPECT_NEAR(found.distance, distance, 1e-5) << k;
        }
      }
    }
  }
  EXPECT_GT(overlapping, 100);
  EXPECT_GT(apart, 40);
  EXPECT_LT(worst, 0.03);
}

// As a share of the smaller object's size, for it is that of 3000 spheres.
TEST(Proximity, CentroidIsThatOfTheOverlap) {
  SeededBits random(43);
  const Vector3d nowhere = Vector3d::Constant(1e9);
  int overlapping = 0;
  double worst = 0.0;
  for (const Object& a : objects()) {
    for (const Object& b : objects()) {
      SCOPED_TRACE(a.name + " and " + b.name);
      ProximityScratch scratch(a.body, b.body);
      const double size = std::min(a.exact.bounds.diagonal(), b.exact.bounds.diagonal());
      for (int k = 0; k < 10; ++k) {
        const Isometry3d pose = randomPose(random, a, b, random.between(0.0, 0.6));
        const ExactOverlap truth = exactOverlap(a.exact, b.exact, pose);
        scratch.forget();
        const Proximity found = proximity(a.body, b.body, pose, scratch, {.wantsCentroid = true});
        const Proximity within =
            proximity(a.body, b.body, pose, scratch, {.wantsCentroid = true, .pairTests = 20'000});
        ASSERT_EQ(within.centroid.has_value(), found.centroid.has_value());
        if (!(truth.volume > 1e-3 * size * size * size)) continue;
        ++overlapping;
        worst = std::max(worst, (found.centroid.value_or(nowhere) - truth.centroid).norm() / size);
        EXPECT_LT((within.centroid.value_or(nowhere) - truth.centroid).norm(), 0.05 * size);
      }
    }
  }
  EXPECT_GT(overlapping, 80);
  EXPECT_LT(worst, 0.005);
}

// Two boxes face to face are the worst: everything touches at once. Differences must shrink with
// the step, and the volume must be 0 at the touch and rise from there.
TEST(Proximity, RisesFromNothingWithoutAJump) {
  const Object& ball = objects()[0];
  const Object& box = objects()[2];
  struct Path {
    const Object* a;
    const Object* b;
    double touch;
  };
  for (const Path& path : {Path{&box, &box, 0.4}, Path{&ball, &box, 0.7}}) {
    SCOPED_TRACE(path.a->name);
    ProximityScratch scratch(path.a->body, path.b->body);
    const auto at = [&](double depth) {
      Isometry3d pose = Isometry3d::Identity();
      // along y for boxes; a ball meets the middle of the box's face
      pose.translation() = Vector3d(0.0, path.touch - depth, 0.0);
      return proximity(path.a->body, path.b->body, pose, scratch);
    };
    const auto largestJump = [&](int steps) {
      double jump = 0.0;
      double before = at(-0.001).volume;
      for (int i = 1; i <= steps; ++i) {
        const double now = at(-0.001 + 0.021 * i / steps).volume;
        EXPECT_GE(now, before - 1e-9) << "pushed deeper, less volume";
        jump = std::max(jump, now - before);
        before = now;
      }
      return jump;
    };
    EXPECT_EQ(at(-1e-4).volume, 0.0);
    const double coarse = largestJump(50);
    const double fine = largestJump(400);
    EXPECT_GT(coarse, 0.0);
    // eight times as many steps: a jump would not become smaller
    EXPECT_LT(fine, 0.25 * coarse);
  }
}

// Also while it is faded in: force and torque are what differences of the energy say.
TEST(Proximity, ForceIsTheGradientAlsoAtTheTouch) {
  const Object& torus = objects()[1];
  const Object& ball = objects()[0];
  ProximityScratch scratch(torus.body, ball.body);
  const Vector3d middle = torus.exact.bounds.centre();
  const double step = 5e-5;
  for (const EnergyLaw law : {EnergyLaw::Volume, EnergyLaw::Depth, EnergyLaw::DepthOfB}) {
    SCOPED_TRACE(static_cast<int>(law));
    int faded = 0;
    for (int i = 0; i < 40; ++i) {
      Isometry3d pose = Isometry3d::Identity();
      pose.translation() = middle + Vector3d(0.5, 0.05, 0.7 - 0.002 * i);
      const auto energyAt = [&](const Isometry3d& there) {
        return proximity(torus.body, ball.body, there, scratch, {.law = law}).energy;
      };
      const Proximity here = proximity(torus.body, ball.body, pose, scratch, {.law = law});
      if (law == EnergyLaw::Volume ? here.volume == 0.0 : here.distance > 0.0) {
        EXPECT_EQ(here.energy, 0.0);
        EXPECT_EQ(here.force.norm(), 0.0);
        continue;
      }
      const PenetrationVolume cells =
          penetrationVolume(torus.body.spheres, ball.body.spheres, pose, scratch.penetration);
      if (cells.lowerVolume < kTouch * cells.volume) ++faded;
      // depths are some hundredths
      const double unit = law == EnergyLaw::Volume ? 1.0 : 0.02;
      for (int axis = 0; axis < 3; ++axis) {
        Isometry3d forth = pose;
        Isometry3d back = pose;
        forth.translation()[axis] += step;
        back.translation()[axis] -= step;
        const double slope = (energyAt(forth) - energyAt(back)) / (2.0 * step);
        // second differences of lenses of balls of a hundredth, and floats over the step
        EXPECT_NEAR(here.force[axis], -slope, 0.03 * here.force.norm() + 2e-5 * unit) << i;
      }
    }
    EXPECT_GT(faded, 0) << "no pose of the path was faded";
  }
}

// Faces of boxes pressed into each other: the integral of the lesser depth over the overlap, which
// is a box, too. Flat faces feel like a spring: K S depth / 2 but for their edges.
TEST(Proximity, EnergyOfDepthIsTheIntegralOverTheOverlap) {
  const Object& box = objects()[2];
  const Vector3d half(0.4, 0.2, 0.3);
  const auto depthBelow = [&](const Vector3d& at) { return (half - at.cwiseAbs()).minCoeff(); };
  const auto integral = [&](double pushed) {
    const Eigen::Vector3i cells(64, 32, 48);
    const Vector3d low(-half.x(), half.y() - pushed, -half.z());
    const Vector3d side(2.0 * half.x() / cells.x(), pushed / cells.y(), 2.0 * half.z() / cells.z());
    double sum = 0.0;
    for (int i = 0; i < cells.x(); ++i) {
      for (int j = 0; j < cells.y(); ++j) {
        for (int k = 0; k < cells.z(); ++k) {
          const Vector3d at = low + side.cwiseProduct(Vector3d(i + 0.5, j + 0.5, k + 0.5));
          const Vector3d inB = at - Vector3d(0.0, 2.0 * half.y() - pushed, 0.0);
          sum += std::min(depthBelow(at), depthBelow(inB));
        }
      }
    }
    return sum * side.prod();
  };
  ProximityScratch scratch(box.body, box.body);
  for (const double pushed : {0.1, 0.2}) {
    const Isometry3d pose(Eigen::Translation3d(0.0, 2.0 * half.y() - pushed, 0.0));
    const Proximity found = proximity(box.body, box.body, pose, scratch, {.law = EnergyLaw::Depth});
    const double energy = integral(pushed);
    const double force = (integral(pushed + 1e-3) - integral(pushed - 1e-3)) / 2e-3;
    // a field of a dozen cubes a side
    EXPECT_NEAR(found.energy, energy, 0.05 * energy) << pushed;
    EXPECT_NEAR(found.force.y(), force, 0.05 * force) << pushed;
    EXPECT_LT(std::hypot(found.force.x(), found.force.z()), 0.05 * force);
  }
}

TEST(Proximity, OneInsideTheOtherIsItsWholeVolume) {
  const Object& ball = objects()[0];
  const Object small("small ball", test::sphere(0.1, 16, 32));
  ProximityScratch scratch(ball.body, small.body);
  const Proximity found =
      proximity(ball.body, small.body, Isometry3d(Eigen::Translation3d(0.1, 0.05, 0.0)), scratch);
  const double whole = small.body.spheres.arrays().volume;
  EXPECT_NEAR(found.volume, whole, 0.03 * whole);
  EXPECT_LE(found.volumeUpper, whole * (1.0 + 1e-12));
  EXPECT_EQ(found.distance, 0.0);
  // also when it was apart at the last query and jumped in: no surface meets another
  ProximityScratch followed(ball.body, small.body, Coherence::SmallSteps);
  const Isometry3d outside(Eigen::Translation3d(1.0, 0.05, 0.0));
  EXPECT_GT(proximity(ball.body, small.body, outside, followed).distance, 0.0);
  EXPECT_EQ(
      proximity(ball.body, small.body, Isometry3d(Eigen::Translation3d(0.1, 0.05, 0.0)), followed)
          .volume,
      found.volume);
}

/// Objects whose spheres are large, and parts that are smaller than these.
struct SmallParts {
  Object box{"box", test::box({0.8, 0.4, 0.6}), 300};
  Object shell{"shell", hollow(), 300};
  Object crumb{"crumb", test::sphere(0.01, 8, 16), 20};
  Object pin{"pin", test::box({0.12, 0.02, 0.02}), 50};
  Object pair{"pair", twoParts(), 40};

  static Mesh hollow() {
    Mesh mesh = test::sphere(0.5, 16, 32);
    test::append(mesh, test::flipped(test::sphere(0.3, 16, 32)));
    return mesh;
  }
  static Mesh twoParts() {
    Mesh mesh = test::box({0.04, 0.03, 0.02});
    test::append(mesh, test::box(Vector3d::Constant(0.02), {0.0, 0.0, 0.2}));
    return mesh;
  }
};

const SmallParts& smallParts() {
  static const SmallParts all;
  return all;
}

// A part in a void of the other's lower balls is inside all the same. Bounds, volume and distance
// are promises for each order of the two, and within each budget.
TEST(Proximity, PartsSmallerThanSpheresAreNotLost) {
  const SmallParts& all = smallParts();
  SeededBits random(91);
  int inside = 0;
  int apart = 0;
  int across = 0;
  for (const Object* large : {&all.box, &all.shell}) {
    for (const Object* small : {&all.crumb, &all.pin, &all.pair}) {
      SCOPED_TRACE(small->name + " in " + large->name);
      const double whole = small->body.spheres.arrays().volume;
      ProximityScratch scratch(large->body, small->body);
      ProximityScratch swapped(small->body, large->body);
      for (int k = 0; k < 60; ++k) {
        const Isometry3d pose = randomPose(random, *large, *small, random.between(0.0, 0.6));
        const double distance = exactDistance(large->exact, small->exact, pose).distance;
        const double truth =
            distance > 0.0 ? 0.0 : exactOverlap(large->exact, small->exact, pose).volume;
        inside += truth > whole * (1.0 - 1e-6) ? 1 : 0;
        across += truth > 0.0 && truth < whole * (1.0 - 1e-6) ? 1 : 0;
        apart += distance > 0.0 ? 1 : 0;
        for (const std::uint32_t budget : {kNoBudget, 5000U, 300U}) {
          SCOPED_TRACE("pose " + std::to_string(k) + " budget " + std::to_string(budget));
          scratch.forget();
          swapped.forget();
          const Proximity there =
              proximity(large->body, small->body, pose, scratch, {.pairTests = budget});
          const Proximity back = proximity(small->body, large->body, pose.inverse(Eigen::Isometry),
                                           swapped, {.pairTests = budget});
          for (const Proximity& found : {there, back}) {
            EXPECT_LE(found.volumeLower, truth * (1.0 + 1e-5));
            EXPECT_GE(found.volumeUpper, truth * (1.0 - 1e-5));
            EXPECT_LE(found.volumeLower, found.volume);
            EXPECT_LE(found.volume, found.volumeUpper);
            EXPECT_NEAR(found.distance, distance, 1e-5);
            if (distance > 0.0) {
              EXPECT_EQ(found.volumeUpper, 0.0);
              EXPECT_EQ(found.force.norm(), 0.0);
              EXPECT_FALSE(found.isCut);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(across, 20);
  EXPECT_GT(apart, 40);
}

// In a void, at its rim and across the surface: nothing jumps.
TEST(Proximity, PartsSmallerThanSpheresDoNotJump) {
  const SmallParts& all = smallParts();
  ProximityScratch scratch(all.box.body, all.crumb.body);
  const double whole = all.crumb.body.spheres.arrays().volume;
  double known = 0.0;
  for (const double y : {0.0371, 0.1123}) {
    const auto largestJump = [&](int steps) {
      double jump = 0.0;
      double before = 0.0;
      for (int i = 0; i <= steps; ++i) {
        Isometry3d pose = Isometry3d::Identity();
        pose.translation() = Vector3d(0.42 - 0.12 * i / steps, y, 0.0613);
        const Proximity found = proximity(all.box.body, all.crumb.body, pose, scratch);
        if (i > 0) jump = std::max(jump, std::fabs(found.volume - before));
        before = found.volume;
        known = std::max(known, found.volume);
      }
      return jump;
    };
    const double coarse = largestJump(1500);
    const double fine = largestJump(12'000);
    EXPECT_LT(fine, 0.3 * coarse) << y;
  }
  EXPECT_NEAR(known, whole, 1e-5 * whole);
}

// The volume of a mesh that cuts itself is sampled, and no bound of anything.
TEST(Proximity, BoundsHoldWhereASurfaceCutsItself) {
  Mesh mesh = test::box(Vector3d::Ones());
  test::append(mesh, test::box(Vector3d::Ones(), {0.37, 0.21, 0.13}));
  const Object two("two boxes", mesh);
  const double truth = 2.0 - 0.63 * 0.79 * 0.87;
  ProximityScratch scratch(two.body, two.body);
  const Proximity found = proximity(two.body, two.body, Isometry3d::Identity(), scratch);
  EXPECT_LE(found.volumeLower, truth);
  EXPECT_GE(found.volumeUpper, truth);
  // no more than a body that holds it has
  const Object hull("hull", test::box(Vector3d::Constant(3.0)), 300);
  ProximityScratch within(hull.body, two.body);
  const Proximity held = proximity(hull.body, two.body, Isometry3d::Identity(), within);
  EXPECT_LE(held.volumeLower, truth);
  EXPECT_GE(held.volumeUpper, truth);
}

// Who is called A, and where the scene stands, must not matter but for rounding. Bounds are of
// whole cubes, which rounding may tip; of equal cubes those of B are walked, whichever that is, and
// then the bounds of both orders must have the truth in common.
TEST(Proximity, OrderAndCommonMotionDoNotMatter) {
  SeededBits random(17);
  for (const Object& a : objects()) {
    const Object& b = objects()[1];
    SCOPED_TRACE(a.name);
    ProximityScratch scratch(a.body, b.body);
    ProximityScratch swapped(b.body, a.body);
    for (int k = 0; k < 20; ++k) {
      const Isometry3d pose = randomPose(random, a, b, random.between(0.0, 1.0));
      scratch.forget();
      swapped.forget();
      const Proximity there = proximity(a.body, b.body, pose, scratch);
      const Isometry3d inverse = pose.inverse(Eigen::Isometry);
      const Proximity back = proximity(b.body, a.body, inverse, swapped);
      const double unit =
          1e-4 * std::min(a.body.spheres.arrays().volume, b.body.spheres.arrays().volume);
      EXPECT_NEAR(there.volume, back.volume, unit) << k;
      EXPECT_NEAR(there.energy, back.energy, unit) << k;
      EXPECT_NEAR(there.distance, back.distance, 1e-5) << k;
      EXPECT_LE(there.volumeLower, back.volumeUpper) << k;
      EXPECT_LE(back.volumeLower, there.volumeUpper) << k;
      if (a.body.field.finest().side != b.body.field.finest().side) {
        EXPECT_NEAR(there.volumeLower, back.volumeLower, 5.0 * unit) << k;
        EXPECT_NEAR(there.volumeUpper, back.volumeUpper, 5.0 * unit) << k;
      }
      // the force on A is minus that on B, and acts along the same line
      const double force = there.force.norm() + 0.01;
      EXPECT_LT((pose.linear() * back.force + there.force).norm(), 2e-3 * force) << k;
      const Vector3d aboutA = pose.translation().cross(there.force) + there.torque;
      EXPECT_LT((pose.linear() * back.torque + aboutA).norm(),
                5e-3 * (1.0 + pose.translation().norm()) * force)
          << k;
      // both carried elsewhere: the relative pose comes out but for rounding
      Isometry3d common = Isometry3d::Identity();
      common.linear() =
          Eigen::AngleAxisd(0.7 + 0.3 * k, Vector3d(0.3, -0.5, 0.8).normalized()).matrix();
      common.translation() = Vector3d(3.0, -2.0, 0.1 * k);
      scratch.forget();
      const Proximity moved =
          proximity(a.body, b.body, common.inverse(Eigen::Isometry) * (common * pose), scratch);
      EXPECT_NEAR(there.volume, moved.volume, unit) << k;
      EXPECT_NEAR(there.volumeLower, moved.volumeLower, 5.0 * unit) << k;
      EXPECT_NEAR(there.volumeUpper, moved.volumeUpper, 5.0 * unit) << k;
      EXPECT_NEAR(there.distance, moved.distance, 1e-9) << k;
      EXPECT_LT((there.force - moved.force).norm(), 1e-3 * force) << k;
    }
  }
}

TEST(Proximity, RepeatsItself) {
  const Object& torus = objects()[1];
  ProximityScratch scratch(torus.body, torus.body);
  Isometry3d pose = Isometry3d::Identity();
  pose.translation() = Vector3d(0.1, 0.05, 0.02);
  const Proximity once = proximity(torus.body, torus.body, pose, scratch);
  scratch.forget();
  const Proximity again = proximity(torus.body, torus.body, pose, scratch);
  EXPECT_EQ(once.volume, again.volume);
  EXPECT_EQ(once.volumeUpper, again.volumeUpper);
  EXPECT_EQ(once.force, again.force);
}

// In small steps through touch and overlap and out again, and with jumps: what is remembered saves
// work and nothing else.
TEST(Proximity, FollowingAMotionGivesTheSame) {
  const Object& torus = objects()[1];
  const Object& ball = objects()[0];
  ProximityScratch followed(torus.body, ball.body, Coherence::SmallSteps);
  ProximityScratch fresh(torus.body, ball.body, Coherence::SmallSteps);
  int spared = 0;
  int apart = 0;
  for (int k = 0; k < 240; ++k) {
    const double way = k % 80 == 79 ? 2.0 : std::fabs(k % 80 - 40) / 40.0;
    Isometry3d pose = Isometry3d::Identity();
    pose.linear() = Eigen::AngleAxisd(0.002 * k, Vector3d(0.0, 0.6, 0.8)).toRotationMatrix();
    pose.translation() = torus.exact.bounds.centre() + Vector3d(0.5, 0.05, 0.5 + 0.4 * way);
    const Proximity one = proximity(torus.body, ball.body, pose, followed);
    fresh.forget();
    const Proximity other = proximity(torus.body, ball.body, pose, fresh);
    EXPECT_EQ(one.volume, other.volume) << k;
    EXPECT_EQ(one.volumeLower, other.volumeLower) << k;
    EXPECT_EQ(one.volumeUpper, other.volumeUpper) << k;
    EXPECT_EQ(one.distance, other.distance) << k;
    EXPECT_EQ(one.force, other.force) << k;
    EXPECT_EQ(one.torque, other.torque) << k;
    if (one.distance > 0.0) {
      ++apart;
      EXPECT_EQ(one.nearestOnA, other.nearestOnA) << k;
      EXPECT_NEAR(one.distance, exactDistance(torus.exact, ball.exact, pose).distance, 1e-5) << k;
      if (one.pairs.pairTests == 0) ++spared;
    }
  }
  EXPECT_GT(apart, 60);
  EXPECT_LT(apart, 220);
  EXPECT_GT(spared, apart / 2) << "the spheres were asked although nothing can have met";
}

using ProximityOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, ProximityOn, tests::eachTarget(), tests::targetName);

TEST_P(ProximityOn, SameBytesEverywhere) {
  const Object& a = objects()[1];
  const Object& b = objects()[2];
  const auto hash = [&] {
    SeededBits random(7);
    tests::BytesHash bytes;
    ProximityScratch scratch(a.body, b.body);
    for (int k = 0; k < 20; ++k) {
      const Proximity found =
          proximity(a.body, b.body, randomPose(random, a, b, random.between(0.0, 1.0)), scratch);
      for (const double x : {found.volume, found.volumeLower, found.volumeUpper, found.distance,
                             found.force.x(), found.torque.z()})
        bytes.add(x);
    }
    return bytes.value();
  };
  expectScalarBytes(hash);
}

}  // namespace
}  // namespace tactus::collision
