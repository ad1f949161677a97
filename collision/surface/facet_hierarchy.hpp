#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/mesh/mesh.hpp"

namespace tactus::collision {

/// The triangles of a surface in a tree of arity four, for distances.
///
/// A node is bounded by a capped ball: a ball of which a plane has cut off what is in front of the
/// surface. A patch of a surface is nearly flat, so a ball alone sticks out of it by its radius,
/// and a cap by little more than the patch's curvature: that decides how many nodes near the
/// closest points must be opened.
///
/// Layout: the children of a node stand together as a structure of arrays, in two cache lines.
/// Coordinates are the mesh's floats, relative to its origin. Const after construction.
class FacetHierarchy {
 public:
  static constexpr std::size_t kArity = 4;

  /// Children of a node. Missing ones have NaN for a place.
  struct alignas(64) Caps {
    std::array<float, kArity> x, y, z, radius;  ///< ball around all of it
    std::array<float, kArity> nx, ny, nz;       ///< mean outward normal, unit
    std::array<float, kArity> height;  ///< no point is further along the normal than this, >= 0
  };

  FacetHierarchy() = default;

  /// Precondition: finite positions, indices in range. `threads` 0: one a core.
  explicit FacetHierarchy(const models::Mesh& mesh, unsigned threads = 0);

  [[nodiscard]] bool empty() const noexcept { return corners_.empty(); }

  // Block 0 holds the root as its only child; the last block is empty.
  [[nodiscard]] std::span<const Caps> caps() const noexcept { return caps_; }
  /// Per slot (4 * block + child): the block of its children; of a triangle ~leaf; of what is
  /// missing the empty block.
  [[nodiscard]] std::span<const std::int32_t> links() const noexcept { return links_; }
  /// Per leaf: its slot, the triangle's number in the mesh, and a.x a.y a.z b.x ... c.z.
  [[nodiscard]] std::span<const std::int32_t> slots() const noexcept { return slots_; }
  [[nodiscard]] std::span<const std::uint32_t> facets() const noexcept { return facets_; }
  [[nodiscard]] std::span<const std::array<float, 9>> corners() const noexcept { return corners_; }
  [[nodiscard]] const Eigen::Vector3d& origin() const noexcept { return origin_; }
  /// Radius of the ball around everything [m].
  [[nodiscard]] double radius() const noexcept;

 private:
  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();
  std::vector<Caps> caps_;
  std::vector<std::int32_t> links_, slots_;
  std::vector<std::uint32_t> facets_;
  std::vector<std::array<float, 9>> corners_;
};

}  // namespace tactus::collision
