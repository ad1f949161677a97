#include "models/report/mesh_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ios>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "models/report/self_intersection.hpp"
#include "models/report/shell_sides.hpp"
#include "tests/models/report/shuffled.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::models {
namespace {

using test::Random;
using test::shuffled;

std::string lastLine(const std::string& text) {
  const std::size_t end = text.size() - 1;  // the text ends with a line break
  return text.substr(text.rfind('\n', end - 1) + 1, end - text.rfind('\n', end - 1) - 1);
}

bool says(const MeshReport& report, const std::string& words) {
  return toText(report).find(words) != std::string::npos;
}

TEST(MeshReport, CleanSolidsAreClean) {
  for (const Mesh& mesh : {test::box(), test::sphere(), test::torus(), test::tetrahedron()}) {
    for (const Mesh& stored : {mesh, test::exploded(mesh)}) {
      const MeshReport report = reportOn(stored);
      EXPECT_TRUE(report.isClean()) << toText(report);
      EXPECT_EQ(report.components, 1U);
      EXPECT_EQ(report.distinctVertices, mesh.positions.size());
      EXPECT_EQ(report.vertices, stored.positions.size());
      EXPECT_EQ(report.triangles, mesh.triangles.size());
      EXPECT_TRUE(report.thicknessKnown);
      EXPECT_NEAR(report.mass.volume, test::signedVolume(mesh), 1e-12);
      EXPECT_EQ(lastLine(toText(report)), "Ready to pack.");
    }
  }
}

TEST(MeshReport, EmptyMesh) {
  const MeshReport report = reportOn(Mesh{});
  EXPECT_FALSE(report.closed);
  EXPECT_FALSE(report.outwardOriented);
  EXPECT_FALSE(report.isClean());
  EXPECT_FALSE(report.thicknessKnown);
  EXPECT_EQ(lastLine(toText(report)), "Empty: there is nothing to pack.");
}

TEST(MeshReport, OpenBowl) {
  const MeshReport report = reportOn(test::bowl(1.0, 16, 32));
  EXPECT_FALSE(report.closed);
  EXPECT_EQ(report.boundaryEdges.count, 32U);
  EXPECT_EQ(report.boundaryEdges.places.size(), kReportedPlaces);
  for (const Eigen::Vector3d& place : report.boundaryEdges.places)
    EXPECT_EQ(place.z(), 0.0);
  EXPECT_EQ(report.holes, 1U);
  EXPECT_EQ(report.misorientedEdges.count, 0U);
  EXPECT_EQ(report.selfIntersections.count, 0U);
  EXPECT_TRUE(report.outwardOriented);
  EXPECT_FALSE(report.thicknessKnown);
  EXPECT_TRUE(says(report, "--repair"));
}

TEST(MeshReport, MissingTriangle) {
  Mesh mesh = test::torus();
  mesh.origin = {100, 0, 0};
  const Triangle lost = mesh.triangles[77];
  mesh.triangles.erase(mesh.triangles.begin() + 77);
  const MeshReport report = reportOn(mesh);
  EXPECT_FALSE(report.closed);
  EXPECT_EQ(report.boundaryEdges.count, 3U);
  EXPECT_EQ(report.holes, 1U);
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const std::uint32_t v : lost)
    middle += mesh.position(v) / 3.0;
  for (const Eigen::Vector3d& place : report.boundaryEdges.places)
    EXPECT_LT((place - middle).norm(), 0.2);
}

TEST(MeshReport, FlippedTriangle) {
  Mesh mesh = test::torus();
  std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);
  const MeshReport report = reportOn(mesh);
  EXPECT_FALSE(report.closed);
  EXPECT_EQ(report.misorientedEdges.count, 3U);
  EXPECT_EQ(report.boundaryEdges.count, 0U);
  EXPECT_EQ(report.nonManifoldEdges.count, 0U);
  EXPECT_FALSE(report.outwardOriented);
  EXPECT_EQ(report.components, 1U);
}

TEST(MeshReport, InsideOut) {
  const MeshReport report = reportOn(test::flipped(test::torus()));
  EXPECT_TRUE(report.closed);
  EXPECT_EQ(report.invertedComponents, 1U);
  EXPECT_FALSE(report.outwardOriented);
  EXPECT_LT(report.mass.volume, 0.0);
  EXPECT_TRUE(report.thicknessKnown);
  EXPECT_NEAR(report.minThickness, 0.8, 0.05);  // of the tube, not of the hole
}

