// The winding number against closed forms, against the sum over all triangles, and against itself.
#include "models/report/winding_number.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "tests/models/test_meshes.hpp"

namespace tactus::models {
namespace {

using test::Random;

// What winding_number.hpp promises for a whole mesh at its default accuracy, and at 4.
constexpr double kDefaultError = 0.02;
constexpr double kFineError = 0.001;

/// The definition: every triangle, no tree, no series, an arc tangent each. Its own error is the
/// rounding of the sum, below 1e-12 for the meshes here.
double bruteForce(const Mesh& mesh, const Eigen::Vector3d& point) {
  double half = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const Eigen::Vector3d a = mesh.position(t[0]) - point;
    const Eigen::Vector3d b = mesh.position(t[1]) - point;
    const Eigen::Vector3d c = mesh.position(t[2]) - point;
    const double numerator = a.dot(b.cross(c));
    const double denominator = a.norm() * b.norm() * c.norm() + a.dot(b) * c.norm() +
                               b.dot(c) * a.norm() + c.dot(a) * b.norm();
    if (numerator != 0.0) half += std::atan2(numerator, denominator);
  }
  return half / (2.0 * std::numbers::pi);
}

double worstError(const Mesh& mesh, double accuracy, std::uint64_t seed) {
  const WindingNumber winding(mesh, {accuracy});
  Random random(seed);
  const Bounds box = mesh.bounds();
  double worst = 0.0;
  for (int i = 0; i < 60; ++i) {
    // half of them anywhere around, half close to the surface, where the most groups are mixed
    Eigen::Vector3d point = box.centre() + random.inCube(0.75 * box.diagonal());
    if (i % 2 != 0) {
      const Triangle& t = mesh.triangles[random.index(mesh.triangles.size())];
      point = mesh.position(t[0]) + random.inCube(0.02 * box.diagonal());
    }
    worst = std::max(worst, std::abs(winding.at(point) - bruteForce(mesh, point)));
  }
  return worst;
}

/// Triangles of all sizes and directions that form no surface at all.
Mesh randomSoup(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Mesh mesh;
  for (std::size_t i = 0; i < count; ++i) {
    const Eigen::Vector3d centre = random.inCube(1.0);
    const double size = random.unit() * random.unit();
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int k = 0; k < 3; ++k) {
      mesh.positions.emplace_back((centre + random.inCube(size)).cast<float>());
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

TEST(WindingNumberOracle, OneInsideZeroOutside) {
  const WindingNumber box(test::box({1, 2, 3}));
  EXPECT_NEAR(box.at({0, 0, 0}), 1.0, 1e-12);
  EXPECT_NEAR(box.at({0.49, 0.99, 1.49}), 1.0, 1e-12);
  EXPECT_NEAR(box.at({0.51, 0, 0}), 0.0, 1e-12);
  EXPECT_NEAR(box.at({30, 0, 0}), 0.0, kDefaultError);
  EXPECT_TRUE(box.contains({0.1, 0.2, 0.3}));
  EXPECT_FALSE(box.contains({0.1, 0.2, 1.6}));

  const WindingNumber ball(test::sphere(1.0, 32, 64));
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Eigen::Vector3d point = random.inCube(1.5);
    if (point.norm() < 0.99) {
      EXPECT_NEAR(ball.at(point), 1.0, kDefaultError);
    } else if (point.norm() > 1.0) {
      EXPECT_NEAR(ball.at(point), 0.0, kDefaultError);
    }
  }
}

TEST(WindingNumberOracle, AFaceOfTheCubeIsASixth) {
  Mesh face = test::box();
  face.triangles.resize(2);
  EXPECT_NEAR(WindingNumber(face).at({0, 0, 0}), 1.0 / 6.0, 1e-15);
  face.triangles.resize(1);
  EXPECT_NEAR(WindingNumber(face).at({0, 0, 0}), 1.0 / 12.0, 1e-15);
}

TEST(WindingNumberOracle, OverlapsNestsAndInvertedParts) {
  Mesh pair = test::sphere(1.0, 24, 48);
  test::append(pair, test::moved(test::sphere(1.0, 24, 48), {1, 0, 0}));
  const WindingNumber overlapping(pair);
  EXPECT_NEAR(overlapping.at({0.5, 0, 0}), 2.0, kDefaultError);
  EXPECT_NEAR(overlapping.at({-0.5, 0, 0}), 1.0, kDefaultError);
  EXPECT_NEAR(overlapping.at({0, 1.5, 0}), 0.0, kDefaultError);

  Mesh shell = test::sphere(1.0, 24, 48);
  test::append(shell, test::flipped(test::sphere(0.5, 24, 48)));
  const WindingNumber hollow(shell);
  EXPECT_NEAR(hollow.at({0, 0, 0}), 0.0, kDefaultError);
  EXPECT_NEAR(hollow.at({0.75, 0, 0}), 1.0, kDefaultError);

  const WindingNumber inverted(test::flipped(test::sphere(1.0, 24, 48)));
  EXPECT_NEAR(inverted.at({0.2, 0.3, -0.1}), -1.0, kDefaultError);
  EXPECT_FALSE(inverted.contains({0, 0, 0}));

  Mesh dozen;  // more whole turns than an arc tangent can tell apart
  for (int i = 0; i < 12; ++i)
    test::append(dozen, test::box());
  EXPECT_NEAR(WindingNumber(dozen).at({0.1, 0.2, 0.3}), 12.0, 1e-12);
  EXPECT_NEAR(WindingNumber(test::flipped(dozen)).at({0.1, 0.2, 0.3}), -12.0, 1e-12);
}

TEST(WindingNumberOracle, OpenHemisphereFadesAlongItsAxis) {
  // What is missing is the disc: it fills (1 - |h| / sqrt(1 + h^2)) / 2 of the view from height h.
  // A disc of 256 corners is smaller by 1e-4.
  const WindingNumber bowl(test::bowl(1.0, 24, 256));
  EXPECT_NEAR(bowl.at({0, 0, 0}), 0.5, kDefaultError);
  for (const double h : {-0.9, -0.5, -0.1, 0.1, 0.5, 1.0, 3.0}) {
    const double disc = 0.5 * (1.0 - std::abs(h) / std::sqrt(1.0 + h * h));
    EXPECT_NEAR(bowl.at({0, 0, h}), h < 0.0 ? 1.0 - disc : disc, kDefaultError) << h;
  }
  const WindingNumber exact(test::bowl(1.0, 24, 256), {1e6});
  EXPECT_NEAR(exact.at({0, 0, 0}), 0.5, 1e-12);
}

TEST(WindingNumberOracle, HalfOnTheSurface) {
  const WindingNumber box(test::box());
  EXPECT_NEAR(box.at({0.5, 0.1, 0.2}), 0.5, 1e-12);    // in a triangle
  EXPECT_NEAR(box.at({0.5, 0.0, 0.0}), 0.5, 1e-12);    // on an edge within a face
  EXPECT_NEAR(box.at({0.5, 0.5, 0.0}), 0.25, 1e-12);   // on an edge of the box
  EXPECT_NEAR(box.at({0.5, 0.5, 0.5}), 0.125, 1e-12);  // in a corner
}

TEST(WindingNumberOracle, TellsTheSidesVeryNearTheSurface) {
  const Mesh mesh = test::torus(1.0, 0.4, 48, 24);
  const WindingNumber winding(mesh);
  for (const double height : {1e-2, 1e-4, 1e-6, 1e-9}) {
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 7) {
      const Triangle& t = mesh.triangles[i];
      const Eigen::Vector3d a = mesh.position(t[0]);
      const Eigen::Vector3d b = mesh.position(t[1]);
      const Eigen::Vector3d c = mesh.position(t[2]);
      const Eigen::Vector3d out = height * (b - a).cross(c - a).normalized();
      const Eigen::Vector3d foot = 0.5 * a + 0.3 * b + 0.2 * c;
      EXPECT_NEAR(winding.at(foot + out), 0.0, kDefaultError) << height;
      EXPECT_NEAR(winding.at(foot - out), 1.0, kDefaultError) << height;
    }
  }
}

TEST(WindingNumberOracle, NothingGivesZero) {
  EXPECT_EQ(WindingNumber(Mesh()).at({1, 2, 3}), 0.0);
  EXPECT_TRUE(WindingNumber(Mesh()).at(std::vector<Eigen::Vector3d>{}).empty());

  Mesh flat;
  flat.positions.assign(3, Eigen::Vector3f(1, 1, 1));
  for (int i = 0; i < 20; ++i)
    flat.triangles.push_back({0, 1, 2});
  const WindingNumber point(flat);
  EXPECT_EQ(point.at({0, 0, 0}), 0.0);
  EXPECT_EQ(point.at({1, 1, 1}), 0.0);

  const WindingNumber box(test::box());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(box.at({nan, 0, 0}), 0.0);
  EXPECT_EQ(box.at({std::numeric_limits<double>::infinity(), 0, 0}), 0.0);
  EXPECT_EQ(box.at({1e300, 1e300, 0}), 0.0);
}

TEST(WindingNumberBruteForce, ClosedMessyAndNastyShapes) {
  const Eigen::Affine3d needle(Eigen::Scaling(100.0, 0.01, 0.01));
  const Eigen::Affine3d slab(Eigen::Scaling(1.0, 1.0, 0.001));
  const std::vector<std::pair<std::string, Mesh>> shapes = {
      {"sphere", test::sphere(1.0, 16, 24)},
      {"torus", test::torus(1.0, 0.3, 32, 12)},
      {"bowl", test::bowl(1.0, 24, 30)},
      {"needle", test::transformed(test::sphere(1.0, 16, 24), needle)},
      {"slab", test::transformed(test::sphere(1.0, 16, 24), slab)},
      {"soup", randomSoup(700, 11)},
      {"exploded torus", test::exploded(test::torus(1.0, 0.2, 32, 10))},
  };
  for (const auto& [name, mesh] : shapes) {
    EXPECT_LT(worstError(mesh, 2.3, 21), kDefaultError) << name;
    EXPECT_LT(worstError(mesh, 4.0, 22), kFineError) << name;
    // No group is far enough: nothing is left but the order of the sum.
    EXPECT_LT(worstError(mesh, 1e9, 23), 1e-12) << name;
  }
}

TEST(WindingNumberBruteForce, MiddleOfAHollowBallWhereAllErrorsHaveOneSign) {
  for (std::uint32_t rings = 4; rings < 40; rings += 5) {
    Mesh mesh = test::sphere(1.0, rings, 2 * rings);
    test::append(mesh, test::flipped(test::sphere(0.5, rings, 2 * rings)));
    EXPECT_NEAR(WindingNumber(mesh).at({0, 0, 0}), 0.0, kDefaultError) << rings;
    EXPECT_NEAR(WindingNumber(mesh, {4.0}).at({0, 0, 0}), 0.0, kFineError) << rings;
  }
}

TEST(WindingNumberBruteForce, AnyScaleAndPlace) {
  const Mesh torus = test::torus(1.0, 0.3, 32, 12);
  for (const double factor : {1e-15, 1e-3, 1e3, 1e15}) {
    Mesh mesh = torus;
    scale(mesh, factor);
    EXPECT_LT(worstError(mesh, 2.3, 31), kDefaultError) << factor;
  }
  Mesh far = torus;
  far.origin = {1e6, -2e6, 3e6};
  EXPECT_LT(worstError(far, 2.3, 32), kDefaultError);
}

TEST(WindingNumberBruteForce, ErrorFallsWithTheAccuracy) {
  // Terms up to the third power of radius / distance are there, so twice the accuracy is an error
  // of at most an eighth, were the groups the same; a quarter is asked for.
  const Mesh mesh = test::torus(1.0, 0.4, 48, 16);
  EXPECT_LT(worstError(mesh, 4.0, 41), 0.25 * worstError(mesh, 2.0, 41));
  EXPECT_LT(worstError(mesh, 1.5, 41), 0.1);
}

TEST(WindingNumberInvariant, RigidMotion) {
  const Mesh mesh = test::bowl(1.0, 24, 48);
  const WindingNumber still(mesh, {4.0});
  Random random(51);
  for (int motion = 0; motion < 5; ++motion) {
    const Eigen::Isometry3d pose = random.pose(2.0);
    const WindingNumber moved(test::transformed(mesh, pose), {4.0});
    for (int i = 0; i < 100; ++i) {
      const Eigen::Vector3d point = random.inCube(1.2);
      EXPECT_NEAR(moved.at(pose * point), still.at(point), 2.0 * kFineError);
    }
  }
}

TEST(WindingNumberInvariant, PartsAddUpAndTurningRoundNegates) {
  const Mesh a = test::bowl(1.0, 24, 48);
  const Mesh b = randomSoup(600, 61);
  Mesh both = a;
  test::append(both, b);
  const WindingNumber windingA(a);
  const WindingNumber windingB(b);
  const WindingNumber windingBoth(both);
  const WindingNumber turned(test::flipped(both));
  Random random(62);
  for (int i = 0; i < 300; ++i) {
    const Eigen::Vector3d point = random.inCube(1.5);
    EXPECT_NEAR(windingBoth.at(point), windingA.at(point) + windingB.at(point),
                3.0 * kDefaultError);
    EXPECT_NEAR(turned.at(point), -windingBoth.at(point), 2.0 * kDefaultError);
  }
}

TEST(WindingNumberInvariant, DoesNotDependOnTheMeshsOrigin) {
  Mesh mesh = test::torus();
  const WindingNumber here(mesh);
  mesh.origin = {3, 4, 5};
  const WindingNumber there(mesh);
  Random random(71);
  for (int i = 0; i < 100; ++i) {
    const Eigen::Vector3d point = random.inCube(1.5);
    EXPECT_NEAR(there.at(point + mesh.origin), here.at(point), 1e-9);
  }
}

TEST(WindingNumberDeterminism, SameBytesForAnyThreadCount) {
  const Mesh mesh = test::torus(1.0, 0.4, 150, 60);  // 18 000 triangles: several blocks of work
  Random random(81);
  std::vector<Eigen::Vector3d> points;
  points.reserve(1000);
  for (int i = 0; i < 1000; ++i)
    points.push_back(random.inCube(1.5));
  const std::vector<double> alone = WindingNumber(mesh, {}, 1).at(points, 1);
  for (const unsigned threads : {0U, 2U, 7U}) {
    const std::vector<double> values = WindingNumber(mesh, {}, threads).at(points, threads);
    EXPECT_EQ(std::memcmp(values.data(), alone.data(), alone.size() * sizeof(double)), 0);
  }
  const WindingNumber winding(mesh, {}, 1);
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_EQ(winding.at(points[i]), alone[i]);
}

TEST(WindingNumberDeterminism, SameBytesOnEveryMachineAndBuild) {
  // A soup from integers alone, so that nothing but the winding number can differ. The value is
  // that of -O0, -O3, -O3 -march=native and clang (2025-11).
  const WindingNumber winding(randomSoup(2000, 91));
  Random random(92);
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a over 64-bit words
  for (int i = 0; i < 500; ++i) {
    const double value = winding.at(random.inCube(1.5));
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3U;
  }
  EXPECT_EQ(hash, 686332374397188422U);
}

}  // namespace
}  // namespace tactus::models
