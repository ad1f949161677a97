#pragma once
#include <Eigen/Core>
#include <vector>

#include "collision/packing/power_cells.hpp"
#include "collision/packing/sphere_packing.hpp"
#include "collision/surface/surface_distance.hpp"

namespace tactus::collision {

/// A sphere of a packing and its cell: the share of the object that is nearest to it. Both balls
/// are around the centroid of the cell.
struct InnerSphere {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< centroid of the cell, in the mesh's frame
  double cellRadius = 0.0;                           ///< of the ball of the cell's volume [m]
  double lowerRadius = 0.0;  ///< of a ball that is inside the object and meets no other one's [m]
  double depth = 0.0;        ///< mean of the cell, below the surface [m]
};

/// What an InnerSphereTree is made of: balls that together have volume and mass centre of the
/// object, and for each of them two more radii that bound what is true.
///
/// The ball of a cell's volume around its centroid overlaps its neighbours a little and sticks out
/// of the surface a little. Its lower ball starts as what the packed sphere leaves around the
/// centroid, and then grows, largest cell first, until it touches the surface, another lower ball
/// or its own cell's ball. The order makes the result the same for any `threads` (0: one a core).
/// Nothing if `goesOn` ends it.
[[nodiscard]] std::vector<InnerSphere> innerSpheres(const SpherePacking& packing,
                                                    const PowerCells& cells,
                                                    const SurfaceDistance& surface,
                                                    unsigned threads = 0,
                                                    const models::GoesOn& goesOn = {});

}  // namespace tactus::collision