TEST(MeshReport, OneInvertedPartOfThree) {
  Mesh mesh = test::box();
  test::append(mesh, test::flipped(test::moved(test::sphere(), {5, 0, 0})));
  test::append(mesh, test::moved(test::torus(), {0, 5, 0}));
  const MeshReport report = reportOn(mesh);
  EXPECT_TRUE(report.closed);
  EXPECT_EQ(report.components, 3U);
  EXPECT_EQ(report.invertedComponents, 1U);
  EXPECT_FALSE(report.outwardOriented);
  EXPECT_EQ(report.selfIntersections.count, 0U);
}

// A ball in a hollow ball: wall, cavity, island. Turned round, each of them is wrong.
TEST(MeshReport, NestedPartsAlternate) {
  const std::vector<double> radii{3.0, 2.0, 1.0};
  for (int turned = 0; turned < 8; ++turned) {
    Mesh mesh;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < radii.size(); ++i) {
      const bool isInward = (turned >> i & 1) != 0;
      const Mesh ball = test::moved(test::sphere(radii[i]), {10, 20, 30});
      test::append(mesh, isInward ? test::flipped(ball) : ball);
      if (isInward != (i % 2 == 1)) ++wrong;
    }
    const MeshReport report = reportOn(mesh);
    EXPECT_EQ(report.invertedComponents, wrong) << turned;
    EXPECT_EQ(report.isClean(), wrong == 0) << turned;
  }
}

// The ray from the inner box's corner passes exactly through edges and corners of the outer one.
TEST(MeshReport, CavityInLineWithEdgesAndCorners) {
  for (const double y : {-0.5, 0.0, 0.5}) {
    for (const double z : {-0.5, 0.0, 0.5}) {
      Mesh mesh = test::box(Eigen::Vector3d(4, 4, 4));
      // a corner point at x = 2 pulled inward makes a concave outer wall with vertices in line
      test::append(mesh,
                   test::flipped(test::box(Eigen::Vector3d::Ones(), Eigen::Vector3d(0, y, z))));
      EXPECT_TRUE(reportOn(mesh).isClean());
      Mesh wrong = test::box(Eigen::Vector3d(4, 4, 4));
      test::append(wrong, test::box(Eigen::Vector3d::Ones(), Eigen::Vector3d(0, y, z)));
      EXPECT_EQ(reportOn(wrong).invertedComponents, 1U);
      // beside each other, sharing no point, with the ray through the other's corners
      Mesh beside = test::box(Eigen::Vector3d::Ones(), Eigen::Vector3d(-4, y, z));
      test::append(beside, test::box(Eigen::Vector3d::Ones(), Eigen::Vector3d(4, 0.5, 0.5)));
      EXPECT_EQ(reportOn(beside).invertedComponents, 0U);
    }
  }
}

// An open part is judged where its inside is clear, and makes no cavity of what is in it.
TEST(MeshReport, OpenPartsAreJudgedWhereTheInsideIsClear) {
  Mesh lidless = test::box();
  lidless.triangles.resize(10);
  for (const Mesh& mesh : {test::bowl(), lidless}) {
    const MeshReport right = reportOn(mesh);
    EXPECT_TRUE(right.outwardOriented && right.orientationKnown);
    EXPECT_EQ(right.invertedComponents, 0U);
    const MeshReport wrong = reportOn(test::flipped(mesh));
    EXPECT_FALSE(wrong.outwardOriented);
    EXPECT_TRUE(wrong.orientationKnown);
    EXPECT_EQ(wrong.invertedComponents, 1U);
    EXPECT_TRUE(says(wrong, "1 part inside out"));
    Mesh both = mesh;
    test::append(both, test::moved(test::flipped(mesh), {5, 0, 0}));
    EXPECT_EQ(reportOn(both).invertedComponents, 1U);
  }
  Mesh mesh = test::sphere(3.0);
  mesh.triangles.pop_back();
  test::append(mesh, test::box());
  EXPECT_EQ(reportOn(mesh).invertedComponents, 0U);
  // the hollow of a ball of which both surfaces have a hole may be right
  test::append(mesh, test::flipped(test::moved(lidless, {1, 1, 0})));
  EXPECT_EQ(reportOn(mesh).invertedComponents, 0U);
  EXPECT_FALSE(reportOn(mesh).orientationKnown);
}

