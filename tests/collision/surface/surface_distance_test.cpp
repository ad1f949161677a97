// Brute force: the closest point of every triangle, one by one in doubles, by projection and
// clamped sides (other formulas than the query's). Both are good to about 1e-15 of the mesh's size;
// 1e-12 is allowed, because the foot on a sliver loses digits.
#include "collision/surface/surface_distance.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/collision/on_vector_target.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace {

using Eigen::Vector3d;
using namespace tactus::collision;
using tactus::models::Mesh;
using tactus::tests::BytesHash;
namespace test = tactus::models::test;

double sideDistance(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const double squared = (b - a).squaredNorm();
  const double t = squared > 0.0 ? std::clamp((p - a).dot(b - a) / squared, 0.0, 1.0) : 0.0;
  return (p - a - t * (b - a)).norm();
}

double triangleDistance(const Vector3d& p, const Vector3d& a, const Vector3d& b,
                        const Vector3d& c) {
  double best = std::min({sideDistance(p, a, b), sideDistance(p, b, c), sideDistance(p, c, a)});
  const Vector3d normal = (b - a).cross(c - a);
  if (normal.norm() > 0.0) {
    const Vector3d n = normal.normalized();
    const bool within = n.dot((b - a).cross(p - a)) >= 0.0 && n.dot((c - b).cross(p - b)) >= 0.0 &&
                        n.dot((a - c).cross(p - c)) >= 0.0;
    if (within) best = std::min(best, std::fabs(n.dot(p - a)));
  }
  return best;
}

double bruteForce(const Mesh& mesh, const Vector3d& p) {
  double best = 1e300;
  for (const auto& t : mesh.triangles) {
    best = std::min(
        best, triangleDistance(p, mesh.position(t[0]), mesh.position(t[1]), mesh.position(t[2])));
  }
  return best;
}

/// Slivers, duplicates, points and lines instead of triangles, all over the unit cube.
Mesh nastySoup(std::uint64_t seed) {
  test::Random random(seed);
  Mesh mesh;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const Vector3d a = random.inCube(1.0);
    const double size = i % 7 == 0 ? 1.0 : 0.05;
    const Vector3d b = a + size * random.inCube(1.0);
    Vector3d c = a + size * random.inCube(1.0);
    if (i % 5 == 0) c = a + 0.3 * (b - a) + 1e-5 * random.inCube(1.0);
    if (i % 11 == 0) c = b;
    if (i % 19 == 0) c = a;
    if (i % 13 == 0) c = 0.5 * (a + b);
    for (const Vector3d& p : {a, b, c})
      mesh.positions.emplace_back(p.cast<float>());
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    if (i % 17 == 0) mesh.triangles.push_back({3 * i + 1, 3 * i, 3 * i + 2});
  }
  return mesh;
}

std::vector<Mesh> nastyMeshes() {
  Mesh far = test::torus();
  far.origin = {1e5, -2e5, 3e5};
  return {nastySoup(1),
          nastySoup(2),
          test::box({1.0, 1e-3, 2.0}),
          test::transformed(test::sphere(1.0, 32, 48), Eigen::Scaling(1.0, 1e-3, 1e-3)),
          test::bowl(),
          test::tetrahedron(1e-3),
          test::transformed(test::torus(), Eigen::Scaling(1e3)),
          far};
}

TEST(SurfaceDistance, AgreesWithAllTrianglesOnNastyMeshes) {
  for (const Mesh& mesh : nastyMeshes()) {
    const SurfaceDistance surface(mesh, {.signRule = SignRule::WindingNumber});
    const auto bounds = mesh.bounds();
    const double size = bounds.diagonal() + 1e-3 * bounds.centre().norm();
    test::Random random(7);
    for (int i = 0; i < 400; ++i) {
      Vector3d p = bounds.centre() + random.inCube(0.7 * bounds.diagonal());
      if (i % 3 == 0) {
        p = mesh.position(random.index(mesh.positions.size())) +
            random.inCube(1e-4 * bounds.diagonal());
      }
      const double truth = bruteForce(mesh, p);
      const SurfacePoint found = surface.unsignedAt(p);
      ASSERT_TRUE(found.found());
      ASSERT_NEAR(found.distance, truth, 1e-12 * size) << i;
      ASSERT_NEAR((p - found.point).norm(), found.distance, 1e-12 * size);
      const auto& t = mesh.triangles[found.triangle];
      ASSERT_NEAR(triangleDistance(found.point, mesh.position(t[0]), mesh.position(t[1]),
                                   mesh.position(t[2])),
                  0.0, 1e-12 * size);
      // a hint changes nothing, unless it is too short
      const SurfacePoint hinted = surface.unsignedAt(p, truth + 1e-9 * size);
      ASSERT_EQ(hinted.triangle, found.triangle);
      ASSERT_EQ(hinted.distance, found.distance);
      if (truth > 1e-6 * size) {
        ASSERT_FALSE(surface.unsignedAt(p, 0.99 * truth).found());
      }
    }
  }
}

