#include "response/rotation_vector.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/response/random_turn.hpp"

namespace tactus::response {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using tests::anyDirection;
using tests::SeededBits;

constexpr double kPi = 3.14159265358979323846;

TEST(RotationVector, ComesBackFromItsTurn) {
  SeededBits random(1);
  // relative to the angle: near pi the turn's matrix has lost the digits that tell pi from nearly
  // so
  for (const double angle : {1e-200, 1e-30, 1e-9, 1e-4, 0.1, 1.0, 1.5707963, 3.0, 3.1415}) {
    for (int i = 0; i < 200; ++i) {
      const Vector3d vector = angle * anyDirection(random);
      const double error = (rotationVector(turnBy(vector)) - vector).norm() / angle;
      // the matrix has entries of 1 beside those of a small angle, each rounded on its own
      EXPECT_LT(error, 1e-13) << angle;
    }
  }
}

TEST(RotationVector, TurnIsRodriguesFormula) {
  SeededBits random(2);
  for (int i = 0; i < 200; ++i) {
    const Vector3d axis = anyDirection(random);
    const double angle = random.between(-10.0, 10.0);
    const Matrix3d expected = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    EXPECT_LT((turnBy(angle * axis) - expected).norm(), 1e-14);
  }
}

TEST(RotationVector, IsNeverLongerThanHalfATurn) {
  SeededBits random(3);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d vector = random.between(0.0, 20.0) * anyDirection(random);
    const Vector3d shortest = rotationVector(turnBy(vector));
    EXPECT_LE(shortest.norm(), kPi * (1 + 1e-15));
    EXPECT_LT((turnBy(shortest) - turnBy(vector)).norm(), 1e-14);
  }
}

TEST(RotationVector, NothingTurnedIsZeroToTheBit) {
  EXPECT_EQ(turnBy(Vector3d::Zero()), Matrix3d::Identity());
  EXPECT_EQ(rotationVector(Matrix3d::Identity()), Vector3d::Zero());
}

TEST(RotationVector, ContinuesPastHalfATurn) {
  SeededBits random(4);
  for (int i = 0; i < 20; ++i) {
    const Vector3d axis = anyDirection(random);
    Vector3d previous = Vector3d::Zero();
    for (double angle = 0.0; angle < 1.9 * kPi; angle += 0.05) {
      previous = continued(rotationVector(turnBy(angle * axis)), previous);
      EXPECT_LT((previous - angle * axis).norm(), 1e-12) << angle;
    }
  }
}

TEST(RotationVector, RectifyingKeepsARotationAndMakesOneOfAnApproximateOne) {
  SeededBits random(5);
  for (int i = 0; i < 100; ++i) {
    const Matrix3d turn = turnBy(3.0 * anyDirection(random));
    EXPECT_LT((rectified(turn) - turn).norm(), 3e-15);
    Matrix3d bent = turn;
    bent += 1e-6 * anyDirection(random) * anyDirection(random).transpose();
    const Matrix3d back = rectified(bent);
    EXPECT_LT((back * back.transpose() - Matrix3d::Identity()).norm(), 3e-15);
    EXPECT_LT((back - turn).norm(), 3e-6);
  }
}

}  // namespace
}  // namespace tactus::response
