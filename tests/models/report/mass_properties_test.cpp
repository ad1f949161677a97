#include "models/report/mass_properties.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/models/test_meshes.hpp"

namespace tactus::models {
namespace {

using test::Random;
constexpr double kPi = std::numbers::pi;

/// Relative to the largest entry: of the figures' own rounding, unless said otherwise.
void expectNear(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected, double relative) {
  const double scale = std::max(1e-300, expected.cwiseAbs().maxCoeff());
  EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), relative * scale) << "found\n"
                                                                        << found << "\nexpected\n"
                                                                        << expected;
}

Eigen::Matrix3d boxInertia(const Eigen::Vector3d& size) {
  const Eigen::Vector3d square = size.cwiseProduct(size);
  return Eigen::Vector3d(square.y() + square.z(), square.z() + square.x(), square.x() + square.y())
             .asDiagonal() *
         Eigen::Matrix3d::Identity() * (size.prod() / 12.0);
}

TEST(MassProperties, Box) {
  const Eigen::Vector3d size(2, 3, 5);
  const Eigen::Vector3d centre(0.5, -1, 4);
  const MassProperties mass = massProperties(test::box(size, centre));
  EXPECT_NEAR(mass.volume, 30.0, 1e-13);
  expectNear(mass.centre, centre, 1e-15);
  expectNear(mass.inertia, boxInertia(size), 1e-14);
}

// The corner tetrahedron of a unit cube: volume 1/6, centre 1/4, and about its centre
// I_xx = 1/80 (= 1/30 - 2/96... in all: 2 * (1/60 - 1/96)), I_xy = 1/480.
TEST(MassProperties, Tetrahedron) {
  const MassProperties mass = massProperties(test::tetrahedron());
  EXPECT_NEAR(mass.volume, 1.0 / 6.0, 1e-16);
  expectNear(mass.centre, Eigen::Vector3d::Constant(0.25), 1e-15);
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Constant(1.0 / 480.0);
  inertia.diagonal().setConstant(1.0 / 80.0);
  expectNear(mass.inertia, inertia, 1e-14);
}

// An inscribed sphere's error falls with the square of the edge length: four times at half of it.
TEST(MassProperties, SphereConvergesAtSecondOrder) {
  const double radius = 1.5;
  const double volume = 4.0 / 3.0 * kPi * std::pow(radius, 3);
  const double inertia = 0.4 * volume * radius * radius;
  double volumeBefore = 0.0;
  double inertiaBefore = 0.0;
  for (const std::uint32_t n : {16U, 32U, 64U, 128U}) {
    const MassProperties mass = massProperties(test::sphere(radius, n, 2 * n));
    const double volumeError = volume - mass.volume;
    const double inertiaError = inertia - mass.inertia(2, 2);
    EXPECT_GT(volumeError, 0.0);
    EXPECT_NEAR(mass.centre.norm(), 0.0, 1e-7);  // positions are floats
    if (n > 16) {
      EXPECT_NEAR(volumeBefore / volumeError, 4.0, 0.1);
      EXPECT_NEAR(inertiaBefore / inertiaError, 4.0, 0.1);
    }
    volumeBefore = volumeError;
    inertiaBefore = inertiaError;
  }
  EXPECT_LT(volumeBefore / volume, 1e-3);
}

TEST(MassProperties, Torus) {
  const double major = 1.0;
  const double minor = 0.4;
  const MassProperties mass = massProperties(test::torus(major, minor, 512, 256));
  const double volume = 2.0 * kPi * kPi * major * minor * minor;
  // 512 x 256 facets: (2 pi / 256)^2 / 6 = 1e-4 of the section is missing
  EXPECT_NEAR(mass.volume / volume, 1.0, 3e-4);
  const double axial = volume * (major * major + 0.75 * minor * minor);
  const double across = volume * (0.5 * major * major + 0.625 * minor * minor);
  expectNear(mass.inertia, Eigen::Vector3d(across, across, axial).asDiagonal().toDenseMatrix(),
             6e-4);
}

TEST(MassProperties, CavityIsSubtracted) {
  const Eigen::Vector3d outer(4, 4, 4);
  const Eigen::Vector3d inner(2, 1, 1);
  const Eigen::Vector3d offset(0.5, 0, 0);
  Mesh mesh = test::box(outer);
  test::append(mesh, test::flipped(test::box(inner, offset)));
  const MassProperties mass = massProperties(mesh);
  EXPECT_NEAR(mass.volume, 62.0, 1e-12);
  const Eigen::Vector3d centre = -2.0 * offset / 62.0;
  expectNear(mass.centre, centre, 1e-14);
  // parallel axes: each body's inertia moved to the common centre
  const auto about = [](double volume, const Eigen::Vector3d& d) {
    return (volume * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose())).eval();
  };
  const Eigen::Matrix3d inertia =
      boxInertia(outer) + about(64.0, centre) - boxInertia(inner) - about(2.0, offset - centre);
  expectNear(mass.inertia, inertia, 1e-14);
}

