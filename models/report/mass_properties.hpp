#pragma once
#include <Eigen/Core>

#include "models/mesh/mesh.hpp"

namespace tactus::models {

/// Mass properties of the solid inside a closed, outward oriented surface, at density 1 kg/m^3.
struct MassProperties {
  double volume = 0.0;                                  ///< signed: negative when turned inside out [m^3]
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();     ///< centre of mass [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();    ///< about `centre`, axes of the file [kg m^2]
};

/// Exact polyhedral integration. Of an open surface the figures depend on the coordinate origin and
/// mean nothing; the caller asks the report first.
[[nodiscard]] MassProperties massProperties(const Mesh& mesh);

}  // namespace tactus::models
