#include "models/parametric/thread.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mesh_measures.hpp"
#include "models/parametric/bolt_and_nut.hpp"

namespace tactus::models {
namespace {

constexpr double kPi = std::numbers::pi;

/// Angle about +y in turns, in [0, 1), measured as the models measure it: from +z towards +x.
double turnsOf(const Eigen::Vector3d& p) {
  const double turns = std::atan2(p.x(), p.z()) / (2.0 * kPi);
  return turns < 0.0 ? turns + 1.0 : turns;
}

/// How deep a point lies inside the bolt's shank, radially [m]; negative outside.
double depthInShank(const Thread& thread, const Eigen::Vector3d& p) {
  if (p.y() > thread.to || p.y() < -kBoltLength) return -1.0;
  const double radius = std::hypot(p.x(), p.z());
  if (p.y() < thread.from) return thread.minor - (thread.from - p.y()) - radius;
  return thread.radiusAt(turnsOf(p), p.y()) - radius;
}

/// Deepest point of the nut's surface in the bolt's true solid; corners and points inside
/// triangles.
double deepestOfNut(const Mesh& nut, double height, double angle) {
  const Thread thread = boltThread();
  const Eigen::AngleAxisd turn(angle, Eigen::Vector3d::UnitY());
  double deepest = -1.0;
  for (const Triangle& t : nut.triangles) {
    const auto p = test::cornersOf(nut, t);
    for (int i = 0; i <= 4; ++i) {
      for (int j = 0; i + j <= 4; ++j) {
        const Eigen::Vector3d inNut = (i * p[0] + j * p[1] + (4 - i - j) * p[2]) / 4.0;
        Eigen::Vector3d inBolt = turn * inNut;
        inBolt.y() += height;
        deepest = std::max(deepest, depthInShank(thread, inBolt));
      }
    }
  }
  return deepest;
}

TEST(BoltAndNut, NutSitsOnTheThreadWithItsClearanceAtAnyResolution) {
  for (const std::size_t triangles : {1'000U, 3'000U, 20'000U}) {
    const Mesh nut = makeNut(triangles);
    for (const double height : {kNutHighest, -19.3e-3, -24.0e-3, -31.7e-3, -44.0e-3}) {
      const double deepest = deepestOfNut(nut, height, nutAngleAt(height));
      EXPECT_LT(deepest, -0.98 * kThreadClearance) << triangles << " at " << height;
    }
  }
}

TEST(BoltAndNut, NutOutOfPhaseCollides) {
  const Mesh nut = makeNut(20'000);
  for (const double height : {kNutHighest, -24.0e-3}) {
    EXPECT_GT(deepestOfNut(nut, height, nutAngleAt(height) + kPi), 1e-3);
    EXPECT_GT(deepestOfNut(nut, height, nutAngleAt(height) + 0.7), 1e-4);
    EXPECT_GT(deepestOfNut(nut, height, -nutAngleAt(height) + 1.0), 1e-4);
  }
}

TEST(BoltAndNut, NutHasPlayAlongTheAxisAsStated) {
  // Flanks rise by sqrt(3) outward: a clearance of c lets the nut slide by c / sqrt(3) either way.
  const Mesh nut = makeNut(20'000);
  const double play = kThreadClearance / std::numbers::sqrt3;
  const double height = -24.0e-3;
  EXPECT_LT(deepestOfNut(nut, height + 0.95 * play, nutAngleAt(height)), 0.0);
  EXPECT_GT(deepestOfNut(nut, height + 1.05 * play, nutAngleAt(height)), 0.0);
  EXPECT_GT(deepestOfNut(nut, height - 1.05 * play, nutAngleAt(height)), 0.0);
}

TEST(BoltAndNut, BoltStaysInsideItsTrueSurface) {
  const Thread thread = boltThread();
  const Mesh bolt = makeBolt(1'500);
  int seen = 0;
  for (const Triangle& t : bolt.triangles) {
    const auto p = test::cornersOf(bolt, t);
    const Eigen::Vector3d middle = (p[0] + p[1] + p[2]) / 3.0;
    if (middle.y() < thread.fullFrom() || middle.y() > thread.fullTo()) continue;
    EXPECT_GT(depthInShank(thread, middle), -1e-8);
    ++seen;
  }
  EXPECT_GT(seen, 300);
}

TEST(BoltAndNut, VerticesLieOnTheThread) {
  const Thread thread = boltThread();
  for (const std::size_t triangles : {1'000U, 20'000U}) {
    const Mesh bolt = makeBolt(triangles);
    for (const Eigen::Vector3f& position : bolt.positions) {
      const Eigen::Vector3d p = position.cast<double>();
      if (p.y() > -1e-6 || p.y() < thread.from + 1e-6) continue;
      EXPECT_NEAR(depthInShank(thread, p), 0.0, 2e-8) << p.transpose();
    }
  }
}

TEST(BoltAndNut, CrestsAndRootsAreEdgesOfTheMesh) {
  // Along the full thread each turn has four sharp edges, as long as a helix of their radius.
  const Thread thread = boltThread();
  for (const std::size_t triangles : {3'000U, 20'000U}) {
    double crest = 0.0;
    double root = 0.0;
    for (const test::SharpEdge& edge : test::sharpEdges(makeBolt(triangles), 45.0)) {
      if (std::min(edge.from.y(), edge.to.y()) < thread.fullFrom() + 1e-9) continue;
      if (std::max(edge.from.y(), edge.to.y()) > thread.fullTo() - 1e-9) continue;
      const double radius = std::hypot(edge.from.x(), edge.from.z());
      EXPECT_NEAR(radius, std::hypot(edge.to.x(), edge.to.z()), 1e-8);
      const double around = (edge.to - edge.from).norm();
      if (std::abs(radius - thread.major) < 1e-8) crest += around / thread.major;
      if (std::abs(radius - thread.minor) < 1e-8) root += around / thread.minor;
    }
    const double turns = (thread.fullTo() - thread.fullFrom()) / thread.pitch;
    EXPECT_NEAR(crest / (2.0 * 2.0 * kPi), turns, 0.35);
    EXPECT_NEAR(root / (2.0 * 2.0 * kPi), turns, 0.35);
  }
}

TEST(BoltAndNut, SizesAreExact) {
  for (const std::size_t triangles : {1'000U, 20'000U}) {
    const Bounds bolt = makeBolt(triangles).bounds();
    EXPECT_NEAR(bolt.lower.y(), -0.036, 2e-9);
    EXPECT_NEAR(bolt.upper.y(), 0.015, 2e-9);
    const Bounds nut = makeNut(triangles).bounds();
    EXPECT_NEAR(nut.upper.y(), 0.011, 2e-9);
    EXPECT_NEAR(nut.lower.y(), -0.011, 2e-9);
    for (const Bounds& box : {bolt, nut}) {  // corners of the hexagon on z, flats across x
      EXPECT_NEAR(box.upper.x(), 0.018, 2e-9);
      EXPECT_NEAR(box.lower.x(), -0.018, 2e-9);
      EXPECT_NEAR(box.upper.z(), 0.036 / std::sqrt(3.0), 2e-9);
    }
  }
}

/// Volume inside a thread's surface between its ends, by the midpoint rule.
double volumeInside(const Thread& thread) {
  const int around = 240;
  const int along = 2'400;
  double sum = 0.0;
  for (int i = 0; i < around; ++i) {
    for (int k = 0; k < along; ++k) {
      const double height = thread.from + (thread.to - thread.from) * (k + 0.5) / along;
      const double radius = thread.radiusAt((i + 0.5) / around, height);
      sum += 0.5 * radius * radius;
    }
  }
  return sum * 2.0 * kPi / around * (thread.to - thread.from) / along;
}

/// What the chamfer cuts off a hexagonal face: twelve equal sectors.
double chamferVolume() {
  const int steps = 400;
  const double sector = kPi / 6.0;
  const double face = 0.95 * 0.018;
  double sum = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double edge = 0.018 / std::cos(sector * (i + 0.5) / steps);
    for (int k = 0; k < steps; ++k) {
      const double radius = face + (edge - face) * (k + 0.5) / steps;
      sum += (radius - face) / std::sqrt(3.0) * radius * (edge - face) / steps * sector / steps;
    }
  }
  return 12.0 * sum;
}

double coneVolume(double a, double b, double height) {
  return kPi / 3.0 * height * (a * a + a * b + b * b);
}

TEST(BoltAndNut, VolumesConvergeToTheTrueSolids) {
  const double hexagon = 0.5 * std::sqrt(3.0) * 0.036 * 0.036;
  const Thread outer = boltThread();
  const double bolt = hexagon * kBoltHeadHeight - chamferVolume() + volumeInside(outer) +
                      coneVolume(outer.minor, outer.minor - kTipChamfer, kTipChamfer);
  EXPECT_NEAR(test::volumeOf(makeBolt(99'999)) / bolt, 1.0, 5e-4);
  EXPECT_NEAR(test::volumeOf(makeBolt(3'000)) / bolt, 1.0, 2e-2);

  const Thread inner = nutThread();
  const double nut = hexagon * kNutHeight - 2.0 * chamferVolume() - volumeInside(inner) -
                     2.0 * coneVolume(inner.major, inner.major + kCountersink, kCountersink);
  EXPECT_NEAR(test::volumeOf(makeNut(99'999)) / nut, 1.0, 1e-3);
  EXPECT_NEAR(test::volumeOf(makeNut(3'000)) / nut, 1.0, 3e-2);
}

TEST(Thread, HasTheIsoProfile) {
  const Thread thread = boltThread();
  EXPECT_NEAR(thread.major - thread.minor, 0.625 * 0.5 * std::sqrt(3.0) * thread.pitch, 1e-12);
  const double h = 0.5 * (thread.fullFrom() + thread.fullTo());
  int crest = 0;
  int root = 0;
  const int steps = 16'000;
  for (int k = 0; k < steps; ++k) {
    const double height = h + thread.pitch * (k + 0.5) / steps;
    const double radius = thread.radiusAt(0.3, height);
    EXPECT_DOUBLE_EQ(radius, thread.fullRadiusAt(0.3, height));
    if (radius == thread.major) ++crest;
    if (radius == thread.minor) ++root;
  }
  EXPECT_NEAR(crest, steps / 8.0, 4.0);
  EXPECT_NEAR(root, steps / 4.0, 4.0);
}

TEST(Thread, RadiusIsContinuousEverywhere) {
  for (const Thread& thread : {boltThread(), nutThread()}) {
    // Steepest: sqrt(3) along the axis. Around it the flank passes at a pitch a turn.
    const double step = 1e-5;
    for (int i = 0; i <= 40; ++i) {
      for (double height = thread.from; height < thread.to - step; height += step) {
        const double here = thread.radiusAt(i / 40.0, height);
        EXPECT_NEAR(thread.radiusAt(i / 40.0, height + step), here, 1.8 * step);
        if (i < 40) continue;
        EXPECT_NEAR(thread.radiusAt(0.0, height), here, 1e-9);  // once around
      }
    }
  }
}

}  // namespace
}  // namespace tactus::models
