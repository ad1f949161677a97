// The mesh that can be changed: whatever operations it allows, in whatever order, it stays closed.
#include "models/sculpt/surface_mesh.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <utility>

namespace tactus::models {
namespace {

// Every half-edge has a twin, every vertex one fan, no two edges join the same vertices.
void expectSound(const SurfaceMesh& mesh) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::map<std::uint32_t, std::uint32_t> leaving;
  std::size_t triangles = 0;
  for (std::uint32_t h = 0; h < mesh.halfEdgeCount(); ++h) {
    if (mesh.isRemoved(h)) continue;
    const std::uint32_t t = mesh.twin(h);
    ASSERT_EQ(mesh.twin(t), h);
    ASSERT_NE(t, h);
    ASSERT_EQ(mesh.from(t), mesh.to(h));
    ASSERT_EQ(mesh.to(t), mesh.from(h));
    ASSERT_TRUE(edges.emplace(mesh.from(h), mesh.to(h)).second) << "double edge";
    ++leaving[mesh.from(h)];
    if (h % 3 == 0) ++triangles;
  }
  ASSERT_EQ(triangles, mesh.triangleCount());
  for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v) {
    if (mesh.outgoing(v) == SurfaceMesh::kNone) {
      ASSERT_EQ(leaving.count(v), 0U);
      continue;
    }
    ASSERT_EQ(mesh.from(mesh.outgoing(v)), v);
    ASSERT_EQ(mesh.valence(v), leaving[v]) << "more than one fan";
    ASSERT_GE(mesh.valence(v), 3U);
  }
}

SurfaceMesh octahedron() {
  std::vector<Eigen::Vector3f> positions;
  for (const float side : {1.0F, -1.0F}) {
    positions.emplace_back(side, 0.0F, 0.0F);
    positions.emplace_back(0.0F, side, 0.0F);
    positions.emplace_back(0.0F, 0.0F, side);
  }
  const std::vector<Triangle> triangles = {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2},
                                           {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}};
  return {positions, triangles, std::vector<std::uint64_t>(triangles.size(), 0)};
}

TEST(SurfaceMesh, KnowsItsNeighbours) {
  const SurfaceMesh mesh = octahedron();
  expectSound(mesh);
  EXPECT_TRUE(mesh.areJoined(0, 1));
  EXPECT_FALSE(mesh.areJoined(0, 3)) << "opposite corners";
  EXPECT_EQ(mesh.valence(5), 4U);
}

TEST(SurfaceMesh, SplitAddsOneVertexAndTwoTriangles) {
  SurfaceMesh mesh = octahedron();
  const std::uint32_t middle = mesh.split(0, Eigen::Vector3f(0.5F, 0.5F, 0.0F));
  expectSound(mesh);
  EXPECT_EQ(mesh.triangleCount(), 10U);
  EXPECT_EQ(mesh.valence(middle), 4U);
  EXPECT_FALSE(mesh.areJoined(0, 1));
}

TEST(SurfaceMesh, FlipAndBack) {
  SurfaceMesh mesh = octahedron();
  ASSERT_TRUE(mesh.canFlip(0));
  const std::uint32_t left = mesh.opposite(0);
  const std::uint32_t right = mesh.opposite(mesh.twin(0));
  mesh.flip(0);
  expectSound(mesh);
  EXPECT_TRUE(mesh.areJoined(left, right));
  EXPECT_FALSE(mesh.areJoined(0, 1));
  mesh.flip(0);
  expectSound(mesh);
  EXPECT_TRUE(mesh.areJoined(0, 1));
}

TEST(SurfaceMesh, NoCollapseBelowATetrahedron) {
  SurfaceMesh mesh = octahedron();
  for (bool again = true; again;) {
    again = false;
    for (std::uint32_t h = 0; h < mesh.halfEdgeCount(); ++h) {
      if (mesh.isRemoved(h) || !mesh.canCollapse(h)) continue;
      mesh.collapse(h);
      expectSound(mesh);
      again = true;
    }
  }
  EXPECT_GE(mesh.triangleCount(), 4U);
  EXPECT_LT(mesh.triangleCount(), 8U);
}

TEST(SurfaceMesh, StaysSoundUnderAnyOperations) {
  std::mt19937 random(1);
  SurfaceMesh mesh = octahedron();
  std::array<int, 3> done{};
  for (int step = 0; step < 6000; ++step) {
    const std::uint32_t h = static_cast<std::uint32_t>(random() % mesh.halfEdgeCount());
    if (mesh.isRemoved(h)) continue;
    // More splits while it is small, more collapses when it has grown.
    const std::size_t what = random() % (mesh.triangleCount() < 200 ? 4 : 8);
    if (what == 0 || what == 3) {
      mesh.split(h, 0.5F * (mesh.position[mesh.from(h)] + mesh.position[mesh.to(h)]));
      ++done[0];
    } else if (what == 1 && mesh.canFlip(h)) {
      mesh.flip(h);
      ++done[1];
    } else if (what != 1 && mesh.canCollapse(h)) {
      mesh.collapse(h);
      ++done[2];
    }
    if (step % 500 == 499) mesh.compact();
    if (step % 50 == 0) expectSound(mesh);
    if (HasFatalFailure()) return;
  }
  expectSound(mesh);
  for (const int count : done)
    EXPECT_GT(count, 300);
}

TEST(SurfaceMesh, CompactKeepsTheSurface) {
  SurfaceMesh mesh = octahedron();
  for (std::uint32_t h = 0; h < 12; ++h) {
    mesh.split(h, 0.5F * (mesh.position[mesh.from(h)] + mesh.position[mesh.to(h)]));
  }
  for (std::uint32_t h = 0; h < mesh.halfEdgeCount(); h += 5) {
    if (!mesh.isRemoved(h) && mesh.canCollapse(h)) mesh.collapse(h);
  }
  const auto places = [](const SurfaceMesh& of) {
    std::multiset<std::vector<float>> all;
    for (const Triangle& triangle : of.triangleList()) {
      std::vector<float> corners;
      for (const std::uint32_t v : triangle) {
        const Eigen::Vector3f& p = of.position[v];
        corners.insert(corners.end(), {p.x(), p.y(), p.z()});
      }
      all.insert(corners);
    }
    return all;
  };
  const auto before = places(mesh);
  mesh.compact();
  expectSound(mesh);
  EXPECT_EQ(places(mesh), before);
  EXPECT_EQ(mesh.halfEdgeCount(), 3 * mesh.triangleCount());
}

}  // namespace
}  // namespace tactus::models
