#include "models/report/thickness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "models/report/mesh_report.hpp"
#include "tests/models/report/shuffled.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::models {
namespace {

using test::Random;
using test::shuffled;

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

// --- solids that are thin at a crease or a tip, where no face shows it ---

/// Polygons (counter-clockwise seen from outside, convex) as triangles.
Mesh solid(const std::vector<Eigen::Vector3d>& corners,
           const std::vector<std::vector<std::uint32_t>>& polygons) {
  Mesh mesh;
  for (const Eigen::Vector3d& corner : corners)
    mesh.positions.push_back(corner.cast<float>());
  for (const std::vector<std::uint32_t>& polygon : polygons) {
    for (std::size_t i = 2; i < polygon.size(); ++i)
      mesh.triangles.push_back({polygon[0], polygon[i - 1], polygon[i]});
  }
  EXPECT_GT(test::signedVolume(mesh), 0.0);
  EXPECT_TRUE(reportOn(mesh).isClean());
  return mesh;
}

/// Two square pyramids whose points run into each other: a waist of the half width `w` at z = 0.
Mesh hourglass(double w) {
  return solid({{-1, -1, -1},
                {1, -1, -1},
                {1, 1, -1},
                {-1, 1, -1},
                {-w, -w, 0},
                {w, -w, 0},
                {w, w, 0},
                {-w, w, 0},
                {-1, -1, 1},
                {1, -1, 1},
                {1, 1, 1},
                {-1, 1, 1}},
               {{0, 3, 2, 1},
                {8, 9, 10, 11},
                {0, 1, 5, 4},
                {1, 2, 6, 5},
                {2, 3, 7, 6},
                {3, 0, 4, 7},
                {4, 5, 9, 8},
                {5, 6, 10, 9},
                {6, 7, 11, 10},
                {7, 4, 8, 11}});
}

/// A unit cube with a square pyramid pressed into its whole top, its tip `floor` above the bottom.
Mesh dented(double floor, double x = 0.5, double y = 0.5) {
  return solid({{0, 0, 0},
                {1, 0, 0},
                {1, 1, 0},
                {0, 1, 0},
                {0, 0, 1},
                {1, 0, 1},
                {1, 1, 1},
                {0, 1, 1},
                {x, y, floor}},
               {{0, 3, 2, 1},
                {0, 1, 5, 4},
                {1, 2, 6, 5},
                {2, 3, 7, 6},
                {3, 0, 4, 7},
                {4, 5, 8},
                {5, 6, 8},
                {6, 7, 8},
                {7, 4, 8}});
}

/// A profile of (radius, height), from the axis below to the axis above, turned about z.
Mesh turned(const std::vector<Eigen::Vector2d>& profile, std::uint32_t sectors) {
  std::vector<Eigen::Vector3d> corners = {{0, 0, profile.front().y()}, {0, 0, profile.back().y()}};
  const auto rings = static_cast<std::uint32_t>(profile.size() - 2);
  for (std::uint32_t ring = 1; ring <= rings; ++ring) {
    for (std::uint32_t s = 0; s < sectors; ++s) {
      const double angle = 2.0 * std::numbers::pi * s / sectors;
      corners.emplace_back(profile[ring].x() * std::cos(angle), profile[ring].x() * std::sin(angle),
                           profile[ring].y());
    }
  }
  const auto at = [&](std::uint32_t ring, std::uint32_t s) {
    return 2 + (ring - 1) * sectors + s % sectors;
  };
  std::vector<std::vector<std::uint32_t>> polygons;
  for (std::uint32_t s = 0; s < sectors; ++s) {
    polygons.push_back({0, at(1, s + 1), at(1, s)});
    polygons.push_back({1, at(rings, s), at(rings, s + 1)});
    for (std::uint32_t ring = 1; ring < rings; ++ring) {
      polygons.push_back({at(ring, s), at(ring, s + 1), at(ring + 1, s + 1)});
      polygons.push_back({at(ring, s), at(ring + 1, s + 1), at(ring + 1, s)});
    }
  }
  return solid(corners, polygons);
}

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
  return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
}

