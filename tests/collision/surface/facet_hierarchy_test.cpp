#include "collision/surface/facet_hierarchy.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "models/mesh/mesh.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;
namespace test = models::test;

/// Goes down from a link; every cap on the way must hold the corners of the leaves below it.
class Walk {
 public:
  explicit Walk(const FacetHierarchy& tree) : arrays_(tree.arrays()) { open(0, 0); }

  std::vector<std::uint32_t> facets;
  std::map<std::size_t, int> leavesOfLevel;
  std::map<std::size_t, std::map<std::size_t, int>> blocksOfLevelBySize;
  double worst = 0.0;  ///< how far a corner is out of a cap, as a share of the object's size

 private:
  /// Returns the leaves below a block.
  std::vector<std::size_t> open(std::size_t block, std::size_t level) {
    std::vector<std::size_t> all;
    std::size_t children = 0;
    for (std::size_t k = 0; k < FacetHierarchy::kArity; ++k) {
      const std::int32_t link = arrays_.links[4 * block + k];
      if (link == static_cast<std::int32_t>(arrays_.caps.size()) - 1) continue;
      ++children;
      std::vector<std::size_t> below;
      if (link < 0) {
        const std::int32_t number = ~link;
        const auto leaf = static_cast<std::size_t>(number);
        EXPECT_EQ(arrays_.slots[leaf], static_cast<std::int32_t>(4 * block + k));
        facets.push_back(arrays_.facets[leaf]);
        ++leavesOfLevel[level];
        below = {leaf};
      } else {
        below = open(static_cast<std::size_t>(link), level + 1);
      }
      for (const std::size_t leaf : below)
        check(arrays_.caps[block], k, leaf);
      all.insert(all.end(), below.begin(), below.end());
    }
    ++blocksOfLevelBySize[level][children];
    return all;
  }

  void check(const FacetHierarchy::Caps& caps, std::size_t k, std::size_t leaf) {
    const Vector3d centre(caps.x[k], caps.y[k], caps.z[k]);
    const Vector3d normal(caps.nx[k], caps.ny[k], caps.nz[k]);
    for (std::size_t c = 0; c < 9; c += 3) {
      const std::array<float, 9>& corners = arrays_.corners[leaf];
      const Vector3d away = Vector3d(corners[c], corners[c + 1], corners[c + 2]) - centre;
      worst = std::max({worst, (away.norm() - caps.radius[k]) / arrays_.radius,
                        (away.dot(normal) - caps.height[k]) / arrays_.radius});
    }
  }

  const FacetHierarchy::Arrays& arrays_;
};

TEST(FacetHierarchy, HoldsEveryTriangleOnceAndInEveryCap) {
  for (const models::Mesh& mesh : {test::torus(), test::box({1.0, 0.002, 0.8}), test::tetrahedron(),
                                   test::sphere(0.5, 24, 48)}) {
    const FacetHierarchy tree(mesh);
    const Walk walk(tree);
    EXPECT_LE(walk.worst, 0.0);
    const std::set<std::uint32_t> once(walk.facets.begin(), walk.facets.end());
    EXPECT_EQ(once.size(), mesh.triangles.size());
    EXPECT_EQ(walk.facets.size(), mesh.triangles.size());
  }
}

// The distance search relies on it: leaves meet leaves, and its vectors are full.
TEST(FacetHierarchy, IsEvenBelowAndUnevenAbove) {
  const models::Mesh mesh = test::torus(1.0, 0.3, 61, 37);
  const FacetHierarchy tree(mesh);
  const Walk walk(tree);
  ASSERT_EQ(walk.leavesOfLevel.size(), 1U);
  const auto [level, leaves] = *walk.leavesOfLevel.begin();
  EXPECT_EQ(static_cast<std::size_t>(leaves), mesh.triangles.size());
  EXPECT_EQ(level, 7U);  // 4^6 < 4514 triangles <= 4^7, and the root is alone on level 0
  for (const auto& [depth, blocks] : walk.blocksOfLevelBySize) {
    int notFull = 0;
    for (const auto& [children, count] : blocks) {
      if (children != 4) notFull += count;
    }
    if (depth > 1) {
      EXPECT_LE(notFull, 1) << "level " << depth;
    }
  }
}

}  // namespace
}  // namespace tactus::collision
