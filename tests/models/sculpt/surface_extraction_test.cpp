// The first cut through the field: closed and two-manifold whatever the grid sees, and of the right
// size.
#include "models/sculpt/surface_extraction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models/report/mesh_report.hpp"
#include "tests/models/sculpt/test_sculptures.hpp"

namespace tactus::models {
namespace {

struct Extracted {
  SurfaceMesh surface;
  std::size_t counted = 0;
};

Extracted extract(const Sculpture& sculpture, float cell, unsigned threads = 2) {
  const Bounds box = boundsOf(sculpture);
  const DistanceProgram program(sculpture, box.centre(), box.diagonal());
  const BrickTree tree(program, (box.lower - box.centre()).cast<float>(),
                       (box.upper - box.centre()).cast<float>(), cell, 8.0F, threads);
  return {extractSurface(tree, threads), countSurface(tree, threads)};
}

TEST(SurfaceExtraction, BallHasItsAreaAndTheCountIsRight) {
  constexpr float kCell = 0.02F;
  const auto [surface, counted] = extract(test::ball(0.5), kCell);
  EXPECT_EQ(surface.triangleCount(), counted);
  // A surface facing all ways crosses 3/2 grid edges per squared cell edge.
  const double expected = 3.0 * std::numbers::pi / static_cast<double>(kCell * kCell);
  EXPECT_NEAR(static_cast<double>(counted), expected, 0.02 * expected);
  for (const Eigen::Vector3f& p : surface.position) {
    // A vertex is the mean of up to six crossings of chords of at most 2 cells: h^2 / 2 r.
    EXPECT_NEAR(p.norm(), 0.5F, kCell * kCell);
  }
}

// Grids too coarse for clefts and walls, where several sheets run through a cell.
class EveryGrid : public testing::TestWithParam<std::tuple<std::uint32_t, float>> {};

TEST_P(EveryGrid, IsAClosedManifold) {
  const auto [seed, cell] = GetParam();
  const SurfaceMesh surface = extract(test::muddle(seed), cell).surface;
  ASSERT_GT(surface.triangleCount(), 0U);
  std::vector<std::uint32_t> leaving(surface.vertexCount(), 0);
  for (std::uint32_t h = 0; h < surface.halfEdgeCount(); ++h) {
    const std::uint32_t t = surface.twin(h);
    ASSERT_NE(t, SurfaceMesh::kNone);
    ASSERT_EQ(surface.twin(t), h);
    ASSERT_EQ(surface.from(t), surface.to(h));
    ++leaving[surface.from(h)];
    for (std::uint32_t i = surface.aroundFrom(h); i != h; i = surface.aroundFrom(i)) {
      ASSERT_NE(surface.to(i), surface.to(h)) << "double edge";
    }
  }
  for (std::uint32_t v = 0; v < surface.vertexCount(); ++v) {
    ASSERT_EQ(surface.valence(v), leaving[v]) << "two sheets pinched together at " << v;
  }
}

INSTANTIATE_TEST_SUITE_P(SurfaceExtraction, EveryGrid,
                         testing::Combine(testing::Range(1U, 13U),
                                          testing::Values(0.011F, 0.027F, 0.06F)));

TEST(SurfaceExtraction, FacesOutwardAndKeepsTheHole) {
  const SurfaceMesh surface = extract(test::ring(), 0.03F).surface;
  Mesh mesh;
  mesh.positions = surface.position;
  mesh.triangles = surface.triangleList();
  const MeshReport report = reportOn(mesh);
  EXPECT_TRUE(report.isClean()) << toText(report);
  // Euler: V - E + F = 2 - 2 genus, E = 3 F / 2.
  EXPECT_EQ(static_cast<std::ptrdiff_t>(report.vertices) -
                static_cast<std::ptrdiff_t>(report.triangles / 2),
            0);
}

TEST(SurfaceExtraction, SameForAnyNumberOfThreads) {
  const Extracted one = extract(test::muddle(3), 0.01F, 1);
  const Extracted seven = extract(test::muddle(3), 0.01F, 7);
  EXPECT_EQ(one.surface.position, seven.surface.position);
  EXPECT_EQ(one.surface.triangleList(), seven.surface.triangleList());
}

}  // namespace
}  // namespace tactus::models
