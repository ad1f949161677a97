#pragma once
#include <Eigen/Core>

#include "models/mesh/mesh.hpp"
#include "models/report/triangle_bvh.hpp"

namespace tactus::render {

/// How far places are from a mesh's surface. Places are in the mesh's float coordinates, relative
/// to its origin. The mesh must outlive it.
class NearestSurface {
 public:
  explicit NearestSurface(const models::Mesh& mesh);

  /// Distance to the nearest triangle [m]; infinite when there is none. A search for the farthest
  /// of many places is done with a place as soon as it is known to be within `enough`: any distance
  /// up to that may be returned then.
  [[nodiscard]] double distance(const Eigen::Vector3d& place, double enough = 0.0) const;

 private:
  const models::Mesh& mesh_;
  models::TriangleBvh bvh_;
};

}  // namespace tactus::render
