// Surfaces that are hard to judge, and what is known of them without looking: the Euler number of a
// strip or bottle, the pages of a book, how figures grow with size. Repair must leave or mend them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "models/mesh/wording.hpp"
#include "models/report/mesh_report.hpp"
#include "models/report/repair.hpp"
#include "models/report/topology.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::models {
namespace {

/// Columns joined to a ring, the last to the first turned round; rows joined, too, if asked for.
Mesh turnedRing(std::uint32_t columns, std::uint32_t rows, bool joinsRows,
                const std::function<Eigen::Vector3d(double, double)>& at) {
  Mesh mesh;
  for (std::uint32_t i = 0; i < columns; ++i) {
    for (std::uint32_t j = 0; j < rows; ++j) {
      const double steps = joinsRows ? rows : rows - 1;
      mesh.positions.push_back(at(2.0 * std::numbers::pi * i / columns, j / steps).cast<float>());
    }
  }
  const auto vertex = [&](std::uint32_t i, std::uint32_t j) {
    if (i < columns) return i * rows + j % rows;
    return joinsRows ? (2 * rows - j) % rows : rows - 1 - j;
  };
  for (std::uint32_t i = 0; i < columns; ++i) {
    for (std::uint32_t j = 0; j + (joinsRows ? 0 : 1) < rows; ++j) {
      mesh.triangles.push_back({vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)});
      mesh.triangles.push_back({vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
    }
  }
  return mesh;
}

Mesh moebiusStrip() {
  return turnedRing(40, 4, false, [](double u, double v) {
    const double side = 0.3 * (2.0 * v - 1.0);
    const double reach = 1.0 + side * std::cos(0.5 * u);
    return Eigen::Vector3d(reach * std::cos(u), reach * std::sin(u), side * std::sin(0.5 * u));
  });
}

/// A figure of eight that turns round once by half while it goes about the axis.
Mesh kleinBottle() {
  return turnedRing(48, 24, true, [](double u, double v) {
    const double t = 2.0 * std::numbers::pi * v;
    const double across = std::cos(0.5 * u) * std::sin(t) - std::sin(0.5 * u) * std::sin(2.0 * t);
    const double up = std::sin(0.5 * u) * std::sin(t) + std::cos(0.5 * u) * std::sin(2.0 * t);
    const double reach = 2.0 + across;
    return Eigen::Vector3d(reach * std::cos(u), reach * std::sin(u), up);
  });
}

long eulerNumber(const Mesh& mesh) {
  const Topology topology = topologyOf(mesh);
  return static_cast<long>(topology.merged.count() + mesh.triangles.size()) -
         static_cast<long>(topology.edges.size());
}

/// Whether each edge is used as often in either direction, counted one by one; false without any.
bool isBalanced(const Mesh& mesh) {
  using Place = std::array<float, 3>;
  std::map<std::pair<Place, Place>, int> uses;
  for (const Triangle& t : mesh.triangles) {
    std::array<Place, 3> at{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Eigen::Vector3f& p = mesh.positions[t[k]];
      at[k] = {p.x(), p.y(), p.z()};
    }
    if (at[0] == at[1] || at[1] == at[2] || at[2] == at[0]) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      ++uses[{at[k], at[(k + 1) % 3]}];
      --uses[{at[(k + 1) % 3], at[k]}];
    }
  }
  return !uses.empty() &&
         std::ranges::all_of(uses, [](const auto& edge) { return edge.second == 0; });
}

std::string textOf(const Repaired& repaired) {
  std::string all;
  for (const RepairStep& step : repaired.steps)
    all.append(step.what).append("\n");
  return all;
}

bool says(const Repaired& repaired, const std::string& words) {
  return textOf(repaired).find(words) != std::string::npos;
}

TEST(HardMeshes, OneSidedSurfacesHaveNoOutsideAndAreLeft) {
  for (const bool isBottle : {false, true}) {
    const Mesh mesh = isBottle ? kleinBottle() : moebiusStrip();
    ASSERT_EQ(eulerNumber(mesh), 0);
    const MeshReport report = reportOn(mesh);
    EXPECT_FALSE(report.closed || report.outwardOriented);
    EXPECT_EQ(report.components, 1U);
    EXPECT_EQ(report.holes, isBottle ? 0U : 1U);
    EXPECT_EQ(report.boundaryEdges.count, isBottle ? 0U : 80U);
    EXPECT_EQ(report.misorientedEdges.count, isBottle ? 24U : 3U) << "along the seam";
    EXPECT_EQ(report.nonManifoldEdges.count, 0U);
    // the bottle's rings of eight cross themselves in their middles, the strip nowhere
    EXPECT_EQ(report.selfIntersections.count > 0, isBottle);
    EXPECT_EQ(report.solidity, Solidity::Open);
    const Repaired repaired = repair(mesh);
    EXPECT_TRUE(says(repaired, "one-sided"));
    EXPECT_EQ(repaired.mesh.triangles, mesh.triangles);
  }
}

/// Open pages of one edge, evenly spread around it; of one triangle each, or of two.
Mesh book(std::uint32_t pages, bool isOfTwo = true) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {0, 0, 1}};
  for (std::uint32_t page = 0; page < pages; ++page) {
    const double angle = 2.0 * std::numbers::pi * page / pages;
    const Eigen::Vector3f outer =
        Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.0).cast<float>();
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.emplace_back(outer);
    if (!isOfTwo) {
      mesh.triangles.push_back({0, first, 1});
      continue;
    }
    mesh.positions.emplace_back(outer + Eigen::Vector3f::UnitZ());
    mesh.triangles.push_back({0, first, first + 1});
    mesh.triangles.push_back({0, first + 1, 1});
  }
  return mesh;
}

