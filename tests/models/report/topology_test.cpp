#include "models/report/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tests/models/test_meshes.hpp"

namespace tactus::models {
namespace {

using test::Random;

std::size_t edgesWithUses(const Topology& topology, std::uint32_t uses) {
  return static_cast<std::size_t>(
      std::count_if(topology.edges.begin(), topology.edges.end(),
                    [uses](const Edge& edge) { return edge.useCount == uses; }));
}

bool allPaired(const Topology& topology) {
  return std::all_of(topology.edges.begin(), topology.edges.end(),
                     [&](const Edge& edge) { return topology.isPaired(edge); });
}

Mesh meshOf(std::vector<Eigen::Vector3f> positions, std::vector<Triangle> triangles) {
  Mesh mesh;
  mesh.positions = std::move(positions);
  mesh.triangles = std::move(triangles);
  return mesh;
}

TEST(Topology, MergesEqualPositionsAndOnlyThose) {
  const Mesh mesh =
      meshOf({{0, 0, 0}, {1, 0, 0}, {-0.0F, 0, -0.0F}, {0x1p-149F, 0, 0}, {1, 0, 0}}, {});
  const MergedPositions merged = mergeEqualPositions(mesh);
  EXPECT_EQ(merged.ofVertex, (std::vector<std::uint32_t>{0, 1, 0, 2, 1}));
  EXPECT_EQ(merged.firstVertex, (std::vector<std::uint32_t>{0, 1, 3}));
}

TEST(Topology, MergeAgreesWithAnOrderedMap) {
  Random random(3);
  Mesh mesh;
  for (int v = 0; v < 5'000; ++v) {
    const auto x = static_cast<float>(random.index(15));
    const auto y = static_cast<float>(random.index(15));
    mesh.positions.emplace_back(x, y, static_cast<float>(random.index(15)) * 0x1p-100F);
  }
  const MergedPositions merged = mergeEqualPositions(mesh);
  std::map<std::vector<float>, std::uint32_t> numbers;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Eigen::Vector3f& p = mesh.positions[v];
    const auto known = numbers.try_emplace({p.x(), p.y(), p.z()}, numbers.size()).first;
    ASSERT_EQ(merged.ofVertex[v], known->second);
  }
  EXPECT_EQ(merged.count(), numbers.size());
}

TEST(Topology, EdgesOfClosedSolidsArePaired) {
  for (const Mesh& mesh : {test::box(), test::sphere(), test::torus(), test::tetrahedron()}) {
    for (const Mesh& stored : {mesh, test::exploded(mesh)}) {
      const Topology topology = topologyOf(stored);
      EXPECT_TRUE(allPaired(topology));
      EXPECT_EQ(topology.edges.size(), stored.triangles.size() * 3 / 2);
      EXPECT_EQ(partsOf(topology, Joint::AnyEdge).count, 1U);
      EXPECT_TRUE(boundaryLoops(topology).empty());
      for (const std::uint32_t fans : fansOf(topology))
        EXPECT_EQ(fans, 1U);
    }
  }
}

// Every side is in exactly one edge, and that edge has its ends; on meshes full of degeneracy.
TEST(Topology, EdgeTableAgreesWithAnOrderedMap) {
  Random random(5);
  for (int n = 0; n < 50; ++n) {
    Mesh mesh;
    for (int v = 0; v < 12; ++v)
      mesh.positions.emplace_back(static_cast<float>(random.index(9)), 0.0F, 0.0F);
    for (int t = 0; t < 30; ++t) {
      const std::uint32_t a = random.index(12);
      const std::uint32_t b = random.index(12);
      mesh.triangles.push_back({a, b, random.index(12)});
    }
    const Topology topology = topologyOf(mesh);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> expected;
    for (std::uint32_t side = 0; side < 90; ++side) {
      if (topology.isCollapsed(side / 3)) {
        EXPECT_EQ(topology.edgeOfSide[side], kNone);
        continue;
      }
      expected[std::minmax(topology.startOf(side), topology.endOf(side))].push_back(side);
    }
    ASSERT_EQ(topology.edges.size(), expected.size());
    std::size_t e = 0;
    for (const auto& [ends, sides] : expected) {
      const Edge& edge = topology.edges[e];
      EXPECT_EQ(std::pair(edge.low, edge.high), ends);
      ASSERT_EQ(edge.useCount, sides.size());
      for (std::uint32_t u = 0; u < edge.useCount; ++u) {
        EXPECT_EQ(topology.uses[edge.firstUse + u], sides[u]);
        EXPECT_EQ(topology.edgeOfSide[sides[u]], e);
      }
      ++e;
    }
  }
}

TEST(Topology, CollapsedTrianglesAreOnNoEdge) {
  // zero-width triangles along the seam of the box: equal corners, stored as different vertices
  Mesh mesh = test::box();
  mesh.positions.push_back(mesh.positions[0]);
  mesh.triangles.push_back({0, 8, 4});
  mesh.triangles.push_back({8, 0, 0});
  const Topology topology = topologyOf(mesh);
  EXPECT_TRUE(allPaired(topology));
  EXPECT_TRUE(topology.isCollapsed(12));
  EXPECT_EQ(partsOf(topology, Joint::AnyEdge).ofTriangle[12], kNone);
}

TEST(Topology, TriangleInALineJoinsLikeAnyOther) {
  // a square whose lower edge 0-1 is split at 4 on the other side: the triangle in a line closes it
  const Mesh mesh = meshOf({{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, -1, 0}, {1, 0, 0}},
                           {{0, 1, 2}, {0, 3, 4}, {4, 3, 1}, {0, 4, 1}});
  const Topology topology = topologyOf(mesh);
  EXPECT_EQ(partsOf(topology, Joint::AnyEdge).count, 1U);
  EXPECT_EQ(boundaryLoops(topology).size(), 1U);
}

TEST(Topology, PartsAreJoinedByEdgesOnly) {
  // two triangles that touch in a corner, a third one that shares an edge with the second
  const Mesh mesh = meshOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {-1, -1, 0}},
                           {{0, 1, 2}, {0, 3, 4}, {3, 5, 4}});
  const Parts parts = partsOf(topologyOf(mesh), Joint::AnyEdge);
  EXPECT_EQ(parts.count, 2U);
  EXPECT_EQ(parts.ofTriangle, (std::vector<std::uint32_t>{0, 1, 1}));
}