/// A counter-clockwise section in x and z, drawn out from y = 0 to `depth`; caps by clipping ears.
Mesh drawn(const std::vector<Eigen::Vector2d>& section, double depth) {
  std::vector<Eigen::Vector3d> corners;
  for (const Eigen::Vector2d& p : section) {
    corners.emplace_back(p.x(), 0.0, p.y());
    corners.emplace_back(p.x(), depth, p.y());
  }
  std::vector<std::vector<std::uint32_t>> polygons;
  const auto n = static_cast<std::uint32_t>(section.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t next = (i + 1) % n;
    polygons.push_back({2 * i, 2 * i + 1, 2 * next + 1, 2 * next});
  }
  std::vector<std::uint32_t> left;
  left.reserve(n);
  for (std::uint32_t i = 0; i < n; ++i)
    left.push_back(i);
  while (left.size() > 2) {
    const std::size_t before = left.size();
    for (std::size_t i = 0; i < left.size(); ++i) {
      const std::uint32_t a = left[(i + left.size() - 1) % left.size()];
      const std::uint32_t b = left[i];
      const std::uint32_t c = left[(i + 1) % left.size()];
      bool isEar = cross(section[a], section[b], section[c]) > 0.0;
      for (const std::uint32_t p : left) {
        isEar = isEar &&
                (p == a || p == b || p == c || cross(section[a], section[b], section[p]) < 0.0 ||
                 cross(section[b], section[c], section[p]) < 0.0 ||
                 cross(section[c], section[a], section[p]) < 0.0);
      }
      if (!isEar) continue;
      polygons.push_back({2 * a, 2 * b, 2 * c});
      polygons.push_back({2 * a + 1, 2 * c + 1, 2 * b + 1});
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
    if (left.size() == before) break;
  }
  EXPECT_EQ(left.size(), 2U);
  return solid(corners, polygons);
}

Mesh angleBlock() {
  return drawn({{0, 0}, {1, 0}, {1, 0.3}, {0.3, 0.3}, {0.3, 1}, {0, 1}}, 2.0);
}

/// Three steps of 1, the soffit along the slope, `throat` below the inner corners of the steps.
Mesh stairs(double throat) {
  const double c = throat * std::numbers::sqrt2;
  return drawn({{0, 0}, {0, -1 - c}, {3, 2 - c}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 0}}, 2.0);
}

/// A plate 0.2 thick with a groove that leaves `left` of it.
Mesh groovedPlate(double left) {
  return drawn({{0, 0}, {2, 0}, {2, 0.2}, {1.2, 0.2}, {1, left}, {0.8, 0.2}, {0, 0.2}}, 1.0);
}

/// A dent whose round wall has many facets, each of which hardly bends from the next.
Mesh roundDent(double floor) {
  return turned({{0, 0}, {1, 0}, {1, 1}, {0.6, 1}, {0, floor}}, 96);
}

/// A pyramid of which the tip lies `floor` from the bottom, in a dent from below as well: tip to
/// tip.
Mesh twoDents(double wall) {
  return turned({{0, -0.5 * wall}, {0.7, -1}, {1, -1}, {1, 1}, {0.7, 1}, {0, 0.5 * wall}}, 7);
}

void expectWall(const Mesh& mesh, double least, double tolerance = 1e-6) {
  const Thickness thickness = thicknessOf(mesh);
  EXPECT_EQ(thickness.source, ThicknessSource::FacingWall);
  EXPECT_NEAR(thickness.least / least, 1.0, tolerance);
}

TEST(Thickness, HourglassHasItsWaist) {
  for (const double w : {0.25, 0.1, 0.001}) {
    expectWall(hourglass(w), 2.0 * w);
    EXPECT_NEAR(thicknessOf(hourglass(w)).place.norm(), 0.0, w * 1.01);
  }
}

// The waist is a polygon: from edge to edge if the number of its corners is even, else from a
// corner to the edge across.
TEST(Thickness, RoundHourglassHasItsWaist) {
  for (const std::uint32_t sectors : {3U, 4U, 5U, 8U, 25U, 64U}) {
    const Mesh mesh = turned({{0, -1}, {1, -1}, {0.01, 0}, {1, 1}, {0, 1}}, sectors);
    const double inner = 0.01 * std::cos(std::numbers::pi / sectors);
    expectWall(mesh, sectors % 2 == 0 ? 2.0 * inner : 0.01 + inner, 1e-5);
  }
}

// The square dent's walls lean from the cube's sides by less than 30 degrees from a depth of 0.9
// on, which gives thicknesses of their own, but larger ones while triangles are as coarse as here.
TEST(Thickness, DentIsMeasuredFromItsTip) {
  for (const double floor : {0.1, 0.01, 0.001}) {
    expectWall(dented(floor), floor, 1e-5);
    EXPECT_NEAR(thicknessOf(dented(floor)).place.z(), 0.5 * floor, 1e-6);
    expectWall(dented(floor, 0.45, 0.55), floor, 1e-5);
  }
  for (const double floor : {0.3, 0.1, 0.01, 0.001}) {
    expectWall(roundDent(floor), floor, 1e-5);
    expectWall(refined(refined(roundDent(floor))), floor, 1e-4);
  }
}

