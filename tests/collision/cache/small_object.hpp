#pragma once
#include <memory>
#include <utility>

#include "collision/cache/object_builder.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::tests {

/// A box of twelve triangles far from zero, with remainders, so that nothing in a file is trivial.
inline collision::SolidMesh smallSolid() {
  collision::SolidMesh solid;
  solid.mesh = models::test::box(Eigen::Vector3d(0.1, 0.2, 0.3));
  solid.mesh.origin = Eigen::Vector3d(5.0, -6.0, 7.0);
  solid.mesh.mergedByRounding = 3;
  for (std::size_t i = 0; i < solid.mesh.positions.size(); ++i)
    solid.remainders.emplace_back(1e-10F * static_cast<float>(i), 0.0F, -1e-11F);
  return solid;
}

/// Cold parts as a test wants them.
class GivenParts final : public collision::ColdParts {
 public:
  GivenParts(collision::SolidMesh solid, collision::PackedBalls packing)
      : solid_(std::move(solid)), packing_(std::move(packing)) {}
  [[nodiscard]] models::Result<collision::SolidMesh> solid() const override { return solid_; }
  [[nodiscard]] models::Result<collision::PackedBalls> packing() const override { return packing_; }

 private:
  collision::SolidMesh solid_;
  collision::PackedBalls packing_;
};

/// smallSolid() with sixty spheres; built once. Its file is about 10 KB: of the thousands of points
/// of the medial axis it keeps a few, so that each byte can be tried.
inline const collision::CollisionObject& smallObject() {
  static const collision::CollisionObject object = [] {
    collision::BuildSettings settings;
    settings.parameters.spheres = 60;
    collision::BuildOutcome outcome = collision::buildObject(smallSolid(), settings);
    collision::CollisionObject built = std::move(outcome.object);
    collision::PackedBalls packing = built.cold->packing().value();
    packing.medialAxis.resize(5);
    built.cold = std::make_shared<GivenParts>(smallSolid(), std::move(packing));
    return built;
  }();
  return object;
}

}  // namespace tactus::tests