// What no lid could close is not sent to a repair that has nothing to do; where nothing is open,
// the outside is unknown for another reason.
TEST(MeshReport, AdviceOnSheetsAndDuplicatesCanBeFollowed) {
  Mesh single;
  single.positions = {{0, 0, 0}, {1, 0, 0.1F}, {0, 1, 0.2F}, {1, 1, 0.3F}};
  single.triangles = {{0, 1, 2}};
  EXPECT_EQ(adviceOn(reportOn(single)), "A flat sheet: it encloses nothing that could be packed.");
  single.triangles.push_back({1, 3, 2});
  EXPECT_TRUE(reportOn(single).isSheet);
  single.positions[3].z() += 0.01F;
  EXPECT_EQ(adviceOn(reportOn(single)),
            "Open: run `tactus convert IN -o OUT --repair` before packing.");
  EXPECT_FALSE(reportOn(test::bowl()).isSheet);

  Mesh twice = test::sphere();
  test::append(twice, test::sphere());
  const MeshReport report = reportOn(twice);
  EXPECT_TRUE(says(report, "consistent, outward unknown as edges have more than two triangles"))
      << toText(report);
  EXPECT_FALSE(says(report, "open")) << toText(report);
  Mesh neighbours = test::box();
  test::append(neighbours, test::box({1, 1, 1}, {1, 0, 0}));
  for (const Mesh& mesh : {twice, neighbours}) {
    EXPECT_EQ(adviceOn(reportOn(mesh)),
              "Triangles lie on the corners of others: can be packed as it is, with the inside by "
              "winding number; `tactus convert IN -o OUT --repair` leaves what is needed of them.");
  }
}

// Two boxes that overlap by half: their walls are inside each other, and none is the solid's.
TEST(MeshReport, ThicknessIsNoWallInsideTheSolid) {
  Mesh mesh = test::box();
  test::append(mesh, test::box({1, 1, 1}, {0.5, 0.1, 0.1}));
  const MeshReport report = reportOn(mesh);
  EXPECT_TRUE(report.closed);
  EXPECT_FALSE(report.thicknessKnown);
  EXPECT_TRUE(says(report, "thinnest wall            unknown, as the surface meets itself"))
      << toText(report);
}

TEST(MeshReport, SheetsHaveNoOutside) {
  Mesh single;
  single.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  single.triangles = {{0, 1, 2}};
  Mesh fan = single;
  fan.positions.emplace_back(0.0F, 0.0F, 1.0F);
  fan.positions.emplace_back(0.0F, -1.0F, 0.5F);
  fan.triangles.push_back({0, 1, 3});
  fan.triangles.push_back({0, 1, 4});
  for (const Mesh& mesh : {single, test::flipped(single), fan, test::twistedBand()}) {
    const MeshReport report = reportOn(mesh);
    EXPECT_FALSE(report.outwardOriented);
    EXPECT_FALSE(report.orientationKnown);
    EXPECT_EQ(report.invertedComponents, 0U);
    EXPECT_TRUE(says(report, "consistent, outward unknown as it is open")) << toText(report);
  }
}

// Parts that overlap are not nested; each must be outward.
TEST(MeshReport, OverlappingPartsAreNotCavities) {
  Mesh mesh = test::box();
  test::append(mesh, test::box(Eigen::Vector3d::Ones(), Eigen::Vector3d(0.25, 0.3, 0.35)));
  EXPECT_EQ(reportOn(mesh).invertedComponents, 0U);
  mesh = test::box();
  test::append(mesh,
               test::flipped(test::box(Eigen::Vector3d::Ones(), Eigen::Vector3d(0.25, 0.3, 0.35))));
  EXPECT_EQ(reportOn(mesh).invertedComponents, 1U);
}

