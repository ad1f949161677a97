#include "models/report/triangle_bvh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "tests/models/test_meshes.hpp"

namespace tactus::models {
namespace {

using test::Random;

/// Every triangle in exactly one leaf, boxes exact, children after parents, depth bounded.
void expectSound(const Mesh& mesh, const TriangleBvh& bvh) {
  std::vector<std::uint32_t> order = bvh.order;
  std::sort(order.begin(), order.end());
  ASSERT_EQ(order.size(), mesh.triangles.size());
  for (std::uint32_t t = 0; t < order.size(); ++t)
    ASSERT_EQ(order[t], t);

  std::vector<std::size_t> depth(bvh.nodes.size(), 0);
  std::uint32_t inLeaves = 0;
  for (std::uint32_t n = 0; n < bvh.nodes.size(); ++n) {
    const BvhNode& node = bvh.nodes[n];
    ASSERT_LE(depth[n], TriangleBvh::kMaxDepth);
    Eigen::Vector3f lower = Eigen::Vector3f::Constant(std::numeric_limits<float>::infinity());
    Eigen::Vector3f upper = -lower;
    if (node.isLeaf()) {
      ASSERT_LE(node.count, TriangleBvh::kLeafTriangles);
      inLeaves += node.count;
      for (std::uint32_t i = 0; i < node.count; ++i) {
        for (const std::uint32_t v : mesh.triangles[bvh.order[node.first + i]]) {
          lower = lower.cwiseMin(mesh.positions[v]);
          upper = upper.cwiseMax(mesh.positions[v]);
        }
      }
    } else {
      ASSERT_GT(node.first, n);
      for (const std::uint32_t child : {node.first, node.first + 1}) {
        depth[child] = depth[n] + 1;
        lower = lower.cwiseMin(bvh.nodes[child].lower);
        upper = upper.cwiseMax(bvh.nodes[child].upper);
      }
    }
    ASSERT_EQ(node.lower, lower);
    ASSERT_EQ(node.upper, upper);
  }
  ASSERT_EQ(inLeaves, mesh.triangles.size());
}

Mesh fragments(Random& random, std::uint32_t count) {
  Mesh mesh;
  for (std::uint32_t t = 0; t < count; ++t) {
    const Eigen::Vector3d middle = random.inCube(1.0);
    for (int corner = 0; corner < 3; ++corner)
      mesh.positions.push_back((middle + random.inCube(0.1)).cast<float>());
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return mesh;
}

TEST(TriangleBvh, IsSoundOnOrdinaryMeshes) {
  for (const Mesh& mesh : {test::box(), test::sphere(), test::torus(1.0, 0.4, 200, 100)})
    expectSound(mesh, buildTriangleBvh(mesh));
}

TEST(TriangleBvh, IsSoundWhenAllTrianglesCoincide) {
  Mesh mesh = test::tetrahedron();
  mesh.triangles.assign(50'000, mesh.triangles[0]);
  expectSound(mesh, buildTriangleBvh(mesh));
}

// Each triangle is twice as far as the one before: the heuristic would cut off one a level.
TEST(TriangleBvh, IsSoundWhenSizesGrowGeometrically) {
  Mesh mesh;
  for (std::uint32_t t = 0; t < 240; ++t) {
    const float x = std::ldexp(1.0F, static_cast<int>(t) - 120);
    for (const float y : {0.0F, 1.0F})
      mesh.positions.emplace_back(x, y * x, 0.0F);
    mesh.positions.emplace_back(x, 0.0F, x);
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  expectSound(mesh, buildTriangleBvh(mesh));
}

TEST(TriangleBvh, IsSoundAtTheLimitsOfFloat) {
  Mesh mesh;
  const float huge = 3e38F;
  mesh.positions = {{-huge, -huge, -huge}, {huge, -huge, 0}, {0, huge, huge}, {huge, huge, huge}};
  for (int n = 0; n < 10; ++n) {
    mesh.triangles.push_back({0, 1, 2});
    mesh.triangles.push_back({1, 2, 3});
  }
  expectSound(mesh, buildTriangleBvh(mesh));
}

TEST(TriangleBvh, IsTheSameForAnyNumberOfThreads) {
  Random random(1);
  const Mesh mesh = fragments(random, 60'000);
  const TriangleBvh one = buildTriangleBvh(mesh, 1);
  for (const unsigned threads : {2U, 5U}) {
    const TriangleBvh more = buildTriangleBvh(mesh, threads);
    ASSERT_EQ(one.order, more.order);
    ASSERT_EQ(one.nodes.size(), more.nodes.size());
    for (std::size_t n = 0; n < one.nodes.size(); ++n) {
      ASSERT_EQ(one.nodes[n].lower, more.nodes[n].lower);
      ASSERT_EQ(one.nodes[n].upper, more.nodes[n].upper);
      ASSERT_EQ(one.nodes[n].first, more.nodes[n].first);
      ASSERT_EQ(one.nodes[n].count, more.nodes[n].count);
    }
  }
}

/// Whether the ray passes the triangle's box, by the slab test in exact comparisons where it can be
/// (axis-aligned rays) and with a margin inward elsewhere, so that only sure hits are demanded.
bool surelyPassesBox(const Mesh& mesh, const Triangle& triangle, const Eigen::Vector3d& from,
                     const Eigen::Vector3d& direction, double reach) {
  double near = 0.0;
  double far = reach;
  for (int axis = 0; axis < 3; ++axis) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const std::uint32_t v : triangle) {
      low = std::min(low, double{mesh.positions[v][axis]});
      high = std::max(high, double{mesh.positions[v][axis]});
    }
    if (direction[axis] == 0.0) {
      if (from[axis] < low || from[axis] > high) return false;
      continue;
    }
    const double a = (low - from[axis]) / direction[axis];
    const double b = (high - from[axis]) / direction[axis];
    near = std::max(near, std::min(a, b));
    far = std::min(far, std::max(a, b));
  }
  const bool isAligned = (direction.array() == 0.0).count() == 2;
  return isAligned ? near <= far : near <= far * (1.0 - 1e-9);
}

TEST(AlongRay, VisitsEveryTriangleWhoseBoxIsPassed) {
  Random random(2);
  const Mesh mesh = fragments(random, 2'000);
  const TriangleBvh bvh = buildTriangleBvh(mesh);
  for (int n = 0; n < 300; ++n) {
    Eigen::Vector3d from = random.inCube(1.2);
    Eigen::Vector3d direction = random.inCube(1.0);
    if (n % 3 == 0) {  // aligned, from a corner of the mesh: on the faces of boxes
      const Eigen::Vector3f& corner = mesh.positions[random.index(mesh.positions.size())];
      from = corner.cast<double>();
      direction = Eigen::Vector3d::Unit(random.index(3)) * (n % 2 == 0 ? 1.0 : -1.0);
    }
    const double limit = n % 2 == 0 ? 0.7 : std::numeric_limits<double>::infinity();
    double reach = limit;
    std::set<std::uint32_t> visited;
    alongRay(bvh, from, direction, reach, [&](std::uint32_t t) { visited.insert(t); });
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      if (surelyPassesBox(mesh, mesh.triangles[t], from, direction, limit)) {
        ASSERT_TRUE(visited.contains(t)) << "ray " << n << ", triangle " << t;
      }
    }
    EXPECT_LT(visited.size(), mesh.triangles.size() / 4);
  }
}

TEST(AlongRay, ShorterReachVisitsLess) {
  const Mesh mesh = test::torus(1.0, 0.4, 100, 50);
  const TriangleBvh bvh = buildTriangleBvh(mesh);
  const auto visits = [&](bool stopsAtFirst) {
    double reach = std::numeric_limits<double>::infinity();
    int count = 0;
    alongRay(bvh, {-3.0, 0.01, 0.02}, Eigen::Vector3d::UnitX(), reach, [&](std::uint32_t) {
      ++count;
      if (stopsAtFirst) reach = 1.7;  // past the first wall, before the next
    });
    return count;
  };
  EXPECT_GT(visits(false), 2 * visits(true));
  EXPECT_GT(visits(true), 0);
}

TEST(TriangleBvh, EmptyMeshHasNoNodes) {
  const TriangleBvh bvh = buildTriangleBvh(Mesh{});
  EXPECT_TRUE(bvh.nodes.empty());
  double reach = 1.0;
  alongRay(bvh, Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX(), reach,
           [](std::uint32_t) { FAIL(); });
}

}  // namespace
}  // namespace tactus::models
