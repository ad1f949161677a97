// Brute force: signs of points against the winding number that adds up every triangle's solid angle
// (an accuracy so large that no group is ever far), on closed surfaces that meet themselves in all
// ways we could think of.
#include "collision/surface/sheet_sides.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "collision/surface/surface_distance.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace {

using Eigen::Vector3d;
using namespace tactus::collision;
using tactus::models::Mesh;
using tactus::models::WindingNumber;
namespace test = tactus::models::test;

struct Case {
  std::string name;
  Mesh mesh;
};

Mesh both(Mesh mesh, const Mesh& other) {
  test::append(mesh, other);
  return mesh;
}

Mesh moved(const Mesh& mesh, const Vector3d& by) {
  return test::transformed(mesh, Eigen::Affine3d(Eigen::Translation3d(by)));
}

std::vector<Case> closedCases() {
  const Mesh ball = test::sphere(0.7, 12, 24);
  const Mesh torus = test::torus();
  return {{"clean", torus},
          {"apart", both(ball, moved(ball, {2.0, 0.1, 0.0}))},
          {"crossing", both(torus, moved(torus, {0.7, 0.2, 0.15}))},
          {"one in the other", both(test::sphere(1.0), test::sphere(0.5))},
          {"hollow", both(test::sphere(1.0), test::flipped(test::sphere(0.5)))},
          {"inside out", test::flipped(ball)},
          {"inside out in a box", both(test::box(3.0 * Vector3d::Ones()), test::flipped(torus))},
          {"inside out across", both(ball, test::flipped(moved(ball, {0.5, 0.1, 0.2})))},
          {"twice", both(ball, ball)},
          {"nearly twice", both(ball, moved(ball, {1e-6, 2e-6, 0.0}))},
          {"a face shared", both(test::box(), test::box(Vector3d::Ones(), {1.0, 0.0, 0.0}))},
          {"an edge shared", both(test::box(), test::box(Vector3d::Ones(), {1.0, 1.0, 0.0}))},
          {"a corner shared", both(test::box(), test::box(Vector3d::Ones(), {1.0, 1.0, 1.0}))},
          {"a corner on a face", both(test::box(), test::box(Vector3d::Ones(), {1.0, 0.3, 0.4}))},
          {"a fan met", both(test::sphere(1.0, 2, 60), moved(test::box(), {0.6, 0.1, 0.5}))},
          {"many", both(both(torus, moved(ball, {0.9, 0.0, 0.1})),
                        both(moved(test::box(), {0.2, 0.8, 0.0}), test::flipped(ball)))}};
}

/// Points all over, close to the surface, and right above and below faces, sides and corners.
std::vector<Vector3d> pointsAbout(const Mesh& mesh, int count) {
  test::Random random(3);
  const auto bounds = mesh.bounds();
  std::vector<Vector3d> points;
  points.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    if (i % 3 == 0) {
      points.emplace_back(bounds.centre() + random.inCube(0.6 * bounds.diagonal()));
      continue;
    }
    const auto& t = mesh.triangles[random.index(mesh.triangles.size())];
    const double u = i % 3 == 1 ? random.between(0.0, 1.0) : 0.0;
    const double v = i % 5 == 0 ? 0.0 : random.between(0.0, 1.0 - u);
    points.emplace_back(mesh.position(t[0]) + u * (mesh.position(t[1]) - mesh.position(t[0])) +
                        v * (mesh.position(t[2]) - mesh.position(t[0])) +
                        random.inCube(i % 2 == 0 ? 0.05 : 1e-4));
  }
  return points;
}

TEST(SheetSides, SignsAreThoseOfTheWholeWindingNumber) {
  for (const Case& made : closedCases()) {
    SCOPED_TRACE(made.name);
    const SurfaceDistance surface(made.mesh, {.signRule = SignRule::WindingNumber});
    const WindingNumber whole(made.mesh, {.accuracy = 1e9});
    int inside = 0;
    for (const Vector3d& point : pointsAbout(made.mesh, 3000)) {
      const SurfacePoint found = surface.at(point);
      if (std::fabs(found.distance) < 1e-7) continue;
      ASSERT_EQ(found.distance < 0.0, whole.at(point) >= 0.5)
          << point.transpose() << ", triangle " << found.triangle;
      inside += found.distance < 0.0 ? 1 : 0;
    }
    EXPECT_EQ(inside > 0, made.name != "inside out");
  }
}

std::vector<SheetSides> sidesOf(const Mesh& mesh, unsigned threads = 0) {
  return sheetSides(mesh, tactus::models::topologyOf(mesh), SurfaceTree(mesh), WindingNumber(mesh),
                    threads)
      .ofTriangle;
}

TEST(SheetSides, OnlyWhatIsAlongTheLinesOfMeetingIsUnknown) {
  const auto countOf = [](const std::vector<SheetSides>& sides, SheetSides kind) {
    return std::count(sides.begin(), sides.end(), kind);
  };
  const Mesh ball = test::sphere(0.7, 24, 48);
  const auto triangles = static_cast<std::ptrdiff_t>(ball.triangles.size());
  EXPECT_EQ(countOf(sidesOf(ball), SheetSides::InsideBehind), triangles);
  EXPECT_EQ(countOf(sidesOf(test::flipped(ball)), SheetSides::Outside), triangles);
  const auto nested = sidesOf(both(test::sphere(1.0, 24, 48), ball));
  EXPECT_EQ(countOf(nested, SheetSides::InsideBehind), triangles);
  EXPECT_EQ(countOf(nested, SheetSides::Inside), triangles);

  // a fan: what meets one of its triangles leaves the others known
  const Mesh pyramid = test::sphere(1.0, 2, 300);
  const Mesh spiked = both(pyramid, moved(test::tetrahedron(0.01), {0.5, 0.0, 0.45}));
  EXPECT_GT(countOf(sidesOf(spiked), SheetSides::InsideBehind), 580);

  // two balls in each other: a cap of each is within the other one
  const auto crossing = sidesOf(both(ball, moved(ball, {0.71, 0.03, 0.02})));
  EXPECT_LT(countOf(crossing, SheetSides::Unknown), triangles / 4);
  EXPECT_GT(countOf(crossing, SheetSides::Inside), triangles / 5);
  EXPECT_GT(countOf(crossing, SheetSides::InsideBehind), triangles);
}

// There a winding number is no integer, and nothing follows from one place for another.
TEST(SheetSides, NothingIsKnownOfOpenSurfacesAndOfWhatMeetsEverywhere) {
  const Mesh ball = test::sphere(0.7, 12, 24);
  Mesh open = ball;
  open.triangles.pop_back();
  for (const Mesh& mesh : {open, test::bowl(), both(ball, ball)}) {
    for (const SheetSides side : sidesOf(mesh))
      ASSERT_EQ(side, SheetSides::Unknown);
  }
  EXPECT_TRUE(sidesOf(Mesh{}).empty());
}

TEST(SheetSides, AnyNumberOfThreadsSaysTheSame) {
  for (const Case& made : closedCases())
    EXPECT_EQ(sidesOf(made.mesh, 1), sidesOf(made.mesh, 3)) << made.name;
}

}  // namespace