// A cavity that touches the outer wall from inside is still one.
TEST(MeshReport, CavityThatTouchesTheWall) {
  Mesh mesh = test::box(Eigen::Vector3d(4, 4, 4));
  test::append(mesh,
               test::flipped(test::box(Eigen::Vector3d(1, 1, 1), Eigen::Vector3d(1.5, 0, 0))));
  const MeshReport report = reportOn(mesh);
  EXPECT_EQ(report.invertedComponents, 0U);
  EXPECT_GT(report.selfIntersections.count, 0U);
}

// A ball through each face of a box, a little or more than half of it outside: outward is right in
// whatever order the triangles come. Inward, most of it inside is a cavity that pokes through the
// wall; most of it outside is a ball turned inside out.
TEST(MeshReport, BallThroughAFaceOfABox) {
  Random random(21);
  const auto inverted = [](const Mesh& first, const Mesh& second) {
    Mesh mesh = first;
    test::append(mesh, second);
    return reportOn(mesh).invertedComponents;
  };
  for (int face = 0; face < 6; ++face) {
    for (const double outside : {0.04, 0.1, 0.28, 0.5}) {  // of a diameter of 0.6
      Eigen::Vector3d centre = Eigen::Vector3d::Zero();
      centre[face / 2] = (face % 2 == 0 ? 1.0 : -1.0) * (0.5 - 0.3 + outside);
      const Mesh ball = test::moved(test::sphere(0.3, 16, 24), centre);
      Mesh backward = ball;
      std::reverse(backward.triangles.begin(), backward.triangles.end());
      for (const Mesh& ordered : {ball, backward, shuffled(ball, random)}) {
        EXPECT_EQ(inverted(test::box(), ordered), 0U) << face << " " << outside;
        EXPECT_EQ(inverted(test::box(), test::flipped(ordered)), outside < 0.3 ? 0U : 1U)
            << face << " " << outside;
      }
      EXPECT_EQ(inverted(ball, test::box()), 0U) << face << " " << outside;
    }
  }
}

// More corners than are asked, of which the pole alone looks out.
TEST(MeshReport, FineBallThatLooksOutOfABox) {
  const Mesh ball = test::moved(test::sphere(0.3, 80, 100), {0, 0, 0.2001});
  ASSERT_GT(ball.positions.size(), kMostWitnesses);
  for (const bool isFlipped : {false, true}) {
    Mesh mesh = test::box();
    test::append(mesh, isFlipped ? test::flipped(ball) : ball);
    EXPECT_EQ(reportOn(mesh).invertedComponents, 0U) << isFlipped;
  }
}

TEST(MeshReport, ThreePartsThatOverlap) {
  // a box, a ball half out of it, a smaller ball through the wall of the first, all outward
  Mesh mesh = test::box();
  test::append(mesh, test::moved(test::sphere(0.3, 24, 48), {0.45, 0, 0}));
  test::append(mesh, test::moved(test::sphere(0.1, 10, 20), {0.45, 0, 0.27}));
  EXPECT_EQ(reportOn(mesh).invertedComponents, 0U);
  // a cavity, and in it an island that has grown into the cavity's wall
  mesh = test::box({4, 4, 4});
  test::append(mesh, test::flipped(test::sphere(1.0, 16, 32)));
  test::append(mesh, test::moved(test::sphere(0.3, 12, 24), {0.8, 0, 0}));
  EXPECT_EQ(reportOn(mesh).invertedComponents, 0U);
  // beside them a ball that nothing meets: within the material, and so it should be a cavity
  test::append(mesh, test::moved(test::sphere(0.2, 8, 12), {-1.5, -1.5, -1.5}));
  EXPECT_EQ(reportOn(mesh).invertedComponents, 1U);
}

// Corners in the wall's plane, and corners that are the wall's own, say nothing of the side.
TEST(MeshReport, CavityThatTouchesAnyWallOrCorner) {
  for (int face = 0; face < 6; ++face) {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    centre[face / 2] = face % 2 == 0 ? 1.5 : -1.5;
    Mesh mesh = test::box({4, 4, 4});
    test::append(mesh, test::flipped(test::box({1, 1, 1}, centre)));
    EXPECT_EQ(reportOn(mesh).invertedComponents, 0U) << face;
    Mesh wrong = test::box({4, 4, 4});
    test::append(wrong, test::box({1, 1, 1}, centre));
    EXPECT_EQ(reportOn(wrong).invertedComponents, 1U) << face;
  }
  // a thin tetrahedron from the corner of the box into its inside; its first triangle is there
  Mesh corner = test::box({4, 4, 4}, {2, 2, 2});
  Mesh needle = test::tetrahedron();
  needle.positions = {{0, 0, 0}, {1, 1.1F, 1}, {1, 1, 1.1F}, {1.1F, 1, 1}};
  if (test::signedVolume(needle) > 0.0) needle = test::flipped(needle);
  test::append(corner, needle);
  EXPECT_EQ(reportOn(corner).invertedComponents, 0U);
  EXPECT_EQ(reportOn(corner).selfIntersections.count, 0U);
}

