// Brute force: the same pairs one by one in doubles. The batch works in floats; what its header
// states of the error of one pair is allowed here a pair, with some room.
#include "collision/balls/ball_lens_batch.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "collision/balls/ball_lens.hpp"
#include "models/lanes/vector_target.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace {

using Eigen::Vector3d;
using namespace tactus::collision;
using tactus::models::VectorTarget;
using tactus::tests::BytesHash;
using tactus::tests::SeededBits;

struct Balls {
  std::vector<float> x, y, z, radius;

  void add(const Vector3d& centre, double r) {
    x.push_back(static_cast<float>(centre.x()));
    y.push_back(static_cast<float>(centre.y()));
    z.push_back(static_cast<float>(centre.z()));
    radius.push_back(static_cast<float>(r));
  }
  [[nodiscard]] std::size_t size() const { return x.size(); }
  [[nodiscard]] Vector3d centre(std::size_t i) const { return {x[i], y[i], z[i]}; }
  [[nodiscard]] BallArrays arrays() const { return {x.data(), y.data(), z.data(), radius.data()}; }
};

struct Pairs {
  Balls a, b;
  [[nodiscard]] BallLensSum sum() const { return ballLensSum(a.arrays(), b.arrays(), a.size()); }
};

Vector3d direction(SeededBits& random) {
  Vector3d v = Vector3d::Zero();
  while (v.norm() < 0.1 || v.norm() > 1.0) {
    v = {random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0)};
  }
  return v.normalized();
}

/// Pairs of all kinds: apart, hardly touching, half overlapping, one inside the other, concentric.
Pairs randomPairs(std::uint64_t seed, std::size_t count, double scale) {
  SeededBits random(seed);
  Pairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const double ra = scale * random.between(0.01, 0.2);
    const double rb = scale * random.between(0.01, 0.2);
    double distance = (ra + rb) * random.between(0.0, 1.3);
    if (i % 7 == 0) distance = (ra + rb) * (1.0 - 1e-4 * random.between(-1.0, 1.0));
    if (i % 11 == 0) distance = std::max(ra - rb, rb - ra) * random.between(0.9, 1.1);
    if (i % 13 == 0) distance = 0.0;
    const double far =
        scale * random.between(0.0, 0.5);  // one draw a statement: their order counts
    const Vector3d centre = far * direction(random);
    pairs.a.add(centre, ra);
    pairs.b.add(centre + distance * direction(random), rb);
  }
  return pairs;
}

struct BruteForce {
  BallLensSum sum;
  double volumeTolerance = 0.0, forceTolerance = 0.0, torqueTolerance = 0.0;
};

BruteForce bruteForce(const Pairs& pairs, const Vector3d& shift = Vector3d::Zero(),
                      const Eigen::Matrix3d& turn = Eigen::Matrix3d::Identity()) {
  BruteForce result;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    const double ra = pairs.a.radius[i];
    const double rb = pairs.b.radius[i];
    const Vector3d b = turn * pairs.b.centre(i) + shift;
    const Vector3d apart = b - pairs.a.centre(i);
    const double distance = apart.norm();
    const BallLens lens = ballLens(ra, rb, distance);
    result.sum.volume += lens.volume;
    // The last term: a distance that is 1e-7 off lets balls that just touch overlap by as much.
    result.volumeTolerance +=
        1.5e-6 * (lens.volume + lens.discArea * (ra + rb)) + 1e-13 * ra * rb * (ra + rb);
    result.forceTolerance += 1.5e-6 * ra * rb;
    result.torqueTolerance += 1.5e-6 * ra * rb * (b.norm() + ra);
    if (lens.discArea > 0.0) {
      const Vector3d force = lens.discArea / distance * apart;
      result.sum.force += force;
      result.sum.torque += b.cross(force);
    }
  }
  return result;
}

class BallLensBatchOn : public testing::TestWithParam<VectorTarget> {
 protected:
  void SetUp() override { ASSERT_TRUE(tactus::models::useTarget(GetParam())); }
  void TearDown() override { ASSERT_TRUE(tactus::models::useTarget(tactus::models::bestTarget())); }
};

INSTANTIATE_TEST_SUITE_P(Targets, BallLensBatchOn,
                         testing::ValuesIn(tactus::models::supportedTargets()),
                         [](const auto& target) { return std::string(nameOf(target.param)); });

