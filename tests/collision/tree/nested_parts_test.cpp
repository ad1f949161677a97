// Parts of one surface inside the other solid, by boxes and balls whose volumes are known.
#include "collision/tree/nested_parts.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <vector>

#include "collision/surface/surface_distance.hpp"
#include "tests/models/lanes/seeded_bits.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using models::Mesh;
using tests::SeededBits;
namespace test = models::test;

struct Body {
  FacetHierarchy facets;
  DistanceField field;
  std::vector<SurfacePart> parts;

  explicit Body(const Mesh& mesh, double cells = 2000.0)
      : facets(mesh), field(SurfaceDistance(mesh, {}), cells), parts(partsOf(facets)) {}
  [[nodiscard]] NestingBody nesting() const { return {facets, field, parts}; }
  [[nodiscard]] NestingBody withoutField() const { return {facets, kNone, parts}; }

  inline static const DistanceField kNone;
};

/// A box with a box-shaped cavity.
Mesh hollow() {
  Mesh mesh = test::box(Vector3d::Constant(2.0));
  test::append(mesh, test::flipped(test::box(Vector3d::Constant(1.0))));
  return mesh;
}

Isometry3d at(const Vector3d& place) {
  return Isometry3d(Eigen::Translation3d(place));
}

TEST(NestedParts, PartsKnowTheirVolumes) {
  const Body shell(hollow());
  ASSERT_EQ(shell.parts.size(), 2U);
  EXPECT_NEAR(shell.parts[0].volume + shell.parts[1].volume, 7.0, 1e-9);
  EXPECT_NEAR(shell.parts[0].volume * shell.parts[1].volume, -8.0, 1e-9);
  const Body box(test::box({1.0, 2.0, 3.0}, {10.0, -5.0, 2.0}));
  ASSERT_EQ(box.parts.size(), 1U);
  EXPECT_NEAR(box.parts[0].volume, 6.0, 1e-5);
}

TEST(NestedParts, VolumeIsThatOfWhatIsInside) {
  const Body shell(hollow());
  const Body crumb(test::box(Vector3d::Constant(0.1)));
  const Body large(test::box(Vector3d::Constant(4.0)));
  const NestedParts inTheCavity = nestedParts(shell.nesting(), crumb.nesting(), at({0.2, 0.1, 0}));
  EXPECT_FALSE(inTheCavity.any);
  EXPECT_EQ(inTheCavity.volume, 0.0);
  const NestedParts inTheWall = nestedParts(shell.nesting(), crumb.nesting(), at({0.75, 0.1, 0}));
  EXPECT_TRUE(inTheWall.any);
  EXPECT_NEAR(inTheWall.volume, 0.001, 1e-9);
  const NestedParts outside = nestedParts(shell.nesting(), crumb.nesting(), at({1.2, 0.1, 0}));
  EXPECT_FALSE(outside.any);
  // the cavity is not shared, whoever is called A
  const NestedParts held = nestedParts(large.nesting(), shell.nesting(), at({0.3, 0, 0}));
  EXPECT_NEAR(held.volume, 7.0, 1e-9);
  const NestedParts holding = nestedParts(shell.nesting(), large.nesting(), at({-0.3, 0, 0}));
  EXPECT_NEAR(holding.volume, 7.0, 1e-9);
  // between the walls, around the crumb's neighbour: a ring of a body is none of its parts
  EXPECT_FALSE(nestedParts(shell.nesting(), large.nesting(), at({9.0, 0, 0})).any);
}

// The field only spares work.
TEST(NestedParts, TheFieldChangesNothing) {
  const Body shell(hollow());
  const Body crumb(test::sphere(0.04, 6, 12));
  SeededBits random(3);
  int inside = 0;
  for (int k = 0; k < 2000; ++k) {
    const Isometry3d pose =
        at({random.between(-1.2, 1.2), random.between(-1.2, 1.2), random.between(-1.2, 1.2)});
    const NestedParts with = nestedParts(shell.nesting(), crumb.nesting(), pose);
    const NestedParts without = nestedParts(shell.withoutField(), crumb.withoutField(), pose);
    EXPECT_EQ(with.any, without.any) << k;
    EXPECT_EQ(with.volume, without.volume) << k;
    inside += with.any ? 1 : 0;
  }
  EXPECT_GT(inside, 500);
}

}  // namespace
}  // namespace tactus::collision
