#pragma once
#include <Eigen/Geometry>
#include <cstdint>

#include "collision/surface/float_pose.hpp"
#include "collision/tree/inner_sphere_tree.hpp"

namespace tactus::collision {

/// Two trees and B's pose in A's coordinates, as plain pointers and floats for vector code.
struct PosedTrees : FloatPose {
  /// Both trees have leaves.
  PosedTrees(const InnerSphereTree& a, const InnerSphereTree& b,
             const Eigen::Isometry3d& aFromB) noexcept;

  const InnerSphereTree::Bounds* boundsA;
  const InnerSphereTree::Bounds* boundsB;
  const InnerSphereTree::Contents* contentsA;
  const InnerSphereTree::Contents* contentsB;
  const InnerSphereTree::Sums* sumsA;
  const InnerSphereTree::Sums* sumsB;
  std::int32_t emptyA, emptyB;  ///< the trees' empty blocks
  float slack;                  ///< what floats may be off [m]
  Eigen::Vector3d arm;          ///< from B's origin to its tree's, in A's axes
};

}  // namespace tactus::collision
