// Crossing triangles drawn smooth: the patch comes apart, and nothing outside of it moves.
#include "models/sculpt/untangling.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/builtin.hpp"
#include "models/report/self_intersection.hpp"
#include "models/report/topology.hpp"
#include "models/report/triangle_bvh.hpp"

namespace tactus::models {
namespace {

SurfaceMesh ballWithSpike(std::uint32_t tip, float length) {
  const Mesh ball = makeBuiltin("sphere", 2000).value();
  std::vector<Eigen::Vector3f> positions(ball.positions);
  positions[tip] *= -length;
  return {positions, ball.triangles, std::vector<std::uint64_t>(ball.triangles.size(), 0)};
}

std::vector<std::uint32_t> crossingTriangles(const SurfaceMesh& surface) {
  std::vector<Eigen::Vector3d> positions;
  positions.reserve(surface.position.size());
  for (const Eigen::Vector3f& p : surface.position)
    positions.emplace_back(p.cast<double>());
  const Mesh mesh = meshFromPositions(positions, surface.triangleList());
  const SelfIntersections found =
      selfIntersections(mesh, topologyOf(mesh, 1), buildTriangleBvh(mesh, 1), {}, {}, 1);
  std::vector<std::uint32_t> triangles;
  for (const auto& [first, second] : found.first)
    triangles.insert(triangles.end(), {first, second});
  return triangles;
}

TEST(Untangling, SpikeThroughTheOtherSideDrawsBack) {
  constexpr std::uint32_t kTip = 500;
  SurfaceMesh mesh = ballWithSpike(kTip, 1.5F);
  const std::vector<std::uint32_t> crossing = crossingTriangles(mesh);
  ASSERT_GT(crossing.size(), 6U);
  untangle(mesh, crossing, 0);
  EXPECT_TRUE(crossingTriangles(mesh).empty());
}

TEST(Untangling, MovesWhatIsWithinTheRingsAndNothingElse) {
  constexpr std::uint32_t kTip = 500;
  SurfaceMesh mesh = ballWithSpike(kTip, 0.5F);
  const std::vector<Eigen::Vector3f> before = mesh.position;
  for (const int rings : {0, 1, 3}) {
    mesh.position = before;
    untangle(mesh, {mesh.outgoing(kTip) / 3}, rings);

    // Distance in edges from the corners of that triangle, by as many sweeps over all edges.
    std::vector<int> away(before.size(), 1000);
    const std::uint32_t first = mesh.outgoing(kTip) / 3 * 3;
    for (std::uint32_t k = 0; k < 3; ++k)
      away[mesh.from(first + k)] = 0;
    for (int sweep = 0; sweep < 5; ++sweep) {
      const std::vector<int> old = away;
      for (std::uint32_t h = 0; h < mesh.halfEdgeCount(); ++h) {
        away[mesh.to(h)] = std::min(away[mesh.to(h)], old[mesh.from(h)] + 1);
      }
    }
    for (std::uint32_t v = 0; v < before.size(); ++v) {
      EXPECT_EQ(mesh.position[v] != before[v], away[v] <= rings) << v << " rings " << rings;
    }
  }
}

}  // namespace
}  // namespace tactus::models
