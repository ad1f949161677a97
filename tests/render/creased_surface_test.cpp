#include "render/creased_surface.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

#include "tests/render/shapes.hpp"

namespace tactus::render {
namespace {

TEST(CreasedSurface, BoxHasThreeNormalsACorner) {
  const CreasedSurface surface = creasedSurface(shapes::box({1.0, 2.0, 3.0}));
  ASSERT_EQ(surface.positions.size(), 24U);
  ASSERT_EQ(surface.normals.size(), 24U);
  ASSERT_EQ(surface.triangles.size(), 12U);
  for (const models::Triangle& triangle : surface.triangles) {
    const Eigen::Vector3f& a = surface.positions[triangle[0]];
    const Eigen::Vector3f face =
        (surface.positions[triangle[1]] - a).cross(surface.positions[triangle[2]] - a).normalized();
    for (const std::uint32_t vertex : triangle) {
      EXPECT_LT((surface.normals[vertex] - face).norm(), 1e-6F);
    }
  }
}

TEST(CreasedSurface, SphereIsSmoothAndItsNormalsAreRadial) {
  const models::Mesh mesh = shapes::sphere(0.3, 16);
  const CreasedSurface surface = creasedSurface(mesh);
  ASSERT_EQ(surface.positions.size(), mesh.positions.size());
  for (std::size_t i = 0; i < surface.positions.size(); ++i) {
    // Max's weights are exact where all vertices lie on one sphere; floats leave 1e-6.
    EXPECT_LT((surface.normals[i] - surface.positions[i].normalized()).norm(), 1e-5F) << i;
  }
}

TEST(CreasedSurface, SoupShadesLikeTheWeldedSurface) {
  const models::Mesh mesh = shapes::sphere(0.3, 12);
  const CreasedSurface welded = creasedSurface(mesh);
  const CreasedSurface loose = creasedSurface(shapes::soup(mesh));
  EXPECT_EQ(loose.positions.size(), welded.positions.size());
  EXPECT_EQ(creasedSurface(shapes::soup(shapes::box({1, 1, 1}))).positions.size(), 24U);
}

TEST(CreasedSurface, TwelveSidesLookRoundAndSixDoNot) {
  // Round side: one vertex for side and one for cap at each corner. Six sides: three.
  EXPECT_EQ(creasedSurface(shapes::prism(1.0, 1.0, 12)).positions.size(), 2U * 12U * 2U);
  EXPECT_EQ(creasedSurface(shapes::prism(1.0, 1.0, 6)).positions.size(), 2U * 6U * 3U);
}

TEST(CreasedSurface, TrianglesStayWhereTheyWere) {
  const models::Mesh mesh = shapes::prism(1.0, 0.4, 7);
  const CreasedSurface surface = creasedSurface(mesh);
  ASSERT_EQ(surface.triangles.size(), mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(surface.positions[surface.triangles[t][k]], mesh.positions[mesh.triangles[t][k]]);
    }
  }
}

TEST(CreasedSurface, DegenerateTrianglesAndUnusedVerticesDoNoHarm) {
  models::Mesh mesh = shapes::box({1.0, 1.0, 1.0});
  mesh.positions.emplace_back(5.0F, 5.0F, 5.0F);
  mesh.triangles.push_back({0, 0, 1});
  mesh.triangles.push_back({8, 8, 8});
  const CreasedSurface surface = creasedSurface(mesh);
  ASSERT_EQ(surface.triangles.size(), 14U);
  for (const Eigen::Vector3f& normal : surface.normals)
    EXPECT_NEAR(normal.norm(), 1.0F, 1e-5F);
  EXPECT_TRUE(creasedSurface(models::Mesh{}).positions.empty());
}

}  // namespace
}  // namespace tactus::render
