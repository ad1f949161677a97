#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "collision/surface/surface_distance.hpp"
#include "collision/tree/inner_sphere_tree.hpp"

namespace tactus::collision {

/// The unit directions within an angle of an axis.
struct NormalCone {
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< unit
  double cosine = -1.0;                            ///< of the half angle; -1: all directions

  /// Whether a unit direction is in it.
  [[nodiscard]] bool holds(const Eigen::Vector3d& direction) const noexcept {
    return axis.dot(direction) >= cosine;
  }
};

/// For each ball of an InnerSphereTree, the ways out of the object: a cone that holds the outward
/// directions of the surface next to it.
///
/// Source: R. Weller, "New Geometric Data Structures for Collision Detection", 2012, section 5.4.1,
/// where a sphere lists the triangles that are closest to the voxels it was merged from, and its
/// cone bounds their normals. How ours differs: there are no voxels; a leaf looks from five points
/// of its cell's ball to the closest points of the surface. Inside an object that is the normal of
/// a face, except at edges that are bent inward, where it is between the normals of their faces.
///
/// Method:
/// - a leaf: its centre and the corners of a tetrahedron within its ball; points that stick out of
///   the surface look back. The cone around the smallest ball of the five directions.
/// - a node: a cone that holds those of its children, by sixteen steps towards the one that sticks
///   out most; at most some hundredths of a radian wider than it had to be
///
/// A small ball below a face has a cone as narrow as a ray, one in the middle of a plate has all
/// directions. A direction that no point saw is not in the cone: it is a description, not a bound.
///
/// Deviation: an axis is rounded to 6e-4, and cones are made wider for it and by up to 0.01 for the
/// rounding of the angle [rad]. Same bytes for any number of threads. Const after construction.
class NormalCones {
 public:
  static constexpr double kSlack =
      1e-3;  ///< by which cones are wider, because axes are rounded [rad]

  /// Of the four children of a block of the tree; zeros where children are missing. Bits 0 to 11
  /// and 12 to 23: the axis on an octahedron, folded flat, from 0 to kLast; bits 24 to 31: sine of
  /// half of the half angle, rounded up. That many bytes leave the tree below 96 a sphere.
  struct alignas(16) Four {
    std::array<std::uint32_t, InnerSphereTree::kArity> packed;
  };
  static constexpr std::uint32_t kLast = 4094;

  struct Arrays {
    std::span<const Four> cones;  ///< one a block
  };

  NormalCones() = default;

  /// Of a tree and the surface of its object. `threads` 0: one a core.
  NormalCones(const InnerSphereTree& tree, const SurfaceDistance& surface, unsigned threads = 0);

  /// Of arrays that cones gave away, which stay alive as long as `keeper`.
  NormalCones(const Arrays& arrays, std::shared_ptr<const void> keeper)
      : all_(arrays), keeper_(std::move(keeper)) {}

  [[nodiscard]] const Arrays& arrays() const noexcept { return all_; }
  [[nodiscard]] bool empty() const noexcept { return all_.cones.empty(); }

  /// Of a slot (4 * block + child) that is not missing.
  [[nodiscard]] NormalCone at(std::size_t slot) const noexcept;

 private:
  Arrays all_;
  std::shared_ptr<const void> keeper_;  ///< of what the span shows; copies share it
};

/// A cone that holds all directions of all of these. Without cones it holds everything.
[[nodiscard]] NormalCone coneAround(std::span<const NormalCone> cones) noexcept;

}  // namespace tactus::collision
