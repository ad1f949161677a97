#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tactus::collision {

/// A sphere of a packing and its cell: the share of the object that is nearest to it. All three
/// balls are around the centroid of the cell.
struct InnerSphere {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< centroid of the cell, in the mesh's frame
  double cellRadius = 0.0;   ///< of the ball of the cell's volume [m]
  double lowerRadius = 0.0;  ///< of a ball that is inside the object and meets no other one's [m]
  double outerRadius = 0.0;  ///< of a ball that holds the whole cell [m]
  double depth = 0.0;        ///< mean of the cell, below the surface [m]
};

/// Inner Sphere Tree: what the queries of this room know of a solid.
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection", 2012, chapter 5;
/// R. Weller and G. Zachmann, "Inner Sphere Trees for Proximity and Penetration Queries", 2009.
/// How ours differs: a leaf is the ball that has volume and centroid of its sphere's cell, so that
/// the leaves together have volume and mass centre of the object, and not 90 % of it; two more
/// radii bound what is true. Nodes hold all of the balls below them with their outer radii.
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
    std::array<float, kArity> radius;  ///< around all below; of a leaf: its outer radius
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

  InnerSphereTree() = default;

  /// Precondition: finite, 0 <= lowerRadius <= cellRadius <= outerRadius. `threads` 0: one a core.
  explicit InnerSphereTree(std::span<const InnerSphere> spheres, unsigned threads = 0);

  [[nodiscard]] const Eigen::Vector3d& origin() const noexcept { return origin_; }
  [[nodiscard]] std::size_t leafCount() const noexcept { return leafCount_; }
  [[nodiscard]] int depth() const noexcept { return depth_; }
  [[nodiscard]] double volume() const noexcept { return volume_; }  ///< of all cells [m^3]

  // Block 0 holds the root as its only child; the last block is empty.
  [[nodiscard]] std::span<const Bounds> bounds() const noexcept { return bounds_; }
  [[nodiscard]] std::span<const Contents> contents() const noexcept { return contents_; }
  [[nodiscard]] std::span<const Sums> sums() const noexcept { return sums_; }
  /// Which of the spheres given to the constructor stands at a slot (4 * block + child).
  [[nodiscard]] std::span<const std::uint32_t> sphereOfSlot() const noexcept { return spheres_; }

  static constexpr std::uint32_t kNoSphere = std::numeric_limits<std::uint32_t>::max();

 private:
  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();
  std::size_t leafCount_ = 0;
  int depth_ = 0;
  double volume_ = 0.0;
  std::vector<Bounds> bounds_;
  std::vector<Contents> contents_;
  std::vector<Sums> sums_;
  std::vector<std::uint32_t> spheres_;
};

}  // namespace tactus::collision
