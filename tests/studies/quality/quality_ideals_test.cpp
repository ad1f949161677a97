// Ideals against what knows nothing of layers and faces: the integral of a depth's gradient over
// the overlap by points strewn at random, and the exact overlap of the built-in meshes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>

#include "collision/exact/exact_body.hpp"
#include "collision/exact/exact_overlap.hpp"
#include "models/builtin.hpp"
#include "models/parametric/boxes.hpp"
#include "models/parametric/pins_and_holes.hpp"
#include "models/parametric/round_solids.hpp"
#include "studies/quality/ball_on_cylinder_ideal.hpp"
#include "studies/quality/cone_on_box_ideal.hpp"
#include "studies/quality/pins_in_holes_ideal.hpp"
#include "studies/quality/quality_scenarios.hpp"
#include "studies/random_stream.hpp"

namespace tactus::studies {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using response::Wrench;

constexpr double kFar = 1.0;

/// How deep a point is, and the inward normal of the surface that is nearest.
struct Depth {
  double depth = kFar;
  Vector3d inward = Vector3d::Zero();

  void wall(double below, const Vector3d& normal) {
    if (below < depth) *this = {below, normal};
  }
};

/// A box with its middle in the origin.
Depth inBox(const Vector3d& p, const Vector3d& extents) {
  Depth found;
  for (int axis = 0; axis < 3; ++axis) {
    const double side = p(axis) < 0.0 ? -1.0 : 1.0;
    found.wall(0.5 * extents(axis) - std::abs(p(axis)), -side * Vector3d::Unit(axis));
  }
  return found;
}

Depth inCylinder(const Vector3d& p) {
  const Vector3d out = Vector3d(p.x(), 0.0, p.z());
  Depth found;
  found.wall(models::kCylinderRadius - out.norm(), -out.normalized());
  found.wall(0.5 * models::kCylinderHeight - std::abs(p.y()),
             p.y() < 0.0 ? Vector3d::UnitY() : Vector3d(-Vector3d::UnitY()));
  return found;
}

Depth inBlockWithHoles(const Vector3d& p) {
  constexpr double kHalf = 0.5 * models::kPinsC;
  Depth found = inBox(p, {models::kPinsB, models::kPinsA, models::kPinsA});
  const Vector3d fromSquare = p + models::kPinsPlace * Vector3d::UnitX();
  const Vector3d beyond(std::max(0.0, std::abs(fromSquare.x()) - kHalf),
                        std::max(0.0, std::abs(fromSquare.y()) - kHalf), 0.0);
  const Vector3d outward(std::copysign(beyond.x(), fromSquare.x()),
                         std::copysign(beyond.y(), fromSquare.y()), 0.0);
  found.wall(beyond.norm(), outward.norm() > 0.0 ? Vector3d(outward.normalized()) : outward);
  Vector3d fromRound = p - models::kPinsPlace * Vector3d::UnitX();
  fromRound.z() = 0.0;
  found.wall(fromRound.norm() - kHalf, fromRound.normalized());
  return found;
}

/// Its tip upward, as the model.
double depthInCone(const Vector3d& p) {
  const double slope = models::kConeRadius / models::kConeHeight;
  const double below = 0.5 * models::kConeHeight - p.y();
  const double aside = std::hypot(p.x(), p.z());
  return std::min((slope * below - aside) / std::hypot(1.0, slope),
                  p.y() + 0.5 * models::kConeHeight);
}

double depthInBall(const Vector3d& p) {
  return models::kSphereRadius - p.norm();
}

double depthInPins(const Vector3d& p) {
  constexpr double kHalf = 0.5 * models::kPinsC;
  const double top = 0.5 * models::kPinsA - p.z();
  const double square = kHalf - std::max(std::abs(p.x() + models::kPinsPlace), std::abs(p.y()));
  const double round = kHalf - std::hypot(p.x() - models::kPinsPlace, p.y());
  return std::min(top, std::max(square, round));
}

/// Where the overlap lies, in A's frame, and the depths.
struct Scene {
  Vector3d low, high;
  std::function<Depth(const Vector3d&)> inA;
  std::function<double(const Vector3d&)> depthInB;  ///< in B's frame
};

Scene sceneOf(QualityScenario scenario, double share) {
  const Isometry3d pose = poseAt(scenario, share);
  switch (scenario) {
    case QualityScenario::Ia:
    case QualityScenario::Ib: {
      const Vector3d& box =
          scenario == QualityScenario::Ia ? models::kBlockExtents : models::kPlateExtents;
      const double top = 0.5 * box.y();
      const double bottom = std::max(-top, pose.translation().y() - 0.5 * models::kConeHeight);
      const double x = pose.translation().x();
      return {{x - 0.0101, bottom, -0.0101},
              {x + 0.0101, top, 0.0101},
              [box](const Vector3d& p) { return inBox(p, box); },
              depthInCone};
    }
    case QualityScenario::II: {
      const Vector3d middle = 0.5 * pose.translation();
      const Vector3d half(0.023, 0.023, 0.023);
      return {middle - half, middle + half, inCylinder, depthInBall};
    }
    case QualityScenario::III:
      return {{-0.0441, -0.0141, -0.03}, {-0.0159, 0.0141, 0.03}, inBlockWithHoles, depthInPins};
    case QualityScenario::IV:
    case QualityScenario::IVHalf:
      return {{-0.0425, -0.0125, -0.03}, {0.0425, 0.0125, 0.03}, inBlockWithHoles, depthInPins};
  }
  return {};
}

/// Minus the integral of the gradient of A's depth over the overlap, where it is the lesser one if
/// that is what the law is of; about measuredAt(). With the standard errors of both sums.
struct Strewn {
  Wrench wrench;
  double forceError = 0.0, torqueError = 0.0;
};
Strewn byPoints(QualityScenario scenario, IdealLaw law, double share, int count) {
  const Scene scene = sceneOf(scenario, share);
  const Isometry3d pose = poseAt(scenario, share);
  const Isometry3d intoB = pose.inverse();
  const Vector3d about = pose * measuredAt(scenario);
  const Vector3d middle = 0.5 * (scene.low + scene.high);
  const Vector3d half = 0.5 * (scene.high - scene.low);
  RandomStream random(7);
  Wrench sum;
  double forces = 0.0, torques = 0.0;  // squares
  for (int i = 0; i < count; ++i) {
    const Vector3d unit(random.aroundZero(), random.aroundZero(), random.aroundZero());
    const Vector3d p = middle + half.cwiseProduct(unit);
    const double ofB = scene.depthInB(intoB * p);
    if (!(ofB > 0.0)) continue;
    const Depth ofA = scene.inA(p);
    if (!(ofA.depth > 0.0) || (law == IdealLaw::Depth && ofB < ofA.depth)) continue;
    sum.force -= ofA.inward;
    const Vector3d torque = (p - about).cross(ofA.inward);
    sum.torque -= torque;
    forces += 1.0;
    torques += torque.squaredNorm();
  }
  const double each = 8.0 * half.prod() / count;
  return {
      {each * sum.force, each * sum.torque}, each * std::sqrt(forces), each * std::sqrt(torques)};
}

class IdealByPoints : public testing::TestWithParam<std::tuple<QualityScenario, double>> {};

// Five standard errors: some hundredths of the force; more where forces cancel in a thin overlap.
TEST_P(IdealByPoints, AgreesWithStrewnPoints) {
  const auto [scenario, share] = GetParam();
  const int count = scenario == QualityScenario::III ? 4'000'000 : 1'000'000;
  for (const IdealLaw law : {IdealLaw::Depth, IdealLaw::DepthOfA}) {
    const Wrench ideal = idealAt(scenario, law, share);
    const Strewn points = byPoints(scenario, law, share, count);
    const Vector3d& force = points.wrench.force;
    const Vector3d& torque = points.wrench.torque;
    EXPECT_LT((ideal.force - force).norm(), 5.0 * points.forceError)
        << ideal.force.transpose() << " / " << force.transpose();
    EXPECT_LT((ideal.torque - torque).norm(), 5.0 * points.torqueError)
        << ideal.torque.transpose() << " / " << torque.transpose();
    // and they are few
    EXPECT_LT(5.0 * points.torqueError,
              0.15 * std::max(ideal.torque.norm(), sizeOf(scenario) * ideal.force.norm()));
  }
}

// In the middle of the path, on an edge, and anyhow.
INSTANTIATE_TEST_SUITE_P(
    Everywhere, IdealByPoints,
    testing::Values(std::tuple(QualityScenario::Ia, 0.5), std::tuple(QualityScenario::Ia, 0.13),
                    std::tuple(QualityScenario::Ia, 0.9), std::tuple(QualityScenario::Ib, 0.4),
                    std::tuple(QualityScenario::Ib, 0.14), std::tuple(QualityScenario::II, 0.3),
                    std::tuple(QualityScenario::III, 0.5), std::tuple(QualityScenario::III, 1.0),
                    std::tuple(QualityScenario::IV, 0.0), std::tuple(QualityScenario::IV, 0.11),
                    std::tuple(QualityScenario::IV, 0.6), std::tuple(QualityScenario::IVHalf, 0.7)),
    [](const auto& chosen) {
      std::string name(nameOf(std::get<0>(chosen.param)));
      std::erase(name, '-');
      return name + "_" + std::to_string(static_cast<int>(100.0 * std::get<1>(chosen.param)));
    });

class IdealVolume : public testing::TestWithParam<QualityScenario> {};

// The polygons of round pin and hole are inside of their circles, by a hundredth of the least
// shift.
TEST_P(IdealVolume, IsThatOfTheMeshes) {
  const QualityScenario scenario = GetParam();
  constexpr std::size_t kTriangles = 20'000;
  const auto bodyOf = [](std::string_view name) {
    return collision::ExactBody(models::makeBuiltin(name, kTriangles).value());
  };
  const collision::ExactBody a = bodyOf(modelAOf(scenario));
  const collision::ExactBody b = bodyOf(modelBOf(scenario));
  for (const double share : {0.147, 0.46, 0.91}) {
    const Isometry3d pose = poseAt(scenario, share);
    const collision::ExactOverlap exact = exactOverlap(a, b, pose);
    const Wrench there = response::aboutPoint({exact.force, exact.torque}, pose.translation(),
                                              pose * measuredAt(scenario));
    const Wrench ideal = idealAt(scenario, IdealLaw::Volume, share);
    const double scale = std::max(ideal.force.norm(), ideal.torque.norm() / sizeOf(scenario));
    EXPECT_LT((ideal.force - there.force).norm(), 1e-2 * scale)
        << share << ": " << ideal.force.transpose() << " / " << there.force.transpose();
    EXPECT_LT((ideal.torque - there.torque).norm(), 2e-2 * scale * sizeOf(scenario))
        << share << ": " << ideal.torque.transpose() << " / " << there.torque.transpose();
  }
}

INSTANTIATE_TEST_SUITE_P(All, IdealVolume, testing::ValuesIn(kQualityScenarios),
                         [](const auto& chosen) {
                           std::string name(nameOf(chosen.param));
                           std::erase(name, '-');
                           return name;
                         });

// What the seed says of them: its own words, corrected.
TEST(QualityIdeals, ConstantWhileTheCutIsOnTheBlock) {
  for (const IdealLaw law : {IdealLaw::Depth, IdealLaw::Volume}) {
    const Wrench middle = idealAt(QualityScenario::Ia, law, 0.5);
    for (const double share : {0.2, 0.35, 0.7}) {
      const Wrench there = idealAt(QualityScenario::Ia, law, share);
      EXPECT_LT((there.force - middle.force).norm(), 1e-6 * middle.force.norm());
      EXPECT_LT(there.torque.norm(), 1e-6 * middle.force.norm() * sizeOf(QualityScenario::Ia));
    }
    EXPECT_GT(middle.force.y(), 0.0);
    EXPECT_EQ(idealAt(QualityScenario::Ia, law, 0.0).force.norm(), 0.0);
  }
}

TEST(QualityIdeals, NoTorqueOnAPinThatIsTurnedByHalfOfARightAngle) {
  const SquarePin pin{.side = 0.02, .length = 0.06, .gap = 2e-5};
  for (const IdealLaw law : {IdealLaw::Depth, IdealLaw::DepthOfA, IdealLaw::Volume}) {
    const double turned = idealWrenchOfTurn(pin, std::numbers::pi / 6.0, law).torque.norm();
    EXPECT_GT(turned, 0.0);
    EXPECT_LT(idealWrenchOfTurn(pin, std::numbers::pi / 4.0, law).torque.norm(), 1e-9 * turned);
  }
}

// One depth counts twice as much as the lesser of two between flat faces.
TEST(QualityIdeals, PushBetweenFlatFacesIsHalfTheDepth) {
  const SquarePin pin{.side = 0.02, .length = 0.06, .gap = 0.0};
  constexpr double kShift = 1e-6;
  const Eigen::Vector2d shift(kShift, 0.0);
  const double face = pin.side * pin.length;
  EXPECT_NEAR(idealWrenchOfShift(pin, shift, IdealLaw::Depth).force.x(), -0.5 * kShift * face,
              1e-3 * kShift * face);
  EXPECT_NEAR(idealWrenchOfShift(pin, shift, IdealLaw::DepthOfA).force.x(), -kShift * face,
              1e-3 * kShift * face);
}

}  // namespace
}  // namespace tactus::studies
