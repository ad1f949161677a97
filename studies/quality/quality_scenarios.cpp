#include "studies/quality/quality_scenarios.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "models/lanes/elementary.hpp"
#include "models/parametric/boxes.hpp"
#include "models/parametric/pins_and_holes.hpp"
#include "models/parametric/round_solids.hpp"
#include "studies/quality/ball_on_cylinder_ideal.hpp"
#include "studies/quality/cone_on_box_ideal.hpp"
#include "studies/quality/pins_in_holes_ideal.hpp"

namespace tactus::studies {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using models::elementary::SinCos;
using models::elementary::sinCos;
using response::Wrench;

constexpr double kPi = std::numbers::pi;
constexpr double kConeDepth = models::kConeHeight / 3.0;  // [m]
constexpr double kBeyondEnds = 0.020;                     // the text's a, which it does not fix [m]
constexpr double kOrbit = 5.0 / 3.0 * models::kSphereRadius;  // [m]
constexpr double kLargestTurn = kPi / 6.0;                    // [rad]
constexpr double kBaseGap = 1e-3 * models::kPinsC;            // [m]

struct Facts {
  std::string_view name, a, b;
};

constexpr std::array kFacts = {Facts{"Ia", "block", "cone"},
                               Facts{"Ib", "plate", "cone"},
                               Facts{"II", "cylinder", "sphere"},
                               Facts{"III", "block-with-holes", "pins"},
                               Facts{"IV", "block-with-holes", "pins"},
                               Facts{"IV-half", "block-with-holes", "pins"}};

const Facts& factsOf(QualityScenario scenario) {
  return kFacts[static_cast<std::size_t>(scenario)];
}

const Vector3d& boxOf(QualityScenario scenario) {
  return scenario == QualityScenario::Ia ? models::kBlockExtents : models::kPlateExtents;
}

double coneAt(QualityScenario scenario, double share) {
  const double furthest = 0.5 * boxOf(scenario).x() + kBeyondEnds;
  return (2.0 * share - 1.0) * furthest;
}

ConeOnBox coneOnBox(QualityScenario scenario, double share) {
  const Vector3d& box = boxOf(scenario);
  return {.halfLength = 0.5 * box.x(),
          .halfWidth = 0.5 * box.z(),
          .thickness = box.y(),
          .coneHeight = models::kConeHeight,
          .radiusToHeight = models::kConeRadius / models::kConeHeight,
          .depth = kConeDepth,
          .coneAt = coneAt(scenario, share)};
}

/// From the cylinder's axis to the ball.
Vector3d outwardAt(double share) {
  const SinCos turn = sinCos(2.0 * kPi * share);
  return {turn.cos, 0.0, -turn.sin};
}

double orbitOf(QualityScenario scenario) {
  return (scenario == QualityScenario::IV ? 0.1 : 0.05) * models::kPinsC;
}

Vector2d shiftAt(QualityScenario scenario, double share) {
  const SinCos turn = sinCos(2.0 * kPi * share);
  return orbitOf(scenario) * Vector2d(turn.cos, turn.sin);
}

SquarePin squarePin() {
  return {.side = models::kPinsC, .length = models::kPinsA, .gap = kBaseGap};
}
RoundPin roundPin() {
  return {.radius = 0.5 * models::kPinsC, .length = models::kPinsA, .gap = kBaseGap};
}

Vector3d squarePlace() {
  return {-models::kPinsPlace, 0.0, 0.0};
}

Wrench shiftedPins(QualityScenario scenario, IdealLaw law, double share) {
  const Vector2d shift = shiftAt(scenario, share);
  const Wrench square = idealWrenchOfShift(squarePin(), shift, law);
  const Wrench round = idealWrenchOfShift(roundPin(), shift, law);
  return {square.force + round.force, square.torque + round.torque +
                                          squarePlace().cross(square.force) -
                                          squarePlace().cross(round.force)};
}

/// sqrt(2) cos(pi/4 - phi) - 1 and tan + cot, of the corners of a turned pin.
struct Corner {
  double reach, widths;
};
Corner cornerAt(double share) {
  const SinCos turn = sinCos(kLargestTurn * share);
  return {turn.sin + turn.cos - 1.0, turn.sin / turn.cos + turn.cos / turn.sin};
}

/// The integral of sqrt(r^2 - tau^2) from `from` to r.
double quarterBeyond(double radius, double from) {
  return 0.5 * (radius * radius * models::elementary::acos(from / radius) -
                from * std::sqrt(radius * radius - from * from));
}

double seedVolumeOfShift(QualityScenario scenario, double share) {
  const double c = models::kPinsC;
  const double r = 0.5 * c;
  const Vector2d away = shiftAt(scenario, share).cwiseAbs();
  return c * c - (c - away.x()) * (c - away.y()) + kPi * r * r -
         4.0 * quarterBeyond(r, 0.5 * orbitOf(scenario));
}

}  // namespace