// The pole of a sphere of floats whose seam was closed: two corners 8e-19 apart, at a height of
// 0.05.
TEST(SurfaceDistance, SliverHidesNothingThatIsNearer) {
  Mesh mesh;
  mesh.positions = {{-0.00326315477F, 0.0495722443F, 0.0056519499F},
                    {6.12323385e-18F, 0.0500000007F, 0.0F},
                    {6.07084891e-18F, 0.0500000007F, 7.99242432e-19F},
                    {-0.02F, -0.0498F, -0.02F},
                    {0.02F, -0.0498F, -0.02F},
                    {0.0F, -0.0498F, 0.04F}};
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  const SurfaceDistance surface(mesh);
  test::Random random(4);
  for (int i = 0; i < 500; ++i) {
    const Vector3d p = 3e-4 * random.inCube(1.0);
    EXPECT_NEAR(surface.unsignedAt(p).distance, bruteForce(mesh, p), 1e-12) << p.transpose();
  }
}

TEST(SurfaceDistance, TrianglesWithinAreThoseOfBruteForce) {
  const Mesh mesh = nastySoup(3);
  const SurfaceDistance surface(mesh, {.signRule = SignRule::WindingNumber});
  test::Random random(8);
  for (int i = 0; i < 100; ++i) {
    const Vector3d p = random.inCube(1.2);
    const double reach = random.between(0.0, 0.5);
    std::vector<std::uint32_t> found;
    surface.trianglesWithin(p, reach, found);
    std::sort(found.begin(), found.end());
    std::vector<std::uint32_t> truth;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      const auto& v = mesh.triangles[t];
      if (triangleDistance(p, mesh.position(v[0]), mesh.position(v[1]), mesh.position(v[2])) <=
          reach) {
        truth.push_back(t);
      }
    }
    ASSERT_EQ(found, truth);
  }
}

double boxDistance(const Vector3d& p, const Vector3d& half) {
  const Vector3d beyond = p.cwiseAbs() - half;
  return beyond.cwiseMax(0.0).norm() + std::min(0.0, beyond.maxCoeff());
}

TEST(SurfaceDistance, OfABoxIsTheClosedForm) {
  const SurfaceDistance surface(test::box({2.0, 1.0, 0.5}));
  test::Random random(9);
  for (int i = 0; i < 2000; ++i) {
    const Vector3d p = random.inCube(1.5);
    ASSERT_NEAR(surface.at(p).distance, boxDistance(p, {1.0, 0.5, 0.25}), 1e-14);
  }
  EXPECT_EQ(surface.at({0.0, 0.0, 0.0}).distance, -0.25);
  EXPECT_EQ(surface.at({1.0, 0.5, 0.25}).distance, 0.0);
  EXPECT_TRUE(surface.contains({0.9, 0.4, 0.2}));
  EXPECT_FALSE(surface.contains({0.9, 0.4, 0.3}));
}

// The inscribed sphere's faces are at most 1 - cos(pi / 48) cos(pi / 32) = 0.7 % inside.
TEST(SurfaceDistance, OfASphereIsNearlyTheClosedForm) {
  const SurfaceDistance surface(test::sphere(1.0, 32, 48));
  test::Random random(10);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d p = random.inCube(1.5);
    ASSERT_NEAR(surface.at(p).distance, p.norm() - 1.0, 0.0075);
  }
}

TEST(SurfaceDistance, FeaturesAreNamed) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  const SurfaceDistance surface(mesh, {.signRule = SignRule::WindingNumber});
  EXPECT_EQ(surface.at({0.2, 0.2, 1.0}).feature, SurfaceFeature::Face);
  EXPECT_EQ(surface.at({0.5, -1.0, 0.1}).feature, SurfaceFeature::Side0);
  EXPECT_EQ(surface.at({1.0, 1.0, 0.1}).feature, SurfaceFeature::Side1);
  EXPECT_EQ(surface.at({-1.0, 0.5, 0.1}).feature, SurfaceFeature::Side2);
  EXPECT_EQ(surface.at({-1.0, -1.0, 0.1}).feature, SurfaceFeature::Corner0);
  EXPECT_EQ(surface.at({3.0, 0.0, 0.1}).feature, SurfaceFeature::Corner1);
  EXPECT_EQ(surface.at({0.0, 3.0, 0.1}).feature, SurfaceFeature::Corner2);
}

