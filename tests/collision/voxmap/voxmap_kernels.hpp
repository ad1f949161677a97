#pragma once
#include <span>

#include "collision/voxmap/voxmap.hpp"

namespace tactus::tests {

/// What the vector code makes of a map, point by point.
struct SampledPoint {
  float distance = 0.0F;
  Eigen::Vector3f gradient = Eigen::Vector3f::Zero();
  float layer = 0.0F;
  Eigen::Vector3f centre = Eigen::Vector3f::Zero();  ///< of the voxel, about the map's origin
};

/// Points about the map's origin; as many results.
void sampleByLanes(const collision::Voxmap& map, std::span<const Eigen::Vector3f> points,
                   std::span<SampledPoint> results);

}  // namespace tactus::tests
