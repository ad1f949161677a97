#pragma once
#include <Eigen/Geometry>
#include <cstdint>

#include "collision/depth/depth_field.hpp"
#include "collision/surface/facet_hierarchy.hpp"
#include "collision/surface/surface_distance.hpp"
#include "response/bodies/world.hpp"
#include "tests/models/test_meshes.hpp"

namespace tactus::response::test {

/// A mesh as the depth law knows it; without spheres, so that it is made at once.
inline ContactSolid solidOf(const models::Mesh& mesh, double corners = 30'000) {
  ContactSolid solid;
  solid.body.depths = collision::DepthField(collision::SurfaceDistance(mesh), corners, 1);
  solid.body.facets = collision::FacetHierarchy(mesh, 1);
  return solid;
}

/// Without damping and friction.
inline Material elastic(double stiffness) {
  Material material;
  material.stiffness = stiffness;
  material.damping = material.relaxation = 0.0;
  material.staticFriction = material.kineticFriction = 0.0;
  return material;
}

inline BodyDescription bodyOf(const models::Mesh& mesh, double density, const Material& material,
                              BodyKind kind = BodyKind::Dynamic, double corners = 30'000) {
  BodyDescription body;
  body.solid = solidOf(mesh, corners);
  body.mass = bodyMassOf(mesh, density);
  body.material = material;
  body.kind = kind;
  return body;
}

inline Eigen::Isometry3d shifted(double x, double y, double z) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = Eigen::Vector3d(x, y, z);
  return pose;
}

/// A fixed plate whose upper face is y = 0.
inline BodyDescription plateOf(const Material& material, double side = 0.4, double thick = 0.06,
                               double corners = 60'000) {
  return bodyOf(models::test::box({side, thick, side}, {0.0, -0.5 * thick, 0.0}), 1000.0, material,
                BodyKind::Fixed, corners);
}

}  // namespace tactus::response::test
