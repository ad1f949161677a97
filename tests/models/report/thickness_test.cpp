#include "models/report/thickness.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "tests/models/test_meshes.hpp"

namespace tactus::models {
namespace {

using test::Random;

Thickness thicknessOf(const Mesh& mesh, unsigned threads = 0) {
  return leastThickness(mesh, topologyOf(mesh), buildTriangleBvh(mesh), {}, threads);
}

TEST(Thickness, PlateAndBoxHaveTheirShortestSide) {
  for (const Eigen::Vector3d& size :
       {Eigen::Vector3d(1, 1, 0.0625), Eigen::Vector3d(0.25, 2, 3), Eigen::Vector3d(1, 1, 1)}) {
    const Thickness thickness = thicknessOf(test::box(size));
    EXPECT_EQ(thickness.source, ThicknessSource::FacingWall);
    EXPECT_NEAR(thickness.least, size.minCoeff(), 1e-12);
  }
}

// Facets of an inscribed sphere are at least r cos(half a facet's angle) from the middle.
TEST(Thickness, SphereHasItsDiameter) {
  const Thickness thickness = thicknessOf(test::sphere(0.5, 64, 128));
  EXPECT_LE(thickness.least, 1.0);
  EXPECT_GE(thickness.least, 1.0 - 3e-3);
  EXPECT_NEAR(thickness.place.norm(), 0.0, 0.05);
}

TEST(Thickness, TorusHasItsTubesDiameter) {
  const Thickness thickness = thicknessOf(test::torus(1.0, 0.25, 128, 64));
  EXPECT_LE(thickness.least, 0.5);
  EXPECT_GE(thickness.least, 0.5 - 4e-3);
}

TEST(Thickness, HollowSphereHasItsWall) {
  Mesh mesh = test::sphere(1.0, 64, 128);
  test::append(mesh, test::flipped(test::sphere(0.9, 64, 128)));
  const Thickness thickness = thicknessOf(mesh);
  // between the outer sphere's facets and the inner one's corners: at most the sagitta less
  EXPECT_LE(thickness.least, 0.1 + 1e-6);
  EXPECT_GE(thickness.least, 0.1 - 2e-3);
  EXPECT_NEAR(thickness.place.norm(), 0.95, 0.01);
}

/// A box whose top is lower at its left side: 12 triangles, thickness from `thin` to `thick`.
Mesh wedgePlate(float thin, float thick) {
  Mesh mesh = test::box(Eigen::Vector3d(2, 1, 2));
  for (Eigen::Vector3f& p : mesh.positions) {
    p.z() = p.z() < 0 ? 0.0F : p.x() < 0 ? thin : thick;
  }
  return mesh;
}

// Twelve triangles, and the centres of none of them are where it is thin.
TEST(Thickness, WedgePlateIsMeasuredAtItsThinEnd) {
  const Thickness thickness = thicknessOf(wedgePlate(0.01F, 0.2F));
  EXPECT_GE(thickness.least, 0.01 * 0.98);
  EXPECT_LE(thickness.least, 0.01 + 0.01 * 0.2);
  EXPECT_LT(thickness.place.x(), -0.95);
}

// The walls of a sharp edge do not face each other; the answer is the cone's length or the like,
// and not the distance of the first sample from the edge.
TEST(Thickness, WallsThatMeetAtAnAngleAreNoThickness) {
  Mesh mesh = test::torus(1.0, 0.25, 64, 4);  // a ring of square section, edges outward
  const Thickness ring = thicknessOf(mesh);
  EXPECT_NEAR(ring.least, 0.25 * std::numbers::sqrt2, 0.01);
}

TEST(Thickness, TetrahedronHasItsWidth) {
  // the corner tetrahedron's least height: from the corner at zero to the slanted face
  const Thickness thickness = thicknessOf(test::tetrahedron());
  EXPECT_EQ(thickness.source, ThicknessSource::Width);
  EXPECT_NEAR(thickness.least, 1.0 / std::sqrt(3.0), 1e-12);
}

/// Every triangle cut into four at the middles of its sides.
Mesh refined(const Mesh& mesh) {
  Mesh fine;
  for (const Triangle& t : mesh.triangles) {
    const Eigen::Vector3f a = mesh.positions[t[0]];
    const Eigen::Vector3f b = mesh.positions[t[1]];
    const Eigen::Vector3f c = mesh.positions[t[2]];
    const auto first = static_cast<std::uint32_t>(fine.positions.size());
    for (const Eigen::Vector3f& p : {a, b, c})
      fine.positions.push_back(p);
    fine.positions.emplace_back((a + b) / 2);
    fine.positions.emplace_back((b + c) / 2);
    fine.positions.emplace_back((c + a) / 2);
    for (const Triangle& quarter :
         {Triangle{0, 3, 5}, Triangle{3, 1, 4}, Triangle{5, 4, 2}, Triangle{3, 4, 5}}) {
      fine.triangles.push_back({first + quarter[0], first + quarter[1], first + quarter[2]});
    }
  }
  return fine;
}

// Fine triangles along the edges do not touch the wall beyond; it is the angle that keeps them out.
TEST(Thickness, DoesNotDependOnHowFineATetrahedronIs) {
  Mesh mesh = test::tetrahedron();
  for (int n = 0; n < 4; ++n)
    mesh = refined(mesh);
  const Thickness thickness = thicknessOf(mesh);
  EXPECT_EQ(thickness.source, ThicknessSource::Width);
  EXPECT_NEAR(thickness.least, 1.0 / std::sqrt(3.0), 1e-6);
}

// A wedge of 11 degrees: the walls face each other, and meet. Near the edge, the other wall is a
// neighbour and gives no thickness.
TEST(Thickness, NeighboursAreNoWall) {
  Mesh wedge;
  for (const float y : {0.0F, 1.0F}) {
    wedge.positions.emplace_back(0.0F, y, 0.0F);
    wedge.positions.emplace_back(2.0F, y, -0.2F);
    wedge.positions.emplace_back(2.0F, y, 0.2F);
  }
  wedge.triangles = {{0, 1, 2}, {3, 5, 4}, {0, 4, 1}, {0, 3, 4},
                     {1, 4, 5}, {1, 5, 2}, {0, 2, 5}, {0, 5, 3}};
  ASSERT_GT(test::signedVolume(wedge), 0.0);
  const Thickness thickness = thicknessOf(wedge);
  EXPECT_GT(thickness.least, 0.1);
  EXPECT_LT(thickness.least, 0.5);
}

TEST(Thickness, InvertedPartsAreMeasuredInside) {
  const Mesh mesh = test::flipped(test::box(Eigen::Vector3d(1, 1, 0.125)));
  const std::vector<std::uint8_t> isInverted(mesh.triangles.size(), 1);
  const Thickness thickness =
      leastThickness(mesh, topologyOf(mesh), buildTriangleBvh(mesh), isInverted);
  EXPECT_NEAR(thickness.least, 0.125, 1e-12);
}

TEST(Thickness, TurnsAndScalesWithTheBody) {
  Random random(6);
  const Mesh mesh = wedgePlate(0.05F, 0.1F);
  const double before = thicknessOf(mesh).least;
  for (int n = 0; n < 10; ++n) {
    const Mesh turned = test::transformed(
        mesh, Eigen::Translation3d(random.inCube(2.0)) * random.rotation() * Eigen::Scaling(3.0));
    EXPECT_NEAR(thicknessOf(turned).least / (3.0 * before), 1.0, 1e-4);
  }
}

TEST(Thickness, FarOriginIsKeptInThePlace) {
  Mesh mesh = test::box(Eigen::Vector3d(1, 1, 0.25));
  mesh.origin = {1e5, 0, -1e5};
  const Thickness thickness = thicknessOf(mesh);
  EXPECT_NEAR(thickness.least, 0.25, 1e-12);
  EXPECT_NEAR((thickness.place - mesh.origin).norm(), 0.0, 1.0);
}

TEST(Thickness, TrianglesWithoutAreaAreIgnored) {
  Mesh mesh = test::box(Eigen::Vector3d(1, 1, 0.25));
  mesh.triangles.push_back({0, 0, 7});
  mesh.triangles.push_back({0, 1, 1});
  EXPECT_NEAR(thicknessOf(mesh).least, 0.25, 1e-12);
  mesh.triangles = {{0, 0, 1}, {1, 1, 1}};
  EXPECT_EQ(thicknessOf(mesh).source, ThicknessSource::Unknown);
}

TEST(Thickness, AnyNumberOfThreadsFindsTheSame) {
  const Mesh mesh = test::torus(1.0, 0.25, 200, 60);
  const Thickness one = thicknessOf(mesh, 1);
  for (const unsigned threads : {2U, 5U}) {
    const Thickness more = thicknessOf(mesh, threads);
    EXPECT_EQ(one.least, more.least);
    EXPECT_EQ(one.place, more.place);
  }
}

TEST(Thickness, NothingHasNone) {
  EXPECT_EQ(thicknessOf(Mesh{}).source, ThicknessSource::Unknown);
}

}  // namespace
}  // namespace tactus::models
