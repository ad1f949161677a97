// The distance of two triangles in floats against the one in doubles, most of all of slivers: of
// two long sides that nearly coincide, floats tell the length of the facet but hardly its plane.
// Tolerance: roundings of coordinates, as FacetDistance takes into account.
#include "collision/surface/leaf_distances.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "collision/surface/posed_facets.hpp"
#include "tests/collision/random_pose.hpp"
#include "tests/models/lanes/seeded_bits.hpp"

namespace tactus::collision {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using Eigen::Vector3f;
using tests::SeededBits;

enum class Form { Fat, ShortSide, Obtuse, Flat };

/// About one metre long, and that wide.
models::Mesh triangle(SeededBits& random, Form form, double width) {
  const auto along = [&](double from, double to) { return random.between(from, to); };
  const Vector3d aside(0.0, width, 0.0);
  const Vector3d p = Vector3d::Zero();
  Vector3d q(1.0, 0.0, 0.0);
  Vector3d r = q;
  switch (form) {
    case Form::Fat:
      r = Vector3d(along(0.0, 1.0), along(0.3, 1.0), 0.0);
      break;
    case Form::ShortSide:
      r += aside;
      break;
    case Form::Obtuse:
      r = Vector3d(along(0.2, 0.8), 0.0, 0.0) + aside;
      break;
    case Form::Flat:
      r = Vector3d(along(0.2, 0.8), 0.0, 0.0);
      break;
  }
  models::Mesh mesh;
  mesh.positions = {p.cast<float>(), q.cast<float>(), r.cast<float>()};
  // each corner is the first one once
  const std::array<std::uint32_t, 3> order = {0, 1, 2};
  const std::uint64_t first = random.below(3);
  mesh.triangles = {{order[first], order[(first + 1) % 3], order[(first + 2) % 3]}};
  return mesh;
}

TEST(LeafDistances, AreThoseOfDoublesForSliversToo) {
  SeededBits random(71);
  constexpr std::array kForms = {Form::Fat, Form::ShortSide, Form::Obtuse, Form::Flat};
  constexpr std::array kWidths = {0.1, 0.01, 1e-3, 1e-4};
  int crossing = 0;
  double worst = 0.0;
  for (const Form formA : kForms) {
    for (const Form formB : kForms) {
      for (const double width : kWidths) {
        for (int k = 0; k < 400; ++k) {
          const FacetHierarchy a(triangle(random, formA, width));
          const FacetHierarchy b(triangle(random, formB, random.between(0.1, 1.0) * width));
          // a point of one near a point of the other, mostly by less than they are long
          const Vector3d middle(0.5, 0.0, 0.0);
          const double gap = std::pow(10.0, random.between(-4.0, 0.0));
          const Isometry3d pose = tests::randomPose(random, middle, middle, gap);
          const PosedFacets posed(a, b, pose);
          const std::int32_t leaf = 0;
          const double found = leafDistances(posed, &leaf, &leaf, 1)[0];
          const double exact = std::sqrt(posed.nearest(0, 0).squaredDistance);
          crossing += exact == 0.0 ? 1 : 0;
          worst = std::max(worst, std::fabs(found - exact));
          ASSERT_NEAR(found, exact, 1e-6)
              << static_cast<int>(formA) << ' ' << static_cast<int>(formB) << ' ' << width;
        }
      }
    }
  }
  EXPECT_GT(crossing, 100);
  RecordProperty("worst", std::to_string(worst));
}

// Never more than the distance, also of slivers, whose normals are rounding; and as much as that
// where two faces look at each other. Small triangles have squared normals near the least float.
TEST(LeafDistances, GapsAreNoMoreThanThem) {
  SeededBits random(72);
  constexpr std::array kForms = {Form::Fat, Form::ShortSide, Form::Obtuse, Form::Flat};
  constexpr std::array kWidths = {0.1, 0.01, 1e-4};
  constexpr std::array kScales = {1.0F, 1e-4F, 1e-8F};
  int tight = 0;
  int all = 0;
  for (const float scale : kScales) {
    const auto scaled = [scale](models::Mesh mesh) {
      for (Vector3f& position : mesh.positions)
        position *= scale;
      return mesh;
    };
    for (const Form form : kForms) {
      for (const double width : kWidths) {
        for (int k = 0; k < 400; ++k) {
          const FacetHierarchy a(scaled(triangle(random, form, width)));
          const FacetHierarchy b(scaled(triangle(random, form, random.between(0.1, 1.0) * width)));
          const double size = static_cast<double>(scale);
          const Vector3d middle(0.5 * size, 0.0, 0.0);
          const double gap = size * std::pow(10.0, random.between(-4.0, 0.0));
          const Isometry3d pose = tests::randomPose(random, middle, middle, gap);
          const PosedFacets posed(a, b, pose);
          const std::int32_t leaf = 0;
          const double found = leafGaps(posed, &leaf, &leaf, 1)[0];
          const double exact = std::sqrt(posed.nearest(0, 0).squaredDistance);
          ASSERT_LE(found, exact + static_cast<double>(posed.slack)) << width << ' ' << scale;
          tight += found > 0.8 * exact && exact > 0.0 ? 1 : 0;
          ++all;
        }
      }
    }
  }
  EXPECT_GT(tight, all / 50);
}

TEST(LeafDistances, GapOfFacesThatLookAtEachOtherIsTheirDistance) {
  models::Mesh below;
  below.positions = {Vector3f(0.0F, 0.0F, 0.0F), Vector3f(1.0F, 0.0F, 0.0F),
                     Vector3f(0.0F, 1.0F, 0.0F)};
  below.triangles = {{0, 1, 2}};
  const FacetHierarchy a(below);
  Isometry3d pose = Isometry3d::Identity();
  pose.translation() =
      Vector3d(0.4, -0.3, 0.25);  // so aside that the line of centres is not enough
  const std::int32_t leaf = 0;
  EXPECT_NEAR(leafGaps(PosedFacets(a, a, pose), &leaf, &leaf, 1)[0], 0.25, 1e-6);
}

}  // namespace
}  // namespace tactus::collision