TEST(HardMeshes, PagesThatCrossAtAnEdgeAreLeftOpen) {
  for (std::uint32_t pages = 3; pages <= 9; ++pages) {
    const Mesh mesh = book(pages);
    const MeshReport report = reportOn(mesh);
    EXPECT_EQ(report.nonManifoldEdges.count, 1U);
    EXPECT_EQ(report.boundaryEdges.count, 3U * pages);
    EXPECT_EQ(report.components, 1U);
    EXPECT_EQ(report.selfIntersections.count, 0U);
    EXPECT_FALSE(report.orientationKnown);
    const Repaired repaired = repair(mesh);
    EXPECT_EQ(repaired.mesh.triangles, mesh.triangles) << pages;
    EXPECT_EQ(says(repaired, say("left ", pages, " open sheets")), pages % 2 == 1);
    EXPECT_TRUE(says(repaired, "sheets cross at an edge there")) << pages;
  }
}

// Two sheets that cross along a line of edges, as a file of walls has them.
TEST(HardMeshes, SheetsThatCrossAreLeftOpen) {
  Mesh mesh;
  for (std::uint32_t i = 0; i < 4; ++i)
    mesh.positions.emplace_back(0.0F, 0.0F, static_cast<float>(i));
  for (const Eigen::Vector2f& out : {Eigen::Vector2f(1, 0), {0, 1}, {-1, 0}, {0, -1}}) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::uint32_t i = 0; i < 4; ++i)
      mesh.positions.emplace_back(out.x(), out.y(), static_cast<float>(i));
    for (std::uint32_t i = 0; i < 3; ++i) {
      mesh.triangles.push_back({i, first + i, first + i + 1});
      mesh.triangles.push_back({i, first + i + 1, i + 1});
    }
  }
  const Repaired repaired = repair(mesh);
  EXPECT_EQ(repaired.mesh.triangles, mesh.triangles);
  EXPECT_TRUE(says(repaired, "sheets cross at an edge there"));
}

// What is looked at in pairs takes a minute for these.
TEST(HardMeshes, ManyPagesAndWedgesOnOneEdgeTakeNoTime) {
  const Mesh pages = book(8000, false);
  EXPECT_EQ(repair(pages).mesh.triangles, pages.triangles);

  constexpr std::uint32_t kWedges = 4000;
  Mesh wedges;
  wedges.positions = {{0, 0, 0}, {0, 0, 1}};
  for (std::uint32_t w = 0; w < kWedges; ++w) {
    for (const double share : {0.0, 0.5}) {
      const double angle = 2.0 * std::numbers::pi * (w + share) / kWedges;
      wedges.positions.emplace_back(
          Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.5).cast<float>());
    }
    const std::uint32_t p = 2 + 2 * w;
    wedges.triangles.insert(wedges.triangles.end(),
                            {{0, 1, p + 1}, {0, p, 1}, {0, p + 1, p}, {1, p, p + 1}});
  }
  const MeshReport report = reportOn(wedges);
  EXPECT_EQ(report.nonManifoldEdges.count, 1U);
  EXPECT_EQ(report.invertedComponents, 0U);
  EXPECT_TRUE(report.outwardOriented);
  EXPECT_EQ(report.selfIntersections.count, 0U);
  EXPECT_TRUE(report.selfIntersectionsComplete);
  // a triangle of half a wedge's sine times a third of the edge
  const double volume = kWedges * std::sin(std::numbers::pi / kWedges) / 6.0;
  EXPECT_NEAR(report.signedVolume, volume, 1e-6);

  // one turned round is found among all others
  std::swap(wedges.triangles[401][0], wedges.triangles[401][1]);
  for (std::size_t t : {400U, 402U, 403U})
    std::swap(wedges.triangles[t][0], wedges.triangles[t][1]);
  EXPECT_EQ(reportOn(wedges).invertedComponents, 1U);
}