// The plate's bottom rises by 6 degrees towards one end: no local minimum, yet it is thin there.
// Triangles that touch the edge do not count, so it is measured a little before the end.
TEST(Thickness, SlopingGrooveIsMeasuredAtItsEnd) {
  Mesh mesh = groovedPlate(0.15);
  for (Eigen::Vector3f& p : mesh.positions) {
    if (p.y() == 0.0F && p.z() == 0.0F) p.z() = 0.1F;
  }
  ASSERT_TRUE(reportOn(mesh).isClean());
  expectWall(mesh, 0.05, 0.02);
  expectWall(refined(refined(mesh)), 0.05, 0.02);
}

TEST(Thickness, TwoDentsAreMeasuredFromTipToTip) {
  for (const double wall : {0.2, 0.01})
    expectWall(twoDents(wall), wall, 1e-5);
}

TEST(Thickness, GrooveIsMeasuredFromItsEdge) {
  for (const double left : {0.1, 0.03, 0.002}) {
    expectWall(groovedPlate(left), left, 1e-4);
    expectWall(refined(refined(groovedPlate(left))), left, 1e-4);
  }
}

TEST(Thickness, StairsHaveTheirThroat) {
  for (const double throat : {0.5, 0.2, 0.05}) {
    expectWall(stairs(throat), throat, 1e-5);
    expectWall(refined(stairs(throat)), throat, 1e-5);
  }
}

// The inner edge ends at the end faces, and fine triangles come close to it there.
TEST(Thickness, CreaseThatEndsAtAFaceIsNotThinThere) {
  Mesh mesh = angleBlock();
  for (int n = 0; n < 4; ++n) {
    expectWall(mesh, 0.3);
    mesh = refined(mesh);
  }
}

TEST(Thickness, PartsThatTouchInAPointHaveWidthsOfTheirOwn) {
  Mesh mesh = test::tetrahedron();
  test::append(mesh, test::flipped(test::transformed(test::tetrahedron(), Eigen::Scaling(-1.0))));
  const Thickness bowTie = thicknessOf(mesh);
  EXPECT_EQ(bowTie.source, ThicknessSource::Width);
  EXPECT_NEAR(bowTie.least, 1.0 / std::sqrt(3.0), 1e-6);
  test::append(mesh, test::moved(test::tetrahedron(0.125), {3, 3, 3}));
  EXPECT_NEAR(thicknessOf(mesh).least, 0.125 / std::sqrt(3.0), 1e-6);
}

TEST(Thickness, PartWithoutWallsCountsBesidesOneWithWalls) {
  Mesh mesh = test::box();
  test::append(mesh, test::moved(test::tetrahedron(0.5), {3, 0, 0}));
  const Thickness thickness = thicknessOf(mesh);
  EXPECT_EQ(thickness.source, ThicknessSource::Width);
  EXPECT_NEAR(thickness.least, 0.5 / std::sqrt(3.0), 1e-6);
}

TEST(Thickness, HollowHasNoWidth) {
  Mesh mesh = test::box(Eigen::Vector3d(4, 4, 4));
  test::append(mesh, test::flipped(test::box(Eigen::Vector3d(0.5, 0.5, 0.5))));
  expectWall(mesh, 1.75);
}

TEST(Thickness, InvertedWaistIsMeasuredInside) {
  const Mesh mesh = test::flipped(hourglass(0.1));
  const std::vector<std::uint8_t> isInverted(mesh.triangles.size(), 1);
  EXPECT_NEAR(leastThickness(mesh, topologyOf(mesh), buildTriangleBvh(mesh), isInverted).least, 0.2,
              1e-6);
}

TEST(Thickness, CreasesTurnScaleAndShuffleWithTheBody) {
  struct Case {
    Mesh mesh;
    double least;
  };
  const Case cases[] = {{hourglass(0.05), 0.1}, {dented(0.1), 0.1},         {angleBlock(), 0.3},
                        {stairs(0.2), 0.2},     {groovedPlate(0.05), 0.05}, {roundDent(0.1), 0.1},
                        {twoDents(0.1), 0.1}};
  Random random(11);
  for (const Case& one : cases) {
    for (int n = 0; n < 4; ++n) {
      expectWall(shuffled(one.mesh, random), one.least, 1e-5);
      const double size = n % 2 == 0 ? 1e-3 : 40.0;
      const Mesh turned =
          test::transformed(one.mesh, Eigen::Translation3d(size * random.inCube(1.0)) *
                                          random.rotation() * Eigen::Scaling(size));
      expectWall(turned, size * one.least, 1e-4);
    }
  }
}

TEST(Thickness, AnyNumberOfThreadsFindsTheSameAtCreases) {
  const Mesh mesh = refined(refined(refined(refined(stairs(0.2)))));
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