TEST_P(BallLensBatchOn, AgreesWithOneByOneInDoubles) {
  for (const double scale : {1e-3, 1.0, 1e3}) {
    for (const std::size_t count : {1U, 15U, 16U, 17U, 33U, 1000U, 1024U, 1025U, 5000U}) {
      const Pairs pairs = randomPairs(count, count, scale);
      const BruteForce truth = bruteForce(pairs);
      const BallLensSum sum = pairs.sum();
      EXPECT_NEAR(sum.volume, truth.sum.volume, truth.volumeTolerance) << count;
      EXPECT_LE((sum.force - truth.sum.force).norm(), truth.forceTolerance) << count;
      EXPECT_LE((sum.torque - truth.sum.torque).norm(), truth.torqueTolerance) << count;
    }
  }
}

TEST_P(BallLensBatchOn, OnePairAtATime) {
  const Pairs many = randomPairs(9, 3000, 1.0);
  for (std::size_t i = 0; i < many.a.size(); ++i) {
    Pairs pair;
    pair.a.add(many.a.centre(i), many.a.radius[i]);
    pair.b.add(many.b.centre(i), many.b.radius[i]);
    const BruteForce truth = bruteForce(pair);
    const BallLensSum sum = pair.sum();
    ASSERT_NEAR(sum.volume, truth.sum.volume, truth.volumeTolerance) << i;
    ASSERT_LE((sum.force - truth.sum.force).norm(), truth.forceTolerance) << i;
    ASSERT_GE(sum.volume, 0.0);
  }
}

TEST_P(BallLensBatchOn, ClosedForms) {
  Pairs pairs;
  pairs.a.add({0.0, 0.0, 0.0}, 1.0);
  pairs.b.add({0.0, 1.0, 0.0}, 1.0);
  const BallLensSum unit = pairs.sum();
  EXPECT_NEAR(unit.volume, 1.308997, 1e-6);
  EXPECT_NEAR((unit.force - Vector3d(0.0, 2.3561945, 0.0)).norm(), 0.0, 1e-6);
  EXPECT_EQ(unit.torque, Vector3d::Zero());

  Pairs inside;  // whole volume, no force, also when concentric
  inside.a.add({0.0, 0.0, 0.0}, 2.0);
  inside.b.add({0.0, 0.0, 0.0}, 1.0);
  EXPECT_NEAR(inside.sum().volume, 4.1887902, 1e-6);
  EXPECT_EQ(inside.sum().force, Vector3d::Zero());

  Pairs touching;
  touching.a.add({0.0, 0.0, 0.0}, 2.0);
  touching.b.add({3.0, 0.0, 0.0}, 1.0);
  EXPECT_EQ(touching.sum().volume, 0.0);
  EXPECT_EQ(touching.sum().force, Vector3d::Zero());

  EXPECT_EQ(ballLensSum({}, {}, 0).volume, 0.0);
}

// Of the double sum, which the batch agrees with; a step of 1e-5 leaves about 1e-9 of its
// curvature.
TEST(BallLensBatch, WrenchIsMinusTheGradientOfTheVolume) {
  const Pairs pairs = randomPairs(21, 200, 1.0);
  const BallLensSum sum = pairs.sum();
  const double h = 1e-5;
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3d unit = Vector3d::Unit(axis);
    const double moved = bruteForce(pairs, h * unit).sum.volume;
    const double back = bruteForce(pairs, -h * unit).sum.volume;
    EXPECT_NEAR(-(moved - back) / (2.0 * h), sum.force[axis], 1e-4);
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(h, unit).toRotationMatrix();
    const double turned = bruteForce(pairs, Vector3d::Zero(), turn).sum.volume;
    const double turnedBack = bruteForce(pairs, Vector3d::Zero(), turn.transpose()).sum.volume;
    EXPECT_NEAR(-(turned - turnedBack) / (2.0 * h), sum.torque[axis], 1e-4);
  }
}

// A change of this number is a change of every force: it must be the same for every target, any
// optimisation level and any -march.
TEST_P(BallLensBatchOn, SameBytesEverywhere) {
  BytesHash hash;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const BallLensSum sum = randomPairs(seed, 97 * seed, seed % 2 == 0 ? 1.0 : 1e-2).sum();
    hash.add(sum.volume);
    for (int axis = 0; axis < 3; ++axis)
      hash.add(sum.force[axis]);
    for (int axis = 0; axis < 3; ++axis)
      hash.add(sum.torque[axis]);
  }
  EXPECT_EQ(hash.value(), 14960536405979886187U);
}

}  // namespace
