#pragma once
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>

#include "collision/surface/float_pose.hpp"
#include "collision/tree/inner_sphere_tree.hpp"

namespace tactus::collision {

/// Two sphere trees and B's pose, in A's coordinates (relative to A's origin), as plain pointers
/// and floats for the vector code.
struct PosedBalls : FloatPose {
  PosedBalls(const InnerSphereTree& ofA, const InnerSphereTree& ofB,
             const Eigen::Isometry3d& aFromB) noexcept;

  const InnerSphereTree::Arrays* a;
  const InnerSphereTree::Arrays* b;
  float slack;  ///< what a distance in floats may be off [m]
  Eigen::Matrix3d exactRotation;
  Eigen::Vector3d exactOffset;
};

/// Four children, or one leaf and three that are missing.
struct FourBalls {
  InnerSphereTree::Bounds bounds;
  std::array<float, 4> lowerRadius;
  std::array<std::int32_t, 4> link;
};

/// By a link of the tree. A leaf is its own first child.
[[nodiscard]] inline FourBalls childrenOf(const InnerSphereTree::Arrays& tree,
                                          std::int32_t link) noexcept {
  if (link >= 0) {
    const auto block = static_cast<std::size_t>(link);
    return {tree.bounds[block], tree.contents[block].lowerRadius, tree.contents[block].link};
  }
  const std::int32_t leaf = ~link;
  const auto slot = static_cast<std::size_t>(leaf);
  const InnerSphereTree::Bounds& from = tree.bounds[slot / 4];
  FourBalls four{tree.bounds.back(), {}, {link, link, link, link}};
  four.bounds.x[0] = from.x[slot % 4];
  four.bounds.y[0] = from.y[slot % 4];
  four.bounds.z[0] = from.z[slot % 4];
  four.bounds.radius[0] = from.radius[slot % 4];
  four.lowerRadius[0] = tree.contents[slot / 4].lowerRadius[slot % 4];
  return four;
}

}  // namespace tactus::collision
