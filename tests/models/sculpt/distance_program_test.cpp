// The fast field against the plain one: values, gradients, bounds, and that what is left out of a
// tape leaves no trace.
#include "models/sculpt/distance_program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "models/lanes/vector_target.hpp"
#include "tests/models/sculpt/test_sculptures.hpp"

namespace tactus::models {
namespace {

using Block = std::array<float, kPointsAtOnce>;

PointBlock pointsIn(std::mt19937& random, const Eigen::Vector3f& centre, float halfEdge) {
  PointBlock points;
  const auto offset = [&] {
    return halfEdge * (static_cast<float>(random() >> 8U) / 8388608.0F - 1.0F);
  };
  for (std::size_t i = 0; i < kPointsAtOnce; ++i) {
    points.x[i] = centre.x() + offset();
    points.y[i] = centre.y() + offset();
    points.z[i] = centre.z() + offset();
  }
  return points;
}

// Off zero, so that a lost origin would show.
const Eigen::Vector3d kOrigin(0.125, -0.25, 0.0625);

Eigen::Vector3d placeOf(const PointBlock& points, std::size_t i) {
  return kOrigin + Eigen::Vector3d(static_cast<double>(points.x[i]),
                                   static_cast<double>(points.y[i]),
                                   static_cast<double>(points.z[i]));
}

TEST(DistanceProgram, AgreesWithTheReference) {
  std::mt19937 random(1);
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const Sculpture sculpture = test::muddle(seed);
    const DistanceProgram program(sculpture, kOrigin, 1.0);
    for (int round = 0; round < 40; ++round) {
      const PointBlock points = pointsIn(random, Eigen::Vector3f::Zero(), 0.6F);
      Block distance{};
      program.evaluate(program.wholeTape(), points, distance);
      FieldBlock field;
      program.evaluate(program.wholeTape(), points, field);
      for (std::size_t i = 0; i < kPointsAtOnce; ++i) {
        EXPECT_EQ(field.distance[i], distance[i]);
        // Some ten float operations on numbers up to 1, divided by half axes of 0.025: 1e-5.
        EXPECT_NEAR(static_cast<double>(distance[i]), distanceTo(sculpture, placeOf(points, i)),
                    1e-5);
      }
    }
  }
}

TEST(DistanceProgram, GradientIsTheSlope) {
  std::mt19937 random(2);
  int compared = 0;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const Sculpture sculpture = test::muddle(seed);
    const DistanceProgram program(sculpture, kOrigin, 1.0);
    for (int round = 0; round < 20; ++round) {
      const PointBlock points = pointsIn(random, Eigen::Vector3f::Zero(), 0.6F);
      FieldBlock field;
      program.evaluate(program.wholeTape(), points, field);
      for (std::size_t i = 0; i < kPointsAtOnce; ++i) {
        const Eigen::Vector3d gradient(static_cast<double>(field.gradientX[i]),
                                       static_cast<double>(field.gradientY[i]),
                                       static_cast<double>(field.gradientZ[i]));
        constexpr double kStep = 1e-5;
        Eigen::Vector3d forward;
        Eigen::Vector3d backward;
        const double here = distanceTo(sculpture, placeOf(points, i));
        for (int axis = 0; axis < 3; ++axis) {
          const Eigen::Vector3d step = kStep * Eigen::Vector3d::Unit(axis);
          forward[axis] = (distanceTo(sculpture, placeOf(points, i) + step) - here) / kStep;
          backward[axis] = (here - distanceTo(sculpture, placeOf(points, i) - step)) / kStep;
        }
        // Where the two differ there is a crease or an axis between, and no slope. Inside a thin
        // ellipsoid the slope itself changes by 1 / 0.025^2 a metre.
        if ((forward - backward).norm() > 1e-2) continue;
        EXPECT_LT((gradient - 0.5 * (forward + backward)).norm(), 1e-2);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1500);
}

TEST(DistanceProgram, ShortTapesGiveTheSameBitsInTheirBall) {
  std::mt19937 random(3);
  std::size_t steps = 0;
  std::size_t whole = 0;
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    const Sculpture sculpture = test::muddle(seed);
    const DistanceProgram program(sculpture, kOrigin, 1.0);
    for (int round = 0; round < 100; ++round) {
      const PointBlock where = pointsIn(random, Eigen::Vector3f::Zero(), 0.5F);
      const Eigen::Vector3f centre(where.x[0], where.y[0], where.z[0]);
      const float halfEdge = round % 2 == 0 ? 0.01F : 0.1F;
      std::vector<DistanceProgram::Step> tape;
      // A ball around a cube has the square root of 3 of its half edge.
      const DistanceProgram::Range range =
          program.boundOver(program.wholeTape(), centre, 1.7321F * halfEdge, tape);
      const PointBlock points = pointsIn(random, centre, halfEdge);
      Block full{};
      Block shortened{};
      program.evaluate(program.wholeTape(), points, full);
      program.evaluate(tape, points, shortened);
      EXPECT_EQ(full, shortened);
      for (const float distance : full) {
        EXPECT_GE(distance, range.lower);
        EXPECT_LE(distance, range.upper);
      }
      if (halfEdge < 0.05F) {
        steps += tape.size();
        whole += program.wholeTape().size();
      }
    }
  }
  EXPECT_LT(2 * steps, whole) << "nothing is gained if next to nothing is dropped";
}

TEST(DistanceProgram, SameBitsForEveryVectorTarget) {
  const VectorTarget active = activeTarget();
  const DistanceProgram program(test::muddle(5), kOrigin, 1.0);
  std::mt19937 random(4);
  for (int round = 0; round < 50; ++round) {
    const PointBlock points = pointsIn(random, Eigen::Vector3f::Zero(), 0.6F);
    ASSERT_TRUE(useTarget(VectorTarget::Scalar));
    FieldBlock expected;
    program.evaluate(program.wholeTape(), points, expected);
    for (const VectorTarget target : supportedTargets()) {
      ASSERT_TRUE(useTarget(target));
      FieldBlock field;
      program.evaluate(program.wholeTape(), points, field);
      EXPECT_EQ(field.distance, expected.distance) << nameOf(target);
      EXPECT_EQ(field.gradientX, expected.gradientX) << nameOf(target);
      EXPECT_EQ(field.gradientY, expected.gradientY) << nameOf(target);
      EXPECT_EQ(field.gradientZ, expected.gradientZ) << nameOf(target);
    }
  }
  ASSERT_TRUE(useTarget(active));
}

TEST(DistanceProgram, NothingBreaksAtCentresAndAxes) {
  const Sculpture sculpture{{{{test::ballStroke({0, 0, 0}, 0.25),
                               test::ellipsoid({0.5, 0, 0}, {0.125, 0.25, 0.0625}, 0.03125),
                               test::cone({0, 0.5, 0}, 0.125, {0.5, 0.5, 0}, 0.0625)},
                              0.0}}};
  const DistanceProgram program(sculpture, Eigen::Vector3d::Zero(), 1.0);
  PointBlock points;
  points.x[1] = 0.5F;                       // centre of the ellipsoid
  points.x[2] = 0.25F, points.y[2] = 0.5F;  // on the axis of the cone
  points.x[3] = 0.5F, points.y[3] = 0.5F;   // its end
  FieldBlock field;
  program.evaluate(program.wholeTape(), points, field);
  EXPECT_FLOAT_EQ(field.distance[0], -0.25F);
  EXPECT_FLOAT_EQ(field.distance[1], -0.0625F);
  for (std::size_t i = 0; i < kPointsAtOnce; ++i) {
    EXPECT_TRUE(std::isfinite(field.distance[i]) && std::isfinite(field.gradientX[i]) &&
                std::isfinite(field.gradientY[i]) && std::isfinite(field.gradientZ[i]))
        << i;
  }
}

}  // namespace
}  // namespace tactus::models
