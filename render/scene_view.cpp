#include "render/scene_view.hpp"

namespace tactus::render {

models::Bounds boundsOf(const std::vector<DrawMesh>& meshes) {
  models::Bounds all;
  for (const DrawMesh& draw : meshes) {
    if (draw.mesh == nullptr) continue;
    all = joined(all, transformed(draw.mesh->bounds(), draw.worldFromMesh));
  }
  return all;
}

models::Bounds boundsOf(const SphereCloud& cloud) {
  models::Bounds all;
  for (const Sphere& sphere : cloud.spheres) {
    const Eigen::Vector3d centre = sphere.centre.cast<double>();
    const Eigen::Vector3d reach = Eigen::Vector3d::Constant(static_cast<double>(sphere.radius));
    all = joined(all, {centre - reach, centre + reach});
  }
  return all;
}

models::Bounds boundsOf(const PointCloud& cloud) {
  models::Bounds all;
  for (const Point& point : cloud.points) {
    const Eigen::Vector3d position = point.position.cast<double>();
    all = joined(all, {position, position});
  }
  return all;
}

std::array<Eigen::Vector3d, 8> cornersOf(const models::Bounds& bounds) {
  std::array<Eigen::Vector3d, 8> corners;
  for (unsigned i = 0; i < 8; ++i) {
    corners[i] = {(i & 1U) != 0 ? bounds.upper.x() : bounds.lower.x(),
                  (i & 2U) != 0 ? bounds.upper.y() : bounds.lower.y(),
                  (i & 4U) != 0 ? bounds.upper.z() : bounds.lower.z()};
  }
  return corners;
}

models::Bounds joined(const models::Bounds& a, const models::Bounds& b) {
  if (a.isEmpty()) return b;
  if (b.isEmpty()) return a;
  return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
}

models::Bounds transformed(const models::Bounds& bounds, const Eigen::Isometry3d& to) {
  if (bounds.isEmpty()) return bounds;
  // Each axis of the new box is reached by the sum of the old half axes' shares (Arvo 1990).
  const Eigen::Vector3d centre = to * bounds.centre();
  const Eigen::Vector3d half = to.linear().cwiseAbs() * (0.5 * (bounds.upper - bounds.lower));
  return {centre - half, centre + half};
}

}  // namespace tactus::render
