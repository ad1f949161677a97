#include "collision/cache/object_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "collision/pointshell/thin_parts.hpp"
#include "tests/collision/cache/small_object.hpp"

namespace {

using namespace tactus::collision;
using tactus::tests::smallObject;
using tactus::tests::smallSolid;
namespace test = tactus::models::test;

BuildSettings upTo(std::size_t spheres) {
  BuildSettings settings;
  settings.parameters.spheres = spheres;
  return settings;
}

TEST(ObjectBuilder, FiguresTellWhatWasBuilt) {
  const CollisionObject& object = smallObject();
  EXPECT_TRUE(object.figures.closed);
  EXPECT_EQ(object.figures.signRule, SignRule::Pseudonormal);
  EXPECT_EQ(object.figures.end, PackingEnd::SphereCount);
  EXPECT_EQ(object.figures.triangles, 12U);
  EXPECT_EQ(object.figures.spheres, 60U);
  EXPECT_NEAR(object.figures.volume, 0.1 * 0.2 * 0.3, 1e-9);
  EXPECT_GT(object.figures.filled(), 0.5);
  EXPECT_LT(object.figures.filled(), 1.0);
  EXPECT_EQ(object.tree.leafCount(), 60U);
  EXPECT_EQ(object.facets.arrays().corners.size(), 12U);
  EXPECT_EQ(object.identity, identityOf(smallSolid(), object.parameters));
}

TEST(ObjectBuilder, TellsWhatIsNoSolid) {
  SolidMesh open = smallSolid();
  open.mesh.triangles.pop_back();
  EXPECT_EQ(buildObject(open, upTo(10)).end, BuildEnd::Open);
  EXPECT_EQ(buildObject({}, upTo(10)).end, BuildEnd::Open);
  SolidMesh turned = smallSolid();
  for (auto& triangle : turned.mesh.triangles)
    std::swap(triangle[0], triangle[1]);
  EXPECT_EQ(buildObject(turned, upTo(10)).end, BuildEnd::InsideOut);
  SolidMesh flat;
  flat.mesh = test::box(Eigen::Vector3d(1.0, 1.0, 0.0));
  EXPECT_EQ(buildObject(flat, upTo(10)).end, BuildEnd::NothingFits);
}

/// Two boxes through each other in one mesh: closed, but not clean.
TEST(ObjectBuilder, PacksASurfaceThatCutsItselfByWindingNumber) {
  SolidMesh crossed;
  crossed.mesh = test::box(Eigen::Vector3d(1.0, 0.3, 0.3));
  const auto second = test::box(Eigen::Vector3d(0.3, 1.0, 0.3), Eigen::Vector3d(0.01, 0.02, 0.03));
  for (const auto& triangle : second.triangles)
    crossed.mesh.triangles.push_back({triangle[0] + 8, triangle[1] + 8, triangle[2] + 8});
  for (const auto& position : second.positions)
    crossed.mesh.positions.push_back(position);
  const BuildOutcome outcome = buildObject(crossed, upTo(100));
  ASSERT_EQ(outcome.end, BuildEnd::Built);
  EXPECT_EQ(outcome.object.figures.signRule, SignRule::WindingNumber);
  EXPECT_GT(outcome.object.figures.filled(), 0.3);
}

// A body stored twice is the body. By winding number the same took a hundred times as long.
TEST(ObjectBuilder, CopiesOfTrianglesArePassedOver) {
  SolidMesh once;
  once.mesh = test::sphere(0.1, 12, 24);
  SolidMesh twice = once;
  test::append(twice.mesh, once.mesh);
  const BuildOutcome expected = buildObject(once, upTo(50));
  const BuildOutcome outcome = buildObject(twice, upTo(50));
  ASSERT_EQ(outcome.end, BuildEnd::Built);
  EXPECT_EQ(outcome.copies, once.mesh.triangles.size());
  EXPECT_TRUE(outcome.unclean.empty()) << outcome.unclean;
  EXPECT_EQ(outcome.object.figures.signRule, SignRule::Pseudonormal);
  EXPECT_EQ(outcome.object.figures.triangles, 2 * once.mesh.triangles.size());
  EXPECT_FALSE(outcome.object.figures.closed);
  EXPECT_EQ(outcome.object.figures.sphereVolume, expected.object.figures.sphereVolume);
  EXPECT_EQ(outcome.object.figures.volume, expected.object.figures.volume);
  EXPECT_EQ(outcome.object.identity, identityOf(twice, outcome.object.parameters));

  // two boxes with a face in common are one body, too
  SolidMesh neighbours;
  neighbours.mesh = test::box();
  test::append(neighbours.mesh, test::box(Eigen::Vector3d::Ones(), {1, 0, 0}));
  const BuildOutcome both = buildObject(neighbours, upTo(20));
  ASSERT_EQ(both.end, BuildEnd::Built);
  EXPECT_EQ(both.copies, 4U);
  EXPECT_NEAR(both.object.figures.volume, 2.0, 1e-9);

  // a body and its copy inside out are nothing
  SolidMesh nothing = once;
  test::append(nothing.mesh, test::flipped(once.mesh));
  EXPECT_NE(buildObject(nothing, upTo(20)).end, BuildEnd::Built);
}

TEST(ObjectBuilder, StopsWhenItIsToldTo) {
  for (const BuildStage last : {BuildStage::Checking, BuildStage::Packing, BuildStage::Cells,
                                BuildStage::Tree, BuildStage::Facets, BuildStage::Voxmap}) {
    BuildSettings settings = upTo(60);
    bool wentOn = false;
    settings.progress = [&](const BuildProgress& progress) {
      wentOn = wentOn || progress.stage > last;
      return progress.stage != last;
    };
    const BuildOutcome outcome = buildObject(smallSolid(), settings);
    EXPECT_EQ(outcome.end, BuildEnd::Cancelled) << static_cast<int>(last);
    EXPECT_FALSE(wentOn) << static_cast<int>(last);
  }
}

// In the stages that take long it must not take until their end.
TEST(ObjectBuilder, StopsWithinAStage) {
  for (const BuildStage stage : {BuildStage::Cells, BuildStage::Points}) {
    BuildSettings settings = upTo(300);
    settings.parameters.packing = PackingMethod::Voxel;
    settings.parameters.points = 5000;
    std::vector<double> shares;
    settings.progress = [&](const BuildProgress& progress) {
      if (progress.stage == stage) shares.push_back(progress.share);
      return true;
    };
    ASSERT_EQ(buildObject(smallSolid(), settings).end, BuildEnd::Built);
    ASSERT_GT(shares.size(), 20U) << static_cast<int>(stage);
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_EQ(shares.front(), 0.0);
    EXPECT_GT(shares.back(), 0.95);
    EXPECT_LE(shares.back(), 1.0);
    for (const double until : {0.02, 0.3, 0.7, 0.92}) {
      std::size_t after = 0;
      bool wasTold = false;
      settings.progress = [&](const BuildProgress& progress) {
        after += wasTold ? 1 : 0;
        wasTold = wasTold || (progress.stage == stage && progress.share >= until);
        return !wasTold;
      };
      EXPECT_EQ(buildObject(smallSolid(), settings).end, BuildEnd::Cancelled);
      EXPECT_TRUE(wasTold);
      EXPECT_EQ(after, 0U) << static_cast<int>(stage) << " at " << until;
    }
  }
}

TEST(ObjectBuilder, RefusesVoxelsThatAreLongerThanTheObject) {
  BuildSettings settings = upTo(10);
  settings.parameters.voxelSize = 0.29;
  EXPECT_EQ(buildObject(smallSolid(), settings).end, BuildEnd::Built);
  for (const double size : {0.31, 1e9}) {
    settings.parameters.voxelSize = size;
    EXPECT_EQ(buildObject(smallSolid(), settings).end, BuildEnd::VoxelsTooLarge);
  }
}

TEST(ObjectBuilder, SaysThatBytesAreTooFew) {
  BuildSettings settings = upTo(10);
  settings.parameters.points = 0;
  settings.parameters.voxmapBytes = 1;
  EXPECT_EQ(buildObject(smallSolid(), settings).end, BuildEnd::BytesTooFew);
  settings.parameters.voxmapBytes = 64'000;
  EXPECT_EQ(buildObject(smallSolid(), settings).end, BuildEnd::Built);
}

/// A plate of a voxel or less as a hundred spheres would have it gets finer ones; one that is asked
/// to have few bytes keeps to them.
TEST(ObjectBuilder, ThinPartsGetVoxelsThatTellThem) {
  SolidMesh plate;
  plate.mesh = test::box(Eigen::Vector3d(0.1, 0.001, 0.1));
  BuildSettings settings = upTo(100);
  settings.parameters.points = 500;
  const CollisionObject fine = buildObject(plate, settings).object;
  EXPECT_LT(unresolvedShare(fine.pointshell, fine.voxmap), kThinShare);
  EXPECT_LT(fine.voxmap.arrays().voxel, 0.0006F);
  settings.parameters.voxmapBytes = 64'000;
  const CollisionObject held = buildObject(plate, settings).object;
  EXPECT_LE(held.voxmap.bytes(), 64'000U);
  EXPECT_GT(unresolvedShare(held.pointshell, held.voxmap), 0.9);
}

/// A box of walls, thinner than two cubes of the depths that two thousand spheres have, or thicker.
TEST(ObjectBuilder, TellsOfWallsTooThinForItsDepths) {
  const auto shellOf = [](double thickness) {
    SolidMesh shell;
    shell.mesh = test::box(Eigen::Vector3d::Ones());
    test::append(shell.mesh,
                 test::flipped(test::box(Eigen::Vector3d::Constant(1.0 - 2.0 * thickness))));
    BuildSettings settings = upTo(2000);
    settings.parameters.points = 0;
    settings.parameters.voxmapBytes = 64'000;
    return buildObject(shell, settings).object;
  };
  const CollisionObject thick = shellOf(0.15);
  const auto side = static_cast<double>(thick.depths.arrays().side);
  EXPECT_LT(2.0 * side, 0.15);
  EXPECT_EQ(thick.figures.thinWalls, 0.0);
  const double inner = 1.0 - 2.0 * 1.9 * side;
  EXPECT_NEAR(shellOf(1.9 * side).figures.thinWalls, 2.0 * inner * inner / (1.0 + inner * inner),
              0.03);
  EXPECT_EQ(shellOf(2.1 * side).figures.thinWalls, 0.0);
}

TEST(ObjectBuilder, IdentityDependsOnEverythingThatDecides) {
  const SolidMesh solid = smallSolid();
  const BuildParameters parameters;
  const ContentIdentity identity = identityOf(solid, parameters);
  EXPECT_EQ(identityOf(smallSolid(), {}), identity);
  EXPECT_EQ(identity.text().size(), 32U);
  EXPECT_NE(identity.words[0], identity.words[1]);

  const auto expectChange = [&](const SolidMesh& otherSolid, const BuildParameters& other) {
    const ContentIdentity changed = identityOf(otherSolid, other);
    EXPECT_NE(changed.words[0], identity.words[0]);
    EXPECT_NE(changed.words[1], identity.words[1]);
  };
  SolidMesh moved = solid;
  moved.mesh.positions[7].z() = std::nextafter(moved.mesh.positions[7].z(), 1.0F);
  expectChange(moved, parameters);
  SolidMesh shifted = solid;
  shifted.mesh.origin.x() += 1e-9;
  expectChange(shifted, parameters);
  SolidMesh rewired = solid;
  std::swap(rewired.mesh.triangles[0], rewired.mesh.triangles[1]);
  expectChange(rewired, parameters);
  SolidMesh rounded = solid;
  rounded.remainders.clear();
  expectChange(rounded, parameters);
  BuildParameters other = parameters;
  other.spheres += 1;
  expectChange(solid, other);
  other = parameters;
  other.seed += 1;
  expectChange(solid, other);
  other = parameters;
  other.cellFineness *= 2.0;
  expectChange(solid, other);
  other = parameters;
  other.packing = PackingMethod::Voxel;
  expectChange(solid, other);
  other = parameters;
  other.voxelSize = 0.01;
  expectChange(solid, other);
  other = parameters;
  other.voxmapBytes = 1'000'000;
  expectChange(solid, other);
}

}  // namespace