TEST(Topology, BoxesThatShareAnEdgeAreOneComponentOfTwoShells) {
  Mesh mesh = test::box();
  test::append(mesh, test::box(Eigen::Vector3d::Ones(), Eigen::Vector3d(1, 1, 0)));
  const Topology topology = topologyOf(mesh);
  EXPECT_EQ(edgesWithUses(topology, 4), 1U);
  EXPECT_EQ(partsOf(topology, Joint::AnyEdge).count, 1U);
  EXPECT_EQ(partsOf(topology, Joint::TwoUsesOnly).count, 2U);
}

TEST(Topology, BowTieVertexHasTwoFans) {
  Mesh mesh = test::tetrahedron();
  test::append(mesh, test::transformed(test::tetrahedron(), Eigen::Scaling(-1.0, -1.0, 1.0)));
  // both have the z axis edge in common; shift so that only the corner at the origin is shared
  for (std::uint32_t v = 4; v < 8; ++v)
    if (mesh.positions[v].z() > 0) mesh.positions[v].z() = -1.0F;
  const std::vector<std::uint32_t> fans = fansOf(topologyOf(mesh));
  EXPECT_EQ(std::count(fans.begin(), fans.end(), 2U), 1);
  EXPECT_EQ(fans[0], 2U);
}

TEST(Topology, UnusedPositionsHaveNoFan) {
  Mesh mesh = test::box();
  mesh.positions.emplace_back(9, 9, 9);
  EXPECT_EQ(fansOf(topologyOf(mesh)).back(), 0U);
}

TEST(BoundaryLoops, BowlHasOneRimInFillingOrder) {
  const Mesh bowl = test::bowl(1.0, 8, 12);
  const Topology topology = topologyOf(bowl);
  const std::vector<BoundaryLoop> loops = boundaryLoops(topology);
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_TRUE(loops[0].isClosed);
  EXPECT_EQ(loops[0].positions.size(), 12U);
  // filled by a fan in the order of the loop, the surface is closed
  Mesh filled = bowl;
  const auto& rim = loops[0].positions;
  for (std::size_t i = 1; i + 1 < rim.size(); ++i) {
    filled.triangles.push_back({topology.merged.firstVertex[rim[0]],
                                topology.merged.firstVertex[rim[i]],
                                topology.merged.firstVertex[rim[i + 1]]});
  }
  EXPECT_TRUE(allPaired(topologyOf(filled)));
}

