#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "models/mesh/mesh.hpp"

namespace tactus::collision {

/// The triangles of a surface in a tree of arity four, for distances.
///
/// A node is bounded by a capped ball: a ball of which a plane has cut off what is in front of the
/// surface. A patch of a surface is nearly flat, so a ball alone sticks out of it by its radius,
/// and a cap by little more than the patch's curvature: that decides how many nodes near the
/// closest points must be opened.
///
/// All triangles are equally many levels below the root, and the blocks above them are full but
/// for the last ones: half-filled blocks at the bottom cost a third more pairs of nodes.
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

  /// All there is to a hierarchy, also as it stands in a file. Block 0 holds the root as its only
  /// child; the last block is empty.
  struct Arrays {
    std::span<const Caps> caps;
    /// Per slot (4 * block + child): the block of its children; of a triangle ~leaf; of what is
    /// missing the empty block.
    std::span<const std::int32_t> links;
    // Per leaf: its slot, the triangle's number in the mesh, and a.x a.y a.z b.x ... c.z.
    std::span<const std::int32_t> slots;
    std::span<const std::uint32_t> facets;
    std::span<const std::array<float, 9>> corners;
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    double radius = 0.0;  ///< no point is further from the origin [m]
  };

  /// Where the levels begin: blocks are numbered breadth first.
  struct Levels {
    static constexpr std::size_t kMost = 18;  ///< 4^17 triangles
    std::array<std::int32_t, kMost> first{};
    std::size_t count = 0;
  };

  FacetHierarchy() = default;

  /// Precondition: finite positions, indices in range. `threads` 0: one a core.
  explicit FacetHierarchy(const models::Mesh& mesh, unsigned threads = 0);

  /// Of arrays that a hierarchy gave away, which stay alive as long as `keeper`.
  FacetHierarchy(const Arrays& arrays, std::shared_ptr<const void> keeper)
      : all_(arrays), levels_(levelsOf(arrays)), keeper_(std::move(keeper)) {}

  [[nodiscard]] const Arrays& arrays() const noexcept { return all_; }
  [[nodiscard]] const Levels& levels() const noexcept { return levels_; }
  [[nodiscard]] bool empty() const noexcept { return all_.corners.empty(); }
  [[nodiscard]] const Eigen::Vector3d& origin() const noexcept { return all_.origin; }
  [[nodiscard]] double radius() const noexcept { return all_.radius; }

 private:
  [[nodiscard]] static Levels levelsOf(const Arrays& arrays) noexcept;

  Arrays all_;
  Levels levels_;
  std::shared_ptr<const void> keeper_;  ///< of what the spans show; copies share it
};

}  // namespace tactus::collision
