// The pieces are the surface again: their area, and the volume below them, are the mesh's.
#include "models/report/cut_slivers.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "models/report/winding_number.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace {

using namespace tactus::models;
using Eigen::Vector3d;

using Pieces = std::vector<std::array<Eigen::Vector3f, 3>>;

struct Measures {
  double area = 0.0, volume = 0.0, mostSlender = 0.0, longest = 0.0;
};

Measures measuresOf(const Pieces& pieces) {
  Measures all;
  for (const auto& piece : pieces) {
    const Vector3d a = piece[0].cast<double>();
    const Vector3d b = piece[1].cast<double>();
    const Vector3d c = piece[2].cast<double>();
    const double area = 0.5 * (b - a).cross(c - a).norm();
    const double squared =
        std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    all.area += area;
    all.volume += a.dot(b.cross(c)) / 6.0;
    all.mostSlender = std::max(all.mostSlender, squared / area);
    all.longest = std::max(all.longest, std::sqrt(squared));
  }
  return all;
}

TEST(CutSlivers, PiecesAreTheSurfaceAndNotSlender) {
  // two fans of 500 facets and a belt of as many, four times as long as the whole is wide
  const Mesh spindle =
      test::transformed(test::sphere(1.0, 3, 500), Eigen::Affine3d(Eigen::Scaling(1.0, 1.0, 4.0)));
  const Measures whole = measuresOf(cornersOf(spindle));
  const Pieces cut = cutSlivers(spindle);
  const Measures pieces = measuresOf(cut);
  EXPECT_NEAR(pieces.area, whole.area, 1e-6 * whole.area);
  EXPECT_NEAR(pieces.volume, whole.volume, 1e-6 * whole.volume);
  EXPECT_GT(whole.mostSlender, 200.0);
  EXPECT_LT(cut.size(), 1'000'000U);
  for (const auto& piece : cut) {
    const Measures one = measuresOf({piece});
    ASSERT_TRUE(one.mostSlender <= 6.0 || one.longest <= 0.1) << one.mostSlender << one.longest;
  }
}

TEST(CutSlivers, WhatIsNotSlenderStaysAsItIs) {
  for (const Mesh& mesh : {test::torus(), test::box(), test::tetrahedron(), Mesh{}})
    EXPECT_EQ(cutSlivers(mesh), cornersOf(mesh));
}

TEST(CutSlivers, NoMoreThanAMillionAndNothingOfLines) {
  // needles as thin as floats allow, a line and a point
  Mesh mesh;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const auto x = 0.01F * static_cast<float>(i);
    mesh.positions.insert(mesh.positions.end(),
                          {{x, 0.0F, 0.0F}, {x, 1e4F, 0.0F}, {x + 1e-4F, 1e4F, 0.0F}});
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  mesh.triangles.push_back({0, 1, 0});
  mesh.triangles.push_back({0, 0, 0});
  const Pieces cut = cutSlivers(mesh);
  EXPECT_GT(cut.size(), 100'000U);
  EXPECT_LE(cut.size(), 1'000'000U);
  // a hundredth: floats near 3 are 2e-7 apart, and the needles 1e-4 wide
  const double area = measuresOf(cornersOf(mesh)).area;
  EXPECT_NEAR(measuresOf(cut).area, area, 0.01 * area);
}

// The same number, from other groups.
TEST(CutSlivers, WindingNumbersOfFansAreRight) {
  const Mesh spindle =
      test::transformed(test::sphere(1.0, 3, 500), Eigen::Affine3d(Eigen::Scaling(1.0, 1.0, 4.0)));
  const WindingNumber winding(spindle, {.cutsSlivers = true});
  const WindingNumber exact(spindle, {.accuracy = 1e9});
  tactus::models::test::Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Vector3d point = random.inCube(1.0).cwiseProduct(Vector3d(1.2, 1.2, 4.5));
    ASSERT_NEAR(winding.at(point), exact.at(point), 0.02) << point.transpose();
    ASSERT_NEAR(exact.at(point), std::round(exact.at(point)), 1e-4) << point.transpose();
  }
}

}  // namespace
