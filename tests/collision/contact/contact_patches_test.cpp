// Patches against closed forms, against a flood fill, and against the queries that they are of.
#include "collision/contact/contact_patches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "collision/contact/contact_set.hpp"
#include "collision/tree/proximity.hpp"
#include "models/mesh/mesh.hpp"
#include "tests/collision/contact/pressed.hpp"
#include "tests/collision/on_vector_target.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/collision/tree/small_solids.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using models::Mesh;
using test::Deep;
using test::PatchTotals;
using test::Pressed;
using test::Solid;
using tests::SeededBits;

Isometry3d shifted(double x, double y, double z) {
  return Isometry3d(Eigen::Translation3d(x, y, z));
}

/// A cylinder along y, with as many corners around.
Mesh cylinder(double radius, double height, std::uint32_t corners) {
  Mesh mesh;
  for (std::uint32_t k = 0; k < corners; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / corners;
    const auto x = static_cast<float>(radius * std::cos(angle));
    const auto z = static_cast<float>(radius * std::sin(angle));
    mesh.positions.emplace_back(x, static_cast<float>(-0.5 * height), z);
    mesh.positions.emplace_back(x, static_cast<float>(0.5 * height), z);
  }
  const std::uint32_t low = 2 * corners;
  mesh.positions.emplace_back(0.0F, static_cast<float>(-0.5 * height), 0.0F);
  mesh.positions.emplace_back(0.0F, static_cast<float>(0.5 * height), 0.0F);
  for (std::uint32_t k = 0; k < corners; ++k) {
    const std::uint32_t a = 2 * k;
    const std::uint32_t b = 2 * ((k + 1) % corners);
    mesh.triangles.push_back({a, a + 1, b + 1});
    mesh.triangles.push_back({a, b + 1, b});
    mesh.triangles.push_back({low, a, b});
    mesh.triangles.push_back({low + 1, b + 1, a + 1});
  }
  return mesh;
}

/// Boxes at places on the ground, all one mesh.
Mesh feet(const std::vector<Vector3d>& places, const Vector3d& size) {
  Mesh mesh;
  for (const Vector3d& place : places)
    models::test::append(mesh, models::test::moved(models::test::box(size), place));
  return mesh;
}

