// Mesh as a value: bounds, bytes, scaling and where its origin lies.
#include "models/mesh/mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/models/test_meshes.hpp"

namespace tactus::models {
namespace {

using test::Random;

TEST(Bounds, DefaultIsEmptyAndHasNoDiagonal) {
  const Bounds nothing;
  EXPECT_TRUE(nothing.isEmpty());
  EXPECT_EQ(nothing.diagonal(), 0.0);
  const Bounds point{Eigen::Vector3d(1, 2, 3), Eigen::Vector3d(1, 2, 3)};
  EXPECT_FALSE(point.isEmpty());
  EXPECT_EQ(point.diagonal(), 0.0);
  EXPECT_EQ(point.centre(), Eigen::Vector3d(1, 2, 3));
  Bounds turned{Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(1, -1, 1)};
  EXPECT_TRUE(turned.isEmpty()) << "one axis the wrong way is enough";
}

TEST(Mesh, BoundsAreOfTheSurface) {
  EXPECT_TRUE(Mesh().bounds().isEmpty());
  Mesh mesh = test::box({2, 4, 6});
  mesh.origin = {10, 20, 30};
  EXPECT_EQ(mesh.bounds().lower, Eigen::Vector3d(9, 18, 27));
  EXPECT_EQ(mesh.bounds().upper, Eigen::Vector3d(11, 22, 33));
  EXPECT_EQ(mesh.bounds().centre(), mesh.origin);
  EXPECT_DOUBLE_EQ(mesh.bounds().diagonal(), std::sqrt(4.0 + 16.0 + 36.0));
  mesh.positions.emplace_back(0.0F, 0.0F, 100.0F);  // no triangle names it
  EXPECT_EQ(mesh.bounds().upper.z(), 33.0);
  mesh.triangles.clear();
  EXPECT_EQ(mesh.bounds().upper.z(), 130.0) << "points alone are all there is";
}

// A point left over 10 km away would take all digits of a ball's.
TEST(Mesh, OriginIsTheSurfacesAndNotThatOfAPointLeftOver) {
  const Mesh box = test::box({0.06, 0.06, 0.06});
  std::vector<Eigen::Vector3d> positions;
  positions.reserve(box.positions.size() + 1);
  for (std::uint32_t v = 0; v < box.positions.size(); ++v)
    positions.push_back(box.position(v));
  positions.emplace_back(1e4, 0.0, 0.0);
  Mesh mesh = meshFromPositions(positions, box.triangles);
  for (std::uint32_t v = 0; v < box.positions.size(); ++v)
    EXPECT_EQ(mesh.position(v), box.position(v)) << v;
  fitToDiagonal(mesh, 2.0);
  EXPECT_NEAR(mesh.bounds().diagonal(), 2.0, 1e-6);
}

TEST(Mesh, BytesCountWhatIsUsed) {
  Mesh mesh = test::box();
  EXPECT_EQ(mesh.bytes(), 8U * 12 + 12U * 12);
  mesh.positions.reserve(1000);
  mesh.triangles.reserve(1000);
  EXPECT_EQ(mesh.bytes(), 8U * 12 + 12U * 12);
  EXPECT_EQ(Mesh().bytes(), 0U);
}

TEST(Mesh, PositionAddsTheOrigin) {
  Mesh mesh = test::tetrahedron();
  mesh.origin = {1e6, 0, -1};
  EXPECT_EQ(mesh.position(1), Eigen::Vector3d(1e6 + 1.0, 0, -1));
}

TEST(Scale, MultipliesAboutTheCoordinateOrigin) {
  Mesh mesh = test::box({1, 2, 4});
  mesh.origin = {8, 0, -2};
  const double volume = test::signedVolume(mesh);
  scale(mesh, 0.25);
  EXPECT_EQ(mesh.origin, Eigen::Vector3d(2, 0, -0.5));
  EXPECT_EQ(mesh.bounds().lower, Eigen::Vector3d(2 - 0.125, -0.25, -1));
  EXPECT_DOUBLE_EQ(test::signedVolume(mesh), volume / 64.0);
}

TEST(Scale, ByPowersOfTwoIsExactAndComesBack) {
  Random random(3);
  const Mesh before = test::transformed(test::torus(), random.pose(1.0));
  Mesh mesh = before;
  scale(mesh, 1024.0);
  scale(mesh, 1.0 / 1024.0);
  EXPECT_EQ(mesh.positions, before.positions);
  EXPECT_EQ(mesh.triangles, before.triangles);
}

TEST(FitToDiagonal, GivesTheDiagonalAboutTheOrigin) {
  Random random(4);
  for (const double diagonal : {1e-3, 1.0, 250.0}) {
    Mesh mesh = test::transformed(test::torus(), random.pose(5.0));
    mesh.origin = random.inCube(100.0);
    const auto triangles = mesh.triangles;
    fitToDiagonal(mesh, diagonal);
    // Float positions: half an ulp a coordinate, 6e-8 of the size.
    EXPECT_NEAR(mesh.bounds().diagonal(), diagonal, 2e-7 * diagonal);
    EXPECT_LT(mesh.bounds().centre().norm(), 2e-7 * diagonal);
    EXPECT_EQ(mesh.origin, Eigen::Vector3d::Zero());
    EXPECT_EQ(mesh.triangles, triangles);
  }
}

TEST(FitToDiagonal, KeepsProportions) {
  Mesh mesh = test::box({3, 4, 12}, {7, -8, 9});  // diagonal 13
  fitToDiagonal(mesh, 26.0);
  const Eigen::Vector3d size = mesh.bounds().upper - mesh.bounds().lower;
  EXPECT_NEAR((size - Eigen::Vector3d(6, 8, 24)).norm(), 0.0, 1e-5);
}

TEST(FitToDiagonal, LeavesWhatHasNoExtent) {
  Mesh empty;
  fitToDiagonal(empty, 1.0);
  EXPECT_TRUE(empty.positions.empty());

  Mesh point;
  point.origin = {5, 6, 7};
  point.positions.assign(3, Eigen::Vector3f(1, 2, 3));
  point.triangles = {{0, 1, 2}};
  fitToDiagonal(point, 1.0);
  EXPECT_EQ(point.origin, Eigen::Vector3d(5, 6, 7));
  EXPECT_EQ(point.positions.front(), Eigen::Vector3f(1, 2, 3));
}

TEST(FitToDiagonal, KeepsTheDetailOfAnObjectFarAway) {
  // A cube of 1 m, 10 000 km from zero: its floats are relative to its origin, and so is the fit.
  Mesh mesh = test::box({1, 1, 1});
  mesh.origin = {1e7, -1e7, 1e7};
  fitToDiagonal(mesh, std::sqrt(3.0));
  for (std::uint32_t v = 0; v < 8; ++v) {
    EXPECT_NEAR(mesh.position(v).cwiseAbs().maxCoeff(), 0.5, 1e-7);
  }
}

TEST(MeshFromPositions, KeepsFloatsToTheBitNearZero) {
  Random random(5);
  std::vector<Eigen::Vector3d> positions;
  positions.reserve(100);
  for (int i = 0; i < 100; ++i) {
    positions.push_back(random.inCube(1.0).cast<float>().cast<double>());
  }
  const Mesh mesh = meshFromPositions(positions, {{0, 1, 2}});
  EXPECT_EQ(mesh.origin, Eigen::Vector3d::Zero());
  for (std::uint32_t v = 0; v < 100; ++v)
    EXPECT_EQ(mesh.position(v), positions[v]);
  ASSERT_EQ(mesh.triangles.size(), 1U);
  EXPECT_EQ(mesh.triangles[0], (Triangle{0, 1, 2}));
}

TEST(MeshFromPositions, MovesTheOriginOnlyBeyondFourDiagonals) {
  // A unit segment along x: diagonal 1. Furthest coordinate 4 stays at zero, just above moves.
  const Mesh near = meshFromPositions({{3, 0, 0}, {4, 0, 0}}, {});
  EXPECT_EQ(near.origin, Eigen::Vector3d::Zero());
  const Mesh far = meshFromPositions({{3.0625, 0, 0}, {4.0625, 0, 0}}, {});
  EXPECT_EQ(far.origin, Eigen::Vector3d(3.5625, 0, 0));
  const Mesh farNegative = meshFromPositions({{-3.0625, 0, 0}, {-4.0625, 0, 0}}, {});
  EXPECT_EQ(farNegative.origin, Eigen::Vector3d(-3.5625, 0, 0));
}

TEST(MeshFromPositions, KeepsDetailFarFromZero) {
  const Eigen::Vector3d place(4.0e6, 5.0e6, 1.0e3);  // survey coordinates of a 0.1 m object
  Random random(6);
  std::vector<Eigen::Vector3d> positions;
  positions.reserve(100);
  for (int i = 0; i < 100; ++i)
    positions.emplace_back(place + random.inCube(0.05));
  const Mesh mesh = meshFromPositions(positions, {});
  double worst = 0.0;
  for (std::uint32_t v = 0; v < 100; ++v) {
    worst = std::max(worst, (mesh.position(v) - positions[v]).norm());
  }
  // Floats of 0.05 m hold 2e-9 m; doubles of 5e6 m hold 1e-9 m. Floats of 5e6 m would lose 0.25 m.
  EXPECT_LT(worst, 1e-8);
}

TEST(MeshFromPositions, CountsVerticesThatRoundingMakesOne) {
  // floats beside 1 are 6e-8 or 1.2e-7 apart
  const std::vector<Eigen::Vector3d> apart = {{0, 0, 0}, {1, 0, 0}, {1 + 1e-6, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(meshFromPositions(apart, {}).mergedByRounding, 0U);  // equal ones were equal before
  const std::vector<Eigen::Vector3d> together = {{0, 0, 0},    {1, 0, 0},        {1 + 1e-9, 0, 0},
                                                 {1, 1e-9, 0}, {1, -1e-9, 1e-9}, {1 - 1e-9, 0, 0}};
  EXPECT_EQ(meshFromPositions(together, {}).mergedByRounding, 2U);  // along x alone
  // 0 and -0 are one position, before and after
  EXPECT_EQ(meshFromPositions({{0.1, 0, 0}, {0.1, -0.0, 0}}, {}).mergedByRounding, 0U);
}

TEST(Scale, CountsVerticesThatRoundingMakesOne) {
  // neighbours below 2 become one where floats are twice as far apart
  Mesh mesh;
  for (float x = 1.9F; mesh.positions.size() < 100; x = std::nextafter(x, 2.0F))
    mesh.positions.emplace_back(x, 0.0F, 0.0F);
  Mesh doubled = mesh;
  scale(doubled, 2.0);
  EXPECT_EQ(doubled.mergedByRounding, 0U);
  scale(mesh, 1.1);
  std::vector<float> left;
  left.reserve(mesh.positions.size());
  for (const Eigen::Vector3f& p : mesh.positions)
    left.push_back(p.x());
  left.erase(std::unique(left.begin(), left.end()), left.end());
  EXPECT_GT(mesh.mergedByRounding, 0U);
  EXPECT_EQ(mesh.mergedByRounding, 100U - left.size());
}

TEST(FitToDiagonal, CountsVerticesThatRoundingMakesOne) {
  // detail of 1e-9 at zero is lost when the centre of the box comes to be there
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1e-9F, 0, 0}, {2, 0, 0}};
  fitToDiagonal(mesh, 2.0);
  EXPECT_EQ(mesh.mergedByRounding, 1U);
}

TEST(MeshFromPositions, EmptyAndSinglePoint) {
  EXPECT_TRUE(meshFromPositions({}, {}).positions.empty());
  const Mesh point = meshFromPositions({{7, 8, 9}}, {});
  EXPECT_EQ(point.position(0), Eigen::Vector3d(7, 8, 9));
}

TEST(MeshFromPositions, SurvivesTheLargestExtentThatIsAllowed) {
  const Mesh mesh = meshFromPositions({{-5e29, 0, 0}, {5e29, 0, 0}}, {});
  EXPECT_TRUE(mesh.positions[0].allFinite());
  EXPECT_TRUE(mesh.positions[1].allFinite());
  EXPECT_NEAR(mesh.bounds().diagonal(), 1e30, 1e23);
}

}  // namespace
}  // namespace tactus::models
