// A copy is judged by its distance from the mesh in both directions, over points that the program
// does not look at itself, and by whether it has holes.
#include "render/coarse_copy.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "models/builtin.hpp"
#include "render/nearest_surface.hpp"
#include "tests/render/shapes.hpp"

namespace tactus::render {
namespace {

models::Mesh builtin(const std::string& name, std::uint64_t triangles) {
  models::Result<models::Mesh> made = models::makeBuiltin(name, triangles);
  EXPECT_TRUE(made) << made.error().sentence;
  return std::move(made).value();
}

/// Random places of a surface, as many on each triangle as its share of the area.
std::vector<Eigen::Vector3d> placesOn(const models::Mesh& mesh, int count) {
  std::vector<double> areas;
  for (const models::Triangle& triangle : mesh.triangles) {
    const Eigen::Vector3d a = mesh.positions[triangle[0]].cast<double>();
    const Eigen::Vector3d b = mesh.positions[triangle[1]].cast<double>();
    const Eigen::Vector3d c = mesh.positions[triangle[2]].cast<double>();
    areas.push_back((b - a).cross(c - a).norm());
  }
  std::mt19937 random(11);
  std::discrete_distribution<std::size_t> pick(areas.begin(), areas.end());
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::vector<Eigen::Vector3d> places;
  for (int i = 0; i < count; ++i) {
    const models::Triangle& triangle = mesh.triangles[pick(random)];
    double u = unit(random);
    double v = unit(random);
    if (u + v > 1.0) {
      u = 1.0 - u;
      v = 1.0 - v;
    }
    const Eigen::Vector3d a = mesh.positions[triangle[0]].cast<double>();
    places.emplace_back(a + u * (mesh.positions[triangle[1]].cast<double>() - a) +
                        v * (mesh.positions[triangle[2]].cast<double>() - a));
  }
  return places;
}

double farthest(const std::vector<Eigen::Vector3d>& places, const models::Mesh& mesh) {
  const NearestSurface surface(mesh);
  double most = 0.0;
  for (const Eigen::Vector3d& place : places)
    most = std::max(most, surface.distance(place));
  return most;
}

/// Whether each edge is used as often in one direction as in the other.
bool isClosed(const models::Mesh& mesh) {
  std::map<std::array<std::uint32_t, 2>, int> uses;
  for (const models::Triangle& triangle : mesh.triangles) {
    for (unsigned k = 0; k < 3; ++k) {
      const std::uint32_t from = triangle[k];
      const std::uint32_t to = triangle[(k + 1) % 3];
      uses[{std::min(from, to), std::max(from, to)}] += from < to ? 1 : -1;
    }
  }
  return std::all_of(uses.begin(), uses.end(), [](const auto& use) { return use.second == 0; });
}

/// Edges at which the surface turns back on itself: one triangle lies on the other.
int foldsOf(const models::Mesh& mesh) {
  std::map<std::array<std::uint32_t, 2>, Eigen::Vector3d> normals;
  for (const models::Triangle& triangle : mesh.triangles) {
    const Eigen::Vector3d a = mesh.positions[triangle[0]].cast<double>();
    const Eigen::Vector3d b = mesh.positions[triangle[1]].cast<double>();
    const Eigen::Vector3d c = mesh.positions[triangle[2]].cast<double>();
    const Eigen::Vector3d normal = (b - a).cross(c - a).normalized();
    for (unsigned k = 0; k < 3; ++k)
      normals[{triangle[k], triangle[(k + 1) % 3]}] = normal;
  }
  int folds = 0;
  for (const auto& [edge, normal] : normals) {
    const auto other = normals.find({edge[1], edge[0]});
    if (edge[0] < edge[1] && other != normals.end() && normal.dot(other->second) < -0.9) ++folds;
  }
  return folds;
}

// What lay over another triangle of a flat face was seen through it as dashes.
TEST(CoarseCopy, FlatFacesAreNotFolded) {
  for (const char* name : {"block", "box", "plate"}) {
    const models::Mesh mesh = builtin(name, 2000);
    for (const std::size_t triangles : {1500U, 375U, 93U}) {
      const CoarseCopy copy = coarseCopy(mesh, triangles);
      EXPECT_LE(copy.mesh.triangles.size(), triangles);
      EXPECT_EQ(foldsOf(copy.mesh), 0) << name << ' ' << triangles;
    }
  }
}

class CoarseCopyOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Shapes, CoarseCopyOf,
                         testing::Values("rabbit", "hand-left", "gear", "bolt", "torus", "pins"),
                         [](const auto& shape) {
                           std::string name = shape.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(CoarseCopyOf, KeepsTheShapeInFewTriangles) {
  const models::Mesh mesh = builtin(GetParam(), 40'000);
  const CoarseCopy copy = coarseCopy(mesh, 2000);
  EXPECT_LE(copy.mesh.triangles.size(), 2000U);
  EXPECT_GT(copy.mesh.triangles.size(), 1800U);
  EXPECT_TRUE(isClosed(copy.mesh));
  EXPECT_EQ(copy.mesh.origin, mesh.origin);
  const double diagonal = mesh.bounds().diagonal();
  // Three or four pixels of an object that is a third as wide as the picture.
  EXPECT_LT(copy.farthest, 0.01 * diagonal);
  const double there = farthest(placesOn(mesh, 20'000), copy.mesh);
  const double back = farthest(placesOn(copy.mesh, 20'000), mesh);
  // What is told holds at other places too, but for what lies between the places it was taken at.
  EXPECT_LT(std::max(there, back), 1.25 * copy.farthest + 1e-9 * diagonal);
}

TEST(CoarseCopyTest, TheSameTwice) {
  const models::Mesh mesh = builtin("bear", 20'000);
  const CoarseCopy one = coarseCopy(mesh, 1000);
  const CoarseCopy other = coarseCopy(mesh, 1000);
  EXPECT_EQ(one.mesh.positions, other.mesh.positions);
  EXPECT_EQ(one.mesh.triangles, other.mesh.triangles);
  EXPECT_EQ(one.farthest, other.farthest);
}

TEST(CoarseCopyTest, ASmallMeshComesBackAsItIs) {
  const models::Mesh mesh = shapes::sphere(1.0, 10);
  const CoarseCopy copy = coarseCopy(mesh, mesh.triangles.size());
  EXPECT_EQ(copy.mesh.positions, mesh.positions);
  EXPECT_EQ(copy.mesh.triangles, mesh.triangles);
  EXPECT_EQ(copy.farthest, 0.0);
  EXPECT_TRUE(coarseCopy(models::Mesh{}, 0).mesh.triangles.empty());
}

TEST(CoarseCopyTest, SoupHangsTogether) {
  const models::Mesh mesh = shapes::sphere(1.0, 40);
  const CoarseCopy copy = coarseCopy(shapes::soup(mesh), 600);
  EXPECT_LE(copy.mesh.triangles.size(), 600U);
  EXPECT_TRUE(isClosed(copy.mesh));
  // Equal triangles would have sides of 0.22, whose middles lie 0.22^2 / 8 = 0.006 within the ball.
  // Corners that stay where they were leave sides of up to twice that length.
  EXPECT_LT(copy.farthest, 4.0 * 0.0061);
}

TEST(CoarseCopyTest, PiecesAreNotLost) {
  models::Mesh many;
  const models::Mesh ball = shapes::sphere(0.1, 12);
  for (unsigned i = 0; i < 20; ++i) {
    const auto first = static_cast<std::uint32_t>(many.positions.size());
    for (const Eigen::Vector3f& position : ball.positions)
      many.positions.emplace_back(position + Eigen::Vector3f(static_cast<float>(i), 0.0F, 0.0F));
    for (const models::Triangle& triangle : ball.triangles)
      many.triangles.push_back({triangle[0] + first, triangle[1] + first, triangle[2] + first});
  }
  const CoarseCopy copy = coarseCopy(many, 600);
  EXPECT_TRUE(isClosed(copy.mesh));
  EXPECT_LE(copy.mesh.triangles.size(), 600U);
  EXPECT_LT(copy.farthest, 0.06) << "a ball is gone";
}

}  // namespace
}  // namespace tactus::render