std::string_view nameOf(QualityScenario scenario) noexcept {
  return factsOf(scenario).name;
}
std::string_view modelAOf(QualityScenario scenario) noexcept {
  return factsOf(scenario).a;
}
std::string_view modelBOf(QualityScenario scenario) noexcept {
  return factsOf(scenario).b;
}

Eigen::Isometry3d poseAt(QualityScenario scenario, double share) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  switch (scenario) {
    case QualityScenario::Ia:
    case QualityScenario::Ib:
      pose.linear() = Vector3d(1.0, -1.0, -1.0).asDiagonal();  // tip downward
      pose.translation() =
          Vector3d(coneAt(scenario, share),
                   0.5 * boxOf(scenario).y() - kConeDepth + 0.5 * models::kConeHeight, 0.0);
      break;
    case QualityScenario::II:
      pose.translation() = kOrbit * outwardAt(share);
      break;
    case QualityScenario::III: {
      // clockwise, from half a turn
      const SinCos turn = sinCos(kPi - kLargestTurn * share);
      pose.linear() << turn.cos, -turn.sin, 0.0, turn.sin, turn.cos, 0.0, 0.0, 0.0, 1.0;
      pose.translation() = squarePlace() - pose.linear() * squarePlace();
      pose.translation().z() -= kBaseGap;
      break;
    }
    case QualityScenario::IV:
    case QualityScenario::IVHalf:
      pose.translation() << shiftAt(scenario, share), -kBaseGap;
      break;
  }
  return pose;
}

Vector3d measuredAt(QualityScenario scenario) {
  return scenario == QualityScenario::III ? squarePlace() : Vector3d::Zero();
}

double pathLength(QualityScenario scenario) {
  switch (scenario) {
    case QualityScenario::Ia:
    case QualityScenario::Ib:
      return boxOf(scenario).x() + 2.0 * kBeyondEnds;
    case QualityScenario::II:
      return 2.0 * kPi * kOrbit;
    case QualityScenario::III:
      return kLargestTurn * models::kPinsC / std::numbers::sqrt2;  // of the pin's corner
    case QualityScenario::IV:
    case QualityScenario::IVHalf:
      return 2.0 * kPi * orbitOf(scenario);
  }
  return 0.0;
}

double sizeOf(QualityScenario scenario) {
  switch (scenario) {
    case QualityScenario::Ia:
    case QualityScenario::Ib:
      return models::kConeRadius;
    case QualityScenario::II:
      return models::kSphereRadius;
    case QualityScenario::III:
    case QualityScenario::IV:
    case QualityScenario::IVHalf:
      return models::kPinsC;
  }
  return 0.0;
}

Wrench idealAt(QualityScenario scenario, IdealLaw law, double share) {
  switch (scenario) {
    case QualityScenario::Ia:
    case QualityScenario::Ib:
      return idealWrench(coneOnBox(scenario, share), law);
    case QualityScenario::II: {
      const double push = idealPush({.cylinderRadius = models::kCylinderRadius,
                                     .ballRadius = models::kSphereRadius,
                                     .distance = kOrbit},
                                    law);
      return {push * outwardAt(share), Vector3d::Zero()};
    }
    case QualityScenario::III: {
      if (!(share > 0.0)) return {};
      Wrench wrench = idealWrenchOfTurn(squarePin(), kLargestTurn * share, law);
      wrench.torque.z() = -wrench.torque.z();  // it turns clockwise
      return wrench;
    }
    case QualityScenario::IV:
    case QualityScenario::IVHalf:
      return shiftedPins(scenario, law, share);
  }
  return {};
}

bool hasSeedModel(QualityScenario scenario, double share) {
  if (scenario != QualityScenario::Ia && scenario != QualityScenario::Ib) return true;
  const double cut = kConeDepth * models::kConeRadius / models::kConeHeight;
  return std::abs(coneAt(scenario, share)) <= 0.5 * boxOf(scenario).x() - cut;
}

Wrench seedModelAt(QualityScenario scenario, SeedModel model, double share) {
  switch (scenario) {
    case QualityScenario::Ia:
    case QualityScenario::Ib:
      return {Vector3d::UnitY(), Vector3d::Zero()};
    case QualityScenario::II:
      return {outwardAt(share), Vector3d::Zero()};
    case QualityScenario::III: {
      if (!(share > 0.0)) return {};
      const Corner corner = cornerAt(share);
      const double size =
          model == SeedModel::Depth ? corner.reach : corner.reach * corner.reach * corner.widths;
      return {Vector3d::Zero(), size * Vector3d::UnitZ()};
    }
    case QualityScenario::IV:
    case QualityScenario::IVHalf: {
      const Vector2d shift = shiftAt(scenario, share);
      const double size = model == SeedModel::Depth ? 1.0 : seedVolumeOfShift(scenario, share);
      Vector3d force = Vector3d::Zero();
      force.head<2>() = -size * shift.normalized();
      return {force, Vector3d::Zero()};
    }
  }
  return {};
}

}  // namespace tactus::studies
