// What a surface that overlaps itself encloses, against inclusion and exclusion of boxes, whose
// masses are known in closed form.
#include "models/report/solid_mass.hpp"

#include <gtest/gtest.h>

#include <string>

#include "models/report/mesh_report.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::models {
namespace {

struct Block {
  Eigen::Vector3d lower, upper;
};

/// Integrals of 1, the place, and the place's products.
struct Sums {
  double volume = 0.0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();

  void add(const Block& block, double factor) {
    const Eigen::Vector3d size = (block.upper - block.lower).cwiseMax(Eigen::Vector3d::Zero());
    const Eigen::Vector3d centre = 0.5 * (block.upper + block.lower);
    const double own = factor * size.prod();
    Eigen::Matrix3d products = centre * centre.transpose();
    products.diagonal() += size.cwiseProduct(size) / 12.0;
    volume += own;
    first += own * centre;
    second += own * products;
  }
  [[nodiscard]] Eigen::Vector3d centre() const { return first / volume; }
  [[nodiscard]] Eigen::Matrix3d inertia() const {
    const Eigen::Matrix3d covariance = second - volume * centre() * centre().transpose();
    return covariance.trace() * Eigen::Matrix3d::Identity() - covariance;
  }
};

Mesh boxOf(const Block& block) {
  return test::box(block.upper - block.lower, 0.5 * (block.upper + block.lower));
}

Sums unionOf(const Block& a, const Block& b) {
  Sums sums;
  sums.add(a, 1.0);
  sums.add(b, 1.0);
  sums.add({a.lower.cwiseMax(b.lower), a.upper.cwiseMin(b.upper)}, -1.0);
  return sums;
}

SolidMass massOf(const Mesh& mesh) {
  return solidMass(mesh, topologyOf(mesh));
}

TEST(SolidMass, OverlapOfTwoBoxesCountsOnceInAnyPose) {
  test::Random random(3);
  const Block a{{-1, -1, -1}, {1, 1, 1}};
  for (int i = 0; i < 12; ++i) {
    const Eigen::Vector3d corner = random.inCube(0.9);
    const Block b{corner, corner + Eigen::Vector3d(1.5, 1.0, 2.0)};
    const Sums expected = unionOf(a, b);
    Mesh mesh = boxOf(a);
    test::append(mesh, boxOf(b));
    const Eigen::Isometry3d pose = i < 4 ? Eigen::Isometry3d::Identity() : random.pose(3.0);
    const SolidMass solid = massOf(test::transformed(mesh, pose));
    EXPECT_NEAR(solid.mass.volume, expected.volume, 3e-4 * expected.volume) << i;
    EXPECT_NEAR(solid.mass.volume, expected.volume, solid.volumeError + 1e-6) << i;
    EXPECT_GT(solid.volumeError, 0.0);
    EXPECT_LT((solid.mass.centre - pose * expected.centre()).norm(), 1e-3) << i;
    const Eigen::Matrix3d inertia = pose.linear() * expected.inertia() * pose.linear().transpose();
    EXPECT_LT((solid.mass.inertia - inertia).norm(), 1e-3 * inertia.norm()) << i;
  }
}

// Two small boxes that overlap and a third one far away: lines over all of it are as far apart as
// the boxes are large.
TEST(SolidMass, SmallPartsThatOverlapInALargeBoxAreNotMissed) {
  const Block a{{0, 0, 0}, {1, 1, 1}};
  const Block b{{0.4, 0.3, 0.6}, {1.4, 1.3, 1.6}};
  const Sums both = unionOf(a, b);
  for (const double away : {2.0, 40.0, 500.0}) {
    const Block far{Eigen::Vector3d::Constant(away), Eigen::Vector3d::Constant(away + 1.0)};
    Mesh mesh = boxOf(a);
    test::append(mesh, boxOf(b));
    test::append(mesh, boxOf(far));
    const SolidMass solid = massOf(mesh);
    const double expected = both.volume + 1.0;
    EXPECT_NEAR(solid.mass.volume, expected, 1e-3) << away;
    EXPECT_NEAR(solid.mass.volume, expected, solid.volumeError + 1e-6) << away;
    EXPECT_GT(solid.volumeError, 0.0) << away;
  }
}

// As thin as a thousandth of their length: what they share is smaller than any line's share of all.
TEST(SolidMass, CrossedWiresShareTheirCrossing) {
  const Block a{{-1.0, -5e-4, -5e-4}, {1.0, 5e-4, 5e-4}};
  const Block b{{-5e-4, -1.0, -3e-4}, {5e-4, 1.0, 7e-4}};
  Mesh mesh = boxOf(a);
  test::append(mesh, boxOf(b));
  const SolidMass solid = massOf(mesh);
  const double shared = 1e-3 * 1e-3 * 8e-4;
  EXPECT_NEAR(solid.mass.volume, 4e-6 - shared, 1e-3 * shared + 1e-12);
}

TEST(SolidMass, WhatOverlapsNothingIsExact) {
  for (const Mesh& mesh : {test::torus(), test::box(), test::tetrahedron()}) {
    const SolidMass solid = massOf(mesh);
    EXPECT_EQ(solid.mass.volume, massProperties(mesh).volume);
    EXPECT_EQ(solid.volumeError, 0.0);
  }
}

TEST(SolidMass, PartsInsideOthersAndCopiesAddNothing) {
  const double outer = test::signedVolume(test::sphere(3.0));
  const double inner = test::signedVolume(test::sphere(1.0));
  Mesh nested = test::sphere(3.0);
  test::append(nested, test::sphere(1.0));
  EXPECT_NEAR(massOf(nested).mass.volume, outer, 3e-4 * inner);
  EXPECT_NEAR(reportOn(nested).signedVolume, outer + inner, 1e-10);
  Mesh hollow = test::sphere(3.0);
  test::append(hollow, test::flipped(test::sphere(1.0)));
  EXPECT_NEAR(massOf(hollow).mass.volume, outer - inner, 1e-10);
  Mesh twice = test::box();
  test::append(twice, test::box());
  test::append(twice, test::box());
  EXPECT_NEAR(massOf(twice).mass.volume, 1.0, 1e-4);
}

// A part that is inside out winds backwards: nothing of it is inside.
TEST(SolidMass, WhatIsInsideOutCountsNothing) {
  Mesh mesh = test::box({2, 2, 2});
  test::append(mesh, test::flipped(test::box({1, 1, 1}, {5, 0, 0})));
  EXPECT_NEAR(massOf(mesh).mass.volume, 8.0, 1e-4);
  EXPECT_EQ(massOf(test::flipped(test::box())).mass.volume, 0.0);
}

TEST(SolidMass, IsTheSameForAnyNumberOfThreads) {
  Mesh mesh = test::sphere();
  test::append(mesh, test::moved(test::sphere(), {0.3, 0.5, 0.7}));
  const SolidMass one = solidMass(mesh, topologyOf(mesh), 1);
  for (const unsigned threads : {2U, 5U}) {
    const SolidMass more = solidMass(mesh, topologyOf(mesh), threads);
    EXPECT_EQ(more.mass.volume, one.mass.volume);
    EXPECT_EQ(more.mass.inertia, one.mass.inertia);
    EXPECT_EQ(more.volumeError, one.volumeError);
  }
}

TEST(Solidity, GoesByEdgesAndSign) {
  Mesh open = test::box();
  open.triangles.pop_back();
  EXPECT_EQ(solidityOf(open), Solidity::Open);
  EXPECT_EQ(solidityOf(Mesh{}), Solidity::Open);
  EXPECT_EQ(solidityOf(test::box()), Solidity::Solid);
  EXPECT_EQ(solidityOf(test::flipped(test::box())), Solidity::InsideOut);
  // a plate of 10 nm, inside out, is no rounding
  EXPECT_EQ(solidityOf(test::flipped(test::box({1, 1, 1e-8}))), Solidity::InsideOut);
  Mesh shared = test::box();
  test::append(shared, test::box({1, 1, 1}, {1, 1, 0}));
  EXPECT_EQ(solidityOf(shared), Solidity::Solid);
  // a ball and the same inside out: nothing, whatever rounding says
  Mesh nothing = test::sphere();
  test::append(nothing, test::flipped(test::sphere()));
  EXPECT_EQ(solidityOf(nothing), Solidity::Solid);
  EXPECT_TRUE(reportOn(nothing).isFlat());
  EXPECT_EQ(reportOn(nothing).mass.volume, 0.0);
  EXPECT_EQ(adviceOn(reportOn(nothing)),
            "Flat, as triangles lie on the corners of others: run `tactus convert IN -o OUT "
            "--repair` before packing.");
}

// What `info` says of a surface and what `build` does with it come from the same fields.
TEST(Solidity, AdviceFollowsIt) {
  Mesh shared = test::box();
  test::append(shared, test::box({1, 1, 1}, {1, 1, 0}));
  const MeshReport report = reportOn(shared);
  EXPECT_FALSE(report.closed);
  EXPECT_EQ(report.mass.volume, 2.0);
  EXPECT_EQ(report.volumeError, 0.0);
  EXPECT_EQ(adviceOn(report),
            "Edges have more than two triangles: can be packed as it is, with the inside by "
            "winding number.");
  EXPECT_EQ(whyNotClean(report), "edges have more than two triangles");
  EXPECT_NE(toText(report).find("no, but it bounds a solid"), std::string::npos) << toText(report);
  EXPECT_NE(toText(report).find("volume                   2 m³\n"), std::string::npos);

  Mesh overlapping = test::box({2, 2, 2});
  test::append(overlapping, test::box({2, 2, 2}, {1, 1, 1}));
  const std::string text = toText(reportOn(overlapping));
  EXPECT_NE(text.find("15 m³, overlaps counted once (16 m³ as often as they overlap)"),
            std::string::npos)
      << text;
  EXPECT_EQ(adviceOn(reportOn(overlapping)),
            "The surface meets itself: can be packed as it is, with the inside by winding number.");

  Mesh sheet;  // folded onto itself, its back cut along the other diagonal
  sheet.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
  EXPECT_EQ(adviceOn(reportOn(sheet)), "Flat: it encloses nothing that could be packed.");
  Mesh turned = test::box();
  test::append(turned, test::flipped(test::box({1, 1, 1}, {1, 1, 0})));
  EXPECT_EQ(adviceOn(reportOn(turned)),
            "1 part is inside out: run `tactus convert IN -o OUT --repair` before packing.");
  EXPECT_TRUE(whyNotClean(reportOn(test::box())).empty());
}

}  // namespace
}  // namespace tactus::models
