#include "models/parametric/pins_and_holes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh_measures.hpp"

namespace tactus::models {
namespace {

constexpr double kA = 0.060;
constexpr double kB = 0.120;
constexpr double kC = 0.020;
constexpr double kFloat = 4e-9;  // half an ulp of 60 mm, twice

double squareArea() {
  return kC * kC;
}
double circleArea() {
  return std::numbers::pi * 0.25 * kC * kC;
}

TEST(PinsAndHoles, VolumesConvergeToTheClosedForms) {
  const double block = kA * (kB * kA - squareArea() - circleArea());
  const double pins = kPinsBase * kB * kA + kA * (squareArea() + circleArea());
  EXPECT_NEAR(test::volumeOf(makeBlockWithHoles(99'999)) / block, 1.0, 2e-4);
  EXPECT_NEAR(test::volumeOf(makePins(99'999)) / pins, 1.0, 2e-4);
  EXPECT_NEAR(test::volumeOf(makeBlockWithHoles(1'000)) / block, 1.0, 1e-2);
  EXPECT_NEAR(test::volumeOf(makePins(1'000)) / pins, 1.0, 2e-2);
}

TEST(PinsAndHoles, BoundsAreExact) {
  for (const std::size_t triangles : {1'000U, 20'000U}) {
    const Bounds block = makeBlockWithHoles(triangles).bounds();
    EXPECT_LT((block.upper - Eigen::Vector3d(0.06, 0.03, 0.03)).norm(), kFloat);
    EXPECT_LT((block.lower + Eigen::Vector3d(0.06, 0.03, 0.03)).norm(), kFloat);
    const Bounds pins = makePins(triangles).bounds();
    EXPECT_LT((pins.upper - Eigen::Vector3d(0.06, 0.03, 0.03)).norm(), kFloat);
    EXPECT_LT((pins.lower + Eigen::Vector3d(0.06, 0.03, 0.05)).norm(), kFloat);
  }
}

/// Whether a point of the xy plane lies on the outline of the square or of the circle.
bool isOnHole(const Eigen::Vector3d& p) {
  const double square = std::max(std::abs(p.x() + kB / 4), std::abs(p.y()));
  const double circle = std::hypot(p.x() - kB / 4, p.y());
  return std::abs(square - kC / 2) < kFloat || std::abs(circle - kC / 2) < kFloat;
}
bool isInHole(const Eigen::Vector3d& p) {
  return std::max(std::abs(p.x() + kB / 4), std::abs(p.y())) < kC / 2 - kFloat ||
         std::hypot(p.x() - kB / 4, p.y()) < kC / 2 - kFloat;
}

TEST(PinsAndHoles, HolesAndPinsHaveTheirExactPlaceAndSize) {
  for (const std::size_t triangles : {1'000U, 20'000U}) {
    const Mesh block = makeBlockWithHoles(triangles);
    int onRim = 0;
    int inside = 0;
    for (std::uint32_t v = 0; v < block.positions.size(); ++v) {
      const Eigen::Vector3d p = block.position(v);
      if (isOnHole(p)) ++onRim;
      if (isInHole(p)) ++inside;
    }
    EXPECT_GT(onRim, 40);
    EXPECT_EQ(inside, 0);

    const Mesh pins = makePins(triangles);
    for (std::uint32_t v = 0; v < pins.positions.size(); ++v) {
      const Eigen::Vector3d p = pins.position(v);
      if (p.z() < -kA / 2 + 1e-6 || p.z() > kA / 2 - 1e-6) continue;
      EXPECT_TRUE(isOnHole(p)) << p.transpose();
    }
  }
}

TEST(PinsAndHoles, LoosePinsAreThinnerOnEverySide) {
  for (const std::size_t triangles : {1'000U, 20'000U}) {
    const Mesh loose = makeLoosePins(triangles);
    const Bounds box = loose.bounds();
    EXPECT_LT((box.upper - makePins(triangles).bounds().upper).norm(), kFloat);
    EXPECT_LT((box.lower - makePins(triangles).bounds().lower).norm(), kFloat);
    int onPins = 0;
    for (std::uint32_t v = 0; v < loose.positions.size(); ++v) {
      const Eigen::Vector3d p = loose.position(v);
      if (p.z() < -kA / 2 + 1e-6 || p.z() > kA / 2 - 1e-6) continue;
      const double square = std::max(std::abs(p.x() + kB / 4), std::abs(p.y()));
      const double circle = std::hypot(p.x() - kB / 4, p.y());
      EXPECT_NEAR(std::min(square, circle), kC / 2 - kPinsClearance, kFloat) << p.transpose();
      ++onPins;
    }
    EXPECT_GT(onPins, 40);
  }
}

TEST(PinsAndHoles, SharpEdgesAreEdgesOfTheMesh) {
  // Without the round ones: 12 of the block and 12 of the square hole, and the base, the square
  // pin's 4 + 4 and its foot.
  const auto straight = [](const Mesh& mesh) {
    double length = 0.0;
    for (const test::SharpEdge& edge : test::sharpEdges(mesh, 60.0)) {
      if (std::abs(std::hypot(edge.from.x() - kB / 4, edge.from.y()) - kC / 2) < kFloat) continue;
      length += (edge.to - edge.from).norm();
    }
    return length;
  };
  for (const std::size_t triangles : {1'000U, 20'000U}) {
    EXPECT_NEAR(straight(makeBlockWithHoles(triangles)), 4 * (kB + kA + kA) + 4 * kA + 8 * kC,
                1e-6);
    EXPECT_NEAR(straight(makePins(triangles)), 4 * (kB + kA + kPinsBase) + 4 * kA + 8 * kC, 1e-6);
  }
}

TEST(PinsAndHoles, AreMirroredInY) {
  EXPECT_TRUE(test::isMirrored(makeBlockWithHoles(3'000), 1));
  EXPECT_TRUE(test::isMirrored(makePins(3'000), 1));
  EXPECT_TRUE(test::isMirrored(makeBlockWithHoles(20'000), 1));
}

}  // namespace
}  // namespace tactus::models