TEST(MeshReport, BowTieVertex) {
  Mesh mesh = test::box();
  test::append(mesh, test::box(Eigen::Vector3d::Ones(), Eigen::Vector3d(1, 1, 1)));
  const MeshReport report = reportOn(mesh);
  EXPECT_TRUE(report.closed);
  EXPECT_EQ(report.components, 2U);
  ASSERT_EQ(report.nonManifoldVertices.count, 1U);
  EXPECT_EQ(report.nonManifoldVertices.places[0], Eigen::Vector3d(0.5, 0.5, 0.5));
  EXPECT_EQ(report.selfIntersections.count, 0U);
  EXPECT_TRUE(report.outwardOriented);
  EXPECT_FALSE(report.isClean());
}

TEST(MeshReport, BoxesThatShareAnEdge) {
  Mesh mesh = test::box();
  test::append(mesh, test::box(Eigen::Vector3d::Ones(), Eigen::Vector3d(1, 1, 0)));
  MeshReport report = reportOn(mesh);
  EXPECT_FALSE(report.closed);
  ASSERT_EQ(report.nonManifoldEdges.count, 1U);
  EXPECT_EQ(report.nonManifoldEdges.places[0], Eigen::Vector3d(0.5, 0.5, 0));
  EXPECT_EQ(report.boundaryEdges.count, 0U);
  EXPECT_EQ(report.components, 1U);
  EXPECT_EQ(report.nonManifoldVertices.count, 0U);
  EXPECT_EQ(report.invertedComponents, 0U);
  // one of the two turned round is found although they are one component
  mesh = test::box();
  test::append(mesh, test::flipped(test::box(Eigen::Vector3d::Ones(), Eigen::Vector3d(1, 1, 0))));
  EXPECT_EQ(reportOn(mesh).invertedComponents, 1U);
}

TEST(MeshReport, FinOnAnEdge) {
  for (const int fins : {1, 2}) {
    Mesh mesh = test::box();
    for (int fin = 0; fin < fins; ++fin) {
      const auto tip = static_cast<std::uint32_t>(mesh.positions.size());
      mesh.positions.emplace_back(1.0F, 0.75F + static_cast<float>(fin), 0.0F);
      mesh.triangles.push_back({3, 7, tip});  // on the edge x = y = 0.5
    }
    const MeshReport report = reportOn(mesh);
    EXPECT_FALSE(report.closed);
    EXPECT_EQ(report.nonManifoldEdges.count, 1U) << fins;
    EXPECT_EQ(report.boundaryEdges.count, 2U * static_cast<std::size_t>(fins));
    EXPECT_EQ(report.components, 1U);
    EXPECT_EQ(report.invertedComponents, 0U);
    EXPECT_EQ(report.selfIntersections.count, 0U);
  }
}

TEST(MeshReport, DuplicateTriangles) {
  Mesh mesh = test::torus();
  const Triangle t = mesh.triangles[10];
  mesh.triangles.push_back({t[1], t[2], t[0]});
  mesh.triangles.push_back({t[1], t[0], t[2]});  // turned round
  const MeshReport report = reportOn(mesh);
  EXPECT_EQ(report.duplicateTriangles.count, 2U);
  EXPECT_EQ(report.nonManifoldEdges.count, 3U);
  EXPECT_EQ(report.selfIntersections.count, 0U);  // they are duplicates and nothing else
  EXPECT_FALSE(report.closed);
  EXPECT_EQ(reportOn(test::exploded(mesh)).duplicateTriangles.count, 2U);
}

