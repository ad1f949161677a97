// The meshes that all other tests of models/ lean on are what their comments say.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <utility>

#include "tests/models/test_meshes.hpp"

namespace tactus::models {
namespace {

using test::Random;

/// How often each directed edge is used; closed means once for every edge and its reverse.
bool isClosed(const Mesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
  for (const Triangle& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k)
      ++uses[{t[k], t[(k + 1) % 3]}];
  }
  return std::ranges::all_of(uses, [&uses](const auto& use) {
    const auto reverse = uses.find({use.first.second, use.first.first});
    return use.second == 1 && reverse != uses.end() && reverse->second == 1;
  });
}

TEST(TestMeshes, ClosedOnesAreClosedAndOutward) {
  const double pi = std::numbers::pi;
  const Mesh box = test::box({1, 2, 3}, {4, 5, 6});
  EXPECT_TRUE(isClosed(box));
  EXPECT_NEAR(test::signedVolume(box), 6.0, 1e-5);

  const Mesh tetrahedron = test::tetrahedron(2.0);
  EXPECT_TRUE(isClosed(tetrahedron));
  EXPECT_DOUBLE_EQ(test::signedVolume(tetrahedron), 8.0 / 6.0);

  // A surface of n segments around is below the smooth one by a few 1/n^2.
  const Mesh sphere = test::sphere(0.5, 64, 128);
  EXPECT_TRUE(isClosed(sphere));
  EXPECT_EQ(sphere.triangles.size(), 2U * 128 * 63);
  EXPECT_NEAR(test::signedVolume(sphere), pi / 6.0, 2e-3);
  EXPECT_LT(test::signedVolume(sphere), pi / 6.0);

  const Mesh torus = test::torus(1.0, 0.25, 128, 64);
  EXPECT_TRUE(isClosed(torus));
  EXPECT_NEAR(test::signedVolume(torus), 2.0 * pi * pi * 0.25 * 0.25, 5e-3);
}

TEST(TestMeshes, BowlIsOpenAlongItsRimOnly) {
  const Mesh bowl = test::bowl(1.0, 8, 12);
  EXPECT_FALSE(isClosed(bowl));
  Mesh lidded = bowl;
  const auto centre = static_cast<std::uint32_t>(lidded.positions.size());
  lidded.positions.emplace_back(0.0F, 0.0F, 0.0F);
  for (std::uint32_t s = 0; s < 12; ++s) {
    lidded.triangles.push_back({centre, centre - 12 + s, centre - 12 + (s + 1) % 12});
  }
  EXPECT_TRUE(isClosed(lidded));
}

TEST(TestMeshes, AppendAndMapKeepTheShape) {
  Mesh mesh = test::box();
  mesh.origin = {100, 0, 0};
  Mesh other = test::tetrahedron();
  other.origin = {0, 50, 0};
  test::append(mesh, other);
  EXPECT_EQ(mesh.triangles.size(), 16U);
  EXPECT_TRUE(isClosed(mesh));
  EXPECT_EQ(mesh.position(8), Eigen::Vector3d(0, 50, 0));

  Random random(1);
  const Mesh turned = test::transformed(test::torus(), random.pose(3.0));
  EXPECT_NEAR(test::signedVolume(turned), test::signedVolume(test::torus()), 1e-5);
  EXPECT_NEAR(test::signedVolume(test::flipped(turned)), -test::signedVolume(turned), 1e-12);
  const Mesh soup = test::exploded(turned);
  EXPECT_EQ(soup.positions.size(), 3 * turned.triangles.size());
  EXPECT_NEAR(test::signedVolume(soup), test::signedVolume(turned), 1e-9);
}

TEST(TestMeshes, RandomRepeats) {
  // The first outputs of SplitMix64 from seed 0, as published with the reference source.
  Random random(0);
  EXPECT_EQ(random.bits(), 0xe220a8397b1dcdafU);
  EXPECT_EQ(random.bits(), 0x6e789e6aa1b965f4U);
}

}  // namespace
}  // namespace tactus::models