TEST(HardMeshes, SheetFoldedOntoItselfEnclosesNothing) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};  // cut along the other diagonal
  MeshReport report = reportOn(mesh);
  EXPECT_TRUE(report.closed);
  EXPECT_GT(report.selfIntersections.count, 0U);
  EXPECT_TRUE(report.isFlat());
  EXPECT_NEAR(report.mass.volume, 0.0, 1e-15);
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 2, 1}, {0, 3, 2}};  // each triangle and its back
  report = reportOn(mesh);
  EXPECT_EQ(report.duplicateTriangles.count, 2U);
  EXPECT_TRUE(report.isFlat());
}

// A body's figures follow its size and place, however small, large or far it is.
TEST(HardMeshes, FiguresFollowSizeAndPlace) {
  const Mesh ball = test::sphere(1.0, 12, 24);
  const MeshReport plain = reportOn(ball);
  for (const double size : {1e-9, 1e-3, 1e9}) {
    for (const double place : {0.0, 1e7}) {
      std::vector<Eigen::Vector3d> positions;
      positions.reserve(ball.positions.size());
      const Eigen::Vector3d offset(place * size, -place * size, place * size);
      for (const Eigen::Vector3f& p : ball.positions)
        positions.emplace_back(size * p.cast<double>() + offset);
      const Mesh mesh = meshFromPositions(positions, ball.triangles);
      const MeshReport report = reportOn(mesh);
      EXPECT_TRUE(report.isClean()) << size << " " << place << "\n" << toText(report);
      EXPECT_NEAR(report.mass.volume / std::pow(size, 3.0), plain.mass.volume, 1e-5);
      EXPECT_LT((report.mass.centre - offset).norm(), 1e-6 * size);
      EXPECT_NEAR(report.mass.inertia(0, 0) / std::pow(size, 5.0), plain.mass.inertia(0, 0), 1e-5);
      EXPECT_NEAR(report.minThickness / size, plain.minThickness, 1e-5);
      EXPECT_TRUE(repair(mesh).steps.empty());
    }
  }
}

TEST(HardMeshes, BallsThatTouchInOnePoint) {
  Mesh mesh = test::sphere();
  test::append(mesh, test::moved(test::sphere(), {0, 0, 2}));
  const MeshReport report = reportOn(mesh);
  EXPECT_TRUE(report.closed && report.outwardOriented);
  EXPECT_EQ(report.nonManifoldVertices.count, 1U);
  EXPECT_EQ(report.selfIntersections.count, 0U);
  EXPECT_EQ(report.components, 2U);
  EXPECT_NEAR(report.mass.volume, 2.0 * test::signedVolume(test::sphere()), 1e-6);
}

// A tangle of anything ends in a report and in a repair whose second round has nothing to do.
TEST(HardMeshes, AnythingGetsAReportAndARepair) {
  test::Random random(17);
  for (int i = 0; i < 1000; ++i) {
    Mesh mesh;
    const std::uint32_t points = 4 + random.index(12);
    for (std::uint32_t p = 0; p < points; ++p) {
      // on few places, so that edges and corners coincide
      const Eigen::Vector3d at(random.index(3), random.index(3), random.index(2));
      mesh.positions.push_back(at.cast<float>());
    }
    const std::uint32_t triangles = 1 + random.index(40);
    for (std::uint32_t t = 0; t < triangles; ++t) {
      mesh.triangles.push_back({random.index(points), random.index(points), random.index(points)});
    }
    const MeshReport report = reportOn(mesh);
    EXPECT_EQ(report.solidity == Solidity::Open, !isBalanced(mesh)) << i;
    EXPECT_FALSE(toText(report).empty());
    const Repaired repaired = repair(mesh);
    const MeshReport after = reportOn(repaired.mesh);
    if (report.isClean()) {
      EXPECT_TRUE(repaired.steps.empty());
    }
    EXPECT_LE(after.duplicateTriangles.count, report.duplicateTriangles.count) << i;
    const Repaired again = repair(repaired.mesh);
    EXPECT_TRUE(
        std::ranges::none_of(again.steps, [](const RepairStep& step) { return step.changesMesh; }))
        << i << ": " << textOf(again) << "after\n"
        << textOf(repaired);
    EXPECT_EQ(again.mesh.triangles, repaired.mesh.triangles) << i;
  }
}

}  // namespace
}  // namespace tactus::models
