#pragma once
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "collision/cache/object_builder.hpp"
#include "collision/exact/exact_body.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::collision::test {

/// An object for the queries and for the exact ones, and how it is called.
struct Solid {
  std::string name;
  ExactBody exact;
  CollisionObject object;

  Solid(std::string called, const models::Mesh& mesh, std::uint64_t spheres = 500)
      : name(std::move(called)), exact(mesh) {
    BuildSettings settings;
    settings.parameters.spheres = spheres;
    BuildOutcome built = buildObject({mesh, {}}, settings);
    EXPECT_EQ(built.end, BuildEnd::Built) << name;
    object = std::move(built.object);
  }
  [[nodiscard]] Eigen::Vector3d middle() const { return exact.bounds.centre(); }
};

/// Round, with a hole, flat faces far from its origin, thin.
inline const std::vector<Solid>& smallSolids() {
  static const std::vector<Solid> all = [] {
    std::vector<Solid> made;
    made.emplace_back("ball", models::test::sphere(0.5, 16, 32));
    made.emplace_back("torus", models::test::torus(0.5, 0.2));
    made.emplace_back("box", models::test::box({0.8, 0.4, 0.6}, {2.0, -1.0, 3.0}));
    made.emplace_back("plate", models::test::box({0.8, 0.03, 0.6}));
    return made;
  }();
  return all;
}

}  // namespace tactus::collision::test