TEST(MassProperties, InsideOutIsNegative) {
  const MassProperties right = massProperties(test::sphere());
  const MassProperties turned = massProperties(test::flipped(test::sphere()));
  EXPECT_NEAR(turned.volume, -right.volume, 1e-14);
  expectNear(turned.inertia, -right.inertia, 1e-14);
  expectNear(turned.centre, right.centre, 1e-14);
}

TEST(MassProperties, FarFromZeroLosesNothing) {
  Mesh mesh = test::torus(0.1, 0.03, 64, 32);
  const MassProperties near = massProperties(mesh);
  mesh.origin = {1e4, -2e4, 3e4};  // same floats, far origin
  const MassProperties far = massProperties(mesh);
  EXPECT_EQ(far.volume, near.volume);
  EXPECT_EQ(far.inertia, near.inertia);
  EXPECT_LE((far.centre - mesh.origin - near.centre).norm(), 1e-11);  // rounding at 3e4 m

  // the floats themselves far away: a box whose corners are exact there
  const Eigen::Vector3d centre(10'000.5, 8'000.25, -9'000.125);
  const MassProperties box = massProperties(test::box(Eigen::Vector3d(0.5, 0.25, 0.125), centre));
  EXPECT_NEAR(box.volume / (0.5 * 0.25 * 0.125), 1.0, 1e-14);
  expectNear(box.inertia, boxInertia({0.5, 0.25, 0.125}), 1e-13);
  expectNear(box.centre, centre, 1e-15);
}

// A stray vertex must not cost accuracy.
TEST(MassProperties, UnusedVerticesDoNotMatter) {
  Mesh mesh = test::torus();
  const MassProperties without = massProperties(mesh);
  mesh.positions.emplace_back(1e9F, 1e9F, 1e9F);
  const MassProperties with = massProperties(mesh);
  EXPECT_EQ(with.volume, without.volume);
  EXPECT_EQ(with.inertia, without.inertia);
}

TEST(MassProperties, InertiaTurnsWithTheBody) {
  Random random(4);
  const Mesh mesh = test::torus(1.0, 0.3, 40, 20);
  const MassProperties before = massProperties(mesh);
  for (int n = 0; n < 20; ++n) {
    const Eigen::Matrix3d turn = random.rotation().toRotationMatrix();
    const Eigen::Vector3d shift = random.inCube(3.0);
    const MassProperties after =
        massProperties(test::transformed(mesh, Eigen::Translation3d(shift) * turn));
    // positions are rounded to float: 1e-7 of the object's distance from zero
    EXPECT_NEAR(after.volume / before.volume, 1.0, 1e-5);
    expectNear(after.centre, shift + turn * before.centre, 1e-6);
    expectNear(after.inertia, turn * before.inertia * turn.transpose(), 1e-5);
  }
}

TEST(MassProperties, InertiaIsSymmetricToTheBit) {
  Random random(5);
  for (int n = 0; n < 50; ++n) {
    const Mesh body = test::transformed(
        test::tetrahedron(), Eigen::Translation3d(random.inCube(0.1)) *
                                 random.rotation().toRotationMatrix() * Eigen::Scaling(0.07));
    const Eigen::Matrix3d inertia = massProperties(body).inertia;
    EXPECT_EQ(inertia, inertia.transpose().eval());
  }
}

TEST(MassProperties, OrderAndThreadsChangeNothingThatMatters) {
  Mesh mesh = test::sphere(1.0, 100, 200);
  const MassProperties one = massProperties(mesh, 1);
  const MassProperties more = massProperties(mesh, 5);
  EXPECT_EQ(one.volume, more.volume);
  EXPECT_EQ(one.centre, more.centre);
  EXPECT_EQ(one.inertia, more.inertia);
  std::reverse(mesh.triangles.begin(), mesh.triangles.end());
  const MassProperties reversed = massProperties(mesh);
  EXPECT_NEAR(reversed.volume / one.volume, 1.0, 1e-14);
}

TEST(MassProperties, NothingHasNone) {
  EXPECT_EQ(massProperties(Mesh{}).volume, 0.0);
  Mesh flat = test::box(Eigen::Vector3d(1, 1, 0), Eigen::Vector3d(3, 3, 3));
  const MassProperties mass = massProperties(flat);
  EXPECT_EQ(mass.volume, 0.0);
  expectNear(mass.centre, Eigen::Vector3d::Constant(3.0), 1e-15);
  EXPECT_EQ(mass.inertia.norm(), 0.0);
}

}  // namespace
}  // namespace tactus::models
