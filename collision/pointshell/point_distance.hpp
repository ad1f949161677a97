#pragma once
#include <Eigen/Core>
#include <cstdint>

#include "collision/pointshell/point_sums.hpp"

namespace tactus::collision {

/// The point of a shell with the smallest signed distance to the map's surface.
struct LeastDistance {
  double distance = 0.0;                            ///< negative inside [m]
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< in the map's frame
  std::uint32_t number = 0;                         ///< 16 times block plus place
  std::uint32_t nodeTests = 0, pointTests = 0;
  bool isCut = false;  ///< there were more to look at: some point may be nearer
};

/// Of the points of a level.
///
/// Method: down to the nearest node and on to a block, for a good guess; then tree level by tree
/// level, leaving out what cannot be nearer. Out of the map's grid, where there are no values, the
/// surface's nearest point is taken from the border's value and gradient, and of the winner it is
/// sought again from where the way to it enters the grid. With a front that was moved to the pose,
/// the last nearest block is the guess, and nodes are left out by what is known of them; the answer
/// is the same, for of equal distances the lowest number wins.
///
/// What goes beyond `most` tests is not looked at, but for the way down to the guess: sixteen tests
/// a tree level and a block. The distance is then that of the nearest point that was met.
///
/// Deviation: the map's error, and what a surface's nearest point is nearer than the shell's: at
/// most half the square of the spacing over the distance, or half the spacing at a corner. Out of
/// the grid also which point wins is decided by the border's values: seen, up to 1.5 % of a
/// distance as large as the object. Same bytes on every vector target.
[[nodiscard]] LeastDistance leastDistance(const PosedPoints& posed, std::uint32_t level,
                                          PointScratch& scratch, std::uint32_t most) noexcept;

}  // namespace tactus::collision
