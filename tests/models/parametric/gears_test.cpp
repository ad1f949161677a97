#include "models/parametric/gears.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "mesh_measures.hpp"

namespace tactus::models {
namespace {

constexpr double kPi = std::numbers::pi;

/// How far inside the outline of a gear a point lies, measured around the axis [rad]; negative
/// outside. The gear stands at the origin in the pose in which it is made.
double depthInTeeth(const GearDimensions& d, const GearTooth& tooth, const Eigen::Vector2d& p) {
  const double radius = p.norm();
  if (radius >= tooth.tipRadius()) return -1.0;
  if (radius <= tooth.rootRadius()) return 1.0;
  const double pitch = 2.0 * kPi / d.teeth;
  double angle = std::atan2(p.y(), p.x()) - (d.toothOnAxis ? 0.0 : 0.5 * pitch);
  angle -= pitch * std::round(angle / pitch);
  return tooth.halfAngleAt(radius) - std::abs(angle);
}

/// Points all along the outline, in the pose in which the gear is made.
std::vector<Eigen::Vector2d> outlineOf(const GearDimensions& d) {
  const GearTooth tooth(d);
  std::vector<Eigen::Vector2d> points;
  const double tip = tooth.halfAngleAt(tooth.tipRadius());
  for (int k = 0; k < d.teeth; ++k) {
    const double turn = 2.0 * kPi * (k + (d.toothOnAxis ? 0.0 : 0.5)) / d.teeth;
    const Eigen::Rotation2Dd rotation(turn);
    for (int i = 0; i <= 60; ++i) {
      const Eigen::Vector2d flank = tooth.flank(i / 60.0);
      const Eigen::Vector2d foot = tooth.foot(i / 60.0);
      for (const double side : {1.0, -1.0}) {
        points.emplace_back(rotation * Eigen::Vector2d(flank.x(), side * flank.y()));
        points.emplace_back(rotation * Eigen::Vector2d(foot.x(), side * foot.y()));
      }
      const double angle = tip * (i / 30.0 - 1.0);
      points.emplace_back(rotation *
                          (tooth.tipRadius() * Eigen::Vector2d(std::cos(angle), std::sin(angle))));
    }
  }
  return points;
}

/// Deepest overlap of the outlines when the gear is turned by `turn` and the mate by `mateTurn`:
/// points of each in the other, as an arc length at the pitch circle [m].
double deepestOverlap(double turn, double mateTurn) {
  static const std::vector<Eigen::Vector2d> gear = outlineOf(kGear);
  static const std::vector<Eigen::Vector2d> mate = outlineOf(kGearMate);
  const GearTooth gearTooth(kGear);
  const GearTooth mateTooth(kGearMate);
  const Eigen::Vector2d axis(kGearDistance, 0.0);
  double deepest = -1.0;
  for (const Eigen::Vector2d& p : gear) {
    const Eigen::Vector2d inMate =
        Eigen::Rotation2Dd(-mateTurn) * (Eigen::Rotation2Dd(turn) * p - axis);
    deepest =
        std::max(deepest, depthInTeeth(kGearMate, mateTooth, inMate) * mateTooth.pitchRadius());
  }
  for (const Eigen::Vector2d& p : mate) {
    const Eigen::Vector2d inGear =
        Eigen::Rotation2Dd(-turn) * (Eigen::Rotation2Dd(mateTurn) * p + axis);
    deepest = std::max(deepest, depthInTeeth(kGear, gearTooth, inGear) * gearTooth.pitchRadius());
  }
  return deepest;
}

TEST(Gears, TurnTogetherWithoutOverlap) {
  const double pitch = 2.0 * kPi / kGear.teeth;
  for (int k = 0; k <= 40; ++k) {
    const double turn = 2.0 * pitch * k / 40.0;
    EXPECT_LT(deepestOverlap(turn, -turn * kGear.teeth / kGearMate.teeth), 0.0) << turn;
  }
}

TEST(Gears, HaveTheStatedBacklashAndNoMore) {
  // 0.2 mm between flanks at the pitch circle: the mate may turn by half of it either way, no more.
  const double half = 1.0e-4 / GearTooth(kGearMate).pitchRadius();
  for (int k = 0; k < 8; ++k) {
    const double turn = 2.0 * kPi / kGear.teeth * k / 8.0;
    const double mate = -turn * kGear.teeth / kGearMate.teeth;
    for (const double side : {1.0, -1.0}) {
      EXPECT_LT(deepestOverlap(turn, mate + side * 0.95 * half), 0.0) << turn;
      EXPECT_GT(deepestOverlap(turn, mate + side * 1.10 * half), 0.0) << turn;
    }
  }
}

TEST(Gears, CollideInTheWrongPhase) {
  EXPECT_GT(deepestOverlap(0.0, kPi / kGearMate.teeth), 5e-4);
  EXPECT_GT(deepestOverlap(kPi / kGear.teeth, 0.0), 5e-4);
}

TEST(Gears, HaveStandardProportions) {
  EXPECT_DOUBLE_EQ(kGearDistance, 0.050);
  for (const GearDimensions& d : {kGear, kGearMate}) {
    const GearTooth tooth(d);
    EXPECT_NEAR(tooth.pitchRadius(), 0.5 * 2.5e-3 * d.teeth, 1e-12);
    EXPECT_NEAR(tooth.baseRadius(), tooth.pitchRadius() * std::cos(kPi / 9), 1e-12);
    // Thickness at the pitch circle: half a pitch less the thinning.
    EXPECT_NEAR(2.0 * tooth.halfAngleAt(tooth.pitchRadius()) * tooth.pitchRadius(),
                0.5 * kPi * 2.5e-3 - 1.0e-4, 1e-12);
    // The outline hangs together: foot and flank meet, and halfAngleAt() tells both.
    EXPECT_LT((tooth.foot(1.0) - tooth.flank(0.0)).norm(), 1e-9);
    for (int k = 1; k <= 100; ++k) {
      for (const Eigen::Vector2d& p : {tooth.foot(k / 100.0), tooth.flank(k / 100.0)}) {
        if (p.norm() < tooth.rootRadius() + 1e-9) continue;
        EXPECT_NEAR(std::atan2(p.y(), p.x()), tooth.halfAngleAt(p.norm()), 1e-9) << k;
      }
    }
  }
}

TEST(Gears, MeshesLieOnTheOutline) {
  for (const GearDimensions& d : {kGear, kGearMate}) {
    const GearTooth tooth(d);
    for (const std::size_t triangles : {1'000U, 20'000U}) {
      const Mesh mesh = makeGearOf(d, triangles);
      const Bounds box = mesh.bounds();
      EXPECT_NEAR(box.upper.z(), 0.005, 1e-9);
      EXPECT_NEAR(box.lower.z(), -0.005, 1e-9);
      int corners = 0;
      for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        const Eigen::Vector3d p = mesh.position(v);
        const double radius = p.head<2>().norm();
        EXPECT_LT(radius, tooth.tipRadius() + 1e-8);
        const double depth = depthInTeeth(d, tooth, p.head<2>()) * radius;
        // At the root the outline runs along the circle: rounding alone decides its side there.
        if (radius > tooth.rootRadius() + 1e-7 && radius < tooth.tipRadius() - 1e-8) {
          EXPECT_GT(depth, -2e-8);
        }
        // Inside the width a vertex is on a wall: on the teeth's outline or on the bore's.
        if (std::abs(p.z()) < 0.0049 && radius > tooth.rootRadius() + 1e-7 &&
            radius < tooth.tipRadius() - 1e-8) {
          EXPECT_LT(depth, 2e-8);
        }
        const double pitch = 2.0 * kPi / d.teeth;
        double angle = std::atan2(p.y(), p.x()) - (d.toothOnAxis ? 0.0 : 0.5 * pitch);
        angle -= pitch * std::round(angle / pitch);
        const bool atTip = std::abs(radius - tooth.tipRadius()) < 1e-8;
        if (atTip && std::abs(std::abs(angle) - tooth.halfAngleAt(tooth.tipRadius())) < 1e-6 &&
            std::abs(p.z()) > 0.00499) {
          ++corners;
        }
      }
      EXPECT_EQ(corners, 4 * d.teeth);  // every tip corner, on both faces
    }
  }
}

TEST(Gears, VolumeConvergesToTheProfilesArea) {
  for (const GearDimensions& d : {kGear, kGearMate}) {
    const GearTooth tooth(d);
    double area = kPi * tooth.rootRadius() * tooth.rootRadius();
    const int steps = 20'000;
    const double depth = tooth.tipRadius() - tooth.rootRadius();
    for (int k = 0; k < steps; ++k) {
      const double radius = tooth.rootRadius() + depth * (k + 0.5) / steps;
      area += d.teeth * 2.0 * tooth.halfAngleAt(radius) * radius * depth / steps;
    }
    const double w = d.keyHalfWidth;
    const double b = d.bore;
    area -= kPi * b * b;
    area -= 2.0 * w * d.keyDepth - (w * std::sqrt(b * b - w * w) + b * b * std::asin(w / b));
    EXPECT_NEAR(test::volumeOf(makeGearOf(d, 99'999)) / (area * d.width), 1.0, 5e-4);
    EXPECT_NEAR(test::volumeOf(makeGearOf(d, 3'000)) / (area * d.width), 1.0, 1.5e-2);
  }
}

}  // namespace
}  // namespace tactus::models
