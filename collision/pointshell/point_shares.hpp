#pragma once
#include <Eigen/Core>
#include <span>
#include <vector>

#include "collision/pointshell/point_grid.hpp"
#include "collision/pointshell/surface_pieces.hpp"
#include "models/mesh/parallel_while.hpp"

namespace tactus::collision {

/// What of a surface belongs to one point.
struct PointShare {
  double area = 0.0;                                     ///< [m^2]
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();      ///< centroid; the point if the area is 0
  Eigen::Vector3d normalArea = Eigen::Vector3d::Zero();  ///< integral of the outward normal [m^2]
};

/// Divides a surface among points: each piece goes to the point that is nearest by apartness();
/// pieces may be shares of something finer themselves. So areas and normals add up to those of the
/// surface, whatever the points: of a closed one the normals' sum is zero, and a pressure that is
/// the same everywhere pushes nowhere.
///
/// `spacing`: about how far apart points are; what is much further from all of them is found by a
/// tree. The same result for any `threads` (0: one a core). Nothing if `goesOn` ends it.
[[nodiscard]] std::vector<PointShare> sharesOf(std::span<const SurfaceSpot> points,
                                               std::span<const SurfacePiece> pieces, double spacing,
                                               unsigned threads = 0,
                                               const models::GoesOn& goesOn = {});

}  // namespace tactus::collision