TEST(MeshReport, DegenerateTriangleThatClosesTheSurface) {
  // the box's edge 0-1 split at its middle on one side, a triangle in a line on the other
  Mesh mesh = test::box();
  mesh.positions.emplace_back(0.0F, -0.5F, -0.5F);
  const auto face = std::find(mesh.triangles.begin(), mesh.triangles.end(), Triangle{0, 1, 5});
  ASSERT_NE(face, mesh.triangles.end());
  *face = {0, 8, 5};
  mesh.triangles.push_back({8, 1, 5});
  EXPECT_FALSE(reportOn(mesh).closed);
  mesh.triangles.push_back({0, 1, 8});
  const MeshReport report = reportOn(mesh);
  EXPECT_TRUE(report.closed) << toText(report);
  ASSERT_EQ(report.degenerateTriangles.count, 1U);
  EXPECT_EQ(report.degenerateTriangles.places[0].y(), -0.5);
  EXPECT_FALSE(report.isClean());
  // the T-junction itself: the two small triangles lie on the long edge of the one below
  EXPECT_EQ(report.selfIntersections.count, 2U);
}

TEST(MeshReport, ZeroWidthTrianglesAtThePoleDoNotOpen) {
  // each sector's own copy of the pole, and a quad's second triangle with both copies
  Mesh mesh = test::sphere(1.0, 6, 8);
  const std::size_t before = mesh.triangles.size();
  for (std::size_t t = 0; t < before; ++t) {
    if (mesh.triangles[t][0] != 0) continue;
    mesh.positions.push_back(mesh.positions[0]);
    mesh.triangles.push_back(
        {0, static_cast<std::uint32_t>(mesh.positions.size() - 1), mesh.triangles[t][1]});
  }
  const MeshReport report = reportOn(mesh);
  EXPECT_TRUE(report.closed);
  EXPECT_EQ(report.degenerateTriangles.count, 8U);
  EXPECT_EQ(report.duplicateTriangles.count, 0U);
  EXPECT_EQ(report.selfIntersections.count, 0U);
  EXPECT_EQ(report.components, 1U);
}

TEST(MeshReport, NearlyDegenerateIsNotDegenerate) {
  Mesh mesh = test::tetrahedron();
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0.5F, 0x1p-140F, 0}, {0.5F, 0, 0x1p-140F}};
  EXPECT_EQ(reportOn(mesh).degenerateTriangles.count, 0U);
  mesh.positions[2].y() = 0.0F;
  EXPECT_EQ(reportOn(mesh).degenerateTriangles.count, 1U);
}

// All pairs by the exact test of two triangles, which has its own tests against whole numbers.
std::size_t allPairs(const Mesh& mesh) {
  std::size_t pairs = 0;
  const auto corners = [&](std::size_t t) {
    return std::array{mesh.positions[mesh.triangles[t][0]], mesh.positions[mesh.triangles[t][1]],
                      mesh.positions[mesh.triangles[t][2]]};
  };
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (std::size_t j = i + 1; j < mesh.triangles.size(); ++j) {
      pairs += meetBeyondSharedSide(corners(i), corners(j)) ? 1U : 0U;
    }
  }
  return pairs;
}

TEST(MeshReport, CrossingSolids) {
  Mesh mesh = test::torus(1.0, 0.4, 24, 12);
  test::append(mesh, test::transformed(test::torus(1.0, 0.4, 24, 12),
                                       Eigen::Translation3d(0.5, 0, 0) *
                                           Eigen::AngleAxisd(1.2, Eigen::Vector3d::UnitX())));
  const MeshReport report = reportOn(mesh);
  EXPECT_TRUE(report.closed);
  EXPECT_TRUE(report.outwardOriented);
  EXPECT_EQ(report.components, 2U);
  EXPECT_GT(report.selfIntersections.count, 0U);
  EXPECT_EQ(report.selfIntersections.count, allPairs(mesh));
  EXPECT_TRUE(says(report, "meets itself"));
  for (const Eigen::Vector3d& place : report.selfIntersections.places) {
    EXPECT_LT((place - Eigen::Vector3d(0.5, 0, 0)).norm(), 1.5);
  }
}

