#include "render/scene_view.hpp"

namespace tactus::render {

models::Bounds boundsOf(const std::vector<DrawMesh>& meshes) {
  models::Bounds all;
  for (const DrawMesh& draw : meshes) {
    if (draw.mesh == nullptr) continue;
    const models::Bounds bounds = transformed(draw.mesh->bounds(), draw.worldFromMesh);
    if (bounds.isEmpty()) continue;
    all = all.isEmpty()
              ? bounds
              : models::Bounds{all.lower.cwiseMin(bounds.lower), all.upper.cwiseMax(bounds.upper)};
  }
  return all;
}

models::Bounds transformed(const models::Bounds& bounds, const Eigen::Isometry3d& to) {
  if (bounds.isEmpty()) return bounds;
  // Each axis of the new box is reached by the sum of the old half axes' shares (Arvo 1990).
  const Eigen::Vector3d centre = to * bounds.centre();
  const Eigen::Vector3d half = to.linear().cwiseAbs() * (0.5 * (bounds.upper - bounds.lower));
  return {centre - half, centre + half};
}

}  // namespace tactus::render
