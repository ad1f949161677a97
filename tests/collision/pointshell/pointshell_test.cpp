// Shells of points are looked at as what they stand for: areas and normals of the surface, an even
// spread for any prefix of the order, and trees that bound what is below them.
#include "collision/pointshell/pointshell.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "collision/pointshell/nested_samples.hpp"
#include "collision/pointshell/shell_parts.hpp"
#include "collision/pointshell/surface_pieces.hpp"
#include "collision/pointshell/thin_parts.hpp"
#include "collision/surface/surface_distance.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::collision {
namespace {

using Eigen::Vector3d;

constexpr std::size_t kWidth = Pointshell::kWidth;

struct Point {
  Vector3d place, normal;  ///< inward, times area
  double area;
};

std::vector<Point> pointsOf(const Pointshell& shell, std::size_t level = 0) {
  std::vector<Point> points;
  const Pointshell::Level& l = shell.arrays().levels[level];
  for (std::size_t i = 0; i < l.points; ++i) {
    const Pointshell::Block& b = shell.arrays().blocks[l.firstBlock + i / kWidth];
    const std::size_t k = i % kWidth;
    points.push_back({Eigen::Vector3f(b.x[k], b.y[k], b.z[k]).cast<double>() + shell.origin(),
                      Eigen::Vector3f(b.nx[k], b.ny[k], b.nz[k]).cast<double>(),
                      static_cast<double>(b.area[k])});
  }
  return points;
}

struct Surface {
  std::string name;
  models::Mesh mesh;
  bool isClosed = true;
};

std::vector<Surface> surfaces() {
  std::vector<Surface> all;
  all.push_back({"ball", models::test::sphere(0.5, 24, 48)});
  all.push_back({"torus", models::test::torus(0.5, 0.2)});
  all.push_back({"box far away", models::test::box({0.8, 0.4, 0.6}, {200.0, -1.0, 3.0})});
  all.push_back({"thin plate", models::test::box({0.8, 0.002, 0.6})});
  all.push_back({"needle", models::test::box({1.0, 0.003, 0.003})});
  all.push_back({"small", models::test::sphere(0.5e-3, 12, 24)});
  all.push_back({"large", models::test::torus(500.0, 200.0)});
  all.push_back({"bowl", models::test::bowl(1.0), false});
  return all;
}

TEST(Pointshell, AreasAndNormalsAddUpToTheSurface) {
  for (const Surface& surface : surfaces()) {
    SCOPED_TRACE(surface.name);
    const Pointshell shell(surface.mesh, {.points = 3000});
    const double area = cutSurface(surface.mesh, 1).area;
    ASSERT_EQ(shell.pointCount(), 3000U);
    EXPECT_DOUBLE_EQ(shell.arrays().area, area);
    for (std::size_t level = 0; level < shell.arrays().levels.size(); ++level) {
      double sum = 0.0;
      Vector3d normals = Vector3d::Zero();
      for (const Point& point : pointsOf(shell, level)) {
        sum += point.area;
        normals += point.normal;
        EXPECT_LE(point.normal.norm(), point.area * 1.001 + 1e-7 * area);
      }
      EXPECT_NEAR(sum, area, 1e-6 * area);
      if (surface.isClosed) {
        EXPECT_LT(normals.norm(), 1e-6 * area);
      } else {
        EXPECT_GT(normals.norm(), 0.1 * area);
      }
    }
  }
}

// A share's centroid on a ball of radius r lies below the ball by about area / (4 pi r).
TEST(Pointshell, PointsLieOnTheSurface) {
  for (const Surface& surface : surfaces()) {
    SCOPED_TRACE(surface.name);
    const Pointshell shell(surface.mesh, {.points = 3000});
    const SurfaceDistance distance(surface.mesh);
    const double spacing = shell.arrays().spacing.lattice;
    double sum = 0.0;
    for (const Point& point : pointsOf(shell)) {
      const SurfacePoint nearest = distance.unsignedAt(point.place);
      EXPECT_LT(nearest.distance, 0.5 * spacing);
      sum += nearest.distance;
    }
    EXPECT_LT(sum / 3000.0, 0.03 * spacing);
  }
}

/// Distances to the next point that looks the same way, and from any point of `all` to the next one
/// of these.
struct Evenness {
  double least = std::numeric_limits<double>::max(), mean = 0.0, gap = 0.0;
};
Evenness evennessOf(const std::vector<Point>& some, const std::vector<Point>& all) {
  Evenness found;
  const auto looksAs = [](const Point& a, const Point& b) {
    return a.normal.dot(b.normal) > 0.5 * a.normal.norm() * b.normal.norm();
  };
  for (const Point& a : all) {
    double nearest = std::numeric_limits<double>::max();
    for (const Point& b : some) {
      if (looksAs(a, b)) nearest = std::min(nearest, (a.place - b.place).norm());
    }
    found.gap = std::max(found.gap, nearest);
  }
  for (const Point& a : some) {
    double nearest = std::numeric_limits<double>::max();
    for (const Point& b : some) {
      if (&a != &b && looksAs(a, b)) nearest = std::min(nearest, (a.place - b.place).norm());
    }
    found.least = std::min(found.least, nearest);
    found.mean += nearest / static_cast<double>(some.size());
  }
  return found;
}

// Points at random have a mean of 0.47 of the lattice's spacing, and a least of nearly nothing.
void expectEven(const Pointshell& shell, double least = 0.3, double mean = 0.7) {
  const std::vector<Point> all = pointsOf(shell);
  std::vector<Point> ordered;
  for (const std::uint32_t point : shell.arrays().order)
    ordered.push_back(all[point]);
  ASSERT_EQ(ordered.size(), all.size());
  for (const std::size_t count : {1500U, 1000U, 750U, 300U, 97U}) {
    SCOPED_TRACE(count);
    const std::vector<Point> some(ordered.begin(),
                                  ordered.begin() + static_cast<std::ptrdiff_t>(count));
    const double lattice = latticeSpacing(shell.arrays().area, count);
    const Evenness found = evennessOf(some, all);
    EXPECT_GT(found.least, least * lattice);
    EXPECT_GT(found.mean, mean * lattice);
    EXPECT_LT(found.gap, 1.4 * lattice);
  }
  const Evenness whole = evennessOf(all, all);
  EXPECT_NEAR(shell.arrays().spacing.least, whole.least, 1e-3 * whole.mean);
  // it looks no further than two spacings, which the points of a thin rim may be apart
  EXPECT_NEAR(shell.arrays().spacing.mean, whole.mean, 0.05 * whole.mean);
}

TEST(Pointshell, AnyPrefixIsEven) {
  for (const Surface& surface : surfaces()) {
    if (surface.name == "needle") continue;  // narrower than the spacing: a chain
    SCOPED_TRACE(surface.name);
    expectEven(Pointshell(surface.mesh, {.points = 1500}));
  }
}

// Curved faces of construction programs: facets as long as the part, and fans. With 20,000 of them
// the pieces that points are made of are longer than points should be apart.
TEST(Pointshell, AnyPrefixIsEvenOnSliversToo) {
  for (const std::uint32_t facets : {64U, 1000U, 20'000U}) {
    SCOPED_TRACE(facets);
    const models::Mesh barrel = models::test::transformed(
        models::test::sphere(1.0, 3, facets), Eigen::Affine3d(Eigen::Scaling(1.0, 1.0, 4.0)));
    // over its sharp edges points may be nearer to each other
    expectEven(Pointshell(barrel, {.points = 1500}), 0.15, 0.65);
  }
}

TEST(Pointshell, EachSideOfAThinPlateHasItsPoints) {
  const Pointshell shell(models::test::box({0.8, 0.002, 0.6}), {.points = 1000});
  int above = 0;
  int below = 0;
  for (const Point& point : pointsOf(shell)) {
    if (std::fabs(point.normal.y()) < 0.5 * point.area) continue;  // of the rim
    // what is missing is rim
    EXPECT_GT(std::fabs(point.normal.y()), 0.7 * point.area);
    // looks inward
    EXPECT_LT(point.normal.y() * point.place.y(), 0.0);
    (point.place.y() > 0.0 ? above : below) += 1;
  }
  EXPECT_GT(above, 450);
  EXPECT_GT(below, 450);
}

TEST(Pointshell, TreesBoundAndAddUpWhatIsBelow) {
  for (const Surface& surface : surfaces()) {
    SCOPED_TRACE(surface.name);
    const Pointshell shell(surface.mesh, {.points = 5000});
    const Pointshell::Arrays& all = shell.arrays();
    int narrow = 0;
    int nodes = 0;
    for (std::size_t l = 0; l < all.levels.size(); ++l) {
      const Pointshell::Level& level = all.levels[l];
      const std::vector<Point> points = pointsOf(shell, l);
      const Pointshell::TreeShape shape = Pointshell::treeShapeOf(Pointshell::blocksOf(level));
      std::size_t group = level.firstGroup;
      std::size_t below = std::size_t{kWidth} << (4 * (shape.levels - 1));  // points of a child
      for (std::size_t t = 0; t < shape.levels; ++t, below /= 16) {
        for (std::size_t g = 0; g < shape.groups[t]; ++g, ++group) {
          for (std::size_t k = 0; k < kWidth; ++k) {
            const std::size_t first = (16 * g + k) * below;
            const Pointshell::Balls& balls = all.balls[group];
            if (first >= points.size()) {
              ASSERT_EQ(balls.radius[k], Pointshell::kMissing);
              continue;
            }
            const Vector3d centre =
                Eigen::Vector3f(balls.x[k], balls.y[k], balls.z[k]).cast<double>();
            const Pointshell::Sums& sums = all.sums[group];
            const Pointshell::Cones& cones = all.cones[group];
            const Vector3d axis =
                Eigen::Vector3f(cones.x[k], cones.y[k], cones.z[k]).cast<double>();
            Vector3d normals = Vector3d::Zero();
            Vector3d moments = Vector3d::Zero();
            double area = 0.0;
            double least = 1.0;  // cosine of a normal and the axis
            for (std::size_t i = first; i < std::min(first + below, points.size()); ++i) {
              const Vector3d place = points[i].place - shell.origin();
              ASSERT_LE((place - centre).norm(), static_cast<double>(balls.radius[k]));
              normals += points[i].normal;
              moments += place.cross(points[i].normal);
              area += points[i].area;
              const double length = points[i].normal.norm();
              least = std::min(least, length > 0.0 ? points[i].normal.dot(axis) / length : -1.0);
              if (cones.cosine[k] >= 0.0F) {
                ASSERT_GE(points[i].normal.dot(axis),
                          points[i].normal.norm() * (static_cast<double>(cones.cosine[k]) - 1e-5));
              }
            }
            // of a block the cone is no wider than it must be, nor given up before a quarter turn
            if (t + 1 == shape.levels && least > 0.05) {
              ASSERT_NEAR(cones.cosine[k], least, 1e-4);
            }
            narrow += cones.cosine[k] > 0.5F ? 1 : 0;
            ++nodes;
            const double off = 1e-5 * (area + all.area / 5000.0);
            EXPECT_NEAR(sums.area[k], area, off);
            EXPECT_NEAR(
                (Eigen::Vector3f(sums.nx[k], sums.ny[k], sums.nz[k]).cast<double>() - normals)
                    .norm(),
                0.0, off);
            EXPECT_NEAR(
                (Eigen::Vector3f(sums.mx[k], sums.my[k], sums.mz[k]).cast<double>() - moments)
                    .norm(),
                0.0, off * all.radius);
          }
        }
      }
      EXPECT_EQ(group, l + 1 < all.levels.size() ? all.levels[l + 1].firstGroup : all.balls.size());
    }
    if (surface.name == "ball" || surface.name == "large") {
      EXPECT_GT(narrow, 0.7 * nodes);
    }
  }
}

template <typename T>
bool areSame(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST(Pointshell, GivesItsPointsInTheNestedOrder) {
  const models::Mesh mesh = models::test::torus(0.5, 0.2);
  const Pointshell shell(mesh, {.points = 2000});
  double area = 0.0;
  double least = std::numeric_limits<double>::max();
  std::vector<Vector3d> first;
  first.reserve(100);
  for (std::size_t n = 0; n < shell.pointCount(); ++n) {
    const ShellPoint point = pointInOrder(shell, n);
    area += point.area;
    EXPECT_NEAR(point.normal.norm(), 1.0, 1e-12);
    // inward: towards the circle in the torus' middle
    Vector3d circle(point.place.x(), point.place.y(), 0.0);
    circle *= 0.5 / circle.norm();
    EXPECT_GT(point.normal.dot(circle - point.place), 0.19);
    if (n >= 100) continue;
    for (const Vector3d& other : first)
      least = std::min(least, (other - point.place).norm());
    first.push_back(point.place);
  }
  EXPECT_NEAR(area, shell.arrays().area, 1e-6 * area);
  // the first hundred alone are even
  EXPECT_GT(least, 0.4 * std::sqrt(2.0 / std::sqrt(3.0) * area / 100.0));
}

TEST(Pointshell, ConesAndBallsOfNodesHoldWhatIsBelow) {
  const Pointshell shell(models::test::torus(0.5, 0.2), {.points = 2000});
  const Pointshell::Level& level = shell.arrays().levels.front();
  const Pointshell::TreeShape shape = Pointshell::treeShapeOf(Pointshell::blocksOf(level));
  const std::size_t lastGroups =
      level.firstGroup + shape.allGroups() - shape.groups[shape.levels - 1];
  std::size_t narrow = 0;
  const std::vector<Point> points = pointsOf(shell);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t block = i / kWidth;
    const ShellNode node = nodeOf(shell, lastGroups + block / kWidth, block % kWidth);
    ASSERT_GE(node.radius, 0.0);
    EXPECT_LE((points[i].place - node.centre).norm(), node.radius);
    EXPECT_GE(points[i].normal.normalized().dot(node.axis), node.cosine - 1e-6);
    narrow += node.cosine > 0.8 ? 1 : 0;
  }
  EXPECT_GT(narrow, points.size() / 2);
  const std::size_t blocks = Pointshell::blocksOf(level);
  EXPECT_LT(nodeOf(shell, lastGroups + blocks / kWidth, blocks % kWidth).radius, 0.0)
      << "the last group is not full";
}

/// Matter that a map's voxels are too coarse for is found, and no other.
TEST(ThinParts, AreThoseThinnerThanAVoxel) {
  constexpr double kVoxel = 0.01;
  const auto shareOf = [](const models::Mesh& mesh) {
    VoxmapSettings settings;
    settings.voxelSize = kVoxel;
    const Voxmap map(SurfaceDistance(mesh), settings);
    return unresolvedShare(Pointshell(mesh, {.points = 3000}), map);
  };
  EXPECT_LT(shareOf(models::test::sphere(0.3, 24, 48)), 1e-4);
  EXPECT_LT(shareOf(models::test::box({0.6, 0.4, 0.5})), 1e-4);
  EXPECT_LT(shareOf(models::test::box({0.6, 0.025, 0.5})), 1e-4);
  EXPECT_GT(shareOf(models::test::box({0.6, 0.003, 0.5})), 0.9);
  // a needle beside a block, of a hundredth of the area
  models::Mesh both = models::test::box({0.6, 0.4, 0.5});
  const models::Mesh needle = models::test::box({0.003, 0.003, 1.5}, {0.5, 0.0, 0.0});
  const auto behind = static_cast<std::uint32_t>(both.positions.size());
  both.positions.insert(both.positions.end(), needle.positions.begin(), needle.positions.end());
  for (models::Triangle triangle : needle.triangles) {
    for (std::uint32_t& corner : triangle)
      corner += behind;
    both.triangles.push_back(triangle);
  }
  const double share = shareOf(both);
  EXPECT_GT(share, kThinShare);
  EXPECT_NEAR(share, 0.018 / 1.498, 0.004);
}

TEST(Pointshell, IsTheSameForAnyNumberOfThreads) {
  const models::Mesh mesh = models::test::torus(0.5, 0.2);
  const Pointshell one(mesh, {.points = 10'000, .threads = 1});
  for (const unsigned threads : {2U, 3U, 7U}) {
    const Pointshell many(mesh, {.points = 10'000, .threads = threads});
    EXPECT_TRUE(areSame(one.arrays().blocks, many.arrays().blocks));
    EXPECT_TRUE(areSame(one.arrays().balls, many.arrays().balls));
    EXPECT_TRUE(areSame(one.arrays().sums, many.arrays().sums));
    EXPECT_TRUE(areSame(one.arrays().cones, many.arrays().cones));
    EXPECT_TRUE(areSame(one.arrays().order, many.arrays().order));
  }
  const Pointshell other(mesh, {.points = 10'000, .seed = 2});
  EXPECT_FALSE(areSame(one.arrays().blocks, other.arrays().blocks));
}

TEST(Pointshell, AnOffsetShellHasTheOffsetSurfacesArea) {
  const models::Mesh ball = models::test::sphere(0.5, 48, 96);
  const Pointshell shell(ball, {.points = 1000, .offset = 0.1});
  EXPECT_NEAR(shell.arrays().area, 4.0 * std::numbers::pi * 0.36, 0.01 * shell.arrays().area);
  const SurfaceDistance distance(ball);
  for (const Point& point : pointsOf(shell))
    EXPECT_NEAR(distance.at(point.place).distance, 0.1, 0.003);
  // a box's faces move by the offset, with their corners
  const Pointshell box(models::test::box({0.8, 0.4, 0.6}), {.points = 1000, .offset = 0.05});
  EXPECT_NEAR(box.arrays().area, 2.0 * (0.9 * 0.5 + 0.9 * 0.7 + 0.5 * 0.7), 1e-6);
  const Pointshell inner(models::test::box({0.8, 0.4, 0.6}), {.points = 1000, .offset = -0.05});
  EXPECT_NEAR(inner.arrays().area, 2.0 * (0.7 * 0.3 + 0.7 * 0.5 + 0.3 * 0.5), 1e-6);
}

TEST(Pointshell, HasAsManyPointsAsItCan) {
  EXPECT_TRUE(Pointshell(models::Mesh{}, {.points = 100}).empty());
  models::Mesh flat = models::test::box();
  for (Eigen::Vector3f& p : flat.positions)
    p = Eigen::Vector3f(1.0F, 2.0F, 3.0F);
  EXPECT_TRUE(Pointshell(flat, {.points = 100}).empty());
  EXPECT_TRUE(Pointshell(models::test::box(), {.points = 0}).empty());
  for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 300U}) {
    const Pointshell shell(models::test::box(), {.points = count});
    EXPECT_EQ(shell.pointCount(), count);
    double area = 0.0;
    for (const Point& point : pointsOf(shell))
      area += point.area;
    EXPECT_NEAR(area, 6.0, 1e-5);
  }
}

}  // namespace
}  // namespace tactus::collision