// A box of 1 m, and one of 1 mm so far away that floats make a point of it.
TEST(MeshReport, DetailThatFloatsCannotHoldIsNamed) {
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;
  for (const auto& [size, place] : {std::pair{1.0, 0.0}, {1e-3, 1e6}}) {
    const auto first = static_cast<std::uint32_t>(positions.size());
    const Mesh box = test::box();
    for (const Eigen::Vector3f& p : box.positions)
      positions.emplace_back(size * p.cast<double>() + Eigen::Vector3d::Constant(place));
    for (const Triangle& t : box.triangles)
      triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  const MeshReport report = reportOn(meshFromPositions(positions, triangles));
  EXPECT_EQ(report.mergedByRounding, 7U);
  EXPECT_EQ(report.degenerateTriangles.count, 12U);
  EXPECT_TRUE(
      says(report,
           "merged by rounding     7 vertices nearer to another than floats tell apart: put "
           "far parts into files of their own\n"))
      << toText(report);
  EXPECT_FALSE(says(reportOn(test::box()), "rounding"));
}

TEST(MeshReport, UnusedVerticesAreCounted) {
  Mesh mesh = test::box();
  mesh.positions.emplace_back(3, 3, 3);
  mesh.positions.emplace_back(3, 3, 3);
  const MeshReport report = reportOn(mesh);
  EXPECT_EQ(report.unusedVertices, 2U);
  EXPECT_EQ(report.distinctVertices, 9U);
  EXPECT_TRUE(report.isClean());
}

/// All figures in one line, for comparisons to the bit.
std::string fingerprint(const MeshReport& r) {
  std::ostringstream text;
  text << toText(r) << std::hexfloat;
  for (const Flaw* flaw :
       {&r.boundaryEdges, &r.nonManifoldEdges, &r.nonManifoldVertices, &r.misorientedEdges,
        &r.duplicateTriangles, &r.degenerateTriangles, &r.selfIntersections}) {
    text << " " << flaw->count;
    for (const Eigen::Vector3d& place : flaw->places)
      text << " " << place.transpose();
  }
  text << " " << r.holes << " " << r.components << " " << r.invertedComponents << " "
       << r.minThickness << " " << r.thinnestPlace.transpose() << " " << r.mass.volume << " "
       << r.mass.centre.transpose() << " " << r.mass.inertia;
  return text.str();
}

Mesh everythingWrong() {
  Mesh mesh = test::torus(1.0, 0.4, 64, 32);
  test::append(mesh, test::moved(test::torus(1.0, 0.3, 50, 20), {0.7, 0.1, 0.05}));
  test::append(mesh, test::flipped(test::moved(test::box(), {5, 0, 0})));
  mesh.triangles.push_back(mesh.triangles[3]);
  std::swap(mesh.triangles[100][0], mesh.triangles[100][1]);
  mesh.triangles.erase(mesh.triangles.begin() + 200);
  mesh.triangles.push_back({0, 1, 1});
  return mesh;
}

TEST(MeshReport, IsTheSameForAnyNumberOfThreads) {
  for (const Mesh& mesh : {everythingWrong(), test::sphere(1.0, 100, 200)}) {
    const std::string one = fingerprint(reportOn(mesh, 1));
    for (const unsigned threads : {2U, 3U, 8U})
      EXPECT_EQ(fingerprint(reportOn(mesh, threads)), one);
  }
}

TEST(MeshReport, CountsDoNotDependOnOrderOrPlace) {
  Random random(8);
  const Mesh mesh = everythingWrong();
  const MeshReport before = reportOn(mesh);
  for (int n = 0; n < 5; ++n) {
    Mesh changed = mesh;
    for (std::size_t i = changed.triangles.size(); i > 1; --i)
      std::swap(changed.triangles[i - 1], changed.triangles[random.index(i)]);
    for (Triangle& t : changed.triangles)
      std::rotate(t.begin(), t.begin() + random.index(3), t.end());
    for (Eigen::Vector3f& p : changed.positions)
      p = Eigen::Vector3f(-p.z(), p.y(), p.x()) * 0.25F;
    changed.origin = {1, 2, 3};
    const MeshReport after = reportOn(test::exploded(changed));
    EXPECT_EQ(after.boundaryEdges.count, before.boundaryEdges.count);
    EXPECT_EQ(after.holes, before.holes);
    EXPECT_EQ(after.nonManifoldEdges.count, before.nonManifoldEdges.count);
    EXPECT_EQ(after.nonManifoldVertices.count, before.nonManifoldVertices.count);
    EXPECT_EQ(after.misorientedEdges.count, before.misorientedEdges.count);
    EXPECT_EQ(after.duplicateTriangles.count, before.duplicateTriangles.count);
    EXPECT_EQ(after.degenerateTriangles.count, before.degenerateTriangles.count);
    EXPECT_EQ(after.selfIntersections.count, before.selfIntersections.count);
    EXPECT_EQ(after.components, before.components);
    EXPECT_EQ(after.invertedComponents, before.invertedComponents);
  }
}

// Linked rings: closer than their tubes are thick, each through the other's hole, and yet apart.
TEST(MeshReport, LinkedRingsAreClean) {
  Mesh mesh = test::torus(1.0, 0.4, 24, 12);
  test::append(mesh, test::transformed(test::torus(1.0, 0.4, 24, 12),
                                       Eigen::Translation3d(1, 0, 0) *
                                           Eigen::AngleAxisd(1.2, Eigen::Vector3d::UnitX())));
  EXPECT_TRUE(reportOn(mesh).isClean());
}

TEST(MeshReportText, GoodMesh) {
  EXPECT_EQ(toText(reportOn(test::box(Eigen::Vector3d(0.5, 0.25, 0.125)))),
            R"(triangles                12
vertices                 8
size                     500 x 250 x 125 mm, diagonal 572.8 mm
components               1
closed                   yes
orientation              outward
self-intersections       none
thinnest wall            125 mm, at (-83.33, 41.67, 0) mm
volume                   0.01562 m³
centre of mass           (0, 0, 0) mm
inertia                  0.0001017   0           0
                         0           0.0003459   0
                         0           0           0.0004069  kg m² at 1 kg/m³

Ready to pack.
)");
}

// Whole-number places only, so that the text does not depend on the C library's angles.
TEST(MeshReportText, BadMesh) {
  Mesh mesh = test::box(Eigen::Vector3d(2, 2, 2));
  test::append(mesh, test::box(Eigen::Vector3d(2, 2, 2), Eigen::Vector3d(1, 1, 1)));
  test::append(mesh, test::flipped(test::box(Eigen::Vector3d(2, 2, 2), Eigen::Vector3d(8, 0, 0))));
  mesh.triangles.push_back(mesh.triangles[20]);
  mesh.triangles.push_back({3, 3, 7});
  mesh.triangles.erase(mesh.triangles.begin());
  EXPECT_EQ(toText(reportOn(mesh)), R"(triangles                37
vertices                 24
size                     10 x 3 x 3 m, diagonal 10.86 m
components               3
closed                   no, 1 hole
  boundary edges         3, first at (-1, -1, 0) m
  non-manifold edges     3, first at (0, 1, 0) m
orientation              1 part inside out
self-intersections       20 pairs of triangles, first at (1, 0, 0.5) m
duplicate triangles      1, at (0.6667, 1.333, 0) m
degenerate triangles     1, at (1, 1, -0.3333) m
volume                   unknown as long as it is not closed

Open: run `tactus convert IN -o OUT --repair` before packing.
)");
}

TEST(MeshReportText, SmallFarAndFewThings) {
  // 2 mm in size, 100 m from zero: the place needs more digits than the size has
  Mesh mesh = test::box(Eigen::Vector3d::Constant(0.002));
  mesh.origin = {100, 0, 0};
  mesh.triangles.pop_back();
  const std::string text = toText(reportOn(mesh));
  EXPECT_NE(text.find("size                     2 x 2 x 2 mm"), std::string::npos) << text;
  EXPECT_NE(text.find("boundary edges         3, first at (99.9"), std::string::npos) << text;
  EXPECT_NE(text.find("closed                   no, 1 hole\n"), std::string::npos) << text;
}

TEST(MeshReportText, SaysWhenTheCountIsOnlyALowerBound) {
  MeshReport report = reportOn(test::box());
  report.selfIntersectionsComplete = false;
  EXPECT_FALSE(report.isClean());
  EXPECT_TRUE(says(report, "given up"));
  report.selfIntersections = {1234567, {Eigen::Vector3d::Zero()}};
  EXPECT_TRUE(says(report, "at least 1 234 567 pairs of triangles"));
}

}  // namespace
}  // namespace tactus::models
