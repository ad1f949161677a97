#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "collision/packing/inner_spheres.hpp"

namespace tactus::collision {

/// Inner Sphere Tree: what the queries of this room know of a solid.
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection", 2012, chapter 5;
/// R. Weller and G. Zachmann, "Inner Sphere Trees for Proximity and Penetration Queries", 2009.
/// How ours differs: a leaf is the ball that has volume and centroid of its sphere's cell, so that
/// the leaves together have volume and mass centre of the object, and not 90 % of it; a second,
/// smaller ball of each leaf is certainly inside the object.
///
/// Layout: the four children of a node stand together as a structure of arrays, in two cache lines:
/// where they are, and what they are. A pair of nodes is one operation of sixteen lanes.
///
/// Positions are floats relative to origin(). Const after construction.
class InnerSphereTree {
 public:
  static constexpr std::size_t kArity = 4;

  /// Children of a node: what a test of two nodes reads. Missing children have NaN for a place.
  struct alignas(64) Bounds {
    std::array<float, kArity> x, y, z;
    std::array<float, kArity> radius;  ///< around all below; of a leaf its own
  };

  /// What is needed once two of them meet. Radii are 0 unless the child is a leaf.
  struct alignas(64) Contents {
    std::array<float, kArity> cellRadius, lowerRadius;
    std::array<std::int32_t, kArity> link;  ///< block of its children; of a leaf: ~slot
    std::array<float, kArity> depth;        ///< mean of the cell, of a node: of all cells
  };

  /// Sums over the leaves below each child.
  struct alignas(32) Sums {
    std::array<float, kArity> volume;       ///< of the cells [m^3]
    std::array<float, kArity> lowerVolume;  ///< of the lower balls [m^3]
  };

  /// All there is to a tree, also as it stands in a file. Block 0 holds the root as its only child,
  /// a level stands together, the last block is empty.
  struct Arrays {
    std::span<const Bounds> bounds;
    std::span<const Contents> contents;
    std::span<const Sums> sums;
    /// Which of the spheres given to the constructor stands at a slot (4 * block + child).
    std::span<const std::uint32_t> sphereOfSlot;
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    double volume = 0.0;          ///< of all cells [m^3]
    std::uint64_t leafCount = 0;  ///< as many as spheres
    std::int32_t depth = 0;       ///< steps from the root to the furthest leaf
  };

  InnerSphereTree() = default;

  /// Precondition: finite, 0 <= lowerRadius <= cellRadius. `threads` 0: one a core.
  explicit InnerSphereTree(std::span<const InnerSphere> spheres, unsigned threads = 0);

  /// Of arrays that a tree gave away, which stay alive as long as `keeper`.
  InnerSphereTree(const Arrays& arrays, std::shared_ptr<const void> keeper)
      : all_(arrays), keeper_(std::move(keeper)) {}

  [[nodiscard]] const Arrays& arrays() const noexcept { return all_; }
  [[nodiscard]] const Eigen::Vector3d& origin() const noexcept { return all_.origin; }
  [[nodiscard]] std::size_t leafCount() const noexcept { return all_.leafCount; }
  [[nodiscard]] std::span<const Bounds> bounds() const noexcept { return all_.bounds; }
  [[nodiscard]] std::span<const Contents> contents() const noexcept { return all_.contents; }
  [[nodiscard]] std::span<const Sums> sums() const noexcept { return all_.sums; }

  static constexpr std::uint32_t kNoSphere = std::numeric_limits<std::uint32_t>::max();

 private:
  Arrays all_;
  std::shared_ptr<const void> keeper_;  ///< of what the spans show; copies of a tree share it
};

}  // namespace tactus::collision
