#pragma once
#include <Eigen/Geometry>
#include <algorithm>
#include <cstdint>

#include "collision/surface/facet_hierarchy.hpp"
#include "collision/surface/float_pose.hpp"
#include "collision/surface/triangle_distance.hpp"

namespace tactus::collision {

/// Two hierarchies and B's pose, in A's coordinates (relative to A's origin): as plain pointers and
/// floats for the vector code, and in doubles for the triangles that decide.
struct PosedFacets : FloatPose {
  PosedFacets(const FacetHierarchy& ofA, const FacetHierarchy& ofB,
              const Eigen::Isometry3d& aFromB) noexcept;

  const FacetHierarchy::Arrays* a;
  const FacetHierarchy::Arrays* b;
  const FacetHierarchy::Levels* levelsOfA;
  const FacetHierarchy::Levels* levelsOfB;
  float slack;  ///< what a distance in floats may be off [m]
  Eigen::Matrix3d exactRotation;
  Eigen::Vector3d exactOffset;

  [[nodiscard]] Corners cornersOfA(std::int32_t leaf) const noexcept;
  [[nodiscard]] Corners cornersOfB(std::int32_t leaf) const noexcept;

  /// What is left for certain of a distance between the closest leaves that floats have found [m].
  [[nodiscard]] double certainOf(double distance) const noexcept {
    return std::max(0.0, distance - 2.0 * static_cast<double>(slack));
  }

  /// The nearest points of two leaves, in doubles.
  [[nodiscard]] NearestPoints nearest(std::int32_t leafA, std::int32_t leafB) const noexcept {
    return nearestPoints(cornersOfA(leafA), cornersOfB(leafB));
  }
};

}  // namespace tactus::collision