TEST(BoundaryLoops, HolesThatTouchInACornerAreTwo) {
  Mesh mesh = test::sphere(1.0, 8, 12);
  // two triangles of the same pole that are not neighbours: their holes share the pole
  std::vector<std::size_t> atPole;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (mesh.triangles[t][0] == 0) atPole.push_back(t);
  ASSERT_EQ(atPole.size(), 12U);
  mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(atPole[6]));
  mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(atPole[2]));
  const std::vector<BoundaryLoop> loops = boundaryLoops(topologyOf(mesh));
  ASSERT_EQ(loops.size(), 2U);
  EXPECT_EQ(loops[0].positions.size(), 3U);
  EXPECT_EQ(loops[1].positions.size(), 3U);
}

TEST(BoundaryLoops, FlippedNeighbourDoesNotBreakTheLoop) {
  Mesh mesh = test::bowl(1.0, 8, 12);
  std::swap(mesh.triangles.back()[0], mesh.triangles.back()[1]);
  const std::vector<BoundaryLoop> loops = boundaryLoops(topologyOf(mesh));
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_TRUE(loops[0].isClosed);
}

TEST(BoundaryLoops, ThreePagesAreALoopAndAChain) {
  const Mesh mesh = meshOf({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}},
                           {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}});
  const std::vector<BoundaryLoop> loops = boundaryLoops(topologyOf(mesh));
  std::size_t edges = 0;
  for (const BoundaryLoop& loop : loops)
    edges += loop.positions.size() - (loop.isClosed ? 0 : 1);
  EXPECT_EQ(edges, 6U);
  EXPECT_EQ(loops.size(), 2U);
}

TEST(BoundaryLoops, EveryBoundaryEdgeIsInOneLoop) {
  Random random(9);
  for (int n = 0; n < 40; ++n) {
    Mesh mesh = test::torus(1.0, 0.4, 12, 8);
    std::erase_if(mesh.triangles, [&](const Triangle&) { return random.unit() < 0.3; });
    const Topology topology = topologyOf(mesh);
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> walked;
    for (const BoundaryLoop& loop : boundaryLoops(topology)) {
      const std::size_t count = loop.positions.size();
      EXPECT_TRUE(loop.isClosed);
      EXPECT_EQ(std::set(loop.positions.begin(), loop.positions.end()).size(), count);
      for (std::size_t i = 0; i < count; ++i)
        walked.insert(std::minmax(loop.positions[i], loop.positions[(i + 1) % count]));
    }
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> expected;
    for (const Edge& edge : topology.edges)
      if (edge.useCount == 1) expected.emplace(edge.low, edge.high);
    ASSERT_EQ(walked, expected);
  }
}

// Loose triangles that all share one corner: 2 boundary edges each, all ending there. The walk must
// not look at all of them again and again.
TEST(BoundaryLoops, ManyAtOnePositionAreWalkedInLinearTime) {
  constexpr std::uint32_t kTriangles = 50'000;
  Mesh mesh;
  mesh.positions.emplace_back(0, 0, 0);
  for (std::uint32_t t = 0; t < kTriangles; ++t) {
    const auto x = static_cast<float>(t);
    mesh.positions.emplace_back(x, 1.0F, 0.0F);
    mesh.positions.emplace_back(x, 1.0F, 1.0F);
    mesh.triangles.push_back({0, 2 * t + 1, 2 * t + 2});
  }
  EXPECT_EQ(boundaryLoops(topologyOf(mesh)).size(), kTriangles);
}

TEST(Topology, IsTheSameForAnyNumberOfThreads) {
  const Mesh mesh = test::exploded(test::torus(1.0, 0.4, 300, 100));
  const Topology one = topologyOf(mesh, 1);
  const Topology more = topologyOf(mesh, 4);
  EXPECT_EQ(one.uses, more.uses);
  EXPECT_EQ(one.edgeOfSide, more.edgeOfSide);
}

TEST(Topology, EmptyMeshIsEmpty) {
  const Topology topology = topologyOf(Mesh{});
  EXPECT_TRUE(topology.edges.empty());
  EXPECT_EQ(partsOf(topology, Joint::AnyEdge).count, 0U);
  EXPECT_TRUE(boundaryLoops(topology).empty());
}

}  // namespace
}  // namespace tactus::models