// Near a sharp corner or side some of the faces there see the point from behind: the normal of the
// one that happens to be named, or the mean of them all, gives the wrong sign.
TEST(SurfaceDistance, SignIsRightAtSharpCornersAndSides) {
  // a needle, a wedge, and a box: winding numbers of all three are known
  std::vector<Mesh> meshes = {
      test::transformed(test::tetrahedron(), Eigen::Scaling(1.0, 0.05, 0.05)),
      test::transformed(test::box(),
                        Eigen::AngleAxisd(0.7, Vector3d::UnitX()) * Eigen::Scaling(1.0, 0.01, 1.0)),
      test::transformed(test::sphere(1.0, 4, 3), Eigen::Scaling(0.1, 0.1, 2.0))};
  for (const Mesh& mesh : meshes) {
    const SurfaceDistance byNormal(mesh);
    const tactus::models::WindingNumber winding(mesh);
    test::Random random(11);
    for (int i = 0; i < 3000; ++i) {
      const double around = i % 2 == 0 ? 0.3 : 1e-3;
      const Vector3d p = mesh.position(random.index(mesh.positions.size())) + random.inCube(around);
      const SurfacePoint a = byNormal.at(p);
      if (std::fabs(a.distance) < 1e-7) continue;
      ASSERT_EQ(a.distance < 0.0, winding.contains(p)) << p.transpose();
    }
  }
}

TEST(SurfaceDistance, MessyMeshesAreSignedByWinding) {
  Mesh crossing = test::box();
  test::append(crossing, test::box(Vector3d::Ones(), {0.5, 0.0, 0.0}));
  EXPECT_EQ(signRuleFor(crossing), SignRule::WindingNumber);
  EXPECT_EQ(signRuleFor(test::bowl()), SignRule::WindingNumber);
  EXPECT_EQ(signRuleFor(test::flipped(test::box())), SignRule::WindingNumber);
  EXPECT_EQ(signRuleFor(test::box()), SignRule::Pseudonormal);
  const SurfaceDistance surface(crossing, {.signRule = SignRule::WindingNumber});
  EXPECT_TRUE(surface.contains({0.25, 0.0, 0.0}));  // in both
  EXPECT_TRUE(surface.contains({0.9, 0.3, 0.3}));
  EXPECT_FALSE(surface.contains({1.1, 0.0, 0.0}));
  EXPECT_NEAR(surface.at({0.25, 0.0, 0.0}).distance, -0.25, 1e-14);
}

TEST(SurfaceDistance, BatchIsOneByOneForAnyNumberOfThreads) {
  const Mesh mesh = test::torus();
  const SurfaceDistance surface(mesh);
  test::Random random(12);
  std::vector<Vector3d> points(3000);
  Vector3d walker = Vector3d::Zero();
  for (Vector3d& p : points) {
    walker += random.inCube(0.05);
    p = walker;
  }
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::vector<SurfacePoint> results(points.size());
    surface.at(points, results, threads);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const SurfacePoint alone = surface.at(points[i]);
      ASSERT_EQ(results[i].distance, alone.distance);
      ASSERT_EQ(results[i].triangle, alone.triangle);
      ASSERT_EQ(results[i].point, alone.point);
    }
  }
}

TEST(SurfaceDistance, NoTrianglesNoDistance) {
  const SurfaceDistance surface(Mesh{}, {.signRule = SignRule::WindingNumber});
  EXPECT_FALSE(surface.at(Vector3d::Zero()).found());
  EXPECT_FALSE(surface.contains(Vector3d::Zero()));
}

using SurfaceDistanceOn = tactus::tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, SurfaceDistanceOn, tactus::tests::eachTarget(),
                         tactus::tests::targetName);

// Compared with what the scalar twin says in the same run: the meshes themselves go through libm.
TEST_P(SurfaceDistanceOn, SameBytesEverywhere) {
  const auto hashNow = [] {
    BytesHash hash;
    for (const Mesh& mesh : {nastySoup(5), test::torus(), test::box()}) {
      const SurfaceDistance surface(mesh, {.signRule = SignRule::WindingNumber});
      test::Random random(13);
      for (int i = 0; i < 500; ++i) {
        const SurfacePoint point = surface.at(random.inCube(1.5));
        hash.add(point.distance);
        hash.add(static_cast<float>(point.triangle));
        for (int axis = 0; axis < 3; ++axis)
          hash.add(point.point[axis]);
      }
    }
    return hash.value();
  };
  expectScalarBytes(hashNow);
}

}  // namespace