// An even pressure on a rectangle: its radius is that of gyration. What is off are the edges, which
// are smeared over a cube.
TEST(ContactPatches, AFlatFaceIsOnePatch) {
  const Deep plate(models::test::box({1.0, 0.2, 1.0}), 250'000);
  const Deep box(models::test::box({0.4, 0.3, 0.4}), 100'000);
  const Vector3d place(0.1, 0.245, -0.05);
  const Pressed found(plate, box, shifted(place.x(), place.y(), place.z()));
  ASSERT_EQ(found.patches.count, 1U);
  const ContactPatch& patch = found.patches.patches[0];
  EXPECT_NEAR(patch.volume, 0.4 * 0.4 * 0.005, 0.02 * patch.volume);
  EXPECT_NEAR(patch.normalForce, 0.4 * 0.4 * 0.0025, 0.04 * patch.normalForce);
  EXPECT_GT(patch.normal.y(), 0.9999);
  EXPECT_LT((patch.centre - Vector3d(0.1, patch.centre.y(), -0.05)).norm(), 0.002);
  EXPECT_NEAR(patch.centre.y(), 0.1, 0.006);
  EXPECT_NEAR(patch.radius, 0.2 * std::sqrt(2.0 / 3.0), 0.02 * patch.radius);
  // of a square of side 1 the mean distance from its middle is 0.382598
  EXPECT_NEAR(patch.spinRadius, 0.4 * 0.382598, 0.02 * patch.spinRadius);
  EXPECT_NEAR(patch.pressure, patch.normalForce, 0.03 * patch.normalForce);
}

TEST(ContactPatches, ADiscHasTheRadiiOfAnEvenPressure) {
  const Deep plate(models::test::box({1.0, 0.2, 1.0}), 250'000);
  const double r = 0.25;
  const Deep disc(cylinder(r, 0.3, 96), 100'000);
  const Pressed found(plate, disc, shifted(0.0, 0.24, 0.1));
  ASSERT_EQ(found.patches.count, 1U);
  const ContactPatch& patch = found.patches.patches[0];
  EXPECT_NEAR(patch.radius, r / std::numbers::sqrt2, 0.03 * r);
  EXPECT_NEAR(patch.spinRadius, 2.0 * r / 3.0, 0.03 * r);
  EXPECT_NEAR(patch.centre.z(), 0.1, 0.002);
}

// A dumbbell: what friction must know is that the feet are apart.
TEST(ContactPatches, FeetOfATableAreOnePatchEach) {
  const Deep plate(models::test::box({1.0, 0.1, 1.0}), 250'000);
  const std::vector<Vector3d> places = {{-0.3, 0.0, 0.0}, {0.3, 0.0, 0.1}};
  const Deep table(feet(places, {0.1, 0.3, 0.1}), 150'000);
  // leaning: the right foot is deeper
  Isometry3d pose = shifted(0.0, 0.192, 0.0);
  pose.linear() = Eigen::AngleAxisd(-0.008, Vector3d::UnitZ()).toRotationMatrix();
  const Pressed found(plate, table, pose);
  ASSERT_EQ(found.patches.count, 2U);
  const ContactPatch& deep = found.patches.patches[0];
  const ContactPatch& light = found.patches.patches[1];
  EXPECT_GT(deep.normalForce, 1.3 * light.normalForce);
  EXPECT_LT(((pose.inverse() * deep.centre) - places[1]).cwiseProduct(Vector3d(1, 0, 1)).norm(),
            0.01);
  EXPECT_LT(((pose.inverse() * light.centre) - places[0]).cwiseProduct(Vector3d(1, 0, 1)).norm(),
            0.01);
  for (const ContactPatch& patch : found.patches.all()) {
    EXPECT_GT(patch.normal.y(), 0.999);
    EXPECT_NEAR(patch.radius, 0.05 * std::sqrt(2.0 / 3.0), 0.15 * patch.radius);
  }
}

TEST(ContactPatches, BeyondTheMostTheyGoToTheNearest) {
  const Deep plate(models::test::box({1.0, 0.1, 1.0}), 250'000);
  std::vector<Vector3d> places;
  for (int i = 0; i < 7; ++i) {
    for (int k = 0; k < 7; ++k)
      places.emplace_back(0.14 * (i - 3), 0.0, 0.14 * (k - 3));
  }
  const Deep brush(feet(places, {0.05, 0.2, 0.05}), 400'000);
  const Pressed found(plate, brush, shifted(0.0, 0.145, 0.0));
  EXPECT_EQ(found.patches.count, ContactPatches::kMost);
  EXPECT_EQ(found.patches.merged, 49U - ContactPatches::kMost);
  const PatchTotals totals(found.patches);
  EXPECT_LT((totals.force - found.energy.force).norm(), 1e-5 * totals.pressure);
}

// A peg in a ring pushes all around: the patch is one, its net force next to nothing.
TEST(ContactPatches, ForcesAroundAPegCancel) {
  const Deep ring(models::test::torus(0.5, 0.2), 250'000);
  const Deep peg(cylinder(0.33, 0.8, 64), 100'000);
  Isometry3d pose = shifted(0.004, 0.0, 0.0);
  // the ring is around z, the peg along y
  pose.linear() = Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitX()).toRotationMatrix();
  const Pressed found(ring, peg, pose);
  ASSERT_EQ(found.patches.count, 1U);
  const ContactPatch& patch = found.patches.patches[0];
  EXPECT_LT(patch.normalForce, 0.2 * patch.pressure);
  EXPECT_LT(patch.centre.norm(), 0.4);
  EXPECT_TRUE(patch.centre.allFinite());
}

// Two forces against each other leave a couple, and a line of action that is anywhere.
TEST(ContactPatches, ACentreIsNoFurtherThanThePatchReaches) {
  ContactCells cells;
  PatchScratch scratch;
  ContactStream stream;
  stream.box = Eigen::AlignedBox3d(Vector3d::Constant(-2.0), Vector3d::Constant(2.0));
  stream.side = 4.0;
  for (const float less : {0.5F, 1e-2F, 1e-4F, 0.0F}) {
    cells.begin(stream);
    for (std::size_t i = 0; i < 2; ++i) {
      const float side = i == 0 ? 1.0F : -1.0F;
      for (std::size_t array = 0; array < kElementArrays; ++array)
        cells.elements(static_cast<ElementArray>(array))[i] = 0.0F;
      cells.elements(kElementX)[i] = side;
      cells.elements(kElementFy)[i] = i == 0 ? 1.0F : less - 1.0F;
      cells.elements(kElementVolume)[i] = 1.0F;
    }
    cells.add(2);
    const ContactPatches patches = contactPatches(cells, Isometry3d::Identity(), scratch);
    ASSERT_EQ(patches.count, 1U);
    const double x = patches.patches[0].centre.x();
    // the line of action is at 2 / less - 1
    EXPECT_LT(x, 2.1);
    if (less > 0.0F) {
      EXPECT_GT(x, 1.0);
    }
    EXPECT_NEAR(patches.patches[0].normalForce, static_cast<double>(less), 1e-6);
  }
}

// The components, found in another way: from each cell that is reached to those beside it.
TEST(ContactPatches, AreWhatAFloodFills) {
  SeededBits random(5);
  ContactCells cells;
  PatchScratch scratch;
  for (int round = 0; round < 20; ++round) {
    ContactStream stream;
    stream.box = Eigen::AlignedBox3d(Vector3d::Zero(), Vector3d::Constant(11.5));
    stream.side = 1.0;
    cells.begin(stream);
    const std::size_t count = 40 + 4 * static_cast<std::size_t>(round);
    for (std::size_t i = 0; i < count; ++i) {
      for (const ElementArray array : {kElementX, kElementY, kElementZ})
        cells.elements(array)[i] = static_cast<float>(random.between(0.0, 12.0));
      for (const ElementArray array : {kElementFx, kElementFy, kElementFz, kElementEnergy})
        cells.elements(array)[i] = static_cast<float>(random.between(0.0, 1.0));
      cells.elements(kElementVolume)[i] = static_cast<float>(random.between(0.1, 1.0));
      cells.elements(kElementReach)[i] = random.below(9) == 0 ? 1.2F : 0.1F;
    }
    cells.add(count);
    const ContactPatches patches = contactPatches(cells, Isometry3d::Identity(), scratch);

    const auto isReached = [&](int x, int y, int z) {
      return x >= 0 && y >= 0 && z >= 0 && x < 12 && y < 12 && z < 12 &&
             (cells.reached()[64 * static_cast<std::size_t>(z) + static_cast<std::size_t>(y)] >> x &
              1U) != 0;
    };
    std::vector<int> colour(12 * 12 * 12, 0);
    const auto colourAt = [&](int x, int y, int z) -> int& {
      const int index = (z * 12 + y) * 12 + x;
      return colour[static_cast<std::size_t>(index)];
    };
    std::map<int, std::uint8_t> patchOfColour;
    int colours = 0;
    for (std::size_t c = 0; c < cells.cells().size(); ++c) {
      const ContactCells::Place place = ContactCells::placeOf(cells.indexOf(c));
      const int x = static_cast<int>(place.x);
      const int y = static_cast<int>(place.y);
      const int z = static_cast<int>(place.z);
      ASSERT_TRUE(isReached(x, y, z));
      if (colourAt(x, y, z) == 0) {
        ++colours;
        std::vector<std::array<int, 3>> open = {{x, y, z}};
        colourAt(x, y, z) = colours;
        while (!open.empty()) {
          const auto [ox, oy, oz] = open.back();
          open.pop_back();
          for (int k = 0; k < 27; ++k) {
            const int nx = ox + k % 3 - 1;
            const int ny = oy + k / 3 % 3 - 1;
            const int nz = oz + k / 9 - 1;
            if (!isReached(nx, ny, nz) || colourAt(nx, ny, nz) != 0) continue;
            colourAt(nx, ny, nz) = colours;
            open.push_back({nx, ny, nz});
          }
        }
      }
      const auto known = patchOfColour.emplace(colourAt(x, y, z), scratch.patchOfCell()[c]);
      if (colours <= static_cast<int>(ContactPatches::kMost)) {
        EXPECT_EQ(known.first->second, scratch.patchOfCell()[c]);
      }
    }
    EXPECT_EQ(patches.count + patches.merged, static_cast<std::size_t>(colours));
  }
}

// With more cells than there is room for, sums are those of all elements all the same.
TEST(ContactCells, SumsAreOfAllElements) {
  SeededBits random(6);
  ContactCells cells;
  ContactStream stream;
  stream.origin = Vector3d(1.0, 2.0, 3.0);
  stream.anchor = Vector3d(0.1, 0.2, 0.3);
  stream.box = Eigen::AlignedBox3d(Vector3d(0.0, 1.0, 2.0), Vector3d(2.0, 3.0, 4.0));
  stream.side = 0.004;
  cells.begin(stream);
  Vector3d force = Vector3d::Zero();
  Vector3d torque = Vector3d::Zero();
  double volume = 0.0;
  double squares = 0.0;
  double pressure = 0.0;
  for (int round = 0; round < 20; ++round) {
    constexpr std::size_t kCount = 1500;
    for (std::size_t i = 0; i < kCount; ++i) {
      const Vector3d at{random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                        random.between(-1.0, 1.0)};
      const Vector3d f{random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                       random.between(-1.0, 1.0)};
      for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<Eigen::Index>(k);
        cells.elements(static_cast<ElementArray>(kElementX + k))[i] = static_cast<float>(at[axis]);
        cells.elements(static_cast<ElementArray>(kElementFx + k))[i] = static_cast<float>(f[axis]);
      }
      cells.elements(kElementEnergy)[i] = 0.5F;
      cells.elements(kElementVolume)[i] = 0.25F;
      cells.elements(kElementReach)[i] = 0.0F;
      force += f;
      torque += at.cross(f);
      volume += 0.25;
      squares += f.norm() * at.squaredNorm();
      pressure += f.norm();
    }
    cells.add(kCount);
  }
  EXPECT_GT(cells.crowded(), 1000U);
  EXPECT_EQ(cells.cells().size(), ContactCells::kMostCells);
  EXPECT_EQ(cells.elementCount(), 30'000U);
  PatchScratch scratch;
  const Isometry3d pose = shifted(1.0, 2.0, 3.0);
  const PatchTotals totals(contactPatches(cells, pose, scratch));
  EXPECT_LT((totals.force - force).norm(), 1e-5 * pressure);
  EXPECT_LT((totals.torque - torque).norm(), 1e-5 * pressure);
  EXPECT_NEAR(totals.volume, volume, 1e-5 * volume);
  EXPECT_NEAR(totals.energy, 2.0 * volume, 1e-5 * volume);
  double foundSquares = 0.0;
  for (std::size_t c = 0; c < cells.cells().size(); ++c) {
    const ContactCells::Cell& cell = cells.cells()[c];
    const Vector3d off = cells.middleOf(c) - stream.origin;
    foundSquares += cell[kCellSecond] + 2.0 * cell.three(kCellFirst).dot(off) +
                    cell[kCellPressure] * off.squaredNorm();
  }
  EXPECT_NEAR(foundSquares, squares, 1e-4 * squares);
}

TEST(ContactCells, WhatIsNotFiniteIsOneCell) {
  ContactCells cells;
  PatchScratch scratch;
  for (const double size :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 1e300}) {
    ContactStream stream;
    stream.box = Eigen::AlignedBox3d(Vector3d::Zero(), Vector3d::Constant(size));
    stream.side = 1e-3;
    cells.begin(stream);
    for (std::size_t array = 0; array < kElementArrays; ++array)
      cells.elements(static_cast<ElementArray>(array))[0] = static_cast<float>(size);
    cells.elements(kElementVolume)[0] = 1.0F;
    cells.add(1);
    EXPECT_EQ(contactPatches(cells, Isometry3d::Identity(), scratch).count, 1U);
  }
}

struct Case {
  EnergyLaw law;
  std::uint32_t budget;
};

constexpr std::array<Case, 5> kCases = {{{EnergyLaw::Depth, kNoBudget},
                                         {EnergyLaw::Volume, kNoBudget},
                                         {EnergyLaw::DepthOfB, kNoBudget},
                                         {EnergyLaw::Depth, 900},
                                         {EnergyLaw::Volume, 2500}}};

// What the response asks for: nothing is lost between the query and its patches.
TEST(ContactPatches, SumUpToTheQuery) {
  SeededBits random(71);
  ContactCells cells;
  PatchScratch room;
  ContactSetScratch order;
  const auto set = std::make_unique<ContactSet>();
  int touching = 0;
  int cut = 0;
  int fading = 0;
  for (const Solid& a : test::smallSolids()) {
    for (const Solid& b : test::smallSolids()) {
      SCOPED_TRACE(a.name + " and " + b.name);
      const ProximityBody bodyA = a.object.body();
      const ProximityBody bodyB = b.object.body();
      ProximityScratch scratch(bodyA, bodyB);
      for (int k = 0; k < 12; ++k) {
        const Isometry3d pose =
            tests::randomPose(random, a.middle(), b.middle(), random.between(0.0, 0.9));
        for (const Case& one : kCases) {
          ProximitySettings settings{.law = one.law, .pairTests = one.budget};
          scratch.forget();
          const Proximity plain = proximity(bodyA, bodyB, pose, scratch, settings);
          settings.contacts = &cells;
          scratch.forget();
          const Proximity found = proximity(bodyA, bodyB, pose, scratch, settings);
          EXPECT_EQ(plain.volume, found.volume);
          EXPECT_EQ(plain.force, found.force);
          EXPECT_EQ(plain.torque, found.torque);
          const ContactPatches patches = contactPatches(cells, pose, room);
          const PatchTotals totals(patches);
          if (found.force.norm() > 0.0) ++touching;
          if (found.isCut) ++cut;
          if (one.law == EnergyLaw::Volume && found.volume > 0.0 && found.volume < 1e-3) ++fading;
          const double rounding = 2e-5 * totals.pressure;
          EXPECT_LE((totals.force - found.force).norm(), rounding);
          const double arm = 4.0;  // of the box, which is far from its origin
          EXPECT_LE((totals.torque - found.torque).norm(), arm * rounding);
          EXPECT_NEAR(totals.energy, found.energy, 2e-5 * totals.energy + 1e-12);
          if (one.law == EnergyLaw::Volume) {
            EXPECT_NEAR(totals.volume, found.volume, 2e-5 * found.volume + 1e-12);
          }
          contactSet(cells, pose, room.patchOfCell(), order, *set);
          EXPECT_LE((set->force - totals.force).norm(), rounding);
          EXPECT_LE((set->torque - totals.torque).norm(), arm * rounding);
          EXPECT_NEAR(set->energy, totals.energy, 1e-9 * totals.energy);
          EXPECT_NEAR(set->volume, totals.volume, 1e-9 * totals.volume);
          for (const Contact& contact : set->all()) {
            EXPECT_LT(contact.patch, patches.count);
            EXPECT_TRUE(contact.point.allFinite());
            EXPECT_GE(contact.volume, 0.0);
          }
          for (const ContactPatch& patch : patches.all()) {
            EXPECT_TRUE(patch.centre.allFinite());
            EXPECT_LE(patch.normalForce, patch.pressure * (1.0 + 1e-5));
            EXPECT_LE(patch.spinRadius, patch.radius * (1.0 + 1e-9));
            EXPECT_LT(patch.radius, 1.0);
          }
        }
      }
    }
  }
  EXPECT_GT(touching, 300);
  EXPECT_GT(cut, 20);
  EXPECT_GT(fading, 5);
}

TEST(ContactPatches, SwappingTheBodiesTurnsThemAround) {
  SeededBits random(72);
  ContactCells cells;
  PatchScratch room;
  const Solid& a = test::smallSolids()[0];
  const Solid& b = test::smallSolids()[2];
  ProximityScratch scratch(a.object.body(), b.object.body());
  ProximityScratch swapped(b.object.body(), a.object.body());
  for (int k = 0; k < 10; ++k) {
    const Isometry3d pose = tests::randomPose(random, a.middle(), b.middle(), 0.55);
    for (const EnergyLaw law : {EnergyLaw::Depth, EnergyLaw::Volume}) {
      const ProximitySettings settings{.law = law, .contacts = &cells};
      const Proximity there = proximity(a.object.body(), b.object.body(), pose, scratch, settings);
      const ContactPatches patches = contactPatches(cells, pose, room);
      const Isometry3d back = pose.inverse();
      static_cast<void>(proximity(b.object.body(), a.object.body(), back, swapped, settings));
      const ContactPatches others = contactPatches(cells, back, room);
      if (!(there.volume > 1e-4)) continue;
      ASSERT_GT(patches.count, 0U);
      ASSERT_GT(others.count, 0U);
      const ContactPatch& one = patches.patches[0];
      const ContactPatch& other = others.patches[0];
      EXPECT_LT((one.force + pose.linear() * other.force).norm(), 0.03 * one.pressure);
      EXPECT_LT((one.centre - pose * other.centre).norm(), 0.03);
      EXPECT_NEAR(one.radius, other.radius, 0.03);
    }
  }
}

// A ball that slides over a plate: the patch goes with it. What it is off at each step are cubes
// that come and go.
TEST(ContactPatches, FollowAMotionWithoutJumps) {
  const Deep plate(models::test::box({1.0, 0.2, 1.0}), 250'000);
  const Deep ball(models::test::sphere(0.2, 48, 96), 100'000);
  constexpr double kStep = 5e-4;
  Vector3d last = Vector3d::Zero();
  double lastRadius = 0.0;
  double worst = 0.0;
  double worstRadius = 0.0;
  for (int k = 0; k < 80; ++k) {
    const Pressed found(plate, ball, shifted(kStep * k, 0.28, 0.3 * kStep * k));
    ASSERT_EQ(found.patches.count, 1U);
    const ContactPatch& patch = found.patches.patches[0];
    const Vector3d off = patch.centre - Vector3d(kStep * k, 0.09, 0.3 * kStep * k);
    if (k > 0) {
      worst = std::max(worst, (off - last).norm());
      worstRadius = std::max(worstRadius, std::abs(patch.radius - lastRadius));
    }
    last = off;
    lastRadius = patch.radius;
    EXPECT_LT(off.norm(), 0.01);
  }
  EXPECT_LT(worst, kStep);
  EXPECT_LT(worstRadius, kStep);
}

TEST(ContactPatches, OfNothingAreNone) {
  ContactCells cells;
  PatchScratch room;
  EXPECT_EQ(contactPatches(cells, Isometry3d::Identity(), room).count, 0U);
  const Solid& ball = test::smallSolids()[0];
  ProximityScratch scratch(ball.object.body(), ball.object.body());
  const Isometry3d near = shifted(0.8, 0.0, 0.0);
  static_cast<void>(
      proximity(ball.object.body(), ball.object.body(), near, scratch, {.contacts = &cells}));
  EXPECT_GT(contactPatches(cells, near, room).count, 0U);
  const Isometry3d far = shifted(3.0, 0.0, 0.0);
  static_cast<void>(
      proximity(ball.object.body(), ball.object.body(), far, scratch, {.contacts = &cells}));
  EXPECT_TRUE(cells.empty());
  EXPECT_EQ(contactPatches(cells, far, room).count, 0U);
}

using ContactPatchesOn = tests::OnVectorTarget;
INSTANTIATE_TEST_SUITE_P(Targets, ContactPatchesOn, tests::eachTarget(), tests::targetName);

TEST_P(ContactPatchesOn, SameBytesEverywhere) {
  const Solid& a = test::smallSolids()[1];
  const Solid& b = test::smallSolids()[2];
  const auto hash = [&] {
    SeededBits random(7);
    tests::BytesHash bytes;
    ProximityScratch scratch(a.object.body(), b.object.body());
    ContactCells cells;
    PatchScratch room;
    for (int k = 0; k < 10; ++k) {
      const Isometry3d pose =
          tests::randomPose(random, a.middle(), b.middle(), random.between(0.0, 0.8));
      for (const Case& one : kCases) {
        static_cast<void>(proximity(a.object.body(), b.object.body(), pose, scratch,
                                    {.law = one.law, .pairTests = one.budget, .contacts = &cells}));
        const ContactPatches patches = contactPatches(cells, pose, room);
        for (const ContactPatch& patch : patches.all()) {
          for (const double x :
               {patch.volume, patch.energy, patch.force.x(), patch.torque.z(), patch.centre.y(),
                patch.normal.z(), patch.radius, patch.spinRadius})
            bytes.add(x);
        }
      }
    }
    return bytes.value();
  };
  expectScalarBytes(hash);
}

}  // namespace
}  // namespace tactus::collision
