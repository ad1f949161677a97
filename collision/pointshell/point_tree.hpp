#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/pointshell/point_grid.hpp"

namespace tactus::collision {

/// Points in a tree of boxes, for the nearest one by apartness() however far it is, where PointGrid
/// would look through more and more empty cells.
///
/// Method: halved at the median along the longest side of the box, down to eight points. The nearer
/// box is looked into first, and one that is further away than the best point is left out.
class PointTree {
 public:
  /// The points stay alive; their places are finite.
  explicit PointTree(std::span<const SurfaceSpot> points);

  struct Nearest {
    std::uint32_t point = 0;
    float apart = 0.0F;  ///< squared, as apartness() has it
  };
  /// Of equally near ones that with the lowest number. Precondition: there are points.
  [[nodiscard]] Nearest nearest(const SurfaceSpot& spot, float squaredBend) const;

 private:
  static constexpr std::size_t kFew = 8;
  static constexpr std::uint32_t kLeaf = 0;  // the root is nobody's child
  struct Node {
    Eigen::Vector3f lower, upper;
    std::uint32_t begin = 0, end = 0;  ///< in `order_`
    std::array<std::uint32_t, 2> children{kLeaf, kLeaf};
  };

  std::uint32_t grow(std::uint32_t begin, std::uint32_t end);

  std::span<const SurfaceSpot> points_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace tactus::collision
